"""Which run, rank and phase a user means."""

import math
import re
import shlex
from collections.abc import Collection, Iterable, Mapping

from ..errors import ProfdbError
from ..warehouse import Warehouse

_SEPARATORS = re.compile(r"[_\-./ ]")
_SHOWN = 12


def resolve_run(warehouse: Warehouse, word: str) -> str:
    """Give the label that equals the word, else the only one that has it as a word."""
    labels = list(_ranks_by_label(warehouse))
    if word in labels:
        return word
    fitting = [label for label in labels if word in _SEPARATORS.split(label)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        several = _listed(fitting)
        raise ProfdbError(f"{word!r} fits several runs: {several}; give one of these labels")
    raise ProfdbError(
        f"no run named {word!r}; the warehouse has {_listed(labels)}"
        f" (profdb ingest RUN_DIR --label {word} adds one)"
    )


def choose_runs(warehouse: Warehouse, words: Mapping[str, str]) -> dict[str, str]:
    """Resolve the words of all parameters; each must be another run."""
    chosen = {name: resolve_run(warehouse, word) for name, word in words.items()}
    if len(set(chosen.values())) < len(chosen):
        names = " and ".join(chosen)
        raise ProfdbError(
            f"{names} are the same run {next(iter(chosen.values()))!r}; give two labels"
        )
    return chosen


def choose_rank(warehouse: Warehouse, labels: Collection[str], rank: int | None) -> int:
    """Give the rank asked for, else the lowest one that all the runs have."""
    ranks = {label: found for label, found in _ranks_by_label(warehouse).items() if label in labels}
    common = set.intersection(*map(set, ranks.values()))
    if rank is None and common:
        return min(common)
    if rank is not None and rank in common:
        return rank
    there = "; ".join(f"{label} has {_listed(found)}" for label, found in ranks.items())
    lacking = "no rank is in all of the runs" if rank is None else f"no rank {rank}"
    raise ProfdbError(f"{lacking}: {there} (-1 is unknown){'' if common else _way_out(ranks)}")


def check_rank(warehouse: Warehouse, label: str, rank: int) -> None:
    """Refuse a run that has no profile of a rank."""
    if rank not in (found := _ranks_by_label(warehouse)[label]):
        raise ProfdbError(f"{label} has no rank {rank}, which is compared; it has {_listed(found)}")


def check_phase(
    warehouse: Warehouse, labels: Collection[str], rank: int, phase: str | None
) -> str | None:
    """Refuse a phase that none of the runs has."""
    if phase is None:
        return None
    found = [warehouse.query("report_phases", label=label, rank=rank) for label in labels]
    there = sorted({row["phase"] for rows in found for row in rows})
    if phase not in there:
        raise ProfdbError(f"no phase {phase!r} on rank {rank}; there are {_listed(there)}")
    return phase


def choose_buckets(
    warehouse: Warehouse, run: str, rank: int | None, fractions: Mapping[str, float]
) -> dict[str, float]:
    """Give fractions by family/implementation, * for any; a family before an implementation.

    Refuses what the run has no kernels of, and an odd fraction.
    """
    if not fractions:
        return {}
    label = resolve_run(warehouse, run)
    rows = warehouse.query(
        "report_buckets", label=label, rank=choose_rank(warehouse, [label], rank)
    )
    names: dict[str, str] = {}
    for row in rows:
        family, implementation = row["family"], row["implementation"]
        names[f"{family}/{implementation}"] = f"{family}/{implementation}"
        names.setdefault(implementation, f"*/{implementation}")
    names |= {row["family"]: f"{row['family']}/*" for row in rows}
    for name, fraction in fractions.items():
        if name not in names:
            there = _listed(sorted(full for full in names if "/" in full))
            raise ProfdbError(f"run {label!r} has no kernels of {name!r}; there are {there}")
        if not 0 < fraction <= 1:
            raise ProfdbError(f"{name}={fraction:g}: give a fraction above 0, up to 1")
    return {names[name]: fraction for name, fraction in fractions.items()}


def check_patterns(warehouse: Warehouse, patterns: Iterable[str]) -> None:
    """Refuse what is no regular expression."""
    for pattern in patterns:
        try:
            warehouse.query("valid_pattern", pattern=pattern)
        except ProfdbError as error:
            reason = str(error).rpartition("query valid_pattern: ")[2]
            raise ProfdbError(f"{pattern!r} is no regular expression (RE2): {reason}") from error


def check_saving(save_us: float | None, times: int) -> None:
    """Refuse a saving that is none."""
    if save_us is not None and not 0 < save_us < math.inf:
        raise ProfdbError(f"a saving of {save_us:g} us is none; give microseconds above 0")
    if times < 1:
        raise ProfdbError(f"{times} times is no saving; give 1 or more")


def _ranks_by_label(warehouse: Warehouse) -> dict[str, list[int]]:
    ranks: dict[str, list[int]] = {}
    for row in warehouse.query("report_runs"):
        found = ranks.setdefault(row["label"], [])
        if row["rank"] is not None:
            found.append(row["rank"])
    return ranks


def _way_out(ranks: Mapping[str, list[int]]) -> str:
    """Say what makes runs comparable that have no rank in common."""
    if not all(ranks.values()):
        return ""
    unknown = [shlex.quote(label) for label, found in ranks.items() if found == [-1]]
    if not unknown:
        return "; compare profiles of the same rank"
    return (
        f"; profdb runs set {unknown[0]} rank=N tells the rank of a run whose only profile has none"
    )


def _listed(items: Iterable[object]) -> str:
    texts = [str(item) for item in items]
    if len(texts) > _SHOWN:
        return f"{', '.join(texts[:_SHOWN])} and {len(texts) - _SHOWN} more"
    return ", ".join(texts) or "none yet"
