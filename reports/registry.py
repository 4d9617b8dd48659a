"""The reports that there are: a new one is an entry here, a template, queries, a golden file."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..warehouse import Warehouse
from .charts import Chart, budget_charts, regression_charts
from .declared import declared
from .findings import focus_of, regression_findings
from .fit import fit_for_page
from .verdicts import judge_groups

FORMATS = ("md", "html", "json")
"""What every report is written in: the suffixes of its files too; the first is the usual one."""

Named = dict[str, Any]

# Asked of every run of a report, with its label: what a page says of its sources.
PER_RUN = ("report_profiles", "report_coverage", "report_notes", "run_declared")


@dataclass(frozen=True)
class Report:
    """One report: templates/NAME.md.j2, and the queries whose rows it words.

    `runs` names the parameters that hold a label, `options` the others with their defaults; every
    query gets these, `rank` and `phase` (NULL for all). Rows of `helpers` are judged and shown to
    nobody. `prepare` gives parameters that follow from the others. `derive` judges the rows of all
    queries and gives what the template words beside them, `findings` that as rows of values.
    `charted` queries are for `charts` alone, and get what `focus` takes from what was judged.
    """

    name: str
    runs: tuple[str, ...]
    queries: tuple[str, ...]
    per_run: tuple[str, ...] = PER_RUN
    helpers: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    prepare: Callable[[Warehouse, Mapping[str, Any]], Named] | None = None
    derive: Callable[[Mapping[str, Any], Mapping[str, Any]], Named] | None = None
    findings: Callable[[Mapping[str, Any], Mapping[str, Any]], Named] | None = None
    charted: tuple[str, ...] = ()
    focus: Callable[[Mapping[str, Any]], Named] | None = None
    charts: Callable[[Mapping[str, Any], Mapping[str, str]], list[Chart]] | None = None


def format_of(output: Path | None, asked: str | None = None) -> str:
    """The format asked for, else the one that the suffix of a file names, else the usual one."""
    suffix = output.suffix.lower().lstrip(".") if output else ""
    return asked or ("html" if suffix == "htm" else suffix if suffix in FORMATS else FORMATS[0])


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
            charts=budget_charts,
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
            options={"model": "", "patterns": (), "counts": ()},
            prepare=fit_for_page,
        ),
        Report(
            "regression",
            runs=("base", "cand"),
            queries=(
                # The first: the views of all others read what it declares.
                "regression_tokens",
                "regression_window",
                "regression_certificate",
                "regression_noise",
                "regression_phases",
                "regression_steps",
                "regression_families",
                "regression_waits",
                "regression_split",
                "regression_gaps",
                "regression_host",
                "regression_groups",
                "regression_members",
                "regression_tail",
                "regression_pooling",
                "regression_kernels",
                "regression_replays",
                "regression_cells",
                "regression_durations",
            ),
            options={
                "rows": 20,
                # Ranges of token counts pooled by hand, labels of repeated base runs.
                "tokens": (),
                "noise": (),
                # Losses and gains below this share of the compared device time are left out.
                "noise_share": 0.0001,
                # A change of the step period up to this share is none.
                "floor": 0.03,
                "tail_launches": 100,
                # Tails are looked up, and exact shapes listed, of so many groups.
                "tail_rows": 100,
                "pooled_rows": 3,
                # Two modes are looked for in groups of so much of a run, of up to so many launches.
                "mode_share": 0.01,
                "mode_launches": 200_000,
            },
            prepare=declared,
            helpers=("regression_tokens", "regression_cells", "regression_durations"),
            derive=judge_groups,
            findings=regression_findings,
            charted=("regression_effects", "regression_ecdf"),
            focus=focus_of,
            charts=regression_charts,
        ),
    )
}
