"""The config.json of Hugging Face as modules and their order.

Only the language model is counted: a vision tower runs only in steps that bring an image.
"""

import json
from typing import Any

from ...errors import ProfdbError
from .fields import Fields, shown
from .hybrids import FAMILIES
from .spec import Module, Place

_HELP = (
    "describe it in TOML: its layers and, per kind of layer, its modules"
    " (profdb model add --help shows the form)"
)


def parse_config(text: str, path: str) -> tuple[str, list[Place], list[Place]]:
    """Give the architecture and the two passes of a config.json."""
    config = Fields(_object(text, path), path)
    architecture = _architecture(config)
    language = config.below("text_config") if config.has("text_config") else config
    kind = language.values.get("model_type") or config.values.get("model_type")
    family = FAMILIES.get(kind) if isinstance(kind, str) else None
    if family is None:
        raise ProfdbError(
            f"{path}: architecture {shown(architecture or 'not told')} (model_type {shown(kind)})"
            f" is not read; {_HELP}"
        )
    stack = family(language)
    head = Module(
        "lm_head", inputs=language.size("hidden_size"), outputs=language.size("vocab_size")
    )
    target: list[Place] = [*enumerate(stack.layers), (None, (head,))]
    draft: list[Place] = []
    if stack.draft_layers:
        draft = [(None, stack.draft_entry), *enumerate(stack.draft_layers), (None, (head,))]
    return architecture or str(kind), target, draft


def _object(text: str, path: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProfdbError(
            f"{path}: not JSON ({error}); wanted is a config.json, or a spec by hand whose name"
            " ends in .toml"
        ) from error
    if not isinstance(value, dict):
        raise ProfdbError(f"{path}: JSON, but {shown(value)} is no object; wanted is a config.json")
    return value


def _architecture(config: Fields) -> str:
    named = config.values.get("architectures")
    if named is None:
        return ""
    if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
        raise config.error("architectures", "a list of names")
    return named[0] if named else ""
