"""What a judgement is given and what it answers."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Key(NamedTuple):
    """Name of a row; a shape group such as '220-222'."""

    phase: str | None
    op: str
    group: str | None


EVERYTHING = Key(None, "everything", None)
"""The row of the common pass factor."""


@dataclass(frozen=True)
class Cell:
    """A row's launches in one complete forward pass.

    With a row of two modes, above counts the launches above its valley, above_p50_ns is their
    median duration, None where there are none.
    """

    pass_id: int
    p50_ns: float
    mean_ns: float
    launches: int
    total_ns: int
    above: int = 0
    above_p50_ns: float | None = None


@dataclass(frozen=True)
class Side:
    """A row in one run: a cell per pass, and its share (0 to 1) of the window's time."""

    cells: tuple[Cell, ...] = ()
    share: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a pass that stands twice: it would count as two pieces of evidence."""
        if len({cell.pass_id for cell in self.cells}) < len(self.cells):
            raise ValueError("a pass has two cells in one row")


Run = Mapping[Key, Side]


@dataclass(frozen=True)
class Modes:
    """Two modes of duration and the valley between them, in ns.

    share is that of the launches at or above the cut; depth is the drop from the lower peak to
    the valley in standard deviations of counts.
    """

    cut: float
    low: float
    high: float
    share: float
    depth: float


@dataclass(frozen=True)
class Row:
    """One row on both sides; modes where its durations have two."""

    key: Key
    base: Side = Side()
    cand: Side = Side()
    modes: Modes | None = None


class Outcome(StrEnum):
    """The verdict of a row."""

    REGRESSED = "regressed"
    IMPROVED = "improved"
    UNCHANGED = "unchanged"
    INCONCLUSIVE = "inconclusive"


class Statistic(StrEnum):
    """What of a pass is compared."""

    P50 = "p50"
    MEAN = "mean"
    SHARE = "share above the valley"
    ABOVE = "median above the valley"
    FACTOR = "common factor of a pass"


class Reason(StrEnum):
    """Why a row is inconclusive; the numbers stand in the verdict and the judgement."""

    ONE_RUN = "in one run only"
    TOO_SMALL = "not tested: below 0.1 % of the window"
    TOO_FEW = "too few passes"
    TOO_MANY_ROWS = "too few passes for so many rows"
    WIDE = "interval is wider than the floor"
    MEAN = "p50 and mean disagree"
    MODES = "share and median above the valley disagree"
    CLOCK = "no more than two runs may differ by without a measured floor"
    COMMON = "moves only against the common change"


@dataclass(frozen=True)
class Shift:
    """Hodges-Lehmann shift and its 95 % interval; infinite bounds where passes are too few."""

    middle: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """One statistic of the passes of both sides.

    raw is in ln of duration, or in shares; one unit of it is worth so much ln of duration.
    """

    statistic: Statistic
    passes: tuple[int, int]
    raw: Shift
    p: float
    worth: float = 1.0
    adjusted_p: float | None = None

    @property
    def shift(self) -> float:
        """Relative change (0.05: 5 % slower), or the difference of the shares."""
        return self._told(self.raw.middle)

    @property
    def low(self) -> float:
        """Lower end of the 95 % interval, as the shift is told."""
        return self._told(self.raw.low)

    @property
    def high(self) -> float:
        """Upper end of the 95 % interval, as the shift is told."""
        return self._told(self.raw.high)

    @property
    def ln(self) -> Shift:
        """The shift in ln of duration, shares at what they are worth."""
        return Shift(*(x * self.worth for x in (self.raw.middle, self.raw.low, self.raw.high)))

    def _told(self, raw: float) -> float:
        """A difference of shares cannot pass 1; a ln becomes a ratio less 1."""
        if self.statistic is Statistic.SHARE:
            return min(1.0, max(-1.0, raw))
        return math.expm1(raw)


@dataclass(frozen=True)
class Verdict:
    """What is said of one row, and by which comparison; the others are only for show.

    smallest_p is the smallest two-sided p that so many passes (base, cand) can give. Where
    factor_removed is true, shifts of times are those beside the common change of a pass.
    """

    key: Key
    outcome: Outcome
    reason: Reason | None
    passes: tuple[int, int]
    shares: tuple[float, float]
    smallest_p: float
    by: Comparison | None = None
    others: tuple[Comparison, ...] = ()
    factor_removed: bool = False

    @property
    def changed(self) -> bool:
        """Whether a change is claimed."""
        return self.outcome in (Outcome.REGRESSED, Outcome.IMPROVED)


@dataclass(frozen=True)
class Floor:
    """Relative shifts up to which nothing is claimed; worst is the row that set a measured one.

    The common factor has no others beside it to be compared with: clocks that differ between two
    runs look like a change, so its floor is higher until repeated runs have measured it.
    """

    rows: float = 0.03
    everything: float = 0.05
    worst: Key | None = None


@dataclass(frozen=True)
class Judgement:
    """Verdicts of all rows in the order given; everything is None without a pass factor.

    tested is the number of comparisons whose p were adjusted together.
    """

    rows: tuple[Verdict, ...]
    everything: Verdict | None
    tested: int
    q: float
    floor: Floor = field(default_factory=Floor)

    @property
    def common(self) -> bool:
        """One finding: all operators changed together (clock, power), none beside that."""
        if self.everything is None or not self.everything.changed:
            return False
        return not any(row.changed or row.reason is Reason.COMMON for row in self.rows)
