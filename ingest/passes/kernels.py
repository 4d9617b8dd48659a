"""What is cut: the kernels of one device, and what is found in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

Role = Literal["target", "draft"]
Phase = Literal["prefill", "decode", "mixed", "draft", "idle", "unknown"]


@dataclass(frozen=True)
class Kernels:
    """The n kernels of one device, ordered by start; ids are places in the texts."""

    start_ns: Ints
    dur_ns: Ints
    op: Ints
    shape: Ints
    ops: Sequence[str]
    shapes: Sequence[str]
    """Canonical: dims by comma, tensors by semicolon."""

    def __len__(self) -> int:
        return len(self.start_ns)

    def gaps_ns(self) -> Ints:
        """Idle time of the device before each kernel, ns; negative where kernels overlap."""
        ends = np.maximum.accumulate(self.start_ns + self.dur_ns)
        gaps = np.zeros(len(self), np.int64)
        gaps[1:] = self.start_ns[1:] - ends[:-1]
        return gaps


@dataclass(frozen=True)
class Pass:
    """One forward pass."""

    first: int
    """Place of its first kernel in the list."""
    last: int
    """Place of its last kernel."""
    tokens: int
    """Tokens it ran over: the padded size where a graph pads."""
    complete: bool
    """False where the window cut it."""
    role: Role = "target"
    phase: Phase = "unknown"


@dataclass(frozen=True)
class Inference:
    """The passes of one device and the rule that found them, or why none were accepted."""

    accepted: bool
    reason: str = ""
    """Why it was refused."""
    passes: tuple[Pass, ...] = ()
    rule: str = ""
    score: float = 0.0
    """Mean gain per pass of the best cut: 1 where each is regular and marked on its border."""
    likelihood: float = 0.0
    """ln of the likelihood ratio of the period against chance."""
