"""The part of a model and of a step that one kind of modules is about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .facts import Group, Launch, Model, Module, Place, Seen


class Effort:
    """A number of search steps: a limit that is the same on every machine, unlike a clock."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int = 1) -> bool:
        """Take steps; whether any were left."""
        self.left -= steps
        return self.left >= 0


@dataclass(frozen=True)
class Case:
    """The modules of one kind that run, the groups seen for it, and the order of both."""

    kind: str
    modules: tuple[Module, ...]
    groups: Mapping[Group, Seen]
    others: Mapping[str, str]
    program: tuple[str, ...]
    sequence: tuple[Launch, ...]

    @classmethod
    def of(
        cls, model: Model, kind: str, seen: Sequence[Seen], sequence: Sequence[Launch]
    ) -> "Case":
        """Leave out what does not run and what was not launched."""
        running = [module for module in model.modules if module.count > 0]
        groups = {one.group: one for one in seen if one.kind == kind and one.launches > 0}
        return cls(
            kind,
            tuple(module for module in running if module.kind == kind),
            groups,
            {module.name: module.kind for module in running if module.kind != kind},
            model.program,
            tuple(sequence),
        )

    @cached_property
    def by_name(self) -> dict[str, Module]:
        """The modules by name."""
        return {module.name: module for module in self.modules}

    @cached_property
    def launches(self) -> int:
        """Launches per step of all groups."""
        return sum(one.launches for one in self.groups.values())


@dataclass(frozen=True)
class Variant:
    """Which modules launch nothing, and which groups launch several times per run."""

    absorbed: frozenset[str] = frozenset()
    times: Mapping[Group, int] = field(default_factory=dict)

    def per_run(self, group: Group) -> int:
        """Launches of a group per run of a module that it serves."""
        return self.times.get(group, 1)

    def launching(self, case: Case) -> list[Module]:
        """The modules that are not absorbed."""
        return [module for module in case.modules if module.name not in self.absorbed]

    def place(self, case: Case, served: Mapping[str, Group]) -> dict[str, Place]:
        """The assignment of all modules, in the order of the model."""
        return {
            module.name: (served[module.name], self.per_run(served[module.name]))
            if module.name in served
            else (None, 0)
            for module in case.modules
        }


def expected(case: Case, places: Mapping[str, Place]) -> dict[Group, int]:
    """Launches per step that an assignment gives each group."""
    sums = dict.fromkeys(case.groups, 0)
    for name, (group, times) in places.items():
        if group is not None:
            sums[group] += times * case.by_name[name].count
    return sums


def residuals(case: Case, places: Mapping[str, Place]) -> dict[Group, int]:
    """Launches seen minus launches expected, per group."""
    sums = expected(case, places)
    return {group: one.launches - sums[group] for group, one in case.groups.items()}
