"""The steps of a Chrome trace: found by their annotations, stored with the time that is theirs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from .annotations import Annotation, choose, mark_tails
from .device_steps import DeviceSpan, DeviceStep, join
from .segments import Span, cut
from .stage import Stage
from .step import COUNTS, DEVICE, Step
from .step_texts import LIKE_STEP, looks_like_step, read_step

_NAMES_KEPT = 100
"""Annotations that are listed as not understood, the most frequent first."""


def find_steps(stage: Stage, base: int) -> bool:
    """Find the steps and lay out whose host time is whose; `base` is the trace's zero, ns.

    True where the host named none and they are those of annotations on the device, whose time is
    that of the device.
    """
    found: list[Annotation] = []
    unread: Counter[str] = Counter()
    for role, name, pid, tid, ts, dur in stage.run("chrome_annotations", pattern=LIKE_STEP):
        step = read_step(name)
        if step:
            end = None if dur is None or dur < 0 else ts + dur
            found.append(Annotation(name, pid, tid, ts, end, step))
        if role == "annotation" and not (step and step.understood) and looks_like_step(name):
            unread[name] += 1
    store_unread(stage, unread)
    chosen = choose(found)
    if chosen:
        store_steps(stage, chosen, base)
        store_host_time(stage, chosen)
        return False
    return _find_on_device(stage, base)


def store_unread(stage: Stage, unread: Counter[str]) -> None:
    """Stage the texts that look like steps and are not read as such."""
    stage.insert("unread_steps", ("name", "spans"), unread.most_common(_NAMES_KEPT))
    if unread:
        reason = "annotations that look like steps and are not understood"
        stage.insert("trust", ("level", "reason", "events"), [("limited", reason, unread.total())])


def _find_on_device(stage: Stage, base: int) -> bool:
    spans = [
        DeviceSpan(name, device, stream, ts, ts + dur, external, step)
        for name, device, stream, ts, dur, external in stage.run(
            "chrome_device_annotations", pattern=LIKE_STEP
        )
        if (step := read_step(name))
    ]
    steps = join(spans)
    store_steps(stage, [step.annotation for step in steps], base, DEVICE)
    _store_device_time(stage, steps)
    return bool(steps)


def store_steps(
    stage: Stage, chosen: Sequence[Annotation], base: int, source: str | None = None
) -> None:
    """Stage the steps as contexts, numbered in their order."""
    columns = (
        *("context_no", "step_index", "name", "phase", "source", "complete", "start_ns", "end_ns"),
        *COUNTS,
    )
    steps = _with_tails(chosen)
    rows = (
        (
            number,
            number if step.step_index is None else step.step_index,
            annotation.name,
            step.phase,
            source or step.source,
            annotation.end_ns is not None,
            annotation.start_ns + base,
            None if annotation.end_ns is None else annotation.end_ns + base,
            *(getattr(step, field) for field in COUNTS),
        )
        for number, (annotation, step) in enumerate(zip(chosen, steps, strict=True))
    )
    stage.insert("contexts", columns, rows)


def _with_tails(chosen: Iterable[Annotation]) -> list[Step]:
    """The steps with the tails of prompts marked, between which drafts do not stand."""
    steps = [annotation.step for annotation in chosen]
    marked = iter(mark_tails([step for step in steps if not step.is_draft]))
    return [step if step.is_draft else next(marked) for step in steps]


def store_host_time(stage: Stage, chosen: Sequence[Annotation]) -> None:
    """Stage whose host time is whose, on each thread and in each process."""
    threads: dict[tuple[str | int, ...], list[Span]] = {}
    processes: dict[tuple[str | int, ...], list[Span]] = {}
    for number, annotation in enumerate(chosen):
        if annotation.end_ns is not None:
            span = Span(number, annotation.start_ns, annotation.end_ns)
            threads.setdefault((annotation.process, annotation.thread), []).append(span)
            processes.setdefault((annotation.process,), []).append(span)
    columns = ("start_ns", "end_ns", "context_no")
    stage.insert("thread_steps", ("pid", "tid", *columns), _pieces(threads))
    stage.insert("process_steps", ("pid", *columns), _pieces(processes))


def _store_device_time(stage: Stage, steps: Sequence[DeviceStep]) -> None:
    streams: dict[tuple[str | int, ...], list[Span]] = {}
    devices: dict[tuple[str | int, ...], list[Span]] = {}
    for number, step in enumerate(steps):
        for span in step.spans:
            # The writer widens it by a nanosecond; the last launch may start at its very end.
            time = Span(number, span.start_ns - 1, span.end_ns + 1)
            streams.setdefault((span.device, span.stream), []).append(time)
            devices.setdefault((span.device,), []).append(time)
    columns = ("start_ns", "end_ns", "context_no")
    stage.insert("stream_steps", ("device", "stream", *columns), _pieces(streams))
    stage.insert("device_steps", ("device", *columns), _pieces(devices))


def _pieces(
    spans: dict[tuple[str | int, ...], list[Span]],
) -> Iterator[tuple[str | int, ...]]:
    for track, of_track in spans.items():
        for piece in cut(of_track):
            yield *track, piece.start_ns, piece.end_ns, piece.context_no
