"""Each room imports only what stands below it, and owns its libraries alone."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "closure": {"errors"},
    "demo": {"errors"},
    "judgement": {"errors"},
    "warehouse": {"errors"},
    "ingest": {"errors", "warehouse"},
    "reports": {"closure", "errors", "judgement", "warehouse"},
    "commands": {"closure", "demo", "errors", "exits", "ingest", "reports", "warehouse"},
}
OWNERS = {
    "babel": ("reports",),
    "click": ("cli.py", "commands", "exits.py"),
    "ijson": ("ingest",),
    "jinja2": ("reports",),
    "markdown_it": ("reports",),
    "msgspec": ("ingest", "reports"),
    "sqlglot": ("warehouse",),
    "sqlite3": ("ingest",),
    "tqdm": ("ingest",),
}


def sources() -> list[Path]:
    """Every module of the package."""
    top = [file for file in ROOT.glob("*.py") if file.name != "setup.py"]
    return top + [file for room in MAY_IMPORT for file in (ROOT / room).rglob("*.py")]


def arrows(text: str, depth: int) -> set[str]:
    """The rooms and top modules that relative imports of a module in a room reach."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level == depth + 1:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {name.split(".")[0] for name in names}
    return found


def libraries(text: str) -> set[str]:
    """The top names of absolute imports."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.split(".")[0])
    return found


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_arrows_point_down(room: str) -> None:
    for file in (ROOT / room).rglob("*.py"):
        reached = arrows(file.read_text(), len(file.relative_to(ROOT).parts) - 1)
        assert reached <= MAY_IMPORT[room], f"{file.name} may reach only {MAY_IMPORT[room]}"


def test_a_planted_bad_arrow_is_seen() -> None:
    assert arrows("from ..reports import tables", 1) == {"reports"}


@pytest.mark.parametrize("file", sources(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_libraries_have_one_owner(file: Path) -> None:
    room = file.relative_to(ROOT).parts[0]
    for library in libraries(file.read_text()) & OWNERS.keys():
        assert room in OWNERS[library], f"{library} belongs to {OWNERS[library]}"


def test_duckdb_is_opened_in_the_warehouse_only() -> None:
    for file in sources():
        if file.relative_to(ROOT).parts[0] != "warehouse":
            assert "duckdb.connect" not in file.read_text(), file


@pytest.mark.parametrize("file", sources(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_no_query_stands_in_python(file: Path) -> None:
    texts = [
        node.value
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    assert not [text for text in texts if re.search(r"\bSELECT\s", text)]


@pytest.mark.parametrize("file", sources(), ids=lambda file: file.relative_to(ROOT).as_posix())
def test_files_and_functions_stay_small(file: Path) -> None:
    text = file.read_text()
    assert len(text.splitlines()) <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            assert node.end_lineno - node.lineno < 60, f"{file.name}: {node.name}"


def test_every_package_is_listed() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    inits = [file for room in MAY_IMPORT for file in (ROOT / room).rglob("__init__.py")]
    rooms = {".".join(file.parent.relative_to(ROOT).parts) for file in inits}
    assert set(config["packages"]) == {"profdb"} | {f"profdb.{room}" for room in rooms}


def test_sql_is_data() -> None:
    assert not list((ROOT / "sql").rglob("*.py"))
