"""Databases of Ascend for the tests: tiny ones by hand, larger ones from a kernel table."""

import csv
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

NONE = 4294967295
NULLS = {"N/A", ""}
T0 = 1791641598803750295
"""A start in ns since the epoch, which no double can hold."""

TASK = (
    "startNs", "endNs", "deviceId", "connectionId", "globalTaskId", "globalPid", "taskType",
    "contextId", "streamId", "taskId", "modelId",
)  # fmt: skip
COMPUTE = (
    "name", "globalTaskId", "blockNum", "mixBlockNum", "taskType", "opType", "inputFormats",
    "inputDataTypes", "inputShapes", "outputFormats", "outputDataTypes", "outputShapes",
    "attrInfo", "opState", "hf32Eligible",
)  # fmt: skip
COLLECTIVE = (
    "opName", "startNs", "endNs", "connectionId", "groupName", "opId", "relay", "retry",
    "dataType", "algType", "count", "opType", "deviceId",
)  # fmt: skip
CANN = ("startNs", "endNs", "type", "globalTid", "connectionId", "name")
PYTORCH = (
    "startNs", "endNs", "globalTid", "connectionId", "name", "sequenceNumber", "fwdThreadId",
    "inputDtypes", "inputShapes", "callchainId", "type",
)  # fmt: skip
TEXT_COLUMNS = {"value", "startNs TEXT", "endNs TEXT"}


class Writer:
    """A database on its way to a file: rows by table, texts by id."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.tables: dict[str, tuple[Sequence[str], list[Sequence[Any]]]] = {}

    def text(self, value: str) -> int:
        """The id of a text."""
        return self.texts.setdefault(value, len(self.texts))

    def add(self, table: str, columns: Sequence[str], *rows: Sequence[Any]) -> None:
        """Add rows to a table, which the first call makes."""
        self.tables.setdefault(table, (columns, []))[1].extend(rows)

    def kernel(self, task: int, start: int, dur: int, name: str = "k", **more: Any) -> None:
        """Add a task and its description; `more` are columns of either, texts as text."""
        given = {"startNs": start, "endNs": start + dur, "deviceId": 0, "connectionId": task}
        given |= {"globalTaskId": task, "globalPid": 1, "taskType": "KERNEL_AIVEC"}
        given |= {"contextId": NONE, "streamId": 7, "taskId": task, "modelId": NONE}
        self.add("TASK", TASK, [self._cell(more.get(c, given[c])) for c in TASK])
        info = {"name": name, "globalTaskId": task, "blockNum": 4, "mixBlockNum": 0}
        info |= {"taskType": "AI_VECTOR_CORE", "opType": "Add", "inputShapes": '"2,3;4"'}
        self.add("COMPUTE_TASK_INFO", COMPUTE,
                 [self._cell(more.get(c, info.get(c, "N/A"))) for c in COMPUTE])  # fmt: skip

    def task(self, task: int, start: int, dur: int, kind: str = "MEMCPY_ASYNC") -> None:
        """Add a task that is no kernel, or one more run of a kernel."""
        kinds = self.text(kind)
        row = (start, start + dur, 0, task, task, 1, kinds, NONE, 7, task, NONE)
        self.add("TASK", TASK, row)

    def operator(self, number: int, start: int, dur: int, name: str, kind: int = 50001) -> None:
        """Add a host operator on thread 5 of process 1 that makes connection `number`."""
        row = (str(start), str(start + dur), (1 << 32) + 5, number + 10**6, self.text(name))
        self.add("PYTORCH_API", PYTORCH, (*row, *[None] * 5, kind))
        self.add("CONNECTION_IDS", ("id", "connectionId"), (number + 10**6, number))

    def call(self, number: int, start: int, name: str = "launch", thread: int = 6) -> None:
        """Add a launch call of connection `number`."""
        row = (start, start + 100, 10000, (1 << 32) + thread, number, self.text(name))
        self.add("CANN_API", CANN, row)

    def _cell(self, value: Any) -> Any:
        return self.text(value) if isinstance(value, str) else value

    def write(self, path: Path) -> Path:
        """Write the file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path)) as con:
            con.execute("CREATE TABLE STRING_IDS (id INTEGER PRIMARY KEY, value TEXT)")
            con.executemany("INSERT INTO STRING_IDS VALUES (?, ?)",
                            [(number, text) for text, number in self.texts.items()])  # fmt: skip
            for table, (columns, rows) in self.tables.items():
                kind = "TEXT" if table in ("PYTORCH_API", "META_DATA") else "INTEGER"
                typed = (c + (f" {kind}" if c.endswith("Ns") or c in ("name", "value") else "")
                         for c in columns)  # fmt: skip
                con.execute(f'CREATE TABLE "{table}" ({", ".join(typed)})')
                marks = ", ".join("?" * len(columns))
                con.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows)
            con.commit()
        return path


def small() -> Writer:
    """Two kernels with a copy between them."""
    writer = Writer()
    writer.kernel(1, T0, 500)
    writer.task(2, T0 + 600, 50)
    writer.kernel(3, T0 + 1000, 200, "last")
    return writer


_OF_COMPUTE = {
    "name": "Name", "taskType": "Accelerator Core", "opType": "Type",
    "inputFormats": "Input Formats", "inputDataTypes": "Input Data Types",
    "inputShapes": "Input Shapes", "outputFormats": "Output Formats",
    "outputDataTypes": "Output Data Types", "outputShapes": "Output Shapes",
    "opState": "OP State", "hf32Eligible": "HF32 Eligible",
}  # fmt: skip


def from_table(table: Path, path: Path, old: bool = False, counters: int = 0) -> Path:
    """Write a kernel_details.csv as the database that the same tool would have written.

    `old` writes schema 1.0, without state and HF32 and with other names of the block counts;
    `counters` is how many of the PMU columns come along.
    """
    writer = Writer()
    columns = [c for c in COMPUTE if not (old and c in ("opState", "hf32Eligible"))]
    with table.open(newline="", encoding="utf-8-sig") as file:
        for number, row in enumerate(csv.DictReader(file)):
            start, dur = _ns(row["Start Time(us)"]), _ns(row["Duration(us)"])
            device = int(row.get("Device_id", 0))
            if row["Accelerator Core"] in ("HCCL", "COMMUNICATION"):
                _collective(writer, row, number, start, dur, device)
                continue
            context = row["Context ID"]
            writer.add("TASK", TASK, (
                start, start + dur, device, number, number, 1, writer.text("KERNEL"),
                NONE if context in NULLS else int(context), int(row["Stream ID"]),
                int(row["Task ID"]), int(row["Model ID"]),
            ))  # fmt: skip
            blocks = [int(row.get(f"{w}Block Num") or row[f"{w}Block Dim"]) for w in ("", "Mix ")]
            known = {"globalTaskId": number, "blockNum": blocks[0], "mixBlockNum": blocks[1]}
            values = [known.get(c, writer.text(row.get(_OF_COMPUTE.get(c, ""), "N/A")))
                      for c in columns]  # fmt: skip
            names = [c.replace("Num", "Dim") for c in columns] if old else columns
            writer.add("COMPUTE_TASK_INFO", names, values)
            _counters(writer, list(row)[-counters:] if counters else [], row, number)
    return writer.write(path)


def _collective(
    writer: Writer, row: dict[str, str], number: int, start: int, dur: int, device: int
) -> None:
    writer.add("COMMUNICATION_OP", COLLECTIVE, (
        writer.text(row["Name"]), start, start + dur, number, writer.text("group"), number, 0, 0,
        4, writer.text("RING"), 8, writer.text(row["Type"]), device,
    ))  # fmt: skip


def _counters(writer: Writer, titles: Iterable[str], row: dict[str, str], number: int) -> None:
    for title in titles:
        if row[title] in NULLS or title == "cube_utilization(%)":
            continue
        name = {"aicore_time(us)": "aic_total_time(us)"}.get(title, title)
        times = 1000 if name.endswith("(us)") else 1
        columns = ("globalTaskId", "name", "value")
        value = float(row[title]) * times
        writer.add(
            "TASK_PMU_INFO", columns, (number, writer.text(name.removesuffix("(us)")), value)
        )


def _ns(cell: str) -> int:
    return int(Decimal(cell.strip()) * 1000)
