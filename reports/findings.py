"""What was judged, as rows of values; and what of it charts look at, or fails a check."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..judgement import LEAST_PASSES

if TYPE_CHECKING:
    from .answer import Answer

Row = dict[str, Any]
GROUP = ("phase", "op", "kernel", "shape", "tokens_low")
"""What names a shape group."""

_FOCUS = 4
"""Rows with a chart of their own."""


def regression_findings(worded: Mapping[str, Any], derived: Mapping[str, Any]) -> Row:
    """Give what holds of all rows together, a verdict per shape group, and where two modes are.

    Shifts and shares are fractions of 1.
    """
    judged, groups = derived["judged"], worded["regression_groups"]
    return {
        "together": [_together(judged)],
        "verdicts": [_named(row) | _verdict(row["verdict"]) for row in groups],
        "modes": list(_modes(groups, worded["regression_members"])),
    }


def focus_of(derived: Mapping[str, Any]) -> Row:
    """Give the shape groups that the page shows first, and the operator of the first of all."""
    shown = derived["judged"]["shown"][:_FOCUS]
    names = {f"focus_{name}": [row[name] for row in shown] for name in GROUP}
    return names | {"headline_op": shown[0]["op"] if shown else None}


def regressed(answer: "Answer", least: float = 0.0) -> Row:
    """Give what regressed by a fraction or more: rows, all operators together, steps.

    A row judged by how many of its launches take the slower mode counts with its mean, since a
    share of launches is no share of time. A step has no verdict of its own: it counts as slower
    beyond the floor where both sides have as many complete steps as a verdict needs, unless most
    of its loss is in other counts and shapes, since then the load may be another. `barred` tells
    what forbids every verdict, `judgeable` whether there was any.
    """
    judged = answer.derived["judged"]
    everything = judged["everything"]
    steps = [
        row for row in answer.rows["regression_steps"] if _enough(row) and not judged["barred"]
    ]
    together = everything and everything["outcome"] == "regressed"
    return {
        "rows": [row for row in judged["regressed"] if _change(row) >= least],
        "together": everything if together and everything["by"]["shift"] >= least else None,
        "steps": [row for row in steps if _lost(row) and row["period_change"] >= least],
        "barred": judged["barred"],
        "judgeable": bool(steps or judged["tested"] and not judged["barred"]),
    }


def _enough(step: Mapping[str, Any]) -> bool:
    return min(step["base_steps"] or 0, step["cand_steps"] or 0) >= LEAST_PASSES


def _lost(step: Mapping[str, Any]) -> bool:
    return bool(step["slower"] and step["loss"] in ("gaps", "waiting", "kernels"))


def _change(row: Mapping[str, Any]) -> float:
    by = row["verdict"]["by"]
    return float(row["mean_change"] if by["share"] else by["shift"])


def _named(row: Mapping[str, Any]) -> Row:
    return {name: row[name] for name in (*GROUP, "tokens_high")}


def _verdict(told: Mapping[str, Any]) -> Row:
    by = told["by"] or {}
    compared = ("statistic", "shift", "low", "high", "p", "adjusted_p")
    return (
        {name: told[name] for name in ("outcome", "reason", "base_passes", "cand_passes")}
        | {name: by.get(name) for name in compared}
        | {"smallest_p": told["smallest_p"], "beside_common": told["beside"]}
    )


def _together(judged: Mapping[str, Any]) -> Row:
    told = judged["everything"]
    named = ("outcome", "reason", "statistic", "shift", "low", "high", "p")
    everything = _verdict(told) if told else {}
    return {
        "barred": judged["barred"],
        "tested": judged["tested"],
        "floor": judged["floor"],
        "floor_together": judged["floor_together"],
        "floor_runs": judged["floor_runs"],
        "q": judged["q"],
        "common": judged["common"],
        "regressed": len(judged["regressed"]),
        "improved": len(judged["improved"]),
    } | {name: everything.get(name) for name in named}


def _modes(groups: Iterable[Row], members: Iterable[Row]) -> Iterable[Row]:
    for row in groups:
        if row["modes"]:
            found = {f"{name}_us": row["modes"][name] for name in ("low", "high", "cut")}
            yield _named(row) | {"side": None, **found, "share": row["modes"]["share"]}
    for row in members:
        for side, modes in row["modes"].items():
            if modes:
                at = {name: row[name] for name in GROUP} | {"tokens_high": row["tokens"]}
                found = {"low_us": modes["low"], "high_us": modes["high"]}
                yield at | {"side": side, **found, "cut_us": None, "share": None}
