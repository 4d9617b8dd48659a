"""Did a run change? Judged over complete forward passes, by ranks, without resampling."""

from .effects import Effects, Stratum, decompose
from .facts import (
    EVERYTHING,
    Cell,
    Comparison,
    Floor,
    Judgement,
    Key,
    Modes,
    Outcome,
    Reason,
    Row,
    Run,
    Side,
    Statistic,
    Verdict,
)
from .groups import groups, ranges
from .judge import judge, pair
from .measure import LEAST_PASSES
from .modes import cell, shared_modes, two_modes
from .noise import noise_floor
from .tail import Tail, tail_figure

__all__ = [
    "EVERYTHING",
    "LEAST_PASSES",
    "Cell",
    "Comparison",
    "Effects",
    "Floor",
    "Judgement",
    "Key",
    "Modes",
    "Outcome",
    "Reason",
    "Row",
    "Run",
    "Side",
    "Statistic",
    "Stratum",
    "Tail",
    "Verdict",
    "cell",
    "decompose",
    "groups",
    "judge",
    "noise_floor",
    "pair",
    "ranges",
    "shared_modes",
    "tail_figure",
    "two_modes",
]
