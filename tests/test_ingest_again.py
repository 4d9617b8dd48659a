"""The same profiles again, other contents of the same name, and the names of runs."""

import gzip
import shutil

import pytest

import profdb
from profdb import ingest
from profdb.errors import ProfdbError
from profdb.ingest import run as running

from .traces import ingested, rows, small

TABLE = "Name,Type,Start Time(us),Duration(us)\nk{0},Mm,{0}.5,2.5\n"


def again(path, *sources, **options):
    with profdb.open(path) as warehouse:
        return [o.state for o in warehouse.ingest(*sources, **options).outcomes]


def labels(path):
    return rows(path, "SELECT label, count(*) FROM run_summary GROUP BY 1 ORDER BY 1")


def contents(path):
    counts = [f"(SELECT count(*) FROM {t})" for t in ("profiles", "kernels", "events", "contexts")]
    return rows(path, f"SELECT {', '.join(counts)}, (SELECT max(profile_id) FROM profiles)")


def rank_folder(parent, rank, number):
    folder = parent / f"host_{rank}_2026010100000000{rank}_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    folder.mkdir(parents=True)
    (folder / "kernel_details.csv").write_text(TABLE.format(number))
    return folder.parent


def test_twice_is_stored_once(tmp_path):
    trace = small(tmp_path / "a.json")
    path = ingested(tmp_path, trace)
    before = contents(path)
    assert again(path, trace) == again(path, trace, label="a") == [running.KNOWN]
    assert contents(path) == before


def test_replace_leaves_exactly_one(tmp_path):
    trace = small(tmp_path / "a.json")
    path = ingested(tmp_path, trace)
    before = contents(path)[0][:4]
    assert again(path, trace, replace=True) == [running.STORED]
    assert contents(path)[0][:4] == before
    small(trace, "other", 5)
    assert again(path, trace, replace=True) == [running.STORED]
    assert rows(path, "SELECT label, kernels FROM run_summary") == [("a", 5)]


def test_replace_puts_several_profiles_in_the_place_of_several(tmp_path):
    for name in "abc":
        small(tmp_path / "run" / f"{name}.json", name)
    path = ingested(tmp_path, tmp_path / "run")
    (tmp_path / "run" / "c.json").unlink()
    assert again(path, tmp_path / "run", replace=True) == [running.STORED] * 2
    assert labels(path) == [("run", 2)]
    assert rows(path, "SELECT count(*) FROM kernels") == [(6,)]


def test_the_same_content_under_another_label_is_refused(tmp_path):
    trace = small(tmp_path / "a.json")
    path = ingested(tmp_path, trace)
    before = contents(path)
    for options in ({"label": "b"}, {"label": "b", "replace": True}):
        with pytest.raises(ProfdbError, match="stored already, as run 'a'"):
            again(path, trace, **options)
    assert contents(path) == before


def test_a_label_with_other_content_is_an_error_that_names_the_ways_out(tmp_path):
    path = ingested(tmp_path, small(tmp_path / "a.json"))
    before = contents(path)
    with pytest.raises(ProfdbError) as caught:
        again(path, small(tmp_path / "x" / "a.json", "other"))
    assert all(way in str(caught.value) for way in ("--label", "--add a", "--replace"))
    assert contents(path) == before


def test_add_adds_to_a_run_that_is_there(tmp_path):
    path = ingested(tmp_path, small(tmp_path / "a.json"))
    other = small(tmp_path / "b.json", "other")
    assert again(path, other, add="a") == [running.STORED]
    assert again(path, other, add="a") == [running.KNOWN]
    assert labels(path) == [("a", 2)]
    with pytest.raises(ProfdbError, match="--add x: no such run; the warehouse has a"):
        again(path, small(tmp_path / "c.json", "third"), add="x")


@pytest.mark.parametrize("options", [{"label": "a", "add": "b"}, {"add": "a", "replace": True}])
def test_contradicting_options_are_refused(tmp_path, options):
    with pytest.raises(ProfdbError, match="give one of them"):
        ingest.Naming(**options)


def test_two_copies_in_one_folder_are_stored_once(tmp_path):
    small(tmp_path / "run" / "a.json")
    shutil.copy(tmp_path / "run" / "a.json", tmp_path / "run" / "copy.json")
    path = ingested(tmp_path, tmp_path / "run")
    assert rows(path, "SELECT count(*), sum(kernels) FROM run_summary") == [(1, 3)]


@pytest.mark.parametrize("replace", [False, True])
def test_copies_are_told_again_and_replaced_as_one(tmp_path, replace):
    small(tmp_path / "run" / "a.json")
    shutil.copy(tmp_path / "run" / "a.json", tmp_path / "run" / "copy.json")
    path = ingested(tmp_path, tmp_path / "run")
    states = again(path, tmp_path / "run", replace=replace)
    assert states == ([running.STORED, running.TWIN] if replace else [running.KNOWN] * 2)
    assert rows(path, "SELECT count(*), sum(kernels) FROM run_summary") == [(1, 3)]


def test_an_interrupted_ingest_goes_on(tmp_path, monkeypatch):
    for name in "abcd":
        small(tmp_path / "run" / f"{name}.json", name)
    done = []

    def interrupted(*args):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(True)
        return stored(*args)

    stored = running.store
    path = ingested(tmp_path, small(tmp_path / "other.json", "other"))
    monkeypatch.setattr(running, "store", interrupted)
    with pytest.raises(KeyboardInterrupt):
        again(path, tmp_path / "run")
    assert labels(path) == [("other", 1), ("run", 2)]
    assert not path.with_name(path.name + ".work").exists()
    monkeypatch.undo()
    states = again(path, tmp_path / "run")
    assert states == [running.KNOWN] * 2 + [running.STORED] * 2
    assert labels(path) == [("other", 1), ("run", 4)]


def test_one_broken_profile_does_not_lose_the_others(tmp_path):
    for name in "ac":
        small(tmp_path / "run" / f"{name}.json", name)
    (tmp_path / "run" / "b.json").write_text('{"traceEvents":[{"ph":"X","ts":1.5.5}]}')
    path = tmp_path / "w.duckdb"
    with profdb.open(path) as warehouse:
        summary = warehouse.ingest(tmp_path / "run")
    assert [o.state for o in summary.outcomes] == [running.STORED, running.FAILED, running.STORED]
    assert "b.json has a damaged event at byte" in summary.failed[0].error
    assert labels(path) == [("run", 2)]


@pytest.mark.parametrize(
    "name", ["0815.json", "0815.pt.trace.json", "0815.pt.trace.json.gz", "0815.trace.json.gz"]
)
@pytest.mark.parametrize("relative", [False, True])
def test_a_file_is_named_after_itself(tmp_path, monkeypatch, name, relative):
    folder = tmp_path / "folder"
    trace = small(folder / name)
    if name.endswith(".gz"):
        trace.write_bytes(gzip.compress(trace.read_bytes()))
    monkeypatch.chdir(folder)
    path = ingested(tmp_path, name if relative else trace)
    assert labels(path) == [("0815", 1)]


@pytest.mark.parametrize("given", ["run", "run/", "run/sub/..", "."])
def test_a_folder_is_named_after_itself(tmp_path, monkeypatch, given):
    small(tmp_path / "run" / "t.json")
    (tmp_path / "run" / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "run" if given == "." else tmp_path)
    assert labels(ingested(tmp_path, given)) == [("run", 1)]


def test_a_folder_around_one_run_folder_lends_it_its_name(tmp_path):
    small(tmp_path / "outer" / "inner" / "t.json")
    assert labels(ingested(tmp_path, tmp_path / "outer")) == [("outer", 1)]


def test_a_rank_folder_is_named_after_its_parent(tmp_path):
    rank = rank_folder(tmp_path / "0815", 1, 1)
    rank_folder(tmp_path / "0815", 2, 2)
    path = ingested(tmp_path, rank)
    assert labels(path) == [("0815", 1)]
    states = again(path, tmp_path / "0815")
    assert states == [running.KNOWN, running.STORED]
    assert labels(path) == [("0815", 2)]
    again(path, rank / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv")
    assert labels(path) == [("0815", 2)]


def test_a_tree_becomes_one_run_per_folder(tmp_path):
    small(tmp_path / "tree" / "x" / "t.json", "x")
    small(tmp_path / "tree" / "deep" / "y" / "t.json", "y")
    rank_folder(tmp_path / "tree" / "z", 0, 1)
    rank_folder(tmp_path / "tree" / "z", 1, 2)
    path = ingested(tmp_path, tmp_path / "tree")
    assert labels(path) == [("x", 1), ("y", 1), ("z", 2)]
    assert labels(ingested(tmp_path, tmp_path / "tree", label="all")) == [("all", 4)]


def test_folders_of_one_name_are_told_apart_by_their_place(tmp_path):
    for place in ("a/out", "b/out", "c"):
        small(tmp_path / "tree" / place / "t.json", place)
    path = ingested(tmp_path, tmp_path / "tree")
    assert labels(path) == [("a/out", 1), ("b/out", 1), ("c", 1)]


@pytest.mark.parametrize("what", ["trace.json", ""])
def test_two_paths_of_one_name_are_never_mixed(tmp_path, what):
    base = small(tmp_path / "base" / "run" / "trace.json", "b")
    cand = small(tmp_path / "cand" / "run" / "trace.json", "c")
    given = (base, cand) if what else (base.parent, cand.parent)
    with pytest.raises(ProfdbError, match="would both be run '(trace|run)'.*--label"):
        ingested(tmp_path, *given)
    path = ingested(tmp_path, base, label="base")
    again(path, cand, label="cand")
    assert labels(path) == [("base", 1), ("cand", 1)]


def test_the_same_folder_twice_is_read_once(tmp_path):
    trace = small(tmp_path / "run" / "t.json")
    assert labels(ingested(tmp_path, trace.parent, trace.parent)) == [("run", 1)]


def test_ranks_come_from_metadata_else_from_names(tmp_path):
    small(tmp_path / "run" / "dp0_pp0_tp1_dcp0_ep1_rank1.17.pt.trace.json", "a")
    small(tmp_path / "run" / "1700000000.5-TP-3.trace.json", "b")
    told = small(tmp_path / "run" / "x-TP-4.trace.json", "c")
    told.write_text(told.read_text().replace("{", '{"distributedInfo":{"rank":7},', 1))
    path = ingested(tmp_path, tmp_path / "run")
    found = rows(path, "SELECT rank, layout FROM profiles ORDER BY rank")
    assert found == [(1, "dp0 pp0 tp1 dcp0 ep1"), (3, "tp3"), (7, "tp4")]


def test_the_same_trace_packed_is_the_same(tmp_path):
    plain = small(tmp_path / "run" / "t.json")
    path = ingested(tmp_path, tmp_path / "run")
    packed = tmp_path / "packed" / "t.json.gz"
    packed.parent.mkdir()
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert again(path, packed.parent) == [running.TWIN]
    assert rows(path, "SELECT count(*), sum(kernels) FROM run_summary") == [(1, 3)]


def test_eight_rank_folders_are_one_run_of_eight_profiles(tmp_path):
    for rank in range(8):
        small(tmp_path / "run" / f"rank{rank}" / "t.json", f"kernel{rank}")
    path = ingested(tmp_path, tmp_path / "run")
    found = rows(path, "SELECT label, rank, kernels FROM run_summary ORDER BY rank")
    assert found == [("run", rank, 3) for rank in range(8)]
