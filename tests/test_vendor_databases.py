"""Step times and collectives out of analysis.db, against sqlite3 and against the same as text."""

import json
import sqlite3
from contextlib import closing
from decimal import Decimal

import pytest

from .ascend import kernel, rank, rank_folder, table, typed
from .test_vendor_check import STEPS, checked
from .traces import SHARED, ingested, needs_shared, rows

TIME = "hccl_op_name TEXT, group_name TEXT, start_timestamp NUMERIC, elapse_time NUMERIC,"
TIME += " transit_time NUMERIC, wait_time NUMERIC, synchronization_time NUMERIC,"
TIME += " idle_time NUMERIC, step TEXT, type TEXT"
WIDTH = "hccl_op_name TEXT, group_name TEXT, transport_type TEXT, transit_size NUMERIC,"
WIDTH += " transit_time NUMERIC, package_size NUMERIC, count NUMERIC, total_duration NUMERIC,"
WIDTH += " step TEXT, type TEXT"
STEP = "step TEXT, computing NUMERIC, communication_not_overlapped NUMERIC, overlapped NUMERIC,"
STEP += " communication NUMERIC, free NUMERIC"
COMMUNICATION = {
    "step": {
        "p2p": {},
        "collective": {
            "hcom_x@7": {
                "Communication Time Info": {
                    "Start Timestamp(us)": 12.5,
                    "Elapse Time(ms)": 3,
                    "Transit Time(ms)": 1,
                    "Wait Time(ms)": 2,
                    "Synchronization Time(ms)": 0,
                    "Idle Time(ms)": 0.5,
                },
                "Communication Bandwidth Info": {
                    "HCCS": {
                        "Transit Size(MB)": 8,
                        "Transit Time(ms)": 1,
                        "Size Distribution": {"4": [2, 1]},
                    },
                    "SDMA": {"Transit Size(MB)": 8, "Transit Time(ms)": 1},
                },
            }
        },
    }
}
COLLECTIVES = "SELECT * EXCLUDE (profile_id) FROM vendor_collectives"


def analysis(path, **tables):
    """An analysis database; per table its columns and its rows."""
    with closing(sqlite3.connect(path)) as con, con:
        for name, (columns, lines) in tables.items():
            con.execute(f"CREATE TABLE {name} ({columns})")
            for line in lines:
                marks = ", ".join("?" * len(line))
                con.execute(f"INSERT INTO {name} VALUES ({marks})", line)


@pytest.fixture
def output(tmp_path):
    """One rank with a kernel of 2 us and an analysis of it."""
    output = rank(tmp_path / "run", 0, [kernel("mm", 0, "2")])
    one = ("hcom_x", "7", 12.5, 3, 1, 2, 0, 0.5, "step", "collective")
    total = ("Total Op Info", "7", None, 3, 1, 2, 0, 0.5, "step", "collective")
    packets = [
        ("hcom_x", "7", "HCCS", 8, 1, 4, 2, 1, "step", "collective"),
        ("hcom_x", "7", "SDMA", 8, 1, 0, 0, 0, "step", "collective"),
    ]
    analysis(
        output / "analysis.db",
        StepTraceTime=(STEP, [("", 20, 0, 0, 0, 0.5)]),
        CommAnalyzerTime=(TIME, [one, total]),
        CommAnalyzerBandwidth=(WIDTH, packets),
    )
    return output


def test_a_database_gives_what_the_same_as_text_gives(tmp_path, output):
    found = rows(ingested(tmp_path, tmp_path / "run"), COLLECTIVES)
    (output / "analysis.db").unlink()
    (output / "communication.json").write_text(json.dumps(COMMUNICATION))
    (tmp_path / "text").mkdir()
    assert found == rows(ingested(tmp_path / "text", tmp_path / "run"), COLLECTIVES)
    assert len(found) == 1


def test_step_times_of_a_database_are_checked(tmp_path, output):
    path = ingested(tmp_path, tmp_path / "run")
    steps = rows(path, "SELECT computing_ns, free_ns FROM vendor_steps")
    assert steps == [(20_000, 500)]
    done = checked(path)
    assert "step_trace_time: " in done.output and done.exit_code == 3  # 2 us ran


def test_where_the_text_is_there_the_table_is_set_aside(tmp_path, output):
    table(output / "step_trace_time.csv", ",2,0,0,0,0,2,0", header=STEPS)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT count(*), any_value(free_ns) FROM vendor_steps") == [(1, 0)]
    query = "SELECT seen, set_aside, reason FROM ingest_ledger WHERE category = 'StepTraceTime'"
    assert rows(path, query) == [(1, 1, "step_trace_time beside it holds the same, and is read")]


def test_alone_it_says_what_it_goes_with(tmp_path, output):
    (output / "kernel_details.csv").unlink()
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1 and "only with a kernel table or database" in done.output


@needs_shared
@pytest.mark.parametrize("number", [0, 1])
def test_a_real_database(tmp_path, number):
    folder = SHARED / f"traces/ascend/db/rank{number}_ascend_pt"
    path = ingested(tmp_path, folder)
    (file,) = folder.rglob("analysis.db")
    with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as con:
        steps = con.execute("SELECT computing, communication, free FROM StepTraceTime").fetchall()
        times = con.execute("SELECT hccl_op_name, elapse_time FROM CommAnalyzerTime").fetchall()
    query = "SELECT computing_ns, communication_ns, free_ns FROM vendor_steps"
    assert rows(path, query) == [tuple(scaled(value, 1000) for value in row) for row in steps]
    found = rows(path, "SELECT op, elapse_ns FROM vendor_collectives ORDER BY op")
    assert found == sorted((op, scaled(ms, 1_000_000)) for op, ms in times)
    done = typed("check", rows(path, "SELECT label FROM runs")[0][0], "--db", path)
    assert "step_trace_time: 4 of 4 figures agree" in done.output


def scaled(value, by):
    return int((Decimal(repr(value)) * by).quantize(Decimal(1)))


def test_ranks_are_compared_by_message_size(tmp_path):
    small, large = "hcom_allReduce__1_0_1", "hcom_allReduce__1_1_1"
    for number, slower in ((0, 0), (1, 2)):
        lines = [
            kernel(small, 10, str(1 + slower), "hcom_allReduce_", "COMMUNICATION"),
            kernel(large, 20, "8", "hcom_allReduce_", "COMMUNICATION"),
        ]
        output = rank_folder(tmp_path / "run", worker=f"rank{number}")
        table(output / "kernel_details.csv", *lines)
        links = [
            (name, "7", "HCCS", mb, 1, mb, 1, 1, "step", "collective")
            for name, mb in ((small, 1), (large, 8))
        ]
        times = [(name, "7", 1, 1, 1, 0, 0, 0, "step", "collective") for name in (small, large)]
        analysis(
            output / "analysis.db",
            CommAnalyzerTime=(TIME, times),
            CommAnalyzerBandwidth=(WIDTH, links),
        )
    path = ingested(tmp_path, tmp_path / "run")
    query = (
        "SELECT message_bytes, quick_us, slow_us, slow_rank, round(wait_ms * 1000, 6)"
        " FROM rank_skew WHERE family = 'communication' ORDER BY 1"
    )
    # Of the small one rank 1 takes 3 us, rank 0 takes 1: a wait of 2 us, 1 per rank.
    assert rows(path, query) == [(1_000_000, 1.0, 3.0, 1, 1.0), (8_000_000, 8.0, 8.0, 1, 0.0)]
