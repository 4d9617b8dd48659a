"""Which traces of captured graphs belong to which profile, and what becomes of their events."""

from pathlib import Path

import pytest

import profdb
from profdb.errors import ProfdbError
from profdb.ingest import plan
from profdb.reports.summary import dry_run

from .captures import NOTE, Captured, at, decode, executed, full, gemm, linear, told
from .traces import ingested, rows, write


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return tmp_path / "run"


def test_the_events_are_counted_and_not_stored(tmp_path: Path, run: Path) -> None:
    captured = full(at(run, 4), 4, linear(4))
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    warehouse = ingested(tmp_path, run)
    ledger = "SELECT category, seen, stored, set_aside, reason FROM ingest_ledger WHERE file"
    assert rows(warehouse, f"{ledger} = '{captured}' ORDER BY category") == [
        ("cpu_op", 2, 0, 2, NOTE), ("cuda_runtime", 4, 0, 4, NOTE),
        ("user_annotation", 1, 0, 1, NOTE),
    ]  # fmt: skip
    assert rows(warehouse, "SELECT count(*) FROM kernels") == [(1,)]
    assert rows(warehouse, "SELECT count(*) FROM events") == [(2,)]
    closed = "SELECT DISTINCT seen = stored + set_aside FROM ingest_ledger"
    assert rows(warehouse, closed) == [(True,)]
    files = rows(warehouse, "SELECT path, size_bytes, length(sha256), container FROM files")
    assert (str(captured), captured.stat().st_size, 64, "plain") in files


@pytest.mark.parametrize("again", ["run", "run/dp0_pp0_tp0_rank0.1.pt.trace.json"])
def test_the_same_again_is_known(tmp_path: Path, run: Path, again: str) -> None:
    full(at(run, 4), 4, linear(4))
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    with profdb.open(ingested(tmp_path, run)) as warehouse:
        summary = warehouse.ingest(tmp_path / again)
    assert [outcome.state for outcome in summary.outcomes] == ["already stored"]


def test_a_changed_capture_is_another_profile(tmp_path: Path, run: Path) -> None:
    captured = full(at(run, 4), 4, linear(4))
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    warehouse = ingested(tmp_path, run)
    captured.write_text(captured.read_text().replace("aten::mm", "aten::nn"))
    with profdb.open(warehouse) as opened, pytest.raises(ProfdbError, match="other content"):
        opened.ingest(run)


def test_captures_alone_are_no_run(tmp_path: Path, run: Path) -> None:
    folder = full(at(run, 4), 4, linear(4)).parent
    with pytest.raises(ProfdbError) as error:
        plan([folder])
    assert "trace of captured graphs, no run of its own" in str(error.value)
    assert f"execution trace of rank 0, which should lie in {run}" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_look_says_whose_captures_they_are(tmp_path: Path, run: Path) -> None:
    captured = full(at(run, 4), 4, linear(4))
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    other = captured.with_name("graph_capture_rank_1.9.pt.trace.json")
    full(other, 4, linear(4))
    found = plan([run])
    text = dry_run(found.runs, found.skipped)
    assert f"captured graphs of {captured}: {NOTE}" in text
    assert f"skipped: {other}: trace of captured graphs" in text
    assert text.count(captured.name) == 1


def test_the_rank_of_all_ranks_is_in_the_metadata(tmp_path: Path, run: Path) -> None:
    trace = Captured()
    trace.graph(linear(4))
    trace.annotate("capture_4_FULL")
    trace.write(at(run, 4), distributedInfo={"backend": "nccl", "rank": 8})
    name = "dp1_pp0_tp0_rank8.1.pt.trace.json"
    other = executed(run, decode(1, 4, ["Cijk_gemm"]))
    write(run / name, decode(1, 4, ["Cijk_gemm"], ["late"]))
    files = {source.path: source.files for source in plan([run]).runs["run"]}
    assert files == {other: (other,), run / name: (run / name, at(run, 4))}


def test_captures_may_lie_beside_the_folder_of_the_run(tmp_path: Path) -> None:
    home = tmp_path / "output"
    full(at(home, 4), 4, linear(4))
    executed(home / "run", decode(1, 4, ["Cijk_gemm"]))
    warehouse = ingested(tmp_path, home)
    assert told(warehouse) == [gemm("4,8;8,8")]
    # With a second run beside them nobody knows whose they are.
    executed(home / "second", decode(1, 4, ["Cijk_gemm"]))
    found = plan([home / "run", home / "second", home / "capture_traces"])
    assert {len(source.files) for run in found.runs.values() for source in run} == {1}
    assert len(found.skipped) == 1


def test_a_damaged_capture_is_named(tmp_path: Path, run: Path) -> None:
    captured = full(at(run, 4), 4, linear(4))
    captured.write_text(captured.read_text()[:-40])
    executed(run, decode(1, 4, ["Cijk_gemm"]))
    with pytest.raises(ProfdbError, match=captured.name):
        ingested(tmp_path, run)
