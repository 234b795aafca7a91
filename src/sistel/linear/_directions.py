"""Directions within what constraints allow: small displacements, and the coordinates that tell them apart.

A displacement e has nv numbers: of a hinge or slide the change of its coordinate, of a ball a small turn about the axes
of the body, of a free body that turn and a shift along the axes of its base. With velocities v it changes as

    ė = T v,    δė = T δv + W e,

where T is not the identity for a free body, whose velocities are along its own axes, and W is not zero where something
turns while it is displaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import coordinate_rates
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model

CLEAR = 0.1
"""Part of a motion that a coordinate must make, of a unit, to be chosen before others that come after it."""
RANK = 1e-9
"""Relative size under which a singular value of constraints counts as none."""


def spread(model: Model, q: Array) -> Array:
    """Changes of the coordinates for unit displacements, shape (nq, nv)."""
    made = np.zeros((model.nq, model.nv))
    for i in range(model.nv):
        unit = [float(i == j) for j in range(model.nv)]
        made[:, i] = np.array(coordinate_rates(model, q.tolist(), unit), dtype=float)
    for body in model.bodies:
        if body.joint.type.nq == 7:
            at, first = body.first_q + 4, body.first_v + 3
            made[at : at + 3, first : first + 3] = np.eye(3)
    return made


def kinematics(model: Model, q: Array, v: Array) -> tuple[Array, Array]:
    """T and W, shape (nv, nv) each."""
    T, W = np.eye(model.nv), np.zeros((model.nv, model.nv))
    for body in model.bodies:
        if not body.joint.type.has_quaternion:
            continue
        turn = slice(body.first_v, body.first_v + 3)
        W[turn, turn] = -_cross(v[turn])
        if body.joint.type.nq == 7:
            shift = slice(body.first_v + 3, body.first_v + 6)
            R = rotation(q[body.first_q : body.first_q + 4])
            T[shift, shift] = R
            W[shift, turn] = -R @ _cross(v[shift])
    return T, W


def rotation(q: Array) -> Array:
    """The matrix of a unit quaternion w, x, y, z."""
    w, axis = q[0], q[1:]
    return np.asarray(np.eye(3) + 2.0 * w * _cross(axis) + 2.0 * _cross(axis) @ _cross(axis))


def turn_between(q: Array, p: Array) -> Array:
    """The turn, about axes of the body, that leads from one unit quaternion to another [rad]."""
    w = float(q @ p)
    axis = q[0] * p[1:] - p[0] * q[1:] - np.cross(q[1:], p[1:])
    size = float(np.linalg.norm(axis))
    if size < 1e-300:
        return np.zeros(3)
    angle = 2.0 * np.arctan2(size, w)
    return np.asarray((angle if angle <= np.pi else angle - 2.0 * np.pi) / size * axis)


def _cross(w: Array) -> Array:
    """The matrix of a cross product from the left."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def displacement(model: Model, q: Array, to: Array) -> Array:
    """The displacement that leads from coordinates to others, shape (nv,)."""
    made = np.zeros(model.nv)
    for body in model.bodies:
        kind, at, first = body.joint.type, body.first_q, body.first_v
        if not kind.has_quaternion:
            made[first : first + kind.nv] = to[at : at + kind.nq] - q[at : at + kind.nq]
            continue
        made[first : first + 3] = turn_between(q[at : at + 4], to[at : at + 4])
        made[first + 3 : first + kind.nv] = to[at + 4 : at + kind.nq] - q[at + 4 : at + kind.nq]
    return made


@record
class Chart:
    """Directions that constraints allow, told by some of their numbers."""

    chosen: tuple[int, ...]
    """Indices of the independent ones."""
    basis: Array
    """All numbers for unit values of these, shape (size, independent)."""


def null_space(J: Array) -> tuple[Array, int]:
    """Orthonormal columns that rows leave, and the rank of the rows."""
    if not len(J):
        return np.eye(J.shape[1]), 0
    _, sizes, turned = np.linalg.svd(J)
    rank = int((sizes > RANK * max(float(sizes[0]), 1e-300)).sum())
    return np.asarray(turned[rank:].T), rank


def chart_of(J: Array, order: Sequence[int], wanted: Sequence[int] | None) -> Chart | None:
    """The chart of what rows leave.

    Args:
        J: The rows.
        order: All indices, those first that should be chosen where that is well possible.
        wanted: Indices that shall be chosen; None where they do not tell directions apart.
    """
    free, _ = null_space(J)
    count = free.shape[1]
    chosen = _choose(free, order, count) if wanted is None else list(wanted)
    square = free[chosen]
    if len(chosen) != count or (count and np.linalg.svd(square, compute_uv=False).min() < RANK):
        return None
    order_of = sorted(chosen) if wanted is None else chosen
    basis = free @ np.linalg.inv(free[order_of]) if count else free
    basis[order_of] = np.eye(count)
    return Chart(chosen=tuple(order_of), basis=basis)


def _choose(free: Array, order: Sequence[int], count: int) -> list[int]:
    """As many rows of a basis as there are columns, independent of each other, in an order of preference."""
    rest, chosen = free.copy(), list[int]()
    least = CLEAR
    while len(chosen) < count:
        for i in order:
            size = float(np.linalg.norm(rest[i]))
            if i not in chosen and size > least and len(chosen) < count:
                chosen.append(i)
                along = rest[i] / size
                rest -= np.outer(rest @ along, along)
        least *= 0.1
    return chosen
