"""Rank-sum test (Mann-Whitney, Wilcoxon): is one side's distribution shifted?"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

MOST_EXACT = 20
"""Passes a side up to which p is exact: C(40, 20) ways still fit into 64 bits."""


def rank_sum_p(base: Floats, cand: Floats) -> float:
    """Two-sided p; ties get mid-ranks.

    Ranks are doubled, so that mid-ranks are whole numbers too, and the ways to reach every sum are
    counted for the very ranks at hand (Streitberg and Röhmel 1986): exact with ties as well.
    """
    ranks = doubled_ranks(np.concatenate([base, cand]))
    size, total = len(base), len(ranks)
    far = abs(int(ranks[:size].sum()) - size * (total + 1))
    if max(size, total - size) > MOST_EXACT:
        return _normal_p(ranks, size, far)
    ways = ways_of_sums(tuple(sorted(ranks.tolist())), size)
    sums = np.arange(len(ways))
    return float(ways[np.abs(sums - size * (total + 1)) >= far].sum() / ways.sum())


def doubled_ranks(values: Floats) -> Counts:
    """Twice the mid-rank of each value: a tie from place a to place b has a + b."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return np.asarray((2 * ends - counts + 1)[where], np.int64)


@lru_cache(256)
def ways_of_sums(ranks: tuple[int, ...], size: int) -> Counts:
    """Number of ways to draw `size` of the ranks, per sum; shape (sum of all ranks + 1,)."""
    ways = np.zeros((size + 1, sum(ranks) + 1), np.int64)
    ways[0, 0] = 1
    for rank in ranks:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return np.asarray(ways[size], np.int64)


def _normal_p(ranks: Counts, size: int, far: int) -> float:
    """Normal approximation with corrections for ties and continuity (Lehmann 1975, 1.2 and 1.4).

    far is twice the distance of the rank sum from its mean.
    """
    total = len(ranks)
    ties = np.unique(ranks, return_counts=True)[1].astype(float)
    tied = float((ties**3 - ties).sum()) / (total * (total - 1))
    variance = size * (total - size) * (total + 1 - tied) / 12
    if variance <= 0:
        return 1.0
    return math.erfc(max(0.0, far / 2 - 0.5) / math.sqrt(2 * variance))


def smallest_p(passes: tuple[int, int]) -> float:
    """Smallest two-sided p that so many passes can give: 2 / C(n0 + n1, n0), at most 1."""
    return min(1.0, 2 / math.comb(sum(passes), passes[0]))
