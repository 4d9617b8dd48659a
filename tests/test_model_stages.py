"""Pipeline stages of a model."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.ingest.models import Stage, read_spec

from .specs import DELTA, HEADS, config, counts, write


@pytest.mark.parametrize(
    ("layers", "stages", "sizes"),
    [
        (4, 1, [4]),
        (8, 4, [2, 2, 2, 2]),
        (9, 4, [2, 2, 3, 2]),
        (10, 4, [2, 3, 3, 2]),
        (11, 4, [3, 3, 3, 2]),
        (78, 4, [19, 20, 20, 19]),
    ],
)
def test_layers_are_divided_as_vllm_does(layers, stages, sizes):
    found = [Stage(i, stages).layers(layers) for i in range(1, stages + 1)]
    assert list(map(len, found)) == sizes
    assert [layer for stage in found for layer in stage] == list(range(layers))


@given(count=st.integers(1, 30), stages=st.integers(1, 30))
def test_no_layer_is_lost(count, stages):
    found = [layer for i in range(stages) for layer in Stage(i + 1, stages).layers(count)]
    assert found == list(range(count))


@pytest.fixture
def path(tmp_path):
    return write(tmp_path, config("qwen3_5", 6, **HEADS, **DELTA, mtp_num_hidden_layers=1))


def test_stages_add_up_to_the_model(path):
    stages = [read_spec(path, stage=Stage(i, 4)) for i in (1, 2, 3, 4)]
    assert [stage.layers for stage in stages] == [1, 2, 2, 1]
    together = sum((Counter(counts(stage)) for stage in stages), Counter())
    assert together == counts(read_spec(path))
    for stage in stages:
        target = [run.position for run in stage.sequence if run.in_pass == "target"]
        assert target == list(range(len(target)))
        assert {m.name for m in stage.modules if m.in_pass == "target"} == counts(stage).keys()


def test_head_and_draft_are_on_the_last(path):
    first, last = (read_spec(path, stage=Stage(i, 2)) for i in (1, 2))
    assert "lm_head" not in counts(first) and not counts(first, "draft")
    assert counts(last)["lm_head"] == 1 and counts(last, "draft")["fc"] == 1
    assert {run.layer for run in first.sequence} == {0, 1, 2}


def test_what_comes_before_the_layers_is_on_the_first(tmp_path):
    text = '[modules]\nbefore = {}\nx = {}\nafter = {}\n[layers]\nl = ["x"]\n'
    path = write(tmp_path, text + '[order]\ntarget = "before + 2*l + after"', "t.toml")
    first, last = (read_spec(path, stage=Stage(i, 2)) for i in (1, 2))
    assert counts(first) == {"before": 1, "x": 1} and counts(last) == {"x": 1, "after": 1}


def test_names_of_stages(path):
    assert read_spec(path, stage=Stage.parse("2/4")).name == "toy-stage2of4"
    assert read_spec(path, "mine", Stage.parse("2/4")).name == "mine"


@pytest.mark.parametrize(
    "text", ["", "2", "0/4", "5/4", "1/0", "a/b", "1/2/3", "-1/4", "1/9999999"]
)
def test_stages_that_are_none(text):
    with pytest.raises(ProfdbError, match="wanted is I/N"):
        Stage.parse(text)


def test_more_stages_than_layers(path):
    with pytest.raises(ProfdbError, match="has 6 layers"):
        read_spec(path, stage=Stage.parse("1/7"))
