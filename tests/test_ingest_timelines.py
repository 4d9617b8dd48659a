"""Timelines of Ascend, read where a rank has neither a kernel table nor a database."""

import csv
import json
import shutil
from decimal import Decimal

import pytest

from .ascend import kernel, rank, typed
from .traces import SHARED, ingested, needs_shared, rows

NPU, PYTHON, HCCL = (77 << 10) | (13 << 5) | 3, 77, (77 << 10) | (15 << 5) | 3
TASKS = [
    # name, kind of task, stream, start and duration in us, id of the flow from its operator
    ("MatMul_1", "AI_CORE", 2, "10.000", 5.0625, "9007199254740993"),
    ("Add_2", "AI_VECTOR_CORE", 2, "20.000", 3, "9007199254740995"),
    ("EVENT_RECORD", "EVENT_RECORD_SQE", 2, "24.000", 1, None),
    ("MEMCPY_ASYNC", "SDMA_SQE", 2, "25.000", 1, None),
]


def at(us: str) -> str:
    """A time of the trace: text of microseconds since the epoch."""
    return str(Decimal("1736408883704000.000") + Decimal(us))


def lane(pid: int, name: str, label: str, threads: dict[int, str]) -> list[dict]:
    """What names a process and its threads."""
    one = [
        {"ph": "M", "pid": pid, "name": "process_name", "args": {"name": name}},
        {"ph": "M", "pid": pid, "name": "process_labels", "args": {"labels": label}},
    ]
    return one + [
        {"ph": "M", "pid": pid, "tid": tid, "name": "thread_name", "args": {"name": thread}}
        for tid, thread in threads.items()
    ]


def timeline() -> list[dict]:
    """Two kernels in a step, launched by two operators; a collective of 4 us with its planes."""
    events = lane(PYTHON, "Python", "CPU", {1: "Thread 1"})
    events += lane(NPU, "Ascend Hardware", "NPU", {2: "Stream 2"})
    events += lane(HCCL, "Communication", "NPU", {0: "Group 0 Communication", 1: "Plane 0"})
    host = {"ph": "X", "pid": PYTHON, "tid": 1, "cat": "cpu_op", "args": {}}
    events.append(host | {"name": "ProfilerStep#4", "ts": at("0"), "dur": 9})
    for place, (name, kind, stream, start, dur, flow) in enumerate(TASKS):
        task = {"ph": "X", "pid": NPU, "tid": stream, "ts": at(start), "dur": dur, "name": name}
        events.append(task | {"args": {"Task Type": kind, "Task Id": place, "Model Id": 1}})
        if flow:
            events.append(host | {"name": f"aten::op{place}", "ts": at(f"{place + 1}"), "dur": 1})
            arrow = {"cat": "async_npu", "id": flow, "name": "async_npu"}
            events.append(arrow | {"ph": "s", "pid": PYTHON, "tid": 1, "ts": at(f"{place + 1}.5")})
            events.append(arrow | {"ph": "f", "pid": NPU, "tid": stream, "ts": at(start)})
    whole = {"ph": "X", "pid": HCCL, "tid": 0, "ts": at("30"), "dur": 4, "name": "hcom_allReduce_1"}
    plane = {"ph": "X", "pid": HCCL, "tid": 1, "ts": at("31"), "dur": 2, "name": "Reduce_Inline"}
    return [*events, whole | {"args": {}}, plane | {"args": {}}]


def written(path, events):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(events))
    return path


def test_kernels_and_collectives_are_launches_and_tasks_of_the_runtime_are_not(tmp_path):
    path = ingested(tmp_path, written(tmp_path / "run" / "trace_view.json", timeline()))
    found = rows(
        path,
        "SELECT kernel, device, stream, start_ns % 1000000, dur_ns FROM kernel_events ORDER BY 4",
    )
    assert found == [
        ("MatMul_1", 3, 2, 10_000, 5_063),
        ("Add_2", 3, 2, 20_000, 3_000),
        ("hcom_allReduce_1", 3, None, 30_000, 4_000),
    ]
    assert rows(path, "SELECT DISTINCT platform, format FROM profiles") == [
        ("ascend", "ascend_trace")
    ]


def test_launches_belong_to_the_step_and_the_operator_that_a_flow_comes_from(tmp_path):
    path = ingested(tmp_path, written(tmp_path / "run" / "trace_view.json", timeline()))
    query = (
        "SELECT c.name, h.name, k.attribution FROM kernels AS k LEFT JOIN contexts AS c"
        " USING (context_id) LEFT JOIN names AS h ON h.name_id = k.host_op_id ORDER BY k.start_ns"
    )
    assert rows(path, query) == [
        ("ProfilerStep#4", "aten::op0", "launch call"),
        ("ProfilerStep#4", "aten::op1", "launch call"),
        (None, None, "no launch call recorded"),
    ]
    ((trust, reasons),) = rows(path, "SELECT trust, trust_reasons FROM run_summary")
    assert trust == "limited" and "no shapes and no operator types" in reasons


def test_every_event_is_counted(tmp_path):
    events = timeline()
    path = ingested(tmp_path, written(tmp_path / "run" / "trace_view.json", events))
    ((seen, stored),) = rows(path, "SELECT sum(seen), sum(stored) FROM ingest_ledger")
    assert (seen, stored) == (len(events), len(events))


def test_pauses_of_the_recording_are_no_free_time(tmp_path):
    events = timeline()
    pause = {"ph": "X", "pid": NPU, "tid": 2, "ts": at("15.0625"), "dur": 4.9375}
    events.append(pause | {"name": "WAIT", "args": {"Task Type": "CAPTURE_WAIT"}})
    path = ingested(tmp_path, written(tmp_path / "run" / "trace_view.json", events))
    # Of 24 us from the first start to the last end 12.063 are work, 4.9 pause, 7 free.
    query = "SELECT round(free_ms * 1000) FROM overlap WHERE phase = 'all'"
    assert rows(path, query) == [(7.0,)]


def test_where_a_kernel_table_is_there_the_timeline_is_left(tmp_path):
    output = rank(tmp_path / "run", 0, [kernel("mm", 0, "1")])
    written(output / "trace_view.json", timeline())
    done = typed("ingest", tmp_path / "run", "--dry-run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "same profile as kernel_details.csv, which is read, and holds less" in said
    assert rows(ingested(tmp_path, tmp_path / "run"), "SELECT format FROM profiles") == [
        ("ascend_csv",)
    ]


def test_a_parser_that_was_interrupted_left_a_timeline_that_is_refused(tmp_path):
    text = json.dumps(timeline())
    file = written(tmp_path / "run" / "trace_view.json", [])
    file.write_text(text[: len(text) - 40])
    done = typed("ingest", file, "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1
    assert "trace_view.json" in done.output and "byte" in done.output


def test_a_slice_of_a_timeline_names_what_to_read_instead(tmp_path):
    file = written(tmp_path / "run" / "msprof_slice_0_20260101.json", timeline())
    done = typed("ingest", file, "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1 and "op_summary*.csv" in done.output


@needs_shared
@pytest.mark.parametrize("number", [0, 1])
def test_kernels_of_a_real_timeline_are_those_of_its_kernel_table(tmp_path, number):
    output = SHARED / f"traces/ascend/text/rank{number}_ascend_pt/ASCEND_PROFILER_OUTPUT"
    with (output / "kernel_details.csv").open(newline="") as file:
        table = [
            (row["Name"], ns(row["Start Time(us)"]), ns(row["Duration(us)"]))
            for row in csv.DictReader(file)
        ]
    (tmp_path / "run").mkdir()
    shutil.copy(output / "trace_view.json", tmp_path / "run")
    path = ingested(tmp_path, tmp_path / "run")
    found = rows(path, "SELECT kernel, start_ns, dur_ns FROM kernel_events")
    assert sorted(r[0] for r in found) == sorted(r[0] for r in table)
    # Starts of collectives are rounded in the table, and so are halves of a nanosecond.
    kernels, known = (
        {(name, start): dur for name, start, dur in of if not name.startswith("hcom_")}
        for of in (found, table)
    )
    assert kernels.keys() == known.keys() and len(kernels) == 187
    assert all(abs(kernels[one] - known[one]) <= 1 for one in known)
    assert rows(path, "SELECT DISTINCT device FROM kernels") == [(number,)]


def ns(us: str) -> int:
    """ns of a cell in us, by its digits."""
    return int(Decimal(us) * 1000)
