"""Coordinates after a small motion: v is not q̇ where a joint has a quaternion."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sistel.expr import Scalar, Scalars, Vector, cross, sqrt
from sistel.mechanics._frames import quaternion_matrix
from sistel.mechanics._linear import inner
from sistel.model import Model


def coordinate_rates(model: Model, q: Scalars, v: Scalars) -> list[Scalar]:
    """q̇, nq of them: the velocities themselves, but for joints with a quaternion."""
    rates: list[Scalar] = []
    for body in model.bodies:
        kind, at, first = body.joint.type, body.first_q, body.first_v
        if not kind.has_quaternion:
            rates += v[first : first + kind.nv]
            continue
        w, x, y, z = (0.5 * number for number in q[at : at + 4])
        a, b, c = v[first : first + 3]
        rates.append(-(x * a + y * b + z * c))
        rates.append(w * a + y * c - z * b)
        rates.append(w * b + z * a - x * c)
        rates.append(w * c + x * b - y * a)
        if kind.nq == 7:
            rates += quaternion_matrix(q[at : at + 4]) @ v[first + 3 : first + 6]
    return rates


def nudged(model: Model, start: Scalars, q: Scalars, by: Scalars) -> list[Scalar]:
    """Coordinates moved by velocities of a unit of time, which are small; quaternions get their length back.

    Args:
        model: The system.
        start: The coordinates to begin with.
        q: Those at which quaternions turn.
        by: The velocities.
    """
    new_q = [a + b for a, b in zip(start, coordinate_rates(model, q, by), strict=True)]
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            four = new_q[body.first_q : body.first_q + 4]
            length = sqrt(inner(four, four))
            new_q[body.first_q : body.first_q + 4] = [number / length for number in four]
    return new_q


def moved(model: Model, q: Sequence[float], v: Sequence[float], h: float = 1.0) -> list[float]:
    """Coordinates after every joint has moved with constant velocities for a time h; quaternions stay of length 1."""
    made = list(q)
    for body in model.bodies:
        kind, at, first = body.joint.type, body.first_q, body.first_v
        if not kind.has_quaternion:
            for i in range(kind.nv):
                made[at + i] += h * v[first + i]
            continue
        turn = [h * rate for rate in v[first : first + 3]]
        if kind.nq == 7:
            shift = quaternion_matrix(q[at : at + 4]) @ _swept(turn, [h * rate for rate in v[first + 3 : first + 6]])
            for i in range(3):
                made[at + 4 + i] += float(shift[i])  # type: ignore[arg-type]
        made[at : at + 4] = _turned(q[at : at + 4], turn)
    return made


def _turned(q: Sequence[float], turn: Sequence[float]) -> list[float]:
    """A unit quaternion after a turn by a rotation vector in the body's axes."""
    angle = math.hypot(*turn)
    factor = 0.5 if angle < 1e-8 else math.sin(angle / 2) / angle
    w, x, y, z = q
    a, (b, c, d) = math.cos(angle / 2), (factor * part for part in turn)
    made = [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b,
        w * d + x * c - y * b + z * a,
    ]
    length = math.hypot(*made)
    return [number / length for number in made]


def _swept(turn: Sequence[float], way: Sequence[float]) -> Vector:
    """How far a point moves at a constant velocity in axes that turn: ∫ exp(s · turn) ds · way over 0 … 1."""
    angle = math.hypot(*turn)
    if angle < 1e-4:
        first, second = 0.5 - angle**2 / 24, 1 / 6 - angle**2 / 120
    else:
        first, second = (1 - math.cos(angle)) / angle**2, (angle - math.sin(angle)) / angle**3
    once = cross(turn, way)
    return Vector(*way) + first * once + second * cross(turn, once)
