"""Rows of two modes: judged by the share and the place of the slow one."""

from collections.abc import Sequence

import numpy as np
import pytest

from profdb.judgement import (
    Key,
    Modes,
    Outcome,
    Reason,
    Side,
    Statistic,
    cell,
    judge,
    pair,
    shared_modes,
)

from .judged import alone

MODES = Modes(cut=2000, low=1000, high=3000, share=0.5, depth=9)


def bimodal(shares: Sequence[float], slow: float, fast: float = 1000) -> Side:
    """Passes of 100 launches with a share at about `slow` ns and the others at `fast`."""
    cells = []
    for n, share in enumerate(shares):
        above = round(100 * share)
        times = [slow + n] * above + [fast + n] * (100 - above)
        cells.append(cell(n, times, MODES))
    return Side(tuple(cells), 0.5)


@pytest.mark.parametrize(
    ("shares", "slow", "outcome", "statistic"),
    [
        ([0.45, 0.55, 0.48, 0.52, 0.5], 3000, Outcome.UNCHANGED, Statistic.SHARE),
        ([0.75, 0.85, 0.78, 0.82, 0.8], 3000, Outcome.REGRESSED, Statistic.SHARE),
        ([0.45, 0.55, 0.48, 0.52, 0.5], 3600, Outcome.REGRESSED, Statistic.ABOVE),
        ([0.05, 0.0, 0.0, 0.02, 0.0], 3000, Outcome.IMPROVED, Statistic.SHARE),
    ],
)
def test_two_modes_are_judged_by_share_and_place(
    shares: list[float], slow: float, outcome: Outcome, statistic: Statistic
) -> None:
    base = bimodal([0.5, 0.5, 0.5, 0.5, 0.5, 0.5], 3000)
    verdict = alone(base, bimodal(shares, slow), MODES)
    if outcome is Outcome.UNCHANGED:
        assert not verdict.changed
    else:
        assert (verdict.outcome, verdict.by and verdict.by.statistic) == (outcome, statistic)


def test_fewer_but_slower_slow_launches_are_not_called() -> None:
    base = bimodal([0.5] * 6, 3000)
    verdict = alone(base, bimodal([0.1] * 6, 3600), MODES)
    assert (verdict.outcome, verdict.reason) == (Outcome.INCONCLUSIVE, Reason.MODES)


def test_a_share_counts_by_the_distance_of_the_modes() -> None:
    far = Modes(cut=2000, low=1000, high=6000, share=0.5, depth=9)
    base, cand = bimodal([0.5] * 6, 6000), bimodal([0.52] * 6, 6000)
    verdict = alone(base, cand, far)
    assert verdict.outcome is Outcome.REGRESSED, "0.02 · ln 6 = 3.6 %"
    assert verdict.by and verdict.by.shift == pytest.approx(0.02)


def test_only_the_other_way_of_the_mean_contradicts_a_mode() -> None:
    base = bimodal([0.1] * 6, 3000)
    steady = alone(base, bimodal([0.1] * 6, 3300), MODES)
    assert steady.outcome is Outcome.REGRESSED, "the mean is 2.5 % more"
    fallen = alone(base, bimodal([0.1] * 6, 3300, 700), MODES)
    assert (fallen.outcome, fallen.reason) == (Outcome.INCONCLUSIVE, Reason.MEAN)


def test_shares_and_jumping_medians_leave_the_common_factor_alone() -> None:
    keys = [Key(None, str(n), None) for n in range(9)]
    base = dict.fromkeys(keys, bimodal([0.6] * 6, 3000))
    cand = dict.fromkeys(keys, bimodal([0.4] * 6, 3000))
    judgement = judge(pair(base, cand, dict.fromkeys(keys, MODES)))
    assert judgement.everything and judgement.everything.outcome is Outcome.UNCHANGED
    assert {row.outcome for row in judgement.rows} == {Outcome.IMPROVED}
    slower = dict.fromkeys(keys, bimodal([0.6] * 6, 3300, 1100))
    judgement = judge(pair(base, slower, dict.fromkeys(keys, MODES)))
    assert judgement.common
    assert {row.by.raw.middle for row in judgement.rows if row.by} == {0.0}


def test_the_published_case() -> None:
    """7 v 5 passes, one candidate pass with its median in the fast mode (times in µs)."""
    rng = np.random.default_rng(1009)

    def launches(share: float, slow: float) -> list[float]:
        many_ = round(78 * share)
        fast = rng.normal(1328.8, 60, 78 - many_)
        return [*rng.normal(slow, 120, many_), *fast]

    slow = zip((0.78, 0.85, 0.81, 0.8, 0.84, 0.79, 0.85), range(3380, 3520, 20), strict=True)
    base = [launches(share, at) for share, at in slow]
    cand = [launches(share, 3813.1) for share in (0.86, 0.84, 0.88, 0.45, 0.83)]
    modes = shared_modes([np.concatenate(cand), np.concatenate(base)])
    assert modes is not None and 1500 < modes.cut < 3100

    def cells(passes: list[list[float]]) -> Side:
        return Side(tuple(cell(n, times, modes) for n, times in enumerate(passes)), 0.5)

    plain = alone(cells(base), cells(cand))
    assert (plain.outcome, plain.reason) == (Outcome.INCONCLUSIVE, Reason.WIDE)
    assert plain.by and plain.by.p == pytest.approx(0.106, abs=0.001), "one-sided 0.053"
    told = alone(cells(base), cells(cand), modes)
    assert told.outcome is Outcome.REGRESSED
    assert told.by and told.by.statistic is Statistic.ABOVE
    assert told.by.p == pytest.approx(2 / 792) and 0.07 < told.by.low < told.by.high < 0.17
    assert told.others[0].statistic is Statistic.SHARE and Statistic.P50 in {
        one.statistic for one in told.others
    }
