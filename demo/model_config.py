"""The config.json of the hybrid model that the demo trace runs, as Hugging Face writes it."""

import json
from pathlib import Path

from .figures import DecodeFigures

NAME = "hybrid-27b"


def write_model_config(directory: Path, figures: DecodeFigures) -> Path:
    """Write the configuration with the layers of the figures; give its path."""
    path = directory / f"{NAME}.json"
    path.write_text(json.dumps(_config(figures), indent=2) + "\n", encoding="utf-8")
    return path


def _config(figures: DecodeFigures) -> dict[str, object]:
    text = {
        "model_type": "qwen3_5_text",
        "hidden_size": 5120,
        "intermediate_size": 17408,
        "num_hidden_layers": figures.layers,
        "num_attention_heads": 24,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "full_attention_interval": figures.full_attention_interval,
        "attn_output_gate": True,
        "linear_num_key_heads": 16,
        "linear_num_value_heads": 48,
        "linear_key_head_dim": 128,
        "linear_value_head_dim": 128,
        "mtp_num_hidden_layers": 1,
        "vocab_size": 248320,
    }
    architectures = ["Qwen3_5ForConditionalGeneration"]
    return {"architectures": architectures, "model_type": "qwen3_5", "text_config": text}
