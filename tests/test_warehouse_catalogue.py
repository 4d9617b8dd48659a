"""The views: made in order, with aliases and comments, anew only when a file has changed."""

import time
from pathlib import Path

import pytest

from profdb.errors import ProfdbError
from profdb.warehouse import Warehouse
from profdb.warehouse.order import in_order, reads
from profdb.warehouse.sqlfiles import ViewFile, read_views


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    for folder in ("schema", "views", "queries"):
        (tmp_path / "sql" / folder).mkdir(parents=True)
    (tmp_path / "sql" / "schema" / "0001_a.sql").write_text(
        "CREATE TABLE a (x BIGINT); INSERT INTO a VALUES (1), (2);"
    )
    return tmp_path / "sql"


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "w.duckdb"


def add_view(sql: Path, name: str, body: str, after: str = "") -> None:
    text = f"-- What it is.\nCREATE OR REPLACE VIEW {name} AS {body};\n{after}"
    (sql / "views" / f"{name}.sql").write_text(text)


def build(db: Path, sql: Path) -> None:
    Warehouse.open(db, write=True, sql=sql).close()


def rows(db: Path, sql: Path, query: str) -> list[tuple]:
    with Warehouse.open(db, sql=sql) as warehouse:
        return warehouse.con.execute(query).fetchall()


def view(name: str, body: str) -> ViewFile:
    return ViewFile(name, 1, f"CREATE OR REPLACE VIEW {name}_v1 AS {body}")


def test_views_run_after_those_that_they_read(db, sql):
    add_view(sql, "c_v1", "SELECT x FROM m_v1")
    add_view(sql, "m_v1", "SELECT x FROM z_v1 WHERE x IN (SELECT x FROM a)")
    add_view(sql, "z_v1", "SELECT x + 1 AS x FROM a")
    build(db, sql)
    assert rows(db, sql, "FROM c") == [(2,)]


@pytest.mark.parametrize(
    "body, expected",
    [
        ("WITH b AS (SELECT 1 AS x) FROM b", set()),
        ("WITH b AS (SELECT x FROM a) SELECT x FROM b JOIN c USING (x)", {"a", "c"}),
        ("SELECT (WITH a AS (SELECT 1) SELECT * FROM a) AS n, x FROM a", {"a"}),
        (
            "WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r WHERE n < x) FROM r",
            set(),
        ),
        ("SELECT * FROM a WHERE EXISTS (FROM b WHERE b.x = a.x)", {"a", "b"}),
        ("FROM a UNION ALL FROM main.b", {"a", "b"}),
        ("FROM duckdb_columns()", set()),
        ("SELECT * FROM information_schema.tables", set()),
        ("SELECT x FROM a SEMI JOIN b USING (x)", {"a", "b"}),
        ("SELECT x FROM A", {"a"}),
    ],
)
def test_names_are_found_per_scope(body, expected):
    assert reads(view("v", body)) == expected


def test_a_cte_that_is_called_like_a_view_is_no_edge():
    files = [view("b", "FROM c_v1"), view("c", "WITH b_v1 AS (SELECT 1) FROM b_v1")]
    assert [file.name for file in in_order(files, ())] == ["c", "b"]


@pytest.mark.parametrize(
    "bodies, complaint",
    [
        ({"b": "FROM nowhere"}, r"views/b_v1.sql: reads nowhere, which is no table"),
        ({"b": "FROM c_v1", "c": "FROM b_v1"}, r"views/._v1.sql: views read each other"),
        ({"b": "FROM b_v1"}, "views/b_v1.sql: views read each other in a circle"),
        ({"b": "FROM a", "c": "FROM b"}, "views/c_v1.sql: reads b; name a version of it"),
        ({"b": "SELECT FROM FROM"}, "views/b_v1.sql: syntax error"),
    ],
)
def test_what_cannot_be_ordered_names_the_file(bodies, complaint):
    with pytest.raises(ProfdbError, match=complaint):
        in_order([view(name, body) for name, body in bodies.items()], {"a"})


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("", "is empty"),
        ("CREATE OR REPLACE VIEW other AS SELECT 1", "must begin with CREATE OR REPLACE VIEW b_v1"),
        ("CREATE VIEW b_v1 AS SELECT 1", "must begin with"),
        ("CREATE OR REPLACE TABLE b_v1 AS SELECT 1", "must begin with"),
        ("CREATE OR REPLACE VIEW b_v1 AS SELECT 1; DROP TABLE a", "only COMMENT ON may follow"),
    ],
)
def test_a_file_creates_its_view_and_nothing_else(text, complaint):
    with pytest.raises(ProfdbError, match=f"views/b_v1.sql: {complaint}"):
        reads(ViewFile("b", 1, text))


def test_a_wrong_column_names_the_file(db, sql):
    add_view(sql, "b_v1", "SELECT x FROM a")
    add_view(sql, "c_v1", "SELECT no_such FROM b_v1")
    with pytest.raises(ProfdbError, match=r"views/c_v1.sql: .*no_such.* not found"):
        build(db, sql)


def test_the_alias_is_the_newest_version_by_number(db, sql):
    for version in (2, 10, 9):
        add_view(sql, f"b_v{version}", f"SELECT {version} AS n")
    add_view(sql, "_inner_v1", "SELECT 5 AS n")
    build(db, sql)
    assert rows(db, sql, "FROM b UNION ALL FROM _inner UNION ALL FROM b_v2") == [(10,), (5,), (2,)]


def test_an_alias_has_the_comments_of_its_view(db, sql):
    comments = (
        "COMMENT ON VIEW b_v1 IS 'it''s one row; per x';\n"
        'COMMENT ON COLUMN b_v1."an x" IS \'the "x" in ns\';\n'
    )
    add_view(sql, "b_v1", 'SELECT x AS "an x", x AS bare FROM a', comments)
    build(db, sql)
    text = "SELECT comment FROM duckdb_views() WHERE view_name = 'b'"
    assert rows(db, sql, text) == [("it's one row; per x",)]
    text = "SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'b'"
    assert rows(db, sql, text) == [("an x", 'the "x" in ns'), ("bare", None)]


def test_a_changed_file_gives_new_views_and_an_unchanged_one_none(db, sql):
    add_view(sql, "b_v1", "SELECT 1 AS n")
    build(db, sql)
    oid = "SELECT view_oid FROM duckdb_views() WHERE view_name = 'b_v1'"
    before = rows(db, sql, oid)
    build(db, sql)
    assert rows(db, sql, oid) == before
    add_view(sql, "b_v1", "SELECT 2 AS n, 3 AS m")
    with pytest.raises(ProfdbError, match="the views of .* are of another profdb; run: profdb"):
        Warehouse.open(db, sql=sql)
    build(db, sql)
    assert rows(db, sql, "FROM b") == [(2, 3)]


def test_a_migration_gives_new_views_too(db, sql):
    add_view(sql, "b_v1", "FROM a")
    build(db, sql)
    (sql / "schema" / "0002_more.sql").write_text("ALTER TABLE a ADD COLUMN y INT DEFAULT 4;")
    build(db, sql)
    assert rows(db, sql, "FROM b") == [(1, 4), (2, 4)]


def test_a_kill_between_migration_and_views_is_made_good(db, sql, monkeypatch):
    add_view(sql, "b_v1", "FROM a")
    build(db, sql)
    (sql / "schema" / "0002_more.sql").write_text("ALTER TABLE a ADD COLUMN y INT DEFAULT 4;")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("profdb.warehouse.catalogue.recreate", interrupt)
        build(db, sql)
    build(db, sql)
    assert rows(db, sql, "FROM b") == [(1, 4), (2, 4)]


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_views_without_a_file_go_and_those_of_people_stay(db, sql):
    add_view(sql, "b_v1", "FROM a")
    add_view(sql, "c_v1", "FROM b_v1")
    build(db, sql)
    with Warehouse.open(db, write=True, sql=sql) as warehouse:
        warehouse.con.execute("CREATE VIEW mine AS FROM a")
    (sql / "views" / "c_v1.sql").unlink()
    build(db, sql)
    names = "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY 1"
    assert rows(db, sql, names) == [("b",), ("b_v1",), ("mine",)]


def test_a_failure_leaves_the_views_as_they_were(db, sql):
    add_view(sql, "b_v1", "SELECT 1 AS n")
    build(db, sql)
    text = (sql / "views" / "b_v1.sql").read_text()
    add_view(sql, "b_v1", "SELECT 2 AS n")
    add_view(sql, "c_v1", "SELECT no_such FROM b_v1")
    with pytest.raises(ProfdbError):
        build(db, sql)
    (sql / "views" / "c_v1.sql").unlink()
    (sql / "views" / "b_v1.sql").write_text(text)
    assert rows(db, sql, "FROM b") == [(1,)]


def test_views_and_show(db, sql):
    add_view(sql, "b_v1", "SELECT 1 AS n")
    add_view(sql, "b_v2", "SELECT 2 AS n", "COMMENT ON VIEW b_v2 IS 'two';")
    add_view(sql, "_hidden_v1", "SELECT 3 AS n")
    build(db, sql)
    with Warehouse.open(db, sql=sql) as warehouse:
        listed = [(v.name, v.version, v.comment) for v in warehouse.views()]
        assert listed == [("b", 2, "two")]
        assert "SELECT 2" in warehouse.show("b") and "SELECT 1" in warehouse.show("b_v1")
        assert "SELECT 3" in warehouse.show("_hidden")
        with pytest.raises(ProfdbError, match="no view named 'x'; there are: b"):
            warehouse.show("x")


@pytest.mark.parametrize("name", ["b.sql", "B_v1.sql", "b_v0.sql", "b_v01.sql"])
def test_a_wrong_file_name_is_refused(sql, name):
    (sql / "views" / name).write_text("")
    with pytest.raises(ProfdbError, match="call it NAME_vN.sql"):
        read_views(sql)


def test_many_views_are_made_fast(db, sql):
    columns = [f"c{i}" for i in range(12)]
    body = f"SELECT {', '.join(f'x + {i} AS {c}' for i, c in enumerate(columns))} FROM a"
    for number in range(25):
        name = f"v{number}_v1"
        lines = [f"COMMENT ON COLUMN {name}.{c} IS 'column {c}';" for c in columns]
        add_view(sql, name, body, "\n".join(lines))
    start = time.perf_counter()
    build(db, sql)
    # Some 0.3 s where this was written; the limit catches a call per comment, not a slow day.
    assert time.perf_counter() - start < 3


def test_views_that_were_never_made_are_said_so(db, sql):
    build(db, sql)
    with Warehouse.open(db, write=True, sql=sql) as warehouse:
        warehouse.con.execute("DELETE FROM _meta")
    with pytest.raises(ProfdbError, match="were never made: its first ingest was interrupted"):
        Warehouse.open(db, sql=sql)
    with Warehouse.open(db, write=True, sql=sql) as warehouse:
        assert warehouse.upgraded == f"renewed the views of {db}"
