"""Motors that walk: what the joints of a machine are told, so that its feet carry what they should.

A servo motor gives kp (r − q) + kd (ṙ − q̇): it carries a load only where the joint lags behind what it is told. The
table therefore leads the program by τ/kp, where τ are the torques that the program needs with forces of the feet that
are as even as they can be, and that fade before a foot goes up and grow after it has come down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._gaits import Walk, postures
from sistel.cells._legs import Machine
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


SWING = 20
"""Rows in a swing: a spline through them is some 10⁻⁵ rad from the program, standing feet hardly strain each other."""
FADE = 0.06
"""Part of a cycle in which a foot takes over its load."""
LEAST = 0.02
"""Part of its load that a foot keeps until it goes up: with none, noise would lift it."""
DIFFERENCE = 1e-4
"""For rates of the program, in parts of a cycle."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """Servo motors of all joints of the legs."""

    kp: float = 20000.0
    """[N·m/rad]"""
    kd: float = 30.0
    """[N·m·s/rad]"""
    rows: int | None = None
    """Of the table, in a cycle; as many as put twenty into a swing unless told otherwise."""
    leads: bool = True
    """Whether the table leads the program by what the loads take."""


LAG = 0.01
"""How far joints may lag where their motors give all they can [rad]."""
CALM = 0.005
"""Of kd, in parts of kp, where motors have little [s]."""


def drive_for(machine: Machine) -> Drive:
    """Servo motors as stiff as the weakest motor of the legs allows: stiffer ones would be at their limits always."""
    legs = {body.number for leg in machine.legs for body in leg.bodies}
    limits = [motor.limit for motor in machine.model.motors if motor.body in legs and math.isfinite(motor.limit)]
    usual = Drive()
    kp = min([usual.kp, *(limit / LAG for limit in limits)])
    return replace(usual, kp=kp, kd=min(usual.kd, CALM * kp))


@record
class Orders:
    """What the motors are told, and what that should come to."""

    times: Array
    """Shape (n,) [s]."""
    joints: Array
    """Of all legs, in the order of their bodies, shape (n, joints) [rad]."""
    torques: Array
    """That the program needs, shape (n, joints) [N·m]."""
    forces: Array
    """Of the ground on the feet in the world, shape (n, legs, 3) [N]."""


def orders(walk: Walk, drive: Drive) -> Orders:
    """The table for the motors of a walk."""
    course = walk.course
    rows = math.ceil(SWING / (1.0 - course.duty)) if drive.rows is None else drive.rows
    even = np.linspace(0.0, course.length, rows * (course.cycles + 1) + 1)
    switches = np.array([time for time, _ in walk.switches if time > 0.0])
    # Rows lie on the moments of the switches: there the third derivative of the program jumps.
    apart = np.abs(even[:, None] - switches[None, :]).min(axis=1, initial=np.inf) > 0.3 * even[1]
    apart[[0, -1]] = True
    times = np.sort(np.concatenate([even[apart], switches]))
    q, v, a = _motion(walk, times)
    forces, torques = _loads(walk, times, q, v, a)
    columns = [body.first_q for leg in walk.machine.legs for body in leg.bodies]
    rates = [body.first_v for leg in walk.machine.legs for body in leg.bodies]
    torques = torques[:, rates]
    joints = q[:, columns] + (torques / drive.kp if drive.leads else 0.0)
    return Orders(times=times, joints=joints, torques=torques, forces=forces)


def _motion(walk: Walk, times: Array) -> tuple[Array, Array, Array]:
    """Coordinates, velocities and accelerations of the program."""
    machine, h = walk.machine, DIFFERENCE * walk.course.cycle
    before, q, after = (postures(machine, walk.course, times + shift)[0] for shift in (-h, 0.0, h))
    slope, curve = (after - before) / (2.0 * h), (after - 2.0 * q + before) / h**2
    v, a = np.zeros((2, len(times), machine.model.nv))
    # A trunk that does not turn: its velocity is the rate of its place, in its own axes too.
    trunk = machine.trunk
    v[:, trunk.first_v + 3 : trunk.first_v + 6] = slope[:, trunk.first_q + 4 : trunk.first_q + 7]
    a[:, trunk.first_v + 3 : trunk.first_v + 6] = curve[:, trunk.first_q + 4 : trunk.first_q + 7]
    for leg in machine.legs:
        for body in leg.bodies:
            v[:, body.first_v], a[:, body.first_v] = slope[:, body.first_q], curve[:, body.first_q]
    return q, v, a


def _loads(walk: Walk, times: Array, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """Forces of the ground on the feet, and driving forces on all velocities, along the program.

    Of all forces that keep the trunk in its motion, those with the least sum of squares, each in parts of what its foot
    may carry.
    """
    from sistel.engine import Engine

    machine = walk.machine
    engine, nv = Engine.of(machine.model), machine.model.nv
    needed = engine.call("inverse_dynamics")(q, v, a) - engine.call("applied_forces")(q, v, times[:, None])
    unturned = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    # J[i]: velocity of a point that stands per unit of v; a sole gets its load in equal parts of all its points.
    J = np.stack(
        [
            engine.frame_call("jacobian", point.body, point.p_BP, unturned)(q).reshape(len(times), 6, nv)[:, 3:]
            for leg in machine.legs
            for point in leg.soles
        ],
        axis=1,
    )
    owner = [number for number, leg in enumerate(machine.legs) for _ in leg.soles]
    base = slice(machine.trunk.first_v, machine.trunk.first_v + 6)
    shares = _shares(walk, times)[:, owner]
    points = np.zeros((len(times), len(owner), 3))
    for i, share in enumerate(shares):
        on = share > 0.0
        A = J[i, on].reshape(-1, nv)[:, base].T
        weights = np.repeat(share[on], 3)
        points[i, on] = (weights * (A.T @ np.linalg.lstsq(A * weights @ A.T, needed[i, base])[0])).reshape(-1, 3)
    forces = np.zeros((len(times), len(machine.legs), 3))
    for place, number in enumerate(owner):
        forces[:, number] += points[:, place]
    return forces, needed - np.einsum("npkv,npk->nv", J, points)


def _shares(walk: Walk, times: Array) -> Array:
    """What every foot may carry: 0 in the air, 1 in the middle of standing, shape (n, legs)."""
    fade = FADE * walk.course.cycle
    made = np.zeros((len(times), len(walk.machine.legs)))
    for number in range(made.shape[1]):
        moments = [(time, state[number]) for time, state in walk.switches]
        begin, stands = -np.inf, True
        for time, then in [*moments, (np.inf, False)]:
            if then == stands:
                continue
            if stands:
                inside = (times >= begin) & (times < time) if np.isfinite(time) else times >= begin
                near = np.clip(np.minimum(times[inside] - begin, time - times[inside]) / fade, 0.0, 1.0)
                made[inside, number] = LEAST + (1.0 - LEAST) * near**3 * (10.0 + near * (6.0 * near - 15.0))
            begin, stands = time, then
    return made
