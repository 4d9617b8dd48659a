"""Views of what the vendor summed up, and profdb check."""

import csv
import sqlite3
from contextlib import closing
from decimal import Decimal

import pytest

from profdb.warehouse import Warehouse

from .ascend import kernel, rank, table, typed
from .test_vendor_files import OP_STATISTIC
from .tiny import build
from .traces import CASES, SHARED, ingested, needs_shared, rows, small

STEPS = "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble"
KERNELS = (
    kernel("mm1", 0, "1.5"),
    kernel("mm2", 10, "2.5"),
    kernel("hcom_allReduce_", 11, "4", "hcom_allReduce_", "COMMUNICATION"),
)


def checked(path, *options):
    return typed("check", "run", *options, "--db", path)


@pytest.fixture
def folder(tmp_path):
    folder = rank(tmp_path / "run", 0, KERNELS)
    table(folder / "op_statistic.csv", "MatMul,AI_CORE,2,4,1.5,2,2.5,100", header=OP_STATISTIC)
    table(folder / "step_trace_time.csv", ",4,2.5,1.5,4,8.5,15,0", header=STEPS)
    return folder


def test_sums_that_agree_are_two_lines(folder, tmp_path):
    path = ingested(tmp_path, tmp_path / "run")
    done = checked(path)
    assert (done.exit_code, done.output.splitlines()) == (
        0,
        ["op_statistic: 1 of 1 groups agree", "step_trace_time: 4 of 4 figures agree"],
    )
    assert len(checked(path, "--all").output.splitlines()) == 2 + 8 + 2
    assert checked(path, "--rank", 0).exit_code == 0
    missing = checked(path, "--rank", 3)
    assert missing.exit_code == 1 and "no rank 3 in run 'run'" in missing.output
    query = (
        "SELECT figure, ours, vendors FROM vendor_check WHERE kind = 'step_trace_time' ORDER BY 1"
    )
    assert rows(path, query) == [
        ("computing_us", 4.0, 4.0), ("exposed_communication_us", 2.5, 2.5),
        ("free_us", 8.5, 8.5), ("window_us", 15.0, 15.0),
    ]  # fmt: skip


def test_each_figure_that_differs_is_told_with_status_3(folder, tmp_path):
    lines = ["MatMul,AI_CORE,3,4.0009,1.5,2,2.6,100", "Add,AI_CORE,1,N/A,1,1,1,0"]
    table(folder / "op_statistic.csv", *lines, header=OP_STATISTIC)
    table(folder / "step_trace_time.csv", "1,4,2.5,0,4,3,9,0", "2,2,0,0,0,3,9,0", header=STEPS)
    path = ingested(tmp_path, tmp_path / "run")
    done = checked(path)
    assert done.exit_code == 3 and "profdb: 4 figures differ" in done.output
    found = rows(path, "SELECT item, figure, status FROM vendor_check ORDER BY ALL")
    assert found == [
        ("Add|AI_CORE", "count", "differs"),
        ("Add|AI_CORE", "max_us", "not comparable"),
        ("Add|AI_CORE", "min_us", "not comparable"),
        ("Add|AI_CORE", "total_us", "not comparable"),
        ("MatMul|AI_CORE", "count", "differs"),
        ("MatMul|AI_CORE", "max_us", "differs"),
        ("MatMul|AI_CORE", "min_us", "agrees"),
        ("MatMul|AI_CORE", "total_us", "agrees"),
        ("device 0", "computing_us", "differs"),
        ("device 0", "exposed_communication_us", "agrees"),
        ("device 0", "free_us", "not comparable"),
        ("device 0", "window_us", "not comparable"),
    ]


def test_a_group_that_only_the_launches_have_differs(folder, tmp_path):
    table(folder / "op_statistic.csv", "Add,AI_CORE,0,0,0,0,0,0", header=OP_STATISTIC)
    path = ingested(tmp_path, tmp_path / "run")
    query = (
        "SELECT ours, vendors, status FROM vendor_check WHERE item LIKE 'MatMul%' ORDER BY figure"
    )
    assert rows(path, query)[0] == (2.0, None, "differs")


def test_a_run_without_sums_says_what_is_missing(tmp_path):
    rank(tmp_path / "run", 0)
    done = checked(ingested(tmp_path, tmp_path / "run"))
    assert done.exit_code == 0 and "rank 0: no op_statistic.csv and no step_trace" in done.output


def test_a_chrome_trace_has_nothing_to_check_against(tmp_path):
    path = ingested(tmp_path, small(tmp_path / "run.json"))
    done = checked(path)
    assert done.exit_code == 0 and "nothing to check against" in done.output
    found = rows(path, "FROM api_time")
    assert found == [("run", -1, "runtime", "cudaLaunchKernel", 3, 0.003, 1.0, 1.0)]


def test_calls_of_all_windows_of_a_rank_add_up(tmp_path):
    build(tmp_path / "w.duckdb")
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        warehouse.con.execute("UPDATE profiles SET rank = 0, run_id = 1 WHERE profile_id < 3")
        calls = [(1, "acl", "run", 2, 3000, 1000, 2000), (2, "acl", "run", 1, 6000, 6000, 6000)]
        warehouse.con.executemany("INSERT INTO vendor_calls VALUES (?, ?, ?, ?, ?, ?, ?)", calls)
    found = rows(tmp_path / "w.duckdb", "FROM api_time")
    assert found == [("a", 0, "acl", "run", 3, 0.009, 3.0, 6.0)]


def test_what_the_host_did_more_of(tmp_path):
    build(tmp_path / "w.duckdb")
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        calls = [
            (1, "acl", "run", 2, 4000, 1000, 3000),
            (2, "acl", "run", 3, 9000, 1000, 4000),
            (2, "acl", "new", 1, 5000, 5000, 5000),
            (1, "acl", "gone", 1, 7000, 7000, 7000),
        ]
        warehouse.con.executemany("INSERT INTO vendor_calls VALUES (?, ?, ?, ?, ?, ?, ?)", calls)
    query = (
        "SELECT name, more_ms, calls_effect_ms, mean_effect_ms FROM api_diff"
        " WHERE base = 'a' AND cand = 'b' ORDER BY name"
    )
    # One call more at 2 us, three that take 1 us longer each.
    found = [
        (name, *map(rounded, figures)) for name, *figures in rows(tmp_path / "w.duckdb", query)
    ]
    assert found == [("gone", -7, -7, None), ("new", 5, 5, None), ("run", 5, 2, 3)]
    pair = ("--base", "a", "--cand", "b", "--no-sql")
    page = typed("report", "regression", *pair, "--db", tmp_path / "w.duckdb").output
    section = page.split("What the host did more of in b")[1].split("\n\n")[1]
    lines = [line for line in section.splitlines() if line.startswith("| acl")]
    assert lines[0].startswith("| acl | `new` | – → ") and "| – → 5.0 |" in lines[0]
    assert "| 2.0 → 3.0 | 0.004 → 0.009 | +0.005 | +0.002 | +0.003 |" in lines[1]
    assert len(lines) == 2


def rounded(ms):
    return None if ms is None else round(ms * 1000, 9)


@needs_shared
@pytest.mark.parametrize("rank", [0, 1])
def test_calls_of_a_real_database_are_those_that_sqlite_counts(tmp_path, rank):
    (file,) = SHARED.glob(f"traces/ascend/db/rank{rank}_ascend_pt/*/ascend_pytorch_profiler_*.db")
    with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as con:
        expected = con.execute(
            "SELECT e.name, s.value, count(*), sum(c.endNs - c.startNs), max(c.endNs - c.startNs)"
            " FROM CANN_API c JOIN STRING_IDS s ON s.id = c.name"
            " JOIN ENUM_API_TYPE e ON e.id = c.type GROUP BY e.name, s.value ORDER BY 1, 2"
        ).fetchall()
    path = ingested(tmp_path, file, label="run")
    found = rows(
        path,
        "SELECT level, name, calls, CAST(round(total_ms * 1e6) AS BIGINT),"
        " CAST(round(max_us * 1e3) AS BIGINT) FROM api_time ORDER BY 1, 2",
    )
    assert found == expected and len(found) > 50


@needs_shared
def test_counters_of_a_real_table_one_by_one(tmp_path):
    (file,) = SHARED.glob("traces/ascend/text/rank0_ascend_pt/*/kernel_details.csv")
    with file.open(newline="") as table:
        lines = list(csv.DictReader(table))
    titles = [title for title in lines[0] if title.startswith(("aic", "aiv", "cube"))]
    expected = {
        (int(Decimal(line["Start Time(us)"]) * 1000), title): float(line[title])
        for line in lines
        for title in titles
        if line[title] not in ("N/A", "")
    }
    path = ingested(tmp_path, file, label="run")
    found = rows(path, "SELECT start_ns, counter, value FROM kernel_counters")
    assert {(start, title): value for start, title, value in found if title in titles} == expected
    assert titles and len(found) == len({(start, title) for start, title, _ in found})


@needs_shared
def test_all_groups_of_a_real_folder_agree(tmp_path):
    path = ingested(tmp_path, SHARED / "traces/ascend/text_2025", label="run")
    done = checked(path)
    assert done.exit_code == 0 and "op_statistic: 35 of 35 groups agree" in done.output
    assert "step_trace_time: 4 of 4 figures agree" in done.output


@needs_shared
def test_ranks_are_checked_together(tmp_path):
    path = ingested(tmp_path, SHARED / "traces/ascend/text", label="run")
    assert "op_statistic: 66 of 66 groups agree (2 profiles)" in checked(path).output


@needs_shared
def test_a_planted_disagreement_is_found(tmp_path):
    path = ingested(tmp_path, next(CASES.glob("17-*")), label="run")
    done = checked(path)
    assert done.exit_code == 3 and "op_statistic: 2 of 3 groups agree" in done.output
    query = "SELECT item, figure, ours, vendors FROM vendor_check WHERE status = 'differs'"
    found = rows(path, query + " AND figure IN ('count', 'total_us')")
    assert found == [("RmsNorm|AI_VECTOR_CORE", "count", 1.0, 2.0)]


@needs_shared
def test_a_launch_without_its_start_is_counted(tmp_path):
    path = ingested(tmp_path, next(CASES.glob("15-*")), label="run")
    found = rows(path, "SELECT kernel, start_ns, dur_ns FROM kernel_events ORDER BY 1")
    assert found == [
        ("Add", 1_791_641_598_803_800_000, 30_000),
        ("Cast", None, 40_000),
        ("MatMulV2", 1_791_641_598_803_750_000, 10_000),
    ]
    query = "SELECT seen, stored, set_aside, reason FROM ingest_ledger"
    reason = (
        "scientific notation: precision lost, start NULL (1);"
        " row 2: 14 fields, header has 13; row 5: 8 of 13 fields, the file is cut"
    )
    assert rows(path, query) == [(5, 3, 2, reason)]
    found = rows(path, "SELECT launches, gpu_ms, share FROM phase_time")
    assert found == [(3, 0.08, 1.0)]
    assert rows(path, "SELECT window_ms, computing_ms FROM overlap WHERE phase = 'all'") == [
        (0.08, 0.04)
    ]
