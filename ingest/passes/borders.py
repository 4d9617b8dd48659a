"""Borders between kernels: where within the stretch between two counted launches a pass begins."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from .anchors import sampling_places
from .judge import Trial
from .kernels import Bools, Ints, Kernels
from .signatures import Signed

GAP = 8
"""A border's idle gap is that many times the median gap, or more."""
ENOUGH_GAPS = 0.5
FALSE_GAPS = 0.2
OPENED_SHARE = 0.8
USUAL_GAP = 0.25
EXCESS = 0.05
NOWHERE = -1


@dataclass(frozen=True)
class Finder:
    """How passes begin in this list."""

    signed: Signed
    gaps: Ints
    least_gap: float
    """Idle time that marks a border, ns; infinite where few borders have such a gap."""
    end_gap: float
    """The same at the ends of the window, where one gap of missing kernels would make a pass."""
    opening: int
    """Signature that mostly comes first after the tokens change; -1 where none is known."""
    ahead: int
    """Kernels from there to the first counted launch, mostly."""
    sampling: Ints
    """Kernels that choose tokens; a pass ends with them."""

    @property
    def marked(self) -> bool:
        """Whether anything tells where a pass begins but the counted launches."""
        return bool(np.isfinite(self.least_gap)) or self.opening >= 0

    @property
    def rule(self) -> str:
        """What the borders are told by, in words."""
        if np.isfinite(self.least_gap):
            return "at idle gaps"
        return f"at {self.signed.ops[self.opening] if self.opening >= 0 else 'that launch'}"

    def border(self, first: int, counted: int) -> int:
        """The first kernel of the pass whose first counted launch is known, `first` or later."""
        if (widest := self._wide_gap(first, counted)) >= 0:
            return widest
        opened = self._opened(first, counted)
        if not len(opened):
            sampled = self.sampling[(self.sampling >= first) & (self.sampling < counted)]
            return int(sampled[-1]) + 1 if len(sampled) else max(first, counted - self.ahead)
        return int(opened[np.argmin(np.abs(opened - (counted - self.ahead)))])

    def sure_border(self, first: int, last: int, passes: int) -> int:
        """Where a pass begins in [first, last], by what stands at borders only; -1 if nowhere."""
        if first > last:
            return NOWHERE
        if (widest := self._wide_gap(first, last)) >= 0 and self.gaps[widest] >= self.end_gap:
            return widest
        opened = self._opened(first, last)
        return (
            int(opened[0]) if len(opened) and _rare(self.signed, self.opening, passes) else NOWHERE
        )

    def sized_border(self, first: int, last: int, other: int, lengths: Ints) -> int:
        """Where in [first, last] a pass begins or ends that is as long as others up to `other`.

        At the widest gap that leaves such a length, else at the usual length; -1 where what lies
        there is no longer than a pass.
        """
        if first > last or not len(lengths):
            return NOWHERE
        usual, longest = float(np.median(lengths)), int(lengths.max())
        places = np.arange(first, last + 1)
        left = np.abs(other - places)
        fits = (left >= lengths.min()) & (left <= longest)
        if not fits.any() or left.max() + 1 <= longest + EXCESS * usual:
            return NOWHERE
        wide = fits & (self.gaps[places] >= self.least_gap)
        if wide.any():
            return int(places[np.argmax(np.where(wide, self.gaps[places], -1))])
        return int(places[np.argmin(np.abs(left - usual))])

    def _wide_gap(self, first: int, last: int) -> int:
        widest = first + int(np.argmax(self.gaps[first : last + 1]))
        return widest if self.gaps[widest] >= self.least_gap else NOWHERE

    def _opened(self, first: int, last: int) -> Ints:
        return first + np.flatnonzero(self.signed.of[first : last + 1] == self.opening)


def finder(trial: Trial, signed: Signed, kernels: Kernels) -> Finder:
    """Learn from the stretches between the passes of a cut."""
    gaps = kernels.gaps_ns()
    opening, ahead = _opening(trial, signed)
    least = GAP * (float(np.median(np.maximum(gaps, 0))) + 1)
    rare = _rare(signed, opening, len(trial.borders) - 1)
    if not _marked(stretches(trial), gaps >= least, rare):
        least = np.inf
    widest = [gaps[first : last + 1].max() for first, last in stretches(trial)]
    usual = float(np.quantile(widest, USUAL_GAP)) if widest else np.inf
    return Finder(signed, gaps, least, usual, opening, ahead, sampling_places(signed))


def _rare(signed: Signed, opening: int, passes: int) -> bool:
    return opening >= 0 and bool(signed.counts[opening] <= 2 * passes)


def _marked(between: list[tuple[int, int]], wide: Bools, rare: bool) -> bool:
    """Whether borders have a wide gap more often than other stretches as long.

    Missing kernels leave gaps anywhere.
    """
    if not between:
        return False
    sums = np.concatenate(([0], np.cumsum(wide)))
    ends = np.array(between)
    held = sums[ends[:, 1] + 1] - sums[ends[:, 0]] > 0
    lengths = ends[:, 1] + 1 - ends[:, 0]
    elsewhere = max(0, sums[-1] - int(held.sum())) / max(1, len(wide) - len(between))
    false = float((1 - np.exp(-elsewhere * lengths)).mean())
    if rare and false > FALSE_GAPS:
        return False
    return float(held.mean()) >= max(ENOUGH_GAPS, (1 + false) / 2)


def _opening(trial: Trial, signed: Signed) -> tuple[int, int]:
    """What comes first with the new tokens where they change, and how far ahead of the launch."""
    openings: Counter[int] = Counter()
    ahead: list[int] = []
    for (first, last), border in zip(stretches(trial), trial.borders[1:-1], strict=True):
        before, after = trial.anchor.tokens[border - 1 : border + 1].tolist()
        new = np.flatnonzero(signed.tokens[first : last + 1] == after)
        if before != after and len(new):
            openings[int(signed.of[first + new[0]])] += 1
            ahead.append(last - first - int(new[0]))
    if not openings:
        return _table(trial, signed)
    return openings.most_common(1)[0][0], int(np.median(ahead))


def _table(trial: Trial, signed: Signed) -> tuple[int, int]:
    """Where the tokens stay: the look-up of embeddings, which stands in nearly each stretch."""
    between = stretches(trial)
    for signature in np.unique(signed.of[signed.tables[signed.of]]).tolist():
        places = signed.places(signature)
        held = [last - places[np.searchsorted(places, last) - 1] for _, last in between]
        near = [d for d, (first, last) in zip(held, between, strict=True) if 0 < d <= last - first]
        if len(near) >= OPENED_SHARE * max(1, len(between)):
            return signature, int(np.median(near))
    return NOWHERE, 0


def kernel_borders(trial: Trial, finder: Finder) -> list[int]:
    """The first kernel of each pass but the first."""
    return [finder.border(first, last) for first, last in stretches(trial)]


def stretches(trial: Trial) -> list[tuple[int, int]]:
    """From the kernel after a pass's last counted launch to the next one's first, for each."""
    places = trial.anchor.places
    inner = trial.borders[1:-1]
    return [(int(places[b - 1]) + 1, int(places[b])) for b in inner]
