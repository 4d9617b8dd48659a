"""The pair views: both sides, one side, like rank with like, each value by hand."""

import json

import pytest

from profdb.warehouse import Warehouse

from . import tiny

A_TO_B = "base = 'a' AND cand = 'b'"


@pytest.fixture(scope="module")
def con(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny") / "w.duckdb"
    tiny.build(path)
    with Warehouse.open(path) as warehouse:
        yield warehouse.con


def one(con, view: str, where: str) -> dict:
    """Give the one row that a condition leaves."""
    answer = con.execute(f"FROM {view} WHERE {A_TO_B} AND {where}")
    names = [column[0] for column in answer.description]
    (row,) = answer.fetchall()
    return dict(zip(names, row, strict=True))


def test_a_shape_on_both_sides(con):
    row = one(con, "shape_diff", "rank = 0 AND phase = 'decode' AND op = 'aten::mm'")
    assert row == pytest.approx(
        dict(base="a", cand="b", rank=0, phase="decode", op="aten::mm", shape="8,16;16,4")
        | dict(tokens=8, base_kernel="gemm_b", cand_kernel="gemm_b")
        | dict(base_launches=4, base_steps=2, base_total_ms=0.035, base_mean_us=8.75)
        | dict(base_p50_us=9, base_p99_us=11.94, base_max_us=12)
        | dict(cand_launches=1, cand_steps=1, cand_total_ms=0.016, cand_mean_us=16)
        | dict(cand_p50_us=16, cand_p99_us=16, cand_max_us=16)
        | dict(mean_change=16 / 8.75 - 1, p50_change=16 / 9 - 1, p99_change=16 / 11.94 - 1)
        | dict(lost_ms=0.007, pattern="T,16;16,4")
    )


def test_the_same_run_twice_has_not_changed(con):
    changes = "mean_change, p50_change, p99_change, lost_ms"
    query = f"SELECT DISTINCT {changes} FROM shape_diff WHERE base = 'a' AND cand = 'a'"
    assert con.execute(query).fetchall() == [(0, 0, 0, 0)]


@pytest.mark.parametrize("missing, where", [
    ("cand", "phase = 'prefill' AND op = 'aten::mm'"),
    ("cand", "phase = 'outside'"),
    ("base", "phase = 'decode' AND op = 'aten::add'"),
    ("base", "rank = 1"),
])  # fmt: skip
def test_what_is_on_one_side_only_is_kept(con, missing, where):
    row = one(con, "shape_diff", where)
    there = "base" if missing == "cand" else "cand"
    own = {name for name in row if name.startswith(f"{missing}_")}
    assert {row[name] for name in own | {"p50_change", "mean_change", "lost_ms"}} == {None}
    assert row[f"{there}_launches"] and row[f"{there}_kernel"] and row[f"{there}_p50_us"]


def test_equal_kernels_are_told_apart_by_name(con):
    row = one(con, "shape_diff", "op = 'aten::add'")
    assert (row["cand_kernel"], row["cand_launches"], row["cand_steps"]) == ("a_add", 2, 1)


def test_every_shape_of_both_runs_is_there_once(con):
    columns = "rank, phase, op, shape, base_launches, cand_launches"
    pairs = con.execute(f"SELECT {columns} FROM shape_diff WHERE {A_TO_B}").fetchall()
    assert len({row[:4] for row in pairs}) == len(pairs)
    for label, column in (("a", 4), ("b", 5)):
        stats = con.execute(
            "SELECT rank, phase, op, shape, sum(launches)::BIGINT FROM shape_stats"
            " WHERE label = ? GROUP BY ALL",
            [label],
        ).fetchall()
        sides = [(*row[:4], row[column]) for row in pairs if row[column] is not None]
        assert sorted(sides) == sorted(stats)


def test_a_kernel_on_both_sides(con):
    row = one(con, "kernel_diff", "rank = 0 AND phase = 'decode' AND kernel = 'gemm_b'")
    assert row == pytest.approx(
        dict(base="a", cand="b", rank=0, phase="decode", kernel="gemm_b")
        | dict(base_launches=4, base_launches_per_step=1.5, base_ms_per_step=0.0115)
        | dict(base_p50_us=9, cand_launches=1, cand_launches_per_step=1, cand_ms_per_step=0.016)
        | dict(cand_p50_us=16, launches_per_step_change=-1 / 3)
        | dict(ms_per_step_change=16 / 11.5 - 1, p50_change=16 / 9 - 1)
    )


def test_generated_numbering_does_not_part_a_kernel(con):
    row = one(con, "kernel_diff", "phase = 'decode' AND kernel = 'embed'")
    assert (row["base_launches"], row["cand_launches"]) == (2, 1)


def test_kernels_of_one_side_are_kept(con):
    query = f"""SELECT rank, phase, kernel, base_launches, cand_launches, p50_change
        FROM kernel_diff WHERE {A_TO_B} AND (base_launches IS NULL OR cand_launches IS NULL)"""
    assert set(con.execute(query).fetchall()) == {
        (0, "decode", "a_add", None, 1, None),
        (0, "decode", "z_add", None, 1, None),
        (0, "outside", "Memcpy HtoD", 1, None, None),
        (0, "prefill", "embed", 1, None, None),
        (0, "prefill", "gemm_a", 3, None, None),
        (0, "prefill_tail", "gemm_b", 1, None, None),
        (1, "decode", "gemm_b", None, 1, None),
    }


def test_parameters_do_as_well_as_literals(con):
    query = "SELECT count(*) FROM shape_diff WHERE base = ? AND cand = ?"
    assert con.execute(query, ["a", "b"]).fetchall() == [(8,)]
    assert con.execute(query, ["a", "none"]).fetchall() == [(0,)]


@pytest.mark.parametrize("query", [
    "FROM shape_diff WHERE base = 'a' AND cand = 'b'",
    "FROM kernel_diff WHERE base = 'a' AND cand = 'b'",
    "FROM context_time WHERE label = 'a'", "FROM phase_time WHERE label = 'a'",
    "FROM kernel_time WHERE label = 'a'", "FROM shape_stats WHERE label = 'a'",
    "FROM family_time WHERE label = 'a'", "FROM run_summary WHERE label = 'a'",
])  # fmt: skip
def test_a_label_reaches_every_scan_of_runs(con, query):
    ((_, plan),) = con.execute(f"EXPLAIN (FORMAT json) {query}").fetchall()
    assert _unfiltered(plan) == []


def _unfiltered(plan: str) -> list[dict]:
    scans, nodes = [], json.loads(plan)
    while nodes:
        node = nodes.pop()
        nodes += node["children"]
        if node["extra_info"].get("Table", "").endswith("runs"):
            scans.append(node["extra_info"])
    assert scans
    return [scan for scan in scans if "label" not in str(scan.get("Filters"))]
