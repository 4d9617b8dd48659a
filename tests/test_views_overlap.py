"""Overlap of computing and communication, and skew between ranks, by numbers one can add."""

import random
from collections import Counter

import pytest

from profdb.warehouse import Warehouse

from . import tiny

KERNELS = {21: "gemm", 22: "communication", 23: "fused_communication"}
COLUMNS = "computing_ms, communication_ms, exposed_communication_ms, free_ms, window_ms"


def build(path, runs) -> None:
    """Write runs 0, 1, … of one prefill step each: (rank, start, duration, kernel)."""
    with Warehouse.open(path, write=True) as warehouse:
        tiny.insert(warehouse, "names", "name_id, name", tiny.NAMES)
        tiny.insert(warehouse, "shapes", "shape_id, shape, tokens", tiny.SHAPES)
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        rows = [(n, "kernel", f"k{n}", f"k{n}", family, "x") for n, family in KERNELS.items()]
        tiny.insert(warehouse, "kernel_names", columns, rows)
        number = 0
        for run, made in enumerate(runs):
            tiny.insert(warehouse, "runs", "run_id, label", [(run, str(run))])
            for rank in sorted({row[0] for row in made}):
                number += 1
                tiny.add_profiles(warehouse, [(number, run, rank, True)])
                tiny.add_contexts(warehouse, [(number, number * 10, "prefill", True, 9, 0)])
                kernels = [(number, number * 10, 0, 7, start, dur, kernel, tiny.MM)
                           for of, start, dur, kernel in made if of == rank]  # fmt: skip
                tiny.add_kernels(warehouse, kernels)


def ask(path, query: str) -> list[tuple]:
    """All rows of a query."""
    with Warehouse.open(path) as warehouse:
        return warehouse.con.execute(query).fetchall()


def test_unions_not_sums(tmp_path):
    # Computing [100, 200] and [230, 270]; collectives [160, 220], [240, 260] and [250, 290].
    made = [(0, 100, 100, 21), (0, 230, 40, 21), (0, 160, 60, 22), (0, 240, 20, 22),
            (0, 250, 40, 22)]  # fmt: skip
    build(tmp_path / "w.duckdb", [made])
    query = f"SELECT {COLUMNS}, fused_communication_ms FROM overlap WHERE phase = 'prefill'"
    assert ask(tmp_path / "w.duckdb", query) == [(0.140, 0.110, 0.040, 0.010, 0.190, 0)]


def test_fused_communication_is_neither_and_hides_communication(tmp_path):
    made = [(0, 0, 10, 21), (0, 5, 15, 23), (0, 10, 20, 22)]
    build(tmp_path / "w.duckdb", [made])
    query = f"SELECT {COLUMNS}, fused_communication_ms, covered_ms FROM overlap WHERE phase = 'all'"
    found = ask(tmp_path / "w.duckdb", query)
    assert found == [(0.010, 0.020, 0.010, 0, 0.030, 0.015, 0.020)]


def swept(made) -> Counter:
    """The same by a plain sweep, microsecond by microsecond."""
    found: Counter = Counter()
    for at in range(min(row[1] for row in made), max(row[1] + row[2] for row in made)):
        kinds = {KERNELS[kernel] for _, start, dur, kernel in made if start <= at < start + dur}
        found.update(kinds)
        found["exposed"] += kinds == {"communication"}
        found["free"] += not kinds
        found["window"] += 1
    return found


def test_random_launches_against_a_plain_sweep(tmp_path):
    rng = random.Random(7)
    runs = [
        [(0, rng.randint(0, 50), rng.randint(0, 15), rng.choice(list(KERNELS)))
         for _ in range(rng.randint(1, 12))]
        for _ in range(40)
    ]  # fmt: skip
    build(tmp_path / "w.duckdb", runs)
    query = f"SELECT label, {COLUMNS}, fused_communication_ms FROM overlap WHERE phase = 'all'"
    found = {label: figures for label, *figures in ask(tmp_path / "w.duckdb", query)}
    names = ["gemm", "communication", "exposed", "free", "window", "fused_communication"]
    for run, made in enumerate(runs):
        plain = swept(made)
        assert found[str(run)] == pytest.approx([plain[name] / 1000 for name in names])


def test_the_slow_rank_is_named(tmp_path):
    made = [(rank, 100 * n, 20 + 2 * (rank == 2), 21) for rank in range(4) for n in range(3)]
    made += [(rank, 100 * n + 50, 30 - 5 * rank, 22) for rank in range(4) for n in range(3)]
    build(tmp_path / "w.duckdb", [made])
    found = ask(
        tmp_path / "w.duckdb",
        """
        SELECT family, ranks, launches_min, launches_max, slow_rank, slow_us, skew_share,
            transfer_ms, wait_ms
        FROM rank_skew ORDER BY family
    """,
    )
    # Of the collective the quickest rank needs 3 x 15 us; the others wait 15, 10 and 5 us a call.
    assert found == [
        ("communication", 4, 3, 3, 0, 30, pytest.approx(30 / 22.5 - 1), 0.045, 0.0225),
        ("gemm", 4, 3, 3, 2, 22, pytest.approx(0.1), None, None),
    ]
