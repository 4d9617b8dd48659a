"""Planted assignments are found again, and fast."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from profdb.closure import Fit, Group, Launch, Model, Module, Seen, infer

Planted = Mapping[str, Group]
FULL = (("qkv", "linear"), ("attention", "attention"), ("o", "linear"))
LINEAR = (
    ("qkvz", "linear"),
    ("ba", "linear"),
    ("gdn", "linear_attention"),
    ("out", "linear"),
)
DENSE = (("gate_up", "linear"), ("down", "linear"))
MOE = (
    ("router", "linear"),
    ("experts", "experts"),
    ("shared_gate_up", "linear"),
    ("shared_down", "linear"),
)
KINDS = dict([*FULL, *LINEAR, *DENSE, *MOE, ("lm_head", "linear")])


@contextmanager
def under_a_second() -> Iterator[None]:
    """An inference promises to take less."""
    start = time.process_time()
    yield
    assert time.process_time() - start < 1.0


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Layers of full and linear attention, dense and with experts, at most 12 modules."""
    layers = draw(st.integers(8, 96))
    every = draw(st.integers(1, 6))
    dense = draw(st.integers(0, layers))
    names: list[str] = []
    for layer in range(layers):
        part = FULL if layer % every == every - 1 else LINEAR
        mlp = DENSE if layer < dense else MOE
        names += [name for name, _ in (*part, *mlp)]
    names.append("lm_head")
    counts = Counter(names)
    return Model(tuple(Module(n, KINDS[n], counts[n]) for n in counts), tuple(names))


@st.composite
def plants(draw: st.DrawFn) -> tuple[Model, Planted]:
    """A model and kernels of at most 8 groups for its linear modules."""
    model = draw(models())
    most = draw(st.integers(1, 8))
    number = st.integers(1, most)
    served = {
        module.name: ("gemm", f"g{draw(number)}")
        if module.kind == "linear"
        else (module.kind, "kernel")
        for module in model.modules
    }
    return model, served


def seen(model: Model, served: Planted) -> list[Seen]:
    """The launches of all groups."""
    counts: dict[tuple[Group, str], int] = defaultdict(int)
    for module in model.modules:
        counts[served[module.name], module.kind] += module.count
    return [Seen(group, kind, launches) for (group, kind), launches in counts.items()]


def step(model: Model, served: Planted) -> list[Launch]:
    """The launches of one step in order."""
    kinds = {module.name: module.kind for module in model.modules}
    return [Launch(served[name], kinds[name]) for name in model.program]


def classed(model: Model, served: Mapping[str, Group | None]) -> Counter[tuple[Group | None, int]]:
    """How many modules of each count each group serves."""
    linear = [module for module in model.modules if module.kind == "linear"]
    return Counter((served[module.name], module.count) for module in linear)


def has_class(fit: Fit, model: Model, served: Planted) -> bool:
    """Whether one of the readings is of the planted class."""
    read = [{m: group for m, (group, _) in one.assignment.items()} for one in fit.readings]
    return classed(model, served) in [classed(model, one) for one in read]


@settings(deadline=None)
@given(plants())
def test_counts_keep_the_planted_class(planted: tuple[Model, Planted]) -> None:
    model, served = planted
    with under_a_second():
        fit = infer(model, "linear", seen(model, served))
    assert fit.readings[0].closes
    assert has_class(fit, model, served)


@settings(deadline=None)
@given(plants())
def test_order_tells_the_planted_assignment(planted: tuple[Model, Planted]) -> None:
    model, served = planted
    with under_a_second():
        fit = infer(model, "linear", seen(model, served), step(model, served))
    (reading,) = fit.left
    assert reading.closes and not reading.ambiguous
    assert all(served[name] == group for name, (group, _) in reading.assignment.items())


@settings(deadline=None)
@given(plants(), st.randoms(use_true_random=False), st.integers(0, 40))
def test_damaged_steps_are_read_in_time(
    planted: tuple[Model, Planted], random: Random, lost: int
) -> None:
    model, served = planted
    launches = step(model, served)
    kept = sorted(random.sample(range(len(launches)), max(1, len(launches) - lost)))
    left = [launches[at] for at in kept]
    counts = Counter((launch.group, launch.kind) for launch in left)
    some = [Seen(group, kind, times) for (group, kind), times in counts.items()]
    with under_a_second():
        fit = infer(model, "linear", some, left)
    assert fit.readings or not any(one.kind == "linear" for one in some)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 100), st.integers(1, 8)), min_size=12, max_size=12),
    st.integers(0, 3),
)
def test_any_counts(pairs: Sequence[tuple[int, int]], lost: int) -> None:
    """Twelve modules of any counts in eight groups, the hard case; some with lost launches."""
    model = Model(tuple(Module(f"m{i}", "linear", n) for i, (n, _) in enumerate(pairs)))
    served = {f"m{i}": ("gemm", f"g{number}") for i, (_, number) in enumerate(pairs)}
    whole = seen(model, served)
    short = [Seen(whole[0].group, "linear", max(1, whole[0].launches - lost)), *whole[1:]]
    with under_a_second():
        fit = infer(model, "linear", short)
    if short == whole:
        assert has_class(fit, model, served)
