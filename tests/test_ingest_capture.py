"""Operators and shapes of replayed kernels, from traces of the capture of their graphs."""

from pathlib import Path

import pytest

from profdb.ingest.capture_align import interleave

from .captures import (
    NO_MATCH,
    NO_NAMES,
    NO_SIZE,
    Captured,
    at,
    decode,
    doubts,
    executed,
    full,
    gemm,
    linear,
    norm,
    pieces,
    step,
    told,
)
from .traces import ingested, rows, span


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_the_smallest_size_that_holds_the_tokens_is_the_one(tmp_path: Path, run: Path) -> None:
    for size in (4, 8, 16):
        full(at(run, size), size, norm(size), linear(size))
    replay = ["rms_norm", "Cijk_gemm"]
    executed(run, decode(1, 4, replay), decode(2, 5, replay), decode(3, 17, replay))
    warehouse = ingested(tmp_path, run)
    assert told(warehouse) == [
        ("rms_norm", "vllm::rms_norm", "4,8", "capture"), gemm("4,8;8,8"),
        ("rms_norm", "vllm::rms_norm", "8,8", "capture"), gemm("8,8;8,8"),
        # No size holds 17 tokens: a trace of one was lost.
        ("rms_norm", "vllm::rms_norm", "", "none"), gemm("", "none"),
    ]  # fmt: skip
    assert doubts(warehouse) == {NO_SIZE: 1}
    dtypes = "SELECT DISTINCT dtype FROM kernel_events WHERE op = 'aten::mm' AND shape <> ''"
    assert rows(warehouse, dtypes) == [("c10::BFloat16;c10::BFloat16",)]


def test_other_names_match_nothing(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, norm(4), linear(4))
    replays = ["rms_norm", "other"], ["rms_norm"], ["Cijk_gemm", "rms_norm"]
    executed(run, *(decode(n, 4, kernels) for n, kernels in enumerate(replays, 1)))
    warehouse = ingested(tmp_path, run)
    assert {(op, source) for _, op, _, source in told(warehouse)} == {(None, "none")}
    assert doubts(warehouse) == {NO_MATCH: 3}


def test_where_the_tokens_are_not_told_sizes_must_agree(tmp_path: Path, run: Path) -> None:
    weights = ("cast", "aten::to", [[8, 8]])
    for size in (4, 8):
        full(at(run, size), size, weights, linear(size))
    executed(run, list(step(1, "execute_new_0_cached_3", ["cast", "Cijk_gemm"])))
    warehouse = ingested(tmp_path, run)
    assert told(warehouse) == [("cast", "aten::to", "8,8", "capture"), gemm("", "none")]
    assert doubts(warehouse) == {NO_SIZE: 1}


@pytest.mark.parametrize("suffix", [" [clone .kd]", ".kd"])
def test_suffixes_of_the_platform_do_not_count(tmp_path: Path, run: Path, suffix: str) -> None:
    full(at(run, 4), 4, norm(4), linear(4))
    executed(run, decode(1, 4, ["rms_norm" + suffix, "Cijk_gemm" + suffix]))
    assert [row[2] for row in told(ingested(tmp_path, run))] == ["4,8", "4,8;8,8"]


def test_copies_match_by_their_kind(tmp_path: Path, run: Path) -> None:
    trace = Captured()
    trace.mark("BeginCapture")
    trace.launch(linear(4))
    trace.events.append(span("cuda_runtime", "hipMemcpyAsync", next(trace.clock), 1))
    trace.events.append(span("cuda_runtime", "hipMemsetAsync", next(trace.clock), 1))
    trace.mark("EndCapture")
    trace.annotate("capture_4_FULL")
    trace.write(at(run, 4))
    fill = "__amd_rocclr_fillBufferAligned"
    executed(run, decode(1, 4, ["Cijk_gemm", "Memcpy DtoD (Device -> Device)", fill]))
    assert told(ingested(tmp_path, run))[0] == gemm("4,8;8,8")


def test_kernels_of_one_name_are_told_apart_by_position(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, linear(4, 8), linear(4, 16), linear(4, 8))
    executed(run, decode(1, 4, ["Cijk_gemm"] * 3))
    shapes = [row[2] for row in told(ingested(tmp_path, run))]
    assert shapes == ["4,8;8,8", "4,16;16,16", "4,8;8,8"]


def test_nodes_of_the_graph_tell_kernels_apart(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, linear(4, 8), linear(4, 16))
    # The second node ran first, on a stream of its own.
    executed(run, decode(1, 4, [("Cijk_gemm", 9, 12), ("Cijk_gemm", 3, 11)]))
    assert [row[2] for row in told(ingested(tmp_path, run))] == ["4,16;16,16", "4,8;8,8"]


def test_streams_take_their_launches_in_order(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, norm(4), linear(4, 8), ("gate", "aten::mul", [[4]]), linear(4, 16))
    replay = [("rms_norm", 3, 0), ("gate", 9, 0), ("Cijk_gemm", 3, 0), ("Cijk_gemm", 3, 0)]
    executed(run, decode(1, 4, replay))
    shapes = [row[2] for row in told(ingested(tmp_path, run))]
    assert shapes == ["4,8", "4", "4,8;8,8", "4,16;16,16"]


def test_a_launch_that_fits_two_streams_is_not_guessed() -> None:
    assert interleave([1, 1], [1, 1], [3, 9]) is None


def test_pieces_match_in_the_order_of_the_step(tmp_path: Path, run: Path) -> None:
    for size in (4, 8):
        layers = [[linear(size, 8)], [linear(size, 16), norm(size)], [linear(size, 32)]]
        pieces(at(run, size), size, *layers)
    replays = ["Cijk_gemm"], ["Cijk_gemm", "rms_norm"], ["Cijk_gemm"]
    executed(run, decode(1, 6, *replays))
    assert [row[2] for row in told(ingested(tmp_path, run))] == [
        "8,8;8,8", "8,16;16,16", "8,8", "8,32;32,32"
    ]  # fmt: skip


def test_of_a_cut_step_pieces_count_where_they_agree(tmp_path: Path, run: Path) -> None:
    pieces(at(run, 4), 4, [norm(4)], [linear(4, 8)], [linear(4, 16)])
    executed(run, decode(1, 4, ["rms_norm"], ["Cijk_gemm"]))
    warehouse = ingested(tmp_path, run)
    assert told(warehouse) == [
        ("rms_norm", "vllm::rms_norm", "4,8", "capture"), gemm("", "none")
    ]  # fmt: skip
    assert doubts(warehouse) == {NO_SIZE: 1}


def test_without_marks_a_replay_is_a_slice_of_the_launches(tmp_path: Path, run: Path) -> None:
    pieces(at(run, 4), 4, [norm(4), linear(4, 8)], [norm(4)], marked=False)
    executed(run, decode(1, 4, ["rms_norm", "Cijk_gemm"], ["rms_norm"]))
    assert [row[2] for row in told(ingested(tmp_path, run))] == ["4,8", "4,8;8,8", "4,8"]


def test_one_file_may_hold_all_sizes(tmp_path: Path, run: Path) -> None:
    trace = Captured()
    for size in (4, 8):
        since = next(trace.clock)
        trace.graph(linear(size))
        trace.annotate(f"capture_{size}_DECODE", since)
    name = "cuda_graph_capture-DecodeCudaGraphRunner-TP-0.json"
    trace.write(run / "graph_capture_profile" / name)
    executed(run, list(step(1, "step[DECODE bs=5]", ["Cijk_gemm"])))
    assert told(ingested(tmp_path, run)) == [gemm("8,8;8,8")]


def test_the_size_may_stand_in_the_name_alone(tmp_path: Path, run: Path) -> None:
    for size in (4, 8):
        trace = Captured()
        trace.graph(linear(size))
        trace.write(run / "capture_traces" / f"bs_{size}_rank0.json")
    executed(run, list(step(1, "step[DECODE bs=3]", ["Cijk_gemm"])))
    assert told(ingested(tmp_path, run)) == [gemm("4,8;8,8")]


def test_a_graph_outside_the_annotations_has_no_size(tmp_path: Path, run: Path) -> None:
    trace = Captured()
    trace.graph(linear(4))
    trace.annotate("capture_4_FULL")
    trace.graph(norm(7))
    trace.write(at(run, 4))
    executed(run, decode(1, 4, ["rms_norm"]), decode(2, 4, ["Cijk_gemm"]))
    assert told(ingested(tmp_path, run)) == [
        ("rms_norm", "vllm::rms_norm", "", "none"), gemm("4,8;8,8")
    ]  # fmt: skip


def test_sizes_of_sglang_are_requests(tmp_path: Path, run: Path) -> None:
    for size in (4, 8, 32):
        full(at(run, size), size, linear(size), mode="DECODE")
    outer = span("user_annotation", "execute_context_0(0)_generation_3(24)", 9_999, 6_000)
    executed(run, [outer], list(step(1, "step[VERIFY bs=3]", ["Cijk_gemm"])))
    assert told(ingested(tmp_path, run)) == [gemm("4,8;8,8")]


def test_a_replay_outside_any_step_takes_what_is_sure(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, linear(4))
    executed(run, list(step(1, "nothing", ["Cijk_gemm"])))
    assert told(ingested(tmp_path, run)) == [gemm("4,8;8,8")]


def test_an_operator_of_triton_is_its_kernel(tmp_path: Path, run: Path) -> None:
    trace = Captured("cuda")
    trace.graph(("triton_poi_0", "triton_poi_0", [[4]]), ("triton_poi_1", "old", [[8]]))
    first, second = (event["args"] for event in trace.events if event["cat"] == "cpu_op")
    first["kernel_backend"] = "triton"
    second |= {"kernel_backend": "triton", "kernel_name": "triton_poi_1"}
    trace.annotate("capture_4_FULL")
    trace.write(at(run, 4))
    executed(run, decode(1, 4, ["triton_poi_0", "triton_poi_1"]))
    assert [row[1:3] for row in told(ingested(tmp_path, run))] == [
        ("triton_poi_0", "4"), ("old", "8")
    ]  # fmt: skip


def test_cuda_tells_names_by_a_warm_up(tmp_path: Path, run: Path) -> None:
    trace = Captured("cuda")
    trace.launch(linear(4, 8), runs=True)
    trace.launch(("nvjet", "aten::mm", [[4, 16], [16, 16]]), runs=True)
    trace.graph(linear(4, 8), ("nvjet", "aten::mm", [[4, 16], [16, 16]]))
    trace.annotate("capture_4_FULL")
    trace.write(at(run, 4))
    executed(run, decode(1, 4, ["Cijk_gemm", "nvjet"]), decode(2, 4, ["nvjet", "Cijk_gemm"]))
    warehouse = ingested(tmp_path, run)
    shapes = [row[2] for row in told(warehouse)]
    assert shapes == ["4,8;8,8", "4,16;16,16", "", ""]
    assert doubts(warehouse) == {NO_MATCH: 1}


def test_cuda_without_names_matches_nothing(tmp_path: Path, run: Path) -> None:
    trace = Captured("cuda")
    trace.graph(linear(4))
    trace.annotate("capture_4_FULL")
    trace.write(at(run, 4))
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    warehouse = ingested(tmp_path, run)
    assert told(warehouse) == [("Cijk_gemm", None, "", "none")]
    assert doubts(warehouse) == {NO_MATCH: 1, NO_NAMES: 1}


def test_what_the_trace_tells_itself_stays(tmp_path: Path, run: Path) -> None:
    full(at(run, 4), 4, linear(4))
    outer = {"External id": 5, "Input Dims": [[3]], "Input type": ["int"]}
    events = [*decode(1, 4, ["Cijk_gemm"]), span("cpu_op", "my::graph", 10_005, 50, **outer)]
    eager = decode(2, 4, ["Cijk_gemm"])
    for event in eager:
        event["name"] = event["name"].replace("GraphLaunch", "LaunchKernel")
    executed(run, events, eager)
    warehouse = ingested(tmp_path, run)
    assert told(warehouse, "true") == [
        ("Cijk_gemm", "my::graph", "3", "operator arguments"), ("Cijk_gemm", None, "", "none")
    ]  # fmt: skip
    assert doubts(warehouse) == {}
