"""Rules of users: they apply at once, win, go again, and bad ones are refused before anything."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from profdb.cli import main
from profdb.warehouse import Warehouse
from profdb.warehouse.rules_file import FAMILIES

from .test_cli import HOSTILE, event
from .test_family_rules import FAMILIES as DESIGNED

PAGE = Path(__file__).parents[1] / "docs" / "families.md"
KERNELS = {"void LLGemm1_kernel<int>(int)": 10, "late_example": 3, HOSTILE: 12}
RULE = """
[[rule]]
pattern = '{}'
family = "{}"
implementation = "{}"
"""


def rule(pattern: str = "late", family: str = "gemm", implementation: str = "mine") -> str:
    """One rule as TOML."""
    return RULE.format(pattern, family, implementation)


def store(folder: Path, label: str = "r", kernels: dict[str, int] = KERNELS) -> None:
    """One decode step of some kernels, stored."""
    span = event(
        cat="user_annotation", name="execute_context_0(0)_generation_2(2)", ts=5, dur=90
    ) | {"pid": 9, "tid": 9}
    events = [span]
    for number, (name, dur) in enumerate(kernels.items(), start=1):
        launch = event(cat="cuda_runtime", name="cudaLaunchKernel", ts=5 + number, dur=1)
        args = {"correlation": number, "stream": 7}
        events.append(launch | {"pid": 9, "tid": 9, "args": args})
        events.append(event(cat="kernel", name=name, ts=20 * number, dur=dur, args=args))
    file = folder / label / "t.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    assert CliRunner().invoke(main, ["ingest", str(file.parent)]).exit_code == 0


@pytest.fixture(scope="module")
def one_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with one stored run r."""
    folder = tmp_path_factory.mktemp("families")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        store(folder)
    return folder / "profdb.duckdb"


@pytest.fixture
def typed(one_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Type words after `profdb families`, in a folder with a copy of that warehouse."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(one_run, tmp_path)

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, ["families", *words])

    return run


def budget(label: str = "r") -> dict[str, tuple]:
    """Family, implementation and launches per token, by milliseconds."""
    with Warehouse.open("profdb.duckdb") as warehouse:
        rows = warehouse.con.execute(
            "SELECT total_ms, family, implementation, launches_per_token FROM launches_per_token"
            " WHERE label = ?",
            [label],
        ).fetchall()
    return {f"{ms:.3f}": tuple(rest) for ms, *rest in rows}


def stored() -> list[tuple]:
    """All that rules have left in the warehouse."""
    with Warehouse.open("profdb.duckdb") as warehouse:
        tables = ("user_rules", "family_rules", "kernel_names")
        return [row for t in tables for row in warehouse.con.execute(f"FROM {t}").fetchall()]


def add(typed, text: str, name: str = "mine.toml") -> Result:
    """Write a file and add it."""
    Path(name).write_text(text, encoding="utf-8")
    return typed("add", name)


def test_a_rule_applies_to_stored_runs_at_once_and_goes_again(typed):
    before = budget()
    assert before["0.010"] == ("gemv", "LLMM1", 0.5)
    result = add(typed, rule("LLGemm1"))
    source = Path("mine.toml").resolve()
    said = f"added 1 of {source}; its rules name 1 of 3 stored kernel names\n"
    assert (result.exit_code, result.output) == (0, said)
    assert budget() == before | {"0.010": ("gemm", "mine", 0.5)}
    line = next(row for row in typed("list", "--run", "r").output.splitlines() if "LLGemm1" in row)
    assert line.split()[:6] == ["gemm", "mine", "-1", str(source), "1", "0.01"]
    assert typed("rm", "mine.toml").output == "removed 1 of users' rules\n"
    assert budget() == before
    assert str(source) not in typed("list", "--all").output


def test_it_holds_for_later_ingests(typed, tmp_path):
    add(typed, rule("brand_new", "moe", "ours"))
    store(tmp_path, "later", {"brand_new_kernel": 4})
    assert budget("later") == {"0.004": ("moe", "ours", 0.5)}
    line = typed("list").output.splitlines()[2]
    assert line.split()[0] == "-1" and line.split()[2:] == "any name moe ours 1 brand_new".split()


def test_hostile_names_are_matched_and_stay_on_one_line(typed):
    assert add(typed, rule('^k\\|<b>`"quoted"\\n', "norm", "odd")).exit_code == 0
    assert budget()["0.012"][:2] == ("norm", "odd")
    listed = typed("list", "--run", "r").output
    assert len(listed.splitlines()) == 2 + len(KERNELS)


def test_rules_for_operator_types_leave_kernels_without_one(typed):
    before = budget()
    text = rule(".*") + 'applies_to = "op_type"'
    assert "its rules name 0 of 3" in add(typed, text).output
    assert budget() == before


def test_unmatched_kernels_come_by_time_with_their_share(typed):
    lines = typed("unmatched", "--run", "r").output.splitlines()[2:]
    assert [line.split()[:4] for line in lines] == [
        ["1", "0.012", "0.48", "1"],
        ["1", "0.003", "0.12", "1"],
    ]
    add(typed, rule("late|quoted"))
    assert typed("unmatched", "--run", "r").output == "every kernel of r is named by a rule\n"


def test_the_first_that_matches_wins_and_earlier_files_come_first(typed):
    add(typed, rule("late_ex", "norm", "first") + rule("late", "norm", "second"), "a.toml")
    add(typed, rule("ate_example", "norm", "third"), "b.toml")
    assert budget()["0.003"][:2] == ("norm", "first")
    numbers = [line.split()[0] for line in typed("list", "--all").output.splitlines()[2:6]]
    assert numbers == ["-3", "-2", "-1", "10"]
    typed("rm", "a.toml")
    assert budget()["0.003"][:2] == ("norm", "third")


def test_the_same_rule_twice_is_said_and_left(typed):
    add(typed, rule())
    before = stored()
    result = add(typed, rule(), "again.toml")
    source = Path("mine.toml").resolve()
    assert result.output == f"pattern 'late' is stored already, from {source}\n"
    assert (result.exit_code, stored()) == (0, before)


def test_a_file_that_is_gone_can_be_removed_and_all_at_once(typed):
    add(typed, rule("one"), "a.toml")
    add(typed, rule("two"), "b.toml")
    add(typed, rule("three"), "c.toml")
    Path("a.toml").unlink()
    assert typed("rm", "a.toml").output == "removed 1 of users' rules\n"
    assert typed("rm", "--all").output == "removed 2 of users' rules\n"
    assert typed("rm", "--all").output == "there are no rules of users\n"


@pytest.mark.parametrize(
    "text, words",
    [
        (rule("(late"), "rule 1: pattern '(late' is no RE2 expression: missing )"),
        (rule("fine") + rule("late(?!x)"), "rule 2: pattern 'late(?!x)' is no RE2 expression"),
        (rule("a{2000}"), "invalid repetition size"),
        (rule(family="gem"), "rule 1: no family 'gem'; there are gemm, gemv, attention,"),
        (rule(implementation="*"), "implementation '*' is no plain word"),
        (rule(pattern=""), "pattern is ''; give a text that is not empty"),
        (rule() + 'platform = "npu"', "no platform 'npu'; there are any, cuda, rocm, ascend"),
        (rule() + 'applies_to = "op"', "no applies_to 'op'; there are name, op_type"),
        (rule() + "weight = 3", "'weight' is not known; there are pattern, family"),
        ("[[rule]]\npattern = 3", "pattern is 3; give a text"),
        ("[[rule]]\npattern = 'x'", "rule 1 has no family; add family = '…'"),
        ("[[rule]]\npattern = x", "is no TOML: Invalid value (at line 2"),
        ("[rule]\npattern = 'x'", "has no [[rule]] table"),
        ("rule = [3]", "has no [[rule]] table"),
        ("", "has no [[rule]] table"),
        ("rules = 3", "'rules' is not known; give [[rule]] tables"),
        (rule() + rule(family="gemv"), "pattern 'late' gives gemm, mine by"),
    ],
)
def test_bad_files_are_refused_before_anything_changes(typed, text, words):
    add(typed, rule("kept"), "kept.toml")
    before = stored()
    result = add(typed, text)
    assert result.exit_code == 1 and words in result.output
    assert len(result.output.splitlines()) == 1
    assert stored() == before


def test_a_pattern_with_another_answer_names_the_file_that_has_it(typed):
    add(typed, rule(), "a.toml")
    result = add(typed, rule(family="moe"), "b.toml")
    assert result.exit_code == 1
    assert f"profdb families rm {Path('a.toml').resolve()} removes" in result.output


def test_files_that_cannot_be_read(typed):
    assert "cannot read no.toml: No such file" in typed("add", "no.toml").output
    Path("latin.toml").write_bytes(b"# \xe9\n")
    assert "latin.toml is not UTF-8 at byte 2" in typed("add", "latin.toml").output
    assert "no rules of no.toml; the warehouse has those of: none" in typed("rm", "no.toml").output


@pytest.mark.parametrize(
    "words", [["rm"], ["rm", "x", "--all"], ["list", "--run", "r", "--all"], ["unmatched"]]
)
def test_wrong_usage(typed, words):
    assert typed(*words).exit_code == 2


def test_the_page_names_all_families_and_its_example_works(typed):
    text = PAGE.read_text(encoding="utf-8")
    assert set(FAMILIES) == DESIGNED
    assert re.findall(r"^\| `(\w+)` \|", text, re.M) == list(FAMILIES)
    (example,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert "added 2 of" in add(typed, example).output
