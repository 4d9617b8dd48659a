"""The command line: words typed, one call, one text printed."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from . import ingest as ingesting
from . import reports
from .demo import load_figures, write_demo
from .demo.figures import Figures
from .errors import ProfdbError
from .exits import OneLineErrors, fail
from .reports.summary import dry_run, ingest_summary
from .reports.tables import FORMATS, rows_as
from .warehouse import Warehouse, check_readable, declare, readable_errors

_db = click.option(
    "--db",
    type=click.Path(path_type=Path, readable=False),
    envvar="PROFDB",
    default="profdb.duckdb",
    show_default=True,
    help="The warehouse file; $PROFDB sets another default.",
)
_path = click.Path(path_type=Path, readable=False)


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="profdb")
@click.option("-v", "--verbose", is_flag=True, help="List all that is skipped.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors and what was asked for.")
@click.pass_context
def main(ctx: click.Context, verbose: bool, quiet: bool) -> None:
    """Store what profilers of LLM inference left behind, and ask it in SQL."""
    ctx.obj = {"verbose": verbose, "quiet": quiet}


@main.command()
@click.argument("paths", nargs=-1, required=True, type=_path)
@click.option("--label", help="Name of the run; all profiles below the paths become this one run.")
@click.option("--add", metavar="LABEL", help="Add the profiles to this stored run.")
@click.option("--replace", is_flag=True, help="Put the profiles in the place of what is stored.")
@click.option("--python", is_flag=True, help="Store the frames of Python functions too.")
@click.option("--dry-run", "only_look", is_flag=True, help="Only say what would be stored.")
@_db
@click.pass_context
def ingest(
    ctx: click.Context,
    paths: tuple[Path, ...],
    label: str | None,
    add: str | None,
    replace: bool,
    python: bool,
    only_look: bool,
    db: Path,
) -> None:
    """Store the profiles below files or folders, a folder as one run of its name."""
    if add is not None and (label is not None or replace):
        raise click.UsageError("--add LABEL goes with neither --label nor --replace")
    # Before a file is made: nothing to ingest makes no warehouse.
    plan = ingesting.plan(paths, ingesting.Naming(label, add, replace))
    if only_look:
        click.echo(dry_run(plan.runs, plan.skipped), nl=False)
        return
    watch = None if ctx.obj["quiet"] else ingesting.watcher()
    with Warehouse.open(db, write=True) as warehouse:
        _say_upgraded(warehouse)
        summary = ingesting.ingest(warehouse, plan, ingesting.Options(python=python), watch)
        if not ctx.obj["quiet"]:
            text = ingest_summary(
                warehouse,
                summary.outcomes,
                summary.skipped,
                summary.labels,
                summary.joined,
                ctx.obj["verbose"],
            )
            click.echo(text, nl=False)
    if summary.failed:
        fail(f"{len(summary.failed)} of {len(summary.outcomes)} profiles could not be stored")


def _say_upgraded(warehouse: Warehouse) -> None:
    if warehouse.upgraded:
        click.echo(warehouse.upgraded, err=True)


@main.group()
def runs() -> None:
    """The runs that are stored."""


@runs.command("list")
@_db
def list_runs(db: Path) -> None:
    """List the runs with their profiles and device time."""
    with Warehouse.open(db) as warehouse:
        _print_dicts(warehouse.query("list_runs"), "no runs yet: profdb ingest RUN_DIR adds one")


@runs.command("show")
@click.argument("run")
@_db
def show_run(run: str, db: Path) -> None:
    """Show the profiles and the declared facts of a run."""
    with Warehouse.open(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        for profile in warehouse.query("run_profiles", label=label):
            click.echo(rows_as("table", ("profile of", label), list(profile.items())))
        _print_dicts(warehouse.query("run_declared", label=label), "no declared facts")


@runs.command("rename")
@click.argument("run")
@click.argument("new")
@_db
def rename_run(run: str, new: str, db: Path) -> None:
    """Give a run another label."""
    with _writing(db) as warehouse:
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
@_db
def remove_run(run: str, db: Path) -> None:
    """Remove a run, by its full label, and all that was stored of it."""
    with _writing(db) as warehouse:
        if (label := reports.resolve_run(warehouse, run)) != run:
            raise ProfdbError(f"to remove run {label!r}, give its whole label")
        with warehouse.transaction():
            for step in ("mark_doomed", "delete_doomed", "delete_facts", "delete_run"):
                warehouse.query(step, label=run)
        click.echo(f"removed {run}")


@runs.command("set")
@click.argument("run")
@click.argument("facts", nargs=-1, required=True, metavar="KEY=VALUE...")
@_db
def set_facts(run: str, facts: tuple[str, ...], db: Path) -> None:
    """Record facts of a run, such as image=… input_len=3500 concurrency=8; KEY= forgets one.

    rank=N also gives the run's only profile its rank, where the profiler told none.
    """
    pairs = [fact.partition("=") for fact in facts]
    for key, equals, _ in pairs:
        if not (key and equals):
            raise click.UsageError(f"{key!r} is no KEY=VALUE")
    with _writing(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        declare(warehouse, label, {key: value for key, _, value in pairs})
        _print_dicts(warehouse.query("run_declared", label=label), "no declared facts")


@runs.command("upgrade")
@_db
def upgrade(db: Path) -> None:
    """Bring a warehouse of an older profdb up to date."""
    with _writing(db) as warehouse:
        click.echo(warehouse.upgraded or f"{db} is up to date")


def _writing(db: Path) -> Warehouse:
    """An existing warehouse, open for writing: only an ingest makes a file."""
    check_readable(db)
    return Warehouse.open(db, write=True)


@main.command()
@click.argument("query")
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@_db
def sql(query: str, form: str, db: Path) -> None:
    """Ask in SQL; views are listed by `profdb views list`, their columns by FROM dictionary."""
    with Warehouse.open(db) as warehouse, readable_errors("profdb sql"):
        relation = warehouse.sql(query)
        # As it is: click would take what looks like colours out of names.
        click.echo(rows_as(form, relation.columns, relation.fetchall()), color=True)


@main.group()
def views() -> None:
    """The SQL views of the warehouse."""


@views.command("list")
@_db
def list_views(db: Path) -> None:
    """List the views with what a row of each is."""
    with Warehouse.open(db) as warehouse:
        rows = [(view.name, view.version, view.comment) for view in warehouse.views()]
        click.echo(rows_as("table", ("view", "version", "comment"), rows))


@views.command("show")
@click.argument("name")
@_db
def show_view(name: str, db: Path) -> None:
    """Print the SQL of a view."""
    with Warehouse.open(db) as warehouse:
        click.echo(warehouse.show(name))


@main.group()
def report() -> None:
    """Reports on stored runs."""


def _report_options(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.option("--rank", type=int, help="Only this rank."),
        click.option("--phase", help="Only this phase, such as prefill or decode."),
        click.option("--format", "form", default="md", show_default=True, help="Form of the page."),
        click.option("-o", "--output", type=_path, help="Write to this file."),
        click.option(
            "--sql/--no-sql", default=True, help="End with the statements of every figure."
        ),
        _db,
    )
    for option in reversed(options):
        command = option(command)
    return command


@report.command("budget")
@click.option("--run", required=True, help="Label of the run, or a word of it.")
@_report_options
def budget(run: str, db: Path, output: Path | None, form: str, **choice: Any) -> None:
    """Where the device time of one run goes: prefill (TTFT), decode (TPOT), and the rest."""
    with Warehouse.open(db) as warehouse:
        _write(reports.render_budget(warehouse, run, format=form, **choice), output)


@report.command("regression")
@click.option("--base", required=True, help="Label of the run to compare with, or a word of it.")
@click.option("--cand", required=True, help="Label of the run under test, or a word of it.")
@_report_options
def regression(
    base: str, cand: str, db: Path, output: Path | None, form: str, **choice: Any
) -> None:
    """What a candidate build lost against a base, operator by operator and shape by shape."""
    with Warehouse.open(db) as warehouse:
        _write(reports.render_regression(warehouse, base, cand, format=form, **choice), output)


@main.command()
@click.argument("directory", type=_path, default="profdb-demo")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the noise.")
@click.option("--rows", type=int, default=60_000, show_default=True, help="Rows of window 1009.")
@click.option("--figures", type=_path, help="TOML file with other figures.")
def demo(directory: Path, seed: int, rows: int, figures: Path | None) -> None:
    """Write three runs as profilers leave them, to try profdb on."""
    numbers = load_figures(figures) if figures else Figures()
    folders = write_demo(directory, numbers, seed, rows)
    click.echo("wrote " + ", ".join(str(folder) for folder in folders))
    click.echo("next: profdb ingest " + shlex.join(str(folder) for folder in folders))


def _write(text: str, output: Path | None) -> None:
    if output is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ProfdbError(f"cannot write {output}: {error.strerror}") from error


def _print_dicts(rows: list[dict[str, Any]], empty: str) -> None:
    if not rows:
        click.echo(empty)
        return
    click.echo(rows_as("table", list(rows[0]), [list(row.values()) for row in rows]))
