"""What an ingest did, told at its end; and what a look through found."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from jinja2 import Environment

from ..judgement import LEAST_PASSES
from ..warehouse import Warehouse
from . import formats, markdown
from .language import environment
from .verify import ABSENT, Verified

_SHOWN = 10
"""Skipped files that are listed unless all are asked for."""
_DIFFERING = 20
"""Figures that no longer hold, of those that are listed."""


def ingest_summary(
    warehouse: Warehouse,
    outcomes: Any,
    skipped: Any,
    labels: Sequence[str],
    joined: Sequence[str] = (),
    verbose: bool = False,
    absent: Mapping[str, str] | None = None,
) -> str:
    """Tell profiles, events, launches, steps by phase, device time, and what was left and why."""
    runs = [
        {
            "label": label,
            "profiles": warehouse.query("run_profiles", label=label),
            "events": warehouse.query("ingested_events", label=label)[0],
            "phases": warehouse.query("ingested_phases", label=label),
            "unread": warehouse.query("ingested_unread", label=label),
            "aside": warehouse.query("ingested_aside", label=label),
        }
        for label in labels
    ]
    last = runs[-1]["label"]
    return (
        _environment()
        .get_template("ingest_summary.txt.j2")
        .render(
            runs=runs,
            outcomes=outcomes,
            skipped=skipped,
            joined=joined,
            absent=absent or {},
            shown=len(skipped) if verbose else _SHOWN,
            db=warehouse.path,
            last=last,
            others=warehouse.query("run_to_compare", label=last),
        )
    )


def dry_run(runs: Any, skipped: Any) -> str:
    """Tell what an ingest would store and what it would leave."""
    return _environment().get_template("dry_run.txt.j2").render(runs=runs, skipped=skipped)


def check_summary(kinds: Any, profiles: Any, twins: Any, lang: str = "en") -> str:
    """Tell per kind of vendor file how much agrees, and which profiles have none."""
    return (
        _environment(lang)
        .get_template("check.txt.j2")
        .render(kinds=kinds, profiles=profiles, twins=twins)
    )


def verify_summary(verified: Verified) -> str:
    """Tell which figures of a report no longer hold, one a line, or that all do."""
    return _environment().get_template("verify.txt.j2").render(verified=verified, shown=_DIFFERING)


def fail_on_summary(found: Mapping[str, Any], least: float, failed: bool) -> str:
    """Tell in one line what `regressed` gave, or why there was no verdict."""
    line = _environment().get_template("fail_on.txt.j2")
    return line.render(found=found, least=least, failed=failed, least_passes=LEAST_PASSES).strip()


@cache
def _environment(lang: str = "en") -> Environment:
    # What a terminal shows needs no escapes.
    made = environment(lang, lambda sentence, values: sentence % values, keep_trailing_newline=True)
    made.filters |= {
        "ms": formats.ms,
        "change": formats.change,
        "count": formats.count,
        "percent": formats.percent,
        "shell": markdown.shell_word,
        "visible": lambda value: markdown.visible(str(value)),
        "shortened": markdown.shortened,
    }
    made.tests["absent"] = lambda value: value is ABSENT
    return made
