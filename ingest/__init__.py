"""Files of profilers in, rows of the warehouse out."""

from .labels import Naming, check_label
from .progress import watcher
from .run import Summary, ingest, plan
from .source import Options

__all__ = ["Naming", "Options", "Summary", "check_label", "ingest", "plan", "watcher"]
