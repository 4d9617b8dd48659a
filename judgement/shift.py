"""Hodges-Lehmann shift: the median of all differences between passes of the two sides."""

import math

import numpy as np

from .facts import Shift
from .ranks import MOST_EXACT, Floats, ways_of_sums

MOST_PASSES = 200
TAIL = 0.025
NORMAL = 1.959964
"""The normal quantile of 1 - TAIL."""


def hodges_lehmann(base: Floats, cand: Floats) -> Shift:
    """Shift cand - base with its order-statistic interval (Lehmann 1975, 2.5 and 2.6)."""
    sizes = len(base), len(cand)
    differences = np.sort(np.subtract.outer(_thin(cand), _thin(base)).ravel())
    count = len(differences)
    # The depth belongs to the true numbers of passes, however few quantiles stand for them.
    rank = math.floor(depth(*sizes) * count / (sizes[0] * sizes[1]))
    low, high = -math.inf, math.inf
    if rank:
        low, high = float(differences[rank - 1]), float(differences[count - rank])
    return Shift(float(np.median(differences)), low, high)


def depth(base: int, cand: int) -> int:
    """How many differences lie outside of a 95 % interval on either end; 0 if it has no ends."""
    pairs = base * cand
    if max(base, cand) > MOST_EXACT:
        spread = math.sqrt(pairs * (base + cand + 1) / 12)
        return max(0, math.floor(pairs / 2 - NORMAL * spread))
    ranks = tuple(range(2, 2 * (base + cand) + 1, 2))
    ways = ways_of_sums(ranks, base)[base * (base + 1) :: 2]
    return int(np.searchsorted(np.cumsum(ways) / ways.sum(), TAIL, side="right"))


def _thin(values: Floats) -> Floats:
    """At most MOST_PASSES values: quantiles stand for more, since differences are the product."""
    if len(values) <= MOST_PASSES:
        return values
    return np.quantile(values, (np.arange(MOST_PASSES) + 0.5) / MOST_PASSES)
