"""The transaction that takes a staged profile into the warehouse."""

from importlib.metadata import version

from ..errors import ProfdbError
from ..warehouse import Warehouse
from .container import digest_of
from .stage import Stage


def store(warehouse: Warehouse, stage: Stage, label: str, replace: bool = False) -> bool:
    """Store the staged profile in the run of that label, whole or not at all.

    With `replace` the profiles that the run has go in the same transaction. False where the same
    content is stored already, which is then left as it is.
    """
    stage.run("store_events")
    digest = digest_of([row[0] for row in stage.run("store_hashes")])
    with warehouse.transaction():
        if replace:
            warehouse.query("mark_doomed", label=label)
            warehouse.query("delete_doomed")
        if warehouse.query("profile_of_digest", digest=digest):
            return False
        stage.run("store_run", label=label)
        stage.run("store_ids")
        stage.run("store_profile", label=label, digest=digest, version=version("profdb"))
        stage.run("store_names")
        warehouse.add_kernels()
        stage.run("store_rows")
        stage.run("vendor_store")
        _check(stage)
    warehouse.checkpoint()
    return True


def _check(stage: Stage) -> None:
    ((rows, seen, stored, set_aside),) = stage.run("store_count")
    if rows != stored or seen != stored + set_aside:
        raise ProfdbError(
            f"the count does not close: {seen} events seen, {rows} stored where {stored} were due,"
            f" {set_aside} set aside; nothing of this profile is kept"
        )
