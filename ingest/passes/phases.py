"""The phase of each pass, from its tokens and from what only some passes run."""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from .anchors import SAMPLING
from .kernels import Bools, Ints, Phase
from .signatures import Signed
from .spans import Span
from .tally import Tally

RATIO = 4
"""Neighbouring token counts that far apart lie in different phases."""
LEAST_PREFILL = 16
MOST_DECODE = 256
"""Where all passes are alike: a guess."""
HEAD_DIM = 8192
"""A weight that long, used once a pass, is lm_head: its rows are the vocabulary."""
PREFILL_ROWS = 16
"""More tokens than that per sampled row are no decode, nor speculation."""
DUMMY_LACKS = 3
ALWAYS, HARDLY = 0.9, 0.05
ATTENTION = re.compile("attention|attn", re.IGNORECASE)


def threshold(tokens: Iterable[int]) -> float | None:
    """Least tokens of prefill: the middle of the widest ratio; None where it cannot be told."""
    sizes = np.unique(np.fromiter(tokens, np.int64))
    ratios = sizes[1:] / np.maximum(sizes[:-1], 1)
    wide = np.flatnonzero((ratios >= RATIO) & (sizes[1:] >= LEAST_PREFILL))
    if len(wide):
        place = wide[np.argmax(ratios[wide])]
        return float(np.sqrt(sizes[place] * sizes[place + 1]))
    if sizes[-1] <= MOST_DECODE:
        return float("inf")
    return 0.0 if sizes[0] > MOST_DECODE else None


def phases(
    spans: Sequence[Span], signed: Signed, counted: Tally, limit: float | None
) -> list[Phase]:
    """The phase of each pass; `limit` is the least number of tokens of prefill."""
    found: list[Phase] = [_by_tokens(span, limit) for span in spans]
    inner = [i for i, s in enumerate(spans) if s.role == "target" and 0 < i < len(spans) - 1]
    if not inner:
        return found
    once = counted.once(inner)
    mixed = _both_attentions(found, signed, counted)
    rows = _head_rows(spans, signed, counted.signatures[once])
    dummy = _dummies(spans, signed, counted, once, counted.lossless(inner))
    for place, span in enumerate(spans):
        if limit == float("inf") and span.tokens >= PREFILL_ROWS * rows[place] > 0:
            found[place] = "prefill"
        if found[place] == "prefill" and (mixed[place] or 1 < rows[place] < span.tokens):
            found[place] = "mixed"
        if found[place] == "decode" and place in inner[1:-1] and dummy[place]:
            found[place] = "idle"
    return found


def _by_tokens(span: Span, limit: float | None) -> Phase:
    if span.role == "draft":
        return "draft"
    if limit is None:
        return "unknown"
    return "decode" if span.tokens < limit else "prefill"


def _both_attentions(found: Sequence[Phase], signed: Signed, counted: Tally) -> Bools:
    """Whether a pass runs the attention of decode and one that decode never runs."""
    ops = [signed.ops[s] for s in counted.signatures.tolist()]
    decode = np.array([phase == "decode" for phase in found])
    of_decode: Bools = np.zeros(len(found), np.bool_)
    of_prefill: Bools = np.zeros(len(found), np.bool_)
    for op in {op for op in ops if ATTENTION.search(op)} if decode.any() else ():
        held: Bools = counted.counts[:, [o == op for o in ops]].sum(axis=1) > 0
        share = held[decode].mean()
        if share >= ALWAYS:
            of_decode |= held
        if share <= HARDLY:
            of_prefill |= held
    return of_decode & of_prefill


def _head_rows(spans: Sequence[Span], signed: Signed, once: Ints) -> Ints:
    """Rows that lm_head takes in each pass; 0 where there is none."""
    rows = np.zeros(len(spans), np.int64)
    heads = {s: size for s in once.tolist() if (size := _weight(signed.names[s])) >= HEAD_DIM}
    if heads:
        places = signed.places(max(heads, key=lambda s: heads[s]))
        numbers = np.searchsorted([span.end for span in spans], places, side="right")
        inside = numbers < len(spans)
        rows[numbers[inside]] = signed.tokens[places[inside]]
    return rows


def _weight(signature: str) -> int:
    """Longest dimension of the second tensor, where it has two and the first is tokens."""
    tensors = signature.rpartition("|")[2].split(";")
    if len(tensors) < 2 or not tensors[0].startswith("T,"):
        return 0
    dims = [int(dim) for dim in tensors[1].split(",") if dim.isdecimal()]
    return max(dims) if len(dims) == 2 else 0


def _dummies(
    spans: Sequence[Span], signed: Signed, counted: Tally, once: Bools, lossless: bool
) -> Bools:
    """Passes without any of what runs once at the end: no token is sampled in a dummy batch.

    Not told where kernels are missing, nor by fewer than three such operators.
    """
    first = np.array([span.first for span in spans])
    ends = np.array([span.end for span in spans])
    late = np.zeros(len(once), np.bool_)
    for column in np.flatnonzero(once).tolist():
        places = signed.places(int(counted.signatures[column]))
        numbers = np.minimum(np.searchsorted(ends, places, side="right"), len(spans) - 1)
        share = (places - first[numbers]) / (ends - first)[numbers]
        late[column] = np.median(share) > 0.9
    sampled = [SAMPLING.search(signed.ops[s]) for s in counted.signatures[late].tolist()]
    if len(sampled) < DUMMY_LACKS or not any(sampled) or not lossless:
        return np.zeros(len(spans), np.bool_)
    none: Bools = counted.counts[:, late].sum(axis=1) == 0
    # A neighbour that samples twice holds what a border at the wrong place took from this pass.
    twice: Bools = np.pad(counted.counts[:, late].max(axis=1) > 1, 1)
    return none & ~twice[:-2] & ~twice[2:]
