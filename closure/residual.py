"""What a residual may mean, in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from .case import Case
from .facts import Group, Module, Place
from .words import either, modules_of


@dataclass(frozen=True)
class Meaning:
    """A sentence; of `elsewhere`, one module is served by kernels that were not listed."""

    text: str
    elsewhere: tuple[str, ...] = ()


@dataclass(frozen=True)
class Beyond:
    """What may launch beyond the target model's modules: a draft model; layers left out."""

    draft: Sequence[Module] = ()
    layers: int | None = None


def meanings(
    case: Case, kept: Sequence[Mapping[str, Place]], group: Group, residual: int, beyond: Beyond
) -> list[Meaning]:
    """What the residual of a group may mean, given the assignments that are left; never empty."""
    served = [module for module in case.modules if any(p[module.name][0] == group for p in kept)]
    if residual < 0:
        return _missing(case.modules, served, -residual)
    here = modules_of(case, kept[0], group)
    times = next((n for one, n in kept[0].values() if one == group), 1)
    runs = times * sum(module.count for module in here)
    found = [*_draft(here, runs, residual, beyond, times)]
    found += _layers(here, runs + residual, residual, beyond.layers, times)
    found += _twice(case.kind, served, residual)
    if not here:
        found.append(f"{residual} launches that no module accounts for")
    return [Meaning(text) for text in found] or [
        Meaning(f"+{residual} is no module's count: launches of other work")
    ]


def _missing(modules: Sequence[Module], served: Sequence[Module], missing: int) -> list[Meaning]:
    """As many as one module, or as two together; else events were lost.

    All modules of that count are named: by counts alone any of them may stand in the group, and
    what is missing is no evidence of what is there.
    """
    names = [module.name for module in modules if module.count == missing]
    likely = [module.name for module in served if module.count == missing]
    if names:
        one = f"one module of count {missing} ({either(names)})"
        return [
            Meaning(f"{missing} missing: as many as {either(names)}, so lost or fused into others"),
            Meaning(f"{one} is served by kernels of another family", tuple(likely or names)),
        ]
    both = _pairs(served, missing)
    if both:
        text = f"{missing} missing: as many as {either(both)} together"
        return [Meaning(f"{text}, so lost or fused into others")]
    if missing == sum(module.count for module in served):
        text = f"{missing} missing: all launches of these kernels"
        return [Meaning(f"{text}, so lost, or made by kernels that no rule names")]
    return [
        Meaning(
            f"{missing} missing is not the count of one or two modules: lost events, or modules"
            " served by kernels that no rule names"
        )
    ]


def _pairs(served: Sequence[Module], total: int) -> list[str]:
    """Two modules whose counts sum to a total, such as 'o and lm_head'."""
    two = combinations(served, 2)
    return [f"{a.name} and {b.name}" for a, b in two if a.count + b.count == total]


def _twice(kind: str, served: Sequence[Module], more: int) -> Iterable[str]:
    """One or two modules that launch twice."""
    names = [module.name for module in served if module.count == more] or _pairs(served, more)
    if names:
        why = " (split-K?)" if kind == "linear" else ""
        yield f"{more} more: {either(names)} launched twice{why}"


def _draft(
    here: Sequence[Module], runs: int, more: int, beyond: Beyond, times: int
) -> Iterable[str]:
    """Whole passes of the draft model: of its modules with the same names, or of all."""
    names = {module.name for module in here}
    same = [module for module in beyond.draft if module.name in names] or beyond.draft
    one = times * sum(module.count for module in same)
    if one and more % one == 0:
        passes = more // one
        yield f"{runs} + {passes} draft {'pass' if passes == 1 else 'passes'} of {one}"


def _layers(
    here: Sequence[Module], seen: int, more: int, layers: int | None, times: int
) -> Iterable[str]:
    """All layers, where a module was listed for fewer."""
    for count in sorted({module.count for module in here}):
        names = [module.name for module in here if module.count == count]
        if layers and count < layers and more == times * len(names) * (layers - count):
            yield f"{seen} with {either(names, 'and')} in all {layers} layers, not in {count}"
