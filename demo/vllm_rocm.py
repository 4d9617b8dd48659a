"""A vLLM trace of a ROCm device: eager prefill, then decode by graph replay."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from math import prod
from pathlib import Path
from random import Random

from ..errors import ProfdbError
from .durations import shares
from .figures import Figures
from .hybrid_model import MEMSET, SAMPLING, Launch, Op
from .kineto import (
    BASE_NS,
    DEVICE,
    GPU,
    HOST,
    STREAM,
    closing_events,
    complete,
    flow_end,
    flow_start,
    memory_instant,
    quoted,
    write_trace,
)
from .vllm_steps import Step, plan

START_NS = 24_100_000_417_283_911
EXPORT_NS = 2_417_000_113
SETTLE_NS = 40_000
LAUNCH_GAP_NS = 480
CALL_IDS = {
    "hipLaunchKernel": 107,
    "hipModuleLaunchKernel": 169,
    "hipExtModuleLaunchKernel": 65,
    "hipMemcpyAsync": 134,
    "hipMemsetAsync": 142,
    "hipGraphLaunch": 215,
    "hipStreamIsCapturing": 290,
    "hipEventSynchronize": 60,
}
ON_DEVICE = f'"device": {DEVICE}, "stream": {STREAM}, '
STACK = (
    "threading.py(1073): _bootstrap_inner",
    "vllm/v1/engine/core.py(812): run_busy_loop",
    "vllm/v1/executor/uniproc_executor.py(71): collective_rpc",
    "vllm/v1/worker/gpu_worker.py(556): execute_model",
    "torch/utils/_contextlib.py(117): decorate_context",
    "vllm/v1/worker/gpu_model_runner.py(2534): execute_model",
)
FRAMES = (
    "vllm/v1/worker/gpu_input_batch.py(409): condense",
    "vllm/v1/worker/block_table.py(88): commit_block_table",
    "torch/nn/modules/module.py(1773): _wrapped_call_impl",
    "vllm/model_executor/models/qwen3_next.py(921): forward",
    "<built-in function isinstance>",
    "vllm/forward_context.py(214): get_forward_context",
    "torch/_ops.py(1243): __call__",
    "<built-in method get of dict object at 0x7f6078eca900>",
    "typing.py(2187): cast",
)


def write_vllm_trace(folder: Path, figures: Figures, seed: int) -> Path:
    """Write the trace of rank 0 into the folder; the file."""
    rng = Random(f"{seed} vllm_rocm")
    recorder = Recorder(rng)
    spans = [recorder.step(step) for step in plan(figures, rng)]
    end = max(recorder.now, recorder.gpu_free) + SETTLE_NS
    last = closing_events(START_NS, end)
    sections = [recorder.cpu, recorder.runtime, recorder.device, last]
    fixed = sum(map(len, sections)) + 1
    if figures.trace.events < fixed:
        raise ProfdbError(
            f"figures: trace.events {figures.trace.events} is impossible; these steps need {fixed}"
        )
    frames = _frames(spans, figures.trace.events - fixed, recorder.ev_ids)
    folder.mkdir(parents=True, exist_ok=True)
    stamp = BASE_NS + end + EXPORT_NS
    path = folder / f"dp0_pp0_tp0_dcp0_ep0_rank0.{stamp}.pt.trace.json.gz"
    write_trace(path, [recorder.cpu, frames, *sections[1:]], end + SETTLE_NS)
    return path


class Recorder:
    """The events of a run: one CPU thread that launches, one stream that executes in order."""

    def __init__(self, rng: Random) -> None:
        self.cpu: list[str] = []
        self.runtime: list[str] = []
        self.device: list[str] = []
        self.now = START_NS + SETTLE_NS
        self.gpu_free = START_NS
        self.ev_ids = count(5_272)
        self._external_ids = count(70_809)
        self._correlations = count(51_835)
        self._rng = rng

    def step(self, step: Step) -> tuple[int, int]:
        """Record a step and the sampling after it; start and end of the annotation in ns."""
        durations, start, slot = iter(step.durations), self.now, len(self.cpu)
        external, ev_idx = next(self._external_ids), next(self.ev_ids)
        self.cpu += ["", memory_instant(start, next(self.ev_ids), 512 * step.tokens)]
        self.now += 5_000
        for operator in step.operators:
            self._operator(operator, step.tokens, durations)
        correlation = self._graph_launch() if step.replay else 0
        end = self.now = self.now + 9_000
        args = f'"External id": {external},"Record function id": 0, "Ev Idx": {ev_idx}'
        name = quoted(step.name)
        self.cpu[slot] = complete("user_annotation", name, HOST, start, end - start, args)
        begun = self._replay(step.replay, durations, correlation) if step.replay else end
        self._sample(step)
        # The next step is prepared while this one runs on the device.
        self.now = max(self.now, begun) + 8 * SETTLE_NS
        return start, end

    def _replay(self, graph: Sequence[Launch], durations: Iterator[int], correlation: int) -> int:
        begun = self.gpu_free = max(self.gpu_free, self.now + SETTLE_NS)
        for launch, dur_ns in zip(graph, durations, strict=True):
            self._execute(launch, dur_ns, correlation, '"kind": "Dispatch Task"')
        return begun

    def _sample(self, step: Step) -> None:
        self.now += 3 * SETTLE_NS
        durations = iter(step.sampling_ns)
        for operator in SAMPLING:
            self._operator(operator, step.tokens, durations)
        self._call_without_launch("hipEventSynchronize")

    def _operator(self, operator: Op, tokens: int, durations: Iterator[int]) -> None:
        start, slot, external = self.now, len(self.cpu), next(self._external_ids)
        head = f'"External id": {external},"Record function id": 0, '
        args = f'{head}{_shapes(operator.dims, tokens)}, "Ev Idx": {next(self.ev_ids)}'
        self.cpu.append("")
        self.now += self._rng.randrange(1_800, 3_600)
        for node in operator.inside:
            if isinstance(node, Launch):
                self._launch(node, external, tokens, next(durations))
            else:
                self._operator(node, tokens, durations)
        self.now += self._rng.randrange(600, 1_500)
        event = complete("cpu_op", _json(operator.name), HOST, start, self.now - start, args)
        self.cpu[slot] = event
        self.now += 400

    def _launch(self, launch: Launch, external: int, tokens: int, dur_ns: int) -> None:
        correlation, linked = next(self._correlations), f'"External id": {external},'
        call = f'"cid": {CALL_IDS[launch.call]}, "correlation": {correlation}'
        shape = f'"grid": [{tokens}, 1, 1], "block": [{launch.block}, 1, 1]'
        if launch.bytes:
            args = f"{linked}{call}, {_transfer_call(launch)}"
            done = _transfer(launch, dur_ns)
        else:
            args = f'{linked}"kernel": {_json(launch.kernel)}, {call}, {shape}, "shared memory": 0'
            done = f'"kind": "Dispatch Kernel", {shape}'
        self._call(launch.call, self._rng.randrange(4_000, 9_000), args, correlation)
        self.gpu_free = max(self.gpu_free, self.now)
        self._execute(launch, dur_ns, correlation, done, linked + " ")

    def _graph_launch(self) -> int:
        self._call_without_launch("hipStreamIsCapturing")
        correlation = next(self._correlations)
        args = f'"cid": {CALL_IDS["hipGraphLaunch"]}, "correlation": {correlation}'
        self._call("hipGraphLaunch", self._rng.randrange(380_000, 560_000), args, correlation)
        return correlation

    def _call(self, name: str, dur_ns: int, args: str, correlation: int) -> None:
        self.runtime.append(complete("cuda_runtime", f'"{name}"', HOST, self.now, dur_ns, args))
        self.runtime.append(flow_start(correlation, self.now))
        self.now += dur_ns + 300

    def _call_without_launch(self, name: str) -> None:
        correlation, dur_ns = next(self._correlations), self._rng.randrange(1_000, 5_000)
        args = f'"cid": {CALL_IDS[name]}, "correlation": {correlation}'
        self.runtime.append(complete("cuda_runtime", f'"{name}"', HOST, self.now, dur_ns, args))
        self.runtime.append(flow_end(correlation, HOST, self.now))
        self.now += dur_ns + 300

    def _execute(
        self, launch: Launch, dur_ns: int, correlation: int, kind: str, linked: str = ""
    ) -> None:
        start, name = self.gpu_free, _json(launch.kernel)
        args = f'{linked}{ON_DEVICE}"correlation": {correlation}, {kind}'
        self.device.append(complete(_category(launch), name, GPU, start, dur_ns, args))
        self.device.append(flow_end(correlation, GPU, start))
        self.gpu_free = start + dur_ns + LAUNCH_GAP_NS


_json = cache(quoted)


@cache
def _shapes(dims: str, tokens: int) -> str:
    """Arguments of an operator under record_shapes."""
    tensors = json.loads(dims.replace("T", str(tokens)))
    types = ["c10::BFloat16" if tensor else "Scalar" for tensor in tensors]
    strides = [_strides(tensor) for tensor in tensors]
    concrete = ["" if tensor else "0" for tensor in tensors]
    return (
        f'"Concrete Inputs": {json.dumps(concrete)}, "Input type": {json.dumps(types)}, '
        f'"Input Strides": {json.dumps(strides)}, "Input Dims": {json.dumps(tensors)}'
    )


def _strides(dims: Sequence[int]) -> list[int]:
    return [prod(dims[place + 1 :]) for place in range(len(dims))]


def _category(launch: Launch) -> str:
    if not launch.bytes:
        return "kernel"
    return "gpu_memset" if launch.kernel == MEMSET else "gpu_memcpy"


def _transfer_call(launch: Launch) -> str:
    if launch.kernel == MEMSET:
        return f'"dst": "0x7f14db1a4000", "bytes": "{launch.bytes}"'
    kind = 1 if "HtoD" in launch.kernel else 2
    ends = '"src": "0x7f1818900000", "dst": "0x7f14db1a4000"'
    return f'{ends}, "bytes": "{launch.bytes}", "kind": "{kind}"'


def _transfer(launch: Launch, dur_ns: int) -> str:
    if launch.kernel == MEMSET:
        return '"kind": "Device"'
    kind = launch.kernel.split()[1]
    bandwidth = launch.bytes / dur_ns
    return f'"kind": "{kind}", "bytes": {launch.bytes}, "memory bandwidth (GB/s)": {bandwidth:.6g}'


def _frames(spans: Sequence[tuple[int, int]], total: int, ev_ids: Iterator[int]) -> Iterator[str]:
    """Python frames inside the annotations, `total` in all: a call stack and what it calls."""
    python_ids = count(140_972)
    lengths = [float(end - start) for start, end in spans]
    counts = shares(total, lengths, "trace.events") if total >= len(spans) else [total]
    for (start, end), frames in zip(spans, counts, strict=False):
        parent = 0
        for depth, name in enumerate(STACK[:frames]):
            own = next(python_ids)
            inset = 10 * (depth + 1)
            yield _frame(name, start + inset, end - start - 2 * inset, parent, own, next(ev_ids))
            parent = own
        called = frames - len(STACK)
        first, room = start + 100, end - start - 200
        for turn in range(called):
            at, after = (first + room * place // called for place in (turn, turn + 1))
            name, dur_ns = FRAMES[turn % len(FRAMES)], max(1, (after - at) * 4 // 5)
            yield _frame(name, at, dur_ns, parent, next(python_ids), next(ev_ids))


def _frame(name: str, ts: int, dur_ns: int, parent: int, own: int, ev_idx: int) -> str:
    args = f'"Python parent id": {parent}, "Python id": {own}, "Ev Idx": {ev_idx}'
    return complete("python_function", _json(name), HOST, ts, dur_ns, args)
