"""Repairs of what old and foreign writers broke in JSON, each with its name."""

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation

import msgspec

# A string, or a bare word that JSON does not know; numbers and punctuation are never touched. Of a
# string that was cut the end is taken too, lest a quote inside it pass for the begin of another.
_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\.)*(?:(")|\\?\Z)|(?<=[:,\[\s])(?:[+-]?(?:NaN|nan|Infinity|inf)|N/A)(?=[,\]}\s])',
    re.DOTALL,
)
_CONTROL = re.compile(rb"[\x00-\x1f]")
# Sound escapes are taken whole: the second backslash of a pair begins none.
_SOUND_OR_BAD = re.compile(rb'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}|())')
_SINGLE_BACKSLASH = re.compile(rb'(\\["\\])|\\')
_ESCAPE = re.compile(rb"\\(?:(u[dD][89abAB]..\\u[dD][c-fC-F]..)|(u[dD][89a-fA-F]..)|.)", re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

UTF8 = "invalid UTF-8, replaced by U+FFFD"
CONTROL = "raw control characters, escaped"
ESCAPE = "unescaped backslashes, doubled"
SURROGATE = "halves of surrogate pairs, replaced by U+FFFD"
NO_OBJECT = "elements of traceEvents that are no objects, read as null"
TWICE = "keys given twice in an event, the last one kept"
NO_TIME = "times that are no numbers or beyond a century, read as null"
BARE = "bare NaN, inf or N/A, read as null"


def repair_text(piece: bytes, found: Counter[str]) -> bytes:
    """Replace bytes that are no UTF-8; `found` counts the repairs by name.

    >>> repair_text(b'{"name": "k\\xff"}', Counter()).decode()
    '{"name": "k\ufffd"}'
    """
    if piece.isascii():
        return piece
    try:
        piece.decode()
        return piece
    except UnicodeDecodeError:
        text = piece.decode(errors="replace")
        found[UTF8] += max(text.count("\ufffd") - piece.count("\ufffd".encode()), 1)
        return text.encode()


def repair_syntax(piece: bytes, found: Counter[str]) -> bytes:
    """Mend strings and bare words; give the piece back as it was where nothing is known to be."""

    def mended(match: re.Match[bytes]) -> bytes:
        token = match[0]
        if token[:1] != b'"':
            found[BARE] += 1
            return b"null"
        if match[1] is None:
            return token
        if any(escape[1] is not None for escape in _SOUND_OR_BAD.finditer(token)):
            token = _double_backslashes(token, found)
        token, controls = _CONTROL.subn(lambda m: b"\\u%04x" % m[0][0], token)
        found[CONTROL] += controls
        return token

    return _TOKEN.sub(mended, piece)


def _double_backslashes(token: bytes, found: Counter[str]) -> bytes:
    # A writer that left one backslash bare left them all: the \n of C:\new is no line feed.
    single = sum(match[1] is None for match in _SINGLE_BACKSLASH.finditer(token))
    found[ESCAPE] += single
    return _SINGLE_BACKSLASH.sub(lambda m: m[1] or rb"\\", token)


def repair_surrogates(piece: bytes, found: Counter[str]) -> bytes:
    r"""Replace halves of surrogate pairs, which stand for no character.

    >>> repair_surrogates(rb'{"name": "k\udcff"}', Counter())
    b'{"name": "k\\ufffd"}'
    """
    if not _SURROGATE.search(piece):
        return piece

    def mended(match: re.Match[bytes]) -> bytes:
        found[SURROGATE] += match[2] is not None
        return match[0] if match[2] is None else rb"\ufffd"

    return _ESCAPE.sub(mended, piece)


_EVENTS = msgspec.json.Decoder(list[msgspec.Raw])
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LIMITS_US = {"ts": Decimal("4e15"), "dur": Decimal("1e15")}


def repair_events(piece: bytes, found: Counter[str]) -> bytes:
    """Make events of sound JSON fit the columns that they are read into; values stay as written.

    >>> repair_events(b'[{"ts": "soon"}, 5, {"ts": 1.50, "ts": 2.50}]', Counter())
    b'[{"ts":null},null,{"ts":2.50}]'
    """
    events = (_fitting(event, found) for event in _EVENTS.decode(piece))
    return b"[" + b",".join(events) + b"]"


def _fitting(event: msgspec.Raw, found: Counter[str]) -> bytes:
    try:
        fields = _FIELDS.decode(event)
    except msgspec.ValidationError:
        found[NO_OBJECT] += 1
        return b"null"
    found[TWICE] += len(json.loads(bytes(event), object_pairs_hook=list)) - len(fields)
    for key, limit in _LIMITS_US.items():
        if key in fields and not _is_time(bytes(fields[key]), limit):
            found[NO_TIME] += 1
            fields[key] = msgspec.Raw(b"null")
    return msgspec.json.encode(fields)


def _is_time(raw: bytes, limit: Decimal) -> bool:
    if raw == b"null":
        return True
    try:
        return abs(Decimal(raw.decode().strip('"'))) < limit
    except InvalidOperation:
        return False
