"""Pages of profiles that lack something, overlap, or do not fit together."""

import pytest

from profdb.reports import render_budget, render_regression
from profdb.warehouse import Warehouse

from . import tiny

OTHER = [
    (8, "kernel", "tick", "tick", "other", "other"),
    (9, "kernel", "tock", "tock", "other", "other"),
]
LABELS = ["steps", "cpu", "host", "wide", "hardly", "far", "blend"]
TOLD = {"wide": ("cuda", "GPU A"), "hardly": ("cuda", "GPU A"), "far": ("rocm", "GPU B")}
CONTEXTS = [
    (11, 111, "unknown", True, None, None),
    (11, 112, "unknown", True, None, None),
    (12, 121, "unknown", True, None, None),
    (13, 131, "unknown", True, None, None),
    (14, 141, "decode", True, 0, 1),
    (14, 142, "decode", True, 0, 1),
    (14, 143, "idle", True, None, None),
    (15, 151, "decode", True, 0, 1),
    (16, 161, "decode", True, 0, 1),
    (17, 171, "decode", True, 0, 1),
    (17, 172, "unknown", True, None, None),
]
KERNELS = [
    (11, 111, 0, 7, 0, 10, 1, tiny.MM),
    (11, 111, 0, 7, 20, 4, 8, tiny.ADD),
    (11, 112, 0, 7, 100, 10, 1, tiny.MM),
    (11, None, 0, 7, 200, 6, 9, tiny.COPY),
    (14, 141, 0, 7, 0, 10, 2, tiny.MM),
    (14, 141, 0, 8, 4, 10, 6, tiny.ADD),
    (14, 142, 0, 7, 50, 10, 2, tiny.MM),
    (14, 142, 0, 8, 54, 10, 6, tiny.ADD),
    (15, 151, 0, 7, 0, 10_000, 2, tiny.MM),
    (15, 151, 0, 8, 9_999, 10_000, 6, tiny.ADD),
    (16, 161, 0, 7, 0, 900, 2, tiny.MM),
    (17, 171, 0, 7, 0, 20, 2, tiny.MM),
    (17, 172, 0, 7, 50, 10, 1, tiny.MM),
    (17, None, 0, 7, 80, 5, 5, tiny.COPY),
]


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "w.duckdb"
    with Warehouse.open(path, write=True) as warehouse:
        tiny.add_names(warehouse)
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        tiny.insert(warehouse, "kernel_names", columns, OTHER)
        tiny.insert(warehouse, "runs", "run_id, label", list(enumerate(LABELS, 11)))
        profiles = [
            (number, number, 0, True, *TOLD.get(label, (None, None)))
            for number, label in enumerate(LABELS, 11)
        ]
        columns = "profile_id, run_id, rank, has_contexts, platform, device_name"
        tiny.insert(warehouse, "profiles", columns, profiles)
        tiny.add_contexts(warehouse, CONTEXTS)
        tiny.add_kernels(warehouse, KERNELS)
    with Warehouse.open(path) as warehouse:
        yield warehouse


def first_line(page: str) -> str:
    """The line below the title."""
    return page.splitlines()[2]


def test_the_whole_window_holds_work_outside_steps(odd):
    page = render_budget(odd, "steps")
    assert first_line(page).startswith(
        "**Device time 0.030 ms in 4 launches, of it linear layers 0.020 ms (66.67 %); the largest"
        " part is gemm · tensile (66.67 %). Of all this 0.006 ms (20.00 %) ran outside any step."
        " A step every 0.100 ms (p50). Prefill and decode cannot be told apart"
    )
    assert "| **all** | | 2 | | 0.030 | 100.00 % | |" in page
    whole, steps = page.split("## Whole window by family")[1].split("## Within the steps by family")
    assert "| **all** | 4 | 0.030 | 100.00 % | 7.5 |" in whole
    assert "| `aten::copy_` | 1 | 0.006 | 20.00 % | 6.0 |" in whole
    assert "| **all** | 1.50 | 0.012 | 100.00 % | 8.0 |" in steps


def test_the_family_other_names_its_largest_kernel(odd):
    page = render_budget(odd, "steps")
    whole, steps = page.split("## Whole window by family")[1].split("## Within the steps by family")
    assert "| other · other, largest `tock` | 2 | 0.010 |" in whole
    assert "| other · other, largest `tick` | 0.50 | 0.002 |" in steps


def test_work_of_no_told_phase_beside_decode_has_tables_too(odd):
    page = render_budget(odd, "blend")
    assert "Phase unknown: 0.010 ms in 1 launch" in first_line(page)
    assert "## Phase unknown by family" in page and "Whole window" not in page
    assert "## Outside any step by family" in page


def test_a_profile_without_device_work_says_what_to_do(odd):
    page = render_budget(odd, "cpu")
    assert first_line(page).startswith("**No device work was recorded in this profile")
    assert "Record device activity too" in first_line(page)
    body = page.split("## Made from")[0]
    assert "0 events, of them none on the device" in body and "|" not in body


@pytest.mark.parametrize(
    ("base", "cand", "named"),
    [("cpu", "host", "cpu and host"), ("cpu", "wide", "cpu"), ("wide", "host", "host")],
)
def test_a_side_without_device_work_is_the_reason(odd, base, cand, named):
    page = render_regression(odd, base, cand)
    assert first_line(page).startswith(
        f"**Nothing can be compared: no device work was recorded in {named}. Record device"
    )
    assert "## The step" not in page and "## Operators" not in page
    assert "| – | – | – |" not in page.split("## Made from")[0]


def test_overlap_of_streams_is_told_with_its_amount(odd):
    page = render_budget(odd, "wide")
    assert first_line(page).startswith(
        "**Decode takes a step every 0.050 ms (p50), with 0.020 ms/token of device time summed over"
        " streams, of it linear layers 0.010 ms (50.00 %)."
    )
    assert (
        "- ⚠ Streams overlap in decode steps: 0.006 ms/step of the sum of durations (30.00 %) pass"
        " beside other work of the step"
    ) in page
    assert page.index("## Step period") < page.index("## Coverage")


def test_overlap_below_the_threshold_is_no_warning(odd):
    page = render_budget(odd, "hardly")
    assert "⚠" not in page
    assert "here they do so for less than 0.1 % of it." in page
    assert first_line(page).startswith("**Decode needs 20.000 ms/token of device time, of it")


def test_a_phase_without_launches_says_so(odd):
    page = render_budget(odd, "wide", phase="idle")
    assert first_line(page).startswith("**Phase idle has no device work.**")


def test_what_does_not_fit_together_is_said_first(odd):
    first, *notes = render_regression(odd, "wide", "far").split("\n- ")[1:5]
    assert first.startswith("⚠ No verdict on rows: the platforms differ.")
    assert notes[0].startswith("⚠ The platforms differ: cuda → rocm.")
    assert notes[1].startswith("⚠ The devices differ: GPU A → GPU B.")
    assert notes[2].startswith("⚠ The device time differs by more than ten times: 0.040 → 0.900 ms")
    assert "ten times" not in render_regression(odd, "wide", "steps")


def test_one_is_singular(odd):
    page = render_regression(odd, "wide", "far")
    assert "Rows that lost: 1, together" in page
    assert "Only in wide: 1 of 1 row, by total time" in page
    assert "(1 rows)" not in page and "1 events" not in page
