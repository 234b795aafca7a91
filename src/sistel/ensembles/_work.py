"""What an ensemble is to do, as plain data: chunks of it can be sent anywhere and be done there."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.kept import cached_property
from sistel.model import Model, Recipe
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array


Values = tuple[tuple[str, float], ...]
"""Values of parameters by name."""


@dataclass(frozen=True, eq=False)
class Blueprint:
    """How to build the model, and what tells it from others."""

    recipe: Recipe
    fingerprint: str
    """Of the model that comes out."""

    @property
    def values(self) -> Values:
        """Of parameters, other than the file's."""
        return self.recipe.values

    @cached_property
    def digest(self) -> str:
        """What tells it from others."""
        return hashlib.sha256(repr((self.fingerprint, self.values, self.recipe.renumber)).encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blueprint) and self.digest == other.digest

    def __getstate__(self) -> dict[str, object]:
        """For other processes: they build the model themselves."""
        return {"recipe": self.recipe, "fingerprint": self.fingerprint}

    @cached_property
    def model(self) -> Model:
        """The model, built once."""
        return self.recipe.build()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How every run is done; they belong to the result as much as the system does."""

    until: float
    """[s]"""
    structure: str
    tolerance: float
    method: str
    longest: float
    """[s]"""
    most_events: int
    most_steps: int
    stop: tuple[str, ...]
    kept: int
    """Events of a run that are kept, the first ones."""


@entry
class Axis:
    """Values of one name: a coordinate, a velocity, the time, or a parameter."""

    kind: str
    """"q", "v", "t" or "p"."""
    name: str
    place: int
    """Its number among coordinates or velocities; -1 for the time and for parameters."""
    values: Array


@dataclass(frozen=True, eq=False)
class Piece:
    """One chunk: everything that `do_piece` needs, and nothing else."""

    blueprint: Blueprint
    options: Options
    index: int
    begin: int
    """Number of its first run in the whole."""
    count: int
    columns: tuple[Axis, ...]
    """Values for its own runs alone."""


@dataclass(frozen=True, eq=False)
class Work:
    """The whole of an ensemble."""

    blueprint: Blueprint
    options: Options
    axes: tuple[Axis, ...]
    shape: tuple[int, ...]
    """Of the grid, the first axis slowest; of one number where the axes go together."""
    chunk: int

    @property
    def count(self) -> int:
        """How many runs."""
        return math.prod(self.shape)

    @property
    def grid(self) -> bool:
        """Whether every value of an axis meets every value of the others."""
        return len(self.shape) == len(self.axes) and len(self.axes) > 1

    @property
    def chunks(self) -> int:
        """How many chunks."""
        return -(-self.count // self.chunk)

    def bounds(self, index: int) -> tuple[int, int]:
        """First run of a chunk, and behind its last."""
        return index * self.chunk, min(self.count, (index + 1) * self.chunk)

    def columns(self, begin: int, end: int) -> tuple[Axis, ...]:
        """Values of all axes for some runs."""
        return tuple(
            Axis(axis.kind, axis.name, axis.place, values)
            for axis, values in zip(self.axes, self._values(begin, end), strict=True)
        )

    def _values(self, begin: int, end: int) -> Sequence[Array]:
        if not self.grid:
            return [axis.values[begin:end] for axis in self.axes]
        places = np.unravel_index(np.arange(begin, end), self.shape)
        return [axis.values[place] for axis, place in zip(self.axes, places, strict=True)]

    def piece(self, index: int) -> Piece:
        """A chunk, to be done anywhere."""
        begin, end = self.bounds(index)
        return Piece(self.blueprint, self.options, index, begin, end - begin, self.columns(begin, end))

    @cached_property
    def digest(self) -> str:
        """What tells it from other work: the system, the options, all values, and the length of chunks."""
        digest = hashlib.sha256(repr((self.blueprint.digest, self.options, self.shape, self.chunk)).encode())
        for axis in self.axes:
            digest.update(repr((axis.kind, axis.name)).encode())
            digest.update(np.ascontiguousarray(axis.values, dtype="<f8").tobytes())
        return digest.hexdigest()
