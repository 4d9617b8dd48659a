"""Classes of assignments: how many modules of each count go to which group."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from .case import Effort
from .facts import Group

Share = tuple[int, ...]
"""Modules taken of each count, in the order of the counts."""

Class = dict[Group, dict[int, int]]
"""Per group the number of modules of each count."""


class Search:
    """Fills the groups one after another; a group and a rest that failed are not tried again."""

    def __init__(self, counts: Sequence[int], needs: Sequence[int], effort: Effort) -> None:
        have = Counter(counts)
        self.counts = sorted(have, reverse=True)
        self.have = tuple(have[count] for count in self.counts)
        self.needs, self.effort = needs, effort
        self.dead: set[tuple[int, Share]] = set()

    def shares(self, at: int, left: int, room: Share) -> Iterator[Share]:
        """Modules out of room, from count number at on, whose counts sum to left."""
        if not self.effort.spend():
            return
        if at == len(self.counts):
            if left == 0:
                yield ()
            return
        count = self.counts[at]
        if sum(map(int.__mul__, room[at:], self.counts[at:])) < left:
            return
        for taken in range(min(room[at], left // count), -1, -1):
            for rest in self.shares(at + 1, left - taken * count, room):
                yield (taken, *rest)

    def fill(self, at: int, room: Share) -> Iterator[tuple[Share, ...]]:
        """All ways to fill the groups from number at on with exactly the modules of room."""
        if at == len(self.needs):
            if not any(room):
                yield ()
            return
        if (at, room) in self.dead:
            return
        found = False
        for share in self.shares(0, self.needs[at], room):
            for rest in self.fill(at + 1, tuple(map(int.__sub__, room, share))):
                found = True
                yield (share, *rest)
        if not found and self.effort.left >= 0:
            self.dead.add((at, room))


def classes(
    counts: Sequence[int], needs: dict[Group, int], effort: Effort, limit: int
) -> list[Class]:
    """The classes in which the modules' counts sum to the need of every group."""
    if sum(needs.values()) != sum(counts):
        return []
    groups = sorted(needs, key=needs.__getitem__)
    search = Search(counts, [needs[group] for group in groups], effort)
    found = []
    for shares in search.fill(0, search.have):
        found.append(_name(search.counts, groups, shares))
        if len(found) >= limit:
            effort.left = -1
            break
    return found


def _name(counts: Sequence[int], groups: Sequence[Group], shares: Sequence[Share]) -> Class:
    """Shares with the groups' names and the counts."""
    return {
        group: {count: taken for count, taken in zip(counts, share, strict=True) if taken}
        for group, share in zip(groups, shares, strict=True)
    }


def ways(counts: Sequence[int], cls: Class) -> int:
    """Assignments of single modules that a class stands for: a product of binomials."""
    left, product = Counter(counts), 1
    for share in cls.values():
        for count, taken in share.items():
            product *= math.comb(left[count], taken)
            left[count] -= taken
    return product
