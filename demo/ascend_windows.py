"""Two Ascend windows of one rank, as torch_npu leaves them behind."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import accumulate, chain
from pathlib import Path
from random import Random
from typing import NamedTuple

from ..errors import ProfdbError
from .ascend_ops import (
    ARG_MAX,
    DISPATCH,
    EMBEDDING,
    HEADER,
    LM_HEAD,
    PATTERN,
    VARIANTS,
    Row,
    launch,
    layer_operators,
    variants,
)
from .durations import dealt, group_durations
from .figures import AscendFigures, WindowFigures, to_ns

SITE_TIME = timezone(timedelta(hours=8))
WARM_UP_NS = 412_736_520
PASS_GAP_SHARE = 4  # a quarter of the idle time lies between passes
GAP_WEIGHTS = (5, 8, 9, 10, 11, 17)  # idle time before a row, 10 on average
TASK_IDS = 65_536


class Pass(NamedTuple):
    """One forward pass: its tokens and the operator's duration in each layer, in ns."""

    tokens: int
    durations: list[int]
    whole: bool


def write_windows(directory: Path, ascend: AscendFigures, seed: int, rows: int) -> Iterator[Path]:
    """Write both windows, candidate first; it has `rows` rows, the base in proportion."""
    base, cand = (sum(c.launches for c in w.counts) for w in (ascend.base, ascend.cand))
    yield _write(directory / ascend.cand_label, ascend.cand, ascend.layers, seed, rows)
    base_rows = rows * base // cand
    yield _write(directory / ascend.base_label, ascend.base, ascend.layers, seed, base_rows)


def _write(folder: Path, window: WindowFigures, layers: int, seed: int, row_count: int) -> Path:
    rng = Random(f"{seed} {window.folder}")
    passes = _passes(window, layers, rng)
    rows = _rows(passes, _operators(passes, row_count), rng)
    start_ns = _folder_time_ns(window.folder) + WARM_UP_NS
    target = folder / window.folder
    output = target / "ASCEND_PROFILER_OUTPUT"
    output.mkdir(parents=True, exist_ok=True)
    starts = list(_starts(rows, to_ns(window.span_ms, 1_000_000), start_ns, rng))
    with (output / "kernel_details.csv").open("wb") as file:
        file.write(HEADER.encode())
        file.writelines(_lines(rows, starts))
    end_ns = starts[-1] + rows[-1][-1].dur_ns
    _write_json(target / "profiler_info_0.json", _profiler_info(start_ns, end_ns))
    _write_json(target / "profiler_metadata.json", METADATA)
    return folder


def _passes(window: WindowFigures, layers: int, rng: Random) -> list[Pass]:
    """The passes in order: decode mostly, prefill spread between, the cut one last."""
    groups = group_durations(window.counts, window.prefill_p50_us, window.prefill_from_tokens, rng)
    decode: list[Pass] = []
    prefill: list[Pass] = []
    cut: list[Pass] = []
    for tokens, durations in groups.items():
        for launches in dealt(durations, _sizes(len(durations), layers), rng):
            one = Pass(tokens, launches, len(launches) == layers)
            kind = decode if tokens < window.prefill_from_tokens else prefill
            (kind if one.whole else cut).append(one)
    if len(cut) > 1:
        counts = ", ".join(str(one.tokens) for one in cut)
        raise ProfdbError(
            f"figures: launches at {counts} tokens are no multiple of {layers} layers;"
            " only the last pass of a window can be cut"
        )
    rng.shuffle(decode)
    rng.shuffle(prefill)
    places = [round((turn + 0.5) * len(decode) / len(prefill)) for turn in range(len(prefill))]
    for place, one in sorted(zip(places, prefill, strict=True), key=lambda p: -p[0]):
        decode.insert(place, one)
    return decode + cut


def _sizes(launches: int, layers: int) -> list[int]:
    whole, rest = divmod(launches, layers)
    return [layers] * whole + [rest] * bool(rest)


def _operators(passes: Sequence[Pass], row_count: int) -> list[int]:
    """How many operators beside the layers' own each pass holds, to reach `row_count`."""
    layers = [0, *accumulate(len(one.durations) for one in passes)]
    least = layers[-1] + sum(3 if one.whole else 1 for one in passes)
    extra = row_count - least
    if extra < 0:
        raise ProfdbError(f"demo: {row_count} Ascend rows are too few; at least {least}")
    ends = [extra * layer // layers[-1] for layer in layers]
    return [end - start for start, end in zip(ends, ends[1:], strict=False)]


def _rows(passes: Sequence[Pass], operators: Sequence[int], rng: Random) -> list[list[Row]]:
    @cache
    def shared(tokens: int, count: int, turn: int) -> list[list[Row]]:
        drawn = [variants(operator, tokens, rng) for operator in layer_operators(count, turn)]
        return [[rng.choice(rows) for rows in drawn] for _ in range(VARIANTS)]

    return [
        _pass_rows(one, count, shared, rng) for one, count in zip(passes, operators, strict=True)
    ]


def _pass_rows(
    one: Pass, operators: int, shared: Callable[[int, int, int], list[list[Row]]], rng: Random
) -> list[Row]:
    per_layer, rest = divmod(operators, len(one.durations))
    rows = [variants(EMBEDDING, one.tokens, rng)[0]]
    for layer, dur_ns in enumerate(one.durations):
        rows += rng.choice(shared(one.tokens, per_layer + (layer < rest), layer % PATTERN))
        rows.append(launch(DISPATCH, one.tokens, dur_ns))
    if one.whole:
        rows += [variants(last, one.tokens, rng)[0] for last in (LM_HEAD, ARG_MAX)]
    return rows


def _starts(
    passes: Sequence[Sequence[Row]], span_ns: int, start_ns: int, rng: Random
) -> Iterator[int]:
    """Start of each row in ns; the idle time of the span goes between rows and passes."""
    row_count = sum(map(len, passes))
    idle = max(0, span_ns - sum(row.dur_ns for rows in passes for row in rows))
    weights = rng.choices(GAP_WEIGHTS, k=row_count)
    weights[0], between, at = 0, row_count * 10 // (PASS_GAP_SHARE * len(passes)), 0
    for rows in passes[:-1]:
        at += len(rows)
        weights[at] += between
    whole, busy = max(1, sum(weights)), start_ns
    for row, weight in zip(chain.from_iterable(passes), accumulate(weights), strict=True):
        yield busy + idle * weight // whole
        busy += row.dur_ns


def _lines(passes: Sequence[Sequence[Row]], starts: Sequence[int]) -> Iterator[bytes]:
    """The CSV text of one pass after another."""
    task, end, at = 34_472, starts[0], iter(starts)
    for rows in passes:
        lines = []
        for head, middle, dur_ns, tail in rows:
            task += 1
            start = next(at)
            wait = start - end
            lines.append(
                f"{head}{task % TASK_IDS}{middle}{start // 1000}.{start % 1000:03d}\t,"
                f"{dur_ns // 1000}.{dur_ns % 1000:03d},{wait / 1000:f},{tail}"
            )
            end = start + dur_ns
        yield "".join(lines).encode()


def _folder_time_ns(folder: str) -> int:
    stamp = folder.removesuffix("_ascend_pt").rpartition("_")[2]
    try:
        moment = datetime.strptime(stamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=SITE_TIME)
        return round(moment.timestamp()) * 1_000_000_000 + int(stamp[14:17]) * 1_000_000
    except ValueError as error:
        raise ProfdbError(
            f"figures: folder {folder} does not end in _YYYYmmddHHMMSSmmm_ascend_pt"
        ) from error


def _write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content, indent=4), encoding="utf-8")


def _profiler_info(start_ns: int, end_ns: int) -> dict[str, object]:
    monotonic = start_ns % 10**16
    return {
        "config": CONFIG,
        "start_info": {
            "syscnt_enable": True,
            "freq": 100,
            "start_cnt": monotonic // 10,
            "start_monotonic": monotonic,
        },
        "end_info": {
            "collectionTimeEnd": end_ns + WARM_UP_NS,
            "MonotonicTimeEnd": monotonic + end_ns - start_ns + WARM_UP_NS,
        },
        "torch_npu_version": "2.9.0",
        "cann_version": "9.0.RC1",
        "rank_id": "0",
    }


CONFIG = {
    "common_config": {
        "activities": ["ProfilerActivity.CPU", "ProfilerActivity.NPU"],
        "schedule": None,
        "record_shapes": False,
        "profile_memory": False,
        "with_stack": False,
        "with_flops": False,
        "with_modules": False,
    },
    "experimental_config": {
        "_profiler_level": "Level1",
        "_aic_metrics": "ACL_AICORE_PIPE_UTILIZATION",
        "_l2_cache": False,
        "_msprof_tx": False,
        "_mstx": False,
        "_data_simplification": True,
        "record_op_args": False,
        "_export_type": ["text"],
        "_host_sys": [],
        "_op_attr": False,
        "_gc_detect_threshold": None,
        "_mstx_domain_include": [],
        "_mstx_domain_exclude": [],
        "_sys_io": False,
        "_sys_interconnection": False,
    },
}
METADATA = {
    "ENV_VARIABLES": {
        "ASCEND_GLOBAL_LOG_LEVEL": "3",
        "HCCL_ALGO": "",
        "PYTORCH_NPU_ALLOC_CONF": "expandable_segments:True",
        "ASCEND_LAUNCH_BLOCKING": "",
    },
    "parallel_group_info": {
        "group_name_0": {
            "group_name": "default_group",
            "group_rank": 0,
            "global_ranks": list(range(32)),
        }
    },
}
