"""analysis.db and communication_analyzer.db: step times and collectives of one rank, by SQLite.

They hold what step_trace_time.csv, communication.json and communication_matrix.json hold; each
table is read where the file of the same is not there. Step times are us, those of collectives ms.
"""

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from .ascend_db_open import Database, opened
from .vendor_json import collective
from .vendor_rows import Misfit, Tally, summed

SAME_AS = {
    "StepTraceTime": "step_trace_time",
    "CommAnalyzerTime": "communication",
    "CommAnalyzerMatrix": "communication_matrix",
}
"""Tables, each with the kind of file that holds the same."""

_STEPS = {
    "deviceId": "Device_id",
    "step": "Step",
    "computing": "Computing",
    "communication_not_overlapped": "Communication(Not Overlapped)",
    "overlapped": "Overlapped",
    "communication": "Communication",
    "free": "Free",
    "stage": "Stage",
    "bubble": "Bubble",
    "preparing": "Preparing",
}
_TIMES = {
    "start_timestamp": "Start Timestamp(us)",
    "elapse_time": "Elapse Time(ms)",
    "transit_time": "Transit Time(ms)",
    "wait_time": "Wait Time(ms)",
    "synchronization_time": "Synchronization Time(ms)",
    "idle_time": "Idle Time(ms)",
}
_LINKS = {"transit_size": "Transit Size(MB)", "transit_time": "Transit Time(ms)"}
_PAIRS = {
    "transport_type": "Transport Type",
    "transit_size": "Transit Size(MB)",
    "transit_time": "Transit Time(ms)",
    "bandwidth": "Bandwidth(GB/s)",
    "op_name": "Op Name",
}
_Row = dict[str, Any]


def rows_of(path: Path, table: str, tally: Tally) -> Iterator[_Row]:
    """Give the rows of a table as those of the file that holds the same are given."""
    with opened(path) as database:
        if table == "StepTraceTime":
            yield from _steps(database, tally)
        elif table == "CommAnalyzerTime":
            yield from _collectives(database, tally)
        else:
            yield from _pairs(database, tally)


def tables_of(path: Path) -> dict[str, int]:
    """The tables that the database has of those that are read, with their rows."""
    with opened(path) as database:
        return {t: database.count(t) for t in SAME_AS if t.lower() in database.tables}


def _steps(database: Database, tally: Tally) -> Iterator[_Row]:
    for number, row in enumerate(_rows(database, "StepTraceTime"), start=1):
        cells = {title: _text(row.get(name)) for name, title in _STEPS.items()}
        if found := summed("step_trace_time", number, cells, tally):
            yield found


def _collectives(database: Database, tally: Tally) -> Iterator[_Row]:
    links: dict[tuple[str, ...], dict[str, _Row]] = {}
    for row in _rows(database, "CommAnalyzerBandwidth"):
        link = links.setdefault(_key(row), {}).setdefault(
            _text(row.get("transport_type")),
            {title: _number(row.get(name)) for name, title in _LINKS.items()}
            | {"Size Distribution": {}},
        )
        if row.get("count"):
            size = _text(row.get("package_size"))
            packets = [_number(row.get("count")), _number(row.get("total_duration"))]
            link["Size Distribution"][size] = packets
    for row in _rows(database, "CommAnalyzerTime"):
        if row.get("hccl_op_name") == "Total Op Info":
            continue
        times = {title: _number(row.get(name)) for name, title in _TIMES.items()}
        info = {
            "Communication Time Info": times,
            "Communication Bandwidth Info": links.get(_key(row), {}),
        }
        op, group, step = _key(row)
        try:
            found = collective(step.removeprefix("step"), f"{op}@{group}", info)
        except (ArithmeticError, Misfit, TypeError, ValueError):
            tally.set_aside(f"{op[:80]} has other values than a collective")
            continue
        tally.seen += 1
        yield found


def _pairs(database: Database, tally: Tally) -> Iterator[_Row]:
    for row in _rows(database, "CommAnalyzerMatrix"):
        op, group, step = _key(row)
        tally.seen += 1
        yield {
            "Step": step.removeprefix("step"),
            "Form": _text(row.get("type")),
            "Op": op,
            "Group": group,
            "Pair": f"{_text(row.get('src_rank'))}-{_text(row.get('dst_rank'))}",
        } | {title: _text(row.get(name)) for name, title in _PAIRS.items()}


def _rows(database: Database, table: str) -> Iterator[_Row]:
    """Rows by the names of their columns; none where there is no such table."""
    names = list(database.columns(table).values())
    if names:
        for row in database.each(table, *names):
            yield dict(zip(names, row, strict=True))


def _key(row: _Row) -> tuple[str, str, str]:
    return _text(row.get("hccl_op_name")), _text(row.get("group_name")), _text(row.get("step"))


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _number(value: object) -> Decimal:
    try:
        return Decimal(str(0 if value is None else value))
    except InvalidOperation:
        raise Misfit from None
