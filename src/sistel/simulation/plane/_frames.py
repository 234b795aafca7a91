"""Where coordinates of free bodies begin: the loop knows places in the world, a run those of the file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.pose import quaternion
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Body, Model

_UNTURNED: Final = np.eye(3)


@record
class Frame:
    """Coordinates of one body: those in the world are `turn` times its own, and `place` more."""

    number: int
    """Of the body, from 0."""
    turn: Array
    place: Array
    spins: Array
    """The same matrix of velocities; in space they are in the frame of the body anyway."""


def frames_of(model: Model) -> Sequence[Frame]:
    """The frames of bodies whose coordinates do not begin at the origin of the world."""
    return [_frame(model, body) for body in model.bodies if any(body.p_PB) or (_turned(body) != _UNTURNED).any()]


def _turned(body: Body) -> Array:
    return np.array([[float(x) for x in row] for row in body.R_PB])


def _frame(model: Model, body: Body) -> Frame:
    R, place = _turned(body), np.array([float(x) for x in body.p_PB])
    if model.planar:
        turn = np.eye(3)
        turn[:2, :2] = R[:2, :2]
        at = np.array([*place[:2], math.atan2(R[1, 0], R[0, 0])])
        return Frame(number=body.number - 1, turn=turn, place=at, spins=turn)
    w, x, y, z = quaternion(tuple(tuple(float(a) for a in row) for row in R))  # type: ignore[arg-type]
    turn = np.eye(7)
    turn[:4, :4] = [[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]
    turn[4:, 4:] = R
    at = np.array([0.0, 0.0, 0.0, 0.0, *place])
    return Frame(number=body.number - 1, turn=turn, place=at, spins=np.eye(6))


def to_world(frames: Sequence[Frame], q: Array, v: Array) -> tuple[Array, Array]:
    """Places and velocities in the world, shapes (bodies, nq) and (bodies, nv)."""
    if frames:
        q, v = q.copy(), v.copy()
    for each in frames:
        q[each.number] = each.turn @ q[each.number] + each.place
        v[each.number] = each.spins @ v[each.number]
    return q, v


def from_world(frames: Sequence[Frame], q: Array, v: Array) -> None:
    """Let them be coordinates of the file instead, in their arrays: shapes (bodies, nq, …) and (bodies, nv, …).

    What follows are powers of the time: numbers of a state are the first of them.
    """
    for each in frames:
        own = q[each.number].reshape(len(each.place), -1)
        own[:, 0] -= each.place
        q[each.number] = (each.turn.T @ own).reshape(q[each.number].shape)
        fast = v[each.number].reshape(len(each.spins), -1)
        v[each.number] = (each.spins.T @ fast).reshape(v[each.number].shape)
