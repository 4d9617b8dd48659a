"""Odd folders and files of Ascend, each as it is found in the wild, and what is stored of them."""

import json
from pathlib import Path

import pytest

import profdb

from .ascend import START, TASKS, TWO, kernel, rank, rank_folder, table, task, typed
from .ascend_databases import T0, Writer, small
from .test_vendor_files import MEMORY, OP_STATISTIC, ledger
from .traces import fresh, ingested, rows

KERNELS = "SELECT name, core, stream, task_id, start_ns - {}, dur_ns FROM kernels JOIN"
KERNELS += " kernel_names USING (kernel_id) ORDER BY start_ns"
DATABASE = "ascend_pytorch_profiler_0.db"


GRAPH = (
    task("AI_CORE", 0, "1.5", "mm"),
    task("EVENT_WAIT", 2, "5.0"),
    task("KERNEL_AIVEC", 10, "2.25", "add", 2),
    task("MEMCPY_ASYNC", 20, "1.0"),
    task("MEMCPY_ASYNC", 30, "1.0"),
)


def found_in(run: Path, tmp_path: Path, **options):
    """Store a run; its summary and its warehouse."""
    with profdb.open(fresh(tmp_path)) as warehouse:
        return warehouse.ingest(run, **options), tmp_path / "w.duckdb"


def test_captured_graphs_leave_only_task_time(tmp_path):
    """No kernel_details.csv, since all kernels ran in captured graphs; task_time.csv lists them."""
    folder = rank_folder(tmp_path / "run")
    table(folder / "task_time.csv", *GRAPH, header=TASKS)
    table(folder / "op_statistic.csv", "MatMul,AI_CORE,2,4,1,2,3,100", header=OP_STATISTIC)
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert rows(path, KERNELS.format(START * 1000)) == [
        ("mm", "AI_CORE", 7, 1, 0, 1500), ("add", "AI_VECTOR_CORE", 7, 2, 10_000, 2250)
    ]  # fmt: skip
    reason = "device tasks that are no kernels: MEMCPY_ASYNC 2, EVENT_WAIT 1"
    assert ledger(path, "kernel rows") == [("kernel rows", 5, 2, 3, reason)]
    (outcome,) = summary.outcomes
    assert "only task_time was written" in outcome.source.notes[0] and not summary.skipped
    # It tells of no operator types: the vendor's sums cannot be compared.
    assert rows(path, "FROM vendor_check") == []


@pytest.mark.parametrize("better", ["table", "database"])
def test_task_time_beside_kernels_is_no_second_source(tmp_path, better):
    """task_time.csv lists the same kernels as kernel_details.csv or the database beside it."""
    folder = rank(tmp_path / "run", 0) if better == "table" else rank_folder(tmp_path / "run")
    if better == "database":
        small().write(folder / DATABASE)
    table(folder / "task_time.csv", *GRAPH, header=TASKS)
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert len(summary.outcomes) == 1 and not summary.skipped
    assert rows(path, "SELECT count(*) FROM kernels") == [(2,)]
    assert ledger(path, "task_time") == [("task_time", 5, 5, 0, None)]


def test_task_time_of_tasks_alone_says_that_there_are_no_kernels(tmp_path):
    """task_time.csv without a single kernel: waits and copies only."""
    table(rank_folder(tmp_path / "run") / "task_time.csv", *GRAPH[3:], header=TASKS)
    with pytest.raises(profdb.ProfdbError, match="holds 2 tasks and no kernels"):
        ingested(tmp_path, tmp_path / "run")


def test_slices_of_task_time_are_united_and_older_exports_left(tmp_path):
    """Exports of msprof side by side, the newer one cut into slices."""
    folder = tmp_path / "run" / "PROF_1_20260101000000000_A" / "mindstudio_profiler_output"
    table(folder / "task_time_20260101000000.csv", GRAPH[0], header=TASKS)
    for number, row in enumerate((GRAPH[0], GRAPH[2])):
        table(folder / f"task_time_slice_{number}_20260102000000.csv", row, header=TASKS)
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert [s.path.name for s in summary.skipped] == ["task_time_20260101000000.csv"]
    assert rows(path, "SELECT count(*), sum(dur_ns) FROM kernels") == [(2, 3750)]


def test_no_kernel_table_falls_back_to_the_database(tmp_path):
    """No kernel_details.csv, but sums as text and a database with the kernels."""
    folder = rank_folder(tmp_path / "run")
    small().write(folder / DATABASE)
    table(folder / "op_statistic.csv", "Add,AI_VECTOR_CORE,2,0.7,0.2,0.35,0.5,100",
          header=OP_STATISTIC)  # fmt: skip
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT format, kernels FROM run_summary") == [("ascend_db", 2)]
    status = "SELECT DISTINCT status FROM vendor_check WHERE kind = 'op_statistic'"
    assert rows(path, status) == [("agrees",)]


def test_a_table_of_nothing_but_a_header_falls_back_to_the_database(tmp_path):
    """kernel_details.csv that the analysis began and never filled, beside a whole database."""
    folder = rank(tmp_path / "run", 0, ())
    small().write(folder / DATABASE)
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert rows(path, "SELECT format, kernels FROM run_summary") == [("ascend_db", 2)]
    (outcome,) = summary.outcomes
    assert "a header and no rows" in outcome.twins[0].error


def test_op_summary_in_the_folder_of_the_rank(tmp_path):
    """op_summary put into ASCEND_PROFILER_OUTPUT by hand: it is the only kernel table there."""
    table(rank_folder(tmp_path / "run") / "op_summary_20260101000000.csv", *TWO)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT format, kernels FROM run_summary") == [("ascend_csv", 2)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"SQLite format 3\0" + bytes(84), "is a database that cannot be read"),
        (None, "it was cut or never finished"),
        (b"", "empty file"),
        (b"no database", "not a format that is known"),
    ],
)
def test_text_beside_a_broken_database_is_enough(tmp_path, content, said):
    """Export of the database failed or was cut, as on Ascend 950; the text is whole."""
    folder = rank(tmp_path / "run", 0)
    whole = small().write(folder / DATABASE).read_bytes()
    (folder / DATABASE).write_bytes(whole[: len(whole) // 2] if content is None else content)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0, done.output
    assert said in done.output
    assert rows(tmp_path / "w.duckdb", "SELECT format, kernels FROM run_summary") == [
        ("ascend_csv", 2)
    ]


def test_a_rank_that_only_ran_dummy_batches(tmp_path):
    """An idle data-parallel rank: kernels of dummy batches, no step, beside a rank with steps."""
    for number, worker in enumerate(("dp0_pp0_tp0_dcp0_ep0_rank0", "dp1_pp0_tp0_dcp0_ep1_rank1")):
        writer = Writer()
        for at in (1, 2):
            writer.kernel(at, T0 + 10_000 * at + number, 500)
            writer.call(at, T0 + 10_000 * at - 500)
            if not number:
                step = "execute_context_0(0)_generation_2(2)"
                writer.operator(900 + at, T0 + 10_000 * at - 900, 800, step)
        folder = rank_folder(tmp_path / "run", worker)
        writer.write(folder / f"ascend_pytorch_profiler_{number}.db")
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT rank, phase, steps, launches, gpu_ms FROM phase_time ORDER BY 1"
    assert rows(path, query) == [(0, "decode", 2, 2, 0.001), (1, "unknown", None, 2, 0.001)]
    assert rows(path, "SELECT rank, contexts FROM run_summary ORDER BY 1") == [(0, 2), (1, 0)]


def test_dummy_batches_between_steps_are_outside_of_them(tmp_path):
    """A rank that had requests for a while: dummy batches are in no step, and no phase counts."""
    writer = Writer()
    for at in (1, 2, 3):
        writer.kernel(at, T0 + 10_000 * at, 500)
        writer.call(at, T0 + 10_000 * at - 500)
    writer.operator(901, T0 + 9_100, 800, "execute_context_0(0)_generation_2(2)")
    writer.operator(902, T0 + 29_100, 800, "execute_context_0(0)_generation_2(2)")
    writer.operator(903, T0 + 19_100, 800, "dummy_run")
    path = ingested(tmp_path, writer.write(tmp_path / DATABASE))
    query = "SELECT phase, steps, launches FROM phase_time ORDER BY 1"
    assert rows(path, query) == [("decode", 2, 2), ("outside", None, 1)]


EVENTS = [
    '{"ph": "M", "name": "process_name", "pid": 3170820512, "args": {"name": "Ascend Hardware"}}',
    f'{{"ph": "X", "name": "k1", "pid": 3170820512, "tid": 7, "ts": "{START}.250", "dur": 1.5}}',
    f'{{"ph": "s", "cat": "HostToDevice", "id": 9223372036854775807, "ts": "{START}.250"}}',
]
TIMELINES = {
    "times as text, ids above 2^53": f"[{','.join(EVENTS)}]",
    "no closing bracket": f"[{','.join(EVENTS)}",
    "two arrays": f"[{EVENTS[0]}][{EVENTS[1]}]",
    "cut within an event": f"[{EVENTS[0]},{EVENTS[1][:40]}",
    "no JSON": "{{{",
    "empty": "",
}


def test_a_timeline_costs_nothing_whatever_it_holds(tmp_path):
    """trace_view.json with times as text and ids above 2^53, or that is no valid JSON."""
    for number, content in enumerate(TIMELINES.values()):
        folder = rank(tmp_path / "run", number)
        (folder / "trace_view.json").write_text(content)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0, done.output
    assert done.output.count("trace_view.json: ") == len(TIMELINES)
    query = f"SELECT rank, start_ns - {START * 1000}, dur_ns FROM kernel_events ORDER BY ALL"
    assert rows(tmp_path / "w.duckdb", query) == [
        (number, *times) for number in range(len(TIMELINES))
        for times in ((250, 1500), (10_250, 2250))
    ]  # fmt: skip


def test_the_head_of_the_device_window_is_lost(tmp_path):
    """Launch calls of the first step whose device records never came: 1 of 3 products is there."""
    writer = Writer()
    for step, first in enumerate((10, 20)):
        writer.operator(
            900 + step, T0 + 10_000 * step, 9_000, "execute_context_0(0)_generation_2(2)"
        )
        for number in range(first, first + 3):
            writer.call(number, T0 + 10_000 * step + 100 * (number - first + 1))
            if number not in (10, 11):
                writer.kernel(number, T0 + 10_000 * step + 1000 * (number - first + 1), 500)
    path = ingested(tmp_path, writer.write(tmp_path / DATABASE))
    query = "SELECT launches, complete FROM context_time ORDER BY start_ns"
    assert rows(path, query) == [(1, False), (3, True)]
    # Means per step are of the whole step alone.
    query = "SELECT steps, steps_cut, ms_per_step FROM phase_time WHERE phase = 'decode'"
    assert rows(path, query) == [(1, 1, 0.0015)]
    said = "SELECT events FROM trust_reasons WHERE reason LIKE 'steps with launch calls without%'"
    assert rows(path, said) == [(1,)]


def test_what_is_read_is_chosen_per_rank(tmp_path):
    """Text in one rank; in the other msprof's database in PROF_, its output folder without one."""
    rank(tmp_path / "run", 0)
    folder = rank_folder(tmp_path / "run", "rank1")
    table(folder / "memory_record.csv", "APP,1.5,2,NPU:0", header=MEMORY)
    prof = folder.parent / "PROF_000001_20260101000000000_ABC"
    small().write(prof / "msprof_20260101000000.db")
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT rank, format, kernels FROM run_summary ORDER BY rank"
    assert rows(path, query) == [(0, "ascend_csv", 2), (1, "ascend_db", 2)]


def test_of_repeated_exports_of_a_database_the_newest_is_read(tmp_path):
    """msprof exported twice: two databases that differ by the time in their names."""
    prof = tmp_path / "run" / "PROF_000001_20260101000000000_ABC"
    small().write(prof / "msprof_20260101000000.db")
    writer = small()
    writer.kernel(9, T0 + 5000, 100)
    writer.write(prof / "msprof_20260102000000.db")
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert rows(path, "SELECT kernels FROM run_summary") == [(3,)]
    ((left, reason),) = [(one.path.name, one.reason) for one in summary.skipped]
    assert left == "msprof_20260101000000.db" and "msprof_20260102000000.db" in reason


COMMUNICATION = {"Communication Time Info": {"Elapse Time(ms)": 1.5},
                 "Communication Bandwidth Info": {}}  # fmt: skip


def test_a_step_number_that_only_some_files_have(tmp_path):
    """communication.json has step 114, step_trace_time.csv step 0, the kernels none."""
    folder = rank(tmp_path / "run", 0, [kernel("mm", 0, "1.5")])
    header = "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage"
    table(folder / "step_trace_time.csv", "0,1.5,0,0,0,0,1.5,0", header=header + ",Bubble")
    told = {"step114": {"p2p": {}, "collective": {"hcom_allReduce__1@2": COMMUNICATION}}}
    (folder / "communication.json").write_text(json.dumps(told))
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT step FROM vendor_steps") == [("0",)]
    assert rows(path, "SELECT step, op, elapse_ns FROM vendor_collectives") == [
        ("114", "hcom_allReduce__1", 1_500_000)
    ]
    query = "SELECT count(*) FROM vendor_check WHERE status = 'agrees'"
    assert rows(path, query) == [(4,)]
    assert rows(path, "SELECT phase, launches FROM phase_time") == [("unknown", 1)]


@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + bytes(200), None])
def test_the_cache_of_a_viewer_is_left(tmp_path, content):
    """mindstudio_insight_data.db of an older parse, even with tables of the profiler's names."""
    folder = rank(tmp_path / "run", 0)
    cache = folder / "mindstudio_insight_data.db"
    if content is None:
        small().write(cache)
        cache.with_name(cache.name + "-wal").write_bytes(b"\x37\x7f\x06\x82 unfinished")
    else:
        cache.write_bytes(content)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0, done.output
    assert rows(tmp_path / "w.duckdb", "SELECT kernels FROM run_summary") == [(2,)]


def test_more_ranks_in_the_world_than_folders(tmp_path):
    """profiler_metadata.json tells of four ranks; rank 1 has an output without kernels."""
    for number in (0, 2):
        folder = rank(tmp_path / "run", number)
        notes = json.dumps({"distributed_args": {"world_size": 4, "rank": number}})
        (folder.parent / "profiler_metadata.json").write_text(notes)
    empty = rank_folder(tmp_path / "run", "rank1")
    table(empty / "api_statistic.csv", "acl,x,1,1,1,1,1,0",
          header="Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance")  # fmt: skip
    (empty / "analyse.done").touch()
    summary, _ = found_in(tmp_path / "run", tmp_path)
    assert summary.absent == {
        "run": "no profile of ranks 1, 3 of 4 (world size by profiler_metadata.json)"
    }
    assert "analyse.done stands there" in {s.path: s.reason for s in summary.skipped}[empty.parent]


def test_kernels_without_a_device(tmp_path):
    """kernel_details.csv of before June 2025, without Device_id; the vendor's sums have one."""
    folder = rank(tmp_path / "run", 0, [kernel("mm", 0, "1.5")])
    header = "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication"
    table(
        folder / "step_trace_time.csv", "0,,1.5,0,0,0,0,1.5,0", header=header + ",Free,Stage,Bubble"
    )
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT device, count(*) FROM kernels GROUP BY 1") == [(0, 1)]
    assert rows(path, "SELECT DISTINCT status FROM vendor_check") == [("agrees",)]


def test_one_rank_alone_has_no_tables_of_communication(tmp_path):
    """A run on one device: the database has neither COMMUNICATION_OP nor its tasks."""
    writer = small()
    writer.add("RANK_DEVICE_MAP", ("rankId", "deviceId"), (-1, 0))
    path = ingested(tmp_path, writer.write(tmp_path / "run" / DATABASE))
    assert rows(path, "SELECT communication_ms, free_ms FROM overlap WHERE phase = 'all'") == [
        (0.0, 0.0005)
    ]
    assert rows(path, "SELECT rank, kernels FROM run_summary") == [(0, 2)]
    assert rows(path, "FROM rank_skew") == []


@pytest.mark.parametrize("names", [(("123", 0), ("123", 1)), (("123", 0), ("124", 0))])
def test_every_database_of_a_monitor_is_a_window_of_its_own(tmp_path, names):
    """msmonitor_{pid}_{time}_{rank}.db side by side: two windows of a rank, or two processes."""
    for number, (pid, second) in enumerate(names):
        writer = small()
        writer.kernel(9, T0 + 5000 + number, 100)
        writer.write(tmp_path / "run" / f"msmonitor_{pid}_2026010100000{second}000_3.db")
    small().write(tmp_path / "run" / "msmonitor_125_20260101000000000_-1.db")
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT rank, kernels FROM run_summary ORDER BY rank"
    assert rows(path, query) == [(-1, 2), (3, 3), (3, 3)]
