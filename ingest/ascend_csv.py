"""Kernel tables of Ascend as CSV: kernel_details of torch_npu, op_summary of msprof, any year."""

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ..errors import ProfdbError
from .ascend_info import NO_UTF8, WITHOUT_SHAPES, level_of, profiler_info, source_of
from .container import head_of, open_content, sha256
from .encoded import NO_TEXT, write_as_utf8
from .inferred import infer_contexts
from .source import Options, Progress, Skipped, Source, describe
from .stage import Stage
from .vendor_files import UNREAD

FORMAT = "ascend_csv"

_HEAD = 1 << 16

# op_summary names four columns otherwise, and block counts were renamed in February 2026.
_COLUMNS = {
    "Step Id": "step_id",
    "Device_id": "device_id",
    "Name": "name",
    "Op Name": "name",
    "Type": "type",
    "OP Type": "type",
    "OP State": "op_state",
    "Accelerator Core": "core",
    "Task Type": "core",
    "Start Time(us)": "start_us",
    "Task Start Time(us)": "start_us",
    "Duration(us)": "dur_us",
    "Task Duration(us)": "dur_us",
    "Wait Time(us)": "wait_us",
    "Task Wait Time(us)": "wait_us",
    "Model ID": "model_id",
    "Task ID": "task_id",
    "Stream ID": "stream_id",
    "Block Dim": "block_num",
    "Block Num": "block_num",
    "Mix Block Dim": "mix_block_num",
    "Mix Block Num": "mix_block_num",
    "HF32 Eligible": "hf32",
    "Input Shapes": "input_shapes",
    "Input Data Types": "input_dtypes",
    "Input Formats": "input_formats",
    "Output Shapes": "output_shapes",
    "Output Data Types": "output_dtypes",
    "Output Formats": "output_formats",
    "Context ID": "vendor_context",
}
_NEEDED = {"name", "start_us", "dur_us"}
_NULLS = {"N/A", "", "NULL", "-", "inf"}
_OTHER_TABLES = re.compile(
    r"(op_statistic|api_statistic|step_trace|task_time|operator_details|memory_record|"
    r"operator_memory|npu_mem|npu_module_mem|l2_cache|data_preprocess|aicpu|soc_pmu|"
    r"communication_statistic|msprof_tx|static_op_mem|(?:nic|roce|pcie|hccs)[_.])"
)


def recognise(path: Path) -> Source | Skipped | None:
    """Judge a CSV file by its header, whatever the file is called."""
    head = head_of(path, _HEAD)
    if not places_of(head, _COLUMNS).keys() >= _NEEDED:
        return Skipped(path, UNREAD) if _is_other_table(path) else None
    return table_of(FORMAT, path, _notes(head, profiler_info(path)))


def table_of(format: str, path: Path, notes: tuple[str, ...]) -> Source | Skipped:
    """A table as a profile of its own, if it can be read as it is."""
    if open_content(path).kind != "plain":
        return Skipped(path, "compressed kernel table: unpack it first")
    return source_of(format, path, notes)


def has_rows(path: Path) -> bool:
    """Whether a table goes on after its header."""
    return bool(head_of(path, _HEAD).partition(b"\n")[2].strip())


def _is_other_table(path: Path) -> bool:
    return path.suffix == ".csv" and _OTHER_TABLES.match(path.name) is not None


def _header(head: bytes) -> list[str]:
    """The cells of the first line; none where it is no CSV text."""
    line = head.split(b"\n", 1)[0].removeprefix(b"\xef\xbb\xbf")
    if b"\0" in line or b"," not in line:
        return []
    try:
        cells = next(csv.reader([line.decode(errors="replace").rstrip("\r")]), [])
    except csv.Error:
        return []
    return [cell.strip() for cell in cells]


def places_of(head: bytes, known: Mapping[str, str]) -> dict[str, int]:
    """Where each known column stands; the first of two that mean the same counts."""
    found: dict[str, int] = {}
    for place, title in enumerate(_header(head)):
        if title in known:
            found.setdefault(known[title], place)
    return found


def _notes(head: bytes, info: dict[str, Any]) -> tuple[str, ...]:
    places = places_of(head, _COLUMNS)
    # Newer headers name the shapes at Level0 too, and all of them are N/A.
    if "input_shapes" in places and level_of(info) != "Level0" and not _is_bare(head, places):
        return ()
    return (WITHOUT_SHAPES,)


def _is_bare(head: bytes, places: dict[str, int]) -> bool:
    """Whether the first rows have neither operator types nor shapes, as Level0 leaves them."""
    lines = head.decode(errors="replace").splitlines()[1:]
    # The last line of a long file is cut.
    whole = [row for row in csv.reader(lines[: len(lines) - (len(head) >= _HEAD)]) if row]
    wanted = [places[name] for name in ("type", "input_shapes") if name in places]
    cells = [row[at] for row in whole if len(row) > max(wanted) for at in wanted]
    return bool(cells) and all(cell in _NULLS for cell in cells)


def stage(source: Source, stage: Stage, options: Options, progress: Progress) -> None:
    """Fill the staging tables from the kernel table of the source, or from its slices."""
    stage_table(source, stage, options, progress, _COLUMNS)


def stage_table(
    source: Source,
    stage: Stage,
    options: Options,
    progress: Progress,
    known: Mapping[str, str],
    then: Sequence[str] = (),
) -> None:
    """Stage a table whose known titles stand for these columns; `then` runs after its rows."""
    path = source.files[0]
    digests = ThreadPoolExecutor(1).map(sha256, source.files)
    stage.run("ascend_tables")
    files = enumerate(source.files, start=1)
    extra = [_load(stage, number, file, known) for number, file in files]
    if any(titles != extra[0] for titles in extra):
        raise ProfdbError(f"the slices of {path} have other columns than it has: export them anew")
    for part in (*then, "ascend_finish"):
        stage.run(part)
    ((seen, others),) = stage.run("ascend_seen")
    if not seen:
        raise ProfdbError(f"{path} holds a header and no rows: the profiler recorded no kernels")
    if seen == others:
        raise ProfdbError(f"{path} holds {seen} tasks and no kernels: record them at Level1")
    stage.run("ascend_collectives")
    if not options.only_launches:
        infer_contexts(stage, options.decode_tokens)
    progress(source.size_bytes)
    describe(
        source,
        stage,
        list(digests),
        "plain",
        platform="ascend",
        counters=extra[0],
        metadata=json.dumps(profiler_info(path), ensure_ascii=False),
    )


def _load(stage: Stage, number: int, path: Path, known: Mapping[str, str]) -> list[str]:
    """Load one file; give the titles of the columns that are kept as counters."""
    head = head_of(path, _HEAD)
    header = _header(head)
    titles = {place: name for name, place in places_of(head, known).items()}
    columns = {titles.get(place, f"extra_{place}"): "VARCHAR" for place in range(len(header))}
    stage.run("ascend_forget")
    stage.run("ascend_load", file=stage.readable(path), number=number, columns=columns)
    ((misread,),) = stage.run("ascend_misread")
    if misread:
        path = _load_as_utf8(stage, number, path, columns)
    stage.run("ascend_rejects", number=number, size_bytes=path.stat().st_size)
    return [title for place, title in enumerate(header) if place not in titles]


def _load_as_utf8(stage: Stage, number: int, path: Path, columns: dict[str, str]) -> Path:
    """Load a file that is no UTF-8 once more, from a copy that is."""
    copy, said = stage.folder / "utf8.csv", Counter[str]()
    write_as_utf8(path, copy, lambda how: said.update([how]))
    stage.run("ascend_again", number=number)
    stage.run("ascend_forget")
    stage.run("ascend_load", file=str(copy), number=number, columns=columns)
    stage.insert("file_notes", ("file_no", "note", "lines"), [(number, *s) for s in said.items()])
    if broken := said[NO_TEXT]:
        stage.insert("trust", ("level", "reason", "events"), [("limited", NO_UTF8, broken)])
    return copy
