"""task_time.csv: every task of the device, read where a rank has neither kernel table nor database.

It names kernels, with time, stream and task, and lists copies, waits and events without a name.
"""

from pathlib import Path

from .ascend_csv import places_of, stage_table, table_of
from .container import head_of
from .source import Options, Progress, Skipped, Source
from .stage import Stage

FORMAT = "ascend_tasks"

_HEAD = 1 << 12
_COLUMNS = {
    "Device_id": "device_id",
    "kernel_name": "name",
    "kernel_type": "core",
    "stream_id": "stream_id",
    "task_id": "task_id",
    "task_time(us)": "dur_us",
    "task_start(us)": "start_us",
    "task_stop(us)": "stop_us",
}
_NEEDED = {"name", "core", "dur_us", "start_us"}
_NOTE = (
    "no shapes, operator types and collectives: only task_time was written, no kernel table and"
    " no database (seen with captured graphs); analyse it again, or record without graphs"
)


def recognise(path: Path) -> Source | Skipped | None:
    """Judge a CSV file by its header."""
    if not places_of(head_of(path, _HEAD), _COLUMNS).keys() >= _NEEDED:
        return None
    return table_of(FORMAT, path, (_NOTE,))


def stage(source: Source, stage: Stage, options: Options, progress: Progress) -> None:
    """Fill the staging tables from the tasks that are kernels, and count the others by kind."""
    stage_table(source, stage, options, progress, _COLUMNS, ("ascend_tasks",))
