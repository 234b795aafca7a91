"""Claims about what rolls, and about blades: velocities that constraints hold without holding any place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import gap_gradient, ground_normal
from sistel.model import Contact
from sistel.proofs._claim import Claim, Finding, apart, claim
from sistel.proofs._differences import path, slope
from sistel.proofs._subject import StructureSubject
from sistel.proofs._virtual import Motions, motions

if TYPE_CHECKING:
    from sistel.arrays import Array

_WHAT = "rolling and blades | качение и полозья"


def touching_place(subject: StructureSubject, contact: Contact, at: Motions) -> Array:
    """Where a contact touches, in W: its point, or the nearest of a round shape, by its angle on the circle [m]."""
    place, shape = at.place(contact.body, contact.p_BP), contact.round
    if shape is None:
        return place
    return np.asarray(place + _rim(contact, at, _normal(subject, contact, at)))


def _rim(contact: Contact, at: Motions, n: Array) -> Array:
    """From the centre of a round shape to where it is nearest to a surface of a normal, by its angle on the circle."""
    shape = contact.round
    assert shape is not None
    if shape.axis is None:
        return -shape.radius * n
    a = at.R[contact.body] @ np.array(shape.axis)
    first = np.cross(a, np.eye(3)[int(np.abs(a).argmin())])
    first /= np.linalg.norm(first)
    second = np.cross(a, first)
    angle = math.atan2(-float(n @ second), -float(n @ first))
    rim = shape.radius - shape.tread
    return np.asarray(rim * (math.cos(angle) * first + math.sin(angle) * second) - shape.tread * n)


ROUNDS = 400
"""Times that a place under a wheel and the normal there are found in turns."""


def _normal(subject: StructureSubject, contact: Contact, at: Motions) -> Array:
    if contact.height is not None and contact.round is not None and contact.round.axis is not None:
        centre, axes = at.place(contact.body, contact.p_BP), at.R[contact.on]
        n = axes @ np.eye(3)[contact.height.axis] * contact.height.sign
        for _ in range(ROUNDS):
            local = axes.T @ (centre + _rim(contact, at, n) - at.p[contact.on])
            beside = [float(local[axis]) for axis in contact.height.beside]
            last, n = n, axes @ np.array(ground_normal(subject.model, contact, beside), dtype=float)
            if np.abs(n - last).max() < 1e-16:
                break
        return np.asarray(n)
    local = at.R[contact.on].T @ (at.place(contact.body, contact.p_BP) - at.p[contact.on])
    found = at.R[contact.on] @ np.array(gap_gradient(subject.model, contact, local.tolist()), dtype=float)
    return np.asarray(found / np.linalg.norm(found))


def _rolls(subject: StructureSubject) -> bool:
    """Whether anything holds a velocity alone."""
    return any(not row.holds_place for row in subject.rows[0])


def sprocket_axis(subject: StructureSubject, body: int, at: Motions) -> Array:
    """The axis about which a sprocket turns, in W."""
    return np.asarray(at.R[body] @ np.array(subject.model.bodies[body - 1].joint.axis))


def _slips(subject: StructureSubject, at: Motions) -> Iterator[tuple[str, Array]]:
    """By link, the velocity that it does not let be: of the material that touches, or across a blade, in W."""
    held = set(subject.structure.holds)
    for contact in subject.model.contacts:
        if contact.name in held and contact.round is not None:
            place = touching_place(subject, contact, at)
            sides = [at.v[body] + np.cross(at.w[body], place - at.p[body]) for body in (contact.body, contact.on)]
            n, slip = _normal(subject, contact, at), sides[0] - sides[1]
            yield contact.name, slip - (slip @ n) * n
    for blade in subject.model.blades:
        if blade.name in held:
            place = at.place(blade.body, blade.p_BP)
            sides = [at.v[body] + np.cross(at.w[body], place - at.p[body]) for body in (blade.body, blade.on)]
            n = at.R[blade.body] @ np.array(blade.across)
            slip = (sides[0] - sides[1]) @ n
            if blade.belt is not None:
                turn = at.w[blade.belt.body] - at.w[blade.body]
                slip = slip - blade.belt.speed * (turn @ sprocket_axis(subject, blade.belt.body, at))
            yield blade.name, slip * n


@claim(
    "rolling-velocities",
    _WHAT,
    "J v",
    "velocities of what touches, body by body | скорости того, что касается, по телам",
    about=_rolls,
)
def _velocities(subject: StructureSubject) -> Finding:
    """J v of the rows that hold velocities against the material that touches, for any velocities."""
    units, worst = subject.units, 0.0
    ways = subject.rng("rolling").uniform(-1.0, 1.0, (2, subject.model.nv)) * units.ways
    for s in subject.many:
        for way in ways:
            expected = dict(_slips(subject, motions(subject.model, subject.q[s], way)))
            found: dict[str, Array] = {}
            for row in subject.rows[s]:
                if not row.holds_place:
                    along = np.array(row.wrenches[0].force, dtype=float)
                    speed = float(np.array(row.J, dtype=float) @ way) * along
                    found[row.link] = found.get(row.link, np.zeros(3)) + speed
            worst = max(worst, *(apart(found[name], expected[name], units.length) for name in found))
    return Finding(worst, units.rounding, "n ε", subject.count)


@claim("rolling-rates", _WHAT, "J̇ v", "differences of J v | разности J v", about=_rolls)
def _rates(subject: StructureSubject) -> Finding:
    """The biases of the rows that hold velocities against differences of J v, for any velocities that stay.

    Where directions turn as a shape goes along, biases are exact where its material rests: those velocities, then.
    """
    units, worst = subject.units, 0.0
    held = [each for each in subject.model.contacts if each.name in subject.structure.holds and each.round is not None]
    turning = any(each.measured or (each.round and each.round.axis is not None) for each in held)
    for s in subject.many:
        way = subject.rng("rolling rates").uniform(-1.0, 1.0, subject.model.nv)
        if turning:
            way = subject.v[s] / units.ways if subject.v[s].any() else way
        way = way / np.abs(way).sum() * units.ways
        samples = []
        for q in path(subject.model, subject.q[s], way):
            rows = [row for row in subject.rows_at(q.tolist(), way.tolist()) if not row.holds_place]
            samples.append([float(np.array(row.J, dtype=float) @ way) for row in rows])
        here = [row for row in subject.rows_at(subject.q[s].tolist(), way.tolist()) if not row.holds_place]
        biases = np.array([row.bias for row in here], dtype=float)
        worst = max(worst, apart(biases, slope(np.array(samples)), units.length))
    return Finding(worst, units.differences, "n ε/h", subject.count)


ROLLING: tuple[Claim[StructureSubject], ...] = (_velocities, _rates)
