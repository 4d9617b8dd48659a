"""Rows of any query as text: table, CSV, JSON or Markdown."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

FORMATS = ("table", "csv", "json", "markdown")

_CONTROL = {ord("\n"): "\\n", ord("\r"): "\\r", ord("\t"): "\\t"}
_MARKDOWN = str.maketrans({"\\": "\\\\", "|": "\\|", "<": "&lt;", "`": "\\`"})


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
    return "" if value is None else str(value).translate(_CONTROL)


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().removesuffix("\n")


def _json(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    objects = [dict(zip(columns, row, strict=True)) for row in rows]
    return json.dumps(objects, default=str, ensure_ascii=False, indent=2)


def _markdown(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    cells = [[_one_line(v).translate(_MARKDOWN) for v in row] for row in [columns, *rows]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * len(columns), *lines[1:]])
