"""Chrome traces for the tests of the ingest, and what the warehouse then has of them."""

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import profdb
from profdb.warehouse import Warehouse

SHARED = Path(__file__).parents[2] / "shared"
CASES = SHARED / "cases"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="no folder of real traces here")

Event = dict[str, Any]
_KERNELS = """
SELECT k.device, k.stream, k.start_ns, k.dur_ns, n.kind, n.name, k.correlation, k.attribution,
    c.name AS context, o.name AS op, s.shape, k.launch_ns, k.graph_replay
FROM kernels AS k
JOIN profiles AS p ON p.profile_id = k.profile_id
JOIN runs AS r ON r.run_id = p.run_id
JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
JOIN shapes AS s ON s.shape_id = k.shape_id
LEFT JOIN names AS o ON o.name_id = k.host_op_id
LEFT JOIN contexts AS c ON c.context_id = k.context_id
WHERE r.label = '{}'
"""
_EVENTS = """
SELECT g.category, g.ph, n.name, t.process, t.thread, e.start_ns, e.dur_ns
FROM events AS e
JOIN profiles AS p ON p.profile_id = e.profile_id
JOIN runs AS r ON r.run_id = p.run_id
JOIN categories AS g ON g.category_id = e.category_id
JOIN tracks AS t ON t.track_id = e.track_id
LEFT JOIN names AS n ON n.name_id = e.name_id
WHERE r.label = '{}'
"""


def span(cat: str, name: str, ts: Any, dur: Any, pid: Any = 1, tid: Any = 1, **args: Any) -> Event:
    """A span of a trace; pid 0 is device 0 where it is device work."""
    event = {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}
    return event | {"args": args} if args else event


def launched(
    number: int, at: Any, start: Any, dur: Any, name: str = "k", **more: Any
) -> list[Event]:
    """A launch call on thread 1 of process 1 and the kernel that it starts on device 0."""
    call = span("cuda_runtime", "cudaLaunchKernel", at, 1, correlation=number)
    kernel = span("kernel", name, start, dur, 0, 7, device=0, stream=7, correlation=number)
    return [call | more, kernel]


def write(path: Path, events: Iterable[Event], **metadata: Any) -> Path:
    """Write a trace in its object form, with the metadata before the events."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schemaVersion": 1, **metadata, "traceEvents": list(events)}))
    return path


def small(path: Path, name: str = "k", count: int = 3) -> Path:
    """Write a trace of one decode step with some kernels; `name` tells contents apart."""
    step = span("user_annotation", "execute_context_0(0)_generation_1(1)", 10, 100)
    work = [launched(i, 20 + i, 50 + 10 * i, 5, f"{name}{i}") for i in range(1, count + 1)]
    return write(path, [step, *(event for pair in work for event in pair)])


@cache
def _empty() -> bytes:
    with TemporaryDirectory() as folder:
        Warehouse.open(Path(folder) / "w.duckdb", write=True).close()
        return (Path(folder) / "w.duckdb").read_bytes()


def fresh(folder: Path) -> Path:
    """A new warehouse, copied from one that was made before: making it takes most of a second."""
    path = folder / "w.duckdb"
    path.write_bytes(_empty())
    return path


def ingested(folder: Path, *sources: Path, **options: Any) -> Path:
    """A new warehouse in the folder with these sources."""
    path = fresh(folder)
    with profdb.open(path) as warehouse:
        warehouse.ingest(*sources, **options)
    return path


def rows(warehouse: Path, query: str) -> list[tuple[Any, ...]]:
    """Ask a warehouse and close it."""
    with profdb.open(warehouse) as opened:
        return opened.sql(query).fetchall()


def stored_kernels(warehouse: Path, label: str) -> Counter[tuple[Any, ...]]:
    """What the warehouse has of every launch of a run."""
    return Counter(rows(warehouse, _KERNELS.format(label.replace("'", "''"))))


def stored_events(warehouse: Path, label: str) -> Counter[tuple[Any, ...]]:
    """What the warehouse has of every host event of a run."""
    return Counter(rows(warehouse, _EVENTS.format(label.replace("'", "''"))))


def stored_ledger(warehouse: Path, label: str) -> dict[str, tuple[int, int, int]]:
    """Seen, stored and set aside by category."""
    found = rows(
        warehouse, f"SELECT category, seen, stored, set_aside FROM ingest_ledger"
        f" WHERE label = '{label.replace(chr(39), chr(39) * 2)}'"
    )  # fmt: skip
    return {category: counts for category, *counts in ((c, *map(int, n)) for c, *n in found)}
