"""Opening: what is made, what is refused in one line, what other programs and crashes leave."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from profdb.errors import ProfdbError
from profdb.warehouse import Warehouse

SHELL = Path(sys.executable).with_name("duckdb")
needs_shell = pytest.mark.skipif(not SHELL.exists(), reason="no duckdb shell beside python")


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    for folder in ("schema", "views", "queries/more"):
        (tmp_path / "sql" / folder).mkdir(parents=True)
    (tmp_path / "sql/schema/0001_t.sql").write_text("CREATE TABLE t (batch INT, n BIGINT);")
    (tmp_path / "sql/views/batches_v1.sql").write_text(
        "CREATE OR REPLACE VIEW batches_v1 AS SELECT batch, count(*) AS n FROM t GROUP BY batch;\n"
        "COMMENT ON VIEW batches_v1 IS 'one row per batch';"
    )
    (tmp_path / "sql/queries/more/of_batch.sql").write_text(
        "SELECT batch, n FROM batches WHERE batch = $batch AND $batch IS NOT NULL;"
    )
    return tmp_path / "sql"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "w.duckdb"


@pytest.fixture
def filled(db: Path, sql: Path) -> Path:
    with Warehouse.open(db, write=True, sql=sql) as warehouse:
        warehouse.con.execute("INSERT INTO t VALUES (1, 10), (1, 11), (2, 20)")
    return db


def shell(db: Path, query: str) -> str:
    command = [SHELL, "-readonly", "-csv", "-noheader", db, query]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def complaint(path: Path, sql: Path, write: bool) -> str:
    with pytest.raises(ProfdbError) as error:
        Warehouse.open(path, write=write, sql=sql)
    text = str(error.value)
    assert str(path) in text and "\n" not in text
    return text


@needs_shell
def test_the_shell_that_people_have_opens_it(filled):
    assert shell(filled, "FROM batches ORDER BY batch") == "1,2\n2,1\n"
    assert "one row per batch" in shell(
        filled, "SELECT comment FROM duckdb_views() WHERE view_name = 'batches'"
    )


def test_making_it_leaves_one_file(filled, tmp_path):
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sql", "w.duckdb"]


def test_an_empty_file_becomes_a_warehouse(db, sql):
    db.touch()
    Warehouse.open(db, write=True, sql=sql).close()
    with Warehouse.open(db, sql=sql) as warehouse:
        assert warehouse.query("of_batch", batch=1) == []


def test_a_query_gets_the_parameters_that_it_uses(filled, sql):
    with Warehouse.open(filled, sql=sql) as warehouse:
        assert warehouse.query("of_batch", batch=1, other="x") == [{"batch": 1, "n": 2}]
        assert "$batch" in warehouse.query_text("of_batch")
        with pytest.raises(ProfdbError, match="no query named 'x'; there are: of_batch"):
            warehouse.query("x")
        with pytest.raises(ProfdbError, match="query of_batch: .*not provided.*: batch"):
            warehouse.query("of_batch")


def test_a_transaction_is_whole_or_nothing(filled, sql):
    with Warehouse.open(filled, write=True, sql=sql) as warehouse:
        with warehouse.transaction() as con:
            con.execute("INSERT INTO t VALUES (3, 30)")
        with pytest.raises(KeyError), warehouse.transaction() as con:
            con.execute("INSERT INTO t VALUES (4, 40)")
            raise KeyError
        with pytest.raises(duckdb.Error), warehouse.transaction() as con:
            con.execute("INSERT INTO t VALUES (5, 50)")
            con.execute("FROM nothing")
    with Warehouse.open(filled, sql=sql) as warehouse:
        assert warehouse.con.execute("SELECT max(batch) FROM t").fetchone() == (3,)


def test_a_half_fetched_result_is_not_in_the_way_of_sql(filled, sql):
    with Warehouse.open(filled, sql=sql) as warehouse:
        warehouse.con.execute("FROM t").fetchone()
        assert warehouse.sql("SELECT count(*) FROM t").fetchall() == [(3,)]


def test_two_readers_of_one_process_share_the_file(filled, sql):
    with Warehouse.open(filled, sql=sql) as one, Warehouse.open(filled, sql=sql) as two:
        assert one.query("of_batch", batch=2) == two.query("of_batch", batch=2)
        assert "already open in this process" in complaint(filled, sql, write=True)


def test_a_reader_sorts_more_than_its_memory(filled, sql, monkeypatch):
    monkeypatch.setitem(sys.modules["profdb.warehouse.connect"]._READING, "memory_limit", "60MB")
    monkeypatch.setitem(sys.modules["profdb.warehouse.connect"]._READING, "threads", "1")
    wide = "SELECT hash(i)::VARCHAR AS s, hash(i + 1)::VARCHAR AS r FROM range(1500000) t(i)"
    with Warehouse.open(filled, sql=sql) as warehouse:
        text = f"SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY s, r) AS n FROM ({wide}))"
        assert warehouse.sql(text).fetchall() == [(1500000,)]
    assert not filled.with_name("w.duckdb.tmp").exists()


def test_a_reader_in_an_archive_spills_elsewhere(filled, sql, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK)
    with Warehouse.open(filled, sql=sql) as warehouse:
        ((folder,),) = warehouse.sql("SELECT current_setting('temp_directory')").fetchall()
        assert Path(folder).parent != filled.parent
        with pytest.raises(duckdb.Error, match="disabled by configuration"):
            warehouse.con.execute("FROM read_text('/etc/passwd')")


def test_reading_what_is_not_there(db, sql):
    assert f"no warehouse at {db} (profdb ingest RUN_DIR --db {db}" in complaint(db, sql, False)
    assert not db.exists()


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_another_kind(db, sql, write):
    for content in (b"no database", b"x" * 20000):
        db.write_bytes(content)
        assert "is not a DuckDB file" in complaint(db, sql, write)
        assert db.read_bytes() == content


@pytest.mark.parametrize("write", [True, False])
def test_a_folder(tmp_path, sql, write):
    assert "is a folder; give a file" in complaint(tmp_path, sql, write)


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="no devices here")
def test_a_device_is_left_alone(sql):
    assert "is not a file on disk" in complaint(Path("/dev/null"), sql, True)


def test_a_missing_folder(tmp_path, sql):
    path = tmp_path / "none" / "w.duckdb"
    assert "none of warehouse" in complaint(path, sql, True)
    assert "no warehouse at" in complaint(path, sql, False)


@pytest.mark.parametrize("write", [True, False])
def test_a_database_of_somebody_else(db, sql, write):
    with duckdb.connect(db) as con:
        con.execute("CREATE TABLE theirs (x INT)")
    assert "is a DuckDB file but no profdb warehouse" in complaint(db, sql, write)
    with duckdb.connect(db) as con:
        assert con.execute("SHOW TABLES").fetchall() == [("theirs",)]


def test_an_empty_database_of_an_old_format_becomes_a_warehouse(db, sql):
    duckdb.connect(db, config={"storage_compatibility_version": "v1.2.0"}).close()
    Warehouse.open(db, write=True, sql=sql).close()
    Warehouse.open(db, sql=sql).close()


def test_an_empty_database_that_the_shell_could_not_open_is_refused(db, sql):
    duckdb.connect(db, config={"storage_compatibility_version": "latest"}).close()
    assert "which the duckdb 1.5 shells cannot open" in complaint(db, sql, True)


def test_reading_a_database_that_is_empty_so_far(db, sql):
    duckdb.connect(db).close()
    assert "is empty so far (profdb ingest RUN_DIR" in complaint(db, sql, False)


def test_what_a_killed_creator_left_is_swept_away(db, sql):
    left, busy = db.with_name(".w.duckdb.1.new"), db.with_name(".w.duckdb.2.new")
    left.touch()
    busy.touch()
    os.utime(left, (0, 0))
    Warehouse.open(db, write=True, sql=sql).close()
    assert not left.exists() and busy.exists()


def test_a_broken_symbolic_link(db, sql):
    db.symlink_to(db.with_name("gone"))
    assert "no warehouse at" in complaint(db, sql, False)


@pytest.mark.parametrize("write, word", [(True, "to write"), (False, "to read")])
def test_no_permission(filled, sql, monkeypatch, write, word):
    # Not by chmod: it stops nobody who runs the tests as root.
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).is_dir())
    assert f"no permission {word} {filled}" in complaint(filled, sql, write)


def test_no_permission_in_the_folder(db, sql, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "no permission to write in folder" in complaint(db, sql, True)


HOLD = """
import sys, duckdb
con = duckdb.connect(sys.argv[1])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("write", [True, False])
def test_a_file_in_use_names_the_process_and_the_way_out(filled, sql, write):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, filled], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"open\n"
        text = complaint(filled, sql, write)
        holder.stdin.close()
    assert f"{filled} is in use by python" in text and f"(PID {holder.pid})" in text
    assert text.endswith(f"duckdb -readonly {filled}")
    with Warehouse.open(filled, sql=sql) as warehouse:
        assert warehouse.query("of_batch", batch=2)


WRITE_FOR_EVER = """
import sys
from pathlib import Path
from profdb.warehouse import Warehouse
warehouse = Warehouse.open(sys.argv[1], write=True, sql=Path(sys.argv[2]))
print("open", flush=True)
for batch in range(1, 1000000):
    with warehouse.transaction() as con:
        con.execute("INSERT INTO t SELECT $b, i FROM range(50000) r(i)", {"b": batch})
        con.execute("INSERT INTO t SELECT $b, i FROM range(50000) r(i)", {"b": batch})
    if batch % 3 == 0:
        warehouse.checkpoint()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("after", [0.0, 0.05, 0.15, 0.3])
def test_a_killed_writer_leaves_whole_batches(db, sql, after):
    command = [sys.executable, "-c", WRITE_FOR_EVER, db, sql]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"open\n"
        time.sleep(after)
        writer.kill()
    torn = "SELECT count(*) FROM batches WHERE n <> 100000"
    if SHELL.exists():
        assert shell(db, torn) == "0\n"
    for write in (False, True):
        with Warehouse.open(db, write=write, sql=sql) as warehouse:
            assert warehouse.con.execute(torn).fetchone() == (0,)


def test_a_damaged_or_foreign_file_says_so(tmp_path):
    path = tmp_path / "w.duckdb"
    Warehouse.open(path, write=True).close()
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(ProfdbError, match="is damaged .* restore a copy"):
        Warehouse.open(path)
    other = tmp_path / "other.db"
    sqlite3.connect(other).execute("CREATE TABLE t (x)").connection.close()
    for write in (False, True):
        with pytest.raises(ProfdbError, match="is an SQLite database, no warehouse"):
            Warehouse.open(other, write=write)
