"""The demo profiles, recomputed from the written files by a reader of their own."""

import csv
import gzip
import json
import re
from bisect import bisect
from collections import Counter, defaultdict
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import pairwise
from statistics import median, quantiles

import pytest

from profdb.demo import Figures, load_figures, write_demo
from profdb.demo import figures as target
from profdb.errors import ProfdbError

LINEAR_LAYER = ["LLGemm1", "LLGemm1", "conv1d_update", "recurrent", "Cijk", "LLGemm1", "Cijk"]
FULL_LAYER = "LLGemm1 rotary reshape_and_cache paged_attention Cijk LLGemm1 Cijk".split()
MARK = re.compile("|".join({*LINEAR_LAYER, *FULL_LAYER}))
Count = target.CountFigures
MODAL = Count(64, 46, 1500.9, 2000.4, 2510.5, modes_us=(700.1, 2100.3))
CAND_COUNTS = (Count(4, 480, 90.6, 90.1, 131.3), MODAL)
PREFILL = (Count(64, 60, 1702.4, 1700.2, 2600.9, 3000.07), Count(65, 30, 1903.3, 1801.5, 2500.1))
BASE_COUNTS = (Count(4, 600, 100.3, 99.1, 160.7), *PREFILL)
BASE = replace(target.BASE_WINDOW, prefill_p50_us=1720, counts=BASE_COUNTS)
CAND = replace(target.CAND_WINDOW, prefill_p50_us=0, counts=CAND_COUNTS, span_ms=900.5)
SMALL = Figures(
    target.TraceFigures(events=9_000, gpu_events=1_400, kernels=1_370, outside_ms=0.321),
    target.PrefillFigures(2, 512, 31.007, 20.5, 3.25, 99, 4.001),
    target.DecodeFigures(5, 8, 4, 27.123, 13.5, 8.125, 1.001, 0.5),
    target.AscendFigures(6, base=BASE, cand=CAND),
)


class Trace:
    """A trace in integer ns, each device event with the step that contains its launch call."""

    def __init__(self, folder, prefill):
        (self.path,) = folder.iterdir()
        self.text = gzip.decompress(self.path.read_bytes()).decode()
        self.document = json.loads(self.text, parse_float=Decimal)
        self.events = self.document["traceEvents"]
        for event in self.events:
            event["start"] = int(event["ts"] * 1000)
            event["end"] = event["start"] + int(event.get("dur", 0) * 1000)
        self.ops = {e["args"]["External id"]: e for e in self.of("cpu_op")}
        self.device = self.of("kernel", "gpu_memcpy", "gpu_memset")
        self.steps = self.of("user_annotation")
        calls = {e["args"]["correlation"]: e for e in self.of("cuda_runtime")}
        self.inside, self.outside = [[] for _ in self.steps], []
        for event in self.device:
            event["call"] = calls[event["args"]["correlation"]]
            self._holder(event["call"]["start"]).append(event)
        self.chunks = self._named(f"execute_context_1({prefill.chunk_tokens})_generation_0(0)")
        self.tail = self._named(f"execute_context_1({prefill.tail_tokens})_generation_0(0)")
        self.decode = self._named("execute_context_0(0)_generation_1(1)")

    def of(self, *cats):
        return [event for event in self.events if event.get("cat") in cats]

    def launched(self, steps):
        return [event for index in steps for event in self.inside[index]]

    def _named(self, name):
        return [index for index, step in enumerate(self.steps) if step["name"] == name]

    def _holder(self, ns):
        index = bisect(self.steps, ns, key=lambda step: step["start"]) - 1
        return self.inside[index] if 0 <= index and ns < self.steps[index]["end"] else self.outside


class Window:
    """The rows of a window: start and duration in ns, passes split at the embedding."""

    def __init__(self, folder, figures):
        self.figures, self.passes = figures, []
        self.path = folder / figures.folder / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv"
        with self.path.open(newline="") as file:
            self.rows = list(csv.DictReader(file))
        for row in self.rows:
            row["start"] = int(Decimal(row["Start Time(us)"]) * 1000)
            row["end"] = row["start"] + int(Decimal(row["Duration(us)"]) * 1000)
            row["dims"] = row["Input Shapes"].strip('"').split(";")
            if row["Type"] == "GatherV2":
                self.passes.append([])
            self.passes[-1].append(row)


def operator(rows):
    return [row["end"] - row["start"] for row in rows if row["Type"] == "DispatchFFNCombine"]


def total(events):
    return sum(event["end"] - event["start"] for event in events)


def shown(ns, digits="0.1", unit=1000):
    return (Decimal(ns) / unit).quantize(Decimal(digits), ROUND_HALF_UP)


def ns(figure, unit=1_000_000):
    return int(Decimal(str(figure)) * unit)


@pytest.fixture(scope="module", params=[True, False], ids=["default", "small"])
def demo(request, tmp_path_factory):
    figures, seed, rows = (Figures(), 0, 60_000) if request.param else (SMALL, 7, 3_001)
    folders = write_demo(tmp_path_factory.mktemp("demo"), figures, seed, rows)
    assert [path.name for path in folders] == ["dcu", "0815", "1009"]
    base, cand = Window(folders[1], figures.ascend.base), Window(folders[2], figures.ascend.cand)
    return figures, Trace(folders[0], figures.prefill), base, cand, rows


def test_trace_has_its_counts_and_the_layout_of_kineto(demo):
    figures, trace, *_ = demo
    counts = len(trace.events), len(trace.device), len(trace.of("kernel"))
    assert counts == (figures.trace.events, figures.trace.gpu_events, figures.trace.kernels)
    assert re.fullmatch(r"dp0_pp0_tp0_dcp0_ep0_rank0\.\d{19}\.pt\.trace\.json\.gz", trace.path.name)
    assert [*trace.document][-2:] == ["traceEvents", "traceName"]
    assert trace.events[-1]["name"] == "Record Window End"
    assert not re.search(r'"(?:ts|dur)": (?!\d+\.\d{3}\b)', trace.text)
    assert all({"Input Dims", "Input type"} <= op["args"].keys() for op in trace.ops.values())
    assert trace.of("python_function") and trace.of("cpu_instant_event") and trace.of("Trace")


def test_device_time_of_phases_and_prefill_operators(demo):
    figures, trace, *_ = demo
    assert total(trace.launched(trace.chunks)) == ns(figures.prefill.chunks_ms)
    assert total(trace.launched(trace.tail)) == ns(figures.prefill.tail_ms)
    assert total(trace.launched(trace.decode)) == ns(figures.decode.total_ms)
    assert total(trace.outside) == ns(figures.trace.outside_ms)
    assert figures != Figures() or total(trace.device) == ns(5773.493)
    assert trace.chunks + trace.tail + trace.decode == list(range(len(trace.steps)))
    assert (len(trace.chunks), len(trace.decode)) == (figures.prefill.chunks, figures.decode.steps)
    operators = defaultdict(list)
    for event in trace.launched(trace.chunks):
        operators[trace.ops[event["args"]["External id"]]["name"]].append(event)
    assert total(operators["aten::mm"]) == ns(figures.prefill.mm_ms)
    attention = total(operators["vllm::unified_attention_with_output"])
    assert attention == ns(figures.prefill.attention_ms)


def test_decode_launches_and_times(demo):
    figures, trace, *_ = demo
    families = defaultdict(list)
    for event in trace.launched(trace.decode):
        families[(MARK.findall(event["name"]) or ["other"])[0]].append(event)
    decode, full = figures.decode, figures.decode.full_layers
    linear = decode.layers - full
    expected = {
        "LLGemm1": (decode.layers + 2 * linear + full, decode.llgemm1_ms),
        "Cijk": (2 * decode.layers + 1, decode.tensile_ms),
        "paged_attention": (full, decode.paged_attention_ms),
        "recurrent": (linear, decode.recurrence_ms),
    }
    for family, (per_step, total_ms) in expected.items():
        assert len(families[family]) == decode.steps * per_step
        assert total(families[family]) == ns(total_ms)
    assert figures != Figures() or [per_step for per_step, _ in expected.values()][:2] == [176, 129]


def test_each_replay_has_the_layers_in_order_after_its_annotation(demo):
    figures, trace, *_ = demo
    layers = LINEAR_LAYER * (figures.decode.full_attention_interval - 1) + FULL_LAYER
    sizes = []
    for index in trace.decode:
        replayed = [e for e in trace.inside[index] if e["args"]["kind"] == "Dispatch Task"]
        sizes.append(len(replayed))
        (call,) = {id(e["call"]): e["call"] for e in replayed}.values()
        assert call["name"] == "hipGraphLaunch" and "External id" not in call["args"]
        assert all(e["start"] > trace.steps[index]["end"] for e in replayed)
        assert not any({"External id", "grid", "block"} & e["args"].keys() for e in replayed)
        marks = [found[0] for e in replayed if (found := MARK.findall(e["name"]))]
        assert marks == layers * figures.decode.full_layers + ["Cijk"]
    assert len(set(sizes)) == 1


def test_eager_launches_lie_in_their_operator_and_one_stream_runs_in_order(demo):
    _, trace, *_ = demo
    for event in trace.device:
        call = event["call"]
        if call["name"] != "hipGraphLaunch":
            op = trace.ops[call["args"]["External id"]]
            assert event["args"]["External id"] == call["args"]["External id"]
            assert op["start"] <= call["start"] < call["end"] <= min(op["end"], event["start"])
    ordered = sorted(trace.device, key=lambda event: event["start"])
    assert all(before["end"] <= after["start"] for before, after in pairwise(ordered))
    flows = Counter(e["id"] for e in trace.of("ac2g") if e["ph"] == "s")
    assert flows == Counter({e["args"]["correlation"] for e in trace.device})


def test_windows_hold_their_counts_medians_and_totals(demo):
    figures, _, *windows, _ = demo
    totals = [str(shown(sum(operator(window.rows)), unit=1_000_000)) for window in windows]
    assert figures != Figures() or totals == ["4772.4", "4574.7"]
    for window in windows:
        pool = []
        for count in window.figures.counts:
            rows = [row for row in window.rows if row["dims"][0] == f"{count.tokens},6144"]
            values = sorted(operator(rows))
            mean = Decimal(sum(values)) / count.launches
            cuts = quantiles(values, n=100, method="inclusive")
            found = [mean, cuts[49], cuts[98]]
            wanted = [count.mean_us, count.p50_us, count.p99_us]
            assert [str(shown(value)) for value in found] == [f"{us:.1f}" for us in wanted]
            assert len(values) == count.launches
            assert count.max_us is None or max(values) == ns(count.max_us, 1000)
            if count.modes_us:
                lows = bisect(values, sum(count.modes_us) * 500)
                assert lows * 2 < len(values) <= lows * 2 + 3
                centres = [median(half) / 1000 for half in (values[:lows], values[lows:])]
                assert centres == pytest.approx(count.modes_us, rel=0.03)
            pool += values if count.tokens >= 32 else []
        assert shown(median(pool), "1") == window.figures.prefill_p50_us or window.figures is CAND


def test_passes_are_whole_fair_samples_and_mixed(demo):
    figures, _, *windows, _ = demo
    for window in windows:
        means, kinds = defaultdict(list), []
        for rows in window.passes:
            embedded, tokens = rows[0]["dims"]
            launched = [row for row in rows if row["Type"] == "DispatchFFNCombine"]
            assert embedded == "154880,6144"
            assert {row["dims"][0] for row in launched} == {f"{tokens},6144"}
            if len(launched) < figures.ascend.layers:
                assert rows is windows[1].passes[-1]
                continue
            assert [row["Type"] for row in rows[-2:]] == ["MatMulV2", "ArgMax"]
            means[tokens].append(total(launched))
            kinds.append(int(tokens) >= 32)
        assert all(max(group) < 1.35 * min(group) for group in means.values())
        assert not any(before and after for before, after in pairwise(kinds))
    cut = windows[1].figures.counts[-1].launches % figures.ascend.layers
    assert len(operator(windows[1].passes[-1])) == cut


def test_window_rows_span_and_text(demo):
    *_, base, cand, count = demo
    launches = [len(operator(window.rows)) for window in (base, cand)]
    assert [len(cand.rows), len(base.rows)] == [count, count * launches[0] // launches[1]]
    for window, rows in ((base, base.rows), (cand, cand.rows)):
        assert rows[-1]["end"] - rows[0]["start"] == ns(window.figures.span_ms)
        assert all(before["end"] <= after["start"] for before, after in pairwise(rows))
        _, *lines, last = window.path.read_bytes().split(b"\r\n")
        row = re.compile(rb'[^"]*,\d{16}\.\d{3}\t,\d+\.\d{3},\d+\.\d{6},\d+,\d*[^\n]*')
        assert last == b"" and all(row.fullmatch(line) for line in lines)
        assert {len(row) for row in csv.reader(line.decode() for line in lines)} == {46}
        shared = [row for row in rows if row["Accelerator Core"] == "COMMUNICATION"]
        assert {row["Stream ID"] + row["Task ID"] for row in shared} == {"N/AN/A"}


def test_the_seed_fixes_the_bytes_and_any_row_count_is_met(tmp_path):
    told, contents = [], []
    for name, seed, rows in (("a", 3, 1_200), ("b", 3, 1_200), ("c", 4, 1_200), ("d", 3, 20_007)):
        folders = write_demo(tmp_path / name, SMALL, seed, rows, told.append)
        assert set(folders) == set(told[-3:])
        files = [path for path in sorted((tmp_path / name).rglob("*")) if path.is_file()]
        contents.append([path.read_bytes() for path in files])
        assert len(Window(folders[2], SMALL.ascend.cand).rows) == rows
    assert contents[0] == contents[1] != contents[2]
    with pytest.raises(ProfdbError, match="100 Ascend rows are too few; at least 788"):
        write_demo(tmp_path, SMALL, 1, 100)


def test_figures_files(tmp_path):
    path = tmp_path / "figures.toml"
    count = "tokens = 9\nlaunches = 78\nmean_us = 2\np50_us = 2\np99_us = 3.5\nmodes_us = [1, 3.0]"
    path.write_text(f"decode.steps = 12\n[[ascend.cand.counts]]\n{count}\n")
    figures, counts = load_figures(path), (Count(9, 78, 2, 2, 3.5, modes_us=(1, 3.0)),)
    assert figures.decode == target.DecodeFigures(steps=12)
    assert figures.ascend.cand == replace(target.CAND_WINDOW, counts=counts)
    for text, message in (
        ("decode.step = 3", "no field decode.step; known here: steps, layers"),
        ("decodes = 3", "no field decodes; known here: trace, prefill"),
        ("[[ascend.base.counts]]\ntokens = 3", "lacks launches, mean_us, p50_us, p99_us"),
        ("decode.steps = 'x'", "decode.steps must be a number, not 'x'"),
        ("[decode", "figures.toml"),
    ):
        path.write_text(text)
        with pytest.raises(ProfdbError, match=re.escape(message)):
            load_figures(path)


def test_impossible_figures_are_named(tmp_path):
    for part, change, message in (
        ("trace", {"events": 2_000}, "trace.events 2000"),
        ("prefill", {"mm_ms": 40.0}, "prefill.chunks_ms"),
        ("decode", {"total_ms": 20.0}, "decode.total_ms"),
        ("ascend", {"layers": 7}, "launches at 4, 64 tokens are no multiple of 7 layers"),
        ("ascend", {"cand": replace(CAND, prefill_p50_us=60.5)}, "prefill_p50_us of 64 tokens"),
        ("ascend", {"cand": replace(CAND, counts=(replace(MODAL, mean_us=9e3),))}, "mean_us 9000"),
        ("ascend", {"cand": replace(CAND, counts=(replace(MODAL, p99_us=50),))}, "p99_us are"),
    ):
        figures = replace(SMALL, **{part: replace(getattr(SMALL, part), **change)})
        with pytest.raises(ProfdbError, match=re.escape(message)):
            write_demo(tmp_path, figures, 0, 3_001)
