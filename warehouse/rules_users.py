"""Family rules of users in the warehouse: they come before the shipped ones, and apply at once."""

import os
from dataclasses import dataclass
from pathlib import Path

import duckdb

from ..errors import ProfdbError
from . import rules
from .connect import Warehouse
from .messages import in_one_line, readable_errors
from .rules_file import UserRule, read_rules
from .sqlfiles import statement


@dataclass(frozen=True)
class Added:
    """What became of the rules of a file: added, or known already from some file."""

    source: str
    added: list[UserRule]
    known: list[tuple[UserRule, str]]


def add(warehouse: Warehouse, path: Path) -> Added:
    """Add the rules of a file behind those of earlier files, and name all kernels anew."""
    found = read_rules(path)
    for number, rule in enumerate(found, start=1):
        _check_pattern(warehouse.con, f"{path}: rule {number}", rule.pattern)
    source = _source(path)
    with warehouse.transaction() as con, readable_errors(f"the rules of {path}"):
        result = _told_apart(source, found, _stored(con))
        if result.added:
            rows = [(*_columns(rule), source) for rule in result.added]
            con.executemany(statement("rules_user_add"), rows)
            rules.renew(con)
    return result


def remove(warehouse: Warehouse, path: Path | None) -> int:
    """Remove the rules of a file, or all of users where none is given; tell how many."""
    with warehouse.transaction() as con, readable_errors("the rules of users"):
        sources = [source for _, source in _stored(con)]
        chosen = set(sources) if path is None else {_chosen(path, sources)}
        for source in chosen:
            con.execute(statement("rules_user_remove"), [source])
        rules.renew(con)
    return sum(source in chosen for source in sources)


def _chosen(path: Path, sources: list[str]) -> str:
    for name in (str(path), _source(path)):
        if name in sources:
            return name
    there = ", ".join(dict.fromkeys(sources)) or "none of users"
    raise ProfdbError(f"no rules of {path}; the warehouse has those of: {there}")


def _told_apart(source: str, found: list[UserRule], stored: list[tuple[UserRule, str]]) -> Added:
    result = Added(source, [], [])
    by_question = {rule.question: (rule, origin) for rule, origin in stored}
    for rule in found:
        before, origin = by_question.setdefault(rule.question, (rule, ""))
        if not origin:
            by_question[rule.question] = (rule, source)
            result.added.append(rule)
        elif before == rule:
            result.known.append((rule, origin))
        else:
            raise _never_wins(rule, before, origin)
    return result


def _never_wins(rule: UserRule, before: UserRule, origin: str) -> ProfdbError:
    return ProfdbError(
        f"pattern {rule.pattern!r} gives {before.family}, {before.implementation} by {origin},"
        f" before {rule.family}, {rule.implementation} could be given; keep one of the two"
        f" (profdb families rm {origin} removes what is stored)"
    )


def _check_pattern(con: duckdb.DuckDBPyConnection, where: str, pattern: str) -> None:
    try:
        con.execute(statement("rules_check_pattern"), {"pattern": pattern}).fetchall()
    except duckdb.Error as error:
        raise ProfdbError(
            f"{where}: pattern {pattern!r} is no RE2 expression: {in_one_line(error)};"
            " mend it, nothing was added"
        ) from error


def _stored(con: duckdb.DuckDBPyConnection) -> list[tuple[UserRule, str]]:
    rows = con.execute(statement("rules_user_all")).fetchall()
    return [(UserRule(*columns), source) for *columns, source in rows]


def _columns(rule: UserRule) -> tuple[str, ...]:
    return rule.platform, rule.applies_to, rule.pattern, rule.family, rule.implementation


def _source(path: Path) -> str:
    return os.fsencode(path.resolve()).decode("utf-8", "replace")
