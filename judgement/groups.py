"""Shape groups: token counts that are near enough to be compared as one."""

import re
from collections.abc import Iterable, Sequence

from ..errors import ProfdbError

EXACT_BELOW = 32
Range = tuple[int, int]


def groups(tokens: Iterable[int], by_hand: Sequence[str] = ()) -> dict[int, Range]:
    """Lowest and highest token count of the group of each.

    Counts are sorted; below 32 each is a group, from there on one that is more than 2 % larger
    than the one before begins a new group. Ranges by hand, such as '220-222', are groups of their
    own under the name given, and no other group reaches across one.
    """
    hands = ranges(by_hand)
    found: dict[int, Range] = {}
    run: list[int] = []
    for token in sorted(set(tokens)):
        hand = next((one for one in hands if one[0] <= token <= one[1]), None)
        if hand:
            found[token] = hand
            run = []
        elif run and token >= EXACT_BELOW and 100 * token <= 102 * run[-1]:
            run.append(token)
            found |= dict.fromkeys(run, (run[0], token))
        else:
            run = [token]
            found[token] = (token, token)
    return found


def ranges(by_hand: Sequence[str]) -> list[Range]:
    """Read ranges such as '220-222' or '8', in order; refuse those that overlap."""
    found = sorted(_range(text) for text in by_hand)
    for one, other in zip(found, found[1:], strict=False):
        if other[0] <= one[1]:
            both = " and ".join(f"'{low}-{high}'" for low, high in (one, other))
            raise ProfdbError(f"the ranges {both} overlap: a token count is in one group")
    return found


def _range(text: str) -> Range:
    """Two counts, or one, which is a range of itself."""
    match = re.fullmatch(r"\s*(\d+)\s*(?:[-–]\s*(\d+))?\s*", text)
    low, high = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if low > high:
        raise ProfdbError(f"'{text}' is no range of token counts: write it as '220-222'")
    return low, high
