"""The reports that there are: a new one is an entry here, a template, queries, a golden file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .verdicts import judge_groups

FORMATS = ("md",)

# Asked of every run of a report, with its label: what a page says of its sources.
PER_RUN = ("report_profiles", "report_coverage", "report_notes", "run_declared")


@dataclass(frozen=True)
class Report:
    """One report: templates/NAME.FORMAT.j2, and the queries whose rows it words.

    `runs` names the parameters that hold a label, `options` the others with their defaults; every
    query gets these, `rank` and `phase` (NULL for all). `derive` judges the rows of all queries and
    gives what the template words beside them.
    """

    name: str
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    per_run: tuple[str, ...] = PER_RUN
    options: Mapping[str, Any] = field(default_factory=dict)
    derive: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]] | None = None


REPORTS = {
    report.name: report
    for report in (
        Report(
            "budget",
            runs=("run",),
            queries=(
                "budget_ranks",
                "budget_periods",
                "budget_notes",
                "budget_families",
                "budget_operators",
                "budget_ceilings",
                "budget_removed",
                "budget_saved",
            ),
            options={"top": 10, "removed": (), "fractions": (), "save_us": None, "times": 1},
        ),
        Report(
            "closure",
            runs=("run",),
            queries=(
                "closure_verdict",
                "closure_ledger",
                "closure_readings",
                "closure_off",
                "closure_replays",
                "closure_unexplained",
                "closure_markers",
                "closure_stale",
                "closure_ranks",
            ),
            options={
                "model": "",
                "patterns": (),
                "counts": (),
                "fitted": False,
                "contradicted": (),
            },
        ),
        Report(
            "regression",
            runs=("base", "cand"),
            queries=(
                "regression_window",
                "regression_declared",
                "regression_phases",
                "regression_steps",
                "regression_waits",
                "regression_gaps",
                "regression_groups",
                "regression_members",
                "regression_tail",
                "regression_pooling",
                "regression_kernels",
                "regression_cells",
                "regression_durations",
            ),
            options={
                "rows": 20,
                # Losses and gains below this share of the compared device time are left out.
                "noise_share": 0.0001,
                # A change of the step period up to this share is none.
                "floor": 0.03,
                "tail_launches": 100,
                # Tails and exact shapes are listed of so many groups.
                "tail_rows": 3,
                "pooled_rows": 3,
                # Two modes are looked for in groups of so much of a run, of up to so many launches.
                "mode_share": 0.01,
                "mode_launches": 200_000,
            },
            derive=judge_groups,
        ),
    )
}
