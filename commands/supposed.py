"""A model of a report: a stored one by its name, or one read from a file for that page only."""

from pathlib import Path

from ..ingest.models import read_spec, spec_rows
from ..warehouse import Warehouse

_FREE = -1
"""A number that no stored model has."""


def supposed_model(warehouse: Warehouse, word: str) -> str:
    """Give the name of the model that the word means; nothing is stored."""
    names = {row["name"] for row in warehouse.query("model_names")}
    if word in names or not Path(word).is_file():
        return word
    rows = spec_rows(read_spec(Path(word)), _FREE)
    (model,) = rows["models"]
    if model["name"] in names:
        model["name"] = word
    for table, content in rows.items():
        warehouse.suppose(table, content)
    return str(model["name"])
