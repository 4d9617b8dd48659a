"""The closure page of the demo trace: whole, with launches lost, with kernels that never ran."""

import shutil
from pathlib import Path

import pytest

from profdb.errors import ProfdbError
from profdb.reports import fit_model, map_model, render_closure
from profdb.warehouse import Warehouse

from . import golden

MODEL = "hybrid-27b"
LLMM1 = """
    FROM kernels AS k JOIN kernel_names AS n USING (kernel_id) JOIN contexts AS c USING (context_id)
    WHERE n.implementation = 'LLMM1' AND c.phase = 'decode'
"""


@pytest.fixture(scope="module")
def stored(demo_warehouse):
    """The demo trace and the model in a warehouse that tests copy."""
    return demo_warehouse


@pytest.fixture
def copy(stored, tmp_path):
    """A copy of the warehouse to be changed."""
    return Path(shutil.copy(stored, tmp_path / "w.duckdb"))


def page(path, **options) -> str:
    """The page of the demo run."""
    with Warehouse.open(path) as warehouse:
        return render_closure(warehouse, "dcu", MODEL, sql=False, **options)


def lose(path, choice: str) -> list[int]:
    """Take launches of LLMM1 out of decode steps; give the steps."""
    with Warehouse.open(path, write=True) as warehouse:
        gone = f"SELECT k.rowid AS row_number, k.context_id {LLMM1} {choice}"
        steps = warehouse.con.execute(f"SELECT DISTINCT context_id FROM ({gone})").fetchall()
        warehouse.con.execute(
            f"DELETE FROM kernels WHERE rowid IN (SELECT row_number FROM ({gone}))"
        )
    return sorted(step for (step,) in steps)


EACH_STEP = "row_number() OVER (PARTITION BY k.context_id ORDER BY k.start_ns)"
THREE_IN_TWO = f"AND c.step_index IN (10, 20) QUALIFY {EACH_STEP} <= 3"
FORTY_EIGHT = f"QUALIFY {EACH_STEP} <= 48"


@pytest.mark.parametrize(("lang", "name"), [("en", "closure.md"), ("zh", "closure_zh.md")])
def test_the_page(stored, demo_runs, renew, lang, name):
    text = page(stored, lang=lang).replace(str(demo_runs[0].parent), "runs")
    golden.check(name, text, renew, stored)


def test_it_closes_without_a_declared_map(stored):
    text = page(stored, phase="decode")
    assert "305 of 305 linears per step (LLMM1 176, tensile 129); all 60 steps close" in text
    assert "64 gate_up + 48 qkvz + 48 ba + 16 qkv" in text
    assert "64 down + 48 out + 16 o + 1 lm_head" in text


def test_it_says_what_counts_alone_cannot_tell(stored):
    text = page(stored, phase="decode")
    assert "by counts alone 16 assignments of modules close, the order of the launches" in text
    assert "Counts cannot tell apart: gate_up, down; qkvz, ba, out; qkv, o." in text


def test_prefill_closes_with_a_map_of_its_own(stored):
    text = page(stored, phase="prefill")
    assert "Prefill closes" in text and "305 of 305 linears per step (tensile 305)" in text


def test_launches_lost_in_two_steps_are_named(copy):
    steps = lose(copy, THREE_IN_TWO)
    with Warehouse.open(copy, write=True) as warehouse:
        fit_model(warehouse, "dcu", MODEL, None, False)
        found = warehouse.con.execute(
            "SELECT context_id, implementation, residual FROM closure_steps ORDER BY context_id"
        ).fetchall()
        ((status, off),) = warehouse.con.execute(
            "SELECT status, steps_not_closed FROM closure WHERE implementation = 'LLMM1'"
        ).fetchall()
    assert found == [(step, "LLMM1", -3) for step in steps] and len(steps) == 2
    assert (status, off) == ("not_integer", 2)
    text = page(copy, phase="decode")
    assert "2 of 60 complete steps do not close" in text and "less in some steps only" in text
    assert "Do not rank operators" in text


def test_a_constant_deficit_names_what_may_be_missing(copy):
    lose(copy, FORTY_EIGHT)
    text = page(copy, phase="decode")
    readings = text[text.index("can be read") : text.index("## Kernels that serve no")]
    assert "48 missing: as many as qkvz, ba or out" in readings
    assert "−48" in text and "less in every step" in text
    assert "lost or fused" in readings and "another family" in readings


def test_an_expected_kernel_that_never_ran_comes_first(stored):
    text = page(stored, expect={"wvSplitK": 305, "LLGemm1": 176})
    assert text.splitlines()[2].startswith("**`wvSplitK`: enabled, never dispatched.")
    assert "| `LLGemm1` | decode | 176 | 176 |" in text and "as expected" in text


def test_a_declared_map_stays(copy):
    words = ["LLMM1=gate_up,down,ba", "tensile=qkvz,out,qkv,o,lm_head"]
    with Warehouse.open(copy, write=True) as warehouse:
        map_model(warehouse, "dcu", MODEL, "decode", words)
        kept = fit_model(warehouse, "dcu", MODEL, "decode", False)
        origins = "SELECT DISTINCT origin FROM closure_map WHERE kind = 'linear'"
        assert kept == ["decode, linear,"]
        assert warehouse.con.execute(origins).fetchall() == [("declared",)]
        fit_model(warehouse, "dcu", MODEL, "decode", True)
        assert warehouse.con.execute(origins).fetchall() == [("inferred",)]


def change(path, statement: str) -> None:
    """Change the stored profile."""
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute(statement)


def named(family: str) -> str:
    """The kernels of a family."""
    return f"kernel_id IN (SELECT kernel_id FROM kernel_names WHERE family = '{family}')"


def test_a_kind_without_any_kernel_is_missing_not_absorbed(copy):
    change(copy, f"DELETE FROM kernels WHERE {named('attention')}")
    text = page(copy, phase="decode")
    assert "Decode does not close" in text
    assert "| none · none | 0 | 16 | −16 | short | 16 attention |" in text


def test_kernels_that_no_rule_names_are_pointed_at(copy):
    change(copy, "UPDATE kernel_names SET name = 'zork', stable_name = 'zork', family = 'other',"
                 " implementation = 'other' WHERE implementation = 'LLMM1'")  # fmt: skip
    text = page(copy, phase="decode")
    assert "176 missing" in text and "no rule names" in text
    assert "| `zork` | other · other | 176 |" in text and "**no rule** |" in text
    assert "`profdb families unmatched` lists them" in text


def test_other_kernels_in_some_steps_are_no_loss(copy):
    tensile = "(SELECT min(kernel_id) FROM kernel_names WHERE implementation = 'tensile')"
    change(copy, f"UPDATE kernels SET kernel_id = {tensile} WHERE {named('gemv')}"
                 " AND context_id % 3 = 0")  # fmt: skip
    text = page(copy, phase="decode")
    assert "in some steps other kernels serve these modules" in text
    assert "events were lost" not in text


def test_every_launch_recorded_twice_is_not_trusted(copy):
    change(copy, "INSERT INTO kernels FROM kernels")
    text = page(copy, phase="decode")
    assert "610 launches per step for the model's 305 linears" in text
    assert "can be trusted" not in text


def test_a_declared_map_against_the_order_is_said_to(copy):
    words = ["LLMM1=down,qkvz,ba,qkv", "tensile=gate_up,out,o,lm_head"]
    with Warehouse.open(copy, write=True) as warehouse:
        map_model(warehouse, "dcu", MODEL, "decode", words)
    text = page(copy, phase="decode")
    assert "The declared map of decode is not the one that the order of the launches" in text


def test_a_map_of_families_that_are_gone_is_said_to_be(copy):
    with Warehouse.open(copy, write=True) as warehouse:
        fit_model(warehouse, "dcu", MODEL)
    change(copy, "UPDATE kernel_names SET family = 'gemm', implementation = 'mine'"
                 " WHERE implementation = 'LLMM1'")  # fmt: skip
    text = page(copy, phase="decode")
    assert "The stored map names gemv · LLMM1, which this run has no kernels of" in text


def test_an_implementation_is_an_expectation_too(stored):
    assert "as expected" in page(stored, expect={"LLMM1": 176}, phase="decode")
    with pytest.raises(ProfdbError, match=r"is no regular expression \(RE2\): "):
        page(stored, expect={"(": 1})


@pytest.mark.parametrize("words, error", [
    (["LLMM1"], "'LLMM1' is no GROUP=MODULE"),
    (["wvSplitK=gate_up"], "no kernels of 'wvSplitK' in phase decode of run 'dcu'; there are "),
    (["LLMM1=up"], "model 'hybrid-27b' runs no 'up' there; it has "),
    (["LLMM1=gate_up,gate_up"], "module 'gate_up' is named twice"),
    (["LLMM1=gate_up*0"], "'gate_up\\*0' is no MODULE or MODULE\\*N"),
    (["LLMM1=gate_up"], "modules not named: .*down.*; name all of a kind"),
])  # fmt: skip
def test_a_wrong_map_is_refused(copy, words, error):
    with Warehouse.open(copy, write=True) as warehouse, pytest.raises(ProfdbError, match=error):
        map_model(warehouse, "dcu", MODEL, "decode", words)


def test_an_unknown_model_is_refused(stored):
    with Warehouse.open(stored) as warehouse:
        with pytest.raises(ProfdbError, match="no model named 'gpt'; the warehouse has hybrid-27b"):
            render_closure(warehouse, "dcu", "gpt")
