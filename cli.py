"""The command line: the group of all commands."""

import click

from .commands import COMMANDS
from .exits import OneLineErrors


@click.group(cls=OneLineErrors, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="profdb")
@click.option("-v", "--verbose", is_flag=True, help="List all that is skipped.")
@click.option("-q", "--quiet", is_flag=True, help="Only errors and what was asked for.")
@click.pass_context
def main(ctx: click.Context, verbose: bool, quiet: bool) -> None:
    """Store what profilers of LLM inference left behind, and ask it in SQL."""
    ctx.obj = {"verbose": verbose, "quiet": quiet}


for command in COMMANDS:
    main.add_command(command)
