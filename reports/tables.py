"""Rows of any query as text: table, CSV, JSON or Markdown."""

import csv
import io
import json
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from . import markdown

FORMATS = ("table", "csv", "json", "markdown")


def rows_as(form: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Give rows in one of FORMATS, without a line end after the last."""
    return {"table": _table, "csv": _csv, "json": _json, "markdown": _markdown}[form](columns, rows)


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [list(columns), *([_one_line(value) for value in row] for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(columns))]
    numeric = [
        all(_is_number(row[place]) for row in rows) and bool(rows) for place in range(len(columns))
    ]
    lines = [_aligned(row, widths, numeric) for row in cells]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _aligned(row: list[str], widths: list[int], numeric: list[bool]) -> str:
    cells = zip(row, widths, numeric, strict=True)
    return "  ".join(c.rjust(w) if right else c.ljust(w) for c, w, right in cells).rstrip()


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _one_line(value: Any) -> str:
    if value is None:
        return ""
    return markdown.visible(value.hex() if isinstance(value, bytes) else str(value))


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().removesuffix("\n")


def _json(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    names = _told_apart(columns)
    objects = [dict(zip(names, map(_as_json, row), strict=True)) for row in rows]
    return json.dumps(objects, ensure_ascii=False, indent=2, allow_nan=False)


def _told_apart(columns: Sequence[str]) -> list[str]:
    """Column names without two alike, as an object needs them."""
    names: list[str] = []
    for column in columns:
        alike = sum(name == column or name.startswith(f"{column}:") for name in names)
        names.append(f"{column}:{alike}" if alike else column)
    return names


def _as_json(value: Any) -> Any:
    """What JSON has no word for: NaN and infinities are null, bytes hexadecimal digits."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [[markdown.text(_one_line(v)) for v in row] for row in [columns, *rows]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(columns), *lines[1:]])
