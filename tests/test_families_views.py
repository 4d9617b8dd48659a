"""What a kernel may serve, which rule named it, and both in a warehouse of an older profdb."""

import shutil
from pathlib import Path

import pytest

from profdb.warehouse import Warehouse, rules
from profdb.warehouse.rules_users import add
from profdb.warehouse.sqlfiles import shipped_sql

from . import tiny

NAMED = [
    # family, implementation, kind
    ("gemm", "tensile", "linear"),
    ("gemm", "splitk_reduce", "beside"),
    ("gemv", "LLMM1", "linear"),
    ("moe", "ck", "experts"),
    ("moe", "routing", "beside"),
    ("attention", "flash", "attention"),
    ("attention", "reduce", "beside"),
    ("linear_attention", "fla", "linear_attention"),
    ("fused_communication", "matmul_comm", "linear"),
    ("fused_communication", "dispatch_ffn", "experts"),
    ("fused_communication", "dispatch_combine", "beside"),
    ("fused_communication", "norm_comm", None),
    ("norm", "vllm", None),
    ("other", "other", None),
]

MIXED = [
    # platform, operator type, name, family, implementation
    ("nvidia", "", "Memcpy HtoD (Pageable -> Device)", "copy", "memcpy"),
    ("nvidia", "", "triton_mm_7", "gemm", "inductor"),
    # Two rules match: the earlier one counts.
    ("nvidia", "", "triton_tem_fused_addmm_relu_3", "gemm", "inductor"),
    # A rule for an operator's type, of one platform only.
    ("ascend", "DispatchFFNCombine", "any name", "fused_communication", "dispatch_ffn"),
    ("nvidia", "DispatchFFNCombine", "any name", "other", "other"),
    ("nvidia", "", "of no family", "other", "other"),
]


def test_kinds_of_modules_that_kernels_may_serve(tmp_path):
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        rows = [(number, *named[:2]) for number, named in enumerate(NAMED)]
        tiny.insert(warehouse, "kernel_names", "kernel_id, family, implementation", rows)
        found = warehouse.con.execute("FROM _kernel_kinds ORDER BY kernel_id").fetchall()
    assert found == [(number, kind) for number, (*_, kind) in enumerate(NAMED)]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """The tiny warehouse, its kernels named by the rules; gemm_b by one of a user."""
    path, rules = tmp_path / "w.duckdb", tmp_path / "mine.toml"
    tiny.build(path)
    rules.write_text("[[rule]]\npattern='gemm_b'\nfamily='gemv'\nimplementation='mine'")
    with Warehouse.open(path, write=True) as warehouse:
        # Named by hand, with a platform as an ingest gives it.
        warehouse.con.execute("UPDATE kernel_names SET platform = 'rocm', op_type = ''")
        add(warehouse, rules)
    return path


def test_kernel_rules(db):
    with Warehouse.open(db) as warehouse:
        rows = warehouse.con.execute(
            "SELECT kernel, family, implementation, rule, origin, pattern, launches,"
            " round(total_ms * 1000, 6), run_share FROM kernel_rules WHERE label = 'a'"
            " ORDER BY kernel"
        ).fetchall()
    found = {row[0]: row[1:] for row in rows}
    mine = ("gemv", "mine", -1, str(db.with_name("mine.toml").resolve()), "gemm_b")
    assert found["gemm_b"] == (*mine, 5, 55.0, 55 / 120)
    assert found["gemm_a"][:4] == ("gemm", "other", 1200, "shipped")
    assert found["embed_0"] == ("other", "other", None, None, None, 2, 12.0, 0.1)
    assert sum(row[-1] for row in rows) == pytest.approx(1)


def test_ranks_stand_apart(db):
    with Warehouse.open(db) as warehouse:
        rows = warehouse.con.execute(
            "SELECT rank, launches, run_share FROM kernel_rules"
            " WHERE label = 'b' AND kernel = 'gemm_b' ORDER BY rank"
        ).fetchall()
    assert rows == [(0, 1, 16 / 30), (1, 1, 1.0)]


def test_an_older_warehouse_gets_kinds_and_keeps_its_names(tmp_path):
    path = tmp_path / "old.duckdb"
    (tmp_path / "sql" / "schema").mkdir(parents=True)
    first = "schema/0001_warehouse.sql"
    shutil.copy(Path(str(shipped_sql())) / first, tmp_path / "sql" / first)
    with Warehouse.open(path, write=True, sql=tmp_path / "sql") as old:
        old.con.execute("INSERT INTO family_rules VALUES (1, 'any', 'name', '.', 'moe', 'old')")
        columns = "kernel_id, kind, name, platform, op_type, stable_name, family, rule"
        row = (1, "kernel", "LLMM1", "rocm", "", "LLMM1", "moe", 1)
        tiny.insert(old, "kernel_names", columns, [row])
        old.con.execute("INSERT INTO _meta VALUES ('rules', 'of an older profdb')")
    with Warehouse.open(path, write=True) as new:
        assert "from schema 1" in (new.upgraded or "")
        named = "SELECT n.family, n.implementation, k.kind FROM kernel_names AS n"
        named += " JOIN _kernel_kinds AS k USING (kernel_id)"
        assert new.con.execute(named).fetchall() == [("gemv", "LLMM1", "linear")]
        origins = "SELECT count(*), count(origin) FROM family_rules"
        assert new.con.execute(origins).fetchone() == (rules_shipped(), 0)


def rules_shipped() -> int:
    """Number of shipped rules."""
    text = (shipped_sql() / "rules" / "families.csv").read_text(encoding="utf-8")
    return len(text.splitlines()) - 1


def test_new_shipped_rules_keep_those_of_users(db, tmp_path):
    shutil.copytree(Path(str(shipped_sql())), tmp_path / "sql")
    rules = tmp_path / "sql" / "rules" / "families.csv"
    with rules.open("a", encoding="utf-8") as file:
        file.write("9000,any,name,^embed_,copy,newer\n9010,any,name,gemm_b,moe,newer\n")
    with Warehouse.open(db, write=True, sql=tmp_path / "sql") as warehouse:
        found = warehouse.con.execute(
            "SELECT name, family, implementation, rule FROM kernel_names"
            " WHERE name IN ('embed_0', 'gemm_b') ORDER BY name"
        ).fetchall()
    assert found == [("embed_0", "copy", "newer", 9000), ("gemm_b", "gemv", "mine", -1)]


@pytest.mark.parametrize("few", [0, len(MIXED)])
def test_few_names_and_many_get_the_same_families(tmp_path, monkeypatch, few):
    monkeypatch.setattr(rules, "_FEW", few)
    rows = [(number, *named[:3]) for number, named in enumerate(MIXED)]
    with Warehouse.open(tmp_path / "w.duckdb", write=True) as warehouse:
        tiny.insert(warehouse, "kernel_names", "kernel_id, platform, op_type, name", rows)
        rules.renew(warehouse.con)
        found = warehouse.con.execute(
            "SELECT family, implementation FROM kernel_names ORDER BY kernel_id"
        ).fetchall()
    assert found == [named[3:] for named in MIXED]
