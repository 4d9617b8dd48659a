"""profdb families: the rules that name kernels, and a user's own."""

from pathlib import Path

import click

from .. import reports
from ..reports.markdown import visible
from ..warehouse import Warehouse, rules_users
from .options import db_option, path_type, print_dicts, writing


@click.group()
def families() -> None:
    """The rules that give kernels their family."""


@families.command("list")
@click.option("--run", help="List the kernels of this run, each with the rule that won.")
@click.option("--all", "everything", is_flag=True, help="Rules that named no kernel too.")
@db_option
def list_families(run: str | None, everything: bool, db: Path) -> None:
    """List the rules in their order, or the kernels of a run with the rule that won."""
    if run is not None and everything:
        raise click.UsageError("--run lists kernels, --all lists rules; give one of them")
    with Warehouse.open(db) as warehouse:
        if run is None:
            rules = warehouse.query("list_family_rules", everything=everything)
            print_dicts(rules, "no kernel names yet; --all lists all rules")
            return
        label = reports.resolve_run(warehouse, run)
        kernels = warehouse.query("run_family_rules", label=label)
        print_dicts(kernels, f"no kernels in {visible(label)}")


@families.command("unmatched")
@click.option("--run", required=True, help="The run, by its label or a word of it.")
@db_option
def unmatched(run: str, db: Path) -> None:
    """List the kernels of a run that no rule names, by time."""
    with Warehouse.open(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        empty = f"every kernel of {visible(label)} is named by a rule"
        print_dicts(warehouse.query("run_unmatched", label=label), empty)


@families.command("add")
@click.argument("file", type=path_type)
@db_option
def add_families(file: Path, db: Path) -> None:
    """Add rules of one's own from a TOML file; they apply at once to all that is stored.

    \b
    The form of the TOML, one table per rule:
      [[rule]]
      pattern = 'my_gemm_v[0-9]+'   # RE2, found anywhere in the name
      family = "gemm"
      implementation = "mine"
      platform = "any"              # or cuda, rocm, ascend; optional
      applies_to = "name"           # or op_type (Ascend); optional

    They win over the shipped rules. Among them, the order in the file counts, and files that were
    added earlier come first.
    """
    with writing(db) as warehouse:
        result = rules_users.add(warehouse, file)
        for rule, source in result.known:
            click.echo(f"pattern {rule.pattern!r} is stored already, from {visible(source)}")
        if result.added:
            _hint(warehouse)
            (row,) = warehouse.query("names_by_origin", source=result.source)
            click.echo(
                f"added {len(result.added)} of {visible(result.source)}; its rules name"
                f" {row['named']:,} of {row['names']:,} stored kernel names"
            )


@families.command("rm")
@click.argument("file", type=path_type, required=False)
@click.option("--all", "everything", is_flag=True, help="The rules of all files.")
@db_option
def remove_families(file: Path | None, everything: bool, db: Path) -> None:
    """Remove the rules that were added from a file; the kernels are named anew at once."""
    if (file is None) != everything:
        raise click.UsageError("give the file whose rules are to go, or --all")
    with writing(db) as warehouse:
        count = rules_users.remove(warehouse, file)
        click.echo(f"removed {count} of users' rules" if count else "there are no rules of users")
        if count:
            _hint(warehouse)


def _hint(warehouse: Warehouse) -> None:
    """Stored maps name kernels by the families that they had."""
    for row in warehouse.query("mapped_runs"):
        click.echo(
            f"the map of {row['model']} to {visible(row['label'])} was made with the families"
            " before: profdb model fit makes it anew"
        )
