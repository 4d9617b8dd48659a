"""The fields of a configuration, checked one by one."""

from collections.abc import Collection, Mapping
from typing import Any

from ...errors import ProfdbError

MOST_LAYERS = 10_000
"""More layers than this are a slip of the pen; every layer becomes rows."""
_MOST = 10**8
_REQUIRED = object()


class Fields:
    """The fields of one file; an error names the file, the field, its value and what is wanted."""

    def __init__(self, values: Mapping[str, Any], path: str) -> None:
        self.values = values
        self.path = path

    def error(self, key: str, wanted: str) -> ProfdbError:
        """The error that a field is not what is wanted."""
        state = f"is {shown(self.values[key])}" if key in self.values else "is missing"
        return ProfdbError(f"{self.path}: {key} {state}; wanted is {wanted}")

    def has(self, key: str) -> bool:
        """Tell whether the field is there and not null."""
        return self.values.get(key) is not None

    def whole(self, key: str, least: int = 1, most: int = _MOST, default: Any = _REQUIRED) -> int:
        """Give a whole number within bounds; a field without default must be there."""
        if default is not _REQUIRED and not self.has(key):
            return int(default)
        value = self.values.get(key)
        if type(value) is not int or not least <= value <= most:
            raise self.error(key, f"a whole number from {least} to {most}")
        return value

    def size(self, key: str) -> int | None:
        """Give a number of features, heads or experts; None where it is not told."""
        return self.whole(key) if self.has(key) else None

    def whole_or_null(self, key: str) -> int:
        """Give a number of shared experts: null says none, but the field must be there."""
        if key not in self.values:
            raise self.error(key, "a whole number from 0, or null for none")
        return self.whole(key, least=0, default=0)

    def flag(self, key: str, default: bool = False) -> bool:
        """Give a truth value."""
        value = self.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.error(key, "true or false")
        return value

    def numbers(self, key: str, least: int, most: int) -> list[int]:
        """Give a list of whole numbers within bounds; a missing one is empty."""
        value = self.values.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(
            type(entry) is int and least <= entry <= most for entry in value
        ):
            raise self.error(key, f"a list of whole numbers from {least} to {most}")
        return value

    def words(self, key: str, allowed: Collection[str], count: int) -> list[str] | None:
        """Give a list (or string) of `count` words out of some; None where it is not there."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list | str):
            raise self.error(key, f"a list of {count} out of {', '.join(sorted(allowed))}")
        if len(value) != count:
            raise ProfdbError(
                f"{self.path}: {key} has {len(value)} entries; wanted are {count}, one per layer"
                " (num_hidden_layers)"
            )
        for place, word in enumerate(value):
            if not (isinstance(word, str) and word in allowed):
                raise ProfdbError(
                    f"{self.path}: {key}[{place}] is {shown(word)}; read are"
                    f" {', '.join(sorted(allowed))}"
                )
        return list(value)

    def below(self, key: str) -> "Fields":
        """Give the fields of an object inside."""
        value = self.values.get(key)
        if not isinstance(value, dict):
            raise self.error(key, "an object")
        return Fields(value, f"{self.path}: {key}")

    def refuse(self, *keys: str) -> None:
        """Refuse a variant of a known model that would be counted wrongly."""
        for key in keys:
            if self.values.get(key):
                raise ProfdbError(
                    f"{self.path}: {key} is {shown(self.values[key])}, a variant that is not read;"
                    " describe the model in TOML (profdb model add --help shows the form)"
                )


def shown(value: object) -> str:
    """A value in an error, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def product(*sizes: int | None) -> int | None:
    """Multiply sizes; None where one is not told."""
    result = 1
    for size in sizes:
        if size is None:
            return None
        result *= size
    return result


def total(*sizes: int | None) -> int | None:
    """Add sizes; None where one is not told."""
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None
