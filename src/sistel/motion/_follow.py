"""What programmed motions do to a system: forces of motors that follow them, or accelerations that are forced."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from sistel.expr import is_zero, maximum, minimum
from sistel.mechanics import Quantities, Row, Scalar, minus, plus, times
from sistel.model import Motion, Structure
from sistel.motion._reference import reference


def active(motions: Iterable[Motion], structure: Structure) -> list[Motion]:
    """The motions that a structure has."""
    return [motion for motion in motions if not motion.structures or structure.name in motion.structures]


def motion_forces(state: Quantities, structure: Structure) -> list[Scalar]:
    """Driving forces that follow the motions of a structure, within the limits of the motors [N or N·m]."""
    model = state.model
    tau: list[Scalar] = [0.0] * model.nv
    for motion in active(model.motions, structure):
        if motion.kp is None or motion.kd is None:
            continue
        for index, rate in enumerate(motion.rates):
            wanted = reference(state, motion, index)
            force = plus(
                times(motion.kp[index], minus(wanted.value, _coordinate(state, rate))),
                times(motion.kd[index], minus(wanted.rate, state.v[rate])),
            )
            tau[rate] = plus(tau[rate], force)
    for motor in model.motors:
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        if isfinite(motor.limit) and not is_zero(tau[rate]):
            tau[rate] = minimum(maximum(tau[rate], -motor.limit), motor.limit)
    return tau


def forced_rows(state: Quantities, structure: Structure) -> list[Row]:
    """Constraints of the motions that are forced: coordinates are where the file says, whatever that takes."""
    made = []
    for motion in active(state.model.motions, structure):
        if motion.kp is not None:
            continue
        for index, rate in enumerate(motion.rates):
            wanted = reference(state, motion, index)
            J: list[Scalar] = [0.0] * state.model.nv
            J[rate] = 1.0
            value = minus(_coordinate(state, rate), wanted.value)
            row = Row(motion.name, state.model.rate_names[rate], J, minus(0.0, wanted.gain), value, rate=rate)
            row.drift = minus(0.0, wanted.rate)
            made.append(row)
    return made


def _coordinate(state: Quantities, rate: int) -> Scalar:
    """The coordinate that a velocity is the rate of."""
    for body in state.model.bodies:
        if body.first_v <= rate < body.first_v + body.joint.type.nv:
            shift = body.joint.type.nq - body.joint.type.nv
            return state.q[body.first_q + rate - body.first_v + shift]
    raise AssertionError(rate)
