"""Where the marks of charts lie: figures of query rows scaled to pixels, and nothing else.

The words and the SVG stand in templates/charts.svg.j2.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from unicodedata import east_asian_width

from .markdown import shortened

Row = Mapping[str, Any]
Rows = Mapping[str, Any]
Mark = dict[str, Any]
Scale = Callable[[float], float]

LABELS, PLOT = 130, 440
"""Widths of the column of labels and of the plot of a chart with horizontal bars."""
CURVE = (300, 150)
"""Width and height of the plot of a curve."""
_COLOURS = 8
_LETTER = 6.6
"""Width of a narrow character, for what fits into a bar."""


@dataclass(frozen=True)
class Chart:
    """A macro of the template, and what it draws: marks in pixels beside the rows of figures."""

    macro: str
    marks: Mark


def budget_charts(rows: Rows, runs: Mapping[str, str]) -> list[Chart]:
    """Draw the device time of each phase, cut into its families."""
    families = rows["budget_families"]
    totals = [row for row in families if row["kind"] == "all" and row["phase"] != "window"]
    totals.sort(key=lambda row: -row["total_ms"])
    parts = [row for row in families if row["kind"] in ("row", "rest")]
    if not totals:
        return []
    scale = _scale(0, max(row["total_ms"] for row in totals), PLOT)
    keys = _keys(row for row in parts if row["phase"] != "window")
    bars = [
        {
            "row": total,
            "parts": _stacked([p for p in parts if p["phase"] == total["phase"]], scale, keys),
        }
        for total in totals
    ]
    legend = [{"row": row, "colour": place} for place, row in enumerate(keys.values(), 1)]
    return [Chart("time_by_family", {"bars": bars, "legend": legend, "run": runs["run"]})]


def regression_charts(rows: Rows, runs: Mapping[str, str]) -> list[Chart]:
    """Draw the time by phase on both sides, the parts of the largest change, and curves."""
    found = [_phases(rows["regression_phases"]), _waterfall(rows["regression_effects"])]
    curves = groupby(rows["regression_ecdf"], key=lambda row: row["place"])
    found += [_curves(list(sides)) for _, sides in curves]
    return [Chart(chart.macro, {**chart.marks, "runs": runs}) for chart in found if chart]


def _phases(phases: Sequence[Row]) -> Chart | None:
    sides = ("base_gpu_ms", "cand_gpu_ms")
    largest = max((row[side] or 0 for row in phases for side in sides), default=0)
    if not largest:
        return None
    scale = _scale(0, largest, PLOT)
    several = len({row["phase"] for row in phases}) < len(phases)
    bars = [{"row": row, "widths": [scale(row[side] or 0) for side in sides]} for row in phases]
    return Chart("time_by_phase", {"bars": bars, "several": several})


def _waterfall(levels: Sequence[Row]) -> Chart | None:
    if not levels:
        return None
    ends = [row[end] for row in levels for end in ("from_ms", "to_ms")]
    scale = _scale(min(ends), max(ends), PLOT)
    bars = []
    for row in levels:
        left, right = sorted((scale(row["from_ms"]), scale(row["to_ms"])))
        # A part of nothing is a line.
        bars.append(
            {"row": row, "left": left, "width": max(right - left, 1), "end": scale(row["to_ms"])}
        )
    return Chart("waterfall", {"bars": bars})


def _curves(sides: Sequence[Row]) -> Chart:
    """The share of launches (upwards) that take no longer than so much (rightwards)."""
    width, height = CURVE
    low = min(row["up_to_us"][0] for row in sides)
    high = max(row["up_to_us"][-1] for row in sides)
    ticks = _ticks(low, high)
    scale = _scale(ticks[0], ticks[-1], width)
    lines = []
    for row in sides:
        steps = enumerate(row["up_to_us"])
        points = " ".join(f"{scale(us):.1f},{height * (1 - n / 100):.1f}" for n, us in steps)
        lines.append({"row": row, "points": points, "middle": scale(row["p50_us"])})
    return Chart("curves", {"lines": lines, "ticks": [(scale(us), us) for us in ticks]})


def fitted(text: str, pixels: float) -> str:
    """Shorten a text to what a width holds; nothing where it holds too little of it."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    room = int(pixels / _LETTER * len(text) / (len(text) + wide)) if text else 0
    return "" if room < min(len(text), 8) else shortened(text, room)


def _keys(parts: Iterable[Row]) -> dict[tuple[str, str], Row]:
    """The families and implementations with the most time in any phase; they get a colour."""
    found: dict[tuple[str, str], Row] = {}
    for row in sorted(parts, key=lambda row: -row["total_ms"]):
        if row["kind"] == "row" and len(found) < _COLOURS:
            found.setdefault((row["family"], row["implementation"]), row)
    return found


def _stacked(parts: Sequence[Row], scale: Scale, keys: Mapping[tuple[str, str], Row]) -> list[Mark]:
    """Bars end to end; colour 0 is that of what has none of its own."""
    colours = {key: place for place, key in enumerate(keys, 1)}
    marks, at = [], 0.0
    for row in parts:
        key = (row["family"], row["implementation"])
        colour = colours.get(key, 0) if row["kind"] == "row" else 0
        width = scale(row["total_ms"])
        marks.append({"row": row, "left": at, "width": width, "colour": colour})
        at += width
    return marks


def _scale(low: float, high: float, pixels: float) -> Scale:
    """From low (or zero, if that is lower) to high onto pixels."""
    span = high - low or 1
    return lambda value: (value - low) / span * pixels


def _ticks(low: float, high: float) -> list[float]:
    """Round figures around low to high, about five."""
    raw = (high - low) / 4 or abs(high) or 1
    power = 10.0 ** math.floor(math.log10(raw))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= raw)
    first, last = math.floor(low / step), max(math.ceil(high / step), math.floor(low / step) + 1)
    return [n * step for n in range(first, last + 1)]
