"""Does one pair of runs cost the same in a warehouse of fifty runs as in one of two?"""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from profdb.warehouse import Warehouse

QUERIES = {
    "shape_diff": "FROM shape_diff WHERE base = 'run0' AND cand = 'run1'",
    "kernel_diff": "FROM kernel_diff WHERE base = 'run0' AND cand = 'run1'",
    "context_time": "FROM context_time WHERE label = 'run1'",
    "phase_time": "FROM phase_time WHERE label = 'run1'",
    "family_time": "FROM family_time WHERE label = 'run1'",
    "launches_per_token": "FROM launches_per_token WHERE label = 'run1'",
    "kernel_time": "FROM kernel_time WHERE label = 'run1'",
    "op_time": "FROM op_time WHERE label = 'run1'",
    "shape_stats": "FROM shape_stats WHERE label = 'run1'",
    "run_summary": "FROM run_summary WHERE label = 'run1'",
    "kernel_events": "SELECT sum(dur_ns), count(shape) FROM kernel_events WHERE label = 'run1'",
}

NAMES = """
INSERT INTO names SELECT i, 'aten::op' || i FROM range(80) AS t(i);
INSERT INTO kernel_names
SELECT i, 'kernel', 'void kernel_' || i, 'cuda', '', 'void kernel_' || i,
    'family' || i % 12, 'impl' || i % 20, NULL
FROM range(120) AS t(i);
INSERT INTO shapes SELECT i, i || ',4096;4096,4096', i FROM range(300) AS t(i);
"""

# Each pass of 1000 launches runs 40 operators 25 times each, at one of 7 token counts.
RUN = """
INSERT INTO runs (run_id, label) VALUES ({run}, 'run{run}');
INSERT INTO profiles (profile_id, run_id, rank, has_contexts) VALUES ({run}, {run}, 0, true);
INSERT INTO contexts (context_id, profile_id, step_index, name, phase, source, complete,
    context_requests, context_tokens, generation_requests, generation_tokens, start_ns, end_ns)
SELECT {run} * 1000000 + i, {run}, i, 'step ' || i,
    CASE WHEN i % 10 = 0 THEN 'prefill' ELSE 'decode' END, 'annotation', i > 0,
    1, 512, 1, 1, i * 1000000, i * 1000000 + 900000
FROM range({launches} // 1000) AS t(i);
INSERT INTO kernels (profile_id, device, stream, start_ns, dur_ns, kernel_id, op_id, shape_id,
    dtype_id, context_id, correlation)
SELECT {run}, 0, i % 3, i * 1000, 500 + hash(i * 7 + {run}) % 2000,
    i % 40 + 40 * (i // 1000 % 3), i % 40, i % 40 + 40 * (i // 1000 % 7), 0,
    CASE WHEN i % 100 < 98 THEN {run} * 1000000 + i // 1000 END, i
FROM range({launches}) AS t(i);
"""


def build(path: Path, runs: int, launches: int) -> None:
    """Fill a warehouse with runs of equal size."""
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute(NAMES)
        for run in range(runs):
            warehouse.con.execute(RUN.format(run=run, launches=launches))


def in_python(path: Path, query: str, repeats: int) -> float:
    """Give the best time of a query on a connection that stays open, in ms."""
    times = []
    with Warehouse.open(path) as warehouse:
        for _ in range(repeats):
            start = time.perf_counter()
            warehouse.con.execute(query).fetchall()
            times.append(time.perf_counter() - start)
    return min(times) * 1e3


def in_shell(path: Path, query: str, repeats: int) -> float:
    """Give the best time of a query in the shell beside the interpreter, in ms."""
    shell = Path(sys.executable).parent / "duckdb"
    commands = [".timer on", *[f"{query};"] * repeats]
    output = subprocess.run(
        [shell, "-readonly", path], input="\n".join(commands), capture_output=True, text=True
    )
    return min(float(seconds) for seconds in re.findall(r"real ([\d.]+)", output.stdout)) * 1e3


def compare(few: Path, many: Path, how: Callable[[Path, str, int], float], repeats: int) -> None:
    """Print one line per query: both times and their ratio."""
    for name, query in QUERIES.items():
        small, large = how(few, query, repeats), how(many, query, repeats)
        print(f"{how.__name__:10} {name:20} {small:8.1f} {large:8.1f} ms {large / small:6.2f} x")


def main() -> None:
    """Build both files and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--launches", type=int, default=200_000)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder, "few.duckdb"), Path(folder, "many.duckdb")
        build(few, 2, args.launches)
        build(many, args.runs, args.launches)
        compare(few, many, in_python, args.repeats)
        compare(few, many, in_shell, args.repeats)


if __name__ == "__main__":
    main()
