"""Verdicts for the rows of a regression page: what queries gave, judged over complete passes."""

from collections.abc import Iterable, Mapping
from typing import Any

from ..errors import ProfdbError
from ..judgement import (
    Cell,
    Comparison,
    Floor,
    Judgement,
    Key,
    Modes,
    Outcome,
    Row,
    Side,
    Statistic,
    Verdict,
    cell,
    judge,
    noise_floor,
    shared_modes,
    two_modes,
)

Line = dict[str, Any]
Rows = Mapping[str, Any]
PAIRED = ("loss", "gain", "small")
APART = ("layout", "platform")
"""What must not differ between runs that are compared row by row."""
UNKNOWN = {None, "", "unknown"}


def judge_groups(rows: Rows, params: Mapping[str, Any]) -> Line:
    """Give each shape group its verdict, and what is to be shown of them in order."""
    groups: list[Line] = rows["regression_groups"]
    durations = _durations(rows["regression_durations"])
    modes = {key: shared_modes(_members(parts)) for key, parts in durations.items()}
    cells = _cells(rows["regression_cells"], durations, modes)
    floor = measured_floor(rows, cells, modes) if params["noise"] else Floor()
    judgement = judge([_row(group, cells, modes) for group in groups], floor)
    barred = barriers(rows, params["rank"])
    for group, verdict in zip(groups, judgement.rows, strict=True):
        group["verdict"] = told(verdict, barred)
        group["modes"] = _modes_told(modes.get(_key(group)), group["verdict"])
    members = _members_told(rows["regression_members"], durations)
    for group in groups:
        group["members"] = members.get(_key(group), [])
    judged = _judged(groups, judgement, barred, params)
    keys = {_key(row) for row in (*judged["regressed"], judged["largest"]) if row}
    judged["tails"] = [tail for tail in rows["regression_tail"] if _key(tail) in keys]
    return {"judged": judged}


def measured_floor(
    rows: Rows, cells: Mapping[tuple[str, Key], list[Cell]], modes: Mapping[Key, Modes | None]
) -> Floor:
    """How far repeated runs of the base differ at the rows of the page.

    Raises ProfdbError where one of them is no repeat: another platform or layout, or damaged.
    """
    for row in rows["regression_noise"]:
        _check_repeat(row, rows["report_profiles"]["base"])
    shares = {
        (row["side"], _key(row)): row["share"]
        for row in rows["regression_cells"]
        if row["side"] != "cand"
    }
    runs: dict[str, dict[Key, Side]] = {}
    for (side, key), share in shares.items():
        runs.setdefault(side, {})[key] = Side(tuple(cells[side, key]), share)
    return noise_floor(list(runs.values()), {key: cut for key, cut in modes.items() if cut})


def _check_repeat(run: Line, base: Iterable[Line]) -> None:
    if run["trust"] == "poor":
        raise ProfdbError(
            f"run {run['label']} is damaged and measures no noise; leave it out of --noise"
        )
    for name in ("platform", "layout", "device_name"):
        known = {row[name] for row in base} - UNKNOWN
        if known and run[name] not in UNKNOWN | known:
            raise ProfdbError(
                f"run {run['label']} is no repeat of the base: its {name} is {run[name]},"
                f" not {', '.join(sorted(known))}; leave it out of --noise"
            )


def barriers(rows: Rows, rank: int) -> list[str]:
    """What forbids a verdict: damaged profiles, other layouts, other vendors."""
    sides = [
        [row for row in rows["report_profiles"][side] if row["rank"] == rank]
        for side in ("base", "cand")
    ]
    damaged = any(row["trust"] == "poor" for side in sides for row in side)
    other = {row["kind"] for row in rows["regression_certificate"] if row["state"] == "differs"}
    return [*(["damaged"] if damaged else []), *(one for one in APART if one in other)]


def told(verdict: Verdict, barred: list[str]) -> Line:
    """A verdict as a template reads it; withheld where something forbids one."""
    reason = verdict.reason.name.lower() if verdict.reason else None
    outcome = str(verdict.outcome)
    if barred and verdict.outcome is not Outcome.INCONCLUSIVE:
        outcome, reason = str(Outcome.INCONCLUSIVE), barred[0]
    return {
        "outcome": outcome,
        "reason": reason,
        "base_passes": verdict.passes[0],
        "cand_passes": verdict.passes[1],
        "smallest_p": verdict.smallest_p,
        "by": _comparison_told(verdict.by),
        "beside": verdict.factor_removed,
    }


def _comparison_told(by: Comparison | None) -> Line | None:
    if by is None:
        return None
    return {
        "statistic": str(by.statistic),
        "shift": by.shift,
        "low": by.low,
        "high": by.high,
        "p": by.p,
        "adjusted_p": by.adjusted_p,
        "share": by.statistic is Statistic.SHARE,
    }


def _judged(
    groups: list[Line], judgement: Judgement, barred: list[str], params: Mapping[str, Any]
) -> Line:
    """What the page says of all rows together."""
    everything = judgement.everything
    losses = [row for row in groups if row["list"] in PAIRED and (row["lost_ms"] or 0) > 0]
    by_loss = sorted(losses, key=lambda row: -row["lost_ms"])
    named = {str(one): [g for g in groups if g["verdict"]["outcome"] == one] for one in Outcome}
    return {
        "barred": barred,
        "apart": _apart(groups, barred),
        "tested": judgement.tested,
        "floor": judgement.floor.rows,
        "floor_together": judgement.floor.everything,
        "floor_runs": 1 + len(params["noise"]),
        "floor_row": _named(groups, judgement.floor.worst),
        "q": judgement.q,
        "common": judgement.common and not barred,
        "everything": told(everything, barred) if everything else None,
        "regressed": sorted(named["regressed"], key=lambda row: -(row["lost_ms"] or 0)),
        "improved": named["improved"],
        "largest": by_loss[0] if by_loss and by_loss[0]["list"] == "loss" else None,
        "shown": _shown(groups, params["rows"]),
        "bimodal": [group for group in groups if group["modes"]],
    }


def _apart(groups: list[Line], barred: list[str]) -> list[str]:
    """Why the page is by phase and family: what differs, or that no shape is common."""
    found = [one for one in barred if one in APART]
    return found or ([] if any(group["list"] in PAIRED for group in groups) else ["shapes"])


def _named(groups: list[Line], key: Key | None) -> Line | None:
    return next((group for group in groups if _key(group) == key), None)


def _shown(groups: list[Line], rows: int) -> list[Line]:
    """Regressed rows first, then losses, then gains, the largest of each; else what stayed."""
    order = {"loss": 1, "gain": 2, "small": 3}
    still = not any(group["list"] in ("loss", "gain") for group in groups)
    limits = {"loss": rows, "gain": 5, "small": 10 if still else 0}
    kept = [
        (0 if group["verdict"]["outcome"] == "regressed" else order[group["list"]], group)
        for group in groups
        if group["list"] in PAIRED
        and (
            group["place"] <= limits[group["list"]]
            or group["verdict"]["outcome"] in ("regressed", "improved")
        )
    ]
    kept.sort(key=lambda pair: (pair[0], pair[1]["place"]))
    return [group for _, group in kept]


def _key(row: Line) -> Key:
    """The identity of a shape group; its text is never shown."""
    return Key(row["phase"], row["op"], f"{row['kernel']}|{row['shape']}|{row['tokens_low']}")


def _row(
    group: Line, cells: Mapping[tuple[str, Key], list[Cell]], modes: Mapping[Key, Modes | None]
) -> Row:
    key = _key(group)
    base, cand = (
        Side(tuple(cells.get((side, key), ())), group[f"{side}_share"] or 0.0)
        for side in ("base", "cand")
    )
    return Row(key, base, cand, modes.get(key))


Durations = dict[Key, dict[tuple[str, int | None], dict[int, list[int]]]]
"""ns by group, then by side and token count, then by pass."""


def _durations(rows: Iterable[Line]) -> Durations:
    found: Durations = {}
    for row in rows:
        member = found.setdefault(_key(row), {}).setdefault((row["side"], row["tokens"]), {})
        member.setdefault(row["context_id"], []).extend(row["durations"])
    return found


def _members(parts: Mapping[tuple[str, int | None], Mapping[int, list[int]]]) -> list[list[int]]:
    """The durations of each exact shape of the two runs that are compared."""
    return [_flat(passes) for (side, _), passes in parts.items() if side in ("base", "cand")]


def _flat(passes: Mapping[int, list[int]]) -> list[int]:
    return [one for part in passes.values() for one in part]


def _cells(
    rows: Iterable[Line], durations: Durations, modes: Mapping[Key, Modes | None]
) -> dict[tuple[str, Key], list[Cell]]:
    """Cells by side and group: from single durations where there are two modes."""
    found: dict[tuple[str, Key], list[Cell]] = {}
    for row in rows:
        if modes.get(_key(row)) is None:
            one = Cell(
                row["context_id"], row["p50_ns"], row["mean_ns"], row["launches"], row["total_ns"]
            )
            found.setdefault((row["side"], _key(row)), []).append(one)
    sides = {side for parts in durations.values() for side, _ in parts}
    for key, cut in modes.items():
        for side in sides:
            if cut is not None:
                found[side, key] = _split(durations[key], side, cut)
    return found


def _split(parts: Mapping[Any, Mapping[int, list[int]]], side: str, cut: Modes) -> list[Cell]:
    passes: dict[int, list[int]] = {}
    for (whose, _), by_pass in parts.items():
        for context, times in by_pass.items() if whose == side else ():
            passes.setdefault(context, []).extend(times)
    return [cell(context, times, cut) for context, times in passes.items()]


def _modes_told(modes: Modes | None, verdict: Line) -> Line | None:
    if modes is None:
        return None
    us = {name: getattr(modes, name) / 1e3 for name in ("cut", "low", "high")}
    return us | {"share": modes.share, "by": verdict["by"]}


def _members_told(rows: Iterable[Line], durations: Durations) -> dict[Key, list[Line]]:
    """The exact shapes of pooled groups, with the side on which each has two modes."""
    found: dict[Key, list[Line]] = {}
    for row in rows:
        parts = durations.get(_key(row), {})
        row["modes"] = {
            side: _modes_us(two_modes(_flat(parts.get((side, row["tokens"]), {}))))
            for side in ("base", "cand")
        }
        found.setdefault(_key(row), []).append(row)
    return found


def _modes_us(modes: Modes | None) -> Line | None:
    return None if modes is None else {"low": modes.low / 1e3, "high": modes.high / 1e3}
