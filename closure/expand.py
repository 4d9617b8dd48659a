"""Assignments of single modules, out of classes."""

from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from .case import Case, Variant
from .classes import Class, ways
from .facts import Group, Place

MOST = 6000
"""Assignments looked at in one inference."""

Served = dict[str, Group]


class Solution:
    """A class under a variant: names stand for its assignments, cut off at a number of them."""

    def __init__(self, case: Case, variant: Variant, cls: Class) -> None:
        self.case, self.variant, self.cls = case, variant, cls
        self.modules = variant.launching(case)
        self.ways = ways([module.count for module in self.modules], cls)

    def assignments(self, most: int) -> list[dict[str, Place]]:
        """At most so many assignments of the class."""
        served = islice(self._deal(sorted({module.count for module in self.modules})), most)
        return [self.variant.place(self.case, one) for one in served]

    def _deal(self, counts: Sequence[int]) -> Iterator[Served]:
        """Deal out the modules of each count."""
        if not counts:
            yield {}
            return
        names = [module.name for module in self.modules if module.count == counts[0]]
        quotas = [(group, share.get(counts[0], 0)) for group, share in self.cls.items()]
        for part in _hand(names, quotas):
            for rest in self._deal(counts[1:]):
                yield part | rest

    def swappable(self) -> frozenset[str]:
        """Modules whose count occurs in several groups, so that counts cannot place them."""
        groups: dict[int, int] = {}
        for share in self.cls.values():
            for count in share:
                groups[count] = groups.get(count, 0) + 1
        return frozenset(module.name for module in self.modules if groups[module.count] > 1)


def _hand(names: Sequence[str], quotas: Sequence[tuple[Group, int]]) -> Iterator[Served]:
    """All ways to hand names of one count to groups with quotas."""
    if not quotas:
        yield {}
        return
    group, quota = quotas[0]
    for taken in combinations(names, quota):
        left = [name for name in names if name not in taken]
        for rest in _hand(left, quotas[1:]):
            yield dict.fromkeys(taken, group) | rest
