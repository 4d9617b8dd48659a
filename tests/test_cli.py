"""What a user types, and what is printed."""

import csv
import io
import json
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from profdb.cli import main

HOSTILE = 'k|<b>`"quoted"\nnew 🚀'


def event(**fields: object) -> dict[str, object]:
    """One span of a trace."""
    return {"ph": "X", "pid": 0, "tid": 7, **fields}


def trace(path: Path, *, name: str = HOSTILE, dur: float = 10.0) -> Path:
    """One decode step of one kernel."""
    host = {"pid": 9, "tid": 9}
    events = [
        event(cat="user_annotation", name="execute_context_0(0)_generation_2(2)", ts=5, dur=10)
        | host,
        event(cat="cuda_runtime", name="cudaLaunchKernel", ts=6, dur=1, args={"correlation": 1})
        | host,
        event(cat="kernel", name=name, ts=20, dur=dur, args={"correlation": 1, "stream": 7}),
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    return path


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Type a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def typed(*words: object) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words])

    return typed


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run called one, a run called two, and the warehouse of both."""
    folder = tmp_path_factory.mktemp("two")
    for label, dur in (("one", 10.0), ("two", 12.5)):
        trace(folder / label / "t.json", dur=dur)
        words = ["ingest", str(folder / label), "--db", str(folder / "profdb.duckdb")]
        assert CliRunner().invoke(main, words).exit_code == 0
    return folder


@pytest.fixture
def stored(run, two_runs: Path, tmp_path: Path):
    """Type a command in a folder with both runs."""
    shutil.copytree(two_runs, tmp_path, dirs_exist_ok=True)
    return run


def test_ingest_tells_what_it_did(run, tmp_path: Path) -> None:
    trace(tmp_path / "build" / "t.json")
    result = run("ingest", "build")
    assert result.exit_code == 0
    for part in (
        "run build: 1 profile, 3 events seen, 3 stored, 0 set aside",
        "1 launches, 0.010 ms of device time",
        "decode             1 steps, 1 launches, 0.010 ms",
        "next: profdb report budget --run build",
    ):
        assert part in result.output


def test_ingest_twice_says_so(stored) -> None:
    result = stored("ingest", "one")
    assert result.exit_code == 0
    assert "already stored in run one" in result.output


def test_dry_run_writes_nothing(run, tmp_path: Path) -> None:
    trace(tmp_path / "build" / "t.json")
    assert "nothing was stored" in run("ingest", "build", "--dry-run").output
    assert not Path("profdb.duckdb").exists()


def test_nothing_to_ingest_makes_no_warehouse(run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("ingest", "empty")
    assert (result.exit_code, result.output) == (1, "profdb: empty is empty: nothing to ingest\n")
    assert not Path("profdb.duckdb").exists()


def test_a_taken_label_names_the_ways_out(stored, tmp_path: Path) -> None:
    trace(tmp_path / "other" / "t.json", dur=99)
    result = stored("ingest", "other", "--label", "one")
    assert result.exit_code == 1
    assert all(way in result.output for way in ("--label", "--add one", "--replace"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("report", "budget", "--run", "1009"), "no run named '1009'; the warehouse has one, two"),
        (("runs", "show", "x"), "no run named 'x'"),
        (("runs", "rename", "one", "two"), "run 'two' exists already"),
        (("sql", "FROM nothing"), "nothing"),
        (("views", "show", "nothing"), "nothing"),
        (("ingest", "missing"), "no file or folder at"),
        (("runs", "list", "--db", "missing.duckdb"), "no warehouse at missing.duckdb"),
        (("report", "budget", "--run", "one", "--format", "xml"), "xml"),
        (("report", "budget", "--run", "one", "-o", "no/folder.md"), "cannot write no/folder.md"),
    ],
)
def test_errors_are_one_line_and_status_1(stored, words: tuple[str, ...], message: str) -> None:
    result = stored(*words)
    assert result.exit_code == 1
    assert message in result.output
    assert result.output.startswith("profdb: ")
    assert result.output.count("\n") == 1


def test_wrong_usage_is_status_2(stored) -> None:
    assert stored("ingest").exit_code == 2
    assert stored("runs", "set", "one", "novalue").exit_code == 2


def test_runs_are_listed_renamed_described_and_removed(stored) -> None:
    assert "two" in stored("runs", "list").output
    assert stored("runs", "rename", "two", "0815").output == "two is now 0815\n"
    assert "image" in stored("runs", "set", "0815", "image=a:b=c", "concurrency=8").output
    shown = stored("runs", "show", "0815").output
    assert "a:b=c" in shown and "0.0125" in shown
    stored("runs", "set", "0815", "image=")
    assert "image" not in stored("runs", "show", "0815").output
    assert stored("runs", "rm", "0815").output == "removed 0815\n"
    assert "0815" not in stored("runs", "list").output
    left = stored("sql", "SELECT count(*) AS n FROM kernels", "--format", "csv").output
    assert left == "n\n1\n"


def test_sql_in_every_format(stored) -> None:
    query = "SELECT kernel, dur_ns FROM kernel_events WHERE label = 'one'"
    table = stored("sql", query).output
    assert "10000" in table and table.count("\n") == 3
    rows = list(csv.reader(io.StringIO(stored("sql", query, "--format", "csv").output)))
    assert rows[1][0].startswith("k|<b>`")
    (row,) = json.loads(stored("sql", query, "--format", "json").output)
    assert row == {"kernel": HOSTILE, "dur_ns": 10000}
    markdown = stored("sql", query, "--format", "markdown").output
    assert "k&#124;&lt;b&gt;&#96;" in markdown and markdown.count("\n") == 3


def test_json_of_values_that_json_lacks(stored) -> None:
    query = "SELECT 'nan'::DOUBLE AS a, 1.50::DECIMAL(5,2) AS a, '\\xFF'::BLOB AS b, NULL AS c"
    (row,) = json.loads(stored("sql", query, "--format", "json").output)
    assert row == {"a": None, "a:1": 1.5, "b": "ff", "c": None}
    query = "SELECT ['nan'::DOUBLE, 1] AS l, {'d': 2.50::DECIMAL(5,2)} AS s"
    assert json.loads(stored("sql", query, "--format", "json").output) == [
        {"l": [None, 1.0], "s": {"d": 2.5}}
    ]


def test_what_moves_the_cursor_is_shown_as_text(stored) -> None:
    query = "SELECT 'a' || chr(27) || '[31m' || chr(8238) AS name"
    assert "a␛[31m\\u202e" in stored("sql", query).output


def test_labels_are_checked(stored) -> None:
    for label in ("", "two\nlines", "x" * 300):
        assert stored("runs", "rename", "one", label).exit_code == 1
    assert "called so already" in stored("runs", "rename", "one", "one").output


def test_a_rank_is_declared_where_there_is_none(stored) -> None:
    assert stored("runs", "set", "one", "rank=3").exit_code == 0
    shown = stored("sql", "SELECT rank FROM run_summary WHERE label = 'one'", "--format", "csv")
    assert shown.output == "rank\n3\n"
    assert "has ranks 3" in stored("runs", "set", "one", "rank=4").output
    assert stored("runs", "set", "two", "rank=x").exit_code == 1


def test_hints_are_quoted_for_the_shell(run, tmp_path: Path) -> None:
    trace(tmp_path / "my run" / "t.json")
    assert "next: profdb report budget --run 'my run'" in run("ingest", "my run").output


def test_a_demo_that_cannot_be_written_is_one_line(run, tmp_path: Path) -> None:
    Path("taken").write_text("")
    result = run("demo", "taken")
    assert (result.exit_code, result.output.count("\n")) == (1, 1)


def test_all_that_is_skipped_is_listed_when_asked_for(run, tmp_path: Path) -> None:
    trace(tmp_path / "build" / "t.json")
    for number in range(12):
        (tmp_path / "build" / f"note{number}.txt").write_text("x")
    assert "skipped: 2 more (profdb -v lists all)" in run("ingest", "build").output
    assert run("-v", "ingest", "build").output.count("skipped: ") == 12


def test_a_growing_folder_goes_on(run, tmp_path: Path) -> None:
    trace(tmp_path / "nightly" / "mon" / "t.json")
    assert "run nightly: 1 profile" in run("ingest", "nightly").output
    trace(tmp_path / "nightly" / "tue" / "t.json", dur=11.0)
    result = run("ingest", "nightly")
    assert result.exit_code == 0
    assert "is already stored in run nightly" in result.output
    assert "run tue: 1 profile" in result.output


@pytest.mark.parametrize(
    "query",
    [
        "COPY kernels TO 'x.csv'",
        "ATTACH 'x.duckdb'",
        "INSTALL httpfs",
        "SET threads = 1",
        "CHECKPOINT",
        "CREATE TEMP TABLE t AS FROM kernels",
        "FROM read_csv('/etc/passwd')",
        "SELECT 1; SELECT 2",
        "WITH d AS (DELETE FROM runs RETURNING *) FROM d",
    ],
)
def test_sql_refuses_all_but_reading(stored, query: str) -> None:
    result = stored("sql", query)
    assert result.exit_code == 1
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    "query", ["FROM runs", "DESCRIBE kernels", "SHOW TABLES", "SUMMARIZE runs", "EXPLAIN FROM runs"]
)
def test_sql_answers_what_reads(stored, query: str) -> None:
    assert stored("sql", query).exit_code == 0


def test_reports_show_hostile_names_as_text(stored) -> None:
    for words in (("budget", "--run", "one"), ("regression", "--base", "one", "--cand", "two")):
        result = stored("report", *words)
        assert result.exit_code == 0
        assert "<b>" not in result.output


def test_a_report_goes_to_a_file(stored) -> None:
    assert stored("report", "budget", "--run", "one", "-o", "page.md").output == ""
    assert Path("page.md").read_text().startswith("#")


def test_profdb_names_the_default_file(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PROFDB", str(tmp_path / "elsewhere.duckdb"))
    trace(tmp_path / "build" / "t.json")
    assert run("ingest", "build").exit_code == 0
    assert (tmp_path / "elsewhere.duckdb").exists()


def test_every_command_has_help_and_the_module_runs() -> None:
    result = subprocess.run([sys.executable, "-m", "profdb", "--help"], capture_output=True)
    assert result.returncode == 0
    assert b"ingest" in result.stdout


@pytest.mark.parametrize("stop", [KeyboardInterrupt(), RuntimeError("Query interrupted")])
def test_ctrl_c_is_status_130(run, monkeypatch: pytest.MonkeyPatch, stop: BaseException) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise stop

    monkeypatch.setattr(import_module("profdb.commands.demo"), "write_demo", interrupted)
    result = run("demo", "demo")
    assert (result.exit_code, result.output.count("\n")) == (130, 1)


def test_demo_says_what_to_do_next(run) -> None:
    result = run("demo", "demo", "--rows", "40000")
    assert "next: profdb ingest demo/dcu demo/0815 demo/1009" in result.output
