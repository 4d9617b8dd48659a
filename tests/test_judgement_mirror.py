"""What must not matter: which run is the base, the unit of time, noise of arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.judgement import (
    Key,
    Outcome,
    Reason,
    Row,
    judge,
    pair,
)

from .judged import side

PASSES = st.lists(st.integers(900, 1300), min_size=1, max_size=7)
ROWS = st.lists(st.tuples(PASSES, PASSES), min_size=1, max_size=10)
OPPOSITE = {Outcome.REGRESSED: Outcome.IMPROVED, Outcome.IMPROVED: Outcome.REGRESSED}


@given(ROWS)
def test_swapped_runs_give_mirrored_verdicts(given_: list[tuple[list[int], list[int]]]) -> None:
    rows = [Row(Key(None, str(n), None), side(a), side(b)) for n, (a, b) in enumerate(given_)]
    swapped = [Row(row.key, row.cand, row.base) for row in rows]
    one, other = judge(rows), judge(swapped)
    for a, b in zip((*one.rows, one.everything), (*other.rows, other.everything), strict=True):
        if a is None or b is None:
            assert a is b is None
            continue
        assert a.outcome == OPPOSITE.get(b.outcome, b.outcome) and a.reason == b.reason
        assert a.by and b.by and a.by.p == b.by.p
        assert (1 + a.by.shift) * (1 + b.by.shift) == pytest.approx(1)


@given(ROWS, st.integers(0, 8))
def test_a_unit_of_time_changes_nothing(
    given_: list[tuple[list[int], list[int]]], power: int
) -> None:
    def told(scale: int) -> list[tuple[Outcome, Reason | None, float]]:
        rows = [
            Row(Key(None, str(n), None), *(side([one * scale for one in both]) for both in pair_))
            for n, pair_ in enumerate(given_)
        ]
        verdicts = judge(rows).rows
        return [(one.outcome, one.reason, one.by.p if one.by else 1.0) for one in verdicts]

    assert told(1) == told(2**power)


def test_equal_medians_stay_ties_after_the_factor() -> None:
    clocks = [100, 101, 103, 104, 106, 107]
    base = {Key(None, str(n), None): side([(100 + 7 * n) * c for c in clocks]) for n in range(9)}
    cand = {Key(None, str(n), None): side([(100 + 7 * n) * c for c in (90, 95)]) for n in range(9)}
    judgement = judge(pair(base, cand))
    assert {row.by.p for row in judgement.rows if row.by} == {1.0}
    assert {row.by.shift for row in judgement.rows if row.by} == {0.0}
