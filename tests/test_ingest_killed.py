"""An ingest that is killed leaves the warehouse with the profile whole or without it."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import profdb
from profdb.demo import write_demo
from profdb.errors import ProfdbError
from profdb.ingest import run as running

from .traces import fresh, rows, small

SCRIPT = """
import sys, profdb
print("ready", flush=True)
profdb.open(sys.argv[1]).ingest(sys.argv[2])
"""
KILLED_AT = """
import os, signal, sys, profdb
from profdb.ingest import stage
from profdb.warehouse import Warehouse
def die(*args, **params):
    os.kill(os.getpid(), signal.SIGKILL)
def run(self, name, **params):
    return die() if name == sys.argv[3] else before(self, name, **params)
before, stage.Stage.run = stage.Stage.run, run
if sys.argv[3] == "checkpoint":
    Warehouse.checkpoint = die
if sys.argv[3] == "end":
    stage.shutil.rmtree = lambda *a, **k: os.path.exists(a[0]) and die()
print("ready", flush=True)
profdb.open(sys.argv[1]).ingest(sys.argv[2])
"""
STEPS = [
    "stage", "chrome_load", "chrome_finish", "store_run", "store_profile", "store_names",
    "store_rows", "store_count", "checkpoint", "end",
]  # fmt: skip


# Of the trace that `small` writes: a profile, 3 kernels with calls and a step, a file.
WHOLE = [(1, 7, 7, 1, 1)]


def start(script: str, path: Path, *arguments: str | Path) -> subprocess.Popen:
    words = [sys.executable, "-c", script, str(path), *map(str, arguments)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE)
    assert process.stdout and process.stdout.readline() == b"ready\n"
    return process


def counts(path: Path) -> list[tuple]:
    query = (
        "SELECT (SELECT count(*) FROM profiles), (SELECT count(*) FROM kernels)"
        " + (SELECT count(*) FROM events), (SELECT coalesce(sum(stored), 0) FROM ledger),"
        " (SELECT count(*) FROM contexts), (SELECT count(*) FROM files)"
    )
    return rows(path, query)


def check_after_kill(path: Path, source: Path, whole: list[tuple]) -> bool:
    """Whether the killed ingest had stored the profile; the next one stores it in any case."""
    found = counts(path)
    assert found in (whole, [(0, 0, 0, 0, 0)])
    check_in_shell(path, found[0][0])
    with profdb.open(path) as warehouse:
        (outcome,) = warehouse.ingest(source).outcomes
    assert outcome.state == (running.KNOWN if found == whole else running.STORED)
    assert counts(path) == whole
    assert not path.with_name(path.name + ".work").exists()
    return found == whole


def check_in_shell(path: Path, profiles: int) -> None:
    shell = Path(sys.executable).with_name("duckdb")
    if not shell.exists():
        return
    words = [shell, "-readonly", "-csv", "-noheader", path, "-c", "SELECT count(*) FROM profiles"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(profiles)]


def reference(folder: Path, source: Path) -> tuple[list[tuple], float]:
    """What a whole ingest leaves, and how long it takes."""
    folder.mkdir()
    path = fresh(folder)
    process, began = start(SCRIPT, path, source), time.perf_counter()
    assert process.wait() == 0
    return counts(path), time.perf_counter() - began


def kill_at_moments(folder: Path, source: Path, moments: int) -> list[bool]:
    whole, lasts = reference(folder / "reference", source)
    stored = []
    for number in range(moments):
        path = fresh(folder)
        process = start(SCRIPT, path, source)
        time.sleep(lasts * (number + 0.5) / moments)
        process.send_signal(signal.SIGKILL)
        process.wait()
        stored.append(check_after_kill(path, source, whole))
    return stored


def test_killed_at_moments_spread_over_its_time(tmp_path):
    stored = kill_at_moments(tmp_path, small(tmp_path / "t.json", count=300), 10)
    assert not stored[0]


@pytest.mark.slow
def test_killed_at_many_moments_of_a_longer_ingest(tmp_path):
    source = write_demo(tmp_path / "demo", ascend_rows=20_000)[0]
    assert not all(kill_at_moments(tmp_path, source, 25))


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_a_step(tmp_path, step):
    source = small(tmp_path / "t.json")
    path = fresh(tmp_path)
    process = start(KILLED_AT, path, source, step)
    assert process.wait() == -signal.SIGKILL
    assert path.with_name(path.name + ".work").exists()
    stored = check_after_kill(path, source, WHOLE)
    assert stored == (step in ("checkpoint", "end"))


def test_a_killed_command_leaves_a_warehouse_that_opens(tmp_path):
    source = small(tmp_path / "t.json", count=2000)
    path = tmp_path / "w.duckdb"
    words = [sys.executable, "-m", "profdb", "-q", "ingest", source, "--db", path]
    for wait in (0.3, 0.6, 0.9, 1.2):
        process = subprocess.Popen(words)
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        try:
            ((profiles, found, due, *_),) = counts(path)
            assert found == due and profiles in (0, 1)
        except ProfdbError as error:
            assert re.search(
                r"no warehouse at|is empty so far|has schema \d|the views of", str(error)
            )
    assert subprocess.run(words).returncode == 0
    assert rows(path, "SELECT kernels FROM run_summary") == [(2000,)]
