"""Which run, rank and phase a report is about."""

import re

import pytest

from profdb.errors import ProfdbError
from profdb.reports import render_budget, render_regression, resolve_run
from profdb.warehouse import Warehouse

from . import tiny


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    path = tmp_path_factory.mktemp("labels") / "w.duckdb"
    with Warehouse.open(path, write=True) as warehouse:
        labels = ["0815", "a_0815", "cc8-1009.x", "night/1010 b", "b_day", "c_day"]
        tiny.insert(warehouse, "runs", "run_id, label", list(enumerate(labels)))
    with Warehouse.open(path) as warehouse:
        yield warehouse


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny") / "w.duckdb"
    tiny.build(path)
    with Warehouse.open(path) as warehouse:
        yield warehouse


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("0815", "0815"),
        ("a", "a_0815"),
        ("1009", "cc8-1009.x"),
        ("1010", "night/1010 b"),
        ("night", "night/1010 b"),
    ],
)
def test_a_run_is_its_label_or_a_word_of_it(labelled, word, label):
    assert resolve_run(labelled, word) == label


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("day", "'day' fits several runs: b_day, c_day; give one of these labels"),
        ("100", "no run named '100'; the warehouse has 0815, a_0815, b_day, c_day, cc8-1009.x, "
         "night/1010 b (profdb ingest RUN_DIR --label 100 adds one)"),
    ],
)  # fmt: skip
def test_other_words_are_refused(labelled, word, message):
    with pytest.raises(ProfdbError, match=f"^{re.escape(message)}$"):
        resolve_run(labelled, word)


def test_many_labels_are_not_all_listed(tmp_path):
    path = tmp_path / "w.duckdb"
    with Warehouse.open(path, write=True) as warehouse:
        with pytest.raises(ProfdbError, match="the warehouse has none yet"):
            resolve_run(warehouse, "x")
        rows = [(number, f"run{number:02}") for number in range(15)]
        tiny.insert(warehouse, "runs", "run_id, label", rows)
        with pytest.raises(ProfdbError, match="run10, run11 and 3 more"):
            resolve_run(warehouse, "x")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"rank": 7}, "no rank 7: b has 0, 1 (-1 is unknown)"),
        ({"phase": "warm"}, "no phase 'warm' on rank 0; there are decode"),
        ({"format": "pdf"}, "no format 'pdf'; there is md, html, json"),
    ],
)
def test_what_a_run_does_not_have_is_refused(warehouse, given, message):
    with pytest.raises(ProfdbError, match=f"^{re.escape(message)}$"):
        render_budget(warehouse, "b", **given)


@pytest.mark.parametrize(
    ("base", "cand", "given", "message"),
    [
        ("a", "a", {}, "base and cand are the same run 'a'; give two labels"),
        ("a", "b", {"rank": 1}, "no rank 1: a has 0; b has 0, 1 (-1 is unknown)"),
        ("a", "c", {}, "no rank is in all of the runs: a has 0; c has -1 (-1 is unknown);"
         " profdb runs set c rank=N tells the rank of a run whose only profile has none"),
        ("c", "a", {"rank": 0}, "no rank 0: a has 0; c has -1 (-1 is unknown);"
         " profdb runs set c rank=N tells the rank of a run whose only profile has none"),
    ],
)  # fmt: skip
def test_what_two_runs_do_not_share_is_refused(warehouse, base, cand, given, message):
    with pytest.raises(ProfdbError, match=f"^{re.escape(message)}$"):
        render_regression(warehouse, base, cand, **given)


def test_a_phase_of_either_run_will_do(warehouse):
    page = render_regression(warehouse, "a", "b", phase="prefill")
    assert "Nothing can be compared" in page
    assert "Only in a: work of phase prefill" in page


def test_a_run_without_profiles_is_refused(labelled):
    with pytest.raises(ProfdbError, match="no rank is in all of the runs: 0815 has none yet"):
        render_budget(labelled, "0815")


def test_known_ranks_that_differ_are_not_to_be_declared(tmp_path):
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        tiny.insert(warehouse, "runs", "run_id, label", [(1, "x"), (2, "y")])
        tiny.add_profiles(warehouse, [(1, 1, 0, True), (2, 2, 1, True)])
        with pytest.raises(ProfdbError, match="compare profiles of the same rank$"):
            render_regression(warehouse, "x", "y")
