"""The file of a warehouse: is it there, may it be opened, how is it made."""

import glob
import os
import time
from collections.abc import Mapping
from pathlib import Path

import duckdb

from ..errors import ProfdbError
from .messages import opening_failed


def check_readable(path: Path) -> None:
    """Refuse what cannot be read as a file."""
    _refuse_other_kinds(path)
    if not _exists(path):
        raise ProfdbError(f"no warehouse at {path} (profdb ingest RUN_DIR --db {path} makes one)")
    if not os.access(path, os.R_OK):
        raise ProfdbError(f"no permission to read {path}; ask its owner, or give another --db")
    _refuse_sqlite(path)


def make_writable(path: Path, config: Mapping[str, str]) -> None:
    """Refuse what cannot be written; make an empty database where there is none."""
    _refuse_other_kinds(path)
    folder = path.parent
    if not folder.is_dir():
        raise ProfdbError(f"folder {folder} of warehouse {path} does not exist; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ProfdbError(
            f"no permission to write in folder {folder} (warehouse {path}); give another --db"
        )
    if not _exists(path) or path.stat().st_size == 0:
        _create(path, config)
        return
    if not os.access(path, os.W_OK):
        raise ProfdbError(f"no permission to write {path}; ask its owner, or give another --db")
    _refuse_sqlite(path)


def _refuse_other_kinds(path: Path) -> None:
    if path.is_dir():
        raise ProfdbError(f"{path} is a folder; give a file, such as --db {path / 'profdb.duckdb'}")
    if _exists(path) and not path.is_file():
        raise ProfdbError(f"{path} is not a file on disk; give another --db")


def _refuse_sqlite(path: Path) -> None:
    # DuckDB would ask for an extension here; profilers of Ascend leave such files.
    with path.open("rb") as file:
        if file.read(15) == b"SQLite format 3":
            raise ProfdbError(f"{path} is an SQLite database, no warehouse; give another --db")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError as error:
        raise ProfdbError(f"cannot open {path}: {error.strerror}") from error


def _create(path: Path, config: Mapping[str, str]) -> None:
    _sweep(path)
    # Made under another name and moved: killed at any instant, no half header bears the name.
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        duckdb.connect(os.fspath(new), config=dict(config)).close()
        _give_name(new, path)
    except duckdb.Error as error:
        raise opening_failed(path, error) from error
    except OSError as error:
        raise ProfdbError(f"cannot make {path}: {error.strerror}") from error
    finally:
        new.unlink(missing_ok=True)


def _sweep(path: Path) -> None:
    # What a killed process left; a minute is far more than a living one needs.
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.new*"):
        try:
            if time.time() - left.stat().st_mtime > 60:
                left.unlink()
        except OSError:
            # Gone already, or another's file: it harms nobody.
            continue


def _give_name(new: Path, path: Path) -> None:
    if _exists(path):
        os.replace(new, path)
        return
    try:
        os.link(new, path)
    except FileExistsError:
        # Another process was faster; its file is as good.
        pass
    except OSError:
        # A file system without hard links.
        os.rename(new, path)
