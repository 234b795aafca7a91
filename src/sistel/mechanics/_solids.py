"""Distances of points and round shapes from solids of space, with the domains in which they mean something.

A solid is a core, a box that may be flat, thin or a point, with all that is no farther from it than a radius; or a
cylinder. In the axes of the core, with half lengths h, the way from the core to a place x is

    e_i = x_i − h_i  where x_i > h_i,    x_i + h_i  where x_i < −h_i,    0  between

and its length, normal and curvature are |e|, n = e/|e| and (D − n nᵀ)/|e|, D with ones where e has a part. So a round
shape passes from faces to edges and corners with a normal that does not jump; what jumps is the curvature.

A corner of a box has no radius to go around others with: it touches a face between its edges, and nothing beyond.
"""

from __future__ import annotations

from typing import Final

from sistel.expr import Matrix, Scalar, Vector, dot, is_zero, less, logical_and, logical_not, logical_or, select, sqrt
from sistel.mechanics._outlines import AWAY, BEYOND, Within
from sistel.model import Outline, Solid
from sistel.records import entry

SURELY: Final = 0.25
"""Part of the half thickness of a box behind a face within which a corner is taken to have come through that face."""


@entry
class NearSolid:
    """The nearest of some solids, seen from a place, in the frame of their body."""

    gap: Scalar
    """Distance, `AWAY` where there is none [m]."""
    normal: Vector
    curve: tuple[Scalar, ...]
    """Second derivatives of the distance: xx, yy, zz, xy, xz, yz [1/m]."""
    spans: tuple[tuple[Scalar, Scalar], ...] = ()
    """See `Within`."""

    @property
    def within(self) -> Within:
        """Where it counts."""
        return Within(self.gap, self.spans)


def nearest_solid(outline: Outline, place: Vector, toward: Vector) -> NearSolid:
    """What of the solids of an outline is nearest to a place.

    Args:
        outline: Of solids.
        place: In the frame of their body [m].
        toward: A way from the place that decides which face, edge or corner that is, where two are equally near [m].
    """
    found: NearSolid | None = None
    for solid in outline.solids:
        near = _near(solid, place, toward)
        found = near if found is None else _chosen(less(near.gap, found.gap), near, found)
    assert found is not None
    return found


def _chosen(first: Scalar, one: NearSolid, two: NearSolid) -> NearSolid:
    assert len(one.spans) == len(two.spans)
    return NearSolid(
        select(first, one.gap, two.gap),
        Vector(*(select(first, a, b) for a, b in zip(one.normal, two.normal, strict=True))),
        tuple(select(first, a, b) for a, b in zip(one.curve, two.curve, strict=True)),
        tuple((select(first, a, c), select(first, b, d)) for (a, b), (c, d) in zip(one.spans, two.spans, strict=True)),
    )


def _near(solid: Solid, place: Vector, toward: Vector) -> NearSolid:
    axes = Matrix(*solid.axes)
    x = axes.T @ (place - solid.centre)
    if solid.face >= 0:
        near = _face(solid, x)
    elif solid.barrel:
        near = _barrel(solid, x, x + axes.T @ toward)
    elif solid.beside:
        near = _beside(solid, x)
    else:
        near = _core(solid, x, x + axes.T @ toward)
    return _turned(near, axes)


def _turned(near: NearSolid, axes: Matrix) -> NearSolid:
    """The same in the axes of the body."""
    if all(is_zero(x) for x in near.curve):
        return NearSolid(near.gap, axes @ near.normal, near.curve, near.spans)
    xx, yy, zz, xy, xz, yz = near.curve
    H = axes @ Matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)) @ axes.T
    curve = (H[0][0], H[1][1], H[2][2], H[0][1], H[0][2], H[1][2])
    return NearSolid(near.gap, axes @ near.normal, curve, near.spans)


_NO_CURVE: Final = (0.0,) * 6


def _beyond(x: Scalar, ahead: Scalar, half: float) -> tuple[Scalar, Scalar]:
    """How far a place is beyond the ends at ± half, and whether it is."""
    if is_zero(half):
        return x, 1.0
    above, below = less(half, ahead), less(ahead, -half)
    return select(above, x - half, select(below, x + half, 0.0)), logical_or(above, below)


def _core(solid: Solid, x: Vector, ahead: Vector) -> NearSolid:
    parts = [_beyond(x[i], ahead[i], solid.half[i]) for i in range(3)]
    e = Vector(*(part for part, _ in parts))
    outside: Scalar = parts[0][1]
    for _, out in parts[1:]:
        outside = logical_or(outside, out)
    far = sqrt(select(outside, dot(e, e), 1.0))
    n = (1.0 / far) * e
    bend = 1.0 / far
    d = [select(out, 1.0, 0.0) for _, out in parts]
    curve = (
        *(bend * (d[i] - n[i] * n[i]) for i in range(3)),
        *(0.0 - bend * (n[i] * n[j]) for i, j in ((0, 1), (0, 2), (1, 2))),
    )
    return NearSolid(select(outside, far - solid.radius, AWAY), n, curve)


def _beside(solid: Solid, x: Vector) -> NearSolid:
    """A capsule without its ends: between them all is as of a line."""
    half = solid.half[2]
    far = sqrt(x[0] * x[0] + x[1] * x[1])
    a, b, bend = x[0] / far, x[1] / far, 1.0 / far
    curve = (bend * (b * b), bend * (a * a), 0.0, 0.0 - bend * (a * b), 0.0, 0.0)
    spans = ((x[2] + half, 2.0 * half),)
    return NearSolid(Within(far - solid.radius, spans).there(), Vector(a, b, 0.0), curve, spans)


def _face(solid: Solid, x: Vector) -> NearSolid:
    """The two faces of a box across an axis, for a point."""
    at, half = solid.face, solid.half
    side = select(less(0.0, x[at]), 1.0, -1.0)
    gap = side * x[at] - half[at]
    others = [i for i in range(3) if i != at]
    spans = tuple((x[i] + half[i], 2.0 * half[i]) for i in others)
    # What is behind a face has come through it only where it is not before a face beside it.
    behind = logical_and(less(-SURELY * half[at], gap), Within(0.0, spans).far_within(4.0 * BEYOND))
    there = logical_or(less(-BEYOND, gap), behind)
    n = Vector(*(side if i == at else 0.0 for i in range(3)))
    return NearSolid(select(there, Within(gap, spans).there(), AWAY), n, _NO_CURVE, spans)


def _barrel(solid: Solid, x: Vector, ahead: Vector) -> NearSolid:
    """A cylinder: its end faces, its side, and the rims between them."""
    radius, half = solid.radius, solid.half[2]
    out = less(radius * radius, ahead[0] * ahead[0] + ahead[1] * ahead[1])
    from_axis = sqrt(select(out, x[0] * x[0] + x[1] * x[1], 1.0))
    z, over = _beyond(x[2], ahead[2], half)
    r = select(out, from_axis - radius, 0.0)
    outside = logical_or(out, over)
    far = sqrt(select(outside, r * r + z * z, 1.0))
    across, along = r / far, z / far
    u, v = x[0] / from_axis, x[1] / from_axis
    # Around a rim the normal turns about it, and beside the axis about the axis.
    rim = select(logical_and(out, over), 1.0 / far, 0.0)
    turn = across / from_axis
    curve = (
        rim * (along * along * u * u) + turn * (v * v),
        rim * (along * along * v * v) + turn * (u * u),
        rim * (across * across),
        rim * (along * along * u * v) - turn * (u * v),
        0.0 - rim * (along * across * u),
        0.0 - rim * (along * across * v),
    )
    n = Vector(across * u, across * v, along)
    inside = logical_and(logical_not(out), logical_not(over))
    return NearSolid(select(inside, AWAY, far), n, curve)
