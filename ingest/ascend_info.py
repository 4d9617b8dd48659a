"""What the profiler of Ascend notes beside its output, and what follows for a profile."""

import json
from pathlib import Path
from typing import Any

from .folders import profile_path, read_names, run_folder
from .source import Source

WITHOUT_SHAPES = (
    "no shapes and operator types: recorded at Level0;"
    " questions per shape need profiler_level Level1"
)
"""What is said of a profile that was recorded at the lowest level."""
NO_UTF8 = "texts with bytes that are no UTF-8"


def profiler_info(path: Path) -> dict[str, Any]:
    """profiler_info[_R].json beside the output folder of a file; empty where there is none."""
    for folder in path.parents[:2]:
        for file in sorted(folder.glob("profiler_info*.json")):
            try:
                info = json.loads(file.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(info, dict):
                return info
    return {}


def source_of(format: str, path: Path, notes: tuple[str, ...]) -> Source:
    """A file as a profile of its own, with what its folders and the notes beside it tell."""
    facts = read_names(path)
    return Source(
        format,
        profile_path(path),
        (path,),
        run_folder(path),
        rank_of(profiler_info(path), facts.rank),
        facts.layout,
        facts.captured_local,
        notes,
    )


def rank_of(info: dict[str, Any], by_name: int) -> int:
    """The rank by the notes, else by a name."""
    # Written as a number or as text, or not at all.
    try:
        return int(info["rank_id"])
    except (KeyError, TypeError, ValueError):
        return by_name


def without_device(info: dict[str, Any]) -> bool:
    """Whether activities were chosen and the device is none of them."""
    try:
        chosen = [str(activity) for activity in info["config"]["common_config"]["activities"]]
    except (KeyError, TypeError):
        return False
    return bool(chosen) and not any("NPU" in activity for activity in chosen)


def level_of(info: dict[str, Any]) -> str | None:
    """How much was recorded: Level0, Level1, Level2 or Level_none; None where it is not told."""
    try:
        return str(info["config"]["experimental_config"]["_profiler_level"])
    except (KeyError, TypeError):
        return None
