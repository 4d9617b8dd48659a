"""Folders of Ascend in which the analysis failed: what is said of them, and what would help."""

import json

import pytest

import profdb

from .ascend import TWO, rank, rank_folder, table, typed
from .ascend_databases import small
from .traces import ingested, rows

PROF = "PROF_000001_20260101000000000_ABC"
LOG = "[2026-01-01-00:00:0{}] [{}] [AscendProfiler:77] {}\n"


def raw_folder(run, worker="rank0"):
    """A rank folder with the raw data of one device and nothing else."""
    raw = rank_folder(run, worker).parent
    (raw / PROF / "host").mkdir(parents=True)
    return raw


def said(tmp_path) -> str:
    """Why the run cannot be stored."""
    with pytest.raises(profdb.ProfdbError) as error:
        ingested(tmp_path, tmp_path / "run")
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_rank_of_raw_data_beside_good_ranks(tmp_path):
    """The parser crashed on one rank: PROF_ and FRAMEWORK, no ASCEND_PROFILER_OUTPUT."""
    rank(tmp_path / "run", 0)
    raw = rank_folder(tmp_path / "run", "rank1").parent
    for name in ("PROF_000001_20260101000000000_ABC/device_0/data/x.slice_0", "FRAMEWORK/torch.op"):
        (raw / name).parent.mkdir(parents=True)
        (raw / name).write_bytes(b"\0\1\2")
    done = typed("ingest", tmp_path / "run", "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 0
    assert done.output.count("skipped:") == 1 and f"analyse('{raw}')" in done.output
    assert rows(tmp_path / "w.duckdb", "SELECT rank FROM run_summary") == [(0,)]


def test_a_folder_with_only_the_cache_of_a_viewer_says_how_to_parse_it(tmp_path):
    """Output that was deleted but for mindstudio_insight_data.db, with the raw data still there."""
    folder = rank_folder(tmp_path / "run")
    small().write(folder / "mindstudio_insight_data.db")
    (folder.parent / "PROF_000001_20260101000000000_ABC" / "host").mkdir(parents=True)
    with pytest.raises(profdb.ProfdbError, match=r"never parsed: .*analyse\("):
        ingested(tmp_path, tmp_path / "run")


def test_what_the_parser_logged_is_told(tmp_path):
    """logs/ of two attempts: the newer one failed to export, and other errors came of it."""
    logs = raw_folder(tmp_path / "run") / "logs"
    logs.mkdir()
    older = LOG.format(1, "ERROR", "Failed to get acl to npu flow events.")
    (logs / "profiler_20260101000000_7.log").write_text(older)
    newer = [("INFO", "start"), ("ERROR", "msprof command not found!"), ("ERROR", "No such file")]
    lines = [LOG.format(number, *line) for number, line in enumerate(newer)]
    (logs / "profiler_20260102000000_8.log").write_text("".join(lines))
    (logs / "profiler_20260103000000_9.log").write_bytes(b"\xff\0 no log\n")
    text = said(tmp_path)
    assert "(logs/profiler_20260102000000_8.log begins its errors with:" in text
    assert "msprof command not found!)" in text and "flow events" not in text
    # The parser reads only files of its own user, and calls msprof.
    assert "msprof in PATH, as the owner of the folder, python -c" in text


@pytest.mark.parametrize("lines", [None, "", LOG.format(1, "WARNING", "slow")])
def test_logs_without_an_error_add_nothing(tmp_path, lines):
    """No logs folder, an empty log, or one of mere warnings."""
    raw = raw_folder(tmp_path / "run")
    if lines is not None:
        (raw / "logs").mkdir()
        (raw / "logs" / "profiler_20260101000000_7.log").write_text(lines)
    assert "never parsed: on a host" in said(tmp_path)


def test_an_analysis_that_was_done_and_failed_is_told_by_its_logs(tmp_path):
    """analyse.done and some tables, no kernels, no raw data left, and a log of the console."""
    folder = rank_folder(tmp_path / "run")
    table(folder / "operator_details.csv", "aten::add,1.5", header="Name,Host Self Duration(us)")
    (folder / "analyse.done").touch()
    (folder.parent / "logs").mkdir()
    line = "[2026-01-01 00:00:00] [ERROR] [911684] profiler.py: Failed to export CANN data.\n"
    (folder.parent / "logs" / "run.log").write_text(line)
    text = said(tmp_path)
    assert "no kernel table was written (logs/run.log" in text
    assert "profiler.py: Failed to export CANN data); there is no raw data" in text


def test_summaries_that_were_exported_as_json(tmp_path):
    """msprof --summary-format=json: op_summary is there, in a form that is not read."""
    output = tmp_path / "run" / PROF / "mindstudio_profiler_output"
    output.mkdir(parents=True)
    (output / "op_summary_20260101000000.json").write_text('[{"Op Name": "k1"}]')
    text = said(tmp_path)
    assert "exported as JSON" in text
    assert text.endswith(f"msprof --export=on --output={tmp_path / 'run' / PROF}")
    table(output / "op_summary_20260101000000.csv", *TWO)
    assert rows(ingested(tmp_path, tmp_path / "run"), "SELECT kernels FROM run_summary") == [(2,)]


HOST, BOTH = ["ProfilerActivity.CPU"], ["ProfilerActivity.CPU", "ProfilerActivity.NPU"]


@pytest.mark.parametrize(
    ("level", "activities", "told"),
    [
        ("Level_none", BOTH, "profiler_level was Level_none; record anew"),
        ("Level1", HOST, "of the host alone; record anew"),
        ("Level1", BOTH, "no kernel table: the window recorded no kernels, or the analysis failed"),
        ("Level1", None, "no kernel table: the window recorded no kernels, or the analysis failed"),
    ],
)
def test_what_was_never_recorded_is_not_parsed_again(tmp_path, level, activities, told):
    """Framework files only, and notes of what the profiler was asked for."""
    raw = raw_folder(tmp_path / "run")
    table(raw / "ASCEND_PROFILER_OUTPUT" / "operator_details.csv", "a,1", header="Name,Self(us)")
    notes = {"experimental_config": {"_profiler_level": level}, "common_config": None}
    if activities:
        notes["common_config"] = {"activities": activities}
    (raw / "profiler_info_0.json").write_text(json.dumps({"config": notes}))
    text = said(tmp_path)
    assert told in text and ("analyse(" in text) == ("record anew" not in text)
