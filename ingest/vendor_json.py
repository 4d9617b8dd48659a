"""What Ascend says of its collectives in JSON: read as a stream, one operator at a time."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import ijson
from ijson.common import ObjectBuilder

from .container import open_content
from .vendor_rows import Misfit, Tally, scaled

_TOTAL = "Total Op Info"
_TIMES = {
    "elapse_ns": "Elapse Time(ms)",
    "transit_ns": "Transit Time(ms)",
    "wait_ns": "Wait Time(ms)",
    "synchronization_ns": "Synchronization Time(ms)",
    "idle_ns": "Idle Time(ms)",
}
# SDMA is the sum of the transports that the vendor lists beside it.
_INSIDE_SDMA = {"HCCS", "PCIE", "SIO"}
_MS = _MB = 1_000_000


def collectives(path: Path, tally: Tally) -> Iterator[dict[str, Any]]:
    """Give one row per operator of communication.json, whose totals are sums and left out."""
    for (step, _, key), info in _operators(path, tally):
        if key == _TOTAL:
            continue
        try:
            row = collective(step, key, info)
        except (ArithmeticError, AttributeError, KeyError, Misfit, TypeError, ValueError):
            tally.set_aside(f"{key[:80]} has other fields than a collective")
            continue
        tally.seen += 1
        yield row


def pairs(path: Path, tally: Tally) -> Iterator[dict[str, Any]]:
    """Give one row per operator and pair of communication_matrix.json, with the vendor's fields."""
    for (step, form, key), links in _operators(path, tally):
        for pair, info in links.items() if isinstance(links, dict) else ():
            if not isinstance(info, dict):
                tally.set_aside(f"{key[:80]}, {pair} is no pair of ranks")
                continue
            tally.seen += 1
            op, group = _split(key)
            yield {"Step": step, "Form": form, "Op": op, "Group": group, "Pair": pair} | {
                name: str(value) for name, value in info.items()
            }


def _operators(path: Path, tally: Tally) -> Iterator[tuple[tuple[str, str, str], Any]]:
    """Give what stands three levels deep, with its keys: step, p2p or collective, operator."""
    content = open_content(path)
    keys: list[str] = []
    depth = 0
    builder: ObjectBuilder | None = None
    try:
        for event, value in ijson.basic_parse(content):
            opens, closes = event in ("start_map", "start_array"), event in ("end_map", "end_array")
            if builder is None and event == "map_key" and depth <= 3:
                keys[depth - 1 :] = [value]
                continue
            if depth == 3 and builder is None and not closes:
                builder = ObjectBuilder()
            depth += opens - closes
            if builder is not None:
                builder.event(event, value)
                if depth == 3:
                    step, form, key = keys
                    yield (step.removeprefix("step"), form, key), builder.value
                    builder = None
    except ijson.JSONError:
        tally.set_aside(f"the file is cut or damaged before byte {content.position()}")
    except ValueError:
        tally.set_aside("levels other than step, p2p or collective, and operator")


def _split(key: str) -> tuple[str, str]:
    op, at, group = key.rpartition("@")
    return (op, group) if at else (key, "")


def collective(step: str, key: str, info: Any) -> dict[str, Any]:
    """One operator in the columns of vendor_collectives, from the fields of communication.json."""
    op, group = _split(key)
    times = info["Communication Time Info"]
    links = {
        name: link
        for name, link in info.get("Communication Bandwidth Info", {}).items()
        if link.get("Transit Size(MB)") or link.get("Transit Time(ms)")
    }
    inside = _INSIDE_SDMA if "SDMA" in links else set()
    start = times.get("Start Timestamp(us)")
    return {
        "step": step,
        "op": op,
        "group_name": group,
        "start_ns": None if start is None else scaled(_exact(start), 1000),
        **{column: _ns(times.get(title)) for column, title in _TIMES.items()},
        "transit_bytes": sum(_bytes(link) for name, link in links.items() if name not in inside),
        "transports": json.dumps({name: _transport(link) for name, link in links.items()}),
    }


def _exact(value: Any) -> Decimal:
    # ijson gives Decimal and int; NaN and the like are no time.
    number = Decimal(value)
    if not number.is_finite():
        raise Misfit
    return number


def _ns(milliseconds: Any) -> int | None:
    return None if milliseconds is None else scaled(_exact(milliseconds), _MS)


def _bytes(link: dict[str, Any]) -> int:
    return scaled(_exact(link.get("Transit Size(MB)", 0)), _MB)


def _transport(link: dict[str, Any]) -> dict[str, Any]:
    """Bytes and time of a transport, and of its packets by size: bytes, count, ns."""
    sizes = link.get("Size Distribution", {}).items()
    return {
        "bytes": _bytes(link),
        "transit_ns": _ns(link.get("Transit Time(ms)")),
        "packets": [[scaled(_exact(mb), _MB), int(n), _ns(ms)] for mb, (n, ms) in sizes],
    }
