"""One pipeline stage of a model, with the layers that vLLM gives it."""

import re
from dataclasses import dataclass, replace
from typing import Self

from ...errors import ProfdbError
from .spec import TARGET, ModelSpec, Run, keep_runs


@dataclass(frozen=True)
class Stage:
    """Stage `number` of `count`, from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read I/N."""
        match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        if not match or not 1 <= int(match[1]) <= int(match[2]):
            raise ProfdbError(f"stage {text!r}: wanted is I/N with I from 1 to N, such as 2/4")
        return cls(int(match[1]), int(match[2]))

    @property
    def suffix(self) -> str:
        """What the name of a model gets."""
        return f"-stage{self.number}of{self.count}"

    def layers(self, count: int) -> range:
        """Give the layers of the stage.

        Every stage has count // N of them; those left over go one each to the stages before the
        last, from the last but one backwards (get_pp_indices of vLLM).
        """
        sizes = [count // self.count] * self.count
        for back in range(2, count % self.count + 2):
            sizes[-back] += 1
        first = sum(sizes[: self.number - 1])
        return range(first, first + sizes[self.number - 1])


def take_stage(spec: ModelSpec, stage: Stage) -> ModelSpec:
    """Keep one stage: its layers, what comes before them on the first, the rest on the last."""
    if stage.count > spec.layers:
        raise ProfdbError(
            f"stage {stage.number}/{stage.count}: {spec.name} has {spec.layers} layers; give at"
            " most one stage per layer"
        )
    layers = stage.layers(spec.layers)
    first, last = stage.number == 1, stage.number == stage.count
    start = next(run.position for run in spec.sequence if run.layer is not None)

    def kept(run: Run) -> bool:
        if run.in_pass != TARGET:
            return last
        if run.layer is not None:
            return run.layer in layers
        return first if run.position < start else last

    return replace(keep_runs(spec, filter(kept, spec.sequence)), layers=len(layers))
