"""Texts of step annotations, of every engine."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.ingest.step import COUNTS, Step
from profdb.ingest.step_texts import looks_like_step, read_step

from .traces import ingested, launched, rows, span, write

counts = st.integers(0, 10**12)

# Text, phase, requests and tokens of prompts and of generation, and what else it tells.
FORMS = [
    ("execute_new_2_cached_0", "prefill", 2, None, None, None, {}),
    ("execute_new_1_cached_3", "unknown", 1, None, None, None, {}),
    ("execute_new_0_cached_3", "unknown", None, None, None, None, {}),
    ("execute_context_0(0)_generation_64(64)", "decode", 0, 0, 64, 64, {}),
    ("execute_context_2(900)_generation_3(3)", "mixed", 2, 900, 3, 3, {}),
    ("execute_context_0(0)_generation_0(0)", "idle", 0, 0, 0, 0, {}),
    (
        "execute_8192_context_9(sq8155sk8430sqsq7475785sqsk7671310)"
        "_generation_37(sq37sk34489sqsq37sqsk34489)",
        "mixed", 9, 8155, 37, 37,
        {"context_sk": 8430, "context_sqsq": 7475785, "context_sqsk": 7671310,
         "generation_sk": 34489, "generation_sqsq": 37, "generation_sqsk": 34489},
    ),
    (
        "execute_context_1(888_788544)_generation_0(0)", "prefill", 1, 888, 0, 0,
        {"context_sqsq": 788544},
    ),
    ("gpu_model_runner: draft", "draft", None, None, None, None, {}),
    ("step[EXTEND bs=15 toks=15360]", "prefill", 15, 15360, 0, 0, {}),
    (
        "step[EXTEND bs=2 toks=10 c_sq=10 c_sqsq=52 c_sqsk=60 c_sk=12 forward_id=7]",
        "prefill", 2, 10, 0, 0,
        {"context_sqsq": 52, "context_sqsk": 60, "context_sk": 12, "step_index": 7},
    ),
    ("step[SPLIT_PREFILL bs=1]", "prefill", 1, None, 0, 0, {}),
    ("step[DECODE bs=32]", "decode", 0, 0, 32, 32, {}),
    (
        "step[DECODE bs=4 g_sq=4 g_sqsq=4 g_sqsk=40 g_sk=40]", "decode", 0, 0, 4, 4,
        {"generation_sqsq": 4, "generation_sqsk": 40, "generation_sk": 40},
    ),
    ("step[TARGET_VERIFY bs=4]", "decode", 0, 0, 4, None, {}),
    ("step[VERIFY bs=4 g_sq=16 forward_id=3]", "decode", 0, 0, 4, 16, {"step_index": 3}),
    (
        "step[MIXED bs=6 c=2 g=4 c_sq=90 c_sqsq=1 c_sqsk=2 c_sk=3 g_sq=4 g_sqsq=5 g_sqsk=6 g_sk=7]",
        "mixed", 2, 90, 4, 4,
        {"context_sqsq": 1, "context_sqsk": 2, "context_sk": 3,
         "generation_sqsq": 5, "generation_sqsk": 6, "generation_sk": 7},
    ),
    ("step[MIXED bs=6]", "mixed", None, None, None, None, {}),
    ("step[IDLE bs=0]", "idle", 0, 0, 0, 0, {}),
    ("step[PREBUILT bs=3]", "idle", 0, 0, 0, 0, {}),
    ("step[DLLM_EXTEND bs=3]", "unknown", None, None, None, None, {}),
    ("step[DRAFT bs=8]", "draft", None, None, 8, None, {}),
    ("step[DRAFT_EXTEND bs=8]", "draft", None, None, 8, None, {}),
    ("step[DRAFT_EXTEND_V2 bs=8]", "draft", None, None, 8, None, {}),
    ("step[DRAFT bs=8 c_sq=24 c_sk=99]", "draft", None, 24, 8, None, {"context_sk": 99}),
    ("step[FOO bs=3]", "unknown", None, None, None, None, {"understood": False}),
    ("[Executor] _forward_step 12: 2 ctx reqs, 3 gen reqs", "mixed", 2, None, 3, None,
     {"step_index": 12}),
    ("[Executor] _forward_step 13: 2 ctx reqs, 900 ctx tokens, 3 gen reqs", "mixed", 2, 900, 3,
     None, {"step_index": 13}),
    ("[Executor] _forward_step 14: 0 ctx reqs, 64 gen reqs", "decode", 0, 0, 64, None,
     {"step_index": 14}),
    ("[Executor] _forward_step 15: 1 ctx reqs, 7 ctx tokens, 0 gen reqs", "prefill", 1, 7, 0, 0,
     {"step_index": 15}),
    ("prefill[bs=2 tok=14721 ctx=[7803, 6918]]", "prefill", 2, 14721, 0, 0, {}),
    ("prefill[bs=5 tok=9000 ctx=[4096, 1]...+3]", "prefill", 5, 9000, 0, 0, {}),
    (
        "prefill[bs=6 tok=17408 ctx=[4096, 1]...+4 sqsq=59 sqsk=60 sk=17408 tbo=1]",
        "prefill", 6, 17408, 0, 0, {"context_sqsq": 59, "context_sqsk": 60, "context_sk": 17408},
    ),
    ("decode[bs=117/128 tok=117 d=117]", "decode", 0, 0, 117, 117, {"padded_requests": 128}),
    (
        "decode[bs=32 tok=128 d=32 spec=3 sqsq=512 sqsk=9000 sk=2000]", "decode", 0, 0, 32, 128,
        {"generation_sqsq": 512, "generation_sqsk": 9000, "generation_sk": 2000},
    ),
    ("decode[bs=4 tok=16 p=0 d=4 spec=3 tbo=1]", "decode", 0, 0, 4, 16, {}),
    ("decode[bs=4 tok=96 p=1 d=3]", "mixed", 1, None, 3, None, {}),
    ("execute_diffusion_2_256x512", "unknown", 2, None, None, None, {}),
    ("ProfilerStep#7", "unknown", None, None, None, None, {"step_index": 7}),
]  # fmt: skip
UNREAD = [
    "Execute_Context_0(0)_Generation_1(1)", "execute_context_x", "execute_context_1(1)",
    "execute_context_0(0)_generation_1(1) ", "execute_dummy_batch", "step[decode]", "step[DECODE",
    "step[DECODE bs=-1]", "STEP[DECODE bs=1]", "profilerstep#3", "ProfilerStep#", "prefill[]",
    "decode[bs=1", "eager_decode[bs=4 tok=16]", "extend[bs=1]", "propose_eagle[bs=4]",
    "[Executor] _forward_step 3: nothing to do", "_forward_step 3: 1 ctx reqs",
    "step[DECODE bs=1234567890123456789]", "execute_context_٣(٣)_generation_0(0)",
]  # fmt: skip
NO_STEPS = [
    "execute_model", "execute_method", "aten::mm", "## Call CompiledFxGraph x ##", "forward",
    "gpu_model_runner: forward", "_forward_step", "stepping", "capture_32_DECODE",
]  # fmt: skip


@pytest.mark.parametrize(("text", "phase", "cr", "ct", "gr", "gt", "more"), FORMS)
def test_every_form_is_read(text, phase, cr, ct, gr, gt, more):
    step = read_step(text)
    assert step == Step(step.family, phase, cr, ct, gr, gt, **more)


def test_what_is_read_of_a_form_is_stored(tmp_path):
    # Every fourth: all are read above. The scope of a draft is no step by itself.
    forms = [form for form in FORMS[::4] if form[0] != "gpu_model_runner: draft"]
    traces = []
    for number, (text, *_) in enumerate(forms):
        events = [span("user_annotation", text, 10, 50), *launched(1, 20, 40, 5, f"k{number}")]
        traces.append(write(tmp_path / f"t{number}.json", events))
    path = ingested(tmp_path, *traces)
    columns = ", ".join(
        f"c.{field}" for field in ("name", "phase", "source", "step_index", *COUNTS)
    )
    query = f"SELECT {columns} FROM contexts AS c ORDER BY c.context_id"
    assert rows(path, query) == [_row(*form) for form in forms]
    assert rows(path, "SELECT count(*) FROM kernels WHERE context_id IS NULL") == [(0,)]
    unread = [(text, 1) for text, *_, more in forms if not more.get("understood", True)]
    assert rows(path, "SELECT name, spans FROM step_like") == unread


def _row(text, phase, *figures):
    """The columns that a form gives."""
    *figures, more = figures
    told = dict(zip(COUNTS, figures, strict=False)) | more
    source = "profiler step" if text.startswith("Profiler") else "annotation"
    return (text, phase, source, told.get("step_index", 0), *map(told.get, COUNTS))


@pytest.mark.parametrize("text", UNREAD)
def test_what_only_looks_like_a_step_is_not_guessed(text):
    assert read_step(text) is None
    assert looks_like_step(text)


@pytest.mark.parametrize("text", NO_STEPS)
def test_other_annotations_do_not_look_like_steps(text):
    assert read_step(text) is None
    assert not looks_like_step(text)


@pytest.mark.parametrize("text", [text for text, *_ in FORMS])
def test_whatever_is_read_looks_like_a_step(text):
    assert looks_like_step(text)


pieces = st.lists(
    st.one_of(
        st.sampled_from([
            "execute_", "context_", "generation_", "_", "step[", "DECODE", " bs=", "(", ")", "]",
            "sq", "sk", "sqsq", "prefill[bs=", "decode[bs=", " tok=", " p=", " d=", " ctx=[", "/",
            "ProfilerStep#", "[Executor] _forward_step ", ": ", " ctx reqs, ", " gen reqs", "\n",
        ]),
        st.integers(0, 10**20).map(str),
        st.text(max_size=3),
    ),
    max_size=12,
).map("".join)  # fmt: skip


@given(st.one_of(st.text(), pieces))
def test_no_text_makes_the_reader_fail(text):
    step = read_step(text)
    assert isinstance(looks_like_step(text), bool)
    if step:
        assert looks_like_step(text)
        figures = [getattr(step, field) for field in (*COUNTS, "step_index")]
        assert all(figure is None or 0 <= figure < 10**18 for figure in figures)
        json.dumps(figures)


@given(counts, counts, counts, counts)
def test_what_vllm_writes_comes_back(requests, tokens, generating, generated):
    text = f"execute_context_{requests}({tokens})_generation_{generating}({generated})"
    step = read_step(text)
    found = (
        step.context_requests, step.context_tokens, step.generation_requests,
        step.generation_tokens,
    )  # fmt: skip
    assert found == (requests, tokens, generating, generated)
    squares = read_step(f"execute_context_1({tokens}_{requests})_generation_0(0)")
    assert (squares.context_tokens, squares.context_sqsq) == (tokens, requests)


@given(st.lists(counts, min_size=8, max_size=8), counts)
def test_what_vllm_writes_in_detail_comes_back(numbers, requests):
    keys = ("sq", "sk", "sqsq", "sqsk")
    context, generation = (
        "".join(f"{key}{n}" for key, n in zip(keys, part, strict=True))
        for part in (numbers[:4], numbers[4:])
    )
    step = read_step(f"execute_9_context_{requests}({context})_generation_3({generation})")
    found = (
        step.context_tokens, step.context_sk, step.context_sqsq, step.context_sqsk,
        step.generation_tokens, step.generation_sk, step.generation_sqsq, step.generation_sqsk,
    )  # fmt: skip
    assert found == tuple(numbers)
    assert (step.context_requests, step.generation_requests) == (requests, 3)


@given(counts, counts, counts, counts)
def test_what_atom_writes_comes_back(requests, padded, tokens, sk):
    step = read_step(f"decode[bs={requests}/{padded} tok={tokens} d={requests} sk={sk}]")
    found = step.generation_requests, step.padded_requests, step.generation_tokens
    assert (*found, step.generation_sk) == (requests, padded, tokens, sk)
