"""A tiny warehouse whose figures can be added in the head: durations are single microseconds."""

from collections.abc import Sequence
from pathlib import Path

from profdb.warehouse import Warehouse

EPOCH = 1_700_000_000_000_000_000
US = 1000

NAMES = [
    (1, "aten::mm"),
    (2, "aten::embedding"),
    (3, "aten::add"),
    (4, "aten::copy_"),
    (5, "float"),
]
KERNEL_NAMES = [
    # kernel_id, kind, name, stable_name, family, implementation
    (1, "kernel", "gemm_a", "gemm_a", "gemm", "tensile"),
    (2, "kernel", "gemm_b", "gemm_b", "gemm", "LLMM1"),
    (3, "kernel", "embed_0", "embed", "other", "triton"),
    (4, "kernel", "embed_1", "embed", "other", "triton"),
    (5, "memcpy", "Memcpy HtoD", "Memcpy HtoD", "copy", "runtime"),
    (6, "kernel", "z_add", "z_add", "pointwise", "aten"),
    (7, "kernel", "a_add", "a_add", "pointwise", "aten"),
]
SHAPES = [(1, "8,16;16,4", 8), (2, "100,16;5", 100), (3, "", None), (4, "100,16;", 100)]
MM, EMBED, COPY, ADD = (1, 1), (2, 2), (4, 3), (3, 1)

PROFILES = [
    # profile_id, run_id, rank, has_contexts
    (1, 1, 0, True),
    (2, 2, 0, True),
    (3, 2, 1, True),
    (4, 3, -1, False),
]
CONTEXTS = [
    # profile_id, context_id, phase, complete, context_tokens, generation_tokens
    (1, 10, "prefill", True, 100, 0),
    (1, 11, "prefill", True, 100, 0),
    (1, 12, "prefill_tail", True, 40, 0),
    (1, 13, "decode", True, 0, 1),
    (1, 14, "decode", True, 0, 2),
    (1, 15, "decode", False, 0, 4),
    (1, 16, "idle", True, None, None),
    (2, 20, "decode", True, 0, 1),
    (3, 30, "decode", True, 0, 1),
]
KERNELS = [
    # profile_id, context_id, device, stream, start and duration in us, kernel_id, (op, shape)
    (1, 10, 0, 7, 0, 10, 1, MM),
    (1, 10, 1, 7, 2, 4, 1, MM),
    (1, 10, 0, 8, 5, 10, 3, EMBED),
    (1, 11, 0, 7, 100, 30, 1, MM),
    (1, 12, 0, 7, 200, 20, 2, MM),
    (1, 13, 0, 7, 300, 8, 2, MM),
    (1, 13, 0, 7, 310, 2, 3, EMBED),
    (1, 14, 0, 7, 340, 10, 2, MM),
    (1, 14, 1, 7, 341, 5, 2, MM),
    (1, 14, 0, 8, 345, 6, 4, EMBED),
    (1, 15, 0, 7, 400, 12, 2, MM),
    (1, None, 0, 9, 500, 3, 5, COPY),
    (2, 20, 0, 7, 0, 16, 2, MM),
    (2, 20, 0, 7, 20, 4, 4, EMBED),
    (2, 20, 0, 7, 30, 5, 6, ADD),
    (2, 20, 0, 7, 40, 5, 7, ADD),
    (3, 30, 0, 7, 0, 99, 2, MM),
    (4, None, 0, 7, 0, 2, 1, MM),
    (4, None, 0, 7, 5, 4, 1, MM),
]


def insert(warehouse: Warehouse, table: str, columns: str, rows: Sequence[tuple]) -> None:
    """Insert rows into some columns of a table."""
    marks = ", ".join("?" * len(columns.split(",")))
    warehouse.con.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", rows)


def add_profiles(warehouse: Warehouse, rows: Sequence[tuple]) -> None:
    """Insert profiles: profile_id, run_id, rank, has_contexts."""
    insert(warehouse, "profiles", "profile_id, run_id, rank, has_contexts", rows)


def add_contexts(warehouse: Warehouse, rows: Sequence[tuple]) -> None:
    """Insert steps as listed in CONTEXTS."""
    columns = (
        "profile_id, context_id, phase, complete, context_tokens, generation_tokens,"
        " step_index, name, source, start_ns"
    )
    made = [(*row, row[1] % 10, f"step {row[1]}", "annotation", EPOCH - US) for row in rows]
    insert(warehouse, "contexts", columns, made)


def add_kernels(warehouse: Warehouse, rows: Sequence[tuple]) -> None:
    """Insert launches as listed in KERNELS."""
    columns = (
        "profile_id, context_id, device, stream, start_ns, dur_ns, kernel_id, op_id, shape_id,"
        " dtype_id, correlation"
    )
    made = []
    for number, (*where, start, duration, kernel, (op, shape)) in enumerate(rows):
        dtype = 5 if op == 1 else None
        times = (EPOCH + round(start * US), round(duration * US))
        made.append((*where, *times, kernel, op, shape, dtype, number))
    insert(warehouse, "kernels", columns, made)


def add_names(warehouse: Warehouse) -> None:
    """Insert the dictionaries."""
    insert(warehouse, "names", "name_id, name", NAMES)
    columns = "kernel_id, kind, name, stable_name, family, implementation"
    insert(warehouse, "kernel_names", columns, KERNEL_NAMES)
    insert(warehouse, "shapes", "shape_id, shape, tokens", SHAPES)
    warehouse.con.execute("DELETE FROM token_tensors")
    insert(warehouse, "token_tensors", "op, tensor", [("aten::embedding", 2)])


def add_ledger(warehouse: Warehouse) -> None:
    """Insert a source file with what became of its events, and doubts about the profile."""
    insert(warehouse, "files", "file_id, profile_id, path", [(1, 1, "/a/trace.json")])
    ledger = [
        (1, 1, "kernel", 11, 11, 0, None),
        (1, 1, "gpu_memcpy", 3, 1, 2, "no duration"),
    ]
    columns = "profile_id, file_id, category, seen, stored, set_aside, reason"
    insert(warehouse, "ledger", columns, ledger)
    reasons = [(1, "poor", "truncated", 1), (1, "limited", "overlap on one stream", 2)]
    reasons += [(2, "limited", "correlation zero", None)]
    insert(warehouse, "trust_reasons", "profile_id, level, reason, events", reasons)


def build(path: Path) -> None:
    """Write the tiny warehouse: run a on one rank, b on two, c without steps."""
    with Warehouse.open(path, write=True) as warehouse:
        add_names(warehouse)
        insert(warehouse, "runs", "run_id, label", [(1, "a"), (2, "b"), (3, "c")])
        add_profiles(warehouse, PROFILES)
        add_contexts(warehouse, CONTEXTS)
        add_kernels(warehouse, KERNELS)
        add_ledger(warehouse)
