"""The files beside an Ascend kernel table, against the csv and json modules and Decimal."""

import csv
import json
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

import profdb

from .ascend import TWO, kernel, rank, table
from .traces import SHARED, fresh, ingested, needs_shared, rows

REAL = SHARED / "traces/ascend/text/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT"
OP_STATISTIC = "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio"
MEMORY = "Component,Timestamp(us),Total Reserved(MB),Device"
LEDGER = "SELECT category, seen, stored, set_aside, reason FROM ingest_ledger WHERE category = '{}'"


def ledger(path: Path, category: str) -> list[tuple]:
    return rows(path, LEDGER.format(category))


def ns(text: object, by: int) -> int:
    return int((Decimal(str(text)) * by).quantize(Decimal(1), ROUND_HALF_UP))


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    if not REAL.is_dir():
        pytest.skip("no folder of real traces here")
    return ingested(tmp_path_factory.mktemp("real"), REAL)


def records(name: str) -> list[dict]:
    with (REAL / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_sums_of_operators_and_calls_are_those_of_the_files(real):
    columns = "op_type, core, launches, total_ns, min_ns, max_ns"
    expected = [
        (r["OP Type"], r["Core Type"], int(r["Count"]))
        + tuple(ns(r[f"{which} Time(us)"], 1000) for which in ("Total", "Min", "Max"))
        for r in records("op_statistic.csv")
    ]
    assert sorted(rows(real, f"SELECT {columns} FROM vendor_operators")) == sorted(expected)
    found = rows(real, "SELECT level, name, calls, total_ns, min_ns, max_ns FROM vendor_calls")
    assert sorted(found) == sorted(
        (r["Level"].replace("hccl", "communication"), r["API Name"], int(r["Count"]))
        + tuple(ns(r[title], 1000) for title in ("Time(us)", "Min(us)", "Max(us)"))
        for r in records("api_statistic.csv")
    )


def test_float_noise_of_step_times_is_rounded_from_the_digits(real):
    found = rows(
        real, "SELECT device, step, computing_ns, overlapped_ns, free_ns FROM vendor_steps"
    )
    assert found == [(None, "50", 8_873_756, 4_028_675, 25_744_050)]


def test_collectives_are_those_of_the_file(real):
    columns = "step, op, group_name, start_ns, elapse_ns, wait_ns, transit_bytes, transports"
    found = {row[1]: row for row in rows(real, f"SELECT {columns} FROM vendor_collectives")}
    ops = json.loads((REAL / "communication.json").read_text())["step50"]["collective"]
    ops.pop("Total Op Info")
    assert len(found) == len(ops) == 4
    for key, info in ops.items():
        op, _, group = key.partition("@")
        times, links = info["Communication Time Info"], info["Communication Bandwidth Info"]
        moved = ns(links["SDMA"]["Transit Size(MB)"], 10**6)
        assert found[op][:7] == (
            "50", op, group, ns(times["Start Timestamp(us)"], 1000),
            ns(times["Elapse Time(ms)"], 10**6), ns(times["Wait Time(ms)"], 10**6), moved,
        )  # fmt: skip
        transports = json.loads(found[op][7])
        assert transports["HCCS"]["bytes"] == moved
        sizes = links["HCCS"]["Size Distribution"]
        assert [n for _, n, _ in transports["HCCS"]["packets"]] == [n for n, _ in sizes.values()]


@pytest.mark.parametrize("kind", ["operator_details", "memory_record", "operator_memory",
                                  "npu_module_mem", "l2_cache"])  # fmt: skip
def test_other_tables_are_kept_row_by_row(real, kind):
    query = f"SELECT row_number, content FROM vendor_rows WHERE source = '{kind}' ORDER BY 1"
    found = rows(real, query)
    plain = [{t: c.strip() for t, c in row.items()} for row in records(f"{kind}.csv")]
    assert [json.loads(content) for _, content in found] == plain
    assert [number for number, _ in found] == list(range(1, len(plain) + 1))
    assert ledger(real, kind) == [(kind, len(plain), len(plain), 0, None)]


def test_the_matrix_is_one_row_per_pair(real):
    plain = json.loads((REAL / "communication_matrix.json").read_text())["step50"]["collective"]
    count = sum(len(pairs) for pairs in plain.values())
    kind = "communication_matrix"
    assert ledger(real, kind) == [(kind, count, count, 0, None)]
    query = f"SELECT content FROM vendor_rows WHERE source = '{kind}' AND row_number = 1"
    content = json.loads(rows(real, query)[0][0])
    assert content["Op"] == "allreduce-top1" and content["Pair"] == "0-0"
    assert content["Transit Size(MB)"] == "4.128775999999999"


@needs_shared
def test_files_are_no_part_of_what_a_profile_is(tmp_path):
    folder = rank(tmp_path / "run", 0)
    path = ingested(tmp_path, tmp_path / "run")
    table(
        folder / "op_statistic.csv", "MatMul,AI_CORE,2,3.75,1.5,1.9,2.25,100", header=OP_STATISTIC
    )
    with profdb.open(path) as warehouse:
        assert [o.state for o in warehouse.ingest(tmp_path / "run").outcomes] == ["already stored"]
        assert [o.state for o in warehouse.ingest(tmp_path / "run", replace=True).outcomes] == [
            "stored"
        ]
    assert rows(path, "SELECT count(*) FROM vendor_operators") == [(1,)]
    query = "SELECT beside, length(sha256) FROM files ORDER BY file_id"
    assert rows(path, query) == [(None, 64), (True, 64)]


def test_a_run_that_is_removed_takes_them_along(tmp_path):
    folder = rank(tmp_path / "run", 0)
    table(folder / "memory_record.csv", "APP,1.5,2,NPU:0", header=MEMORY)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT count(*) FROM vendor_rows") == [(1,)]
    rank(tmp_path / "other" / "run", 1)
    with profdb.open(path) as warehouse:
        warehouse.ingest(tmp_path / "other" / "run", label="run", replace=True)
    assert rows(path, "SELECT count(*) FROM vendor_rows") == [(0,)]


def test_rows_of_another_width_are_set_aside_with_their_number(tmp_path):
    folder = rank(tmp_path / "run", 0)
    good = "MatMul,AI_CORE,2,3.75,1.5,1.9,2.25,100"
    odd = ["f<a,b>,AI_CORE,1,1,1,1,1,1", "Add,AI_CORE,one,1,1,1,1,1", good, "Mul,AI_CORE,7"]
    table(folder / "op_statistic.csv", *odd, header=OP_STATISTIC)
    path = ingested(tmp_path, tmp_path / "run")
    reason = (
        "row 1: 9 fields, header has 8; row 2: Count 'one' is no number;"
        " row 4: 3 of 8 fields, the file is cut"
    )
    assert ledger(path, "op_statistic") == [("op_statistic", 4, 1, 3, reason)]
    assert rows(path, "SELECT kernels FROM run_summary") == [(2,)]
    doubts = "SELECT count(*) FROM trust_reasons WHERE reason LIKE '%set aside%'"
    assert rows(path, doubts) == [(0,)]


def test_times_that_a_spreadsheet_rounded_are_null_and_said(tmp_path):
    folder = rank(tmp_path / "run", 0)
    table(folder / "memory_record.csv", "APP,1.69512E+15,2,NPU:0", header=MEMORY)
    header = (
        "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,Bubble"
    )
    table(folder / "step_trace_time.csv", ",1.2E+6,5.8e-11,0,0,3,4,0", header=header)
    path = ingested(tmp_path, tmp_path / "run")
    ((content,),) = rows(path, "SELECT content FROM vendor_rows")
    assert json.loads(content)["Timestamp(us)"] is None
    lost = "scientific notation: precision lost"
    said = [("memory_record", 1, 1, 0, f"Timestamp(us): {lost}")]
    assert ledger(path, "memory_record") == said
    found = rows(
        path, "SELECT step, computing_ns, exposed_communication_ns, free_ns FROM vendor_steps"
    )
    assert found == [("", None, 0, 3000)]


def test_slices_are_united_and_older_exports_left(tmp_path):
    folder = tmp_path / "run" / "PROF_1_20260101000000000_A" / "mindstudio_profiler_output"
    old, new = "20260101000000", "20260102000000"
    table(folder / f"op_summary_{old}.csv", *TWO)
    for number, row in enumerate([kernel("a", 0, "1"), kernel("b,c", 5, "2"), kernel("d", 9, "4")]):
        table(folder / f"op_summary_slice_{number}_{new}.csv", row)
        table(folder / f"memory_record_slice_{number}_{new}.csv", f"{number},1,2,3", header=MEMORY)
    table(folder / f"memory_record_{old}.csv", "old,1,2,3", header=MEMORY)
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(tmp_path / "run")
    path = warehouse.path
    assert len(summary.outcomes) == 1
    left = {one.path.name: one.reason for one in summary.skipped}
    assert left.keys() == {f"op_summary_{old}.csv", f"memory_record_{old}.csv"}
    assert all(reason.startswith("older export: ") for reason in left.values())
    assert rows(path, "SELECT sum(dur_ns), count(*) FROM kernels") == [(5000, 2)]
    reason = "row 1: 7 fields, header has 6"
    assert ledger(path, "kernel rows") == [
        ("kernel rows", 1, 1, 0, None),
        ("kernel rows", 1, 0, 1, reason),
        ("kernel rows", 1, 1, 0, None),
    ]
    found = rows(path, "SELECT row_number, content FROM vendor_rows ORDER BY file_id")
    assert [json.loads(content)["Component"] for _, content in found] == ["0", "1", "2"]
    with profdb.open(path) as warehouse:
        assert warehouse.ingest(tmp_path / "run").outcomes[0].state == "already stored"


def test_an_export_that_the_rank_folder_has_again_is_left(tmp_path):
    folder = rank(tmp_path / "run", 0)
    raw = folder.parent / "PROF_1_20260101000000000_A" / "mindstudio_profiler_output"
    table(raw / "op_summary_20260101000000.csv", *TWO)
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(tmp_path / "run")
    assert [one.source.files[0].name for one in summary.outcomes] == ["kernel_details.csv"]
    assert "the same kernels" in summary.skipped[0].reason


@pytest.mark.parametrize(
    ("content", "reason", "stored"),
    [
        ('{"step": {"p2p": {}, "collective": {"a@1": OP, "b@1": {"Comm', "cut or damaged", 1),
        ('{"step": {"collective": {"a@1": OP, "b@1": {"x": 1}, "c": 3}}}', "other fields", 1),
        ('{"step1": {"p2p": {"s@2": OP}}, "step2": {"collective": {"Total Op Info": OP}}}', "", 1),
    ],
)
def test_odd_communication_files_cost_only_their_own_rows(tmp_path, content, reason, stored):
    op = {"Communication Time Info": {"Elapse Time(ms)": 1.5}, "Communication Bandwidth Info": {}}
    folder = rank(tmp_path / "run", 0)
    (folder / "communication.json").write_text(content.replace("OP", json.dumps(op)))
    path = ingested(tmp_path, tmp_path / "run")
    ((_, seen, kept, aside, said),) = ledger(path, "communication")
    assert kept == stored and seen == kept + aside
    assert reason in (said or "") and bool(said) == bool(aside)
    assert rows(path, "SELECT elapse_ns, transit_bytes FROM vendor_collectives") == [(1_500_000, 0)]


# Not ru_maxrss, which a new process inherits from the one that started it.
MEMORY_OF_INGEST = """
import re, sys, profdb
profdb.open(sys.argv[1]).ingest(sys.argv[2])
print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1])
"""


@needs_shared
@pytest.mark.slow
def test_a_large_communication_file_is_read_as_a_stream(tmp_path):
    folder = rank(tmp_path / "run", 0)
    ops = json.loads((REAL / "communication.json").read_text())["step50"]["collective"]
    one = json.dumps(ops["hcom_allReduce__586_0_1@17522688603477080586"])
    count = (88 << 20) // len(one)
    with (folder / "communication.json").open("w") as file:
        file.write('{"step": {"p2p": {}, "collective": {')
        file.writelines(f'"hcom_allReduce__586_{n}_1@1": {one}, ' for n in range(count))
        file.write(f'"Total Op Info": {one}' + "}}}")
    path = fresh(tmp_path)
    command = [sys.executable, "-c", MEMORY_OF_INGEST, path, tmp_path / "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 300 << 10  # in KiB
    assert rows(path, "SELECT count(*) FROM vendor_collectives") == [(count,)]


def test_a_cell_with_line_ends_and_other_bytes_is_one_row(tmp_path):
    folder = rank(tmp_path / "run", 0)
    stack = 'Name,Call Stack\r\nadd,"a;\r\nb"\r\nmul,"\u6587"\r\n'.encode("gb18030")
    (folder / "operator_details.csv").write_bytes(stack)
    path = ingested(tmp_path, tmp_path / "run")
    found = rows(path, "SELECT content FROM vendor_rows ORDER BY row_number")
    assert [json.loads(content)["Call Stack"] for (content,) in found] == ["a;\r\nb", "\u6587"]
    assert "GB18030" in ledger(path, "operator_details")[0][4]


def test_a_file_of_that_name_without_its_columns_is_left(tmp_path):
    folder = rank(tmp_path / "run", 0)
    table(folder / "op_statistic.csv", "1,2", header="OP Type,Core Type")
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(tmp_path / "run")
    assert "without the column Count, Max Time(us)" in summary.skipped[0].reason
