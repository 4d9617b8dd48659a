"""What small traces tell beside their steps: graph replays, unannotated passes, doubts."""

from profdb.ingest.run import ingest, plan
from profdb.reports.summary import ingest_summary
from profdb.warehouse import Warehouse

from .test_annotations_steps import DECODE, TRUST, budget, note, stored, work
from .traces import ingested, launched, rows, span, write


def replay(number, at, start, count, name="k"):
    call = span("cuda_runtime", "cudaGraphLaunch", at, 2, correlation=number)
    return [call] + [
        span("kernel", name, start + 2 * n, 1, 0, 7, device=0, stream=7, correlation=number,
             **{"graph node id": n})
        for n in range(count)
    ]  # fmt: skip


def test_graph_replays_are_listed_and_compared(tmp_path):
    parts = []
    for n in range(4):
        at = 1000 * n
        parts += [note(DECODE.format(1), at, 100)]
        parts += replay(10 * n + 1, at + 10, at + 200, 3) + replay(
            10 * n + 2, at + 20, at + 300, 4 + n // 3
        )
    parts += replay(99, 9000, 9100, 1)
    path = stored(tmp_path, *parts)
    query = (
        "SELECT phase, replay, launches, count(*), round(sum(gpu_ms) * 1000, 3) FROM graph_replays"
        " GROUP BY ALL ORDER BY ALL"
    )
    assert rows(path, query) == [
        ("decode", 1, 3, 4, 12.0), ("decode", 2, 4, 3, 12.0), ("decode", 2, 5, 1, 5.0),
        ("outside", None, 1, 1, 1.0),
    ]  # fmt: skip
    assert rows(path, TRUST) == [("limited", "graph replays of unequal length (1)")]
    query = "SELECT DISTINCT graph_node_id FROM kernels ORDER BY 1 NULLS FIRST"
    assert rows(path, query) == [(None,), (1,), (2,), (3,), (4,)]


def test_replays_of_other_batches_are_not_compared(tmp_path):
    parts = []
    for n in range(4):
        parts += [note(DECODE.format(n + 1), 1000 * n, 100)]
        parts += replay(n + 1, 1000 * n + 10, 1000 * n + 200, 3 + n)
    assert rows(stored(tmp_path, *parts), TRUST) == [("ok", None)]


GEMM, ATTENTION = "Cijk_Alik_Bljk_BBS_BH_MT32x32x64_x", "paged_attention_kernel"


def test_forward_passes_without_an_annotation_are_told(tmp_path):
    parts = [note(DECODE.format(1), 0, 100), launched(1, 10, 100, 1, GEMM)]
    # Eager between two steps, with sampling after the step before.
    parts += [launched(2, 120, 150, 2, "sample"), launched(3, 200, 210, 5, GEMM)]
    parts += [launched(4, 220, 230, 5, ATTENTION)]
    parts += [note(DECODE.format(1), 1000, 100), launched(5, 1010, 1100, 1, GEMM)]
    parts += [launched(6, 1200, 1300, 5, GEMM)]
    parts += [note(DECODE.format(1), 2000, 100), launched(7, 2010, 2100, 1, GEMM)]
    for n in (8, 9):  # two replays of a whole pass
        at = 2100 + 100 * n
        parts += replay(n, at, at + 10, 2, GEMM)
        parts += [span("kernel", ATTENTION, at + 20, 3, 0, 7, device=0, stream=7, correlation=n)]
    path = stored(tmp_path, *parts)
    query = (
        "SELECT launches, graph_replays, linear_launches, attention_launches,"
        " round(gpu_ms * 1000, 3), start_ns FROM unannotated ORDER BY start_ns"
    )
    assert rows(path, query) == [
        (3, 0, 1, 1, 12.0, 150_000), (3, 1, 2, 1, 5.0, 2_910_000), (3, 1, 2, 1, 5.0, 3_010_000),
    ]  # fmt: skip
    told = "3 groups of launches outside any step look like forward passes"
    assert told in budget(path)


def test_pieces_of_a_graph_around_eager_attention_are_one_pass(tmp_path):
    parts = [note(DECODE.format(1), 0, 100), launched(1, 10, 100, 1, GEMM)]
    for n in range(3):
        parts += replay(10 + n, 500 + 20 * n, 600 + 20 * n, 2, GEMM)
        parts += launched(20 + n, 510 + 20 * n, 610 + 20 * n, 4, ATTENTION)
    path = stored(tmp_path, *parts)
    assert rows(path, "SELECT launches, graph_replays FROM unannotated") == [(9, 3)]


def test_a_profile_without_steps_has_no_unannotated_passes(tmp_path):
    path = stored(tmp_path, launched(1, 10, 20, 5, GEMM), launched(2, 30, 40, 5, ATTENTION))
    assert rows(path, "FROM unannotated") == []


def test_annotations_that_look_like_steps_are_listed(tmp_path):
    parts = [note("step[FOO bs=3]", 0, 100), launched(1, 10, 40, 10)]
    parts += [note("Execute_Context_1", 200 + 10 * n, 5) for n in range(3)]
    parts += [note("execute_model", 300, 5), span("cpu_op", "execute_kernel_x", 310, 5)]
    trace = write(
        tmp_path / "t.json", [e for p in parts for e in (p if isinstance(p, list) else [p])]
    )
    path = ingested(tmp_path, trace)
    assert rows(path, "SELECT label, name, spans FROM step_like ORDER BY spans") == [
        ("t", "step[FOO bs=3]", 1), ("t", "Execute_Context_1", 3)
    ]  # fmt: skip
    assert rows(path, TRUST) == [
        ("limited", "annotations that look like steps and are not understood (4)")
    ]
    assert rows(path, "SELECT phase, launches FROM phase_time") == [("unknown", 1)]
    with Warehouse.open(path, write=True) as warehouse:
        outcomes = ingest(warehouse, plan([trace])).outcomes
        told = ingest_summary(warehouse, outcomes, [], ["t"])
    (line,) = (row.strip() for row in told.splitlines() if row.startswith("  look like steps"))
    assert line.endswith("not understood: Execute_Context_1 (3 spans), step[FOO bs=3] (1 span)")


def test_only_the_most_frequent_unread_names_are_kept(tmp_path):
    parts = [note(f"execute_odd_{n}", n, 0.5) for n in range(130)] + [
        note("execute_odd_129", 200, 1)
    ]
    path = stored(tmp_path, *parts, launched(1, 300, 310, 5))
    assert rows(path, "SELECT count(*), max(spans) FROM step_like") == [(100, 2)]
    assert "are not understood (131)" in rows(path, TRUST)[0][1]


def test_time_counted_twice_on_one_stream_lowers_trust(tmp_path):
    path = stored(tmp_path, [work("k", 100 * n, 150) for n in range(1, 5)])
    assert "overlap on one stream (3)" in rows(path, TRUST)[0][1]


def test_a_little_overlap_is_no_fault(tmp_path):
    path = stored(tmp_path, [work("k", 100 * n, 102) for n in range(1, 5)])
    assert "overlap" not in rows(path, TRUST)[0][1]
