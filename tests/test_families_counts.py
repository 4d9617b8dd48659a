"""The launches that a model closes with, in real traces and in the demo."""

from collections import Counter
from pathlib import Path

import pytest

import profdb

from .test_family_rules import SHARED, first_matches, gpu_times, rows

CHROME = SHARED / "traces" / "chrome"
TRACES = {
    "vllm_gptoss20b_mi300_mixed_piecewise": {
        ("gemm", "tensile"): 73,
        ("moe", "triton"): 48,
        ("moe", "routing"): 120,
        ("attention", "triton"): 24,
    },
    "vllm_gptoss120b_b200_eager_prefill": {
        ("gemm", "nvjet"): 109,
        ("moe", "trtllm"): 72,
        ("moe", "routing"): 144,
        ("attention", "trtllm"): 36,
    },
    "sglang_qwen3_8b_mi300_decode": {
        ("gemm", "tensile"): 145,
        ("attention", "paged"): 36,
        ("attention", "reduce"): 36,
    },
}
SERVING = ("gemm", "gemv", "moe", "attention", "linear_attention", "fused_communication")


@pytest.mark.skipif(not CHROME.is_dir(), reason="no shared traces beside the checkout")
@pytest.mark.parametrize("name", TRACES)
def test_launches_of_real_traces(name):
    counts = launches_of(CHROME / f"{name}.json.gz")
    assert {key: n for key, n in counts.items() if key[0] in SERVING} == TRACES[name]


def launches_of(path: Path) -> Counter:
    """Launches by family and implementation."""
    launches = gpu_times(path, each=lambda event: 1)
    families = first_matches(launches)
    counts: Counter = Counter()
    for name, number in launches.items():
        counts[families[name][1:]] += number
    return counts


def test_decode_of_the_demo(demo_warehouse):
    with profdb.open(demo_warehouse) as warehouse:
        found = warehouse.sql(
            "SELECT family, implementation, launches_per_step FROM launches_per_token"
            " WHERE label = 'dcu' AND phase = 'decode'"
        ).fetchall()
    assert sorted(row for row in found if row[0] in SERVING) == [
        ("attention", "paged", 16),
        ("gemm", "tensile", 129),
        ("gemv", "LLMM1", 176),
        ("linear_attention", "conv1d", 48),
        ("linear_attention", "fla", 48),
    ]


def test_served_kinds_name_what_the_rules_give():
    kinds = rows("served_kinds.csv")
    given = {(rule["family"], rule["implementation"]) for rule in rows("families.csv")}
    named = [(row["family"], row["implementation"]) for row in kinds]
    assert len(set(named)) == len(named)
    assert {row for row in named if row[1] != "*"} <= given
    assert {row["kind"] for row in kinds} == {
        "linear", "experts", "attention", "linear_attention", "beside",
    }  # fmt: skip
