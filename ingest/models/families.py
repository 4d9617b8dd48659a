"""Families of attention models: what each layer holds, by the fields of the configuration.

A family is a function from the fields to a Stack. What it cannot tell it refuses.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .attention import Block, grouped_query
from .feedforward import gated_mlp, routed, router, shared
from .fields import MOST_LAYERS, Fields, product
from .spec import Module

ATTENTION_TYPES = {"full_attention", "sliding_attention", "chunked_attention"}


@dataclass(frozen=True)
class Stack:
    """The layers of the target pass; where there is a draft pass, its entry and its layers."""

    layers: list[Block]
    draft_entry: Block = ()
    draft_layers: list[Block] = field(default_factory=list)


Family = Callable[[Fields], Stack]


def layer_count(config: Fields) -> int:
    """num_hidden_layers."""
    return config.whole("num_hidden_layers", most=MOST_LAYERS)


def attention_only(config: Fields) -> int:
    """The number of layers, after a look that attention is all that layer_types asks for."""
    count = layer_count(config)
    config.words("layer_types", ATTENTION_TYPES, count)
    return count


def dense(config: Fields) -> Stack:
    """Llama, Mistral, Qwen2, Qwen3, GLM-4: qkv, attention, o, gate_up, down."""
    return Stack([grouped_query(config) + gated_mlp(config)] * attention_only(config))


def gemma3(config: Fields) -> Stack:
    """The same; head_dim is not hidden / heads where it is left out."""
    attention = grouped_query(config, derive_head_dim=False)
    return Stack([attention + gated_mlp(config)] * attention_only(config))


def local_experts(config: Fields) -> Stack:
    """Mixtral, MiniMax-M2, gpt-oss: experts in every layer, none shared."""
    experts = (router(config, "num_local_experts"), *routed())
    return Stack([grouped_query(config) + experts] * attention_only(config))


def sparse_mlp(config: Fields, shared_width: int) -> Block:
    """The experts of the Qwen families; shared ones stand behind a gate of their own."""
    extra = shared(config, shared_width, gate=True) if shared_width else ()
    return (router(config, "num_experts"), *extra, *routed())


def sparse_layers(config: Fields, shared_width: int) -> list[Block]:
    """The feed-forward part of each layer of Qwen3-MoE and Qwen3-Next.

    Sparse is i where i is not in mlp_only_layers and (i + 1) % decoder_sparse_step = 0.
    """
    count, experts = layer_count(config), config.whole("num_experts", least=0)
    step = config.whole("decoder_sparse_step", default=1)
    dense_ones = set(config.numbers("mlp_only_layers", 0, count - 1))
    return [
        sparse_mlp(config, shared_width)
        if experts and i not in dense_ones and (i + 1) % step == 0
        else gated_mlp(config)
        for i in range(count)
    ]


def qwen3_moe(config: Fields) -> Stack:
    """qkv, attention, o, then experts or an MLP."""
    attention_only(config)
    width = config.whole("shared_expert_intermediate_size", least=0, default=0)
    return Stack([grouped_query(config) + mlp for mlp in sparse_layers(config, width)])


def llama4(config: Fields) -> Stack:
    """Experts where moe_layers has i, else where (i + 1) % interleave_moe_layer_step = 0.

    The shared expert is as wide as a routed one; a dense MLP has a width of its own.
    """
    count = attention_only(config)
    step = config.whole("interleave_moe_layer_step", least=0, default=1)
    sparse = set(config.numbers("moe_layers", 0, count - 1))
    if not config.has("moe_layers"):
        sparse = {i for i in range(count) if step and (i + 1) % step == 0}
    attention = grouped_query(config)
    return Stack([attention + _llama4_mlp(config, i in sparse) for i in range(count)])


def _llama4_mlp(config: Fields, sparse: bool) -> Block:
    if not sparse:
        return gated_mlp(config, "intermediate_size_mlp")
    extra = shared(config, config.size("intermediate_size"))
    return (router(config, "num_local_experts"), *extra, *routed())


def routed_layers(config: Fields) -> list[Block]:
    """The feed-forward part of each layer of the DeepSeek and GLM families.

    Sparse is i where mlp_layer_types says so, else where i >= first_k_dense_replace and
    i % moe_layer_freq = 0; without routed experts none is.
    """
    count = layer_count(config)
    if not config.has("n_routed_experts"):
        return [gated_mlp(config)] * count
    between = product(
        config.size("moe_intermediate_size"), config.whole_or_null("n_shared_experts")
    )
    extra = shared(config, between) if config.whole_or_null("n_shared_experts") else ()
    experts: Block = (router(config, "n_routed_experts"), *extra, *routed())
    sparse = sparse_from(config, count)
    return [experts if sparse[i] else gated_mlp(config) for i in range(count)]


def sparse_from(config: Fields, count: int) -> list[bool]:
    """Whether each layer has experts, by mlp_layer_types or the first dense layers."""
    types = config.words("mlp_layer_types", {"dense", "sparse"}, count)
    if types:
        return [kind == "sparse" for kind in types]
    first = config.whole("first_k_dense_replace", least=0)
    step = config.whole("moe_layer_freq", default=1)
    return [i >= first and i % step == 0 for i in range(count)]


def glm4_moe(config: Fields) -> Stack:
    """GLM-4.5 to 4.7: qkv, attention, o, then an MLP or experts; a draft layer like the last."""
    attention_only(config)
    layers = [grouped_query(config) + mlp for mlp in routed_layers(config)]
    return with_next_token(config, layers, layers[-1])


def with_next_token(config: Fields, layers: list[Block], last: Block) -> Stack:
    """Add the draft pass of num_nextn_predict_layers: eh_proj and one layer, whatever their number.

    Each of several draft layers serves a draft step of its own.
    """
    if not config.whole("num_nextn_predict_layers", least=0, default=0):
        return Stack(layers)
    return Stack(layers, (joining(config, "eh_proj"),), [last])


def joining(config: Fields, name: str) -> Module:
    """The linear that joins the last hidden state with the embedding of the next token."""
    hidden = config.size("hidden_size")
    return Module(name, inputs=product(2, hidden), outputs=hidden)
