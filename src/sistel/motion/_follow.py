"""What programmed motions do to a system: forces of motors that follow them, or accelerations that are forced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sistel.kept import cached_property
from sistel.mechanics import Drives, Quantities, Row, Scalar, Winding
from sistel.model import Motion, Structure
from sistel.motion._motors import Command, driven
from sistel.motion._reference import reference


def active(motions: Iterable[Motion], structure: Structure) -> list[Motion]:
    """The motions that a structure has."""
    return [motion for motion in motions if not motion.structures or structure.name in motion.structures]


class MotionForces(Drives):
    """Driving forces that follow the motions of a structure, as far as the motors can [N or N·m].

    Found when they are asked for: impacts and corrections do not ask.
    """

    def __init__(self, state: Quantities, structure: Structure) -> None:
        """Nothing is derived yet."""
        self._state, self._structure = state, structure

    def __getitem__(self, i: Any) -> Any:
        """The force on a velocity."""
        return self._found[0][i]

    def __len__(self) -> int:
        """How many velocities."""
        return self._state.model.nv

    def winding(self, motor: str) -> Winding | None:
        """What flows in a motor; None where its winding is not known."""
        return self._found[1].get(motor)

    @cached_property
    def _found(self) -> tuple[list[Scalar], dict[str, Winding]]:
        state = self._state
        commands = _commands(state, self._structure)
        tau: list[Scalar] = [0.0] * state.model.nv
        for rate, command in commands.items():
            tau[rate] = command.force
        windings: dict[str, Winding] = {}
        for motor in state.model.motors:
            rate = state.model.bodies[motor.body - 1].first_v + motor.coordinate
            # Several motors at one coordinate share what is asked: the weakest of them cuts it.
            asked = commands.get(rate)
            cut = None if asked is None else Command(tau[rate], asked.gain)
            current = state.current(motor.name)
            if cut is None and current is None:
                continue
            tau[rate], winding = driven(motor, cut, state.v[rate], current)
            if winding is not None:
                windings[motor.name] = winding
        return tau, windings


def motion_forces(state: Quantities, structure: Structure) -> MotionForces:
    """Driving forces that follow the motions of a structure, as far as the motors can [N or N·m]."""
    return MotionForces(state, structure)


def current_rates(state: Quantities, drives: Sequence[Scalar] | None) -> list[Scalar]:
    """The rates of what a state has besides q, v and t: currents change, all else waits for transitions."""
    made: list[Scalar] = []
    for each in state.model.memory:
        winding = drives.winding(each.name) if each.kind == "current" and isinstance(drives, Drives) else None
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
