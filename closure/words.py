"""Readings in words."""

from collections.abc import Mapping, Sequence

from .case import Case
from .facts import Group, Module, Place


def names(case: Case) -> dict[Group, str]:
    """What groups are called: the implementation, with the family where it is not unique."""
    called = [implementation for _, implementation in case.groups]
    return {
        group: group[1] if group[1] and called.count(group[1]) == 1 else " ".join(group).strip()
        for group in case.groups
    }


def equation(case: Case, places: Mapping[str, Place], residuals: Mapping[Group, int]) -> str:
    """Such as 'LLMM1 = 64 gate_up + 48 ba; tensile = 64 down + 1 lm_head'."""
    parts = [
        f"{name} = {_sum(case, group, places, residuals[group])}"
        for group, name in names(case).items()
    ]
    return ("; ".join(parts) + absorbed(case, places)).strip()


def _sum(case: Case, group: Group, places: Mapping[str, Place], residual: int) -> str:
    """The runs of the modules that a group serves, and the residual."""
    served = sorted(modules_of(case, places, group), key=lambda module: -module.count)
    text = " + ".join(f"{module.count} {module.name}" for module in served) or "0"
    times = next((n for one, n in places.values() if one == group), 1)
    if times > 1:
        text = f"{times} × {text}" if len(served) == 1 else f"{times} × ({text})"
    return text + (f" {'+' if residual > 0 else '-'} {abs(residual)}" if residual else "")


def absorbed(case: Case, places: Mapping[str, Place]) -> str:
    """Such as ' (down absorbed by gate_up)'; empty where nothing is."""
    gone = [case.by_name[name] for name, (group, _) in places.items() if group is None]
    text = ", ".join(f"{m.name} absorbed by {m.absorbed_by}" for m in gone if m.absorbed_by)
    return f" ({text})" if text else ""


def modules_of(case: Case, places: Mapping[str, Place], group: Group) -> list[Module]:
    """The modules that a group serves, in the order of the model."""
    return [module for module in case.modules if places[module.name][0] == group]


def either(items: Sequence[str], last: str = "or") -> str:
    """Such as 'qkvz, ba or out'."""
    head = ", ".join(items[:-1])
    return f"{head} {last} {items[-1]}" if head else "".join(items[-1:])
