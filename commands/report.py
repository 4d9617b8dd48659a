"""profdb report."""

from pathlib import Path
from typing import Any

import click

from .. import reports
from ..exits import fail
from ..reports.summary import fail_on_summary
from ..warehouse import Warehouse
from .options import counts, fractions, least_change, report_options, write_page
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
    form: str | None,
    **choice: Any,
) -> None:
    """Where the device time of one run goes: prefill (TTFT), decode (TPOT), and the rest."""
    if choice["times"] != 1 and choice["save_us"] is None:
        raise click.UsageError("--times goes with --save-us")
    with Warehouse.open(db) as warehouse:
        page = reports.render_budget(
            warehouse, run, remove=remove, format=reports.format_of(output, form), **choice
        )
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
    form: str | None,
    **choice: Any,
) -> None:
    """Which launch counts of one run close with a model, and which launches are missing."""
    with Warehouse.open(db) as warehouse:
        name = supposed_model(warehouse, model)
        page = reports.render_closure(
            warehouse, run, name, expect=expect, format=reports.format_of(output, form), **choice
        )
        write_page(page, output)


@report.command("regression")
@click.option("--base", required=True, help="Label of the run to compare with, or a word of it.")
@click.option("--cand", required=True, help="Label of the run under test, or a word of it.")
@click.option(
    "--tokens",
    multiple=True,
    metavar="LOW-HIGH",
    help="Pool these token counts, such as 220-222, whatever the rule says; may be repeated.",
)
@click.option(
    "--noise",
    multiple=True,
    metavar="LABEL",
    help="A further run of the base, in which nothing was changed; may be repeated.",
)
@click.option(
    "--fail-on",
    callback=least_change,
    metavar="regressed[:PERCENT]",
    help="End with status 3 where something regressed, by so many percent or more.",
)
@report_options
def regression(
    base: str,
    cand: str,
    fail_on: float | None,
    db: Path,
    output: Path | None,
    form: str | None,
    sql: bool,
    lang: str,
    **choice: Any,
) -> None:
    """What a candidate build lost against a base, operator by operator and shape by shape."""
    form = reports.check_format(reports.format_of(output, form))
    with Warehouse.open(db) as warehouse:
        answer = reports.ask_regression(warehouse, base, cand, charts=form == "html", **choice)
    write_page(reports.write(answer, form, sql, lang), output)
    if fail_on is not None:
        _fail_on(answer, fail_on)


def _fail_on(answer: reports.Answer, least: float) -> None:
    """End with status 3 where something regressed; say so where nothing could be judged."""
    found = reports.regressed(answer, least)
    failed = bool(found["rows"] or found["together"] or found["steps"])
    told = fail_on_summary(found, least, failed)
    if failed:
        fail(told, status=3)
    if not found["judgeable"]:
        click.echo(f"profdb: {told}", err=True)
