"""Shape groups, the decomposition of a difference, the tail figure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.judgement import Stratum, decompose, groups, tail_figure

NS = st.integers(0, 2**62)
LAUNCHES = st.integers(1, 10**7)
STRATUM = st.one_of(
    st.builds(Stratum, LAUNCHES, NS, LAUNCHES, NS),
    st.builds(Stratum, st.just(0), st.just(0), LAUNCHES, NS),
    st.builds(Stratum, LAUNCHES, NS, st.just(0), st.just(0)),
)


@given(st.lists(STRATUM, max_size=12))
def test_effects_telescope_to_the_nanosecond(strata: list[Stratum]) -> None:
    found = decompose(strata)
    change = sum(one.t1 for one in strata) - sum(one.t0 for one in strata)
    assert found.count_ns + found.mix_ns + found.within_ns == change


@given(st.lists(STRATUM, max_size=12), st.randoms(use_true_random=False))
def test_effects_do_not_depend_on_the_order(strata: list[Stratum], random: object) -> None:
    mixed = strata.copy()
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert decompose(mixed) == decompose(strata)


def test_effects_by_hand() -> None:
    # Short: 10 of 10 ns become 30 of 9; long: 10 of 100 become 10 of 110.
    found = decompose([Stratum(10, 100, 30, 270), Stratum(10, 1000, 10, 1100)])
    # 40 launches at the base's mean of 55 are 2200; at their own strata's speed 300 + 1000.
    assert (found.count_ns, found.mix_ns, found.within_ns) == (1100, -900, 70)
    assert found.simpson, "the long ones got slower, the mean of all fell"


def test_one_stratum_has_no_mix() -> None:
    found = decompose([Stratum(3, 100, 4, 200)])
    assert (found.count_ns, found.mix_ns, found.within_ns) == (33, 0, 67)
    assert not found.simpson


def test_new_and_gone_strata_have_no_within() -> None:
    found = decompose([Stratum(0, 0, 5, 50), Stratum(2, 30, 0, 0), Stratum(1, 10, 1, 12)])
    assert (found.new_ns, found.gone_ns, found.within_ns) == (50, 30, 2)
    assert decompose([]).count_ns == 0
    assert decompose([Stratum(0, 0, 5, 50)]).count_ns == 50
    assert decompose([Stratum(5, 50, 0, 0)]).count_ns == -50


def test_a_stratum_too_small_contradicts_nothing() -> None:
    strata = [Stratum(10**6, 10**9, 10**6, 9 * 10**8), Stratum(1, 100, 1, 200)]
    assert not decompose(strata).simpson


def test_groups_are_exact_below_32_and_two_percent_above() -> None:
    found = groups([1, 2, 31, 32, 33, 100, 102, 104, 107, 220, 221, 222, 2])
    assert {low: high for low, high in found.values()} == {
        1: 1,
        2: 2,
        31: 31,
        32: 32,
        33: 33,
        100: 104,
        107: 107,
        220: 222,
    }
    assert found[102] == (100, 104)


@given(st.sets(st.integers(1, 5000), max_size=60))
def test_groups_are_ranges_that_hold_their_counts(tokens: set[int]) -> None:
    found = groups(tokens)
    assert found.keys() == tokens
    for token, (low, high) in found.items():
        assert low <= token <= high and {low, high} <= tokens
        assert found[low] == found[high] == (low, high)
    ordered = sorted(tokens)
    for one, two in zip(ordered, ordered[1:], strict=False):
        near = two >= 32 and two <= one * 1.02
        assert (found[one] == found[two]) == near


def test_ranges_by_hand() -> None:
    found = groups([8, 10, 218, 220, 223, 224], ["220-222", "5–12", "500"])
    assert found[8] == found[10] == (5, 12) and found[220] == (220, 222)
    assert found[218] == (218, 218) and found[223] == found[224] == (223, 224)
    assert groups([200, 201, 202], ["201"]) == {n: (n, n) for n in (200, 201, 202)}


@pytest.mark.parametrize("by_hand", [["12-5"], ["all"], ["1-5", "5-7"], [""], ["1-2-3"]])
def test_bad_ranges(by_hand: list[str]) -> None:
    with pytest.raises(ProfdbError, match="range"):
        groups([1], by_hand)


def test_tail_figure_from_a_hundred_launches_on() -> None:
    assert tail_figure(100, 7, 9) == ("p99", 7)
    assert tail_figure(99, 7, 9) == ("max", 9)
