"""The way of a database's tables into the staging tables of the same names."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..errors import ProfdbError
from .ascend_db_open import Database, quoted, statement
from .source import Progress
from .stage import Stage

_ROWS = 20_000
"""Rows that SQLite hands over at once: some megabytes of text."""
_FILE_BYTES = 48 << 20
"""Size at which a file of lines is given to DuckDB, while SQLite makes the next."""

_TIMES = {"startNs", "endNs"}
# Older names first where the newest schema uses them otherwise.
_OTHER_NAMES = {
    "blockNum": ("blockNum", "blockDim", "block_dim"),
    "mixBlockNum": ("mixBlockNum", "mixBlockDim", "mix_block_dim"),
}
_NUMBERS = (
    "TASK",
    "COMPUTE_TASK_INFO",
    "COMMUNICATION_SCHEDULE_TASK_INFO",
    "COMMUNICATION_OP",
    "CANN_API",
    "PYTORCH_API",
    "CONNECTION_IDS",
    "MSTX_EVENTS",
    "STEP_TIME",
    "TASK_PMU_INFO",
)
_OF_LAUNCHES = _NUMBERS[:4]
_TEXTS = {
    "STRING_IDS": ("id", "value"),
    "ENUM_API_TYPE": ("id", "name"),
    "ENUM_HCCL_DATA_TYPE": ("id", "name"),
}

_Columns = dict[str, tuple[str, str]]


@dataclass(frozen=True)
class _Lines:
    """A file of some rows of a table, as comma-separated lines."""

    table: str
    types: dict[str, str]
    file: Path
    rows: int


def read_tables(
    database: Database, stage: Stage, progress: Progress, only_launches: bool = False
) -> None:
    """Fill the staging tables with what the database has of them, and count every table."""
    counts = [(name, database.count(name)) for name in database.tables.values()]
    stage.insert("tables_seen", ("name", "seen"), counts)
    for table, columns in _TEXTS.items():
        rows = ((key, _as_text(value)) for key, value in database.each(table, *columns))
        stage.insert(table, columns, rows)
    size, total = database.path.stat().st_size, sum(count for _, count in counts)
    done = 0
    tables = _OF_LAUNCHES if only_launches else _NUMBERS
    wanted = {table: _columns_of(database, stage, table) for table in tables}
    with ThreadPoolExecutor(1) as pool:
        files = _line_files(database, stage.folder, wanted)
        ahead = pool.submit(next, files, None)
        while lines := ahead.result():
            ahead = pool.submit(next, files, None)
            _load(stage, lines)
            share = size * lines.rows // total
            progress(share)
            done += share
    progress(size - done)


def _as_text(value: object) -> str | None:
    if value is None:
        return None
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _load(stage: Stage, lines: _Lines) -> None:
    ((loaded,),) = stage.con.execute(
        f"INSERT INTO stage.{lines.table} BY NAME FROM read_csv($path, columns = $types,"
        " header = false, auto_detect = false, delim = ',', quote = '', escape = '',"
        " nullstr = ['', 'N/A', 'NULL'])",
        {"path": str(lines.file), "types": lines.types},
    ).fetchall()
    lines.file.unlink()
    if loaded != lines.rows:
        raise ProfdbError(f"{lines.rows} rows of {lines.table} were read but {loaded} arrived")


def _columns_of(database: Database, stage: Stage, table: str) -> _Columns:
    """By staging column its type and the column of the database that holds it."""
    known = database.columns(table)
    found: _Columns = {}
    described = stage.con.execute(f"DESCRIBE stage.{table}").fetchall()
    for column, kind, *_ in described:
        for name in _names_of(column, known):
            if name.lower() in known:
                found.setdefault(column, (kind, known[name.lower()]))
    return found


def _names_of(column: str, known: dict[str, str]) -> tuple[str, ...]:
    if column == "threadDim":
        # Threads per block, under the old name of the number of blocks.
        return ("blockDim",) if "blocknum" in known else ()
    return _OTHER_NAMES.get(column, (column,))


def _line_files(database: Database, folder: Path, wanted: dict[str, _Columns]) -> Generator[_Lines]:
    for table, columns in wanted.items():
        if columns:
            yield from _files_of(database, folder, table, columns)


def _files_of(database: Database, folder: Path, table: str, columns: _Columns) -> Generator[_Lines]:
    query = _query(table=database.tables[table.lower()], columns=columns)
    types = {"row_no": "BIGINT"} | {name: kind for name, (kind, _) in columns.items()}
    last, number = -(1 << 63), 0
    while True:
        path, rows = folder / f"{table}{number}.csv", 0
        with path.open("wb") as file:
            while file.tell() < _FILE_BYTES:
                ((text, last_row, count),) = database.con.execute(query, (last,)).fetchall()
                if not count:
                    break
                file.write(text + b"\n")
                last, rows, number = last_row, rows + count, number + 1
        if not rows:
            path.unlink()
            return
        yield _Lines(table, types, path, rows)


def _query(table: str, columns: _Columns) -> str:
    sources = []
    for number, (name, (kind, column)) in enumerate(columns.items()):
        source = quoted(column)
        if name in _TIMES:
            # Declared as text or number: only digits are a time that lost nothing.
            source = statement("ascend_db_time").format(column=source).strip()
        elif kind == "DOUBLE":
            # Left to itself SQLite writes 15 digits, where a double has 17.
            source = statement("ascend_db_real").format(column=source).strip()
        sources.append(f"{source} AS c{number}")
    return statement("ascend_db_lines").format(
        format="'" + ",".join(["%s"] * (len(sources) + 1)) + "'",
        names=", ".join(f"c{number}" for number in range(len(sources))),
        columns=", ".join(sources),
        table=quoted(table),
        rows=_ROWS,
    )
