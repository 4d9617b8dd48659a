"""profdb sql and profdb views."""

from pathlib import Path

import click

from ..reports.tables import FORMATS, rows_as
from ..warehouse import Warehouse, readable_errors
from .options import db_option


@click.command(context_settings={"ignore_unknown_options": True})  # SQL may begin with a comment
@click.argument("query")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@db_option
def sql(query: str, form: str, db: Path) -> None:
    """Ask in SQL; views are listed by `profdb views list`, their columns by FROM dictionary."""
    with Warehouse.open(db) as warehouse, readable_errors("profdb sql"):
        relation = warehouse.sql(query)
        # As it is: click would take what looks like colours out of names.
        click.echo(rows_as(form, relation.columns, relation.fetchall()), color=True)


@click.group()
def views() -> None:
    """The SQL views of the warehouse."""


@views.command("list")
@db_option
def list_views(db: Path) -> None:
    """List the views with what a row of each is."""
    with Warehouse.open(db) as warehouse:
        rows = [(view.name, view.version, view.comment) for view in warehouse.views()]
        click.echo(rows_as("table", ("view", "version", "comment"), rows))


@views.command("show")
@click.argument("name")
@db_option
def show_view(name: str, db: Path) -> None:
    """Print the SQL of a view."""
    with Warehouse.open(db) as warehouse:
        click.echo(warehouse.show(name))
