"""What an ensemble is to do, as plain data: chunks of it can be sent anywhere and be done there."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Diagnostics
from sistel.kept import cached_property
from sistel.markup import Document, include
from sistel.model import Live, Model, build
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array


Values = tuple[tuple[str, float], ...]
"""Values of parameters by name."""


@dataclass(frozen=True, eq=False)
class Recipe:
    """How to build the model: the description as it was read, and the values of parameters that are not the file's."""

    document: Document
    values: Values
    renumber: bool
    fingerprint: str
    """Of the model that comes out."""

    @cached_property
    def digest(self) -> str:
        """What tells it from others."""
        return hashlib.sha256(repr((self.fingerprint, self.values, self.renumber)).encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.digest == other.digest

    def build(self, changes: Mapping[str, float] | None = None) -> Model:
        """The model, with other values of some parameters.

        Raises:
            SistelError: It makes no sense with them.
        """
        chosen = {**dict(self.values), **(changes or {})}
        return self.build_live(lambda parameter: chosen.get(parameter.name, parameter.value))

    def build_live(self, live: Live) -> Model:
        """The model with whatever a function puts in the places of parameters."""
        found = Diagnostics()
        return build(self.document, found, lambda a, b: include(a, b, found), renumber=self.renumber, live=live)


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

    recipe: Recipe
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

    recipe: Recipe
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
        return Piece(self.recipe, self.options, index, begin, end - begin, self.columns(begin, end))

    @cached_property
    def digest(self) -> str:
        """What tells it from other work: the system, the options, all values, and the length of chunks."""
        digest = hashlib.sha256(repr((self.recipe.digest, self.options, self.shape, self.chunk)).encode())
        for axis in self.axes:
            digest.update(repr((axis.kind, axis.name)).encode())
            digest.update(np.ascontiguousarray(axis.values, dtype="<f8").tobytes())
        return digest.hexdigest()
