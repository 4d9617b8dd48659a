"""The modules of dense and of expert feed-forward layers, in the order of their launches."""

from .fields import Fields, product
from .spec import EXPERTS, Module

Block = tuple[Module, ...]


def gated_mlp(config: Fields, width: str = "intermediate_size") -> Block:
    """gate_up, down; `width` names the field with the features between them."""
    hidden, between = config.size("hidden_size"), config.size(width)
    return (
        Module("gate_up", inputs=hidden, outputs=product(2, between)),
        Module("down", inputs=between, outputs=hidden),
    )


def plain_mlp(config: Fields, between: int | None) -> Block:
    """up, down: an activation without gate."""
    hidden = config.size("hidden_size")
    return (
        Module("up", inputs=hidden, outputs=between),
        Module("down", inputs=between, outputs=hidden),
    )


def router(config: Fields, experts: str) -> Module:
    """The router; `experts` names the field with the number of experts, which must be there."""
    return Module("router", inputs=config.size("hidden_size"), outputs=config.whole(experts))


def routed(first: str = "experts_gate_up") -> Block:
    """The two grouped matmuls of the experts; one kernel may do the work of both."""
    return (Module(first, EXPERTS), Module("experts_down", EXPERTS, absorbed_by=first))


def shared(config: Fields, between: int | None, gate: bool = False) -> Block:
    """The experts that every token visits; a fused expert kernel may do their work."""
    hidden, by = config.size("hidden_size"), "experts_gate_up"
    found = (
        Module("shared_gate_up", inputs=hidden, outputs=product(2, between), absorbed_by=by),
        Module("shared_down", inputs=between, outputs=hidden, absorbed_by=by),
    )
    scale = Module("shared_gate", inputs=hidden, outputs=1, absorbed_by=by)
    return (*found, scale) if gate else found


def shared_plain(config: Fields, between: int | None) -> Block:
    """The same without gate, as in Nemotron-H."""
    hidden, by = config.size("hidden_size"), "experts_up"
    return (
        Module("shared_up", inputs=hidden, outputs=between, absorbed_by=by),
        Module("shared_down", inputs=between, outputs=hidden, absorbed_by=by),
    )
