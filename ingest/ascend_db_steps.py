"""The steps of a database: ranges that name one, and the profiler's own step times."""

from collections import Counter

from .annotations import Annotation, choose
from .chrome_steps import store_host_time, store_steps, store_unread
from .stage import Stage
from .step_texts import LIKE_STEP, looks_like_step, read_step

_ANY = ""
"""Process and thread of a step that the profiler timed: the table names none."""


def find_steps(stage: Stage) -> None:
    """Find the steps and lay out whose host time is whose."""
    found: list[Annotation] = []
    unread: Counter[str] = Counter()
    for name, pid, tid, start, end in stage.run("ascend_db_annotations", pattern=LIKE_STEP):
        step = read_step(name)
        if step:
            # A range that was never closed ends before it began.
            found.append(Annotation(name, pid, tid, start, _end(start, end), step))
        if not (step and step.understood) and looks_like_step(name):
            unread[name] += 1
    store_unread(stage, unread)
    known = {annotation.name for annotation in found}
    found += [timed for timed in _step_times(stage) if timed.name not in known]
    chosen = choose(found)
    store_steps(stage, chosen, 0)
    store_host_time(stage, chosen)


def _end(start: int, end: int | None) -> int | None:
    return None if end is None or end < start else end


def _step_times(stage: Stage) -> list[Annotation]:
    """STEP_TIME, which holds ProfilerStep ranges without their text, thread and process."""
    steps = []
    for number, start, end in stage.run("ascend_db_step_times"):
        name = f"ProfilerStep#{number}"
        step = read_step(name)
        if step:
            steps.append(Annotation(name, _ANY, _ANY, start, _end(start, end), step))
    return steps
