"""Rows of a vendor's CSV file, counted: each is given, or set aside with the reason."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from .encoded import decoded
from .vendor_files import COLUMNS, OPTIONAL

NULLS = {"N/A", "", "NULL", "-", "inf"}
LOST = "scientific notation: precision lost"

_LONGEST_CELL = 1 << 27
_SHOWN = 3
# A spreadsheet writes 1.69512E+15; Python's own rests, such as 5.8e-11, have lost nothing.
_ROUNDED = re.compile(r"-?\d(?:\.\d+)?[eE]\+?\d+")
_LARGE = re.compile(r"\d(?:\.\d+)?[eE]\+1[4-9]")


@dataclass
class Tally:
    """What became of the rows of one file."""

    seen: int = 0
    aside: int = 0
    reasons: dict[str, int] = field(default_factory=dict)
    """Why rows were set aside or repaired, with how many more there are of that."""

    def set_aside(self, reason: str) -> None:
        """Count a row that is not stored."""
        self.seen += 1
        self.aside += 1
        self.say(reason)

    def say(self, reason: str) -> None:
        """Remember something about the file once, however often it happens."""
        self.reasons[reason] = self.reasons.get(reason, 0) + 1

    @property
    def reason(self) -> str | None:
        """All reasons, the first few in words."""
        texts = [t + (f" ({n})" if n > 1 else "") for t, n in self.reasons.items()]
        if len(texts) > _SHOWN:
            texts = [*texts[:_SHOWN], f"and {len(texts) - _SHOWN} more"]
        return "; ".join(texts) or None


class Misfit(Exception):
    """A cell that is not of its column's form."""


def read_rows(path: Path, tally: Tally) -> Iterator[tuple[int, dict[str, str]]]:
    """Give the rows by number from 1, their cells by title; those of another width are set aside.

    A TAB that pads a cell goes; all else stays as it is written.
    """
    csv.field_size_limit(_LONGEST_CELL)
    with path.open("rb") as file:
        lines = csv.reader(decoded(file, tally.say))
        titles = _told_apart(next(lines, []))
        try:
            yield from _whole_rows(lines, titles, tally)
        except csv.Error as error:
            tally.set_aside(f"line {lines.line_num}: {error}; the rest is not read")


def _whole_rows(
    lines: Iterator[list[str]], titles: list[str], tally: Tally
) -> Iterator[tuple[int, dict[str, str]]]:
    short = number = 0
    for cells in filter(None, lines):
        if short:
            tally.set_aside(f"row {number}: {short} fields, header has {len(titles)}")
            short = 0
        number += 1
        if len(cells) > len(titles):
            tally.set_aside(f"row {number}: {len(cells)} fields, header has {len(titles)}")
        elif len(cells) < len(titles):
            short = len(cells)  # not told before it is known whether the file ends here
        else:
            yield number, dict(zip(titles, map(str.strip, cells), strict=True))
    if short:
        tally.set_aside(f"row {number}: {short} of {len(titles)} fields, the file is cut")


def _told_apart(header: list[str]) -> list[str]:
    titles: list[str] = []
    for title in map(str.strip, header):
        titles.append(title if title not in titles else f"{title}:{len(titles) + 1}")
    return titles


def summed(kind: str, number: int, row: dict[str, str], tally: Tally) -> dict[str, Any] | None:
    """A row of a summed table in the warehouse's columns; None where it does not fit."""
    found = {}
    for title, (column, form) in (COLUMNS[kind] | OPTIONAL[kind]).items():
        try:
            found[column] = _cell(row.get(title, ""), form, f"{title}: {LOST}", tally)
        except Misfit:
            tally.set_aside(f"row {number}: {title} {row[title][:40]!r} is no number")
            return None
    tally.seen += 1
    return found


def _cell(text: str, form: str, lost: str, tally: Tally) -> Any:
    if form == "text":
        return "" if text in NULLS else text
    if form in ("core", "level"):
        # Before 2025 what is called communication was called after its library.
        return {"HCCL": "COMMUNICATION", "hccl": "communication"}.get(text, text)
    if text in NULLS:
        return None
    value = decimal(text)
    if _ROUNDED.fullmatch(text) and abs(value) >= 1:
        tally.say(lost)
        return None
    if form == "us":
        return scaled(value, 1000)
    if value != value.to_integral_value():
        raise Misfit
    return None if form == "device" and value < 0 else int(value)


def decimal(text: str) -> Decimal:
    """A number by its digits."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise Misfit from None
    if not value.is_finite() or abs(value) > 10**15:
        raise Misfit
    return value


def scaled(value: Decimal | int, by: int) -> int:
    """A number in a finer unit, to the nearest whole."""
    return int((Decimal(value) * by).quantize(Decimal(1), ROUND_HALF_UP))


def kept(row: dict[str, str], tally: Tally) -> dict[str, str | None]:
    """A row as text; of a time that a spreadsheet rounded nothing is left."""
    tally.seen += 1
    cells: dict[str, str | None] = dict(row)
    if "E+1" not in "".join(row.values()).upper():
        return cells
    for title, text in row.items():
        if _LARGE.fullmatch(text):
            cells[title] = None
            tally.say(f"{title}: {LOST}")
    return cells
