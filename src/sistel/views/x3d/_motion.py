"""Where bodies are: the place and the turn of every joint, for many states at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Body, Model
from sistel.pose import matrices, multiply, plane_axes
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
class Shift:
    """The motion of a joint: the body goes to `place` in the axes that it has at zero, and is turned there."""

    place: Array
    """Shape (n, 3) [m]."""
    turn: Array
    """Unit quaternions w, x, y, z, shape (n, 4)."""
    axis: Array | None
    """Of all turns, where it is always the same; shape (3,)."""
    angle: Array | None
    """About this axis, shape (n,) [rad]."""


def joint_shift(body: Body, q: Array, planar: bool) -> Shift:
    """What the coordinates of a body's joint do.

    Args:
        body: The body.
        q: Coordinates of the system, shape (n, nq).
        planar: Whether the system is planar.
    """
    joint, key = body.joint, body.joint.type.key
    own = q[:, body.first_q : body.first_q + joint.type.nq]
    place = np.zeros((len(q), 3))
    axis, angle = np.array((0.0, 0.0, 1.0)), None
    if key == "revolute":
        axis, angle = np.array(joint.axis), own[:, 0]
    elif key == "prismatic":
        place = own[:, :1] * np.array(joint.axis)
    elif key == "prismatic2" or (key == "free" and planar):
        place[:, :2] = own[:, :2]
        angle = own[:, 2] if key == "free" else None
    elif key == "cylindrical":
        axis, angle = np.array(joint.axis), own[:, 0]
        place = own[:, 1:] * axis
    elif key == "planar":
        first, second = plane_axes(joint.axis)
        place = own[:, :1] * np.array(first) + own[:, 1:2] * np.array(second)
        axis, angle = np.array(joint.axis), own[:, 2]
    elif key == "universal":
        turn = multiply(about(np.array(joint.axis), own[:, 0]), about(np.array(joint.axis2), own[:, 1]))
        return Shift(place=place, turn=turn, axis=None, angle=None)
    elif key in ("spherical", "free"):
        length = np.linalg.norm(own[:, :4], axis=1, keepdims=True)
        turn = own[:, :4] / np.where(length > 0.0, length, 1.0)
        return Shift(place=own[:, 4:7] if key == "free" else place, turn=turn, axis=None, angle=None)
    if angle is None:
        return Shift(place=place, turn=np.tile((1.0, 0.0, 0.0, 0.0), (len(q), 1)), axis=None, angle=None)
    return Shift(place=place, turn=about(axis, angle), axis=axis, angle=angle)


def about(axis: Array, angle: Array) -> Array:
    """Quaternions of turns about a unit axis [rad]."""
    return np.concatenate([np.cos(angle / 2)[:, None], np.sin(angle / 2)[:, None] * axis], axis=1)


def shifts(model: Model, q: Array) -> list[tuple[Array, Array]]:
    """Place and turn of the joint of every body, for many states."""
    found = (joint_shift(body, q, model.planar) for body in model.bodies)
    return [(shift.place, shift.turn) for shift in found]


def world_poses(model: Model, joints: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
    """Axes R_WB, shape (n, 3, 3), and origins p_WB, shape (n, 3) [m], by the number of the body; the ground first."""
    n = len(joints[0][0]) if joints else 1
    found: list[tuple[Array, Array]] = [(np.tile(np.eye(3), (n, 1, 1)), np.zeros((n, 3)))]
    for body, (place, turn) in zip(model.bodies, joints, strict=True):
        R_WP, p_WP = found[body.base]
        R_PB = np.array(body.R_PB)
        p_WB = p_WP + np.einsum("nij,nj->ni", R_WP, np.array(body.p_PB) + place @ R_PB.T)
        found.append((R_WP @ R_PB @ matrices(turn), p_WB))
    return found
