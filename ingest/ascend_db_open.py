"""SQLite files as their writer left them: opened read-only, and refused where rows would be missed.

An immutable reading takes no lock and writes no file beside the database, but sees neither a
write-ahead log nor a rollback journal.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from ..errors import ProfdbError

MAGIC = b"SQLite format 3\0"
LOG_MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""First bytes of a write-ahead log, by byte order of its checksums."""


class Database:
    """An open SQLite file and what its tables are called; names are matched as SQLite does."""

    def __init__(self, path: Path, con: sqlite3.Connection) -> None:
        self.path = path
        self.con = con
        self.repaired = 0
        """Texts so far with bytes that are no UTF-8."""
        con.text_factory = self._text
        names = [name for (name,) in con.execute(statement("ascend_db_names"))]
        self.tables = {name.lower(): name for name in names}
        """Names as they are written, by their lower case."""

    def columns(self, table: str) -> dict[str, str]:
        """Columns of a table by their lower case; none where there is no such table."""
        name = self.tables.get(table.lower())
        if name is None:
            return {}
        rows = self.con.execute(statement("ascend_db_columns"), (name,))
        return {column.lower(): column for (column,) in rows}

    def count(self, table: str) -> int:
        """How many rows a table has."""
        query = statement("ascend_db_count").format(table=quoted(self.tables[table.lower()]))
        ((count,),) = self.con.execute(query)
        return int(count)

    def rows(self, table: str, *wanted: str) -> list[tuple[object, ...]]:
        """All rows of a small table in their order; none where it or a column is missing."""
        return list(self.each(table, *wanted))

    def each(self, table: str, *wanted: str) -> Iterator[tuple[object, ...]]:
        """The rows of a table one by one."""
        known = self.columns(table)
        if any(column.lower() not in known for column in wanted):
            return
        columns = ", ".join(quoted(column) for column in wanted)
        name = quoted(self.tables[table.lower()])
        yield from self.con.execute(statement("ascend_db_rows").format(columns=columns, table=name))

    def is_bare(self) -> bool:
        """Whether there are kernels and none has an operator type, as Level0 leaves them."""
        column = self.columns("COMPUTE_TASK_INFO").get("optype")
        if column is None:
            return False
        table = quoted(self.tables["compute_task_info"])
        query = statement("ascend_db_typed").format(table=table, column=quoted(column))
        ((typed, described),) = self.con.execute(query)
        return bool(described) and not typed

    def _text(self, value: bytes) -> str:
        try:
            return value.decode()
        except UnicodeDecodeError:
            self.repaired += 1
            return value.decode(errors="replace")


@contextmanager
def opened(path: Path) -> Iterator[Database]:
    """Open a database for reading; what is wrong with it is said in one line."""
    _refuse_unfinished(path)
    address = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro&immutable=1"
    try:
        con = sqlite3.connect(address, uri=True, check_same_thread=False)
        try:
            yield Database(path, con)
        finally:
            con.close()
    except sqlite3.Error as error:
        raise ProfdbError(
            f"{path} is a database that cannot be read: {error}; copy it again from the host,"
            " or have the profiler write it anew"
        ) from error


def statement(name: str) -> str:
    """The text of a statement for SQLite."""
    return (files(__package__) / f"{name}.sql").read_text(encoding="utf-8")


def quoted(name: str) -> str:
    """Give a name of a table or column in quotes."""
    return '"' + name.replace('"', '""') + '"'


def _refuse_unfinished(path: Path) -> None:
    for ending, what in (("-wal", "rows in a write-ahead log"), ("-journal", "a half-done write")):
        log = path.with_name(path.name + ending)
        if log.is_file() and log.stat().st_size:
            raise ProfdbError(
                f"{path} has {what} ({log.name}) that it lacks itself; checkpoint it:"
                f' sqlite3 {path.name} "PRAGMA wal_checkpoint(TRUNCATE)"'
            )
    with path.open("rb") as file:
        head = file.read(100)
    size, expected = path.stat().st_size, _bytes_expected(head)
    if size < expected:
        raise ProfdbError(
            f"{path} ends at byte {size} of {expected}: it was cut or never finished;"
            " copy it again from the host"
        )


def _bytes_expected(head: bytes) -> int:
    """Size by the header, https://sqlite.org/fileformat2.html; 0 where that does not tell."""
    if len(head) < 100:
        return 100
    number = int.from_bytes
    pages, page = number(head[28:32], "big"), number(head[16:18], "big")
    if head[24:28] != head[92:96]:
        return 0  # an old writer left the number of pages as it was
    return pages * (65536 if page == 1 else page)
