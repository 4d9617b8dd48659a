"""The command line, one module per group of commands: words typed, one call, one text printed."""

from .demo import demo
from .ingest import ingest
from .query import sql, views
from .report import report
from .runs import runs

COMMANDS = (ingest, runs, sql, views, report, demo)
