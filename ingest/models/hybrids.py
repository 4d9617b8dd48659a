"""Families with latent attention, and hybrids whose layers differ in kind."""

from . import attention
from .attention import Block, grouped_query
from .families import (
    Family,
    Stack,
    dense,
    gemma3,
    glm4_moe,
    joining,
    layer_count,
    llama4,
    local_experts,
    qwen3_moe,
    routed_layers,
    sparse_from,
    sparse_layers,
    sparse_mlp,
    with_next_token,
)
from .feedforward import gated_mlp, plain_mlp, routed, router, shared, shared_plain
from .fields import Fields, product
from .spec import Module

_INTERVAL = 4
"""Every fourth layer is full attention where full_attention_interval is left out."""

_INDEX_OFFSET = 2
"""index_skip_topk_offset where it is left out, as vLLM takes it: the first two layers choose."""

_BLOCKS = {"mamba": "M", "attention": "*", "mlp": "-", "moe": "E"}


def deepseek(config: Fields) -> Stack:
    """DeepSeek V2, V3, V3.2, Kimi-K2, GLM-5: latent attention, then an MLP or experts.

    A draft layer is like the last one and always has the indexer.
    """
    indexed, mlps = _indexed_layers(config), routed_layers(config)
    layers = [attention.latent(config, has) + mlp for has, mlp in zip(indexed, mlps, strict=True)]
    last = attention.latent(config, config.has("index_topk")) + mlps[-1]
    return with_next_token(config, layers, last)


def _indexed_layers(config: Fields) -> list[bool]:
    """Which layers choose tokens themselves; the others read what the one before them chose.

    By indexer_types, else index_topk_pattern (F chooses, S shares), else by frequency: layer i
    chooses where max(i + 1 - offset, 0) % index_topk_freq = 0.
    """
    count = layer_count(config)
    if not config.has("index_topk"):
        return [False] * count
    if types := config.words("indexer_types", {"full", "shared"}, count):
        return [kind == "full" for kind in types]
    if pattern := config.words("index_topk_pattern", {"F", "S"}, count):
        return [sign == "F" for sign in pattern]
    freq = config.whole("index_topk_freq", default=1)
    offset = config.whole("index_skip_topk_offset", least=0, default=_INDEX_OFFSET)
    return [max(i + 1 - offset, 0) % freq == 0 for i in range(count)]


def qwen3_next(config: Fields) -> Stack:
    """Qwen3-Next: gated delta net or gated attention, then experts or an MLP."""
    width = config.whole("shared_expert_intermediate_size", least=0)
    return _gated_hybrid(config, sparse_layers(config, width))


def qwen3_5(config: Fields) -> Stack:
    """Qwen3.5: gated delta net or gated attention, then an MLP."""
    return _gated_hybrid(config, [gated_mlp(config)] * layer_count(config))


def qwen3_5_moe(config: Fields) -> Stack:
    """Qwen3.5 with experts in every layer."""
    width = config.whole("shared_expert_intermediate_size", least=0)
    return _gated_hybrid(config, [sparse_mlp(config, width)] * layer_count(config))


def _gated_hybrid(config: Fields, mlps: list[Block]) -> Stack:
    full = grouped_query(config, gated=config.flag("attn_output_gate", default=True))
    parts = {"full_attention": full, "linear_attention": attention.gated_delta_net(config)}
    types = config.words("layer_types", parts, len(mlps)) or _by_interval(config, len(mlps))
    layers = [parts[kind] + mlp for kind, mlp in zip(types, mlps, strict=True)]
    drafts = config.whole(
        "mtp_num_hidden_layers",
        least=0,
        most=64,
        default=config.whole("num_nextn_predict_layers", least=0, most=64, default=0),
    )
    if not drafts:
        return Stack(layers)
    return Stack(layers, (joining(config, "fc"),), [full + mlps[-1]] * drafts)


def _by_interval(config: Fields, count: int) -> list[str]:
    interval = config.whole("full_attention_interval", default=_INTERVAL)
    kinds = ("linear_attention", "full_attention")
    return [kinds[(i + 1) % interval == 0] for i in range(count)]


def kimi_linear(config: Fields) -> Stack:
    """Kimi Linear: delta attention in kda_layers (counted from 1), else latent attention."""
    config.refuse("routed_expert_hidden_size", "mla_use_output_gate")
    delta, latent = attention.kimi_delta(config), attention.latent(config)
    chosen = _delta_layers(config)
    mlps = _kimi_mlps(config, len(chosen))
    return Stack(
        [(delta if is_delta else latent) + mlp for is_delta, mlp in zip(chosen, mlps, strict=True)]
    )


def _delta_layers(config: Fields) -> list[bool]:
    count, linear = layer_count(config), config.below("linear_attn_config")
    if not linear.has("kda_layers"):
        raise linear.error("kda_layers", f"a list of layers from 1 to {count}")
    delta = set(linear.numbers("kda_layers", 1, count))
    if linear.has("full_attn_layers"):
        full = set(linear.numbers("full_attn_layers", 1, count))
        if full & delta or len(full | delta) != count:
            raise linear.error("full_attn_layers", f"the layers of 1 to {count} not in kda_layers")
    return [i + 1 in delta for i in range(count)]


def _kimi_mlps(config: Fields, count: int) -> list[Block]:
    if not config.has("num_experts"):
        return [gated_mlp(config)] * count
    number = config.whole_or_null("num_shared_experts")
    between = product(config.size("moe_intermediate_size"), number)
    extra = shared(config, between) if number else ()
    experts: Block = (router(config, "num_experts"), *extra, *routed())
    return [experts if sparse else gated_mlp(config) for sparse in sparse_from(config, count)]


def nemotron_h(config: Fields) -> Stack:
    """Nemotron-H: a layer is one of Mamba (M), attention (*), MLP (-), experts (E)."""
    signs = _signs(config)
    widths = _mlp_widths(config, signs.count("-"))
    makers = {
        "M": lambda: attention.mamba(config),
        "*": lambda: grouped_query(config),
        "-": lambda: plain_mlp(config, widths.pop(0)),
        "E": lambda: _latent_experts(config),
    }
    return Stack([makers[sign]() for sign in signs])


def _signs(config: Fields) -> list[str]:
    count = layer_count(config)
    if signs := config.words("hybrid_override_pattern", set(_BLOCKS.values()), count):
        return signs
    if not (names := config.words("layers_block_type", _BLOCKS, count)):
        raise config.error("hybrid_override_pattern", f"{count} letters out of M, *, -, E")
    return [_BLOCKS[name] for name in names]


def _mlp_widths(config: Fields, count: int) -> list[int | None]:
    """intermediate_size of each MLP layer: one number for all, or a list."""
    if not isinstance(config.values.get("intermediate_size"), list):
        return [config.size("intermediate_size")] * count
    widths: list[int | None] = [*config.numbers("intermediate_size", 1, 10**8)]
    widths = widths * count if len(widths) == 1 else widths
    if len(widths) != count:
        raise config.error("intermediate_size", f"one number, or {count}, one per MLP layer")
    return widths


def _latent_experts(config: Fields) -> Block:
    """router, shared experts, experts; moe_latent_size puts a linear before and after these."""
    hidden, latent = config.size("hidden_size"), config.size("moe_latent_size")
    number = config.whole_or_null("n_shared_experts")
    between = product(config.size("moe_shared_expert_intermediate_size"), number)
    before = (Module("fc1_latent", inputs=hidden, outputs=latent),) if latent else ()
    after = (Module("fc2_latent", inputs=latent, outputs=hidden),) if latent else ()
    extra = shared_plain(config, between) if number else ()
    routing = router(config, "n_routed_experts")
    return (routing, *extra, *before, *routed("experts_up"), *after)


FAMILIES: dict[str, Family] = {
    **dict.fromkeys(("llama", "mistral", "qwen2", "qwen3", "glm", "glm4"), dense),
    **dict.fromkeys(("gemma3", "gemma3_text"), gemma3),
    **dict.fromkeys(("gpt_oss", "mixtral", "minimax_m2"), local_experts),
    **dict.fromkeys(("llama4", "llama4_text"), llama4),
    **dict.fromkeys(("qwen3_5", "qwen3_5_text"), qwen3_5),
    **dict.fromkeys(("qwen3_5_moe", "qwen3_5_moe_text"), qwen3_5_moe),
    **dict.fromkeys(
        ("deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2", "glm_moe_dsa"), deepseek
    ),
    "qwen3_moe": qwen3_moe,
    "qwen3_next": qwen3_next,
    "glm4_moe": glm4_moe,
    "kimi_linear": kimi_linear,
    "nemotron_h": nemotron_h,
}
"""The family of every model_type that is read."""
