"""Which ranks of an Ascend run have no profile, by what the others say of their world."""

import itertools
import json
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from .source import Source

_SHOWN = 8
_PLACE = re.compile(r"\b(dp|pp|tp)(\d+)\b")
Place = tuple[tuple[str, int], ...]


def absent_ranks(sources: Iterable[Source], present: Collection[int]) -> str | None:
    """Say which ranks are missing where `present` are there; None where none is known to be."""
    ascend = [source for source in sources if source.format.startswith("ascend")]
    places = {place for source in ascend if (place := _place(source.layout))}
    if len(places) > len(set(present)):
        # Data-parallel engines of their own number their ranks from 0 each.
        return _by_place(places)
    world = max((_world_size(source.files[0]) for source in ascend), default=0)
    if not world:
        return _by_place(places)
    lacking = sorted(set(range(world)) - set(present))
    if not lacking or -1 in present:
        return None
    return f"no profile of {_ranges(lacking)} of {world} (world size by profiler_metadata.json)"


def _by_place(places: set[Place]) -> str | None:
    """By the folders' names: a place in every dimension that one of them has."""
    if not places:
        return None
    names = [name for name, _ in next(iter(places))]
    sizes = [max(dict(place).get(name, 0) for place in places) + 1 for name in names]
    world = [
        tuple(zip(names, numbers, strict=True))
        for numbers in itertools.product(*map(range, sizes))
    ]  # fmt: skip
    lacking = [place for place in world if place not in places]
    if not lacking:
        return None
    texts = [" ".join(f"{name}{number}" for name, number in place) for place in lacking]
    more = [f"{len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    listed = ", ".join(texts[:_SHOWN] + more)
    return f"no profile of {listed}, {len(lacking)} of {len(world)} (by the folders' names)"


def _place(layout: str | None) -> Place:
    return tuple((name, int(number)) for name, number in _PLACE.findall(layout or ""))


def _world_size(file: Path) -> int:
    for folder in file.parents[:2]:
        for notes in [folder / "profiler_metadata.json", *sorted(folder.glob("profiler_info*"))]:
            if size := _size_in(_read(notes)):
                return size
    return 0


def _read(path: Path) -> dict[str, Any]:
    try:
        notes = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def _size_in(notes: dict[str, Any]) -> int:
    """World size where the notes tell it, else the ranks of the group of all."""
    told = notes.get("distributed_args")
    for value in (told if isinstance(told, dict) else {}, notes):
        size = value.get("world_size")
        if isinstance(size, int | str) and str(size).isdecimal():
            return int(size)
    groups = notes.get("parallel_group_info")
    for group in groups.values() if isinstance(groups, dict) else ():
        if isinstance(group, dict) and group.get("group_name") == "default_group":
            return len(group.get("global_ranks") or ())
    return 0


def _ranges(numbers: list[int]) -> str:
    """Numbers as text, neighbours joined: rank 7; ranks 1, 3-5."""
    texts = []
    for _, group in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        texts.append(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}")
    return ("rank " if len(numbers) == 1 else "ranks ") + ", ".join(texts)
