"""What all rows of a pass share, and how far runs differ that nobody changed."""

from collections.abc import Sequence

import pytest

from profdb.errors import ProfdbError
from profdb.judgement import (
    EVERYTHING,
    Judgement,
    Key,
    Outcome,
    Reason,
    Statistic,
    judge,
    noise_floor,
    pair,
)

from .judged import KEY, STEADY, many, side


def test_the_common_factor_of_a_pass_is_removed() -> None:
    judgement = judge(pair(many(12, 30, 1), many(12, 30, 2, [1.08])))
    assert [row.key.op for row in judgement.rows if row.changed] == ["op0"]
    assert judgement.rows[0].by and judgement.rows[0].by.shift == pytest.approx(0.08, abs=0.02)
    assert all(row.factor_removed for row in judgement.rows) and not judgement.common


def test_every_operator_slower_is_one_finding() -> None:
    judgement = judge(pair(many(12, 30, 1), many(12, 30, 2, [1.08] * 30)))
    assert judgement.common and not any(row.changed for row in judgement.rows)
    whole = judgement.everything
    assert whole and whole.key == EVERYTHING and whole.outcome is Outcome.REGRESSED
    assert whole.by and whole.by.statistic is Statistic.FACTOR
    assert whole.by.shift == pytest.approx(0.08, abs=0.03)


def test_rows_that_stayed_while_most_slowed_did_not_improve() -> None:
    """Seven in ten rows are 10 % slower: the factor takes that for common."""
    judgement = judge(pair(many(20, 30, 1), many(20, 30, 2, [1.1] * 21)))
    assert not any(row.changed for row in judgement.rows) and not judgement.common
    assert {row.reason for row in judgement.rows[21:]} == {Reason.COMMON}
    assert judgement.everything and judgement.everything.outcome is Outcome.REGRESSED


def test_a_clock_may_differ_between_two_runs() -> None:
    base = {Key(None, str(n), None): side([1000 + n + p / 9 for p in range(8)]) for n in range(9)}
    cand = {key: side([one.p50_ns * 1.04 for one in both.cells]) for key, both in base.items()}
    whole = judge(pair(base, cand)).everything
    assert whole and (whole.outcome, whole.reason) == (Outcome.INCONCLUSIVE, Reason.CLOCK)
    assert noise_floor([base, base, base]).everything == pytest.approx(0.01)
    told = judge(pair(base, cand), noise_floor([base, base, base]))
    assert told.everything and told.everything.outcome is Outcome.REGRESSED


def test_a_measured_floor_names_its_row() -> None:
    runs = [many(12, 10, seed, [factor]) for seed, factor in ((1, 1.0), (2, 1.07), (3, 1.0))]
    floor = noise_floor(runs)
    assert 0.05 < floor.rows < 0.1 and floor.worst == Key("decode", "op0", "2")
    judgement = judge(pair(runs[0], runs[1]), floor)
    assert not any(row.changed for row in judgement.rows)
    with pytest.raises(ProfdbError, match="2 or more"):
        noise_floor(runs[:1])


def test_a_restless_row_of_chance_does_not_raise_the_floor() -> None:
    calm = {Key(None, str(n), None): side(STEADY) for n in range(9)}
    one = calm | {KEY: side([1000, 1500] * 4)}
    other = calm | {KEY: side([1000, 1500, 1500, 1500] * 2)}
    assert noise_floor([one, other]).rows == pytest.approx(0.01)


def factors(first: Sequence[float], rest: float) -> Judgement:
    """Thirty rows, the candidate's changed by these factors."""
    every = [*first, *[rest] * (30 - len(first))]
    return judge(pair(many(30, 30, 1), many(30, 30, 2, every)))


def test_one_row_against_a_small_factor_is_an_exception() -> None:
    judgement = factors([1.025], 0.975)
    assert judgement.everything and not judgement.everything.changed
    assert [row.key.op for row in judgement.rows if row.changed] == ["op0"]


def test_many_rows_against_a_small_factor_did_not_change() -> None:
    judgement = factors([0.99] * 11, 1.035)
    assert judgement.everything and not judgement.everything.changed
    assert not any(row.changed for row in judgement.rows)
    assert Reason.COMMON in {row.reason for row in judgement.rows[:11]}


def test_rows_keep_the_factor_where_one_pass_has_none() -> None:
    base = {Key(None, str(n), None): side(STEADY) for n in range(8)}
    longer = {Key(None, "0", None): side([*STEADY, 1008])}
    rows = judge(pair(base | longer, base)).rows
    assert [row.factor_removed for row in rows] == [False] + [True] * 7
