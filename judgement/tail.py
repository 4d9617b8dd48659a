"""What may be said of the slow end."""

from typing import NamedTuple

LEAST_LAUNCHES = 100
"""Below it the 99th percentile is an interpolation towards the maximum."""


class Tail(NamedTuple):
    """'p99' or 'max', in ns."""

    name: str
    ns: float


def tail_figure(launches: int, p99_ns: float, max_ns: float) -> Tail:
    """p99 from 100 launches on, else the maximum."""
    return Tail("p99", p99_ns) if launches >= LEAST_LAUNCHES else Tail("max", max_ns)
