"""Steps of a vLLM trace with the exact device time of each launch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from ..errors import ProfdbError
from .durations import jittered, shares
from .figures import DecodeFigures, Figures, PrefillFigures, to_ns
from .hybrid_model import (
    SAMPLING,
    Launch,
    Node,
    Op,
    eager_layer,
    elementwise,
    embedding,
    head,
    input_copies,
    is_full,
    replay,
)

MS = 1_000_000


class Step(NamedTuple):
    """What one annotation launches: eager operators, a graph replay; then the sampling outside."""

    name: str
    tokens: int
    operators: Sequence[Op]
    replay: Sequence[Launch] = ()
    durations: Sequence[int] = ()
    sampling_ns: Sequence[int] = ()


class Counts(NamedTuple):
    """Copies inside each prefill and decode step, small kernels added to each prefill step."""

    prefill_copies: list[int]
    decode_copies: int
    small_kernels: list[int]


def launches(nodes: Iterable[Node]) -> Iterator[Launch]:
    """The launches of operators in the order of their calls."""
    for node in nodes:
        if isinstance(node, Launch):
            yield node
        else:
            yield from launches(node.inside)


def plan(figures: Figures, rng: Random) -> list[Step]:
    """All steps in order: prefill chunks, the tail, decode."""
    decode = figures.decode
    _check(figures.prefill.chunks > 0, "prefill.chunks", figures.prefill.chunks, 1)
    _check(decode.steps > 0, "decode.steps", decode.steps, 1)
    least_layers = max(2, decode.full_attention_interval)
    _check(decode.layers >= least_layers, "decode.layers", decode.layers, least_layers)
    graph = replay(decode)
    counts = _counts(figures, len(graph))
    prefills = [
        _prefill_operators(decode, copies, small)
        for copies, small in zip(counts.prefill_copies, counts.small_kernels, strict=True)
    ]
    inputs = input_copies(counts.decode_copies)
    inside = _prefill_times(figures.prefill, prefills, rng)
    inside += _decode_times(decode, [*launches(inputs), *graph], rng)
    outside = _outside_times(figures, len(inside), rng)
    steps = [Step(_name(tokens, 0), tokens, ops) for tokens, ops in _chunks(figures, prefills)]
    steps += [Step(_name(0, 1), 1, inputs, graph)] * decode.steps
    return [
        step._replace(durations=durations, sampling_ns=sampling)
        for step, durations, sampling in zip(steps, inside, outside, strict=True)
    ]


def _name(context: int, generation: int) -> str:
    return (
        f"execute_context_{int(context > 0)}({context})"
        f"_generation_{int(generation > 0)}({generation})"
    )


def _chunks(figures: Figures, prefills: list[list[Op]]) -> Iterator[tuple[int, list[Op]]]:
    prefill = figures.prefill
    tokens = [prefill.chunk_tokens] * prefill.chunks + [prefill.tail_tokens]
    return zip(tokens, prefills, strict=True)


def _counts(figures: Figures, graph_size: int) -> Counts:
    """Shares of the copies and of the kernels that the layers themselves do not account for."""
    trace, prefills = figures.trace, figures.prefill.chunks + 1
    steps = prefills + figures.decode.steps
    copies = trace.gpu_events - trace.kernels - steps
    _check(copies >= 0, "trace.gpu_events", trace.gpu_events, trace.kernels + steps)
    decode_copies = copies // steps
    layers = _prefill_operators(figures.decode, 0, 0)
    least = prefills * sum(1 for _ in launches(layers)) + figures.decode.steps * graph_size
    least += steps * (len(SAMPLING) - 1)
    _check(trace.kernels >= least, "trace.kernels", trace.kernels, least)
    return Counts(
        _evenly(copies - decode_copies * figures.decode.steps, prefills),
        decode_copies,
        _evenly(trace.kernels - least, prefills),
    )


def _check(possible: bool, name: str, given: int, least: int) -> None:
    if not possible:
        raise ProfdbError(f"figures: {name} {given} is impossible; these steps need {least}")


def _evenly(total: int, parts: int) -> list[int]:
    return [total * (part + 1) // parts - total * part // parts for part in range(parts)]


def _prefill_operators(decode: DecodeFigures, copies: int, small_kernels: int) -> list[Op]:
    operators = [*input_copies(copies), embedding()]
    for layer, small in enumerate(_evenly(small_kernels, decode.layers)):
        named = eager_layer(is_full(layer, decode))
        for position, count in enumerate(_evenly(small, len(named))):
            operators.append(named[position])
            operators += [elementwise(layer + position + turn) for turn in range(count)]
    return operators + head()


def _prefill_times(
    figures: PrefillFigures, prefills: list[list[Op]], rng: Random
) -> list[list[int]]:
    """Device time of each launch per prefill step; the tail has the chunks' mix."""
    steps = [list(launches(operators)) for operators in prefills]
    whole, tail = to_ns(figures.chunks_ms, MS), to_ns(figures.tail_ms, MS)
    mm, attention = to_ns(figures.mm_ms, MS), to_ns(figures.attention_ms, MS)
    chunk_totals = _with_other("prefill.chunks_ms", whole, {"mm": mm, "attention": attention})
    parts = {"mm": tail * mm // whole, "attention": tail * attention // whole}
    tail_totals = _with_other("prefill.tail_ms", tail, parts)
    return _timed("prefill", steps[:-1], chunk_totals, rng) + _timed(
        "prefill.tail", steps[-1:], tail_totals, rng
    )


def _decode_times(figures: DecodeFigures, step: list[Launch], rng: Random) -> list[list[int]]:
    parts = {
        "llgemm1": to_ns(figures.llgemm1_ms, MS),
        "tensile": to_ns(figures.tensile_ms, MS),
        "attention": to_ns(figures.paged_attention_ms, MS),
        "recurrence": to_ns(figures.recurrence_ms, MS),
    }
    totals = _with_other("decode.total_ms", to_ns(figures.total_ms, MS), parts)
    return _timed("decode", [step] * figures.steps, totals, rng, growth=0.0)


def _outside_times(figures: Figures, steps: int, rng: Random) -> list[list[int]]:
    totals = {"outside": to_ns(figures.trace.outside_ms, MS)}
    return _timed("trace.outside_ms", [list(launches(SAMPLING))] * steps, totals, rng)


def _with_other(name: str, total: int, parts: dict[str, int]) -> dict[str, int]:
    other = total - sum(parts.values())
    if other < 0:
        raise ProfdbError(f"figures: {name} is impossible: less than {', '.join(parts)} together")
    return parts | {"other": other}


def _timed(
    name: str,
    steps: Sequence[Sequence[Launch]],
    totals: Mapping[str, int],
    rng: Random,
    growth: float = 1.0,
) -> list[list[int]]:
    """Each pool's total shared over the launches of all steps; attention grows by step."""
    drawn: dict[str, Iterator[int]] = {}
    for pool, total in totals.items():
        slope = growth if pool == "attention" else 0.0
        weights = [
            launch.weight * (1 + 2 * slope * index)
            for index, step in enumerate(steps)
            for launch in step
            if launch.pool == pool
        ]
        drawn[pool] = iter(shares(total, jittered(weights, rng), f"{name} ({pool})"))
    return [[next(drawn[launch.pool]) for launch in step] for step in steps]
