"""What a vendor computed or listed beside the launches, staged with the profile that it is of."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from . import vendor_json, vendor_rows
from .container import sha256
from .source import Progress, Source
from .stage import Stage, path_text
from .vendor_files import TABLES, VendorFile
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
    for path in source.beside:
        file = VendorFile.of(path)
        if file is None:
            continue
        size = path.stat().st_size
        columns = ("path", "size_bytes", "sha256", "container", "beside")
        stage.insert("files", columns, [(path_text(path), size, sha256(path), "plain", True)])
        ((number,),) = stage.run("vendor_number")
        _stage_file(file, number, stage)
        progress(size)


def _stage_file(file: VendorFile, number: int, stage: Stage) -> None:
    tally = Tally()
    table = TABLES.get(file.kind, "vendor_rows")
    columns = _COLUMNS[table]
    rows = _rows(file, number, tally)
    stage.insert(table, columns, ([row.get(name) for name in columns] for row in rows))
    if file.kind == "task_time":
        stage.run("vendor_pauses", number=number)
    counts = (number, file.kind, tally.seen, tally.seen - tally.aside, tally.aside, tally.reason)
    ledger = ("file", "category", "seen", "stored", "set_aside", "reason")
    stage.insert("ledger", ledger, [counts])


def _rows(file: VendorFile, number: int, tally: Tally) -> Iterator[dict[str, Any]]:
    if file.kind == "communication":
        yield from vendor_json.collectives(file.path, tally)
    elif file.kind in TABLES:
        for place, row in vendor_rows.read_rows(file.path, tally):
            if found := vendor_rows.summed(file.kind, place, row, tally):
                yield found
    else:
        for place, content in _contents(file.path, tally):
            text = msgspec.json.encode(content).decode()
            yield dict(zip(_ROWS, (number, file.kind, place, text), strict=True))


def _contents(path: Path, tally: Tally) -> Iterator[tuple[int, Any]]:
    if path.suffix == ".json":
        yield from enumerate(vendor_json.pairs(path, tally), start=1)
        return
    for place, row in vendor_rows.read_rows(path, tally):
        yield place, vendor_rows.kept(row, tally)
