"""Model → tables of links for looped recursions: arrays instead of objects. Imports NumPy.

Every body has one link for each elementary motion of its joint, all with their origin at the pole of the body; z of a
hinge is its axis. Nothing is moved or lumped (see `_steps`), so that this takes a few microseconds a body.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.mechanics._tree import rotor_inertias
from sistel.mechanics.steps._step import CONSTANTS, KINDS, VELOCITIES, WORLD
from sistel.model import Body, Model
from sistel.model.joints import Direction, JointType
from sistel.pose import IDENTITY, Rotation, Vector3, plane_axes
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole


TURN, SLIDE, BALL, FREE, FIXED = range(5)

_DIRECTIONS: Final[tuple[Direction, ...]] = ("axis", "axis2", "x", "y", "z", "first", "second")
_AXIS, _AXIS2, _X, _Y, _Z, _FIRST, _SECOND = range(7)
"""Which direction of a body an elementary motion is along: of its joint, of its frame, or in the plane of its joint."""


@cache
def _motions(joint: JointType) -> tuple[tuple[int, int], ...]:
    """Kind and direction of each elementary motion of a joint, as numbers; a fixed joint has one that moves nothing."""
    return tuple((KINDS.index(kind), _DIRECTIONS.index(way)) for kind, way in joint.motions) or ((FIXED, _Z),)


@entry
class Records:
    """The links of a model, the ground first, as tables."""

    model: Model
    index: Whole
    """Kind, parent, first coordinate, first velocity: shape (links + 1, 4)."""
    constants: Array
    """Shape (links + 1, size), in the order of `CONSTANTS`."""
    world: Array
    """In the order of `WORLD`; of no frame in particular."""
    last: Whole
    """The last link of every body, the ground first: what the body is a part of."""
    R: Array
    """Axes of every body in that link, shape (bodies + 1, 3, 3)."""
    p: Array
    """Pole of every body in that link [m]."""
    rotors: Array
    """Inertia of the motors' rotors at every velocity [kg or kg·m²]."""
    above: Whole
    """For every velocity the one before it on the way to the ground, -1 for none; where fixed bodies are merged."""

    def path(self, body: int) -> Whole:
        """The links from the ground to a body."""
        path: list[int] = []
        at, parents = int(self.last[body]), self.index[:, 1]
        while at:
            path.append(at)
            at = int(parents[at])
        return np.array(path[::-1], np.int64)

    def frame(self, body: int, p: Vector3, R: Rotation) -> Array:
        """`world` for a frame fixed in a body."""
        world = self.world.copy()
        world[7:10] = self.p[body] + self.R[body] @ np.asarray(p)
        world[10:19] = (self.R[body] @ np.asarray(R)).ravel()
        return world

    def coordinate(self, link: int) -> str:
        """The name of the coordinate of a link, for messages."""
        name = self.model.rate_names[int(self.index[link, 3])]
        return name.rpartition(".")[0] if self.index[link, 0] in (BALL, FREE) else name


def link_records(model: Model, *, merge: bool = True) -> Records:
    """The tables of a model without its closures, contacts and other links.

    Args:
        model: The system.
        merge: Whether bodies that are fixed to others become a part of them; otherwise they are links as well.
    """
    bodies = model.bodies
    motions = [_motions(b.joint.type) for b in bodies]
    if merge:
        motions = [() if m[0][0] == FIXED else m for m in motions]
    counts = np.array([0, *map(len, motions)], np.int64)
    ends = np.cumsum(counts)
    steps = np.array([step for m in motions for step in m], np.int64).reshape(-1, 2)
    total = len(steps)
    kind, source = steps[:, 0], steps[:, 1]
    owner = np.repeat(np.arange(len(bodies) + 1), counts)
    """The body of every link."""
    leads = np.arange(1, total + 1) == (ends - counts + 1)[owner]
    """Whether a link is the first of its body."""

    C = np.tile(np.eye(3), (total + 1, 1, 1))
    axes = _directions(bodies, owner, source)
    C[1:][kind == TURN] = _frames_about(axes[kind == TURN])
    turned_back = C.transpose(0, 2, 1)

    R_PB = np.array([IDENTITY, *(b.R_PB for b in bodies)])
    p_PB = np.array([(0.0, 0.0, 0.0), *(b.p_PB for b in bodies)])
    base = np.array([0, *(b.base for b in bodies)], np.int64)
    last, R, p = ends.copy(), turned_back[ends], np.zeros((len(bodies) + 1, 3))
    for number in np.flatnonzero(counts == 0)[1:].tolist():
        # Fixed to its base, hence a part of what the base is a part of.
        at = base[number]
        last[number] = last[at]
        R[number], p[number] = R[at] @ R_PB[number], p[at] + R[at] @ p_PB[number]

    on = base[owner]
    R_PL, p_PL = turned_back[np.arange(total)], np.zeros((total, 3))
    lead = on[leads]
    R_PL[leads] = R[lead] @ R_PB[owner[leads]]
    p_PL[leads] = p[lead] + _turn(R[lead], p_PB[owner[leads]])
    index = np.zeros((total + 1, 4), np.int64)
    index[1:, 0] = kind
    index[1:, 1] = np.where(leads, last[on], np.arange(total))
    firsts = np.array([(0, 0), *((b.first_q, b.first_v) for b in bodies)], np.int64)
    index[1:, 2:] = firsts[owner] + (np.arange(1, total + 1) - (ends - counts + 1)[owner])[:, None]

    constants = np.zeros((total + 1, sum(CONSTANTS.values())))
    constants[0, :9] = np.eye(3).ravel()
    constants[1:, :9] = (R_PL @ C[1:]).reshape(total, 9)
    constants[1:, 9:12] = p_PL
    constants[1:, 12:15] = _turn(R_PL, axes)
    np.add.at(constants[:, 15:], last[1:], _inertias(bodies, R[1:], p[1:]))
    world, rotors = _world(model, constants), np.array(rotor_inertias(model))
    return Records(model, index, constants, world, last, R, p, rotors, _above(index, model.nv))


def _directions(bodies: Sequence[Body], owner: Whole, source: Whole) -> Array:
    """The direction of every link in the axes of its body."""
    table = np.zeros((len(bodies) + 1, 7, 3))
    table[1:, _AXIS] = np.array([b.joint.axis for b in bodies]).reshape(-1, 3)
    table[1:, _AXIS2] = np.array([b.joint.axis2 for b in bodies]).reshape(-1, 3)
    table[:, _X : _Z + 1] = np.eye(3)
    for number in np.unique(owner[source == _FIRST]).tolist():
        table[number, _FIRST:] = plane_axes(bodies[number - 1].joint.axis)
    return table[owner, source]


def _frames_about(axes: Array) -> Array:
    """Rotations whose third columns are the given unit vectors."""
    x, y, z = axes.T
    upright = (x == 0) & (y == 0)
    length = np.where(upright, 1.0, np.hypot(x, y))
    zero = np.zeros_like(x)
    first = np.stack([-y / length, x / length, zero], axis=1)
    frames = np.stack([first, np.cross(axes, first), axes], axis=2)
    frames[upright] = np.eye(3) * np.stack([zero + 1, np.sign(z), np.sign(z)], axis=1)[upright, None, :]
    return frames


def _turn(R: Array, v: Array) -> Array:
    turned: Array = np.einsum("nij,nj->ni", R, v)
    return turned


def _inertias(bodies: Sequence[Body], R: Array, p: Array) -> Array:
    """Mass, first moment and tensor of every body about the origin of the link that it is a part of, in its axes."""
    m = np.array([b.mass for b in bodies])
    c = p + _turn(R, np.array([b.p_BoBcm_B for b in bodies]).reshape(-1, 3))
    xx, yy, zz, xy, xz, yz = np.array([b.I_BBcm_B for b in bodies]).reshape(-1, 6).T
    central = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=1).reshape(-1, 3, 3)
    tensor = R @ central @ R.transpose(0, 2, 1)
    square = np.einsum("ni,ni->n", c, c)
    tensor += m[:, None, None] * (square[:, None, None] * np.eye(3) - c[:, :, None] * c[:, None, :])
    places = tensor[:, [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return np.concatenate([m[:, None], m[:, None] * c, places], axis=1)


def _world(model: Model, constants: Array) -> Array:
    world = np.zeros(sum(WORLD.values()))
    mass = sum(body.mass for body in model.bodies)
    world[0:3] = model.gravity
    world[3] = 1 / mass if mass else 0.0
    world[4:7] = constants[0, 16:19]
    world[10:19] = np.eye(3).ravel()
    return world


def _above(index: Whole, nv: int) -> Whole:
    """For every velocity the one before it on the way to the ground."""
    above = np.arange(-1, nv - 1, dtype=np.int64)
    counts = np.array([VELOCITIES[kind] for kind in KINDS])
    # The velocities of one joint follow each other; the first of them comes after the last of the parent.
    moving = index[1:][index[1:, 0] != FIXED]
    parents = moving[:, 1]
    before = index[parents, 3] + counts[index[parents, 0]] - 1
    above[moving[:, 3]] = np.where(parents > 0, before, -1)
    return above
