"""profdb demo."""

import shlex
from pathlib import Path

import click

from ..demo import load_figures, write_demo
from ..demo.figures import Figures
from .options import path_type


@click.command()
@click.argument("directory", type=path_type, default="profdb-demo")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the noise.")
@click.option("--rows", type=int, default=60_000, show_default=True, help="Rows of window 1009.")
@click.option("--figures", type=path_type, help="TOML file with other figures.")
def demo(directory: Path, seed: int, rows: int, figures: Path | None) -> None:
    """Write three runs as profilers leave them, to try profdb on."""
    numbers = load_figures(figures) if figures else Figures()
    folders = write_demo(directory, numbers, seed, rows)
    click.echo("wrote " + ", ".join(str(folder) for folder in folders))
    click.echo("next: profdb ingest " + shlex.join(str(folder) for folder in folders))
