"""The ceiling view: what runs alone on the device, against a sweep written in plain Python."""

import random
from collections import defaultdict

import pytest

from profdb.warehouse import Warehouse

from . import tiny

BUCKETS = {11: ("gemm", "tensile"), 12: ("gemv", "LLMM1"), 13: ("moe", "triton")}


def random_launches(seed: int) -> list[tuple]:
    """Up to 14 launches: step, device, start and duration in us, kernel."""
    rng = random.Random(seed)
    return [
        (rng.choice([1, 1, 2]), rng.choice([0, 0, 1]), rng.randint(0, 40), rng.randint(0, 12),
         rng.choice(sorted(BUCKETS)))
        for _ in range(rng.randint(1, 14))
    ]  # fmt: skip


def build(path, runs) -> None:
    """Write runs 0, 1, … with a decode step 1 and a prefill step 2 each."""
    with Warehouse.open(path, write=True) as warehouse:
        tiny.insert(warehouse, "names", "name_id, name", tiny.NAMES)
        rows = [(n, "kernel", f"k{n}", f"k{n}", *bucket) for n, bucket in BUCKETS.items()]
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        tiny.insert(warehouse, "kernel_names", columns, rows)
        for run, made in enumerate(runs):
            tiny.insert(warehouse, "runs", "run_id, label", [(run, str(run))])
            tiny.add_profiles(warehouse, [(run, run, 0, True)])
            one, two = run * 10 + 1, run * 10 + 2
            steps = [(run, one, "decode", True, 0, 1), (run, two, "prefill", True, 9, 0)]
            tiny.add_contexts(warehouse, steps)
            kernels = [(run, run * 10 + step, device, 7, start, dur, kernel, tiny.MM)
                       for step, device, start, dur, kernel in made]  # fmt: skip
            tiny.add_kernels(warehouse, kernels)


def expected(made) -> dict[tuple, int]:
    """Microseconds in which a bucket ran alone on all devices, instant by instant."""
    alone = defaultdict(int)
    for at in range(60):
        running = {(step, kernel) for step, _, start, dur, kernel in made
                   if start <= at < start + dur}  # fmt: skip
        if len(running) == 1:
            alone[running.pop()] += 1
    return alone


def test_exclusive_time_is_that_of_a_plain_sweep(tmp_path):
    runs = [random_launches(seed) for seed in range(60)]
    build(tmp_path / "w.duckdb", runs)
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        found = warehouse.con.execute(
            "SELECT label, phase, family, round(exclusive_ms * 1000) FROM ceiling"
        ).fetchall()
    phases = {1: "decode", 2: "prefill"}
    assert {row[:3]: row[3] for row in found} == {
        (str(run), phases[step], BUCKETS[kernel][0]): expected(made)[(step, kernel)]
        for run, made in enumerate(runs)
        for step, _, _, _, kernel in made
    }


def test_a_saving_is_what_ran_alone_and_a_share_of_the_period(tmp_path):
    # gemm 0-10, gemv 5-15: the first runs alone for 5 us, the second too; 20 us wait for nothing.
    made = [(1, 0, 0, 10, 11), (1, 0, 5, 10, 12)]
    build(tmp_path / "w.duckdb", [made])
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        found = warehouse.con.execute("""
            SELECT family, total_ms, exclusive_ms, max_saving_ms_per_step, max_saving_share,
                busy_ms, period_ms, host_bound
            FROM ceiling ORDER BY family
        """).fetchall()
    assert found == [
        ("gemm", 0.010, 0.005, 0.005, pytest.approx(1 / 3), 0.015, None, None),
        ("gemv", 0.010, 0.005, 0.005, pytest.approx(1 / 3), 0.015, None, None),
    ]


def test_two_devices_side_by_side_save_their_time_once(tmp_path):
    made = [(1, 0, 0, 8, 11), (1, 1, 0, 8, 11), (1, 0, 8, 4, 12)]
    build(tmp_path / "w.duckdb", [made])
    with Warehouse.open(tmp_path / "w.duckdb") as warehouse:
        found = warehouse.con.execute(
            "SELECT max_saving_ms_per_step, max_saving_share FROM ceiling WHERE family = 'gemm'"
        ).fetchall()
    assert found == [(0.008, pytest.approx(8 / 12))]


def test_idle_is_when_nothing_runs_not_even_outside_the_steps(tmp_path):
    # Steps of 10 us every 30 us; a copy outside fills 15 of the 20 us between.
    path = tmp_path / "w.duckdb"
    build(path, [[(1, 0, 0, 10, 11)]])
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("DELETE FROM contexts WHERE phase = 'prefill'")
        tiny.add_contexts(warehouse, [(0, 5, "decode", True, 0, 1)])
        rows = [(0, 5, 0, 7, 30, 10, 11, tiny.MM), (0, None, 0, 7, 12, 15, 12, tiny.MM)]
        tiny.add_kernels(warehouse, rows)
        found = warehouse.con.execute(
            "SELECT period_ms, busy_ms, idle_ms, host_bound FROM ceiling"
            " WHERE phase = 'decode' AND family = 'gemm'"
        ).fetchall()
    assert found == [(0.030, 0.010, 0.005, False)]
