"""Passes of random models against the truth, and lists without any."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from profdb.ingest.passes import Kernels, infer

from .passes_model import Window, run, shuffled
from .passes_plans import random_plan

SEEDS = range(24)
MANY = range(1000, 1120)


def verdict(window: Window, missing: float) -> str:
    found = infer(window.kernels)
    if not found.accepted:
        assert found.reason and not found.passes
        return "refused"
    told = [(p.tokens, p.role) for p in found.passes]
    if told != [(p.tokens, p.role) for p in window.passes]:
        return "wrong"
    if not missing:
        assert [p.complete for p in found.passes] == [p.complete for p in window.passes]
    return "right"


def verdicts(seeds: range) -> Counter[str]:
    plans = {seed: random_plan(seed) for seed in seeds}
    return Counter(verdict(run(plan, seed), plan.missing) for seed, plan in plans.items())


def test_random_models() -> None:
    found = verdicts(SEEDS)
    assert not found["wrong"] and found["right"] >= 0.9 * len(SEEDS), found


@pytest.mark.slow
def test_many_random_models() -> None:
    found = verdicts(MANY)
    assert not found["wrong"] and found["right"] >= 0.9 * len(MANY), found


@pytest.mark.parametrize(
    "seed",
    [
        8163,  # a cut pass before a run of equal passes: no small lack of each of them
        1103,  # nothing marks a border, but the window holds whole passes to the launch
        20039,  # what runs in every fourth layer is no border of a draft
        30260,
        30075,  # three passes as one, on weak evidence
        1354,  # a first pass of which the window left its last launches only
    ],
)
def test_random_models_of_which_one_was_wrong(seed: int) -> None:
    plan = random_plan(seed)
    assert verdict(run(plan, seed), plan.missing) == "right"


def test_weak_evidence_is_refused() -> None:
    plan = random_plan(30274)
    assert verdict(run(plan, 30274), plan.missing) == "refused"


def structureless(seed: int) -> dict[str, Kernels]:
    """Lists of as many kernels as a window has, in which nothing repeats."""
    rng = np.random.default_rng(seed)
    kernels = run(random_plan(seed), seed).kernels
    n = min(len(kernels), 20_000)
    start = np.cumsum(rng.integers(2_000, 90_000, n))
    dur = rng.integers(1_000, 80_000, n)
    op = rng.integers(0, 16, n)
    ops = [f"Op{i}" for i in range(16)]
    sizes = [f"{t},6144;6144,{w}" for t in (1, 2, 3, 220, 221) for w in (512, 1024)]
    runs = np.repeat(rng.integers(0, len(sizes), n), rng.integers(1, 900, n))[:n]
    return {
        "shuffled": shuffled(kernels, seed),
        "random": Kernels(start, dur, op, rng.integers(0, len(sizes), n), ops, sizes),
        "random in runs of tokens": Kernels(start, dur, op, runs, ops, sizes),
        "without shapes": replace(kernels, shape=np.zeros_like(kernels.shape), shapes=[""]),
    }


@pytest.mark.parametrize(
    "seed", [1, 2, 3, *(pytest.param(s, marks=pytest.mark.slow) for s in MANY)]
)
def test_lists_without_passes_are_refused(seed: int) -> None:
    for name, kernels in structureless(seed).items():
        found = infer(kernels)
        assert not found.accepted and found.reason, name
