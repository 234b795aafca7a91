"""What motors make of the forces that are asked of them.

A motor whose winding is not known gives what is asked within its limits. An electric one has, at the joint,

    L · di/dt = u - R · i - K · v,    K = |ratio| · k,
    force = K · i · η where it drives, K · i / η where it is driven,

with the current positive where it drives the joint forwards. The drive chooses the voltage: the one that holds the
current which gives the asked force, u = R · i(asked) + K · v, within ± the greatest voltage. Without an inductance the
current follows at once, so that the asked force is cut by the line of moment and speed: beyond the speed at which the
greatest voltage is used up the motor brakes, whatever is asked. A greatest current is never passed: with an inductance
the voltage is lowered for as long as it would be. Forces that ask for a current reckon with what the gear loses.
"""

from __future__ import annotations

from math import isfinite
from typing import Final

from sistel.expr import is_zero, less, maximum, minimum, select
from sistel.mechanics import Scalar, Winding
from sistel.model import Motor
from sistel.records import entry

FULL: Final = 0.1
"""Speed of a motor from which on its gear loses all that it ever loses [rad/s]."""


@entry
class Command:
    """What is asked of a motor."""

    force: Scalar
    """At the joint [N or N·m]."""
    gain: Scalar
    """Its change by velocity: the sum of the gains `kd` [N·s/m or N·m·s/rad]."""


def driven(motor: Motor, command: Command | None, v: Scalar, current: Scalar | None) -> tuple[Scalar, Winding | None]:
    """The force of a motor at its joint [N or N·m], and what flows in its winding where that is known.

    Args:
        motor: The motor.
        command: What is asked of it; None where nothing is: the drive is off then, and a current decays.
        v: Velocity of the joint [m/s or rad/s].
        current: The current, where it is a part of the state [A].
    """
    asked = None if command is None else _asked(motor, command, v)
    if not motor.electric:
        return 0.0 if asked is None else asked, None
    assert motor.resistance is not None and motor.constant is not None
    R, K = motor.resistance, abs(motor.ratio) * motor.constant
    if current is None:
        force = 0.0 if asked is None else _within(motor, asked, v, R, K)
        settled = _over(force, _gear(motor, force, v), K)
        return force, Winding(settled, R * settled + K * v, None)
    emf = K * v
    rate = -R / motor.inductance * current
    if asked is not None:
        voltage = R * _over(asked, _gear(motor, asked, v), K) + emf
        if motor.voltage is not None:
            voltage = minimum(maximum(voltage, -motor.voltage), motor.voltage)
        rate = 1.0 / motor.inductance * (voltage - R * current - emf)
        rate = _limited(motor, current, rate)
    used = R * current + emf + motor.inductance * rate
    return K * current * _gear(motor, current, v), Winding(current, used, rate)


def fed(motor: Motor, kind: str, value: Scalar, v: Scalar, current: Scalar | None) -> tuple[Scalar, Winding]:
    """The force of a motor at its joint that is fed with a voltage [V] or a current [A], within its limits."""
    assert motor.resistance is not None and motor.constant is not None
    R, K = motor.resistance, abs(motor.ratio) * motor.constant
    emf = K * v
    voltage = R * value + emf if kind == "current" else value
    if motor.voltage is not None:
        voltage = minimum(maximum(voltage, -motor.voltage), motor.voltage)
    if current is None:
        flows = (voltage - emf) / R
        if motor.current is not None:
            flows = minimum(maximum(flows, -motor.current), motor.current)
        rate: Scalar | None = None
    else:
        flows = current
        rate = _limited(motor, current, 1.0 / motor.inductance * (voltage - R * current - emf))
    force = K * flows * _gear(motor, flows, v)
    if isfinite(motor.limit):
        force = minimum(maximum(force, -motor.limit), motor.limit)
    used = R * flows + emf + (0.0 if rate is None else motor.inductance * rate)
    return force, Winding(flows, used, rate)


def _limited(motor: Motor, current: Scalar, rate: Scalar) -> Scalar:
    """The rate of a current that stays within the greatest one."""
    if motor.current is None:
        return rate
    below, above = less(current, motor.current), less(-motor.current, current)
    return select(below, select(above, rate, maximum(rate, 0.0)), minimum(rate, 0.0))


def _over(force: Scalar, gear: Scalar, K: Scalar) -> Scalar:
    """The current that gives a force."""
    whole = gear * K
    return 0.0 if is_zero(force) else force / whole


def _asked(motor: Motor, command: Command, v: Scalar) -> Scalar:
    """What is asked, within the greatest speed and the greatest force.

    Position errors ask for a speed, kp / kd · error: the one that is asked for stays within the greatest speed. So
    nothing drives the joint beyond it, and what is faster is slowed down with `kd`. Where nothing is asked of the speed
    (kd = 0), forces that would drive the joint beyond it are left out.
    """
    force = command.force
    if isfinite(motor.speed) and is_zero(command.gain):
        slower, faster = less(v, motor.speed), less(-motor.speed, v)
        force = select(slower, select(faster, force, maximum(force, 0.0)), minimum(force, 0.0))
    elif isfinite(motor.speed):
        low, high = (command.gain * (speed - v) for speed in (-motor.speed, motor.speed))
        force = minimum(maximum(force, low), high)
    if isfinite(motor.limit):
        force = minimum(maximum(force, -motor.limit), motor.limit)
    return force


def _within(motor: Motor, force: Scalar, v: Scalar, R: float, K: float) -> Scalar:
    """A force within what the greatest current, and then the greatest voltage, allow at a speed."""
    if motor.current is not None:
        most = K * motor.current
        low = -most * _gear(motor, -1.0, v)
        force = minimum(maximum(force, low), most * _gear(motor, 1.0, v))
    if motor.voltage is not None:
        emf = K * v
        low, high = (K / R * (voltage - emf) for voltage in (-motor.voltage, motor.voltage))
        low, high = (most * _gear(motor, most, v) for most in (low, high))
        force = minimum(maximum(force, low), high)
    return force


def _gear(motor: Motor, push: Scalar, v: Scalar) -> Scalar:
    """What a gear makes of the moment of the motor, as a part of it: η where it drives, 1 / η where it is driven.

    A gear at rest loses nothing, and all that it loses from `FULL` on: so it creeps where it would stick.

    Args:
        motor: The motor.
        push: Something of the sign of its moment.
        v: Velocity of the joint [m/s or rad/s].
    """
    if motor.efficiency == 1.0:
        return 1.0
    turn = abs(motor.ratio) / FULL * v
    ahead, back = (minimum(maximum(way, 0.0), 1.0) for way in (turn, -turn))
    lost, held = 1.0 - motor.efficiency, 1.0 / motor.efficiency - 1.0
    forwards = 1.0 - lost * ahead + held * back
    backwards = 1.0 - lost * back + held * ahead
    if type(push) is float:
        return forwards if push > 0 else backwards
    return select(less(0.0, push), forwards, backwards)
