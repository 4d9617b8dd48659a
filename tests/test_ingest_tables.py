"""Kernel tables of Ascend, real and random, against the csv module and Decimal."""

import csv
import io
import tempfile
from decimal import Decimal, InvalidOperation
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.ingest.run import ingest, plan
from profdb.warehouse import Warehouse

from .traces import SHARED, ingested, needs_shared, rows

ASCEND = SHARED / "traces" / "ascend"
TABLES = {
    "text/rank0_ascend_pt/ASCEND_PROFILER_OUTPUT": (191, 4, "114865.613"),
    "text/rank1_ascend_pt/ASCEND_PROFILER_OUTPUT": (191, 4, "109253.559"),
    "text_2025/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT": (2463, 15, "651464.360"),
    "kernel_details_quoted_tab": (29, 0, "10061.159"),
}
OF_KERNELS = """
SELECT seen, stored, set_aside, reason FROM ingest_ledger WHERE category = 'kernel rows'
"""
NULLS = {"N/A", "", "NULL", "-", "inf"}
SAME = {
    "Op Name": "Name", "OP Type": "Type", "Task Type": "Accelerator Core",
    "Task Start Time(us)": "Start Time(us)", "Task Duration(us)": "Duration(us)",
    "Task Wait Time(us)": "Wait Time(us)", "Block Dim": "Block Num",
    "Mix Block Dim": "Mix Block Num",
}  # fmt: skip
KNOWN = [
    "Step Id", "Device_id", "Model ID", "Task ID", "Stream ID", "Name", "Type", "OP State",
    "Accelerator Core", "Start Time(us)", "Duration(us)", "Wait Time(us)", "Block Num",
    "Mix Block Num", "HF32 Eligible", "Input Shapes", "Input Data Types", "Input Formats",
    "Output Shapes", "Output Data Types", "Output Formats", "Context ID",
]  # fmt: skip
_KERNELS = """
SELECT c.step_index, k.device, k.model_id, k.task_id, k.stream, n.name, n.op_type, k.op_state,
    k.core, k.start_ns, k.dur_ns, k.block_num, k.mix_block_num, k.hf32, s.shape, t.name,
    k.input_formats, k.output_shapes, k.output_dtypes, k.output_formats, k.vendor_context,
    k.counters
FROM kernels AS k
JOIN kernel_names AS n USING (kernel_id)
JOIN shapes AS s USING (shape_id)
LEFT JOIN names AS t ON t.name_id = k.dtype_id
LEFT JOIN contexts AS c USING (context_id)
"""


def whole(cell: str | None) -> int | None:
    try:
        return None if cell is None else int(cell.strip())
    except ValueError:
        return None


def time_ns(cell: str | None) -> int | None:
    if cell is None or "e" in cell.lower():
        return None
    try:
        return int((Decimal(cell.strip()) * 1000).to_integral_value())
    except InvalidOperation:
        return None


def number(cell: str | None) -> float | None:
    try:
        return None if cell is None else float(cell)
    except ValueError:
        return None


def unquoted(cell: str | None) -> str | None:
    return None if cell is None else cell.strip('"')


def plain_rows(text: str) -> tuple[list[tuple], int]:
    """What a table holds, as the warehouse has it, and how many rows cannot be stored."""
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    header = [SAME.get(title.strip(), title.strip()) for title in header]
    found, aside = [], 0
    for line in filter(None, lines):
        if len(line) != len(header):
            aside += 1
            continue
        row = {t: None if c in NULLS else c for t, c in zip(header, line, strict=True)}
        extra = [row[title] for title in header if title not in KNOWN]
        start, duration = time_ns(row["Start Time(us)"]), time_ns(row["Duration(us)"])
        lost = (row["Start Time(us)"] or "").endswith("E+15")
        if (start is None and not lost) or duration is None or duration < 0:
            aside += 1
            continue
        get = row.get
        core = get("Accelerator Core")
        found.append((
            whole(get("Step Id")), whole(get("Device_id")) or 0, whole(get("Model ID")),
            whole(get("Task ID")), whole(get("Stream ID")), get("Name") or "", get("Type") or "",
            get("OP State"), "COMMUNICATION" if core == "HCCL" else core, start, duration,
            whole(get("Block Num")), whole(get("Mix Block Num")), get("HF32 Eligible"),
            unquoted(get("Input Shapes")) or "", get("Input Data Types"), get("Input Formats"),
            unquoted(get("Output Shapes")), get("Output Data Types"), get("Output Formats"),
            get("Context ID"), [number(cell) for cell in extra],
        ))  # fmt: skip
    return sorted(found, key=repr), aside


def stored_rows(path: Path) -> list[tuple]:
    return sorted(rows(path, _KERNELS), key=repr)


@needs_shared
@pytest.mark.parametrize("folder", TABLES)
def test_a_real_table_is_stored_exactly(folder, tmp_path):
    count, collectives, duration = TABLES[folder]
    path = ingested(tmp_path, ASCEND / folder / "kernel_details.csv")
    text = (ASCEND / folder / "kernel_details.csv").read_bytes().decode("utf-8-sig")
    expected, aside = plain_rows(text)
    assert stored_rows(path) == expected
    assert len(expected) == count and aside == 0
    assert rows(path, "SELECT sum(dur_ns) FROM kernels") == [(Decimal(duration) * 1000,)]
    query = "SELECT count(*) FROM kernels WHERE core = 'COMMUNICATION'"
    assert rows(path, query) == [(collectives,)]
    header = [title.strip() for title in next(csv.reader([text.splitlines()[0]]))]
    extra = [title for title in header if SAME.get(title, title) not in KNOWN]
    assert rows(path, "SELECT counters FROM profiles") == [(extra,)]
    assert rows(path, OF_KERNELS) == [(count, count, 0, None)]


@needs_shared
def test_two_ranks_below_one_folder_are_one_run(tmp_path):
    path = ingested(tmp_path, ASCEND / "text")
    found = rows(path, "SELECT label, rank, kernels FROM run_summary ORDER BY rank")
    assert found == [("text", 0, 191), ("text", 1, 191)]


@needs_shared
def test_op_statistic_is_reproduced_from_the_kernels(tmp_path):
    folder = ASCEND / "text_2025/rank_0_ascend_pt/ASCEND_PROFILER_OUTPUT"
    path = ingested(tmp_path, folder)
    found = rows(
        path,
        "SELECT n.op_type, k.core, count(*), CAST(sum(k.dur_ns) AS BIGINT) FROM kernels AS k"
        " JOIN kernel_names AS n USING (kernel_id) WHERE core <> 'COMMUNICATION' GROUP BY ALL",
    )
    with (folder / "op_statistic.csv").open(newline="") as file:
        stated = {
            (r["OP Type"], r["Core Type"], int(r["Count"]), time_ns(r["Total Time(us)"]))
            for r in csv.DictReader(file)
        }
    assert len(stated) == 35 and set(found) == stated


words = st.sampled_from(["MatMul", "日本", 'say "hi"', "a,b", "x y", "N/A", "", "'", "}{", "1e5"])
whole_numbers = st.sampled_from(["0", "7", "4294967295", "N/A", "", "x", "12\t"])
durations = st.integers(0, 10**9).map(lambda ns: f"{ns / 1000:.3f}")
starts = st.integers(0, 10**6).map(lambda n: f"{1791641598803750 + n // 1000}.{n % 1000:03d}\t")
shapes = st.sampled_from(['"1,2;3"', '""', "N/A", '";;"', "128,64", '"4"', ""])
CELLS = {
    "Start Time(us)": st.one_of(starts, st.sampled_from(["1.69512E+15", "N/A", "soon"])),
    "Duration(us)": st.one_of(durations, durations, st.sampled_from(["1E+3", "-1.5", "", "6.28"])),
    "Input Shapes": shapes,
    "Output Shapes": shapes,
    "Device_id": st.sampled_from(["0", "1", "N/A", ""]),
} | dict.fromkeys(
    ["Step Id", "Model ID", "Task ID", "Stream ID", "Block Num", "Mix Block Num"],
    whole_numbers,
)
measures = st.one_of(words, durations, st.sampled_from(["0.1", "1e-3", "12345678901234567890"]))


@st.composite
def tables(draw: st.DrawFn) -> str:
    """A table as some version of some tool wrote it, at times with rows that are no rows."""
    needed = {"Name", "Start Time(us)", "Duration(us)"}
    known = [t for t in KNOWN if t in needed or draw(st.booleans())]
    extra = draw(
        st.lists(st.sampled_from(["aic_ratio", "aiv_time(us)", "Note, text"]), unique=True)
    )
    header = draw(st.permutations(known + extra))
    old = {new: name for name, new in SAME.items()} if draw(st.booleans()) else {}
    lines = [[old.get(title, title) for title in header]]
    for _ in range(draw(st.integers(1, 8))):
        line = [draw(CELLS.get(title, words if title in KNOWN else measures)) for title in header]
        fault = draw(st.sampled_from([0] * 8 + [-1, 1]))
        lines.append(line[:-1] if fault < 0 else line + ["more"] * fault)
    out = io.StringIO(newline="")
    end = draw(st.sampled_from(["\r\n", "\n"]))
    csv.writer(out, lineterminator=end).writerows(lines)
    mark = draw(st.sampled_from(["", "", "\ufeff"]))
    return mark + out.getvalue()


@settings(max_examples=15, deadline=None)
@given(tables())
def test_random_tables_are_read_as_the_csv_module_does(table):
    expected, aside = plain_rows(table.removeprefix("\ufeff"))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel_details.csv"
        source.write_bytes(table.encode())
        path = ingested(Path(folder), source)
        assert stored_rows(path) == expected
        ledger = rows(path, "SELECT seen, stored, set_aside FROM ingest_ledger")
        assert ledger == [(len(expected) + aside, len(expected), aside)]


HEADER = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Stream ID,Input Shapes\r\n"
ROW = 'k{0},MatMul,AI_CORE,179164159880375{0}.295\t,{0}.5,7,"""1,2;3"""\r\n'
GOOD = HEADER + ROW.format(1) + ROW.format(2)


def of_table(tmp_path, content: bytes) -> Path:
    (tmp_path / "kernel_details.csv").write_bytes(content)
    return ingested(tmp_path, tmp_path / "kernel_details.csv")


@pytest.mark.parametrize("size", [1, 5, 20, 45, 50])
def test_a_half_last_row_is_set_aside(tmp_path, size):
    path = of_table(tmp_path, (GOOD + ROW.format(3)[:size]).encode())
    assert rows(path, "SELECT seen, stored, set_aside FROM ingest_ledger") == [(3, 2, 1)]
    assert rows(path, "SELECT sum(dur_ns), trust FROM kernels, run_summary GROUP BY 2") == [
        (4000, "limited")
    ]


def test_a_row_with_bytes_that_are_no_text_is_stored_and_said(tmp_path):
    path = of_table(tmp_path, GOOD.encode() + b"k\xff" + ROW.format(3).encode()[2:])
    found = rows(path, "SELECT seen, stored, set_aside, reason FROM ingest_ledger")
    assert found == [(3, 3, 0, "bytes that are no text written as \\xff (1)")]
    assert rows(path, "SELECT name FROM kernel_names ORDER BY 1") == [
        ("k1",), ("k2",), ("k\\xff",)
    ]  # fmt: skip
    assert rows(path, "SELECT trust FROM run_summary") == [("limited",)]


def test_times_beyond_a_century_are_set_aside(tmp_path):
    broken = ROW.format(3).replace("1791641598803753", "18446744073709551")
    path = of_table(tmp_path, (GOOD + broken).encode())
    assert rows(path, "SELECT seen, stored, set_aside FROM ingest_ledger") == [(3, 2, 1)]


def test_texts_and_long_digits_of_unknown_columns_are_kept(tmp_path):
    content = GOOD.replace("Input Shapes", "aic_x").replace('"""1,2;3"""', "12345678901234567890")
    path = of_table(tmp_path, content.encode())
    assert rows(path, "SELECT DISTINCT args FROM kernels") == [('["12345678901234567890"]',)]


def test_step_ids_become_steps(tmp_path):
    content = (
        GOOD.replace("Name,", "Step Id,Name,").replace("k1,", "11,k1,").replace("k2,", "12,k2,")
    )
    path = of_table(tmp_path, content.encode())
    query = "SELECT step_index, source, phase, complete FROM contexts ORDER BY 1"
    assert rows(path, query) == [(n, "step id", "unknown", True) for n in (11, 12)]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEADER, "holds a header and no rows"),
        ("a,b\r\n1,2\r\n", "not a format that is known"),
        (GOOD.replace("\r\n", "\r"), "not a format that is known"),
    ],
)
def test_tables_without_kernels_are_refused(tmp_path, content, said):
    with pytest.raises(ProfdbError, match=said):
        of_table(tmp_path, content.encode())


def test_a_local_time_of_a_folder_is_kept_to_the_digit(tmp_path):
    folder = tmp_path / "run" / "host_7_20260101000000000_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    folder.mkdir(parents=True)
    (folder / "kernel_details.csv").write_text(GOOD)
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT captured_local FROM profiles") == [("2026-01-01 00:00:00.000",)]


def test_kernels_inside_a_collective_are_counted_once(tmp_path):
    header = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Stream ID"
    rows = [
        "hcom_allReduce__586_0_1,hcom_allReduce_,COMMUNICATION,1764246877073500.000,40.000,0,N/A",
        "allreduceAicpuKernel,allreduceAicpuKernel,AI_CPU,1764246877073505.000,30.000,0,3",
        "MatMulV2,MatMulV2,AI_CORE,1764246877073510.000,10.000,0,2",
        "allreduceAicpuKernel,allreduceAicpuKernel,AI_CPU,1764246877073900.000,5.000,0,3",
    ]
    folder = tmp_path / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    folder.mkdir(parents=True)
    (folder / "kernel_details.csv").write_text("\n".join([header, *rows]) + "\n")
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        ingest(warehouse, plan([tmp_path / "rank0_ascend_pt"]))
        con = warehouse.con
        assert con.execute("SELECT count(*), sum(dur_ns) FROM kernels").fetchall() == [(4, 85000)]
        ((gpu_ms, events),) = con.execute("SELECT gpu_ms, gpu_events FROM run_summary").fetchall()
        assert (gpu_ms, events) == (0.055, 4)
        found = con.execute("SELECT sum(gpu_ms) FROM phase_time").fetchall()
        assert found == [(pytest.approx(0.055),)]
