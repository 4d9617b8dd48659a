"""Documents asked again: what holds, what differs, what is no document."""

import json
import shutil
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner

from profdb.cli import main
from profdb.reports import render_budget, render_regression
from profdb.reports.verify import same
from profdb.warehouse import Warehouse

from . import judgeable


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A warehouse of two runs, and the documents of two reports beside it."""
    folder = tmp_path_factory.mktemp("verify")
    with Warehouse.open(judgeable.build(folder / "w.duckdb")) as warehouse:
        text = render_regression(warehouse, "old", "new", format="json")
        (folder / "pair.json").write_text(text)
        text = render_budget(warehouse, "old", format="json", remove={"gemm": 0.1})
        (folder / "one.json").write_text(text)
    return folder


@pytest.fixture
def copy(stored, tmp_path):
    """The same files, to be changed."""
    return Path(shutil.copytree(stored, tmp_path / "copy"))


def verify(folder: Path, name: str = "pair.json"):
    """Type the command."""
    words = ["verify", str(folder / name), "--db", str(folder / "w.duckdb")]
    return CliRunner().invoke(main, words)


def changed(folder: Path, change, name: str = "pair.json") -> None:
    """Let a function change a document."""
    content = json.loads((folder / name).read_text())
    change(content)
    (folder / name).write_text(json.dumps(content))


@pytest.mark.parametrize("name", ["pair.json", "one.json"])
def test_what_was_just_written_holds(stored, name):
    done = verify(stored, name)
    assert (done.exit_code, done.stderr) == (0, "")
    count = int(done.stdout.split()[1].replace(",", ""))
    assert done.stdout.startswith("all ") and done.stdout.endswith(" hold\n") and count > 100


def test_one_figure_by_one_unit_is_found(copy):
    def change(content):
        (row,) = [r for r in content["queries"]["regression_groups"] if r["op"] == "aten::add"]
        row["base_launches"] += 1

    changed(copy, change)
    done = verify(copy)
    assert done.exit_code == 3
    assert done.stdout == (
        "regression_groups phase=decode op=aten::add kernel=z_add shape=T,16;16,4 tokens_low=8:"
        " base_launches: stored 17, now 16\n"
    )
    assert done.stderr.startswith("profdb: 1 figure of the report no longer holds (of ")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            lambda c: c["queries"]["regression_groups"][0].update(lost_ms=0.016001),
            "lost_ms: stored 0.016001, now 0.016",
        ),
        (lambda c: c["findings"]["together"][0].update(tested=1), "findings.together: tested: "),
        (lambda c: c["findings"]["together"][0].pop("q"), "q: stored absent, now 0.05"),
        (
            lambda c: c["queries"]["regression_steps"].clear(),
            "regression_steps phase=decode rank=0",
        ),
        (lambda c: c["queries"].pop("regression_window"), "regression_window: stored absent"),
        (lambda c: c["queries"].update(other=[{"a": 1}]), "other: stored a row, now absent"),
        (lambda c: c["views"].append(["odd"]), "views view=['odd']: stored a row, now absent"),
        (
            lambda c: c["views"].append("shape_diff_v9"),
            "views view=shape_diff_v9: stored a row, now absent",
        ),
        (lambda c: c.update(answer="Faster."), "answer: text: stored Faster., now Decode"),
        (
            lambda c: c["queries"]["report_coverage"]["base"][0].update(steps=True),
            "report_coverage.base phase=decode generated_min=1: steps: stored True, now 8",
        ),
    ],
)
def test_whatever_differs_is_named(copy, change, line):
    changed(copy, change)
    done = verify(copy)
    assert done.exit_code == 3 and line in done.stdout


def test_the_answer_of_another_profdb_may_be_worded_otherwise(copy):
    changed(copy, lambda content: content.update(answer="Slower.", profdb="0.0.1"))
    assert verify(copy).exit_code == 0


def test_where_the_same_content_lay_is_no_figure(copy):
    def change(content):
        content["queries"]["report_profiles"]["base"][0]["source_path"] = "/elsewhere"

    changed(copy, change)
    assert verify(copy).exit_code == 0


def test_a_replaced_run_is_said_first_and_the_list_is_short(copy):
    with Warehouse.open(copy / "w.duckdb", write=True) as warehouse:
        for table in ("kernels", "contexts"):
            warehouse.con.execute(f"DELETE FROM {table} WHERE profile_id = 2")
        warehouse.con.execute("DELETE FROM profiles WHERE run_id = 2")
        warehouse.con.execute("DELETE FROM runs WHERE run_id = 2")
        judgeable.add_run(warehouse, 3, "new", 9, judgeable.PASSES)
    done = verify(copy)
    lines = done.stdout.splitlines()
    assert done.exit_code == 3
    assert lines[0] == (
        f"run new has other profiles than the report: rank 0: stored {'2' * 64}, now {'3' * 64}"
    )
    assert len(lines) == 22 and lines[-1].startswith("and ") and lines[-1].endswith(" more")


def test_missing_runs_are_named(copy):
    with Warehouse.open(copy / "w.duckdb", write=True) as warehouse:
        warehouse.con.execute("UPDATE runs SET label = 'old_2' WHERE run_id = 1")
    done = verify(copy)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == "profdb: no run named 'old'; the warehouse has new, old_2\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON document"),
        ("[1]", "is no report that this profdb reads: it names no schema"),
        ('{"schema": "profdb.report/2"}', "its schema is 'profdb.report/2', known is"),
        ('{"schema": "profdb.report/1"}', "is no whole report: 'report' is missing"),
        ('{"a": NaN}', "NaN is no number"),
        ("[" * 100_000, "is no JSON document"),
    ],
)
def test_what_is_no_document_is_one_line(copy, text, message):
    (copy / "pair.json").write_text(text)
    done = verify(copy)
    assert done.exit_code == 1 and message in done.stderr and done.stderr.count("\n") == 1


def test_bytes_and_absent_files_are_one_line(copy):
    (copy / "pair.json").write_bytes(b"\xff\xfe\x00")
    for name in ("pair.json", "absent.json"):
        done = verify(copy, name)
        assert done.exit_code == 1 and name in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(report="weather"), "no report 'weather'; there is budget"),
        (lambda c: c["runs"].pop("cand"), "regression is about base and cand"),
        (lambda c: c["runs"]["cand"].update(profiles=[1]), "regression is about base and cand"),
        (lambda c: c["params"].update(rows="many"), "its option 'rows' is odd"),
        (lambda c: c["params"].pop("floor"), "its option 'floor' is odd"),
        (lambda c: c["params"].update(rank="0"), "its rank is odd"),
        (lambda c: c["params"].update(rank=5), "no rank 5: "),
        (lambda c: c["params"].update(phase=["decode"]), "its phase is odd"),
        (lambda c: c["queries"].update(regression_steps=7), "regression_steps are no rows"),
        (lambda c: c.update(views="all"), "'views' is missing or misshapen"),
    ],
)
def test_a_document_that_does_not_say_how_to_ask_is_refused(copy, change, message):
    changed(copy, change)
    done = verify(copy)
    assert done.exit_code == 1 and message in done.stderr, done.output


@pytest.mark.parametrize(
    ("stored", "present", "alike"),
    [
        (Decimal("0.3"), 0.1 + 0.2, True),
        (Decimal("2720.145001"), 2720.145, False),
        (Decimal("2720.145"), Decimal("2720.145000"), True),
        (Decimal("2720.1450000000001"), Decimal("2720.145"), False),
        (16, 16.0, True),
        (16, 17, False),
        (10**400, 1.5, False),
        (1, True, False),
        (True, True, True),
        (None, float("nan"), True),
        (None, 0, False),
        ("", None, False),
        (["a"], ["a", "b"], False),
        ([Decimal("0.5")], [0.5], True),
    ],
)
def test_integers_and_decimals_are_exact_and_doubles_near(stored, present, alike):
    assert same(stored, present) is alike
