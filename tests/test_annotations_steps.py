"""Steps in small traces: nested, drafts, speculation, those that only the device tells."""

import gzip
import json

import pytest

from profdb.reports import render_budget
from profdb.warehouse import Warehouse

from .traces import SHARED, ingested, launched, needs_shared, rows, span, write

DECODE = "execute_context_0(0)_generation_{0}({0})"
STEPS = "SELECT name, phase, launches, round(gpu_ms * 1000, 3) FROM context_time ORDER BY start_ns"
TRUST = "SELECT trust, trust_reasons FROM run_summary"


def note(name, ts, dur, **more):
    return span("user_annotation", name, ts, dur, **more)


def stored(folder, *events):
    flat = [e for part in events for e in (part if isinstance(part, list) else [part])]
    return ingested(folder, write(folder / "t.json", flat))


def budget(path):
    with Warehouse.open(path) as warehouse:
        return render_budget(warehouse, "t")


def test_families_that_nest_are_one_step_with_the_facts_of_both(tmp_path):
    path = stored(
        tmp_path,
        note("execute_9_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq16sk99sqsq64sqsk400)", 0, 100),
        note("step[VERIFY bs=4]", 5, 80),
        launched(1, 10, 40, 10),
        launched(2, 90, 60, 20),
    )
    assert rows(path, STEPS) == [("step[VERIFY bs=4]", "decode", 1, 10.0)]
    query = "SELECT generation_tokens, generation_sk, generation_sqsk FROM contexts"
    assert rows(path, query) == [(16, 99, 400)]


def test_a_draft_inside_its_target_is_a_step_apart(tmp_path):
    path = stored(
        tmp_path,
        note("step[TARGET_VERIFY bs=2]", 0, 100),
        note("step[DRAFT bs=2]", 40, 30),
        launched(1, 10, 200, 10),
        launched(2, 50, 210, 4),
        launched(3, 80, 220, 20),
        note("step[TARGET_VERIFY bs=2]", 300, 100),
        launched(4, 310, 400, 10),
    )
    assert rows(path, STEPS) == [
        ("step[TARGET_VERIFY bs=2]", "decode", 2, 30.0),
        ("step[DRAFT bs=2]", "draft", 1, 4.0),
        ("step[TARGET_VERIFY bs=2]", "decode", 1, 10.0),
    ]
    # The period goes from target to target.
    query = "SELECT phase, period_ms * 1000 FROM context_time WHERE period_ms IS NOT NULL"
    assert rows(path, query) == [("decode", 200.0)]
    phases = rows(path, "SELECT phase, steps, tokens, launches FROM phase_time ORDER BY 1")
    assert phases == [("decode", 2, None, 3), ("draft", 1, None, 1)]


def test_drafts_that_alternate_with_targets(tmp_path):
    parts = []
    for n in range(3):
        at = 1000 * n
        parts += [
            note("step[DECODE bs=1]", at, 100),
            note("step[DRAFT_EXTEND_V2 bs=1]", at + 200, 50),
        ]
        parts += [
            launched(2 * n + 1, at + 10, at + 400, 30),
            launched(2 * n + 2, at + 210, at + 500, 5),
        ]
    path = stored(tmp_path, *parts)
    query = "SELECT phase, steps, launches, ms_per_step * 1000, period_ms * 1000 FROM phase_time"
    assert sorted(rows(path, query)) == [
        ("decode", 3, 3, 30.0, 1000.0),
        ("draft", 3, 3, 5.0, 1000.0),
    ]
    page = budget(path)
    assert "## Steps of the draft model by family" in page and "| draft | – | 3 |" in page


@pytest.mark.parametrize("targets", [True, False])
def test_what_stands_around_a_draft_is_told_by_the_families(tmp_path, targets):
    """A tool that names every call also names the draft's; else the outer span is the target."""
    parts = [
        note(DECODE.format(1), 0, 100),
        note("step[DRAFT bs=1]", 5, 60),
        launched(1, 10, 40, 10),
    ]
    parts += [launched(2, 80, 60, 7)]
    if targets:
        parts += [note(DECODE.format(1), 200, 100), note("step[DECODE bs=1]", 205, 60)]
        parts += [launched(3, 210, 240, 20)]
    path = stored(tmp_path, *parts)
    first = ("step[DRAFT bs=1]", "draft", 1, 10.0)
    if targets:
        assert rows(path, STEPS) == [first, ("step[DECODE bs=1]", "decode", 1, 20.0)]
    else:
        assert sorted(rows(path, STEPS)) == [(DECODE.format(1), "decode", 1, 7.0), first]
    assert rows(path, "SELECT sum(launches) FROM phase_time") == [(3 if targets else 2,)]


@pytest.mark.parametrize("steps", [True, False])
def test_the_draft_scope_of_vllm_counts_beside_its_steps(tmp_path, steps):
    parts = [note("gpu_model_runner: draft", 200, 50), launched(2, 210, 300, 6)]
    if steps:
        parts += [note(DECODE.format(1), 0, 100), launched(1, 10, 40, 10)]
    path = stored(tmp_path, *parts)
    found = rows(path, "SELECT phase, launches FROM phase_time ORDER BY 1")
    assert found == ([("decode", 1), ("draft", 1)] if steps else [("unknown", 1)])
    assert rows(path, "FROM step_like") == []


def test_scheduled_tokens_of_speculation_never_divide(tmp_path):
    parts = []
    for n, name in enumerate(["execute_context_0(0)_generation_2(8)", DECODE.format(2)]):
        parts += [note(name, 1000 * n, 100), launched(n + 1, 1000 * n + 10, 1000 * n + 40, 10)]
    path = stored(tmp_path, *parts)
    query = "SELECT steps, tokens, ms_per_step * 1000, ms_per_token FROM phase_time"
    assert rows(path, query) == [(2, None, 10.0, None)]
    query = "SELECT launches_per_step, launches_per_token FROM launches_per_token"
    assert rows(path, query) == [(1.0, None)]
    page = budget(path)
    told = (
        "Speculative: 8 scheduled tokens for 2 requests; how many were accepted is not in a trace"
    )
    assert page.count(told) == 1
    assert "per token it is not told: the steps are speculative" in page


def test_tokens_count_where_requests_are_not_told(tmp_path):
    path = stored(tmp_path, note(DECODE.format(3), 0, 100), launched(1, 10, 40, 9))
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE contexts SET generation_requests = NULL")
    assert rows(path, "SELECT tokens, ms_per_token * 1000 FROM phase_time") == [(3, 3.0)]


def shade(name, ts, dur, stream=7, device=0, **args):
    """A span that the device shows of an annotation."""
    return span("gpu_user_annotation", name, ts, dur, device, stream, device=device,
                stream=stream, **args)  # fmt: skip


def work(name, ts, dur, stream=7, device=0):
    return span("kernel", name, ts, dur, device, stream, device=device, stream=stream,
                correlation=int(ts))  # fmt: skip


def test_steps_that_only_the_device_tells(tmp_path):
    kernels = [work("k", ts, 10) for ts in (1, 20, 30, 40, 50, 60, 90)]
    path = stored(
        tmp_path, kernels,
        shade(DECODE.format(1), 20, 20), shade(DECODE.format(2), 40.001, 19.999),
        shade("ProfilerStep#1", 20, 50),
    )  # fmt: skip
    query = "SELECT name, source, complete, start_ns, end_ns FROM contexts ORDER BY start_ns"
    found = rows(path, query)
    assert [(name, source, done) for name, source, done, *_ in found] == [
        (DECODE.format(n), "device annotation", True) for n in (1, 2)
    ]
    # The first nanosecond and the very end belong to the span.
    assert [n for _, _, n, _ in rows(path, STEPS)] == [2, 3]
    query = "SELECT attribution, count(*) FROM kernels GROUP BY 1 ORDER BY 1"
    assert rows(path, query) == [("device annotation", 5), ("no launch call recorded", 2)]
    trust = "no launch calls recorded, device work cannot be given to steps (2)"
    assert rows(path, TRUST) == [("limited", trust)]
    assert "No step was recorded on the host; they come from: device annotation" in budget(path)


def test_a_device_step_at_the_edge_of_the_window_may_be_cut(tmp_path):
    spans = [shade(DECODE.format(n), 100 * n, 50) for n in (1, 2, 3)]
    kernels = [work("k", 100 * n + at, 10) for n in (1, 2, 3) for at in (0, 40)]
    path = stored(tmp_path, spans, kernels)
    query = "SELECT complete FROM contexts ORDER BY start_ns"
    assert rows(path, query) == [(False,), (True,), (False,)]


def test_streams_of_one_device_step_count_once(tmp_path):
    named, linked = DECODE.format(1), {"External id": 5}
    path = stored(
        tmp_path,
        [shade(named, 10, 50, 7, **linked), shade(named, 70, 5, 8, **linked)],
        [shade(named, 100, 50, 7), shade(named, 140, 30, 8)],
        [work("a", 10, 5), work("a", 72, 3, 8), work("a", 110, 5), work("a", 165, 3, 8)],
        [shade("step[DECODE bs=1]", 100, 50, 7), shade("step[DECODE bs=1]", 140, 30, 8)],
    )  # fmt: skip
    assert [row[:3] for row in rows(path, STEPS)] == [
        (named, "decode", 2), ("step[DECODE bs=1]", "decode", 2)
    ]  # fmt: skip


def test_steps_of_the_host_win_over_those_of_the_device(tmp_path):
    path = stored(
        tmp_path, note(DECODE.format(1), 0, 100), launched(1, 10, 300, 10),
        shade(DECODE.format(1), 300, 10), shade(DECODE.format(9), 500, 10), work("x", 505, 1),
    )  # fmt: skip
    assert rows(path, "SELECT source, count(*) FROM contexts GROUP BY 1") == [("annotation", 1)]


@needs_shared
def test_a_real_trace_without_its_host_side(tmp_path):
    real = SHARED / "traces" / "chrome" / "vllm_gptoss120b_b200_eager_prefill.json.gz"
    events = json.loads(gzip.decompress(real.read_bytes()))["traceEvents"]
    path = stored(tmp_path, [e for e in events if str(e.get("cat")).startswith(("kernel", "gpu_"))])
    query = "SELECT phase, source, context_tokens, context_sqsq FROM contexts"
    assert rows(path, query) == [("prefill", "device annotation", 888, 788544)]
    query = "SELECT attribution, count(*) FROM kernels GROUP BY 1 ORDER BY 2"
    assert rows(path, query) == [("no launch call recorded", 1), ("device annotation", 928)]
