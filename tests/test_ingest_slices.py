"""Slices of traces at any block size, and repairs."""

import io
import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profdb.errors import ProfdbError
from profdb.ingest import repair
from profdb.ingest.slices import Slices

from .traces import CASES, needs_shared

texts = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.sampled_from(
        ['},{"', '}, {"ph": "X"', '"traceEvents":[{},{}', "\\", '"', "]}", "},\n{", "日本"]
    ),
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**18), 10**18), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=12,
)
objects = st.lists(st.fixed_dictionaries({"ph": texts}), max_size=5)
events = st.lists(
    st.fixed_dictionaries({"ph": st.just("X"), "name": texts, "args": st.one_of(values, objects)}),
    max_size=25,
)
keys = texts.filter(lambda key: key != "traceEvents")
metadata = st.dictionaries(keys, values, max_size=3)


def sliced(content: bytes, block: int = 1 << 24) -> tuple[list, dict]:
    """All events and the metadata, as the slices give them."""
    slices = Slices(io.BytesIO(content).read, "trace.json", block)
    found = []
    for count, piece in slices:
        decoded = json.loads(piece, strict=False)
        assert len(decoded) == count
        found.extend(decoded)
    return found, slices.metadata


def refusal(content: bytes, block: int = 1 << 24) -> str:
    with pytest.raises(ProfdbError) as caught:
        sliced(content, block)
    message = str(caught.value)
    assert message.startswith("trace.json ") and "\n" not in message
    return message


@settings(max_examples=100, deadline=None)
@given(
    events=events, before=metadata, after=metadata, indent=st.sampled_from([None, None, 1]),
    tight=st.booleans(), ascii_only=st.booleans(),
    lead=st.sampled_from(["", "\ufeff", " \n", "\t"]), block=st.integers(50, 3000),
)  # fmt: skip
def test_slices_give_the_events_of_an_object(
    events, before, after, indent, tight, ascii_only, lead, block
):
    content = {
        **before,
        "traceEvents": events,
        **{k: v for k, v in after.items() if k not in before},
    }
    separators = (",", ":") if tight else None
    written = json.dumps(content, indent=indent, separators=separators, ensure_ascii=ascii_only)
    found, told = sliced((lead + written).encode(), block)
    assert found == events
    assert told == {key: value for key, value in content.items() if key != "traceEvents"}


@settings(max_examples=80, deadline=None)
@given(
    events=events, indent=st.sampled_from([None, 1]), block=st.integers(50, 3000),
    end=st.sampled_from(["]", "]\n\0\0", "", ",", " ,\n", "\n"]),
)  # fmt: skip
def test_slices_give_the_events_of_an_array_closed_or_not(events, indent, block, end):
    written = json.dumps(events, indent=indent)[:-1].rstrip() + end
    assert sliced(written.encode(), block) == (events, {})


@settings(max_examples=80, deadline=None)
@given(events=events.filter(bool), block=st.integers(50, 3000), data=st.data())
def test_a_cut_object_is_refused_at_its_end(events, block, data):
    written = json.dumps({"traceEvents": events, "base": 1}).encode()
    size = data.draw(st.integers(1, len(written) - 1))
    refusal(written[:size], block)


E_OK = [{"ph": "X", "name": f"k{i}", "ts": 1.5, "args": {"x": i}} for i in range(300)]
BODY = ",\n".join(json.dumps(event) for event in E_OK)
WHOLE = '{"schemaVersion":1,"traceEvents":[' + BODY + '],"tail":[{"a":1},{"b":"x"}]}'
HOSTILE = {
    "object": (WHOLE, {"schemaVersion": 1, "tail": [{"a": 1}, {"b": "x"}]}),
    "array": (f"[{BODY}]", {}),
    "open array": (f"[{BODY}", {}),
    "open array with comma": (f"[{BODY},", {}),
    "BOM": ("\ufeff" + WHOLE, {"schemaVersion": 1, "tail": [{"a": 1}, {"b": "x"}]}),
    "fake in head": (
        '{"note":"\\"traceEvents\\":[{},{}","traceEvents":[' + BODY + "]}",
        {"note": '"traceEvents":[{},{}'},
    ),
    "escapes in head": (
        '{"who":"\\u65e5\\u00e9é","traceEvents":[' + BODY + "]}",
        {"who": "日éé"},
    ),
    "Windows path in head": (
        '{"path":"C:\\Users\\new","traceEvents":[' + BODY + "]}",
        {"path": "C:\\Users\\new"},
    ),
    "Windows path in tail": (
        '{"traceEvents":[' + BODY + '],"traceName":"C:\\Users\\new"}',
        {"traceName": "C:\\Users\\new"},
    ),
    "half pair in tail": ('{"traceEvents":[' + BODY + '],"n":"\\ud800"}', {"n": "\ufffd"}),
}


@pytest.mark.parametrize("block", [60, 3000, 1 << 24])
@pytest.mark.parametrize("name", HOSTILE)
def test_every_event_of_odd_but_sound_inputs_comes_through(name, block):
    written, told = HOSTILE[name]
    assert sliced(written.encode(), block) == (E_OK, told)


@pytest.mark.parametrize("block", [60, 3000, 1 << 24])
@pytest.mark.parametrize(
    "events", [[], [E_OK[0]], [E_OK[0], 5, None, E_OK[1]], [{}], [{"a": []}, {}, {"b": {}}]]
)
def test_arrays_of_few_and_odd_elements(events, block):
    assert sliced(json.dumps(events).encode(), block)[0] == events
    written = json.dumps({"a": 1, "traceEvents": events, "b": 2})
    assert sliced(written.encode(), block) == (events, {"a": 1, "b": 2})


@pytest.mark.parametrize("block", [60, 3000, 1 << 24])
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("hello", "begins with neither"),
        ("<html><body>no trace</body></html>", "begins with neither"),
        ("", "begins with neither"),
        ('{"a":1}', "holds no traceEvents"),
        ('{"traceEvents":{"a":1}}', "holds no traceEvents"),
        ('{"traceEvents":[' + BODY, "cut off at byte"),
        ('{"traceEvents":[' + BODY + "]", "cut off at byte"),
        (WHOLE[: len(WHOLE) // 2], "cut off at byte"),
        (WHOLE + "\n\n garbage", "after its events, at byte"),
        (f"[{BODY}]\n[{BODY}]", "after its events, at byte"),
        ('{"traceEvents":[' + BODY + '],"traceEvents":[]}', "a second time, after byte"),
        ('{"a":truth,"traceEvents":[' + BODY + "]}", "head is no JSON"),
        (WHOLE.replace('"name": "k150", "ts": 1.5', '"name": "k150", "ts": 1.5.5'), "at byte"),
        ('[{"a":' * 3000 + "1" + "}]" * 3000, "nested too deep"),
    ],
)
def test_unsound_inputs_are_refused_in_one_line(written, said, block):
    assert said in refusal(written.encode(), block)


@pytest.mark.parametrize("block", [100, 1 << 24])
def test_a_damaged_event_is_named_by_its_byte(block):
    written = WHOLE.replace('"k150", "ts": 1.5', '"k150", "ts": 1.5.5').encode()
    fault = written.index(b"1.5.5") + 3
    assert f"damaged event at byte {fault}" in refusal(written, block)


def test_a_fault_after_a_repair_is_named_by_its_byte_in_the_file():
    written = (
        WHOLE.encode().replace(b"k10", b"k\xff\xff\xff\xff").replace(b'"x": 299', b'"x": 2.9.9')
    )
    assert f"byte {written.index(b'2.9.9') + 3}" in refusal(written, 4000)


@pytest.mark.parametrize("block", [60, 3000, 1 << 24])
def test_events_full_of_objects_are_cut_right(block):
    nested = [{"n": i, "args": {"l": [{"ph": "q"}, {"ph": "r"}, {"ph": "s"}]}} for i in range(400)]
    assert sliced(json.dumps({"traceEvents": nested, "z": 1}).encode(), block) == (nested, {"z": 1})


def repaired(written: bytes, block: int) -> tuple[list, Counter]:
    slices = Slices(io.BytesIO(written).read, "trace.json", block)
    found = [event for _, piece in slices for event in json.loads(piece, strict=False)]
    return found, +slices.repaired


@pytest.mark.parametrize("block", [100, 1 << 24])
@pytest.mark.parametrize(
    ("broken", "value", "what", "times"),
    [
        (b'"k\xff\xfe"', "k\ufffd\ufffd", repair.UTF8, 2),
        (b'"a\x01b\nc"', "a\x01b\nc", repair.CONTROL, 2),
        (rb'"lib\site\new\user.py"', r"lib\site\new\user.py", repair.ESCAPE, 3),
        (rb'"C:\temp\user"', r"C:\temp\user", repair.ESCAPE, 2),
        (b'"C:\\dir\\user\x02"', "C:\\dir\\user\x02", repair.ESCAPE, 2),
        (b"NaN", None, repair.BARE, 1),
        (b"-Infinity", None, repair.BARE, 1),
        (b"inf", None, repair.BARE, 1),
        (b"N/A", None, repair.BARE, 1),
        (rb'"a\udcffb"', "a\ufffdb", repair.SURROGATE, 1),
        (rb'"\ud83d\ude00\ud83d"', "\U0001f600\ufffd", repair.SURROGATE, 1),
        (rb'"\\ud83d \ude00"', "\\ud83d \ufffd", repair.SURROGATE, 1),
    ],
)
def test_repairs_are_right_and_counted(broken, value, what, times, block):
    written = WHOLE.encode().replace(b'"k150"', broken)
    found, counted = repaired(written, block)
    assert found == [{**e, "name": value} if e["name"] == "k150" else e for e in E_OK]
    assert counted[what] == times


def test_sound_escapes_beside_a_broken_one_are_left_alone():
    sound = [{"name": text} for text in ("C:\\Users", "\\0 \\u12", 'a"b', "é\n", "\\")]
    written = json.dumps([*sound, {"name": "x"}]).encode().replace(b'"x"', b"NaN")
    assert repaired(written, 1 << 24)[0] == [*sound, {"name": None}]
    written = json.dumps([*sound, {"name": "x"}]).encode().replace(b'"x"', rb'"C:\Users"')
    assert repaired(written, 1 << 24)[0] == [*sound, {"name": "C:\\Users"}]


def test_a_string_that_was_cut_is_left_alone():
    cut = rb'{"a":"b\u00e9","c":"say \"x\u00e9 \" \u00'
    assert repair.repair_syntax(cut, Counter()) == cut


def test_sound_words_that_look_broken_are_left_alone():
    sound = [{"name": "N/A, NaN, inf \\u12", "x": [1, -2.5e-3], "y": r"\ud800"}]
    assert repaired(json.dumps(sound).encode(), 1 << 24) == (sound, Counter())


def test_sound_json_that_fits_no_column_is_made_to_fit():
    counted: Counter = Counter()
    written = b'[{"ts": "1.50"}, {"ts": 1e400}, {"dur": [1]}, "x", {"ph": "X", "ph": "i"}, null]'
    fitting = repair.repair_events(written, counted)
    assert json.loads(fitting) == [
        {"ts": "1.50"}, {"ts": None}, {"dur": None}, None, {"ph": "i"}, None
    ]  # fmt: skip
    assert +counted == {repair.NO_TIME: 2, repair.NO_OBJECT: 2, repair.TWICE: 1}


@needs_shared
@pytest.mark.parametrize("name", ["quote_in_name", "lost_quote_tid"])
def test_what_cannot_be_mended_for_certain_is_refused_with_its_byte(name):
    content = (CASES / "01-malformed-json-old-writers" / f"{name}.json").read_bytes()
    assert "at byte" in refusal(content)
