"""Planes by which sets of places are cut."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arrays import Array
    from sistel.model import Body


NAMED: Final = {"xy": (0, 1, 2), "xz": (0, 2, 1), "yz": (1, 2, 0)}
"""Axes to the right, up, and across."""


@record
class Plane:
    """A plane with axes in it."""

    point: Array
    """Where its own axes meet, shape (3,) [m]."""
    right: Array
    """Unit vector of its first axis in the world, shape (3,)."""
    up: Array
    """Of its second axis, at a right angle."""
    labels: tuple[str, str]
    """What its axes are called."""

    @property
    def normal(self) -> Array:
        """Unit vector across, shape (3,)."""
        return np.cross(self.right, self.up)

    def into(self, p: Array) -> Array:
        """Points of the world seen along the normal, shape (..., 3) to (..., 2) [m]."""
        d = p - self.point
        return np.stack([d @ self.right, d @ self.up], axis=-1)

    def out(self, s: Array) -> Array:
        """Points of the plane in the world, shape (..., 2) to (..., 3) [m]."""
        return np.asarray(self.point + s[..., :1] * self.right + s[..., 1:] * self.up)


def first_axis(chain: Chain) -> tuple[Array, Array] | None:
    """A point and the direction of the first joint of a chain, where it turns about an axis that stays [m]."""
    if not chain.turns[0] or any(body.joint.type.has_quaternion for body in _carriers(chain)):
        return None
    pole, axis = _pole(chain, 0), chain.columns(chain.start[None]).w[0, :, 0]
    return pole, np.asarray(axis / np.linalg.norm(axis))


def shoulder(chain: Chain) -> Array:
    """The point from which reach is counted [m].

    It is on the first axis, where the second joint begins, if the first turns about an axis that stays and the second
    is not parallel to it; else the pole of the first body.
    """
    axis = first_axis(chain)
    if axis is None or chain.n < 2:
        return _pole(chain, 0)
    point, along = axis
    if np.linalg.norm(np.cross(along, chain.columns(chain.start[None]).w[0, :, 1])) < 1e-9:
        return point
    return np.asarray(point + along * ((_pole(chain, 1) - point) @ along))


def _carriers(chain: Chain) -> list[Body]:
    """The bodies that carry the frame, from the ground on."""
    found: list[Body] = []
    number = chain.place[0]
    while number:
        found.insert(0, chain.model.bodies[number - 1])
        number = found[0].base
    return found


def _pole(chain: Chain, coordinate: int) -> Array:
    """Where the body that a coordinate of the chain moves has its pole at the start [m]."""
    place = int(chain.places[coordinate])
    body = next(b for b in _carriers(chain) if b.first_q <= place < b.first_q + len(b.joint.type.coordinates))
    X = np.asarray(chain.engine.frame_call("pose", body.number, (0.0, 0.0, 0.0), _AXES)(chain.start))
    return np.asarray(X.reshape(4, 4)[:3, 3])


_AXES: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def read_plane(chain: Chain, given: object, through: object) -> Plane:
    """A plane by a name, or by a point and a normal.

    Args:
        chain: The frame.
        given: "xy", "xz", "yz"; a point and a normal; None for the plane of a frame that leaves no plane, else one
            along the first axis.
        through: A point of it; None for one of the first axis where that is parallel to the plane, else the place of
            the frame at the start.

    Raises:
        SistelError: It is no plane.
    """
    point = None if through is None else _vector(through)
    if given is None and chain.dimension == 2:
        u = chain.normal
        names = [name for name, (_, _, k) in NAMED.items() if abs(u[k]) > 1.0 - 1e-9]
        if not names:
            return _tilted(chain.origin if point is None else point, u)
        given, point = names[0], chain.origin if point is None else point
    elif given is None:
        axis = first_axis(chain)
        given = "xz" if axis is None or abs(axis[1][1]) < 1e-9 else "yz" if abs(axis[1][0]) < 1e-9 else "xy"
    if isinstance(given, str):
        if given not in NAMED:
            _refuse()
        i, j, k = NAMED[given]
        world = np.eye(3)
        if point is None:
            axis = first_axis(chain)
            along = axis is not None and abs(axis[1][k]) < 1e-9
            point = np.array(axis[0] if along and axis is not None else chain.origin)
        # Its own axes begin over the origin of the world, so that its numbers are those of the world.
        return Plane(point=point[k] * world[k], right=world[i], up=world[j], labels=(given[0], given[1]))
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        _refuse()
    return _tilted(_vector(given[0]), _vector(given[1]))


def _tilted(point: Array, normal: Array) -> Plane:
    """A plane across any direction: its second axis goes as far up as it can."""
    length = np.linalg.norm(normal)
    if not length > 0.0:
        _refuse()
    n = normal / length
    up = np.array([0.0, 0.0, 1.0]) - n[2] * n
    if np.linalg.norm(up) < 1e-6:
        up = np.array([0.0, 1.0, 0.0]) - n[1] * n
    up /= np.linalg.norm(up)
    return Plane(point=point, right=np.cross(up, n), up=up, labels=("s", "t"))


def _vector(given: object) -> Array:
    try:
        made = np.array(given, dtype=float)
    except (TypeError, ValueError):
        made = np.zeros(0)
    if made.shape != (3,) or not all(math.isfinite(x) for x in made):
        _refuse()
    return made


def _refuse() -> NoReturn:
    refuse(
        "bad-plane",
        Text(
            'plane is "xy", "xz" or "yz", or a point and a normal, each of three numbers [m]',
            "plane — «xy», «xz» или «yz» либо точка и нормаль, по три числа [м]",
        ),
    )
