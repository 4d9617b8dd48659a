"""Rows, verdicts and noisy runs for the tests of the judgement."""

from collections.abc import Sequence

import numpy as np

from profdb.judgement import (
    Cell,
    Key,
    Modes,
    Row,
    Run,
    Side,
    Verdict,
    judge,
)

KEY = Key("decode", "op", "2")
STEADY = [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007]


def side(p50: Sequence[float], mean: Sequence[float] | None = None, share: float = 0.5) -> Side:
    """One row in passes 0, 1, …; ten launches each."""
    means = p50 if mean is None else mean
    pairs = enumerate(zip(p50, means, strict=True))
    return Side(tuple(Cell(n, a, b, 10, round(10 * b)) for n, (a, b) in pairs), share)


def alone(base: Side, cand: Side, modes: Modes | None = None) -> Verdict:
    """The verdict of a row that has no others beside it."""
    (verdict,) = judge([Row(KEY, base, cand, modes)]).rows
    return verdict


def many(passes: int, rows: int, seed: int, factors: Sequence[float] = ()) -> Run:
    """Rows with 1 % of noise per row and pass and 2 % in common; factors of the first rows."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(0, 0.02, passes) + rng.normal(0, 0.01, (rows, passes))
    noise += np.log(np.r_[factors, np.ones(rows - len(factors))])[:, None]
    return {
        Key("decode", f"op{row}", "2"): side((np.exp(noise[row]) * 5000 * (row + 1)).tolist())
        for row in range(rows)
    }
