"""The transaction that takes a staged profile into the warehouse."""

from importlib.metadata import version

from ..errors import ProfdbError
from ..warehouse import Warehouse
from .stage import Stage


def store(warehouse: Warehouse, stage: Stage, label: str, digest: str) -> None:
    """Store the staged profile in the run of that label, whole or not at all."""
    with warehouse.transaction():
        stage.run("store_run", label=label)
        stage.run("store_ids")
        stage.run("store_profile", label=label, digest=digest, version=version("profdb"))
        stage.run("store_names")
        warehouse.add_kernels()
        stage.run("store_rows")
        _check(stage)
    warehouse.checkpoint()


def _check(stage: Stage) -> None:
    ((rows, seen, stored, set_aside),) = stage.run("store_count")
    if rows != stored or seen != stored + set_aside:
        raise ProfdbError(
            f"the count does not close: {seen} events seen, {rows} stored where {stored} were due,"
            f" {set_aside} set aside; nothing of this profile is kept"
        )
