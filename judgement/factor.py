"""The common factor of a pass: what all of its rows share, such as a clock or power."""

import math
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from .facts import Cell, Row

LEAST_ROWS = 8


class Factors(NamedTuple):
    """ln of the factor per pass id, of the passes that hold LEAST_ROWS rows."""

    base: dict[int, float]
    cand: dict[int, float]

    def cover(self, row: Row) -> bool:
        """Whether every pass of a row has one: else its passes would no longer be comparable."""
        sides = (row.base.cells, self.base), (row.cand.cells, self.cand)
        return all(cell.pass_id in known for cells, known in sides for cell in cells)


NO_FACTORS = Factors({}, {})


def ln(duration: float) -> float:
    """ln of a duration; 0 ns, below the clock's resolution, counts as 1 ns."""
    return math.log(max(duration, 1.0))


def location(row: Row, cell: Cell) -> float | None:
    """ln of the median; with two modes of the slow one, since p50 jumps between them."""
    if row.modes is None:
        return ln(cell.p50_ns)
    return None if cell.above_p50_ns is None else ln(cell.above_p50_ns)


def pass_factors(rows: Sequence[Row]) -> Factors:
    """Per pass the median over rows of value - the row's median over both runs."""
    off: tuple[dict[int, list[float]], ...] = (defaultdict(list), defaultdict(list))
    for row in rows:
        if not (row.base.cells and row.cand.cells):
            continue
        values = [
            (side, cell.pass_id, value)
            for side, cells in enumerate((row.base.cells, row.cand.cells))
            for cell in cells
            if (value := location(row, cell)) is not None
        ]
        middle = median(value for _, _, value in values) if values else 0.0
        for side, pass_id, value in values:
            off[side][pass_id].append(value - middle)
    base, cand = ({one: median(v) for one, v in by.items() if len(v) >= LEAST_ROWS} for by in off)
    return Factors(base, cand)
