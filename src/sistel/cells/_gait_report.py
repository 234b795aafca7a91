"""What a simulated walk comes to: loads of the feet, torques of the joints, and how far it is from its program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.cells._gaits import Walk, margins, postures
from sistel.motion import pieces_of
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags
    from sistel.simulation import Run


SAMPLES = 200
"""Times in a second at which a run is looked at."""


@record
class Walked:
    """A simulated walk, sampled."""

    times: Array
    """Shape (n,) [s]."""
    normals: Array
    """Vertical forces of the ground on the feet, shape (n, legs) [N]; 0 in the air."""
    stands: Flags
    """Which feet stand, shape (n, legs)."""
    tangents: Array
    """Sizes of the horizontal ones, shape (n, legs) [N]."""
    torques: Array
    """Of the joints of all legs, in the order of their bodies, shape (n, joints) [N·m]."""
    errors: Array
    """Of the place of the trunk against the program, shape (n, 3) [m]."""
    margin: Array
    """Of the centre of mass inside the polygon of the feet that stand, shape (n,) [m]."""
    weight: float
    """[N]"""
    load: float
    """Mean of the sum of the vertical forces, impacts included [N]: from rest to rest, nothing but the weight."""

    @property
    def least(self) -> Array:
        """The smallest vertical force of every foot while it stands, shape (legs,) [N]."""
        return np.asarray(np.where(self.stands, self.normals, np.inf).min(axis=0))


def watch_walk(walk: Walk, run: Run) -> Walked:
    """Look at a run of the system that `walk_xml` describes with motors.

    Args:
        walk: The walk.
        run: The run.
    """
    model, machine = run.model, walk.machine
    count = max(2, round(SAMPLES * (run.end - run.begin)) + 1)
    times = np.linspace(run.begin, run.end, count)
    q, v = run(times)
    force = _forces(walk, run, times)
    held = [frozenset(model.structure(str(name)).holds) for name in run.structure_at(times)]
    stands = np.array([[leg.soles[0].name in each for leg in machine.legs] for each in held])
    wanted = postures(machine, walk.course, times)[0]
    place = slice(machine.trunk.first_q + 4, machine.trunk.first_q + 7)
    feet = np.stack([_place(run, leg.soles[0].name, q) - leg.spread[0] for leg in machine.legs], axis=1)
    joints = [model.bodies[model.number(body.name) - 1].first_v for leg in machine.legs for body in leg.bodies]
    return Walked(
        times=times,
        normals=force[:, :, 2],
        stands=stands,
        tangents=np.hypot(force[:, :, 0], force[:, :, 1]),
        torques=_torques(run, times, q, v)[:, joints],
        errors=q[:, place] - wanted[:, place],
        margin=margins(machine, q, feet, stands),
        load=_mean_load(walk, run),
        weight=float(sum(body.mass for body in model.bodies)) * float(np.linalg.norm(model.gravity)),
    )


def _forces(walk: Walk, run: Run, times: Array) -> Array:
    """Of the ground on the feet, shape (n, legs, 3) [N]."""
    carried = run.reactions(times)
    none = np.zeros((len(times), 3))
    legs = walk.machine.legs
    return np.stack(
        [sum((carried[point.name][:, 3:] for point in leg.soles if point.name in carried), none) for leg in legs],
        axis=1,
    )


def _mean_load(walk: Walk, run: Run) -> float:
    """By Gauss's rule on every step, and the impulses of the events."""
    steps = np.concatenate([segment.times for segment in run.segments])
    nodes, weights = np.polynomial.legendre.leggauss(3)
    times = (steps[:, :1] + steps[:, 1:] * (0.5 + 0.5 * nodes)).ravel()
    vertical = _forces(walk, run, times)[:, :, 2].sum(axis=1).reshape(-1, 3)
    total = float((vertical @ weights * 0.5 * steps[:, 1]).sum())
    feet = {point.name for leg in walk.machine.legs for point in leg.soles}
    total += sum(float(push[5]) for event in run.events for name, push in event.impulses.items() if name in feet)
    return total / (run.end - run.begin)


def _torques(run: Run, times: Array, q: Array, v: Array) -> Array:
    """What motors that follow tables give, shape (n, nv) [N·m]: the law of the file, at all times at once."""
    model = run.model
    made = np.zeros((len(times), model.nv))
    places = {body.first_v: body.first_q for body in model.bodies if body.joint.type.nq == body.joint.type.nv == 1}
    for motion in model.motions:
        if motion.kp is None or motion.kd is None or motion.formulas:
            continue
        knots = np.array(motion.times)
        piece = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        since = np.clip(times, knots[0], knots[-1]) - knots[piece]
        for i, (rate, kp, kd) in enumerate(zip(motion.rates, motion.kp, motion.kd, strict=True)):
            values = [row[i] for row in motion.rows]
            powers = np.array(pieces_of(motion.interpolation, motion.times, values))[piece].T
            wanted = sum(c * since**k for k, c in enumerate(powers))
            slope = sum(k * c * since ** (k - 1) for k, c in enumerate(powers) if k)
            made[:, rate] += kp * (wanted - q[:, places[rate]]) + kd * (slope - v[:, rate])
    for motor in model.motors:
        rate = model.bodies[motor.body - 1].first_v + motor.coordinate
        if motor.electric or np.isfinite(motor.speed):
            made[:, rate] = run.quantity(f"torque('{motor.name}')", times)
        else:
            made[:, rate] = np.clip(made[:, rate], -motor.limit, motor.limit)
    return made


def _place(run: Run, name: str, q: Array) -> Array:
    """Where a point is, shape (n, 3) [m]."""
    body, p, R = run.model.place_of(name)
    found: Array = run.engine.frame_call("pose", body, p, R)(q)
    return found.reshape(len(q), 4, 4)[:, :3, 3]
