"""Options and small manners that commands share."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import ProfdbError
from ..reports import FORMATS, LANGUAGES
from ..reports.tables import rows_as
from ..warehouse import Warehouse, check_readable

Option = Callable[[Callable[..., None]], Callable[..., None]]

db_option = click.option(
    "--db",
    type=click.Path(path_type=Path, readable=False),
    envvar="PROFDB",
    default="profdb.duckdb",
    show_default=True,
    help="The warehouse file; $PROFDB sets another default.",
)
path_type = click.Path(path_type=Path, readable=False)


def fractions(
    ctx: click.Context, param: click.Parameter, values: Sequence[str]
) -> dict[str, float]:
    """Read FAMILY=FRACTION, such as LLMM1=0.1."""
    found = {}
    for value in values:
        name, _, number = value.rpartition("=")
        try:
            found[name] = float(number if name else "none")
        except ValueError:
            raise click.BadParameter(f"{value!r} is no FAMILY=FRACTION, such as gemm=0.1") from None
    return found


def counts(ctx: click.Context, param: click.Parameter, values: Sequence[str]) -> dict[str, int]:
    """Read PATTERN=N, such as LLMM1=176; a pattern may hold other equals signs."""
    found = {}
    for value in values:
        pattern, _, number = value.rpartition("=")
        if not (pattern and number.isdecimal() and len(number) < 10):
            raise click.BadParameter(f"{value!r} is no PATTERN=N, such as LLMM1=176")
        found[pattern] = int(number)
    return found


def least_change(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Read regressed or regressed:PERCENT, such as regressed:5; gives a fraction of 1."""
    if value is None:
        return None
    word, _, number = value.partition(":")
    try:
        percent = float(number.removesuffix("%") if value != word else 0)
    except ValueError:
        percent = math.nan
    if word != "regressed" or not 0 <= percent < math.inf:
        raise click.BadParameter(f"{value!r} is no regressed[:PERCENT], such as regressed:5")
    return percent / 100


def writing(db: Path) -> Warehouse:
    """An existing warehouse, open for writing: only an ingest makes a file."""
    check_readable(db)
    return Warehouse.open(db, write=True)


def print_dicts(rows: list[dict[str, Any]], empty: str) -> None:
    """Print rows as a table, or the sentence that there are none."""
    if not rows:
        click.echo(empty)
        return
    click.echo(rows_as("table", list(rows[0]), [list(row.values()) for row in rows]))


def write_page(text: str, output: Path | None) -> None:
    """Print a page, or write it to a file."""
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ProfdbError(f"cannot write {output}: {error.strerror}") from error


def together(*options: Option) -> Option:
    """Several options as one decorator, in the order in which --help lists them."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


lang_option = click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    envvar="PROFDB_LANG",
    default=LANGUAGES[0],
    show_default=True,
    help="Language of the sentences; $PROFDB_LANG sets another default.",
)
report_options = together(
    click.option("--rank", type=int, help="Only this rank."),
    click.option("--phase", help="Only this phase, such as prefill or decode."),
    click.option(
        "--format",
        "form",
        metavar="|".join(FORMATS),
        help="Markdown, one HTML file with charts, or a JSON document.  [default: by the suffix of"
        f" the file, else {FORMATS[0]}]",
    ),
    click.option("-o", "--output", type=path_type, help="Write to this file."),
    click.option("--sql/--no-sql", default=True, help="End with the statements of every figure."),
    lang_option,
    db_option,
)
"""The options that every report takes."""
