"""Profiles of invented runs that hold given figures to the digit."""

from collections.abc import Callable
from pathlib import Path

from .ascend_windows import write_windows
from .figures import Figures, load_figures
from .model_config import write_model_config
from .vllm_rocm import write_vllm_trace

__all__ = ["Figures", "load_figures", "write_demo"]

TRACE_FOLDER = "dcu"


def write_demo(
    directory: Path,
    figures: Figures = Figures(),  # noqa: B008  (frozen)
    seed: int = 0,
    ascend_rows: int = 60_000,
    progress: Callable[[Path], None] | None = None,
) -> list[Path]:
    """Write a vLLM trace and two Ascend windows below `directory`; the folder of each run.

    Beside them stands the config.json of the model that the trace runs, hybrid-27b.json. The
    candidate window has `ascend_rows` rows; `progress` is told each folder that is done.
    """
    told = progress or (lambda _: None)
    trace = directory / TRACE_FOLDER
    write_vllm_trace(trace, figures, seed)
    write_model_config(directory, figures.decode)
    told(trace)
    windows = []
    for folder in write_windows(directory, figures.ascend, seed, ascend_rows):
        windows.append(folder)
        told(folder)
    return [trace, *reversed(windows)]
