"""The modules of each family that is read, counted in the head."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profdb.ingest.models import read_spec
from profdb.ingest.models.huggingface import parse_config
from profdb.ingest.models.hybrids import FAMILIES

from .specs import (
    DELTA,
    HEADS,
    LATENT,
    SHARED,
    config,
    counts,
    features,
    linears,
    needs_models,
    read,
)

FULL = {"qkv": 4, "attention": 4, "o": 4}
MLA = dict.fromkeys(("qkv_a", "q_b", "kv_b", "w_uk", "attention", "w_uv", "o"), 4)
QWEN_MOE = HEADS | {"num_experts": 8, "shared_expert_intermediate_size": 6}
MIXED = {"router": 3, "experts_gate_up": 3, "experts_down": 3, "gate_up": 1, "down": 1}
SHARED_TWO = {"shared_gate_up": 3, "shared_down": 3}
GDN = dict.fromkeys(("qkvz", "ba", "conv1d", "gdn", "out"), 3)
ONE_FULL = {"qkv": 1, "attention": 1, "o": 1}
EVERY = {"router": 4, "experts_gate_up": 4, "experts_down": 4}
EVERY_SHARED = EVERY | {"shared_gate_up": 4, "shared_down": 4, "shared_gate": 4}
KIMI = LATENT | {
    "q_lora_rank": None,
    "num_experts": 8,
    "num_shared_experts": 1,
    "first_k_dense_replace": 1,
    "linear_attn_config": {"kda_layers": [1, 2, 3], "num_heads": 2, "head_dim": 3},
}
MAMBA = HEADS | {
    "mamba_num_heads": 2, "mamba_head_dim": 5, "n_groups": 1, "ssm_state_size": 3,
    "n_routed_experts": 8, "n_shared_experts": 1, "moe_shared_expert_intermediate_size": 6,
}  # fmt: skip

CASES = {
    # model_type: its fields, the modules of four layers without lm_head, linears with decode tokens
    "llama": (HEADS, FULL | {"gate_up": 4, "down": 4}, 17),
    "mistral": (HEADS, FULL | {"gate_up": 4, "down": 4}, 17),
    "qwen2": (HEADS, FULL | {"gate_up": 4, "down": 4}, 17),
    "qwen3": (HEADS, FULL | {"gate_up": 4, "down": 4}, 17),
    "glm4": (HEADS, FULL | {"gate_up": 4, "down": 4}, 17),
    "gemma3_text": (
        HEADS | {"layer_types": ["sliding_attention"] * 3 + ["full_attention"]},
        FULL | {"gate_up": 4, "down": 4},
        17,
    ),
    "gpt_oss": (HEADS | {"num_local_experts": 8}, FULL | EVERY, 13),
    "mixtral": (HEADS | {"num_local_experts": 8}, FULL | EVERY, 13),
    "minimax_m2": (HEADS | {"num_local_experts": 8}, FULL | EVERY, 13),
    "qwen3_moe": (HEADS | {"num_experts": 8, "mlp_only_layers": [2]}, FULL | MIXED, 14),
    "qwen3_next": (QWEN_MOE | DELTA, GDN | ONE_FULL | EVERY_SHARED, 28),
    "qwen3_5": (HEADS | DELTA, GDN | ONE_FULL | {"gate_up": 4, "down": 4}, 20),
    "qwen3_5_moe": (QWEN_MOE | DELTA, GDN | ONE_FULL | EVERY_SHARED, 28),
    "glm4_moe": (
        HEADS | {"n_routed_experts": 8, "n_shared_experts": 1, "first_k_dense_replace": 1},
        FULL | MIXED | SHARED_TWO,
        20,
    ),
    "deepseek_v2": (LATENT | {"first_k_dense_replace": 1}, MLA | MIXED | SHARED_TWO, 32),
    "deepseek_v3": (LATENT | {"first_k_dense_replace": 1}, MLA | MIXED | SHARED_TWO, 32),
    "kimi_k2": (LATENT | {"first_k_dense_replace": 1}, MLA | MIXED | SHARED_TWO, 32),
    "deepseek_v32": (
        LATENT | {"first_k_dense_replace": 1, "index_topk": 2},
        MLA | MIXED | SHARED_TWO | {"wq_b": 4, "wk_weights_proj": 4, "indexer": 4},
        40,
    ),
    "glm_moe_dsa": (
        LATENT | {"first_k_dense_replace": 1, "index_topk": 2, "index_topk_freq": 2},
        MLA | MIXED | SHARED_TWO | {"wq_b": 3, "wk_weights_proj": 3, "indexer": 3},
        38,
    ),
    "llama4_text": (
        HEADS | {"num_local_experts": 8, "interleave_moe_layer_step": 2},
        FULL
        | {"gate_up": 2, "down": 2, "router": 2, "shared_gate_up": 2, "shared_down": 2}
        | {"experts_gate_up": 2, "experts_down": 2},
        19,
    ),
    "nemotron_h": (
        MAMBA | {"hybrid_override_pattern": "M-*E"},
        dict.fromkeys(
            ("in_proj", "conv1d", "ssm", "out_proj", "up", "down", "qkv", "attention", "o")
            + ("router", "shared_up", "shared_down", "experts_up", "experts_down"),
            1,
        ),
        10,
    ),
    "kimi_linear": (
        KIMI,
        dict.fromkeys(("qkvgfab", "f_b", "g_a", "g_b", "conv1d", "kda", "out"), 3)
        | dict.fromkeys(("kv_a", "q", "kv_b", "w_uk", "attention", "w_uv", "o"), 1)
        | MIXED
        | SHARED_TWO,
        32,
    ),
}


@pytest.mark.parametrize("kind", CASES)
def test_counts_of_the_family(tmp_path, kind):
    fields, modules, decode = CASES[kind]
    spec = read(tmp_path, config(kind, **fields))
    assert counts(spec) == modules | {"lm_head": 1}
    assert linears(spec) == decode
    assert (spec.layers, spec.architecture, spec.name) == (4, kind, "toy")
    assert spec.sequence[-1].module == "lm_head" and spec.sequence[-1].layer is None
    assert features(spec, "lm_head") == (8, 100)
    assert counts(spec, "draft") == {}


def test_every_family_has_a_case():
    same = {"gemma3": "gemma3_text", "llama4": "llama4_text", "glm": "glm4"}
    same |= {"qwen3_5_text": "qwen3_5", "qwen3_5_moe_text": "qwen3_5_moe"}
    assert {same.get(kind, kind) for kind in FAMILIES} == CASES.keys()


REAL = {
    "qwen3-8b": (145, {"qkv": 36, "o": 36, "gate_up": 36, "down": 36, "attention": 36}),
    "gpt-oss-20b": (73, {"qkv": 24, "o": 24, "router": 24, "experts_gate_up": 24}),
    "gpt-oss-120b": (109, {"qkv": 36, "o": 36, "router": 36, "experts_down": 36}),
    "qwen3.5-27b": (
        305,
        {"gate_up": 64, "down": 64, "qkvz": 48, "ba": 48, "out": 48, "qkv": 16, "o": 16}
        | {"lm_head": 1, "attention": 16, "conv1d": 48, "gdn": 48},
    ),
    "glm-5": (664, {"qkv_a": 78, "w_uk": 78, "router": 75, "gate_up": 3, "wq_b": 21}),
}


@needs_models
@pytest.mark.parametrize("name", REAL)
def test_counts_of_real_configurations(name):
    spec = read_spec(SHARED / f"{name}.json")
    number, some = REAL[name]
    assert linears(spec) == number
    assert some.items() <= counts(spec).items()


@given(
    types=st.lists(
        st.sampled_from(["linear_attention", "full_attention"]), min_size=1, max_size=40
    ),
    step=st.integers(1, 5),
    dense=st.sets(st.integers(0, 39)),
    shared=st.booleans(),
)
def test_any_mix_of_layers_adds_up(types, step, dense, shared):
    only = sorted(i for i in dense if i < len(types))
    fields = {"layer_types": types, "num_experts": 4, "decoder_sparse_step": step}
    fields |= {"mlp_only_layers": only, "shared_expert_intermediate_size": int(shared)}
    text = json.dumps(config("qwen3_next", len(types), **fields))
    _, target, draft = parse_config(text, "toy.json")
    expected: Counter[str] = Counter(["lm_head"])
    for layer, kind in enumerate(types):
        gdn = ("qkvz", "ba", "conv1d", "gdn", "out")
        expected.update(gdn if kind == "linear_attention" else ("qkv", "attention", "o"))
        if layer in dense or (layer + 1) % step:
            expected.update(("gate_up", "down"))
        else:
            expected.update(("router", "experts_gate_up", "experts_down"))
            expected.update(("shared_gate_up", "shared_down", "shared_gate") if shared else ())
    assert Counter(m.name for _, block in target for m in block) == expected
    assert draft == []
