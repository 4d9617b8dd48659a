"""From an answer to text: a Markdown page, an HTML page, a JSON document."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from jinja2 import Environment

from ..errors import ProfdbError
from ..warehouse import Warehouse
from . import formats, markdown
from .answer import Answer, ask
from .document import document, written
from .language import check_language, environment
from .page import html_page
from .registry import FORMATS, Report


def render(
    warehouse: Warehouse,
    report: Report,
    words: Mapping[str, str],
    rank: int | None = None,
    phase: str | None = None,
    format: str = "md",
    sql: bool = True,
    lang: str = "en",
    **options: Any,
) -> str:
    """Word a report about the runs that the words mean, on one rank, in one of FORMATS.

    Without `sql` the statements at the end of a page are left out; `lang` is one of LANGUAGES.
    """
    check_format(format)
    check_language(lang)
    charts = format == "html"
    return write(ask(warehouse, report, words, rank, phase, charts, **options), format, sql, lang)


def check_format(format: str) -> str:
    """Refuse what no report is written in."""
    if format not in FORMATS:
        raise ProfdbError(f"no format {format!r}; there is {', '.join(FORMATS)}")
    return format


def write(answer: Answer, format: str = "md", sql: bool = True, lang: str = "en") -> str:
    """Word an answer in one of FORMATS; HTML has charts where the answer has their rows.

    A document is in English whatever `lang` says: it is for programs, and verified against itself.
    """
    if format == "json":
        return written(document(answer, markdown_page(answer, sql)))
    page = markdown_page(answer, sql, lang)
    return html_page(answer, page, lang) if format == "html" else page


def markdown_page(answer: Answer, sql: bool, lang: str = "en") -> str:
    """Word an answer in Markdown."""
    made_from = {
        "path": answer.path,
        "views": answer.views,
        "statements": answer.statements,
        "sql": sql,
    }
    page = (
        _environment(lang)
        .get_template(f"{answer.report.name}.md.j2")
        .render(
            runs=answer.runs,
            params=answer.params,
            **answer.worded,
            **answer.derived,
            made_from=made_from,
        )
    )
    return re.sub(r"\n{3,}", "\n\n", page).strip() + "\n"


@cache
def _environment(lang: str) -> Environment:
    # What a template prints unmarked is text of a profile, never Markdown.
    made = environment(lang, markdown.filled, autoescape=True, finalize=markdown.text)
    for function in (*formats.FILTERS, markdown.code, markdown.fenced, markdown.oneline):
        made.filters[function.__name__] = function
    return made
