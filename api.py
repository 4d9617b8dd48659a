"""The Python side: open a warehouse, ingest, ask."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from . import ingest as _ingest
from .ingest.models import read_spec, store_spec
from .reports import fit_model, resolve_run
from .warehouse import Warehouse

if TYPE_CHECKING:
    import duckdb


class Profdb:
    """A warehouse file to ingest into and to ask.

    The file is open only as long as it is needed: for writing during an ingest, for reading from
    the first question to the next ingest.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._reading: Warehouse | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._reading is not None:
            self._reading.close()
            self._reading = None

    def ingest(
        self,
        *paths: str | Path,
        label: str | None = None,
        add: str | None = None,
        replace: bool = False,
        python: bool = False,
        prefer: str = "text",
        decode_tokens: int | None = None,
    ) -> _ingest.Summary:
        """Store the profiles below files or folders; results of `sql` are void afterwards.

        `prefer` is text or db: which to read where Ascend's table and database hold one profile.
        `decode_tokens` are the most of a decode pass where passes are inferred from kernels.

        Raises ProfdbError where nothing is recognised or a label is taken.
        """
        plan = _ingest.plan(map(Path, paths), _ingest.Naming(label, add, replace), prefer)
        self.close()
        with Warehouse.open(self.path, write=True) as warehouse:
            return _ingest.ingest(warehouse, plan, _ingest.Options(python, decode_tokens))

    def add_model(self, file: str | Path, name: str | None = None) -> str:
        """Store the model of a config.json or TOML; its name. The same content twice is left.

        Raises ProfdbError where the file is no model that can be read, or the name is taken.
        """
        spec = read_spec(Path(file), name)
        self.close()
        with Warehouse.open(self.path, write=True) as warehouse:
            store_spec(warehouse, spec)
        return spec.name

    def fit_model(self, run: str, model: str, phase: str | None = None) -> None:
        """Infer which kernels of a run serve which modules of a model, for the closure views.

        Raises ProfdbError where the run or the model is not stored, or no step is complete.
        """
        self.close()
        with Warehouse.open(self.path, write=True) as warehouse:
            fit_model(warehouse, resolve_run(warehouse, run), model, phase)

    def sql(self, query: str, params: Any = None) -> "duckdb.DuckDBPyRelation":
        """Ask in SQL; the result has fetchall(), and df() where pandas is installed.

        `params` fill `?` (a sequence) or `$name` (a mapping) in the query.

        Raises ProfdbError where the statement does more than read.
        """
        if self._reading is None:
            self._reading = Warehouse.open(self.path)
        return self._reading.sql(query, params)


def open(path: str | Path = "profdb.duckdb") -> Profdb:
    """Open a warehouse; the first ingest makes the file."""
    return Profdb(path)
