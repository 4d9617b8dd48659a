"""The generated parts of README.md; `python -m tests.readme` writes them."""

import re
import tempfile
from pathlib import Path

import click

from profdb.cli import main
from profdb.warehouse import Warehouse

README = Path(__file__).parents[1] / "README.md"


def views_table() -> str:
    """The public views with their comments."""
    with tempfile.TemporaryDirectory() as folder:
        with Warehouse.open(Path(folder, "empty.duckdb"), write=True) as warehouse:
            rows = [f"| `{view.name}` | {view.comment} |" for view in warehouse.views()]
    return "\n".join(["| view | a row is |", "| --- | --- |", *rows])


def commands() -> str:
    """Every command with the first line of its help."""
    rows = [f"| `profdb {name}` | {text} |" for name, text in _commands(main, "")]
    return "\n".join(["| command | what it does |", "| --- | --- |", *rows])


def _commands(group: click.Group, prefix: str) -> list[tuple[str, str]]:
    found = []
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found += _commands(command, f"{prefix}{name} ")
        else:
            found.append((prefix + name, command.get_short_help_str(limit=200)))
    return found


def generated(text: str) -> str:
    """The README with its generated parts as they should be."""
    for mark, part in (("views", views_table()), ("help", commands())):
        pattern = rf"(<!-- {mark} -->\n).*?(<!-- /{mark} -->)"
        text = re.sub(pattern, lambda m, part=part: f"{m[1]}{part}\n{m[2]}", text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    README.write_text(generated(README.read_text(encoding="utf-8")), encoding="utf-8")
