"""What the reports room may not do, and that its parts fit together."""

import re
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from profdb.reports import REPORTS
from profdb.reports.language import speak

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "reports" / "templates").glob("*.md.j2"))
QUERIES = sorted((ROOT / "sql" / "queries" / "reports").glob("*.sql"))
ARITHMETIC = (
    nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow, nodes.Neg,
)  # fmt: skip
TABLES = {"runs", "profiles", "run_facts", "kernel_names"}


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_templates_do_not_calculate(file):
    reader = Environment()
    speak(reader, "en", str.__mod__)
    tree = reader.parse(file.read_text(encoding="utf-8"))
    found = [node for kind in ARITHMETIC for node in tree.find_all(kind)]
    # -1 is how an unknown rank is stored.
    found = [node for node in found if node != nodes.Neg(nodes.Const(1))]
    assert not found, [node.lineno for node in found]
    filters = {node.name for node in tree.find_all(nodes.Filter)}
    assert not filters & {"sum", "round", "abs", "int", "float", "max", "min", "safe"}


def test_no_query_stands_in_python():
    for file in (ROOT / "reports").glob("*.py"):
        assert not re.search(r"\bselect\b", file.read_text(encoding="utf-8"), re.IGNORECASE), file


@pytest.mark.parametrize("file", QUERIES, ids=lambda file: file.name)
def test_queries_read_versions_of_public_views(file):
    text = re.sub(r"--[^\n]*", "", file.read_text(encoding="utf-8"))
    own = set(re.findall(r"(\w+) AS (?:MATERIALIZED )?\(", text))
    read = set(re.findall(r"(?<!DISTINCT )\b(?:FROM|JOIN) (\w+)", text)) - own
    views = {name for name in read - TABLES if re.fullmatch(r"[a-z]\w*_v[1-9]\d*", name)}
    assert read <= TABLES | views


def test_every_query_is_asked():
    asked = {
        name
        for report in REPORTS.values()
        for name in report.queries + report.per_run + report.charted
    }
    files = {file.stem for file in QUERIES}
    assert files - asked == {"report_runs", "report_phases", "report_buckets"}
    assert asked - files == {"run_declared"}


def test_every_report_has_its_template():
    for report in REPORTS.values():
        assert (ROOT / "reports" / "templates" / f"{report.name}.md.j2").is_file()
