"""Which launch of a capture became which kernel of a replay: by order and by name."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Captured:
    """Names of the launches of captured graphs, in the order of the calls."""

    number: int
    names: Sequence[int]
    marked: bool
    """Whether the trace tells where the capture of the graph begins and ends."""


@dataclass(frozen=True)
class Replayed:
    """Names of the kernels of replays, stream by stream in the order of time."""

    number: int
    names: Sequence[int]
    streams: Sequence[int]


def align(
    captured: Iterable[Captured], replayed: Iterable[Replayed]
) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Give (replayed, captured, place among the launches of each kernel) for whole matches."""
    known = list(captured)
    whole = {tuple(one.names): one for one in known if one.marked}
    mixed: dict[tuple[int, ...], list[Captured]] = {}
    for one in whole.values():
        mixed.setdefault(tuple(sorted(one.names)), []).append(one)
    parts = [one for one in known if not one.marked]
    for replay in replayed:
        if len(set(replay.streams)) > 1:
            for one in mixed.get(tuple(sorted(replay.names)), ()):
                if places := interleave(one.names, replay.names, replay.streams):
                    yield replay.number, one.number, places
            continue
        if found := whole.get(tuple(replay.names)):
            yield replay.number, found.number, range(len(replay.names))
        for one in parts:
            for start in occurrences(replay.names, one.names):
                yield replay.number, one.number, range(start, start + len(replay.names))


def occurrences(names: Sequence[int], within: Sequence[int]) -> Iterator[int]:
    """Give every place where the names stand one after the other.

    >>> list(occurrences([2, 1], [1, 2, 1, 2, 1]))
    [1, 3]
    """
    # As bytes, which are searched fast; what is found must begin at the first byte of a number.
    wanted, whole, size = array("q", names).tobytes(), array("q", within).tobytes(), 8
    at = -1
    while (at := whole.find(wanted, at + 1)) >= 0:
        if at % size == 0:
            yield at // size


def interleave(
    captured: Sequence[int], names: Sequence[int], streams: Sequence[int]
) -> list[int] | None:
    """Deal launches out to streams that each take them in order.

    None where one fits no stream, or two: a launch call does not tell the stream it is captured on.

    >>> interleave([1, 2, 3], [1, 3, 2], [7, 7, 8])
    [0, 2, 1]
    """
    waiting: dict[int, list[int]] = {}
    for place in reversed(range(len(names))):
        waiting.setdefault(streams[place], []).append(place)
    found = [-1] * len(names)
    for launch, name in enumerate(captured):
        fitting = [queue for queue in waiting.values() if queue and names[queue[-1]] == name]
        if len(fitting) != 1:
            return None
        found[fitting[0].pop()] = launch
    return found
