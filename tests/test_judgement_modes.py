"""Two modes of duration: seen where there are two, not where there is one."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.judgement import Modes, cell, shared_modes, two_modes

HALVES = np.concatenate([np.linspace(1300, 1360, 200), np.linspace(3700, 3900, 200)])
"""Half of the launches around 1330 ns, half around 3800."""


def test_two_far_modes() -> None:
    modes = two_modes(HALVES)
    assert modes is not None and 1360 < modes.cut < 3700
    assert (modes.low, modes.high, modes.share) == (1330, 3800, 0.5)


@pytest.mark.parametrize("count", [78, 400, 5000])
def test_one_mode_however_wide_or_tailed(count: int) -> None:
    rng = np.random.default_rng(count)
    for _ in range(20):
        tail = (rng.random(count) < 0.05) * rng.exponential(0.7, count)
        assert two_modes(np.exp(rng.normal(8, 0.05, count) + tail)) is None
        assert two_modes(np.exp(rng.normal(8, 0.3, count))) is None
        assert two_modes(rng.uniform(1000, 2000, count)) is None


def test_noise_in_few_launches_is_no_valley() -> None:
    rng = np.random.default_rng(6)
    assert not any(two_modes(np.exp(rng.normal(8, 0.3, 78))) for _ in range(300))


def test_a_shallow_valley_is_none() -> None:
    rng = np.random.default_rng(7)
    logs = rng.normal(0, 0.08, 5000) + (rng.random(5000) < 0.5) * 0.2
    assert two_modes(np.exp(8 + logs)) is None


def test_too_few_too_near_too_rare() -> None:
    assert two_modes(HALVES[::7]) is None, "58 launches"
    assert two_modes([*[1000] * 90, *[1100] * 90]) is None, "10 % apart"
    assert two_modes([*HALVES[:200], *[3800] * 15]) is None, "7 % of the launches"
    assert two_modes([0] * 100) is None and two_modes([]) is None


@given(st.integers(-6, 12), st.randoms(use_true_random=False))
def test_a_scale_moves_the_cut_and_order_does_not(power: int, random: object) -> None:
    mixed = HALVES.tolist()
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = two_modes(HALVES), two_modes(np.asarray(mixed) * 2.0**power)
    assert one is not None and other is not None
    assert math.isclose(other.cut, one.cut * 2**power, rel_tol=1e-9)


def test_a_group_inherits_the_cut_of_its_clearest_member() -> None:
    blurred = np.exp(np.concatenate([np.random.default_rng(1).normal(7, 0.1, 300), np.log(HALVES)]))
    members = [HALVES[:200], HALVES, HALVES[:200]]
    assert shared_modes(members) == two_modes(HALVES)
    assert shared_modes([*members, blurred]) == max(
        filter(None, map(two_modes, (HALVES, blurred))), key=lambda modes: modes.depth
    )
    assert shared_modes([HALVES[:200]]) is None


def test_a_cell_counts_above_the_cut() -> None:
    modes = Modes(cut=20, low=10, high=30, share=0.5, depth=3)
    made = cell(7, [10, 12, 20, 40], modes)
    assert (made.pass_id, made.p50_ns, made.mean_ns, made.launches) == (7, 16, 20.5, 4)
    assert (made.total_ns, made.above, made.above_p50_ns) == (82, 2, 30)
    assert cell(7, [10, 12], modes).above_p50_ns is None
    assert cell(7, [10, 12]).above == 0
