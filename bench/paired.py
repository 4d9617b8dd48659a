"""Whole commands in turn, with the ratio of their times and the peak of their memory."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One finished command: wall seconds and peak resident memory in MiB."""

    seconds: float
    peak_mib: float


def run(command: Sequence[str]) -> Run:
    """Run a command to its end; its output is thrown away."""
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return Run(seconds, usage.ru_maxrss / 1024)


def compare(
    name: str,
    ours: Sequence[str],
    rival: Sequence[str],
    limit: float,
    clean: Callable[[], None],
    rounds: int = 5,
) -> None:
    """Run two commands in turn after a warm-up and print the ratio of their wall times."""
    pairs = []
    for number in range(rounds + 1):
        clean()
        pair = run(ours), run(rival)
        if number:
            pairs.append(pair)
    ratios = [a.seconds / b.seconds for a, b in pairs]
    print(
        f"{name}: ratio {statistics.median(ratios):.2f} (from {min(ratios):.2f} to"
        f" {max(ratios):.2f} in {rounds} pairs; at most {limit} is wanted);"
        f" profdb {statistics.median(a.seconds for a, _ in pairs):.2f} s,"
        f" rival {statistics.median(b.seconds for _, b in pairs):.2f} s;"
        f" peak {max(a.peak_mib for a, _ in pairs):.0f} MiB"
    )
    sys.stdout.flush()
