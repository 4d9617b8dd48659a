"""Databases of Ascend's profilers: ascend_pytorch_profiler, ascend_mindspore_profiler, msprof."""

import json
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import ProfdbError
from .ascend_db_open import LOG_MAGIC, MAGIC, Database, opened
from .ascend_db_read import read_tables
from .ascend_db_steps import find_steps
from .ascend_info import NO_UTF8, WITHOUT_SHAPES, level_of, profiler_info, rank_of, source_of
from .container import head_of, open_content, sha256
from .inferred import infer_contexts
from .source import Options, Progress, Skipped, Source, describe
from .stage import Stage
from .vendor_files import ALONE

FORMAT = "ascend_db"

_VALUES = 3_000_000
"""Counter values that are put in the order of their tasks at once: some 200 MB."""
_RANK_IN_NAME = re.compile(
    r"(?:ascend_(?:pytorch|mindspore)_profiler|msmonitor_\d+_\d{14,17})_(\d+)\.db"
)
MONITOR = re.compile(r"msmonitor_\d+_\d{14,17}_(?:-1|\d+)\.db")
"""Databases that msMonitor writes into one folder, each of another window or rank."""
VIEWERS = "mindstudio_insight_data.db"
"""What MindStudio Insight keeps of what it showed; it may be stale, open or half-written."""
_WORK = {"task", "compute_task_info", "communication_op", "cann_api", "pytorch_api"}
_OTHERS = (
    ({"steptracetime", "commanalyzertime", "commanalyzerbandwidth", "commanalyzermatrix"},
     ALONE),
    ({"clustersteptracetime", "clusterbaseinfo", "communicationgroupmapping",
      "clustercommunicationtime", "clustercommunicationmatrix", "clustercommunicationbandwidth"},
     "analysis of a cluster by msprof-analyze: ingest the folders of its ranks instead"),
)  # fmt: skip


def recognise(path: Path) -> Source | Skipped | None:
    """Judge a SQLite file by its tables, whatever it is called."""
    head = head_of(path, len(MAGIC))
    if head.startswith(LOG_MAGIC):
        return Skipped(path, "write-ahead log of the database beside it")
    if path.name.startswith(VIEWERS):
        return Skipped(path, "cache of a viewer, made from the files beside it")
    if head != MAGIC:
        return None
    if open_content(path).kind != "plain":
        return Skipped(path, "compressed database: unpack it first")
    with opened(path) as database:
        tables = database.tables.keys()
        if not tables & _WORK:
            return Skipped(path, _other(tables))
        if "string_ids" not in tables:
            return Skipped(path, "database without STRING_IDS, which holds the names of all else")
        return _source(path, database)


def _other(tables: Iterable[str]) -> str:
    found = set(tables)
    if not found:
        return "database without tables"
    for names, what in _OTHERS:
        if found & names:
            return what
    return "database of something else than an Ascend profiler's events"


def _source(path: Path, database: Database) -> Source:
    info = profiler_info(path)
    bare = level_of(info) == "Level0" or database.is_bare()
    source = source_of(FORMAT, path, (WITHOUT_SHAPES,) if bare else ())
    ranks = [rank for (rank,) in database.rows("RANK_DEVICE_MAP", "rankId")]
    if len(ranks) == 1 and isinstance(ranks[0], int) and ranks[0] >= 0:
        return replace(source, rank=ranks[0])
    match = _RANK_IN_NAME.fullmatch(path.name)
    return replace(source, rank=rank_of(info, int(match[1]))) if match else source


def stage(source: Source, stage: Stage, options: Options, progress: Progress) -> None:
    """Fill the staging tables from the database."""
    (path,) = source.files
    digest = ThreadPoolExecutor(1).submit(sha256, path)
    stage.run("ascend_db_tables")
    stage.insert("asked", ("python",), [(options.python,)])
    with opened(path) as database:
        read_tables(database, stage, progress, options.only_launches)
        facts, device = _facts(path, database), _device_name(database)
        broken = database.repaired
    stage.run("ascend_db_calls")
    find_steps(stage)
    stage.run("ascend_db_launches")
    counters = _read_counters(stage)
    for part in ("origins", "ledger", "lost", "work", "doubts", "events"):
        stage.run(f"ascend_db_{part}")
    _refuse_empty(path, stage)
    stage.run("ascend_collectives")
    if not options.only_launches:
        infer_contexts(stage, options.decode_tokens)
    if broken:
        reason = ("limited", NO_UTF8, broken)
        stage.insert("trust", ("level", "reason", "events"), [reason])
    describe(
        source,
        stage,
        (digest.result(),),
        "plain",
        platform="ascend",
        device_name=device,
        counters=counters,
        metadata=json.dumps(facts, ensure_ascii=False),
    )


def _read_counters(stage: Stage) -> list[str]:
    """Stage the counters of every task; their titles."""
    for low, high in stage.run("ascend_db_counters", values=_VALUES):
        stage.run("ascend_db_measured", low=low, high=high)
    stage.run("ascend_db_paired")
    return [title for (title,) in stage.run("ascend_db_titles")]


def _refuse_empty(path: Path, stage: Stage) -> None:
    ((launches, host),) = stage.run("ascend_db_found")
    if not launches:
        raise ProfdbError(
            f"{path} holds no kernels: the profiler recorded {host} host events and no device work;"
            " record ProfilerActivity.NPU too, at profiler_level Level1"
        )


def _facts(path: Path, database: Database) -> dict[str, Any]:
    """What the profiler notes beside the database, and what the database says of itself."""
    facts = profiler_info(path)
    for name, value in database.rows("META_DATA", "name", "value"):
        facts.setdefault(str(name), value)
    for (name,) in database.rows("HOST_INFO", "hostName"):
        facts.setdefault("hostName", name)
    return facts


def _device_name(database: Database) -> str | None:
    names = {str(name) for (name,) in database.rows("NPU_INFO", "name") if name}
    return ", ".join(sorted(names)) or None
