"""How often each operator over tokens runs in each pass."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .kernels import Bools, Ints
from .signatures import NO_TOKENS, Signed
from .spans import Span

SIGNATURES = 300
ONCE_SHARE = 0.6
STEADY_SHARE = 0.9
FREQUENT = 8
SPREADS = 4
LOSS = 0.03
OTHER_KERNEL = 4
"""An operator of that many launches of which a pass has none was replaced by another there."""


@dataclass(frozen=True)
class Tally:
    """Launches per pass (p) and signature (s)."""

    signatures: Ints
    """(s,)"""
    counts: Ints
    """(p, s)"""

    def once(self, passes: Sequence[int]) -> Bools:
        """(s,) what most of the passes run exactly once."""
        return _share(self.counts[list(passes)] == 1) >= ONCE_SHARE

    def only(self, signatures: Sequence[int]) -> "Tally":
        """The tally of some signatures."""
        kept = np.isin(self.signatures, signatures)
        return Tally(self.signatures[kept], self.counts[:, kept])

    def lossless(self, passes: Sequence[int]) -> bool:
        """Whether all passes hold the same: no kernels are missing among them."""
        counts = self.counts[list(passes)]
        typical = np.median(counts, axis=0)
        frequent = typical >= FREQUENT
        same = _share(counts == typical)[frequent]
        return not len(same) or bool((same >= STEADY_SHARE).mean() >= 0.5)

    def whole(self, one: int, peers: Sequence[int], lossless: bool) -> bool:
        """Whether a pass at an end of the window holds all that its peers hold."""
        held, others = self.counts[one], self.counts[list(peers)]
        typical = np.median(others, axis=0)
        steady = (_share(others == typical) >= STEADY_SHARE) & (typical >= 1)
        steady &= (held > 0) | (typical < OTHER_KERNEL)
        if lossless:
            return not bool((held < typical)[steady].any())
        return not self._far_fewer(held, others) and not self._lacks_once(held, others)

    def _far_fewer(self, held: Ints, others: Ints) -> bool:
        """Where kernels are missing at random: fewer than chance takes away."""
        common = (_share(others > 0) >= STEADY_SHARE) & (held > 0)
        totals = others[:, common].sum(axis=1)
        typical = float(np.median(totals))
        # The median of what is off, since a border at the wrong place is no chance; never less
        # than chance makes of a few missing kernels in a hundred.
        off = max(1.5 * float(np.median(np.abs(totals - typical))), (LOSS * typical) ** 0.5)
        return bool(held[common].sum() < typical - SPREADS * off - 1)

    def _lacks_once(self, held: Ints, others: Ints) -> bool:
        once = _share(others == 1) >= STEADY_SHARE
        return bool(once.sum() >= 2 and (held[once] == 0).mean() > 0.5)


def _share(true: Bools) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray(true.mean(axis=0), np.float64)


def tally(signed: Signed, spans: Sequence[Span]) -> Tally:
    """Count the commonest operators over tokens."""
    sized = np.zeros(len(signed.names), np.bool_)
    sized[signed.of[signed.tokens != NO_TOKENS]] = True
    order = np.argsort(-signed.counts, kind="stable")
    chosen = order[sized[order]][:SIGNATURES]
    column = np.full(len(signed.names), -1)
    column[chosen] = np.arange(len(chosen))
    ends = np.array([span.end for span in spans])
    first = spans[0].first
    numbers = np.searchsorted(ends, np.arange(first, ends[-1]), side="right")
    columns = column[signed.of[first : ends[-1]]]
    kept = columns >= 0
    cells = numbers[kept] * len(chosen) + columns[kept]
    counts = np.bincount(cells, minlength=len(spans) * len(chosen))
    return Tally(chosen, counts.reshape(len(spans), len(chosen)))
