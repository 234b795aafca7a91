"""Systems whose motors hold the posture of the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Text, refuse
from sistel.model import Body, Model

if TYPE_CHECKING:
    from sistel.face._system import System


def held(self: System) -> System:
    """The same system whose motors hold its joints where they are at the start, at any force that this takes.

    Joints hold that have a motor which nothing commands; where no joint has one, all hinges and slides of a system
    without loops and couplings. `torque(motor)` and `Run.reactions` tell what it takes.

    Raises:
        SistelError: Nothing is left to hold, or the start cannot be found.
    """
    import numpy as np

    from sistel.motion.trajectories import MotionTable
    from sistel.simulation import initial_state

    model = self.model
    rates = idle_rates(model) if model.motors else _all_rates(model)
    if not rates:
        refuse(
            "nothing-to-hold",
            Text(
                "nothing can be held: motions and schemes drive all motors, or there are none",
                "удерживать нечего: всеми приводами управляют движения и схемы, или приводов нет",
            ),
            hint=Text("a joint is held that has a <motor/>", "удерживается сочленение, в котором есть <привод/>"),
        )
    state = initial_state(self._engine, model.structure(), None, None, None)
    joints = [_joint_of(model, rate) for rate in rates]
    places = [body.first_q + rate - body.first_v for body, rate in zip(joints, rates, strict=True)]
    kinds = [body.joint.type.rates[rate - body.first_v][1] for body, rate in zip(joints, rates, strict=True)]
    table = MotionTable(
        times=model.start_time + np.array([0.0, 1.0]),
        values=np.array([[float(state[place]) for place in places]] * 2),
        names=tuple(model.coordinate_names[place] for place in places),
        units=tuple("rad" if kind == "turn" else "m" for kind in kinds),
    )
    return self.with_motion(table, interpolation="linear")


def rests_on_idle_motors(model: Model) -> bool:
    """Whether a system is an arm at rest whose motors nothing commands: only they could keep it from falling."""
    moving = [body for body in model.bodies if body.joint.type.nv]
    free = not (model.closures or model.contacts or model.motions or model.schemes)
    single = all(body.joint.type.nv == 1 for body in moving)
    return bool(moving) and free and single and len(idle_rates(model)) == len(moving) and not any(model.start.v)


def idle_rates(model: Model) -> tuple[int, ...]:
    """Velocities at which there are motors that nothing commands, by their places in v."""
    moved = {rate for motion in model.motions for rate in motion.rates}
    told = {command.motor for scheme in model.schemes for command in scheme.commands if command.kind != "brake"}
    found: set[int] = set()
    for motor in model.motors:
        body = model.bodies[motor.body - 1]
        place = body.first_v + motor.coordinate
        if place not in moved and motor.name not in told and not body.joint.type.has_quaternion:
            found.add(place)
    return tuple(sorted(found))


def _all_rates(model: Model) -> tuple[int, ...]:
    """Velocities of all hinges and slides, where they are free of each other and nothing moves them."""
    if model.closures or model.motions or model.schemes:
        return ()
    return tuple(body.first_v for body in model.bodies if body.joint.type.nv == 1)


def _joint_of(model: Model, rate: int) -> Body:
    """The body whose joint has a velocity, by its place in v."""
    return next(body for body in reversed(model.bodies) if body.joint.type.nv and body.first_v <= rate)
