"""Two modes of duration: the deepest valley of a smoothed histogram of ln duration."""

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .facts import Cell, Modes
from .ranks import Floats

LEAST = 60
SHARE = 0.1
VALLEY = 0.35
SIGMAS = 2.5
APART = math.log(1.15)
Durations = Sequence[float] | NDArray[np.float64] | NDArray[np.int64]


def two_modes(durations: Durations) -> Modes | None:
    """The cut between two modes, or None. Durations in ns, shape (launches,), in any order.

    Either side holds 10 % of the launches; the valley is below 0.35 of the lower peak and 2.5
    standard deviations (Poisson) below it; the peaks are 15 % apart.
    """
    times = np.asarray(durations, float)
    if len(times) < LEAST:
        return None
    logs = np.log(np.maximum(times, 1.0))
    low, high = np.quantile(logs, [0.005, 0.995])
    if high - low < APART:
        return None
    bins = min(48, max(10, round(2.2 * len(logs) ** 0.4)))
    counts, edges = np.histogram(np.clip(logs, low, high), bins, (low, high))
    smooth = np.convolve(np.pad(counts, 1), [0.25, 0.5, 0.25], "valid")
    found = _valley(smooth, np.cumsum(counts), edges)
    return None if found is None else _split(times, smooth, edges, found)


def _valley(smooth: Floats, below: NDArray[np.int64], edges: Floats) -> int | None:
    """The bin that lies deepest below the lower of the peaks on its two sides."""
    total, best, deepest = below[-1], None, 0.0
    for bin_ in range(1, len(smooth) - 1):
        if not SHARE * total <= below[bin_ - 1] <= (1 - SHARE) * total:
            continue
        left = int(smooth[:bin_].argmax())
        right = bin_ + 1 + int(smooth[bin_ + 1 :].argmax())
        peak, floor = min(smooth[left], smooth[right]), smooth[bin_]
        apart = edges[right] - edges[left] >= APART
        if apart and floor <= VALLEY * peak and _sigmas(peak, floor) >= SIGMAS:
            if best is None or peak - floor > deepest:
                best, deepest = bin_, peak - floor
    return best


def _sigmas(peak: float, floor: float) -> float:
    """Difference of two counts in standard deviations, both being Poisson."""
    return (peak - floor) / math.sqrt(peak + floor) if peak > floor else 0.0


def _split(times: Floats, smooth: Floats, edges: Floats, first: int) -> Modes:
    """Cut in the middle of the valley's flat ground."""
    last = first
    while last + 1 < len(smooth) - 1 and smooth[last + 1] <= smooth[first]:
        last += 1
    cut = math.exp((edges[first] + edges[last + 1]) / 2)
    slow = times >= cut
    peak = min(smooth[:first].max(), smooth[first + 1 :].max())
    return Modes(
        cut=cut,
        low=float(np.median(times[~slow])),
        high=float(np.median(times[slow])),
        share=float(slow.mean()),
        depth=_sigmas(float(peak), float(smooth[first])),
    )


def shared_modes(members: Iterable[Durations]) -> Modes | None:
    """One cut for a group: that of the member shape, on either side, whose valley is deepest."""
    found = [modes for one in members if (modes := two_modes(one)) is not None]
    return max(found, key=lambda modes: modes.depth, default=None)


def cell(pass_id: int, durations: Durations, modes: Modes | None = None) -> Cell:
    """Sum up the launches (at least one, in ns) of a row in one pass."""
    times = np.asarray(durations, float)
    slow = times[times >= modes.cut] if modes else times[:0]
    return Cell(
        pass_id=pass_id,
        p50_ns=float(np.median(times)),
        mean_ns=float(times.mean()),
        launches=len(times),
        total_ns=int(times.sum()),
        above=len(slow),
        above_p50_ns=float(np.median(slow)) if len(slow) else None,
    )
