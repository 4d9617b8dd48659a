"""Lines of text in the encoding of the host that wrote them: UTF-8, else GB18030, else as bytes."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

_MARK = b"\xef\xbb\xbf"

GB18030 = "lines that are no UTF-8 read as GB18030"
NO_TEXT = "bytes that are no text written as \\xff"


def decoded(lines: Iterable[bytes], say: Callable[[str], None]) -> Iterator[str]:
    """Give the lines as text; `say` is told of each that is no UTF-8 how it was read."""
    mark = _MARK
    for line in lines:
        try:
            yield line.removeprefix(mark).decode()
        except UnicodeDecodeError:
            # torch_npu writes in the encoding of its host.
            text, how = _other_encoding(line)
            say(how)
            yield text
        mark = b""


def _other_encoding(line: bytes) -> tuple[str, str]:
    try:
        return line.decode("gb18030"), GB18030
    except UnicodeDecodeError:
        return line.decode(errors="backslashreplace"), NO_TEXT


def write_as_utf8(source: Path, target: Path, say: Callable[[str], None]) -> None:
    """Copy a text file into UTF-8, line by line."""
    with source.open("rb") as lines, target.open("wb") as file:
        file.writelines(text.encode() for text in decoded(lines, say))
