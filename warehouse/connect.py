"""The open warehouse: a DuckDB file brought up to date, or read behind a wall."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

import duckdb

from ..errors import ProfdbError
from . import catalogue, guard, rules
from .messages import opening_failed, readable_errors
from .paths import check_readable, make_writable
from .sqlfiles import read_queries, shipped_sql, statement
from .state import transaction
from .uptodate import STORAGE_VERSION, bring_up_to_date, check_up_to_date

_BOTH = {
    # A Python variable of the caller must not turn up as a table.
    "python_enable_replacements": "false",
    # Nothing is downloaded: the machines with the profiles have no way out.
    "autoload_known_extensions": "false",
    "autoinstall_known_extensions": "false",
}

_WRITING = {"storage_compatibility_version": "v" + ".".join(map(str, STORAGE_VERSION))}

# The wall: no file but the warehouse itself, and no way to change that.
_READING = {
    "enable_external_access": "false",
    "lock_configuration": "true",
    "allowed_configs": "['enable_progress_bar']",
}


class Warehouse:
    """A warehouse file, open for reading or for writing."""

    def __init__(self, con: duckdb.DuckDBPyConnection, path: Path, sql: Traversable, write: bool):
        self.con = con
        self.path = path
        self.upgraded: str | None = None
        self._sql = sql
        self._write = write
        self._queries: dict[str, str] | None = None

    @classmethod
    def open(
        cls, path: str | Path, write: bool = False, sql: Traversable | None = None
    ) -> "Warehouse":
        """Open a warehouse file; for writing, make it or bring it up to date first."""
        path = Path(path)
        make_writable(path, _WRITING) if write else check_readable(path)
        warehouse = cls(_connect(path, write), path, sql or shipped_sql(), write)
        if write:
            # What a killed writer spilled; it is nobody's, since a writer is alone with the file.
            shutil.rmtree(path.with_name(f"{path.name}.tmp"), ignore_errors=True)
        try:
            warehouse._prepare()
        except duckdb.Error as error:
            warehouse.close()
            raise opening_failed(path, error) from error
        except BaseException:
            warehouse.close()
            raise
        return warehouse

    def _prepare(self) -> None:
        if self._write:
            self.upgraded = bring_up_to_date(self.con, self.path, self._sql)
        else:
            check_up_to_date(self.con, self.path, self._sql)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was committed stays."""
        self.con.close()

    def query_text(self, name: str) -> str:
        """Give the text of one of the shipped queries."""
        if self._queries is None:
            self._queries = read_queries(self._sql)
        if name not in self._queries:
            known = ", ".join(sorted(self._queries)) or "none"
            raise ProfdbError(f"no query named {name!r}; there are: {known}")
        return self._queries[name]

    def query(self, name: str, /, **params: Any) -> list[dict[str, Any]]:
        """Run one of the shipped queries; parameters that its text does not use are ignored."""
        text = self.query_text(name)
        with readable_errors(f"query {name}"):
            used = {key: params[key] for key in _parameters(text) & params.keys()}
            cursor = self.con.execute(text, used)
            columns = [column[0] for column in cursor.description]
            return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]

    def sql(self, text: str, params: Any = None) -> duckdb.DuckDBPyRelation:
        """Run a user's SQL that only reads; fetch from the result inside `readable_errors`.

        `params` fill `?` (a sequence) or `$name` (a mapping) in the text.
        """
        guard.check(text, given=params is not None)
        if self._write:
            raise ProfdbError(
                f"{self.path} is open for writing; ad-hoc SQL runs on one opened for reading"
            )
        with readable_errors("profdb sql"):
            # On a connection of its own: a result half fetched from `con` would be in the way.
            return _without_bar(self.con.cursor()).sql(text, params=params)

    @contextmanager
    def transaction(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Commit the block as a whole, or nothing of it."""
        with transaction(self.con):
            yield self.con

    def suppose(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Let every view see these rows in a table too, on this connection only.

        Nothing is stored: a temporary table of that name stands before the stored one.
        """
        self.con.execute(statement("suppose").format(table=table))
        for row in rows:
            columns, marks = ", ".join(row), ", ".join(f"${key}" for key in row)
            insert = statement("suppose_row").format(table=table, columns=columns, marks=marks)
            self.con.execute(insert, dict(row))

    def unsuppose(self, *tables: str) -> None:
        """Let views see what is stored in these tables again."""
        for table in tables:
            self.con.execute(statement("unsuppose").format(table=table))

    def add_kernels(self) -> None:
        """Name the kernels of the temporary table new_kernels and add them to kernel_names."""
        rules.add_kernels(self.con, self._sql)

    def name_kernels(self) -> None:
        """Give the kernels of the temporary table new_kernels their stable names."""
        rules.name_kernels(self.con, self._sql)

    def checkpoint(self) -> None:
        """Move what was committed from the log into the file itself."""
        with readable_errors(f"cannot write {self.path}"):
            self.con.execute("CHECKPOINT")

    def views(self) -> list[catalogue.View]:
        """List the views that people use: name, newest version, comment."""
        return catalogue.views(self.con, self._sql)

    def show(self, name: str) -> str:
        """Give the SQL text of a view, by its name (the newest version) or name_vN."""
        return catalogue.show(self._sql, name)


def _connect(path: Path, write: bool) -> duckdb.DuckDBPyConnection:
    config: dict[str, Any] = _BOTH | (_WRITING if write else _READING)
    if not os.access(path.parent, os.W_OK):
        # What does not fit into memory goes beside the file, unless that is an archive.
        config["temp_directory"] = str(Path(tempfile.gettempdir()) / f"profdb-{os.getpid()}.tmp")
    try:
        return _without_bar(duckdb.connect(os.fspath(path), read_only=not write, config=config))
    except duckdb.Error as error:
        raise opening_failed(path, error) from error


def _without_bar(con: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    # DuckDB's progress bar goes to standard output, into the middle of a report.
    return con.execute("SET enable_progress_bar = false")


def _parameters(text: str) -> set[str]:
    return {name for only in duckdb.extract_statements(text) for name in only.named_parameters}
