"""A report's document asked again: which of its figures the warehouse still gives."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..errors import ProfdbError
from ..warehouse import Warehouse
from .answer import ask
from .document import PARTS, SCHEMA, document
from .identity import named
from .registry import REPORTS, Report
from .render import markdown_page

NEAR, CLOSE = 1e-9, 1e-12
"""Doubles hold that differ by no more: in the absolute, or of the larger one.

The order in which a machine adds up doubles is not fixed, and moves their last digits.
"""
UNTOLD = {"source_path", "profdb_version"}
"""Columns that are no figures: where the same content lay, and what stored it."""

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Difference:
    """A figure that no longer holds: where it stands, what is stored, what is found now."""

    query: str
    row: str
    column: str
    stored: Any
    present: Any


@dataclass
class Verified:
    """How many figures were compared, and those that differ; profiles that are others first."""

    report: str
    figures: int = 0
    profiles: list[Difference] = field(default_factory=list)
    differing: list[Difference] = field(default_factory=list)


ABSENT = object()
"""In the place of a value: there is no such row or column."""


def read_document(path: Path) -> dict[str, Any]:
    """Read a document with the digits of its numbers.

    Raises ProfdbError where the file is none, or of a version that is not known.
    """
    try:
        content = json.loads(
            path.read_text(encoding="utf-8"), parse_float=Decimal, parse_constant=_refuse
        )
    except (ValueError, RecursionError) as error:
        raise ProfdbError(f"{path} is no JSON document: {error}") from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA:
        found = f"its schema is {schema!r}" if schema else "it names no schema"
        raise ProfdbError(
            f"{path} is no report that this profdb reads: {found}, known is {SCHEMA!r}"
            " (profdb report … --format json writes one)"
        )
    for name, kind in PARTS.items():
        if not isinstance(content.get(name), kind):
            raise ProfdbError(f"{path} is no whole report: {name!r} is missing or misshapen")
    if content["report"] not in REPORTS:
        raise ProfdbError(f"{path}: no report {content['report']!r}; there is {', '.join(REPORTS)}")
    return dict(content)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no number")


def verify(warehouse: Warehouse, stored: Mapping[str, Any]) -> Verified:
    """Ask everything again and compare.

    Raises ProfdbError where runs are no longer there, or the document does not tell how to ask.
    """
    report = REPORTS[stored["report"]]
    runs = _labels(warehouse, report, stored)
    options = _options(report, stored["params"])
    rank, phase = stored["params"].get("rank"), stored["params"].get("phase")
    answer = ask(warehouse, report, runs, rank, phase, **options)
    present = document(answer, markdown_page(answer, sql=False))
    found = Verified(report.name)
    _compare_profiles(found, stored["runs"], present["runs"])
    _compare_rows(found, "params", [stored["params"]], [present["params"]])
    _compare_rows(found, "views", *([{"view": v} for v in o["views"]] for o in (stored, present)))
    for query, before, now in _tables(stored, present):
        _compare_rows(found, query, before, now)
    if stored["profdb"] == version("profdb"):
        _compare_rows(found, "answer", *([{"text": one["answer"]}] for one in (stored, present)))
    return found


def _labels(warehouse: Warehouse, report: Report, stored: Row) -> dict[str, str]:
    """The labels of the runs, which must be there under the same names."""
    runs = stored["runs"]
    if set(runs) != set(report.runs) or not all(_is_run(run) for run in runs.values()):
        raise ProfdbError(
            f"the document is no whole report: {report.name} is about {' and '.join(report.runs)}"
        )
    labels = {name: run["label"] for name, run in runs.items()}
    there = {row["label"] for row in warehouse.query("report_runs")}
    gone = [repr(label) for label in labels.values() if label not in there]
    if gone:
        has = ", ".join(sorted(there)) or "none yet"
        raise ProfdbError(f"no run named {' nor '.join(gone)}; the warehouse has {has}")
    return labels


def _is_run(run: Any) -> bool:
    return (
        isinstance(run, dict)
        and isinstance(run.get("label"), str)
        and isinstance(run.get("profiles"), list)
        and all(isinstance(profile, dict) for profile in run["profiles"])
    )


def _options(report: Report, params: Row) -> dict[str, Any]:
    """The options as they were; each must be of the kind that the report takes."""
    found = {}
    for name, usual in report.options.items():
        value = params.get(name, ABSENT)
        if not _fits(value, usual):
            raise ProfdbError(f"the document is no whole report: its option {name!r} is odd")
        found[name] = [*map(_plain, value)] if isinstance(value, list) else _plain(value)
    for name in ("rank", "phase"):
        if not isinstance(params.get(name), int if name == "rank" else str | None):
            raise ProfdbError(f"the document is no whole report: its {name} is odd")
    return found


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, Decimal) else value


def _fits(value: Any, usual: Any) -> bool:
    if usual is None or isinstance(usual, int | float):
        number = isinstance(value, int | Decimal) and not isinstance(value, bool)
        return number or usual is value is None
    if isinstance(usual, list | tuple):
        return isinstance(value, list) and all(
            isinstance(one, str | int | Decimal) for one in value
        )
    return isinstance(value, type(usual))


def _compare_profiles(found: Verified, stored: Row, present: Row) -> None:
    """Whether the labels still stand for the same content."""
    for name, run in stored.items():
        before, now = (
            sorted((str(p.get("rank")), str(p.get("sha256"))) for p in profiles)
            for profiles in (run["profiles"], present[name]["profiles"])
        )
        for rank in sorted({rank for rank, _ in before + now}):
            one, other = ([sha for r, sha in side if r == rank] for side in (before, now))
            found.figures += 1
            if one != other:
                words = (", ".join(side) or ABSENT for side in (one, other))
                found.profiles.append(Difference(run["label"], f"rank {rank}", "sha256", *words))


def _tables(stored: Row, present: Row) -> Iterator[tuple[str, Any, Any]]:
    """Each table of figures by its name, as stored and at present."""
    for part in ("findings", "queries"):
        before, now = (one.get(part) or {} for one in (stored, present))
        for query in dict.fromkeys([*before, *now]):
            name = query if part == "queries" else f"findings.{query}"
            one, other = before.get(query, []), now.get(query, [])
            if isinstance(one, dict) or isinstance(other, dict):
                one, other = (side if isinstance(side, dict) else {} for side in (one, other))
                for run in dict.fromkeys([*one, *other]):
                    yield f"{name}.{run}", one.get(run, []), other.get(run, [])
            else:
                yield name, one, other


def _compare_rows(found: Verified, query: str, stored: Any, present: Sequence[Row]) -> None:
    if not isinstance(stored, list) or not all(isinstance(row, dict) for row in stored):
        raise ProfdbError(f"the document is no whole report: {query} are no rows")
    before, now = _by_name(query, stored), _by_name(query, present)
    for row in dict.fromkeys([*before, *now]):
        one, other = before.get(row), now.get(row)
        if one is None or other is None:
            found.figures += len(one or other or {})
            whole = (ABSENT if side is None else "a row" for side in (one, other))
            found.differing.append(Difference(query, row, "", *whole))
            continue
        for column in sorted({*one, *other} - UNTOLD, key=[*other, *one].index):
            found.figures += 1
            pair = one.get(column, ABSENT), other.get(column, ABSENT)
            if not same(*pair):
                found.differing.append(Difference(query, row, column, *pair))


def _by_name(query: str, rows: Sequence[Row]) -> dict[str, Row]:
    """Rows by what names them; rows of one name are told apart by their order."""
    seen: Counter[str] = Counter()
    found = {}
    for row in rows:
        name = named(query, row)
        seen[name] += 1
        found[f"{name} #{seen[name]}" if seen[name] > 1 else name] = row
    return found


def same(stored: Any, present: Any) -> bool:
    """Whether a value of a document is that of a query: exact, but for doubles (NEAR, CLOSE)."""
    if isinstance(present, list | tuple):
        alike = isinstance(stored, list) and len(stored) == len(present)
        return alike and all(map(same, stored, present))
    if isinstance(present, float) and math.isfinite(present):
        if isinstance(stored, bool) or not isinstance(stored, int | Decimal):
            return False
        one = float(Decimal(stored))  # by way of a decimal, where no integer is too large
        return abs(one - present) <= max(NEAR, CLOSE * abs(present))
    if isinstance(present, float):
        present = None
    elif isinstance(present, date):
        present = present.isoformat()
    return isinstance(stored, bool) == isinstance(present, bool) and bool(stored == present)
