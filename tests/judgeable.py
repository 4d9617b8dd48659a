"""Runs of eight decode steps: the additions take 5 µs in old and 6 µs in new, else all alike."""

from pathlib import Path

from profdb.warehouse import Warehouse

from . import tiny

PASSES = 8
LABELS = {"old": 5, "new": 6}
"""µs of each of the two additions of a step."""


def build(path: Path, labels: dict[str, int] | None = None, passes: int = PASSES) -> Path:
    """Write the runs into a new warehouse; give its path."""
    with Warehouse.open(path, write=True) as warehouse:
        tiny.add_names(warehouse)
        for number, (label, addition) in enumerate((labels or LABELS).items(), 1):
            add_run(warehouse, number, label, addition, passes)
    return path


def add_run(
    warehouse: Warehouse,
    number: int,
    label: str,
    addition: int,
    passes: int,
    every: int = 1000,
    times: float = 1,
) -> None:
    """Add a run of steps that begin every so many µs; all launches take so many times as long."""
    tiny.insert(warehouse, "runs", "run_id, label", [(number, label)])
    columns = "profile_id, run_id, rank, has_contexts, digest"
    digest = f"{number:x}" * 64
    tiny.insert(warehouse, "profiles", columns, [(number, number, 0, True, digest)])
    steps = [100 * number + step for step in range(passes)]
    tiny.add_contexts(warehouse, [(number, step, "decode", True, 0, 1) for step in steps])
    launches = [
        (number, step, 0, 7, every * place + start, times * duration, kernel, op)
        for place, step in enumerate(steps)
        for start, duration, kernel, op in (
            (0, 10, 1, tiny.MM),
            (20, addition, 6, tiny.ADD),
            (30, addition, 6, tiny.ADD),
            (40, 4, 3, tiny.EMBED),
            (50, 3, 5, tiny.COPY),
        )
    ]
    tiny.add_kernels(warehouse, launches)
