"""What a report found: the rows that its page, its document and its charts are made of."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..warehouse import Warehouse
from . import markdown
from .choose import check_phase, choose_rank, choose_runs
from .registry import Report

_VERSIONED = re.compile(r"\b[a-z][a-z_]*_v[1-9]\d*\b")

Row = dict[str, Any]
Rows = dict[str, Any]
"""Rows by query; of a query about one run, rows by the parameter that names the run."""


@dataclass(frozen=True)
class Answer:
    """A report about some runs: as asked (`rows`), and what was judged from it (`derived`).

    `rows` are as the queries gave them; `worded` holds the same rows where judging may have added
    to them. `views` are the versions of views that the queries read.
    """

    report: Report
    runs: Mapping[str, str]
    params: Mapping[str, Any]
    rows: Rows
    worded: Rows
    derived: Mapping[str, Any]
    views: list[str]
    statements: str
    path: str


def ask(
    warehouse: Warehouse,
    report: Report,
    words: Mapping[str, str],
    rank: int | None = None,
    phase: str | None = None,
    charts: bool = False,
    **options: Any,
) -> Answer:
    """Ask the queries of a report about the runs that the words mean, on one rank.

    With `charts` those too that only charts need.
    """
    runs = choose_runs(warehouse, words)
    rank = choose_rank(warehouse, runs.values(), rank)
    phase = check_phase(warehouse, runs.values(), rank, phase)
    params = {**runs, "rank": rank, "phase": phase, **report.options, **options}
    if report.prepare:
        params |= report.prepare(warehouse, params)
    calls = _calls(report, runs, params)
    rows = {query: _asked(warehouse, query, by_run) for query, by_run in calls.items()}
    worded = {query: _copied(found) for query, found in rows.items()}
    derived = report.derive(worded, params) if report.derive else {}
    if charts:
        focus = params | (report.focus(derived) if report.focus else {})
        drawn: dict[str, dict[str, Row]] = {query: {"": focus} for query in report.charted}
        worded |= {query: _asked(warehouse, query, call) for query, call in drawn.items()}
        calls |= drawn
    views, statements = _statements(warehouse, calls)
    path = markdown.shell_word(warehouse.path)
    return Answer(report, runs, params, rows, worded, derived, views, statements, path)


def _statements(
    warehouse: Warehouse, calls: Mapping[str, Mapping[str, Row]]
) -> tuple[list[str], str]:
    """The views that queries read, and the queries with their calls for the shell."""
    texts = {query: warehouse.query_text(query) for query in calls}
    prepared = [
        markdown.prepared(text, query, calls[query].values()) for query, text in texts.items()
    ]
    views = {view for text in texts.values() for view in _VERSIONED.findall(text)}
    return sorted(views), "\n\n".join(prepared)


def _calls(report: Report, runs: Mapping[str, str], params: Row) -> dict[str, dict[str, Row]]:
    """The parameters of each query, by the name of the run that it is about, or by ''."""
    of_runs = {name: {**params, "label": label} for name, label in runs.items()}
    return dict.fromkeys(report.per_run, of_runs) | {
        query: {"": params} for query in report.queries
    }


def _asked(warehouse: Warehouse, query: str, calls: Mapping[str, Row]) -> Any:
    found = {name: warehouse.query(query, **params) for name, params in calls.items()}
    return found[""] if "" in found else found


def _copied(found: Any) -> Any:
    """The same rows, to be added to."""
    if isinstance(found, dict):
        return {name: _copied(rows) for name, rows in found.items()}
    return [dict(row) for row in found]
