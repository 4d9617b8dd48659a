"""Random models and schedules, drawn from what engines do."""

from random import Random

from .passes_model import Model, Plan


def random_plan(seed: int) -> Plan:
    """A model and a schedule drawn from what engines do."""
    rng = Random(f"plan {seed}")
    layers = rng.choice([24, 28, 32, 36, 40, 48, 61, 64, 78])
    once = rng.random() < 0.8
    model = Model(
        layers,
        rng.choice([0, 1, 3, 3, layers]),
        rng.choice([2048, 4096, 5120, 6144, 7168]),
        every_fourth=rng.random() < 0.5,
        phase_attention=rng.random() < 0.3,
        once=once,
        drafts=rng.choice([0, 0, 0, 1, 2, 3]) if once else 0,
        gaps=rng.random() < 0.7,
        preparing=rng.random() < 0.7,
        second_stream=rng.random() < 0.3,
        many_small=rng.random() < 0.7,
    )
    plan = Plan(model, _schedule(rng, model, rng.randint(24, 90)))
    plan.missing = rng.choice([0.0, 0.0, 0.02])
    plan.cut_first = rng.choice([0.0, 0.0, rng.uniform(0.1, 0.9)])
    plan.cut_last = rng.choice([0.0, 0.0, rng.uniform(0.1, 0.9)])
    return plan


def _schedule(rng: Random, model: Model, count: int) -> list[tuple[str, int, int]]:
    """Decode of few or padded sizes in runs, prefill chunks between them, some of them mixed."""
    sizes = rng.choice([[1, 2], [2, 3], [1], [8], [4, 8, 16, 24, 32], [*range(12, 20)]])
    chunk = rng.choice([220, 512, 2048, 8192])
    prefill = rng.choice([0.0, 0.05, 0.15])
    mixed = rng.random() < 0.4
    size, found = rng.choice(sizes), list[tuple[str, int, int]]()
    for _ in range(count):
        if rng.random() < rng.choice([0.05, 0.5]):
            size = rng.choice(sizes)
        tokens = size * (1 + model.drafts)
        if rng.random() >= prefill:
            found.append(("decode", tokens, size))
        elif mixed and rng.random() < 0.5:
            found.append(("mixed", chunk + tokens, size + 1))
        else:
            found.append(("prefill", chunk + rng.randint(0, 3), 1))
    return found
