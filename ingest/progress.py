"""How an ingest shows that it goes on: a bar on a terminal, plain lines elsewhere."""

import sys
from pathlib import Path
from typing import IO, NoReturn

from tqdm import tqdm

from .source import Source


class Bar:
    """A progress bar per profile, by bytes of its files."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out
        self._bar: tqdm[NoReturn] | None = None

    def begin(self, source: Source, label: str) -> None:
        """Open the bar of a profile."""
        self._bar = tqdm(
            total=source.read_bytes, unit="B", unit_scale=True, desc=_title(source, label),
            file=self._out, dynamic_ncols=True,
        )  # fmt: skip

    def advance(self, size_bytes: int) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(size_bytes)

    def end(self, outcome: str) -> None:
        """Close the bar with the outcome."""
        if self._bar is not None:
            self._bar.set_postfix_str(outcome)
            self._bar.close()


class Lines:
    """One line per profile."""

    def __init__(self, out: IO[str]) -> None:
        self._out = out

    def begin(self, source: Source, label: str) -> None:
        """Name the profile."""
        self._out.write(f"{_title(source, label)} ({source.size_bytes / 1e6:.1f} MB) ... ")
        self._out.flush()

    def advance(self, size_bytes: int) -> None:
        """Say nothing in between."""

    def end(self, outcome: str) -> None:
        """End the line with the outcome."""
        self._out.write(f"{outcome}\n")
        self._out.flush()


def watcher(out: IO[str] | None = None) -> Bar | Lines:
    """The one that suits a stream, by default standard error."""
    out = out or sys.stderr
    return Bar(out) if out.isatty() else Lines(out)


def _title(source: Source, label: str) -> str:
    return f"{label}: {Path(source.path).name}"
