"""What the budget says of savings: bounds, and the reasons why there are none."""

import pytest
from click.testing import CliRunner

from profdb.cli import main
from profdb.errors import ProfdbError
from profdb.ingest.run import ingest, plan
from profdb.reports import render_budget
from profdb.warehouse import Warehouse

from .test_views_ceiling import build
from .traces import CASES, needs_shared


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Step of 20 us: gemm 0-10 and gemv 5-15 side by side, moe 15-20."""
    path = tmp_path_factory.mktemp("ceilings") / "w.duckdb"
    build(path, [[(1, 0, 0, 10, 11), (1, 0, 5, 10, 12), (1, 0, 15, 5, 13)]])
    return path


def section(path, **options) -> str:
    """The ceilings of the page of run 0."""
    with Warehouse.open(path) as warehouse:
        text = render_budget(warehouse, "0", sql=False, **options)
    return text[text.index("## Ceilings") : text.index("## Made from")]


def test_removing_is_bounded_by_what_ran_alone(path):
    text = section(path, remove={"gemm": 1, "LLMM1": 0.1})
    assert "| `gemm/*` | 100.00 % | 0.010 | 0.005 | 0.005 (25.00 %) |" in text
    assert "| `*/LLMM1` | 10.00 % | 0.001 | 0.005 | 0.001 (5.00 %) |" in text
    assert "| together | – | 0.011 | 0.015 | 0.011 (55.00 %) |" in text


def test_a_saving_per_layer_is_a_product(path):
    text = section(path, save_us=0.5, times=10)
    assert "0.5 µs saved 10 times is 0.005 ms/token, 20.00 % of the 0.025 ms of decode" in text


@pytest.mark.parametrize("options, error", [
    ({"remove": {"attention": 1}}, "run '0' has no kernels of 'attention'; there are gemm/tensile"),
    ({"remove": {"gemm": 2}}, "gemm=2: give a fraction above 0, up to 1"),
    ({"save_us": -3}, "a saving of -3 us is none"),
    ({"save_us": float("nan")}, "a saving of nan us is none"),
    ({"save_us": 3, "times": 0}, "0 times is no saving"),
])  # fmt: skip
def test_what_is_no_saving_is_refused(path, options, error):
    with Warehouse.open(path) as warehouse, pytest.raises(ProfdbError, match=error):
        render_budget(warehouse, "0", **options)


@pytest.mark.parametrize("words", [["--remove", "gemm"], ["--remove", "=1"], ["--times", "2"]])
def test_half_an_option_is_wrong_usage(path, words):
    words = ["report", "budget", "--run", "0", "--db", str(path), *words]
    assert CliRunner().invoke(main, words).exit_code == 2


@needs_shared
def test_a_step_that_waits_for_the_host_gains_nothing_for_certain(tmp_path):
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        ingest(warehouse, plan([next(CASES.glob("29-*")) / "trace.json"]))
        found = warehouse.con.execute("""
            SELECT family, round(max_saving_ms_per_step * 1000), host_bound
            FROM ceiling WHERE phase = 'decode' ORDER BY family
        """).fetchall()
        text = render_budget(warehouse, "trace", sql=False, remove={"gemm": 1})
    assert found == [("communication", 0, True), ("gemm", 1, True), ("moe", 0, True)]
    assert "| `gemm/*` | 100.00 % | 0.040 | 0.001 | withheld ¹ |" in text
    assert "0.020 ms with nothing on the device" in text
