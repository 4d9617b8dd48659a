"""The best cut of a list of launches into passes of a period, by dynamic programming."""

from bisect import bisect_left
from operator import add

import numpy as np

from .evidence import STRONG, WEAK, tolerance
from .kernels import Floats

OFF_PERIOD = 0.03
OFF_EXACT = 0.5
"""The same where passes that lack nothing say that a pass of another length is none."""
NO_EVIDENCE = -0.3
CUT_BY_WINDOW = -0.2
IRREGULAR = -1.2
DRAFT = -0.3
DRAFT_PART = 0.1
_NEVER = -1e18


def bounds(period: int) -> tuple[int, int]:
    """Least and most launches of a regular pass."""
    near = tolerance(period)
    return max(1, period - near), period + near // 3


def draft_launches(period: int) -> int:
    """Most launches of the drafts of a step: a tenth of the period, or a few."""
    return max(2, int(DRAFT_PART * period), min(5, period // 6))


def cut(strength: Floats, period: int, off: float = OFF_PERIOD) -> tuple[list[int], float]:
    """Borders from 0 to N that gain most, and the gain.

    A regular pass gains 1, less `off` for each launch that its length is off; a border gains its
    evidence, and evidence left inside a pass is lost.
    """
    return _Cutter(strength, period, off).cut()


class _Cutter:
    def __init__(self, strength: Floats, period: int, off: float) -> None:
        self.count = len(strength) - 1
        self.low, self.high = bounds(period)
        self.draft = draft_launches(period)
        self.strength = strength.tolist()
        self.strength[self.count] = 1.0
        self.passed = np.concatenate(([0.0], np.cumsum(strength))).tolist()
        self.strong = np.flatnonzero(strength[:-1] >= STRONG).tolist()
        lengths = range(self.high, self.low - 1, -1)
        self.bonus = [1 - off * abs(length - period) for length in lengths]
        self.gain = [0.0] + [_NEVER] * self.count
        # Gain up to a border, plus the evidence that a pass from there on does not lose.
        self.open = [self.passed[1]] + [_NEVER] * self.count

    def cut(self) -> tuple[list[int], float]:
        back = [0] * (self.count + 1)
        for border in range(1, self.count + 1):
            gain, back[border] = self._best(border)
            self.gain[border] = gain
            if border < self.count:
                self.open[border] = gain + self.passed[border + 1]
        borders = [self.count]
        while borders[-1]:
            borders.append(back[borders[-1]])
        return borders[::-1], self.gain[self.count]

    def _best(self, border: int) -> tuple[float, int]:
        mark = self.strength[border]
        earned = (mark if mark >= WEAK else NO_EVIDENCE) - self.passed[border]
        best, start = self._regular(border)
        if border < self.high and CUT_BY_WINDOW + self.open[0] > best:
            best, start = CUT_BY_WINDOW + self.open[0], 0
        best += earned
        if mark >= STRONG:
            best, start = self._irregular(border, earned, best, start)
        if border == self.count:
            best, start = self._last(best, start)
        return best, start

    def _regular(self, border: int) -> tuple[float, int]:
        first = border - self.high
        opened = self.open[max(0, first) : border - self.low + 1] if border >= self.low else []
        if not opened:
            return _NEVER, 0
        gains = list(map(add, opened, self.bonus[max(0, -first) :]))
        best = max(gains)
        return best, max(0, first) + gains.index(best)

    def _irregular(self, border: int, earned: float, best: float, start: int) -> tuple[float, int]:
        """Between two strong marks a pass may have any length; few launches are a draft's."""
        place = bisect_left(self.strong, border)
        for begin in self.strong[max(0, place - 4) : place]:
            if border - begin > self.draft:
                gain = self.open[begin] + earned + IRREGULAR
            else:
                gain = self.open[begin] - self.passed[border] + DRAFT
            if gain > best:
                best, start = gain, begin
        return best, start

    def _last(self, best: float, start: int) -> tuple[float, int]:
        """The window may cut the last pass."""
        for begin in range(max(0, self.count - self.high), self.count):
            gain = self.open[begin] - self.passed[self.count] + CUT_BY_WINDOW
            if gain > best:
                best, start = gain, begin
        return best, start
