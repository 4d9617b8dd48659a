"""profdb report."""

from pathlib import Path
from typing import Any

import click

from .. import reports
from ..warehouse import Warehouse
from .options import counts, fractions, report_options, write_page
from .supposed import supposed_model


@click.group()
def report() -> None:
    """Reports on stored runs."""


@report.command("budget")
@click.option("--run", required=True, help="Label of the run, or a word of it.")
@click.option(
    "--remove",
    multiple=True,
    callback=fractions,
    metavar="FAMILY=FRACTION",
    help="What if this fraction of a family or implementation went away; may be repeated.",
)
@click.option("--save-us", type=float, help="A saving of so many microseconds …")
@click.option("--times", type=int, default=1, show_default=True, help="… so often in each step.")
@report_options
def budget(
    run: str,
    remove: dict[str, float],
    db: Path,
    output: Path | None,
    form: str,
    **choice: Any,
) -> None:
    """Where the device time of one run goes: prefill (TTFT), decode (TPOT), and the rest."""
    if choice["times"] != 1 and choice["save_us"] is None:
        raise click.UsageError("--times goes with --save-us")
    with Warehouse.open(db) as warehouse:
        page = reports.render_budget(warehouse, run, remove=remove, format=form, **choice)
        write_page(page, output)


@report.command("closure")
@click.option("--run", required=True, help="Label of the run, or a word of it.")
@click.option(
    "--model", required=True, help="Name of a stored model, or a config.json or TOML to read."
)
@click.option(
    "--expect",
    multiple=True,
    callback=counts,
    metavar="PATTERN=N",
    help="Kernels of this name should run N times per step; may be repeated.",
)
@report_options
def closure(
    run: str,
    model: str,
    expect: dict[str, int],
    db: Path,
    output: Path | None,
    form: str,
    **choice: Any,
) -> None:
    """Which launch counts of one run close with a model, and which launches are missing."""
    with Warehouse.open(db) as warehouse:
        name = supposed_model(warehouse, model)
        page = reports.render_closure(warehouse, run, name, expect=expect, format=form, **choice)
        write_page(page, output)


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
