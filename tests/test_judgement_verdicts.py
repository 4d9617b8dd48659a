"""Verdicts over complete forward passes."""

import math

import pytest

from profdb.judgement import (
    Cell,
    Key,
    Outcome,
    Reason,
    Side,
    Statistic,
    judge,
    pair,
)

from .judged import KEY, STEADY, alone, side


def test_slower_faster_and_the_same() -> None:
    slower = alone(side(STEADY), side([one * 1.1 for one in STEADY]))
    assert (slower.outcome, slower.reason) == (Outcome.REGRESSED, None)
    assert slower.by is not None and slower.by.statistic is Statistic.P50
    assert slower.by.shift == pytest.approx(0.1, abs=0.001)
    assert 0.09 < slower.by.low < 0.1 < slower.by.high < 0.11
    assert slower.by.p == slower.by.adjusted_p == pytest.approx(2 / math.comb(16, 8))
    faster = alone(side(STEADY), side([one / 1.1 for one in STEADY]))
    assert faster.outcome is Outcome.IMPROVED
    same = alone(side(STEADY), side([one * 1.01 for one in STEADY]))
    assert same.outcome is Outcome.UNCHANGED and same.by and same.by.p < 0.05


def test_two_against_six_passes_cannot_tell() -> None:
    verdict = alone(side(STEADY[:2]), side([2000] * 6))
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.TOO_FEW)
    assert verdict.passes == (2, 6) and round(verdict.smallest_p, 3) == 0.071
    assert verdict.by and verdict.by.adjusted_p is None and math.isinf(verdict.by.high)


def test_three_passes_are_too_few_against_however_many() -> None:
    verdict = alone(side([1000, 1001, 1002]), side([2000] * 30))
    assert verdict.reason is Reason.TOO_FEW and verdict.smallest_p < 0.001


def test_small_rows_are_not_tested() -> None:
    small = alone(side(STEADY, share=0.0009), side([2000] * 8, share=0.0005))
    assert (small.outcome, small.reason) == (Outcome.INCONCLUSIVE, Reason.TOO_SMALL)
    assert small.shares == (0.0009, 0.0005) and small.by and small.by.adjusted_p is None
    grown = alone(side(STEADY, share=0.0009), side([2000] * 8, share=0.0015))
    assert grown.outcome is Outcome.REGRESSED


def test_a_row_of_one_run() -> None:
    rows = pair({KEY: side(STEADY)}, {Key(None, "new", None): side(STEADY)})
    judgement = judge(rows)
    assert [row.reason for row in judgement.rows] == [Reason.ONE_RUN] * 2
    assert [row.by for row in judgement.rows] == [None, None]
    assert judgement.everything is None and judgement.tested == 0
    assert judge([]).rows == ()


def test_a_wide_interval() -> None:
    wide = alone(side([900, 1000, 1100, 1200]), side([950, 1050, 1150, 1250]))
    assert (wide.outcome, wide.reason) == (Outcome.INCONCLUSIVE, Reason.WIDE)


def test_p50_and_mean_disagree() -> None:
    slower = [one * 1.1 for one in STEADY]
    for p50, mean in ((slower, STEADY), (STEADY, slower), (slower, [800] * 8)):
        verdict = alone(side(STEADY), side(p50, mean))
        assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.MEAN)
    assert [one.statistic for one in verdict.others] == [Statistic.MEAN]


def test_a_mean_that_may_be_the_same_does_not_contradict() -> None:
    base = side(range(1000, 1032, 4), STEADY)
    cand = side([1.035 * one for one in range(1000, 1032, 4)], [1.02 * one for one in STEADY])
    assert alone(base, cand).outcome is Outcome.REGRESSED


def test_too_few_passes_for_so_many_rows() -> None:
    base = {Key("decode", f"op{n}", None): side([1000, 1001, 1002, 1003]) for n in range(7)}
    cand = dict(base) | {Key("decode", "op0", None): side([1500, 1501, 1502, 1503])}
    judgement = judge(pair(base, cand))
    assert judgement.tested == 7 and judgement.everything is None
    assert judgement.rows[0].reason is Reason.TOO_MANY_ROWS, "0.029 x 7 > 0.05"
    assert {row.outcome for row in judgement.rows[1:]} <= {"unchanged", "inconclusive"}


def test_a_pass_stands_once_in_a_row() -> None:
    with pytest.raises(ValueError, match="two cells"):
        Side((Cell(1, 1, 1, 1, 1), Cell(1, 2, 2, 1, 2)))
