"""What programmed motions do to a system: forces of motors that follow them, or accelerations that are forced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sistel.mechanics import Drives, Quantities, Row, Scalar, Winding, expression_value, formula_value, shear_rates
from sistel.model import Command as Order
from sistel.model import Motion, Motor, Structure
from sistel.motion._motors import Command, driven, fed
from sistel.motion._reference import reference

FED: Final = ("voltage", "current")
"""Commands that go to the winding; all others ask for a force."""


def active(motions: Iterable[Motion], structure: Structure) -> list[Motion]:
    """The motions that a structure has."""
    return [motion for motion in motions if not motion.structures or structure.name in motion.structures]


def motion_forces(state: Quantities, structure: Structure) -> Drives | None:
    """Driving forces that follow the motions of a structure, as far as the motors can [N or N·m].

    None where the structure has no motions and no currents flow.
    """
    model = state.model
    orders = {each.motor: each for scheme in model.schemes for each in scheme.commands if each.kind != "brake"}
    if not (orders or active(model.motions, structure) or any(each.kind == "current" for each in model.memory)):
        return None
    commands = _commands(state, structure)
    for motor in model.motors:
        order = orders.get(motor.name)
        if order is not None and order.kind not in FED:
            rate = model.bodies[motor.body - 1].first_v + motor.coordinate
            before, own = commands.get(rate, Command(0.0, 0.0)), _ordered(state, motor, order, rate)
            commands[rate] = Command(before.force + own.force, before.gain + own.gain)
    tau: list[Scalar] = [0.0] * model.nv
    for rate, command in commands.items():
        tau[rate] = command.force
    windings: dict[str, Winding] = {}
    for motor in model.motors:
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        # Several motors at one coordinate share what is asked: the weakest of them cuts it.
        asked = commands.get(rate)
        cut = None if asked is None else Command(tau[rate], asked.gain)
        current = state.current(motor.name)
        order = orders.get(motor.name)
        if cut is None and current is None and order is None:
            continue
        winding: Winding | None
        if order is not None and order.kind in FED:
            value = formula_value(order.value, state.names, state)
            tau[rate], winding = fed(motor, order.kind, value, state.v[rate], current)
        else:
            tau[rate], winding = driven(motor, cut, state.v[rate], current)
        if winding is not None:
            windings[motor.name] = winding
    return Drives(tau, windings)


def _ordered(state: Quantities, motor: Motor, order: Order, rate: int) -> Command:
    """The force that a scheme asks of a motor: by itself, or by the error of a speed or of a position."""
    value = formula_value(order.value, state.names, state)
    if order.kind == "force":
        return Command(value, 0.0)
    assert motor.kd is not None
    if order.kind == "speed":
        return Command(motor.kd * (value - state.v[rate]), motor.kd)
    assert motor.kp is not None
    return Command(motor.kp * (value - _coordinate(state, rate)) - motor.kd * state.v[rate], motor.kd)


def current_rates(state: Quantities, drives: Drives | None) -> list[Scalar]:
    """The rates of what a state has besides q, v and t: currents, shears and schemes without clocks flow."""
    made: list[Scalar] = []
    shears = shear_rates(state) if state.model.tracks else {}
    flowing = {each.name: each for scheme in state.model.schemes if scheme.clock is None for each in scheme.stores}
    for each in state.model.memory:
        if each.kind == "store" and each.name in flowing:
            made.append(expression_value(flowing[each.name].following, state.names, state))
            continue
        if each.kind == "shear":
            made.append(shears[each.name])
            continue
        winding = drives.windings.get(each.name) if each.kind == "current" and drives is not None else None
        made.append(0.0 if winding is None or winding.rate is None else winding.rate)
    return made


def _commands(state: Quantities, structure: Structure) -> dict[int, Command]:
    """What the motions of a structure ask of the motors, by velocities."""
    made: dict[int, Command] = {}
    for motion in active(state.model.motions, structure):
        if motion.kp is None or motion.kd is None:
            continue
        for index, rate in enumerate(motion.rates):
            wanted = reference(state, motion, index)
            force = motion.kp[index] * (wanted.value - _coordinate(state, rate)) + motion.kd[index] * (
                wanted.rate - state.v[rate]
            )
            before = made.get(rate, Command(0.0, 0.0))
            made[rate] = Command(before.force + force, before.gain + motion.kd[index])
    return made


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
            value = _coordinate(state, rate) - wanted.value
            row = Row(motion.name, state.model.rate_names[rate], J, -wanted.gain, value, rate=rate)
            row.drift = -wanted.rate
            made.append(row)
    return made


def _coordinate(state: Quantities, rate: int) -> Scalar:
    """The coordinate that a velocity is the rate of."""
    for body in state.model.bodies:
        if body.first_v <= rate < body.first_v + body.joint.type.nv:
            shift = body.joint.type.nq - body.joint.type.nv
            return state.q[body.first_q + rate - body.first_v + shift]
    raise AssertionError(rate)
