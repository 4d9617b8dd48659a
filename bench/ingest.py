"""Ingest against what the language offers: ijson for a trace, pandas for a kernel table."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from profdb.demo import write_demo

from .big_trace import write_trace
from .paired import compare

_IJSON = """
import ijson, sys
for event in ijson.items(open(sys.argv[1], "rb"), "traceEvents.item"):
    pass
"""
_PANDAS = """
import sys, duckdb, pandas
frame = pandas.read_csv(sys.argv[1])
duckdb.connect(sys.argv[2]).execute("CREATE TABLE kernels AS FROM frame")
"""


def main() -> None:
    """Print both ratios; inputs are made unless they are given."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trace", type=Path, help="a Chrome trace; default: one is made")
    parser.add_argument("--megabytes", type=float, default=500, help="size of the made trace")
    parser.add_argument("--table", type=Path, help="a kernel_details.csv; default: one is made")
    parser.add_argument("--rows", type=int, default=659_657, help="rows of the made table")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        _trace(arguments.trace or _made_trace(work, arguments.megabytes), work, arguments.rounds)
        _table(arguments.table or _made_table(work, arguments.rows), work, arguments.rounds)


def _trace(trace: Path, work: Path, rounds: int) -> None:
    ours = _ingest(trace, work, "--python")
    rival = [sys.executable, "-c", _IJSON, str(trace)]
    name = f"Chrome trace of {trace.stat().st_size / 1e6:.0f} MB / ijson decoding alone"
    compare(name, ours, rival, 1.0, _cleaner(work), rounds)


def _table(table: Path, work: Path, rounds: int) -> None:
    rival = [sys.executable, "-c", _PANDAS, str(table), str(work / "pandas.duckdb")]
    name = f"kernel table of {table.stat().st_size / 1e6:.0f} MB / pandas.read_csv and store"
    compare(name, _ingest(table, work), rival, 1.5, _cleaner(work), rounds)


def _ingest(path: Path, work: Path, *options: str) -> list[str]:
    db = str(work / "bench.duckdb")
    return [sys.executable, "-m", "profdb", "ingest", str(path), "--db", db, *options]


def _cleaner(work: Path) -> Callable[[], None]:
    def clean() -> None:
        for file in work.glob("*.duckdb*"):
            file.unlink()

    return clean


def _made_trace(work: Path, megabytes: float) -> Path:
    path = work / "trace.json"
    write_trace(path, megabytes)
    return path


def _made_table(work: Path, rows: int) -> Path:
    write_demo(work / "demo", ascend_rows=rows)
    (table,) = (work / "demo" / "1009").rglob("kernel_details.csv")
    return table


if __name__ == "__main__":
    main()
