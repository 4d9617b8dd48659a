"""The pages: whole ones against golden files, and what must stand on them."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from profdb.ingest.run import ingest, plan
from profdb.reports import LANGUAGES, render_budget, render_regression
from profdb.warehouse import Warehouse

from . import golden, tiny

HOSTILE = "k|<b>`x`\"'\n*_[l](u)_* \\| 🚀 <!--"


@pytest.fixture(scope="module")
def demo(demo_warehouse):
    with Warehouse.open(demo_warehouse) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "w.duckdb"
    tiny.build(path)
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE names SET name = ? WHERE name_id = 1", [HOSTILE])
        warehouse.con.execute(
            "UPDATE kernel_names SET name = ?, stable_name = ?, family = ? WHERE kernel_id = 2",
            [HOSTILE, HOSTILE, HOSTILE],
        )
        warehouse.con.execute("UPDATE runs SET label = ? WHERE label = 'a'", [HOSTILE])
        warehouse.con.execute("UPDATE profiles SET device_name = ?, source_path = ?", [HOSTILE] * 2)
        tiny.insert(warehouse, "run_facts", "run_id, key, value", [(1, HOSTILE, HOSTILE)])
    with Warehouse.open(path) as warehouse:
        yield warehouse


def first_line(page: str) -> str:
    """The line below the title."""
    return page.splitlines()[2]


def cells(page: str, *starts: str) -> list[list[str]]:
    """Cells of the table rows that begin with these cells."""
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in page.splitlines()
            if line.startswith("|")]  # fmt: skip
    return [row for row in rows if tuple(row[: len(starts)]) == starts]


@pytest.mark.parametrize("run", ["a", "b", "c"])
def test_budget_is_the_golden_page(small, renew, run):
    golden.check(f"budget_{run}.md", render_budget(small, run), renew, small.path)


@pytest.mark.parametrize(("base", "cand"), [("a", "b"), ("b", "a")])
def test_regression_is_the_golden_page(small, renew, base, cand):
    page = render_regression(small, base, cand)
    golden.check(f"regression_{base}_{cand}.md", page, renew, small.path)


def test_budget_of_the_demo(demo):
    page = render_budget(demo, "dcu")
    assert first_line(page) == (
        "**Decode takes a step every 43.576 ms (p50) and needs 43.108 ms/token of device time, of"
        " it linear layers 38.078 ms (88.33 %)."
        " A prefill chunk of 4,096 tokens needs 906.715 ms, of it `aten::mm` 67.67 %.**"
        " Diagnostic profile; not an endpoint result."
    )
    assert cells(page, "prefill", "4,096", "3", "12,288", "2720.145", "47.11 %", "906.715")
    assert cells(page, "prefill tail", "1,685", "1", "1,685", "464.801", "8.05 %", "464.801")
    assert cells(page, "decode", "1", "60", "60", "2586.460", "44.80 %", "43.108")
    assert cells(page, "outside any step", "–", "–", "–", "2.087", "0.04 %")
    assert "235,964 events, of them 61,804 on the device (60,124 kernels)" in page
    assert cells(page, "`aten::mm`", "915", "1840.596", "67.67 %", "613.532")
    assert cells(page, "`vllm::unified_attention_with_output`", "48", "238.718", "8.78 %")
    assert cells(page, "attention · flash", "16", "79.573", "8.78 %")
    assert cells(page, "gemv · LLMM1", "176", "23.470", "54.45 %", "133.4")
    assert cells(page, "gemm · tensile", "129", "14.607", "33.89 %", "113.2")
    assert cells(page, "*linear layers together (gemm + gemv)*", "305", "38.078", "88.33 %")
    assert "⚠" not in page


def test_budget_of_one_phase(demo):
    page = render_budget(demo, "dcu", phase="prefill_tail")
    assert first_line(page).startswith("**Phase prefill tail: 464.801 ms in 1,767 launches")
    assert "## Prefill tail by operator" in page
    assert "TPOT" not in page
    assert "This table is of all phases; the rest of the page is of phase prefill tail." in page
    assert cells(page, "prefill tail (this page)", "1,685")


@pytest.fixture(scope="module")
def unmarked(tmp_path_factory, demo_runs):
    """The demo windows without shapes, so that no passes can be inferred."""
    folder = tmp_path_factory.mktemp("unmarked")
    with Warehouse.open(folder / "w.duckdb", write=True) as warehouse:
        for run in demo_runs[1:]:
            run = shutil.copytree(run, folder / run.name)
            (table,) = run.rglob("kernel_details.csv")
            table.write_text(table.read_text().replace("Input Shapes", "Shapes", 1))
            ingest(warehouse, plan([run]))
    with Warehouse.open(folder / "w.duckdb") as warehouse:
        yield warehouse


def test_runs_without_steps_have_no_step_period(unmarked):
    page = render_regression(unmarked, "0815", "1009")
    section = page.split("## The step\n")[1].split("##")[0]
    assert "neither profile has complete steps" in section and "period p50" not in section
    assert "no step period of decode on both sides" in first_line(page)


def test_a_run_without_steps_says_why(unmarked):
    page = render_budget(unmarked, "1009")
    assert first_line(page).startswith("**Device time 5395.957 ms in 60,000 launches")
    assert "there are no step annotations in this profile" in page
    assert "phases unknown, passes cannot be inferred from the kernels: no operator" in page
    assert "Communication and fused communication hold waiting for peers" in page
    assert "TPOT" not in page and "Step period" not in page


def test_a_run_of_two_ranks_says_which_is_shown(small):
    page = render_budget(small, "b")
    assert "The run holds ranks 0, 1; all figures are of rank 0" in page
    assert "Decode needs 0.030 ms/token" in page
    assert "Decode needs 0.099 ms/token" in render_budget(small, "b", rank=1)
    assert "different ranks: a 0; b 0, 1. Compared is rank 0." in render_regression(small, "a", "b")


def hostile_page(hostile, report, lang):
    """A page about the run of a hostile name."""
    if report == "budget":
        return render_budget(hostile, HOSTILE, lang=lang)
    return render_regression(hostile, HOSTILE, "b", lang=lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("report", ["budget", "regression"])
def test_hostile_names_stay_text(hostile, report, lang):
    page = hostile_page(hostile, report, lang)
    body = page.split("<details>")[0]
    assert "<b>" not in body and "<!--" not in body
    width = 0
    for line in body.splitlines():
        width = (width or line.count("|")) if line.startswith("|") else 0
        assert line.count("|") == width, line


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("report", ["budget", "regression"])
def test_hostile_names_are_seen_as_they_are(hostile, report, lang):
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable("table")
    page = hostile_page(hostile, report, lang)
    html = markdown.render(page.split("<details>")[0])
    seen = "k|&lt;b&gt;`x`&quot;'␊*_[l](u)_* \\| 🚀 &lt;!--"
    assert "<em>" not in html and "<a " not in html and "<b>" not in html
    assert html.replace("&#124;", "|").count(seen) > 3
    # No character was escaped twice.
    assert "&amp;" not in html and "%(" not in html


@pytest.mark.parametrize("runs", [["a"], ["a", "b"], [HOSTILE]])
def test_the_statements_of_a_page_run_in_the_shell(small, hostile, runs):
    shell = shutil.which("duckdb", path=str(Path(sys.executable).parent))
    if not shell:
        pytest.skip("the duckdb shell is not installed")
    warehouse = hostile if runs == [HOSTILE] else small
    page = render_budget(warehouse, *runs) if len(runs) == 1 else render_regression(
        warehouse, *runs)  # fmt: skip
    match = re.search(r"^```sql\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert match
    words = [shell, "-readonly", "-bail", str(warehouse.path)]
    done = subprocess.run(words, input=match[1], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
