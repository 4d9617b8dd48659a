"""--fail-on: what ends a regression report with status 3, and what does not."""

import pytest
from click.testing import CliRunner

from profdb.cli import main
from profdb.reports import ask_regression, regressed
from profdb.reports.summary import fail_on_summary
from profdb.warehouse import Warehouse

from . import judgeable, tiny


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Runs that differ from old in one thing each."""
    path = judgeable.build(tmp_path_factory.mktemp("fail") / "w.duckdb")
    with Warehouse.open(path, write=True) as warehouse:
        for number, (label, passes, how) in enumerate(
            (
                ("few", 3, {}),
                ("gaps", 8, {"every": 1100}),
                ("few_gaps", 3, {"every": 1100}),
                ("all", 8, {"times": 1.25}),
                ("damaged", 8, {"every": 1100}),
            ),
            start=3,
        ):
            addition = 6 if label in ("few", "damaged") else 5
            judgeable.add_run(warehouse, number, label, addition, passes, **how)
        columns = "profile_id, level, reason, events"
        tiny.insert(warehouse, "trust_reasons", columns, [(7, "poor", "truncated", 1)])
    return path


def report(path, cand, fail_on=None, base="old", *more):
    """Type the command."""
    words = ["report", "regression", "--base", base, "--cand", cand, "--db", str(path), *more]
    return CliRunner().invoke(main, [*words, *(["--fail-on", fail_on] if fail_on else [])])


@pytest.mark.parametrize(
    ("cand", "fail_on", "told"),
    [
        ("new", "regressed", "regressed: 1 row (decode aten::add at 8 tokens +20.0 %)"),
        (
            "new",
            "regressed:19.5",
            "regressed by 19.50 % or more: 1 row (decode aten::add at 8 tokens +20.0 %)",
        ),
        (
            "gaps",
            "regressed:10",
            "regressed by 10.00 % or more: 1 step period (decode, rank 0 +10.0 %)",
        ),
        (
            "all",
            "regressed:20%",
            "regressed by 20.00 % or more: 4 rows (decode aten::add at 8 tokens +25.0 %)",
        ),
    ],
)
def test_what_regressed_is_status_3_and_the_page_is_printed(stored, cand, fail_on, told):
    done = report(stored, cand, fail_on)
    assert (done.exit_code, done.stderr) == (3, f"profdb: {told}\n")
    assert done.stdout == report(stored, cand).stdout


@pytest.mark.parametrize(
    ("base", "cand", "fail_on"),
    [
        ("old", "new", "regressed:21"),
        ("new", "old", "regressed"),
        ("old", "gaps", "regressed:11"),
        ("old", "all", "regressed:26"),
        ("gaps", "old", "regressed:0"),
    ],
)
def test_what_did_not_regress_so_far_is_status_0(stored, base, cand, fail_on):
    done = report(stored, cand, fail_on, base)
    assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("cand", "why"),
    [
        ("few", "too few complete passes on a side, 4 are needed"),
        ("few_gaps", "too few complete passes on a side, 4 are needed"),
        ("damaged", "a profile is damaged"),
    ],
)
def test_where_no_verdict_is_possible_nothing_fails_and_it_is_said(stored, cand, why):
    done = report(stored, cand, "regressed")
    told = f"profdb: no verdict was possible, so that --fail-on has nothing to fail: {why}\n"
    assert (done.exit_code, done.stderr) == (0, told)
    assert "→" in done.stdout and report(stored, cand).stderr == ""


@pytest.mark.parametrize(
    "given",
    [
        *("slower", "improved:5", "regressed:", "regressed:x"),
        *("regressed:-1", "regressed:nan", "regressed:inf"),
    ],
)
def test_wrong_usage_is_status_2(stored, given):
    done = report(stored, "new", given)
    assert done.exit_code == 2 and "is no regressed[:PERCENT]" in done.stderr


@pytest.mark.parametrize(
    ("name", "begins"), [("a.html", "<!DOCTYPE html>"), ("a.json", "{"), ("a", "# ")]
)
def test_the_file_is_written_all_the_same(stored, tmp_path, name, begins):
    done = report(stored, "new", "regressed", "old", "-o", str(tmp_path / name))
    assert (done.exit_code, done.stdout) == (3, "")
    assert (tmp_path / name).read_text().startswith(begins)


def test_all_operators_together_count_too(stored):
    with Warehouse.open(stored) as warehouse:
        answer = ask_regression(warehouse, "old", "new")
    judged = answer.derived["judged"]
    judged |= {"regressed": [], "everything": {"outcome": "regressed", "by": {"shift": 0.06}}}
    assert regressed(answer, 0.07)["together"] is None
    told = fail_on_summary(regressed(answer, 0.05), 0.05, True)
    assert told == "regressed by 5.00 % or more: all operators together +6.0 %"
    judged["everything"]["outcome"] = "improved"
    assert regressed(answer, 0.05)["together"] is None


@pytest.mark.parametrize(
    ("loss", "fails"), [("gaps", 1), ("waiting", 1), ("kernels", 1), ("counts", 0), (None, 0)]
)
def test_a_step_of_another_load_fails_nothing(stored, loss, fails):
    with Warehouse.open(stored) as warehouse:
        answer = ask_regression(warehouse, "old", "gaps")
    (step,) = answer.rows["regression_steps"]
    assert (step["slower"], step["loss"]) == (True, "gaps")
    step["loss"] = loss
    assert len(regressed(answer)["steps"]) == fails


def test_a_row_judged_by_its_share_counts_with_its_mean(stored):
    with Warehouse.open(stored) as warehouse:
        answer = ask_regression(warehouse, "old", "new")
    (row,) = answer.derived["judged"]["regressed"]
    row["verdict"]["by"] |= {"share": True, "shift": 0.9}
    assert regressed(answer, 0.5)["rows"] == [] and regressed(answer, 0.19)["rows"] == [row]
