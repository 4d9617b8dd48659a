"""What names a row of a report's queries, so that two answers can be laid side by side."""

from collections.abc import Mapping
from typing import Any

from .findings import GROUP

_BUCKET = ("phase", "kind", "family", "implementation")

KEYS: dict[str, tuple[str, ...]] = {
    "report_profiles": ("rank", "sha256"),
    "report_coverage": ("phase", "prompt_min", "generated_min"),
    "report_notes": (),
    "run_declared": ("key",),
    "budget_ranks": ("rank",),
    "budget_periods": ("phase", "device"),
    "budget_notes": (),
    "budget_families": (*_BUCKET, "place"),
    "budget_operators": ("phase", "kind", "op"),
    "budget_ceilings": ("phase", "family", "implementation"),
    "budget_removed": ("phase", "removed"),
    "budget_saved": ("phase",),
    "closure_verdict": ("phase",),
    "closure_ledger": ("line", *_BUCKET),
    "closure_readings": ("phase", "kind", "place"),
    "closure_off": ("phase", "place"),
    "closure_replays": ("phase",),
    "closure_unexplained": ("phase", "kernel"),
    "closure_markers": ("pattern", "phase"),
    "closure_stale": ("family", "implementation"),
    "closure_ranks": ("rank",),
    "regression_window": (),
    "regression_certificate": ("kind", "name", "declared"),
    "regression_families": ("phase", "tokens_low", "family"),
    "regression_noise": ("label", "sha256"),
    "regression_phases": ("phase", "place"),
    "regression_steps": ("phase", "rank"),
    "regression_waits": ("phase", "op", "shape", "message_bytes"),
    "regression_gaps": ("of_cand", "place"),
    "regression_host": ("level", "name"),
    "regression_groups": GROUP,
    "regression_members": (*GROUP, "tokens"),
    "regression_tail": (*GROUP, "place"),
    "regression_pooling": ("op", "phase"),
    "regression_kernels": ("phase", "family"),
    "regression_replays": ("phase", "batch", "kernel"),
    "regression_split": (),
    "findings.together": (),
    "findings.verdicts": GROUP,
    "findings.modes": (*GROUP, "tokens_high", "side"),
    "params": (),
    "views": ("view",),
    "answer": (),
}
"""The columns that name a row, by query; where nothing does, there is one row."""


def named(query: str, row: Mapping[str, Any]) -> str:
    """Name a row: phase=decode op=aten::mm; what is NULL is left out.

    A query of each run is asked for as QUERY.PARAMETER.
    """
    columns = KEYS.get(query, KEYS.get(query.partition(".")[0], ()))
    values = ((name, row.get(name)) for name in columns)
    return " ".join(f"{name}={value}" for name, value in values if value is not None)
