"""Limits of the joints of an arm and of their motors, in the order of its coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model


def joint_limits(model: Model) -> tuple[Array, Array]:
    """Least and greatest coordinates, infinite where there is no limit, each of shape (nq,) [m or rad]."""
    low, high = [], []
    for body in model.bodies:
        for i in range(body.joint.type.nq):
            least, most = model.limits(body, i)
            low.append(least)
            high.append(most)
    return np.array(low), np.array(high)


def speed_limits(model: Model) -> Array:
    """Greatest speeds of joints and of their motors, shape (nv,) [m/s or rad/s]."""
    speeds = np.concatenate([np.array(body.joint.speed, dtype=float) for body in model.bodies])
    for motor in model.motors:
        place = model.bodies[motor.body - 1].first_v + motor.coordinate
        speeds[place] = min(speeds[place], motor.speed)
    return np.asarray(speeds)


def force_limits(model: Model) -> Array:
    """Greatest driving forces of the motors, infinite where there is none, shape (nv,) [N or N·m]."""
    forces = np.full(model.nv, np.inf)
    for motor in model.motors:
        place = model.bodies[motor.body - 1].first_v + motor.coordinate
        forces[place] = min(forces[place], motor.limit)
    return forces
