"""The views of a warehouse: made from their files, with an alias for the newest version."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources.abc import Traversable

import duckdb

from ..errors import ProfdbError
from .messages import in_one_line
from .order import in_order
from .sqlfiles import ViewFile, digest, read_views, statement
from .state import get_meta, objects, set_meta, transaction

_DIGEST = "views_digest"
_MADE = "views_made"


@dataclass(frozen=True)
class View:
    """A view that people use: its name, its newest version and what it says about itself."""

    name: str
    version: int
    comment: str | None


def views(con: duckdb.DuckDBPyConnection, sql: Traversable) -> list[View]:
    """List the public views with the comments that they have in this warehouse."""
    comments = dict(con.execute(statement("view_comments")).fetchall())
    return [
        View(file.name, file.version, comments.get(file.view))
        for file in newest(read_views(sql))
        if not file.name.startswith("_")
    ]


def show(sql: Traversable, name: str) -> str:
    """Give the text of a view file, by the alias (the newest version) or by name_vN."""
    files = read_views(sql)
    found = {file.name: file.text for file in newest(files)}
    found |= {file.view: file.text for file in files}
    if name not in found:
        known = ", ".join(file.name for file in newest(files) if not file.name.startswith("_"))
        raise ProfdbError(f"no view named {name!r}; there are: {known or 'none'}")
    return found[name]


def newest(files: Sequence[ViewFile]) -> list[ViewFile]:
    """Keep the highest version of each name."""
    return list({file.name: file for file in sorted(files, key=lambda f: f.version)}.values())


def is_current(con: duckdb.DuckDBPyConnection, sql: Traversable) -> bool:
    """Tell whether the views in the warehouse were made from these very files, on this schema."""
    return get_meta(con, _DIGEST) == _fingerprint(sql)


def has_views(con: duckdb.DuckDBPyConnection) -> bool:
    """Tell whether views were ever made."""
    return get_meta(con, _DIGEST) is not None


def recreate(con: duckdb.DuckDBPyConnection, sql: Traversable) -> None:
    """Make all views and aliases anew, in one transaction; drop those whose files are gone."""
    files = in_order(read_views(sql), objects(con, "table"))
    made = {file.view for file in files} | {file.name for file in files}
    try:
        with transaction(con):
            _drop_gone(con, made)
            con.execute(_script(files))
            _comment_aliases(con, newest(files))
            set_meta(con, _MADE, " ".join(sorted(made)))
            set_meta(con, _DIGEST, _fingerprint(sql))
    except duckdb.Error as error:
        raise ProfdbError(f"{_culprit(con, files)}: {in_one_line(error)}") from error


def _drop_gone(con: duckdb.DuckDBPyConnection, made: set[str]) -> None:
    # Only what profdb made itself: people may keep views of their own in the file.
    before = set((get_meta(con, _MADE) or "").split())
    for name in sorted((before - made) & objects(con, "view")):
        con.execute(f'DROP VIEW "{name}"')


def _script(files: Sequence[ViewFile]) -> str:
    template = statement("alias")
    aliases = [template.format(alias=file.name, view=file.view) for file in newest(files)]
    return "\n;".join([file.text for file in files] + aliases)


def _comment_aliases(con: duckdb.DuckDBPyConnection, files: Sequence[ViewFile]) -> None:
    pairs = {"views": [f.view for f in files], "aliases": [f.name for f in files]}
    ((script,),) = con.execute(statement("alias_comments"), pairs).fetchall()
    if script:
        con.execute(script)


def _culprit(con: duckdb.DuckDBPyConnection, files: Sequence[ViewFile]) -> str:
    """Find the file that fails, one by one; the quick way runs them all in one call."""
    con.execute("BEGIN")
    try:
        for file in files:
            try:
                con.execute(file.text)
            except duckdb.Error:
                return file.file
        return "views/"
    finally:
        con.execute("ROLLBACK")


def _fingerprint(sql: Traversable) -> str:
    # The schema too: a view keeps the columns of the table that it was bound to. And the aliases
    # are made by program: a new way of making them is a new set of views.
    made_from = digest(sql / "schema"), digest(sql / "views")
    made_by = statement("alias"), statement("alias_comments")
    return hashlib.sha256("\0".join(made_from + made_by).encode()).hexdigest()
