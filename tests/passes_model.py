"""Random models and the kernel lists that they leave on an Ascend device, with the true passes."""

from dataclasses import dataclass, field
from functools import cache
from random import Random

import numpy as np

from profdb.ingest.passes import Kernels

HIDDEN, VOCABULARY = 6144, 154880
Row = tuple[str, str, float]
"""Operator, shape, nominal duration in us of a decode pass."""


@dataclass(frozen=True)
class Model:
    """How the kernels of a pass look."""

    layers: int
    dense: int
    """First layers without experts; all of them in a dense model."""
    hidden: int = HIDDEN
    every_fourth: bool = True
    phase_attention: bool = False
    """Prefill runs another attention operator than decode, whose is the longest of all."""
    once: bool = True
    """Embedding, lm_head and sampling run once a pass."""
    drafts: int = 0
    gaps: bool = True
    preparing: bool = True
    second_stream: bool = False
    many_small: bool = True


@dataclass(frozen=True)
class Truth:
    """A pass as it was run."""

    first: int
    end: int
    tokens: int
    role: str
    kind: str
    """decode, prefill, mixed, draft or idle."""
    complete: bool


@dataclass
class Window:
    """A kernel list and its true passes."""

    kernels: Kernels
    passes: list[Truth]
    note: str = ""


@dataclass
class Plan:
    """What runs: (kind, tokens, rows of lm_head) per pass, and what the window does to it."""

    model: Model
    passes: list[tuple[str, int, int]]
    missing: float = 0.0
    cut_first: float = 0.0
    """Share of the first pass that the window lost."""
    cut_last: float = 0.0
    notes: list[str] = field(default_factory=list)


def layer(model: Model, place: int, tokens: int, kind: str) -> list[Row]:
    """The operators of one layer."""
    t, h = tokens, model.hidden
    rows: list[Row] = [
        ("AddRmsNorm", f"{t},{h};{t},{h};{h}", 6),
        ("QuantBatchMatmulV3", f"{t},{h};{h},2048;2048;;{t}", 12),
        ("KvRmsNormRopeCache", f"{t},1,1,576;576;{t};1024,128,1,64", 7),
    ]
    if model.many_small:
        rows += [
            ("RmsNorm", f"{t},2048;2048", 4),
            ("QuantBatchMatmulV3", f"{t},2048;2048,16384;16384;;{t}", 14),
            ("TransposeBatchMatMul", f"{t},64,192;64,192,512", 20),
        ]
    if model.every_fourth and place % 4 == 0:
        rows.append(("LightningIndexer", f"{t},32,128;4096,128,1,128", 400))
    rows += attention(model, t, kind)
    rows += [
        ("QuantBatchMatmulV3", f"{t},16384;16384,{h};{h};;{t}", 26),
        ("hcom_allReduce_", "", 15),
        ("AddRmsNorm", f"{t},{h};{t},{h};{h}", 6),
    ]
    return rows + (dense(h, t) if place < model.dense else experts(h, t))


def attention(model: Model, t: int, kind: str) -> list[Row]:
    """Attention; a mixed pass runs that of both phases where they differ."""
    decode = ("SparseFlashAttention", f"{t},64,576;4096,128,1,512;{t}", 95.0)
    if not model.phase_attention:
        return [decode]
    decode = (*decode[:2], 900.0)
    prefill = ("FusedInferAttentionScore", f"{t},64,576;4096,128,1,512", 95.0)
    return {"prefill": [prefill], "mixed": [decode, prefill]}.get(kind, [decode])


def dense(h: int, t: int) -> list[Row]:
    """A feed-forward block."""
    return [
        ("QuantBatchMatmulV3", f"{t},{h};{h},24576;24576;;{t}", 40),
        ("SwiGlu", f"{t},24576", 5),
        ("QuantBatchMatmulV3", f"{t},12288;12288,{h};{h};;{t}", 30),
    ]


def experts(h: int, t: int) -> list[Row]:
    """A block of experts, its communication fused."""
    return [
        ("MatMulV2", f"{t},{h};256,{h}", 12),
        ("MoeGatingTopK", f"{t},256;256", 8),
        ("DispatchFFNCombine", f"{t},{h};8,{h},4096;8,2048,{h};{t},8;{t},8;1;1;1", 280),
    ]


def head(h: int, t: int, rows: int) -> list[Row]:
    """What follows the layers."""
    return [
        ("GatherV2", f"{t},{h};{rows};1", 3),
        ("MatMulV2", f"{rows},{h};{VOCABULARY},{h}", 300),
        ("ArgMaxV2", f"{rows},{VOCABULARY};1", 20),
    ]


@cache
def target(model: Model, kind: str, t: int, rows: int) -> list[Row]:
    """A pass of the model itself."""
    h = model.hidden
    found: list[Row] = [("GatherV3", f"{VOCABULARY},{h};{t};1", 5)] if model.once else []
    for place in range(model.layers):
        found += layer(model, place, t, kind)
    if model.once and kind != "idle":
        found += [("RmsNorm", f"{t},{h};{h}", 6), *head(h, t, rows)]
    return found


@cache
def draft(model: Model, t: int) -> list[Row]:
    """A pass of a draft model of one layer."""
    h = model.hidden
    return [
        ("GatherV3", f"{VOCABULARY},{h};{t};1", 5),
        ("ConcatD", f"{t},{h};{t},{h}", 4),
        ("MatMulV2", f"{t},{2 * h};{2 * h},{h}", 30),
        *layer(model, max(1, model.dense), t, "decode"),
        ("MatMulV2", f"{t},{h};{VOCABULARY},{h}", 300),
        ("ArgMaxV2", f"{t},{VOCABULARY};1", 20),
    ]


def run(plan: Plan, seed: int) -> Window:
    """Lay the kernels of a plan out in time."""
    rng = Random(seed)
    rows: list[Row] = []
    waits: list[int] = []
    passes: list[Truth] = []
    last = len(plan.passes) - 1
    for number, (kind, t, requests) in enumerate(plan.passes):
        steps = [(kind, t, target(plan.model, kind, t, requests))]
        steps += [("draft", requests, draft(plan.model, requests))] * plan.model.drafts
        for name, tokens, todo in steps:
            cut = 0.0
            if name != "draft" and number == 0 and plan.cut_first:
                cut, todo = plan.cut_first, todo[int(len(todo) * plan.cut_first) :]
            if name != "draft" and number == last and plan.cut_last:
                cut, todo = plan.cut_last, todo[: int(len(todo) * (1 - plan.cut_last))]
            begin = len(rows)
            if plan.model.preparing and name != "draft" and not (number == 0 and cut):
                for _ in range(rng.randint(2, 6)):
                    rows.append((rng.choice(["Fill", "Cast", "Index", "Arange"]), "1;", 1.5))
            rows += todo
            wait = [800] * (len(rows) - begin)
            wait[0] = rng.randint(40_000, 400_000) if plan.model.gaps else 800
            waits += wait
            role = "draft" if name == "draft" else "target"
            passes.append(Truth(begin, len(rows), tokens, role, name, not cut))
            if number == last and plan.cut_last:
                break
    return _window(plan, rows, waits, passes, seed)


def _window(
    plan: Plan, rows: list[Row], waits: list[int], passes: list[Truth], seed: int
) -> Window:
    rng = np.random.default_rng(seed)
    number = np.repeat(np.arange(len(passes)), [p.end - p.first for p in passes])
    tokens = np.array([p.tokens for p in passes])[number]
    nominal = np.array([us for *_, us in rows]) * 1000 * np.where(tokens > 64, 6, 1)
    dur = (nominal * (1 + 0.2 * rng.random(len(rows)))).astype(np.int64)
    wait = np.array(waits) + rng.integers(-600, 700, len(rows))
    start = 1_000_000_000_000 + np.cumsum(wait) + np.concatenate(([0], np.cumsum(dur)[:-1]))
    op = [op for op, *_ in rows]
    shape = [shape for _, shape, _ in rows]
    kept = rng.random(len(rows)) >= plan.missing
    if plan.model.second_stream:
        beside = np.flatnonzero(rng.random(len(rows)) < 0.03)
        op += ["hcom_allGather_"] * len(beside)
        shape += [""] * len(beside)
        start = np.concatenate((start, start[beside] + dur[beside] // 2))
        dur = np.concatenate((dur, dur[beside] // 3))
        number = np.concatenate((number, number[beside]))
        kept = np.concatenate((kept, np.ones(len(beside), bool)))
    order = np.argsort(start, kind="stable")
    order = order[kept[order]]
    return _numbered(op, shape, start, dur, order, number[order], passes)


def _numbered(op, shape, start, dur, order, number, passes) -> Window:  # type: ignore[no-untyped-def]
    ops, shapes = list(dict.fromkeys(op)), list(dict.fromkeys(shape))
    op_id = {text: i for i, text in enumerate(ops)}
    shape_id = {text: i for i, text in enumerate(shapes)}
    kernels = Kernels(
        start[order],
        dur[order],
        np.array([op_id[text] for text in op])[order],
        np.array([shape_id[text] for text in shape])[order],
        ops,
        shapes,
    )
    truth = []
    for place, one in enumerate(passes):
        held = np.flatnonzero(number == place)
        truth.append(
            Truth(int(held[0]), int(held[-1]) + 1, one.tokens, one.role, one.kind, one.complete)
        )
    return Window(kernels, truth)


def shuffled(kernels: Kernels, seed: int) -> Kernels:
    """The same kernels in any order: no passes."""
    order = np.random.default_rng(seed).permutation(len(kernels))
    return Kernels(
        kernels.start_ns, kernels.dur_ns, kernels.op[order], kernels.shape[order],
        kernels.ops, kernels.shapes,
    )  # fmt: skip
