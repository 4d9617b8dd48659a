"""From comparisons to a verdict."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .facts import Comparison, Outcome, Reason, Statistic, Verdict
from .measure import LEAST_PASSES, Measured
from .ranks import smallest_p

LEAST_SHARE = 0.001


@dataclass(frozen=True)
class Rules:
    """Relative shifts: the floor of claims, and still, within which a row is unchanged.

    tested is the number of comparisons adjusted together.
    """

    floor: float
    q: float
    tested: int
    still: float

    @property
    def ln(self) -> float:
        """The floor in ln: as far down as up, so that swapped sides mirror each other."""
        return math.log1p(self.floor)


def untested(measured: Measured) -> Reason | None:
    """Why a row takes no part in the test."""
    row = measured.row
    passes = len(row.base.cells), len(row.cand.cells)
    if min(passes) == 0:
        return Reason.ONE_RUN
    if max(row.base.share, row.cand.share) < LEAST_SHARE:
        return Reason.TOO_SMALL
    return Reason.TOO_FEW if min(passes) < LEAST_PASSES else None


def decide(measured: Measured, rules: Rules) -> Verdict:
    """The verdict by the comparisons that decide, all of which hold an adjusted p if tested."""
    reason = untested(measured)
    if reason is not None:
        return _verdict(measured, Outcome.INCONCLUSIVE, reason, measured.deciding[:1])
    moves = {direction(one, rules) for one in measured.deciding} - {0}
    if len(moves) == 2:
        return _verdict(measured, Outcome.INCONCLUSIVE, Reason.MODES, measured.deciding[:1])
    if moves:
        return _changed(measured, moves.pop(), rules)
    open_ = [one for one in measured.deciding if not _within(one, math.log1p(rules.still))]
    if open_:
        return _open(measured, open_, rules)
    if _contradicts(measured, 0, rules.ln):
        return _verdict(measured, Outcome.INCONCLUSIVE, Reason.MEAN, measured.deciding[:1])
    return _verdict(measured, Outcome.UNCHANGED, None, measured.deciding[:1])


def direction(one: Comparison, rules: Rules) -> int:
    """1 where a comparison is significantly slower by more than the floor, -1 faster, else 0."""
    if one.adjusted_p is None or one.adjusted_p > rules.q or abs(one.ln.middle) <= rules.ln:
        return 0
    return 1 if one.ln.middle > 0 else -1


def _changed(measured: Measured, way: int, rules: Rules) -> Verdict:
    """Claimed unless the mean says otherwise; by the surest comparison."""
    found = [one for one in measured.deciding if direction(one, rules) == way]
    found.sort(key=lambda one: (one.p, -abs(one.ln.middle)))
    if _contradicts(measured, way, rules.ln):
        return _verdict(measured, Outcome.INCONCLUSIVE, Reason.MEAN, found[:1])
    outcome = Outcome.REGRESSED if way > 0 else Outcome.IMPROVED
    return _verdict(measured, outcome, None, found[:1])


def _open(measured: Measured, wide: Sequence[Comparison], rules: Rules) -> Verdict:
    """Neither changed nor unchanged: by the comparison that is the nearest to a claim."""
    by = min(wide, key=lambda one: (one.p, -abs(one.ln.middle)))
    if by.statistic is Statistic.FACTOR and _says(by, math.log1p(rules.still)) in (1, -1):
        return _verdict(measured, Outcome.INCONCLUSIVE, Reason.CLOCK, (by,))
    alone = by.p <= rules.q and abs(by.ln.middle) > rules.ln
    hopeless = smallest_p(by.passes) * rules.tested > rules.q
    reason = Reason.TOO_MANY_ROWS if alone and hopeless else Reason.WIDE
    return _verdict(measured, Outcome.INCONCLUSIVE, reason, (by,))


def _within(one: Comparison, floor: float) -> bool:
    """Whether the interval lies within ± the floor (ln)."""
    return -floor <= one.ln.low and one.ln.high <= floor


def _says(one: Comparison, floor: float) -> int | None:
    """What an interval alone says: 1 slower, -1 faster, 0 unchanged, None nothing."""
    if one.ln.low > 0 and one.ln.middle > floor:
        return 1
    if one.ln.high < 0 and one.ln.middle < -floor:
        return -1
    return 0 if _within(one, floor) else None


def _contradicts(measured: Measured, way: int, floor: float) -> bool:
    """Whether the mean says another thing with an interval that does not even touch.

    With two modes a change of one may well leave the mean: only the other way contradicts.
    """
    mean = measured.mean
    says = None if mean is None else _says(mean, floor)
    if mean is None or says is None or says == way:
        return False
    by = measured.deciding[0]
    if by.statistic is not Statistic.P50:
        return says != 0
    return mean.ln.low > by.ln.high or mean.ln.high < by.ln.low


def _verdict(
    measured: Measured, outcome: Outcome, reason: Reason | None, by: Sequence[Comparison]
) -> Verdict:
    """Put together; whatever did not decide is shown beside."""
    row = measured.row
    mean = () if measured.mean is None else (measured.mean,)
    beside = [one for one in measured.deciding if one not in by]
    passes = len(row.base.cells), len(row.cand.cells)
    return Verdict(
        key=row.key,
        outcome=outcome,
        reason=reason,
        passes=passes,
        shares=(row.base.share, row.cand.share),
        smallest_p=smallest_p(passes),
        by=next(iter(by), None),
        others=(*beside, *measured.shown, *mean),
        factor_removed=measured.removed,
    )
