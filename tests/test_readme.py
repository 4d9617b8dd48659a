"""What README.md says holds."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import profdb
from profdb.cli import main

from .readme import README, generated

TEXT = README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, demo_runs: list[Path], demo_warehouse: Path
) -> Path:
    """A folder with the demo, stored as README says."""
    folder = tmp_path_factory.mktemp("readme")
    shutil.copytree(demo_runs[0].parent, folder / "profdb-demo")
    shutil.copyfile(demo_warehouse, folder / "profdb.duckdb")
    with profdb.open(folder / "profdb.duckdb") as warehouse:
        warehouse.fit_model("dcu", "hybrid-27b")
    return folder


def test_generated_parts_are_up_to_date() -> None:
    assert generated(TEXT) == TEXT, "run: python -m tests.readme"


@pytest.mark.parametrize("query", blocks("sql"))
def test_sql_of_the_readme_answers(folder: Path, query: str) -> None:
    with profdb.open(folder / "profdb.duckdb") as warehouse:
        assert warehouse.sql(query).fetchall()


def test_each_question_is_one_select_of_three_lines_at_most() -> None:
    for query in blocks("sql"):
        lines = [line for line in query.splitlines() if not line.startswith("--")]
        assert len(lines) <= 3 and query.count("SELECT") == 1, query


def test_commands_of_the_readme_end_as_it_says(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    done = [CliRunner().invoke(main, shlex.split(line)[1:]) for line in lines]
    status = {line: 3 if "--fail-on" in line else 0 for line in lines}
    assert dict(zip(lines, [one.exit_code for one in done], strict=True)) == status
    assert Path("regression.html").stat().st_size > 10_000
    assert done[-1].stderr.startswith(
        "profdb: regressed by 5.00 % or more: 1 row (prefill Dispatch"
    )


def test_the_chinese_report_begins_as_the_readme_shows(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    (line,) = [line for line in "".join(blocks("sh")).splitlines() if "--lang zh" in line]
    assert CliRunner().invoke(main, shlex.split(line)[1:]).exit_code == 0
    (shown,) = re.findall(r"^> (.*)$", TEXT, re.MULTILINE)
    assert Path("budget.md").read_text(encoding="utf-8").splitlines()[2] == shown


def test_python_of_the_readme_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (block,) = blocks("python")
    names: dict[str, object] = {}
    exec(block, names)
    assert names["rows"]
