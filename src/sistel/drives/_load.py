"""What shafts of emulated drives carry: the system itself, moved by the forces of their position loops.

Every millisecond a drive looks at its counter, its loop gives a force, and the system moves under it until the next
one: drives lag, sag and overshoot as the system lets them, and see that in their counters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sistel.drives._shaft import Shaft
from sistel.errors import Text, refuse
from sistel.model import Motor
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.drives._plan import Axis, Plan
    from sistel.model import Model

TICK = 1e-3
"""[s]"""
AFTER_LOAD = 1000
"""Ticks after the last planned arrival in which loaded drives may still come to their targets."""


class Steps(Protocol):
    """The motion of a system from tick to tick, as `System.stepper` gives it."""

    @property
    def q(self) -> Array:
        """Coordinates."""
        ...

    @property
    def v(self) -> Array:
        """Their rates."""
        ...

    def step(self, forces: dict[str, float]) -> object:
        """Go on to the next tick."""
        ...


@mutable
class PositionLoop:
    """The regulator of one drive: J (ë + 3 ω ė + 3 ω² e + ω³ ∫e), three poles at −ω for the inertia J."""

    inertia: float
    """At the joint, with the rotor [kg or kg·m²]."""
    bandwidth: float
    """ω [rad/s]."""
    most: float
    """Greatest force or moment [N or N·m]."""
    sum: float = 0.0
    """Of errors [m·s or rad·s]."""

    def force(self, error: float, rate: float) -> float:
        """What the motor does for an error of position and of speed; at its limit the sum waits."""
        w = self.bandwidth
        following = self.sum + error * TICK
        wanted = self.inertia * w * (3.0 * rate + w * (3.0 * error + w * following))
        if abs(wanted) <= self.most:
            self.sum = following
            return wanted
        return math.copysign(self.most, wanted)


@mutable
class Load:
    """A system on the shafts of drives."""

    plan: Plan
    steps: Steps
    loops: list[PositionLoop]
    forces: list[list[float]] = field(default_factory=list)
    """Of the motors, a row for every tick [N or N·m]."""
    begun: set[int] = field(default_factory=set)
    """Drives that have been on; until then a brake holds them."""
    saturated: list[int] = field(default_factory=list)
    """For how many ticks each motor was at its limit."""

    def attach(self, drives: Sequence[Shaft]) -> None:
        """Put the system on the shafts, where they stand now."""
        self.saturated = [0] * len(drives)
        for drive, axis in zip(drives, self.plan.axes, strict=True):
            drive.loose = True
            self._read(drive, axis)
            drive.point.position = drive.actual

    def move(self, drives: Sequence[Shaft]) -> None:
        """One millisecond of motion; the drives find it in their counters."""
        forces = []
        for i, (drive, axis, loop) in enumerate(zip(drives, self.plan.axes, self.loops, strict=True)):
            force = 0.0
            if drive.powered:
                self.begun.add(i)
            if drive.powered or i not in self.begun:
                force = loop.force(
                    (drive.point.position - drive.actual) / axis.scale,
                    (drive.point.velocity - drive.speed) / axis.scale,
                )
                self.saturated[i] += abs(force) >= loop.most
            forces.append(force)
        self.forces.append(forces)
        self.steps.step(dict(zip(self.motors, forces, strict=True)))
        for drive, axis in zip(drives, self.plan.axes, strict=True):
            self._read(drive, axis)

    def _read(self, drive: Shaft, axis: Axis) -> None:
        place = axis.drive.coordinate
        drive.actual = (float(self.steps.q[place]) - axis.drive.home) * axis.scale
        drive.speed = float(self.steps.v[place]) * axis.scale

    @property
    def motors(self) -> list[str]:
        """Their names in the system."""
        return [motor_name(axis) for axis in self.plan.axes]

    @property
    def problems(self) -> list[Text]:
        """Motors that could not do more."""
        found = []
        for axis, loop, ticks in zip(self.plan.axes, self.loops, self.saturated, strict=True):
            if ticks:
                joint, most = axis.drive.joint, loop.most
                unit = ("N", "Н") if axis.drive.slides else ("N·m", "Н·м")
                found.append(
                    Text(
                        f'the motor of "{joint}" is at its limit, {most:.4g} {unit[0]}, for {ticks} ms',
                        f"двигатель «{joint}» на пределе, {most:.4g} {unit[1]}, в течение {ticks} мс",
                    )
                )
        return found


def motor_name(axis: Axis) -> str:
    """The name of the motor of a drive in the system."""
    return f"drive {axis.drive.node}"


def motored(model: Model, plan: Plan) -> Model:
    """The system with the motors of drives at its joints.

    Raises:
        SistelError: Something in the file moves these joints already.
    """
    refuse_moved(model, plan)
    places = {
        name: (body.number, i)
        for body in model.bodies
        for i, (own, _) in enumerate(body.joint.type.rates)
        for name in [f"{body.name}.{own}" if own else body.name]
    }
    made = []
    for axis in plan.axes:
        drive = axis.drive
        body, coordinate = places[drive.joint]
        made.append(
            Motor(
                name=motor_name(axis),
                body=body,
                coordinate=coordinate,
                ratio=abs(drive.turns) * 2.0 * math.pi,
                limit=math.inf if drive.force is None else drive.force,
                speed=math.inf,
                inertia=drive.rotor,
                efficiency=1.0,  # the limit of the force has it
                voltage=None,
                resistance=None,
                inductance=0.0,
                constant=None,
                span=drive.span,
            )
        )
    return replace(model, motors=(*model.motors, *made))


def refuse_moved(model: Model, plan: Plan) -> None:
    """Refuse joints that a motion or a scheme of the file moves already."""
    joints = {axis.drive.joint for axis in plan.axes}
    commanded = {command.motor for scheme in model.schemes for command in scheme.commands}
    moved = [model.rate_names[rate] for motion in model.motions for rate in motion.rates]
    moved += [_place_name(model, motor) for motor in model.motors if motor.name in commanded]
    own = ", ".join(name for name in dict.fromkeys(moved) if name in joints)
    if own:
        refuse(
            "moved-twice",
            Text(f"the file moves these joints itself: {own}", f"эти сочленения двигает сам файл: {own}"),
            hint=Text("leave its motion out", "уберите его движение"),
        )


def _place_name(model: Model, motor: Motor) -> str:
    body = model.bodies[motor.body - 1]
    own = body.joint.type.rates[motor.coordinate][0]
    return f"{body.name}.{own}" if own else body.name


def load_of(plan: Plan, steps: Steps, inertias: Sequence[float], holding: Sequence[float]) -> Load:
    """A system on the shafts of the drives of a plan.

    Args:
        plan: What the drives will do.
        steps: The system with their motors, standing where the drives are.
        inertias: What each joint has, by the mass matrix [kg or kg·m²].
        holding: Forces with which the drives have held the system before [N or N·m].
    """
    loops = []
    for axis, inertia, held in zip(plan.axes, inertias, holding, strict=True):
        drive = axis.drive
        if not (np.isfinite(inertia) and inertia > 0.0):
            refuse(
                "no-inertia",
                Text(f'nothing is to be moved by "{drive.joint}"', f"«{drive.joint}» нечего двигать"),
                span=drive.span,
            )
        loops.append(
            PositionLoop(
                inertia=float(inertia),
                bandwidth=drive.bandwidth,
                most=math.inf if drive.force is None else drive.force,
                sum=float(held) / (float(inertia) * drive.bandwidth**3),
            )
        )
    return Load(plan=plan, steps=steps, loops=loops)
