"""What the file lets act beside weight: springs, dampers and friction of joints, springs between bodies, forces.

Soft stops act as springs beyond their limits. Friction of joints opposes motion with its full strength; whether a joint
at rest sticks is decided with the structures, not here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sistel.expr import atan2, less, maximum, select, sqrt
from sistel.markup import Name, walk_expression
from sistel.mechanics._formula import formula_value, sign
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._vectors import Scalar, Vector, add, apply, cross, dot, minus, plus, scale, subtract, times
from sistel.model import Body, Force, Model, Spring, Stop
from sistel.pose import IDENTITY, Vector3

Push = tuple[int, Vector3, Vector, Vector]
"""A body, a point of it, and the moment and the force there, in W."""


@dataclass(slots=True, eq=False)
class Applied:
    """Forces of one state."""

    generalized: list[Scalar]
    """On every velocity: everything together [N or N·m]."""
    joints: list[Scalar]
    """The part of it that acts in the joints themselves."""
    outer: list[Push] = field(default_factory=list)
    """What acts on bodies beside their joints."""
    springs: dict[str, tuple[Vector, Vector]] = field(default_factory=dict)
    """Moment (none) and force of every spring on its first body, in W."""


def applied_forces(state: Quantities) -> Applied:
    """Everything that the file lets act on a state, weight and reactions apart."""
    joints = joint_forces(state.model, state.q, state.v)
    made = Applied(list(joints), joints)
    for spring in state.model.springs:
        _spring(spring, state, made)
    for force in state.model.forces:
        _force(force, state, made)
    _spread_all(state, made)
    return made


def joint_forces(model: Model, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """What springs, dampers, friction and soft stops of the joints do, on every velocity [N or N·m]."""
    joints: list[Scalar] = [0.0] * model.nv
    for body in model.bodies:
        _joint(body, q, v, joints)
    for stop in model.stops:
        _stop(stop, model, q, v, joints)
    return joints


def spring_forces(state: Quantities) -> Applied:
    """What the springs between bodies do."""
    made = Applied([0.0] * state.model.nv, [0.0] * state.model.nv)
    for spring in state.model.springs:
        _spring(spring, state, made)
    _spread_all(state, made)
    return made


def _spread_all(state: Quantities, made: Applied) -> None:
    for body, p, moment, push in made.outer:
        spread(state, body, p, moment, push, made.generalized)


def acts(model: Model) -> bool:
    """Whether the file lets anything act beside weight."""
    soft = any(stop.stiffness is not None for stop in model.stops)
    joints = (body.joint for body in model.bodies)
    return (
        soft
        or bool(model.springs or model.forces)
        or any(any((*joint.stiffness, *joint.damping, *joint.friction)) for joint in joints)
    )


def uses_time(model: Model) -> bool:
    """Whether a force depends on the time."""
    return any(
        isinstance(node, Name) and node.name == "t"
        for force in model.forces
        for formula in force.components
        for node in walk_expression(formula.expression)
    )


def _joint(body: Body, q: Sequence[Scalar], v: Sequence[Scalar], joints: list[Scalar]) -> None:
    joint, first = body.joint, body.first_v
    turn = _rotation_vector(q[body.first_q : body.first_q + 4]) if joint.type.has_quaternion else None
    for i in range(joint.type.nv):
        rate = v[first + i]
        total = joints[first + i]
        if joint.stiffness[i]:
            if turn is None:
                way: Scalar = minus(q[body.first_q + i], joint.rest[i])
            else:
                # Springs of a ball are along its own axes; those of a free body's place along the axes of the base.
                way = minus(turn[i], joint.rest[i]) if i < 3 else 0.0
            total = minus(total, times(joint.stiffness[i], way))
        if joint.damping[i]:
            total = minus(total, times(joint.damping[i], rate))
        if joint.friction[i]:
            total = minus(total, times(joint.friction[i], sign(rate)))
        joints[first + i] = total


def _rotation_vector(q: Sequence[Scalar]) -> Vector:
    w, x, y, z = q
    sine = sqrt(plus(plus(times(x, x), times(y, y)), times(z, z)))
    small = less(sine, 1e-150)
    factor = select(small, 2.0, times(2.0, atan2(sine, w)) / select(small, 1.0, sine))
    return scale(factor, (x, y, z))


def _stop(stop: Stop, model: Model, q: Sequence[Scalar], v: Sequence[Scalar], joints: list[Scalar]) -> None:
    """A soft stop pushes back, and never pulls."""
    if stop.stiffness is None:
        return
    body = model.bodies[stop.body - 1]
    joint = body.joint
    shift = joint.type.nq - joint.type.nv
    for i in range(joint.type.nv):
        at, rate = q[body.first_q + shift + i], v[body.first_v + i]
        if joint.type.key in ("prismatic2", "free") and joint.type.rates[i][1] == "slide":
            at = plus(at, body.p_PB[i])  # limits of these are of the place of the pole
        k, c = stop.stiffness[i], stop.damping[i]
        for limit, outward, present in ((joint.minimum[i], -1.0, stop.at_min), (joint.maximum[i], 1.0, stop.at_max)):
            if not present or abs(limit) == float("inf"):
                continue
            depth = times(outward, minus(at, limit))
            push = maximum(plus(times(k, depth), times(c, times(outward, rate))), 0.0)
            force = select(less(0.0, depth), push, 0.0)
            joints[body.first_v + i] = minus(joints[body.first_v + i], times(outward, force))


def _spring(spring: Spring, state: Quantities, made: Applied) -> None:
    kinematics, rates = state.kinematics, state.rates
    first, second = spring.first, spring.second
    d = subtract(kinematics.place(second.body, second.p_BS), kinematics.place(first.body, first.p_BS))
    if not spring.length and not spring.damping:
        pull = scale(spring.stiffness, d)  # without a length of its own, it needs no direction
    else:
        length = sqrt(dot(d, d))
        # At zero length a spring has no direction and pulls nowhere.
        inverse = select(less(0.0, length), 1.0 / select(less(0.0, length), length, 1.0), 0.0)
        tension = times(spring.stiffness, minus(length, spring.length))
        if spring.damping:
            speed = subtract(rates.velocity(second.body, second.p_BS), rates.velocity(first.body, first.p_BS))
            tension = plus(tension, times(spring.damping, times(dot(d, speed), inverse)))
        pull = scale(times(tension, inverse), d)
    zero: Vector = (0.0, 0.0, 0.0)
    made.springs[spring.name] = (zero, pull)
    made.outer.append((first.body, first.p_BS, zero, pull))
    made.outer.append((second.body, second.p_BS, zero, scale(-1.0, pull)))


def _force(force: Force, state: Quantities, made: Applied) -> None:
    values = [formula_value(component, state.names, state) for component in force.components]
    if state.model.planar:
        vector: Vector = (values[0], values[1], 0.0) if force.kind == "force" else (0.0, 0.0, values[0])
    else:
        vector = (values[0], values[1], values[2])
    if force.in_body:
        vector = apply(state.kinematics.axes(force.body, IDENTITY), vector)
    zero: Vector = (0.0, 0.0, 0.0)
    moment, push = (zero, vector) if force.kind == "force" else (vector, zero)
    made.outer.append((force.body, force.p_BP, moment, push))


def spread(state: Quantities, body: int, p: Vector3, moment: Vector, push: Vector, target: list[Scalar]) -> None:
    """Add the generalized forces of a moment and a force at a point of a body."""
    kinematics = state.kinematics
    at = kinematics.tree.places[body][0]
    if at < 0:
        return
    tip = kinematics.reach(body, p)
    while at != kinematics.root:
        about = add(moment, cross(tip, push))
        for column, (turn, slide) in kinematics.columns(at):
            share = dot(slide, push) if turn is None else dot(turn, about)
            target[column] = plus(target[column], share)
        tip = add(kinematics.arm(at), tip)
        at = kinematics.tree.links[at].parent
