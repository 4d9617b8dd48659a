"""The warehouse room: the only one that knows DuckDB and sqlglot."""

from .catalogue import View
from .connect import Warehouse
from .facts import declare, require_model
from .messages import readable_errors
from .paths import check_readable

__all__ = [
    "View",
    "Warehouse",
    "check_readable",
    "declare",
    "readable_errors",
    "require_model",
]
