"""Real traces of nine profilers, against a plain reader and against counts made by hand."""

import gzip
import json
from decimal import Decimal
from pathlib import Path

import pytest

import profdb

from .traces import (
    SHARED,
    fresh,
    ingested,
    needs_shared,
    rows,
    stored_events,
    stored_kernels,
    stored_ledger,
)
from .traces_model import Model

pytestmark = needs_shared
CHROME = SHARED / "traces" / "chrome"

TRUTHS = {
    # events, device events, kernels, sum of their durations in us
    "vllm_gptoss120b_b200_eager_prefill": (24656, 929, 768, "11665.760"),
    "vllm_gptoss20b_mi300_mixed_piecewise": (19289, 423, 413, "156085.905"),
    "sglang_qwen3_8b_mi300_decode": (2058, 558, 555, "9778.614"),
    "hf_qwen15_mi300": (18090, 1517, 1516, "43062.802"),
    "mi210_gpu_only": (2443, 562, 562, "5343.422"),
    "torch_compile_triton_mi300": (246, 12, 12, "12549.021"),
    "nccl_a100_two_rank": (40573, 3774, 2700, "165185.838"),
    "ns_resolution_v100": (68692, 6095, 4350, "472454.441"),
    "kineto_2021_resnet50_v100": (75718, 9096, 8772, "603558"),
}
STEPS = {
    # contexts; phase, requests and tokens of prompts and of generation, device events inside
    "vllm_gptoss120b_b200_eager_prefill": (1, ("prefill", 1, 888, 0, 0, 929)),
    "vllm_gptoss20b_mi300_mixed_piecewise": (1, ("mixed", 9, 8155, 37, 37, 423)),
    "sglang_qwen3_8b_mi300_decode": (1, ("decode", 0, 0, 32, 32, 551)),
    "hf_qwen15_mi300": (1, ("unknown", None, None, None, None, 1054)),
    "mi210_gpu_only": (0, None),
    "torch_compile_triton_mi300": (0, None),
    "nccl_a100_two_rank": (3, ("unknown", None, None, None, None, 1258)),
    "ns_resolution_v100": (5, ("unknown", None, None, None, None, 1219)),
    "kineto_2021_resnet50_v100": (6, ("unknown", None, None, None, None, 1516)),
}


def plain_events(path: Path) -> tuple[list, int]:
    with gzip.open(path) as file:
        content = json.load(file, parse_float=Decimal)
    return content["traceEvents"], content.get("baseTimeNanoseconds", 0)


@pytest.mark.parametrize("name", TRUTHS)
def test_a_real_trace_is_stored_exactly(name, tmp_path):
    source, path = CHROME / f"{name}.json.gz", fresh(tmp_path)
    events, base = plain_events(source)
    for python in (False, True):
        with profdb.open(path) as warehouse:
            warehouse.ingest(source, python=python, replace=python)
        check_totals(name, path)
        check_steps(name, path)
        model = Model(events, base, python)
        assert stored_ledger(path, name) == model.ledger()
        assert stored_kernels(path, name) == model.kernels()
    assert stored_events(path, name) == model.host_events()


def check_totals(name, path):
    events, device_events, kernels, duration = TRUTHS[name]
    found = rows(path, "SELECT events, gpu_events, kernels FROM run_summary")
    assert found == [(events, device_events, kernels)]
    ((total,),) = rows(path, "SELECT sum(dur_ns) FROM kernels")
    assert total == Decimal(duration) * 1000
    by_phase = rows(path, "SELECT CAST(round(gpu_ms * 1e6) AS BIGINT) FROM phase_time")
    assert sum(ns for (ns,) in by_phase) == total
    ((seen, kept),) = rows(path, "SELECT sum(seen), sum(stored + set_aside) FROM ingest_ledger")
    assert seen == kept == events


def check_steps(name, path):
    count, expected = STEPS[name]
    found = rows(
        path,
        "SELECT phase, context_requests, context_tokens, generation_requests, generation_tokens,"
        " launches FROM context_time",
    )
    assert found == [expected] * count


@pytest.fixture(scope="module")
def sglang(tmp_path_factory):
    source = CHROME / "sglang_qwen3_8b_mi300_decode.json.gz"
    return ingested(tmp_path_factory.mktemp("sglang"), source)


def test_gemm_launches_of_a_decode_step_close_with_its_layers(sglang):
    found = rows(
        sglang,
        "SELECT sum(launches) FROM launches_per_token WHERE phase = 'decode' AND family = 'gemm'",
    )
    assert found == [(36 * 4 + 1,)]


def test_one_graph_launch_holds_the_replayed_kernels(sglang):
    query = "SELECT count(DISTINCT correlation) FROM kernels WHERE graph_replay"
    assert rows(sglang, query) == [(1,)]


def test_kernels_before_the_first_launch_lie_at_the_start(tmp_path):
    with profdb.open(tmp_path / "w.duckdb") as warehouse:
        warehouse.ingest(CHROME / "hf_qwen15_mi300.json.gz")
        query = (
            "SELECT attribution, count(*), max(start_ns) < (SELECT min(start_ns) FROM kernels"
            " WHERE launch_ns IS NOT NULL) FROM kernels WHERE launch_ns IS NULL GROUP BY ALL"
        )
        assert warehouse.sql(query).fetchall() == [("launched before the window", 463, True)]
