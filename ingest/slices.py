"""A Chrome trace cut into proven slices of whole events.

A cut is a guess, the last `},{"` of a block, until the slice decodes as a JSON array: since JSON is
deterministic, a prefix of an array that a closing bracket makes valid ended between two elements.
`},{"` cannot stand in a string, whose quote would be escaped; the only wrong guess is a list of
objects inside an event, which decodes as truncated, and an earlier guess is tried.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import msgspec

from ..errors import ProfdbError
from .repair import repair_syntax, repair_text

BLOCK = 16 << 20
"""Bytes of a slice: large enough for bulk work, small enough for several in memory."""

_SEPARATOR = re.compile(rb'\}\s*,\s*\{\s*"')
_BYTE = re.compile(r"\(byte (\d+)\)")
_KEY = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*:\s*')
_COMMA = re.compile(r"\s*,?")
_EVENTS = msgspec.json.Decoder(list[msgspec.Raw])
_NEAR = 1 << 16


class Slices:
    """The events of one trace, slice by slice; `metadata` is complete after the last."""

    def __init__(self, read: Callable[[int], bytes], name: str, block: int = BLOCK) -> None:
        self.metadata: dict[str, Any] = {}
        self.repaired: Counter[str] = Counter()
        self._read = read
        self._name = name
        self._block = block
        self._buffer = b""
        self._offset = 0  # of the buffer in the decompressed content
        self._at_end = False
        self._closed = False
        self._is_array = False

    def __iter__(self) -> Iterator[tuple[int, bytes]]:
        """Give (number of events, JSON array of just these events) until the array closes."""
        self._skip_head()
        while not self._closed:
            count, piece = self._next()
            if count:
                yield count, piece

    def _fill(self) -> bool:
        """Read one more block into the buffer; False at the end of the content."""
        parts, wanted = [self._buffer], self._block
        while wanted > 0 and (part := self._read(wanted)):
            parts.append(part)
            wanted -= len(part)
        self._at_end = wanted > 0
        self._buffer = b"".join(parts)
        return len(parts) > 1

    def _drop(self, size: int) -> None:
        self._buffer = self._buffer[size:]
        self._offset += size

    def _skip_head(self) -> None:
        """Read what stands before the events and stop at the first of them."""
        self._fill()
        self._drop(len(self._buffer) - len(self._buffer.lstrip(b"\xef\xbb\xbf \t\r\n")))
        if self._buffer[:1] == b"[":
            self._is_array = True
            self._drop(1)
        elif self._buffer[:1] == b"{":
            while not self._skip_members():
                if not self._fill():
                    self._fail("ends before its traceEvents")
        else:
            self._fail("is no Chrome trace: it begins with neither { nor [")

    def _skip_members(self) -> bool:
        """Take the members before traceEvents; False where the buffer ends too early."""
        # latin-1 keeps every byte one character, so that places in the text are places in bytes.
        text, at = self._buffer.decode("latin-1"), 1
        members: dict[str, Any] = {}
        try:
            while True:
                key = _KEY.match(text, at)
                if key is None:
                    if text[at:].strip():
                        self._no_events_unless_cut(text[at:])
                    return False
                name, at = json.loads(key[1]), key.end()
                if name == "traceEvents" and text[at] == "[":
                    self.metadata |= members
                    self._drop(at + 1)
                    return True
                value, at = json.JSONDecoder(strict=False).raw_decode(text, at)
                members[name] = _utf8(value)
                at = _end_of(_COMMA, text, at)
        except (json.JSONDecodeError, IndexError):
            if self._at_end:
                self._fail("is no Chrome trace: its head is no JSON")
            return False

    def _no_events_unless_cut(self, rest: str) -> None:
        if self._at_end or rest.lstrip().startswith("}"):
            self._fail("holds no traceEvents")

    def _next(self) -> tuple[int, bytes]:
        """Prove one slice at the front of the buffer and take it off; no events: try again."""
        for cut in self._guesses():
            if self._repair(cut, repair_text):
                return 0, b""
            piece = b"".join((b"[", memoryview(self._buffer)[:cut], b"]"))
            try:
                count = len(_EVENTS.decode(piece))
            except msgspec.DecodeError as error:
                at = int(found[1]) - 1 if (found := _BYTE.search(str(error))) else len(piece)
                if "trailing characters" in str(error):
                    return self._closing(piece[:at].rstrip())
                if "truncated" in str(error) or self._is_cut(at):
                    continue
                if not self._repair(cut, repair_syntax):
                    self._damaged(at - 1)
                return 0, b""
            self._drop(cut)
            self._skip_separator()
            return count, piece
        if self._at_end:
            self._cut_off()
        self._fill()
        return 0, b""

    def _repair(self, cut: int, how: Callable[[bytes, Counter[str]], bytes]) -> bool:
        """Mend the front of the buffer in place; False where there is nothing to mend."""
        front = self._buffer[:cut]
        mended = how(front, self.repaired)
        if mended is front or mended == front:
            return False
        self._buffer = mended + self._buffer[cut:]
        return True

    def _closing(self, piece: bytes) -> tuple[int, bytes]:
        """Take the last slice, at whose end the array closes, and what stands after it."""
        count = len(_EVENTS.decode(piece))
        self._drop(len(piece) - 1)
        self._take_tail()
        return count, piece

    def _is_cut(self, at: int) -> bool:
        """Whether a fault lies in the last, unfinished event of a file that was cut."""
        if not self._at_end or self._buffer.rstrip().endswith((b"]", b"}")):
            return False
        return _SEPARATOR.search(self._buffer, at) is None

    def _damaged(self, at: int) -> NoReturn:
        excerpt = self._buffer[max(0, at - 60) : at + 60]
        self._fail(f"has a damaged event at byte {self._offset + at}", excerpt)

    def _skip_separator(self) -> None:
        rest = self._buffer.lstrip(b", \t\r\n")
        self._drop(len(self._buffer) - len(rest))
        if not self._at_end:
            self._fill()
        elif not self._buffer:
            self._end_without_bracket()

    def _guesses(self) -> Iterator[int]:
        """Places where a slice may end, the best first."""
        if self._at_end:
            yield len(self._buffer.rstrip(b", \t\r\n"))
        near = max(0, len(self._buffer) - _NEAR)
        last = list(_SEPARATOR.finditer(self._buffer, near))[-1:]
        yield from (match.start() + 1 for match in last)
        every = [m.start() + 1 for m in _SEPARATOR.finditer(self._buffer)]
        back = 2
        while back <= len(every):
            yield every[-back]
            back *= 2
        # Every guess lay in an event full of objects: take the first true boundary instead.
        yield from every[:_FIRST]

    def _take_tail(self) -> None:
        """Read what stands after the events: members of the object, or nothing."""
        self._closed = True
        while self._fill():
            pass
        rest = self._buffer.strip(b" \t\r\n\0").removeprefix(b"]").strip()
        if self._is_array or rest in (b"", b"}"):
            return
        try:
            self.metadata |= json.loads(
                b"{" + repair_text(rest.lstrip(b","), Counter()), strict=False
            )
        except ValueError:
            self._fail("has something other than metadata after its events", rest[:120])

    def _end_without_bracket(self) -> None:
        # The format allows an array without its closing bracket, but not an object.
        self._closed = True
        if not self._is_array:
            self._cut_off()

    def _cut_off(self) -> NoReturn:
        end = self._offset + len(self._buffer)
        self._fail(f"is cut off at byte {end}, after its last whole event at byte {self._offset}")

    def _fail(self, what: str, excerpt: bytes = b"") -> NoReturn:
        seen = f": {excerpt.decode(errors='replace')!r}" if excerpt else ""
        raise ProfdbError(f"{self._name} {what}{seen}")


_FIRST = 1 << 10


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _utf8(value: Any) -> Any:
    """Undo latin-1 in the texts of a decoded value."""
    if isinstance(value, str):
        return value.encode("latin-1", "replace").decode(errors="replace")
    if isinstance(value, list):
        return [_utf8(item) for item in value]
    if isinstance(value, dict):
        return {_utf8(key): _utf8(item) for key, item in value.items()}
    return value
