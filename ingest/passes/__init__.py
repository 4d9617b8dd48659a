"""Forward passes of an unmarked list of kernels, told by the kernels themselves.

Every pass of a model runs the same operators in the same order, over as many rows as it has
tokens. So launches of one operator are counted, the number that makes a pass is looked for, and the
list is cut into passes of that number by dynamic programming. What is not beyond doubt is refused.

Not told: two ranks in one list with one device id, passes that overlap in time, the number of
requests, accepted tokens under speculation, and a dummy batch unless most other passes sample.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from .anchors import anchors, sampling_places
from .evidence import after_wide_gaps, marks
from .judge import Trial, best_trial
from .kernels import Inference, Ints, Kernels, Pass
from .phases import phases, threshold
from .signatures import Signed, sign
from .spans import Span, spans
from .tally import Tally, tally

__all__ = ["Inference", "Kernels", "Pass", "infer"]

LEAST_KERNELS = 50
LEAST_LAUNCHES = 6
GOOD_SCORE = 0.9
_NOTHING = "no operator over tokens runs throughout the list, or nothing marks where a pass begins"


def infer(kernels: Kernels, decode_tokens: int | None = None) -> Inference:
    """Cut the kernels of one device into passes; those of at most `decode_tokens` are decode."""
    if len(kernels) < LEAST_KERNELS:
        return Inference(False, f"fewer than {LEAST_KERNELS} kernels")
    if (np.diff(kernels.start_ns) < 0).any():
        raise ValueError("kernels are not ordered by start")
    signed = sign(kernels)
    trial = _best(kernels, signed, idle=False)
    if trial is None or not trial.clear:
        # Missing kernels look like gaps: they count only where little else marks a pass.
        with_gaps = _best(kernels, signed, idle=True)
        if with_gaps and with_gaps.accepted and with_gaps.better_than(trial):
            trial = with_gaps
    if trial is None:
        return Inference(False, _NOTHING)
    if not trial.accepted:
        return Inference(False, _doubt(trial, signed), (), "", trial.score, trial.likelihood)
    return _inference(trial, signed, kernels, decode_tokens)


def _best(kernels: Kernels, signed: Signed, idle: bool) -> Trial | None:
    gaps = after_wide_gaps(kernels) if idle else None
    best: Trial | None = None
    for trial in _trials(kernels, signed, gaps):
        if best is None or (trial.accepted, trial.score) > (best.accepted, best.score):
            best = trial
        if best.accepted and best.score > GOOD_SCORE:
            break
    return best


def _trials(kernels: Kernels, signed: Signed, gaps: Ints | None) -> Iterator[Trial]:
    for anchor in anchors(signed, kernels.dur_ns):
        if len(anchor) >= LEAST_LAUNCHES:
            trial = best_trial(anchor, marks(signed, anchor, gaps), len(kernels))
            if trial:
                yield trial


def _counted(trial: Trial, signed: Signed) -> str:
    return " or ".join(dict.fromkeys(signed.ops[s] for s in trial.anchor.signatures))


def _doubt(trial: Trial, signed: Signed) -> str:
    return (
        f"no passes beyond doubt: at best {trial.period} launches of {_counted(trial, signed)}"
        f" each, {trial.regular:.0%} of them regular, {trial.coherent:.0%} of equal tokens,"
        f" ln of the likelihood ratio {trial.likelihood:.0f}, score {trial.score:.2f}"
    )


def _inference(
    trial: Trial, signed: Signed, kernels: Kernels, decode_tokens: int | None
) -> Inference:
    parts, found = spans(trial, signed, kernels)
    rule = f"{trial.period} launches of {_counted(trial, signed)} per pass, cut {found.rule}"
    if _has_pieces(parts) and not len(sampling_places(signed)):
        return Inference(
            False, f"no passes beyond doubt: pieces of {rule} are left", score=trial.score
        )
    counted = tally(signed, parts)
    targets = [part.tokens for part in parts if part.role == "target"]
    limit = threshold(targets) if decode_tokens is None else decode_tokens + 1
    told = phases(parts, signed, counted, limit)
    if not found.marked:
        # Where a pass begins is not known, only how often the operator runs in it.
        counted = counted.only(trial.anchor.signatures)
    cut = _cut_by_window(parts, told, counted)
    passes = tuple(
        Pass(part.first, part.end - 1, part.tokens, place not in cut, part.role, phase)
        for place, (part, phase) in enumerate(zip(parts, told, strict=True))
    )
    return Inference(True, "", passes, rule, trial.score, trial.likelihood)


def _has_pieces(parts: Sequence[Span]) -> bool:
    """Whether a short pass without sampling has the tokens of its neighbour: no draft has."""
    return any(
        part.role == "draft" and part.tokens in (before.tokens, after.tokens)
        for before, part, after in zip(parts, parts[1:], parts[2:], strict=False)
    )


def _cut_by_window(parts: Sequence[Span], told: Sequence[str], counted: Tally) -> set[int]:
    """The first and the last pass, where they lack what passes of their phase have."""
    inner = range(1, len(parts) - 1)
    alike = [i for i in inner if told[i] != "idle"]
    cut = set()
    lossless = counted.lossless([i for i in alike if parts[i].role == "target"])
    for edge in (0, len(parts) - 1):
        same = [i for i in alike if parts[i].role == parts[edge].role]
        peers = [i for i in same if told[i] == told[edge]] or same
        if not parts[edge].counted or (peers and not counted.whole(edge, peers, lossless)):
            cut.add(edge)
    return cut
