"""From counts and evidence to readings."""

from collections.abc import Sequence
from dataclasses import replace

from .case import Case, Effort, Variant, residuals
from .classes import classes
from .expand import MOST, Solution
from .facts import Fit, Group, Launch, Model, Module, Place, Reading, Seen
from .nearest import nearest
from .rank import ORDER, Kept, Ranking, rank, read_offs
from .residual import Beyond, meanings
from .variants import tiers
from .words import equation, names

STEPS = 150_000
MOST_CLASSES = 500
MOST_NEAR = 6
Places = dict[str, Place]


def infer(
    model: Model,
    kind: str,
    seen: Sequence[Seen],
    sequence: Sequence[Launch] = (),
    draft: Sequence[Module] = (),
    layers: int | None = None,
) -> Fit:
    """Find which groups of kernels serve the modules of one kind.

    Seen and sequence may hold all kinds: the launches of other kinds are landmarks in the order.
    Draft are the modules of one draft pass, layers those of the model; both only word residuals.
    """
    case = Case.of(model, kind, seen, sequence)
    if not case.modules and not case.groups:
        return Fit(kind)
    effort = Effort(STEPS)
    for tier in tiers(case):
        told = read_offs(case, tier) if case.sequence else []
        solutions = solve(case, tier, effort)
        if told:
            return _told(case, told, solutions)
        if solutions:
            return _closing(case, solutions, effort.left >= 0)
    if not case.modules or not case.groups:
        return _unserved(case)
    same = [module for module in draft if module.kind == kind and module.count > 0]
    return _near(case, Beyond(same, layers), effort.left >= 0)


def solve(case: Case, tier: Sequence[Variant], effort: Effort) -> list[Solution]:
    """The classes of all variants of a tier."""
    found: list[Solution] = []
    for variant in tier:
        needs = {g: one.launches // variant.per_run(g) for g, one in case.groups.items()}
        counts = [module.count for module in variant.launching(case)]
        some = classes(counts, needs, effort, MOST_CLASSES - len(found))
        found += [Solution(case, variant, cls) for cls in some]
        if effort.left < 0:
            break
    return found


def _told(case: Case, told: Sequence[Places], solutions: Sequence[Solution]) -> Fit:
    """Assignments that the order tells, each a reading of its own; then those by counts alone."""
    unsure = differing(told)
    others = _against(case, solutions, told, ORDER)
    readings = [_reading(case, places, unsure, 1, ORDER if others else None) for places in told]
    return Fit(case.kind, readings + others, residuals(case, told[0]))


def _against(
    case: Case, solutions: Sequence[Solution], kept: Sequence[Places], ruled: str
) -> list[Reading]:
    """What would close by counts alone, had evidence not ruled it out: one reading per class."""
    readings = []
    why = f"by counts alone, against the {ruled}"
    for solution in solutions:
        some = solution.assignments(MOST)
        out = [places for places in some if places not in kept]
        if out:
            left = solution.ways - (len(some) - len(out))
            reading = _reading(case, out[0], frozenset(), left, why)
            readings.append(replace(reading, ruled_out=True))
    return readings


def _closing(case: Case, solutions: Sequence[Solution], complete: bool) -> Fit:
    """One reading per class that the evidence leaves."""
    ranking = rank(case, solutions, closes=True)
    unsure = _unsure(ranking, solutions)
    readings: list[Reading] = []
    for number, places, left in _by_class(ranking):
        many = left if ranking.ruled else solutions[number].ways
        evidence = [ranking.ruled, None if readings else ranking.ranked]
        why = " and ".join(word for word in evidence if word) or None
        readings.append(_reading(case, places, unsure, many, why))
    if ranking.ruled:
        kept = [one.places for one in ranking.kept]
        readings += _against(case, solutions, kept, ranking.ruled)
    return Fit(case.kind, readings, residuals(case, ranking.kept[0].places), complete)


def _by_class(ranking: Ranking) -> list[tuple[int, Places, int]]:
    """Per class its number, its likeliest assignment and how many are left."""
    classed: dict[int, list[Kept]] = {}
    for one in ranking.kept:
        classed.setdefault(one.solution, []).append(one)
    return [(number, some[0].places, len(some)) for number, some in classed.items()]


def differing(assignments: Sequence[Places]) -> frozenset[str]:
    """Modules that not all assignments give to the same group."""
    first = assignments[0]
    return frozenset(
        name for name in first if any(one[name][0] != first[name][0] for one in assignments)
    )


def _unsure(ranking: Ranking, solutions: Sequence[Solution]) -> frozenset[str]:
    """The modules that the evidence allows elsewhere; where assignments were cut off, by count."""
    unsure = differing([one.places for one in ranking.kept])
    cut = solutions if ranking.cut else ()
    return unsure.union(*(solution.swappable() for solution in cut))


def _reading(
    case: Case, places: Places, unsure: frozenset[str], many: int, evidence: str | None
) -> Reading:
    text = equation(case, places, residuals(case, places))
    return Reading(True, places, unsure, many, text, evidence)


def _near(case: Case, beyond: Beyond, complete: bool) -> Fit:
    """The nearest readings: of the likeliest class all meanings, of others the first."""
    solutions = [near.solution for near in nearest(case)]
    ranking = rank(case, solutions, closes=False)
    unsure = _unsure(ranking, solutions)
    readings: list[Reading] = []
    for number, places, left in _by_class(ranking)[:MOST_NEAR]:
        kept = [one.places for one in ranking.kept if one.solution == number]
        many = left if ranking.ruled else solutions[number].ways
        evidence = ranking.ruled if readings else ranking.ruled or ranking.ranked
        some = _meant(case, kept, beyond, Reading(False, places, unsure, many, "", evidence))
        readings += some[:1] if readings else some
    return Fit(case.kind, readings, residuals(case, ranking.kept[0].places), complete)


def _meant(case: Case, kept: Sequence[Places], beyond: Beyond, base: Reading) -> list[Reading]:
    """The readings of one class: what its residuals may mean."""
    off = {group: one for group, one in residuals(case, base.assignment).items() if one}
    called = names(case)
    words = {group: meanings(case, kept, group, one, beyond) for group, one in off.items()}
    tag = {group: f"{called[group]}: " if len(off) > 1 else "" for group in off}
    first = "; ".join(tag[group] + some[0].text for group, some in words.items())
    text = equation(case, base.assignment, residuals(case, base.assignment))
    found = [replace(base, text=f"{text}. {first}" if off else text, closes=not off)]
    for group, some in words.items():
        for meaning in some[1:]:
            moved = _elsewhere(base.assignment, group, meaning.elsewhere)
            unsure = base.ambiguous | (
                set(meaning.elsewhere) if len(meaning.elsewhere) > 1 else set()
            )
            found.append(
                replace(base, text=tag[group] + meaning.text, assignment=moved, ambiguous=unsure)
            )
    return found


def _elsewhere(places: Places, group: Group, names: Sequence[str]) -> Places:
    """The assignment with the first of these modules of a group served by nothing listed."""
    gone = [name for name in names if places[name][0] == group][:1]
    return places | {name: (None, 0) for name in gone}


def _unserved(case: Case) -> Fit:
    """Kernels without modules, or modules without kernels."""
    places: Places = {module.name: (None, 0) for module in case.modules}
    over = residuals(case, places)
    total = sum(module.count for module in case.modules)
    text = f"no kernels of kind {case.kind} in a step: {total} launches expected"
    if case.groups:
        text = f"{equation(case, places, over)}. The model has no module of kind {case.kind}"
    return Fit(case.kind, [Reading(False, places, frozenset(), 1, text)], over)
