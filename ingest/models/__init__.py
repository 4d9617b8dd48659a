"""Model specs: which modules a model has and how many of each run in one forward pass."""

from .read import read_spec
from .spec import KINDS, ModelSpec, Module, Run, spec_rows
from .stages import Stage
from .store import load_spec, remove_spec, store_spec

__all__ = [
    "KINDS",
    "ModelSpec",
    "Module",
    "Run",
    "Stage",
    "load_spec",
    "read_spec",
    "remove_spec",
    "spec_rows",
    "store_spec",
]
