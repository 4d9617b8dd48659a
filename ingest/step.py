"""What the text of an annotation says of a step."""

from dataclasses import dataclass

ENGINE, DEVICE, PROFILER = "annotation", "device annotation", "profiler step"
"""Sources of a step: the engine's own annotation is better than the profiler's, and one on the
host better than its shadow on the device."""

COUNTS = (
    "context_requests",
    "context_tokens",
    "generation_requests",
    "generation_tokens",
    "context_sk",
    "context_sqsq",
    "context_sqsk",
    "generation_sk",
    "generation_sqsq",
    "generation_sqsk",
    "padded_requests",
)
"""Fields of a step that are columns of the same name in contexts."""


@dataclass(frozen=True)
class Step:
    """One step by its text; None where that does not tell.

    sk counts key and value tokens attended to, sqsq and sqsk sum squares and products over
    requests. `understood` is false where the grammar is known and the kind of step is not.
    """

    family: str
    phase: str
    context_requests: int | None = None
    context_tokens: int | None = None
    generation_requests: int | None = None
    generation_tokens: int | None = None
    context_sk: int | None = None
    context_sqsq: int | None = None
    context_sqsk: int | None = None
    generation_sk: int | None = None
    generation_sqsq: int | None = None
    generation_sqsk: int | None = None
    padded_requests: int | None = None
    step_index: int | None = None
    understood: bool = True

    @property
    def source(self) -> str:
        """Where such a step comes from, as stored in contexts.source."""
        return PROFILER if self.family == PROFILER else ENGINE

    @property
    def is_draft(self) -> bool:
        """Whether it is a step of the draft model of speculative decoding."""
        return self.phase == "draft"


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
