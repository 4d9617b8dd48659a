"""The figures of the views over one run, added in the head; times are in microseconds."""

import math
from pathlib import Path

import numpy as np
import pytest

from profdb.warehouse import Warehouse

from . import tiny


@pytest.fixture(scope="module")
def con(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny") / "w.duckdb"
    tiny.build(path)
    with Warehouse.open(path) as warehouse:
        yield warehouse.con


def rows(con, view: str, columns: str, where: str = "label = 'a'") -> list[tuple]:
    """Select rows in order, milliseconds as microseconds."""
    wanted = [
        f"{name} * 1000" if name.endswith("_ms") or name.startswith("ms_per") else name
        for name in columns.split()
    ]
    text = f"SELECT {', '.join(wanted)} FROM {view} WHERE {where} ORDER BY ALL NULLS LAST"
    return con.execute(text).fetchall()


def same(found: list[tuple], expected: list[tuple]) -> None:
    """Compare rows; floats up to their last digits."""
    assert len(found) == len(expected), found
    for row, wanted in zip(found, expected, strict=True):
        assert all(map(_equal, row, wanted)), f"{row} is not {wanted}"


def _equal(value: object, wanted: object) -> bool:
    if isinstance(value, float) and isinstance(wanted, (int, float)):
        return math.isclose(value, wanted, rel_tol=1e-12)
    return value == wanted


def test_context_time(con):
    columns = (
        "context_id device launches gpu_ms busy_ms gap_ms period_ms phase complete context_tokens"
    )
    expected = [
        (10, 0, 2, 20, 15, 85, 100, "prefill", True, 100),
        (10, 1, 1, 4, 4, 335, 339, "prefill", True, 100),
        (11, 0, 1, 30, 30, 70, 100, "prefill", True, 100),
        (12, 0, 1, 20, 20, 80, 100, "prefill_tail", True, 40),
        (13, 0, 2, 10, 10, 30, 40, "decode", True, 0),
        (14, 0, 2, 16, 11, 49, 60, "decode", True, 0),
        (14, 1, 1, 5, 5, None, None, "decode", True, 0),
        (15, 0, 1, 12, 12, None, None, "decode", False, 0),
        (16, None, 0, 0, 0, None, None, "idle", True, None),
    ]
    same(rows(con, "context_time", columns), expected)


def test_context_time_starts_on_the_device_else_on_the_host(con):
    columns = "context_id step_index name source start_ns profile_id"
    first, *_, last = rows(con, "context_time", columns, "label = 'a' AND device IS NOT DISTINCT "
                           "FROM CASE WHEN context_id = 16 THEN NULL ELSE 0 END")  # fmt: skip
    assert first == (10, 0, "step 10", "annotation", tiny.EPOCH, 1)
    assert last == (16, 6, "step 16", "annotation", tiny.EPOCH - tiny.US, 1)


def test_phase_time(con):
    columns = """phase device steps steps_cut tokens launches gpu_ms busy_ms gap_ms ms_per_step
        ms_per_token period_ms share"""
    none = (None, None, None)
    expected = [
        ("decode", 0, 2, 1, 3, 5, 38, 33, 79, 13, 26 / 3, 50, 38 / 120),
        ("decode", 1, 1, 0, 2, 1, 5, 5, None, 5, 2.5, None, 5 / 120),
        ("idle", None, 1, 0, None, 0, 0, 0, None, 0, None, None, 0),
        ("outside", 0, *none, 1, 3, 3, *none, None, 3 / 120),
        ("prefill", 0, 2, 0, 200, 3, 50, 45, 155, 25, 0.25, 100, 50 / 120),
        ("prefill", 1, 1, 0, 100, 1, 4, 4, 335, 4, 0.04, 339, 4 / 120),
        ("prefill_tail", 0, 1, 0, 40, 1, 20, 20, 80, 20, 0.5, 100, 20 / 120),
    ]
    same(rows(con, "phase_time", columns), expected)


def test_without_steps_all_is_unknown(con):
    columns = "rank phase device steps steps_cut tokens launches gpu_ms busy_ms gap_ms ms_per_step"
    expected = [(-1, "unknown", 0, None, None, None, 2, 6, 6, None, None)]
    same(rows(con, "phase_time", columns, "label = 'c'"), expected)
    assert rows(con, "shape_stats", "phase steps tokens", "label = 'c'") == [("unknown", None, 8)]
    columns = "phase steps tokens launches_per_step launches_per_token ms_per_token"
    assert rows(con, "launches_per_token", columns, "label = 'c'") == [("unknown", *[None] * 5)]


@pytest.mark.parametrize("view, column", [
    ("phase_time", "gpu_ms"), ("family_time", "total_ms"), ("launches_per_token", "total_ms"),
    ("kernel_time", "total_ms"), ("op_time", "total_ms"), ("shape_stats", "total_ms"),
])  # fmt: skip
def test_phases_and_outside_add_up_to_the_nanosecond(con, view, column):
    ours = f"SELECT label, rank, sum(round({column} * 1e6)::BIGINT) FROM {view} GROUP BY ALL"
    source = """SELECT label, rank, sum(dur_ns) FROM kernels JOIN profiles USING (profile_id)
        JOIN runs USING (run_id) GROUP BY ALL"""
    assert set(con.execute(ours).fetchall()) == set(con.execute(source).fetchall())


@pytest.mark.parametrize(
    "view", ["family_time", "launches_per_token", "kernel_time", "op_time", "phase_time"]
)
def test_shares_add_up_to_one(con, view):
    share = "share" if view == "phase_time" else "run_share"
    for (total,) in con.execute(f"SELECT sum({share}) FROM {view} GROUP BY label, rank").fetchall():
        assert total == pytest.approx(1)
    if share == "run_share":
        query = f"SELECT sum(phase_share) FROM {view} GROUP BY label, rank, phase"
        assert all(total == pytest.approx(1) for (total,) in con.execute(query).fetchall())


def test_family_time(con):
    columns = """phase family launches launches_per_step total_ms ms_per_step ms_per_token
        phase_share run_share"""
    expected = [
        ("decode", "gemm", 4, 1.5, 35, 11.5, 23 / 3, 35 / 43, 35 / 120),
        ("decode", "other", 2, 1, 8, 4, 8 / 3, 8 / 43, 8 / 120),
        ("outside", "copy", 1, None, 3, None, None, 1, 3 / 120),
        ("prefill", "gemm", 3, 1.5, 44, 22, 0.22, 44 / 54, 44 / 120),
        ("prefill", "other", 1, 0.5, 10, 5, 0.05, 10 / 54, 10 / 120),
        ("prefill_tail", "gemm", 1, 1, 20, 20, 0.5, 1, 20 / 120),
    ]
    same(rows(con, "family_time", columns), expected)


def test_launches_per_token(con):
    columns = """phase family implementation launches steps tokens launches_per_step
        launches_per_token total_ms ms_per_step ms_per_token mean_us phase_share run_share"""
    expected = [
        ("decode", "gemm", "LLMM1", 4, 2, 3, 1.5, 1, 35, 11.5, 23 / 3, 8.75, 35 / 43, 35 / 120),
        ("decode", "other", "triton", 2, 2, 3, 1, 2 / 3, 8, 4, 8 / 3, 4, 8 / 43, 8 / 120),
    ]
    same(rows(con, "launches_per_token", columns, "label = 'a' AND phase = 'decode'"), expected)
    columns = "implementation launches steps tokens launches_per_token"
    found = rows(con, "launches_per_token", columns, "label = 'a' AND phase = 'prefill'")
    same(found, [("tensile", 3, 2, 200, 0.015), ("triton", 1, 2, 200, 0.005)])


def test_kernel_time(con):
    columns = """kernel family implementation launches launches_per_step total_ms mean_us p50_us
        p99_us max_us phase_share run_share"""
    expected = [
        ("embed", "other", "triton", 2, 1, 8, 4, 4, 5.96, 6, 8 / 43, 8 / 120),
        ("gemm_b", "gemm", "LLMM1", 4, 1.5, 35, 8.75, 9, 11.94, 12, 35 / 43, 35 / 120),
    ]
    same(rows(con, "kernel_time", columns, "label = 'a' AND phase = 'decode'"), expected)


def test_op_time(con):
    columns = "phase op launches total_ms mean_us phase_share run_share"
    expected = [
        ("decode", "aten::embedding", 2, 8, 4, 8 / 43, 8 / 120),
        ("decode", "aten::mm", 4, 35, 8.75, 35 / 43, 35 / 120),
        ("outside", "aten::copy_", 1, 3, 3, 1, 3 / 120),
        ("prefill", "aten::embedding", 1, 10, 10, 10 / 54, 10 / 120),
        ("prefill", "aten::mm", 3, 44, 44 / 3, 44 / 54, 44 / 120),
        ("prefill_tail", "aten::mm", 1, 20, 20, 1, 20 / 120),
    ]
    same(rows(con, "op_time", columns), expected)


def test_shape_stats(con):
    columns = """phase op kernel shape dtype tokens launches steps total_ms mean_us p50_us p99_us
        max_us"""
    weight, matrix = "100,16;5", "8,16;16,4"
    expected = [
        ("decode", "aten::embedding", "embed", weight, None, 5, 2, 2, 8, 4, 4, 5.96, 6),
        ("decode", "aten::mm", "gemm_b", matrix, "float", 8, 4, 2, 35, 8.75, 9, 11.94, 12),
        ("outside", "aten::copy_", "Memcpy HtoD", "", None, None, 1, None, 3, 3, 3, 3, 3),
        ("prefill", "aten::embedding", "embed", weight, None, 5, 1, 1, 10, 10, 10, 10, 10),
        ("prefill", "aten::mm", "gemm_a", matrix, "float", 8, 3, 2, 44, 44 / 3, 10, 29.6, 30),
        ("prefill_tail", "aten::mm", "gemm_b", matrix, "float", 8, 1, 1, 20, 20, 20, 20, 20),
    ]
    same(rows(con, "shape_stats", columns), expected)


def test_kernel_events(con):
    columns = """profile_id device stream start_ns dur_ns kernel family implementation op shape
        dtype phase context_id correlation stable_name"""
    found = con.execute(
        f"SELECT {', '.join(columns.split())} FROM kernel_events WHERE label = 'a' AND rank = 0"
    ).fetchall()
    assert len(found) == 12
    embed = (1, 0, 8, tiny.EPOCH + 345_000, 6000, "embed_1", "other", "triton", "aten::embedding")
    assert (*embed, "100,16;5", None, "decode", 14, 9, "embed") in found
    copy = (1, 0, 9, tiny.EPOCH + 500_000, 3000, "Memcpy HtoD", "copy", "runtime", "aten::copy_")
    assert (*copy, "", None, "outside", None, 11, "Memcpy HtoD") in found


def test_run_summary(con):
    columns = """profile_id window_ms events gpu_events kernels gpu_ms contexts trust
        trust_reasons"""
    doubts = "overlap on one stream (2); truncated (1)"
    expected = [
        (1, 503, 14, 12, 11, 120, 7, "poor", doubts),
        (2, 45, 0, 4, 4, 30, 1, "limited", "correlation zero"),
        (3, 99, 0, 1, 1, 99, 1, "ok", None),
        (4, 9, 0, 2, 2, 6, 0, "ok", None),
    ]
    same(rows(con, "run_summary", columns, "true"), expected)


def test_ingest_ledger(con):
    columns = "rank file category seen stored set_aside reason profile_id"
    assert rows(con, "ingest_ledger", columns) == [
        (0, "/a/trace.json", "gpu_memcpy", 3, 1, 2, "no duration", 1),
        (0, "/a/trace.json", "kernel", 11, 11, 0, None, 1),
    ]


# What the tiny run does not show, each in a warehouse of its own.


@pytest.fixture
def warehouse(tmp_path: Path):
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        tiny.add_names(warehouse)
        tiny.insert(warehouse, "runs", "run_id, label", [(1, "a")])
        yield warehouse


def test_a_gap_is_negative_where_steps_overlap(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 3, True)])
    tiny.add_contexts(warehouse, [(1, n, "decode", True, 0, 1) for n in (1, 2)])
    launches = [(1, 1, 0, 7, 0, 50, 1, tiny.MM), (1, 2, 0, 8, 10, 20, 1, tiny.MM)]
    tiny.add_kernels(warehouse, launches)
    columns = "rank context_id busy_ms period_ms gap_ms"
    same(
        rows(warehouse.con, "context_time", columns), [(3, 1, 50, 10, -40), (3, 2, 20, None, None)]
    )
    same(rows(warehouse.con, "phase_time", "gpu_ms busy_ms gap_ms"), [(70, 50, -40)])


def test_periods_of_cut_steps_are_left_out_of_the_median(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True)])
    tiny.add_contexts(warehouse, [(1, n, "decode", n > 1, 0, 1) for n in (1, 2, 3)])
    launches = [(1, n, 0, 7, start, 1, 1, tiny.MM) for n, start in ((1, 0), (2, 10), (3, 40))]
    tiny.add_kernels(warehouse, launches)
    found = rows(warehouse.con, "phase_time", "steps steps_cut gap_ms period_ms")
    same(found, [(2, 1, 9 + 29, 30)])


def test_busy_counts_nested_and_touching_intervals_once(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True)])
    tiny.add_contexts(warehouse, [(1, 1, "decode", True, 0, 1)])
    intervals = [(0, 10), (0, 3), (2, 4), (3, 2), (10, 5), (20, 0), (30, 1), (30, 1)]
    tiny.add_kernels(warehouse, [(1, 1, 0, 7, *where, 1, tiny.MM) for where in intervals])
    same(rows(warehouse.con, "context_time", "gpu_ms busy_ms"), [(26, 16)])


def test_steps_and_tokens_are_pooled_over_the_profiles_of_a_rank(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True), (2, 1, 0, True)])
    contexts = [(1, 1, "mixed", True, 50, 3), (2, 2, "mixed", True, 50, 5)]
    tiny.add_contexts(warehouse, contexts)
    # The same interval in two profiles is busy time twice: two windows, not one device twice.
    launches = [(n, n, 0, 7, 0, 4, 1, tiny.MM) for n in (1, 2)]
    tiny.add_kernels(warehouse, launches)
    columns = "steps tokens launches_per_step launches_per_token ms_per_token"
    same(rows(warehouse.con, "launches_per_token", columns), [(2, 8, 1, 0.25, 1)])
    columns = "steps tokens busy_ms period_ms ms_per_token"
    same(rows(warehouse.con, "phase_time", columns), [(2, 8, 8, None, 1)])


def test_untold_tokens_of_one_step_leave_the_phase_without(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True)])
    contexts = [(1, 1, "decode", True, 0, 1), (1, 2, "decode", True, None, None)]
    contexts += [(1, 3, "prefill", True, 7, 0), (1, 4, "prefill", False, None, None)]
    tiny.add_contexts(warehouse, contexts)
    tiny.add_kernels(warehouse, [(1, n, 0, 7, n, 1, 1, tiny.MM) for n in (1, 2, 3, 4)])
    columns = "phase steps tokens launches_per_step launches_per_token"
    expected = [("decode", 2, None, 1, None), ("prefill", 1, 7, 1, 1 / 7)]
    same(rows(warehouse.con, "launches_per_token", columns), expected)
    assert rows(warehouse.con, "phase_time", "phase steps steps_cut tokens") == [
        ("decode", 2, 0, None),
        ("prefill", 1, 1, 7),
    ]


def test_a_phase_of_cut_steps_only_has_no_figure_per_step(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True)])
    tiny.add_contexts(warehouse, [(1, 1, "decode", False, 0, 1)])
    tiny.add_kernels(warehouse, [(1, 1, 0, 7, 0, 4, 1, tiny.MM)])
    columns = "launches steps tokens launches_per_step ms_per_step total_ms"
    same(rows(warehouse.con, "launches_per_token", columns), [(1, 0, None, None, None, 4)])


def test_tokens_that_cannot_be_read_from_the_shape_are_null(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, False)])
    shapes = [(2, shape) for shape in (2, 3, 4)]
    tiny.add_kernels(warehouse, [(1, None, 0, 7, n, 1, 3, shape) for n, shape in enumerate(shapes)])
    found = rows(warehouse.con, "shape_stats", "shape tokens")
    assert found == [("", None), ("100,16;", None), ("100,16;5", 5)]


def test_a_profile_without_launches_is_summed_up_too(warehouse):
    tiny.add_profiles(warehouse, [(1, 1, 0, True)])
    columns = "profile_id window_ms events gpu_events kernels gpu_ms contexts trust"
    assert rows(warehouse.con, "run_summary", columns) == [(1, None, 0, 0, 0, 0, 0, "ok")]


def test_percentiles_are_those_of_numpy(warehouse):
    durations = np.random.default_rng(7).integers(1, 10**7, 997)
    tiny.add_profiles(warehouse, [(1, 1, 0, False)])
    launches = [(1, None, 0, 7, n, int(d) / tiny.US, 1, tiny.MM) for n, d in enumerate(durations)]
    tiny.add_kernels(warehouse, launches)
    exact = tuple(np.percentile(durations / 1000, [50, 99]))
    for view in ("kernel_time", "shape_stats"):
        same(rows(warehouse.con, view, "p50_us p99_us"), [exact])
    where = "base = 'a' AND cand = 'a'"
    same(rows(warehouse.con, "shape_diff", "base_p50_us cand_p99_us", where), [exact])
