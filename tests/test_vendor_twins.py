"""A table and a database of one profile: the one that is not stored is compared with the other."""

import sqlite3
from contextlib import closing

import pytest

import profdb
from profdb.demo import write_demo

from .ascend import kernel, rank, table, typed
from .ascend_databases import from_table
from .traces import CASES, SHARED, ingested, needs_shared, rows

HEADER = (
    "Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),"
    "Duration(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,Input Data Types,"
    "Input Formats,Output Shapes,Output Data Types,Output Formats,Context ID"
)
NAME = "ascend_pytorch_profiler_0.db"
CHECKS = "SELECT launches, agree, only_stored, only_twin FROM twin_checks"


def row(number, name, core="AI_CORE", shape='"""1,2;3"""'):
    start = f"{1_791_641_598_803_000 + 10 * number}.250\t"
    return f"0,1,{number},2,{name},{name},N/A,{core},{start},1.5,4,0,NO,{shape}" + ",N/A" * 6


ROWS = (
    row(1, "mm"), row(1, "mm"), row(2, "add"), row(3, "cast", shape="N/A"),
    row(4, "hcom_allReduce__586_0_1", "COMMUNICATION", "N/A"),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "run" / "rank0_7_20260101000000000_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    from_table(table(folder / "kernel_details.csv", *ROWS, header=HEADER), folder / NAME)
    return folder


def change(folder, *statements):
    with closing(sqlite3.connect(folder / NAME)) as con:
        for statement in statements:
            con.execute(statement)
        con.commit()


def checked(path, run="run"):
    return typed("check", run, "--db", path)


@pytest.mark.parametrize(("prefer", "kind"), [("text", "database"), ("db", "text")])
def test_launches_of_both_agree(folder, tmp_path, prefer, kind):
    path = ingested(tmp_path, tmp_path / "run", prefer=prefer)
    assert rows(path, CHECKS) == [(5, 5, 0, 0)]
    query = "SELECT * EXCLUDE (label, rank, profile_id) FROM vendor_check"
    file = NAME if prefer == "text" else "kernel_details.csv"
    assert rows(path, query) == [(kind, file, "launches", 5.0, 5.0, 0.0, "agrees")]
    done = checked(path)
    assert done.exit_code == 0
    assert done.output.splitlines()[0] == "database ↔ text: 5 of 5 launches agree"


@pytest.mark.parametrize(
    ("change_made", "counts", "said"),
    [
        ("UPDATE TASK SET endNs = endNs + 1 WHERE globalTaskId = 1", (5, 4, 1, 1), "1 differs"),
        ("UPDATE TASK SET endNs = endNs + 1 WHERE globalTaskId < 2", (5, 3, 2, 2), "2 differ"),
        ("UPDATE COMMUNICATION_OP SET startNs = startNs - 1", (5, 4, 1, 1), "1 differs"),
        ("DELETE FROM TASK WHERE globalTaskId = 1", (5, 4, 1, 0), "1 only in what is stored"),
        (
            "INSERT INTO TASK SELECT * FROM TASK WHERE globalTaskId = 2",
            (5, 5, 0, 1),
            "1 only in the other",
        ),
    ],
)
def test_what_differs_is_told_with_status_3(folder, tmp_path, change_made, counts, said):
    change(folder, change_made)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, CHECKS) == [counts]
    done = checked(path)
    assert done.exit_code == 3 and "1 figure differs" in done.output
    assert f"database ↔ text: {counts[1]} of 5 launches agree, {said}\n" in done.output


@pytest.mark.parametrize("column", ["name", "taskType", "inputShapes"])
def test_name_core_and_shape_count(folder, tmp_path, column):
    other = "INSERT INTO STRING_IDS VALUES (9999, 'other')"
    change(folder, other, f"UPDATE COMPUTE_TASK_INFO SET {column} = 9999 WHERE globalTaskId = 2")
    assert rows(ingested(tmp_path, tmp_path / "run"), CHECKS) == [(5, 4, 1, 1)]


def test_counters_in_names_do_not_count(folder, tmp_path):
    change(folder, "UPDATE STRING_IDS SET value = replace(value, '586_0_1', '9_0_1')")
    assert rows(ingested(tmp_path, tmp_path / "run"), CHECKS) == [(5, 5, 0, 0)]


def test_a_table_without_cores_and_shapes_is_compared_by_the_rest(folder, tmp_path):
    times = [(kernel("", 10, "1.5"), "mm"), (kernel("", 20, "1.5"), "add")]
    lines = [f"{name},{line.split(',')[3]},1.5" for line, name in times]
    table(folder / "kernel_details.csv", *lines, header="Name,Start Time(us),Duration(us)")
    assert rows(ingested(tmp_path, tmp_path / "run"), CHECKS) == [(2, 2, 0, 3)]


def test_a_twin_that_cannot_be_read_is_said_and_the_rest_stored(folder, tmp_path):
    change(folder, "DELETE FROM TASK", "DELETE FROM COMMUNICATION_OP")
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0
    assert "database ↔ text: not compared" in done.output and "holds no kernels" in done.output
    assert rows(tmp_path / "w.duckdb", CHECKS) == []
    assert rows(tmp_path / "w.duckdb", "SELECT count(*) FROM kernels") == [(5,)]


def test_damaged_pages_of_a_twin_do_not_fail_the_ingest(folder, tmp_path):
    content = bytearray((folder / NAME).read_bytes())
    change(folder, "PRAGMA page_size")
    with closing(sqlite3.connect(folder / NAME)) as con:
        ((page,),) = con.execute("SELECT rootpage FROM sqlite_master WHERE name = 'TASK'")
    content[4096 * (page - 1) : 4096 * page] = b"\xa5" * 4096
    (folder / NAME).write_bytes(content)
    with profdb.open(tmp_path / "w.duckdb") as warehouse:
        (outcome,) = warehouse.ingest(tmp_path / "run").outcomes
        assert outcome.state == "stored" and "malformed" in outcome.twins[0].error
        rank(tmp_path / "next", 1)
        assert warehouse.ingest(tmp_path / "next").outcomes[0].state == "stored"


def test_the_ingest_says_how_they_compare_and_a_dropped_run_takes_it_along(folder, tmp_path):
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert "database ↔ text: 5 of 5 launches agree" in done.output
    dropped = typed("runs", "rm", "run", "--db", tmp_path / "w.duckdb")
    assert dropped.exit_code == 0, dropped.output
    assert rows(tmp_path / "w.duckdb", CHECKS) == []


@needs_shared
@pytest.mark.parametrize("prefer", ["text", "db"])
def test_a_prepared_pair_agrees(tmp_path, prefer):
    path = ingested(tmp_path, CASES / "17-ascend-text-and-db", label="run", prefer=prefer)
    done = checked(path)
    assert done.exit_code == 3 and "op_statistic: 2 of 3 groups agree" in done.output
    assert "database ↔ text: 4 of 4 launches agree\n" in done.output


def whole(source, tmp_path, **options):
    """Store a copy of a table beside the database made of it."""
    folder = tmp_path / "run" / "rank0_7_20260101000000000_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    folder.mkdir(parents=True)
    (folder / "kernel_details.csv").write_bytes(source.read_bytes())
    from_table(source, folder / NAME)
    return ingested(tmp_path, tmp_path / "run", **options)


@needs_shared
def test_a_real_table_agrees_with_the_database_made_of_it(tmp_path):
    (source,) = (SHARED / "traces/ascend/text_2025").rglob("kernel_details.csv")
    assert rows(whole(source, tmp_path), CHECKS) == [(2463, 2463, 0, 0)]


@pytest.mark.slow
@pytest.mark.parametrize("prefer", ["text", "db"])
def test_a_large_window_agrees_with_the_database_made_of_it(tmp_path, prefer):
    write_demo(tmp_path / "demo", ascend_rows=60_000)
    (source,) = (tmp_path / "demo" / "1009").rglob("kernel_details.csv")
    path = whole(source, tmp_path, prefer=prefer)
    assert rows(path, CHECKS) == [(60_000, 60_000, 0, 0)]
    assert "database ↔ text: 60,000 of 60,000 launches agree" in checked(path).output
