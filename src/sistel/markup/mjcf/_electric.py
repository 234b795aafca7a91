"""Electric motors of MJCF: ``<dcmotor>``, whose control is the voltage at its winding.

MuJoCo's winding is always closed: at 0 V its motor brakes. The same is said here by a scheme with an input for every
motor, which is 0 V until something else is told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sistel.errors import Text
from sistel.markup._document import Node, make_node, si
from sistel.markup.expressions import Name
from sistel.markup.formats._foreign import Foreign, drop_element, put_numbers
from sistel.markup.mjcf._joint import MjJoint, symmetric
from sistel.units import ANGULAR_SPEED, FORCE, INDUCTANCE, INERTIA, MOMENT, RESISTANCE, VOLTAGE

TAG = "dcmotor"


def electric_motor(foreign: Foreign, joint: MjJoint, first: bool) -> Node | None:
    """The motor; None, told as a loss, where its winding is not described, or its control is no voltage.

    Args:
        foreign: The actuator.
        joint: What it drives.
        first: Whether no other actuator drives that: the armature is that of the first.
    """
    constants = foreign.numbers("motorconst")
    resistance = foreign.numbers("resistance")
    asked = foreign.word("input") or "voltage"
    if not constants or not resistance or resistance[0] <= 0.0 or asked != "voltage":
        why = (
            Text("its control is no voltage", "его управление — не напряжение")
            if asked != "voltage"
            else Text("motorconst and resistance are needed", "нужны motorconst и resistance")
        )
        drop_element(foreign.element, foreign.reading.losses, why)
        return None
    node, ratio = joint.motor(foreign)
    # Two constants, of the moment and of the voltage: MuJoCo takes their geometric mean.
    constant = constants[0] if len(constants) == 1 else math.sqrt(constants[0] * constants[1])
    put_numbers(node, "constant", constant, VOLTAGE.over(ANGULAR_SPEED), foreign.at("motorconst"))
    put_numbers(node, "resistance", resistance[0], RESISTANCE, foreign.at("resistance"))
    inductance = foreign.numbers("inductance")
    if inductance and inductance[0] > 0.0:
        put_numbers(node, "inductance", inductance[0], INDUCTANCE, foreign.at("inductance"))
    control = foreign.numbers("ctrlrange", 2)
    if control is not None and foreign.word("ctrllimited", "true", "false", "auto") != "false":
        put_numbers(node, "voltage", symmetric(foreign, "ctrlrange", control), VOLTAGE, foreign.at("ctrlrange"))
    saturation = foreign.numbers("saturation")
    limits = [abs(ratio) * saturation[0]] if saturation and saturation[0] > 0.0 else []
    limits += [joint.greatest] if joint.greatest is not None else []
    if limits:
        put_numbers(node, "limit", min(limits), FORCE if joint.slides else MOMENT, foreign.span)
    rotor = (foreign.numbers("armature", 1) or (0.0,))[0] + (joint.armature / ratio**2 if first else 0.0)
    if rotor:
        put_numbers(node, "inertia", rotor, INERTIA, foreign.span)
    foreign.report()
    return node


def voltages(motors: Sequence[Node]) -> Node | None:
    """A scheme that puts voltages at the windings of motors, from inputs of their names; None where there are none."""
    if not motors:
        return None
    span = motors[0].span
    scheme = make_node("scheme", span, name="voltages")
    for motor in motors:
        name = motor.text("name") or ""
        called = f"{name} voltage"
        scheme.children.append(make_node("input", motor.span, name=called, value=si(0.0, VOLTAGE, motor.span)))
        scheme.children.append(make_node("output", motor.span, motor=(name,), from_=(Name(called, motor.span),)))
    return scheme
