"""Runs that are not alike: what the certificate says of them, and what is compared all the same."""

import json

import pytest

from profdb.reports import render_regression
from profdb.warehouse import Warehouse

from . import judgeable, tiny

RANKS = "UPDATE profiles SET rank = {} WHERE profile_id = {}"
META = "UPDATE profiles SET metadata = ? WHERE profile_id = ?"


def certificate(page):
    """Third and fourth cell of the certificate by its first."""
    table = page.split("## May these be compared?")[1].split("## The step")[0]
    rows = [line.strip("|").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows}


def page_of(path, *changes, words=("old", "new"), **options):
    """The page of two runs of judgeable, changed by statements before."""
    judgeable.build(path, {"old": 5, "new": 5})
    with Warehouse.open(path, write=True) as warehouse:
        for change in changes:
            warehouse.con.execute(*change)
        return render_regression(warehouse, *words, **options)


def test_two_equal_runs_are_the_same_in_all_that_is_known(tmp_path):
    rows = certificate(page_of(tmp_path / "w.duckdb"))
    same = ["window, ms", "phase mix, of device time", "decode, steps × tokens", "trust",
            "time at shapes of both runs", "ranks (compared: 0)"]  # fmt: skip
    assert {name: rows[name][2].split()[0].strip(":") for name in same} == dict.fromkeys(
        same, "same"
    )
    assert rows["device"] == ["–", "–", "unknown: a change may be the device's"]
    assert rows["decode, requests per step"] == ["–", "–", "unknown"]
    assert rows["engine and driver versions"][2].startswith("unknown: none recorded")
    assert rows["load"][2].startswith("unknown: none declared")


def test_a_window_three_times_longer_is_said_at_the_top(tmp_path):
    path = judgeable.build(tmp_path / "w.duckdb", {"old": 5}, passes=8)
    with Warehouse.open(path, write=True) as warehouse:
        # The last step of old ends at 7053 µs; that of long at 3 * 7053.
        judgeable.add_run(warehouse, 2, "long", 5, 8, every=3022)
        warehouse.con.execute("UPDATE kernels SET start_ns = start_ns + 5000"
                              " WHERE profile_id = 2 AND start_ns ="
                              " (SELECT max(start_ns) FROM kernels)")  # fmt: skip
        page = render_regression(warehouse, "old", "long")
    top = page.split("## May")[0]
    assert "- ⚠ One window is three times the other or longer (7.053 → " in top
    assert certificate(page)["window, ms"][2].startswith("**differs**: totals do not compare (+20")


def test_another_rank_is_said_at_the_top(tmp_path):
    path = judgeable.build(tmp_path / "w.duckdb", {"old": 5, "new": 5, "beside": 5})
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE profiles SET rank = 1, run_id = 2 WHERE profile_id = 3")
        page = render_regression(warehouse, "old", "new")
    assert "- ⚠ The runs hold different ranks: old 0; new 0, 1. Compared is rank 0." in page
    row = certificate(page)["ranks (compared: 0)"]
    assert row == ["0", "0, 1", "**differs**: compared is rank 0"]


def test_what_profilers_and_users_tell_is_laid_side_by_side(tmp_path):
    told = [
        {"cuda_driver_version": 13000, "with_stack": 1, "record_shapes": 1,
         "distributedInfo": {"world_size": 4, "nccl_version": "2.1"}, "schemaVersion": 1},
        {"cuda_driver_version": 13010, "record_shapes": 1, "distributedInfo": {"world_size": 4}},
    ]  # fmt: skip
    facts = "INSERT INTO run_facts VALUES (1, 'image', 'a'), (2, 'image', 'b'), (1, 'rate', '8')"
    batches = (
        "UPDATE contexts SET generation_requests = CASE WHEN context_id = 100 THEN 2 ELSE 1 END"
    )
    page = page_of(
        tmp_path / "w.duckdb",
        *((META, [json.dumps(one), number]) for number, one in enumerate(told, 1)),
        [facts],
        [batches],
    )
    rows = certificate(page)
    assert rows["world size"] == ["4", "4", "same"]
    assert rows["cuda_driver_version"] == [
        "13000", "13010", "**differs**: a change may be its"]  # fmt: skip
    assert rows["nccl_version"] == ["2.1", "–", "unknown: a change may be its"]
    assert rows["profiler settings"][:2] == ["record_shapes, with_stack", "record_shapes"]
    assert rows["profiler settings"][2].startswith("**differs**: the profiler costs the host")
    assert rows["decode, requests per step"][:2] == ["1–2", "1"]
    assert rows["image (declared)"] == ["a", "b", "**differs**: may be what is under test"]
    assert rows["rate (declared)"] == ["8", "–", "unknown"]
    assert "schemaVersion" not in page.split("## The step")[0]
    assert "No verdict" not in page.split("## May")[0]


WORLD = "'{\"distributedInfo\": {\"world_size\": ' || profile_id || '}}'"


@pytest.mark.parametrize("change, name", [
    (f"UPDATE profiles SET metadata = {WORLD}", "world_size"),
    ("INSERT INTO run_facts VALUES (1, 'tp', '1'), (2, 'tp', '2')", "tp"),
    ("UPDATE profiles SET layout = 'tp' || profile_id", "layout"),
])  # fmt: skip
def test_a_layout_is_told_by_names_metadata_and_users(tmp_path, change, name):
    path = judgeable.build(tmp_path / "w.duckdb", passes=1)
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute(change)
        runs = {"base": "old", "cand": "new", "rank": 0, "phase": None}
        rows = warehouse.query("regression_certificate", **runs)
        apart = [
            row["name"] for row in rows if (row["kind"], row["state"]) == ("layout", "differs")
        ]
        assert apart == [name]


def test_another_layout_is_compared_by_phase_and_family(tmp_path):
    # Half of each matrix product, 10 µs, and communication beside it in the place of the copy.
    page = page_of(
        tmp_path / "w.duckdb",
        ["INSERT INTO run_facts VALUES (1, 'tp', '1'), (2, 'tp', '2')"],
        ["INSERT INTO kernel_names (kernel_id, kind, name, stable_name, family)"
         " VALUES (9, 'kernel', 'reduce', 'reduce', 'communication')"],
        ["UPDATE kernels SET dur_ns = 5000 WHERE kernel_id = 1 AND profile_id = 2"],
        ["UPDATE kernels SET kernel_id = 9, dur_ns = 4000 WHERE kernel_id = 5 AND profile_id = 2"],
    )  # fmt: skip
    # 10 + 5 + 5 + 4 + 3 = 27 µs a step become 5 + 5 + 5 + 4 + 4 = 23.
    line = page.splitlines()[2]
    assert line.startswith(
        "**The layouts differ: 1 → 2. Compared by phase and family at equal tokens: "
    )
    assert (
        ": decode at 1 token a step 0.027 → 0.023 ms (−14.8 %) of device time a step,"
        " of it gemm 0.010 → 0.005 ms (−50.0 %). No verdict: the layouts differ."
    ) in line
    table = page.split("## By phase and family, at equal tokens")[1].split("## Operators")[0]
    rows = [line.split(" | ")[3:] for line in table.splitlines() if line.startswith("| decode")]
    assert [row[0] for row in rows] == ["all", "gemm", "communication", "copy", "other",
                                        "pointwise"]  # fmt: skip
    assert rows[0][1:3] == ["5 → 5", "0.027 → 0.023 (−14.8 %)"]
    assert rows[2][1:3] == ["0 → 1", "0.000 → 0.004"]
    assert rows[3][1:4] == ["1 → 0", "0.003 → 0.000 (−100.0 %)", "3.0 → 0.0 (−100.0 %) |"]
    assert "**regressed**" not in page and "inconclusive: the layouts differ" in page


def test_token_counts_that_are_not_near_are_compared_per_token(tmp_path):
    page = page_of(
        tmp_path / "w.duckdb",
        ["UPDATE profiles SET platform = CASE profile_id WHEN 1 THEN 'cuda' ELSE 'ascend' END"],
        ["UPDATE contexts SET generation_tokens = 2 WHERE profile_id = 2"],
    )
    # 27 µs a step of 1 token, 27 µs a step of 2.
    line = page.splitlines()[2]
    assert line.startswith("**The platforms differ: cuda → ascend. Compared by phase and family")
    assert "at equal tokens: decode (no token count is near) 27.0 → 13.5 µs (−50.0 %)" in line
    assert " 27.0 → 13.5 µs (−50.0 %) of device time a token, of it gemm 10.0 → 5.0 µs" in line
    assert "| all counts | 8 → 8 | all | 5 → 5 | 0.027 → 0.027 | 27.0 → 13.5 (−50.0 %) |" in page


def test_without_a_common_shape_families_are_compared(tmp_path):
    page = page_of(
        tmp_path / "w.duckdb",
        ["INSERT INTO shapes VALUES (9, '8,32', 8)"],
        ["UPDATE kernels SET shape_id = 9 WHERE profile_id = 2"],
    )
    line = page.splitlines()[2]
    assert line.startswith("**Compared by phase and family at equal tokens: decode at 1 token")
    assert "No verdict: no operator runs at the same shape in both runs." in line


def test_near_token_counts_of_steps_are_pooled_as_those_of_shapes(tmp_path):
    path = judgeable.build(tmp_path / "w.duckdb", {"old": 5, "new": 5}, passes=3)
    with Warehouse.open(path, write=True) as warehouse:
        for context, tokens in ((100, 100), (101, 102), (102, 120), (200, 104), (201, 30)):
            warehouse.con.execute(
                "UPDATE contexts SET generation_tokens = ? WHERE context_id = ?", [tokens, context]
            )
        columns = "tokens_low, tokens_high, base_steps, cand_steps, base_tokens, cand_tokens"
        ask = (
            f"SELECT {columns}, base_ms_per_step, cand_ms_per_token FROM family_token_diff"
            " WHERE base = 'old' AND cand = 'new' AND family = 'all' ORDER BY tokens_low"
        )
        found = warehouse.con.execute(ask).fetchall()
        assert [row[:6] for row in found] == [
            (1, 1, 0, 1, None, 1),
            (30, 30, 0, 1, None, 30),
            (100, 104, 2, 1, 202, 104),
            (120, 120, 1, 0, 120, None),
            (None, None, 3, 3, 322, 135),
        ]
        assert found[2][6:] == (0.027, pytest.approx(0.027 / 104))
        warehouse.query("regression_tokens", tokens_from=[100], tokens_to=[120])
        rows = warehouse.con.execute(ask).fetchall()
        assert [row[:6] for row in rows][2] == (100, 120, 3, 1, 322, 104)


def test_families_of_steps_add_up_to_all(tmp_path):
    path = tmp_path / "w.duckdb"
    tiny.build(path)
    with Warehouse.open(path) as warehouse:
        parts = warehouse.con.execute(
            "SELECT phase, tokens_low, family = 'all', sum(base_ms_per_step), sum(cand_ms_per_step)"
            " FROM family_token_diff WHERE base = 'a' AND cand = 'b' AND rank = 0 GROUP BY ALL"
        ).fetchall()
        whole = {row[:2]: row[3:] for row in parts if row[2]}
        rest = {row[:2]: row[3:] for row in parts if not row[2]}
        assert len(whole) == len(rest) > 5
        for key, sums in whole.items():
            assert rest[key] == pytest.approx(sums)


def test_without_a_common_phase_nothing_can_be_compared(tmp_path):
    page = page_of(
        tmp_path / "w.duckdb", ["UPDATE contexts SET phase = 'prefill' WHERE profile_id = 2"]
    )
    assert page.splitlines()[2].startswith(
        "**Nothing can be compared: no phase has complete steps in both. No verdict: no operator"
        " runs at the same shape in the same phase in both runs."
    )
    assert "None: no phase has complete steps in both." in page
