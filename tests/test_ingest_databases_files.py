"""Database files of Ascend that are refused, and which of several is read."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from profdb.errors import ProfdbError
from profdb.ingest import plan
from profdb.ingest.registry import look_through

from .ascend_databases import small
from .traces import SHARED, ingested, needs_shared, rows

NAME = "ascend_pytorch_profiler_3.db"


def with_log(tmp_path, ending):
    """A database whose last row stands in a log beside it."""
    path = small().write(tmp_path / "live" / NAME)
    (tmp_path / "run").mkdir()
    with closing(sqlite3.connect(path)) as con:
        if ending == "-wal":
            con.execute("PRAGMA journal_mode = wal")
            con.execute("DELETE FROM TASK")
            con.commit()
            shutil.copy(f"{path}{ending}", tmp_path / "run" / (NAME + ending))
        else:
            (tmp_path / "run" / (NAME + ending)).write_bytes(b"half-done")
        shutil.copy(path, tmp_path / "run" / NAME)
    return tmp_path / "run" / NAME


def refused(tmp_path, path, said):
    with pytest.raises(ProfdbError, match=said):
        ingested(tmp_path, path)


@pytest.mark.parametrize("ending", ["-wal", "-journal"])
def test_a_database_with_rows_beside_it_is_refused(tmp_path, ending):
    refused(tmp_path, with_log(tmp_path, ending), r"wal_checkpoint\(TRUNCATE\)")


def test_what_is_checkpointed_is_read(tmp_path):
    path = small().write(tmp_path / NAME)
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA journal_mode = wal")
    path.with_name(NAME + "-wal").write_bytes(b"")
    assert rows(ingested(tmp_path, path), "SELECT count(*) FROM kernels") == [(2,)]


def test_a_database_that_was_cut_is_refused(tmp_path):
    path = small().write(tmp_path / NAME)
    path.write_bytes(path.read_bytes()[:9000])
    refused(tmp_path, path, "ends at byte 9000 of")


def test_damaged_pages_are_refused(tmp_path):
    path = small().write(tmp_path / NAME)
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    refused(tmp_path, path, "cannot be read: database disk image is malformed")


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ([], "database without tables"),
        (["photos (x)"], "database of something else"),
        (["StepTraceTime (step)"], "only with a kernel table or database"),
        (["ClusterStepTraceTime (step)"], "analysis of a cluster"),
        (["STRING_IDS (id, value)", "TASK (startNs)"], "holds no kernels"),
    ],
)
def test_other_databases_are_told_apart(tmp_path, tables, said):
    path = tmp_path / NAME
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA user_version = 1")
        for table in tables:
            con.execute(f"CREATE TABLE {table}")
        con.commit()
    refused(tmp_path, path, said)


def test_a_name_with_signs_of_an_address_is_opened(tmp_path):
    path = small().write(tmp_path / "run?mode=rw#1 %41" / NAME)
    assert rows(ingested(tmp_path, path), "SELECT count(*) FROM kernels") == [(2,)]


@needs_shared
def test_nothing_is_written_beside_the_database(tmp_path):
    folder = SHARED / "traces" / "ascend" / "db" / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
    before = sorted((file.name, file.stat().st_mtime_ns) for file in folder.iterdir())
    look_through([folder])
    ingested(tmp_path, folder)
    assert sorted((file.name, file.stat().st_mtime_ns) for file in folder.iterdir()) == before


@pytest.mark.parametrize(
    ("table", "databases", "prefer", "read"),
    [
        ("ASCEND_PROFILER_OUTPUT", ["ASCEND_PROFILER_OUTPUT/p_0"], "text", ["kernel_details.csv"]),
        ("ASCEND_PROFILER_OUTPUT", ["ASCEND_PROFILER_OUTPUT/p_0"], "db", ["p_0"]),
        ("ASCEND_PROFILER_OUTPUT", ["PROF_1/msprof_1"], "text", ["kernel_details.csv"]),
        (None, ["PROF_1/msprof_1", "ASCEND_PROFILER_OUTPUT/p_0"], "text", ["p_0"]),
        # Two ranks: of which one the table is, nobody says.
        (".", ["p_0", "p_1"], "text", ["kernel_details.csv", "p_0", "p_1"]),
        (".", ["p_1"], "text", ["kernel_details.csv"]),
    ],
)
def test_one_source_of_a_profile_is_read(tmp_path, table, databases, prefer, read):
    home = tmp_path / ("run" if table == "." else "host_1_20260101000000000_ascend_pt")
    for name in databases:
        small().write(home / f"{name.replace('p_', 'ascend_pytorch_profiler_')}.db")
    if table:
        (home / table).mkdir(exist_ok=True)
        content = "Name,Start Time(us),Duration(us)\r\nk,1791641598803750.295\t,0.5\r\n"
        (home / table / "kernel_details.csv").write_text(content)
    found = plan([tmp_path], prefer=prefer)
    names = [s.files[0].name for group in found.runs.values() for s in group]
    assert sorted(n.replace("ascend_pytorch_profiler_", "p_").removesuffix(".db")
                  for n in names) == read  # fmt: skip
    assert len(found.skipped) == len(databases) + bool(table) - len(read)
    for skip in found.skipped:
        assert "same profile as" in skip.reason


def test_what_is_preferred_must_be_known(tmp_path):
    small().write(tmp_path / NAME)
    with pytest.raises(ProfdbError, match="prefer is text or db"):
        plan([tmp_path], prefer="csv")
