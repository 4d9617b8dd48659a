"""profdb: a SQL warehouse of LLM-inference profiling runs."""

from .api import Profdb, open
from .errors import ProfdbError

__all__ = ["Profdb", "ProfdbError", "open"]
