"""What an inference is given and what it answers."""

from dataclasses import dataclass, field

Group = tuple[str, str]
"""Family and implementation of kernels, such as ('gemv', 'LLMM1')."""

Place = tuple[Group | None, int]
"""Kernels that serve a module, and their launches per run; (None, 0) for an absorbed one."""


@dataclass(frozen=True)
class Module:
    """A part of a model that launches kernels; count is its runs in one forward pass."""

    name: str
    kind: str
    count: int
    inputs: int | None = None
    outputs: int | None = None
    absorbed_by: str | None = None


@dataclass(frozen=True)
class Model:
    """Modules and the order, by name, in which they run in one forward pass."""

    modules: tuple[Module, ...]
    program: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """Kernels of one group in a phase: commonest launches per step, ns per step where known."""

    group: Group
    kind: str
    launches: int
    total_ns: int | None = None


@dataclass(frozen=True)
class Launch:
    """One launch of a typical step; shape has dims by comma, tensors by semicolon."""

    group: Group
    kind: str
    shape: str = ""
    dur_ns: int = 0
    stream: int | None = None


@dataclass(frozen=True)
class Reading:
    """One way to read the launch counts; assignments tells how many maps of modules it stands for.

    The assignment shown is the likeliest of them; ambiguous are the modules that the evidence
    allows elsewhere. One that is ruled_out closes by counts alone, against the evidence.
    """

    closes: bool
    assignment: dict[str, Place]
    ambiguous: frozenset[str]
    assignments: int
    text: str
    evidence: str | None = None
    ruled_out: bool = False


@dataclass(frozen=True)
class Fit:
    """All readings of one kind, the likeliest first, and the residuals of that first one.

    A residual is launches seen minus launches expected. Where complete is false the search was
    cut off, and other readings may exist.
    """

    kind: str
    readings: list[Reading] = field(default_factory=list)
    residuals: dict[Group, int] = field(default_factory=dict)
    complete: bool = True

    @property
    def left(self) -> list[Reading]:
        """The readings that no evidence rules out."""
        return [reading for reading in self.readings if not reading.ruled_out]
