"""What sensors measure in a state, before bias, noise and the like are added."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.expr import Matrix, Scalar, Vector, atan2, call, cross, dot, less, select, sqrt
from sistel.mechanics._bodies import body_motions
from sistel.pose import IDENTITY

if TYPE_CHECKING:
    from sistel.mechanics._quantities import Quantities
    from sistel.model import Sensor


def measured(state: Quantities, sensor: Sensor) -> list[Scalar]:
    """The numbers that a sensor gives."""
    return _SENSES[sensor.kind](state, sensor)


def _position(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return list(state.place(sensor.of))


def _velocity(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return list(state.velocity(sensor.of))


def _axes(state: Quantities, sensor: Sensor) -> Matrix:
    """R_WS: the axes of a sensor in W."""
    body, _, R_BS = state.model.place_of(sensor.of)
    return state.kinematics.axes(body, R_BS)


def _orientation(state: Quantities, sensor: Sensor) -> list[Scalar]:
    R = _axes(state, sensor)
    if state.model.planar:
        return [atan2(R[1][0], R[0][0])]
    if sensor.form == "axes":
        return [R[i][k] for k in range(3) for i in range(3)]
    if sensor.form == "quaternion":
        return _quaternion(R)
    level = sqrt(R[0][0] * R[0][0] + R[1][0] * R[1][0])
    return [atan2(R[2][1], R[2][2]), atan2(-R[2][0], level), atan2(R[1][0], R[0][0])]


def _quaternion(R: Matrix) -> list[Scalar]:
    """By the greatest of the four numbers, so that nothing is divided by a small one; w is not negative."""
    traces = [
        1.0 + R[0][0] + R[1][1] + R[2][2],
        1.0 + R[0][0] - R[1][1] - R[2][2],
        1.0 - R[0][0] + R[1][1] - R[2][2],
        1.0 - R[0][0] - R[1][1] + R[2][2],
    ]
    sums = [R[1][0] + R[0][1], R[0][2] + R[2][0], R[2][1] + R[1][2]]
    gaps = [R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]]
    rows = [
        [traces[0], gaps[0], gaps[1], gaps[2]],
        [gaps[0], traces[1], sums[0], sums[1]],
        [gaps[1], sums[0], traces[2], sums[2]],
        [gaps[2], sums[1], sums[2], traces[3]],
    ]
    chosen, greatest = rows[0], traces[0]
    for row, trace in zip(rows[1:], traces[1:], strict=True):
        better = less(greatest, trace)
        chosen = [select(better, a, b) for a, b in zip(row, chosen, strict=True)]
        greatest = select(better, trace, greatest)
    scale = 2.0 * sqrt(greatest)
    found = [number / scale for number in chosen]
    turned = less(found[0], 0.0)
    return [select(turned, -number, number) for number in found]


def _joint(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return [state.coordinate(sensor.of, _turns(state, sensor))]


def _rate(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return [state.rate(sensor.of, _turns(state, sensor))]


def _turns(state: Quantities, sensor: Sensor) -> bool:
    """Whether the one coordinate of a body that is named alone is a turn."""
    for body in state.model.bodies:
        if sensor.of in (body.name, body.joint.name):
            return any(kind == "turn" for _, kind in body.joint.type.rates)
    return False


def _gyroscope(state: Quantities, sensor: Sensor) -> list[Scalar]:
    body, _, _ = state.model.place_of(sensor.of)
    spin = _axes(state, sensor).T @ state.rates.spin(body)
    return [spin[2]] if state.model.planar else list(spin)


def _accelerometer(state: Quantities, sensor: Sensor) -> list[Scalar]:
    """Rᵀ (a − g)."""
    body, p, _ = state.model.place_of(sensor.of)
    at = body_motions(state.model, state.q, state.v, state.accelerations())[body]
    arm = Vector(*(dot(row, p) for row in at.R))
    pull = Vector(*at.a) + cross(at.dw, arm) + cross(at.w, cross(at.w, arm)) - state.model.gravity
    return list(_axes(state, sensor).T @ pull)


def _magnetometer(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return list(_axes(state, sensor).T @ Vector(*sensor.field))


def _compass(state: Quantities, sensor: Sensor) -> list[Scalar]:
    """From the horizontal part of the field to that of the x axis, about the vertical."""
    R, (north, west, _) = _axes(state, sensor), sensor.field
    x, y = R[0][0], R[1][0]
    return [atan2(y * north - x * west, x * north + y * west)]


def _force(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return [state.reaction("reaction", (sensor.of,), part) for part in ("x", "y", "z")]


def _torque(state: Quantities, sensor: Sensor) -> list[Scalar]:
    parts = ("mz",) if state.model.planar else ("mx", "my", "mz")
    return [state.reaction("reaction", (sensor.of,), part) for part in parts]


def _touch(state: Quantities, sensor: Sensor) -> list[Scalar]:
    return [state.gap(sensor.of)]


def _distances(state: Quantities, sensor: Sensor) -> list[Scalar]:
    rays = sensor.meets
    assert rays is not None
    given: list[Scalar] = []
    for body in (rays.body, *rays.bodies):
        place, axes = state.kinematics.place(body, (0.0, 0.0, 0.0)), state.kinematics.axes(body, IDENTITY)
        if state.model.planar:
            given += [place[0], place[1], axes[0][0], axes[1][0]]
        else:
            given += [*place, *(entry for row in axes for entry in row)]
    return call(rays.routine, given)


_SENSES: dict[str, Callable[[Quantities, Sensor], list[Scalar]]] = {
    "position": _position,
    "velocity": _velocity,
    "orientation": _orientation,
    "joint": _joint,
    "rate": _rate,
    "gyroscope": _gyroscope,
    "accelerometer": _accelerometer,
    "magnetometer": _magnetometer,
    "compass": _compass,
    "force": _force,
    "torque": _torque,
    "touch": _touch,
    "rangefinder": _distances,
    "lidar": _distances,
}
DYNAMIC = frozenset(("accelerometer", "force", "torque"))
"""Kinds that need accelerations or reactions."""
