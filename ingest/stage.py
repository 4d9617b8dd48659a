"""The staging tables: one profile on its way from files to the warehouse.

They stand in a database of their own, which spills to disk beside the warehouse where a trace is
larger than DuckDB's share of memory; the warehouse sees the profile in one transaction, whole or
not at all.
"""

import os
import shutil
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

import duckdb
import msgspec

_MEMORY = "640MB"
"""DuckDB's share of the gibibyte; blocks of JSON, Python and the allocator need the rest."""


class Stage:
    """A scratch database, attached as `stage`, and a scratch folder beside the warehouse."""

    def __init__(self, con: duckdb.DuckDBPyConnection, warehouse: Path) -> None:
        self.con = con
        # Beside the warehouse: the system's temporary folder may be memory.
        self.folder = _folder(warehouse)

    def __enter__(self) -> Self:
        self.folder.mkdir()
        self.con.execute(f"SET memory_limit = '{_MEMORY}'")
        self.con.execute("SET preserve_insertion_order = false")
        self.con.execute("ATTACH ':memory:' AS stage")
        self.run("stage")
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.con.execute("DETACH stage")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, name: str, **params: Any) -> list[tuple[Any, ...]]:
        """Run the statements of NAME.sql beside this module and give the rows of the last one."""
        return self.con.execute(_text(name), params or None).fetchall()

    def arrays(self, name: str, **params: Any) -> dict[str, Any]:
        """Run NAME.sql and give the columns of its rows as numpy arrays; none may be NULL."""
        return self.con.execute(_text(name), params or None).fetchnumpy()

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Load rows in bulk: through one file, since row by row takes a thousand times as long."""
        path = self.folder / "rows.json"
        with path.open("wb") as file:
            for row in rows:
                file.write(msgspec.json.encode(dict(zip(columns, row, strict=True))) + b"\n")
        if path.stat().st_size:
            # With the types of the table: left to itself DuckDB makes dates of texts that look so.
            described = self.con.execute(f"DESCRIBE stage.{table}").fetchall()
            types = {name: kind for name, kind, *_ in described if name in columns}
            self.con.execute(
                f"INSERT INTO stage.{table} BY NAME FROM read_json($path, format = 'nd',"
                " columns = $types, maximum_object_size = 67108864)",
                {"path": str(path), "types": types},
            )
        path.unlink()

    def readable(self, path: Path) -> str:
        """Give a file a name that DuckDB can open, which takes UTF-8 only."""
        if path_text(path) == str(path):
            return str(path)
        link = self.folder / "source"
        link.unlink(missing_ok=True)
        link.symlink_to(path.absolute())
        return str(link)


def remove_leftovers(warehouse: Path) -> None:
    """Remove the scratch folder of an ingest that was killed.

    It is ours to remove, since the warehouse lets one writer in at a time.
    """
    shutil.rmtree(_folder(warehouse), ignore_errors=True)


def path_text(path: Path) -> str:
    """Give a path as text that can be stored: bytes that are no UTF-8 become \\xff."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _folder(warehouse: Path) -> Path:
    return warehouse.with_name(warehouse.name + ".work")


def _text(name: str) -> str:
    return (files(__package__) / f"{name}.sql").read_text(encoding="utf-8")
