"""Models in the warehouse: stored, counted, listed, shown, replaced, removed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from profdb.cli import main
from profdb.ingest.models import load_spec, read_spec, spec_rows, store_spec
from profdb.warehouse import Warehouse

from .specs import HEADS, LATENT, config, read, write

DRAFTING = config("deepseek_v3", 2, **LATENT, first_k_dense_replace=1, num_nextn_predict_layers=1)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Type a command in a folder with an empty warehouse and two configurations."""
    monkeypatch.chdir(tmp_path)
    Warehouse.open("profdb.duckdb", write=True).close()
    write(tmp_path, config("llama", **HEADS))
    write(tmp_path, DRAFTING, "deep.json")

    def typed(*words: object) -> Result:
        return CliRunner().invoke(main, ["model", *(str(word) for word in words)])

    return typed


def asked(query: str) -> list[tuple]:
    """What the warehouse answers."""
    with Warehouse.open("profdb.duckdb") as warehouse:
        return warehouse.con.execute(query).fetchall()


def test_a_model_is_added_listed_shown_and_removed(run) -> None:
    assert run("list").output == "no models yet: profdb model add FILE adds one\n"
    added = run("add", "toy.json")
    assert added.exit_code == 0
    assert added.output.splitlines() == [
        "added model toy: llama, 4 layers",
        "linear 17 = 4 qkv + 4 o + 4 gate_up + 4 down + 1 lm_head",
        "next: profdb model show toy",
    ]
    listed = run("list").output.splitlines()[2].split()
    assert listed[:6] == ["toy", "llama", "4", "17", "17", "no"]
    shown = run("show", "toy").output
    assert "linear 17 = 4 qkv" in shown and "architecture  llama" in shown
    assert [line.split()[1] for line in shown.splitlines() if line.startswith("target")] == [
        "qkv", "attention", "o", "gate_up", "down", "lm_head",
    ]  # fmt: skip
    assert run("rm", "toy").output == "removed model toy\n"
    for table in ("models", "model_modules", "model_sequence"):
        assert asked(f"SELECT count(*) FROM {table}") == [(0,)]


def test_lines_of_passes_and_phases(run) -> None:
    lines = run("add", "deep.json").output.splitlines()
    assert [line.split(" = ")[0] for line in lines[1:-1]] == [
        "linear in prefill 14",
        "linear in decode 16",
        "draft: linear in prefill 9",
        "draft: linear in decode 10",
    ]
    assert run("list").output.splitlines()[2].split()[3:6] == ["14", "16", "yes"]


def test_counts_of_the_view(run) -> None:
    run("add", "deep.json")
    run("add", "toy.json")
    query = (
        "SELECT * FROM model_counts WHERE model = 'deep' AND module IN ('q_b', 'w_uk', 'router')"
    )
    assert asked(query + " ORDER BY pass DESC, module") == [
        ("deep", "target", "q_b", "linear", "any", 2, 2, 6, 20, None),
        ("deep", "target", "router", "linear", "any", 1, 1, 8, 16, None),
        ("deep", "target", "w_uk", "linear", "decode", 2, 2, 3, 5, "attention"),
        ("deep", "draft", "q_b", "linear", "any", 1, 1, 6, 20, None),
        ("deep", "draft", "router", "linear", "any", 1, 1, 8, 16, None),
        ("deep", "draft", "w_uk", "linear", "decode", 1, 1, 3, 5, "attention"),
    ]
    assert asked("SELECT count, layers FROM model_counts WHERE module = 'lm_head'") == [(1, 0)] * 3


def test_rows_of_a_spec_are_the_stored_ones(run, tmp_path: Path) -> None:
    run("add", "toy.json")
    run("add", "deep.json")
    rows = spec_rows(read_spec(Path("deep.json")), model_id=2)
    for table, expected in rows.items():
        columns = ", ".join(expected[0])
        stored = asked(f"SELECT {columns} FROM {table} WHERE model_id = 2")
        assert sorted(map(repr, stored)) == sorted(repr(tuple(row.values())) for row in expected)
    with Warehouse.open("profdb.duckdb") as warehouse:
        assert load_spec(warehouse, "deep") == read_spec(Path("deep.json"))


def test_the_same_content_is_said_and_left(run) -> None:
    run("add", "toy.json")
    again = run("add", "toy.json")
    assert again.output == "model toy is stored already with the same content\n"
    assert again.exit_code == 0
    assert asked("SELECT count(*) FROM models") == [(1,)]
    assert run("add", "toy.json", "--name", "other").exit_code == 0
    assert asked("SELECT model_id, name FROM models ORDER BY 1") == [(1, "toy"), (2, "other")]


def test_other_content_names_the_ways_out(run, tmp_path: Path) -> None:
    run("add", "toy.json")
    write(tmp_path, config("llama", 5, **HEADS))
    refused = run("add", "toy.json")
    assert refused.exit_code == 1 and refused.output.count("\n") == 1
    assert "--replace" in refused.output and "--name" in refused.output
    with Warehouse.open("profdb.duckdb", write=True) as warehouse:
        warehouse.con.execute("INSERT INTO model_maps (model_id, module) VALUES (1, 'qkv')")
    assert run("add", "toy.json", "--replace").exit_code == 0
    assert asked("SELECT name, layers FROM models") == [("toy", 5)]
    assert asked("SELECT count(*) FROM model_maps") == [(0,)]


def test_a_failing_store_leaves_the_old_model(run, tmp_path: Path, monkeypatch) -> None:
    run("add", "toy.json")
    spec = read(tmp_path, config("llama", 5, **HEADS))
    with Warehouse.open("profdb.duckdb", write=True) as warehouse:
        query = warehouse.query

        def failing(name: str, /, **params: object) -> list[dict]:
            if name == "insert_model_sequence":
                raise RuntimeError("killed")
            return query(name, **params)

        monkeypatch.setattr(warehouse, "query", failing)
        with pytest.raises(RuntimeError):
            store_spec(warehouse, spec, replace=True)
    assert asked("SELECT name, layers FROM models") == [("toy", 4)]


def test_stages_are_models_of_their_own(run) -> None:
    output = run("add", "toy.json", "--stage", "2/2").output
    assert output.startswith("added model toy-stage2of2: llama, 2 layers\nlinear 9 = 2 qkv")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ("show", "x"),
            "no model named 'x'; the warehouse has toy (profdb model add FILE adds one)",
        ),
        (("rm", "x"), "no model named 'x'"),
        (("add", "none.json"), "no file at none.json"),
        (("add", "toy.json", "--stage", "3/2"), "stage '3/2'"),
        (("add", "toy.json", "--stage", "1/9"), "toy-stage1of9 has 4 layers"),
        (("add", "toy.json", "--name", ""), "--name NAME"),
        (("add", "toy.json", "--db", "none.duckdb"), "no warehouse at none.duckdb"),
    ],
)
def test_errors_are_one_line_and_status_1(run, words, message) -> None:
    run("add", "toy.json")
    result = run(*words)
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert result.output.startswith("profdb: ") and message in result.output


def test_hints_are_quoted_and_hostile_names_are_text(run) -> None:
    assert "show 'a b'" in run("add", "toy.json", "--name", "a b").output
    assert run("add", "toy.json", "--name", "q'; DROP TABLE models; --").exit_code == 0
    assert asked("SELECT count(*) FROM models") == [(2,)]


def test_the_form_in_the_help_can_be_read(run, tmp_path: Path) -> None:
    shown = run("add", "--help").output
    form = shown[shown.index("architecture =") : shown.index("Kinds are")]
    spec = read(tmp_path, form, "help.toml")
    assert (spec.architecture, spec.layers, len(spec.sequence)) == ("hand", 32, 101)


def test_config_and_source_are_kept(run) -> None:
    run("add", "deep.json")
    ((config_text, source),) = asked("SELECT config, source_path FROM models")
    assert json.loads(config_text) == DRAFTING
    assert source == str(Path("deep.json").absolute())
