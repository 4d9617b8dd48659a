"""The order in which view files can run: each after those that it reads."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from ..errors import ProfdbError
from .messages import in_one_line
from .sqlfiles import ViewFile


def in_order(views: Sequence[ViewFile], tables: Collection[str]) -> list[ViewFile]:
    """Sort the files so that each comes after the views that it reads."""
    by_view = {view.view: view for view in views}
    graph = {view.view: _edges(view, by_view, tables) for view in views}
    try:
        return [by_view[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        cycle = " reads ".join(reversed(error.args[1]))
        first = by_view[error.args[1][0]].file
        raise ProfdbError(f"{first}: views read each other in a circle: {cycle}") from error


@cache  # Parsing is most of the time that a new warehouse takes.
def reads(view: ViewFile) -> frozenset[str]:
    """Name the tables and views that a file reads; a CTE called like a table is none."""
    query = _query(view)
    return frozenset(
        source.name.lower()
        for scope in traverse_scope(query)
        for source in scope.sources.values()
        if isinstance(source, exp.Table) and _is_ours(source)
    )


def _is_ours(table: exp.Table) -> bool:
    # Not a table function, and not in information_schema or pg_catalog.
    return isinstance(table.this, exp.Identifier) and table.db in ("", "main")


def _edges(
    view: ViewFile, by_view: Mapping[str, ViewFile], tables: Collection[str]
) -> frozenset[str]:
    names = reads(view)
    aliases = {other.name for other in by_view.values()}
    for name in sorted(names - by_view.keys() - set(tables)):
        if name in aliases:
            # Through an alias the meaning of this version would change with the other view's.
            raise ProfdbError(f"{view.file}: reads {name}; name a version of it, such as {name}_v1")
        raise ProfdbError(f"{view.file}: reads {name}, which is no table and no view file")
    return names & by_view.keys()


def _query(view: ViewFile) -> exp.Expr:
    """Parse the one CREATE OR REPLACE VIEW of a file that is followed by comments only."""
    try:
        statements = duckdb.extract_statements(view.text)
        if not statements:
            raise ProfdbError(f"{view.file}: is empty")
        create = sqlglot.parse_one(statements[0].query, read="duckdb")
    except duckdb.Error as error:
        raise ProfdbError(f"{view.file}: {in_one_line(error)}") from error
    except SqlglotError as error:
        raise ProfdbError(f"{view.file}: {' '.join(str(error).split())}") from error
    if not _creates(create, view.view):
        raise ProfdbError(f"{view.file}: must begin with CREATE OR REPLACE VIEW {view.view} AS")
    if any(statement.type != duckdb.StatementType.ALTER for statement in statements[1:]):
        raise ProfdbError(f"{view.file}: only COMMENT ON may follow the view")
    query: exp.Expr = create.expression
    return query


def _creates(tree: exp.Expr, view: str) -> bool:
    return (
        isinstance(tree, exp.Create)
        and tree.kind == "VIEW"
        and bool(tree.args.get("replace"))
        and tree.this.name == view
    )
