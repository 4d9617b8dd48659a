"""The command line, one module per group of commands: words typed, one call, one text printed."""

from .check import check
from .demo import demo
from .families import families
from .ingest import ingest
from .maps import model
from .query import sql, views
from .report import report
from .runs import runs
from .verify import verify

COMMANDS = (ingest, runs, model, families, sql, views, report, verify, check, demo)
