"""Read traces of captured graphs, and tell the operators and shapes of replayed kernels by them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .capture import size_in
from .capture_align import Captured, Replayed, align
from .container import Hashed, open_content
from .feed import load
from .slices import Slices
from .source import Options, Progress, Source
from .stage import Stage, path_text


@dataclass
class Captures:
    """The traces of captured graphs that belong to one profile, on their way into the stage."""

    files: Sequence[Path]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    """Of the files that were read, as stage.files has them."""

    @classmethod
    def of(cls, source: Source) -> tuple[Source, "Captures"]:
        """Part a source into its own trace and the traces of captured graphs beside it."""
        return replace(source, files=source.files[:1]), cls(source.files[1:])

    def read(self, stage: Stage, options: Options, progress: Progress) -> None:
        """Take what is needed through stage.raw, which is left empty."""
        if self.files:
            stage.run("capture_tables")
        for number, path in enumerate(self.files, start=2):
            content = Hashed(open_content(path))
            name = str(path) if content.kind == "plain" else f"{path} (unpacked)"
            slices = Slices(content.read, name)
            load(stage, slices, content, replace(options, python=False), progress)
            stage.insert("capture_file", ("file", "size"), [(number, size_in(path))])
            stage.run("capture_file")
            size = path.stat().st_size
            self.rows.append((path_text(path), size, content.sha256(), content.kind))

    def apply(self, stage: Stage) -> None:
        """Give the kernels of replays what their captures tell, and count the events."""
        if not self.files:
            return
        captured = [Captured(*row) for row in stage.run("capture_sequences")]
        replayed = [Replayed(*row) for row in stage.run("capture_replays")]
        matches = list(align(captured, replayed))
        stage.insert(
            "capture_matches",
            ("match_no", "pattern_no", "sequence_no"),
            ((number, *match[:2]) for number, match in enumerate(matches)),
        )
        stage.insert("capture_pairs", ("match_no", "position", "launch_no"), _pairs(matches))
        stage.run("capture_found")
        stage.run("capture_ledger")

    def describe(self, stage: Stage) -> None:
        """Stage a row for each file, after that of the profile's own trace."""
        stage.insert("files", ("path", "size_bytes", "sha256", "container"), self.rows)


def _pairs(matches: Sequence[tuple[int, int, Sequence[int]]]) -> Iterator[tuple[int, int, int]]:
    for number, (_, _, places) in enumerate(matches):
        for position, launch in enumerate(places):
            yield number, position, launch
