"""profdb ingest."""

from pathlib import Path

import click

from .. import ingest as ingesting
from ..exits import fail
from ..reports.summary import dry_run, ingest_summary
from ..warehouse import Warehouse
from .options import db_option, path_type


@click.command()
@click.argument("paths", nargs=-1, required=True, type=path_type)
@click.option("--label", help="Name of the run; all profiles below the paths become this one run.")
@click.option("--add", metavar="LABEL", help="Add the profiles to this stored run.")
@click.option("--replace", is_flag=True, help="Put the profiles in the place of what is stored.")
@click.option("--python", is_flag=True, help="Store the frames of Python functions too.")
@click.option(
    "--prefer",
    type=click.Choice(["text", "db"]),
    default="text",
    help="Which to read where Ascend's kernel table and its database hold one profile.",
    show_default=True,
)
@click.option(
    "--decode-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Where passes are inferred from kernels: those of at most N tokens are decode.",
)
@click.option("--dry-run", "only_look", is_flag=True, help="Only say what would be stored.")
@db_option
@click.pass_context
def ingest(
    ctx: click.Context,
    paths: tuple[Path, ...],
    label: str | None,
    add: str | None,
    replace: bool,
    python: bool,
    prefer: str,
    decode_tokens: int | None,
    only_look: bool,
    db: Path,
) -> None:
    """Store the profiles below files or folders, a folder as one run of its name."""
    if add is not None and (label is not None or replace):
        raise click.UsageError("--add LABEL goes with neither --label nor --replace")
    # Before a file is made: nothing to ingest makes no warehouse.
    plan = ingesting.plan(paths, ingesting.Naming(label, add, replace), prefer)
    if only_look:
        click.echo(dry_run(plan.runs, plan.skipped), nl=False)
        return
    watch = None if ctx.obj["quiet"] else ingesting.watcher()
    with Warehouse.open(db, write=True) as warehouse:
        _say_upgraded(warehouse)
        summary = ingesting.ingest(warehouse, plan, ingesting.Options(python, decode_tokens), watch)
        if not ctx.obj["quiet"]:
            text = ingest_summary(
                warehouse,
                summary.outcomes,
                summary.skipped,
                summary.labels,
                summary.joined,
                ctx.obj["verbose"],
                summary.absent,
            )
            click.echo(text, nl=False)
    if summary.failed:
        fail(f"{len(summary.failed)} of {len(summary.outcomes)} profiles could not be stored")
    if unreadable := summary.unreadable:
        more = f" and {len(unreadable) - 1} more" if len(unreadable) > 1 else ""
        fail(f"{unreadable[0].path}{more} {unreadable[0].reason}; the rest is stored")


def _say_upgraded(warehouse: Warehouse) -> None:
    if warehouse.upgraded:
        click.echo(warehouse.upgraded, err=True)
