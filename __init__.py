"""profdb: a SQL warehouse of LLM-inference profiling runs."""

# By the whole name: the checkout is the package, and tools that walk folders import this file
# under the name of whatever folder it was cloned into.
from profdb.api import Profdb, open
from profdb.errors import ProfdbError

__all__ = ["Profdb", "ProfdbError", "open"]
