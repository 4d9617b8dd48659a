"""Evidence of the order in which a step launches kernels."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import TypeVar

from .case import Case, Variant, residuals
from .facts import Group, Place

T = TypeVar("T")
Segment = tuple[tuple[str, ...], tuple[Group, ...]]
"""Modules of the program and groups launched between the same two landmarks."""
Pattern = tuple[tuple[str, ...], tuple[Group, ...], int]
"""Modules of like segments, the groups that most of them launch, and how many these are."""
TOLERATED = 0.1
"""Share of launches that the best assignment may place wrongly for the order to count."""


def read_off(case: Case, variant: Variant) -> dict[str, Place] | None:
    """Give each module the group launched at its place; None where that is not always the same.

    The step must have as many launches as the program, and the assignment must close.
    """
    runs = [name for name in case.program if name in case.by_name and name not in variant.absorbed]
    step = [launch.group for launch in case.sequence if launch.kind == case.kind]
    served: dict[str, Group] = {}
    at = 0
    for name in runs:
        group = step[at] if at < len(step) else None
        if group is None or served.setdefault(name, group) != group:
            return None
        times = variant.per_run(group)
        if step[at : at + times] != [group] * times:
            return None
        at += times
    return _sound(case, variant, served) if at == len(step) else None


def _sound(case: Case, variant: Variant, served: Mapping[str, Group]) -> dict[str, Place] | None:
    """The assignment, if it closes and most landmarks stand where the program has them."""
    complete = all(module.name in served for module in variant.launching(case))
    if not complete or not case.groups.keys() >= set(served.values()):
        return None
    places = variant.place(case, served)
    if any(residuals(case, places).values()):
        return None
    good = [groups == launched(places, names) for names, groups in segments(case)]
    return places if 2 * sum(good) >= len(good) else None


def launched(places: Mapping[str, Place], names: Sequence[str]) -> tuple[Group, ...]:
    """The groups that modules launch, in the order of the modules."""
    runs = (places[name] for name in names)
    return tuple(group for group, times in runs if group is not None for _ in range(times))


def segments(case: Case) -> list[Segment]:
    """Program and step cut at landmarks, the kernels of other kinds; none where these disagree."""
    programmed = {case.others[name] for name in case.program if name in case.others}
    kinds = sorted(programmed & {launch.kind for launch in case.sequence})
    for marks in [set(kinds), *({kind} for kind in kinds)] if kinds else []:
        names = _cut(
            (name if name in case.by_name else None, case.others.get(name) in marks)
            for name in case.program
        )
        groups = _cut(
            (one.group if one.kind == case.kind else None, one.kind in marks)
            for one in case.sequence
        )
        if len(names) == len(groups):
            return list(zip(names, groups, strict=True))
    return []


def _cut(items: Iterable[tuple[T | None, bool]]) -> list[tuple[T, ...]]:
    """Items between landmarks; landmarks with nothing between them are one cut."""
    pieces: list[list[T]] = [[]]
    marked = False
    for item, mark in items:
        if mark and not marked:
            pieces.append([])
        if mark or item is not None:
            marked = mark
        if item is not None and not mark:
            pieces[-1].append(item)
    return [tuple(piece) for piece in pieces]


def patterns(case: Case, exact: bool) -> list[Pattern]:
    """Segments with the same modules, where more than half of them launch the same groups.

    The groups stand in order where this is to be exact, else they are sorted.
    """
    seen: dict[tuple[str, ...], Counter[tuple[Group, ...]]] = defaultdict(Counter)
    for names, groups in segments(case):
        seen[names][groups if exact else tuple(sorted(groups))] += 1
    found = []
    for names, options in seen.items():
        groups, times = options.most_common(1)[0]
        if 2 * times > options.total():
            found.append((names, groups, times))
    return found


def by_order(case: Case, candidates: Sequence[dict[str, Place]]) -> list[dict[str, Place]]:
    """The assignments that fit the launches between landmarks best.

    First what is launched between them, for streams swap neighbours; then its order in most of
    the segments.
    """
    amounts = _fewest(candidates, patterns(case, False), _misplaced)
    return _fewest(amounts, patterns(case, True), _disordered)


def _fewest(
    candidates: Sequence[dict[str, Place]],
    known: Sequence[Pattern],
    off: Callable[[tuple[Group, ...], tuple[Group, ...]], int],
) -> list[dict[str, Place]]:
    """The assignments with the fewest launches off; all where none fits well."""
    launches = sum(len(groups) * times for _, groups, times in known)
    wrong = [
        sum(times * off(groups, launched(places, names)) for names, groups, times in known)
        for places in candidates
    ]
    best = min(wrong, default=0)
    if best > TOLERATED * launches:
        return list(candidates)
    return [places for places, one in zip(candidates, wrong, strict=True) if one == best]


def _misplaced(seen: tuple[Group, ...], wanted: tuple[Group, ...]) -> int:
    """Launches that are too many or too few."""
    return sum(abs(seen.count(group) - wanted.count(group)) for group in {*seen, *wanted})


def _disordered(seen: tuple[Group, ...], wanted: tuple[Group, ...]) -> int:
    """Launches that stand at another's place."""
    return sum(a != b for a, b in zip_longest(seen, wanted))
