"""Step annotations: their texts, the steps they name, and which of nested ones counts."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

PATTERN = r"^(execute_(context|new|\d)|step\[|ProfilerStep#\d)"
"""What an annotation of a step may begin with; the readers below decide."""

ENGINE, PROFILER = "annotation", "profiler step"
"""Sources of a step: the engine's own annotation is better than the profiler's."""


@dataclass(frozen=True)
class Step:
    """What the text of an annotation says of a step; None where it does not tell."""

    family: str
    phase: str
    context_requests: int | None = None
    context_tokens: int | None = None
    generation_requests: int | None = None
    generation_tokens: int | None = None
    step_index: int | None = None

    @property
    def source(self) -> str:
        """Where such a step comes from, as stored in contexts.source."""
        return PROFILER if self.family == PROFILER else ENGINE


@dataclass(frozen=True)
class Annotation:
    """One span on a host thread that names a step; ns since the trace's own zero."""

    name: str
    process: str
    thread: str
    start_ns: int
    end_ns: int | None
    step: Step


def phase_of(context: int | None, generation: int | None) -> str:
    """Phase by requests or tokens of either kind; unknown where one is not told.

    >>> phase_of(4096, 0), phase_of(0, 8), phase_of(64, 4), phase_of(0, 0)
    ('prefill', 'decode', 'mixed', 'idle')
    """
    if context is None or generation is None:
        return "unknown"
    if context:
        return "mixed" if generation else "prefill"
    return "decode" if generation else "idle"


def _numbers(match: re.Match[str]) -> list[int]:
    return [int(group) for group in match.groups() if group is not None]


def _vllm(match: re.Match[str]) -> Step:
    # vLLM 0.14 and later: execute_context_{requests}({tokens})_generation_{requests}({tokens})
    requests, tokens, generating, generated = _numbers(match)
    phase = phase_of(requests, generating)
    return Step("vllm", phase, requests, tokens, generating, generated)


def _vllm_cached(match: re.Match[str]) -> Step:
    # vLLM 0.11.1 to 0.13: a cached request may decode or read a later chunk of its prompt.
    new, cached = _numbers(match)
    return Step("vllm", phase_of(new, 0) if new and not cached else "unknown", new or None)


_SGLANG_PHASES = {
    "EXTEND": "prefill",
    "SPLIT_PREFILL": "prefill",
    "DECODE": "decode",
    "VERIFY": "decode",
    "TARGET_VERIFY": "decode",
    "MIXED": "mixed",
    "IDLE": "idle",
}


def _sglang(match: re.Match[str]) -> Step:
    # SGLang 0.5.12 and later: step[MODE bs=N toks=N ...]
    phase = _SGLANG_PHASES.get(match[1], "unknown")
    values = {key: int(number) for key, number in re.findall(r"(\w+)=(\d+)", match[2])}
    requests = values.get("bs")
    if phase == "prefill":
        return Step("sglang", phase, requests, values.get("toks"), 0, 0)
    if phase == "decode":
        # A verifying step schedules several tokens a request; how many is not in its text.
        tokens = requests if match[1] == "DECODE" else None
        return Step("sglang", phase, 0, 0, requests, tokens)
    if phase == "idle":
        return Step("sglang", phase, 0, 0, 0, 0)
    return Step("sglang", phase)


def _profiler(match: re.Match[str]) -> Step:
    return Step(PROFILER, "unknown", step_index=int(match[1]))


_TOO_LONG = re.compile(r"\d{19}")
_INSIDE = r"\((\d+)(?:_\d+)*\)"
_DETAIL = r"\(sq(\d+)(?:sk|sqsq|sqsk)[\dsqk]*\)"
_READERS = (
    (re.compile(rf"execute_context_(\d+){_INSIDE}_generation_(\d+){_INSIDE}"), _vllm),
    (re.compile(rf"execute_\d+_context_(\d+){_DETAIL}_generation_(\d+){_DETAIL}"), _vllm),
    (re.compile(r"execute_new_(\d+)_cached_(\d+)"), _vllm_cached),
    (re.compile(r"step\[(\w+)((?: \w+=\d+)*)\]"), _sglang),
    (re.compile(r"ProfilerStep#(\d+)"), _profiler),
)


def read_step(name: str) -> Step | None:
    """Read the text of an annotation; None where it names no step.

    >>> read_step("execute_context_1(888_788544)_generation_0(0)").context_tokens
    888
    >>> read_step("step[DECODE bs=32]").generation_tokens
    32
    """
    if _TOO_LONG.search(name):
        return None
    for pattern, read in _READERS:
        if match := pattern.fullmatch(name):
            return read(match)
    return None


def choose(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Keep one annotation per step, in time order.

    Steps of the engine win over those of the profiler; of two families that nest on a thread the
    inner one counts, and what it does not tell is taken from the outer.
    """
    found = sorted(annotations, key=lambda a: (a.start_ns, -(a.end_ns or a.start_ns)))
    engine = [a for a in found if a.step.source == ENGINE]
    chosen = found if not engine else engine
    return _without_wrappers(chosen)


def _without_wrappers(annotations: Sequence[Annotation]) -> list[Annotation]:
    open_on: dict[tuple[str, str], list[int]] = {}
    kept: dict[int, Annotation] = {}
    for number, inner in enumerate(annotations):
        stack = open_on.setdefault((inner.process, inner.thread), [])
        # Not only from the top: spans that overlap without nesting leave ended ones below.
        stack[:] = [n for n in stack if _end(annotations[n]) > inner.start_ns]
        for outer in stack:
            if annotations[outer].step.family != inner.step.family:
                kept.pop(outer, None)
                inner = replace(inner, step=_completed(inner.step, annotations[outer].step))
        stack.append(number)
        kept[number] = inner
    return list(kept.values())


def _end(annotation: Annotation) -> int:
    return annotation.start_ns if annotation.end_ns is None else annotation.end_ns


def _completed(inner: Step, outer: Step) -> Step:
    """Fill what the inner text leaves open from the outer one."""
    fields = ("context_requests", "context_tokens", "generation_requests", "generation_tokens")
    missing = {f: getattr(outer, f) for f in fields if getattr(inner, f) is None}
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
