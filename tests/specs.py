"""Configurations of models, small enough to count in the head, and counts of what is read."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from profdb.ingest.models import ModelSpec, read_spec

SHARED = Path(__file__).parents[2] / "shared" / "models"
needs_models = pytest.mark.skipif(not SHARED.is_dir(), reason="no folder of real configurations")

HEADS = {
    "hidden_size": 8, "intermediate_size": 20, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 3, "vocab_size": 100,
}  # fmt: skip
LATENT = {
    "hidden_size": 8, "intermediate_size": 20, "num_attention_heads": 4, "vocab_size": 100,
    "q_lora_rank": 6, "kv_lora_rank": 5, "qk_nope_head_dim": 3, "qk_rope_head_dim": 2,
    "v_head_dim": 7, "moe_intermediate_size": 9, "n_routed_experts": 16, "n_shared_experts": 2,
}  # fmt: skip
DELTA = {
    "linear_num_key_heads": 2, "linear_key_head_dim": 5, "linear_num_value_heads": 4,
    "linear_value_head_dim": 3,
}  # fmt: skip


def config(model_type: str, layers: Any = 4, **fields: Any) -> dict[str, Any]:
    """A configuration of some layers."""
    return {"model_type": model_type, "num_hidden_layers": layers, **fields}


def write(folder: Path, content: object, name: str = "toy.json") -> Path:
    """Write a configuration, or text as it is."""
    path = folder / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, content: object, name: str = "toy.json") -> ModelSpec:
    """Read a configuration, or text as it is."""
    return read_spec(write(folder, content, name))


def counts(spec: ModelSpec, in_pass: str = "target") -> dict[str, int]:
    """How often each module runs in a pass."""
    return dict(Counter(run.module for run in spec.sequence if run.in_pass == in_pass))


def linears(spec: ModelSpec, phase: str = "decode", in_pass: str = "target") -> int:
    """The linears of a pass that has tokens of a phase."""
    named = {
        module.name
        for module in spec.modules
        if (module.in_pass, module.kind) == (in_pass, "linear") and module.runs_in in ("any", phase)
    }
    return sum(count for name, count in counts(spec, in_pass).items() if name in named)


def features(spec: ModelSpec, name: str) -> tuple[int | None, int | None]:
    """Inputs and outputs of a module of the target pass."""
    (module,) = (m for m in spec.modules if (m.in_pass, m.name) == ("target", name))
    return module.inputs, module.outputs
