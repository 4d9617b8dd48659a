"""The files below sql/: migrations, views and queries."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from ..errors import ProfdbError

_MIGRATION = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_VIEW = re.compile(r"(_?[a-z][a-z0-9_]*?)_v([1-9]\d*)\.sql")


@dataclass(frozen=True)
class Migration:
    """One numbered step of the schema."""

    number: int
    name: str
    text: str

    @cached_property
    def sha256(self) -> str:
        """Tell whether the text is still the one that was applied."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class ViewFile:
    """One version of one view; `name` is the alias, `view` the object that the file creates."""

    name: str
    version: int
    text: str

    @property
    def view(self) -> str:
        """Name the object that the file creates."""
        return f"{self.name}_v{self.version}"

    @property
    def file(self) -> str:
        """Name the file as errors show it."""
        return f"views/{self.view}.sql"


def shipped_sql() -> Traversable:
    """Give the folder sql/ that came with the package."""
    return files("profdb") / "sql"


def statement(name: str) -> str:
    """Read one of the statements that stand beside this module."""
    return (files(__package__) / f"{name}.sql").read_text(encoding="utf-8")


def read_migrations(sql: Traversable) -> list[Migration]:
    """Read schema/, numbered from 1 without gap or duplicate."""
    found = [_migration(file) for file in _sql_files(sql / "schema")]
    found.sort(key=lambda migration: migration.number)
    for expected, migration in enumerate(found, start=1):
        if migration.number != expected:
            kind = "duplicate" if migration.number < expected else "gap before"
            raise ProfdbError(
                f"schema/{migration.number:04}_{migration.name}.sql: {kind} number"
                f" {migration.number}; number the files from 0001 without a gap"
            )
    return found


def read_views(sql: Traversable) -> list[ViewFile]:
    """Read views/, sorted by name and version."""
    found = [_view(file) for file in _sql_files(sql / "views")]
    return sorted(found, key=lambda view: (view.name, view.version))


def read_queries(sql: Traversable) -> dict[str, str]:
    """Read queries/ and the folders below it: the text by the name of the file."""
    found: dict[str, str] = {}
    for file in _sql_files(sql / "queries"):
        name = file.name.removesuffix(".sql")
        if name in found:
            raise ProfdbError(f"queries/: two files are called {file.name}; rename one")
        found[name] = _text(file)
    return found


def digest(folder: Traversable) -> str:
    """Tell whether any file below a folder has changed, come or gone."""
    state = hashlib.sha256()
    for path, file in sorted(_below(folder), key=lambda item: item[0]):
        for part in (path, _text(file)):
            state.update(f"{len(part)}:{part}".encode())
    return state.hexdigest()


def _migration(file: Traversable) -> Migration:
    match = _MIGRATION.fullmatch(file.name)
    if not match:
        raise ProfdbError(f"schema/{file.name}: call it NNNN_name.sql, such as 0002_contexts.sql")
    return Migration(int(match[1]), match[2], _text(file))


def _view(file: Traversable) -> ViewFile:
    match = _VIEW.fullmatch(file.name)
    if not match:
        raise ProfdbError(f"views/{file.name}: call it NAME_vN.sql, such as kernel_time_v1.sql")
    return ViewFile(match[1], int(match[2]), _text(file))


def _sql_files(folder: Traversable) -> Iterator[Traversable]:
    return (file for path, file in _below(folder) if path.endswith(".sql"))


def _below(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Traversable]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith((".sql", ".csv")):
            yield prefix + entry.name, entry


def _text(file: Traversable) -> str:
    # Text mode: a checkout with CRLF line ends must give the same digest.
    return file.read_text(encoding="utf-8")
