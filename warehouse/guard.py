"""The guard of ad-hoc SQL: says in words what the read-only connection would refuse anyway."""

import logging
import re

import duckdb
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from ..errors import ProfdbError
from .messages import in_one_line

# What it cannot parse is judged here; its own warnings would be a second line of an error.
logging.getLogger("sqlglot").setLevel(logging.ERROR)

_COMMENTS = r"(?:\s|--[^\n]*(?:\n|$)|/\*.*?\*/)*"
_FIRST_WORD = re.compile(_COMMENTS + r"([a-z_]+)", re.I | re.S)
_EXPLAIN = re.compile(
    _COMMENTS + r"explain\b(?:\s+analyze\b)?(?:\s*\(\s*(?:format|analyze)\b[^()]*\))?",
    re.I | re.S,
)

# Table functions that stay inside the warehouse.
_TABLE_FUNCTIONS = re.compile(
    r"range|generate_series|unnest|repeat|repeat_row|json_each|json_tree|summary|show_tables"
    r"|(?:duckdb|pragma)_\w+"
)
# Functions that reach the machine, or run SQL that nobody has looked at.
_FUNCTIONS = re.compile(
    r"getenv|query|query_table|sniff_csv|which_secret|json_execute_serialized_sql|setseed|nextval"
    r"|duckdb_secrets|duckdb_logs|duckdb_external\w*|pragma_user_agent"
    r"|read_\w+|write_\w+|\w+_scan|parquet_\w+"
)
_WRITES = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Into, exp.Copy)
_FILE = re.compile(r"[/\\*]|\.(?:csv|tsv|txt|json|jsonl|ndjson|parquet|db|duckdb|gz|zst)$", re.I)

_WAYS_OUT = {
    "COPY": "to keep rows, save the output of profdb sql",
    "EXPORT": "copy the warehouse file itself",
    "ATTACH": "one warehouse at a time; --db names another",
    "INSTALL": "extensions are never loaded",
    "LOAD": "extensions are never loaded",
    "SET": "settings are locked",
    "PRAGMA": "use SHOW, DESCRIBE or FROM duckdb_settings()",
    "CALL": "write FROM instead of CALL",
}
_ELSE = "use SELECT, FROM, WITH, VALUES, DESCRIBE, SHOW, SUMMARIZE or EXPLAIN"
_NO_FILES = "only profdb ingest reads files"


def check(text: str, given: bool = False) -> None:
    """Refuse SQL that is not one reading statement, and say what is wrong with it.

    Parameters in it are refused unless their values are `given`.
    """
    if explain := _EXPLAIN.match(text):
        text = text[explain.end() :]
    statement = _one_statement(text)
    if statement.type not in (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI):
        word = _word(text, statement)
        raise _refused(word, _WAYS_OUT.get(word, _ELSE))
    if statement.named_parameters and not given:
        names = ", ".join(sorted(statement.named_parameters))
        raise _refused(f"the parameter {names}", "write the value")
    _check_tree(text, statement)


def _one_statement(text: str) -> duckdb.Statement:
    try:
        statements = duckdb.extract_statements(text)
    except duckdb.Error as error:
        raise ProfdbError(f"profdb sql: {in_one_line(error)}") from error
    if len(statements) != 1:
        count = len(statements) or "no"
        raise ProfdbError(f"profdb sql takes one statement, here are {count}; give just one")
    return statements[0]


def _word(text: str, statement: duckdb.Statement) -> str:
    match = _FIRST_WORD.match(text)
    word = match[1].upper() if match else ""
    return statement.type.name if word in ("", "WITH", "FROM") else word


def _check_tree(text: str, statement: duckdb.Statement) -> None:
    try:
        tree = sqlglot.parse_one(text, read="duckdb")
    except SqlglotError:
        # DuckDB knows newer syntax than sqlglot; what it takes for a query is left to the wall.
        if statement.type == duckdb.StatementType.SELECT:
            return
        raise _refused("this statement", _ELSE) from None
    for node in tree.walk():
        _check_node(node)


def _check_node(node: exp.Expr) -> None:
    if isinstance(node, _WRITES):
        raise _refused(node.key.upper(), _ELSE)
    if isinstance(node, (exp.ReadCSV, exp.ReadParquet)):
        raise _refused(f"{node.sql_name().lower()}()", _NO_FILES)
    if isinstance(node, exp.Anonymous) and _FUNCTIONS.fullmatch(node.name.lower()):
        raise _refused(f"{node.name}()", "it reaches outside the warehouse")
    if isinstance(node, exp.Table):
        _check_table(node)
    if isinstance(node, (exp.Summarize, exp.Describe)) and isinstance(node.this, exp.Literal):
        raise _refused(f"the file '{node.this.name}'", _NO_FILES)


def _check_table(table: exp.Table) -> None:
    source = table.this
    if isinstance(source, exp.Anonymous):
        if not _TABLE_FUNCTIONS.fullmatch(source.name.lower()):
            raise _refused(f"{source.name}()", "it may reach outside the warehouse")
    elif isinstance(source, exp.Identifier) and source.quoted and _FILE.search(source.name):
        raise _refused(f"the file '{source.name}'", _NO_FILES)


def _refused(what: str, way_out: str) -> ProfdbError:
    return ProfdbError(f"profdb sql only reads: {what} is refused ({way_out})")
