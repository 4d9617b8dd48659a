"""profdb check."""

from pathlib import Path

import click

from ..exits import fail
from ..reports.check import check_run
from ..warehouse import Warehouse
from .options import db_option, lang_option


@click.command()
@click.argument("run")
@click.option("--rank", type=int, help="Only this rank.")
@click.option("--all", "everything", is_flag=True, help="List the figures that agree too.")
@lang_option
@db_option
def check(run: str, rank: int | None, everything: bool, lang: str, db: Path) -> None:
    """Compare a run's launches with the sums of its vendor's files; status 3 where they differ."""
    with Warehouse.open(db) as warehouse:
        checked = check_run(warehouse, run, rank, everything, lang)
    click.echo(checked.text, nl=False)
    if checked.differing:
        what = "figure differs" if checked.differing == 1 else "figures differ"
        fail(f"{checked.differing} {what} from the vendor's in run {checked.label!r}", status=3)
