"""Many ranks below one folder: one run, a slow rank that is named, a broken one reported."""

from profdb.warehouse import Warehouse

from .ascend import kernel, rank, rank_folder, typed
from .ascend_databases import small

SLOW = 5


def rows(number: int) -> list[str]:
    """Kernels of one rank: products that take 10 us, on the slow rank 11, and norms alike."""
    took = "11.0" if number == SLOW else "10.0"
    norms = [kernel("n", 40 * n + 20, f"5.{number}", "RmsNorm") for n in range(20)]
    return [kernel("m", 40 * n, took) for n in range(20)] + norms


def test_one_run_of_all_ranks_and_what_is_broken_is_said(tmp_path):
    run = tmp_path / "cluster"
    for number in range(7):
        rank(run, number, rows(number))
    last = rank_folder(run, "rank7")
    whole = small().write(last / "ascend_pytorch_profiler_7.db").read_bytes()
    (last / "ascend_pytorch_profiler_7.db").write_bytes(whole[: len(whole) // 2])
    done = typed("ingest", run, "--db", tmp_path / "w.duckdb")
    assert done.exit_code == 1
    assert "ascend_pytorch_profiler_7.db" in done.output and "cut or never finished" in done.output
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        stored = warehouse.con.execute("SELECT label, rank FROM run_summary ORDER BY rank")
        assert stored.fetchall() == [("cluster", number) for number in range(7)]
        slow = warehouse.con.execute("""
            SELECT op, ranks, slow_rank, slow_us, round(skew_share, 3)
            FROM rank_skew WHERE skew_share > 0.09
        """)
        assert slow.fetchall() == [("MatMul", 7, SLOW, 11, 0.1)]
