"""Folders of Ascend's profiler for the tests, as small as they can be."""

from collections.abc import Sequence
from pathlib import Path

from click.testing import CliRunner, Result

from profdb.cli import main

HEADER = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Input Shapes"
TASKS = "kernel_name,kernel_type,stream_id,task_id,task_time(us),task_start(us),task_stop(us)"
START = 1_791_641_598_803_000
OUTPUT = "ASCEND_PROFILER_OUTPUT"


def kernel(name: str, at: int, dur: str, op: str = "MatMul", core: str = "AI_CORE") -> str:
    """A row of a kernel table, `at` us after the start."""
    return f'{name},{op},{core},{START + at}.250\t,{dur},"""1,2;3"""'


def task(kind: str, at: int, took: str, name: str = "N/A", number: int = 1) -> str:
    """A row of task_time.csv, `at` us after the start."""
    start = f"{START + at}.000"
    return f"{name},{kind},7,{number},{took},{start}\t,{start}\t"


TWO = (kernel("k1", 0, "1.5"), kernel("k2", 10, "2.25"))


def table(path: Path, *rows: str, header: str = HEADER) -> Path:
    """Write a table with line ends of Windows, as torch_npu does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}\r\n" for line in (header, *rows)).encode())
    return path


def rank_folder(run: Path, worker: str = "rank0", time: str = "20260101000000000") -> Path:
    """The output folder of one rank."""
    return run / f"{worker}_7_{time}_ascend_pt" / OUTPUT


def rank(run: Path, number: int, rows: Sequence[str] = TWO, **names: str) -> Path:
    """Write one rank with a kernel table; kernels of ranks differ in their names."""
    folder = rank_folder(run, **({"worker": f"rank{number}"} | names))
    table(folder / "kernel_details.csv", *(f"r{number}{row}" for row in rows))
    return folder


def typed(*words: object) -> Result:
    """Type a command."""
    return CliRunner().invoke(main, [str(word) for word in words])
