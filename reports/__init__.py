"""The reports room: asks the views for rows and words them."""

from collections.abc import Mapping

from ..warehouse import Warehouse
from .choose import (
    check_patterns,
    check_phase,
    check_saving,
    choose_buckets,
    choose_rank,
    resolve_run,
)
from .fit import contradicted, phases_of, suppose_fit
from .models import fit_model, map_model
from .registry import FORMATS, REPORTS, Report
from .render import render

__all__ = [
    "FORMATS",
    "REPORTS",
    "Report",
    "fit_model",
    "map_model",
    "render",
    "render_budget",
    "render_closure",
    "render_regression",
    "resolve_run",
]


def render_budget(
    warehouse: Warehouse,
    run: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    remove: Mapping[str, float] | None = None,
    save_us: float | None = None,
    times: int = 1,
    format: str = "md",
    sql: bool = True,
) -> str:
    """Word where the time of a prefill chunk and of a decode token of one run goes.

    `remove` gives, by family or implementation, the fraction (0 to 1) of whose time may go away;
    `save_us` is a saving in microseconds that a step makes `times` over.
    """
    check_saving(save_us, times)
    chosen = choose_buckets(warehouse, run, rank, remove or {})
    options = {
        "removed": list(chosen),
        "fractions": list(chosen.values()),
        "save_us": save_us,
        "times": times,
    }
    return render(warehouse, REPORTS["budget"], {"run": run}, rank, phase, format, sql, **options)


def render_closure(
    warehouse: Warehouse,
    run: str,
    model: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    expect: Mapping[str, int] | None = None,
    format: str = "md",
    sql: bool = True,
) -> str:
    """Word which launch counts of one run close with a model, and which are missing.

    Phases without a stored map are fitted for this page only. `expect` gives, by regular
    expression, how many launches of such kernels each step should have.
    """
    label = resolve_run(warehouse, run)
    rank = choose_rank(warehouse, [label], rank)
    phase = check_phase(warehouse, [label], rank, phase)
    check_patterns(warehouse, expect or {})
    phases = phases_of(warehouse, label, rank, model, phase)
    options = {
        "model": model,
        "patterns": list(expect or {}),
        "counts": list((expect or {}).values()),
        "contradicted": contradicted(warehouse, phases),
        "fitted": suppose_fit(warehouse, phases),
    }
    return render(
        warehouse, REPORTS["closure"], {"run": label}, rank, phase, format, sql, **options
    )


def render_regression(
    warehouse: Warehouse,
    base: str,
    cand: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    rows: int = 20,
    format: str = "md",
    sql: bool = True,
) -> str:
    """Word which operator at which shape got slower from one run to another."""
    words = {"base": base, "cand": cand}
    return render(warehouse, REPORTS["regression"], words, rank, phase, format, sql, rows=rows)
