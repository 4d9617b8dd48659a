"""Traces of the capture of graphs: which files they are, and whose replays they explain.

vLLM (0.26 and later, capture_torch_profiler) profiles every captured size for itself: it writes
capture_traces/graph_capture_rank_R.<ns>.pt.trace.json.gz with one annotation, such as
capture_32_FULL, per file. SGLang writes capture_traces/bs_N_rankR.json.gz, or all sizes to
graph_capture_profile/cuda_graph_capture-RUNNER-TP-R.json.gz.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ..errors import ProfdbError
from .container import head_of
from .folders import read_names
from .source import Skipped, Source

_HEAD = 1 << 18
_FOLDERS = ("capture_traces", "graph_capture_profile")
_NAME = re.compile(r"graph_capture_|cuda_graph_capture-|bs_\d+_rank_?\d+\.")
_ANNOTATION = re.compile(rb'"capture_(graph_bs_)?\d+(_\w+)?"')
_STEP = re.compile(rb'"(execute_(context|new|\d)|step\[)')
_RANK = re.compile(rb'"distributedInfo"\s*:\s*\{[^{}\[\]]*?"rank"\s*:\s*(\d{1,9})\b')

Judge = Callable[[Path], Source | Skipped]


@dataclass(frozen=True)
class Captured(Skipped):
    """A trace of captured graphs: no profile, but read with the one whose replays it explains."""

    rank: int = -1


def recognise(path: Path, head: bytes) -> Captured | None:
    """Tell a trace of captured graphs from one of an execution.

    The annotation that says so comes first, but frames of Python may fill the head before it.
    """
    named = path.parent.name in _FOLDERS or _NAME.match(path.name)
    if _STEP.search(head) or not (named or _ANNOTATION.search(head)):
        return None
    rank = _rank_of(path, head)
    return Captured(path, _reason(path, rank), rank)


def _rank_of(path: Path, head: bytes) -> int:
    """The rank of all ranks, from the metadata; names tell the rank on the host."""
    told = _RANK.search(head)
    return int(told[1]) if told else read_names(path).rank


def _reason(path: Path, rank: int) -> str:
    of_rank = f" of rank {rank}" if rank >= 0 else ""
    home = path.parent.parent if path.parent.name in _FOLDERS else path.parent
    return (
        "trace of captured graphs, no run of its own: it is read with the execution"
        f" trace{of_rank}, which should lie in {home}: ingest that folder"
    )


def join(
    sources: list[Source], skipped: list[Skipped], judge: Judge
) -> tuple[list[Source], list[Skipped]]:
    """Add the traces of captured graphs to the profiles of their rank; say what is left.

    They are looked for beside each profile, whatever path was given: a profile is the same whether
    its file is named or a folder above it.
    """
    known = {one.path: one for one in skipped if isinstance(one, Captured)}

    @cache
    def captured(file: Path) -> Captured | None:
        if file in known:
            return known[file]
        try:
            verdict = judge(file)
        except (OSError, ProfdbError):
            return None
        return verdict if isinstance(verdict, Captured) else None

    joined = [_with_captures(source, captured) for source in sources]
    used = {file for source in joined for file in source.files}
    return joined, [one for one in skipped if one.path not in used]


def _with_captures(source: Source, captured: Callable[[Path], Captured | None]) -> Source:
    if source.format != "chrome":
        return source
    near = [one for file in _near(source.run_folder) if (one := captured(file))]
    if not near:
        near = [one for file in _beside(source.run_folder) if (one := captured(file))]
    rank = _rank_of(source.files[0], head_of(source.files[0], _HEAD)) if near else -1
    # Where one of them does not tell its rank, the names of the kernels must do.
    files = tuple(one.path for one in near if rank < 0 or one.rank in (rank, -1))
    if not files:
        return source
    return replace(source, files=source.files + files, notes=(*source.notes, _note(files)))


def _note(files: tuple[Path, ...]) -> str:
    folders = sorted({str(file.parent) for file in files})
    what = f"{len(files)} traces of captured graphs in" if len(files) > 1 else "captured graphs of"
    where = ", ".join(folders) if len(files) > 1 else str(files[0])
    return f"{what} {where}: read for operators and shapes of replayed kernels"


def _near(folder: Path) -> Iterator[Path]:
    """Files that may be traces of captured graphs, in the folder of a run."""
    yield from (file for file in _files(folder) if _NAME.match(file.name))
    for name in _FOLDERS:
        yield from _files(folder / name)


def _beside(folder: Path) -> Iterator[Path]:
    """The same, in folders beside it, if no other run has its folder there."""
    try:
        others = [one for one in folder.parent.iterdir() if _is_other(one, folder)]
    except OSError:
        return
    if all(one.name in _FOLDERS for one in others):
        for one in sorted(others):
            yield from _files(one)


def _is_other(path: Path, folder: Path) -> bool:
    """Whether it is another folder; the scratch folder of an ingest that was killed is none."""
    return (
        path.is_dir()
        and path != folder
        and not path.name.startswith(".")
        and path.suffix != ".work"
    )


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.iterdir() if file.is_file())
    except OSError:
        return []


def size_in(path: Path) -> int | None:
    """The size that graphs were captured for, where the name tells it as that of SGLang does.

    >>> size_in(Path("capture_traces/bs_24_rank0.json.gz"))
    24
    """
    told = re.match(r"bs_(\d{1,9})_rank", path.name)
    return int(told[1]) if told else None
