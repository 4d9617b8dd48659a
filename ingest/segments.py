"""Disjoint pieces of host time, each with the innermost step that holds it."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """The host time of one step: its number and its interval, ns."""

    context_no: int
    start_ns: int
    end_ns: int


def cut(spans: Iterable[Span]) -> list[Span]:
    """Cut spans that may nest or overlap into disjoint ones; the latest to begin wins.

    With disjoint pieces one ordered lookup finds the step of a launch call.

    >>> cut([Span(0, 0, 100), Span(1, 10, 20)])
    [Span(context_no=0, start_ns=0, end_ns=10), Span(context_no=1, start_ns=10, end_ns=20), \
Span(context_no=0, start_ns=20, end_ns=100)]
    """
    pieces: list[Span] = []
    stack: list[Span] = []
    at = 0
    for span in sorted(spans, key=lambda s: (s.start_ns, -s.end_ns)):
        at = _close(stack, pieces, at, span.start_ns)
        if stack:
            _add(pieces, stack[-1], at, span.start_ns)
        stack.append(span)
        at = span.start_ns
    _close(stack, pieces, at, None)
    return pieces


def _close(stack: list[Span], pieces: list[Span], at: int, until: int | None) -> int:
    """Take spans that end before `until` off the stack; say up to where pieces are made."""
    while stack and (until is None or stack[-1].end_ns <= until):
        span = stack.pop()
        _add(pieces, span, at, span.end_ns)
        at = max(at, span.end_ns)
    return at


def _add(pieces: list[Span], span: Span, start: int, end: int) -> None:
    start = max(start, span.start_ns)
    if start < end:
        pieces.append(Span(span.context_no, start, end))
