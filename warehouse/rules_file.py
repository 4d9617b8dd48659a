"""Family rules that a user wrote down: a TOML file of [[rule]] tables."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ProfdbError

FAMILIES = (
    "gemm", "gemv", "attention", "linear_attention", "moe", "norm", "rope", "kv_cache",
    "quantisation", "activation", "convolution", "communication", "fused_communication", "copy",
    "pointwise", "sampling", "other",
)  # fmt: skip
_CHOICES = {
    "family": FAMILIES,
    "platform": ("any", "cuda", "rocm", "ascend"),
    "applies_to": ("name", "op_type"),
}
_DEFAULTS = {"platform": "any", "applies_to": "name"}
_KEYS = ("pattern", "family", "implementation", "platform", "applies_to")
_IMPLEMENTATION = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")


@dataclass(frozen=True)
class UserRule:
    """One rule of a user, as table user_rules holds it."""

    platform: str
    applies_to: str
    pattern: str
    family: str
    implementation: str

    @property
    def question(self) -> tuple[str, str, str]:
        """What it asks of a kernel; two rules of one question cannot both win."""
        return self.platform, self.applies_to, self.pattern


def read_rules(path: Path) -> list[UserRule]:
    """Read the rules of a file in their order."""
    content = _content(path)
    tables = content.pop("rule", None)
    if content:
        raise ProfdbError(f"{path}: {next(iter(content))!r} is not known; give [[rule]] tables")
    if not (isinstance(tables, list) and tables and all(isinstance(t, dict) for t in tables)):
        raise ProfdbError(
            f"{path} has no [[rule]] table; give each rule a pattern, family and implementation"
        )
    return [_rule(f"{path}: rule {number}", t) for number, t in enumerate(tables, start=1)]


def _content(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ProfdbError(f"cannot read {path}: {error.strerror}; give a TOML file") from error
    except UnicodeDecodeError as error:
        raise ProfdbError(f"{path} is not UTF-8 at byte {error.start}; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ProfdbError(f"{path} is no TOML: {error}; quote patterns as '…'") from error
    except RecursionError as error:
        raise ProfdbError(f"{path} is nested too deeply; give [[rule]] tables") from error


def _rule(where: str, table: dict[str, Any]) -> UserRule:
    for key in table:
        if key not in _KEYS:
            raise ProfdbError(f"{where}: {key!r} is not known; there are {', '.join(_KEYS)}")
    texts = {key: _text(where, key, (_DEFAULTS | table).get(key)) for key in _KEYS}
    for key, choices in _CHOICES.items():
        if texts[key] not in choices:
            raise ProfdbError(f"{where}: no {key} {texts[key]!r}; there are {', '.join(choices)}")
    if not _IMPLEMENTATION.fullmatch(texts["implementation"]):
        raise ProfdbError(
            f"{where}: implementation {texts['implementation']!r} is no plain word;"
            " use letters, digits, _ . + -"
        )
    return UserRule(**texts)


def _text(where: str, key: str, value: object) -> str:
    if value is None:
        raise ProfdbError(f"{where} has no {key}; add {key} = '…'")
    if not (isinstance(value, str) and value):
        raise ProfdbError(f"{where}: {key} is {value!r}; give a text that is not empty")
    return value
