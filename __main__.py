"""`python -m profdb`."""

from .cli import main

main()
