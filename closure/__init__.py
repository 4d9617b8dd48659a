"""Which kernels serve which modules of a model, inferred from launch counts."""

from .facts import Fit, Group, Launch, Model, Module, Place, Reading, Seen
from .fit import infer

__all__ = ["Fit", "Group", "Launch", "Model", "Module", "Place", "Reading", "Seen", "infer"]
