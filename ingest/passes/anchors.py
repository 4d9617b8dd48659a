"""The operator to count: one that runs in every layer, or nearly, of every pass."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from .kernels import Bools, Ints
from .signatures import NO_TOKENS, Signed

BIN_KERNELS = 128
COVERAGES = (0.995, 0.97, 0.9)
"""Share of the bins that an anchor must stand in, strictest first: with a lax one an operator of
decode alone is chosen and every prefill pass is lost."""
LEAST_LAUNCHES = 20
LARGEST_SHARE = 4
TRIED = 4
SAMPLING = re.compile(r"ArgMax|TopKTopP|Sampl|Multinomial", re.IGNORECASE)
EVENT_KERNELS = 6
"""Sampling operators nearer to each other belong to one sampling."""


@dataclass(frozen=True)
class Anchor:
    """The launches that are counted, N of them; borders are places between 0 and N."""

    signatures: tuple[int, ...]
    places: Ints
    """(N,) places in the list of kernels."""
    tokens: Ints
    """(N,) tokens of each launch."""

    def __len__(self) -> int:
        return len(self.places)


def anchors(signed: Signed, dur_ns: Ints) -> Iterator[Anchor]:
    """The anchors worth trying, longest total time first within the strictest coverage."""
    covered = _coverage(signed)
    varied = [s for s in covered if len(np.unique(signed.tokens[signed.places(s)])) > 1]
    pool = varied or list(covered)
    total = np.bincount(signed.of, weights=dur_ns, minlength=len(signed.names))
    sees = _between_samplings(signed, pool)
    pool.sort(key=lambda s: (not sees[s], -total[s]))
    for chosen in _chosen(signed, covered, pool):
        places = np.sort(np.concatenate([signed.places(s) for s in chosen]))
        yield Anchor(chosen, places, signed.tokens[places])


def sampling_places(signed: Signed) -> Ints:
    """Kernels that choose tokens: the last of a pass, a draft's too."""
    found = np.array([SAMPLING.search(op) is not None for op in signed.ops], np.bool_)
    return np.flatnonzero(found[signed.of])


def _between_samplings(signed: Signed, pool: list[int]) -> dict[int, bool]:
    """Whether each operator runs between any two samplings: in drafts of few layers too."""
    sampled = sampling_places(signed)
    apart = np.flatnonzero(np.diff(sampled) >= EVENT_KERNELS)
    begins, ends = sampled[apart], sampled[apart + 1]
    sees = {}
    for signature in pool:
        places = signed.places(signature)
        held = np.searchsorted(places, ends) > np.searchsorted(places, begins)
        sees[signature] = not len(held) or bool(held.mean() >= COVERAGES[-1])
    return sees


def _coverage(signed: Signed) -> dict[int, Bools]:
    """In which bins of kernels each frequent operator over tokens stands."""
    bins = max(1, len(signed) // BIN_KERNELS)
    covered = {}
    for signature in np.argsort(-signed.counts, kind="stable")[:60].tolist():
        places = signed.places(signature)
        if len(places) >= LEAST_LAUNCHES and signed.tokens[places[0]] != NO_TOKENS:
            held = np.zeros(bins, np.bool_)
            held[places * bins // len(signed)] = True
            covered[signature] = held
    return covered


def _chosen(signed: Signed, covered: dict[int, Bools], pool: list[int]) -> list[tuple[int, ...]]:
    largest = max(2000, len(signed) // LARGEST_SHARE)
    for least in COVERAGES:
        fit = [s for s in pool if covered[s].mean() >= least and signed.counts[s] <= largest]
        if fit:
            return [(s,) for s in fit[:TRIED]]
    pairs: list[tuple[int, ...]] = [
        (one, other)
        for place, one in enumerate(pool)
        for other in pool[place + 1 :]
        if _complementary(covered[one], covered[other])
    ]
    return pairs[: TRIED - 1]


def _complementary(one: Bools, other: Bools) -> bool:
    """Whether two operators share the passes among them, as attention of decode and prefill do."""
    return bool((one & other).mean() < 0.1 and (one | other).mean() >= COVERAGES[-1])
