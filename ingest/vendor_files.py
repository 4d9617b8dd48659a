"""The tables and sums of Ascend that lie beside a kernel table or database, and belong to it."""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from ..errors import ProfdbError
from .ascend_db_open import MAGIC
from .container import head_of
from .source import Skipped, Source

_HEAD = 1 << 16
_JSON = "communication", "communication_matrix"
ANALYSIS = "analysis"
"""Kind of the databases that hold step times and collectives of one rank."""

ALONE = "table of Ascend that is read only with a kernel table or database of its folder"
UNREAD = "table that is not read yet"
_LONELY = UNREAD, "not a format that is known"
_DEVICE = ("device", "device")

COLUMNS = {
    "op_statistic": {
        "OP Type": ("op_type", "text"),
        "Core Type": ("core", "core"),
        "Count": ("launches", "whole"),
        "Total Time(us)": ("total_ns", "us"),
        "Min Time(us)": ("min_ns", "us"),
        "Max Time(us)": ("max_ns", "us"),
    },
    "step_trace_time": {
        "Step": ("step", "text"),
        "Computing": ("computing_ns", "us"),
        "Communication(Not Overlapped)": ("exposed_communication_ns", "us"),
        "Overlapped": ("overlapped_ns", "us"),
        "Communication": ("communication_ns", "us"),
        "Free": ("free_ns", "us"),
        "Stage": ("stage_ns", "us"),
        "Bubble": ("bubble_ns", "us"),
    },
    "api_statistic": {
        "Level": ("level", "level"),
        "API Name": ("name", "text"),
        "Time(us)": ("total_ns", "us"),
        "Count": ("calls", "whole"),
        "Min(us)": ("min_ns", "us"),
        "Max(us)": ("max_ns", "us"),
    },
}
"""Titles that a summed table must have, each with its column of the warehouse and its form."""

OPTIONAL = {
    "op_statistic": {"Device_id": _DEVICE},
    "step_trace_time": {"Device_id": _DEVICE, "Preparing": ("preparing_ns", "us")},
    "api_statistic": {},
}

TABLES = {
    "op_statistic": "vendor_operators",
    "step_trace_time": "vendor_steps",
    "api_statistic": "vendor_calls",
    "communication": "vendor_collectives",
}
"""Where each kind goes; all others become rows of vendor_rows."""

ENDING = (
    r"(?:_slice_(?P<slice>\d+)|(?P<piece>(?:_\d{1,5}){2,3}))?"
    r"(?:_(?P<time>\d+))?\.(?P<form>csv|json)"
)
"""How names end: a slice, or device, model and iteration in older tools; when it was exported."""

_NAME = re.compile(
    r"(?P<kind>op_statistic|step_trace_time|step_trace|api_statistic|communication_statistic"
    r"|communication_matrix|communication|task_time|operator_details|operator_memory"
    r"|memory_record|npu_module_mem|npu_mem|static_op_mem|l2_cache|soc_pmu|data_preprocess|aicpu"
    r"|msprof_tx|nic|roce|pcie|hccs)" + ENDING
)
_ANALYSES = "analysis.db", "communication_analyzer.db"


@dataclass(frozen=True)
class VendorFile:
    """A file of a known kind; `time` orders the exports that lie side by side."""

    path: Path
    kind: str
    time: int
    part: tuple[int, ...]

    @classmethod
    def of(cls, path: Path) -> "VendorFile | None":
        """Judge a file by its name, which alone tells most kinds apart."""
        if path.name in _ANALYSES:
            return cls(path, ANALYSIS, 0, ())
        match = _NAME.fullmatch(path.name)
        if not match or match["form"] != ("json" if match["kind"] in _JSON else "csv"):
            return None
        return cls(path, match["kind"], *time_and_part(match))


def time_and_part(match: re.Match[str]) -> tuple[int, tuple[int, ...]]:
    """When a table was exported, and which part of the export it is, by its name."""
    parts = re.findall(r"\d+", match["slice"] or match["piece"] or "")
    return int(match["time"] or 0), tuple(map(int, parts))


def join(sources: list[Source], skipped: list[Skipped]) -> tuple[list[Source], list[Skipped]]:
    """Give each Ascend profile the files beside it; say why others are left.

    They are looked for in the folder of the profile's first file, whatever path was given: a
    profile is the same whether its file is named or a folder above it.
    """
    left: dict[Path, str] = {}
    joined = [_with_files(source, left) for source in sources]
    used = {file for source in joined for file in source.beside}
    return joined, [
        replace(one, reason=left.get(one.path, _lonely(one))) for one in skipped
        if one.path not in used
    ]  # fmt: skip


def _lonely(one: Skipped) -> str:
    if VendorFile.of(one.path) and one.reason in _LONELY:
        return ALONE
    return one.reason


def _with_files(source: Source, left: dict[Path, str]) -> Source:
    if not source.format.startswith("ascend"):
        return source
    kinds: dict[str, list[VendorFile]] = {}
    own = {file.kind for path in source.files if (file := VendorFile.of(path))}
    for path in sorted(source.files[0].parent.iterdir()):
        if (file := VendorFile.of(path)) and file.kind not in own:
            kinds.setdefault(file.kind, []).append(file)
    found = [file for kind in kinds.values() for file in _newest(kind, left)]
    sound = tuple(file.path for file in found if _is_sound(file, left))
    return replace(source, beside=sound) if sound else source


def _newest(files: Iterable[VendorFile], left: dict[Path, str]) -> list[VendorFile]:
    """The slices of the newest export, in their order."""
    ordered = sorted(files, key=lambda file: (file.time, file.part))
    newest = ordered[-1]
    for file in ordered:
        if file.time != newest.time:
            left[file.path] = f"older export: {newest.path.name} of the same folder is read"
    return [file for file in ordered if file.time == newest.time]


def _is_sound(file: VendorFile, left: dict[Path, str]) -> bool:
    """Whether the first bytes are those of its kind."""
    try:
        head = head_of(file.path, _HEAD) if file.path.is_file() else b""
    except (OSError, ProfdbError):
        return False
    if not head.strip():
        return False
    if file.kind == ANALYSIS:
        return head.startswith(MAGIC)
    if file.path.suffix == ".json":
        return head.lstrip()[:1] == b"{"
    lacking = COLUMNS.get(file.kind, {}).keys() - set(header_of(head))
    if lacking:
        left[file.path] = f"{file.kind} without the column {', '.join(sorted(lacking))}"
    return not lacking


def header_of(head: bytes) -> list[str]:
    """The titles of the first line."""
    line = head.split(b"\n", 1)[0].removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    return [title.strip() for title in next(csv.reader([line.rstrip("\r")]), [])]
