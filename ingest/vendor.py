"""What a vendor computed or listed beside the launches, staged with the profile that it is of."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from . import vendor_db, vendor_json, vendor_rows
from .container import sha256
from .source import Progress, Source
from .stage import Stage, path_text
from .vendor_files import ANALYSIS, TABLES, VendorFile
from .vendor_rows import Tally

_OPERATORS = ("device", "op_type", "core", "launches", "total_ns", "min_ns", "max_ns")
_STEPS = (
    "device", "step", "computing_ns", "exposed_communication_ns", "overlapped_ns",
    "communication_ns", "free_ns", "stage_ns", "bubble_ns", "preparing_ns",
)  # fmt: skip
_CALLS = ("level", "name", "calls", "total_ns", "min_ns", "max_ns")
_COLLECTIVES = (
    "step", "op", "group_name", "start_ns", "elapse_ns", "transit_ns", "wait_ns",
    "synchronization_ns", "idle_ns", "transit_bytes", "transports",
)  # fmt: skip
_ROWS = ("file_id", "source", "row_number", "content")
_COLUMNS = {
    "vendor_operators": _OPERATORS,
    "vendor_steps": _STEPS,
    "vendor_calls": _CALLS,
    "vendor_collectives": _COLLECTIVES,
    "vendor_rows": _ROWS,
}


def stage_files(source: Source, stage: Stage, progress: Progress) -> None:
    """Stage the files beside the profile; its own are staged already.

    They are no part of the profile's digest, so that it is known again without them.
    """
    files = [file for file in map(VendorFile.of, source.beside) if file]
    kinds = {file.kind for file in files}
    for file in files:
        size = file.path.stat().st_size
        columns = ("path", "size_bytes", "sha256", "container", "beside")
        stage.insert(
            "files", columns, [(path_text(file.path), size, sha256(file.path), "plain", True)]
        )
        ((number,),) = stage.run("vendor_number")
        for part in _parts(file, kinds):
            _stage_part(part, number, stage)
        progress(size)


@dataclass(frozen=True)
class _Part:
    """A file, or one table of a database."""

    category: str
    kind: str
    rows: Iterator[Any]
    tally: Tally


def _parts(file: VendorFile, kinds: set[str]) -> Iterator[_Part]:
    if file.kind != ANALYSIS:
        tally = Tally()
        yield _Part(file.kind, file.kind, _rows(file, tally), tally)
        return
    for table, count in vendor_db.tables_of(file.path).items():
        kind = vendor_db.SAME_AS[table]
        if kind in kinds:
            tally = Tally(count, count, {f"{kind} beside it holds the same, and is read": 1})
            yield _Part(table, kind, iter(()), tally)
        else:
            tally = Tally()
            rows = vendor_db.rows_of(file.path, table, tally)
            yield _Part(table, kind, rows if kind in TABLES else enumerate(rows, start=1), tally)


def _stage_part(part: _Part, number: int, stage: Stage) -> None:
    table = TABLES.get(part.kind, "vendor_rows")
    if table == "vendor_rows":
        rows: Iterator[list[Any]] = (
            [number, part.kind, place, msgspec.json.encode(content).decode()]
            for place, content in part.rows
        )
    else:
        rows = ([row.get(name) for name in _COLUMNS[table]] for row in part.rows)
    stage.insert(table, _COLUMNS[table], rows)
    if part.kind == "task_time":
        stage.run("vendor_pauses", number=number)
    tally = part.tally
    counts = (
        number, part.category, tally.seen, tally.seen - tally.aside, tally.aside, tally.reason
    )  # fmt: skip
    ledger = ("file", "category", "seen", "stored", "set_aside", "reason")
    stage.insert("ledger", ledger, [counts])


def _rows(file: VendorFile, tally: Tally) -> Iterator[Any]:
    """Rows of a summed table, or the place and content of each row of another."""
    if file.kind == "communication":
        yield from vendor_json.collectives(file.path, tally)
    elif file.kind in TABLES:
        for place, row in vendor_rows.read_rows(file.path, tally):
            if found := vendor_rows.summed(file.kind, place, row, tally):
                yield found
    else:
        yield from _contents(file.path, tally)


def _contents(path: Path, tally: Tally) -> Iterator[tuple[int, Any]]:
    if path.suffix == ".json":
        yield from enumerate(vendor_json.pairs(path, tally), start=1)
        return
    for place, row in vendor_rows.read_rows(path, tally):
        yield place, vendor_rows.kept(row, tally)
