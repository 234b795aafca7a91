"""Motion and loads of every body of the model, in world axes, one body after another.

Plain Newton and Euler without any regrouping: slower than the recursion over links, but it knows each body and each
joint, fixed ones too. Reactions and energies come from here, and inverse dynamics a second, independent way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sistel.expr import cos, sin
from sistel.mechanics._frames import quaternion_matrix
from sistel.mechanics._tree import rotor_inertias
from sistel.mechanics._vectors import (
    IDENTITY,
    ZERO,
    Matrix,
    Scalar,
    Vector,
    add,
    apply,
    cross,
    dot,
    product,
    scale,
    subtract,
    transposed,
)
from sistel.model import Body, Model
from sistel.pose import Vector3, plane_axes


@dataclass(slots=True, eq=False)
class BodyMotion:
    """Pose, velocity and acceleration of a body, in W."""

    R: Matrix
    """R_WB."""
    p: Vector
    """p_WB [m]."""
    w: Vector
    """Angular velocity [rad/s]."""
    v: Vector
    """Velocity of the pole [m/s]."""
    dw: Vector
    """Angular acceleration [rad/s²]."""
    a: Vector
    """Acceleration of the pole [m/s²]."""


@dataclass(slots=True, eq=False)
class Load:
    """What the base does to a body through their joint, in W, about the pole of the body."""

    moment: Vector
    """[N·m]"""
    force: Vector
    """[N]"""


def body_motions(model: Model, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar]) -> list[BodyMotion]:
    """Motion of all bodies, the ground first."""
    motions = [BodyMotion(IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO)]
    for body in model.bodies:
        motions.append(_follow(body, motions[body.base], q, v, a, model.planar))
    return motions


def _follow(
    body: Body, base: BodyMotion, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar], planar: bool
) -> BodyMotion:
    at = _carried(base, body.p_PB)
    at.R = product(base.R, body.R_PB)
    first_q, first_v = body.first_q, body.first_v
    for kind, axis in _steps(body, planar):
        if kind == "turn":
            at = _turned(at, axis, q[first_q], v[first_v], a[first_v])
        elif kind == "slide":
            at = _slid(at, axis, q[first_q], v[first_v], a[first_v])
        else:
            return _free(at, q[first_q:], v[first_v:], a[first_v:], kind == "free")
        first_q, first_v = first_q + 1, first_v + 1
    return at


def _steps(body: Body, planar: bool) -> list[tuple[str, Vector3]]:
    """The elementary motions of a joint, in order."""
    joint, x, y, z = body.joint, (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    key = joint.type.key
    first, second = plane_axes(joint.axis)
    table: dict[str, list[tuple[str, Vector3]]] = {
        "fixed": [],
        "revolute": [("turn", joint.axis)],
        "prismatic": [("slide", joint.axis)],
        "prismatic2": [("slide", x), ("slide", y)],
        "cylindrical": [("turn", joint.axis), ("slide", joint.axis)],
        "universal": [("turn", joint.axis), ("turn", joint.axis2)],
        "planar": [("slide", first), ("slide", second), ("turn", joint.axis)],
        "spherical": [("ball", z)],
        "free": [("slide", x), ("slide", y), ("turn", z)] if planar else [("free", z)],
    }
    return table[key]


def _carried(base: BodyMotion, p: Sequence[Scalar]) -> BodyMotion:
    """The motion of a point at rest in a moving body."""
    r = apply(base.R, p)
    return BodyMotion(
        base.R,
        add(base.p, r),
        base.w,
        add(base.v, cross(base.w, r)),
        base.dw,
        add(base.a, cross(base.dw, r), cross(base.w, cross(base.w, r))),
    )


def _turned(at: BodyMotion, axis: Vector3, angle: Scalar, rate: Scalar, gain: Scalar) -> BodyMotion:
    c, s = cos(angle), sin(angle)
    x, y, z = axis
    d = 1.0 - c
    turn: Matrix = (
        (_diagonal(x, c, d), x * y * d - z * s, x * z * d + y * s),
        (x * y * d + z * s, _diagonal(y, c, d), y * z * d - x * s),
        (x * z * d - y * s, y * z * d + x * s, _diagonal(z, c, d)),
    )
    direction = apply(at.R, axis)
    spin = scale(rate, direction)
    return BodyMotion(
        product(at.R, turn),
        at.p,
        add(at.w, spin),
        at.v,
        add(at.dw, scale(gain, direction), cross(at.w, spin)),
        at.a,
    )


def _diagonal(x: float, c: Scalar, d: Scalar) -> Scalar:
    """Cos φ + x² (1 − cos φ), which is 1 along the axis itself."""
    return 1.0 if abs(x) == 1.0 else c + x * x * d


def _slid(at: BodyMotion, axis: Vector3, way: Scalar, rate: Scalar, gain: Scalar) -> BodyMotion:
    moved = _carried(at, scale(way, axis))
    direction = apply(at.R, axis)
    speed = scale(rate, direction)
    moved.v = add(moved.v, speed)
    moved.a = add(moved.a, scale(gain, direction), scale(2.0, cross(at.w, speed)))
    return moved


def _free(at: BodyMotion, q: Sequence[Scalar], v: Sequence[Scalar], a: Sequence[Scalar], moves: bool) -> BodyMotion:
    moved = _carried(at, q[4:7]) if moves else at
    R = product(at.R, quaternion_matrix(q[:4]))
    spin, gain = apply(R, v[:3]), apply(R, a[:3])
    speed, origin = moved.v, moved.a
    if moves:
        own = apply(R, v[3:6])
        speed = add(speed, own)
        origin = add(origin, apply(R, a[3:6]), cross(spin, own), scale(2.0, cross(at.w, own)))
    return BodyMotion(R, moved.p, add(at.w, spin), speed, add(at.dw, gain, cross(at.w, spin)), origin)


def joint_loads(
    model: Model,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    a: Sequence[Scalar],
    outer: Sequence[tuple[int, Vector3, Vector, Vector]] = (),
) -> list[Load]:
    """Reactions and driving forces at every joint, by body number; the first entry, of the ground, is empty.

    Args:
        model: The system.
        q: Coordinates.
        v: Velocities.
        a: Accelerations.
        outer: What acts on bodies beside their joints and their weight: the body, a point of it, and the moment and the
            force there, in W.
    """
    motions = body_motions(model, q, v, a)
    loads = [Load(ZERO, ZERO) for _ in motions]
    for number, p, moment, force in outer:
        load, arm = loads[number], apply(motions[number].R, p)
        load.force = subtract(load.force, force)
        load.moment = subtract(load.moment, add(moment, cross(arm, force)))
    loads[0] = Load(ZERO, ZERO)
    for body in reversed(model.bodies):
        motion, load = motions[body.number], loads[body.number]
        centre = _carried(motion, body.p_BoBcm_B)
        force = scale(body.mass, subtract(centre.a, model.gravity))
        inertia = _world_inertia(body, motion.R)
        moment = add(apply(inertia, motion.dw), cross(motion.w, apply(inertia, motion.w)))
        arm = subtract(centre.p, motion.p)
        load.force = add(load.force, force)
        load.moment = add(load.moment, moment, cross(arm, force))
        if body.base:
            base, reach = loads[body.base], subtract(motion.p, motions[body.base].p)
            base.force = add(base.force, load.force)
            base.moment = add(base.moment, load.moment, cross(reach, load.force))
    return loads


def _world_inertia(body: Body, R: Matrix) -> Matrix:
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    return product(product(R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), transposed(R))


def energies(model: Model, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Scalar, Scalar]:
    """Kinetic energy and potential of weight of all bodies [J]; that is 0 with all centres of mass at the origin."""
    kinetic: Scalar = 0.0
    potential: Scalar = 0.0
    for moving, lifted in body_energies(model, q, v):
        kinetic, potential = kinetic + moving, potential + lifted
    return kinetic + rotor_energy(model, v), potential


def rotor_energy(model: Model, v: Sequence[Scalar]) -> Scalar:
    """Kinetic energy of the motors' rotors, as far as they turn against the bodies that carry them [J]."""
    total: Scalar = 0.0
    for rotor, rate in zip(rotor_inertias(model), v, strict=True):
        total = total + 0.5 * rotor * (rate * rate)
    return total


def body_energies(model: Model, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[tuple[Scalar, Scalar]]:
    """Kinetic and potential energy of every body, by number [J]."""
    still: list[Scalar] = [0.0] * model.nv
    made: list[tuple[Scalar, Scalar]] = []
    for body, motion in zip(model.bodies, body_motions(model, q, v, still)[1:], strict=True):
        centre = _carried(motion, body.p_BoBcm_B)
        spin = apply(transposed(motion.R), motion.w)
        xx, yy, zz, xy, xz, yz = body.I_BBcm_B
        turning = dot(spin, apply(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)), spin))
        kinetic = 0.5 * (body.mass * dot(centre.v, centre.v) + turning)
        made.append((kinetic, -(body.mass * dot(model.gravity, centre.p))))
    return made


def momentum(model: Model, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Vector, Vector]:
    """Angular momentum about the origin of W [N·m·s], and momentum [N·s], of all bodies; rotors apart."""
    still: list[Scalar] = [0.0] * model.nv
    angular, linear = ZERO, ZERO
    for body, motion in zip(model.bodies, body_motions(model, q, v, still)[1:], strict=True):
        centre = _carried(motion, body.p_BoBcm_B)
        push = scale(body.mass, centre.v)
        angular = add(angular, apply(_world_inertia(body, motion.R), motion.w), cross(centre.p, push))
        linear = add(linear, push)
    return angular, linear


def centre_of_mass(model: Model, q: Sequence[Scalar]) -> Vector:
    """Centre of mass of the whole system, in W [m]; the origin for a system without mass."""
    still: list[Scalar] = [0.0] * model.nv
    total = sum(body.mass for body in model.bodies)
    if total == 0:
        return ZERO
    sums = ZERO
    for body, motion in zip(model.bodies, body_motions(model, q, still, still)[1:], strict=True):
        sums = add(sums, scale(body.mass / total, _carried(motion, body.p_BoBcm_B).p))
    return sums
