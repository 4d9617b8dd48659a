"""A spec written by hand: TOML with modules, layers made of them, and the order of a pass."""

import tomllib
from typing import Any

from ...errors import ProfdbError
from .fields import MOST_LAYERS, Fields, shown
from .order import expand
from .spec import KINDS, LINEAR, PASSES, RUNS_IN, Module, Place

_TOP = ("name", "architecture", "modules", "layers", "order")
_MODULE = ("kind", "runs_in", "inputs", "outputs", "absorbed_by")


def parse_toml(text: str, path: str) -> tuple[str, str, list[Place], list[Place]]:
    """Give name (empty where none is told), architecture and the two passes of a spec by hand."""
    try:
        top = Fields(tomllib.loads(text), path)
    except (ValueError, RecursionError) as error:
        raise ProfdbError(
            f"{path}: not TOML ({error}); profdb model add --help shows the form"
        ) from error
    _known(top, _TOP)
    modules = {name: _module(top, name) for name in top.below("modules").values}
    blocks = _layers(top, modules)
    passes = _passes(top, modules, blocks)
    _check_absorbed(top, modules)
    _all_used(top, modules, blocks, passes)
    target, draft = (_numbered(path, passes[p], modules, blocks) for p in PASSES)
    return _word(top, "name", ""), _word(top, "architecture", "declared"), target, draft


def _module(top: Fields, name: str) -> Module:
    table = top.below("modules").below(name)
    _known(table, _MODULE)
    return Module(
        name,
        _choice(table, "kind", KINDS, LINEAR),
        _choice(table, "runs_in", RUNS_IN, "any"),
        table.size("inputs"),
        table.size("outputs"),
        _word(table, "absorbed_by", "") or None,
    )


def _check_absorbed(top: Fields, modules: dict[str, Module]) -> None:
    """A module may be absorbed by what launches by itself, not in a circle."""
    for name in modules:
        seen, at = [name], modules[name].absorbed_by
        while at in modules:
            if at in seen:
                circle = " by ".join([*seen, at])
                raise ProfdbError(f"{top.path}: modules absorb each other: {circle}")
            seen.append(at)
            at = modules[at].absorbed_by


def _layers(top: Fields, modules: dict[str, Module]) -> dict[str, list[Module]]:
    if not top.has("layers"):
        return {}
    table, blocks = top.below("layers"), {}
    for name, named in table.values.items():
        if name in modules:
            raise ProfdbError(f"{table.path}.{name}: a module is called so too; rename one")
        if not isinstance(named, list) or not named:
            raise table.error(name, "a list of modules")
        for module in named:
            if not isinstance(module, str) or module not in modules:
                raise ProfdbError(f"{table.path}.{name}: {shown(module)} is not in [modules]")
        blocks[name] = [modules[module] for module in named]
    return blocks


def _passes(
    top: Fields, modules: dict[str, Module], blocks: dict[str, list[Module]]
) -> dict[str, list[str]]:
    order = top.below("order")
    _known(order, PASSES)
    if "target" not in order.values:
        raise order.error("target", 'an order, such as "16*(3*gdn + full) + lm_head"')
    found: dict[str, list[str]] = dict.fromkeys(PASSES, [])
    for in_pass in order.values:
        text = _word(order, in_pass, "")
        found[in_pass] = expand(text, {*modules, *blocks}, f"{order.path}.{in_pass}")
    return found


def _numbered(
    path: str, names: list[str], modules: dict[str, Module], blocks: dict[str, list[Module]]
) -> list[Place]:
    places: list[Place] = []
    layer = 0
    for name in names:
        if name in blocks:
            places.append((layer, blocks[name]))
            layer += 1
        else:
            places.append((None, (modules[name],)))
    if layer > MOST_LAYERS:
        raise ProfdbError(f"{path}: order has {layer} layers; at most {MOST_LAYERS} are read")
    return places


def _all_used(
    top: Fields,
    modules: dict[str, Module],
    blocks: dict[str, list[Module]],
    passes: dict[str, list[str]],
) -> None:
    """Refuse what never runs: it is a name that was misspelt elsewhere."""
    ordered = {name for names in passes.values() for name in names}
    inside = {module.name for name in ordered & blocks.keys() for module in blocks[name]}
    for name in [*blocks, *modules]:
        if name not in ordered | inside:
            raise ProfdbError(f"{top.path}: {name} is in no order; use it in [order] or drop it")


def _known(table: Fields, keys: tuple[str, ...]) -> None:
    for key in table.values:
        if key not in keys:
            raise ProfdbError(f"{table.path}: unknown key {key!r}; known are {', '.join(keys)}")


def _choice(table: Fields, key: str, allowed: tuple[str, ...], default: str) -> str:
    value = _word(table, key, default)
    if value not in allowed:
        raise table.error(key, f"one of {', '.join(allowed)}")
    return value


def _word(table: Fields, key: str, default: str) -> str:
    value: Any = table.values.get(key, default)
    if not isinstance(value, str) or (key in table.values and not value.strip()):
        raise table.error(key, "a text that is not empty")
    return value
