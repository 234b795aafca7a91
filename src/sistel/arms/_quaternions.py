"""Dynamics of an arm in quaternions, with the quaternion of a transition between axial orientations put in.

Here a body turns by a unit quaternion λ alone: there are no matrices, no angular velocities handed from link to link,
and no angles but in λ = cos ½θ + u sin ½θ of a hinge. With its derivatives by the time

    r = p + λ ∘ c ∘ λ̄,   r̈ = p̈ + λ̈ ∘ c ∘ λ̄ + 2 λ̇ ∘ c ∘ λ̇̄ + λ ∘ c ∘ λ̈̄,
    ω = 2 λ̄ ∘ λ̇,   ω̇ = 2 (λ̇̄ ∘ λ̇ + λ̄ ∘ λ̈)   (in the axes of the body),
    F = m (r̈ − g),   M = λ ∘ (J ω̇ + ½ (ω ∘ Jω − Jω ∘ ω)) ∘ λ̄,

and a joint takes the part along its axis of all forces and moments behind it (d'Alembert). Nothing of this is shared
with the recursion of Newton and Euler in `mechanics`, so each checks the other. A body that is carried through a
transition ij→kl has λ(t) = λ_ij ∘ exp(½ s(t) ρ), where ρ is the turn by the Euler parameters of the transition: then
its orientation does not come from the angles of joints at all.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.mechanics import joint_steps, rotor_inertias
from sistel.pose import axial_rotation, conjugate, euler_between, multiply, quaternion
from sistel.records import entry

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Body, Model
    from sistel.motion.trajectories import Path


@entry
class Course:
    """How a body turns: unit quaternions and their first and second derivatives by the time, shape (n, 4)."""

    value: Array
    first: Array
    """[1/s]"""
    second: Array
    """[1/s²]"""

    def then(self, other: Course) -> Course:
        """The turn of this one, and then, in its axes, that of another."""
        return Course(
            multiply(self.value, other.value),
            multiply(self.first, other.value) + multiply(self.value, other.first),
            multiply(self.second, other.value)
            + 2.0 * multiply(self.first, other.first)
            + multiply(self.value, other.second),
        )

    def carried(self, w: Course) -> tuple[Array, Array]:
        """Vectors in the axes of the body, as pure quaternions: seen from outside, and their second derivatives."""
        back = Course(conjugate(self.value), conjugate(self.first), conjugate(self.second))
        whole = self.then(w).then(back)
        return whole.value[:, 1:], whole.second[:, 1:]


@entry
class _Held:
    """A body as it moves, in the world: where its pole is, and what its joint turns about or slides along."""

    course: Course
    pole: Array
    """Shape (n, 3) [m]."""
    rise: Array
    """Acceleration of the pole less that of free fall, shape (n, 3) [m/s²]."""
    axes: tuple[tuple[int, str, Array, Array], ...]
    """Velocity, kind, direction and a point on the axis."""


def transition_turn(start: int, end: int) -> Array:
    """The turn between two axial orientations, in the axes of the first: a rotation vector, the shorter way [rad]."""
    *axis, angle = euler_between(start, end)
    size = math.sqrt(sum(x * x for x in axis)) or 1.0
    turned = math.radians(angle - 360.0 if angle > 180.0 else angle)
    return np.array(axis, dtype=float) / size * turned


def transition_course(start: int, end: int, s: ArrayLike, v: ArrayLike, a: ArrayLike) -> Course:
    """The quaternion of a transition between two axial orientations, put in as a course.

    Args:
        start: Code of the first, such as 13.
        end: Code of the last.
        s: Part of the way, from 0 to 1, shape (n,).
        v: Its derivative by the time [1/s].
        a: Its second derivative [1/s²].
    """
    part, speed, gain = (np.asarray(each, dtype=float)[:, None] for each in (s, v, a))
    turn = transition_turn(start, end)
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle else turn
    half = 0.5 * angle * part
    on = np.concatenate([np.cos(half), np.sin(half) * axis], axis=1)
    pure = np.concatenate([np.zeros((len(part), 1)), np.broadcast_to(axis, (len(part), 3))], axis=1)
    along = multiply(pure, on)
    way = Course(on, 0.5 * angle * speed * along, 0.5 * angle * gain * along - (0.5 * angle * speed) ** 2 * on)
    return _still(np.array(quaternion(axial_rotation(start))), len(part)).then(way)


def transition_path(start: int, end: int, place: ArrayLike) -> Path:
    """A body that turns from one axial orientation to another in its place [m], as `transition_course` does."""
    from sistel.motion.trajectories import line_path

    poses = []
    for code in (start, end):
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = axial_rotation(code), np.asarray(place, dtype=float)
        poses.append(X)
    # Of two ways by half a turn, the one that the code says.
    return replace(line_path(*poses), turn=poses[0][:3, :3] @ transition_turn(start, end))


def quaternion_dynamics(
    model: Model, q: ArrayLike, v: ArrayLike, a: ArrayLike, courses: Mapping[str, Course] | None = None
) -> Array:
    """Driving forces of an arm in quaternions.

    Args:
        model: Bodies on hinges and slides; its springs, dampers and friction do not count.
        q: Coordinates, shape (n, nq) [m or rad].
        v: Velocities, shape (n, nv).
        a: Accelerations, shape (n, nv).
        courses: Of bodies, by name, whose orientation is put in as quaternions instead of the angles of their joints.

    Returns:
        Shape (n, nv) [N or N·m].

    Raises:
        SistelError: A joint has quaternions itself, or a body is not there.
    """
    if any(body.joint.type.has_quaternion for body in model.bodies):
        refuse("no-arm", Text("an arm of hinges and slides is needed", "нужна рука из шарниров и ходов"))
    given = dict(courses or {})
    unknown = given.keys() - {body.name for body in model.bodies}
    if unknown:
        name = min(unknown)
        refuse("unknown-name", Text(f'there is no body "{name}"', f"нет тела «{name}»"))
    rows = tuple(np.atleast_2d(np.asarray(each, dtype=float)) for each in (q, v, a))
    count = len(rows[0])
    ground = _Held(
        _still(np.array([1.0, 0.0, 0.0, 0.0]), count),
        np.zeros((count, 3)),
        np.broadcast_to(-np.asarray(model.gravity, dtype=float), (count, 3)),
        (),
    )
    held = [ground]
    for body in model.bodies:
        held.append(_moved(body, held[body.base], rows, given.get(body.name)))
    forces = [np.zeros((count, 3)) for _ in held]
    moments = [np.zeros((count, 3)) for _ in held]
    tau = rows[2] * np.array(rotor_inertias(model))
    for body in reversed(model.bodies):
        own = held[body.number]
        force, moment = _demand(body, own)
        force, moment = forces[body.number] + force, moments[body.number] + moment
        for place, kind, axis, point in own.axes:
            if kind == "turn":
                tau[:, place] += ((moment - np.cross(point, force)) * axis).sum(axis=1)
            else:
                tau[:, place] += (force * axis).sum(axis=1)
        forces[body.base] += force
        moments[body.base] += moment
    return np.asarray(tau)


def _still(q: Array, count: int) -> Course:
    zero = np.zeros((count, 4))
    return Course(np.broadcast_to(q, (count, 4)), zero, zero)


def _pure(x: Array, first: Array, second: Array, u: Array) -> Course:
    """A vector of changing length as pure quaternions."""
    rows = [np.concatenate([np.zeros((len(x), 1)), each[:, None] * u], axis=1) for each in (x, first, second)]
    return Course(*rows)


def _fixed(r: ArrayLike, count: int) -> Course:
    return _still(np.array([0.0, *np.asarray(r, dtype=float)]), count)


def _moved(body: Body, base: _Held, rows: tuple[Array, ...], given: Course | None) -> _Held:
    """A body behind its joint."""
    count = len(rows[0])
    shift, lift = base.course.carried(_fixed(body.p_PB, count))
    pole, rise = base.pole + shift, base.rise + lift
    course = base.course.then(_still(np.array(quaternion(body.R_PB)), count))
    axes = []
    for k, (kind, direction) in enumerate(joint_steps(body.joint)):
        u = np.array(direction, dtype=float)
        x, dx, ddx = rows[0][:, body.first_q + k], rows[1][:, body.first_v + k], rows[2][:, body.first_v + k]
        axis, _ = course.carried(_fixed(u, count))
        axes.append((body.first_v + k, "turn" if kind == "turn" else "slide", axis, pole))
        if kind == "turn":
            half, pure = 0.5 * x[:, None], _fixed(u, count).value
            on = np.concatenate([np.cos(half), np.sin(half) * u], axis=1)
            along = multiply(pure, on)
            speed, gain = 0.5 * dx[:, None], 0.5 * ddx[:, None]
            course = course.then(Course(on, speed * along, gain * along - speed**2 * on))
        else:
            shift, lift = course.carried(_pure(x, dx, ddx, u))
            pole, rise = pole + shift, rise + lift
    return _Held(course if given is None else given, pole, rise, tuple(axes))


def _demand(body: Body, held: _Held) -> tuple[Array, Array]:
    """The force that a body takes, and its moment about the origin of the world, shape (n, 3) [N, N·m]."""
    course, count = held.course, len(held.pole)
    arm, lift = course.carried(_fixed(body.p_BoBcm_B, count))
    force = body.mass * (held.rise + lift)
    back = conjugate(course.value)
    w = 2.0 * multiply(back, course.first)
    dw = 2.0 * (multiply(conjugate(course.first), course.first) + multiply(back, course.second))
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    spin, gain = (np.concatenate([np.zeros((count, 1)), each[:, 1:] @ inertia], axis=1) for each in (w, dw))
    w = np.concatenate([np.zeros((count, 1)), w[:, 1:]], axis=1)
    whole = gain + 0.5 * (multiply(w, spin) - multiply(spin, w))
    moment = multiply(multiply(course.value, whole), back)[:, 1:]
    return force, moment + np.cross(held.pole + arm, force)
