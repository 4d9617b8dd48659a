"""profdb verify."""

from pathlib import Path

import click

from ..exits import fail
from ..reports.summary import verify_summary
from ..reports.verify import read_document
from ..reports.verify import verify as verify_report
from ..warehouse import Warehouse
from .options import db_option, path_type


@click.command()
@click.argument("report", type=path_type)
@db_option
def verify(report: Path, db: Path) -> None:
    """Ask a report written with --format json again; status 3 where a figure no longer holds."""
    stored = read_document(report)
    with Warehouse.open(db) as warehouse:
        verified = verify_report(warehouse, stored)
    click.echo(verify_summary(verified), nl=False)
    differing = len(verified.profiles) + len(verified.differing)
    if differing:
        what = (
            "figure of the report no longer holds"
            if differing == 1
            else ("figures of the report no longer hold")
        )
        fail(f"{differing} {what} (of {verified.figures} compared)", status=3)
