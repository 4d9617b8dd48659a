"""profdb model fit and profdb model map: which kernels of a run serve which modules."""

from pathlib import Path

import click

from .. import reports
from ..warehouse import Warehouse
from .model import model
from .options import db_option, print_dicts, together, writing

__all__ = ["model"]


_about = together(
    click.option("--run", required=True, help="Label of the run, or a word of it."),
    click.option("--model", "name", required=True, help="Name of the model."),
    db_option,
)


@model.command("fit")
@_about
@click.option("--phase", help="Only this phase, such as decode.")
@click.option("--replace", is_flag=True, help="Replace declared maps too.")
def fit_model(run: str, name: str, phase: str | None, replace: bool, db: Path) -> None:
    """Infer from launch counts which kernels serve which modules, and store the map."""
    with writing(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        for part in reports.fit_model(warehouse, label, name, phase, replace):
            click.echo(f"{part} has a declared map, which stays (--replace fits it anew)")
        _print_map(warehouse, label, name, phase)


@model.command("map")
@_about
@click.option("--phase", required=True, help="Phase that the map is for, such as decode.")
@click.argument("words", nargs=-1, required=True, metavar="GROUP=MODULE,...")
def map_model(run: str, name: str, phase: str, words: tuple[str, ...], db: Path) -> None:
    """Declare which kernels serve which modules.

    GROUP is an implementation, or family/implementation; MODULE*2 is launched twice;
    absorbed=MODULE has no launch of its own.
    """
    with writing(db) as warehouse:
        label = reports.resolve_run(warehouse, run)
        reports.map_model(warehouse, label, name, phase, words)
        _print_map(warehouse, label, name, phase)


def _print_map(warehouse: Warehouse, label: str, name: str, phase: str | None) -> None:
    rows = warehouse.query("closure_stored", run=label, model=name, phase=phase)
    print_dicts(rows, "no module of the model runs in these phases")
