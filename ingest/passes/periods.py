"""Which numbers of launches per pass are worth testing."""

from collections import Counter

import numpy as np

from .evidence import Marks

LEAST = 8
"""Shorter periods lie within a pass: an operator of every fourth layer is as regular."""


def periods(found: Marks) -> list[int]:
    """Commonest distances between marks, and their parts, ascending."""
    half = len(found) // 2
    common = [d for d, _ in _distances(found).most_common(60) if 2 <= d <= half][:8]
    tested = set(common)
    for distance in common[:4]:
        for parts in (2, 3, 4, 5):
            if distance % parts == 0 or distance / parts > 16:
                tested.add(round(distance / parts))
    return sorted(d for d in tested if LEAST <= d <= half)


def _distances(found: Marks) -> Counter[int]:
    seen: Counter[int] = Counter()
    for distance in np.diff(np.flatnonzero(found.change)).tolist():
        seen[distance] += 6
    share = 18 // max(1, min(18, len(found.rare)))
    for places in found.rare.values():
        gaps = np.diff(places)
        if len(gaps) >= 2:
            # Bursts at one border are no distance between passes.
            for distance in gaps[gaps > max(1, gaps.max() / 3)].tolist():
                seen[distance] += share
    return seen
