"""Which reader knows which file, and the look through a folder."""

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ..errors import ProfdbError
from . import (
    ascend_csv,
    ascend_db,
    ascend_tasks,
    ascend_trace,
    capture,
    chrome,
    vendor_files,
    vendor_slices,
    vendor_unparsed,
)
from .source import Ingestor, Skipped, Source, Unreadable

INGESTORS = cast(tuple[Ingestor, ...], (ascend_trace, chrome, ascend_tasks, ascend_csv, ascend_db))

_NOTES = re.compile(r"profiler_(info(_\d+)?|metadata)\.json|analyse\.done")
"""A profiler's notes beside its tables: read with them, or of no launches; not worth a line."""


@dataclass
class Findings:
    """What was found below some paths."""

    sources: list[Source] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)


def ingestor_of(source: Source) -> Ingestor:
    """The reader that recognised a source."""
    return next(i for i in INGESTORS if source.format == i.FORMAT)


def look_through(paths: list[Path]) -> Findings:
    """Judge every file below the paths by its content."""
    findings = Findings()
    for path in (given.absolute() for given in paths):
        if not path.exists():
            raise ProfdbError(f"no file or folder at {path}")
        for file in _files(path, findings):
            if not _NOTES.fullmatch(file.name):
                _judge(file, findings)
    findings.sources, findings.skipped = vendor_slices.join(
        list(dict.fromkeys(findings.sources)), findings.skipped
    )
    findings.sources = sorted(findings.sources, key=lambda s: (str(s.run_folder), str(s.path)))
    findings.sources, findings.skipped = capture.join(findings.sources, findings.skipped, _verdict)
    findings.sources, findings.skipped = vendor_files.join(findings.sources, findings.skipped)
    findings.skipped = vendor_unparsed.join(paths, findings.sources, findings.skipped)
    return findings


def _files(path: Path, findings: Findings) -> Iterator[Path]:
    if path.is_file():
        yield path
        return

    def unreadable(error: OSError) -> None:
        reason = f"folder that cannot be read: {error.strerror}"
        findings.skipped.append(Skipped(Path(error.filename), reason))

    for folder, folders, files in os.walk(path, onerror=unreadable):
        folders.sort()
        yield from (Path(folder) / name for name in sorted(files))


def _judge(file: Path, findings: Findings) -> None:
    verdict: Source | Skipped
    try:
        verdict = _verdict(file)
    except ProfdbError as error:
        # Of a format that is known, and damaged.
        verdict = Unreadable(file, str(error).removeprefix(f"{file} "))
    except OSError as error:
        verdict = Unreadable(file, f"cannot be read: {error.strerror}")
    if isinstance(verdict, Source):
        findings.sources.append(verdict)
    else:
        findings.skipped.append(verdict)


def _verdict(file: Path) -> Source | Skipped:
    state = file.stat()
    if not stat.S_ISREG(state.st_mode):
        return Skipped(file, "no file on disk")
    if state.st_size == 0:
        return Skipped(file, "empty file")
    for ingestor in INGESTORS:
        if verdict := ingestor.recognise(file):
            return verdict
    return Skipped(file, _unknown(file))


def _unknown(file: Path) -> str:
    with file.open("rb") as opened:
        head = opened.read(16)
    if head[8:12] == b"DUCK":
        return "DuckDB database"
    return "not a format that is known"


def require_any(paths: list[Path], findings: Findings) -> None:
    """Refuse paths below which nothing can be stored, and say what is there and what to do."""
    if findings.sources:
        return
    where = ", ".join(str(path) for path in paths)
    if unparsed := [one for one in findings.skipped if isinstance(one, vendor_unparsed.Unparsed)]:
        more = f" (and {len(unparsed) - 1} more like it)" if len(unparsed) > 1 else ""
        raise ProfdbError(f"nothing to ingest in {unparsed[0].path}: {unparsed[0].reason}{more}")
    if not findings.skipped:
        any_file = any(file.is_file() for path in paths for file in path.rglob("*"))
        state = "holds only a profiler's notes" if any_file else "is empty"
        raise ProfdbError(f"{where} {state}: nothing to ingest")
    reasons: dict[str, list[str]] = {}
    for skip in findings.skipped[:5]:
        reasons.setdefault(skip.reason, []).append(skip.path.name)
    shown = [f"{', '.join(names)} ({reason})" for reason, names in reasons.items()]
    more = f" and {len(findings.skipped) - 5} more" if len(findings.skipped) > 5 else ""
    raise ProfdbError(f"nothing to ingest in {where}; found {', '.join(shown)}{more}")
