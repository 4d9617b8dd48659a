"""The order of a pass as an expression: `16*(3*gdn + full) + lm_head`."""

import re
from collections import deque
from collections.abc import Collection

from ...errors import ProfdbError

_WORD = re.compile(r"\s*(?:(?P<number>\d+)\s*\*|(?P<name>[A-Za-z_][\w.\-]*)|(?P<sign>[()+]))")
_MOST = 100_000
_DEEPEST = 50


def expand(text: str, known: Collection[str], where: str) -> list[str]:
    """Give the names in their order, each as often as it is said.

    >>> expand("2*(3*a + b) + c", {"a", "b", "c"}, "order")
    ['a', 'a', 'a', 'b', 'a', 'a', 'a', 'b', 'c']
    """
    reader = _Reader(text, known, where)
    names = reader.sum(0)
    if reader.words:
        raise reader.error(reader.words[0])
    return names


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str, known: Collection[str], where: str) -> None:
        self.text, self.known, self.where = text, known, where
        self.words = self._split()

    def error(self, word: str) -> ProfdbError:
        """The error that an expression does not go on like this."""
        place = f"at {word!r}" if word else "at its end"
        return ProfdbError(
            f"{self.where}: {self.text[:80]!r} cannot be read {place}; wanted is an order like"
            " 16*(3*gdn + full) + lm_head"
        )

    def sum(self, depth: int) -> list[str]:
        """Terms with + between them."""
        names = self._term(depth)
        while self.words and self.words[0] == "+":
            self.words.popleft()
            names += self._term(depth)
            if len(names) > _MOST:
                raise self._too_many()
        return names

    def _term(self, depth: int) -> list[str]:
        word = self.words.popleft() if self.words else ""
        if word.isdigit() and depth < _DEEPEST:
            return self._times(word, self._term(depth + 1))
        if word == "(" and depth < _DEEPEST:
            names = self.sum(depth + 1)
            if not self.words or self.words.popleft() != ")":
                raise self.error("(")
            return names
        if word in ("", "(", ")", "+") or word.isdigit():
            raise self.error(word)
        if word not in self.known:
            raise ProfdbError(
                f"{self.where}: {word!r} is neither in [layers] nor in [modules]; there are"
                f" {', '.join(sorted(self.known)) or 'none'}"
            )
        return [word]

    def _times(self, number: str, names: list[str]) -> list[str]:
        times = int(number) if len(number) < 9 else _MOST + 1
        if not times:
            raise self.error("0*")
        if times * len(names) > _MOST:
            raise self._too_many()
        return names * times

    def _too_many(self) -> ProfdbError:
        return ProfdbError(f"{self.where}: {self.text[:80]!r} has more than {_MOST} entries")

    def _split(self) -> deque[str]:
        words: deque[str] = deque()
        at, end = 0, len(self.text.rstrip())
        while at < end:
            match = _WORD.match(self.text, at)
            if not match:
                raise self.error(self.text[at:end].strip()[:20])
            words.append(match["number"] or match["name"] or match["sign"])
            at = match.end()
        return words
