"""The reports room: asks the views for rows and words them."""

from ..warehouse import Warehouse
from .choose import resolve_run
from .registry import FORMATS, REPORTS, Report
from .render import render

__all__ = [
    "FORMATS",
    "REPORTS",
    "Report",
    "render",
    "render_budget",
    "render_regression",
    "resolve_run",
]


def render_budget(
    warehouse: Warehouse,
    run: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    format: str = "md",
    sql: bool = True,
) -> str:
    """Word where the time of a prefill chunk and of a decode token of one run goes."""
    return render(warehouse, REPORTS["budget"], {"run": run}, rank, phase, format, sql)


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
