"""Chrome JSON traces as Kineto writes them on CUDA and ROCm, of every year."""

import json
import re
from pathlib import Path
from typing import Any

import ijson
import msgspec

from ..errors import ProfdbError
from . import capture
from .capture_read import Captures
from .chrome_steps import find_steps
from .container import Hashed, head_of, open_content
from .feed import load
from .folders import profile_path, read_names, run_folder
from .slices import Slices
from .source import Options, Progress, Skipped, Source, describe
from .stage import Stage

FORMAT = "chrome"

_HEAD = 1 << 18
_MERGED = re.compile(rb'"pid":\s*"\[(TP|DP|PP|EP)\d+')


def recognise(path: Path) -> Source | Skipped | None:
    """Judge by the first bytes whether a file is a trace with events of one process."""
    head = head_of(path, _HEAD)
    if not _looks_like_trace(head):
        return None
    if _MERGED.search(head):
        return Skipped(
            path, "several ranks merged into one file: ingest the traces of the ranks instead"
        )
    if captured := capture.recognise(path, head):
        return captured
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
    """Fill the staging tables from the trace, and from those of captured graphs beside it."""
    source, captures = Captures.of(source)
    (path,) = source.files
    content = Hashed(open_content(path))
    name = str(path) if content.kind == "plain" else f"{path} (unpacked)"
    slices = Slices(content.read, name)
    stage.run("chrome_raw")
    captures.read(stage, options, progress)
    if not load(stage, slices, content, options, progress):
        raise ProfdbError(f"{path} holds no events: the profiler recorded nothing")
    base = _base_ns(path, slices.metadata)
    stage.insert("zero", ("ns", "keep_python"), [(base, options.python)])
    stage.run("chrome_ledger", python=options.python)
    by_device = find_steps(stage, base)
    stage.run("chrome_attribute")
    if by_device:
        stage.run("chrome_device_steps")
    stage.run("chrome_finish")
    stage.run("chrome_doubts")
    captures.apply(stage)
    repairs = [("limited", what, count) for what, count in slices.repaired.items() if count]
    stage.insert("trust", ("level", "reason", "events"), repairs)
    _describe(source, stage, slices.metadata, content.kind, content.sha256())
    captures.describe(stage)


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
