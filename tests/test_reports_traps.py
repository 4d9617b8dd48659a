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
