"""DuckDB's errors as lines that name the thing, the value and the way out."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePath

import duckdb

from ..errors import ProfdbError

_KIND = re.compile(r"^[A-Z][A-Za-z -]*? Error: ")
_LOCK = re.compile(r"Conflicting lock is held(?: in (?P<program>.+?))? \(PID (?P<pid>\d+)\)")
_DAMAGE = re.compile(r"Corrupt database|Could not read enough bytes|checksum")


def in_one_line(error: duckdb.Error) -> str:
    """Shorten a DuckDB error to its words, without its class and the excerpt with the caret."""
    words = str(error).split("\n\nLINE ")[0]
    return " ".join(_KIND.sub("", words).split())


@contextmanager
def readable_errors(doing: str) -> Iterator[None]:
    """Turn a DuckDB error inside the block into a ProfdbError of one line."""
    try:
        yield
    except duckdb.Error as error:
        raise ProfdbError(f"{doing}: {in_one_line(error)}") from error


def opening_failed(path: Path, error: duckdb.Error) -> ProfdbError:
    """Say why a warehouse file did not open."""
    text = str(error)
    if lock := _LOCK.search(text):
        program = PurePath(lock["program"] or "a program").name
        return ProfdbError(
            f"{path} is in use by {program} (PID {lock['pid']}); close that first,"
            f" and open shells with: duckdb -readonly {path}"
        )
    if "different configuration" in text:
        return ProfdbError(
            f"{path} is already open in this process, for reading or for writing; close that first"
        )
    if "not a valid DuckDB database" in text:
        return ProfdbError(f"{path} is not a DuckDB file; give another --db")
    if "Permission denied" in text or "Read-only file system" in text:
        return ProfdbError(f"no permission to open {path}; ask its owner, or give another --db")
    if _DAMAGE.search(text):
        return ProfdbError(
            f"{path} is damaged ({in_one_line(error)}); restore a copy of it, or ingest the"
            " profiles anew into another --db"
        )
    return ProfdbError(f"cannot open {path}: {in_one_line(error)}")
