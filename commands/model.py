"""profdb model: which modules a model runs in one forward pass."""

import shlex
from pathlib import Path

import click

from ..ingest import models
from ..reports.tables import rows_as
from ..warehouse import Warehouse, require_model
from .options import db_option, path_type, print_dicts, writing


@click.group()
def model() -> None:
    """The models whose launches are counted."""


@model.command("add")
@click.argument("file", type=path_type)
@click.option("--name", help="Call it so; else it is called after the file or its folder.")
@click.option("--replace", is_flag=True, help="Put it in the place of the model of that name.")
@click.option("--stage", metavar="I/N", help="Only this pipeline stage, such as 2/4.")
@db_option
def add_model(file: Path, name: str | None, replace: bool, stage: str | None, db: Path) -> None:
    """Add a model from its config.json (Hugging Face) or from TOML written by hand.

    \b
    The form of the TOML, for a model that is not read:
      architecture = "hand"          # optional, like name
      [modules]                      # a linear where no kind is given
      qkv = { inputs = 4096, outputs = 6144 }
      attention = { kind = "attention" }
      o = {}
      lm_head = {}
      [layers]                       # kinds of layers, by their modules
      full = ["qkv", "attention", "o"]
      [order]                        # of one forward pass
      target = "32*full + lm_head"   # or "16*(3*gdn + full) + lm_head"
      draft = "full + lm_head"       # optional

    Kinds are linear, experts, attention and linear_attention; a module may also have runs_in
    (prefill or decode) and absorbed_by.
    """
    spec = models.read_spec(file, name, models.Stage.parse(stage) if stage else None)
    with writing(db) as warehouse:
        if not models.store_spec(warehouse, spec, replace):
            click.echo(f"model {spec.name} is stored already with the same content")
            return
        click.echo(f"added model {spec.name}: {spec.architecture}, {spec.layers} layers")
        _print_linears(warehouse, spec.name)
        click.echo(f"next: profdb model show {shlex.quote(spec.name)}")


@model.command("list")
@db_option
def list_models(db: Path) -> None:
    """List the models with the linears of one pass."""
    with Warehouse.open(db) as warehouse:
        rows = warehouse.query("list_models")
        print_dicts(rows, "no models yet: profdb model add FILE adds one")


@model.command("show")
@click.argument("name")
@db_option
def show_model(name: str, db: Path) -> None:
    """Show the modules of a model and how many of each one pass runs."""
    with Warehouse.open(db) as warehouse:
        require_model(warehouse, name)
        (head,) = warehouse.query("model_head", name=name)
        click.echo(rows_as("table", ("model", name), list(head.items())))
        click.echo(nl=True)
        print_dicts(warehouse.query("model_counted", name=name), "no modules")
        click.echo(nl=True)
        _print_linears(warehouse, name)


@model.command("rm")
@click.argument("name")
@db_option
def remove_model(name: str, db: Path) -> None:
    """Remove a model and the maps that were made with it."""
    with writing(db) as warehouse:
        with warehouse.transaction():
            models.remove_spec(warehouse, name)
        click.echo(f"removed model {name}")


def _print_linears(warehouse: Warehouse, name: str) -> None:
    for row in warehouse.query("model_linears", name=name):
        click.echo(row["line"])
