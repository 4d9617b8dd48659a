"""What does the regression report of two large runs cost, and does it grow with the warehouse?"""

import argparse
import sys
import tempfile
from pathlib import Path

from .pair_views import build
from .paired import compare

BARE = """
import duckdb, sys
con = duckdb.connect(sys.argv[1], read_only=True)
con.execute("FROM shape_diff WHERE base = 'run0' AND cand = 'run1'").fetchall()
"""


def report(path: Path) -> list[str]:
    """Give the command of a report."""
    pair = ["--base", "run0", "--cand", "run1", "--no-sql"]
    return [sys.executable, "-m", "profdb", "report", "regression", *pair, "--db", str(path)]


def main() -> None:
    """Print both ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launches", type=int, default=5_000_000, help="of each of two large runs")
    parser.add_argument("--small", type=int, default=200_000, help="launches of each of many runs")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        large, few, many = (Path(folder, f"{name}.duckdb") for name in ("large", "few", "many"))
        build(large, 2, args.launches)
        bare = [sys.executable, "-c", BARE, str(large)]
        compare("report against shape_diff", report(large), bare, 4, lambda: None, args.rounds)
        build(few, 2, args.small)
        build(many, args.runs, args.small)
        name = f"report among {args.runs} runs against 2"
        compare(name, report(many), report(few), 1.5, lambda: None, args.rounds)


if __name__ == "__main__":
    main()
