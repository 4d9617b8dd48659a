"""Shapes of weights rule assignments out; widths and weight bytes only rank."""

import pytest

from profdb.closure import Fit, Launch, Model, Module, Seen, infer

A, B = ("gemm", "cutlass"), ("gemv", "skinny")
MODULES = (
    Module("qkv", "linear", 36, 2880, 5120),
    Module("o", "linear", 36, 4096, 2880),
    Module("router", "linear", 36, 2880, 128),
    Module("lm_head", "linear", 1, 2880, 201088),
)
QKV, O = "640;888,2880;2880,640;;", "888,512;512,2880"  # noqa: E741
ROUTER, LM_HEAD = "888,2880;128,2880", "8,2880;2880,25136"


def gpt_oss(shapes: dict[str, tuple[str, str]]) -> Fit:
    """Two groups of 72 and 37 launches, with the shapes of some of them."""
    step = [
        Launch(group, "linear", shape)
        for group, known in ((A, shapes["a"]), (B, shapes["b"]))
        for shape, times in zip(known, (36, 36) if group == A else (36, 1), strict=True)
        for _ in range(times)
    ]
    # The program is not known, so that no order can tell.
    return infer(Model(MODULES), "linear", [Seen(A, "linear", 72), Seen(B, "linear", 37)], step)


def test_tensor_parallel_shapes_leave_one() -> None:
    result = gpt_oss({"a": (QKV, O), "b": (ROUTER, LM_HEAD)})
    (reading,) = result.left
    assert reading.text == "cutlass = 36 qkv + 36 o; skinny = 36 router + 1 lm_head"
    assert reading.evidence == "shapes of the weights"
    assert reading.assignments == 1 and not reading.ambiguous


def test_shapes_count_for_count() -> None:
    result = gpt_oss({"a": (QKV, ROUTER), "b": (O, LM_HEAD)})
    assert result.readings[0].assignment["o"] == (B, 1)


def test_unknown_shapes_leave_all() -> None:
    result = gpt_oss({"a": ("", ""), "b": ("", "")})
    assert result.readings[0].assignments == 3
    assert result.readings[0].ambiguous == {"qkv", "o", "router"}


def test_foreign_shapes_leave_all() -> None:
    result = gpt_oss({"a": ("8,7;7,9", "8,7;7,9"), "b": ("8,7;7,9", "8,7;7,9")})
    assert result.readings[0].assignments == 3
    assert result.readings[0].ambiguous == {"qkv", "o", "router"}


def test_the_same_width_ranks_and_proves_nothing() -> None:
    modules = (
        Module("a", "linear", 4, 100, 10),
        Module("b", "linear", 4, 50, 20),
        Module("c", "linear", 1, 100, 10),
    )
    seen = [Seen(A, "linear", 5), Seen(B, "linear", 4)]
    (reading,) = infer(Model(modules), "linear", seen).readings
    assert reading.text == "cutlass = 4 a + 1 c; skinny = 4 b"
    assert reading.evidence == "same kernels for the same input width"
    assert reading.ambiguous == {"a", "b"}


@pytest.mark.parametrize(("fast", "big"), [(1, "cutlass"), (9, "skinny")])
def test_weights_per_time_rank(fast: int, big: str) -> None:
    modules = (Module("big", "linear", 4, 100, 90), Module("small", "linear", 4, 50, 20))
    seen = [Seen(A, "linear", 4, 9000), Seen(B, "linear", 4, 1000 * fast**2)]
    (reading,) = infer(Model(modules), "linear", seen).readings
    group, _ = reading.assignment["big"]
    assert group is not None and group[1] == big
    assert reading.evidence == "weights read per time"
    assert reading.ambiguous == {"big", "small"}
