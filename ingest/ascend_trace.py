"""Timelines of Ascend (trace_view.json, msprof_*.json), read where a rank has nothing better.

They hold every kernel with its time and the operator that asked for it, but no shapes, no operator
types and no counters.
"""

import json
import re
from pathlib import Path

from ..errors import ProfdbError
from .ascend_info import profiler_info, source_of
from .chrome_steps import find_steps
from .container import Hashed, head_of, open_content
from .feed import load
from .inferred import infer_contexts
from .slices import Slices
from .source import Options, Progress, Skipped, Source, describe
from .stage import Stage

FORMAT = "ascend_trace"

WITHOUT_SHAPES = (
    "a timeline has no shapes and no operator types:"
    " questions per shape need kernel_details.csv or the profiler's database"
)

_HEAD = 1 << 18
# Names of its own, and, alone among all writers, times since the epoch written as text.
_ASCEND = re.compile(
    rb'"(Ascend Hardware|AscendCL@|torch_to_npu|async_npu|CANN)|"ts":\s*"\d{15,}\.\d{3}"'
)
_SLICE = re.compile(r"msprof_slice_\d+_\d+\.json")


def recognise(path: Path) -> Source | Skipped | None:
    """Judge by the first bytes whether a file is an array of events as Ascend's tools write it."""
    head = head_of(path, _HEAD)
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] not in (b"[", b"{") or b'"ph"' not in head or not _ASCEND.search(head):
        return None
    if _SLICE.fullmatch(path.name):
        return Skipped(path, "slice of a timeline: ingest op_summary*.csv of the same export")
    return source_of(FORMAT, path, (WITHOUT_SHAPES,))


def stage(source: Source, stage: Stage, options: Options, progress: Progress) -> None:
    """Fill the staging tables from the timeline."""
    (path,) = source.files
    content = Hashed(open_content(path))
    name = str(path) if content.kind == "plain" else f"{path} (unpacked)"
    slices = Slices(content.read, name)
    stage.run("chrome_raw")
    if not load(stage, slices, content, options, progress):
        raise ProfdbError(f"{path} holds no events: the profiler recorded nothing")
    stage.insert("zero", ("ns", "keep_python"), [(0, options.python)])
    stage.run("ascend_trace_roles")
    stage.run("chrome_ledger", python=options.python)
    find_steps(stage, 0)
    stage.run("ascend_trace_work")
    stage.run("ascend_collectives")
    if not options.only_launches:
        infer_contexts(stage, options.decode_tokens)
    repairs = [("limited", what, count) for what, count in slices.repaired.items() if count]
    stage.insert("trust", ("level", "reason", "events"), repairs)
    describe(
        source,
        stage,
        (content.sha256(),),
        content.kind,
        platform="ascend",
        metadata=json.dumps(profiler_info(path), ensure_ascii=False),
    )
