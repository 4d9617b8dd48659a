"""Which run a profile belongs to, by its folder, by what the user says and by what is stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ..errors import ProfdbError
from .folders import name_of_file
from .source import Source
from .stage import path_text


@dataclass(frozen=True)
class Naming:
    """How the user wants the run to be called, and what to do where it exists."""

    label: str | None = None
    add: str | None = None
    replace: bool = False

    def __post_init__(self) -> None:
        for label in (self.label, self.add):
            if label is not None:
                check_label(label)
        if self.label and self.add:
            raise ProfdbError("--label names a new run, --add an existing one: give one of them")
        if self.add and self.replace:
            raise ProfdbError("--add keeps what the run has, --replace drops it: give one of them")


_LONGEST = 200


def check_label(label: str) -> str:
    """Refuse what cannot be typed or printed as a label; give it back otherwise."""
    if not label.strip():
        raise ProfdbError("a label must not be empty; --label NAME gives one")
    if not label.isprintable():
        raise ProfdbError(f"label {label!r} holds characters that cannot be printed; --label NAME")
    if len(label) > _LONGEST:
        raise ProfdbError(f"label {label[:40]!r}… has {len(label)} characters; at most {_LONGEST}")
    return label


def _printable(name: str) -> str:
    """A folder's name as a label."""
    return "".join(sign if sign.isprintable() else "?" for sign in name)[:_LONGEST]


def label_sources(
    given: Iterable[Path], sources: list[Source], naming: Naming
) -> dict[str, list[Source]]:
    """Group sources into runs by label, in their order."""
    forced = naming.label or naming.add
    if forced:
        return {forced: sources}
    runs: dict[str, list[Source]] = {}
    homes: dict[str, Path] = {}
    for path in given:
        of_path = [s for s in sources if _below(s, path)]
        for (label, home), group in _by_folder(path.absolute(), of_path).items():
            _refuse_namesakes(label, homes.setdefault(label, home), home)
            known = runs.setdefault(_printable(label), [])
            known.extend(s for s in group if s not in known)
    return runs


def _refuse_namesakes(label: str, first: Path, second: Path) -> None:
    if first != second:
        raise ProfdbError(
            f"{first} and {second} would both be run {label!r}; ingest them one after the other,"
            " the second with --label NAME"
        )


def _below(source: Source, path: Path) -> bool:
    # By its own file: others may be read from folders beside it.
    return source.files[0].resolve().is_relative_to(path.resolve())


def _by_folder(path: Path, sources: list[Source]) -> dict[tuple[str, Path], list[Source]]:
    """One run per folder that holds profiles; a folder of one run lends it its own name.

    Beside the name of each stands what it is the name of.
    """
    folders: dict[Path, list[Source]] = {}
    for source in sources:
        folders.setdefault(source.run_folder.resolve(), []).append(source)
    if path.is_file() and len(sources) == 1 and sources[0].path == path:
        return {(_text(name_of_file(path)), path.resolve()): sources}
    if len(folders) == 1:
        (only,) = folders
        # A rank folder, or a folder inside one, is named after the run's folder above it.
        home = only if only in path.resolve().parents else path.resolve()
        return {(_text(home.name), home): sources}
    names = [folder.name for folder in folders]
    return {
        (
            _text(folder.name if names.count(folder.name) == 1 else _relative(folder, path)),
            folder,
        ): group
        for folder, group in folders.items()
    }


def _relative(folder: Path, path: Path) -> str:
    relative = folder.relative_to(path.resolve())
    return relative.as_posix() if relative.parts else folder.name


def _text(name: str) -> str:
    return path_text(Path(name))
