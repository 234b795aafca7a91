"""Virtual power: bodies one by one, without any recursion over links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import Load, body_motions
from sistel.model import Model
from sistel.records import entry

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


@entry
class Motions:
    """Poses and velocities of all bodies, the ground first, in W."""

    R: Array
    """(bodies + 1, 3, 3)"""
    p: Array
    """(bodies + 1, 3) [m]"""
    w: Array
    """(bodies + 1, 3) [rad/s]"""
    v: Array
    """(bodies + 1, 3), of the poles [m/s]."""

    def place(self, body: int, p: ArrayLike) -> Array:
        """A point fixed in a body, in W [m]."""
        return np.asarray(self.p[body] + self.R[body] @ np.asarray(p, dtype=float))

    def velocity(self, body: int, p: ArrayLike) -> Array:
        """Its velocity [m/s]."""
        arm = self.R[body] @ np.asarray(p, dtype=float)
        return np.asarray(self.v[body] + np.cross(self.w[body], arm))


def motions(model: Model, q: Array, v: Array) -> Motions:
    """How all bodies move."""
    found = body_motions(model, q.tolist(), v.tolist(), [0.0] * model.nv)
    return Motions(*(np.array([getattr(one, part) for one in found], dtype=float) for part in "Rpwv"))


def joint_power(model: Model, loads: list[Load], moving: Motions) -> float:
    """Power of what the joints carry, on the motion of every body relative to its base [W]."""
    total = 0.0
    for body in model.bodies:
        load, at, base = loads[body.number], body.number, body.base
        spin = moving.w[at] - moving.w[base]
        speed = moving.v[at] - moving.v[base] - np.cross(moving.w[base], moving.p[at] - moving.p[base])
        total += float(np.array(load.moment, dtype=float) @ spin + np.array(load.force, dtype=float) @ speed)
    return total
