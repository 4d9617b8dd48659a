"""The schema migrations of a warehouse file."""

from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

import duckdb

from ..errors import ProfdbError
from .messages import in_one_line
from .sqlfiles import Migration, statement
from .state import objects, transaction


def profdb_version() -> str:
    """Name the version of profdb that is running; a bare checkout has none."""
    try:
        return version("profdb")
    except PackageNotFoundError:
        return "unknown"


def is_warehouse(con: duckdb.DuckDBPyConnection) -> bool:
    """Tell whether profdb made this file."""
    return "_migrations" in objects(con, "table")


def bootstrap(con: duckdb.DuckDBPyConnection) -> None:
    """Turn an empty database into a warehouse of schema 0."""
    with transaction(con):
        con.execute(statement("bootstrap"))


def check_applied(
    con: duckdb.DuckDBPyConnection, known: Sequence[Migration], warehouse: str
) -> int:
    """Give the schema number of a warehouse whose steps are all known and unchanged."""
    rows = con.execute(statement("applied_migrations")).fetchall()
    schema = rows[-1][0] if rows else 0
    if schema > len(known):
        raise ProfdbError(
            f"{warehouse} was made by a newer profdb ({rows[-1][3]}: schema {schema},"
            f" this one knows {len(known)}); upgrade profdb"
        )
    for expected, (number, name, sha256, _) in enumerate(rows, start=1):
        _check_step(known[expected - 1], number, name, sha256, warehouse)
    return int(schema)


def apply_pending(
    con: duckdb.DuckDBPyConnection, known: Sequence[Migration], warehouse: str
) -> tuple[int, int]:
    """Apply what is missing, each step with its record; give the schema before and after."""
    before = check_applied(con, known, warehouse)
    for migration in known[before:]:
        _apply(con, migration)
    return before, len(known)


def _check_step(migration: Migration, number: int, name: str, sha256: str, warehouse: str) -> None:
    if (number, name) != (migration.number, migration.name):
        raise ProfdbError(
            f"{warehouse} has migration {number:04}_{name} where this profdb has"
            f" {migration.number:04}_{migration.name}; open it with the profdb that made it"
        )
    if sha256 != migration.sha256:
        raise ProfdbError(
            f"schema/{number:04}_{name}.sql has changed since it was applied to {warehouse};"
            " restore its text and put the change into a new migration"
        )


def _apply(con: duckdb.DuckDBPyConnection, migration: Migration) -> None:
    record = {
        "number": migration.number,
        "name": migration.name,
        "sha256": migration.sha256,
        "applied_at": datetime.now(UTC).replace(tzinfo=None),
        "profdb_version": profdb_version(),
    }
    try:
        with transaction(con):
            con.execute(migration.text)
            con.execute(statement("record_migration"), record)
    except duckdb.Error as error:
        raise ProfdbError(
            f"schema/{migration.number:04}_{migration.name}.sql failed and was rolled back:"
            f" {in_one_line(error)}"
        ) from error
