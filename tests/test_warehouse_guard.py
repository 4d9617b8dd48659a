"""Ad-hoc SQL: what only reads runs, what does not is refused twice, in words and by the wall."""

from pathlib import Path

import duckdb
import pytest

from profdb.errors import ProfdbError
from profdb.warehouse import Warehouse
from profdb.warehouse.guard import check

READS = [
    "SELECT * FROM t",
    "FROM t",
    "FROM t SELECT x WHERE x > 1;",
    "-- a note\nFROM t -- another",
    "WITH a AS (FROM t) SELECT count(*) FROM a",
    "WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) FROM a",
    "VALUES (1), (2)",
    "(SELECT 1)",
    "SELECT 1 UNION ALL SELECT 2 EXCEPT SELECT 3",
    "TABLE t",
    "SELECT x FROM t ORDER BY ALL LIMIT 1",
    "SELECT x, count(*) FROM t GROUP BY x QUALIFY row_number() OVER (ORDER BY x) = 1",
    "SELECT COLUMNS('x.*') FROM t",
    "SELECT list_transform([1], lambda v: v + 1)",
    "SELECT * FROM range(3), unnest([1, 2])",
    "SELECT * FROM generate_series(1, 3)",
    "FROM t PIVOT (count(*) FOR x IN (1, 2))",
    "PIVOT t ON x USING count(*)",
    "UNPIVOT t ON x",
    "FROM t t1 ASOF JOIN t t2 ON t1.x >= t2.x",
    "SELECT 'a; b', '/etc/passwd', 'COPY t TO ''x'''",
    "SELECT x FROM t WHERE name GLOB 'a*'",
    'SELECT x AS "a/b.csv" FROM t',
    "DESCRIBE t",
    "DESC t",
    "DESCRIBE SELECT 1",
    "SHOW TABLES",
    "SHOW ALL TABLES",
    "SHOW DATABASES",
    "SHOW t",
    "SUMMARIZE t",
    "SUMMARIZE SELECT x FROM t",
    "FROM (DESCRIBE t)",
    "EXPLAIN SELECT 1",
    "explain analyze FROM t",
    "/* why */ EXPLAIN (FORMAT json) SELECT x FROM t",
    "EXPLAIN (SELECT 1)",
    "EXPLAIN ANALYZE PIVOT t ON x USING count(*)",
    "FROM duckdb_columns()",
    "FROM duckdb_settings()",
    "FROM information_schema.tables",
    "FROM pragma_table_info('t')",
    "SELECT current_setting('memory_limit')",
]

# The statement, a word of the guard's message, and whether the wall must refuse it as well:
# some of these do no harm on a read-only connection, such as a table in memory.
REFUSED = [
    ("COPY t TO 'x.csv'", "COPY", True),
    ("COPY t FROM 'x.csv'", "COPY", True),
    ("COPY (FROM t) TO '/tmp/profdb-hostile.parquet'", "COPY", True),
    ("EXPORT DATABASE 'x'", "EXPORT", True),
    ("IMPORT DATABASE 'x'", "IMPORT", True),
    ("ATTACH 'other.db'", "ATTACH", True),
    ("ATTACH ':memory:' AS m", "ATTACH", True),
    ("INSTALL httpfs", "INSTALL", True),
    ("LOAD httpfs", "LOAD", True),
    ("SET memory_limit = '1GB'", "SET", True),
    ("SET enable_external_access = true", "SET", True),
    ("SET lock_configuration = false", "SET", True),
    ("SET allowed_configs = ['memory_limit']", "SET", True),
    ("RESET memory_limit", "RESET", True),
    ("SET VARIABLE v = 1", "SET", False),
    ("PRAGMA memory_limit = '1GB'", "PRAGMA", True),
    ("PRAGMA database_list", "PRAGMA", False),
    ("CALL pragma_version()", "CALL", False),
    ("CHECKPOINT", "CHECKPOINT", False),
    ("VACUUM", "VACUUM", False),
    ("BEGIN", "BEGIN", False),
    ("USE memory", "USE", True),
    ("DETACH w", "DETACH", True),
    ("PREPARE p AS SELECT 1", "PREPARE", False),
    ("EXECUTE p", "EXECUTE", True),
    ("CREATE TEMP TABLE x AS SELECT 1", "CREATE", False),
    ("CREATE TABLE x AS SELECT 1", "CREATE", True),
    ("CREATE VIEW x AS SELECT 1", "CREATE", True),
    ("CREATE MACRO f() AS 1", "CREATE", True),
    ("CREATE SECRET s (TYPE s3)", "CREATE", True),
    ("DROP TABLE t", "DROP", True),
    ("ALTER TABLE t RENAME TO u", "ALTER", True),
    ("TRUNCATE t", "TRUNCATE", True),
    ("COMMENT ON TABLE t IS 'x'", "COMMENT", True),
    ("INSERT INTO t VALUES (1, 'x')", "INSERT", True),
    ("UPDATE t SET x = 1", "UPDATE", True),
    ("DELETE FROM t", "DELETE", True),
    ("MERGE INTO t USING t s ON true WHEN MATCHED THEN DELETE", "MERGE", True),
    ("WITH a AS (DELETE FROM t RETURNING *) FROM a", "DELETE", True),
    ("WITH a AS (INSERT INTO t VALUES (1, 'x') RETURNING *) FROM a", "INSERT", True),
    ("WITH a AS (FROM t) INSERT INTO t FROM a", "INSERT", True),
    ("EXPLAIN ANALYZE DELETE FROM t", "DELETE", True),
    ("EXPLAIN COPY t TO 'x.csv'", "COPY", True),
    ("/* SELECT */ DELETE FROM t", "DELETE", True),
    ("FROM read_csv('/etc/passwd')", "read_csv()", True),
    ("FROM read_csv_auto('/etc/passwd')", "read_csv", True),
    ("FROM read_json('/etc/passwd')", "read_json()", True),
    ("FROM read_parquet('/etc/passwd')", "read_parquet()", True),
    ("FROM parquet_scan('/etc/passwd')", "parquet_scan", True),
    ("FROM parquet_metadata('/etc/passwd')", "parquet_metadata()", True),
    ("FROM read_text('/etc/passwd')", "read_text()", True),
    ("FROM system.main.read_text('/etc/passwd')", "read_text()", True),
    ("FROM read_blob('/etc/passwd')", "read_blob()", True),
    ("FROM read_duckdb('/etc/passwd')", "read_duckdb()", True),
    ("FROM glob('/etc/*')", "glob()", True),
    ("FROM sniff_csv('/etc/passwd')", "sniff_csv()", True),
    ("SELECT * FROM t WHERE x IN (SELECT 1 FROM read_text('/etc/passwd'))", "read_text()", True),
    ("DESCRIBE FROM read_csv('/etc/passwd')", "read_csv()", True),
    ("SUMMARIZE 'x.csv'", "the file 'x.csv'", True),
    ("FROM 'x.csv'", "the file 'x.csv'", True),
    ("FROM '/etc/passwd'", "the file '/etc/passwd'", True),
    ('FROM "data/*.parquet"', "the file 'data/*.parquet'", True),
    ("FROM 'https://example.org/x.parquet'", "the file", True),
    ("FROM query('SELECT 1')", "query()", False),
    ("FROM query('DROP TABLE t')", "query()", True),
    ("FROM query_table('t')", "query_table()", False),
    ("SELECT getenv('HOME')", "getenv()", True),
    ("FROM duckdb_secrets()", "duckdb_secrets()", False),
    ("FROM json_execute_serialized_sql('{}')", "json_execute_serialized_sql()", True),
    ("SELECT $a", "the parameter a", True),
]

COUNTS = ["SELECT 1; SELECT 2", "SELECT 1; DROP TABLE t", "", " ; ", "-- only a note"]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("guard")
    sql = folder / "sql"
    (sql / "schema").mkdir(parents=True)
    (sql / "schema" / "0001_t.sql").write_text(
        "CREATE TABLE t (x INT, name VARCHAR); INSERT INTO t VALUES (1, 'a'), (2, 'b');"
    )
    Warehouse.open(folder / "w.duckdb", write=True, sql=sql).close()
    with Warehouse.open(folder / "w.duckdb", sql=sql) as opened:
        yield opened


@pytest.mark.parametrize("text", READS)
def test_what_only_reads_runs(warehouse, text):
    assert warehouse.sql(text).fetchall()


@pytest.mark.parametrize("text, word, _", REFUSED)
def test_the_guard_says_what_is_refused(warehouse, text, word, _):
    with pytest.raises(ProfdbError) as refusal:
        warehouse.sql(text)
    message = str(refusal.value)
    assert message.startswith("profdb sql only reads: ") and message.count("\n") == 0
    assert word in message and message.endswith(")")


@pytest.mark.parametrize("text", [text for text, _, harmful in REFUSED if harmful])
def test_the_wall_alone_refuses_it_too(warehouse, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warehouse.con.cursor() as con, pytest.raises(duckdb.Error):
        con.execute(text).fetchall()
    assert list(tmp_path.iterdir()) == []
    assert warehouse.con.execute("SELECT count(*) FROM t").fetchone() == (2,)


@pytest.mark.parametrize("text", COUNTS)
def test_one_statement_at_a_time(text):
    with pytest.raises(ProfdbError, match="takes one statement, here are (no|2);"):
        check(text)


def test_a_python_variable_is_no_table(warehouse):
    secret = warehouse.con.sql("SELECT 1")
    assert secret is not None
    with pytest.raises(ProfdbError, match="profdb sql: Table with name secret does not exist"):
        warehouse.sql("FROM secret")


def test_an_error_of_the_user_is_one_line(warehouse):
    with pytest.raises(ProfdbError) as error:
        warehouse.sql("SELECT nam FROM t")
    assert 'column "nam" not found' in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(ProfdbError, match='^profdb sql: syntax error at or near "t"$'):
        warehouse.sql("SELECT x FRM t")


def test_the_wall_keeps_the_warehouse_file_itself(warehouse):
    path = Path(warehouse.path)
    before = path.read_bytes()
    for target in (path, path.with_name("w.duckdb.wal"), path.with_name("w.duckdb.x")):
        with pytest.raises(duckdb.Error):
            warehouse.con.execute(f"COPY t TO '{target}'")
    assert path.read_bytes() == before and not path.with_name("w.duckdb.wal").exists()


def test_sql_needs_a_warehouse_that_is_open_for_reading(tmp_path):
    with Warehouse.open(tmp_path / "w.duckdb", write=True, sql=tmp_path) as writing:
        with pytest.raises(ProfdbError, match="is open for writing; ad-hoc SQL runs on one opened"):
            writing.sql("SELECT 1")
