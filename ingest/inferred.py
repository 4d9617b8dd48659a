"""Contexts where the source marks no steps: forward passes inferred from the kernels."""

from .passes import Inference, Kernels, infer
from .stage import Stage

MOST_KERNELS = 800_000
"""Of one device; more would not fit the memory that an ingest may take."""


def infer_contexts(stage: Stage, decode_tokens: int | None) -> None:
    """Give the launches of each device their passes, or say in trust why there are none."""
    ((marked,),) = stage.run("passes_marked")
    if marked:
        return
    stage.run("passes_rows")
    ops, shapes = (
        [text for (text,) in stage.run(name)] for name in ("passes_ops", "passes_shapes")
    )
    devices = stage.run("passes_devices")
    passes: list[tuple[object, ...]] = []
    doubts = []
    for device, launches in devices:
        found = _infer(stage, device, launches, ops, shapes, decode_tokens)
        where = f"device {device}: " if len(devices) > 1 else ""
        doubts.append(("limited", where + _doubt(found), len(found.passes) or launches))
        passes += [(device, p.first, p.last, p.tokens, p.complete, p.phase) for p in found.passes]
    columns = ("device", "first_place", "last_place", "tokens", "complete", "phase")
    stage.insert("inferred", columns, passes)
    stage.insert("trust", ("level", "reason", "events"), doubts)
    stage.run("passes_contexts")


def _infer(
    stage: Stage,
    device: int,
    launches: int,
    ops: list[str],
    shapes: list[str],
    decode_tokens: int | None,
) -> Inference:
    if launches > MOST_KERNELS:
        return Inference(False, f"more than {MOST_KERNELS:,} kernels")
    columns = stage.arrays("passes_kernels", device=device)
    return infer(Kernels(**columns, ops=ops, shapes=shapes), decode_tokens)


def _doubt(found: Inference) -> str:
    """What limits the trust; the events of the reason are passes, or launches without any."""
    if not found.accepted:
        return f"phases unknown, passes cannot be inferred from the kernels: {found.reason}"
    return (
        f"passes inferred from the kernels: {found.rule}, score {found.score:.2f},"
        f" ln of the likelihood ratio {found.likelihood:.0f}"
    )
