"""Where no class closes: the fewest groups with a residual, then the smallest residuals."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from .case import Case, Effort, Variant
from .classes import Class, classes
from .expand import Solution
from .facts import Group
from .variants import absorbed_sets, times_limit

SINK: Group = ("", "the rest")
MOST_SETS = 32
MOST_CLASSES = 40
STEPS = 120_000


@dataclass(frozen=True)
class Near:
    """A class with residuals: how many, how large together, and how many modules are absorbed."""

    solution: Solution
    size: tuple[int, int, int]


def nearest(case: Case) -> list[Near]:
    """The classes with the fewest groups off, the smallest residuals, the fewest absorbed."""
    effort = Effort(STEPS)
    sets = absorbed_sets(case)[:MOST_SETS]
    # Of groups that explain a residual equally well, first the one with the fewest launches if
    # launches are missing, the one with the most if there are too many.
    over = case.launches > sum(module.count for module in case.modules)
    order = sorted(case.groups, key=lambda g: case.groups[g].launches, reverse=over)
    for off in range(1, len(case.groups) + 1):
        found = [
            near
            for names in sets
            for free in combinations(order, off)
            for near in _free(case, names, free, effort)
        ]
        if found:
            best = min(near.size for near in found)
            return [near for near in found if near.size == best]
    return list(_free(case, sets[0], tuple(case.groups), Effort(STEPS)))


def _free(
    case: Case, absorbed: frozenset[str], free: Sequence[Group], effort: Effort
) -> Iterator[Near]:
    """Close all groups but the free ones, which share the modules that are left."""
    counts = [module.count for module in Variant(absorbed).launching(case)]
    needs = {group: one.launches for group, one in case.groups.items() if group not in free}
    rest = sum(counts) - sum(needs.values())
    if rest < 0:
        return
    launches = {group: case.groups[group].launches for group in free}
    for cls in classes(counts, {**needs, SINK: rest}, effort, MOST_CLASSES):
        for shared in shares(cls.pop(SINK), launches, effort):
            yield _near(case, absorbed, {**cls, **shared}, free)


def _near(case: Case, absorbed: frozenset[str], cls: Class, free: Sequence[Group]) -> Near:
    """The class with the launches per run that leave the free groups least off."""
    times: dict[Group, int] = {}
    off = 0
    for group in free:
        runs = sum(count * taken for count, taken in cls[group].items())
        seen = case.groups[group].launches
        most = 1 if case.kind == "linear" or not runs else times_limit(case.kind)
        best = min(range(1, most + 1), key=lambda n: abs(seen - n * runs))
        off += abs(seen - best * runs)
        times |= {group: best} if best > 1 else {}
    solution = Solution(case, Variant(absorbed, times), cls)
    return Near(solution, (len(free), off, len(absorbed)))


def shares(left: Mapping[int, int], needs: Mapping[Group, int], effort: Effort) -> list[Class]:
    """Ways to give modules to free groups, one group after another, each time the nearest.

    Exact for two groups; for more the first choices only guess what the others will make of it.
    """
    group = max(needs, key=needs.__getitem__)
    others = {one: need for one, need in needs.items() if one != group}
    if not others:
        return [{group: dict(left)}]
    found = []
    for part in _nearest_parts(left, needs[group], sum(others.values()), effort):
        rest = Counter(left) - Counter(part)
        found += [{group: part, **more} for more in shares(rest, others, effort)]
    return found[:MOST_CLASSES]


def _nearest_parts(
    left: Mapping[int, int], need: int, others: int, effort: Effort
) -> list[dict[int, int]]:
    """Parts of the modules with the smallest residuals of one group and of all others."""
    total = sum(count * taken for count, taken in left.items())
    best, chosen = need + others + total + 1, [tuple(left.values())]
    for taken in product(*(range(one + 1) for one in left.values())):
        part = sum(map(int.__mul__, left, taken))
        off = abs(need - part) + abs(others - (total - part))
        chosen = [taken] if off < best else [*chosen, taken] if off == best else chosen
        best = min(best, off)
        if not effort.spend() or len(chosen) >= MOST_CLASSES and not best:
            break
    some = chosen[:MOST_CLASSES]
    return [{c: k for c, k in zip(left, one, strict=True) if k} for one in some]
