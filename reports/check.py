"""How the vendor's own sums agree with the stored launches."""

from dataclasses import dataclass

from ..errors import ProfdbError
from ..warehouse import Warehouse
from .choose import resolve_run
from .summary import check_summary
from .tables import rows_as


@dataclass(frozen=True)
class Checked:
    """The page, and how many figures differ."""

    label: str
    text: str
    differing: int


def check_run(
    warehouse: Warehouse,
    run: str,
    rank: int | None = None,
    everything: bool = False,
    lang: str = "en",
) -> Checked:
    """Word what differs from the vendor's sums or cannot be compared, and what agrees.

    Raises ProfdbError where the run has no such rank.
    """
    label = resolve_run(warehouse, run)
    profiles = warehouse.query("check_profiles", label=label, rank=rank)
    if not profiles:
        lacking = f"no rank {rank} in run {label!r}" if rank is not None else f"{label!r} is empty"
        raise ProfdbError(f"{lacking}; profdb runs show {label} lists what it has")
    figures = warehouse.query("check_figures", label=label, rank=rank, everything=everything)
    kinds = warehouse.query("check_kinds", label=label, rank=rank)
    twins = warehouse.query("check_twins", label=label, rank=rank)
    table = ""
    if figures:
        table = rows_as("table", list(figures[0]), [list(row.values()) for row in figures]) + "\n"
    page = check_summary(kinds, profiles, twins, lang)
    return Checked(label, table + page, sum(kind["differing"] for kind in kinds))
