"""Texts of step annotations, by engine; a text that none of the readers takes is no step.

Sources: vLLM gpu_worker.py, SGLang model_runner.py, TensorRT-LLM py_executor.py, and the traces
of ATOM and xDiT.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from .step import PROFILER, Step, phase_of

LIKE_STEP = (
    r"(?i)^(execute_\w|step\s*[\[#]|profilerstep|\[executor\]|propose_\w*\[|_?forward_step\s+\d"
    r"|(eager_)?(prefill|decode|extend|mixed|idle|draft|verify|target_verify)\["
    r"|gpu_model_runner: draft$)"
)
"""What looks like a step, in the words of both Python and RE2."""

_FUNCTION = re.compile(r"(?i)execute_(model|method)")
"""Functions of engines, whose spans stand around the step."""

VLLM_DRAFT = "gpu_model_runner: draft"
"""Scope of vLLM around its draft model, with VLLM_CUSTOM_SCOPES_FOR_PROFILING; it tells no
tokens."""


def _pairs(text: str) -> dict[str, int]:
    """Numbers by their key, from ` bs=32 toks=128`."""
    return {key: int(number) for key, number in re.findall(r"(\w+)=(\d+)", text)}


def _details(kind: str, values: Mapping[str, int], mark: str = "") -> dict[str, Any]:
    """Fields of the sums over requests that values hold; kind is context or generation."""
    keys = ("sk", "sqsq", "sqsk")
    return {f"{kind}_{key}": values[mark + key] for key in keys if mark + key in values}


def _vllm(match: re.Match[str]) -> Step:
    # vLLM 0.14 and later: execute_context_{requests}({tokens})_generation_{requests}({tokens}).
    # Builds outside its tree write {tokens}_{sum of squared tokens}.
    requests, tokens, squares, generating, generated, generated_squares = (
        None if group is None else int(group) for group in match.groups()
    )
    return Step(
        "vllm",
        phase_of(requests, generating),
        requests,
        tokens,
        generating,
        generated,
        context_sqsq=squares,
        generation_sqsq=generated_squares,
    )


def _vllm_detailed(match: re.Match[str]) -> Step:
    # vLLM 0.26 and later, on demand: in parentheses sq (tokens), sk, sqsq and sqsk.
    requests, generating = int(match[1]), int(match[3])
    context, generation = (
        {key: int(number) for key, number in re.findall(r"(sqsq|sqsk|sq|sk)(\d+)", text)}
        for text in (match[2], match[4])
    )
    return Step(
        "vllm",
        phase_of(requests, generating),
        requests,
        context["sq"],
        generating,
        generation["sq"],
        **_details("context", context),
        **_details("generation", generation),
    )


def _vllm_cached(match: re.Match[str]) -> Step:
    # vLLM 0.11.1 to 0.13: a cached request may decode or read a later chunk of its prompt.
    new, cached = int(match[1]), int(match[2])
    return Step("vllm", phase_of(new, 0) if new and not cached else "unknown", new or None)


def _vllm_draft(_: re.Match[str]) -> Step:
    return Step("vllm", "draft")


_SGLANG_PHASES = {
    "EXTEND": "prefill",
    "SPLIT_PREFILL": "prefill",
    "DECODE": "decode",
    "VERIFY": "decode",
    "TARGET_VERIFY": "decode",
    "MIXED": "mixed",
    "IDLE": "idle",
    # Requests whose keys and values another server computed: nothing runs.
    "PREBUILT": "idle",
    "DRAFT": "draft",
    "DRAFT_EXTEND": "draft",
    "DRAFT_EXTEND_V2": "draft",
    # A block of a diffusion model: of the prompt, or one being generated.
    "DLLM_EXTEND": "unknown",
}


def _sglang(match: re.Match[str]) -> Step:
    # SGLang 0.5.12 and later: step[MODE bs=N toks=N ...]; c_ counts prompts, g_ generation.
    mode, values = match[1], _pairs(match[2])
    phase = _SGLANG_PHASES.get(mode, "unknown")
    context, generation = _sglang_counts(phase, mode, values)
    step = Step("sglang", phase, *context, *generation, step_index=values.get("forward_id"))
    details = _details("context", values, "c_") | _details("generation", values, "g_")
    return replace(step, **details, understood=mode in _SGLANG_PHASES)


_Count = tuple[int | None, int | None]


def _sglang_counts(phase: str, mode: str, values: Mapping[str, int]) -> tuple[_Count, _Count]:
    """Requests and tokens, of prompts and of generation."""
    requests, read, written = values.get("bs"), values.get("c_sq"), values.get("g_sq")
    if phase == "prefill":
        return (requests, values.get("toks", read)), (0, 0)
    if phase == "decode":
        # A verifying step schedules several tokens a request; only details tell how many.
        return (0, 0), (requests, requests if written is None and mode == "DECODE" else written)
    if phase == "idle":
        return (0, 0), (0, 0)
    generating = requests if phase == "draft" else values.get("g")
    return (values.get("c"), read), (generating, written)


def _atom(match: re.Match[str]) -> Step:
    # ATOM: decode[bs=REAL/PADDED tok=N p=N d=N ...]; p and d count requests of either kind.
    values, reads = _pairs(match[4]), match[1] == "prefill"
    requests, tokens = int(match[2]), values.get("tok")
    step = Step("atom", match[1], padded_requests=int(match[3]) if match[3] else None)
    if values.get("d" if reads else "p"):
        # The tokens of both kinds are one number.
        prompts, generating = values.get("p"), values.get("d")
        return replace(
            step, phase="mixed", context_requests=prompts, generation_requests=generating
        )
    kind, other = ("context", "generation") if reads else ("generation", "context")
    counts = _details(kind, values) | {f"{other}_requests": 0, f"{other}_tokens": 0}
    return replace(step, **counts | {f"{kind}_requests": requests, f"{kind}_tokens": tokens})


def _tensorrt(match: re.Match[str]) -> Step:
    # TensorRT-LLM: [Executor] _forward_step N: N ctx reqs, N ctx tokens, N gen reqs. Under
    # speculation a generating request has several tokens, so that these are not told.
    requests, generating = int(match[2]), int(match[4])
    tokens = int(match[3]) if match[3] else None if requests else 0
    return Step(
        "tensorrt",
        phase_of(requests, generating),
        requests,
        tokens,
        generating,
        None if generating else 0,
        step_index=int(match[1]),
    )


def _xdit(match: re.Match[str]) -> Step:
    # xDiT: execute_diffusion_{batch}_{width}x{height}, one pass over the image.
    return Step("xdit", "unknown", int(match[1]))


def _profiler(match: re.Match[str]) -> Step:
    return Step(PROFILER, "unknown", step_index=int(match[1]))


_TOO_LONG = re.compile(r"\d{19}")
_INSIDE = r"\((\d+)(?:_(\d+))?(?:_\d+)*\)"
_DETAIL = r"\((sq\d+(?:(?:sk|sqsq|sqsk)\d+)*)\)"
_LIST = r"\[[\d, .]*\](?:\.\.\.\+\d+)?"
_READERS = (
    (rf"execute_context_(\d+){_INSIDE}_generation_(\d+){_INSIDE}", _vllm),
    (rf"execute_\d+_context_(\d+){_DETAIL}_generation_(\d+){_DETAIL}", _vllm_detailed),
    (r"execute_new_(\d+)_cached_(\d+)", _vllm_cached),
    (VLLM_DRAFT, _vllm_draft),
    (r"step\[([A-Z][A-Z\d_]*)((?: \w+=\d+)*)\]", _sglang),
    (rf"(prefill|decode)\[bs=(\d+)(?:/(\d+))?((?: \w+=(?:\d+|{_LIST}))*)\]", _atom),
    (
        r"\[Executor\] _forward_step (\d+): (\d+) ctx reqs,(?: (\d+) ctx tokens,)? (\d+) gen reqs",
        _tensorrt,
    ),
    (r"execute_diffusion_(\d+)_\d+x\d+", _xdit),
    (r"ProfilerStep#(\d+)", _profiler),
)
# Digits of other scripts count as digits in a pattern of text.
_COMPILED = tuple((re.compile(pattern, re.ASCII), read) for pattern, read in _READERS)


def read_step(name: str) -> Step | None:
    """Read the text of an annotation; None where it names no step.

    >>> read_step("execute_context_1(888_788544)_generation_0(0)").context_tokens
    888
    >>> read_step("step[DECODE bs=32]").generation_tokens
    32
    """
    if _TOO_LONG.search(name):
        return None
    for pattern, read in _COMPILED:
        if match := pattern.fullmatch(name):
            return read(match)
    return None


def looks_like_step(name: str) -> bool:
    """Whether a text that is not read should be told to the user.

    >>> looks_like_step("Execute_Context_1"), looks_like_step("execute_model")
    (True, False)
    """
    return not _FUNCTION.match(name) and re.match(LIKE_STEP, name) is not None
