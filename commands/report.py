"""profdb report."""

from pathlib import Path
from typing import Any

import click

from .. import reports
from ..warehouse import Warehouse
from .options import report_options, write_page


@click.group()
def report() -> None:
    """Reports on stored runs."""


@report.command("budget")
@click.option("--run", required=True, help="Label of the run, or a word of it.")
@report_options
def budget(run: str, db: Path, output: Path | None, form: str, **choice: Any) -> None:
    """Where the device time of one run goes: prefill (TTFT), decode (TPOT), and the rest."""
    with Warehouse.open(db) as warehouse:
        write_page(reports.render_budget(warehouse, run, format=form, **choice), output)


@report.command("regression")
@click.option("--base", required=True, help="Label of the run to compare with, or a word of it.")
@click.option("--cand", required=True, help="Label of the run under test, or a word of it.")
@report_options
def regression(
    base: str, cand: str, db: Path, output: Path | None, form: str, **choice: Any
) -> None:
    """What a candidate build lost against a base, operator by operator and shape by shape."""
    with Warehouse.open(db) as warehouse:
        write_page(reports.render_regression(warehouse, base, cand, format=form, **choice), output)
