"""Step annotations: which of nested ones counts, and which prompts end in a tail."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .step import COUNTS, ENGINE, Step
from .step_texts import VLLM_DRAFT


@dataclass(frozen=True)
class Annotation:
    """One span on a host thread that names a step; ns since the trace's own zero."""

    name: str
    process: str
    thread: str
    start_ns: int
    end_ns: int | None
    step: Step


def choose(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Keep one annotation per step, in time order.

    Steps of the engine win over those of the profiler; of two families that nest on a thread the
    inner one counts, and what it does not tell is taken from the outer. A step of the draft model
    is one apart from the step that holds it.
    """
    given = sorted(annotations, key=lambda a: (a.start_ns, -(a.end_ns or a.start_ns)))
    vllm = any(a.step.family == "vllm" and not a.step.is_draft for a in given)
    found = [a for a in given if vllm or a.name != VLLM_DRAFT]
    engine = [a for a in found if a.step.source == ENGINE]
    chosen = found if not engine else engine
    return _without_wrappers(chosen)


def _without_wrappers(annotations: Sequence[Annotation]) -> list[Annotation]:
    targets = {a.step.family for a in annotations if not a.step.is_draft}
    open_on: dict[tuple[str, str], list[int]] = {}
    kept: dict[int, Annotation] = {}
    for number, inner in enumerate(annotations):
        stack = open_on.setdefault((inner.process, inner.thread), [])
        # Not only from the top: spans that overlap without nesting leave ended ones below.
        stack[:] = [n for n in stack if _end(annotations[n]) > inner.start_ns]
        for outer in (annotations[n].step for n in stack):
            if _is_same_step(outer, inner.step):
                inner = replace(inner, step=_completed(inner.step, outer))
        for n in stack:
            if _wraps(annotations[n].step, inner.step, targets):
                kept.pop(n, None)
        stack.append(number)
        kept[number] = inner
    return list(kept.values())


def _is_same_step(outer: Step, inner: Step) -> bool:
    """Whether two steps that nest are one step, named by two tools."""
    return outer.family != inner.family and outer.is_draft == inner.is_draft


def _wraps(outer: Step, inner: Step, targets: set[str]) -> bool:
    """Whether the outer of two steps that nest only stands around the inner one.

    Around a draft step that is told by its families: one that names the target's steps itself
    would have named the outer one.
    """
    if inner.is_draft and not outer.is_draft:
        return outer.family != inner.family and inner.family in targets
    return _is_same_step(outer, inner)


def _end(annotation: Annotation) -> int:
    return annotation.start_ns if annotation.end_ns is None else annotation.end_ns


def _completed(inner: Step, outer: Step) -> Step:
    """Fill what the inner text leaves open from the outer one."""
    missing = {f: getattr(outer, f) for f in COUNTS if getattr(inner, f) is None}
    phase = outer.phase if inner.phase == "unknown" else inner.phase
    return replace(inner, phase=phase, **missing)


_CHUNK_UNIT = 256
"""Schedulers' token budgets are multiples of it; a prompt of any other length is no chunk."""


def mark_tails(steps: Sequence[Step]) -> list[Step]:
    """Call the last, smaller chunk of one request a prefill_tail.

    `steps` are those of one rank in time order. A chunk of full size is the largest prefill of the
    window, if that is a scheduler's budget: a multiple of 256, or seen more than once.
    """
    sizes = [s.context_tokens or 0 for s in steps if s.phase == "prefill"]
    full = max(sizes, default=0)
    if full < _CHUNK_UNIT or (full % _CHUNK_UNIT and sizes.count(full) < 2):
        return list(steps)
    marked = list(steps)
    for number, (before, step) in enumerate(zip(steps, steps[1:], strict=False), start=1):
        if _is_chunk(before) and before.context_tokens == full and _is_tail(step, full):
            marked[number] = replace(step, phase="prefill_tail")
    return marked


def _is_chunk(step: Step) -> bool:
    return step.phase == "prefill" and step.context_requests == 1


def _is_tail(step: Step, full: int) -> bool:
    return _is_chunk(step) and step.context_tokens is not None and step.context_tokens < full
