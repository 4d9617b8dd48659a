"""Reports as JSON documents: their schema, their digits, their figures."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from profdb.errors import ProfdbError
from profdb.ingest.models import read_spec, store_spec
from profdb.reports import REPORTS, render_budget, render_closure, render_regression
from profdb.reports.document import written
from profdb.reports.identity import KEYS, named
from profdb.reports.verify import verify
from profdb.warehouse import Warehouse

from . import judgeable, tiny

SCHEMA = json.loads(
    (Path(__file__).parents[1] / "reports" / "schemas" / "report_v1.json").read_text("utf-8")
)
MODEL = '[modules]\nproduct = {}\n[order]\ntarget = "product"\n'


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    tiny.build(folder / "w.duckdb")
    (folder / "toy.toml").write_text(MODEL)
    with Warehouse.open(folder / "w.duckdb", write=True) as warehouse:
        store_spec(warehouse, read_spec(folder / "toy.toml"))
        for number, (label, addition) in enumerate(judgeable.LABELS.items(), 11):
            judgeable.add_run(warehouse, number, label, addition, judgeable.PASSES)
    with Warehouse.open(folder / "w.duckdb") as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def documents(warehouse):
    """The document of every report, numbers with their digits."""
    saving = {"remove": {"gemm": 0.1}, "save_us": 44.96, "times": 16}
    texts = {
        "budget": render_budget(warehouse, "a", format="json", **saving),
        "closure": render_closure(warehouse, "a", "toy", format="json", expect={"gemm_b": 1}),
        "regression": render_regression(warehouse, "old", "new", format="json"),
    }
    assert texts.keys() == REPORTS.keys()
    return {name: json.loads(text, parse_float=Decimal) for name, text in texts.items()}


def tables(document):
    """Every table of a document by its name."""
    for part in (document["queries"], document["findings"] or {}):
        for name, found in part.items():
            for rows in found.values() if isinstance(found, dict) else [found]:
                yield name, rows


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("report", REPORTS)
def test_documents_are_as_the_schema_says(documents, report):
    assert [
        error.message for error in Draft202012Validator(SCHEMA).iter_errors(documents[report])
    ] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema": "profdb.report/2"}, "'profdb.report/1' was expected"),
        ({"runs": {"run": {"label": 7, "profiles": []}}}, "7 is not of type 'string'"),
        ({"queries": {"budget_ranks": [{"gpu_ms": "1"}]}}, "'1' is not of type 'number', 'null'"),
    ],
)
def test_the_schema_refuses_what_is_none(documents, change, message):
    errors = Draft202012Validator(SCHEMA).iter_errors(documents["budget"] | change)
    assert message in [error.message for error in errors]


@pytest.mark.parametrize("report", REPORTS)
def test_every_column_and_parameter_is_described(documents, report):
    row, params = SCHEMA["$defs"]["row"], SCHEMA["properties"]["params"]["properties"]
    for query, rows in tables(documents[report]):
        for column in {column for line in rows for column in line}:
            told = column in row["properties"] or any(
                re.search(pattern, column) for pattern in row["patternProperties"]
            )
            assert told, f"describe {query}.{column} in reports/schemas/report_v1.json"
    assert documents[report]["params"].keys() <= params.keys()


def test_every_query_is_described_and_its_rows_have_names():
    described = SCHEMA["properties"]["queries"]["properties"]
    for report in REPORTS.values():
        for query in {*report.queries, *report.per_run} - {*report.helpers}:
            assert query in described, f"describe {query} in reports/schemas/report_v1.json"
            assert query in KEYS, f"say in reports/identity.py what names a row of {query}"


@pytest.mark.parametrize("report", REPORTS)
def test_no_two_rows_have_one_name(documents, report):
    for query, rows in tables(documents[report]):
        name = query if query in KEYS else f"findings.{query}"
        found = [named(name, row) for row in rows]
        assert len(set(found)) == len(found), query


def test_a_document_says_what_it_was_made_from(documents):
    document = documents["regression"]
    assert (document["schema"], document["report"]) == ("profdb.report/1", "regression")
    assert {name: run["label"] for name, run in document["runs"].items()} == {
        "base": "old",
        "cand": "new",
    }
    assert [p["sha256"] for p in document["runs"]["base"]["profiles"]] == ["b" * 64]
    options = dict(REPORTS["regression"].options)
    fractions = ("noise_share", "floor", "mode_share")
    options |= {name: Decimal(str(options[name])) for name in fractions}
    options |= {name: [] for name in ("tokens", "tokens_from", "tokens_to", "noise")}
    runs = {"base": "old", "cand": "new", "rank": 0, "phase": None}
    assert document["params"] == runs | options
    assert {"step_diff_v1", "group_diff_v1"} <= set(document["views"])
    assert not {"regression_cells", "regression_durations"} & document["queries"].keys()


def test_the_answer_is_plain_text(documents):
    assert documents["regression"]["answer"].startswith(
        "Decode: aten::add at 8 tokens: p50 5.0 → 6.0 µs (+20.0 %), +0.016 ms in this window."
    )


def test_budget_figures_are_those_of_the_launches(documents, warehouse):
    seen = warehouse.con.execute(
        "SELECT c.phase, count(*), sum(k.dur_ns) FROM kernels AS k JOIN contexts AS c"
        " USING (context_id) WHERE k.profile_id = 1 GROUP BY c.phase"
    ).fetchall()
    told = {
        row["phase"]: (row["launches"], row["total_ms"])
        for row in documents["budget"]["queries"]["budget_families"]
        if row["kind"] == "all"
    }
    assert told.pop("outside") == (1, Decimal("0.003"))
    assert told == {phase: (count, Decimal(ns) / 1_000_000) for phase, count, ns in seen}


def test_regression_figures_are_those_of_the_launches(documents):
    queries, findings = documents["regression"]["queries"], documents["regression"]["findings"]
    groups = {row["op"]: row for row in queries["regression_groups"]}
    assert groups["aten::add"]["lost_ms"] == Decimal("0.016")  # 16 launches, 1 µs each
    assert (groups["aten::mm"]["base_total_ms"], groups["aten::mm"]["lost_ms"]) == (
        Decimal("0.08"),
        0,
    )
    verdicts = {row["op"]: row for row in findings["verdicts"]}
    add = verdicts["aten::add"]
    assert (add["outcome"], add["base_passes"], add["cand_passes"]) == ("regressed", 8, 8)
    assert abs(add["shift"] - Decimal("0.2")) < Decimal("1e-9")
    assert verdicts["aten::mm"]["outcome"] == "unchanged"
    (together,) = findings["together"]
    assert (together["regressed"], together["barred"]) == (1, [])


def test_closure_figures_are_those_of_the_launches(documents):
    ledger = documents["closure"]["queries"]["closure_ledger"]
    decode = [row for row in ledger if row["phase"] == "decode" and row["line"] == "row"]
    seen = [(row["implementation"], row["launches_per_step"]) for row in decode]
    assert seen == [("LLMM1", Decimal("1.5"))]  # one launch in step 13, one per device in 14
    assert documents["closure"]["findings"] is None


@pytest.mark.parametrize("report", REPORTS)
def test_every_document_holds_when_it_is_asked_again(documents, warehouse, report):
    found = verify(warehouse, documents[report])
    assert (found.profiles, found.differing) == ([], [])
    assert (
        found.figures >= sum(len(row) for _, rows in tables(documents[report]) for row in rows) - 4
    )


def test_decimals_keep_their_digits_and_no_number_is_null():
    digits = "12345678901234567890.123456789012345678"
    text = written(
        {"a": Decimal(digits), "b": float("nan"), "c": float("inf"), "d": 0.1, "e": 1e-20}
    )
    assert f'"a": {digits}' in text and "NaN" not in text and "nf" not in text
    assert json.loads(text) == {"a": float(digits), "b": None, "c": None, "d": 0.1, "e": 1e-20}


def test_names_are_written_as_they_are(tmp_path):
    name = 'k\u202e"\\</script>\x01🚀'
    assert json.loads(written({"name": name})) == {"name": name}


def test_a_closure_is_the_same_when_it_is_asked_twice(warehouse):
    first, again = (render_closure(warehouse, "a", "toy", format="json") for _ in range(2))
    assert first == again and '"fitted": true' in first


def test_an_unknown_format_is_refused(warehouse):
    for render in (
        lambda: render_regression(warehouse, "old", "new", format="pdf"),
        lambda: render_budget(warehouse, "a", format="HTML"),
    ):
        with pytest.raises(ProfdbError, match="no format '(pdf|HTML)'; there is md, html, json"):
            render()
