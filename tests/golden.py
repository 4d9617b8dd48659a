"""Golden files: whole pages to compare with, rewritten by `pytest --renew`."""

import re
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"
_SQL = re.compile(r"```sql\n.*?\n```", re.DOTALL)


def check(name: str, page: str, renew: bool, warehouse: Path) -> None:
    """Compare a page with its golden file; the statements of its last section are left out."""
    page = _SQL.sub("```sql\n…\n```", page.replace(str(warehouse), "profdb.duckdb"))
    file = FOLDER / name
    if renew:
        file.parent.mkdir(exist_ok=True)
        file.write_text(page, encoding="utf-8")
    assert page == file.read_text(encoding="utf-8"), f"differs from {file}; --renew rewrites it"
