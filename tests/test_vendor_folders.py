"""Folders of several ranks, restarted windows, and folders that were never parsed."""

import json
from pathlib import Path

import pytest

import profdb
from profdb.errors import ProfdbError
from profdb.ingest.vendor_ranks import absent_ranks

from .ascend import rank, rank_folder, table, typed
from .traces import fresh, rows


def world(folder, size):
    args = {"distributed_args": {"world_size": size}}
    (folder.parent / "profiler_metadata.json").write_text(json.dumps(args))


def test_missing_ranks_are_named_and_a_failing_one_loses_no_other(tmp_path):
    for number in range(7):
        world(rank(tmp_path / "run", number), 8)
    table(rank_folder(tmp_path / "run", "rank3") / "kernel_details.csv")
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1
    assert "no profile of ranks 3, 7 of 8 (world size by profiler_metadata.json)" in done.output
    assert "1 of 7 profiles could not be stored" in done.output
    found = rows(tmp_path / "w.duckdb", "SELECT rank FROM run_summary ORDER BY rank")
    assert [number for (number,) in found] == [0, 1, 2, 4, 5, 6]


def test_a_file_that_cannot_be_opened_loses_no_other_rank(tmp_path, monkeypatch):
    rank(tmp_path / "run", 0)
    broken = rank(tmp_path / "run", 1) / "kernel_details.csv"
    opened = Path.open

    def refuse(path, *options, **more):
        if path == broken:
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *options, **more)

    monkeypatch.setattr(Path, "open", refuse)
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1
    assert f"{broken} cannot be read: Permission denied; the rest is stored" in done.output
    assert rows(tmp_path / "w.duckdb", "SELECT rank FROM run_summary") == [(0,)]


def test_a_whole_world_is_nothing_to_say(tmp_path):
    for number in range(2):
        world(rank(tmp_path / "run", number), 2)
    with profdb.open(fresh(tmp_path)) as warehouse:
        assert warehouse.ingest(tmp_path / "run").absent == {}


def test_names_of_folders_tell_which_place_is_empty(tmp_path):
    for number, place in enumerate(["dp0_pp0_tp0", "dp0_pp0_tp1", "dp1_pp0_tp0"]):
        rank(tmp_path / "run", number, worker=f"{place}_dcp0_ep{number}_rank{number}")
    with profdb.open(fresh(tmp_path)) as warehouse:
        absent = warehouse.ingest(tmp_path / "run").absent
    assert absent == {"run": "no profile of dp1 pp0 tp1, 1 of 4 (by the folders' names)"}


def test_engines_that_all_begin_at_rank_0_lack_none(tmp_path):
    for number, place in enumerate(["dp0_pp0_tp0", "dp1_pp0_tp0"]):
        folder = rank(tmp_path / "run", number, worker=f"{place}_dcp0_ep0_rank0")
        world(folder, 1)
    with profdb.open(fresh(tmp_path)) as warehouse:
        assert warehouse.ingest(tmp_path / "run").absent == {}


def test_restarted_windows_are_profiles_of_their_own(tmp_path):
    for number, time in enumerate(["20260101000000000", "20260101000100000"]):
        rank(tmp_path / "run", number, worker="dp0_pp0_tp0_dcp0_ep0_rank5", time=time)
    path = fresh(tmp_path)
    with profdb.open(path) as warehouse:
        warehouse.ingest(tmp_path / "run")
    found = rows(path, "SELECT rank, captured_local FROM profiles ORDER BY 2")
    assert found == [(5, "2026-01-01 00:00:00.000"), (5, "2026-01-01 00:01:00.000")]


def test_nothing_is_said_of_ranks_without_notes():
    assert absent_ranks([], {0}) is None


def test_a_rank_that_was_never_parsed_is_one_line_beside_the_others(tmp_path):
    rank(tmp_path / "run", 0)
    raw = rank_folder(tmp_path / "run", "rank1").parent
    data = raw / "PROF_000001_20260101000000000_ABCDEF" / "device_0" / "data"
    data.mkdir(parents=True)
    for number in range(3):
        (data / f"{number}.bin").write_bytes(b"\0\1")
    with profdb.open(fresh(tmp_path)) as warehouse:
        summary = warehouse.ingest(tmp_path / "run")
    ((path, reason),) = [(one.path, one.reason) for one in summary.skipped]
    assert path == raw and "never parsed" in reason and f"analyse('{raw}')" in reason


def test_raw_data_of_msprof_names_its_own_command(tmp_path):
    raw = tmp_path / "PROF_000001_20260101000000000_ABCDEF"
    (raw / "host").mkdir(parents=True)
    (raw / "host" / "info.json").write_text("{}")
    with profdb.open(fresh(tmp_path)) as warehouse:
        with pytest.raises(ProfdbError, match=f"msprof --export=on --output={raw}$"):
            warehouse.ingest(raw)


@pytest.mark.parametrize("has_raw", [False, True])
def test_analyse_done_without_a_kernel_table_says_what_is_missing(tmp_path, has_raw):
    folder = rank_folder(tmp_path / "run")
    folder.mkdir(parents=True)
    (folder / "analyse.done").touch()
    if has_raw:
        (folder.parent / "PROF_1_2_A").mkdir()
    with profdb.open(fresh(tmp_path)) as warehouse:
        with pytest.raises(ProfdbError, match="no kernel table was written") as error:
            warehouse.ingest(folder if has_raw else tmp_path / "run")
    way_out = f"analyse('{folder.parent}')" if has_raw else "copy rank0_7_2026"
    assert way_out in str(error.value) and "\n" not in str(error.value)


def test_an_output_folder_without_kernels_says_so_beside_its_files(tmp_path):
    rank(tmp_path / "run", 0)
    folder = rank_folder(tmp_path / "run", "rank1")
    table(folder / "memory_record.csv", "1,2", header="Component,Timestamp(us)")
    with profdb.open(fresh(tmp_path)) as warehouse:
        skipped = {one.path: one.reason for one in warehouse.ingest(tmp_path / "run").skipped}
    assert "no kernel table" in skipped[folder.parent]
    assert "only with a kernel table" in skipped[folder / "memory_record.csv"]


def test_a_table_with_shapes_that_was_recorded_at_level_0_says_so(tmp_path):
    folder = rank(tmp_path / "run", 0)
    info = {"config": {"experimental_config": {"_profiler_level": "Level0"}}, "rank_id": "0"}
    (folder.parent / "profiler_info_0.json").write_text(json.dumps(info))
    table(folder / "op_statistic.csv", "1,2", header="a,b")
    done = typed("ingest", tmp_path / "run", "--dry-run")
    assert "recorded at Level0; questions per shape need profiler_level Level1" in done.output
    table(folder / "memory_record.csv", "1,2", header="a,b")
    assert "and 1 file beside it" in typed("ingest", tmp_path / "run", "--dry-run").output
