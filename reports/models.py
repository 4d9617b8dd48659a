"""What the commands do with maps: fit or declare one, and store it."""

from collections.abc import Sequence

from ..warehouse import Warehouse
from .choose import check_phase, choose_rank
from .fit import fit, mapped, phases_of, store_rows
from .maps import declare_map


def fit_model(
    warehouse: Warehouse, label: str, model: str, phase: str | None = None, replace: bool = False
) -> list[str]:
    """Infer the map of a run and store it; name the declared parts that were left alone."""
    rank = choose_rank(warehouse, [label], None)
    check_phase(warehouse, [label], rank, phase)
    phases = phases_of(warehouse, label, rank, model, phase)
    asked = {where.phase for where in phases}
    stored = mapped(warehouse, phases[0])
    kept = [part for part, declared in stored.items() if declared and not replace]
    store_rows(warehouse, fit(warehouse, phases, kept))
    return [f"{phase}, {kind}," for phase, kind in kept if phase in asked]


def map_model(
    warehouse: Warehouse, label: str, model: str, phase: str, words: Sequence[str]
) -> None:
    """Store a declared map of one phase of a run."""
    rank = choose_rank(warehouse, [label], None)
    check_phase(warehouse, [label], rank, phase)
    (where,) = phases_of(warehouse, label, rank, model, phase)
    store_rows(warehouse, declare_map(warehouse, where, words))
