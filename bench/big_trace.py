"""A Chrome trace of any size, with every kind of event and names that are hard to cut."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

_NAMES = (
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x4_tn>(Params)",
    "triton_poi_fused_add_mul_17",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)",
    'weird "quoted" }, {"ph": "X"} name',
    "brace },\n{ and tail \\",
    "日本語カーネル",
)
_FRAMES = tuple(f"vllm/model_executor/layers/linear.py({line}): forward" for line in range(90))
_BASE_NS = 1_727_743_122_000_000_000


def write_trace(path: Path, megabytes: float, seed: int = 0) -> int:
    """Write a trace of about that size; the number of its events."""
    with path.open("w", encoding="utf-8") as out:
        out.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "bench"}],\n')
        out.write('"cuda_runtime_version": 12090, "traceEvents": [\n')
        events = _write_steps(out, megabytes * 1e6, random.Random(seed))
        out.write(f'\n],\n"traceName": "bench", "baseTimeNanoseconds": {_BASE_NS}}}\n')
    return events


def _write_steps(out: IO[str], size: float, noise: random.Random) -> int:
    written, events, now, separator = 0, 0, 4_203_669_603_018, ""
    while written < size:
        for event in _step(events, now, noise):
            text = separator + json.dumps(event, indent=1, ensure_ascii=False)
            out.write(text)
            written, events, separator = written + len(text), events + 1, ",\n"
        now += 9_000
    return events


def _step(first: int, now: int, noise: random.Random) -> Iterator[dict[str, Any]]:
    """One decode step of 64 launches: frames, operators, launch calls, flows, kernels."""
    host = {"pid": 4711, "tid": 4711}
    for call in range(64):
        link, at = first + call + 1, now + 100 * call + noise.randrange(50) / 1000
        yield {
            "ph": "X",
            "cat": "python_function",
            "name": noise.choice(_FRAMES),
            **host,
            "ts": at,
            "dur": 99.0,
            "args": {"Python id": link, "Python parent id": None},
        }
        yield {
            "ph": "X",
            "cat": "cpu_op",
            "name": "aten::mm",
            **host,
            "ts": at + 1,
            "dur": 60.5,
            "args": {
                "External id": link,
                "Ev Idx": link,
                "Concrete Inputs": ["", ""],
                "Input type": ["c10::BFloat16", "c10::BFloat16"],
                "Input Dims": [[noise.randrange(1, 9), 6144], [6144, 1024]],
            },
        }
        yield {
            "ph": "X",
            "cat": "cuda_runtime",
            "name": "cudaLaunchKernel",
            **host,
            "ts": at + 9,
            "dur": 4.25,
            "args": {"External id": link, "cbid": 211, "correlation": link},
        }
        yield {"ph": "s", "id": link, **host, "ts": at + 9, "cat": "ac2g", "name": "ac2g"}
        yield {
            "ph": "X",
            "cat": "kernel",
            "name": noise.choice(_NAMES),
            "pid": 0,
            "tid": 7,
            "ts": at + 40,
            "dur": noise.randrange(2000, 40000) / 1000,
            "args": {
                "External id": link,
                "device": 0,
                "context": 1,
                "stream": 7,
                "correlation": link,
                "registers per thread": 96,
                "shared memory": 49152,
                "blocks per SM": 1.5,
                "warps per SM": 6.0,
                "grid": [117, 1, 1],
                "block": [128, 1, 1],
                "est. achieved occupancy %": 9,
            },
        }
        yield {
            "ph": "f",
            "id": link,
            "pid": 0,
            "tid": 7,
            "ts": at + 40,
            "cat": "ac2g",
            "name": "ac2g",
            "bp": "e",
        }
    yield {
        "ph": "X",
        "cat": "user_annotation",
        "name": "execute_context_0(0)_generation_1(1)",
        **host,
        "ts": now,
        "dur": 6400.0,
        "args": {"External id": first},
    }
