"""profdb runs: what is stored, and what a user declares of it."""

from pathlib import Path

import click

from .. import ingest as ingesting
from .. import reports
from ..errors import ProfdbError
from ..reports.tables import rows_as
from ..warehouse import Warehouse, declare
from .options import db_option, print_dicts, writing


@click.group()
def runs() -> None:
    """The runs that are stored."""


@runs.command("list")
@db_option
def list_runs(db: Path) -> None:
    """List the runs with their profiles and device time."""
    with Warehouse.open(db) as warehouse:
        print_dicts(warehouse.query("list_runs"), "no runs yet: profdb ingest RUN_DIR adds one")


@runs.command("show")
@click.argument("run")
@db_option
def show_run(run: str, db: Path) -> None:
    """Show the profiles and the declared facts of a run."""
    with Warehouse.open(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        for profile in warehouse.query("run_profiles", label=label):
            click.echo(rows_as("table", ("profile of", label), list(profile.items())))
        print_dicts(warehouse.query("run_declared", label=label), "no declared facts")


@runs.command("rename")
@click.argument("run")
@click.argument("new")
@db_option
def rename_run(run: str, new: str, db: Path) -> None:
    """Give a run another label."""
    with writing(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        ingesting.check_label(new)
        if new == label:
            raise ProfdbError(f"run {label!r} is called so already")
        if any(row["label"] == new for row in warehouse.query("run_labels")):
            raise ProfdbError(f"run {new!r} exists already; take another name, or remove it first")
        warehouse.query("rename_run", label=label, new=new)
        click.echo(f"{label} is now {new}")


@runs.command("rm")
@click.argument("run")
@db_option
def remove_run(run: str, db: Path) -> None:
    """Remove a run, by its full label, and all that was stored of it."""
    with writing(db) as warehouse:
        if (label := reports.resolve_run(warehouse, run)) != run:
            raise ProfdbError(f"to remove run {label!r}, give its whole label")
        with warehouse.transaction():
            for step in (
                "mark_doomed",
                "delete_doomed",
                "delete_facts",
                "delete_maps",
                "delete_all_readings",
                "delete_run",
            ):
                warehouse.query(step, label=run)
        click.echo(f"removed {run}")


@runs.command("set")
@click.argument("run")
@click.argument("facts", nargs=-1, required=True, metavar="KEY=VALUE...")
@db_option
def set_facts(run: str, facts: tuple[str, ...], db: Path) -> None:
    """Record facts of a run, such as image=… input_len=3500 concurrency=8; KEY= forgets one.

    rank=N also gives the run's only profile its rank, where the profiler told none.
    """
    pairs = [fact.partition("=") for fact in facts]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise click.UsageError(f"{key!r} is no KEY=VALUE")
    with writing(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        declare(warehouse, label, {key: value for key, _, value in pairs})
        print_dicts(warehouse.query("run_declared", label=label), "no declared facts")


@runs.command("upgrade")
@db_option
def upgrade(db: Path) -> None:
    """Bring a warehouse of an older profdb up to date."""
    with writing(db) as warehouse:
        click.echo(warehouse.upgraded or f"{db} is up to date")
