"""Passes of a draft model: few layers after the tokens of a step were sampled, then sampled too."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .anchors import EVENT_KERNELS, sampling_places
from .cutting import draft_launches
from .judge import Trial
from .kernels import Floats, Ints
from .signatures import NO_TOKENS, Signed

PART = 0.25
"""Most kernels of a draft, as a part of those of the pass before it."""
ONCE_SHARE = 0.8
FALL = 0.05
"""A place in the draft that lies so much before that of the last kernel is in the next pass."""
ENOUGH = 0.5
LEAST_IN_LAYER = 3

Step = tuple[int, int]
"""First kernel and end of a pass with the drafts that follow it."""


def without_short(trial: Trial, last: bool = False) -> Trial:
    """The cut with short passes joined to the pass before, the last one too if wanted."""
    kept = trial.borders[:2]
    most = draft_launches(trial.period)
    for begin, end in pairwise(trial.borders[1:]):
        if end - begin <= most and (last or end < len(trial.anchor)) and len(kept) > 1:
            kept = kept[:-1]
        kept = [*kept, end]
    return replace(trial, borders=kept)


@dataclass(frozen=True)
class Splitter:
    """Where passes begin when each is followed by drafts, and how many mostly are."""

    drafts: int
    begins: Ints
    """Kernels after a sampling, or at which operators that run once a pass begin anew."""
    most_kernels: float
    """Most kernels of a draft."""

    sized: Ints
    """(n,) tokens of each kernel in a layer; -1 elsewhere."""

    def edge(self, first: int, last: int, ahead: int, tokens: int) -> int:
        """The first kernel of a step, in the stretch before its first counted launch."""
        inside = self.begins[(self.begins >= first) & (self.begins <= last)]
        edge = int(inside[-1]) if len(inside) else max(first, last - ahead)
        # A draft whose end is missing would be taken for the beginning of the step.
        sized = self.sized[edge:last]
        others = np.flatnonzero((sized != NO_TOKENS) & (sized != tokens))
        return edge + int(others[-1]) + 1 if len(others) >= LEAST_IN_LAYER else edge

    def parts(self, edges: Sequence[int]) -> list[Step]:
        """All passes, drafts too, between the first and the last edge."""
        begins = self.begins[(self.begins > edges[0]) & (self.begins < edges[-1])]
        kept = [edges[0]]
        for begin, end in pairwise(sorted({*edges, *begins.tolist()})):
            # Without layers it is the rest of the pass before: copies, a second sampling.
            layers = np.count_nonzero(self.sized[begin:end] != NO_TOKENS)
            if begin > kept[-1] and layers >= LEAST_IN_LAYER:
                kept.append(begin)
        return list(pairwise([*kept, edges[-1]]))


def splitter(signed: Signed, steps: Sequence[Step]) -> Splitter | None:
    """Learn from whole steps how their drafts look; None where there are none."""
    sampling = _last_of_events(sampling_places(signed))
    sampled = [sampling[(sampling >= first) & (sampling < end)] for first, end in steps]
    numbers = np.array([len(events) for events in sampled])
    usual = int(np.bincount(numbers).argmax()) if len(numbers) else 0
    if usual < 2:
        return None
    passes = int(numbers.sum()) + len(steps)
    found, most, usable = [], [], 0
    for (first, _), events in zip(steps, sampled, strict=True):
        ends = events.tolist()
        if len(ends) == usual and (np.diff(events) <= PART * (ends[0] - first)).all():
            usable += 1
            most.append(PART * (ends[0] - first))
            found += [(a + 1, b + 1) for a, b in pairwise(ends)]
    sized = np.where((signed.counts > 2 * passes)[signed.of], signed.tokens, NO_TOKENS)
    if usable < ENOUGH * (numbers == usual).sum() or not _have_layers(sized, found):
        return None
    begins = _begins(signed, _ranks(signed, found, len(steps)), sampling)
    return Splitter(usual - 1, begins, float(np.median(most)), sized)


def _last_of_events(sampling: Ints) -> Ints:
    """Sampling operators near each other are one sampling: its last kernel counts."""
    if not len(sampling):
        return sampling
    last: Ints = sampling[np.append(np.diff(sampling) >= EVENT_KERNELS, True)]
    return last


def _have_layers(sized: Ints, drafts: Sequence[Step]) -> bool:
    """Whether what lies between samplings holds operators of layers: else it is sampling too."""
    held = np.concatenate(([0], np.cumsum(sized != NO_TOKENS)))
    return float(np.median([held[end] - held[first] for first, end in drafts])) >= LEAST_IN_LAYER


def _begins(signed: Signed, rank: Floats, sampling: Ints) -> Ints:
    places = np.flatnonzero(~np.isnan(rank[signed.of]))
    held = signed.of[places]
    falls = np.flatnonzero((rank[held[1:]] < rank[held[:-1]] - FALL) | (held[1:] == held[:-1]))
    before, after = places[falls], places[falls + 1]
    unsampled = after[~np.isin(before, sampling)]
    return np.unique(np.concatenate((sampling + 1, unsampled)))


def _ranks(signed: Signed, drafts: Sequence[Step], steps: int) -> Floats:
    """Mean place in a draft of what runs once in nearly every draft, and in no layer.

    In the pass before its drafts it may run once or twice; a layer of it would more often.
    """
    width = len(signed.names)
    sums, often = np.zeros(width), np.zeros(width)
    for held, places in _once(signed, drafts):
        sums[held] += places
        often[held] += 1
    rank = np.full(width, np.nan)
    known = (often >= ONCE_SHARE * len(drafts)) & (signed.counts - often <= 2 * steps)
    rank[known] = sums[known] / often[known]
    return rank


def _once(signed: Signed, drafts: Sequence[Step]) -> Iterator[tuple[Ints, Floats]]:
    for first, end in drafts:
        held, index, counts = np.unique(signed.of[first:end], return_index=True, return_counts=True)
        alone = counts == 1
        yield held[alone], index[alone] / (end - first)
