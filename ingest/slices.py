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
from .repair import repair_surrogates, repair_syntax, repair_text

BLOCK = 16 << 20
"""Bytes of a slice: large enough for bulk work, small enough for several in memory."""

_SEPARATOR = re.compile(rb'\}\s*,\s*\{\s*"')
_BYTE = re.compile(r"\(byte (\d+)\)")
_KEY = re.compile(r'\s*("(?:[^"\\]|\\.)*")\s*:\s*')
_COMMA = re.compile(r"\s*,?")
_EVENTS = msgspec.json.Decoder(list[msgspec.Raw])
_NEAR = 1 << 16
_LONGEST_HEAD = 64 << 20


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
                if len(self._buffer) > _LONGEST_HEAD:
                    self._fail(f"holds no traceEvents in its first {_LONGEST_HEAD >> 20} MB")
                if not self._fill():
                    self._fail("ends before its traceEvents")
        else:
            self._fail("is no Chrome trace: it begins with neither { nor [")

    def _skip_members(self) -> bool:
        """Take the members before traceEvents; False where the buffer ends too early."""
        text, at = self._buffer.decode(errors="surrogateescape"), 1
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
                    self._drop(len(text[: at + 1].encode(errors="surrogateescape")))
                    return True
                value, at = json.JSONDecoder(strict=False).raw_decode(text, at)
                members[name] = _without_surrogates(value)
                at = _end_of(_COMMA, text, at)
        except (ValueError, IndexError, RecursionError) as error:
            if "escape" in str(error) and self._repair(len(self._buffer), repair_syntax):
                return self._skip_members()
            if self._at_end or isinstance(error, RecursionError):
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
                if self._repair(cut, repair_surrogates):
                    return 0, b""
                if "truncated" in str(error) or self._is_cut(at):
                    continue
                if not self._repair(cut, repair_syntax):
                    self._damaged(at)
                return 0, b""
            except RecursionError:
                self._fail(f"has an event after byte {self._offset} that is nested too deep")
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
        self._offset += len(front) - len(mended)
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
        rest = self._buffer.strip(b" \t\r\n\0")
        if self._is_array:
            if rest:
                self._fail(f"has more after its events, at byte {self._offset}", rest[:120])
            return
        if not rest:
            # Metadata may be lost, and with it the zero of all times.
            self._fail(f"is cut off at byte {self._offset}, after its last event")
        self._take_members(rest.lstrip(b", \t\r\n"))

    def _take_members(self, rest: bytes) -> None:
        text = repair_text(rest, Counter())
        try:
            try:
                members = json.loads(b"{" + text, strict=False)
            except ValueError:
                members = json.loads(b"{" + repair_syntax(text, self.repaired), strict=False)
        except (ValueError, RecursionError):
            self._fail(
                f"has no metadata that can be read after its events, at byte {self._offset}",
                rest[:120],
            )
        if "traceEvents" in members:
            self._fail(f"has traceEvents a second time, after byte {self._offset}")
        self.metadata |= _without_surrogates(members)

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


def _without_surrogates(value: Any) -> Any:
    """Replace what is no character, be it a broken byte or half a pair, in a decoded value."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(v) for key, v in value.items()}
    return value
