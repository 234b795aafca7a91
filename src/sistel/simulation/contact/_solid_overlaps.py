"""How far solids of space lie in each other, by numbers: at the beginning of a run all of them have to be apart."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.model import Solid

if TYPE_CHECKING:
    from sistel.arrays import Array

HALVINGS: Final = 120
"""Steps of the search for the nearest place of a segment: each leaves two thirds."""


class PlacedSolid:
    """A solid in W."""

    def __init__(self, solid: Solid, place: Array, axes: Array) -> None:
        """Take it from its body.

        Args:
            solid: In the frame of its body.
            place: Of the body [m].
            axes: Of the body, as columns.
        """
        self.axes = axes @ np.array(solid.axes, dtype=float)
        self.centre = place + axes @ np.array(solid.centre, dtype=float)
        self.half = np.array(solid.half, dtype=float)
        self.radius, self.barrel = float(solid.radius), solid.barrel

    @property
    def lengths(self) -> int:
        """How many lengths the core has: none of a sphere, one of a capsule, three of a box."""
        return int((self.half > 0.0).sum())

    def local(self, p: Array) -> Array:
        """A place in its axes."""
        return np.asarray(self.axes.T @ (p - self.centre))

    def depth(self, p: Array) -> float:
        """How far a place is inside, negative outside [m]."""
        x = self.local(p)
        if self.barrel:
            off = np.array([math.hypot(x[0], x[1]) - self.radius, abs(x[2]) - self.half[2]])
            outside = float(np.linalg.norm(np.maximum(off, 0.0)))
            return -outside if outside > 0.0 else float(-off.max())
        off = np.abs(x) - self.half
        outside = float(np.linalg.norm(np.maximum(off, 0.0)))
        return self.radius - outside if outside > 0.0 else self.radius - float(off.max())


def solids_depth(one: PlacedSolid, two: PlacedSolid) -> float:
    """How far two solids lie in each other, or less; at most 0 where they do not [m]."""
    if one.lengths > two.lengths or one.barrel:
        one, two = two, one
    if one.lengths == 0:
        return one.radius + two.depth(one.centre)
    if one.lengths == 1:
        along = one.axes[:, int(one.half.argmax())] * float(one.half.max())
        return one.radius + _most(lambda s: two.depth(one.centre + s * along))
    return _boxes(one, two)


def _most(value: Callable[[float], float]) -> float:
    """The greatest value of a concave function from -1 to 1."""
    low, high = -1.0, 1.0
    for _ in range(HALVINGS):
        third = (high - low) / 3
        low, high = (low + third, high) if value(low + third) < value(high - third) else (low, high - third)
    return max(value(x) for x in (-1.0, (low + high) / 2, 1.0))


def _boxes(one: PlacedSolid, two: PlacedSolid) -> float:
    """Least overlap along the normals of faces and of pairs of edges; where they are apart, one of these tells."""
    ways = [*one.axes.T, *two.axes.T, *(np.cross(a, b) for a in one.axes.T for b in two.axes.T)]
    found = math.inf
    for way in ways:
        length = float(np.linalg.norm(way))
        if length > 1e-9:
            n = way / length
            reach = sum(float(np.abs(each.axes.T @ n) @ each.half) for each in (one, two))
            found = min(found, reach - abs(float(n @ (one.centre - two.centre))))
    return found
