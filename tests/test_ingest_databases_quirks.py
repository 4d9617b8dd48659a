"""Databases of Ascend that lack, repeat, rename or were cut: what the reference lists."""

import sqlite3
from contextlib import closing

import pytest

from .ascend_databases import (
    CANN,
    COLLECTIVE,
    COMPUTE,
    NONE,
    PYTORCH,
    T0,
    TASK,
    Writer,
    small,
)
from .traces import ingested, rows

NAME = "ascend_pytorch_profiler_3.db"
PMU = ("globalTaskId", "name", "value")


def stored(tmp_path, writer, query, **options):
    """What a warehouse of the written database answers."""
    return rows(ingested(tmp_path, writer.write(tmp_path / NAME), **options), query)


def test_kernels_alone_are_launches_and_other_tasks_are_counted(tmp_path):
    path = ingested(tmp_path, small().write(tmp_path / NAME))
    assert rows(path, "SELECT start_ns, dur_ns, wait_ns, stream FROM kernels ORDER BY 1") == [
        (T0, 500, 0, 7), (T0 + 1000, 200, 500, 7)
    ]  # fmt: skip
    assert rows(path, "FROM (SELECT category, seen, stored, set_aside, reason FROM ingest_ledger)"
                " ORDER BY category DESC") == [
        ("TASK", 3, 2, 1, "device tasks that are no kernels: MEMCPY_ASYNC 1"),
        ("COMPUTE_TASK_INFO", 2, 0, 2, "descriptions of tasks, read into TASK"),
    ]  # fmt: skip
    assert rows(path, "SELECT rank FROM run_summary") == [(3,)]


def test_a_text_with_two_ids_is_one_text(tmp_path):
    writer = small()
    writer.texts["later"] = 1 << 28
    path = writer.write(tmp_path / NAME)
    with closing(sqlite3.connect(path)) as con:
        con.execute("UPDATE STRING_IDS SET value = 'k' WHERE value = 'later'")
        con.execute(f"UPDATE COMPUTE_TASK_INFO SET name = {1 << 28} WHERE globalTaskId = 3")
        con.commit()
    query = "SELECT name, launches FROM (SELECT kernel AS name, launches FROM kernel_time)"
    assert rows(ingested(tmp_path, path), query) == [("k", 2)]


# Of so few kernels no passes can be inferred, which is said of every profile here.
DOUBTS = "(SELECT count(*) FROM trust_reasons WHERE reason NOT LIKE 'phases unknown%')"


@pytest.mark.parametrize(
    ("groups", "times", "expected", "doubts"),
    [
        ([1000, 2000, 3000], None, [1.0, 2.0, 3.0], 0),
        ([1000, 2000], None, [None, None, None], 1),
        ([2000, 1000], [T0 + 1100, T0 + 100], [1.0, 2.0, None], 0),
    ],
)
def test_counters_of_a_replayed_graph_are_paired(tmp_path, groups, times, expected, doubts):
    writer = Writer()
    writer.kernel(1, T0, 500)
    for number in (1, 2):
        writer.task(1, T0 + 1000 * number, 500, "KERNEL_AIVEC")
    for number, value in enumerate(groups):
        more = () if times is None else (times[number],)
        columns = PMU if times is None else (*PMU, "timestampNs")
        writer.add("TASK_PMU_INFO", columns, (1, writer.text("aic_mac_time"), value, *more))
    found = stored(tmp_path, writer, f"SELECT counters[1], {DOUBTS} FROM kernels ORDER BY start_ns")
    assert found == [(value, doubts) for value in expected]


@pytest.mark.parametrize("name", ["aclmdlRIExecuteAsync", "launch"])
def test_a_replay_belongs_to_the_step_of_the_call_that_executes_the_graph(tmp_path, name):
    writer = Writer()
    writer.kernel(1, T0, 500)
    writer.task(1, T0 + 1000, 500, "KERNEL_AIVEC")
    writer.operator(900, T0 - 900, 500, "execute_context_0(0)_generation_2(2)")
    writer.call(1, T0 - 800, name)
    query = "SELECT phase, graph_replay, k.attribution, trust FROM run_summary, kernels AS k"
    found = stored(tmp_path, writer, query + " LEFT JOIN contexts USING (context_id)")
    way = "other thread of the process, within the step"
    lost = "graph replay, whose launch call is not known"
    known = name != "launch"
    assert found == 2 * [("decode", True, way, "ok") if known else (None, True, lost, "limited")]


def test_a_counter_that_a_task_lacks_is_null(tmp_path):
    writer = small()
    for task, name, value in ((1, "aic_total_time", 500), (1, "aic_mac_ratio", None),
                              (1, "aiv_read_bw", 0.1), (3, "aiv_read_bw", 2)):  # fmt: skip
        writer.add("TASK_PMU_INFO", PMU, (task, writer.text(name), value))
    query = "SELECT k.counters, p.counters FROM kernels AS k, profiles AS p ORDER BY k.start_ns"
    titles = ["aicore_time(us)", "aic_mac_ratio", "aiv_read_bw(GB/s)"]
    assert stored(tmp_path, writer, query) == [
        ([0.5, None, 0.1], titles), ([None, None, 2.0], titles)
    ]  # fmt: skip


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), "nan"])
def test_a_counter_that_is_no_number_is_null(tmp_path, value):
    writer = small()
    writer.add("TASK_PMU_INFO", PMU, (1, writer.text("aic_mac_ratio"), value),
               (3, writer.text("aic_mac_ratio"), 0.5))  # fmt: skip
    query = "SELECT counters FROM kernels ORDER BY start_ns"
    assert stored(tmp_path, writer, query) == [([None],), ([0.5],)]


def test_kernels_of_collectives_are_described_in_a_table_of_their_own(tmp_path):
    writer = small()
    row = [writer.text(t) for t in ("allgatherAicpuKernel", "AI_CPU", "allgather")]
    columns = ("name", "globalTaskId", "taskType", "opType")
    writer.add("COMMUNICATION_SCHEDULE_TASK_INFO", columns, (row[0], 2, *row[1:]))
    found = stored(tmp_path, writer, "SELECT name, core, op_type, shape_source FROM kernels"
                   " JOIN kernel_names USING (kernel_id) ORDER BY start_ns")  # fmt: skip
    assert found[1] == ("allgatherAicpuKernel", "AI_CPU", "allgather", "none") and len(found) == 3


def test_block_dim_beside_block_num_means_threads(tmp_path):
    writer = Writer()
    writer.kernel(1, T0, 500, blockNum=20)
    columns, (row,) = writer.tables["COMPUTE_TASK_INFO"]
    writer.tables["COMPUTE_TASK_INFO"] = ((*columns, "blockDim"), [[*row, writer.text("128,1,1")]])
    assert stored(tmp_path, writer, "SELECT block_num, args FROM kernels") == [
        (20, '{"blockDim":"128,1,1"}')
    ]


@pytest.mark.parametrize("has_device", [True, False])
def test_a_collective_is_on_the_device_of_its_tasks(tmp_path, has_device):
    writer = Writer()
    for device in (0, 5):
        writer.kernel(device + 1, T0, 500, deviceId=device)
    writer.task(9, T0 + 2000, 10, "Notify Wait")
    writer.tables["TASK"][1][-1] = [5 if c == "deviceId" else v for c, v in zip(
        TASK, writer.tables["TASK"][1][-1], strict=True)]  # fmt: skip
    values = (writer.text("hcom_allReduce__1"), T0 + 2000, T0 + 2500, 9, writer.text("g"), 1, 0, 0,
              4, writer.text("RING"), 8, writer.text("hcom_allReduce_"), 5)  # fmt: skip
    size = len(COLLECTIVE) - (not has_device)
    writer.add("COMMUNICATION_OP", COLLECTIVE[:size], values[:size])
    query = ("SELECT device, stream, wait_ns, block_num, dur_ns, op_type FROM kernels"
             " JOIN kernel_names USING (kernel_id) WHERE core = 'COMMUNICATION'")  # fmt: skip
    assert stored(tmp_path, writer, query) == [(5, None, 1500, 0, 500, "hcom_allReduce_")]


def without(writer, table, gone):
    """Take columns out of a table."""
    columns, found = writer.tables[table]
    kept = [at for at, column in enumerate(columns) if column not in gone]
    fewer = [[row[at] for at in kept] for row in found]
    writer.tables[table] = ([columns[at] for at in kept], fewer)


@pytest.mark.parametrize(
    "gone",
    [
        ("streamId", "deviceId", "modelId", "contextId", "taskId", "taskType", "globalPid"),
        ("connectionId", *COMPUTE[2:8]),
        COMPUTE[8:],
    ],
)
def test_columns_may_be_missing(tmp_path, gone):
    writer = small()
    for table in ("TASK", "COMPUTE_TASK_INFO"):
        without(writer, table, gone)
    assert stored(tmp_path, writer, f"SELECT count(*), {DOUBTS} FROM kernels") == [(2, 0)]


def test_what_viewers_and_people_add_disturbs_nothing(tmp_path):
    path = small().write(tmp_path / NAME)
    with closing(sqlite3.connect(path)) as con:
        con.execute("ALTER TABLE TASK ADD COLUMN depth integer")
        con.execute("ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN waitNs INTEGER")
        con.execute("CREATE TABLE OVERLAP_ANALYSIS (id INTEGER PRIMARY KEY AUTOINCREMENT, type)")
        con.execute("INSERT INTO OVERLAP_ANALYSIS (type) VALUES (1)")
        con.execute('CREATE TABLE "_COMPUTE_TASK_INFO_old_20251014" AS FROM_OLD'
                    .replace("FROM_OLD", "SELECT * FROM COMPUTE_TASK_INFO"))  # fmt: skip
        con.execute('CREATE TABLE "odd "" name" (x)')
        con.execute('INSERT INTO "odd "" name" VALUES (1)')
        con.commit()
    ledger = dict(rows(ingested(tmp_path, path), "SELECT category, set_aside FROM ingest_ledger"))
    assert ledger == {
        "TASK": 1, "COMPUTE_TASK_INFO": 2, "OVERLAP_ANALYSIS": 1, 'odd " name': 1,
        "_COMPUTE_TASK_INFO_old_20251014": 2,
    }  # fmt: skip


@pytest.mark.parametrize("end", [None, T0 - 5, float(T0) + 0.5, "soon"])
def test_a_task_without_a_sound_time_is_set_aside(tmp_path, end):
    writer = small()
    writer.kernel(4, T0 + 5000, 5, endNs=None)
    row = writer.tables["TASK"][1][-1]
    row[1] = end
    path = ingested(tmp_path, writer.write(tmp_path / NAME))
    query = "SELECT seen, stored, reason, trust FROM ingest_ledger, run_summary"
    reason = ("device tasks that are no kernels: MEMCPY_ASYNC 1;"
              " without a start and a later end as whole ns: 1")  # fmt: skip
    assert rows(path, query + " WHERE category = 'TASK'") == [(4, 2, reason, "limited")]


def test_bytes_that_are_no_text_are_replaced_and_said(tmp_path):
    path = small().write(tmp_path / NAME)
    with closing(sqlite3.connect(path)) as con:
        con.execute("UPDATE STRING_IDS SET value = CAST(x'6bff' AS TEXT) WHERE value = 'k'")
        con.commit()
    found = rows(
        ingested(tmp_path, path), "SELECT name, reason, events FROM kernel_names, trust_reasons"
    )
    assert ("k\ufffd", "texts with bytes that are no UTF-8", 1) in found


def test_a_description_without_a_task_is_told(tmp_path):
    writer = small()
    del writer.tables["TASK"][1][0]
    found = stored(tmp_path, writer, "SELECT reason, events FROM trust_reasons")
    assert ("kernels described whose task was not recorded", 1) in found


def test_the_step_is_that_of_the_operator_not_of_the_queue(tmp_path):
    writer = Writer()
    for number in (1, 2, 3, 4, 5):
        writer.kernel(number, T0 + 10_000 + 1000 * number, 500)
    steps = ("execute_context_1(64)_generation_0(0)", "execute_context_0(0)_generation_2(2)")
    for number, name in enumerate(steps):
        writer.operator(900 + number, T0 + 1000 * number, 900, name)
    # Operators 1 and 2 launch late, in the other step; 3 is known by its call alone.
    writer.operator(1, T0 + 100, 50, "aten::add")
    writer.operator(2, T0 + 1100, 50, "aten::mul")
    for number, at in ((1, 1500), (2, 2500), (3, 700), (4, 5000)):
        writer.call(number, T0 + at)
    query = ("SELECT c.phase, h.name, k.attribution, k.launch_ns - CAST($at AS BIGINT)"
             " FROM kernels AS k LEFT JOIN contexts AS c USING (context_id)"
             " LEFT JOIN names AS h ON h.name_id = k.host_op_id ORDER BY k.start_ns")  # fmt: skip
    assert stored(tmp_path, writer, query.replace("$at", str(T0))) == [
        ("prefill", "aten::add", "launch call", 1500),
        ("decode", "aten::mul", "launch call", 2500),
        ("prefill", None, "other thread of the process, within the step", 700),
        (None, None, "launch call outside any step", 5000),
        (None, None, "no launch found", None),
    ]


def test_step_times_alone_are_steps(tmp_path):
    writer = small()
    writer.add("STEP_TIME", ("id", "startNs", "endNs"), (7, T0 - 1000, T0 - 1), (8, T0, T0 + 50))
    writer.call(1, T0 - 500)
    writer.call(77, T0 + 10)
    query = "SELECT step_index, source, complete, launches FROM context_time ORDER BY 1"
    path = ingested(tmp_path, writer.write(tmp_path / NAME))
    assert rows(path, "SELECT step_index, source, complete FROM contexts ORDER BY 1") == [
        (7, "profiler step", True), (8, "profiler step", False)
    ]  # fmt: skip
    assert rows(path, query)[0] == (7, "profiler step", True, 1)


def test_marks_of_the_user_may_name_steps(tmp_path):
    writer = small()
    columns = ("startNs", "endNs", "eventType", "rangeId", "message", "globalTid", "domainId",
               "connectionId")  # fmt: skip
    name = writer.text("step[DECODE bs=4]")
    row = (T0 - 900, T0 - 100, 1, 1, name, (1 << 32) + 5, writer.text("default"), NONE)
    writer.add("MSTX_EVENTS", columns, row, (T0, T0, 0, *row[3:]))
    writer.operator(1, T0 - 500, 10, "aten::add")
    path = ingested(tmp_path, writer.write(tmp_path / NAME))
    assert rows(path, "SELECT phase, generation_tokens FROM contexts") == [("decode", 4)]
    query = "SELECT ph, count(*) FROM events JOIN categories USING (category_id)"
    query += " WHERE category = 'MSTX_EVENTS' GROUP BY 1 ORDER BY 1"
    assert rows(path, query) == [("X", 1), ("i", 1)]


@pytest.mark.parametrize("python", [True, False])
def test_frames_of_python_are_stored_when_asked_for(tmp_path, python):
    writer = small()
    writer.operator(1, T0, 5, "model.py(3): forward", 50003)
    found = stored(tmp_path, writer, "SELECT stored, set_aside FROM ingest_ledger"
                   " WHERE category = 'PYTORCH_API'", python=python)  # fmt: skip
    assert found == [(1, 0) if python else (0, 1)]


def test_queues_of_the_framework_launch_nothing(tmp_path):
    writer = small()
    writer.add("CANN_API", CANN, (T0 - 50, T0 - 40, 10000, (1 << 32) + 6, 1, writer.text("launch")))
    writer.operator(1, T0 - 80, 10, "aten::add")
    row = (str(T0 - 60), str(T0 - 30), (1 << 32) + 6, 5, writer.text("Dequeue"), *[None] * 5, 50002)
    writer.add("PYTORCH_API", PYTORCH, row)
    writer.add("CONNECTION_IDS", ("id", "connectionId"), (5, 1))
    query = "SELECT name, launch_ns FROM kernels JOIN names ON name_id = host_op_id"
    assert stored(tmp_path, writer, query) == [("aten::add", T0 - 50)]
