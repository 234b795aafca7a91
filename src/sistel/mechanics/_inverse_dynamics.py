"""Inverse dynamics: the recursion of Newton and Euler over links with base inertial parameters.

With U = [ω̇]× + [ω]×[ω]× (Khalil and Kleinfinger, 1987) the acceleration of any point r of a link is a + U r, so

    F = m a + U s,        N = Σ r × (U r) dm + s × a = axial part of (U J) + s × a.

Nine entries of U serve the force, the moment and every link that hangs on this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sistel.expr import ZERO, Matrix, Scalar, Scalars, Vector, cross, dot, is_zero
from sistel.mechanics._frames import Frame, frames
from sistel.mechanics._tree import Link, Tree
from sistel.records import mutable


@mutable
class _Motion:
    """Velocity and acceleration of a link, in its axes E."""

    w: Vector
    """Angular velocity [rad/s]."""
    dw: Vector
    """Angular acceleration [rad/s²]."""
    a: Vector
    """Acceleration of the origin, gravity included as an upward acceleration of the ground [m/s²]."""
    U: Matrix


def inverse_dynamics(
    tree: Tree, q: Scalars, v: Scalars, a: Scalars, *, gravity: bool = True, shared: frozenset[int] = frozenset()
) -> list[Scalar]:
    """Generalized forces that give the accelerations.

    Args:
        tree: The links.
        q: Coordinates, nq of them [m, rad, or numbers of a unit quaternion].
        v: Velocities, nv of them [m/s or rad/s].
        a: Accelerations, nv of them [m/s² or rad/s²].
        gravity: Whether weight is included.
        shared: Hinges that share the axes of the link before them, see `frames`.

    Returns:
        tau, nv of them [N or N·m].
    """
    made = frames(tree, q, shared)
    lines = _lines(tree)
    ground = -Vector(*tree.gravity) if gravity else ZERO
    motions: list[_Motion] = []
    for link, frame in zip(tree.links, made, strict=True):
        parent = motions[link.parent] if link.parent >= 0 else _Motion(ZERO, ZERO, ground, Matrix(ZERO, ZERO, ZERO))
        above = made[link.parent] if link.parent >= 0 else None
        on = lines[link.parent] if link.parent >= 0 else frozenset()
        motions.append(_move(link, frame, parent, above, on, q, v, a))
    forces: list[Vector] = [ZERO] * len(tree.links)
    moments: list[Vector] = [ZERO] * len(tree.links)
    arms: list[list[_Arm]] = [[] for _ in tree.links]
    tau: list[Scalar] = [0.0] * tree.nv
    for index in range(len(tree.links) - 1, -1, -1):
        link, frame, motion = tree.links[index], made[index], motions[index]
        own = link.inertia
        f = own.m * motion.a + _reach(frame, lines[index], motion.U, own.s) + forces[index]
        arms[index].append((own.s, motion.a))
        turned = _second_moments(frame.local_moments(own.J), motion)
        levered = _moment(frame, lines[index], arms[index])
        n = turned + moments[index] + levered
        above = made[link.parent] if link.parent >= 0 else None
        _joint_forces(link, above, f, n, tau)
        if link.parent >= 0:
            f_up = frame.up(f)
            forces[link.parent] = forces[link.parent] + f_up
            moments[link.parent] = moments[link.parent] + frame.up(n)
            arms[link.parent] += [(vector, f_up) for vector in _offset(link, q)]
    return [force + rotor * gain for force, rotor, gain in zip(tau, tree.rotors, a, strict=True)]


_Line = tuple[bool, bool, bool]
"""Which components of a vector vanish."""

_Arm = tuple[Scalars, Vector]
"""A vector fixed in a link, in the link's own axes, and a force or acceleration at its end, in E."""


def _offset(link: Link, q: Scalars) -> list[Scalars]:
    """The way from the origin of the parent to that of a link, in the axes of the parent link, as a sum of vectors."""
    if link.kind == "slide":
        return [link.p_PL, q[link.first_q] * Vector(*link.axis)]
    if link.kind == "free":
        return [link.p_PL, Matrix(*link.R_PL) @ q[link.first_q + 4 : link.first_q + 7]]
    return [link.p_PL]


def _lines(tree: Tree) -> list[frozenset[_Line]]:
    """For every link, the lines on which several of its vectors lie: its first moment and the ways to other links."""
    found: list[frozenset[_Line]] = []
    for link in tree.links:
        vectors = [link.inertia.s, *(tree.links[child].p_PL for child in link.children)]
        counts = Counter(_line(vector) for vector in vectors if any(vector))
        found.append(frozenset(line for line, count in counts.items() if count > 1))
    return found


def _line(v: Scalars) -> _Line:
    return (is_zero(v[0]), is_zero(v[1]), is_zero(v[2]))


def _reach(frame: Frame | None, lines: frozenset[_Line], U: Matrix, v: Scalars) -> Vector:
    """U · v for a vector fixed in a link."""
    if frame is None:
        return U @ v
    along = frame.direction(v) if _line(v) in lines else None
    return U @ frame.local(v) if along is None else along[0] * (U @ along[1])


def _moment(frame: Frame, lines: frozenset[_Line], arms: Sequence[_Arm]) -> Vector:
    """Σ arm × force; arms along one line are added up before the product is taken."""
    groups: dict[_Line, list[_Arm]] = {}
    total = ZERO
    for vector, force in arms:
        if _line(vector) in lines and frame.direction(vector) is not None:
            groups.setdefault(_line(vector), []).append((vector, force))
        else:
            total = total + cross(frame.local(vector), force)
    for members in groups.values():
        along = [frame.direction(vector) for vector, _ in members]
        first, *others = [one[0] * force for one, (_, force) in zip(along, members, strict=True) if one is not None]
        assert along[0] is not None
        total = total + cross(along[0][1], sum(others, first))
    return total


def _move(
    link: Link,
    frame: Frame,
    parent: _Motion,
    above: Frame | None,
    lines: frozenset[_Line],
    q: Scalars,
    v: Scalars,
    a: Scalars,
) -> _Motion:
    """Motion of a link from that of its parent."""
    carried = sum([_reach(above, lines, parent.U, vector) for vector in _offset(link, q)], parent.a)
    if link.kind == "slide":
        axis = Vector(*link.axis) if above is None else above.local(link.axis)
        coriolis = 2.0 * cross(parent.w, v[link.first_v] * axis)
        own = a[link.first_v] * axis
        return _Motion(parent.w, parent.dw, carried + coriolis + own, parent.U)
    w, dw = frame.down(parent.w), frame.down(parent.dw)
    origin = frame.down(carried)
    if link.kind == "turn":
        rate, gain = link.sign * v[link.first_v], link.sign * a[link.first_v]
        dw = dw + Vector(w[1] * rate, -(w[0] * rate), gain)
        w = Vector(w[0], w[1], w[2] + rate)
    else:
        spin = v[link.first_v : link.first_v + 3]
        carried_spin = cross(w, spin)
        dw = dw + a[link.first_v : link.first_v + 3] + carried_spin
        if link.kind == "free":
            speed = v[link.first_v + 3 : link.first_v + 6]
            # v is along the body's axes: its change has a part from their turning.
            coriolis, turning = 2.0 * cross(w, speed), cross(spin, speed)
            origin = origin + coriolis + a[link.first_v + 3 : link.first_v + 6] + turning
        w = w + spin
    return _Motion(w, dw, origin, _u_matrix(w, dw))


def _u_matrix(w: Vector, dw: Vector) -> Matrix:
    """[ω̇]× + [ω]×[ω]×."""
    xx, yy, zz = w[0] * w[0], w[1] * w[1], w[2] * w[2]
    xy, xz, yz = w[0] * w[1], w[0] * w[2], w[1] * w[2]
    return Matrix(
        (-(yy + zz), xy - dw[2], xz + dw[1]),
        (xy + dw[2], -(xx + zz), yz - dw[0]),
        (xz - dw[1], yz + dw[0], -(xx + yy)),
    )


def _second_moments(J: Scalars, motion: _Motion) -> Vector:
    """Axial part of U J: Σ r × (U r) dm."""
    xx, yy, zz, xy, xz, yz = J
    if all(is_zero(entry) for entry in J):
        return ZERO
    U, w, dw = motion.U, motion.w, motion.dw
    wx2, wy2, wz2 = w[0] * w[0], w[1] * w[1], w[2] * w[2]

    # U_zy·yy − U_yz·zz = ω_yω_z (yy − zz) + ω̇_x (yy + zz), and so on round: the second form where both are there.
    def diagonal(first: Scalar, second: Scalar, i: int, j: int, k: int) -> Scalar:
        if is_zero(second) or is_zero(first):
            return first * U[k][j] - second * U[j][k]
        return (first - second) * (w[j] * w[k]) + (first + second) * dw[i]

    x = diagonal(yy, zz, 0, 1, 2) + (xy * U[2][0] - xz * U[1][0] + yz * (wz2 - wy2))
    y = diagonal(zz, xx, 1, 2, 0) + (yz * U[0][1] - xy * U[2][1] + xz * (wx2 - wz2))
    z = diagonal(xx, yy, 2, 0, 1) + (xz * U[1][2] - yz * U[0][2] + xy * (wy2 - wx2))
    return Vector(x, y, z)


def _joint_forces(link: Link, above: Frame | None, f: Vector, n: Vector, tau: list[Scalar]) -> None:
    """The components that the motor of a joint feels."""
    if link.kind == "turn":
        tau[link.first_v] = link.sign * n[2]
    elif link.kind == "slide":
        axis = link.axis if above is None else above.local(link.axis)
        tau[link.first_v] = dot(f, axis)
    else:
        tau[link.first_v : link.first_v + 3] = n
        if link.kind == "free":
            tau[link.first_v + 3 : link.first_v + 6] = f
