"""Signatures: operator and shape with the tokens left out, so that passes of any size compare."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .kernels import Bools, Ints, Kernels

WEIGHT_DIM = 4096
"""A leading dimension from here on may be a weight's: a table of embeddings, a cache of blocks."""
TOKEN_OPERATORS = 3
"""Unless that many operators have it: then it is a large prefill."""
CONSTANT_SHARE = 0.9
NO_TOKENS = -1

Dims = tuple[str, ...]


@dataclass(frozen=True)
class Signed:
    """Kernels with their signatures; n kernels, s signatures."""

    names: list[str]
    """(s,) signature as text: operator, then its shape with T for the tokens."""
    ops: list[str]
    """(s,) operator of each signature."""
    of: Ints
    """(n,) signature of each kernel."""
    tokens: Ints
    """(n,) leading dimension; -1 where the shape has none."""
    tables: Bools
    """(s,) whether the first tensor is a table that is read at the places in the second."""

    def __len__(self) -> int:
        return len(self.of)

    @cached_property
    def counts(self) -> Ints:
        """(s,) kernels of each signature."""
        return np.bincount(self.of, minlength=len(self.names))

    @cached_property
    def _places(self) -> tuple[Ints, Ints]:
        ends = np.concatenate(([0], np.cumsum(self.counts)))
        return np.argsort(self.of, kind="stable"), ends

    def places(self, signature: int) -> Ints:
        """Where the kernels of a signature stand, in order."""
        order, ends = self._places
        return order[ends[signature] : ends[signature + 1]]


def sign(kernels: Kernels) -> Signed:
    """Give each kernel its signature; texts are read once per distinct operator and shape."""
    width = len(kernels.shapes)
    pairs, inverse = np.unique(kernels.op * width + kernels.shape, return_inverse=True)
    shapes = [_Shape(kernels.ops[p // width], kernels.shapes[p % width]) for p in pairs.tolist()]
    _tell_weights(shapes)
    groups: dict[tuple[object, ...], list[_Shape]] = defaultdict(list)
    for shape in shapes:
        groups[shape.key].append(shape)
    for group in groups.values():
        _name(group)
    ids: dict[str, int] = {}
    of = np.array([ids.setdefault(s.name, len(ids)) for s in shapes], np.int64)
    tokens = np.array([s.tokens for s in shapes], np.int64)
    ops = [""] * len(ids)
    tables = np.zeros(len(ids), np.bool_)
    for shape, signature in zip(shapes, of.tolist(), strict=True):
        ops[signature], tables[signature] = shape.op, shape.weight
    return Signed(list(ids), ops, of[inverse], tokens[inverse], tables)


class _Shape:
    """One distinct operator and shape."""

    def __init__(self, op: str, text: str) -> None:
        self.op = op
        self.tensors = [tuple(tensor.split(",")) for tensor in text.split(";")]
        self.heads = [_whole(dims[0]) for dims in self.tensors]
        self.tokens = self.heads[0] if len(self.tensors[0]) > 1 else NO_TOKENS
        self.weight = False
        self.name = f"{op}|{text}"

    @property
    def key(self) -> tuple[object, ...]:
        """What shapes of one operator share whatever their tokens: all but leading dimensions."""
        if self.tokens == NO_TOKENS:
            return (self.name,)
        led = self.heads[0] if self.weight else None
        return (self.op, led, *[dims[1:] for dims in self.tensors])


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() else NO_TOKENS


def _tell_weights(shapes: list[_Shape]) -> None:
    users: dict[int, set[tuple[object, ...]]] = defaultdict(set)
    for shape in shapes:
        users[shape.tokens].add((shape.op, *[dims[1:] for dims in shape.tensors]))
    for shape in shapes:
        if shape.tokens >= WEIGHT_DIM and len(users[shape.tokens]) < TOKEN_OPERATORS:
            shape.weight = True
    for shape in (s for s in shapes if s.weight):
        # A table is read at the places that its second tensor lists, one per token.
        shape.tokens = shape.heads[1] if len(shape.heads) > 1 else NO_TOKENS


def _name(group: list[_Shape]) -> None:
    """Write T for leading dimensions that follow the tokens, * for others that vary."""
    if group[0].tokens == NO_TOKENS:
        return
    leads = {shape.tokens for shape in group}
    columns = [_column(group, place, len(leads)) for place in range(len(group[0].tensors))]
    for number, shape in enumerate(group):
        texts = (
            ",".join((column[number], *dims[1:]))
            for column, dims in zip(columns, shape.tensors, strict=True)
        )
        shape.name = f"{shape.op}|{';'.join(texts)}"


def _column(group: list[_Shape], place: int, leads: int) -> list[str]:
    """How the leading dimension of one tensor is written in each shape of a group.

    A dimension that stays while the tokens change is written as it is, even where it happens to
    equal the tokens; rows chosen from the tokens (never more than they are) become *.
    """
    if place == 0:
        return [str(s.heads[0]) if s.weight else "T" for s in group]
    seen: dict[int, set[int]] = defaultdict(set)
    for shape in group:
        seen[shape.heads[place]].add(shape.tokens)
    fixed = {
        value
        for value, having in seen.items()
        if value > min(having) or (leads > 1 and len(having) >= CONSTANT_SHARE * leads)
    }
    free = [s for s in group if s.heads[place] not in fixed]
    mark = "T" if all(s.heads[place] == s.tokens for s in free) else "*"
    return [s.tensors[place][0] if s.heads[place] in fixed else mark for s in group]
