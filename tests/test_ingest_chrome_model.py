"""Random traces, against a reader that looks at everything for everything."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from .traces import ingested, rows, stored_events, stored_kernels, stored_ledger
from .traces_model import Model

TRACKS = [(1, 1)] * 5 + [("1", 1), (1, 2), (1, "worker 3"), (2, 1), ("host", None), (None, None)]


def times(low: int, high: int) -> st.SearchStrategy:
    """Whole ns in us, as a number or as text."""
    return st.integers(low * 1000, high * 1000).flatmap(
        lambda ns: st.sampled_from([ns / 1000, f"{ns / 1000:.3f}", f" {ns / 1000}", ns // 1000])
    )


def optional(**fields: st.SearchStrategy) -> st.SearchStrategy:
    return st.fixed_dictionaries({}, optional=fields)


numbers = st.sampled_from([1, 2, 3, 1, 2, "2", "3", 4, 0, None])
durations = st.one_of(times(0, 60), st.sampled_from([0, -1, "-0.5", None]))
step_names = [
    "execute_context_0(0)_generation_{0}({0})", "execute_context_{0}({0})_generation_0(0)",
    "execute_new_{0}_cached_0", "step[DECODE bs={0}]", "step[DRAFT bs={0}]",
    "gpu_model_runner: draft", "decode[{0}]", "ProfilerStep#{0}", "forward {0}",
]  # fmt: skip
dims = st.lists(
    st.one_of(
        st.lists(st.integers(1, 9), max_size=3),
        st.lists(st.lists(st.integers(1, 9), max_size=2), min_size=1, max_size=2),
    ),
    max_size=3,
)
steps = st.fixed_dictionaries({
    "cat": st.sampled_from(["user_annotation", "cpu_op"]), "name": st.sampled_from(step_names),
    "dur": st.one_of(times(20, 140), times(5, 90), durations),
})  # fmt: skip
operators = st.fixed_dictionaries({
    "cat": st.sampled_from(["cpu_op", "Operator"]), "name": st.sampled_from(["mm", "ü\n"]),
    "dur": st.one_of(times(10, 80), durations),
    "args": optional(**{"External id": numbers, "Input Dims": dims}),
})  # fmt: skip
calls = st.fixed_dictionaries({
    "cat": st.sampled_from(["cuda_runtime", "cuda_driver", "Runtime"]), "dur": durations,
    "name": st.sampled_from(["cudaLaunchKernel", "hipGraphLaunch", "cudaMemcpyAsync"]),
    "args": st.fixed_dictionaries(
        {"correlation": numbers}, optional={"External id": numbers, "external id": numbers}
    ),
})  # fmt: skip
work = st.fixed_dictionaries({
    "ph": st.just("X"),
    "cat": st.sampled_from(["kernel", "gpu_memcpy", "gpu_memset", "Kernel", "Memcpy"]),
    "name": st.sampled_from(["gemm", 'a },{"b', 5, None]),
    "pid": st.sampled_from([0, 1, "1", None]), "tid": st.sampled_from([7, "stream 8", None]),
    "ts": st.one_of(times(0, 120), st.just(0)), "dur": durations,
    "args": st.fixed_dictionaries({"correlation": numbers}, optional={
        "device": st.sampled_from([0, 1, "1"]), "stream": st.sampled_from([7, 4294967295, "9"]),
        "External id": numbers,
    }),
})  # fmt: skip
others = st.sampled_from([
    {"ph": "s", "cat": "ac2g", "id": 2**60, "pid": 1, "tid": 1, "ts": 5.5},
    {"ph": "f", "cat": "ac2g", "id": "a", "pid": 0, "tid": 7, "ts": "5.5", "bp": "e"},
    {"ph": "M", "name": "process_name", "pid": "Spans", "args": {"name": "x"}},
    {"ph": "i", "name": "Record Window End", "ts": 99, "s": "g", "args": "text"},
    {"ph": "X", "cat": "python_function", "name": "f.py: g", "ts": 3, "dur": 9, "args": {"i": 1}},
    {"ph": "X", "cat": "kernel", "name": "no time", "dur": 5, "args": {"stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "no length", "ts": 5},
    {"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#1", "ts": 1, "dur": 100},
    {"cat": "kernel", "name": "no form", "ts": 1, "dur": 1}, {},
])  # fmt: skip


@st.composite
def traces(draw: st.DrawFn) -> list[dict]:
    """Events in any order; host events begin at moments of their own, so that one is innermost."""
    kinds = (steps, 1, 5), (operators, 2, 6), (calls, 4, 9)
    hosted = [
        event
        for kind, least, most in kinds
        for event in draw(st.lists(kind, min_size=least, max_size=most))
    ]
    moments = list(range(-10, 60))
    draw(st.randoms(use_true_random=False)).shuffle(moments)
    for number, (event, at) in enumerate(zip(hosted, moments, strict=False)):
        pid, tid = draw(st.sampled_from(TRACKS))
        name = event["name"].format(number) if event["name"] in step_names else event["name"]
        event |= {"ph": "X", "name": name, "pid": pid, "tid": tid, "ts": at + 0.25}
        hosted[number] = {key: v for key, v in event.items() if v is not None}
    more = draw(st.lists(work, min_size=4, max_size=16)) + draw(st.lists(others, max_size=4))
    return draw(st.permutations(hosted + more))


# External id 0 is that of an operator that never finished, and of a call that names none.
ZERO = [
    {"cat": "cpu_op", "name": "mm", "ts": 1.25, "dur": 0, "args": {"External id": 0}},
    {"cat": "Runtime", "name": "cudaLaunchKernel", "ts": 2.25, "dur": 0}
    | {"args": {"correlation": 2, "external id": 0}},
    {"cat": "kernel", "name": "gemm", "ts": 3.25, "dur": 1, "args": {"correlation": 2}},
]
ZERO = [event | {"ph": "X", "pid": 1, "tid": 2} for event in ZERO]


@example(events=ZERO, base=0, python=False, as_array=False)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # fmt: skip
@given(
    events=traces().filter(bool), base=st.sampled_from([0, 1727743122000000000]),
    python=st.booleans(), as_array=st.booleans(),
)  # fmt: skip
def test_random_traces_are_read_as_the_plain_reader_does(events, base, python, as_array):
    content = events if as_array else {"baseTimeNanoseconds": base, "traceEvents": events}
    model = Model(events, 0 if as_array else base, python)
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "t.json"
        trace.write_text(json.dumps(content))
        if as_array and "ph" not in events[0]:
            return  # not recognised by its first element
        path = ingested(Path(folder), trace, python=python)
        assert stored_kernels(path, "t") == model.kernels()
        assert stored_ledger(path, "t") == model.ledger()
        assert stored_events(path, "t") == model.host_events()
        whole = rows(path, "SELECT sum(dur_ns) FROM kernels") if model.kernels() else [(None,)]
        assert rows(path, "SELECT sum(dur_ns) FROM kernel_events") == whole


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"ts": "soon", "dur": 1}, "times that are no numbers"),
        ({"ts": 18446744073709551.615, "dur": 1}, "beyond a century"),
        ({"ts": 5, "dur": 9223372036854775.807}, "beyond a century"),
        ({"ts": 1e400, "dur": 1}, None),
        ({"ts": [1], "dur": 1}, "times that are no numbers"),
        ({"ts": "", "dur": 1}, "times that are no numbers"),
    ],
)
def test_device_work_at_impossible_times_is_set_aside(tmp_path, wrong, reason):
    good = {"ph": "X", "cat": "kernel", "name": "k", "ts": 1.5, "dur": 2.5, "pid": 0, "tid": 7}
    (tmp_path / "t.json").write_text(json.dumps([good, good | wrong]).replace("Infinity", "1e400"))
    path = ingested(tmp_path, tmp_path / "t.json")
    assert stored_ledger(path, "t") == {"kernel": [2, 1, 1]}
    assert rows(path, "SELECT dur_ns FROM kernels") == [(2500,)]
    said = rows(path, "SELECT trust_reasons FROM run_summary")[0][0]
    assert (reason or "beyond a century") in said


def test_odd_elements_are_counted(tmp_path):
    good = {"ph": "X", "cat": "cpu_op", "name": "a", "ts": 1.5, "dur": 2.5, "pid": 0, "tid": 7}
    events = json.dumps([good, 5, None, "x", [good], good])
    twice = '{"ph":"X","cat":"cpu_op","name":"b","name":"c","ts":12345678901234.567,"dur":1}'
    trace = '{"traceEvents":' + events[:-1] + "," + twice + "]}"
    (tmp_path / "t.json").write_text(trace)
    path = ingested(tmp_path, tmp_path / "t.json")
    assert stored_ledger(path, "t") == {"cpu_op": [3, 3, 0], "(ph none)": [4, 0, 4]}
    found = {name: start for _, _, name, _, _, start, _ in stored_events(path, "t")}
    assert found == {"a": 1500, "c": 12345678901234567}
    said = rows(path, "SELECT trust_reasons FROM run_summary")[0][0]
    assert "no objects, read as null (4)" in said and "the last one kept (1)" in said
