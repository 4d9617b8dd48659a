"""From rows to a page."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..errors import ProfdbError
from ..warehouse import Warehouse
from . import formats, markdown
from .choose import check_phase, choose_rank, choose_runs
from .registry import FORMATS, Report

_VERSIONED = re.compile(r"\b[a-z][a-z_]*_v[1-9]\d*\b")


def render(
    warehouse: Warehouse,
    report: Report,
    words: Mapping[str, str],
    rank: int | None = None,
    phase: str | None = None,
    format: str = "md",
    sql: bool = True,
    **options: Any,
) -> str:
    """Word a report about the runs that the words mean, on one rank.

    Without `sql` the statements at its end are left out.
    """
    if format not in FORMATS:
        raise ProfdbError(f"no format {format!r}; there is {', '.join(FORMATS)}")
    runs = choose_runs(warehouse, words)
    rank = choose_rank(warehouse, runs.values(), rank)
    phase = check_phase(warehouse, runs.values(), rank, phase)
    params = {**runs, "rank": rank, "phase": phase, **report.options, **options}
    rows = _rows(warehouse, report, runs, params)
    derived = report.derive(rows, params) if report.derive else {}
    template = _environment().get_template(f"{report.name}.{format}.j2")
    page = template.render(
        runs=runs,
        params=params,
        **rows,
        **derived,
        made_from=_made_from(warehouse, report, runs, params) | {"sql": sql},
    )
    return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


def _rows(
    warehouse: Warehouse, report: Report, runs: Mapping[str, str], params: Mapping[str, Any]
) -> dict[str, Any]:
    """Rows by query; of a query about one run, by the parameter that names the run."""
    of_runs = {
        query: {name: warehouse.query(query, **params, label=label) for name, label in runs.items()}
        for query in report.per_run
    }
    return of_runs | {query: warehouse.query(query, **params) for query in report.queries}


def _made_from(
    warehouse: Warehouse, report: Report, runs: Mapping[str, str], params: Mapping[str, Any]
) -> dict[str, Any]:
    """What is needed to run the queries again: the file, the views, the statements."""
    calls = {
        query: [{**params, "label": label} for label in runs.values()] for query in report.per_run
    }
    calls |= {query: [dict(params)] for query in report.queries}
    texts = {query: warehouse.query_text(query) for query in calls}
    read = {view for text in texts.values() for view in _VERSIONED.findall(text)}
    return {
        "path": markdown.shell_word(warehouse.path),
        "views": sorted(read),
        "statements": "\n\n".join(
            markdown.prepared(text, query, calls[query]) for query, text in texts.items()
        ),
    }


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        autoescape=True,
        # What a template prints unmarked is text of a profile, never Markdown.
        finalize=markdown.text,
    )
    for function in (
        formats.ms,
        formats.signed_ms,
        formats.us,
        formats.percent,
        formats.change,
        formats.count,
        formats.difference,
        formats.ratio,
        formats.chance,
        formats.plain,
        markdown.code,
        markdown.fenced,
        markdown.oneline,
    ):
        made.filters[function.__name__] = function
    return made
