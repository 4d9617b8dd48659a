"""Pairs with a trap each: few passes, one long gap, a slow launch beside others."""

import pytest

from profdb.reports import render_regression
from profdb.warehouse import Warehouse

from . import judgeable, tiny

BESIDE = (4, None, 0, 8, 3020, 900, 1, tiny.MM)
"""A product on another stream at the time of the addition of step 403."""


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """old: 8 steps; few: 2 of 7.5 µs additions; many: 6 of 5; slow and idle: one trap each."""
    path = judgeable.build(tmp_path_factory.mktemp("traps") / "w.duckdb", {"old": 5}, passes=8)
    with Warehouse.open(path, write=True) as warehouse:
        judgeable.add_run(warehouse, 2, "few", 7.5, 2)
        judgeable.add_run(warehouse, 3, "many", 5, 6)
        judgeable.add_run(warehouse, 4, "slow", 6, 8)
        judgeable.add_run(warehouse, 5, "idle", 5, 8)
        warehouse.con.execute(
            "UPDATE kernels SET dur_ns = 9000 WHERE context_id = 403 AND op_id = 3"
            " AND start_ns % 1000000 = 20000"
        )
        tiny.add_kernels(warehouse, [BESIDE])
        # A break of 50 ms before the sixth step.
        warehouse.con.execute(
            "UPDATE kernels SET start_ns = start_ns + 50000000 WHERE context_id >= 505"
        )
    with Warehouse.open(path) as warehouse:
        yield warehouse


def test_two_passes_against_six_claim_nothing_and_tell_the_smallest_p(stored):
    page = render_regression(stored, "many", "few")
    # 2 / C(8, 2) = 1 / 14.
    reason = "6 against 2 complete passes, 4 a side are needed; the smallest p that they allow is"
    assert f"+0.010 ms in this window: inconclusive, {reason} 0.0714." in page.splitlines()[2]
    assert "regressed**" not in page and "improved," not in page
    assert f"inconclusive: {reason} 0.0714" in page


def test_one_long_gap_is_shown(stored):
    page = render_regression(stored, "old", "idle")
    # The last launch of a step ends after 53 µs, the next begins at 1000: 50.947 of 57.053 ms.
    gap = "50.947 ms (89.30 % of the window)"
    assert page.splitlines()[2].startswith(
        "**At equal shapes nothing changed: within 0.000 µs. No row regressed."
        f" idle stands idle in one gap of {gap}, from `aten::copy_` to `aten::mm`."
    )
    assert f"- idle, decode: {gap} from `aten::copy_` to `aten::mm`" in page
    assert "stands idle" not in render_regression(stored, "idle", "old")


def test_the_tail_of_a_regressed_row_says_when_where_and_beside_what(stored):
    page = render_regression(stored, "old", "slow")
    (tail,) = page.split("Tails:")[1].split("##")[0].strip().splitlines()
    assert tail == (
        "- Decode, `aten::add`: the slowest launch in slow takes 9.00 µs at 8 tokens (p50 there 6.0"
        " µs): on rank 0, stream 7, 3.020 ms after the first launch, launch 2 of its step, first"
        " after a gap of 10.0 µs, beside 1 other for 9.0 µs, the longest `aten::mm`."
    )


def test_kernels_of_graphs_are_compared_place_by_place_at_the_padded_batch(tmp_path):
    path = judgeable.build(tmp_path / "w.duckdb", {"old": 5, "new": 5}, passes=4)
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE kernels SET graph_replay = TRUE, shape_id = 3")
        # Steps of 5 to 8 tokens replay the graph of 8; the last of new that of 16.
        warehouse.con.execute(
            "UPDATE contexts SET generation_tokens = 5 + context_id % 100"
            " + CASE WHEN context_id = 203 THEN 1 ELSE 0 END"
        )
        # The second addition of each step of new takes 8 µs, the first stays at 5.
        warehouse.con.execute(
            "UPDATE kernels SET dur_ns = 8000 WHERE profile_id = 2 AND op_id = 3"
            " AND start_ns % 1000000 = 30000"
        )
        page = render_regression(warehouse, "old", "new")
        found = warehouse.con.execute(
            "SELECT batch, position, base_launches, cand_launches, base_p50_us, cand_p50_us,"
            " lost_ms FROM replay_diff WHERE base = 'old' AND cand = 'new' AND kernel = 'z_add'"
            " ORDER BY ALL"
        ).fetchall()
    assert found == [
        (8, 1, 4, 3, 5, 5, 0),
        (8, 2, 4, 3, 5, 8, 0.009),
        (16, 1, None, 1, None, 5, None),
        (16, 2, None, 1, None, 8, None),
    ]
    assert "| decode | 8 | `z_add` | 8 → 6 | 2 | 1 | 0 | +0.009 | 2 | 5.0 → 8.0 (+60.0 %) |" in page
