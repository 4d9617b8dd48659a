"""Evidence of the shapes of weights that a step's launches name."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, combinations

from .case import Case
from .facts import Group, Module, Place

Matrix = tuple[int, int]
SPLITS = 64
"""Most devices that tensor parallelism is believed to split a weight over."""
EXPLAINED = 0.9
"""Share of the launches with shapes that must fit for the shapes to rule assignments out."""


def weights(shape: str) -> list[Matrix]:
    """Matrices of a shape that may be weights: all but the first, which holds the tokens."""
    tensors = [tensor.split(",") for tensor in shape.split(";")]
    found = [(int(dims[0]), int(dims[1])) for dims in tensors if _is_matrix(dims)]
    return found[1:] or found


def _is_matrix(dims: Sequence[str]) -> bool:
    """Whether there are two whole dims."""
    return len(dims) == 2 and all(dim.strip().isdecimal() for dim in dims)


def fits(inputs: int, outputs: int, matrix: Matrix) -> bool:
    """Whether a weight, split along one side at most, is a matrix in either orientation."""
    return _split(inputs, outputs, *matrix) or _split(outputs, inputs, *matrix)


def _split(inputs: int, outputs: int, rows: int, columns: int) -> bool:
    """Whether one side is whole and the other a part of at most 64 equal ones."""
    if inputs == rows:
        return _part(outputs, columns)
    return outputs == columns and _part(inputs, rows)


def _part(whole: int, part: int) -> bool:
    return part > 0 and whole % part == 0 and whole // part <= SPLITS


class Shapes:
    """Tells how many launches of a step have shapes that their modules explain."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.seen: dict[Group, Counter[str]] = defaultdict(Counter)
        for launch in case.sequence:
            if launch.kind == case.kind and weights(launch.shape):
                self.seen[launch.group][launch.shape] += 1
        every = {shape: weights(shape) for shape in chain(*self.seen.values())}
        self.fitting = {
            module.name: frozenset(s for s, known in every.items() if _fits_any(module, known))
            for module in case.modules
        }
        self.launches = sum(shapes.total() for shapes in self.seen.values())
        self.known: dict[tuple[Group, frozenset[tuple[str, int]]], int] = {}

    def explained(self, places: Mapping[str, Place]) -> int:
        """Launches of a step whose shapes an assignment explains, count for count."""
        runs: dict[Group, set[tuple[str, int]]] = defaultdict(set)
        for name, (group, times) in places.items():
            if group in self.seen and self.fitting[name]:
                runs[group].add((name, times * self.case.by_name[name].count))
        return sum(self._flow(group, frozenset(names)) for group, names in runs.items())

    def _flow(self, group: Group, runs: frozenset[tuple[str, int]]) -> int:
        """Most launches of a group that its modules can be matched with, remembered."""
        key = group, runs
        if key not in self.known:
            alike: Counter[frozenset[str]] = Counter()
            for name, launches in runs:
                alike[self.fitting[name]] += launches
            self.known[key] = _match(alike, self.seen[group])
        return self.known[key]

    def narrow(self, candidates: Sequence[dict[str, Place]]) -> list[dict[str, Place]]:
        """The assignments that explain most launches; all where even these explain too few."""
        fit = [self.explained(places) for places in candidates]
        best = max(fit, default=0)
        if not best or best < EXPLAINED * self.launches:
            return list(candidates)
        return [places for places, one in zip(candidates, fit, strict=True) if one == best]


def _fits_any(module: Module, matrices: Sequence[Matrix]) -> bool:
    if module.inputs is None or module.outputs is None:
        return False
    return any(fits(module.inputs, module.outputs, matrix) for matrix in matrices)


def _match(alike: Mapping[frozenset[str], int], seen: Mapping[str, int]) -> int:
    """Largest matching of runs with launches of fitting shapes: the smallest cut of the flow.

    A cut takes the shapes of some modules and the runs of all others.
    """
    total = sum(alike.values())
    cuts = []
    for some in chain.from_iterable(combinations(alike, size) for size in range(len(alike) + 1)):
        shapes = frozenset[str]().union(*some)
        cuts.append(
            total - sum(alike[one] for one in some) + sum(seen.get(shape, 0) for shape in shapes)
        )
    return min(cuts)
