"""How far it is along a ray to a convex shape, as a formula: what conditions watch exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from sistel.errors import Text, refuse
from sistel.expr import (
    Scalar,
    Vector,
    dot,
    equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    select,
    sqrt,
)
from sistel.model import FAR, Shape
from sistel.pose import IDENTITY

if TYPE_CHECKING:
    from sistel.mechanics._quantities import Quantities

GRAZES = 1e-9
"""Part of the square of a radius: rays that come no deeper into a circle or a sphere miss it."""
Face = tuple[Sequence[Scalar], Scalar]
"""A normal that points outwards, and how far the face is along it from the origin of the shape."""


def ray_range(state: Quantities, frame: str, name: str) -> Scalar:
    """Along the x axis of a frame to a named shape [m]; `FAR` where it is missed."""
    model = state.model
    shape = next(shape for shape in model.shapes if shape.name == name)
    body, p, R = model.place_of(frame)
    origin = state.kinematics.place(body, p)
    way = state.kinematics.axes(body, R) @ Vector(1.0, 0.0, 0.0)
    axes = state.kinematics.axes(shape.body, shape.R_BS)
    centre = state.kinematics.place(shape.body, shape.p_BS)
    back = axes.T
    o, d = back @ (origin - centre), back @ way
    if shape.kind in ("circle", "sphere"):
        return _ball(o, d, shape.sizes[0], model.planar)
    return _within(o, d, _faces(shape, model.planar))


def _faces(shape: Shape, planar: bool) -> list[Face]:
    if shape.kind == "box":
        axes = range(2 if planar else 3)
        rows = [(IDENTITY[k], shape.sizes[k] / 2) for k in axes]
        return [(tuple(sign * x for x in n), c) for n, c in rows for sign in (1.0, -1.0)]
    if shape.kind == "polygon":
        points = list(shape.corners)
        area = sum(float(a[0] * b[1] - a[1] * b[0]) for a, b in pairwise([*points, points[0]]))
        if area < 0:
            points.reverse()
        made: list[Face] = []
        for a, b in pairwise([*points, points[0]]):
            n = (b[1] - a[1], a[0] - b[0], 0.0)
            length = sqrt(n[0] * n[0] + n[1] * n[1])
            made.append(((n[0] / length, n[1] / length, 0.0), (n[0] * a[0] + n[1] * a[1]) / length))
        return made
    return _no_faces(shape)


def _no_faces(shape: Shape) -> NoReturn:
    refuse(
        "no-quantity",
        Text(
            f'the range to "{shape.name}" is not a formula: it is neither round nor a convex shape with flat sides',
            f"дальность до «{shape.name}» — не формула: это ни круг, ни шар, ни выпуклая фигура с плоскими сторонами",
        ),
        hint=Text("a rangefinder sees other shapes at ticks", "другие фигуры видит дальномер — на тактах"),
    )


def _within(o: Sequence[Scalar], d: Sequence[Scalar], faces: Sequence[Face]) -> Scalar:
    """By the last face that is entered and the first that is left.

    Distances are fractions until one is chosen: what is divided by nothing, where a face goes along the ray, is never
    computed, and series do not feel it.
    """
    near: tuple[Scalar, Scalar] = (-FAR, 1.0)
    far: tuple[Scalar, Scalar] = (FAR, 1.0)
    beside: Scalar = 0.0
    for n, c in faces:
        fall, depth = dot(n, d), c - dot(n, o)
        later = logical_and(less(fall, 0.0), less(near[0] * -fall, -depth * near[1]))
        near = select(later, -depth, near[0]), select(later, -fall, near[1])
        sooner = logical_and(less(0.0, fall), less(depth * far[1], far[0] * fall))
        far = select(sooner, depth, far[0]), select(sooner, fall, far[1])
        beside = logical_or(beside, logical_and(equal(fall, 0.0), less(depth, 0.0)))
    hit = logical_and(less_equal(near[0] * far[1], far[0] * near[1]), less_equal(0.0, far[0]))
    hit = logical_and(hit, logical_not(beside))
    outside = less_equal(0.0, near[0])
    above, below = (select(outside, a, b) for a, b in zip(near, far, strict=True))
    return select(hit, above, FAR) / select(hit, below, 1.0)


def _ball(o: Sequence[Scalar], d: Sequence[Scalar], radius: float, planar: bool) -> Scalar:
    centre = Vector(-o[0], -o[1], 0.0 if planar else -o[2])
    way = dot(centre, d)
    aside = centre - way * Vector(*d)
    rest = radius * radius - dot(aside, aside)
    # A ray that only grazes would have a rate without bound.
    hit = less(GRAZES * radius * radius, rest)
    half = sqrt(select(hit, rest, 1.0))
    near, far = way - half, way + half
    hit = logical_and(hit, less_equal(0.0, far))
    return select(hit, select(less_equal(0.0, near), near, far), FAR)
