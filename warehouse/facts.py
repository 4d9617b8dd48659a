"""What a user told the warehouse: facts of runs, and which models there are."""

from collections.abc import Mapping

from ..errors import ProfdbError
from .connect import Warehouse

_RANK = "rank"


def declare(warehouse: Warehouse, label: str, facts: Mapping[str, str]) -> None:
    """Record facts of a run; an empty value forgets one.

    The fact `rank` also becomes the rank of the run's only profile, where the profiler told none.
    """
    with warehouse.transaction():
        for key, value in facts.items():
            warehouse.query("forget_fact", label=label, key=key)
            if key == _RANK and value:
                _declare_rank(warehouse, label, value)
            if value:
                warehouse.query("declare_fact", label=label, key=key, value=value)


def _declare_rank(warehouse: Warehouse, label: str, value: str) -> None:
    if not value.isascii() or not value.isdigit():
        raise ProfdbError(f"rank={value}: a rank is a whole number from 0")
    ranks = [row["rank"] for row in warehouse.query("run_profiles", label=label)]
    if ranks not in ([-1], [int(value)]):
        raise ProfdbError(
            f"rank={value}: a rank can be declared where the only profile of a run has none;"
            f" {label} has ranks {', '.join(map(str, ranks))}"
        )
    warehouse.query("declare_rank", label=label, rank=int(value))


def require_model(warehouse: Warehouse, name: str) -> None:
    """Refuse a name that no stored model has."""
    if not warehouse.query("model_named", name=name):
        known = ", ".join(row["name"] for row in warehouse.query("model_names"))
        raise ProfdbError(
            f"no model named {name!r}; the warehouse has {known or 'none yet'}"
            " (profdb model add FILE adds one)"
        )
