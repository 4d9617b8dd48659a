"""Chrome JSON traces as Kineto writes them on CUDA and ROCm, of every year."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ijson
import msgspec

from ..errors import ProfdbError
from .annotations import PATTERN, Annotation, choose, mark_tails, read_step
from .container import Hashed, head_of, open_content
from .feed import load
from .folders import profile_path, read_names, run_folder
from .segments import Span, cut
from .slices import Slices
from .source import Options, Progress, Skipped, Source, describe
from .stage import Stage

FORMAT = "chrome"

_HEAD = 1 << 18
# Names of its own, and, alone among all writers, times since the epoch written as text.
_ASCEND = re.compile(
    rb'"(Ascend Hardware|AscendCL@|torch_to_npu|async_npu|CANN)|"ts":\s*"\d{15,}\.\d{3}"'
)
_MERGED = re.compile(rb'"pid":\s*"\[(TP|DP|PP|EP)\d+')
_STEP_FIELDS = ("context_requests", "context_tokens", "generation_requests", "generation_tokens")


def recognise(path: Path) -> Source | Skipped | None:
    """Judge by the first bytes whether a file is a trace with events of one process."""
    head = head_of(path, _HEAD)
    if not _looks_like_trace(head):
        return None
    if _ASCEND.search(head):
        return Skipped(
            path,
            "timeline of Ascend, which has no shapes and no operator types:"
            " ingest kernel_details.csv of the same folder instead",
        )
    if _MERGED.search(head):
        return Skipped(
            path, "several ranks merged into one file: ingest the traces of the ranks instead"
        )
    facts = read_names(path)
    return Source(FORMAT, profile_path(path), (path,), run_folder(path), facts.rank, facts.layout)


def _looks_like_trace(head: bytes) -> bool:
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:1] == b"[":
        return _begins_with_event(start[1:].lstrip())
    return start[:1] == b"{" and _has_events(start)


def _begins_with_event(elements: bytes) -> bool:
    if elements[:1] != b"{":
        return elements[:1] in (b"", b"]")
    try:
        event, _ = json.JSONDecoder(strict=False).raw_decode(elements.decode(errors="replace"))
    except ValueError:
        return b'"ph"' in elements  # broken, or longer than the head
    return "ph" in event


def _has_events(head: bytes) -> bool:
    """Whether the object has traceEvents, as far as its first bytes tell."""
    keys: set[str] = set()
    try:
        for prefix, kind, value in ijson.parse(head, buf_size=1 << 12):
            if prefix == "" and kind == "map_key":
                keys.add(value)
    except ijson.JSONError:
        pass  # the head ends in the middle of the file
    return bool(keys & {"traceEvents", "schemaVersion", "deviceProperties"})


def stage(source: Source, stage: Stage, options: Options, progress: Progress) -> None:
    """Fill the staging tables from the one file of the source."""
    (path,) = source.files
    content = Hashed(open_content(path))
    name = str(path) if content.kind == "plain" else f"{path} (unpacked)"
    slices = Slices(content.read, name)
    stage.run("chrome_raw")
    if not load(stage, slices, content, options, progress):
        raise ProfdbError(f"{path} holds no events: the profiler recorded nothing")
    base = _base_ns(path, slices.metadata)
    stage.insert("zero", ("ns", "keep_python"), [(base, options.python)])
    stage.run("chrome_ledger", python=options.python)
    _find_steps(stage, base)
    stage.run("chrome_attribute")
    stage.run("chrome_finish")
    repairs = [("limited", what, count) for what, count in slices.repaired.items() if count]
    stage.insert("trust", ("level", "reason", "events"), repairs)
    _describe(source, stage, slices.metadata, content.kind, content.sha256())


def _base_ns(path: Path, metadata: dict[str, Any]) -> int:
    """The zero of the trace's times, ns since the epoch."""
    base = metadata.get("baseTimeNanoseconds") or 0
    try:
        ns = int(base)
    except (TypeError, ValueError, OverflowError):
        ns = -1
    if not 0 <= ns < 4 * 10**18:
        raise ProfdbError(f"{path} has baseTimeNanoseconds {base!r}, which is no time")
    return ns


def _find_steps(stage: Stage, base: int) -> None:
    """Find the steps and lay out whose host time is whose."""
    found = [
        Annotation(name, pid, tid, ts, None if dur is None or dur < 0 else ts + dur, step)
        for name, pid, tid, ts, dur in stage.run("chrome_annotations", pattern=PATTERN)
        if (step := read_step(name))
    ]
    chosen = choose(found)
    steps = mark_tails([annotation.step for annotation in chosen])
    _store_steps(stage, chosen, steps, base)
    _store_spans(stage, chosen)


def _store_steps(stage: Stage, chosen: list[Annotation], steps: list[Any], base: int) -> None:
    columns = (
        *("context_no", "step_index", "name", "phase", "source", "complete", "start_ns", "end_ns"),
        *_STEP_FIELDS,
    )
    rows = (
        (
            number,
            number if step.step_index is None else step.step_index,
            annotation.name,
            step.phase,
            step.source,
            annotation.end_ns is not None,
            annotation.start_ns + base,
            None if annotation.end_ns is None else annotation.end_ns + base,
            *(getattr(step, field) for field in _STEP_FIELDS),
        )
        for number, (annotation, step) in enumerate(zip(chosen, steps, strict=True))
    )
    stage.insert("contexts", columns, rows)


def _store_spans(stage: Stage, chosen: list[Annotation]) -> None:
    threads: dict[tuple[str, ...], list[Span]] = {}
    processes: dict[tuple[str, ...], list[Span]] = {}
    for number, annotation in enumerate(chosen):
        if annotation.end_ns is not None:
            span = Span(number, annotation.start_ns, annotation.end_ns)
            threads.setdefault((annotation.process, annotation.thread), []).append(span)
            processes.setdefault((annotation.process,), []).append(span)
    columns = ("start_ns", "end_ns", "context_no")
    stage.insert("thread_steps", ("pid", "tid", *columns), _pieces(threads))
    stage.insert("process_steps", ("pid", *columns), _pieces(processes))


def _pieces(spans: dict[tuple[str, ...], list[Span]]) -> Iterator[tuple[str | int, ...]]:
    for track, of_track in spans.items():
        for piece in cut(of_track):
            yield *track, piece.start_ns, piece.end_ns, piece.context_no


def _describe(
    source: Source, stage: Stage, metadata: dict[str, Any], container: str, digest: str
) -> None:
    names = [device.get("name") for device in _devices(metadata)]
    info = metadata.get("distributedInfo")
    rank = info.get("rank") if isinstance(info, dict) else None
    ((runtime,),) = stage.run("chrome_platform")
    describe(
        source,
        stage,
        (digest,),
        container,
        rank=rank if _is_rank(rank) else source.rank,
        platform=platform_of(metadata, runtime),
        device_name=next((name for name in names if name and isinstance(name, str)), None),
        metadata=msgspec.json.encode(metadata).decode(),
    )


def platform_of(metadata: dict[str, Any], runtime: str | None) -> str:
    """Tell cuda from rocm by the versions in the metadata, else by runtime calls and warp size."""
    if "roctracer_version" in metadata or "hip_runtime_version" in metadata:
        return "rocm"
    if "cupti_version" in metadata or "cuda_runtime_version" in metadata:
        return "cuda"
    sizes = [device.get("warpSize") for device in _devices(metadata)]
    return runtime or ("rocm" if 64 in sizes else "cuda" if 32 in sizes else "unknown")


def _devices(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    found = metadata.get("deviceProperties")
    return [d for d in found if isinstance(d, dict)] if isinstance(found, list) else []


def _is_rank(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 31
