"""Chrome JSON traces as Kineto writes them on CUDA and ROCm, of every year."""

import queue
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ijson
import msgspec

from ..errors import ProfdbError
from .annotations import PATTERN, Annotation, choose, mark_tails, read_step
from .container import Content, open_content, sha256
from .folders import profile_path, read_names, run_folder
from .segments import Span, cut
from .slices import Slices
from .source import Options, Progress, Skipped, Source
from .stage import Stage

FORMAT = "chrome"

_HEAD = 1 << 18
_GROUP = 8
"""Slice files that DuckDB reads at once: it gives each file one thread."""

# Names of its own, and, alone among all writers, times since the epoch written as text.
_ASCEND = re.compile(
    rb'"(Ascend Hardware|AscendCL@|torch_to_npu|async_npu|CANN)|"ts":\s*"\d{15,}\.\d{3}"'
)
_MERGED = re.compile(rb'"pid":\s*"\[(TP|DP|PP|EP)\d+')
_STEP_FIELDS = ("context_requests", "context_tokens", "generation_requests", "generation_tokens")


def recognise(path: Path) -> Source | Skipped | None:
    """Judge by the first bytes whether a file is a trace with events of one process."""
    head = open_content(path).read(_HEAD)
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
        return re.match(rb'\[\s*(\{[^{}]*"ph"|\]?\s*$)', start) is not None
    return start[:1] == b"{" and _has_events(start)


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
    content = open_content(path)
    digest = ThreadPoolExecutor(1).submit(sha256, path)
    slices = Slices(content.read, str(path))
    stage.run("chrome_raw")
    _load(stage, slices, content, options, progress)
    base = int(slices.metadata.get("baseTimeNanoseconds") or 0)
    stage.insert("zero", ("ns", "keep_python"), [(base, options.python)])
    stage.run("chrome_ledger", python=options.python)
    _find_steps(stage, base)
    stage.run("chrome_attribute")
    stage.run("chrome_finish")
    repairs = [("limited", what, count) for what, count in slices.repaired.items() if count]
    stage.insert("trust", ("level", "reason", "events"), repairs)
    _describe(source, stage, slices.metadata, content.kind, digest.result())


def _load(
    stage: Stage, slices: Slices, content: Content, options: Options, progress: Progress
) -> None:
    """Hand proven slices to DuckDB, some at a time, while the next ones are cut."""
    done = 0
    for group in _slice_files(stage, slices):
        events = sum(count for count, _ in group)
        files = [str(file) for _, file in group]
        ((rows,),) = stage.run("chrome_load", files=files, python=options.python)
        if rows != events:
            raise ProfdbError(f"{events} events were read but {rows} stored; nothing is kept")
        for file in files:
            Path(file).unlink()
        at = content.position()
        progress(at - done)
        done = at


def _slice_files(stage: Stage, slices: Slices) -> Iterator[list[tuple[int, Path]]]:
    """Cut in a thread of its own, and give what is ready; what it raises is raised here."""
    ready: queue.Queue[tuple[int, Path] | BaseException | None] = queue.Queue(_GROUP)

    def produce() -> None:
        try:
            for number, (count, piece) in enumerate(slices):
                file = stage.folder / f"slice{number}.json"
                file.write_bytes(piece)
                ready.put((count, file))
            ready.put(None)
        except BaseException as error:
            ready.put(error)

    threading.Thread(target=produce, daemon=True).start()
    group: list[tuple[int, Path]] = []
    while (item := ready.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        group.append(item)
        # DuckDB reads a file with one thread: a single one would leave the others idle.
        if len(group) >= _GROUP or (len(group) > 1 and ready.empty()):
            yield group
            group = []
    if group:
        yield group


def _find_steps(stage: Stage, base: int) -> None:
    """Find the steps and lay out whose host time is whose."""
    found = [
        Annotation(name, pid or "", tid or "", ts, None if dur is None else ts + dur, step)
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
    threads: dict[tuple[str, str], list[Span]] = {}
    processes: dict[str, list[Span]] = {}
    for number, annotation in enumerate(chosen):
        if annotation.end_ns is not None:
            span = Span(number, annotation.start_ns, annotation.end_ns)
            threads.setdefault((annotation.process, annotation.thread), []).append(span)
            processes.setdefault(annotation.process, []).append(span)
    columns = ("start_ns", "end_ns", "context_no")
    of_threads = (
        (*track, s.start_ns, s.end_ns, s.context_no)
        for track, spans in threads.items()
        for s in cut(spans)
    )
    of_processes = (
        (pid, s.start_ns, s.end_ns, s.context_no)
        for pid, spans in processes.items()
        for s in cut(spans)
    )
    stage.insert("thread_steps", ("pid", "tid", *columns), of_threads)
    stage.insert("process_steps", ("pid", *columns), of_processes)


def _describe(
    source: Source, stage: Stage, metadata: dict[str, Any], container: str, digest: str
) -> None:
    (path,) = source.files
    devices = metadata.get("deviceProperties") or [{}]
    info = metadata.get("distributedInfo") or {}
    rank = info.get("rank") if isinstance(info.get("rank"), int) else source.rank
    ((hip,),) = stage.run("chrome_hip_calls")
    stage.insert(
        "profile",
        ("rank", "source_path", "format", "platform", "device_name", "layout", "metadata"),
        [
            (
                rank,
                str(source.path),
                FORMAT,
                platform_of(metadata, hip),
                devices[0].get("name") or None,
                source.layout,
                msgspec.json.encode(metadata).decode(),
            )
        ],
    )
    stage.insert(
        "files",
        ("path", "size_bytes", "sha256", "container"),
        [(str(path), path.stat().st_size, digest, container)],
    )


def platform_of(metadata: dict[str, Any], hip_calls: bool) -> str:
    """Tell cuda from rocm by the versions in the metadata, else by runtime calls and warp size."""
    if "roctracer_version" in metadata or "hip_runtime_version" in metadata or hip_calls:
        return "rocm"
    if "cupti_version" in metadata or "cuda_runtime_version" in metadata:
        return "cuda"
    sizes = {d.get("warpSize") for d in metadata.get("deviceProperties") or [{}]}
    return "rocm" if 64 in sizes else "cuda" if 32 in sizes else "unknown"
