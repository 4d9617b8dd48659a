"""The reports room: asks the views for rows and words them."""

from collections.abc import Mapping, Sequence

from ..warehouse import Warehouse
from .answer import Answer, ask
from .choose import (
    check_patterns,
    check_saving,
    choose_buckets,
    resolve_run,
)
from .findings import regressed
from .language import LANGUAGES, check_language
from .models import fit_model, map_model
from .registry import FORMATS, REPORTS, Report, format_of
from .render import check_format, render, write

__all__ = [
    "FORMATS",
    "LANGUAGES",
    "REPORTS",
    "Answer",
    "Report",
    "ask_regression",
    "check_format",
    "fit_model",
    "format_of",
    "map_model",
    "regressed",
    "render",
    "render_budget",
    "render_closure",
    "render_regression",
    "resolve_run",
    "write",
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
    lang: str = "en",
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
    return render(
        warehouse, REPORTS["budget"], {"run": run}, rank, phase, format, sql, lang, **options
    )


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
    lang: str = "en",
) -> str:
    """Word which launch counts of one run close with a model, and which are missing.

    Phases without a stored map are fitted for this page only. `expect` gives, by regular
    expression, how many launches of such kernels each step should have.
    """
    check_patterns(warehouse, expect or {})
    options = {
        "model": model,
        "patterns": list(expect or {}),
        "counts": list((expect or {}).values()),
    }
    return render(
        warehouse, REPORTS["closure"], {"run": run}, rank, phase, format, sql, lang, **options
    )


def render_regression(
    warehouse: Warehouse,
    base: str,
    cand: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    rows: int = 20,
    tokens: Sequence[str] = (),
    noise: Sequence[str] = (),
    format: str = "md",
    sql: bool = True,
    lang: str = "en",
) -> str:
    """Word which operator at which shape got slower from one run to another.

    `tokens` are ranges such as '220-222' to be pooled by hand; `noise` names further runs of the
    base, in which nothing was changed: the floor of claims is measured from them.
    """
    charts = check_format(format) == "html"
    check_language(lang)
    answer = ask_regression(
        warehouse,
        base,
        cand,
        rank=rank,
        phase=phase,
        rows=rows,
        tokens=tokens,
        noise=noise,
        charts=charts,
    )
    return write(answer, format, sql, lang)


def ask_regression(
    warehouse: Warehouse,
    base: str,
    cand: str,
    *,
    rank: int | None = None,
    phase: str | None = None,
    rows: int = 20,
    tokens: Sequence[str] = (),
    noise: Sequence[str] = (),
    charts: bool = False,
) -> Answer:
    """Judge what got slower from one run to another, to `write` it and to ask what `regressed`.

    The arguments are those of `render_regression`; `charts` asks for the rows that only an HTML
    page draws.
    """
    words = {"base": base, "cand": cand}
    options = {"rows": rows, "tokens": list(tokens), "noise": list(noise)}
    return ask(warehouse, REPORTS["regression"], words, rank, phase, charts, **options)
