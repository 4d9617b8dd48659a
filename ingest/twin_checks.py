"""The file of a profile that is not stored, compared launch by launch with the one that is.

Both become hashes of a few bytes per launch, so that only one of them is staged at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..errors import ProfdbError
from ..warehouse import Warehouse, readable_errors
from .registry import ingestor_of
from .source import Options, Progress, Source
from .stage import Stage, path_text

_STORED = 0
"""The side of the profile that is stored; its twins are numbered from 1."""


@dataclass(frozen=True)
class TwinCheck:
    """How a twin compares with what is stored, or why it cannot be compared."""

    path: str
    format: str
    launches: int = 0
    agree: int = 0
    only_stored: int = 0
    only_twin: int = 0
    error: str = ""

    @property
    def differing(self) -> int:
        """Launches that both have and tell differently, as far as numbers show."""
        return min(self.only_stored, self.only_twin)

    @property
    def lacking(self) -> int:
        """Launches that the twin has too few."""
        return self.only_stored - self.differing

    @property
    def extra(self) -> int:
        """Launches that the twin has too many."""
        return self.only_twin - self.differing


def read_twins(warehouse: Warehouse, source: Source, progress: Progress) -> list[TwinCheck]:
    """Read the launches of every twin of a source; one that cannot be read says why."""
    if not source.twins:
        return []
    _forget(warehouse)
    return [
        _read(warehouse, twin, side, progress) for side, twin in enumerate(source.twins, start=1)
    ]


def _read(warehouse: Warehouse, twin: Source, side: int, progress: Progress) -> TwinCheck:
    check = TwinCheck(path_text(twin.files[0]), twin.format)
    try:
        with (
            readable_errors(f"cannot read {twin.files[0]}"),
            Stage(warehouse.con, warehouse.path) as stage,
        ):
            ingestor_of(twin).stage(twin, stage, Options(only_launches=True), progress)
            _keep(warehouse, stage, side)
    except ProfdbError as error:
        return replace(check, error=str(error))
    except OSError as error:
        return replace(check, error=f"cannot read {twin.files[0]}: {error.strerror or error}")
    return check


def compare(warehouse: Warehouse, stage: Stage, twins: Sequence[TwinCheck]) -> list[TwinCheck]:
    """Compare the staged profile with the twins that were read, and stage the outcome."""
    if any(not twin.error for twin in twins):
        _keep(warehouse, stage, _STORED)
    compared = list(_compared(stage, twins))
    _forget(warehouse)
    return compared


def _compared(stage: Stage, twins: Sequence[TwinCheck]) -> Iterator[TwinCheck]:
    for side, twin in enumerate(twins, start=1):
        if twin.error:
            yield twin
            continue
        ((launches, agree, only_stored, only_twin),) = stage.run(
            "twin_compare", side=side, path=twin.path, format=twin.format
        )
        yield replace(
            twin, launches=launches, agree=agree, only_stored=only_stored, only_twin=only_twin
        )


def _keep(warehouse: Warehouse, stage: Stage, side: int) -> None:
    """Keep the hashes of what is staged, with names as the warehouse makes them stable."""
    stage.run("twin_names")
    warehouse.name_kernels()
    stage.run("twin_launches", side=side)


def _forget(warehouse: Warehouse) -> None:
    warehouse.con.execute("DROP TABLE IF EXISTS temp.twin_launches")
