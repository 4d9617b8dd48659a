"""Odd folders and files of Ascend, each as it is found in the wild, and what is stored of them."""

import csv
import json
import shutil
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

import profdb

from .ascend import HEADER, START, TWO, kernel, rank, rank_folder, table, typed
from .ascend_databases import NONE, T0, Writer, small
from .test_vendor_files import MEMORY, OP_STATISTIC, ledger
from .traces import fresh, ingested, rows

TASKS = "kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
KERNELS = "SELECT name, core, stream, task_id, start_ns - {}, dur_ns FROM kernels JOIN"
KERNELS += " kernel_names USING (kernel_id) ORDER BY start_ns"
DATABASE = "ascend_pytorch_profiler_0.db"


def task(kind: str, at: int, took: str, name: str = "N/A", number: int = 1) -> str:
    """A row of task_time.csv, `at` us after the start."""
    start = f"{START + at}.000"
    return f"{name},{kind},7,{number},{took},{start}\t,{start}\t"


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


def test_a_rank_of_raw_data_beside_good_ranks(tmp_path):
    """The parser crashed on one rank: PROF_ and FRAMEWORK, no ASCEND_PROFILER_OUTPUT."""
    rank(tmp_path / "run", 0)
    raw = rank_folder(tmp_path / "run", "rank1").parent
    for name in ("PROF_000001_20260101000000000_ABC/device_0/data/x.slice_0", "FRAMEWORK/torch.op"):
        (raw / name).parent.mkdir(parents=True)
        (raw / name).write_bytes(b"\0\1\2")
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0
    assert done.output.count("skipped:") == 1 and f"analyse('{raw}')" in done.output
    assert rows(tmp_path / "w.duckdb", "SELECT rank FROM run_summary") == [(0,)]


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


TIMELINE = [
    '{"ph": "M", "name": "process_name", "pid": 3170820512, "args": {"name": "Ascend Hardware"}}',
    f'{{"ph": "X", "name": "k1", "pid": 3170820512, "tid": 7, "ts": "{START}.250", "dur": 1.5}}',
    f'{{"ph": "s", "cat": "HostToDevice", "id": 9223372036854775807, "ts": "{START}.250"}}',
]


@pytest.mark.parametrize(
    "content",
    [
        "[" + ",".join(TIMELINE) + "]",
        "[" + ",".join(TIMELINE),
        "[" + ",".join(TIMELINE) + "][" + TIMELINE[1] + "]",
        "[" + TIMELINE[0] + "," + TIMELINE[1][:40],
        "{{{",
        "",
    ],
    ids=["text times, long ids", "no bracket", "two arrays", "cut", "no JSON", "empty"],
)
def test_a_timeline_costs_nothing_whatever_it_holds(tmp_path, content):
    """trace_view.json with times as text and ids above 2^53, or that is no valid JSON."""
    folder = rank(tmp_path / "run", 0)
    (folder / "trace_view.json").write_text(content)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0, done.output
    assert f"{folder / 'trace_view.json'}: " in done.output
    query = f"SELECT rank, start_ns - {START * 1000}, dur_ns FROM kernel_events ORDER BY 2"
    assert rows(tmp_path / "w.duckdb", query) == [(0, 250, 1500), (0, 10_250, 2250)]


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


def test_a_folder_with_only_the_cache_of_a_viewer_says_how_to_parse_it(tmp_path):
    """Output that was deleted but for mindstudio_insight_data.db, with the raw data still there."""
    folder = rank_folder(tmp_path / "run")
    small().write(folder / "mindstudio_insight_data.db")
    (folder.parent / "PROF_000001_20260101000000000_ABC" / "host").mkdir(parents=True)
    with pytest.raises(profdb.ProfdbError, match=r"never parsed: .*analyse\("):
        ingested(tmp_path, tmp_path / "run")


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


@pytest.mark.parametrize("kind", ["npu_module_mem", "operator_memory", "l2_cache", "aicpu"])
def test_all_slices_of_the_newest_export_count(tmp_path, kind):
    """A table in three slices beside an older export: the first slice alone gives wrong sums."""
    folder = tmp_path / "run" / "PROF_1_20260101000000000_A" / "mindstudio_profiler_output"
    table(folder / "op_summary_20260102000000.csv", *TWO)
    header = "Device_id,Component,Timestamp(us),Total Reserved(KB)"
    table(folder / f"{kind}_20260101000000.csv", "0,HCCL,1.5,99", header=header)
    for number in range(3):
        table(folder / f"{kind}_slice_{number}_20260102000000.csv", f"0,HCCL,1.5\t,{number + 1}",
              header=header)  # fmt: skip
    path = ingested(tmp_path, tmp_path / "run")
    query = f"SELECT content FROM vendor_rows WHERE source = '{kind}'"
    found = [json.loads(content) for (content,) in rows(path, query)]
    assert sorted(int(row["Total Reserved(KB)"]) for row in found) == [1, 2, 3]
    assert {row["Timestamp(us)"] for row in found} == {"1.5"}


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


def test_starts_that_a_spreadsheet_rounded(tmp_path):
    """Saved by a spreadsheet: 1.79164E+15 for a time, and no TAB; durations are whole."""
    first = kernel("k1", 0, "1.5").replace(f"{START}.250\t", "1.79164E+15")
    rank(tmp_path / "run", 0, [first, kernel("k2", 10, "2.25").replace("\t", "")])
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT start_ns, dur_ns FROM kernels ORDER BY dur_ns"
    assert rows(path, query) == [(None, 1500), ((START + 10) * 1000 + 250, 2250)]
    said = "scientific notation: precision lost, start NULL (1)"
    assert ledger(path, "kernel rows") == [("kernel rows", 2, 2, 0, said)]
    doubt = "SELECT events FROM trust_reasons WHERE reason LIKE '%scientific notation%'"
    assert rows(path, doubt) == [(1,)]


def test_times_in_quotes_and_with_a_tab(tmp_path):
    """Cells such as "1736413971558972.912\t", with the TAB inside the quotes."""
    row = kernel("k1", 0, '"1.5\t"').replace(f"{START}.250\t", f'"{START}.250\t"')
    rank(tmp_path / "run", 0, [row])
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT start_ns, dur_ns FROM kernels") == [(START * 1000 + 250, 1500)]


PMU = {
    "PipeUtilization": "aic_mac_time(us),aic_mac_ratio,aiv_vec_time(us),aiv_vec_ratio,"
    "aiv_mte2_ratio,aic_icache_miss_rate,cube_utilization(%)",
    "ArithmeticUtilization": "aic_mac_fp16_ratio,aic_mac_int8_ratio,aic_cube_fops,"
    "aiv_vec_fp32_ratio,aiv_vec_misc_ratio,aiv_vector_fops",
    "Memory": "aic_l1_read_bw(GB/s),aic_main_mem_write_bw(GB/s),aiv_ub_read_bw(GB/s)",
    "MemoryL0": "aic_l0a_read_bw(GB/s),aic_l0c_read_bw_cube(GB/s),aiv_l0c_write_bw(GB/s)",
    "MemoryUB": "aic_ub_read_bw_scalar(GB/s),aiv_ub_write_bw_vector(GB/s)",
    "ResourceConflictRatio": "aiv_vec_bankgroup_cflt_ratio,aiv_vec_bank_cflt_ratio,"
    "aiv_vec_resc_cflt_ratio",
    "L2Cache": "aic_write_cache_hit,aiv_r1_read_cache_miss_allocate",
    "MemoryAccess": "aic_read_main_memory_datas(KB),aiv_GM_to_UB_datas(KB)",
    "an older chip": "vec_time(us),mac_ratio,memory_bound,vec_exe_ratio",
}


@pytest.mark.parametrize("group", PMU)
def test_counters_of_every_group_are_kept_and_none_is_null(tmp_path, group):
    """Columns of one group of counters; N/A for a kernel too long to be counted is NULL, not 0."""
    titles = ["aicore_time(us)", "aic_total_cycles", *PMU[group].split(",")]
    values = [Decimal(f"{number}.{number}25") for number in range(len(titles))]
    cells = ",".join(map(str, values))
    first, second = kernel("k1", 0, "1.5"), kernel("long", 10, "2.25")
    none = ",".join(["N/A"] * len(titles))
    table(rank_folder(tmp_path / "run") / "kernel_details.csv", f"{first},{cells}",
          f"{second},{none}", header=",".join([HEADER, *titles]))  # fmt: skip
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT counters FROM profiles") == [(titles,)]
    assert rows(path, "SELECT counters FROM kernels ORDER BY start_ns") == [
        ([float(value) for value in values],), ([None] * len(titles),)
    ]  # fmt: skip


def test_inputs_that_are_all_scalars(tmp_path):
    """Input Shapes of `;;;`: four tensors without dimensions, of which none counts tokens."""
    row = kernel("k1", 0, "1.5").replace('"""1,2;3"""', '""";;;"""')
    rank(tmp_path / "run", 0, [row, row.replace('""";;;"""', '"""1;"""').replace("k1", "k2")])
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT shape, tokens FROM shapes JOIN kernels USING (shape_id) ORDER BY shape"
    assert rows(path, query) == [("1;", None), (";;;", None)]


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


@pytest.mark.parametrize("kind", ["MEM_WAIT_VALUE", "CAPTURE_WAIT"])
@pytest.mark.parametrize("way", ["tasks", "tasks beside the kernels", "database"])
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


def test_a_kernel_table_in_the_encoding_of_its_host(tmp_path):
    """Written under zh_CN.GBK: names in GB18030 beside plain ones, all rows are kept."""
    lines = [HEADER, kernel("k1", 0, "1.5"), kernel("矩阵乘", 10, "2.25")]
    path = rank_folder(tmp_path / "run") / "kernel_details.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes("\r\n".join([*lines, ""]).encode("gb18030"))
    stored = ingested(tmp_path, tmp_path / "run")
    query = "SELECT name, dur_ns FROM kernels JOIN kernel_names USING (kernel_id) ORDER BY dur_ns"
    assert rows(stored, query) == [("k1", 1500), ("矩阵乘", 2250)]
    said = "lines that are no UTF-8 read as GB18030 (1)"
    assert ledger(stored, "kernel rows") == [("kernel rows", 2, 2, 0, said)]


def test_a_table_in_another_encoding_that_was_cut(tmp_path):
    """GB18030, a row shifted by a comma in a name, and a copy that ended within the last row."""
    lines = [HEADER, kernel("矩", 0, "1.5"), kernel("f<a,b>", 10, "2.25"), kernel("k3", 20, "3.0")]
    path = rank_folder(tmp_path / "run") / "kernel_details.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes("\r\n".join(lines).encode("gb18030")[:-20])
    stored = ingested(tmp_path, tmp_path / "run")
    ((_, seen, kept, aside, said),) = ledger(stored, "kernel rows")
    assert (seen, kept, aside) == (3, 1, 2)
    assert "row 2: 7 fields, header has 6" in said and "the file is cut" in said


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_files_of_sqlite_beside_a_database(tmp_path, ending):
    """A database that a viewer had open: rows that it lacks itself are never silently missed."""
    small().write(tmp_path / "run" / DATABASE)
    (tmp_path / "run" / (DATABASE + ending)).write_bytes(b"rest")
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    if ending == "-shm":
        assert done.exit_code == 0, done.output
        assert rows(tmp_path / "w.duckdb", "SELECT kernels FROM run_summary") == [(2,)]
    else:
        assert done.exit_code == 1 and "wal_checkpoint(TRUNCATE)" in done.output


def test_columns_and_tables_that_viewers_and_people_added(tmp_path):
    """depth and waitNs in the tables, an overlap analysis, a copy of a table under an old name."""
    source = small().write(tmp_path / "plain" / DATABASE)
    path = tmp_path / "edited" / DATABASE
    path.parent.mkdir()
    shutil.copy(source, path)
    with closing(sqlite3.connect(path)) as con:
        con.execute("ALTER TABLE TASK ADD COLUMN depth INTEGER")
        con.execute("ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN waitNs INTEGER")
        con.execute("UPDATE COMPUTE_TASK_INFO SET waitNs = 5")
        con.execute(
            "CREATE TABLE _COMPUTE_TASK_INFO_old_20251014 AS SELECT * FROM COMPUTE_TASK_INFO"
        )
        con.execute("CREATE TABLE OVERLAP_ANALYSIS (id, deviceId, startNs, endNs, type)")
        con.execute("CREATE TABLE status_info (x)")
        con.commit()
    warehouse = ingested(tmp_path, tmp_path / "plain", tmp_path / "edited")
    query = "SELECT label, start_ns, dur_ns, wait_ns FROM kernel_events JOIN kernels"
    query += " USING (profile_id, start_ns, dur_ns) ORDER BY ALL"
    found = rows(warehouse, query)
    assert [row[1:] for row in found if row[0] == "edited"] == [
        row[1:] for row in found if row[0] == "plain"
    ]
    assert len(found) == 4


def test_a_database_without_tables_beside_a_table(tmp_path):
    """The export made the file and wrote nothing into it."""
    folder = rank(tmp_path / "run", 0)
    with closing(sqlite3.connect(folder / DATABASE)) as con:
        con.execute("PRAGMA user_version = 1")
        con.commit()
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert {one.path.name: one.reason for one in summary.skipped} == {
        DATABASE: "database without tables"
    }
    assert rows(path, "SELECT kernels FROM run_summary") == [(2,)]


LEVEL0 = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Num"
SENTENCE = "questions per shape need profiler_level Level1"


@pytest.mark.parametrize("shapes", ["", ",Input Shapes,Input Data Types"])
def test_level_0_says_what_it_lacks_without_the_profilers_notes(tmp_path, shapes):
    """Level0 as the old and the new header have it, and no profiler_info.json to tell."""
    none = ",N/A" * shapes.count(",")
    lines = [f"k{n},N/A,N/A,{START + 10 * n}.000\t,1.5,0,0{none}" for n in range(2)]
    folder = rank_folder(tmp_path / "run")
    table(folder / "kernel_details.csv", *lines, header=LEVEL0 + shapes)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0 and SENTENCE in done.output
    assert rows(tmp_path / "w.duckdb", "SELECT kernels FROM run_summary") == [(2,)]


@pytest.mark.parametrize("types", ["N/A", "Add"])
def test_a_database_of_level_0_says_what_it_lacks(tmp_path, types):
    """Operator types and shapes are all N/A, and no profiler_info.json tells the level."""
    writer = Writer()
    writer.kernel(1, T0, 500, opType=types, inputShapes="N/A")
    writer.write(tmp_path / "run" / DATABASE)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0 and (SENTENCE in done.output) == (types == "N/A")


def test_collectives_alone_in_a_table_are_no_level_0(tmp_path):
    """No computing in the window: the rows of collectives have types, though no shapes."""
    line = kernel("hcom_allReduce__1", 0, "1.5", "hcom_allReduce_", "COMMUNICATION")
    rank(tmp_path / "run", 0, [line.replace('"""1,2;3"""', "N/A")])
    summary, path = found_in(tmp_path / "run", tmp_path)
    assert summary.outcomes[0].source.notes == ()
    assert rows(path, "SELECT communication_ms FROM overlap WHERE phase = 'all'") == [(0.0015,)]


def test_operators_of_several_models_are_summed(tmp_path):
    """op_statistic.csv with a Model Name: one type and core stands in several rows."""
    folder = rank(tmp_path / "run", 0)
    lines = [
        "0,m1,MatMul,AI_CORE,1,1.5,1.5,1.5,1.5,40",
        "0,m2,MatMul,AI_CORE,1,2.25,2.25,2.25,2.25,60",
    ]
    table(folder / "op_statistic.csv", *lines, header="Device_id,Model Name," + OP_STATISTIC)
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT figure, ours, vendors, status FROM vendor_check ORDER BY 1"
    assert rows(path, query) == [
        ("count", 2, 2, "agrees"), ("max_us", 2.25, 2.25, "agrees"),
        ("min_us", 1.5, 1.5, "agrees"), ("total_us", 3.75, 3.75, "agrees"),
    ]  # fmt: skip


def test_cells_with_line_ends_are_one_record(tmp_path):
    """operator_details.csv: shapes and call stacks of several lines within one cell."""
    folder = rank(tmp_path / "run", 0)
    header = ["Name", "Input Shapes", "Call Stack", "Host Self Duration(us)"]
    records = [["aten::add", "2,3;\r\n4", "a.py(1): f;\r\nb.py(2): g", "1.5"],
               ["aten::mul", "", 'say "hi", twice', "0"]]  # fmt: skip
    with (folder / "operator_details.csv").open("w", newline="") as file:
        csv.writer(file).writerows([header, *records])
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT content FROM vendor_rows WHERE source = 'operator_details' ORDER BY row_number"
    found = [list(json.loads(content).values()) for (content,) in rows(path, query)]
    assert found == records


def test_a_graph_task_without_context_is_no_number(tmp_path):
    """4294967295 for a context, a model or a connection means none."""
    assert NONE == (1 << 32) - 1
    path = ingested(tmp_path, small().write(tmp_path / DATABASE))
    assert rows(path, "SELECT DISTINCT vendor_context FROM kernels") == [(None,)]
