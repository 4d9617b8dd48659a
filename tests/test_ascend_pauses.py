"""Tasks during which Ascend's profiler records nothing: the time is neither work nor free."""

from pathlib import Path

import pytest

from .ascend import TASKS, kernel, rank_folder, table, task
from .ascend_databases import T0, Writer
from .traces import ingested, rows

DATABASE = "ascend_pytorch_profiler_0.db"


def paused(folder: Path, way: str, kind: str) -> None:
    """Two kernels of 1 us, 20 us apart, and a wait from 6 to 14 us between them."""
    lines = [task("AI_CORE", 0, "1.0", "a"), task(kind, 6, "8.0"), task("AI_CORE", 20, "1.0", "b")]
    if way == "tasks":
        table(folder / "task_time.csv", *lines, header=TASKS)
    elif way == "tasks beside the kernels":
        table(folder / "task_time.csv", *lines, header=TASKS)
        table(folder / "kernel_details.csv", kernel("a", 0, "1.0"), kernel("b", 20, "1.0"))
    else:
        writer = Writer()
        writer.kernel(1, T0, 1000)
        writer.task(2, T0 + 6000, 8000, kind)
        writer.kernel(3, T0 + 20_000, 1000)
        writer.write(folder / DATABASE)


@pytest.mark.parametrize(
    ("way", "kind"),
    [
        ("tasks", "MEM_WAIT_VALUE"),
        ("tasks beside the kernels", "CAPTURE_WAIT"),
        ("database", "MEM_WAIT_VALUE"),
        ("database", "CAPTURE_WAIT"),
    ],
)
def test_a_pause_of_the_recording_is_no_free_time(tmp_path, way, kind):
    """MEM_WAIT_VALUE and CAPTURE_WAIT: the profiler pauses by itself and leaves gaps."""
    paused(rank_folder(tmp_path / "run"), way, kind)
    path = ingested(tmp_path, tmp_path / "run")
    query = (
        "SELECT round(window_ms - 0.021, 3), free_ms, paused_ms FROM overlap WHERE phase = 'all'"
    )
    beside = way == "tasks beside the kernels"  # there kernels start 0.25 us later
    assert rows(path, query) == [(0, 0.011, 0.008)]
    query = "SELECT gap_ms, before_op, after_op FROM gaps ORDER BY start_ns"
    (first, _, ended_by), (second, begun_by, _) = rows(path, query)
    assert (first, second) == ((0.00475, 0.00625) if beside else (0.005, 0.006))
    assert ended_by == begun_by == kind
    query = "SELECT sum(seen) - sum(stored) - sum(set_aside) FROM ingest_ledger"
    assert rows(path, query) == [(0,)]


def test_other_waits_are_free_time(tmp_path):
    """EVENT_WAIT pauses no recording: the device had nothing to do."""
    paused(rank_folder(tmp_path / "run"), "tasks", "EVENT_WAIT")
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT free_ms, paused_ms FROM overlap WHERE phase = 'all'"
    assert rows(path, query) == [(0.019, 0)]


def test_a_pause_under_work_or_beyond_the_window_takes_nothing(tmp_path):
    """Waits beside a kernel and after the last one: free time is what it was."""
    lines = [task("AI_CORE", 0, "5.0", "a"), task("CAPTURE_WAIT", 1, "2.0"),
             task("AI_CORE", 9, "1.0", "b"), task("CAPTURE_WAIT", 8, "50.0")]  # fmt: skip
    table(rank_folder(tmp_path / "run") / "task_time.csv", *lines, header=TASKS)
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT window_ms, free_ms, paused_ms FROM overlap WHERE phase = 'all'"
    assert rows(path, query) == [(0.010, 0.003, 0.001)]


def test_a_pause_counts_in_the_step_that_it_falls_into(tmp_path):
    """A wait of 4 us in the second of two steps, 1 us of it in the first."""
    writer = Writer()
    for number, at in enumerate((1, 11, 16)):
        writer.kernel(number + 1, T0 + 1000 * at, 1000)
        writer.call(number + 1, T0 + 1000 * at - 500)
    for number, name in ((1, "execute_context_1(64)_generation_0(0)"),
                         (11, "execute_context_0(0)_generation_2(2)")):  # fmt: skip
        writer.operator(900 + number, T0 + 1000 * number - 900, 5800, name)
    writer.task(9, T0 + 10_000, 4000, "MEM_WAIT_VALUE")
    path = ingested(tmp_path, writer.write(tmp_path / DATABASE))
    query = "SELECT phase, free_ms, paused_ms FROM overlap WHERE phase <> 'all' ORDER BY 1"
    # Prefill: [1, 11], busy 1, paused 10-11. Decode: [11, 17], busy 2, paused 12-14.
    assert rows(path, query) == [("decode", 0.002, 0.002), ("prefill", 0.008, 0.001)]
    # Nor does the host keep the device waiting then.
    query = "SELECT DISTINCT idle_ms FROM ceiling WHERE phase = 'prefill'"
    assert rows(path, query) == [(0.008,)]
