"""What marks the border of a pass: tokens that change, rare operators that come regularly."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from .anchors import Anchor, sampling_places
from .kernels import Bools, Floats, Ints, Kernels
from .signatures import Signed

IDLE = -1
"""Stands for idle gaps among the rare signatures."""
WIDE_GAP = 12
MOST_RARE = 200
TOLERANCE = 0.06
STRONG = 0.5
WEAK = 0.3


@dataclass(frozen=True)
class Marks:
    """What is known of the borders between the N launches of an anchor."""

    change: Bools
    """(N + 1,) whether the tokens change there."""
    rare: dict[int, Ints]
    """Borders at which each rare signature stands."""
    tokens: Ints
    at_borders: frozenset[int] = frozenset()
    """Of the rare signatures those that can only stand at a border."""

    def __len__(self) -> int:
        return len(self.tokens)

    def head(self, count: int) -> "Marks":
        """The first launches alone."""
        change = np.append(self.change[:count], False)
        rare = {s: places[places <= count] for s, places in self.rare.items()}
        return Marks(change, rare, self.tokens[:count], self.at_borders)


def marks(signed: Signed, anchor: Anchor, idle: Ints | None) -> Marks:
    """Find the marks; `idle` are kernels after a wide idle gap, where gaps shall count."""
    count = len(anchor)
    change = np.zeros(count + 1, np.bool_)
    change[1:count] = anchor.tokens[1:] != anchor.tokens[:-1]
    counts = signed.counts
    few = np.flatnonzero((counts >= 3) & (counts <= count / 4))
    few = few[np.argsort(-counts[few], kind="stable")][:MOST_RARE]
    rare = {s: np.unique(np.searchsorted(anchor.places, signed.places(s))) for s in few.tolist()}
    if idle is not None and 3 <= len(idle) <= count / 4:
        rare[IDLE] = np.unique(np.searchsorted(anchor.places, idle))
    ends = set(signed.of[sampling_places(signed)].tolist()) | set(
        np.flatnonzero(signed.tables).tolist()
    )
    return Marks(change, rare, anchor.tokens, frozenset({IDLE, *ends}))


def after_wide_gaps(kernels: Kernels) -> Ints:
    """Kernels before which the device idled far longer than it mostly does."""
    gaps = kernels.gaps_ns()
    positive = gaps[gaps > 0]
    typical = max(1.0, float(np.median(positive))) if len(positive) else 1.0
    return np.flatnonzero(gaps > WIDE_GAP * typical)


def tolerance(period: int) -> int:
    """By how many launches a pass may be shorter: some may be missing."""
    return int(np.ceil(period * TOLERANCE))


def evidence(found: Marks, period: int) -> Floats:
    """(N + 1,) how strongly each border is marked, 0 to 1, if passes have that many launches."""
    count = len(found)
    regular = _regular(found, period)
    changes = np.flatnonzero(found.change)
    enough = 2 <= len(changes) < 4 * count / period
    # Where tokens seldom change, what stands at borders tells the offset of the others.
    regular.sort(key=lambda one: (one[2] not in found.at_borders and not enough, -one[0]))
    reference = changes if enough or not regular else regular[0][1]
    strength = np.zeros(count + 1)
    for weight, starts, _ in regular[:12]:
        borders = starts - _offset(starts, reference, period)
        strength[borders[(borders > 0) & (borders < count)]] += weight
    marked = strength[strength > 0]
    if len(marked):
        strength = np.minimum(1, strength / max(1e-9, float(np.quantile(marked, 0.7))))
    return np.maximum(strength, found.change)


def _regular(found: Marks, period: int) -> list[tuple[float, Ints, int]]:
    """Rare signatures that come once a period: weight, first borders of bursts, signature."""
    weighed = []
    for signature, places in found.rare.items():
        if len(places) < 3:
            continue
        starts = places[np.concatenate(([True], np.diff(places) > period / 2))]
        weight = _regularity(np.diff(starts), period, len(found))
        if weight > 0.2:
            weighed.append((weight, starts, signature))
    return weighed


def _regularity(gaps: Ints, period: int, count: int) -> float:
    """Share of distances that are one or two periods, less chance, times what they cover."""
    if len(gaps) < 2:
        return 0.0
    times = np.maximum(1, np.round(gaps / period))
    near = tolerance(period)
    fit = (np.abs(gaps - times * period) <= near * times) & (times <= 2)
    share = float(fit.mean())
    if share < 0.6:
        return 0.0
    chance = min(0.9, (2 * near + 1) / period)
    covered = float(gaps[fit].sum()) / count
    return max(0.0, (share - chance) / (1 - chance)) * min(1.0, 1.2 * covered)


def _offset(starts: Ints, reference: Ints, period: int) -> int:
    """The commonest distance from a border that is known to the signature."""
    if not len(reference):
        return 0
    after = np.searchsorted(reference, starts)
    last = reference[np.maximum(after - 1, 0)]
    following = reference[np.minimum(after, len(reference) - 1)]
    since, until = starts - last, starts - following
    nearest = np.where(np.abs(since) <= np.abs(until), since, until)
    close = nearest[np.abs(nearest) <= period // 2]
    if not len(close):
        return 0
    offset, often = Counter(close.tolist()).most_common(1)[0]
    return int(offset) if often >= max(2, len(close) / 2) else 0
