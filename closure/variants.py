"""Variants of a model, the plainest first: absorbed modules, several launches per run."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain, combinations, islice, product

from .case import Case, Variant
from .facts import Group

MOST_SETS = 4096
MOST_TIMES = 20_000
SEVERAL = 4
"""Most groups that launch several times per run."""


def tiers(case: Case) -> Iterator[list[Variant]]:
    """Lists of equally plausible variants whose launches sum to those seen.

    First the model as it is, then modules absorbed by one other, then several launches per run,
    then modules absorbed by several others, then both.
    """
    sets = absorbed_sets(case)
    absorbers = absorbable(case)
    single: list[frozenset[str]] = []
    spread: list[frozenset[str]] = []
    for names in sets:
        whom = {_root(absorbers, name, names) for name in names}
        (single if len(whom) <= 1 else spread).append(names)
    repeated = _repeated(case)
    yield from _once(case, single)
    yield from _several(case, sets[:1], repeated)
    yield from _once(case, spread)
    yield from _several(case, sets[1:], repeated)


def absorbable(case: Case) -> dict[str, str]:
    """The modules that something else may do the work of, and what that is."""
    return {m.name: m.absorbed_by for m in case.modules if m.absorbed_by}


def absorbed_sets(case: Case) -> list[frozenset[str]]:
    """Sets of modules that may be absorbed together, the smallest first, the empty one included."""
    able = absorbable(case)
    every = chain.from_iterable(combinations(able, size) for size in range(len(able) + 1))
    sets = map(frozenset, islice(every, MOST_SETS))
    return [names for names in sets if all(_root(able, name, names) for name in names)]


def _root(absorbers: Mapping[str, str], name: str, absorbed: frozenset[str]) -> str | None:
    """What launches in the end where a module is absorbed; None where modules go in a circle."""
    for _ in range(len(absorbed) + 1):
        if name not in absorbed:
            return name
        name = absorbers[name]
    return None


def _once(case: Case, sets: list[frozenset[str]]) -> Iterator[list[Variant]]:
    """Variants without several launches per run, those that absorb equally many together."""
    tier: dict[int, list[Variant]] = defaultdict(list)
    for names in sets:
        variant = Variant(names)
        if sum(module.count for module in variant.launching(case)) == case.launches:
            tier[len(names)].append(variant)
    yield from (tier[size] for size in sorted(tier))


def _several(
    case: Case, sets: list[frozenset[str]], repeated: Mapping[int, list[dict[Group, int]]]
) -> Iterator[list[Variant]]:
    """Variants with several launches per run: fewest groups first, then the smallest numbers."""
    tier: dict[tuple[int, int, int], list[Variant]] = defaultdict(list)
    for names in sets:
        total = sum(module.count for module in Variant(names).launching(case))
        for times in repeated.get(total, []):
            key = len(names), len(times), sum(times.values())
            tier[key].append(Variant(names, times))
    yield from (tier[key] for key in sorted(tier))


def _repeated(case: Case) -> dict[int, list[dict[Group, int]]]:
    """Launches per run of some groups, by the number of runs of modules that they make of a step.

    A matrix product is split into at most 4 launches; other modules launch up to 16 kernels.
    """
    most = times_limit(case.kind)
    able = {
        group: [times for times in range(2, most + 1) if one.launches % times == 0]
        for group, one in case.groups.items()
    }
    some = chain.from_iterable(combinations(able, size) for size in range(1, SEVERAL + 1))
    every = (
        dict(zip(groups, times, strict=True))
        for groups in some
        for times in product(*(able[group] for group in groups))
    )
    found = defaultdict(list)
    for times in islice(every, MOST_TIMES):
        saved = sum(case.groups[g].launches * (n - 1) // n for g, n in times.items())
        found[case.launches - saved].append(times)
    return found


def times_limit(kind: str) -> int:
    """Most launches per run of a module that are believed."""
    return 4 if kind == "linear" else 16
