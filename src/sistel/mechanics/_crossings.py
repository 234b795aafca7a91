"""Edges that lie across each other: where they touch, and how that place moves on both bodies.

With a and b the directions of the edges and A and B points of them, the places that are nearest to each other are

    X = A + s a,    Y = B + t b,    X − Y = g n,    n = ± a × b / |a × b|

A capsule is an edge with a radius. As bodies move, X and Y go along the edges, and n turns: its rate is in the plane of
a and b, for it stays at right angles to both.
"""

from __future__ import annotations

from typing import Final

from sistel.expr import (
    Matrix,
    Scalar,
    Vector,
    absolute,
    cross,
    dot,
    less,
    less_equal,
    logical_and,
    select,
    sqrt,
)
from sistel.mechanics._outlines import AWAY, Within
from sistel.mechanics._rows import Spot
from sistel.mechanics._touching import Arm, Touch
from sistel.model import Contact, Crossing, Solid

PARALLEL: Final = 1e-6
"""Sine of the angle between edges that count as parallel: they touch at their ends, which are other contacts."""
BLUNT: Final = 1e-9
"""Sine of the angle by which a normal may leave what an edge allows, by rounding."""
SHALLOW: Final = 1e-6
"""Depth beyond which edges that cross within their ends do not touch: other edges are between them [m]."""


def crossing_of(contact: Contact) -> Crossing | None:
    """The edges that a contact is of; None where a point or a round shape touches."""
    return None if contact.outline is None else contact.outline.crossing


class Crossed(Touch):
    """Two edges: the place where they touch or would, with its rows."""

    def __init__(self, crossing: Crossing, carrier: Spot, other: Spot) -> None:
        """Find the place.

        Args:
            crossing: The edges.
            carrier: Origin of the body that is touched.
            other: Centre of the solid that touches, on its body.
        """
        first, second = crossing.first, crossing.second
        self.carrier, self.other = carrier, other
        A, B = other.axes @ Matrix(*first.axes), carrier.axes @ Matrix(*second.axes)
        a, b = A.T[crossing.along[0]], B.T[crossing.along[1]]
        middle = other.place - carrier.place - carrier.axes @ Vector(*second.centre)
        normal, k = cross(a, b), dot(a, b)
        sine = dot(normal, normal)
        apart = less(PARALLEL * PARALLEL, sine)
        det = select(apart, sine, 1.0)
        side = select(less(0.0, dot(normal, middle)), 1.0, -1.0)
        self.n = n = (side / sqrt(det)) * normal
        """From the solid that is touched to the one that touches."""
        if crossing.edges is not None:
            mine, fits = _one_edge(first, A, crossing.along[0], -n, crossing.edges[0])
            its, other_fits = _one_edge(second, B, crossing.along[1], n, crossing.edges[1])
        else:
            mine, fits = _edge(first, A, crossing.along[0], -n, crossing.sides[0])
            its, other_fits = _edge(second, B, crossing.along[1], n, crossing.sides[1])
        r = middle + mine - its
        t = (dot(r, b) - k * dot(r, a)) / det
        s = k * t - dot(r, a)
        away = dot(n, r)
        spans = tuple(
            (x + solid.half[axis], 2.0 * solid.half[axis])
            for x, solid, axis in zip((s, t), (first, second), crossing.along, strict=True)
        )
        gap = away - (first.radius + second.radius)
        there = logical_and(logical_and(apart, less(-SHALLOW, gap)), logical_and(fits, other_fits))
        self.within = Within(select(there, Within(gap, spans).there(), AWAY), spans)
        self.arm = Arm(mine + s * a - first.radius * n, first.radius)
        self.reach = other.place - carrier.place + self.arm.way
        self._turns(a, b, k, det, (mine + s * a, away), first.radius)

    def _turns(self, a: Vector, b: Vector, k: Scalar, det: Scalar, at: tuple[Vector, Scalar], radius: float) -> None:
        """Find how the place goes along both edges, and how the normal turns."""
        carrier, other, n = self.carrier, self.other, self.n
        mine, away = at
        w, own = carrier.spin, other.spin
        turned = cross(own, a)
        p, q = -dot(n, turned), -dot(n, cross(w, b))
        swing = ((p - k * q) / det) * a + ((q - k * p) / det) * b
        from_carrier = other.place - carrier.place + mine - away * n
        relative = other.velocity - carrier.velocity + cross(own, mine) - cross(w, from_carrier) - away * swing
        ahead = (dot(relative, b) - k * dot(relative, a)) / det
        along = k * ahead - dot(relative, a)
        self.bend = swing - cross(w, n)
        self._goes(cross(own, mine) + along * a - radius * swing)


def _edge(solid: Solid, axes: Matrix, along: int, toward: Vector, side: int) -> tuple[Vector, Scalar]:
    """From the centre of a solid to the middle of one of its edges, and whether the edge can touch in a direction.

    Args:
        solid: The solid.
        axes: Its axes, as columns.
        along: The axis that the edge is along.
        toward: Where the other solid is.
        side: For the axis that is less along this direction, see `Crossing`; the other one is as it can touch.
    """
    i, j = (each for each in range(3) if each != along)
    if not side:
        return Vector(0.0, 0.0, 0.0), 1.0
    u, v = axes.T[i], axes.T[j]
    x, y = dot(u, toward), dot(v, toward)
    less_i = less(absolute(x), absolute(y))
    allowed = less_equal(-BLUNT, side * select(less_i, x, y))
    more_x, more_y = select(less(0.0, x), 1.0, -1.0), select(less(0.0, y), 1.0, -1.0)
    a = solid.half[i] * select(less_i, float(side), more_x)
    b = solid.half[j] * select(less_i, more_y, float(side))
    return a * u + b * v, allowed


def _one_edge(solid: Solid, axes: Matrix, along: int, toward: Vector, sides: tuple[int, int]) -> tuple[Vector, Scalar]:
    """The same of one edge of a box, on given sides of its other axes."""
    i, j = (each for each in range(3) if each != along)
    u, v = sides[0] * axes.T[i], sides[1] * axes.T[j]
    allowed = logical_and(less_equal(-BLUNT, dot(u, toward)), less_equal(-BLUNT, dot(v, toward)))
    return solid.half[i] * u + solid.half[j] * v, allowed
