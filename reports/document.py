"""A report as a JSON document: every figure with all its digits, and what it takes to ask again."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

import msgspec

from .answer import Answer
from .page import first_line

SCHEMA = "profdb.report/1"
"""Names the form of the document; a change of meaning is another number."""

PARTS = {
    "schema": str,
    "report": str,
    "profdb": str,
    "answer": str,
    "runs": dict,
    "params": dict,
    "findings": dict | None,
    "queries": dict,
    "views": list,
}
"""What a document holds, and of which kind."""

PROFILE = ("rank", "source_path", "sha256", "format", "captured_at", "trust", "trust_reasons")


def document(answer: Answer, page: str) -> dict[str, Any]:
    """Give the document of an answer, as reports/schemas/report_v1.json describes it.

    `page` is the Markdown page, whose first line is the answer in words.
    """
    findings = answer.report.findings
    return {
        "schema": SCHEMA,
        "report": answer.report.name,
        "profdb": version("profdb"),
        "answer": first_line(page),
        "runs": {name: _run(answer, name) for name in answer.runs},
        "params": dict(answer.params),
        "findings": findings(answer.worded, answer.derived) if findings else None,
        "queries": {
            query: rows for query, rows in answer.rows.items() if query not in answer.report.helpers
        },
        "views": answer.views,
    }


def written(content: Mapping[str, Any]) -> str:
    """Write a document: decimals with all their digits, what is no number as null."""
    text = msgspec.json.Encoder(decimal_format="number").encode(content)
    return msgspec.json.format(text, indent=1).decode() + "\n"


def _run(answer: Answer, name: str) -> dict[str, Any]:
    profiles = [
        {column: row[column] for column in PROFILE} for row in answer.rows["report_profiles"][name]
    ]
    return {"label": answer.runs[name], "profiles": profiles}
