"""How often does a judgement invent a regression, and how often does it find a planted one?"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from profdb.judgement import (
    Cell,
    Floor,
    Judgement,
    Key,
    Modes,
    Outcome,
    Reason,
    Run,
    Side,
    cell,
    judge,
    noise_floor,
    pair,
    two_modes,
)

SHAPES, LAUNCHES = 200, 78
KEYS = [Key("decode", f"op{number}", "2") for number in range(SHAPES)]
PASS_NOISE = {"S1": 0.01, "S2": 0.03, "S3": 0.03}
Array = NDArray[np.float64]


def simulate(
    rng: np.random.Generator, passes: int, noise: str, first: float = 0.0, common: float = 0.0
) -> Run:
    """One run: first and common are relative changes of its first row and of all rows.

    Launches have 4 % of noise and a tail of 2 %. Passes have noise of their own and per row (S1 1 %
    each, S2 and S3 3 %), S2 and S3 also 5 % of outliers of +25 to +70 %, S3 also a drift of 2 %
    over the window, up or down, and 1 % between runs.
    """
    x = rng.normal(0, 0.04, (SHAPES, passes, LAUNCHES))
    x += (rng.random(x.shape) < 0.02) * rng.exponential(0.5, x.shape)
    x += _passes(rng, passes, noise)[:, :, None] + np.log1p(common)
    x[0] += np.log1p(first)
    return _run(np.exp(x + 10))


def _passes(rng: np.random.Generator, passes: int, noise: str) -> Array:
    """ln of the factor per row and pass, shape (SHAPES, passes)."""
    sigma = PASS_NOISE[noise]
    x = rng.normal(0, sigma, (1, passes)) + rng.normal(0, sigma, (SHAPES, passes))
    if noise != "S1":
        x += (rng.random(passes) < 0.05) * rng.uniform(0.25, 0.7, passes)
    if noise == "S3":
        x += rng.choice([-1, 1]) * np.linspace(0, 0.02, passes) + rng.normal(0, 0.01)
    return x


def _run(times: Array) -> Run:
    """Sum up launches, ns of shape (SHAPES, passes, LAUNCHES)."""
    p50, mean, total = np.median(times, 2), times.mean(2), times.sum(2)
    shares = total.sum(1) / total.sum()
    return {
        key: Side(
            tuple(
                Cell(n, float(p50[row, n]), float(mean[row, n]), LAUNCHES, int(total[row, n]))
                for n in range(times.shape[1])
            ),
            float(shares[row]),
        )
        for row, key in enumerate(KEYS)
    }


def rates(noise: str, sizes: tuple[int, int], pairs: int, floor: Floor | None = None) -> None:
    """Print one line: pairs of equal runs with a claim, pairs in which +5 % of a row was found."""
    rng = np.random.default_rng([int(noise[1]), *sizes])
    slower = claims = everything = found = false = 0
    start = time.perf_counter()
    for _ in range(pairs):
        equal = _judge(rng, noise, sizes, 0.0, floor)
        slower += any(row.outcome is Outcome.REGRESSED for row in equal.rows)
        claims += any(row.changed for row in equal.rows)
        everything += _regressed(equal)
        planted = _judge(rng, noise, sizes, 0.05, floor)
        found += planted.rows[0].outcome is Outcome.REGRESSED
        false += any(row.changed for row in planted.rows[1:])
    print(
        f"{noise} {sizes[0]:2} v {sizes[1]:2}, {pairs} pairs: equal runs: a row regressed {slower},"
        f" a row changed {claims}, everything regressed {everything};"
        f" +5 % found {found}, another row changed {false}"
        f" ({time.perf_counter() - start:.0f} s)",
        flush=True,
    )


def _judge(
    rng: np.random.Generator,
    noise: str,
    sizes: tuple[int, int],
    first: float,
    floor: Floor | None = None,
    common: float = 0.0,
) -> Judgement:
    """Judge a simulated pair."""
    base, cand = simulate(rng, sizes[0], noise), simulate(rng, sizes[1], noise, first, common)
    return judge(pair(base, cand), floor or Floor())


def _regressed(judgement: Judgement) -> bool:
    """Whether all operators together are called slower."""
    whole = judgement.everything
    return whole is not None and whole.outcome is Outcome.REGRESSED


def few(pairs: int) -> None:
    """Print what is said of 2 against 6 passes with +50 % planted."""
    rng = np.random.default_rng(26)
    claims, named = 0, set()
    for _ in range(pairs):
        told = _judge(rng, "S2", (2, 6), 0.5)
        claims += any(row.changed for row in told.rows) or _regressed(told)
        named |= {round(row.smallest_p, 3) for row in told.rows if row.reason is Reason.TOO_FEW}
    print(f"S2  2 v  6, {pairs} pairs with +50 %: claims {claims}, smallest p named {named}")


def common(pairs: int) -> None:
    """Print how often 6 % more in every operator are one finding."""
    rng = np.random.default_rng(6)
    for noise in PASS_NOISE:
        told = [_judge(rng, noise, (40, 40), 0.0, None, 0.06) for _ in range(pairs)]
        one = sum(judgement.common and _regressed(judgement) for judgement in told)
        print(f"{noise} 40 v 40, {pairs} pairs, all +6 %: one common finding {one}", flush=True)


def measured_floor(pairs: int, runs: int = 4) -> None:
    """Print the rates of S3 with a floor from repeated base runs, anew for each pair."""
    rng = np.random.default_rng(34)
    false = found = 0
    for _ in range(pairs):
        floor = noise_floor([simulate(rng, 40, "S3") for _ in range(runs)])
        false += _regressed(_judge(rng, "S3", (40, 40), 0.0, floor))
        found += _judge(rng, "S3", (40, 40), 0.05, floor).rows[0].outcome is Outcome.REGRESSED
    print(
        f"S3 40 v 40, {pairs} pairs, floor from {runs} base runs: everything regressed {false};"
        f" +5 % found {found}",
        flush=True,
    )


def bimodal(pairs: int, rows: int = 20) -> None:
    """Print the rates of rows with two modes, half and half, 2.9 apart; slow mode +10 % planted."""
    rng = np.random.default_rng(29)
    both = Modes(cut=2300, low=1330, high=3810, share=0.5, depth=9)

    def run(first: float) -> Run:
        slow = rng.random((rows, 40, LAUNCHES)) < 0.5
        x = np.log(np.where(slow, 3810, 1330)) + rng.normal(0, 0.04, slow.shape)
        x += rng.normal(0, 0.03, (1, 40, 1)) + rng.normal(0, 0.03, (rows, 40, 1))
        x[0] += slow[0] * np.log1p(first)
        return {
            KEYS[row]: Side(tuple(cell(n, t, both) for n, t in enumerate(np.exp(x[row]))), 0.05)
            for row in range(rows)
        }

    cuts = dict.fromkeys(KEYS[:rows], both)
    equal = sum(
        any(v.changed for v in judge(pair(run(0), run(0), cuts)).rows) for _ in range(pairs)
    )
    planted = [judge(pair(run(0), run(0.1), cuts)).rows[0] for _ in range(pairs)]
    found = sum(row.outcome is Outcome.REGRESSED for row in planted)
    print(f"two modes 40 v 40, {pairs} pairs: a row changed {equal}; slow mode +10 % found {found}")


def modes(draws: int) -> None:
    """Print how often two modes are seen where there is one, and where there are two."""
    rng = np.random.default_rng(2)
    one: dict[str, Callable[[int], Array]] = {
        "lognormal 0.05": lambda n: rng.normal(8, 0.05, n),
        "lognormal 0.3": lambda n: rng.normal(8, 0.3, n),
        "5 % tail": lambda n: (
            rng.normal(8, 0.05, n) + (rng.random(n) < 0.05) * rng.exponential(0.7, n)
        ),
        "uniform": lambda n: np.log(rng.uniform(1000, 2000, n)),
        "50/50 x 1.3": lambda n: rng.normal(8, 0.06, n) + (rng.random(n) < 0.5) * np.log(1.3),
        "20/80 x 2": lambda n: rng.normal(8, 0.1, n) + (rng.random(n) < 0.8) * np.log(2),
    }
    for n in (78, 150, 400, 5000):
        seen = {
            name: sum(two_modes(np.exp(draw(n))) is not None for _ in range(draws))
            for name, draw in one.items()
        }
        print(f"{n} launches, two modes in so many of {draws}: {seen}", flush=True)


def main() -> None:
    """Run all simulations."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100)
    args = parser.parse_args()
    for noise in PASS_NOISE:
        rates(noise, (40, 40), args.pairs)
    rates("S3", (20, 20), args.pairs)
    rates("S3", (12, 12), args.pairs)
    rates("S3", (7, 5), args.pairs)
    few(args.pairs)
    common(args.pairs)
    measured_floor(args.pairs)
    bimodal(args.pairs)
    modes(3 * args.pairs)


if __name__ == "__main__":
    main()
