"""Migrations: from empty, from each older step, never a changed or missing one."""

from pathlib import Path

import duckdb
import pytest

from profdb.errors import ProfdbError
from profdb.warehouse import Warehouse
from profdb.warehouse.sqlfiles import read_migrations, shipped_sql

STEPS = {
    1: ("0001_first.sql", "CREATE TABLE a (x BIGINT); COMMENT ON TABLE a IS 'numbers';"),
    2: ("0002_second.sql", "CREATE TABLE b (y BIGINT); INSERT INTO b VALUES (7);"),
    3: ("0003_third.sql", "ALTER TABLE a ADD COLUMN z VARCHAR;"),
}


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    (tmp_path / "sql" / "schema").mkdir(parents=True)
    return tmp_path / "sql"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "w.duckdb"


def add_steps(sql: Path, *numbers: int) -> None:
    for number in numbers:
        name, text = STEPS[number]
        (sql / "schema" / name).write_text(text)


def upgrade(db: Path, sql: Path) -> str | None:
    with Warehouse.open(db, write=True, sql=sql) as warehouse:
        return warehouse.upgraded


def applied(db: Path) -> list[tuple[int, str]]:
    with duckdb.connect(db, read_only=True) as con:
        return con.execute("SELECT number, name FROM _migrations ORDER BY number").fetchall()


def test_a_new_file_gets_every_step_and_says_nothing(db, sql):
    add_steps(sql, 1, 2, 3)
    assert upgrade(db, sql) is None
    assert applied(db) == [(1, "first"), (2, "second"), (3, "third")]


@pytest.mark.parametrize("start", [1, 2])
def test_an_older_file_is_upgraded_and_says_so(db, sql, start):
    add_steps(sql, *range(1, start + 1))
    upgrade(db, sql)
    add_steps(sql, 1, 2, 3)
    assert upgrade(db, sql) == f"upgraded {db} from schema {start} to 3"
    assert upgrade(db, sql) is None
    assert len(applied(db)) == 3


def test_the_record_has_time_in_utc_and_version(db, sql):
    add_steps(sql, 1)
    upgrade(db, sql)
    with duckdb.connect(db, read_only=True) as con:
        age, version, digest = con.execute(
            "SELECT abs(epoch(now()) - epoch(applied_at)), profdb_version, sha256 FROM _migrations"
        ).fetchone()
    assert age < 60 and version and len(digest) == 64


def test_a_failing_step_leaves_neither_its_work_nor_its_record(db, sql):
    add_steps(sql, 1)
    (sql / "schema" / "0002_bad.sql").write_text("CREATE TABLE b (y INT); FROM nothing;")
    with pytest.raises(ProfdbError, match="0002_bad.sql failed and was rolled back: .*nothing"):
        upgrade(db, sql)
    with duckdb.connect(db, read_only=True) as con:
        assert ("b",) not in con.execute("SHOW TABLES").fetchall()
    assert applied(db) == [(1, "first")]
    (sql / "schema" / "0002_bad.sql").unlink()
    add_steps(sql, 2)
    assert upgrade(db, sql) == f"upgraded {db} from schema 1 to 2"


@pytest.mark.parametrize("write", [True, False])
def test_a_changed_step_is_refused(db, sql, write):
    add_steps(sql, 1)
    upgrade(db, sql)
    (sql / "schema" / "0001_first.sql").write_text("CREATE TABLE a (x INTEGER);")
    with pytest.raises(ProfdbError, match="0001_first.sql has changed since it was applied"):
        Warehouse.open(db, write=write, sql=sql)


def test_crlf_line_ends_are_no_change(db, sql):
    file = sql / "schema" / "0001_first.sql"
    file.write_bytes(b"CREATE TABLE a (\n x BIGINT);\n")
    upgrade(db, sql)
    file.write_bytes(b"CREATE TABLE a (\r\n x BIGINT);\r\n")
    assert upgrade(db, sql) is None


@pytest.mark.parametrize("write", [True, False])
def test_a_newer_file_is_refused(db, sql, write):
    add_steps(sql, 1, 2, 3)
    upgrade(db, sql)
    (sql / "schema" / "0003_third.sql").unlink()
    with pytest.raises(ProfdbError, match=r"newer profdb \(.*schema 3, this one knows 2\)"):
        Warehouse.open(db, write=write, sql=sql)


def test_a_renamed_step_is_refused(db, sql):
    add_steps(sql, 1)
    upgrade(db, sql)
    (sql / "schema" / "0001_first.sql").rename(sql / "schema" / "0001_other.sql")
    with pytest.raises(ProfdbError, match="0001_first where this profdb has 0001_other"):
        upgrade(db, sql)


def test_reading_an_older_file_names_the_command_that_upgrades(db, sql):
    add_steps(sql, 1)
    upgrade(db, sql)
    add_steps(sql, 2)
    with pytest.raises(ProfdbError, match="schema 1, this profdb needs 2; run: profdb runs upgra"):
        Warehouse.open(db, sql=sql)


@pytest.mark.parametrize(
    "names, complaint",
    [
        (["0001_a.sql", "0003_b.sql"], "gap before number 3"),
        (["0002_a.sql"], "gap before number 2"),
        (["0001_a.sql", "0001_b.sql"], "duplicate number 1"),
        (["1_a.sql"], "call it NNNN_name.sql"),
    ],
)
def test_wrong_numbers_are_refused(sql, names, complaint):
    for name in names:
        (sql / "schema" / name).write_text("")
    with pytest.raises(ProfdbError, match=complaint):
        read_migrations(sql)


def test_the_shipped_steps_are_well_numbered():
    numbers = [step.number for step in read_migrations(shipped_sql())]
    assert numbers == list(range(1, len(numbers) + 1))


def test_every_table_and_column_of_the_bookkeeping_has_a_comment(db, sql):
    upgrade(db, sql)
    with duckdb.connect(db, read_only=True) as con:
        comments = con.execute(
            "SELECT comment FROM duckdb_tables() UNION ALL"
            " SELECT comment FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
    assert len(comments) == 9 and all(text for (text,) in comments)
