"""What the file lets act beside weight: springs, dampers and friction of joints, springs between bodies, forces.

Soft stops act as springs beyond their limits. Friction of joints opposes motion with its full strength; whether a joint
at rest sticks is decided with the structures, not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sistel.expr import ZERO, Scalar, Scalars, Vector, cross, dot, less, maximum, select, sqrt
from sistel.markup import Name, walk_expression
from sistel.mechanics._drives import act, drive_forces, rates_of
from sistel.mechanics._elastic import span_of, spring_ways, stop_depths
from sistel.mechanics._formula import formula_value, sign
from sistel.mechanics._frames import quaternion_matrix
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._tracks import track_friction
from sistel.model import Body, Drive, Force, Formula, Model, Spring, Stop
from sistel.pose import IDENTITY, Vector3
from sistel.records import mutable

Push = tuple[int, Vector3, Vector, Vector]
"""A body, a point of it, and the moment and the force there, in W."""


@mutable
class Applied:
    """Forces of one state."""

    generalized: list[Scalar]
    """On every velocity: everything together [N or N·m]."""
    joints: list[Scalar]
    """The part of it that acts in the joints themselves."""
    outer: list[Push] = field(default_factory=list)
    """What acts on bodies beside their joints."""


def applied_forces(state: Quantities, *, tracks: bool = True, loads: Mapping[str, Scalar] | None = None) -> Applied:
    """Everything that the file lets act on a state, weight and reactions apart.

    Args:
        state: Where and how fast everything is.
        tracks: Whether friction under tracks is among it.
        loads: What their patches carry then [N]; by default what they do at rest.
    """
    joints = joint_forces(state.model, state.q, state.v)
    slip_forces(state, joints)
    made = Applied(list(joints), joints)
    for spring in state.model.springs:
        _spring(spring, state, made)
    for force in state.model.forces:
        _force(force, state, made)
    for track in state.model.tracks if tracks else ():
        made.outer += track_friction(state, track, loads) if track.friction else ()
    _spread_all(state, made)
    return made


def joint_forces(model: Model, q: Scalars, v: Scalars) -> list[Scalar]:
    """What springs, dampers, friction and soft stops of the joints do, on every velocity [N or N·m]."""
    joints: list[Scalar] = [0.0] * model.nv
    for body in model.bodies:
        _joint(body, q, v, joints)
    for stop in model.stops:
        _stop(stop, model, q, v, joints)
    drive_forces(model, q, v, joints)
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
        or bool(model.springs or model.forces or any(track.friction for track in model.tracks))
        or any(not drive.rigid for drive in model.drives)
        or any(any((*joint.stiffness, *joint.damping, *joint.friction)) for joint in joints)
    )


def uses_time(model: Model) -> bool:
    """Whether a force depends on the time, or a signal that one may name."""
    expressions = [formula.expression for formula in acting_formulas(model)]
    expressions += [each.value for scheme in model.schemes if scheme.clock is None for each in scheme.signals]
    return any(isinstance(node, Name) and node.name == "t" for one in expressions for node in walk_expression(one))


def slip_forces(state: Quantities, joints: list[Scalar]) -> None:
    """Add what clutches do that slip, or would."""
    for drive in state.model.drives:
        if drive.limit is None:
            continue
        act(drive, *rates_of(state.model, drive.coupling), slip_force(state, drive), joints)


def slip_force(state: Quantities, drive: Drive) -> Scalar:
    """What a clutch that slips does to the driven velocity [N or N·m]."""
    driven, driver = rates_of(state.model, drive.coupling)
    slip = state.v[driven] - drive.coupling.ratio[0] * state.v[driver]
    return -(sign(slip) * clutch_limit(drive, state))


def clutch_limit(drive: Drive, state: Quantities) -> Scalar:
    """The greatest moment of a clutch; what the file lets be negative is none [N or N·m]."""
    assert drive.limit is not None
    value = formula_value(drive.limit, state.names, state)
    return max(0.0, value) if isinstance(value, (int, float)) else maximum(value, 0.0)


def acting_formulas(model: Model) -> list[Formula]:
    """The formulas of forces, and of limits of clutches."""
    made = [formula for force in model.forces for formula in force.components]
    return made + [drive.limit for drive in model.drives if drive.limit is not None]


def _joint(body: Body, q: Scalars, v: Scalars, joints: list[Scalar]) -> None:
    joint, first = body.joint, body.first_v
    pulls = _pulls(body, q)
    for i in range(joint.type.nv):
        rate = v[first + i]
        total = joints[first + i] - pulls[i] if pulls else joints[first + i]
        if joint.damping[i]:
            total = total - joint.damping[i] * rate
        if joint.friction[i]:
            total = total - joint.friction[i] * sign(rate)
        joints[first + i] = total


def _pulls(body: Body, q: Scalars) -> list[Scalar]:
    """What the springs of a joint pull with, against its velocities; nothing where it has none."""
    joint, first = body.joint, body.first_q
    if not any(joint.stiffness):
        return []
    made = [k * way if k else 0.0 for k, way in zip(joint.stiffness, spring_ways(body, q), strict=True)]
    if joint.type.has_quaternion and any(joint.stiffness[3:]):
        # Velocities of a free body are along its own axes, springs of its place along those of the base.
        turned = quaternion_matrix(q[first : first + 4]).T
        made[3:] = turned @ (made[3], made[4], made[5])
    return made


def _stop(stop: Stop, model: Model, q: Scalars, v: Scalars, joints: list[Scalar]) -> None:
    """A soft stop pushes back, and never pulls."""
    for rate, outward, depth, k, c in stop_depths(stop, model, q):
        push = maximum(k * depth + c * (outward * v[rate]), 0.0)
        force = select(less(0.0, depth), push, 0.0)
        joints[rate] = joints[rate] - outward * force


def spring_pull(spring: Spring, state: Quantities) -> Vector:
    """The force of a spring on its first body, in W [N]."""
    first, second = spring.first, spring.second
    d = span_of(spring, state.kinematics)
    if not spring.length and not spring.damping:
        return spring.stiffness * d  # without a length of its own, it needs no direction
    length = sqrt(dot(d, d))
    # At zero length a spring has no direction and pulls nowhere.
    inverse = select(less(0.0, length), 1.0 / select(less(0.0, length), length, 1.0), 0.0)
    tension = spring.stiffness * (length - spring.length)
    if spring.damping:
        speed = state.rates.velocity(second.body, second.p_BS) - state.rates.velocity(first.body, first.p_BS)
        tension = tension + spring.damping * (dot(d, speed) * inverse)
    return tension * inverse * d


def _spring(spring: Spring, state: Quantities, made: Applied) -> None:
    first, second = spring.first, spring.second
    pull = spring_pull(spring, state)
    made.outer.append((first.body, first.p_BS, ZERO, pull))
    made.outer.append((second.body, second.p_BS, ZERO, -pull))


def _force(force: Force, state: Quantities, made: Applied) -> None:
    values = [formula_value(component, state.names, state) for component in force.components]
    if state.model.planar:
        vector = Vector(values[0], values[1], 0.0) if force.kind == "force" else Vector(0.0, 0.0, values[0])
    else:
        vector = Vector(*values)
    if force.in_body:
        vector = state.kinematics.axes(force.body, IDENTITY) @ vector
    moment, push = (ZERO, vector) if force.kind == "force" else (vector, ZERO)
    made.outer.append((force.body, force.p_BP, moment, push))


def spread(state: Quantities, body: int, p: Vector3, moment: Vector, push: Vector, target: list[Scalar]) -> None:
    """Add the generalized forces of a moment and a force at a point of a body."""
    kinematics = state.kinematics
    at = kinematics.tree.places[body][0]
    if at < 0:
        return
    tip = kinematics.reach(body, p)
    while at != kinematics.root:
        about = moment + cross(tip, push)
        for column, (turn, slide) in kinematics.columns(at):
            share = dot(slide, push) if turn is None else dot(turn, about)
            target[column] = target[column] + share
        tip = kinematics.arm(at) + tip
        at = kinematics.tree.links[at].parent
