"""The noise floor: how far rows move between runs of which nobody changed anything."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

from ..errors import ProfdbError
from .decide import untested
from .factor import pass_factors
from .facts import Floor, Key, Modes, Row, Run
from .judge import NO_MODES, Q, judge_factor, pair
from .measure import measure

LEAST = 0.01
"""Relative shift below which no floor lies: two equal runs do not promise a third one."""
STUDENT = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
"""0.975 quantiles of Student's t by degrees of freedom, from 1 on."""


def noise_floor(runs: Sequence[Run], modes: Mapping[Key, Modes] = NO_MODES) -> Floor:
    """How far two runs may differ, from repeated base runs; as relative changes.

    Rows: the largest shift between any two runs with p ≤ 0.05; what the test calls noise needs no
    floor. Everything: the 95 % prediction interval of the difference of two runs, t · √(mean
    d²) over the pairs, since one value per run is too few for a largest one. modes are those of
    the rows that are to be judged, by which their cells were cut.
    """
    if len(runs) < 2:
        raise ProfdbError(f"{len(runs)} base runs: a noise floor needs 2 or more of them")
    pairs = [pair(one, other, modes) for one, other in combinations(runs, 2)]
    rows, worst = max(map(_rows_shift, pairs), key=lambda found: found[0])
    squares = [_factor_shift(two) ** 2 for two in pairs]
    everything = _student(len(runs) - 1) * math.sqrt(sum(squares) / len(squares))
    least = math.log1p(LEAST)
    return Floor(math.expm1(max(least, rows)), math.expm1(max(least, everything)), worst)


def _student(freedom: int) -> float:
    """Beyond the table its last value, which is on the safe side."""
    return STUDENT[min(freedom, len(STUDENT)) - 1]


def _rows_shift(rows: Sequence[Row]) -> tuple[float, Key | None]:
    """Largest shift (ln) of a tested row, and the row."""
    factors = pass_factors(rows)
    found: list[tuple[float, Key | None]] = [
        (abs(comparison.ln.middle), measured.row.key)
        for measured in (measure(row, factors) for row in rows)
        if untested(measured) is None
        for comparison in measured.deciding
        if comparison.p <= Q
    ]
    return max(found, key=lambda pair_: pair_[0], default=(0.0, None))


def _factor_shift(rows: Sequence[Row]) -> float:
    """Shift (ln) of the common factor, 0 without one."""
    verdict = judge_factor(pass_factors(rows), Floor(), Q)
    return abs(verdict.by.ln.middle) if verdict and verdict.by else 0.0
