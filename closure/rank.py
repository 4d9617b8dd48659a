"""Rank assignments: order and shapes rule out, widths and weight bytes only rank."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .case import Case, Variant
from .expand import MOST, Solution
from .facts import Group, Place
from .order import by_order, read_off
from .shapes import Shapes

ORDER = "order of the launches in a step"
SHAPES = "shapes of the weights"
RATES = "weights read per time"
CRITERIA = (SHAPES, RATES, "same kernels for the same input width", RATES)
IMPLAUSIBLE = 1.4
"""Groups whose rates of reading weights differ this much more than in the best assignment."""

Key = tuple[float, ...]


@dataclass(frozen=True)
class Kept:
    """An assignment that the evidence leaves, the number of its solution, its rank."""

    places: dict[str, Place]
    solution: int
    key: Key = ()


@dataclass(frozen=True)
class Ranking:
    """What is left, the likeliest first, what ruled others out, what put the first one first."""

    kept: list[Kept]
    ruled: str | None
    ranked: str | None
    cut: bool


def read_offs(case: Case, variants: Sequence[Variant]) -> list[dict[str, Place]]:
    """Assignments that the order of a step tells module by module."""
    found: list[dict[str, Place]] = []
    for variant in variants:
        places = read_off(case, variant)
        if places is not None and places not in found:
            found.append(places)
    return found


def rank(case: Case, solutions: Sequence[Solution], closes: bool) -> Ranking:
    """Rank the assignments of all solutions; those of many are cut off."""
    most = max(1, MOST // max(1, len(solutions)))
    owner: list[tuple[dict[str, Place], int]] = []
    for number, solution in enumerate(solutions):
        owner += [(places, number) for places in solution.assignments(most)]
    cut = any(solution.ways > most for solution in solutions)
    every = [places for places, _ in owner]
    ordered = by_order(case, every)
    shapes = Shapes(case)
    left = shapes.narrow(ordered)
    ruled = [ORDER] * (len(ordered) < len(every)) + [SHAPES] * (len(left) < len(ordered))
    alive = {id(places) for places in left}
    kept = [Kept(places, number) for places, number in owner if id(places) in alive]
    kept = _sort(case, shapes, kept, closes)
    return Ranking(kept, " and ".join(ruled) or None, _decider(kept), cut)


def _sort(case: Case, shapes: Shapes, kept: Sequence[Kept], closes: bool) -> list[Kept]:
    """Put the likeliest first; equals stay in the order of the counts' search.

    Where launches are missing or over, their time is unknown: rates only tell the implausible.
    """
    rates = [spread(case, one.places) for one in kept]
    best = min((rate for rate in rates if rate is not None), default=1.0)
    keyed = []
    for one, rate in zip(kept, rates, strict=True):
        known = best if rate is None else rate
        fit = shapes.explained(one.places)
        far = known > IMPLAUSIBLE * best
        key = (-fit, far, minority(case, one.places), known if closes else 0.0)
        keyed.append(Kept(one.places, one.solution, key))
    return sorted(keyed, key=lambda one: one.key)


def _decider(kept: Sequence[Kept]) -> str | None:
    """The criterion by which the first is before the second."""
    if len(kept) < 2:
        return None
    pairs = zip(CRITERIA, kept[0].key, kept[1].key, strict=True)
    return next((name for name, first, second in pairs if first != second), None)


def minority(case: Case, places: Mapping[str, Place]) -> int:
    """Modules whose kernels are not those of most modules with the same input width."""
    widths: dict[int, Counter[Group]] = defaultdict(Counter)
    for module in case.modules:
        group = places[module.name][0]
        if module.inputs is not None and group is not None:
            widths[module.inputs][group] += 1
    return sum(groups.total() - max(groups.values()) for groups in widths.values())


def spread(case: Case, places: Mapping[str, Place]) -> float | None:
    """Highest over lowest rate of the groups, in weights of the launches seen per time.

    The rate is sum(count × inputs × outputs) / duration: decode reads every weight once, and
    prefill computes in proportion to them. None where a size or a duration is not known.
    """
    sums, runs = dict.fromkeys(case.groups, 0), dict.fromkeys(case.groups, 0)
    for module in case.modules:
        group, times = places[module.name]
        if group is None:
            continue
        if module.inputs is None or module.outputs is None:
            return None
        sums[group] += module.count * module.inputs * module.outputs
        runs[group] += module.count * times
    rates = []
    for group, seen in case.groups.items():
        if not seen.total_ns:
            return None
        if runs[group]:
            rates.append(sums[group] * seen.launches / runs[group] / seen.total_ns)
    return max(rates) / min(rates) if rates and min(rates) > 0 else None
