"""Kernel tables and databases that one rank's profiler wrote of the same window: one is stored.

The table unless the user prefers the database: it is exact to the row in every version of the
tools, and it is what people look at and what the vendor's sums beside it are of.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..errors import ProfdbError
from . import ascend_csv, ascend_db, ascend_tasks, ascend_trace
from .folders import home_of
from .source import Skipped, Source, Unreadable

TEXT, DATABASE = "text", "db"
_FORMATS = {TEXT: ascend_csv.FORMAT, DATABASE: ascend_db.FORMAT}
_LACKING = (ascend_trace.FORMAT, ascend_tasks.FORMAT)
"""Sources without shapes and operator types, the better one first: read where there is no other."""


def one_of_each(
    sources: list[Source], skipped: list[Skipped], prefer: str = TEXT
) -> tuple[list[Source], list[Skipped]]:
    """Keep one source of each profile, with its twins; say of the others which one is stored."""
    if prefer not in _FORMATS:
        raise ProfdbError(f"no kind of source {prefer!r}; prefer is {TEXT} or {DATABASE}")
    left: dict[Source, Source] = {}
    for group in _groups(sources):
        of_format = {kind: [s for s in group if s.format == _FORMATS[kind]] for kind in _FORMATS}
        newest_first = sorted(of_format[DATABASE], key=_file_name, reverse=True)
        databases = sorted(newest_first, key=_is_msprof)
        tables = of_format[TEXT]
        # Where the analysis failed the table may have nothing but its header.
        wanted = prefer == TEXT and any(ascend_csv.has_rows(one.files[0]) for one in tables)
        read = tables if wanted else databases[:1]
        if not read and not tables:
            read = sorted(group, key=lambda one: _LACKING.index(one.format))[:1]
        if read:
            left |= {one: _nearest(one, read) for one in group if one not in read}
    kept = [_with_twins(source, left) for source in sources if source not in left]
    if prefer == TEXT:
        skipped = [_beside_a_table(one, kept) for one in skipped]
    return kept, skipped + [s for one, read in left.items() for s in _said(one, read)]


def _beside_a_table(one: Skipped, kept: list[Source]) -> Skipped:
    """A database that cannot be read is no loss where the table of its rank is stored."""
    if not isinstance(one, Unreadable) or one.path.suffix != ".db":
        return one
    for source in kept:
        if source.format == _FORMATS[TEXT] and home_of(source.files[0]) == home_of(one.path):
            read = source.files[0].name
            return Skipped(one.path, f"{one.reason}; {read} of the same profile is read")
    return one


def _with_twins(source: Source, left: dict[Source, Source]) -> Source:
    """Give a source those left for it that are of another format."""
    of_it = (one for one, read in left.items() if read is source)
    others = set(_FORMATS.values()) - {source.format}
    twins = tuple(one for one in of_it if one.format in others)
    return replace(source, twins=twins) if twins else source


def _said(one: Source, read: Source) -> list[Skipped]:
    way = ""
    if one.format in _LACKING:
        way = "" if one.format == read.format else ", and holds less"
    elif one.format != read.format:
        kind = next(kind for kind, name in _FORMATS.items() if name == one.format)
        way = f" (--prefer {kind} reads this one)"
    reason = f"same profile as {read.files[0].name}, which is read{way}"
    return [Skipped(file, reason) for file in one.files]


def _nearest(one: Source, read: list[Source]) -> Source:
    return next((s for s in read if s.files[0].parent == one.files[0].parent), read[0])


def _file_name(source: Source) -> str:
    """Name of a database: repeated exports differ by the time in it."""
    return source.files[0].name


def _is_msprof(source: Source) -> bool:
    """Whether a database is msprof's, which lacks the operators of the framework."""
    return source.files[0].name.startswith("msprof")


def _groups(sources: Iterable[Source]) -> list[list[Source]]:
    """Sources of one profile together, where a folder tells it."""
    homes: dict[Path, list[Source]] = {}
    for source in sources:
        if source.format in (*_FORMATS.values(), *_LACKING):
            file = source.files[0]
            alone = ascend_db.MONITOR.fullmatch(file.name)
            homes.setdefault(file if alone else home_of(file), []).append(source)
    return [group for home in homes.values() for group in _by_rank(home)]


def _by_rank(home: list[Source]) -> list[list[Source]]:
    """One group per rank; what tells no rank is of the only one there is."""
    ranks = {source.rank for source in home if source.rank >= 0}
    if len(ranks) <= 1:
        return [home]
    return [[source for source in home if source.rank == rank] for rank in sorted(ranks)]
