"""The regression page as a judgement: the demo pair, pairs with one trap each, and planted ones."""

import shutil

import pytest

from profdb.ingest.run import ingest, plan
from profdb.reports import REPORTS, render, render_regression
from profdb.warehouse import Warehouse

from .traces import CASES, needs_shared

HOUR = 3_600_000_000_000


def twin(warehouse, number, label, changed="dur_ns"):
    """Copy run 0815 an hour later, with other durations."""
    con = warehouse.con
    at = f"profile_id + {number} AS profile_id"
    later = f"context_id + {1000 * number} AS context_id, start_ns + {HOUR} AS start_ns"
    of = "FROM {} WHERE profile_id IN (SELECT profile_id FROM profiles WHERE run_id = ?)"
    replaced = {
        "contexts": f"{at}, {later}",
        "kernels": f"{at}, {later}, CAST(round({changed}) AS BIGINT) AS dur_ns",
        "profiles": f"{at}, {number} AS run_id",
    }
    ((run,),) = con.sql("SELECT run_id FROM runs WHERE label = '0815'").fetchall()
    con.execute("INSERT INTO runs (run_id, label) VALUES (?, ?)", [number, label])
    for table, how in replaced.items():
        rows = f"SELECT * REPLACE ({how}) {of.format(table)}"
        con.execute(f"INSERT INTO {table} {rows}", [run])


@pytest.fixture(scope="module")
def demo(tmp_path_factory, demo_warehouse):
    path = shutil.copy(demo_warehouse, tmp_path_factory.mktemp("judged") / "w.duckdb")
    with Warehouse.open(path, write=True) as warehouse:
        one = "(SELECT name_id FROM names WHERE name = 'SparseFlashAttention')"
        twin(warehouse, 1000, "again")
        twin(warehouse, 2000, "slow", "dur_ns * 1.06")
        twin(warehouse, 3000, "one", f"CASE WHEN op_id = {one} THEN dur_ns * 1.18 ELSE dur_ns END")
        twin(warehouse, 4000, "damaged", "dur_ns * 1.2")
        warehouse.con.execute(
            "INSERT INTO trust_reasons (profile_id, level, reason, events)"
            " SELECT profile_id, 'poor', 'truncated', 1 FROM profiles WHERE run_id = 4000"
        )
    with Warehouse.open(path) as warehouse:
        yield warehouse


def case(folder, number):
    """The page of the two runs of a case."""
    source = next(CASES.glob(f"{number}-*"))
    with Warehouse.open(folder / "w.duckdb", write=True) as warehouse:
        for run in ("base", "cand"):
            ingest(warehouse, plan([source / run]))
        return render_regression(warehouse, "base", "cand")


def first_line(page):
    """The line below the title."""
    return page.splitlines()[2]


def cells(page, *starts):
    """Cells of the table rows that begin with these cells."""
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in page.splitlines()
            if line.startswith("|")]  # fmt: skip
    return [row for row in rows if tuple(row[: len(starts)]) == starts]


def test_the_demo_pair_answers_in_its_first_line(demo):
    page = render_regression(demo, "0815", "1009")
    assert first_line(page) == (
        "**Prefill: `DispatchFFNCombine` at 220–222 tokens: p50 3469.0 → 3963.0 µs (+14.2 %),"
        " +70.867 ms in this window. Decode is not slower: step period 81.475 → 72.168 ms"
        " (−11.4 %).**"
    )
    assert "Confidence: 7 against 4 complete passes" in page
    assert "two modes; the operator holds waiting for peers." in page
    assert (
        "Pooled over all calls `DispatchFFNCombine` goes from a mean of 467.1 to 381.0 µs"
        " (−18.4 %), which misleads: of −197.631 ms count is +835.559, mix −1051.406, within"
        " shape groups +18.217."
    ) in page
    assert "the slowest launch in 1009 takes 14539.16 µs at 220 tokens" in page
    assert "p99 11088.4 µs" in page
    assert "- Fused communication, as in `DispatchFFNCombine`, holds waiting for peers" in page
    assert "- One rank was recorded" in page and "- Two modes: prefill" in page


def test_the_demo_pair_row_by_row(demo):
    page = render_regression(demo, "0815", "1009")
    (row,) = cells(page, "prefill", "`DispatchFFNCombine`")
    assert row[3] == "220–222 (pooled)"
    assert row[5:11] == ["546 → 385", "3343.6 → 3527.6 (+5.5 %)", "3469.0 → 3963.0 (+14.2 %)",
                         "6111.7 → 10303.1", "8035.3 → 14539.2", "+70.867"]  # fmt: skip
    assert row[11].startswith("**regressed**, 7 → 4 passes, median above the valley +13.7 %")
    members = cells(page, "", "·")[:3]
    assert [row[3] for row in members] == ["220 (exact)", "221 (exact)", "222 (exact)"]
    assert members[0][5:9] == ["– → 234", "– → 4117.6", "– → 3972.5", "– → 11088.4"]
    assert members[1][5:8] == ["468 → 151", "3249.2 → 2613.4 (−19.6 %)",
                               "3436.9 → 3710.6 (+8.0 %)"]  # fmt: skip
    assert members[1][11].startswith("6 → 1 complete passes; two modes in 1009: ")
    (decode,) = cells(page, "decode", "`DispatchFFNCombine`", "`aclnnDispatchFFNCom…FFNCombine`")
    assert decode[11].startswith("improved, 90 → 25 passes, p50 −9.5 %")


def test_the_demo_pair_decomposed(demo):
    page = render_regression(demo, "0815", "1009")
    (row,) = cells(page, "`DispatchFFNCombine` ⚠ simpson", "all")
    assert row[3:] == ["467.1 → 381.0 (−18.4 %)", "ms", "4772.352 → 4574.721", "−197.631",
                       "+835.559", "−1051.406", "+18.217", "2677.210", "815.490"]  # fmt: skip
    assert [row[9] for row in cells(page, "·")] == ["−52.650", "+70.867"]


def test_the_other_way_round_nothing_regressed_in_prefill(demo):
    page = render_regression(demo, "1009", "0815")
    line = first_line(page)
    assert line.startswith("**Decode: `DispatchFFNCombine` at 2 tokens: p50 274.5 → 303.8 µs")
    assert "Decode is slower: step period 72.168 → 81.475 ms (+12.9 %)" in line or (
        "Decode: step period 72.168 → 81.475 ms (+12.9 %)" in line
    )


def test_rows_phase_and_noise_limit_the_table(demo):
    runs = {"base": "0815", "cand": "1009"}
    page = render(demo, REPORTS["regression"], runs, rows=1, noise_share=0)
    table = page.split("## Operators by shape group")[1].split("## Where")[0]
    lost = [row for row in cells(table) if row[0] in ("prefill", "decode") and "+" == row[10][0]]
    assert [row[1] for row in lost] == ["`DispatchFFNCombine`"]
    assert "Left out" not in page
    page = render_regression(demo, "0815", "1009", phase="decode")
    assert first_line(page) == (
        "**Nothing is slower: no row regressed, 1 improved. Decode is not slower: step period"
        " 81.475 → 72.168 ms (−11.4 %).**"
    )
    assert not cells(page, "prefill") and "`DispatchFFNCombine` ⚠" not in page


def test_what_runs_on_one_side_only_is_added_up(demo):
    page = render_regression(demo, "0815", "1009").split("## New and vanished")[1]
    sums = [row[4:7] for row in cells(page, "", "**all (13 rows)**")]
    assert sums == [["45,952", "3277.746", "60.74 %"], ["12,594", "981.008", "17.85 %"]]


def test_a_run_and_its_twin_differ_in_nothing(demo):
    page = render_regression(demo, "0815", "again")
    assert first_line(page) == (
        "**At equal shapes nothing changed: within 0.000 ms. No row regressed. Decode is not"
        " slower: step period 81.475 → 81.475 ms (0.0 %).**"
    )
    assert "regressed" not in page.split("## Operators")[1].split("<details>")[0]


def test_every_operator_slower_is_one_finding(demo):
    page = render_regression(demo, "0815", "slow")
    assert first_line(page).startswith(
        "**All operators together are slower by +6.0 % [+5.9 %, +6.1 %]: one finding"
    )
    assert "**regressed**" not in page


def test_one_slower_kernel_is_named(demo):
    page = render_regression(demo, "0815", "one")
    # What 18 % of the base's time at the shape group of the first line is, from the table itself.
    ((lost,),) = demo.con.execute(
        "SELECT 0.18 * sum(dur_ns) / 1e6 FROM kernels AS k JOIN names AS n ON n.name_id = k.op_id"
        " JOIN shapes AS s USING (shape_id) JOIN profiles AS p USING (profile_id)"
        " JOIN runs AS r USING (run_id) WHERE r.label = '0815' AND n.name = 'SparseFlashAttention'"
        " AND s.tokens = 2"
    ).fetchall()
    assert first_line(page).startswith("**Decode: `SparseFlashAttention` at 2 tokens: p50 28.7 → ")
    assert f"(+18.0 %), +{lost:.3f} ms in this window." in first_line(page)
    rows = cells(page, "decode", "`SparseFlashAttention`")
    assert rows and all(row[11].startswith("**regressed**") for row in rows if row[11:])


def test_a_damaged_profile_forbids_a_verdict(demo):
    page = render_regression(demo, "0815", "damaged")
    assert "No verdict: a profile is damaged." in first_line(page)
    assert "- ⚠ No verdict on rows: a profile is damaged." in page
    assert "- ⚠ damaged: Trust is **poor**: truncated (1)." in page
    assert "**regressed**" not in page and "one finding" not in page


@needs_shared
def test_a_loss_on_the_host_is_none_of_the_kernels(tmp_path):
    page = case(tmp_path, 28)
    assert first_line(page) == (
        "**Decode: step period 1147.000 → 1308.000 µs (+14.0 %). Replaced moe kernel:"
        " `moe_example_cutlass` → `moe_example_trtllm` (4 → 4 per step, −92.000 µs/step)."
        " The loss is in gaps on rank 0 (+253.000 µs/step); waiting on rank 1 (+253.000 µs/step"
        " in communication, of which the transfer is 5.000 → 5.000 µs a launch): host or launch"
        " bound, not slower kernels.**"
    )
    assert "last runtime call `cudaLaunchKernel`" in page
    assert "−92.000 µs/step (−46.0 %)" in page


@needs_shared
def test_shapes_of_other_kernels_are_not_pooled(tmp_path):
    page = case(tmp_path, 34)
    assert first_line(page).startswith(
        "**At equal shapes nothing changed: within 0.000 µs; all of the difference of −26.500 µs is"
        " mix. Too few complete passes for a verdict on rows."
    )
    rows = cells(page, "prefill", "`aten::mm`")
    assert [row[2:4] + row[7:8] for row in rows] == [
        ["`gemm_nosplit_example`", "60 (exact)", "32.0 → 32.0 (0.0 %)"],
        ["`gemm_splitk_example`", "61 (exact)", "5.5 → 5.5 (0.0 %)"],
    ]
    assert "of −26.500 µs count is 0.000, mix −26.500, within shape groups 0.000." in page
