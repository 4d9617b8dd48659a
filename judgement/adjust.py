"""Benjamini-Hochberg: the false share among all claims, not the false chance of each."""

from collections.abc import Sequence

import numpy as np


def adjusted(ps: Sequence[float]) -> list[float]:
    """Adjusted p in the same order: a claim at q is adjusted p ≤ q (step-up, 1995)."""
    given = np.asarray(ps, float)
    order = np.argsort(given, kind="stable")
    scaled = given[order] * len(given) / np.arange(1, len(given) + 1)
    # Counted from the largest p: a smaller one is never adjusted beyond a larger one.
    stepped = np.minimum(1.0, np.minimum.accumulate(scaled[::-1])[::-1])
    result = np.empty_like(stepped)
    result[order] = stepped
    return [float(p) for p in result]
