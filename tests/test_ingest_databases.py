"""Databases of Ascend, real ones and ones made of kernel tables, against sqlite3 and the tables."""

import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from profdb.demo import write_demo

from .ascend_databases import from_table
from .traces import CASES, SHARED, ingested, needs_shared, rows

ASCEND = SHARED / "traces" / "ascend"
TRUTHS = {0: (8_903_431, 102_108_100), 1: (8_915_634, 98_590_190)}
"""Sums of durations by rank, ns: computing and collectives."""

_TEXT_ROWS = """
SELECT n.kind, n.name, n.op_type, o.name, k.core, k.device, k.stream, k.task_id, k.model_id,
    k.start_ns, k.dur_ns, k.block_num, k.mix_block_num, s.shape, k.shape_source, t.name,
    k.input_formats, k.output_shapes, k.output_dtypes, k.output_formats, k.vendor_context
    {more}
FROM kernels AS k
JOIN kernel_names AS n USING (kernel_id)
JOIN names AS o ON o.name_id = k.op_id
JOIN shapes AS s USING (shape_id)
LEFT JOIN names AS t ON t.name_id = k.dtype_id
ORDER BY k.device, k.start_ns, k.dur_ns, n.name
"""
_KINDS = """
SELECT n.name, k.core, s.shape, count(*) FROM kernels AS k
JOIN kernel_names AS n USING (kernel_id) JOIN shapes AS s USING (shape_id)
WHERE k.core <> 'COMMUNICATION' GROUP BY ALL
"""


def database(rank: int) -> Path:
    """A real database of that rank."""
    folder = ASCEND / f"db/rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT"
    return folder / f"ascend_pytorch_profiler_{rank}.db"


def asked(path: Path, query: str) -> list[tuple]:
    """Ask SQLite itself."""
    address = f"file:{path}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as con:
        return con.execute(query).fetchall()


@needs_shared
@pytest.mark.parametrize("rank", TRUTHS)
def test_a_real_database_is_stored_exactly(rank, tmp_path):
    path, source = ingested(tmp_path, database(rank)), database(rank)
    query = "SELECT {} FROM kernels WHERE core {} 'COMMUNICATION'"
    sums = "count(*), CAST(sum(dur_ns) AS BIGINT)"
    assert rows(path, query.format(sums, "<>")) == [(187, TRUTHS[rank][0])]
    assert rows(path, query.format(sums, "=")) == [(4, TRUTHS[rank][1])]
    tasks = asked(source, "SELECT startNs, endNs - startNs, deviceId, streamId, taskId, modelId"
                  " FROM TASK JOIN COMPUTE_TASK_INFO USING (globalTaskId) ORDER BY 1")  # fmt: skip
    columns = "start_ns, dur_ns, device, stream, task_id, model_id"
    assert rows(path, query.format(columns, "<>") + " ORDER BY start_ns") == tasks
    collectives = asked(source, "SELECT startNs, endNs - startNs FROM COMMUNICATION_OP")
    assert sorted(rows(path, query.format("start_ns, dur_ns", "="))) == sorted(collectives)
    facts = "SELECT rank, device_name, format, trust FROM run_summary"
    assert rows(path, facts) == [(rank, "Ascend910B", "ascend_db", "ok")]


@needs_shared
@pytest.mark.parametrize("rank", TRUTHS)
def test_the_same_kernels_as_in_the_table_of_another_run(rank, tmp_path):
    table = ASCEND / f"text/rank{rank}_ascend_pt/ASCEND_PROFILER_OUTPUT/kernel_details.csv"
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    of_database = rows(ingested(tmp_path / "a", database(rank)), _KINDS)
    of_table = rows(ingested(tmp_path / "b", table), _KINDS)
    assert set(of_database) == set(of_table) and len(of_database) > 50


@needs_shared
@pytest.mark.parametrize("rank", TRUTHS)
def test_every_table_is_counted_as_sqlite_counts(rank, tmp_path):
    path, source = ingested(tmp_path, database(rank)), database(rank)
    query = (
        "SELECT category, seen, stored, set_aside, reason FROM ingest_ledger"
        " WHERE NOT ends_with(file, 'analysis.db')"
    )
    ledger = rows(path, query)
    for table, seen, stored, set_aside, reason in ledger:
        assert [(seen,)] == asked(source, f'SELECT count(*) FROM "{table}"'), table
        assert seen == stored + set_aside and (reason is None) == (not set_aside), table
    tables = {name for (name,) in asked(source, "SELECT name FROM sqlite_master"
              " WHERE type = 'table' AND name NOT LIKE 'sqlite%'")}  # fmt: skip
    left = {name for name in tables - {row[0] for row in ledger} if not name.startswith("ENUM_")}
    assert left == {"STRING_IDS", "CONNECTION_IDS", "META_DATA", "HOST_INFO", "NPU_INFO",
                    "RANK_DEVICE_MAP", "SESSION_TIME_INFO"}  # fmt: skip
    stored = {table: stored for table, _, stored, *_ in ledger if stored}
    queue_and_ops = asked(source, "SELECT count(*) FROM PYTORCH_API WHERE type <> 50003")[0][0]
    calls = asked(source, "SELECT count(*) FROM CANN_API")[0][0]
    assert stored == {"TASK": 187, "COMMUNICATION_OP": 4, "CANN_API": calls, "STEP_TIME": 1,
                      "PYTORCH_API": queue_and_ops}  # fmt: skip


@needs_shared
def test_waits_are_those_that_the_viewer_left_in_the_database(tmp_path):
    path = ingested(tmp_path, database(0))
    waits = asked(database(0), "SELECT startNs, waitNs FROM COMPUTE_TASK_INFO"
                  " JOIN TASK USING (globalTaskId)"
                  " UNION ALL SELECT startNs, waitNs FROM COMMUNICATION_OP")  # fmt: skip
    assert sorted(rows(path, "SELECT start_ns, wait_ns FROM kernels")) == sorted(waits)


@needs_shared
def test_operators_launch_times_and_the_step_come_by_the_connection(tmp_path):
    path, source = ingested(tmp_path, database(1)), database(1)
    of_kernels = asked(source, "SELECT t.startNs, s.value, c.startNs FROM COMPUTE_TASK_INFO AS k"
                       " JOIN TASK AS t USING (globalTaskId)"
                       " JOIN CONNECTION_IDS AS i ON i.connectionId = t.connectionId"
                       " JOIN PYTORCH_API AS a ON a.connectionId = i.id AND a.type = 50001"
                       " JOIN CANN_API AS c ON c.connectionId = t.connectionId"
                       " JOIN STRING_IDS AS s ON s.id = a.name")  # fmt: skip
    found = rows(path, "SELECT k.start_ns, n.name, k.launch_ns FROM kernels AS k"
                 " JOIN names AS n ON n.name_id = k.host_op_id"
                 " WHERE core <> 'COMMUNICATION'")  # fmt: skip
    assert Counter(found) == Counter(of_kernels) and len(found) == 187
    steps = rows(path, "SELECT name, step_index, source, complete, count(*) FROM kernels"
                 " JOIN contexts USING (context_id) GROUP BY ALL")  # fmt: skip
    assert steps == [("ProfilerStep#50", 50, "profiler step", True, 191)]


@needs_shared
def test_counters_have_the_titles_and_units_of_a_kernel_table(tmp_path):
    path, source = ingested(tmp_path, database(0)), database(0)
    ((titles,),) = rows(path, "SELECT counters FROM profiles")
    assert titles[:3] == ["aicore_time(us)", "aic_total_cycles", "aic_mac_time(us)"]
    names = {"aicore_time(us)": "aic_total_time", "aiv_time(us)": "aiv_total_time"}
    expected: dict[int, list[float]] = {}
    values = {(start, name): value for start, name, value in asked(
        source, "SELECT t.startNs, s.value, p.value FROM TASK_PMU_INFO AS p"
        " JOIN TASK AS t USING (globalTaskId) JOIN STRING_IDS AS s ON s.id = p.name")}  # fmt: skip
    for start in {start for start, _ in values}:
        expected.setdefault(start, [
            values[start, names.get(title, title.removesuffix("(us)"))]
            / (1000 if title.endswith("(us)") else 1) for title in titles
        ])  # fmt: skip
    found = dict(rows(path, "SELECT start_ns, counters FROM kernels WHERE counters IS NOT NULL"))
    assert found.keys() == expected.keys() and len(found) == 185
    for start, measured in found.items():
        assert measured == pytest.approx(expected[start], rel=1e-15, abs=0)


def same_rows(tmp_path: Path, table: Path, old: bool, count: int | None = None) -> None:
    """A table and the database made of it give the same rows, row for row."""
    more = "" if old else ", k.op_state, k.hf32"
    made = from_table(table, tmp_path / "made" / "ascend_pytorch_profiler_0.db", old)
    (tmp_path / "text").mkdir()
    of_database, of_table = (
        ingested(folder, file) for folder, file in ((made.parent, made), (tmp_path / "text", table))
    )
    query = _TEXT_ROWS.format(more=more + ", k.wait_ns")
    found, expected = rows(of_database, query), rows(of_table, query)
    assert len(found) == len(expected) and (count is None or len(found) == count)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine[:-1] == theirs[:-1]
        assert abs(mine[-1] - theirs[-1]) <= 300


@needs_shared
@pytest.mark.parametrize("old", [True, False])
def test_a_database_made_of_a_real_table_gives_its_rows(old, tmp_path):
    folder = ASCEND / "text_2025/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT"
    same_rows(tmp_path, folder / "kernel_details.csv", old, 2463)


def test_a_database_made_of_a_whole_window_gives_its_rows(tmp_path):
    write_demo(tmp_path / "demo", ascend_rows=12_500)
    (table,) = (tmp_path / "demo" / "1009").rglob("kernel_details.csv")
    same_rows(tmp_path, table, old=False)


@pytest.mark.slow
def test_a_database_made_of_a_large_window_gives_its_rows(tmp_path):
    write_demo(tmp_path / "demo", ascend_rows=60_000)
    (table,) = (tmp_path / "demo" / "1009").rglob("kernel_details.csv")
    same_rows(tmp_path, table, old=False)


@needs_shared
@pytest.mark.parametrize("prefer", ["text", "db"])
def test_one_of_table_and_database_is_read(prefer, tmp_path):
    path = ingested(tmp_path, CASES / "17-ascend-text-and-db", prefer=prefer)
    assert rows(path, "SELECT core = 'COMMUNICATION', CAST(sum(dur_ns) AS BIGINT), count(*)"
                " FROM kernels GROUP BY 1 ORDER BY 1") == [
        (False, 301_480, 3), (True, 40_000, 1)
    ]  # fmt: skip
    assert rows(path, "SELECT rank, format FROM run_summary") == [
        (0, "ascend_csv" if prefer == "text" else "ascend_db")
    ]


@needs_shared
def test_table_and_database_of_one_profile_agree(tmp_path):
    kept = ("name", "core", "start_ns", "dur_ns", "shape")
    query = f"SELECT {', '.join(kept)} FROM (FROM kernels JOIN kernel_names USING (kernel_id)"
    found = []
    for prefer in ("text", "db"):
        (tmp_path / prefer).mkdir()
        path = ingested(tmp_path / prefer, CASES / "17-ascend-text-and-db", prefer=prefer)
        found.append(sorted(rows(path, query + " JOIN shapes USING (shape_id))")))
    assert found[0] == found[1]
