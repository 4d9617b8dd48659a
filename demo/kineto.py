"""Text of a Kineto trace as its own writer prints it."""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path

BASE_NS = 1_767_189_312_000_000_000
GZIP_LEVEL = 4
PARTS_PER_WRITE = 4096
PID = 851
DEVICE = 0
STREAM = 0
HOST = f'"pid": {PID}, "tid": {PID}'
GPU = f'"pid": {DEVICE}, "tid": {STREAM}'
SPANS_SORT = 536_870_912
WINDOW_END = """  {{
    "name": "Record Window End", "ph": "i", "s": "g",
    "pid": "", "tid": "", "ts": {ts}
  }}
  ],
  "traceName": "/tmp/tmpq3f0c1zv.json"
}}"""


def micros(ns: int) -> str:
    """Nanoseconds as µs with three decimals."""
    return f"{ns // 1000}.{ns % 1000:03d}"


def quoted(text: str) -> str:
    """A JSON string."""
    return json.dumps(text, ensure_ascii=False)


def complete(cat: str, name: str, track: str, ts: int, dur: int, args: str) -> str:
    """An X event; `name` is JSON already, `ts` and `dur` are ns, `args` the object's inside."""
    return (
        f'  {{\n    "ph": "X", "cat": "{cat}", "name": {name}, {track},\n'
        f'    "ts": {micros(ts)}, "dur": {micros(dur)},\n'
        f'    "args": {{\n      {args}\n    }}\n  }},\n'
    )


def flow_start(correlation: int, ts: int) -> str:
    """The s event of a launch call at `ts` ns."""
    return (
        f'  {{\n    "ph": "s", "id": {correlation}, {HOST}, "ts": {micros(ts)},\n'
        '    "cat": "ac2g", "name": "ac2g"\n  },\n'
    )


def flow_end(correlation: int, track: str, ts: int) -> str:
    """The f event of a launch, or of a call that launches nothing, at `ts` ns."""
    return (
        f'  {{\n    "ph": "f", "id": {correlation}, {track}, "ts": {micros(ts)},\n'
        '    "cat": "ac2g", "name": "ac2g", "bp": "e"\n  },\n'
    )


def memory_instant(ts: int, ev_idx: int, size: int) -> str:
    """A [memory] instant at `ts` ns: `size` bytes taken on the device."""
    return (
        f'  {{\n    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",\n'
        f'    {HOST},\n    "ts": {micros(ts)},\n    "args": {{\n'
        f'      "Total Reserved": 61807263744, "Total Allocated": {58_000_000_000 + size}, '
        f'"Bytes": {size}, "Addr": 139710000000000, "Device Id": {DEVICE}, "Device Type": 1, '
        f'"Ev Idx": {ev_idx}\n    }}\n  }},\n'
    )


def closing_events(start: int, end: int) -> list[str]:
    """Metadata of processes, threads and streams, the recording span and its start, in ns."""
    tracks = [(PID, PID, "python3", "CPU", f"thread {PID} (python3)")]
    tracks.append((DEVICE, STREAM, "python3", f"GPU {DEVICE}", f"stream {STREAM} "))
    events = [event for track in tracks for event in _track_names(start, *track)]
    events.append(
        f'  {{\n    "ph": "X", "cat": "Trace", "ts": {micros(start)}, '
        f'"dur": {micros(end - start)},\n    "pid": "Spans", "tid": "PyTorch Profiler",\n'
        '    "name": "PyTorch Profiler (0)",\n    "args": {\n      "Op count": 0\n    }\n  },\n'
    )
    events.append(_metadata("process_sort_index", start, '"Spans"', 0, "sort_index", SPANS_SORT))
    events.append(
        '  {\n    "name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g",\n'
        f'    "pid": "Traces", "tid": "Trace PyTorch Profiler", "ts": {micros(start)}\n  }},\n'
    )
    return events


def write_trace(path: Path, sections: Sequence[Iterable[str]], end: int) -> None:
    """Write the file; each event of the sections ends in its comma, `end` closes the window."""
    last = WINDOW_END.format(ts=micros(end))
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", compresslevel=GZIP_LEVEL, fileobj=raw, mtime=0) as file,
    ):
        for text in _texts(chain([_head()], *sections, [last])):
            file.write(text.encode())


def _texts(parts: Iterable[str]) -> Iterator[str]:
    left = iter(parts)
    while text := "".join(islice(left, PARTS_PER_WRITE)):
        yield text


def _track_names(
    ts: int, pid: int, tid: int, process: str, label: str, thread: str
) -> Iterator[str]:
    sort = pid if label == "CPU" else 5_000_000 + pid
    yield _metadata("process_name", ts, pid, 0, "name", process)
    yield _metadata("process_labels", ts, pid, 0, "labels", label)
    yield _metadata("process_sort_index", ts, pid, 0, "sort_index", sort)
    yield _metadata("thread_name", ts, pid, tid, "name", thread)
    yield _metadata("thread_sort_index", ts, pid, tid, "sort_index", tid)


def _metadata(name: str, ts: int, pid: int | str, tid: int, key: str, value: int | str) -> str:
    return (
        f'  {{\n    "name": "{name}", "ph": "M", "ts": {micros(ts)}, "pid": {pid}, "tid": {tid},\n'
        f'    "args": {{\n      "{key}": {json.dumps(value)}\n    }}\n  }},\n'
    )


def _head() -> str:
    devices = ",\n".join(_device(ordinal) for ordinal in range(8))
    group = {"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl"}
    world = {
        "backend": "nccl",
        "rank": 0,
        "world_size": 1,
        "pg_count": 1,
        "pg_config": [group | {"pg_size": 1, "ranks": [0]}],
        "nccl_version": "2.26.6",
    }
    return (
        f'\n{{\n  "schemaVersion": 1,\n  "deviceProperties": [\n{devices}\n  ],\n'
        '  "roctracer_version": 4.1,\n'
        f'  "distributedInfo": {json.dumps(world)},\n'
        '  "record_shapes": 1,\n  "hip_runtime_version": 60325224,\n'
        '  "profile_memory": 1,\n  "hip_driver_version": 60325224,\n  "with_stack": 1,\n'
        '  "trace_id": "5D1B0C7E8A3F4E66B0F2C9A71D5E8342",\n  "displayTimeUnit": "ms",\n'
        f'  "baseTimeNanoseconds": {BASE_NS},\n  "traceEvents": [\n'
    )


def _device(ordinal: int) -> str:
    return (
        f'    {{\n      "id": {ordinal}, "name": "BW1000", "totalGlobalMem": 68702699520,\n'
        '      "computeMajor": 9, "computeMinor": 3,\n'
        '      "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2560,\n'
        '      "regsPerBlock": 65536, "warpSize": 64,\n'
        '      "sharedMemPerBlock": 65536, "numSms": 80\n'
        '    , "maxSharedMemoryPerMultiProcessor": 65536\n    }'
    )
