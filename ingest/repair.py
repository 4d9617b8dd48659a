"""Repairs of what old and foreign writers broke in JSON, each with its name."""

import re
from collections import Counter

# A string, or a bare word that JSON does not know; numbers and punctuation are never touched.
_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\.)*"|(?<=[:,\[\s])(?:[+-]?(?:NaN|nan|Infinity|inf)|N/A)(?=[,\]}\s])', re.DOTALL
)
_CONTROL = re.compile(rb"[\x00-\x1f]")
_BAD_ESCAPE = re.compile(rb'\\(?:(u(?![0-9a-fA-F]{4}))|([^"\\/bfnrtu]))')

UTF8 = "invalid UTF-8, replaced by U+FFFD"
CONTROL = "raw control characters, escaped"
ESCAPE = "unescaped backslashes, doubled"
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
        token, controls = _CONTROL.subn(lambda m: b"\\u%04x" % m[0][0], token)
        token, escapes = _BAD_ESCAPE.subn(rb"\\\\\1\2", token)
        found[CONTROL] += controls
        found[ESCAPE] += escapes
        return token

    return _TOKEN.sub(mended, piece)
