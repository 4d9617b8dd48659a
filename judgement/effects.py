"""Why an operator's time changed: more launches, other shapes, or slower ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Stratum:
    """Launches and ns of one shape group in base (0) and candidate (1)."""

    n0: int
    t0: int
    n1: int
    t1: int


@dataclass(frozen=True)
class Effects:
    """Parts of t1 - t0 in ns, count + mix + within to the nanosecond.

    new and gone are the time of strata of one side only; they stand in count and mix. simpson:
    a stratum moves against the mean of all launches.
    """

    count_ns: int
    mix_ns: int
    within_ns: int
    new_ns: int
    gone_ns: int
    simpson: bool


def decompose(strata: Iterable[Stratum], floor: float = 0.03) -> Effects:
    """Weighted by the base: E = Σ n1·t0/n0 per stratum, A = N1·T0/N0 for all of them.

    count = A - T0, mix = E - A, within = T1 - E telescope, whatever is rounded. A stratum without
    base launches keeps its own time in E. The floor is that of a stratum's mean, for simpson.
    """
    parts = list(strata)
    whole = _sum(parts)
    expected = sum(_at_base_speed(one) for one in parts)
    alike = _at_base_speed(whole)
    return Effects(
        count_ns=alike - whole.t0,
        mix_ns=expected - alike,
        within_ns=whole.t1 - expected,
        new_ns=sum(one.t1 for one in parts if not one.n0),
        gone_ns=sum(one.t0 for one in parts if not one.n1),
        simpson=any(_against(one, whole, floor) for one in parts),
    )


def _sum(parts: Sequence[Stratum]) -> Stratum:
    """All launches as one stratum."""
    return Stratum(
        n0=sum(one.n0 for one in parts),
        t0=sum(one.t0 for one in parts),
        n1=sum(one.n1 for one in parts),
        t1=sum(one.t1 for one in parts),
    )


def _at_base_speed(one: Stratum) -> int:
    """Time of the candidate's launches at the base's mean, rounded half up."""
    return (2 * one.n1 * one.t0 + one.n0) // (2 * one.n0) if one.n0 else one.t1


def _against(one: Stratum, whole: Stratum, floor: float) -> bool:
    """Whether a stratum's mean moves by more than the floor, and the pooled mean the other way.

    A stratum below 0.1 % of the time is too small to contradict anything.
    """
    if not (one.n0 and one.n1) or 1000 * (one.t0 + one.t1) < whole.t0 + whole.t1:
        return False
    before, after = one.t0 * one.n1, one.t1 * one.n0
    pooled = whole.t1 * whole.n0 - whole.t0 * whole.n1
    slower, faster = after > before * (1 + floor), after * (1 + floor) < before
    return (slower and pooled < 0) or (faster and pooled > 0)
