"""What the names of files and folders tell: rank, parallel layout, local time, the run's name."""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

_RANK_FOLDER = re.compile(r"(?P<worker>.+?)(?:_(?P<pid>\d+)_(?P<time>\d{14,17}))?_ascend_(?:pt|ms)")
_OUTPUT = re.compile(r"ASCEND_PROFILER_OUTPUT|mindstudio_profiler_output")
_LAYOUT = re.compile(r"(?<![A-Za-z0-9])(dp\d+)_(pp\d+)_(tp\d+)(?:_(dcp\d+))?(?:_(ep\d+))?")
_RANK = re.compile(r"(?<![A-Za-z])rank[_-]?(\d+)(?![0-9])", re.IGNORECASE)
_SGLANG = re.compile(r"-TP-(\d+)(?:-DP-(\d+))?(?:-PP-(\d+))?(?:-EP-(\d+))?")
_INNER = re.compile(
    r"ASCEND_PROFILER_OUTPUT|mindstudio_profiler_output|PROF_.+|device_\d+|summary|.+_ascend_(pt|ms)"
    r"|[Rr]ank[_-]?\d+"
)
_SUFFIXES = re.compile(r"(\.pt)?(\.trace)?(\.json|\.csv|\.db)?(\.gz|\.zip)?$")


@dataclass(frozen=True)
class NameFacts:
    """What a name tells; None or -1 where it does not."""

    rank: int = -1
    layout: str | None = None
    captured_local: str | None = None


def read_names(path: Path) -> NameFacts:
    """Read the names of a file and of the rank folder around it, nearest first.

    >>> read_names(Path("dp0_pp0_tp1_dcp0_ep1_rank1_289383_20261010221318731_ascend_pt"))
    NameFacts(rank=1, layout='dp0 pp0 tp1 dcp0 ep1', captured_local='2026-10-10 22:13:18.731')
    """
    facts = NameFacts()
    for name in [path.name, *(p.name for p in path.parents if _INNER.fullmatch(p.name))]:
        facts = NameFacts(
            _rank(name) if facts.rank < 0 else facts.rank,
            facts.layout or _layout(name),
            facts.captured_local or _local_time(name),
        )
    return facts


def _rank(name: str) -> int:
    match = _RANK.search(name) or _SGLANG.search(name)
    return int(match[1]) if match else -1


def _layout(name: str) -> str | None:
    if match := _LAYOUT.search(name):
        return " ".join(part for part in match.groups() if part)
    if match := _SGLANG.search(name):
        kinds = zip(("tp", "dp", "pp", "ep"), match.groups(), strict=True)
        return " ".join(kind + number for kind, number in kinds if number)
    return None


def _local_time(name: str) -> str | None:
    match = _RANK_FOLDER.fullmatch(name)
    if not match or not match["time"]:
        return None
    digits = match["time"]
    try:
        second = datetime.strptime(digits[:14], "%Y%m%d%H%M%S")
    except ValueError:
        return None
    return f"{second:%Y-%m-%d %H:%M:%S}" + (f".{digits[14:]}" if digits[14:] else "")


def run_folder(file: Path) -> Path:
    """The folder that names the run: the nearest one that is no rank's and no profiler's own."""
    folder = file.parent
    while _INNER.fullmatch(folder.name) and folder != folder.parent:
        folder = folder.parent
    return folder


def home_of(file: Path) -> Path:
    """The folder of one rank's output: of torch_npu's or MindSpore's, else of msprof's."""
    for folder in file.parents:
        if _RANK_FOLDER.fullmatch(folder.name):
            return folder
    return file.parent.parent if _OUTPUT.fullmatch(file.parent.name) else file.parent


def profile_path(file: Path) -> Path:
    """What people call the profile: the rank folder where there is one, else the file."""
    ranks = [p for p in file.parents if _RANK_FOLDER.fullmatch(p.name)]
    return ranks[0] if ranks else file


def name_of_file(path: Path) -> str:
    """A file's name without what profilers append.

    >>> name_of_file(Path("a/0815.pt.trace.json.gz"))
    '0815'
    """
    return _SUFFIXES.sub("", path.name, count=1) or path.name
