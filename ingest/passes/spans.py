"""The passes between kernels: where each begins and ends, the ends of the window too."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from .borders import Finder, finder, kernel_borders, stretches
from .cutting import draft_launches
from .drafts import LEAST_IN_LAYER, Splitter, splitter, without_short
from .judge import Trial
from .kernels import Bools, Kernels, Role
from .signatures import NO_TOKENS, Signed

LEAST_PERIOD = 10


@dataclass(frozen=True)
class Span:
    """One pass in the making."""

    first: int
    end: int
    """One past its last kernel."""
    tokens: int
    role: Role = "target"
    counted: bool = True
    """False where the window left none of its counted launches."""


def spans(trial: Trial, signed: Signed, kernels: Kernels) -> tuple[list[Span], Finder]:
    """All passes in order; kernels before the first or after the last belong to passes cut off."""
    steps = without_short(trial)
    found = finder(steps, signed, kernels)
    if not found.marked and _of_whole_passes(steps):
        # A window that holds whole passes to the launch begins with one: no other has a reason to.
        steps = trial = replace(steps, borders=list(range(0, steps.borders[-1] + 1, steps.period)))
        found = replace(found, ahead=int(steps.anchor.places[0]))
    edges = [0, *kernel_borders(steps, found), len(signed)]
    drafts = splitter(signed, list(pairwise(edges))[1:-1])
    if drafts:
        steps = without_short(trial, last=True)
        begins = steps.anchor.tokens[steps.borders[1:-1]].tolist()
        near = [
            drafts.edge(first, last, found.ahead, tokens)
            for (first, last), tokens in zip(stretches(steps), begins, strict=True)
        ]
        edges = [0, *near, len(signed)]
    elif steps.borders != trial.borders:
        # Short passes without sampling.
        steps = trial
        edges = [0, *kernel_borders(steps, found), len(signed)]
    ends = _Ends(steps, signed, found, edges, whole=not drafts)
    edges[0], edges[-1] = ends.begin, ends.end
    inner = _with_drafts(drafts, edges, signed) if drafts else _alone(steps, edges)
    return ends.rest(0, ends.begin) + inner + ends.rest(ends.end, len(signed)), found


def _of_whole_passes(trial: Trial) -> bool:
    inner = np.diff(trial.borders)[1:-1]
    return trial.borders[-1] % trial.period == 0 and bool((inner == trial.period).all())


def _alone(steps: Trial, edges: list[int]) -> list[Span]:
    """Each pass by itself; inner ones of few launches are drafts."""
    most = draft_launches(steps.period) if steps.period >= LEAST_PERIOD else 0
    found = []
    for place, (begin, end) in enumerate(pairwise(steps.borders)):
        inner = 0 < place < len(edges) - 2
        role: Role = "draft" if inner and end - begin <= most else "target"
        tokens = _mode(steps.anchor.tokens[begin:end])
        found.append(Span(edges[place], edges[place + 1], tokens, role))
    return found


def _with_drafts(drafts: Splitter, edges: list[int], signed: Signed) -> list[Span]:
    """Passes and the drafts after them, told by their length."""
    found: list[Span] = []
    since = drafts.drafts
    for first, end in drafts.parts(edges):
        # What follows the last draft of the window is the next pass.
        beyond = end == edges[-1] and since >= drafts.drafts
        short = end - first <= drafts.most_kernels and first > edges[0] and not beyond
        since = since + 1 if short else 0
        sized = signed.tokens[first:end]
        tokens = _mode(sized[sized != NO_TOKENS])
        found.append(Span(first, end, tokens, "draft" if short else "target"))
    return found


def _mode(values: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> int:
    found, often = np.unique(values, return_counts=True)
    return int(found[np.argmax(often)]) if len(found) else 0


class _Ends:
    """What stands at the ends of the window beyond the passes with counted launches."""

    def __init__(
        self, trial: Trial, signed: Signed, finder: Finder, edges: list[int], whole: bool
    ) -> None:
        self.signed = signed
        self.passes = len(trial.borders) - 1
        self.begin, self.end = 0, len(signed)
        heads, tails = self._sides(trial, edges)
        first, last = int(trial.anchor.places[0]), int(trial.anchor.places[-1])
        # Steps with drafts are of many lengths, which tell nothing of the first and the last.
        lengths = np.diff(edges[1:-1] if whole else [])
        border = finder.sure_border(1, first, self.passes)
        if border > 0 and self._is(0, border, tails & ~heads, heads & ~tails):
            self.begin = border
        else:
            self.begin = max(0, finder.sized_border(1, first, edges[1], lengths))
        border = finder.sure_border(last + 1, self.end - 1, self.passes)
        if border > 0 and self._is(border, self.end, heads & ~tails, tails & ~heads):
            self.end = border
        elif (border := finder.sized_border(last + 1, self.end - 1, edges[-2], lengths)) > 0:
            self.end = border

    def _sides(self, trial: Trial, edges: list[int]) -> tuple[Bools, Bools]:
        """Which signatures stand before the first and after the last launch of inner passes."""
        heads, tails = (np.zeros(len(self.signed.names), np.bool_) for _ in range(2))
        for border, edge in zip(trial.borders[1:-1], edges[1:-1], strict=True):
            before, after = trial.anchor.places[border - 1 : border + 1].tolist()
            tails[self.signed.of[before + 1 : edge]] = True
            heads[self.signed.of[edge:after]] = True
        return heads, tails

    def _is(self, first: int, end: int, these: Bools, not_those: Bools) -> bool:
        held = self.signed.of[first:end]
        return bool(these[held].any() and not not_those[held].any())

    def rest(self, first: int, end: int) -> list[Span]:
        """A cut pass of which only layers without a counted launch are left, if it has any."""
        held = self.signed.of[first:end]
        tokens = self.signed.tokens[first:end]
        in_layers = (self.signed.counts[held] > 2 * self.passes) & (tokens != NO_TOKENS)
        if np.count_nonzero(in_layers) < LEAST_IN_LAYER:
            return []
        return [Span(first, end, _mode(tokens[in_layers]), counted=False)]
