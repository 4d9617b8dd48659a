"""The closure views: what each step launched against a model that one can count on one hand."""

import pytest

from profdb.warehouse import Warehouse

from . import tiny

# Two layers of a and b, one head: five linears; attention in each layer.
MODULES = [
    ("a", "linear", "target"),
    ("b", "linear", "target"),
    ("head", "linear", "target"),
    ("attention", "attention", "target"),
    ("draft_a", "linear", "draft"),
]
SEQUENCE = ["a", "attention", "b", "a", "attention", "b", "head"]
MAPS = [
    # phase, family, implementation, module, multiplicity, origin
    ("decode", "gemm", "tensile", "a", 1, "inferred"),
    ("decode", "gemm", "tensile", "head", 1, "ambiguous"),
    ("decode", "gemv", "LLMM1", "b", 2, "declared"),
    ("decode", None, None, "attention", 0, "inferred"),
    ("draft", "gemm", "tensile", "draft_a", 1, "inferred"),
]
# Per decode step: launches of tensile (3 due), of LLMM1 (4 due) and of triton (none due).
STEPS = {40: (3, 4, 0), 41: (3, 4, 1), 42: (3, 1, 0), 43: (3, 4, 0)}
KERNELS = [
    (11, "tensile", "gemm"),
    (12, "LLMM1", "gemv"),
    (13, "triton", "gemm"),
    (14, "splitk_reduce", "gemm"),
]


def build(path) -> None:
    """Write run m: four complete decode steps, one cut one that launched nothing, one draft."""
    with Warehouse.open(path, write=True) as warehouse:
        tiny.insert(warehouse, "names", "name_id, name", tiny.NAMES)
        rows = [(n, "kernel", f"k{n}", f"k{n}", family, impl) for n, impl, family in KERNELS]
        columns = "kernel_id, kind, name, stable_name, family, implementation"
        tiny.insert(warehouse, "kernel_names", columns, rows)
        tiny.insert(warehouse, "runs", "run_id, label", [(1, "m")])
        tiny.add_profiles(warehouse, [(1, 1, 0, True)])
        steps = [(1, step, "decode", True, 0, 1) for step in STEPS]
        steps += [(1, 44, "decode", False, 0, 1), (1, 45, "draft", True, 0, None)]
        tiny.add_contexts(warehouse, steps)
        tiny.add_kernels(warehouse, list(launches()))
        add_model(warehouse)


def launches():
    """Yield the launches of the steps, one after the other, with a helper beside each LLMM1."""
    at = 0
    for step, counts in {**STEPS, 45: (1, 0, 0)}.items():
        for kernel, count in zip((11, 12, 13), counts, strict=True):
            for _ in range(count):
                yield (1, step, 0, 7, at, 1, kernel, tiny.MM)
                at += 2
        yield (1, step, 0, 7, at, 1, 14, tiny.MM)
        at += 2


def add_model(warehouse: Warehouse) -> None:
    """Insert the model and the map of run m."""
    tiny.insert(warehouse, "models", "model_id, name, layers", [(1, "toy", 2)])
    rows = [(1, *module, "any") for module in MODULES]
    tiny.insert(warehouse, "model_modules", "model_id, module, kind, pass, runs_in", rows)
    order = [(1, "target", place, module) for place, module in enumerate(SEQUENCE)]
    order += [(1, "draft", 0, "draft_a")]
    tiny.insert(warehouse, "model_sequence", "model_id, pass, position, module", order)
    columns = "run_id, model_id, phase, family, implementation, module, multiplicity, origin"
    tiny.insert(warehouse, "model_maps", columns, [(1, 1, *row) for row in MAPS])


@pytest.fixture(scope="module")
def con(tmp_path_factory):
    path = tmp_path_factory.mktemp("closure") / "w.duckdb"
    build(path)
    with Warehouse.open(path) as warehouse:
        yield warehouse.con


def rows(con, query: str) -> list[tuple]:
    """All rows of a query."""
    return con.execute(query).fetchall()


def test_the_map_counts_the_runs_of_each_module(con):
    found = rows(
        con,
        """
        SELECT phase, module, kind, count, multiplicity, launches_per_step, position
        FROM closure_map WHERE label = 'm' AND rank = 0 AND model = 'toy' ORDER BY ALL
    """,
    )
    assert found == [
        ("decode", "a", "linear", 2, 1, 2, 0),
        ("decode", "attention", "attention", 2, 0, 0, 1),
        ("decode", "b", "linear", 2, 2, 4, 2),
        ("decode", "head", "linear", 1, 1, 1, 6),
        ("draft", "draft_a", "linear", 1, 1, 1, 0),
    ]


def test_counts_close_or_say_how_they_do_not(con):
    found = rows(
        con,
        """
        SELECT implementation, launches_per_step, expected_per_step, residual, status, finding,
            steps_checked, steps_not_closed, commonest_per_step, steps_cut, steps_cut_not_closed
        FROM closure WHERE phase = 'decode' ORDER BY implementation
    """,
    )
    assert found == [
        ("LLMM1", 3.25, 4, -0.75, "not_integer", "less in some steps", 4, 1, 4, 1, 1),
        ("tensile", 3, 3, 0, "closed", "closed", 4, 0, 3, 1, 1),
        ("triton", 0.25, 0, 0.25, "not_integer", "more in some steps", 4, 1, 0, 1, 0),
    ]


def test_the_draft_pass_closes_with_its_own_modules(con):
    found = rows(con, "SELECT implementation, expected_per_step, status FROM closure"
                      " WHERE phase = 'draft'")  # fmt: skip
    assert found == [("tensile", 1, "closed")]


def test_steps_that_do_not_close_are_listed_the_cut_one_too(con):
    found = rows(
        con,
        """
        SELECT context_id, implementation, launches, expected, residual, complete
        FROM closure_steps ORDER BY context_id, implementation
    """,
    )
    assert found == [
        (41, "triton", 1, 0, 1, True),
        (42, "LLMM1", 1, 4, -3, True),
        (44, "LLMM1", 0, 4, -4, False),
        (44, "tensile", 0, 3, -3, False),
    ]


CASES = [
    ([3, 3], "closed", "closed"),
    ([2, 2], "short", "less in every step"),
    ([4, 4], "over", "more in every step"),
    ([3, 2], "not_integer", "less in some steps"),
    ([1, 3, 3, 3, 3, 3, 3, 3], "not_integer", "less in some steps"),
    ([1, 3], "short", "less in some steps"),
    ([5, 3], "over", "more in some steps"),
    ([2, 4], "short", "differs from step to step"),
    ([2, 1, 1], "not_integer", "differs from step to step"),
]


def test_the_status_of_a_group(tmp_path):
    path = tmp_path / "w.duckdb"
    build(path)
    with Warehouse.open(path, write=True) as warehouse:
        columns = "run_id, model_id, phase, family, implementation, module, multiplicity, origin"
        for run, (counts, _, _) in enumerate(CASES, start=2):
            tiny.insert(warehouse, "runs", "run_id, label", [(run, str(run))])
            tiny.add_profiles(warehouse, [(run, run, 0, True)])
            steps = [(run, run * 100 + n, count) for n, count in enumerate(counts)]
            made = [(run, step, "decode", True, 0, 1) for _, step, _ in steps]
            tiny.add_contexts(warehouse, made)
            made = [(run, step, 0, 7, step, 1, 11, tiny.MM) for _, step, n in steps
                    for _ in range(n)]  # fmt: skip
            tiny.add_kernels(warehouse, made)
            tiny.insert(warehouse, "model_maps", columns, [(run, 1, *row) for row in MAPS[:2]])
        found = rows(
            warehouse.con,
            """
            SELECT status, finding FROM closure WHERE label <> 'm' ORDER BY CAST(label AS INTEGER)
        """,
        )
    assert found == [(status, finding) for _, status, finding in CASES]


def test_a_phase_without_a_complete_step_is_not_checked(tmp_path):
    path = tmp_path / "w.duckdb"
    build(path)
    with Warehouse.open(path, write=True) as warehouse:
        warehouse.con.execute("UPDATE contexts SET complete = false")
        found = rows(
            warehouse.con, "SELECT DISTINCT status, finding, launches_per_step FROM closure"
        )
    assert found == [("not_checked", "no complete step", None)]


def test_supposed_rows_are_seen_by_the_views_and_not_stored(tmp_path):
    path = tmp_path / "w.duckdb"
    build(path)
    row = dict(run_id=1, model_id=1, phase="draft", family="gemv", implementation="LLMM1",
               module="draft_a", multiplicity=3, origin="inferred")  # fmt: skip
    count = "SELECT count(*) FROM closure_map"
    with Warehouse.open(path) as warehouse:
        warehouse.suppose("model_maps", [row])
        assert rows(warehouse.con, count) == [(6,)]
    with Warehouse.open(path) as warehouse:
        assert rows(warehouse.con, count) == [(5,)]
