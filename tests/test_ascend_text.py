"""Odd cells, columns and encodings in the tables of Ascend, and what is stored of them."""

import csv
import json
from decimal import Decimal

import pytest

import profdb

from .ascend import HEADER, START, TWO, kernel, rank, rank_folder, table, typed
from .ascend_databases import T0, Writer
from .test_vendor_files import OP_STATISTIC, ledger
from .traces import fresh, ingested, rows

DATABASE = "ascend_pytorch_profiler_0.db"


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


def test_counters_of_every_group_are_kept_and_none_is_null(tmp_path):
    """One rank per group of counters; N/A for a kernel too long to be counted is NULL, not 0."""
    first, second = kernel("k1", 0, "1.5"), kernel("long", 10, "2.25")
    expected = []
    for number, group in enumerate(PMU.values()):
        titles = ["aicore_time(us)", "aic_total_cycles", *group.split(",")]
        values = [Decimal(f"{number}.{place}25") for place in range(len(titles))]
        lines = (f"{first},{','.join(map(str, values))}", second + ",N/A" * len(titles))
        folder = rank_folder(tmp_path / "run", f"rank{number}")
        table(folder / "kernel_details.csv", *lines, header=",".join([HEADER, *titles]))
        expected.append((titles, [float(value) for value in values]))
        expected.append((titles, [None] * len(titles)))
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT p.counters, k.counters FROM kernels AS k JOIN profiles AS p USING (profile_id)"
    assert rows(path, query + " ORDER BY rank, k.start_ns") == expected


@pytest.mark.parametrize("cell", ["nan", "-nan", "inf", "-inf", "Infinity", "1e400"])
def test_a_counter_that_is_no_number_is_null(tmp_path, cell):
    """A ratio of nothing or an overflow in the counters: NULL, and the cell kept as text."""
    lines = [f"{kernel('k1', 0, '1.5')},{cell},0.25", f"{kernel('k2', 10, '1.5')},0.5,0.25"]
    header = f"{HEADER},aic_mac_ratio,aiv_vec_ratio"
    table(rank_folder(tmp_path / "run") / "kernel_details.csv", *lines, header=header)
    path = ingested(tmp_path, tmp_path / "run")
    kept = None if cell == "inf" else json.dumps([cell, "0.25"], separators=(",", ":"))
    assert rows(path, "SELECT counters, args FROM kernels ORDER BY start_ns") == [
        ([None, 0.25], kept), ([0.5, 0.25], None)
    ]  # fmt: skip


def test_inputs_that_are_all_scalars(tmp_path):
    """Input Shapes of `;;;`: four tensors without dimensions, of which none counts tokens."""
    row = kernel("k1", 0, "1.5").replace('"""1,2;3"""', '""";;;"""')
    rank(tmp_path / "run", 0, [row, row.replace('""";;;"""', '"""1;"""').replace("k1", "k2")])
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT shape, tokens FROM shapes JOIN kernels USING (shape_id) ORDER BY shape"
    assert rows(path, query) == [("1;", None), (";;;", None)]


def test_all_slices_of_the_newest_export_count(tmp_path):
    """Tables in three slices beside an older export: the first slice alone gives wrong sums."""
    folder = tmp_path / "run" / "PROF_1_20260101000000000_A" / "mindstudio_profiler_output"
    table(folder / "op_summary_20260102000000.csv", *TWO)
    header = "Device_id,Component,Timestamp(us),Total Reserved(KB)"
    kinds = ["aicpu", "l2_cache", "npu_module_mem", "operator_memory"]
    for kind in kinds:
        table(folder / f"{kind}_20260101000000.csv", "0,HCCL,1.5,99", header=header)
        for number in range(3):
            name = f"{kind}_slice_{number}_20260102000000.csv"
            table(folder / name, f"0,HCCL,1.5\t,{number + 1}", header=header)
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT source, content FROM vendor_rows ORDER BY source, file_id"
    found = [(kind, json.loads(content)) for kind, content in rows(path, query)]
    told = [(kind, row["Timestamp(us)"], row["Total Reserved(KB)"]) for kind, row in found]
    assert told == [(kind, "1.5", kb) for kind in kinds for kb in "123"]


def test_tables_of_every_iteration_count(tmp_path):
    """device_0/summary of older tools: names end in device, model and iteration."""
    folder = tmp_path / "run" / "PROF_1_20260101000000000_A" / "device_0" / "summary"
    for number, row in enumerate(TWO, start=1):
        table(folder / f"op_summary_0_1_{number}.csv", row)
        sums = "MatMul,AI_CORE,1,{0},{0},{0},{0},100".format(("1.5", "2.25")[number - 1])
        table(folder / f"op_statistic_0_1_{number}.csv", sums, header=OP_STATISTIC)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT kernels, gpu_ms FROM run_summary") == [(2, 0.00375)]
    query = "SELECT figure, ours, status FROM vendor_check WHERE figure IN ('count', 'total_us')"
    assert rows(path, query + " ORDER BY 1") == [
        ("count", 2, "agrees"), ("total_us", 3.75, "agrees")
    ]  # fmt: skip


def test_tables_of_the_links_are_kept(tmp_path):
    """nic, roce, pcie and hccs, which sys_io and the interconnection options add."""
    folder = rank(tmp_path / "run", 0)
    kinds = ["hccs", "nic", "pcie", "roce"]
    for kind in kinds:
        table(folder / f"{kind}.csv", f"0,{kind},1.5\t", header="Device_id,Mode,Max")
    table(folder / "nice.csv", "0", header="Device_id")
    with profdb.open(fresh(tmp_path)) as warehouse:
        skipped = warehouse.ingest(tmp_path / "run").skipped
    query = "SELECT source, content FROM vendor_rows ORDER BY source"
    found = [(kind, json.loads(content)) for kind, content in rows(warehouse.path, query)]
    assert found == [(kind, {"Device_id": "0", "Mode": kind, "Max": "1.5"}) for kind in kinds]
    assert [(one.path.name, one.reason) for one in skipped] == [
        ("nice.csv", "not a format that is known")
    ]


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
    path = fresh(tmp_path)
    with profdb.open(path) as warehouse:
        (outcome,) = warehouse.ingest(tmp_path / "run").outcomes
    assert outcome.source.notes == ()
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


def test_calls_of_the_host_in_both_headers(tmp_path):
    """api_statistic.csv: `host` for a device, and before 2025 `hccl` for communication."""
    header = "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance"
    for number, (device, level) in enumerate((("", "hccl"), ("host,", "communication"))):
        folder = rank(tmp_path / "run", number)
        table(folder / "api_statistic.csv", f"{device}{level},HcclAllReduce,3.5,2,1.75,1.5,2,0.06",
              header=("Device_id," if device else "") + header)  # fmt: skip
    path = ingested(tmp_path, tmp_path / "run")
    query = "SELECT level, name, calls, total_ns, min_ns, max_ns FROM vendor_calls"
    assert rows(path, query) == 2 * [("communication", "HcclAllReduce", 2, 3500, 1500, 2000)]


def test_pairs_of_ranks_and_their_totals(tmp_path):
    """communication_matrix.json: ranks within the group, an operator's name missing in totals."""
    folder = rank(tmp_path / "run", 0)
    link = {
        "Transport Type": "HCCS",
        "Transit Size(MB)": 0.1,
        "Transit Time(ms)": 0.30000000000000004,
    }
    told = {"step": {"p2p": {"send-top1@7": {"0-1": link | {"Op Name": "hcom_send__1@7"}}},
                     "collective": {"allreduce-total@7": {"0-1": link, "1-0": link}}}}  # fmt: skip
    (folder / "communication_matrix.json").write_text(json.dumps(told))
    path = ingested(tmp_path, tmp_path / "run")
    found = [json.loads(content) for (content,) in rows(path, "SELECT content FROM vendor_rows")]
    plain = json.loads(json.dumps(link), parse_float=str)
    assert [row["Form"] + row["Pair"] for row in found] == [
        "p2p0-1", "collective0-1", "collective1-0"
    ]  # fmt: skip
    assert all(row.items() >= plain.items() for row in found)
    assert [row.get("Op Name") for row in found] == ["hcom_send__1@7", None, None]


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
