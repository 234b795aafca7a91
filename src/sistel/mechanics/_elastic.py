"""Springs of joints, elastic stops and springs between bodies: how far each is from rest, and what all of them store.

Dampers, friction, motors and the forces of the file have no potential; nor have springs of a ball whose stiffness
differs from axis to axis, or whose rest is not at 0, because their moments are along the axes of a body that turns.
"""

from __future__ import annotations

from collections.abc import Iterator

from sistel.expr import Scalar, Scalars, Vector, dot, maximum, sqrt
from sistel.mechanics._drives import flanks
from sistel.mechanics._kinematics import Kinematics
from sistel.model import Body, Model, Spring, Stop


def stores(model: Model) -> bool:
    """Whether anything in a system is elastic."""
    return (
        any(spring.stiffness for spring in model.springs)
        or any(stop.stiffness is not None for stop in model.stops)
        or any(any(body.joint.stiffness) for body in model.bodies)
        or any(drive.stiffness is not None for drive in model.drives)
    )


def elastic_energy(kinematics: Kinematics, model: Model, q: Scalars) -> Scalar:
    """What all springs store together [J]; 0 where each of them is at rest."""
    total: Scalar = 0.0
    for body in model.bodies:
        if any(body.joint.stiffness) and body.joint.has_potential:
            for k, way in zip(body.joint.stiffness, spring_ways(body, q), strict=True):
                total = total + _stored(k, way)
    for stop in model.stops:
        for _, _, depth, k, _ in stop_depths(stop, model, q):
            total = total + _stored(k, maximum(depth, 0.0))
    for drive in model.drives:
        if drive.stiffness is not None:
            for _, depth in flanks(drive, q):
                total = total + _stored(drive.stiffness, maximum(depth, 0.0))
    for spring in model.springs:
        d = span_of(spring, kinematics)
        if spring.length:
            total = total + _stored(spring.stiffness, sqrt(dot(d, d)) - spring.length)
        else:
            total = total + 0.5 * spring.stiffness * dot(d, d)
    return total


def _stored(k: float, way: Scalar) -> Scalar:
    return 0.5 * k * (way * way) if k else 0.0


def spring_ways(body: Body, q: Scalars) -> list[Scalar]:
    """How far the coordinates of a joint are from where its springs rest, one for every velocity [m or rad].

    Springs of a ball are along its own axes; those of a free body's place along the axes of the base.
    """
    joint, first = body.joint, body.first_q
    if not joint.type.has_quaternion:
        places: Scalars = q[first : first + joint.type.nv]
    else:
        places = [*_rotation_vector(q[first : first + 4]), *q[first + 4 : first + joint.type.nq]]
    return [place - rest for place, rest in zip(places, joint.rest, strict=True)]


_HALVINGS, _TERMS = 5, 8
"""So many times an angle below π is halved; then so many terms of the series of the arc tangent give all its digits."""


def _rotation_vector(q: Scalars) -> Vector:
    """Axis times angle of a unit quaternion, as a smooth function of it up to a whole turn.

    With α half of the angle, the factor of (x, y, z) is 2 α / sin α. α is halved until the series of atan(√T) / √T in
    T = tan² is short: neither roots of what may vanish nor comparisons, which would break the expansions of a flow that
    passes through no rotation.
    """
    w, x, y, z = q
    square = x * x + y * y + z * z  # sin² α
    cosine: Scalar = w
    product: Scalar = 1.0
    for _ in range(_HALVINGS):
        cosine = sqrt(0.5 * (1.0 + cosine))
        square = 0.25 * square / (cosine * cosine)
        product = product * cosine
    T = square / (cosine * cosine)
    series: Scalar = 0.0
    for k in reversed(range(_TERMS)):
        series = 1.0 / (2 * k + 1) - T * series
    return 2.0 * series / (product * cosine) * Vector(x, y, z)


def stop_depths(stop: Stop, model: Model, q: Scalars) -> Iterator[tuple[int, float, Scalar, float, float]]:
    """Of an elastic stop: velocity, sign that leads outwards, how far beyond a limit [m or rad], stiffness, damping."""
    if stop.stiffness is None:
        return
    body = model.bodies[stop.body - 1]
    joint = body.joint
    shift = joint.type.nq - joint.type.nv
    for i in range(joint.type.nv):
        at = q[body.first_q + shift + i]
        if joint.type.limits_place(i):
            at = at + body.p_PB[i]
        for limit, outward, present in ((joint.minimum[i], -1.0, stop.at_min), (joint.maximum[i], 1.0, stop.at_max)):
            if present and abs(limit) != float("inf"):
                yield body.first_v + i, outward, outward * (at - limit), stop.stiffness[i], stop.damping[i]


def span_of(spring: Spring, kinematics: Kinematics) -> Vector:
    """From the first end of a spring to its second, in W [m]."""
    first, second = spring.first, spring.second
    return kinematics.place(second.body, second.p_BS) - kinematics.place(first.body, first.p_BS)
