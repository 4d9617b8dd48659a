"""Compare the passes of both sides, statistic by statistic."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .factor import Factors, ln
from .facts import Cell, Comparison, Modes, Row, Side, Statistic
from .ranks import Floats, rank_sum_p
from .shift import hodges_lehmann

DIGITS = 12
"""Decimals of a ln that are kept: equal medians stay ties after arithmetic on them."""
LEAST_PASSES = 4


@dataclass(frozen=True)
class Measured:
    """A row with the comparisons that decide and those that only show or contradict."""

    row: Row
    deciding: tuple[Comparison, ...]
    mean: Comparison | None
    shown: tuple[Comparison, ...] = ()
    removed: bool = False


def measure(row: Row, factors: Factors) -> Measured:
    """Compare p50, or in its place what stands above the valley; and the mean."""
    removed = factors.cover(row)
    known = factors if removed else Factors({}, {})
    made = {one: _compare(row, one, known) for one in Statistic if one is not Statistic.FACTOR}
    p50, mean = made[Statistic.P50], made[Statistic.MEAN]
    if row.modes is None:
        return Measured(row, _some(p50), mean, (), removed)
    both = _some(made[Statistic.SHARE], made[Statistic.ABOVE])
    enough = tuple(one for one in both if min(one.passes) >= LEAST_PASSES)
    deciding = enough or both[:1]
    rest = tuple(one for one in both if one not in deciding)
    return Measured(row, deciding, mean, _some(p50) + rest, removed)


def _some(*made: Comparison | None) -> tuple[Comparison, ...]:
    """Those that there are."""
    return tuple(one for one in made if one is not None)


def _compare(row: Row, statistic: Statistic, factors: Factors) -> Comparison | None:
    """None where a side has no value."""
    shares = statistic is Statistic.SHARE
    none: dict[int, float] = {}
    base = _values(row.base, statistic, none if shares else factors.base, row.modes)
    cand = _values(row.cand, statistic, none if shares else factors.cand, row.modes)
    worth = _worth(row.modes) if shares else 1.0
    return compare(statistic, base, cand, worth)


def _worth(modes: Modes | None) -> float:
    """Moving all launches from one mode to the other changes the mean of ln by so much."""
    return math.log(modes.high / modes.low) if modes else 1.0


def compare(
    statistic: Statistic, base: Sequence[float], cand: Sequence[float], worth: float = 1.0
) -> Comparison | None:
    """Test and shift of one value per pass; None where a side has none."""
    if not (base and cand):
        return None
    one, other = _rounded(base), _rounded(cand)
    sizes = len(base), len(cand)
    return Comparison(statistic, sizes, hodges_lehmann(one, other), rank_sum_p(one, other), worth)


def _rounded(values: Sequence[float]) -> Floats:
    """Values per pass, shape (passes,)."""
    return np.asarray([round(value, DIGITS) for value in values], np.float64)


def _values(
    side: Side, statistic: Statistic, factors: dict[int, float], modes: Modes | None
) -> list[float]:
    """One value per pass that has it, less the pass's factor."""
    if modes is None and statistic in (Statistic.SHARE, Statistic.ABOVE):
        return []
    told = ((_value(cell, statistic), factors.get(cell.pass_id, 0.0)) for cell in side.cells)
    return [value - factor for value, factor in told if value is not None]


def _value(cell: Cell, statistic: Statistic) -> float | None:
    """ln of ns, or a share."""
    if statistic is Statistic.SHARE:
        return cell.above / cell.launches
    if statistic is Statistic.ABOVE:
        return None if cell.above_p50_ns is None else ln(cell.above_p50_ns)
    return ln(cell.p50_ns if statistic is Statistic.P50 else cell.mean_ns)
