"""The modules of attention and of what stands in its place, in the order of their launches.

Counts after the model code of vLLM 0.33, which merges the projections that share an input; tensor
parallelism does not change them.
"""

from .fields import Fields, product, total
from .spec import ATTENTION, DECODE, LINEAR_ATTENTION, PREFILL, Module

Block = tuple[Module, ...]


def grouped_query(config: Fields, gated: bool = False, derive_head_dim: bool = True) -> Block:
    """qkv, attention, o; an output gate doubles the query part of qkv.

    qkv has (heads + 2 kv_heads) head_dim outputs. Where head_dim is absent it is hidden / heads,
    which does not hold for every family.
    """
    heads, hidden = config.size("num_attention_heads"), config.size("hidden_size")
    kv_heads = config.size("num_key_value_heads") or heads
    head_dim = config.size("head_dim")
    if head_dim is None and heads and hidden and derive_head_dim:
        head_dim = hidden // heads
    queries = product(heads, 2 if gated else 1)
    outputs = product(total(queries, kv_heads, kv_heads), head_dim)
    return (
        Module("qkv", inputs=hidden, outputs=outputs),
        Module("attention", ATTENTION),
        Module("o", inputs=product(heads, head_dim), outputs=hidden),
    )


def latent(config: Fields, indexed: bool = False) -> Block:
    """Multi-head latent attention.

    kv_b expands the latent for prefill tokens. Decode instead moves the query into the latent
    (w_uk) and the result out of it (w_uv): batched matmuls over heads, with features per head.
    """
    heads, hidden = config.size("num_attention_heads"), config.size("hidden_size")
    rank, nope, value = (config.size(k) for k in ("kv_lora_rank", "qk_nope_head_dim", "v_head_dim"))
    return (
        *_latent_inputs(config),
        *(_indexer(config) if indexed else ()),
        Module("kv_b", runs_in=PREFILL, inputs=rank, outputs=product(heads, total(nope, value))),
        Module("w_uk", runs_in=DECODE, inputs=nope, outputs=rank, absorbed_by="attention"),
        Module("attention", ATTENTION),
        Module("w_uv", runs_in=DECODE, inputs=rank, outputs=value, absorbed_by="attention"),
        Module("o", inputs=product(heads, value), outputs=hidden),
    )


def _latent_inputs(config: Fields) -> Block:
    hidden, rope = config.size("hidden_size"), config.whole("qk_rope_head_dim", 0, default=0)
    query_rank, rank = config.size("q_lora_rank"), config.size("kv_lora_rank")
    head_dim = total(config.size("qk_nope_head_dim"), rope)
    queries = product(config.size("num_attention_heads"), head_dim)
    if query_rank is None:
        return (
            Module("kv_a", inputs=hidden, outputs=total(rank, rope)),
            Module("q", inputs=hidden, outputs=queries),
        )
    return (
        Module("qkv_a", inputs=hidden, outputs=total(query_rank, rank, rope)),
        Module("q_b", inputs=query_rank, outputs=queries),
    )


def _indexer(config: Fields) -> Block:
    """What chooses the tokens that sparse attention reads; keys and weights share a launch."""
    heads, head_dim = config.size("index_n_heads"), config.size("index_head_dim")
    hidden, query_rank = config.size("hidden_size"), config.size("q_lora_rank")
    return (
        Module("wq_b", inputs=query_rank, outputs=product(heads, head_dim)),
        Module("wk_weights_proj", inputs=hidden, outputs=total(head_dim, heads)),
        Module("indexer", ATTENTION, absorbed_by="attention"),
    )


def gated_delta_net(config: Fields) -> Block:
    """Gated delta net of Qwen3-Next and Qwen3.5: qkvz, ba, conv1d, gdn, out.

    qkvz has 2 key_heads key_dim + 2 value_heads value_dim outputs, ba two per value head.
    """
    hidden, value_heads = config.size("hidden_size"), config.size("linear_num_value_heads")
    keys = product(config.size("linear_num_key_heads"), config.size("linear_key_head_dim"))
    values = product(value_heads, config.size("linear_value_head_dim"))
    return (
        Module("qkvz", inputs=hidden, outputs=product(2, total(keys, values))),
        Module("ba", inputs=hidden, outputs=product(2, value_heads)),
        Module("conv1d", LINEAR_ATTENTION),
        Module("gdn", LINEAR_ATTENTION),
        Module("out", inputs=values, outputs=hidden),
    )


def kimi_delta(config: Fields) -> Block:
    """Kimi delta attention; a full-rank gate is part of the first projection.

    qkvgfab joins q, k, v, the decay's first factor and one beta per head.
    """
    linear = config.below("linear_attn_config")
    hidden, heads, head_dim = (
        config.size("hidden_size"),
        linear.size("num_heads"),
        linear.size("head_dim"),
    )
    full_rank = linear.flag("use_full_rank_gate")
    width = product(heads, head_dim)
    joined = total(product(4 if full_rank else 3, width), heads, head_dim)
    gate = (
        Module("g_a", inputs=hidden, outputs=head_dim),
        Module("g_b", inputs=head_dim, outputs=width),
    )
    return (
        Module("qkvgfab", inputs=hidden, outputs=joined),
        Module("f_b", inputs=head_dim, outputs=width),
        *(() if full_rank else gate),
        Module("conv1d", LINEAR_ATTENTION),
        Module("kda", LINEAR_ATTENTION),
        Module("out", inputs=width, outputs=hidden),
    )


def mamba(config: Fields) -> Block:
    """Mamba-2: in_proj, conv1d, ssm, out_proj.

    in_proj gives gate and input (heads head_dim each), B and C (groups state each), and one step
    size per head.
    """
    hidden, heads = config.size("hidden_size"), config.size("mamba_num_heads")
    width = product(heads, config.size("mamba_head_dim"))
    states = product(config.size("n_groups"), config.size("ssm_state_size"))
    return (
        Module(
            "in_proj", inputs=hidden, outputs=total(product(2, width), product(2, states), heads)
        ),
        Module("conv1d", LINEAR_ATTENTION),
        Module("ssm", LINEAR_ATTENTION),
        Module("out_proj", inputs=width, outputs=hidden),
    )
