"""Tables of one export: slices and iterations united, older exports and copies left.

Of tasks too, which are read only where a rank has neither kernel table nor database.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from . import ascend_csv, ascend_db, ascend_tasks
from .folders import home_of
from .source import Skipped, Source
from .vendor_files import ENDING, UNREAD, time_and_part

_TABLE = re.compile("(?:op_summary|task_time)" + ENDING)
_OUTPUT = "ASCEND_PROFILER_OUTPUT"
_TABLES = ascend_csv.FORMAT, ascend_tasks.FORMAT
_BETTER = ascend_csv.FORMAT, ascend_db.FORMAT


def join(sources: list[Source], skipped: list[Skipped]) -> tuple[list[Source], list[Skipped]]:
    """One source per profile, where several tables hold its kernels or a part of them."""
    exports: dict[Path, list[Source]] = {}
    others, left = [], []
    better = {home_of(one.files[0]) for one in sources if one.format in _BETTER}
    for source in sources:
        if source.format == ascend_tasks.FORMAT and home_of(source.files[0]) in better:
            left.append(Skipped(source.files[0], UNREAD))
        elif source.format not in _TABLES or not _TABLE.fullmatch(source.files[0].name):
            others.append(source)
        elif _is_copy(source, sources):
            left.append(_copy_of(source))
        else:
            exports.setdefault(source.files[0].parent, []).append(source)
    for export in exports.values():
        newest = _newest(export)
        others.append(replace(newest[0], files=tuple(one.files[0] for one in newest)))
        left += [_older(one, newest[0]) for one in export if one not in newest]
    return others, skipped + left


def _is_copy(source: Source, sources: Iterable[Source]) -> bool:
    """Whether torch_npu made a table of these kernels in the folder of the same rank."""
    if source.files[0].parent.name == _OUTPUT:
        return False
    return any(one.path == source.path and one.files[0].parent.name == _OUTPUT for one in sources)


def _copy_of(source: Source) -> Skipped:
    return Skipped(source.files[0], f"the same kernels as in {_OUTPUT} of its rank folder")


def _newest(export: list[Source]) -> list[Source]:
    """The parts of the newest export in their order."""
    last = max(_place(one)[0] for one in export)
    return sorted((one for one in export if _place(one)[0] == last), key=_place)


def _older(source: Source, newest: Source) -> Skipped:
    reason = f"older export: {newest.files[0].name} of the same folder is read"
    return Skipped(source.files[0], reason)


def _place(source: Source) -> tuple[int, tuple[int, ...]]:
    match = _TABLE.fullmatch(source.files[0].name)
    return time_and_part(match) if match else (0, ())
