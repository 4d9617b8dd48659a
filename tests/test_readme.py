"""What README.md says holds."""

import re
from pathlib import Path

import pytest

import profdb
from profdb.demo import write_demo

from .readme import README, generated

TEXT = README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The code blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo, stored as README says."""
    folder = tmp_path_factory.mktemp("readme")
    runs = write_demo(folder / "profdb-demo")
    with profdb.open(folder / "profdb.duckdb") as warehouse:
        warehouse.ingest(*runs)
        warehouse.add_model(folder / "profdb-demo" / "hybrid-27b.json")
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


def test_python_of_the_readme_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (block,) = blocks("python")
    names: dict[str, object] = {}
    exec(block, names)
    assert names["rows"]
