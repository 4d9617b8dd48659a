"""Databases of random tasks against a plain reading of what was written."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from .ascend_databases import COLLECTIVE, NONE, T0, Writer
from .traces import ingested, rows

_KERNELS = """
SELECT k.device, k.start_ns, k.dur_ns, k.wait_ns, k.stream, k.model_id, k.vendor_context, n.name,
    n.op_type, k.core, s.shape
FROM kernels AS k JOIN kernel_names AS n USING (kernel_id) JOIN shapes AS s USING (shape_id)
"""
names = st.sampled_from(["k", "N/A", "日本", 'say "hi"', "a,b\r\nc", "'", "", "%s", "nul\\0", "-"])
shapes = st.sampled_from(['"1,2;3"', '""', "N/A", '";;"', "128,64", '"4"'])
devices = st.sampled_from([0, 0, 0, 1, 7])
starts = st.integers(0, 10**4).map(lambda n: T0 + n)
lengths = st.integers(-1, 10**4)
kinds = st.sampled_from(["kernel", "kernel", "kernel", "again", "other", "collective"])
launches = st.lists(
    st.fixed_dictionaries({
        "kind": kinds, "device": devices, "start": starts, "dur": lengths, "name": names,
        "shape": shapes, "context": st.sampled_from([NONE, 0, 3]),
    }),
    min_size=1, max_size=12, unique_by=lambda launch: launch["start"],
)  # fmt: skip


def cell(text: str) -> str | None:
    """A text as a kernel table has it."""
    return None if text in ("N/A", "", "NULL", "-", "inf") else text


def written(found: list[dict]) -> tuple[Writer, list[list], int]:
    """The database, its launches as they should be stored, and the tasks that are none."""
    writer, expected, others = Writer(), [], 0
    writer.add("COMMUNICATION_OP", COLLECTIVE)
    last = None
    for number, one in enumerate(found):
        kind, start, dur, device = one["kind"], one["start"], one["dur"], one["device"]
        if kind == "other" or (kind == "again" and last is None):
            writer.task(10**6 + number, start, dur)
            others += 1
            continue
        if kind == "collective":
            writer.add("COMMUNICATION_OP", COLLECTIVE, (
                writer.text(one["name"]), start, start + dur, 10**7 + number, 0, number, 0, 0, 4,
                0, 8, writer.text("hcom_"), device,
            ))  # fmt: skip
            row = [device, start, dur, 0, None, None, None, cell(one["name"]) or "", "hcom_",
                   "COMMUNICATION", ""]  # fmt: skip
        elif kind == "again":
            # One more run of the last kernel, under the same id and on its device.
            writer.task(last[0], start, dur, "KERNEL")
            row = [0, start, dur, 0, 7, NONE, None, *last[1][7:]]
        else:
            context = one["context"]
            writer.kernel(number, start, dur, one["name"], deviceId=device, contextId=context,
                          inputShapes=one["shape"])  # fmt: skip
            row = [device, start, dur, 0, 7, NONE, None if context == NONE else str(context),
                   cell(one["name"]) or "", "Add", "AI_VECTOR_CORE",
                   (cell(one["shape"]) or "").strip('"')]  # fmt: skip
            last = number, row
        expected.append(row)
    return writer, expected, others


def with_waits(expected: list[list]) -> list[tuple]:
    """Launches that have a duration, each with the gap to the one before on its device."""
    ends: dict[int, int] = {}
    sound = sorted((row for row in expected if row[2] >= 0), key=lambda row: row[1])
    for row in sound:
        device, start, dur = row[:3]
        row[3] = max(0, start - ends.get(device, start))
        ends[device] = start + dur
    return [tuple(row) for row in sound]


@settings(max_examples=20, deadline=None)
@given(launches)
def test_random_tasks_are_stored_as_they_are(found):
    writer, expected, others = written(found)
    sound = with_waits(expected)
    if not sound:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = ingested(Path(folder), writer.write(Path(folder) / "ascend_pytorch_profiler.db"))
        stored = rows(path, _KERNELS)
        # A collective has the model of its tasks, of which there are none here.
        mine = [row if row[9] != "COMMUNICATION" else (*row[:5], None, *row[6:]) for row in stored]
        assert sorted(mine, key=repr) == sorted(sound, key=repr)
        seen, kept, aside = rows(
            path, "SELECT sum(seen), sum(stored), sum(set_aside) FROM ingest_ledger"
            " WHERE category IN ('TASK', 'COMMUNICATION_OP')"
        )[0]  # fmt: skip
        assert (seen, kept, aside) == (
            len(expected) + others, len(sound), len(expected) + others - len(sound)
        )  # fmt: skip
