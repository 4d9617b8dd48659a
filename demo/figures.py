"""Target figures of the demo profiles."""

import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from ..errors import ProfdbError


@dataclass(frozen=True)
class TraceFigures:
    """Events of the whole trace and the device time outside any step."""

    events: int = 235_964
    gpu_events: int = 61_804
    kernels: int = 60_124
    outside_ms: float = 2.087


@dataclass(frozen=True)
class PrefillFigures:
    """Eager chunks and the tail: device time of the steps, of `aten::mm` and of attention."""

    chunks: int = 3
    chunk_tokens: int = 4096
    chunks_ms: float = 2720.145
    mm_ms: float = 1840.596
    attention_ms: float = 238.718
    tail_tokens: int = 1685
    tail_ms: float = 464.801


@dataclass(frozen=True)
class DecodeFigures:
    """Graph replays over all steps; a full-attention layer closes each group of layers."""

    steps: int = 60
    layers: int = 64
    full_attention_interval: int = 4
    total_ms: float = 2586.460
    llgemm1_ms: float = 1408.219
    tensile_ms: float = 876.431
    paged_attention_ms: float = 97.800
    recurrence_ms: float = 37.380

    @property
    def full_layers(self) -> int:
        """Layers with full attention."""
        return self.layers // self.full_attention_interval


@dataclass(frozen=True)
class CountFigures:
    """Durations of the operator at one token count, in µs."""

    tokens: int
    launches: int
    mean_us: float
    p50_us: float
    p99_us: float
    max_us: float | None = None
    modes_us: tuple[float, ...] = ()


@dataclass(frozen=True)
class WindowFigures:
    """One Ascend window: its folder, its token counts, the median pooled over prefill (0: any)."""

    folder: str
    prefill_p50_us: float
    counts: tuple[CountFigures, ...]
    span_ms: float = 12_374.0
    prefill_from_tokens: int = 32


BASE_WINDOW = WindowFigures(
    "1010_cc8_0815_prefill/dp0_pp0_tp0_dcp0_ep0_rank0_165753_20261010232101886_ascend_pt",
    3469.0,
    (
        CountFigures(2, 7020, 303.6, 303.8, 334.4),
        CountFigures(3, 2652, 307.5, 305.3, 435.7),
        CountFigures(221, 468, 3249.2, 3436.9, 5544.6),
        CountFigures(222, 78, 3909.8, 3623.0, 8034.6),
    ),
)

CAND_WINDOW = WindowFigures(
    "1010_cc8_prefill2/dp0_pp0_tp0_dcp0_ep0_rank0_289383_20261010221318731_ascend_pt",
    3963.0,
    (
        CountFigures(1, 9672, 276.8, 275.7, 334.0),
        CountFigures(2, 1950, 276.6, 274.5, 385.2),
        CountFigures(220, 234, 4117.6, 3972.5, 11088.4, 14539.16),
        CountFigures(221, 151, 2613.4, 3710.6, 4819.7, modes_us=(1328.8, 3813.1)),
    ),
)


@dataclass(frozen=True)
class AscendFigures:
    """The two windows; `layers` launches of the operator make one forward pass."""

    layers: int = 78
    base_label: str = "0815"
    cand_label: str = "1009"
    base: WindowFigures = BASE_WINDOW
    cand: WindowFigures = CAND_WINDOW


@dataclass(frozen=True)
class Figures:
    """All figures that a demo holds."""

    trace: TraceFigures = field(default_factory=TraceFigures)
    prefill: PrefillFigures = field(default_factory=PrefillFigures)
    decode: DecodeFigures = field(default_factory=DecodeFigures)
    ascend: AscendFigures = field(default_factory=AscendFigures)


def load_figures(path: Path | str) -> Figures:
    """The figures of a TOML file, the default ones where it is silent."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfdbError(f"figures file {path}: {error}") from error
    figures: Figures = _overridden(Figures(), table, "")
    return figures


def to_ns(value: float, unit_ns: int) -> int:
    """Nanoseconds of a decimal figure, from its digits."""
    return round(Decimal(str(value)) * unit_ns)


def _overridden(default: Any, table: Mapping[str, Any], where: str) -> Any:
    known = {entry.name: getattr(default, entry.name) for entry in fields(default)}
    for name in table:
        _check_name(name, list(known), where)
    return replace(
        default,
        **{name: _value(known[name], given, where + name) for name, given in table.items()},
    )


def _value(default: Any, given: Any, name: str) -> Any:
    if is_dataclass(default):
        _check_kind(isinstance(given, dict), name, "a table", given)
        return _overridden(default, given, name + ".")
    if isinstance(default, tuple):
        _check_kind(isinstance(given, list), name, "an array", given)
        return tuple(_element(entry, name) for entry in given)
    if isinstance(default, str):
        _check_kind(isinstance(given, str), name, "text", given)
        return given
    wanted = int if isinstance(default, int) else (int, float)
    _check_kind(isinstance(given, wanted) and not isinstance(given, bool), name, "a number", given)
    return given


def _element(given: Any, name: str) -> Any:
    if not name.endswith("counts"):
        _check_kind(isinstance(given, (int, float)), name, "numbers", given)
        return given
    _check_kind(isinstance(given, dict), name, "tables", given)
    needed = [entry.name for entry in fields(CountFigures) if entry.default is MISSING]
    missing = [key for key in needed if key not in given]
    if missing:
        raise ProfdbError(f"figures: an entry of {name} lacks {', '.join(missing)}")
    return _overridden(CountFigures(0, 0, 0.0, 0.0, 0.0), given, name + ".")


def _check_name(name: str, known: list[str], where: str) -> None:
    if name not in known:
        raise ProfdbError(f"figures: no field {where}{name}; known here: {', '.join(known)}")


def _check_kind(right: bool, name: str, wanted: str, given: object) -> None:
    if not right:
        raise ProfdbError(f"figures: {name} must be {wanted}, not {given!r}")
