"""What a regression page is told by hand: token counts to pool, repeated runs of the base."""

import json
import random

import pytest
from click.testing import CliRunner

from profdb.cli import main
from profdb.errors import ProfdbError
from profdb.judgement import groups
from profdb.reports import render_regression
from profdb.warehouse import Warehouse

from . import judgeable, tiny
from .test_views_effects import build

HAND = ["8-9", "150", "210-300"]


def pooled(path, tokens):
    """Lowest and highest count of the group of each count, and how it was pooled, by the view."""
    with Warehouse.open(path) as warehouse:
        ends = [[int(end) for end in (text.split("-") * 2)[:2]] for text in tokens]
        low, high = ([pair[place] for pair in ends] for place in (0, 1))
        warehouse.query("regression_tokens", tokens_from=low, tokens_to=high)
        return warehouse.con.execute(
            "SELECT tokens_low, tokens_high, pooling FROM group_diff"
            " WHERE base = 'x' AND cand = 'y' ORDER BY tokens_low"
        ).fetchall()


@pytest.mark.parametrize("hand", [[], HAND])
def test_groups_of_the_view_are_those_of_the_rule_and_of_hand(tmp_path, hand):
    counts = random.Random(7).sample(range(1, 320), 120)
    launches = [("xy"[n % 2], "decode", 31, count, 1000) for n, count in enumerate(counts)]
    build(tmp_path / "w.duckdb", launches)
    found = pooled(tmp_path / "w.duckdb", hand)
    spans = sorted(set(groups(counts, hand).values()))
    assert [row[:2] for row in found] == spans
    by_hand = {(8, 9), (150, 150), (210, 300)} if hand else set()
    for low, high, pooling in found:
        assert pooling == (
            "hand" if (low, high) in by_hand else "rule" if low < high else "exact"
        ), (low, high)


def test_vectors_of_the_tokens_are_pooled_with_their_matrices(tmp_path):
    path = tmp_path / "w.duckdb"
    counts = {5: "x", 6: "y", 220: "x", 221: "y"}
    build(path, [(side, "decode", 31, n, 10) for n, side in counts.items()])
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute(
            "UPDATE shapes SET shape = tokens || ',16;' || tokens || ';;3,' || tokens || ';'"
            " || tokens"
        )
        found = warehouse.con.execute(
            "SELECT g.shape, tokens_low, tokens_high FROM group_diff AS g"
            " WHERE base = 'x' AND cand = 'y' ORDER BY tokens_low"
        ).fetchall()
        patterns = warehouse.con.execute(
            "SELECT DISTINCT pattern FROM shape_stats WHERE tokens > 32"
            " UNION SELECT DISTINCT pattern FROM shape_diff"
            " WHERE base = 'x' AND cand = 'y' AND tokens > 32 ORDER BY ALL"
        ).fetchall()
    # What is no first dimension stays; below 32 every count is a group, whatever its vectors.
    assert found == [
        ("T,16;5;;3,5;5", 5, 5),
        ("T,16;6;;3,6;6", 6, 6),
        ("T,16;T;;3,220;T", 220, 220),
        ("T,16;T;;3,221;T", 221, 221),
    ]
    assert patterns == [("T,16;T;;3,220;T",), ("T,16;T;;3,221;T",)]
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE shapes SET shape = tokens || ',16;' || tokens || ';'")
        ask = "SELECT tokens_low, tokens_high FROM group_diff WHERE base = 'x' AND cand = 'y'"
        found = warehouse.con.execute(ask + " AND shape = 'T,16;T;'").fetchall()
    assert found == [(220, 221)]


def test_a_range_by_hand_holds_two_kernels_apart(tmp_path):
    launches = [("x", "decode", 31, 60, 10), ("y", "decode", 32, 61, 20)]
    build(tmp_path / "w.duckdb", launches)
    assert pooled(tmp_path / "w.duckdb", ["60-61"]) == [(60, 61, "hand")] * 2


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Additions of old take 5 µs; of the repeats 5.4 and 5.1; of new 5.25."""
    labels = {"old": 5, "new": 5.25, "wide": 5.4, "near": 5.1}
    path = judgeable.build(tmp_path_factory.mktemp("noise") / "w.duckdb", labels)
    with Warehouse.open(path, write=True) as warehouse:
        judgeable.add_run(warehouse, 5, "other", 5, judgeable.PASSES)
        judgeable.add_run(warehouse, 6, "damaged", 5, judgeable.PASSES)
        warehouse.con.execute("UPDATE profiles SET platform = 'cuda' WHERE profile_id < 5")
        warehouse.con.execute("UPDATE profiles SET platform = 'rocm' WHERE profile_id = 5")
        doubt = (6, "poor", "truncated", 1)
        tiny.insert(warehouse, "trust_reasons", "profile_id, level, reason, events", [doubt])
    with Warehouse.open(path) as warehouse:
        yield warehouse


def verdict(page):
    """Verdict of the additions, and the sentence of the rules."""
    (row,) = [line for line in page.splitlines() if line.startswith("| decode | `aten::add`")]
    return row.split(" | ")[11], next(x for x in page.splitlines() if x.startswith("Verdict:"))


def test_a_floor_that_nobody_measured_is_three_percent(stored):
    said, rules = verdict(render_regression(stored, "old", "new"))
    assert said.startswith("**regressed**, 8 → 8 passes, p50 +5.0 %")
    assert "floor 3.00 % (not measured: `--noise` names repeated runs of the base), 4 pass" in rules


def test_the_floor_is_measured_from_repeated_runs_of_the_base(stored):
    # Of the shifts 5.4 / 5, 5.1 / 5 and 5.4 / 5.1 between equal runs the first is the largest.
    said, rules = verdict(render_regression(stored, "old", "new", noise=["wide", "near"]))
    assert said.startswith("unchanged, 8 → 8 passes, p50 +5.0 %")
    assert (
        "floor 8.00 % (" in rules and "measured from 3 runs of the base (old, wide, near)" in rules
    )
    assert "the largest shift between them is that of `aten::add` in decode at 8 tokens" in rules
    said, rules = verdict(render_regression(stored, "old", "new", noise=["near"]))
    assert said.startswith("**regressed**") and "floor 2.00 % (" in rules


@pytest.mark.parametrize("word, error", [
    ("old", "--noise old is the base itself"),
    ("new", "--noise new is the cand itself"),
    ("gone", "no run named 'gone'"),
    ("other", "run other is no repeat of the base: its platform is rocm, not cuda"),
    ("damaged", "run damaged is damaged and measures no noise"),
])  # fmt: skip
def test_a_run_that_is_no_repeat_is_refused(stored, word, error):
    with pytest.raises(ProfdbError, match=error):
        render_regression(stored, "old", "new", noise=[word])


def test_a_repeat_without_the_rank_is_refused(stored, tmp_path):
    path = judgeable.build(tmp_path / "w.duckdb")
    with Warehouse.open(path, write=True) as warehouse:
        judgeable.add_run(warehouse, 3, "far", 5, 4)
        warehouse.con.execute("UPDATE profiles SET rank = 7 WHERE profile_id = 3")
        with pytest.raises(ProfdbError, match="far has no rank 0, which is compared; it has 7"):
            render_regression(warehouse, "old", "new", noise=["far"])


def test_what_was_told_by_hand_is_asked_again(stored, tmp_path):
    db = ["--db", str(stored.path)]
    told = ["--noise", "wide", "--noise", "near", "--tokens", "8", "--tokens", "9-12"]
    words = ["report", "regression", "--base", "old", "--cand", "new", *told, *db]
    done = CliRunner().invoke(main, [*words, "-o", str(tmp_path / "pair.json")])
    assert (done.exit_code, done.output) == (0, "")
    document = json.loads((tmp_path / "pair.json").read_text())
    assert document["params"]["tokens"] == ["8-8", "9-12"]
    assert document["findings"]["together"][0]["floor_runs"] == 3
    assert [row["label"] for row in document["queries"]["regression_noise"]] == ["wide", "near"]
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "pair.json"), *db])
    assert done.exit_code == 0 and " hold" in done.output


def test_ranges_that_are_none_are_refused(stored):
    for tokens in (["9-8"], ["a few"], ["1-5", "5-9"]):
        with pytest.raises(ProfdbError):
            render_regression(stored, "old", "new", tokens=tokens)
