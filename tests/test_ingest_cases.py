"""Small traces with one trap each: figures are those that their descriptions demand."""

import pytest

from .traces import (
    CASES,
    ingested,
    launched,
    needs_shared,
    rows,
    span,
    stored_kernels,
    write,
)
from .traces_model import Model


def case(number: int):
    return next(CASES.glob(f"{number:02d}-*"))


@pytest.fixture
def of_case(request, tmp_path):
    return ingested(tmp_path, case(request.param), label="c")


def us_of(path, columns, view, where="true"):
    return rows(path, f"SELECT {columns} FROM {view} WHERE {where} ORDER BY ALL")


@needs_shared
@pytest.mark.parametrize("of_case", [6], indirect=True)
def test_kernels_before_the_first_launch_are_outside(of_case):
    found = us_of(of_case, "phase, round(gpu_ms * 1000, 3), launches, tokens", "phase_time")
    assert found == [("outside", 128.0, 4, None), ("prefill", 30.0, 1, 64)]
    query = "SELECT attribution, count(*), sum(dur_ns) FROM kernels GROUP BY ALL ORDER BY 1"
    found = rows(of_case, query)
    assert found == [
        ("launch call", 1, 30_000),
        ("launched before the window", 3, 120_000),
        ("no launch found", 1, 8_000),
    ]
    assert rows(of_case, "SELECT trust FROM run_summary") == [("limited",)]


@needs_shared
@pytest.mark.parametrize("of_case", [7], indirect=True)
def test_nested_annotations_of_a_step_count_once(of_case):
    columns = "phase, generation_requests, generation_tokens, launches, round(gpu_ms * 1000, 3)"
    assert us_of(of_case, columns, "context_time") == [("decode", 32, 32, 4, 60.0)] * 3
    columns = "phase, round(gpu_ms * 1000, 3), round(ms_per_token * 1000, 3)"
    assert us_of(of_case, columns, "phase_time") == [
        ("decode", 180.0, 1.875),
        ("outside", 18.0, None),
    ]


@needs_shared
@pytest.mark.parametrize("of_case", [8], indirect=True)
def test_two_devices_of_one_file_are_kept_apart(of_case):
    columns = "phase, device, launches, round(gpu_ms * 1000, 3), round(busy_ms * 1000, 3)"
    assert us_of(of_case, columns, "phase_time") == [
        ("decode", 0, 2, 20.0, 20.0),
        ("decode", 1, 2, 24.0, 24.0),
    ]
    assert rows(of_case, "SELECT contexts, kernels FROM run_summary") == [(1, 4)]
    query = "SELECT count(DISTINCT launch_ns) FROM kernels"
    assert rows(of_case, query) == [(2,)]
    query = "SELECT n.name FROM events JOIN names AS n USING (name_id) WHERE n.name = 'aten::empty'"
    assert rows(of_case, query) == [("aten::empty",)]


@needs_shared
@pytest.mark.parametrize("of_case", [12], indirect=True)
def test_chunks_of_a_prompt_and_mixed_steps_are_told_apart(of_case):
    columns = "phase, steps, round(gpu_ms * 1000, 3), round(ms_per_step * 1000, 3)"
    assert us_of(of_case, columns, "phase_time") == [
        ("decode", 9, 363.0, 40.333),
        ("mixed", 1, 520.0, 520.0),
        ("prefill", 2, 1810.0, 905.0),
        ("prefill_tail", 1, 400.0, 400.0),
    ]
    query = (
        "SELECT phase, context_tokens, generation_tokens, round(gpu_ms * 1000, 3) FROM context_time"
        " WHERE generation_tokens > 0 ORDER BY gpu_ms DESC"
    )
    found = rows(of_case, query)
    assert found[0] == ("mixed", 2048, 4, 520.0)
    assert len(found) == 10


@needs_shared
@pytest.mark.parametrize("of_case", [21], indirect=True)
def test_late_kernels_stay_with_the_step_that_launched_them(of_case):
    columns = "step_index, phase, launches, round(gpu_ms * 1000, 3)"
    assert us_of(of_case, columns, "context_time") == [
        (number, "unknown", 2, 70.0) for number in (2, 3, 4, 7, 8, 9)
    ]
    outside = us_of(of_case, "round(sum(gpu_ms) * 1000, 3)", "phase_time", "phase = 'outside'")
    assert outside == [(40.0,)]
    assert rows(of_case, "SELECT count(*) FROM run_summary") == [(2,)]


@needs_shared
@pytest.mark.parametrize("of_case", [26], indirect=True)
def test_launches_of_other_threads_belong_to_the_step(of_case):
    assert us_of(of_case, "phase, round(gpu_ms * 1000, 3)", "phase_time") == [("decode", 54.0)]
    query = (
        "SELECT attribution, n.kind, count(*), sum(dur_ns) FROM kernels"
        " JOIN kernel_names AS n USING (kernel_id) GROUP BY ALL ORDER BY 1, 2"
    )
    assert rows(of_case, query) == [
        ("launch call", "kernel", 1, 10_000),
        ("other thread of the process, within the step", "kernel", 2, 40_000),
        ("other thread of the process, within the step", "memcpy", 1, 4_000),
    ]


@needs_shared
@pytest.mark.parametrize("of_case", [29], indirect=True)
def test_sum_busy_and_period_are_three_figures(of_case):
    columns = ", ".join(
        f"round({c} * 1000, 3)" for c in ("gpu_ms", "busy_ms", "gap_ms", "period_ms")
    )
    found = us_of(of_case, columns, "context_time", "period_ms IS NOT NULL")
    assert found and set(found) == {(105.0, 40.0, 20.0, 60.0)}
    columns = "family, round(phase_share, 3)"
    found = us_of(of_case, columns, "family_time", "phase = 'decode' AND family = 'gemm'")
    assert found == [("gemm", 0.381)]


ERAS = ["era_2023", "era_2024", "era_2025", "era_2026", "era_op_summary"]
_ERA = """
SELECT start_ns, dur_ns, n.name, n.op_type, core, s.shape, shape_source, block_num, stream, task_id
FROM kernels JOIN kernel_names AS n USING (kernel_id) JOIN shapes AS s USING (shape_id)
ORDER BY start_ns
"""


@needs_shared
def test_the_headers_of_five_eras_give_the_same_rows(tmp_path):
    found = []
    for era in ERAS:
        (tmp_path / era).mkdir()
        path = ingested(tmp_path / era, case(14) / era)
        found.append(rows(path, _ERA))
        assert rows(path, "SELECT label FROM run_summary") == [(era,)]
    assert all(era == found[0] for era in found)
    starts = [1791641598803750295, 1791641598803780500, 1791641598803790001, 1791641598804100750]
    assert [row[0] for row in found[0]] == starts
    assert sum(row[1] for row in found[0]) == 341_480
    assert [row[5] for row in found[0]] == ["128,64;64,256", "128,64;64", "2,6144;8,6144,4096", ""]
    assert [row[7] for row in found[0]][:3] == [20, 40, 24]
    assert [(r[1], r[6]) for r in found[0] if r[4] == "COMMUNICATION"] == [(40_000, "none")]


@needs_shared
def test_eras_below_one_folder_become_runs_of_their_own(tmp_path):
    path = ingested(tmp_path, case(14))
    found = rows(path, "SELECT DISTINCT label FROM run_summary ORDER BY 1")
    assert {label for (label,) in found} >= {"era_2023", "era_2024", "era_2025", "era_2026"}
    assert len(found) == 6


@needs_shared
def test_a_table_of_level0_is_stored_without_what_it_lacks(tmp_path):
    path = ingested(tmp_path, case(14) / "era_level0")
    query = (
        "SELECT count(*), sum(dur_ns), count(nullif(n.op_type, '')), count(core),"
        " count(nullif(s.shape, '')) FROM kernels JOIN kernel_names AS n USING (kernel_id)"
        " JOIN shapes AS s USING (shape_id)"
    )
    assert rows(path, query) == [(4, 341_480, 0, 0, 0)]


@needs_shared
@pytest.mark.parametrize("name", [
    "windows_backslash", "control_byte", "bare_inf", "bare_na", "non_utf8_kernel_name",
    "bracket_in_trace_name",
])  # fmt: skip
def test_traces_of_old_writers_are_mended(tmp_path, name):
    path = ingested(tmp_path, case(1) / f"{name}.json", python=True)
    extra = {"bare_na": 1000}.get(name, 0)
    query = "SELECT sum(dur_ns) FROM kernels JOIN kernel_names AS n USING (kernel_id)"
    assert rows(path, query + " WHERE n.kind = 'kernel'") == [(30_000 + extra,)]
    kernels = 3 if name == "bare_na" else 2
    gpu = 3 if name in ("bare_na", "bare_inf") else 2
    assert rows(path, "SELECT kernels, gpu_events FROM run_summary") == [(kernels, gpu)]
    query = (
        "SELECT count(*) FROM trust_reasons"
        " WHERE regexp_matches(reason, ', (replaced|escaped|doubled|read)')"
    )
    assert rows(path, query) == [(name != "bracket_in_trace_name",)]
    query = "SELECT sum(set_aside), sum(seen) FROM ingest_ledger"
    assert rows(path, query) == [(0, gpu + (name in ("windows_backslash", "control_byte")))]


@needs_shared
def test_records_without_a_valid_time_are_set_aside(tmp_path):
    path = ingested(tmp_path, case(4))
    query = "SELECT seen, stored, set_aside FROM ingest_ledger WHERE category = 'kernel'"
    assert rows(path, query) == [(4, 2, 2)]
    assert rows(path, "SELECT sum(dur_ns) FROM kernels") == [(35_000,)]
    assert rows(path, "SELECT round(window_ms * 1000, 3) FROM run_summary") == [(55.0,)]
    query = "SELECT op FROM kernel_events WHERE kernel = 'gemm_example'"
    assert rows(path, query) == [("aten::mm",)]


def test_merged_files_beside_their_parts_are_left(tmp_path):
    if not CASES.is_dir():
        pytest.skip("no folder of cases here")
    path = ingested(tmp_path, case(20))
    query = "SELECT rank, kernels, round(gpu_ms * 1000, 3), contexts FROM run_summary ORDER BY rank"
    assert rows(path, query) == [(0, 3, 30.0, 1), (1, 3, 33.0, 1)]


def test_every_kernel_overlaps_the_wrong_step_and_is_still_given_to_its_own(tmp_path):
    steps, work = [], []
    for number in range(5):
        at = 1000 * number
        name = f"execute_context_0(0)_generation_{number + 1}({number + 1})"
        steps.append(span("user_annotation", name, at, 900))
        # Starts in the middle of the next step, and ends there.
        work += launched(number + 1, at + 100, at + 1300, 400, f"k{number + 1}")
    steps.append(span("user_annotation", "execute_context_0(0)_generation_9(9)", 5000, 900))
    events = [*steps, *work]
    path = ingested(tmp_path, write(tmp_path / "t.json", events))
    query = (
        "SELECT e.kernel, c.generation_tokens FROM kernel_events AS e"
        " JOIN contexts AS c USING (context_id) ORDER BY 1"
    )
    assert rows(path, query) == [(f"k{n}", n) for n in range(1, 6)]
    assert stored_kernels(path, "t") == Model(events).kernels()


def test_a_step_that_ran_nothing_is_not_complete_and_lowers_trust(tmp_path):
    steps = [
        span("user_annotation", "execute_context_0(0)_generation_1(1)", at, 50)
        for at in (100, 200, 300)
    ]
    work = [event for at in (100, 300) for event in launched(at, at + 1, at + 5, 4)]
    path = ingested(tmp_path, write(tmp_path / "t.json", [*steps, *work]))
    assert rows(path, "SELECT trust, trust_reasons FROM run_summary") == [
        ("limited", "steps without device work (1)")
    ]
    steps = rows(path, "SELECT DISTINCT steps, launches_per_step FROM launches_per_token")
    assert steps == [(2, 1.0)]


def test_launch_calls_of_one_correlation_lower_trust(tmp_path):
    twice = [*launched(5, 10, 12, 3), *launched(5, 20, 22, 3)]
    path = ingested(tmp_path, write(tmp_path / "t.json", twice))
    ((reason,),) = rows(path, "SELECT trust_reasons FROM run_summary")
    assert reason.startswith("launch calls that share a correlation id")


@needs_shared
@pytest.mark.parametrize("of_case", [2], indirect=True)
def test_a_replay_without_a_record_is_left_out_of_the_means(of_case):
    query = "SELECT launches, count(*) FROM graph_replays GROUP BY 1 ORDER BY 1"
    assert rows(of_case, query) == [(0, 1), (12, 7)]
    found = rows(of_case, "SELECT context_id, complete FROM context_time WHERE NOT complete")
    assert found == [(6, False)]
    ((trust, reasons),) = rows(of_case, "SELECT trust, trust_reasons FROM run_summary")
    assert trust == "limited"
    assert "1 of 8 graph replays recorded no kernel" in reasons.split("; ")
    columns = "steps, round(ms_per_step * 1000, 3), round(gpu_ms * 1000, 3)"
    assert us_of(of_case, columns, "phase_time", "steps > 0") == [(7, 200.0, 1400.0)]
    query = (
        "SELECT family, launches_per_step FROM launches_per_token WHERE phase = 'decode' ORDER BY 1"
    )
    assert rows(of_case, query) == [("attention", 4.0), ("gemm", 8.0)]


@needs_shared
@pytest.mark.parametrize("of_case", [3], indirect=True)
def test_an_impossible_duration_is_named_and_kept(of_case):
    ((trust, reasons),) = rows(of_case, "SELECT trust, trust_reasons FROM run_summary")
    assert trust == "poor"
    assert reasons == (
        "impossible durations, the worst of elementwise_example<1> at 1700000000002048000 ns on"
        " stream 0 of device 0, 1999988.000 us past the start of the next launch (1)"
    )
    assert rows(of_case, "SELECT sum(dur_ns) FROM kernels") == [(2_000_090_000,)]
