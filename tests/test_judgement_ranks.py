"""Rank-sum, Hodges-Lehmann and Benjamini-Hochberg against enumeration and known tables."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.judgement.adjust import adjusted
from profdb.judgement.ranks import doubled_ranks, rank_sum_p, smallest_p
from profdb.judgement.shift import depth, hodges_lehmann

SIDE = st.lists(st.integers(0, 12), min_size=1, max_size=6)
LONG = st.lists(st.integers(0, 50), min_size=1, max_size=40)


def p(base: list[int], cand: list[int]) -> float:
    """Two-sided p of whole numbers."""
    return rank_sum_p(np.asarray(base, float), np.asarray(cand, float))


def enumerated(base: list[int], cand: list[int]) -> float:
    """All ways to call so many of the values the base."""
    ranks = doubled_ranks(np.asarray(base + cand, float)).tolist()
    middle = len(base) * (len(ranks) + 1)
    ways = [abs(sum(some) - middle) for some in combinations(ranks, len(base))]
    return sum(far >= abs(sum(ranks[: len(base)]) - middle) for far in ways) / len(ways)


@given(SIDE, SIDE)
def test_p_is_exact_with_ties(base: list[int], cand: list[int]) -> None:
    assert p(base, cand) == pytest.approx(enumerated(base, cand))


@given(LONG, LONG)
def test_swapped_sides_have_the_same_p_and_the_opposite_shift(
    base: list[int], cand: list[int]
) -> None:
    assert p(base, cand) == pytest.approx(p(cand, base))
    one = hodges_lehmann(np.asarray(base, float), np.asarray(cand, float))
    other = hodges_lehmann(np.asarray(cand, float), np.asarray(base, float))
    assert (one.middle, one.low, one.high) == (-other.middle, -other.high, -other.low)
    assert one.low <= one.middle <= one.high


@given(LONG, LONG)
def test_p_depends_on_the_order_alone(base: list[int], cand: list[int]) -> None:
    def cubed(values: list[int]) -> list[int]:
        return [value**3 - 7 for value in values]

    assert p(base, cand) == p(cubed(base), cubed(cand))


@given(LONG, LONG, st.integers(-100, 100))
def test_the_shift_follows_the_candidate(base: list[int], cand: list[int], more: int) -> None:
    one = hodges_lehmann(np.asarray(base, float), np.asarray(cand, float))
    other = hodges_lehmann(np.asarray(base, float), np.asarray(cand, float) + more)
    assert (other.middle, other.low, other.high) == (
        one.middle + more,
        one.low + more,
        one.high + more,
    )


@given(st.integers(1, 12), st.integers(1, 8))
def test_sides_fully_apart_have_the_smallest_p(n0: int, n1: int) -> None:
    assert p([*range(n0)], [*range(50, 50 + n1)]) == pytest.approx(smallest_p((n0, n1)))


def test_smallest_p_of_few_passes() -> None:
    assert [round(smallest_p(sizes), 5) for sizes in ((2, 6), (5, 7), (8, 8), (0, 9))] == [
        0.07143,
        0.00253,
        0.00016,
        1.0,
    ]


def test_equal_values_tell_nothing() -> None:
    assert p([3] * 5, [3] * 7) == 1 and p([3] * 30, [3] * 30) == 1


def test_normal_p_joins_the_exact_one() -> None:
    rng = np.random.default_rng(0)
    for shift in (0.2, 0.6, 0.9):
        base, cand = rng.normal(0, 1, 20), rng.normal(shift, 1, 20)
        exact = rank_sum_p(base, cand)
        # A far value on the base's low side moves one side beyond the exact method.
        normal = rank_sum_p(np.append(base, -9), cand)
        assert normal < exact and math.isclose(normal, exact, rel_tol=0.6)


def test_normal_p_with_ties_by_hand() -> None:
    # 15 of 30 zeros against 25 of 30: U - mean = 150; ties 40³-40 and 20³-20 over 60·59.
    variance = 900 / 12 * (61 - (40**3 - 40 + 20**3 - 20) / (60 * 59))
    expected = math.erfc(149.5 / math.sqrt(2 * variance))
    assert p([0] * 15 + [1] * 15, [0] * 25 + [1] * 5) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("n0", "n1", "critical"), [(5, 7, 5), (10, 10, 23), (20, 20, 127), (8, 8, 13)]
)
def test_depth_is_past_the_tabled_critical_value(n0: int, n1: int, critical: int) -> None:
    assert depth(n0, n1) == depth(n1, n0) == critical + 1


def test_no_interval_from_2_against_6() -> None:
    shift = hodges_lehmann(np.arange(2.0), np.arange(6.0))
    assert (shift.middle, shift.low, shift.high) == (2.0, -math.inf, math.inf)


def test_thinned_passes_keep_the_width_of_the_interval() -> None:
    rng = np.random.default_rng(3)
    base, cand = rng.normal(0, 1, 600), rng.normal(0.5, 1, 900)
    thin = hodges_lehmann(base, cand)
    every = np.sort(np.subtract.outer(cand, base).ravel())
    k = depth(600, 900)
    assert thin.middle == pytest.approx(np.median(every), abs=0.01)
    assert thin.low == pytest.approx(every[k - 1], abs=0.01)
    assert thin.high == pytest.approx(every[-k], abs=0.01)


def test_interval_covers_the_true_shift() -> None:
    rng = np.random.default_rng(5)
    shifts = [hodges_lehmann(rng.normal(0, 1, 9), rng.normal(0.7, 1, 6)) for _ in range(400)]
    assert 0.93 <= np.mean([s.low <= 0.7 <= s.high for s in shifts]) <= 0.99


def test_adjusted_p_by_hand() -> None:
    assert adjusted([0.01, 0.5, 0.02, 0.021]) == pytest.approx([0.028, 0.5, 0.028, 0.028])
    assert adjusted([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_adjusted_p_says_the_same_as_the_step_up_rule(ps: list[float]) -> None:
    places = sorted(ps)
    passing = [n for n, one in enumerate(places, 1) if one * len(ps) / n <= 0.05]
    limit = places[passing[-1] - 1] if passing else -1.0
    assert [one <= 0.05 for one in adjusted(ps)] == [one <= limit for one in ps]
    assert all(one <= 1 for one in adjusted(ps))
