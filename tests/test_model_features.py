"""Features, order, drafts and indexers of models, by configurations counted in the head."""

import pytest

from .specs import DELTA, HEADS, LATENT, config, counts, features, linears, read
from .test_model_families import KIMI, MAMBA


@pytest.mark.parametrize(
    ("kind", "fields", "expected"),
    [
        ("llama", {}, {"qkv": (8, 24), "o": (12, 8), "gate_up": (8, 40), "down": (20, 8)}),
        ("llama", {"head_dim": None}, {"qkv": (8, 16)}),
        ("llama", {"head_dim": None, "num_key_value_heads": None}, {"qkv": (8, 24)}),
        ("gemma3", {"head_dim": None}, {"qkv": (8, None), "o": (None, 8)}),
        ("qwen3_5", DELTA, {"qkv": (8, 36), "qkvz": (8, 44), "ba": (8, 8), "out": (12, 8)}),
        ("qwen3_5", DELTA | {"attn_output_gate": False}, {"qkv": (8, 24)}),
        ("deepseek_v3", LATENT | {"first_k_dense_replace": 0}, {
            "qkv_a": (8, 13), "q_b": (6, 20), "kv_b": (5, 40), "w_uk": (3, 5), "w_uv": (5, 7),
            "o": (28, 8), "router": (8, 16), "shared_gate_up": (8, 36), "shared_down": (18, 8),
        }),
        ("glm_moe_dsa", LATENT | {"first_k_dense_replace": 0, "index_topk": 2, "index_n_heads": 3,
         "index_head_dim": 4}, {"wq_b": (6, 12), "wk_weights_proj": (8, 7)}),
        ("kimi_linear", KIMI, {"qkvgfab": (8, 23), "f_b": (3, 6), "g_a": (8, 3), "g_b": (3, 6),
                               "kv_a": (8, 7), "q": (8, 20), "out": (6, 8)}),
        ("nemotron_h", MAMBA | {"hybrid_override_pattern": "M*-E", "moe_latent_size": 4},
         {"in_proj": (8, 28), "out_proj": (10, 8), "up": (8, 20), "shared_up": (8, 6),
          "fc1_latent": (8, 4), "fc2_latent": (4, 8)}),
        ("nemotron_h", MAMBA | {"hybrid_override_pattern": "--*M", "intermediate_size": [6, 7]},
         {"up": (8, None), "down": (None, 8)}),
        ("llama4", {"num_local_experts": 8, "intermediate_size_mlp": 30, "moe_layers": [3]},
         {"gate_up": (8, 60), "shared_gate_up": (8, 40)}),
    ],
)  # fmt: skip
def test_features_of_the_whole_model(tmp_path, kind, fields, expected):
    spec = read(tmp_path, config(kind, **(HEADS | fields)))
    assert {name: features(spec, name) for name in expected} == expected


def test_one_layer_runs_in_order(tmp_path):
    fields = LATENT | {"first_k_dense_replace": 0, "index_topk": 2}
    spec = read(tmp_path, config("glm_moe_dsa", 1, **fields))
    assert [run.module for run in spec.sequence] == [
        "qkv_a", "q_b", "wq_b", "wk_weights_proj", "indexer", "kv_b", "w_uk", "attention", "w_uv",
        "o", "router", "shared_gate_up", "shared_down", "experts_gate_up", "experts_down",
        "lm_head",
    ]  # fmt: skip
    assert [run.position for run in spec.sequence] == list(range(16))
    told = {(m.name, m.runs_in, m.absorbed_by) for m in spec.modules}
    assert told >= {
        ("kv_b", "prefill", None),
        ("w_uk", "decode", "attention"),
        ("w_uv", "decode", "attention"),
        ("indexer", "any", "attention"),
        ("experts_down", "any", "experts_gate_up"),
        ("shared_down", "any", "experts_gate_up"),
    }
    assert linears(spec, "prefill") == linears(spec) - 1


@pytest.mark.parametrize(
    ("fields", "layers"),
    [
        ({}, [0, 1, 2, 3, 4, 5]),
        ({"index_topk_freq": 4}, [0, 1, 5]),
        ({"index_topk_freq": 4, "index_skip_topk_offset": 3}, [0, 1, 2]),
        ({"index_topk_freq": 2, "index_topk_pattern": "FFSSSF"}, [0, 1, 5]),
        ({"indexer_types": ["full"] + ["shared"] * 5}, [0]),
    ],
)
def test_layers_that_choose_tokens(tmp_path, fields, layers):
    fields = LATENT | {"first_k_dense_replace": 6, "index_topk": 2} | fields
    spec = read(tmp_path, config("deepseek_v32", 6, **fields))
    assert [run.layer for run in spec.sequence if run.module == "indexer"] == layers


@pytest.mark.parametrize(
    ("kind", "fields", "draft"),
    [
        (
            "glm4_moe",
            HEADS | {"n_routed_experts": 8, "n_shared_experts": 1, "first_k_dense_replace": 1},
            ["eh_proj", "qkv", "attention", "o", "router", "shared_gate_up", "shared_down"]
            + ["experts_gate_up", "experts_down", "lm_head"],
        ),
        (
            "deepseek_v3",
            LATENT | {"n_routed_experts": None},
            ["eh_proj", "qkv_a", "q_b", "kv_b", "w_uk", "attention", "w_uv", "o"]
            + ["gate_up", "down", "lm_head"],
        ),
        (
            "qwen3_5",
            HEADS | DELTA,
            ["fc", "qkv", "attention", "o", "gate_up", "down", "lm_head"],
        ),
    ],
)
def test_draft_pass(tmp_path, kind, fields, draft):
    fields = fields | {"num_nextn_predict_layers": 1}
    spec = read(tmp_path, config(kind, **fields))
    assert [run.module for run in spec.sequence if run.in_pass == "draft"] == draft
    entry = next(m for m in spec.modules if m.name == draft[0])
    assert (entry.inputs, entry.outputs) == (16, 8)


def test_two_draft_layers_of_qwen(tmp_path):
    spec = read(tmp_path, config("qwen3_5", **HEADS, **DELTA, mtp_num_hidden_layers=2))
    assert counts(spec, "draft")["qkv"] == 2 and counts(spec, "draft")["fc"] == 1


def test_the_draft_layer_always_chooses_tokens(tmp_path):
    fields = LATENT | {"first_k_dense_replace": 0, "index_topk": 2, "index_topk_freq": 3}
    spec = read(tmp_path, config("glm_moe_dsa", 2, **fields, num_nextn_predict_layers=1))
    assert (counts(spec)["indexer"], counts(spec, "draft")["indexer"]) == (2, 1)


def test_the_language_model_inside_is_read(tmp_path):
    outer = {"architectures": ["Some"], "model_type": "gemma3", "num_hidden_layers": 99}
    inner = {"num_hidden_layers": 2, "vocab_size": 7}
    spec = read(tmp_path, outer | {"text_config": inner})
    assert (spec.architecture, spec.layers, features(spec, "qkv")) == ("Some", 2, (None, None))


def test_other_words_for_layers(tmp_path):
    names = {"layers_block_type": ["mamba", "moe", "attention", "mlp"]}
    signs = {"hybrid_override_pattern": "ME*-"}
    one, other = (read(tmp_path, config("nemotron_h", **MAMBA, **f)) for f in (names, signs))
    assert one.alike(other)
    sparse = {"mlp_layer_types": ["dense", "sparse", "dense", "sparse"]}
    assert counts(read(tmp_path, config("glm_moe_dsa", **LATENT, **sparse)))["router"] == 2
