"""What a regression page is told by hand: token counts to pool, repeated runs of the base."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import ProfdbError
from ..judgement import ranges
from ..warehouse import Warehouse
from .choose import check_rank, resolve_run


def declared(warehouse: Warehouse, params: Mapping[str, Any]) -> dict[str, Any]:
    """Give the ends of the ranges of `tokens`, and the labels that the words of `noise` mean."""
    pooled = ranges(params["tokens"])
    return {
        "tokens": [f"{low}-{high}" for low, high in pooled],
        "tokens_from": [low for low, _ in pooled],
        "tokens_to": [high for _, high in pooled],
        "noise": _repeats(warehouse, params["noise"], params),
    }


def _repeats(warehouse: Warehouse, words: Sequence[str], params: Mapping[str, Any]) -> list[str]:
    """Labels of the repeated base runs, each another than the two that are compared."""
    found: list[str] = []
    for word in words:
        label = resolve_run(warehouse, word)
        for name in ("base", "cand"):
            if label == params[name]:
                raise ProfdbError(
                    f"--noise {word} is the {name} itself; name further runs of the base"
                    " in which nothing was changed"
                )
        if label not in found:
            check_rank(warehouse, label, params["rank"])
            found.append(label)
    return found
