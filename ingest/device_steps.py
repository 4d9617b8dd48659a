"""Steps by their annotations on the device, one span per stream that they ran on."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from .annotations import Annotation, choose
from .step import Step

_SEAM_NS = 2
"""Spans are written a nanosecond too wide: those that overlap by this much only touch."""


@dataclass(frozen=True)
class DeviceSpan:
    """From the first to the last launch of a step on one stream; ns of the trace's own zero."""

    name: str
    device: int
    stream: int
    start_ns: int
    end_ns: int
    external_id: int | None
    step: Step


@dataclass
class DeviceStep:
    """The spans of one step, the first to begin first."""

    step: Step
    spans: list[DeviceSpan] = field(default_factory=list)

    @property
    def annotation(self) -> Annotation:
        """One annotation over all its streams."""
        first = self.spans[0]
        end = max(span.end_ns for span in self.spans)
        return Annotation(first.name, str(first.device), "", first.start_ns, end, self.step)

    def takes(self, span: DeviceSpan) -> bool:
        """Whether a later span of the same name and id is of this step.

        It is one of another stream, and of the same time where no id tells it.
        """
        if any((s.device, s.stream) == (span.device, span.stream) for s in self.spans):
            return False
        return span.external_id is not None or span.start_ns < max(s.end_ns for s in self.spans)


def join(spans: Iterable[DeviceSpan]) -> list[DeviceStep]:
    """Make steps of spans, in time order; of two families that nest one counts, as on the host."""
    steps: list[DeviceStep] = []
    last: dict[tuple[str, int | None], DeviceStep] = {}
    # Of spans over the same launches the outer annotation was begun first: it has the lower id.
    for span in sorted(spans, key=lambda s: (s.start_ns, -s.end_ns, s.external_id or 0)):
        key = (span.name, span.external_id)
        step = last.get(key)
        if step is None or not step.takes(span):
            step = last[key] = DeviceStep(span.step)
            steps.append(step)
        step.spans.append(span)
    return _without_wrappers(steps)


def _without_wrappers(steps: Iterable[DeviceStep]) -> list[DeviceStep]:
    found = {(a.name, a.process, a.start_ns): (a, step.spans) for step in steps
             if (a := step.annotation)}  # fmt: skip
    narrowed = [
        replace(a, end_ns=max(a.start_ns, (a.end_ns or 0) - _SEAM_NS)) for a, _ in found.values()
    ]
    chosen = choose(narrowed)
    return [DeviceStep(a.step, found[a.name, a.process, a.start_ns][1]) for a in chosen]
