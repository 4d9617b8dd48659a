"""The decomposition of a difference: in whole nanoseconds, against plain integers; shape groups."""

import random
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest

from profdb.warehouse import Warehouse

from . import tiny

PAIR = "base = 'x' AND cand = 'y'"
KERNELS = {31: "nosplit", 32: "splitk"}
Launch = tuple[str, str, int, int, int]  # side, phase, kernel, tokens, ns


def build(path, launches: list[Launch]) -> None:
    """Write runs x and y of these launches of operator aten::mm."""
    with Warehouse.open(path, write=True) as warehouse:
        tiny.insert(warehouse, "names", "name_id, name", tiny.NAMES)
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        rows = [(n, "kernel", name, name, "gemm", "x") for n, name in KERNELS.items()]
        tiny.insert(warehouse, "kernel_names", columns, rows)
        tokens = sorted({launch[3] for launch in launches})
        shapes = [(n, f"{n},16;16,16", n) for n in tokens]
        tiny.insert(warehouse, "shapes", "shape_id, shape, tokens", shapes)
        tiny.insert(warehouse, "runs", "run_id, label", [(1, "x"), (2, "y")])
        tiny.add_profiles(warehouse, [(1, 1, 0, True), (2, 2, 0, True)])
        phases = sorted({launch[1] for launch in launches})
        steps = {}
        for run in (1, 2):
            for n, phase in enumerate(phases):
                steps[run, phase] = run * 10 + n
                tiny.add_contexts(warehouse, [(run, run * 10 + n, phase, True, 9, 1)])
        made = []
        for at, (side, phase, kernel, count, ns) in enumerate(launches):
            run = 1 if side == "x" else 2
            where = (run, steps[run, phase], 0, 7)
            made.append((*where, at * 1000, ns / 1000, kernel, (1, count)))
        tiny.add_kernels(warehouse, made)


def ask(path, query: str) -> list[tuple]:
    """All rows of a query."""
    with Warehouse.open(path) as warehouse:
        return warehouse.con.execute(query).fetchall()


def near(tokens: set[int]) -> dict[int, int]:
    """The first token count of the group of each."""
    first: dict[int, int] = {}
    before = None
    for count in sorted(tokens):
        apart = before is None or count < 32 or before < 32 or count > 1.02 * before
        first[count] = count if apart else first[before]
        before = count
    return first


def half_up(value: Fraction) -> int:
    """Nearest whole number."""
    return int((Decimal(value.numerator) / Decimal(value.denominator)).quantize(1, ROUND_HALF_UP))


def plain(launches: list[Launch], phase: str | None) -> tuple[int, int, int]:
    """Count, mix and within effect by plain integers."""
    strata = defaultdict(lambda: [0, 0, 0, 0])
    firsts: dict[tuple, dict[int, int]] = {}
    for of in {(launch[1], launch[2]) for launch in launches}:
        firsts[of] = near({launch[3] for launch in launches if launch[1:3] == of})
    for side, of, kernel, count, ns in launches:
        if phase in (None, of):
            cell = strata[of, kernel, firsts[of, kernel][count]]
            cell[0 if side == "x" else 1] += 1
            cell[2 if side == "x" else 3] += ns
    n0, n1, t0, t1 = (sum(cell[n] for cell in strata.values()) for n in range(4))
    e = sum(d if not a else half_up(Fraction(b * c, a)) for a, b, c, d in strata.values())
    a = t1 if not n0 else half_up(Fraction(n1 * t0, n0))
    return a - t0, e - a, t1 - e


def test_random_pairs_telescope_exactly(tmp_path):
    rng = random.Random(3)
    for trial in range(4):
        launches = [
            (rng.choice("xy"), rng.choice(["prefill", "decode"]), rng.choice([31, 32]),
             rng.choice([1, 2, 31, 33, 100, 101, 102, 220, 222, 230]),
             rng.choice([0, 1, 7, 999_999_999, rng.randrange(10**7)]))
            for _ in range(rng.randint(1, 60))
        ]  # fmt: skip
        path = tmp_path / f"{trial}.duckdb"
        build(path, launches)
        found = ask(
            path,
            f"""
            SELECT phase, count_effect_ns, mix_effect_ns, within_effect_ns,
                round((cand_total_ms - base_total_ms) * 1000000)
            FROM op_diff WHERE {PAIR}
        """,
        )
        for phase, *effects, difference in found:
            expected = plain(launches, None if phase == "all" else phase)
            # A product above 2^53 is rounded within a nanosecond.
            assert effects == pytest.approx(expected, abs=1)
            assert sum(effects) == difference


def test_a_kernel_chosen_by_tokens_is_all_mix(tmp_path):
    # 32 us at 60 tokens by one kernel, 5.5 us at 61 by another; 2 : 2 against 1 : 3.
    side = {"x": (2, 2), "y": (1, 3)}
    launches = [(of, "decode", 31, 60, 32_000) for of in "xy" for _ in range(side[of][0])]
    launches += [(of, "decode", 32, 61, 5_500) for of in "xy" for _ in range(side[of][1])]
    build(tmp_path / "w.duckdb", launches)
    found = ask(
        tmp_path / "w.duckdb",
        f"""
        SELECT count_effect_ms, mix_effect_ms, within_effect_ms, simpson
        FROM op_diff WHERE {PAIR} AND phase = 'all'
    """,
    )
    assert found == [(0, -0.0265, 0, False)]
    found = ask(
        tmp_path / "w.duckdb",
        f"""
        SELECT kernel, tokens_low, tokens_high, pooled, p50_change
        FROM group_diff WHERE {PAIR} ORDER BY kernel
    """,
    )
    assert found == [("nosplit", 60, 60, False, 0), ("splitk", 61, 61, False, 0)]


def test_near_token_counts_are_pooled_above_32(tmp_path):
    counts = [1, 2, 31, 32, 33, 100, 101, 102, 103, 220, 221, 222, 230]
    launches = [("x", "prefill", 31, count, 1000) for count in counts]
    build(tmp_path / "w.duckdb", launches)
    found = ask(
        tmp_path / "w.duckdb",
        f"""
        SELECT tokens_low, tokens_high FROM group_diff WHERE {PAIR} ORDER BY tokens_low
    """,
    )
    assert found == [(1, 1), (2, 2), (31, 31), (32, 32), (33, 33), (100, 103), (220, 222),
                     (230, 230)]  # fmt: skip


def test_a_better_mean_over_slower_shapes_is_simpson(tmp_path):
    launches = [("x", "decode", 31, 1, 100)] * 5 + [("x", "prefill", 31, 220, 1000)] * 5
    launches += [("y", "decode", 31, 1, 110)] * 20 + [("y", "prefill", 31, 221, 1100)] * 5
    build(tmp_path / "w.duckdb", launches)
    found = ask(
        tmp_path / "w.duckdb",
        f"""
        SELECT phase, cand_mean_us < base_mean_us, within_effect_ms > 0, simpson
        FROM op_diff WHERE {PAIR} ORDER BY phase
    """,
    )
    assert found == [("all", True, True, True), ("decode", False, True, False),
                     ("prefill", False, True, False)]  # fmt: skip
