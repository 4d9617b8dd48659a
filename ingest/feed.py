"""The way of a trace's slices into the staging table, cut in one thread and loaded in another."""

import queue
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path

from ..errors import ProfdbError
from ..warehouse import readable_errors
from .container import Content
from .repair import repair_events
from .slices import Slices
from .source import Options, Progress
from .stage import Stage

_GROUP = 8
"""Slice files that DuckDB reads at once: it gives each file one thread."""

_Ready = queue.Queue[tuple[int, Path] | BaseException | None]


def load(
    stage: Stage, slices: Slices, content: Content, options: Options, progress: Progress
) -> int:
    """Hand proven slices to DuckDB, some at a time, while the next are cut; say how many events."""
    done = events = 0
    with closing(_slice_files(stage, slices)) as groups:
        for group in groups:
            _load_group(stage, slices, group, options)
            events += sum(count for count, _ in group)
            for _, file in group:
                file.unlink()
            at = content.position()
            progress(at - done)
            done = at
    return events


def _load_group(
    stage: Stage, slices: Slices, group: list[tuple[int, Path]], options: Options
) -> None:
    files = [file for _, file in group]
    try:
        with readable_errors("cannot load events"):
            rows = _rows_of(stage, files, options)
    except ProfdbError:
        # Sound JSON that does not fit the columns: a second, slow look at every event.
        for file in files:
            file.write_bytes(repair_events(file.read_bytes(), slices.repaired))
        rows = _rows_of(stage, files, options)
    events = sum(count for count, _ in group)
    if rows != events:
        raise ProfdbError(f"{events} events were read but {rows} stored; nothing is kept")


def _rows_of(stage: Stage, files: list[Path], options: Options) -> int:
    names = [str(file) for file in files]
    ((rows,),) = stage.run("chrome_load", files=names, python=options.python)
    return int(rows)


def _slice_files(stage: Stage, slices: Slices) -> Generator[list[tuple[int, Path]]]:
    """Cut in a thread of its own, and give what is ready; what it raises is raised here."""
    ready: _Ready = queue.Queue(_GROUP)
    stop = threading.Event()
    thread = threading.Thread(target=_cut, args=(stage.folder, slices, ready, stop), daemon=True)
    thread.start()
    try:
        yield from _groups(ready)
    finally:
        # Left alone, it would write into the folder of the next profile.
        stop.set()
        while thread.is_alive():
            _empty(ready)
            thread.join(0.01)


def _cut(folder: Path, slices: Slices, ready: _Ready, stop: threading.Event) -> None:
    try:
        for number, (count, piece) in enumerate(slices):
            if stop.is_set():
                return
            file = folder / f"slice{number}.json"
            file.write_bytes(piece)
            ready.put((count, file))
        ready.put(None)
    except BaseException as error:
        ready.put(error)


def _groups(ready: _Ready) -> Iterator[list[tuple[int, Path]]]:
    group: list[tuple[int, Path]] = []
    while (item := ready.get()) is not None:
        if isinstance(item, BaseException):
            raise item
        group.append(item)
        # DuckDB reads a file with one thread: a single one would leave the others idle.
        if len(group) >= _GROUP or (len(group) > 1 and ready.empty()):
            yield group
            group = []
    if group:
        yield group


def _empty(ready: _Ready) -> None:
    while not ready.empty():
        ready.get_nowait()
