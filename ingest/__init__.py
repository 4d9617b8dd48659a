"""Files of profilers in, rows of the warehouse out."""

from .labels import Naming
from .progress import watcher
from .run import Summary, ingest, plan
from .source import Options

__all__ = ["Naming", "Options", "Summary", "ingest", "plan", "watcher"]
