"""Traces of captured graphs and of their replays, for the tests."""

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from .traces import Event, rows, span, write

Launch = tuple[str | None, str, list[Any]]
"""Kernel, operator and the dims of its inputs."""

_KERNELS = """
SELECT n.name, o.name AS op, h.name AS host_op, s.shape, k.shape_source, d.name AS dtype
FROM kernels AS k
JOIN kernel_names AS n ON n.kernel_id = k.kernel_id
JOIN names AS o ON o.name_id = k.op_id
JOIN shapes AS s ON s.shape_id = k.shape_id
LEFT JOIN names AS h ON h.name_id = k.host_op_id
LEFT JOIN names AS d ON d.name_id = k.dtype_id
WHERE {}
ORDER BY k.start_ns, k.stream
"""
NOTE = "read for operators and shapes of replayed kernels"
NO_MATCH = "graph replays that match no capture"
NO_NAMES = "captured graphs whose kernels are not named, which no replay can match"
NO_SIZE = "graph replays of which no capture is certain, so that shapes are missing"


def linear(size: int, width: int = 8) -> Launch:
    """A GEMM of a captured size."""
    return "Cijk_gemm", "aten::mm", [[size, width], [width, width]]


def norm(size: int) -> Launch:
    return "rms_norm", "vllm::rms_norm", [[size, 8]]


class Captured:
    """The events of a trace of captured graphs, as vLLM on ROCm writes them."""

    def __init__(self, vendor: str = "hip") -> None:
        self.vendor = vendor
        self.events: list[Event] = []
        self.clock = count(10, 10)

    def launch(self, launch: Launch, runs: bool = False) -> None:
        """An operator with its launch call; the kernel's name is told where the vendor tells it."""
        kernel, op, dims = launch
        at = next(self.clock)
        linked: dict[str, Any] = {"External id": at}
        types = ["c10::BFloat16"] * len(dims)
        self.events.append(
            span("cpu_op", op, at, 8, **linked, **{"Input Dims": dims, "Input type": types})
        )
        if self.vendor == "hip":
            linked |= {"kernel": kernel}
        name = f"{self.vendor}LaunchKernel"
        self.events.append(span("cuda_runtime", name, at + 2, 1, correlation=at, **linked))
        if runs:
            work = {"device": 0, "stream": 7, "correlation": at}
            self.events.append(span("kernel", kernel, at + 4, 2, 0, 7, **work))

    def mark(self, what: str) -> None:
        self.events.append(span("cuda_runtime", f"{self.vendor}Stream{what}", next(self.clock), 1))

    def graph(self, *launches: Launch, marked: bool = True) -> None:
        """The capture of one graph."""
        if marked:
            self.mark("BeginCapture")
        for launch in launches:
            self.launch(launch)
        if marked:
            self.mark("EndCapture")

    def annotate(self, text: str, since: int = 0) -> None:
        """Put an annotation around all events, or around those from a time on."""
        end = next(self.clock)
        start = since or 5
        self.events.insert(0, span("user_annotation", text, start, end - start))

    def write(self, path: Path, **metadata: Any) -> Path:
        return write(path, self.events, **metadata)


def full(path: Path, size: int, *launches: Launch, mode: str = "FULL") -> Path:
    """The trace of one captured size; what is launched before the graph is none of it."""
    trace = Captured()
    trace.launch(("fill", "aten::fill_", [[size]]))
    trace.graph(*launches)
    trace.annotate(f"capture_{size}_{mode}")
    return trace.write(path)


def pieces(path: Path, size: int, *graphs: Sequence[Launch], marked: bool = True) -> Path:
    """A size that is captured in pieces, with an attention that runs between them."""
    trace = Captured()
    for graph in graphs:
        trace.graph(*graph, marked=marked)
        trace.launch(("attention", "vllm::attention", [[size]]), runs=True)
    trace.annotate(f"capture_{size}_PIECEWISE")
    return trace.write(path)


def step(number: int, name: str, *replays: Sequence[Any]) -> Iterator[Event]:
    """A step that replays graphs; a kernel is a name, or a name with stream and node."""
    start = number * 10_000
    yield span("user_annotation", name, start, 5_000)
    for place, kernels in enumerate(replays):
        correlation, at = number * 100 + place + 1, start + 100 * place + 10
        yield span("cuda_runtime", "hipGraphLaunch", at, 5, correlation=correlation)
        for order, kernel in enumerate(kernels):
            kernel, stream, node = kernel if isinstance(kernel, tuple) else (kernel, 3, 0)
            args = {"device": 0, "stream": stream, "correlation": correlation}
            if node:
                args |= {"graph id": 1, "graph node id": node}
            cat = "gpu_memcpy" if kernel.startswith("Memcpy") else "kernel"
            yield span(cat, kernel, start + 200 + 100 * place + 5 * order, 2, 0, stream, **args)


def decode(number: int, tokens: int, *replays: Sequence[Any]) -> list[Event]:
    name = f"execute_context_0(0)_generation_{tokens}({tokens})"
    return list(step(number, name, *replays))


def executed(folder: Path, *steps: Sequence[Event]) -> Path:
    """The execution trace beside the folder of captures."""
    return write(folder / "dp0_pp0_tp0_rank0.1.pt.trace.json", [e for s in steps for e in s])


def told(warehouse: Path, where: str = "k.graph_replay") -> list[tuple[Any, ...]]:
    """Kernel, operator, shape and its source of every launch, in order of time."""
    found = rows(warehouse, _KERNELS.format(where))
    assert all(op == host or host is None for _, op, host, *_ in found)
    return [(kernel, host, shape, source) for kernel, _, host, shape, source, _ in found]


def doubts(warehouse: Path) -> dict[str, int]:
    about = "SELECT reason, events FROM trust_reasons WHERE reason LIKE '%capture%'"
    return dict(rows(warehouse, about))


def gemm(shape: str, source: str = "capture") -> tuple[str, str, str, str]:
    return "Cijk_gemm", "aten::mm", shape, source


def at(run: Path, size: int) -> Path:
    return run / "capture_traces" / f"graph_capture_rank_0.{size}.pt.trace.json"
