"""A model spec: modules, and the order in which a forward pass runs them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...errors import ProfdbError

LINEAR, EXPERTS, ATTENTION, LINEAR_ATTENTION = "linear", "experts", "attention", "linear_attention"
KINDS = (LINEAR, EXPERTS, ATTENTION, LINEAR_ATTENTION)
ANY, PREFILL, DECODE = "any", "prefill", "decode"
RUNS_IN = (ANY, PREFILL, DECODE)
TARGET, DRAFT = "target", "draft"
PASSES = (TARGET, DRAFT)


@dataclass(frozen=True)
class Module:
    """A part of a model that launches kernels.

    `inputs` and `outputs` are features of the whole model, before any split over devices; None
    where they are not told. A batched matmul (w_uk, w_uv) has those of one head.
    """

    name: str
    kind: str = LINEAR
    runs_in: str = ANY
    inputs: int | None = None
    outputs: int | None = None
    absorbed_by: str | None = None
    in_pass: str = TARGET


@dataclass(frozen=True)
class Run:
    """One run of a module in a forward pass; `layer` is None outside the layers."""

    in_pass: str
    position: int
    layer: int | None
    module: str


@dataclass(frozen=True)
class ModelSpec:
    """A model by its modules; `layers` counts those of the target pass."""

    name: str
    architecture: str
    layers: int
    modules: tuple[Module, ...]
    sequence: tuple[Run, ...]
    source_path: str
    config: str

    def alike(self, other: "ModelSpec") -> bool:
        """Tell whether both say the same of the model, whatever they are called or read from."""
        return _content(self) == _content(other)


Place = tuple[int | None, Sequence[Module]]
"""A layer, or None outside the layers, with the modules that run there in order."""


def assemble(
    target: Iterable[Place], draft: Iterable[Place]
) -> tuple[tuple[Module, ...], tuple[Run, ...]]:
    """Give the modules of both passes and their runs in order."""
    modules: dict[tuple[str, str], Module] = {}
    runs: list[Run] = []
    for in_pass, places in ((TARGET, target), (DRAFT, draft)):
        flat = [(layer, module) for layer, block in places for module in block]
        for position, (layer, module) in enumerate(flat):
            _merge(modules, replace(module, in_pass=in_pass))
            runs.append(Run(in_pass, position, layer, module.name))
    return tuple(modules.values()), tuple(runs)


def keep_runs(spec: ModelSpec, kept: Iterable[Run]) -> ModelSpec:
    """Give the spec with these runs alone, numbered anew, and with the modules that they name."""
    counted = dict.fromkeys(PASSES, 0)
    runs = []
    for run in kept:
        runs.append(replace(run, position=counted[run.in_pass]))
        counted[run.in_pass] += 1
    named = {(run.in_pass, run.module) for run in runs}
    modules = tuple(m for m in spec.modules if (m.in_pass, m.name) in named)
    return replace(spec, modules=modules, sequence=tuple(runs))


def spec_rows(spec: ModelSpec, model_id: int = 0) -> dict[str, list[dict[str, Any]]]:
    """Give the rows of the tables models, model_modules and model_sequence, by table and column.

    `added_at` of table models is left to the moment of storing.
    """
    model = {
        "model_id": model_id,
        "name": spec.name,
        "architecture": spec.architecture,
        "layers": spec.layers,
        "source_path": spec.source_path,
        "config": spec.config,
    }
    return {
        "models": [model],
        "model_modules": [_module_row(module, model_id) for module in spec.modules],
        "model_sequence": [_run_row(run, model_id) for run in spec.sequence],
    }


def _module_row(module: Module, model_id: int) -> dict[str, Any]:
    return {
        "model_id": model_id,
        "module": module.name,
        "kind": module.kind,
        "pass": module.in_pass,
        "runs_in": module.runs_in,
        "inputs": module.inputs,
        "outputs": module.outputs,
        "absorbed_by": module.absorbed_by,
    }


def _run_row(run: Run, model_id: int) -> dict[str, Any]:
    row = {"model_id": model_id, "pass": run.in_pass, "position": run.position}
    return row | {"layer": run.layer, "module": run.module}


_LONGEST = 200


def check_name(name: str) -> str:
    """Refuse what cannot be typed or printed as the name of a model; give it back otherwise."""
    if not name.strip():
        raise ProfdbError(f"{name!r} is no name of a model; --name NAME gives one")
    if not name.isprintable():
        raise ProfdbError(f"name {name!r} holds characters that cannot be printed; --name NAME")
    if len(name) > _LONGEST:
        raise ProfdbError(
            f"name {name[:40]!r}… has {len(name)} characters, at most {_LONGEST}; --name NAME"
        )
    return name


def _merge(modules: dict[tuple[str, str], Module], new: Module) -> None:
    """Note a module; features that differ from layer to layer cannot be told as one number."""
    old = modules.setdefault((new.in_pass, new.name), new)
    if old != new:
        inputs = old.inputs if old.inputs == new.inputs else None
        outputs = old.outputs if old.outputs == new.outputs else None
        modules[new.in_pass, new.name] = replace(old, inputs=inputs, outputs=outputs)


def _content(spec: ModelSpec) -> tuple[object, ...]:
    return (spec.architecture, spec.layers, frozenset(spec.modules), frozenset(spec.sequence))
