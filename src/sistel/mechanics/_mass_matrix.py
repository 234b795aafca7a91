"""The mass matrix by composite bodies: everything beyond a joint is one rigid body while only that joint moves."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import IDENTITY, Scalar, Scalars, Vector, cross, dot, is_zero
from sistel.mechanics._frames import Frame, frames, link_offset
from sistel.mechanics._tree import Link, Tree
from sistel.records import mutable

Moments = tuple[Scalar, ...]


@mutable
class _Composite:
    """Mass, first and second moments of everything beyond a joint, about the origin of its link, in E."""

    m: Scalar
    s: Vector
    J: Moments
    polar: Scalar | None
    """J.xx + J.yy of a body by itself: turning about z does not change it, so it is a number whichever the axes E are.
    None where more bodies join."""


def mass_matrix(tree: Tree, q: Scalars, *, shared: frozenset[int] = frozenset()) -> list[list[Scalar]]:
    """The mass matrix, nv rows of nv [kg, kg·m or kg·m²]; see `inverse_dynamics` for the arguments."""
    made = frames(tree, q, shared)
    offsets = [link_offset(link, made[link.parent] if link.parent >= 0 else None, q) for link in tree.links]
    composites = [
        _Composite(
            link.inertia.m,
            frame.local(link.inertia.s),
            frame.local_moments(link.inertia.J),
            link.inertia.J[0] + link.inertia.J[1],
        )
        for link, frame in zip(tree.links, made, strict=True)
    ]
    M: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(tree.nv)]
    for index in range(len(tree.links) - 1, -1, -1):
        link = tree.links[index]
        for column, (F, N) in _unit_wrenches(link, index, made, composites[index], tree):
            _fill(column, index, F, N, tree, made, offsets, M)
        if link.parent >= 0:
            _join(composites[link.parent], composites[index], made[index], offsets[index])
    for i, rotor in enumerate(tree.rotors):
        M[i][i] = M[i][i] + rotor
    return M


def _axis(link: Link, made: Sequence[Frame]) -> Vector:
    return Vector(*link.axis) if link.parent < 0 else made[link.parent].local(link.axis)


def _unit_wrenches(
    link: Link, index: int, made: Sequence[Frame], body: _Composite, tree: Tree
) -> list[tuple[int, tuple[Vector, Vector]]]:
    """Force and moment that give a link's joint a unit acceleration of each of its velocities."""
    if link.kind == "turn":
        return [(link.first_v, _turning(Vector(0.0, 0.0, link.sign), body))]
    if link.kind == "slide":
        axis = _axis(link, made)
        return [(link.first_v, (body.m * axis, cross(body.s, axis)))]
    found = [(link.first_v + i, _turning(unit, body)) for i, unit in enumerate(IDENTITY)]
    if link.kind == "free":
        found += [(link.first_v + 3 + i, (body.m * unit, cross(body.s, unit))) for i, unit in enumerate(IDENTITY)]
    return found


def _turning(axis: Vector, body: _Composite) -> tuple[Vector, Vector]:
    """Force α × s and moment (tr J 1 − J) α of a unit angular acceleration."""
    xx, yy, zz, xy, xz, yz = body.J
    x, y, z = axis
    moment = Vector(
        (yy + zz) * x - xy * y - xz * z,
        (xx + zz) * y - xy * x - yz * z,
        (xx + yy if body.polar is None else body.polar) * z - xz * x - yz * y,
    )
    return cross(axis, body.s), moment


def _fill(
    column: int,
    index: int,
    F: Vector,
    N: Vector,
    tree: Tree,
    made: Sequence[Frame],
    offsets: Sequence[Vector],
    M: list[list[Scalar]],
) -> None:
    """Carry a wrench to the ground and read off what every joint on the way feels."""
    at = index
    while at >= 0:
        link = tree.links[at]
        if link.kind == "turn":
            entries: list[tuple[int, Scalar]] = [(link.first_v, link.sign * N[2])]
        elif link.kind == "slide":
            entries = [(link.first_v, dot(F, _axis(link, made)))]
        else:
            entries = [(link.first_v + i, N[i]) for i in range(3)]
            if link.kind == "free":
                entries += [(link.first_v + 3 + i, F[i]) for i in range(3)]
        for row, value in entries:
            if row <= column or at != index:
                M[row][column] = M[column][row] = value
        F, N = made[at].up(F), made[at].up(N)
        N = N + cross(offsets[at], F)
        at = link.parent


def _join(parent: _Composite, child: _Composite, frame: Frame, offset: Vector) -> None:
    """Add the composite body of a child to that of its parent."""
    s = frame.up(child.s)
    J = _turned(child.J, frame)
    p, m = offset, child.m
    # J about the new origin: J + p sᵀ + s pᵀ + m p pᵀ = J + p tᵀ + s pᵀ with t = s + m p.
    t = s + m * p

    def entry(i: int, j: int, own: Scalar) -> Scalar:
        return own + (p[i] * t[j] + s[i] * p[j])

    moved = (
        entry(0, 0, J[0]),
        entry(1, 1, J[1]),
        entry(2, 2, J[2]),
        entry(0, 1, J[3]),
        entry(0, 2, J[4]),
        entry(1, 2, J[5]),
    )
    parent.m = parent.m + m
    parent.s = parent.s + t
    parent.J = tuple(a + b for a, b in zip(parent.J, moved, strict=True))
    parent.polar = None


def _turned(J: Moments, frame: Frame) -> Moments:
    """Second moments in E of the parent."""
    if all(is_zero(entry) for entry in J):
        return J
    xx, yy, zz, xy, xz, yz = J
    # R J Rᵀ: turn the columns, then the rows.
    a, b, c = frame.up((xx, xy, xz)), frame.up((xy, yy, yz)), frame.up((xz, yz, zz))
    first, second, third = (frame.up((a[i], b[i], c[i])) for i in range(3))
    return (first[0], second[1], third[2], first[1], first[2], second[2])
