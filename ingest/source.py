"""What the look through a folder finds: profiles to store, and files that are left."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from .stage import Stage, path_text

Progress = Callable[[int], None]
"""Told how many bytes of the source files were read since the last call."""


@dataclass(frozen=True)
class Source:
    """One profile that can be stored: what one rank recorded in one window."""

    format: str
    path: Path
    """The file or folder that people know the profile by."""
    files: tuple[Path, ...]
    run_folder: Path
    """The folder that gives the run its name: a rank folder's parent, a file's folder."""
    rank: int = -1
    layout: str | None = None
    captured_local: str | None = None
    notes: tuple[str, ...] = field(default=())
    beside: tuple[Path, ...] = ()
    """Files of the vendor's own sums and lists, read with the profile; its content without them."""
    twins: tuple["Source", ...] = ()
    """The same profile in other formats: compared with this one, and not stored."""

    @property
    def size_bytes(self) -> int:
        """Bytes on disk of all files of its content together."""
        return sum(file.stat().st_size for file in self.files)

    @property
    def read_bytes(self) -> int:
        """Bytes on disk of all that is read, the files beside it and its twins too."""
        beside = sum(file.stat().st_size for file in self.beside)
        return self.size_bytes + beside + sum(twin.size_bytes for twin in self.twins)


@dataclass(frozen=True)
class Skipped:
    """A file or folder that is not stored, and why."""

    path: Path
    reason: str


class Unreadable(Skipped):
    """A file that is damaged or may not be opened: the profile that it may hold is missing."""


@dataclass(frozen=True)
class Options:
    """What the user asks of an ingest."""

    python: bool = False
    decode_tokens: int | None = None
    """Most tokens of a decode pass where passes are inferred; None leaves it to their sizes."""
    only_launches: bool = False
    """Whether nothing but launches is wanted: no host events, counters and inferred passes."""


class Ingestor(Protocol):
    """A module that knows one file format."""

    FORMAT: str

    def recognise(self, path: Path) -> Source | Skipped | None:
        """Judge a file by its content; None where it is of another format."""

    def stage(self, source: Source, stage: Stage, options: Options, progress: Progress) -> None:
        """Fill the staging tables with everything the source holds."""


def describe(
    source: Source, stage: Stage, hashes: Sequence[str], container: str, **facts: Any
) -> None:
    """Stage the profile's own row and one per file; `facts` are columns of stage.profile."""
    row = {
        "rank": source.rank,
        "source_path": path_text(source.path),
        "format": source.format,
        "layout": source.layout,
        "captured_local": source.captured_local,
    } | facts
    stage.insert("profile", list(row), [list(row.values())])
    stage.insert(
        "files",
        ("path", "size_bytes", "sha256", "container"),
        [
            (path_text(file), file.stat().st_size, sha256, container)
            for file, sha256 in zip(source.files, hashes, strict=True)
        ],
    )
