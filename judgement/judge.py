"""Judge a base run against a candidate run; the unit is the complete forward pass."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from .adjust import adjusted
from .decide import Rules, decide, direction, untested
from .factor import NO_FACTORS, Factors, pass_factors
from .facts import (
    EVERYTHING,
    Cell,
    Floor,
    Judgement,
    Key,
    Modes,
    Outcome,
    Reason,
    Row,
    Run,
    Side,
    Statistic,
    Verdict,
)
from .measure import Measured, compare, measure

Q = 0.05
FLOOR = Floor()
FEW = 0.1
"""Share of the comparisons up to which rows against the common factor are exceptions."""
NO_MODES: Mapping[Key, Modes] = {}


def pair(base: Run, cand: Run, modes: Mapping[Key, Modes] = NO_MODES) -> list[Row]:
    """Rows of both runs, those of the base first."""
    keys = dict.fromkeys([*base, *cand])
    return [Row(key, base.get(key, Side()), cand.get(key, Side()), modes.get(key)) for key in keys]


def judge(rows: Sequence[Row], floor: Floor = FLOOR, q: float = Q) -> Judgement:
    """Judge every row beside the common factor of the passes, and that factor itself."""
    factors = pass_factors(rows)
    everything = judge_factor(factors, floor, q)
    measured = adjust([measure(row, factors) for row in rows])
    family = sum(one.adjusted_p is not None for m in measured for one in m.deciding)
    rules = Rules(floor.rows, q, family, floor.rows)
    verdicts = _withdrawn([decide(one, rules) for one in measured], rows, everything, rules)
    return Judgement(tuple(verdicts), everything, family, q, floor)


def adjust(measured: Sequence[Measured]) -> list[Measured]:
    """Adjust the p of the comparisons that decide, over all rows that take part."""
    tested = [untested(one) is None for one in measured]
    family = [c.p for one, test in zip(measured, tested, strict=True) if test for c in one.deciding]
    ps = iter(adjusted(family))
    return [
        replace(one, deciding=tuple(replace(c, adjusted_p=next(ps)) for c in one.deciding))
        if test
        else one
        for one, test in zip(measured, tested, strict=True)
    ]


def judge_factor(factors: Factors, floor: Floor, q: float) -> Verdict | None:
    """The common factor as a row: a slowdown of all must not vanish by being removed.

    It is one question, asked on its own; None where no pass of a side holds enough rows.
    """
    values = list(factors.base.values()), list(factors.cand.values())
    made = compare(Statistic.FACTOR, *values)
    if made is None:
        return None
    # Decided as any row is: the cells only tell how many passes there are.
    base, cand = (Side(_counted(known), 1.0) for known in factors)
    row = Row(EVERYTHING, base, cand)
    comparison = replace(made, adjusted_p=made.p)
    rules = Rules(floor.everything, q, 1, min(floor.rows, floor.everything))
    return decide(Measured(row, (comparison,), None), rules)


def _counted(known: Mapping[int, float]) -> tuple[Cell, ...]:
    """A cell without times per pass."""
    return tuple(Cell(one, 0.0, 0.0, 0, 0) for one in known)


def _withdrawn(
    verdicts: Sequence[Verdict], rows: Sequence[Row], everything: Verdict | None, rules: Rules
) -> list[Verdict]:
    """Withdraw claims of rows that only stayed where they were while others moved.

    A few of them beside a small factor are claims all the same: their passes ran at another clock.
    Many of them tell that the factor was not common: other rows changed, and they did not.
    """
    against = {
        number
        for number, (verdict, row) in enumerate(zip(verdicts, rows, strict=True))
        if verdict.changed and not _moves_itself(verdict, row, rules)
    }
    claimed = everything is not None and everything.changed
    if not claimed and len(against) <= FEW * rules.tested:
        return list(verdicts)
    return [
        replace(verdict, outcome=Outcome.INCONCLUSIVE, reason=Reason.COMMON)
        if number in against
        else verdict
        for number, verdict in enumerate(verdicts)
    ]


def _moves_itself(verdict: Verdict, row: Row, rules: Rules) -> bool:
    """Whether the row moves the same way past the floor with the common factor left in."""
    by = verdict.by
    if by is None or not verdict.factor_removed:
        return True
    whole = [one for one in measure(row, NO_FACTORS).deciding if one.statistic is by.statistic]
    return all(
        direction(replace(one, adjusted_p=0.0), rules) == direction(by, rules) for one in whole
    )
