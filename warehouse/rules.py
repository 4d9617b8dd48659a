"""The rules that give kernels their family, resolved once per name, never per row."""

import csv
from importlib.resources.abc import Traversable

import duckdb

from .sqlfiles import digest, statement
from .state import get_meta, set_meta, transaction

_KEY = "rules"

# Up to so many kernel names, trying all rules in one statement is quicker than one after the other.
_FEW = 20


def refresh(con: duckdb.DuckDBPyConnection, sql: Traversable) -> None:
    """Load the rules of sql/rules and name every stored kernel anew, if they have changed.

    The rules of users stay, before the shipped ones.
    """
    if not (sql / "rules").is_dir():
        return
    now = digest(sql / "rules")
    if get_meta(con, _KEY) == now:
        return
    with transaction(con):
        con.execute(statement("rules_clear"))
        _fill(con, sql, "families", "rules_add_family")
        _fill(con, sql, "served_kinds", "rules_add_served_kind")
        _fill(con, sql, "token_tensors", "rules_add_token_tensor")
        con.execute(statement("rules_put_users"))
        if _take_stored(con):
            _name_stably(con, sql)
            _name_stored(con)
        set_meta(con, _KEY, now)


def renew(con: duckdb.DuckDBPyConnection) -> None:
    """Put the table user_rules before the shipped rules and name every stored kernel anew."""
    con.execute(statement("rules_put_users"))
    if _take_stored(con):
        _name_stored(con)


def add_kernels(con: duckdb.DuckDBPyConnection, sql: Traversable) -> None:
    """Name the kernels of the temporary table new_kernels and add them to kernel_names."""
    _name_stably(con, sql)
    _find_families(con)
    con.execute(statement("rules_add_kernels"))


def name_kernels(con: duckdb.DuckDBPyConnection, sql: Traversable) -> None:
    """Give the kernels of the temporary table new_kernels their stable names only."""
    _name_stably(con, sql)


def _take_stored(con: duckdb.DuckDBPyConnection) -> bool:
    con.execute(statement("rules_all_kernels"))
    ((stored,),) = con.execute(statement("rules_count_kernels")).fetchall()
    return bool(stored)


def _name_stored(con: duckdb.DuckDBPyConnection) -> None:
    _find_families(con)
    con.execute(statement("rules_update_kernels"))


def _name_stably(con: duckdb.DuckDBPyConnection, sql: Traversable) -> None:
    con.execute(statement("rules_stable_start"))
    stable = [(r["pattern"], r["replacement"]) for r in _rows(sql, "stable_names")]
    con.executemany(statement("rules_stable_name"), stable)


def _find_families(con: duckdb.DuckDBPyConnection) -> None:
    ((names,),) = con.execute(statement("rules_count_kernels")).fetchall()
    if names <= _FEW:
        con.execute(statement("rules_family_few"))
        return
    # One statement per rule: its pattern is then compiled once, not once per kernel name.
    rules = con.execute(statement("rules_in_order")).fetchall()
    con.executemany(statement("rules_family"), rules)


def _fill(con: duckdb.DuckDBPyConnection, sql: Traversable, file: str, insert: str) -> None:
    # Column by column: one statement for all rows.
    columns = zip(*(row.values() for row in _rows(sql, file)), strict=True)
    con.execute(statement(insert), [list(column) for column in columns])


def _rows(sql: Traversable, name: str) -> list[dict[str, str]]:
    text = (sql / "rules" / f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
