"""Specs written by hand."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.ingest.models.order import expand

from .specs import counts, features, linears, read

ROOT = Path(__file__).parents[1]
PLAIN = """
[modules]
up = {}
down = {}
attention = { kind = "attention" }
[layers]
block = ["up", "attention", "down"]
[order]
target = "4*block"
"""
DOC = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")


def test_layers_without_head(tmp_path):
    spec = read(tmp_path, PLAIN, "plain.toml")
    assert counts(spec) == {"up": 4, "attention": 4, "down": 4}
    assert (spec.name, spec.architecture, spec.layers) == ("plain", "declared", 4)
    assert [run.layer for run in spec.sequence] == [i for i in range(4) for _ in range(3)]


def test_the_example_of_the_page(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", DOC, re.DOTALL)
    spec = read(tmp_path, example, "example.toml")
    said = re.search(r"has (\d+) layers and (\d+) linears in the target pass, (\d+) in", DOC)
    found = (spec.layers, linears(spec), linears(spec, in_pass="draft"))
    assert said and found == tuple(map(int, said.groups())) == (64, 257, 5)
    assert counts(spec)["gdn"] == 48 and counts(spec)["attention"] == 16
    assert features(spec, "lm_head") == (1024, 32000)
    assert [run.layer for run in spec.sequence if run.in_pass == "draft"] == [0] * 5 + [None]


def test_all_that_a_module_may_say(tmp_path):
    text = '[modules.x]\nkind = "experts"\nruns_in = "decode"\ninputs = 3\nabsorbed_by = "y"\n'
    spec = read(tmp_path, text + '[order]\ntarget = "x"', "x.toml")
    (module,) = spec.modules
    assert (module.kind, module.runs_in, module.inputs) == ("experts", "decode", 3)
    assert (module.outputs, module.absorbed_by, spec.layers) == (None, "y", 0)


def changed(old: str, new: str) -> str:
    """The plain spec with one change."""
    assert old in PLAIN
    return PLAIN.replace(old, new)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("[modules", ["not TOML", "Expected ']'", "--help"]),
        (changed('"attention" }', '"conv" }'), ["attention: kind is 'conv'", "one of linear"]),
        (changed("up = {}", "up = 3"), ["modules: up is 3", "an object"]),
        (changed("up = {}", "up = { inputs = 0 }"), ["up: inputs is 0"]),
        (changed("up = {}", 'up = { runs_in = "x" }'), ["runs_in is 'x'", "any, prefill, decode"]),
        (changed("up = {}", "up = { absorbed_by = '' }"), ["absorbed_by is ''"]),
        (changed("up = {}", "up = { input = 3 }"), ["up: unknown key 'input'", "inputs"]),
        (changed("[modules]", "[module]"), ["unknown key 'module'", "modules"]),
        (changed("[modules]", "name = 3\n[modules]"), ["name is 3"]),
        (changed('["up",', '["upp",'), ["layers.block: 'upp' is not in [modules]"]),
        (changed("block =", "up ="), ["layers.up: a module is called so too"]),
        (changed('["up", "attention", "down"]', "[]"), ["layers: block is []"]),
        (changed('"4*block"', '"4*blocks"'), ["order.target: 'blocks' is neither", "block"]),
        (changed('"4*block"', "4"), ["order: target is 4"]),
        (changed('"4*block"', '""'), ["order: target is ''"]),
        (changed('"4*block"', '"4*"'), ["'4*' cannot be read at its end"]),
        (changed('"4*block"', '"4 block"'), ["cannot be read at '4 block'"]),
        (changed('"4*block"', '"block up"'), ["cannot be read at 'up'"]),
        (changed('"4*block"', '"0*block"'), ["'0*block' cannot be read at '0*'"]),
        (changed('"4*block"', '"2*(block"'), ["cannot be read at '('"]),
        (changed('"4*block"', '"block)"'), ["cannot be read at ')'"]),
        (changed('"4*block"', '"' + "(" * 3000 + '"'), ["cannot be read"]),
        (changed('"4*block"', '"' + "1*" * 3000 + 'block"'), ["cannot be read"]),
        (changed('"4*block"', '"' + "block + " * 100_001 + 'block"'), ["more than 100000"]),
        (changed("up = {}", "up = { inputs = " + "9" * 5000 + " }"), ["not TOML"]),
        (changed('"4*block"', '"999999*block"'), ["more than 100000 entries"]),
        (changed('"4*block"', '"9999*(9999*block)"'), ["more than 100000 entries"]),
        (changed('"4*block"', '"20000*block"'), ["20000 layers; at most 10000"]),
        (changed("target", "draft"), ["order: target is missing"]),
        (changed("[order]", "[order]\nother = 'x'"), ["order: unknown key 'other'"]),
        (changed("up = {}", "up = {}\nhead = {}"), ["head is in no order"]),
        (PLAIN.split("[order]")[0], ["order is missing"]),
        ("", ["modules is missing"]),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_named(tmp_path, text, parts):
    with pytest.raises(ProfdbError) as caught:
        read(tmp_path, text, "bad.toml")
    message = str(caught.value)
    assert all(part in message for part in ["bad.toml", *parts]), message
    assert "\n" not in message and len(message) < 500


trees = st.recursive(
    st.sampled_from("abc"), lambda inner: st.lists(st.tuples(st.integers(1, 3), inner), min_size=1,
    max_size=3), max_leaves=8,
)  # fmt: skip


def written(tree) -> str:
    """A tree of repeats as an expression."""
    if isinstance(tree, str):
        return tree
    return "(" + " + ".join(f"{times} *{written(inner)}" for times, inner in tree) + ")"


def flat(tree) -> list[str]:
    """What it stands for."""
    if isinstance(tree, str):
        return [tree]
    return [name for times, inner in tree for _ in range(times) for name in flat(inner)]


@given(trees)
def test_orders_stand_for_what_they_say(tree):
    assert expand(written(tree), "abc", "order") == flat(tree)
