"""A file as a model spec: config.json of Hugging Face, or TOML written by hand."""

from pathlib import Path

from ...errors import ProfdbError
from ..stage import path_text
from .byhand import parse_toml
from .huggingface import parse_config
from .spec import ModelSpec, assemble, check_name
from .stages import Stage, take_stage

_LARGEST = 16 * 1024 * 1024


def read_spec(path: Path, name: str | None = None, stage: Stage | None = None) -> ModelSpec:
    """Read a model spec; without `name` it is called after the file, or as the TOML says.

    With `stage` it is one pipeline stage, and says so in a name that was not given.
    """
    text, shown = _content(path), path_text(path)
    told = ""
    if path.suffix.lower() == ".toml":
        told, architecture, target, draft = parse_toml(text, shown)
    else:
        architecture, target, draft = parse_config(text, shown)
    modules, sequence = assemble(target, draft)
    if name is None:
        name = (told or _name_of(path)) + (stage.suffix if stage else "")
    spec = ModelSpec(
        name=check_name(name),
        architecture=architecture,
        layers=sum(layer is not None for layer, _ in target),
        modules=modules,
        sequence=sequence,
        source_path=path_text(path.absolute()),
        config=text,
    )
    return take_stage(spec, stage) if stage else spec


def _content(path: Path) -> str:
    shown = path_text(path)
    if path.is_dir():
        raise ProfdbError(f"{shown} is a folder; give the config.json in it")
    try:
        with path.open("rb") as opened:
            content = opened.read(_LARGEST + 1)
    except FileNotFoundError as error:
        raise ProfdbError(f"no file at {shown}; give a config.json or a .toml") from error
    except OSError as error:
        raise ProfdbError(f"{shown} cannot be read: {error.strerror}") from error
    if len(content) > _LARGEST:
        raise ProfdbError(f"{shown} has more than 16 MiB; wanted is a config.json or a .toml")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProfdbError(
            f"{shown}: no UTF-8 text at byte {error.start}; wanted is a config.json or a .toml"
        ) from error


def _name_of(path: Path) -> str:
    """The file's name without its ending; config.json is named after its folder."""
    path = path.absolute()
    stem = path.stem if path.suffix.lower() in (".json", ".toml") else path.name
    name = path.resolve().parent.name if path.name == "config.json" else stem
    return "".join(sign if sign.isprintable() else "?" for sign in name)
