"""What cannot be read as a model: one line with the file, the field, the value and the way out."""

import pytest

from profdb.errors import ProfdbError
from profdb.ingest.models import read_spec

from .specs import DELTA, HEADS, LATENT, config, read, write
from .test_model_families import KIMI, MAMBA, QWEN_MOE

MOE = LATENT | {"first_k_dense_replace": 1}
NEMOTRON = MAMBA | {"hybrid_override_pattern": "MMMM"}


def without(fields: dict, key: str) -> dict:
    """The fields without one."""
    return {name: value for name, value in fields.items() if name != key}


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ({"model_type": "llama"}, ["num_hidden_layers is missing", "a whole number from 1"]),
        (config("llama", 0), ["num_hidden_layers is 0"]),
        (config("llama", -1), ["num_hidden_layers is -1"]),
        (config("llama", "36"), ["num_hidden_layers is '36'"]),
        (config("llama", 4.0), ["num_hidden_layers is 4.0"]),
        (config("llama", True), ["num_hidden_layers is True"]),
        (config("llama", 10**9), ["num_hidden_layers is 1000000000"]),
        (config("llama", hidden_size="8"), ["hidden_size is '8'"]),
        (config("llama", hidden_size=10**12), ["hidden_size is 1000000000000"]),
        (config("llama", architectures="Llama"), ["architectures is 'Llama'", "a list of names"]),
        (config("llama", text_config=[]), ["text_config is []", "an object"]),
        (config("gpt_oss", **HEADS), ["num_local_experts is missing"]),
        (config("qwen3", layer_types=["full_attention"] * 3), ["layer_types has 3", "are 4"]),
        (config("qwen3", layer_types=["linear_attention"] * 4), ["layer_types[0]"]),
        (config("qwen3", layer_types=4), ["layer_types is 4"]),
        (config("qwen3_moe"), ["num_experts is missing"]),
        (config("qwen3_moe", num_experts=2, mlp_only_layers=[4]), ["mlp_only_layers is [4]"]),
        (config("qwen3_moe", num_experts=2, mlp_only_layers=["x"]), ["mlp_only_layers is ['x']"]),
        (config("qwen3_moe", num_experts=2, decoder_sparse_step=0), ["decoder_sparse_step is 0"]),
        (config("qwen3_next", num_experts=2, **DELTA), ["shared_expert_intermediate_size"]),
        (config("qwen3_5_moe", **without(QWEN_MOE, "num_experts")), ["num_experts is missing"]),
        (config("qwen3_5", layer_types=["full_attention"] * 3 + [1]), ["layer_types[3] is 1"]),
        (config("qwen3_5", full_attention_interval=0), ["full_attention_interval is 0"]),
        (config("qwen3_5", attn_output_gate="no"), ["attn_output_gate is 'no'", "true or false"]),
        (config("glm4_moe", n_routed_experts=2), ["n_shared_experts is missing", "null for none"]),
        (config("deepseek_v3", **LATENT), ["first_k_dense_replace is missing"]),
        (config("deepseek_v3", **MOE, moe_layer_freq=[1]), ["moe_layer_freq is [1]"]),
        (config("deepseek_v3", **MOE, num_nextn_predict_layers=-1), ["num_nextn_predict_layers"]),
        (config("deepseek_v32", **MOE, index_topk=2, index_topk_pattern="FFS"),
         ["index_topk_pattern has 3"]),
        (config("deepseek_v32", **MOE, index_topk=2, index_topk_pattern="FFSX"),
         ["index_topk_pattern[3] is 'X'"]),
        (config("deepseek_v32", **MOE, index_topk=2, index_topk_freq=0), ["index_topk_freq is 0"]),
        (config("llama4", moe_layers=[9], num_local_experts=2), ["moe_layers is [9]"]),
        (config("nemotron_h", **MAMBA), ["hybrid_override_pattern is missing", "M, *, -, E"]),
        (config("nemotron_h", 3, **NEMOTRON), ["hybrid_override_pattern has 4", "wanted are 3"]),
        (config("nemotron_h", **MAMBA, hybrid_override_pattern="MMM?"), ["[3] is '?'"]),
        (config("nemotron_h", **NEMOTRON | {"intermediate_size": [1, 2]}), ["intermediate_size"]),
        (config("kimi_linear", **LATENT), ["linear_attn_config is missing"]),
        (config("kimi_linear", **KIMI | {"linear_attn_config": {}}), ["kda_layers is missing"]),
        (config("kimi_linear", **KIMI | {"linear_attn_config": {"kda_layers": [0]}}),
         ["kda_layers is [0]"]),
        (config("kimi_linear", **KIMI | {"linear_attn_config": {
            "kda_layers": [1, 2], "full_attn_layers": [3]}}), ["full_attn_layers is [3]"]),
        (config("kimi_linear", **KIMI, mla_use_output_gate=True),
         ["mla_use_output_gate is True", "TOML"]),
        (config("rwkv7", architectures=["RwkvForCausalLM"]),
         ["'RwkvForCausalLM'", "'rwkv7'", "per kind of layer, its modules", "model add --help"]),
        ({"num_hidden_layers": 4}, ["architecture 'not told'", "model_type None"]),
        (config(["llama"]), ["model_type ['llama']"]),
        ([1], ["[1] is no object"]),
        ("null", ["None is no object"]),
        ("{", ["not JSON", "line 1 column 2", ".toml"]),
        ("[" * 100_000, ["not JSON"]),
        ('{"num_hidden_layers": ' + "9" * 5000 + "}", ["not JSON"]),
        ("", ["not JSON"]),
    ],
)  # fmt: skip
def test_impossible_configurations_are_refused(tmp_path, content, parts):
    with pytest.raises(ProfdbError) as caught:
        read(tmp_path, content)
    message = str(caught.value)
    assert all(part in message for part in ["toy.json", *parts]), message
    assert "\n" not in message and len(message) < 500


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "bytes.json").write_bytes(b"{\xff}")
    (tmp_path / "large.json").write_bytes(b" " * (17 * 1024 * 1024))
    for name, part in (
        ("none.json", "no file at"),
        ("", "is a folder; give the config.json in it"),
        ("bytes.json", "no UTF-8 text at byte 1"),
        ("large.json", "more than 16 MiB"),
    ):
        with pytest.raises(ProfdbError, match=part):
            read_spec(tmp_path / name)


@pytest.mark.parametrize("name", ["", " ", "two\nlines", "x" * 201])
def test_names_that_cannot_be_typed(tmp_path, name):
    path = write(tmp_path, config("llama"))
    with pytest.raises(ProfdbError, match="--name NAME"):
        read_spec(path, name)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("Qwen3-8B.json", "Qwen3-8B"),
        ("a.b.JSON", "a.b"),
        ("config.json", "folder"),
        ("plain", "plain"),
        ("v1.2", "v1.2"),
    ],
)
def test_names_by_default(tmp_path, file, name):
    folder = tmp_path / "folder"
    folder.mkdir()
    assert read_spec(write(folder, config("llama"), file)).name == name
    assert read_spec(write(folder, config("llama"), file), "mine").name == "mine"
