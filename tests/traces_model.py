"""A slow plain reader of Chrome traces that the ingest is held against."""

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from .traces import Event

WORK = {"kernel": "kernel", "gpu_memcpy": "memcpy", "gpu_memset": "memset"}
WORK |= {"memcpy": "memcpy", "memset": "memset"}
CALLS = {"cuda_runtime", "cuda_driver", "runtime", "xpu_runtime", "xpu_driver"}
OPS = {"cpu_op", "operator"}
SCOPE = "gpu_model_runner: draft"


def ns(us: Any) -> int | None:
    """Microseconds as written, in whole nanoseconds."""
    if us is None:
        return None
    return int((Decimal(str(us).strip()) * 1000).to_integral_value(ROUND_HALF_UP))


def text(value: Any) -> str | None:
    """A value as the text that it is stored as."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value)


def integer(value: Any) -> int | None:
    """A number or the text of one; None where it is neither."""
    return int(value) if value is not None and str(value).lstrip("-").isdigit() else None


@dataclass(frozen=True)
class Step:
    """An annotation that counts as a context."""

    name: str
    track: tuple[str | None, str | None]
    start: int
    end: int

    @property
    def draft(self) -> bool:
        """Whether it is of the draft model."""
        return self.name == SCOPE or self.name.startswith("step[DRAFT")

    def holds(self, at: int) -> bool:
        """Whether a moment lies in it."""
        return self.start <= at < self.end


class Model:
    """What an ingest of these events must give, found by looking at everything for everything."""

    def __init__(self, events: list[Event], base: int = 0, python: bool = True) -> None:
        self.base = base
        self.python = python
        self.events = [event for event in events if isinstance(event, dict)]
        self.spans = [e for e in self.events if e.get("ph") == "X" and e.get("ts") is not None]
        self.steps = self._steps()
        self.calls = self._calls()
        self.ops: dict[Any, list[tuple[int, int, Event]]] = defaultdict(list)
        for event in self.spans:
            if _cat(event) in OPS:
                start, duration = ns(event["ts"]), ns(event.get("dur")) or 0
                self.ops[_track(event)].append((start, start + duration, event))
        for ops in self.ops.values():
            ops.sort(key=lambda op: op[0])
        self.linked: dict[Any, list[tuple[int, int, Event]]] = defaultdict(list)
        for track, ops in self.ops.items():
            for op in ops:
                self.linked[track, _external(op[2])].append(op)

    def ledger(self) -> dict[str, list[int]]:
        """Seen, stored and set aside by category."""
        found: dict[str, list[int]] = {}
        for event in self.events:
            cat = text(event.get("cat")) or f"(ph {text(event.get('ph')) or 'none'})"
            counts = found.setdefault(cat, [0, 0, 0])
            counts[0] += 1
            counts[1 if self._is_stored(event) else 2] += 1
        return found

    def _is_stored(self, event: Event) -> bool:
        if event.get("ph") is None or (_cat(event) == "python_function" and not self.python):
            return False
        return _cat(event) not in WORK or _is_launch(event)

    def host_events(self) -> Counter[tuple[Any, ...]]:
        """Every event that is stored and no device work."""
        return Counter(
            (
                text(e.get("cat")), text(e["ph"]), text(e.get("name")),
                text(e.get("pid")) or "", text(e.get("tid")) or "",
                None if e.get("ts") is None else ns(e["ts"]) + self.base, ns(e.get("dur")),
            )
            for e in self.events
            if self._is_stored(e) and _cat(e) not in WORK
        )  # fmt: skip

    def kernels(self) -> Counter[tuple[Any, ...]]:
        """Every launch with its step, operator and shape."""
        work = [e for e in self.spans if _cat(e) in WORK and _is_launch(e)]
        known = [ns(e["ts"]) for e in self.spans if _cat(e) in WORK and self._call(e)]
        first = min((at for at in known if at > 0), default=None)
        return Counter(self._kernel(event, first) for event in work)

    def _kernel(self, event: Event, first: int | None) -> tuple[Any, ...]:
        args = event.get("args") or {}
        call, at = self._call(event), ns(event["ts"])
        step, how = self._attributed(call, at, first)
        op = self._op(call) if call else None
        device = integer(args.get("device"))
        return (
            integer(event.get("pid")) if device is None else device,
            _stream(event), at + self.base, ns(event["dur"]), WORK[_cat(event)],
            text(event.get("name")) or "", integer(args.get("correlation")) or None, how,
            step and step.name, op and op["name"], _shape(op),
            ns(call["ts"]) + self.base if call else None,
            bool(call) and "graphlaunch" in call["name"].lower(),
        )  # fmt: skip

    def _attributed(
        self, call: Event | None, at: int, first: int | None
    ) -> tuple[Step | None, str]:
        if call is None:
            if first is None:
                return None, "no launch call recorded"
            return None, "launched before the window" if at < first else "no launch found"
        moment = ns(call["ts"])
        around = [step for step in self.steps if step.holds(moment)]
        own = [step for step in around if step.track == _track(call)]
        if own:
            return max(own, key=lambda s: s.start), "launch call"
        other = [step for step in around if step.track[0] == _track(call)[0]]
        if other:
            latest = max(other, key=lambda s: s.start)
            return latest, "other thread of the process, within the step"
        return None, "launch call outside any step"

    def _calls(self) -> dict[int, Event]:
        calls: dict[int, Event] = {}
        for event in self.spans:
            number = integer((event.get("args") or {}).get("correlation"))
            if _cat(event) in CALLS and number:
                known = calls.get(number)
                if known is None or ns(event["ts"]) < ns(known["ts"]):
                    calls[number] = event
        return calls

    def _call(self, event: Event) -> Event | None:
        return self.calls.get(integer((event.get("args") or {}).get("correlation")) or 0)

    def _op(self, call: Event) -> Event | None:
        at, track, external = ns(call["ts"]), _track(call), _external(call)
        linked = self.linked[track, external] if external else []
        for start, end, op in reversed(linked):
            # One that never finished holds all that follows.
            if start <= at and (at < end or end <= start):
                return op
        ops = self.ops[track]
        before = range(bisect_right(ops, at, key=lambda op: op[0]) - 1, -1, -1)
        return next((ops[number][2] for number in before if at < ops[number][1]), None)

    def _steps(self) -> list[Step]:
        found = [
            Step(e["name"], _track(e), ns(e["ts"]), ns(e["ts"]) + (ns(e.get("dur")) or 0))
            for e in self.spans
            if _cat(e) in OPS | {"user_annotation"} and _family(e.get("name"))
        ]
        vllm = any(_family(step.name) == "execute_" and not step.draft for step in found)
        found = [step for step in found if vllm or step.name != SCOPE]
        engine = [step for step in found if _family(step.name) != "ProfilerStep"]
        return list(_innermost(engine or found))


def _innermost(steps: list[Step]) -> Iterator[Step]:
    targets = {_family(step.name) for step in steps if not step.draft}
    for step in steps:
        inside = (
            s for s in steps
            if s.track == step.track and _family(s.name) != _family(step.name)
            and step.holds(s.start) and (s.start, -s.end) > (step.start, -step.end)
            and (s.draft == step.draft or s.draft and _family(s.name) in targets)
        )  # fmt: skip
        if not any(inside):
            yield step


def _family(name: Any) -> str | None:
    if name == SCOPE:
        return "execute_"
    families = ("execute_", "step[", "ProfilerStep")
    return next((f for f in families if isinstance(name, str) and name.startswith(f)), None)


def _cat(event: Event) -> str:
    return str(event.get("cat")).lower()


def _track(event: Event) -> tuple[str | None, str | None]:
    return text(event.get("pid")), text(event.get("tid"))


def _external(event: Event) -> int | None:
    args = event.get("args") or {}
    return integer(args.get("external id" if event["cat"] == "Runtime" else "External id"))


def _stream(event: Event) -> int | None:
    stream = integer((event.get("args") or {}).get("stream"))
    digits = "".join(c if c.isdigit() else " " for c in text(event.get("tid")) or "").split()
    return integer(digits[0]) if stream is None and digits else stream


def _is_launch(event: Event) -> bool:
    at, duration = ns(event.get("ts")), ns(event.get("dur"))
    if event.get("ph") != "X" or at is None or duration is None or duration < 0:
        return False
    return bool(at or duration)


def _shape(op: Event | None) -> str:
    return ";".join(_tensors((op or {}).get("args", {}).get("Input Dims") or []))


def _tensors(dims: list[Any]) -> Iterator[str]:
    for tensor in dims:
        if tensor and isinstance(tensor[0], list):
            yield from _tensors(tensor)
        else:
            yield ",".join(map(str, tensor))
