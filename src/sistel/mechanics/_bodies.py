"""Motion and loads of every body of the model, in world axes, one body after another.

Plain Newton and Euler without any regrouping: slower than the recursion over links, but it knows each body and each
joint, fixed ones too. Reactions and energies come from here, and inverse dynamics a second, independent way.
"""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import IDENTITY, ZERO, Matrix, Scalar, Scalars, Vector, cos, cross, dot, sin, symmetric
from sistel.mechanics._frames import quaternion_matrix
from sistel.mechanics._tree import joint_steps, rotor_inertias
from sistel.model import Body, Model
from sistel.pose import Vector3
from sistel.records import mutable


@mutable
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


@mutable
class Load:
    """What the base does to a body through their joint, in W, about the pole of the body."""

    moment: Vector
    """[N·m]"""
    force: Vector
    """[N]"""


def body_motions(model: Model, q: Scalars, v: Scalars, a: Scalars) -> list[BodyMotion]:
    """Motion of all bodies, the ground first."""
    motions = [BodyMotion(IDENTITY, ZERO, ZERO, ZERO, ZERO, ZERO)]
    for body in model.bodies:
        motions.append(_follow(body, motions[body.base], q, v, a))
    return motions


def _follow(body: Body, base: BodyMotion, q: Scalars, v: Scalars, a: Scalars) -> BodyMotion:
    at = _carried(base, body.p_PB)
    at.R = base.R @ Matrix(*body.R_PB)
    first_q, first_v = body.first_q, body.first_v
    for kind, axis in joint_steps(body.joint):
        if kind == "turn":
            at = _turned(at, axis, q[first_q], v[first_v], a[first_v])
        elif kind == "slide":
            at = _slid(at, axis, q[first_q], v[first_v], a[first_v])
        else:
            return _free(at, q[first_q:], v[first_v:], a[first_v:], kind == "free")
        first_q, first_v = first_q + 1, first_v + 1
    return at


def _carried(base: BodyMotion, p: Scalars) -> BodyMotion:
    """The motion of a point at rest in a moving body."""
    r = base.R @ p
    p_WP, v_WP = base.p + r, base.v + cross(base.w, r)
    tangential, centripetal = cross(base.dw, r), cross(base.w, cross(base.w, r))
    return BodyMotion(base.R, p_WP, base.w, v_WP, base.dw, base.a + tangential + centripetal)


def _turned(at: BodyMotion, axis: Vector3, angle: Scalar, rate: Scalar, gain: Scalar) -> BodyMotion:
    c, s = cos(angle), sin(angle)
    x, y, z = axis
    d = 1.0 - c
    turn = Matrix(
        (_diagonal(x, c, d), x * y * d - z * s, x * z * d + y * s),
        (x * y * d + z * s, _diagonal(y, c, d), y * z * d - x * s),
        (x * z * d - y * s, y * z * d + x * s, _diagonal(z, c, d)),
    )
    direction = at.R @ axis
    spin = rate * direction
    R, w = at.R @ turn, at.w + spin
    own, carried = gain * direction, cross(at.w, spin)
    return BodyMotion(R, at.p, w, at.v, at.dw + own + carried, at.a)


def _diagonal(x: float, c: Scalar, d: Scalar) -> Scalar:
    """Cos φ + x² (1 − cos φ), which is 1 along the axis itself."""
    return 1.0 if abs(x) == 1.0 else c + x * x * d


def _slid(at: BodyMotion, axis: Vector3, way: Scalar, rate: Scalar, gain: Scalar) -> BodyMotion:
    moved = _carried(at, way * Vector(*axis))
    direction = at.R @ axis
    speed = rate * direction
    moved.v = moved.v + speed
    own, coriolis = gain * direction, 2.0 * cross(at.w, speed)
    moved.a = moved.a + own + coriolis
    return moved


def _free(at: BodyMotion, q: Scalars, v: Scalars, a: Scalars, moves: bool) -> BodyMotion:
    moved = _carried(at, q[4:7]) if moves else at
    R = at.R @ quaternion_matrix(q[:4])
    spin, gain = R @ v[:3], R @ a[:3]
    speed, origin = moved.v, moved.a
    if moves:
        own = R @ v[3:6]
        speed = speed + own
        gained, turning, coriolis = R @ a[3:6], cross(spin, own), 2.0 * cross(at.w, own)
        origin = origin + gained + turning + coriolis
    w, carried = at.w + spin, cross(at.w, spin)
    return BodyMotion(R, moved.p, w, speed, at.dw + gain + carried, origin)


def joint_loads(
    model: Model, q: Scalars, v: Scalars, a: Scalars, outer: Sequence[tuple[int, Vector3, Vector, Vector]] = ()
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
        load, arm = loads[number], motions[number].R @ p
        load.force = load.force - force
        load.moment = load.moment - (moment + cross(arm, force))
    loads[0] = Load(ZERO, ZERO)
    for body in reversed(model.bodies):
        motion, load = motions[body.number], loads[body.number]
        centre = _carried(motion, body.p_BoBcm_B)
        force = body.mass * (centre.a - model.gravity)
        inertia = _world_inertia(body, motion.R)
        moment = inertia @ motion.dw + cross(motion.w, inertia @ motion.w)
        arm = centre.p - motion.p
        load.force = load.force + force
        levered = cross(arm, force)
        load.moment = load.moment + moment + levered
        if body.base:
            base, reach = loads[body.base], motion.p - motions[body.base].p
            base.force = base.force + load.force
            levered = cross(reach, load.force)
            base.moment = base.moment + load.moment + levered
    return loads


def _world_inertia(body: Body, R: Matrix) -> Matrix:
    return R @ symmetric(body.I_BBcm_B) @ R.T


def energies(model: Model, q: Scalars, v: Scalars) -> tuple[Scalar, Scalar]:
    """Kinetic energy and potential of weight of all bodies [J]; that is 0 with all centres of mass at the origin."""
    kinetic: Scalar = 0.0
    potential: Scalar = 0.0
    for moving, lifted in body_energies(model, q, v):
        kinetic, potential = kinetic + moving, potential + lifted
    return kinetic + rotor_energy(model, v), potential


def rotor_energy(model: Model, v: Scalars) -> Scalar:
    """Kinetic energy of the motors' rotors, as far as they turn against the bodies that carry them [J]."""
    total: Scalar = 0.0
    for rotor, rate in zip(rotor_inertias(model), v, strict=True):
        total = total + 0.5 * rotor * (rate * rate)
    return total


def body_energies(model: Model, q: Scalars, v: Scalars) -> list[tuple[Scalar, Scalar]]:
    """Kinetic and potential energy of every body, by number [J]."""
    still: list[Scalar] = [0.0] * model.nv
    made: list[tuple[Scalar, Scalar]] = []
    for body, motion in zip(model.bodies, body_motions(model, q, v, still)[1:], strict=True):
        centre = _carried(motion, body.p_BoBcm_B)
        spin = motion.R.T @ motion.w
        turning = dot(spin, symmetric(body.I_BBcm_B) @ spin)
        kinetic = 0.5 * (body.mass * dot(centre.v, centre.v) + turning)
        made.append((kinetic, -(body.mass * dot(model.gravity, centre.p))))
    return made


def momentum(model: Model, q: Scalars, v: Scalars) -> tuple[Vector, Vector]:
    """Angular momentum about the origin of W [N·m·s], and momentum [N·s], of all bodies; rotors apart."""
    still: list[Scalar] = [0.0] * model.nv
    angular, linear = ZERO, ZERO
    for body, motion in zip(model.bodies, body_motions(model, q, v, still)[1:], strict=True):
        centre = _carried(motion, body.p_BoBcm_B)
        push = body.mass * centre.v
        spin, orbit = _world_inertia(body, motion.R) @ motion.w, cross(centre.p, push)
        angular = angular + spin + orbit
        linear = linear + push
    return angular, linear


def centre_of_mass(model: Model, q: Scalars) -> Vector:
    """Centre of mass of the whole system, in W [m]; the origin for a system without mass."""
    still: list[Scalar] = [0.0] * model.nv
    total = sum(body.mass for body in model.bodies)
    if total == 0:
        return ZERO
    sums = ZERO
    for body, motion in zip(model.bodies, body_motions(model, q, still, still)[1:], strict=True):
        sums = sums + body.mass / total * _carried(motion, body.p_BoBcm_B).p
    return sums
