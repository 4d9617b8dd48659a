"""Passes of the demo windows against the schedule that they were written from."""

import csv
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest

from profdb.ingest.passes import Kernels, infer

WINDOWS = {
    "1009": {
        (1, "decode", True): 124,
        (2, "decode", True): 25,
        (220, "prefill", True): 3,
        (221, "prefill", True): 1,
        (221, "prefill", False): 1,
    },
    "0815": {
        (2, "decode", True): 90,
        (3, "decode", True): 34,
        (221, "prefill", True): 6,
        (222, "prefill", True): 1,
    },
}
LAYERS = 78


@pytest.fixture(scope="module")
def tables(demo_runs):
    """Rows of both windows: operator, shape, start and duration in ns."""
    return {folder.name: table(folder) for folder in demo_runs if folder.name in WINDOWS}


def table(folder):
    (path,) = folder.rglob("kernel_details.csv")
    with path.open(newline="") as file:
        return [
            (row["Type"], row["Input Shapes"].strip('"'), *(ns(row[c]) for c in TIMES))
            for row in csv.DictReader(file)
        ]


TIMES = ("Start Time(us)", "Duration(us)")


def ns(cell):
    return int(Decimal(cell.strip()) * 1000)


def kernels(rows):
    ops, shapes = (list(dict.fromkeys(column)) for column in list(zip(*rows, strict=True))[:2])
    op_id, shape_id = ({t: i for i, t in enumerate(texts)} for texts in (ops, shapes))
    return Kernels(
        np.array([start for _, _, start, _ in rows]),
        np.array([dur for *_, dur in rows]),
        np.array([op_id[op] for op, *_ in rows]),
        np.array([shape_id[shape] for _, shape, *_ in rows]),
        ops,
        shapes,
    )


def once(row):
    return row[0] in ("GatherV2", "ArgMax") or "154880" in row[1]


@pytest.mark.parametrize("label", WINDOWS)
@pytest.mark.parametrize("bare", [False, True], ids=["whole", "without once-per-pass operators"])
def test_passes_of_a_window(tables, label, bare):
    rows = [row for row in tables[label] if not (bare and once(row))]
    found = infer(kernels(rows))
    assert found.accepted, found.reason
    assert Counter((p.tokens, p.phase, p.complete) for p in found.passes) == WINDOWS[label]
    edges = [-1, *(p.last for p in found.passes)]
    assert [p.first for p in found.passes] == [edge + 1 for edge in edges[:-1]]
    assert edges[-1] == len(rows) - 1
    launches = [row[0] == "DispatchFFNCombine" for row in rows]
    counts = [sum(launches[p.first : p.last + 1]) for p in found.passes]
    assert set(counts[:-1]) == {LAYERS}
    assert counts[-1] == (73 if label == "1009" else LAYERS)
    assert f"{LAYERS} launches of DispatchFFNCombine" in found.rule
    assert found.score > 0.9 and found.likelihood > 100


def test_a_missing_tail_is_seen_although_kernels_are_missing(tables):
    rng = np.random.default_rng(1)
    rows = [row for row in tables["1009"] if rng.random() >= 0.02]
    found = infer(kernels(rows))
    assert Counter((p.tokens, p.phase, p.complete) for p in found.passes) == WINDOWS["1009"]


def test_tokens_of_decode_can_be_given(tables):
    found = infer(kernels(tables["0815"]), decode_tokens=2)
    assert Counter(p.phase for p in found.passes) == {"decode": 90, "prefill": 41}


@pytest.mark.slow
def test_a_window_of_full_size_takes_seconds(tables):
    part = kernels(tables["1009"])
    span = int(part.start_ns[-1] - part.start_ns[0]) + 1_000_000
    starts = np.concatenate([part.start_ns + turn * span for turn in range(11)])
    ids = (np.tile(column, 11) for column in (part.dur_ns, part.op, part.shape))
    found = infer(Kernels(starts, *ids, part.ops, part.shapes))
    assert len(starts) == 660_000
    assert len(found.passes) == 11 * 154
