"""Maps of kernels to modules that a user declares."""

import re
from collections.abc import Iterable, Sequence

from ..errors import ProfdbError
from ..warehouse import Warehouse
from .fit import Row, Rows, Where, modules_of

_MODULE = re.compile(r"(?P<name>[^*,=]+)(?:\*(?P<times>[1-9]\d*))?")
ABSORBED = "absorbed"


def declare_map(warehouse: Warehouse, where: Where, words: Sequence[str]) -> Rows:
    """Read GROUP=MODULE[*N],… words into rows of model_maps.

    A group is an implementation or family/implementation that the phase has; `absorbed` takes the
    modules whose work another launch does. All modules of a kind must be named, or none.
    """
    groups = _groups(warehouse, where)
    kinds = {module.name: module.kind for module in modules_of(warehouse, where)}
    rows: dict[str, Row] = {}
    for word in words:
        name, equals, listed = word.partition("=")
        if not equals:
            raise ProfdbError(f"{word!r} is no GROUP=MODULE,…, such as LLMM1=gate_up,qkvz*2")
        group = (None, None) if name == ABSORBED else _group(groups, name, where)
        for module, times in _modules(listed):
            if module not in kinds:
                there = ", ".join(kinds)
                raise ProfdbError(f"model {where.model!r} runs no {module!r} there; it has {there}")
            if module in rows:
                raise ProfdbError(f"module {module!r} is named twice")
            rows[module] = _row(where, module, group, times)
    _check_whole(kinds, rows)
    return Rows(maps=list(rows.values()), kinds=[(where.phase, kinds[name]) for name in rows])


def _groups(warehouse: Warehouse, where: Where) -> dict[str, list[tuple[str, str]]]:
    """The groups of kernels that the phase has, by every name that a user may give them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in warehouse.query("closure_seen", **where.params):
        group = row["family"], row["implementation"]
        for name in (row["implementation"], "/".join(group)):
            found.setdefault(name, []).append(group)
    return found


def _group(groups: dict[str, list[tuple[str, str]]], name: str, where: Where) -> tuple[str, str]:
    fitting = groups.get(name, [])
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        several = " or ".join("/".join(group) for group in fitting)
        raise ProfdbError(f"{name!r} may be {several}; give one of these")
    there = ", ".join(sorted(name for name in groups if "/" in name)) or "none"
    raise ProfdbError(
        f"no kernels of {name!r} in phase {where.phase} of run {where.run!r}; there are {there}"
    )


def _modules(listed: str) -> Iterable[tuple[str, int]]:
    for part in listed.split(","):
        match = _MODULE.fullmatch(part.strip())
        if match is None:
            raise ProfdbError(f"{part!r} is no MODULE or MODULE*N")
        yield match["name"].strip(), int(match["times"] or 1)


def _row(where: Where, module: str, group: tuple[str | None, str | None], times: int) -> Row:
    family, implementation = group
    return where.key | {
        "module": module,
        "family": family,
        "implementation": implementation,
        "multiplicity": times if family else 0,
        "origin": "declared",
    }


def _check_whole(kinds: dict[str, str], rows: dict[str, Row]) -> None:
    named = {kinds[module] for module in rows}
    missing = [module for module, kind in kinds.items() if kind in named and module not in rows]
    if missing:
        raise ProfdbError(
            f"modules not named: {', '.join(missing)}; name all of a kind"
            f" ({ABSORBED}=MODULE where another launch does the work)"
        )
