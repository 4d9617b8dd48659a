"""From launch counts and a model to the map that closes them, as rows of the warehouse."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..closure import Fit, Launch, Model, Module, Seen, infer
from ..errors import ProfdbError
from ..warehouse import Warehouse, require_model

Row = dict[str, Any]
Part = tuple[str, str]
"""A phase, and a kind of modules."""


@dataclass(frozen=True)
class Where:
    """A phase of a run on a rank, and a model to close it with."""

    run: str
    rank: int
    phase: str
    model: str
    run_id: int
    model_id: int
    layers: int | None

    @property
    def params(self) -> Row:
        """The parameters of the queries."""
        return {"run": self.run, "rank": self.rank, "phase": self.phase, "model": self.model}

    @property
    def key(self) -> Row:
        """The columns that all rows of the phase have in common."""
        return {"run_id": self.run_id, "model_id": self.model_id, "phase": self.phase}


@dataclass
class Rows:
    """Rows of the tables model_maps and map_readings, and the parts that they are about."""

    maps: list[Row] = field(default_factory=list)
    readings: list[Row] = field(default_factory=list)
    kinds: list[Part] = field(default_factory=list)


def phases_of(
    warehouse: Warehouse, label: str, rank: int, model: str, phase: str | None = None
) -> list[Where]:
    """Give the phases of a run that have complete steps, with the model to close them with."""
    require_model(warehouse, model)
    (ids,) = warehouse.query("closure_ids", run=label, model=model)
    found = warehouse.query("closure_phases", run=label, rank=rank, phase=phase)
    if not found:
        which = f"phase {phase!r} of run {label!r}" if phase else f"run {label!r}"
        raise ProfdbError(
            f"{which} has no complete step on rank {rank}, and launches per step need one:"
            " profile with the engine's step annotations, or take a rank or run that has steps"
            " (profdb runs list shows them)"
        )
    return [Where(label, rank, row["phase"], model, **ids) for row in found]


def fit(warehouse: Warehouse, phases: Iterable[Where], done: Collection[Part] = ()) -> Rows:
    """Infer which kernels serve which modules, in every phase but for the parts already done."""
    rows = Rows()
    for where in phases:
        _fit_phase(warehouse, rows, where, done)
    return rows


def mapped(warehouse: Warehouse, where: Where) -> dict[Part, bool]:
    """The parts of a run and model that have a stored map, and whether it was declared."""
    found = warehouse.query("closure_mapped", **where.params)
    return {(row["phase"], row["kind"]): row["declared"] for row in found}


def suppose_fit(warehouse: Warehouse, phases: list[Where]) -> bool:
    """Fit what has no stored map, for this connection only; tell whether there was any."""
    rows = fit(warehouse, phases, mapped(warehouse, phases[0]))
    warehouse.suppose("model_maps", rows.maps)
    warehouse.suppose("map_readings", rows.readings)
    return bool(rows.maps)


def fit_for_page(warehouse: Warehouse, params: Mapping[str, Any]) -> dict[str, Any]:
    """Fit the phases of a closure page that have no stored map, for this connection only.

    Gives whether there were any (`fitted`), and the phases whose declared map is `contradicted`.
    """
    warehouse.unsuppose("model_maps", "map_readings")  # of another page
    run, rank, model, phase = (params[name] for name in ("run", "rank", "model", "phase"))
    phases = phases_of(warehouse, run, rank, model, phase)
    # Asked before the fitted maps stand among the stored ones.
    against = contradicted(warehouse, phases)
    return {"contradicted": against, "fitted": suppose_fit(warehouse, phases)}


def contradicted(warehouse: Warehouse, phases: Sequence[Where]) -> list[str]:
    """The phases whose declared map is not the one that evidence beyond the counts speaks for."""
    declared = [part for part, by_hand in mapped(warehouse, phases[0]).items() if by_hand]
    if not declared:
        return []
    rows = fit(warehouse, [where for where in phases if (where.phase, "linear") in declared])
    proved = {row["phase"] for row in rows.readings if row["place"] == 1 and row["evidence"]}
    stored = _served(warehouse.query("closure_declared", **phases[0].params))
    fitted = _served(rows.maps)
    return [
        phase
        for phase, kind in declared
        if kind == "linear"
        and phase in proved
        and any(
            fitted.get(module) != group for module, group in stored.items() if module[0] == phase
        )
    ]


def _served(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[str | None, str | None]]:
    """By phase and module the family and implementation that serve it."""
    return {(row["phase"], row["module"]): (row["family"], row["implementation"]) for row in rows}


def store_rows(warehouse: Warehouse, rows: Rows) -> None:
    """Put the rows in the place of what is stored about their parts."""
    with warehouse.transaction():
        for phase, kind in dict.fromkeys(rows.kinds):
            key = {name: rows.maps[0][name] for name in ("run_id", "model_id")}
            for step in ("delete_map", "delete_readings"):
                warehouse.query(step, **key, phase=phase, kind=kind)
        for row in rows.maps:
            warehouse.query("insert_map", **row)
        for row in rows.readings:
            warehouse.query("insert_reading", **row)


def modules_of(warehouse: Warehouse, where: Where, phase: str | None = None) -> tuple[Module, ...]:
    """Give the modules of the model that run in a phase."""
    found = warehouse.query("closure_modules", **where.params | {"phase": phase or where.phase})
    return tuple(Module(**row) for row in found)


def _fit_phase(warehouse: Warehouse, rows: Rows, where: Where, done: Collection[Part]) -> None:
    model = _model(warehouse, where)
    draft = modules_of(warehouse, where, "draft") if where.phase != "draft" else ()
    seen = [
        Seen((row["family"], row["implementation"]), row["kind"], row["launches"], row["gpu_ns"])
        for row in warehouse.query("closure_seen", **where.params)
        if row["launches"]
    ]
    sequence = _sequence(warehouse, where)
    for kind in dict.fromkeys(module.kind for module in model.modules):
        if (where.phase, kind) not in done:
            found = infer(model, kind, seen, sequence, draft=draft, layers=where.layers)
            rows.kinds.append((where.phase, kind))
            rows.maps += [where.key | row for row in _map_rows(found)]
            rows.readings += [where.key | {"kind": kind} | row for row in _reading_rows(found)]


def _model(warehouse: Warehouse, where: Where) -> Model:
    modules = modules_of(warehouse, where)
    names = {module.name for module in modules}
    passed = "draft" if where.phase == "draft" else "target"
    program = warehouse.query("closure_program", model=where.model, **{"pass": passed})
    return Model(modules, tuple(row["module"] for row in program if row["module"] in names))


def _sequence(warehouse: Warehouse, where: Where) -> tuple[Launch, ...]:
    return tuple(
        Launch((family, implementation), **row)
        for row in warehouse.query("closure_sequence", **where.params)
        for family, implementation in [(row.pop("family"), row.pop("implementation"))]
    )


def _map_rows(found: Fit) -> Iterator[Row]:
    best = found.readings[0]
    # Without any kernels of the kind a module is not absorbed: its launches are missing.
    missing = not best.closes and all(group is None for group, _ in best.assignment.values())
    for module, (group, multiplicity) in best.assignment.items():
        family, implementation = group or (None, None)
        yield {
            "module": module,
            "family": family,
            "implementation": implementation,
            "multiplicity": 1 if missing else multiplicity,
            "origin": "ambiguous" if module in best.ambiguous else "inferred",
        }


def _reading_rows(found: Fit) -> Iterator[Row]:
    for place, reading in enumerate(found.readings, start=1):
        yield {
            "place": place,
            "closes": reading.closes,
            "assignments": reading.assignments,
            "reading": reading.text,
            "evidence": reading.evidence,
        }
