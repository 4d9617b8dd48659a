"""How a command ends: the one line of an error, and the exit status."""

import errno
import sys
from typing import Any, NoReturn

import click

from .errors import ProfdbError


class OneLineErrors(click.Group):
    """A group of commands whose errors become one line and exit status 1, Ctrl-C 130."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except ProfdbError as error:
            fail(str(error))
        except OSError as error:
            if error.errno == errno.EPIPE:  # the reader of a pipe has seen enough
                raise
            fail(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))
        except (KeyboardInterrupt, RuntimeError) as stop:
            # In the middle of a statement DuckDB answers Ctrl-C with an error of its own.
            if isinstance(stop, RuntimeError) and "interrupted" not in str(stop):
                raise
            click.echo("interrupted; what was not finished is not stored", err=True)
            sys.exit(130)


def fail(message: str, status: int = 1) -> NoReturn:
    """End with one line on standard error and exit status 1, or 3 for a check that is negative."""
    click.echo(f"profdb: {message}", err=True)
    sys.exit(status)
