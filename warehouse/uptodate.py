"""Whether an open file is a warehouse of this profdb, and how it becomes one."""

import re
from importlib.resources.abc import Traversable
from pathlib import Path

import duckdb

from ..errors import ProfdbError
from . import catalogue, migrate, rules
from .sqlfiles import read_migrations, statement
from .state import objects

# The newest format that the duckdb 1.5 shells read.
STORAGE_VERSION = (1, 5, 0)


def bring_up_to_date(con: duckdb.DuckDBPyConnection, path: Path, sql: Traversable) -> str | None:
    """Apply migrations and views; give a sentence if that changed an existing warehouse."""
    if not migrate.is_warehouse(con):
        if not _is_empty(con):
            raise _foreign(path)
        _refuse_new_format(con, path)
        migrate.bootstrap(con)
    before, after = migrate.apply_pending(con, read_migrations(sql), str(path))
    renewed = not catalogue.is_current(con, sql)
    if renewed:
        catalogue.recreate(con, sql)
    rules.refresh(con, sql)
    if 0 < before < after:
        return f"upgraded {path} from schema {before} to {after}"
    return f"renewed the views of {path}" if before and renewed else None


def check_up_to_date(con: duckdb.DuckDBPyConnection, path: Path, sql: Traversable) -> None:
    """Refuse to read what is no warehouse, or one of another schema or with other views."""
    if not migrate.is_warehouse(con):
        raise _no_warehouse_yet(path) if _is_empty(con) else _foreign(path)
    known = read_migrations(sql)
    schema = migrate.check_applied(con, known, str(path))
    upgrade = f"run: profdb runs upgrade --db {path}"
    if schema < len(known):
        raise ProfdbError(f"{path} has schema {schema}, this profdb needs {len(known)}; {upgrade}")
    if not catalogue.is_current(con, sql):
        made = "were never made: its first ingest was interrupted"
        state = "are of another profdb" if catalogue.has_views(con) else made
        raise ProfdbError(f"the views of {path} {state}; {upgrade}")


def _is_empty(con: duckdb.DuckDBPyConnection) -> bool:
    return not (objects(con, "table") | objects(con, "view"))


def _refuse_new_format(con: duckdb.DuckDBPyConnection, path: Path) -> None:
    ((version,),) = con.execute(statement("storage_version")).fetchall()
    if tuple(int(part) for part in re.findall(r"\d+", version)) > STORAGE_VERSION:
        raise ProfdbError(
            f"{path} is an empty database in the format {version}, which the duckdb"
            " 1.5 shells cannot open; remove it, profdb makes its own"
        )


def _no_warehouse_yet(path: Path) -> ProfdbError:
    return ProfdbError(f"{path} is empty so far (profdb ingest RUN_DIR --db {path} fills it)")


def _foreign(path: Path) -> ProfdbError:
    return ProfdbError(f"{path} is a DuckDB file but no profdb warehouse; give another --db")
