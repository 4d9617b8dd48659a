"""Small facts about an open warehouse file: its objects, its transaction, its table _meta."""

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from .sqlfiles import statement


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit the block as a whole, or nothing of it."""
    con.execute("BEGIN")
    try:
        yield
        con.execute("COMMIT")
    except BaseException:
        _roll_back(con)
        raise


def objects(con: duckdb.DuckDBPyConnection, kind: str) -> set[str]:
    """Name the tables ('table') or views ('view') of the warehouse."""
    rows = con.execute(statement("main_objects")).fetchall()
    return {name for name, of_kind in rows if of_kind == kind}


def get_meta(con: duckdb.DuckDBPyConnection, key: str) -> str | None:
    """Read one fact of _meta."""
    rows = con.execute(statement("get_meta"), {"key": key}).fetchall()
    return str(rows[0][0]) if rows else None


def set_meta(con: duckdb.DuckDBPyConnection, key: str, value: str) -> None:
    """Store one fact in _meta."""
    con.execute(statement("set_meta"), {"key": key, "value": value})


def _roll_back(con: duckdb.DuckDBPyConnection) -> None:
    try:
        con.execute("ROLLBACK")
    except duckdb.Error:
        # A failed COMMIT has ended the transaction already; the first error is what counts.
        pass
