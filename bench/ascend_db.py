"""Ingest of an Ascend database against fetchmany and inserts of lists of the same tables."""

import argparse
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from .paired import compare

START_NS = 1791641598803750295
NO_CONTEXT = 4294967295
NAMES, SHAPES, OPERATORS = 1500, 4000, 300
_NUMBERS = "startNs INTEGER, endNs INTEGER, "
TABLES = {
    "STRING_IDS": "id INTEGER PRIMARY KEY, value TEXT",
    "TASK": _NUMBERS + "deviceId INTEGER, connectionId INTEGER, globalTaskId INTEGER,"
    " globalPid INTEGER, taskType INTEGER, contextId INTEGER, streamId INTEGER,"
    " taskId INTEGER, modelId INTEGER",
    "COMPUTE_TASK_INFO": "name INTEGER, globalTaskId INTEGER PRIMARY KEY, blockNum INTEGER,"
    " mixBlockNum INTEGER, taskType INTEGER, opType INTEGER, inputFormats INTEGER,"
    " inputDataTypes INTEGER, inputShapes INTEGER, outputFormats INTEGER,"
    " outputDataTypes INTEGER, outputShapes INTEGER, attrInfo INTEGER, opState INTEGER,"
    " hf32Eligible INTEGER",
    "CANN_API": _NUMBERS + "type INTEGER, globalTid INTEGER, connectionId INTEGER PRIMARY KEY,"
    " name INTEGER",
    "PYTORCH_API": "startNs TEXT, endNs TEXT, globalTid INTEGER, connectionId INTEGER,"
    " name INTEGER, sequenceNumber INTEGER, fwdThreadId INTEGER, inputDtypes INTEGER,"
    " inputShapes INTEGER, callchainId INTEGER, type INTEGER",
    "CONNECTION_IDS": "id INTEGER, connectionId INTEGER",
}

_RIVAL = """
import duckdb, sqlite3, sys
source = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro&immutable=1", uri=True)
target = duckdb.connect(sys.argv[2])
names = [name for (name,) in source.execute(
    "select name from sqlite_master where type = 'table' order by name")]
for name in names:
    found = source.execute(f"pragma table_info({name})").fetchall()
    kinds = ["VARCHAR" if kind == "TEXT" else "BIGINT" for _, _, kind, *_ in found]
    columns = ", ".join(f"{c[1]} {kind}" for c, kind in zip(found, kinds))
    target.execute(f"CREATE TABLE {name} ({columns})")
    insert = ", ".join(f"unnest(CAST(? AS {kind}[]))" for kind in kinds)
    cursor = source.execute(f"select * from {name}")
    while rows := cursor.fetchmany(50_000):
        lists = [list(column) for column in zip(*rows)]
        target.execute(f"INSERT INTO {name} SELECT {insert}", lists)
"""


def main() -> None:
    """Print the ratio; a database is made unless one is given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", type=Path, help="a profiler's database; default: made")
    parser.add_argument("--tasks", type=int, default=2_000_000, help="tasks of the made one")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        database = arguments.database or write_database(work / "made.db", arguments.tasks)
        ours = [sys.executable, "-m", "profdb", "ingest", str(database)]
        ours += ["--db", str(work / "bench.duckdb")]
        rival = [sys.executable, "-c", _RIVAL, str(database), str(work / "rival.duckdb")]
        size = database.stat().st_size / 1e6
        name = f"Ascend database of {size:.0f} MB / fetchmany and inserts of lists, no joins"
        compare(name, ours, rival, 0.7, _cleaner(work), arguments.rounds)


def write_database(path: Path, tasks: int) -> Path:
    """Write a database of that many kernels, half of them of an operator of the framework."""
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA journal_mode = off")
        con.execute("PRAGMA synchronous = off")
        for table, columns in TABLES.items():
            con.execute(f"CREATE TABLE {table} ({columns})")
            marks = ", ".join("?" * len(columns.split(",")))
            con.executemany(f"INSERT INTO {table} VALUES ({marks})", _ROWS[table](tasks))
        con.commit()
    return path


def _texts(_: int) -> Iterator[tuple[int | str, ...]]:
    rng = Random(1)
    yield from enumerate(("N/A", "KERNEL_AIVEC", "AI_VECTOR_CORE", "MIX_AIC", "dynamic", "NO"))
    for number in range(OPERATORS):
        yield 1_000 + number, f"Operator{number}"
        yield 2_000 + number, f"aten::operator_{number}"
        yield 3_000 + number, ";".join(["DT_BF16"] * (1 + number % 9))
        yield 4_000 + number, ";".join(["ND"] * (1 + number % 9))
    for number in range(NAMES):
        yield 10_000 + number, f"aclnnOperator{number % OPERATORS}_Core_{number}"
    for number in range(SHAPES):
        tokens, width = rng.choice((1, 2, 3, 220, 221, 222)), rng.choice((2048, 4096, 6144))
        yield 20_000 + number, f'"{tokens},{width};{width},{number};{tokens},8,128"'


def _tasks(count: int) -> Iterator[tuple[int, ...]]:
    rng, start = Random(2), START_NS
    for number in range(count):
        end = start + 1000 + int(rng.random() * 90_000)
        stream = 47 + number % 4
        yield (start, end, 0, number + 1, number, 1, 1, NO_CONTEXT, stream, number & 65535,
               NO_CONTEXT)  # fmt: skip
        start = end + int(rng.random() * 1000)


def _infos(count: int) -> Iterator[tuple[int, ...]]:
    rng = Random(3)
    for number in range(count):
        name = int(rng.random() * NAMES)
        kind, shape = name % OPERATORS, 20_000 + int(rng.random() * SHAPES)
        yield (10_000 + name, number, 1 + number % 48, 0, 2 + number % 2, 1_000 + kind,
               4_000 + kind, 3_000 + kind, shape, 4_000, 3_000, shape, 0, 4, 5)  # fmt: skip


def _calls(count: int) -> Iterator[tuple[int, ...]]:
    for number in range(count):
        start = START_NS + number * 900
        yield start, start + 700, 10000, (1 << 32) + 9, number + 1, 1_000 + number % OPERATORS


def _operators(count: int) -> Iterator[tuple[int | str | None, ...]]:
    for number in range(count // 2):
        start = START_NS + number * 1800
        yield (str(start), str(start + 600), (1 << 32) + 8, number, 2_000 + number % OPERATORS,
               number, 0, 3_000 + number % OPERATORS, 20_000 + number % SHAPES, None,
               50001)  # fmt: skip


def _connections(count: int) -> Iterator[tuple[int, int]]:
    return ((number, 2 * number + 1) for number in range(count // 2))


_ROWS: dict[str, Callable[[int], Iterator[tuple[int | str | None, ...]]]] = {
    "STRING_IDS": _texts,
    "TASK": _tasks,
    "COMPUTE_TASK_INFO": _infos,
    "CANN_API": _calls,
    "PYTORCH_API": _operators,
    "CONNECTION_IDS": _connections,
}


def _cleaner(work: Path) -> Callable[[], None]:
    def clean() -> None:
        for file in work.glob("*.duckdb*"):
            file.unlink()

    return clean


if __name__ == "__main__":
    main()
