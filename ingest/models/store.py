"""Model specs in the warehouse."""

import json

from ...errors import ProfdbError
from ...warehouse import Warehouse, require_model
from .spec import ModelSpec, Module, Run, spec_rows


def store_spec(warehouse: Warehouse, spec: ModelSpec, replace: bool = False) -> bool:
    """Store a spec in one transaction; False where the same content has its name already.

    With `replace` other content of that name goes, and the maps that were made with it.
    """
    with warehouse.transaction():
        if warehouse.query("model_named", name=spec.name):
            if load_spec(warehouse, spec.name).alike(spec):
                return False
            if not replace:
                raise ProfdbError(
                    f"model {spec.name!r} exists with other content; --replace puts this in its"
                    " place, --name NAME stores it beside"
                )
            remove_spec(warehouse, spec.name)
        _insert(warehouse, spec)
    return True


def load_spec(warehouse: Warehouse, name: str) -> ModelSpec:
    """Give a stored spec."""
    require_model(warehouse, name)
    (model,) = warehouse.query("model_named", name=name)
    return ModelSpec(
        **model,
        modules=tuple(Module(**row) for row in warehouse.query("stored_modules", name=name)),
        sequence=tuple(Run(**row) for row in warehouse.query("stored_sequence", name=name)),
    )


def remove_spec(warehouse: Warehouse, name: str) -> None:
    """Remove a stored spec and the maps that were made with it, in the caller's transaction."""
    require_model(warehouse, name)
    warehouse.query("mark_doomed_model", name=name)
    warehouse.query("delete_doomed_model")


def _insert(warehouse: Warehouse, spec: ModelSpec) -> None:
    (free,) = warehouse.query("next_model")
    rows = spec_rows(spec, free["model_id"])
    warehouse.query("insert_model", **rows["models"][0])
    for table in ("model_modules", "model_sequence"):
        warehouse.query(f"insert_{table}", rows=json.dumps(rows[table]))
