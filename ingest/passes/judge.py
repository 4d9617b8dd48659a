"""The best period of an anchor, and whether its cut is to be believed."""

from dataclasses import dataclass

import numpy as np

from .anchors import Anchor
from .cutting import OFF_EXACT, bounds, cut, draft_launches
from .evidence import IDLE, STRONG, Marks, evidence
from .kernels import Bools, Floats, Ints
from .periods import periods

SAMPLE = 4000
"""Launches on which the period is chosen."""
LEAST_PASSES = 3
LEAST_REGULAR = 0.8
LEAST_COHERENT = 0.95
LEAST_SCORE = 0.5
LEAST_LIKELIHOOD = 14.0
NEAR_BEST = 0.8
CLEAR_SCORE = 0.7
CLEAR_CHANGES = 5
MARGIN = 0.05
TWICE = 0.15
SOME_EXACT = 0.3
ALL_EXACT = 0.95
"""Where so many inner passes have the period's length to the launch, no kernel is missing."""
LEAST_BORDERED = 0.5
"""Else the period is one within the pass, such as four layers."""
UNMARKED_PART = 0.6
"""A stretch without launches as long as this part of a pass would hold passes of its own."""


@dataclass(frozen=True)
class Trial:
    """A cut for one period, and what speaks for it."""

    anchor: Anchor
    period: int
    borders: list[int]
    score: float = -1.0
    regular: float = 0.0
    """Share of the inner passes whose length is the period's."""
    full: int = 0
    """Passes of regular length."""
    likelihood: float = 0.0
    coherent: float = 0.0
    """Mean share of a pass's launches that have the same tokens."""
    unmarked: float = 0.0
    """Longest stretch of kernels without a launch of the anchor, in kernels of a pass."""

    bordered: float = 1.0
    """Share of the borders at which tokens are chosen or looked up, where the list does that."""
    changes: int = 0
    """Borders at which the tokens change."""

    @property
    def clear(self) -> bool:
        """Whether it needs no further marks: tokens that change show where passes begin."""
        return self.accepted and self.score >= CLEAR_SCORE and self.changes >= CLEAR_CHANGES

    def better_than(self, other: "Trial | None") -> bool:
        """Whether it is to be preferred; gaps are, at nearly the same score."""
        return other is None or not other.accepted or self.score > other.score - MARGIN

    @property
    def accepted(self) -> bool:
        """Whether passes were found beyond doubt."""
        return (
            self.regular >= LEAST_REGULAR
            and self.full >= LEAST_PASSES
            and self.likelihood >= LEAST_LIKELIHOOD
            and self.coherent >= LEAST_COHERENT
            and self.score >= LEAST_SCORE
            and self.unmarked <= UNMARKED_PART
            and self.bordered >= LEAST_BORDERED
        )


def best_trial(anchor: Anchor, found: Marks, kernels: int) -> Trial | None:
    """Try periods on the first launches, cut the whole list with the best of them.

    Of those that are accepted and nearly as good as the best the longest wins: a period within
    the pass is as regular as the pass.
    """
    tested = periods(found)
    sample = min(len(found), max(SAMPLE, 24 * max(tested, default=1)))
    if sample < len(found):
        head = found.head(sample)
        tested = _promising({p: _cut(head, p)[2] for p in tested})
    trials = [_trial(anchor, found, period, kernels) for period in tested]
    trials = [trial for trial in trials if trial.accepted] or trials
    top = max((trial.score for trial in trials), default=0.0)
    best: Trial | None = None
    for trial in trials:
        longer = best is None or _longer(trial, best)
        if trial.score >= NEAR_BEST * top and (longer or best is None or trial.score > best.score):
            best = trial
    return best


def _longer(trial: Trial, best: Trial) -> bool:
    """Whether a period is longer, and more than two passes taken for one."""
    times = trial.period / best.period
    twice = abs(times - 2) <= TWICE and trial.score < best.score
    return times > 1.2 and not twice


def _promising(scores: dict[int, float]) -> list[int]:
    top = max(scores.values(), default=0.0)
    good = [period for period, score in scores.items() if score >= NEAR_BEST * top]
    return sorted({*sorted(scores, key=lambda p: -scores[p])[:2], *sorted(good)[-2:]})


def _cut(found: Marks, period: int) -> tuple[Floats, list[int], float]:
    strength = evidence(found, period)
    borders, gain = cut(strength, period)
    # A pass gains one for its length and one for its border.
    return strength, borders, gain * period / len(found) / 2


def _trial(anchor: Anchor, found: Marks, period: int, kernels: int) -> Trial:
    strength, borders, score = _cut(found, period)
    if _exact(borders, period) >= SOME_EXACT:
        # A cut pass at the end of a run of equal tokens is no small lack of each in the run.
        exact, _ = cut(strength, period, OFF_EXACT)
        borders = exact if _exact(exact, period) >= ALL_EXACT else borders
    borders = _merged(_merged_first(borders, period, found.tokens, strength), period, found.tokens)
    lengths = np.diff(borders)
    inner = lengths[1:-1] if len(lengths) > 2 else lengths
    inner = inner[inner > draft_launches(period)]
    return Trial(
        anchor,
        period,
        borders,
        score,
        float(_regular(inner, period).mean()) if len(inner) else 0.0,
        int(_regular(lengths, period).sum()),
        _likelihood(np.flatnonzero(strength >= STRONG), period),
        _coherence(np.array(borders), found.tokens),
        _unmarked(anchor, period, kernels),
        _bordered(found, borders),
        int(found.change.sum()),
    )


def _exact(borders: list[int], period: int) -> float:
    """Share of the inner passes but for drafts that have the period's length to the launch."""
    inner = np.diff(borders)[1:-1]
    inner = inner[inner > draft_launches(period)]
    return float((inner == period).mean()) if len(inner) else 0.0


def _regular(lengths: Ints, period: int) -> Bools:
    low, high = bounds(period)
    return (lengths >= low) & (lengths <= high)


def _merged_first(borders: list[int], period: int, tokens: Ints, strength: Floats) -> list[int]:
    """A cut right after the first launch costs nothing: undo it where nothing marks it."""
    if (
        len(borders) > 3
        and borders[1] <= 2
        and borders[2] <= bounds(period)[1] + 1
        and tokens[0] == tokens[borders[1]]
        and strength[borders[1]] < STRONG
    ):
        return [0, *borders[2:]]
    return borders


def _merged(borders: list[int], period: int, tokens: Ints) -> list[int]:
    """A short pass of the tokens of its neighbour is a piece of it, if they make a pass."""
    kept, most = borders[:1], bounds(period)[1]
    for place in range(1, len(borders)):
        begin, end = kept[-1], borders[place]
        inner = len(kept) > 1 and place < len(borders) - 1
        if inner and end - kept[-2] <= most and tokens[kept[-2]] == tokens[begin]:
            pieces = (begin - kept[-2], end - begin)
            if min(pieces) <= draft_launches(period) < max(pieces):
                kept.pop()
        kept.append(end)
    return kept


def _likelihood(strong: Ints, period: int) -> float:
    """ln of how much likelier the marked borders are with the period than by chance.

    Each interval between marks adds ln(period / lengths that would do), or -3 where it is no
    multiple of the period.
    """
    low, high = bounds(period)
    gaps = np.diff(strong)
    gaps = gaps[gaps > draft_launches(period)]
    times = np.maximum(1, np.round(gaps / period))
    fit = (gaps >= times * low) & (gaps <= times * high)
    chance = np.minimum(0.95, times * (high - low + 1) / period)
    return float(np.where(fit, -np.log(chance), -3.0).sum())


def _coherence(borders: Ints, tokens: Ints) -> float:
    starts, ends = borders[:-1], borders[1:]
    typical = np.repeat(tokens[(starts + ends) // 2], ends - starts)
    same = np.add.reduceat((tokens == typical).astype(float), starts)
    return float((same / (ends - starts)).mean())


def _bordered(found: Marks, borders: list[int]) -> float:
    known = [places for s, places in found.rare.items() if s in found.at_borders and s != IDLE]
    if not known or len(borders) < 3:
        return 1.0
    places = np.unique(np.concatenate(known))
    near = np.concatenate((places - 1, places, places + 1))
    return float(np.isin(borders[1:-1], near).mean())


def _unmarked(anchor: Anchor, period: int, kernels: int) -> float:
    places = np.concatenate(([-1], anchor.places, [kernels]))
    a_pass = np.median(anchor.places[period:] - anchor.places[:-period])
    return float(np.diff(places).max() / max(1.0, float(a_pass)))
