"""Durations that hold given totals, means and percentiles, in integer nanoseconds."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate, chain
from math import exp
from random import Random
from statistics import NormalDist
from typing import NamedTuple

from ..errors import ProfdbError
from .figures import CountFigures, to_ns

US = 1_000
HALVINGS = 60
NORMAL = NormalDist()

Knots = dict[int, int]  # rank -> duration in ns


class Gap(NamedTuple):
    """Ranks between two knots, with the normal shape of their values (0 low knot, 1 high)."""

    low_ns: int
    high_ns: int
    rising: bool
    shape: list[float]


def shares(total_ns: int, weights: Sequence[float], what: str) -> list[int]:
    """`total_ns` cut in proportion to `weights`, at least 1 ns each, adding up exactly."""
    spare = total_ns - len(weights)
    if spare < 0 or (total_ns and not weights):
        raise ProfdbError(
            f"figures: {what} is impossible: {total_ns} ns on {len(weights)} launches"
        )
    scale = spare / (sum(weights) or 1)
    ends = [round(end * scale) for end in accumulate(weights)]
    if ends:
        ends[-1] = spare
    return [end - start + 1 for start, end in zip([0, *ends], ends, strict=False)]


def jittered(weights: Sequence[float], rng: Random, spread: float = 0.03) -> list[float]:
    """Each weight times a normal factor of that relative spread."""
    return [weight * max(0.2, rng.gauss(1.0, spread)) for weight in weights]


def group_durations(
    counts: Sequence[CountFigures], pooled_us: float, from_tokens: int, rng: Random
) -> dict[int, list[int]]:
    """Per token count the sorted durations in ns; `pooled_us` is the median over prefill, or 0."""
    knots = {count.tokens: _knots(count) for count in counts}
    pool = [count for count in counts if count.tokens >= from_tokens]
    if pooled_us and [count.p50_us for count in pool] != [pooled_us]:
        _pin_pooled_median(pool, knots, to_ns(pooled_us, US))
    return {count.tokens: _filled(count, knots[count.tokens], rng) for count in counts}


def dealt(durations: Sequence[int], sizes: Sequence[int], rng: Random) -> list[list[int]]:
    """Sorted durations dealt to passes of those sizes, a fair sample each, shuffled inside."""
    slots = sorted(
        ((position + 0.5) / size, rng.random(), index)
        for index, size in enumerate(sizes)
        for position in range(size)
    )
    passes: list[list[int]] = [[] for _ in sizes]
    for duration, (_, _, index) in zip(durations, slots, strict=True):
        passes[index].append(duration)
    for launches in passes:
        rng.shuffle(launches)
    return passes


def _percentile_knots(n: int, percent: int, value: int, spread: int, top: int | None) -> Knots:
    """The order statistics around a percentile, so that linear interpolation gives `value`."""
    rank, part = divmod((n - 1) * percent, 100)
    if not part:
        return {rank: value}
    if top is not None and rank + 2 == n:
        return {rank: round((100 * value - part * top) / (100 - part)), rank + 1: top}
    return {rank: value - part * spread, rank + 1: value + (100 - part) * spread}


def _knots(count: CountFigures) -> Knots:
    n, p50, p99 = count.launches, to_ns(count.p50_us, US), to_ns(count.p99_us, US)
    top = None if count.max_us is None else to_ns(count.max_us, US)
    if n < 2 or not 0 < p50 <= p99:
        raise ProfdbError(f"{_name(count)}: launches, p50_us and p99_us are impossible")
    knots = {n - 1: p99 + (p99 - p50) // 2 if top is None else top}
    knots |= _mode_knots(count, p50) if count.modes_us else {0: _least(p50, p99)}
    knots |= _percentile_knots(n, 50, p50, 1 + p50 // 1_000_000, top)
    knots |= _percentile_knots(n, 99, p99, 1 + p99 // 1_000_000, top)
    return knots


def _least(p50: int, p99: int) -> int:
    return max(7 * p50 // 20, p50 - 13 * (p99 - p50) // 10)


def _mode_knots(count: CountFigures, p50: int) -> Knots:
    """A low and a high half around their modes; the median opens the high one."""
    if len(count.modes_us) != 2:
        raise ProfdbError(f"{_name(count)}: modes_us must be two")
    low, high = (to_ns(mode, US) for mode in count.modes_us)
    lows = (count.launches - 2) // 2
    return {
        0: low * 4 // 5,
        lows // 2: low,
        lows - 1: low * 5 // 4,
        lows: p50 - p50 // 200,
        (lows + count.launches) // 2: high,
    }


def _pin_pooled_median(pool: list[CountFigures], knots: dict[int, Knots], median: int) -> None:
    """Pin in each group how many launches lie below the pooled median, and its neighbours."""
    total = sum(count.launches for count in pool)
    bounds = [_below(knots[count.tokens], median) for count in pool]
    excess = sum(wanted for _, wanted, _ in bounds) - total // 2
    side = 0 if excess > 0 else 2
    slack = [abs(bound[1] - bound[side]) for bound in bounds]
    if not pool or abs(excess) > sum(slack):
        tokens = ", ".join(str(count.tokens) for count in pool)
        raise ProfdbError(
            f"figures: prefill_p50_us of {tokens} tokens is impossible beside their counts;"
            " 0 asks for none"
        )
    moves = [move - 1 for move in shares(abs(excess) + len(slack), slack, "prefill_p50_us")]
    step = 1 if excess < 0 else -1
    own = max(range(len(pool)), key=slack.__getitem__)
    for index, (count, bound) in enumerate(zip(pool, bounds, strict=True)):
        rank = bound[1] + step * moves[index]
        _pin_around(knots[count.tokens], rank, median, index == own, bool(total % 2))


def _pin_around(knots: Knots, rank: int, median: int, own: bool, odd: bool) -> None:
    below, above = (median - 1, median + 1) if own else (median - 2, median + 2)
    knots.setdefault(rank - 1, below)
    knots.setdefault(rank, median if own and odd else above)


def _below(knots: Knots, value: int) -> tuple[int, int, int]:
    """Least, natural and greatest number of launches below `value`."""
    ranks = sorted(knots)
    after = bisect_left([knots[rank] for rank in ranks], value)
    if after in (0, len(ranks)):
        at = ranks[0] if after == 0 else ranks[-1] + 1
        return at, at, at
    low, high = ranks[after - 1], ranks[after]
    if high - low < 4:
        return high, high, high
    part = (value - knots[low]) / (knots[high] - knots[low])
    return low + 2, max(low + 2, min(high - 1, low + round(part**0.5 * (high - low)))), high - 1


def _filled(count: CountFigures, knots: Knots, rng: Random) -> list[int]:
    """All durations of a group: the knots, and between them what gives the mean."""
    ranks = sorted(knots)
    if any(knots[low] > knots[high] for low, high in zip(ranks, ranks[1:], strict=False)):
        raise ProfdbError(f"{_name(count)}: p50_us, p99_us, max_us and modes_us are impossible")
    gaps = _gaps(count, knots, ranks, rng)
    total = to_ns(count.mean_us, US) * count.launches
    tilt_low, tilt_high = -8.0, 8.0
    for _ in range(HALVINGS):
        tilt = (tilt_low + tilt_high) / 2
        reached = sum(knots.values()) + sum(sum(_values(gap, tilt)) for gap in gaps)
        tilt_low, tilt_high = (tilt, tilt_high) if reached < total else (tilt_low, tilt)
    values = list(chain.from_iterable(_values(gap, tilt) for gap in gaps))
    return _closed(count, values, [knots[rank] for rank in ranks], total)


def _gaps(count: CountFigures, knots: Knots, ranks: list[int], rng: Random) -> list[Gap]:
    centres = [rank for rank in ranks if knots[rank] in [to_ns(m, US) for m in count.modes_us]]
    centres = centres or [(count.launches - 1) // 2]
    gaps = []
    for low, high in zip(ranks, ranks[1:], strict=False):
        nearest = min(centres, key=lambda centre: abs(2 * centre - low - high))
        shape = _normal_shape(low, high, count.launches, rng)
        gaps.append(Gap(knots[low], knots[high], high <= nearest + 1, shape))
    return gaps


def _normal_shape(low: int, high: int, n: int, rng: Random) -> list[float]:
    """Normal deviates of the ranks between two knots, as parts of the way from one to the other."""
    first, last = (NORMAL.inv_cdf((rank + 0.5) / n) for rank in (low, high))
    drawn = (NORMAL.inv_cdf((rank + rng.uniform(0.1, 0.9)) / n) for rank in range(low + 1, high))
    return [(deviate - first) / (last - first) for deviate in drawn]


def _values(gap: Gap, tilt: float) -> list[int]:
    """Values that crowd towards the centre of their mode; a greater tilt makes them longer."""
    low, width = gap.low_ns, gap.high_ns - gap.low_ns
    if gap.rising:
        power = 1.5 * exp(tilt)
        return [low + round(width * (1 - (1 - part) ** power)) for part in gap.shape]
    power = 1.5 * exp(-tilt)
    return [low + round(width * part**power) for part in gap.shape]


def _closed(count: CountFigures, values: list[int], pinned: list[int], total: int) -> list[int]:
    """The last nanoseconds of the total, given to values that stay between their knots."""
    rest = total - sum(values) - sum(pinned)
    step = 1 if rest > 0 else -1
    taken = set(pinned)
    for _ in range(50):
        for index, value in enumerate(values):
            if rest and value not in taken and value + step not in taken:
                values[index] += step
                rest -= step
    if rest:
        raise ProfdbError(f"{_name(count)}: mean_us {count.mean_us} is impossible beside the rest")
    return sorted(values + pinned)


def _name(count: CountFigures) -> str:
    return f"figures: {count.tokens} tokens"
