"""Ascend folders without anything to read: what is missing, and the command that makes it."""

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from .ascend_db import VIEWERS
from .ascend_info import level_of, profiler_info, without_device
from .source import Skipped, Source

_RANK_FOLDER = re.compile(r".+_ascend_(pt|ms)")
_RAW = re.compile(r"PROF_.+")
_OUTPUT = "ASCEND_PROFILER_OUTPUT"
# What a profiler leaves for its own parser.
_INSIDE = re.compile(r"host|device_\d+|FRAMEWORK|logs|mindstudio_profiler_log")
_ERROR = re.compile(rb"^\[[^\]]*\] \[(?:ERROR|CRITICAL)\] (?:\[[^\]]*\] )?(.+)$", re.MULTILINE)
_LOG_BYTES = 1 << 24
"""More than a log of the parser grows to before it begins another."""
_SHOWN = 200
_SAMPLE = "not a format that is known", "empty file"


class Unparsed(Skipped):
    """A folder from which the vendor's own parser has to make something first."""


def join(paths: Iterable[Path], sources: list[Source], skipped: list[Skipped]) -> list[Skipped]:
    """Say of each folder that was never parsed what to do, once in place of once per file in it."""
    read = [file for source in sources for file in source.files]
    found: list[Skipped] = [
        Unparsed(folder, reason)
        for folder in _folders(paths)
        if not any(file.is_relative_to(folder) for file in read) and (reason := _reason(folder))
    ]
    return [one for one in skipped if not _is_raw(one)] + found


def _is_raw(one: Skipped) -> bool:
    """Whether a file lies in the part of a folder that only the vendor's parser reads."""
    if one.reason not in _SAMPLE:
        return False
    names = one.path.parts
    roots = [n for n, name in enumerate(names) if _RAW.fullmatch(name) or _is_rank(name)]
    return bool(roots) and any(_INSIDE.fullmatch(name) for name in names[roots[0] + 1 : -1])


def _is_rank(name: str) -> bool:
    return _RANK_FOLDER.fullmatch(name) is not None


def _folders(paths: Iterable[Path]) -> Iterator[Path]:
    """Rank folders, and raw ones outside of them, below the paths or around them."""
    for path in (given.absolute() for given in paths):
        if path.name == _OUTPUT:
            yield path.parent
        for folder, below, _ in os.walk(path):
            if _is_rank(Path(folder).name) or _RAW.fullmatch(Path(folder).name):
                below.clear()
                yield Path(folder)


def _reason(folder: Path) -> str | None:
    """What a folder lacks, why, and what to do; None where a file of it has been said enough of."""
    raw = [folder] if _RAW.fullmatch(folder.name) else sorted(folder.glob("PROF_*"))
    state = _state(folder, raw)
    if state is None:
        return None
    why = f" ({told})" if (told := _told_by_logs(folder)) else ""
    if unrecorded := _unrecorded(folder):
        return f"{unrecorded}; record anew with ProfilerActivity.NPU, at profiler_level Level1"
    if not raw:
        return state + why + _lost(folder)
    # msprof refuses the files of another user.
    where = "on a host with the Ascend tools, msprof in PATH, as the owner of the folder"
    return f"{state}{why}: {where}, {parse_command(folder)}"


def _state(folder: Path, raw: list[Path]) -> str | None:
    output = folder / _OUTPUT
    databases = [*output.glob("*.db"), *folder.glob("*.db"), *folder.glob("PROF_*/*.db")]
    if any(file.name != VIEWERS for file in databases):
        return None
    again = "; parse it again" if raw else ""
    if any((place / "analyse.done").exists() for place in (folder, output)):
        state = "analyse.done stands there whether the analysis went well or not, and no kernel"
        return f"{state} table was written{again}"
    if any(any(place.glob("mindstudio_profiler_output/op_summary*.json")) for place in raw):
        return "the summaries were exported as JSON, which is not read; export them as CSV"
    if raw and not any(output.glob("*.csv")):
        return "raw Ascend data that was never parsed"
    if output.is_dir():
        return f"no kernel table: the window recorded no kernels, or the analysis failed{again}"
    return None if raw else "neither output nor raw data"


def _unrecorded(folder: Path) -> str | None:
    """Why there are no kernels to be parsed, by the profiler's notes."""
    info = profiler_info(folder / _OUTPUT)
    if level_of(info) == "Level_none":
        return "no kernels were recorded: profiler_level was Level_none"
    return "no kernels were recorded: of the host alone" if without_device(info) else None


def _told_by_logs(folder: Path) -> str | None:
    """The first error of the newest log that has one: what follows comes of it."""
    for log in sorted(folder.glob("logs/*.log*"), reverse=True):
        try:
            with log.open("rb") as file:
                errors = _ERROR.findall(file.read(_LOG_BYTES))
        except OSError:
            continue
        if errors:
            text = " ".join(errors[0].decode(errors="replace").split())
            return f"logs/{log.name} begins its errors with: {text[:_SHOWN].rstrip('.')}"
    return None


def _lost(folder: Path) -> str:
    return f"; there is no raw data (PROF_*) beside it: copy {folder.name} again from its host"


def parse_command(folder: Path) -> str:
    """The vendor's command that makes tables of a folder's raw data."""
    if _RAW.fullmatch(folder.name) and _is_rank(folder.parent.name):
        folder = folder.parent
    if _RAW.fullmatch(folder.name):
        return f"msprof --export=on --output={shlex.quote(str(folder))}"
    call = f"from torch_npu.profiler.profiler import analyse; analyse({str(folder)!r})"
    return f'python -c "{call}"'
