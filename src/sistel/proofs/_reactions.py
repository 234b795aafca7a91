"""Claims about reactions: with them, every body obeys Newton and Euler, and the whole system too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.mechanics import Quantities, applied_forces
from sistel.proofs._claim import Claim, Finding, Skip, apart, claim
from sistel.proofs._differences import TIMES, path, slope
from sistel.proofs._rolling import sprocket_axis, touching_place
from sistel.proofs._structure import DEGENERATE, SINGULAR
from sistel.proofs._subject import StructureSubject
from sistel.proofs._virtual import Motions, motions

if TYPE_CHECKING:
    from sistel.arrays import Array

    Push = tuple[int, int, Array, Array, Array]


def _pushes(subject: StructureSubject, s: int, at: Motions) -> Iterator[Push]:
    """Everything that acts between bodies: on which, from which, at which place of W, the moment and the force."""
    model, reactions = subject.model, subject.reactions
    for body in model.bodies:
        load = reactions[body.joint.name][s]
        yield body.number, body.base, at.p[body.number], load[:3], load[3:]
    held = set(subject.structure.holds)
    for closure in model.closures:
        if closure.name in held:
            load = reactions[closure.name][s]
            place = at.place(closure.first.body, closure.first.p_BS)
            yield closure.first.body, closure.second.body, place, load[:3], load[3:]
    for contact in model.contacts:
        if contact.name in held:
            load = reactions[contact.name][s]
            yield contact.body, contact.on, touching_place(subject, contact, at), load[:3], load[3:]
    for blade in model.blades:
        if blade.name in held:
            load = reactions[blade.name][s]
            place = at.place(blade.body, blade.p_BP)
            yield blade.body, blade.on, place, load[:3], load[3:]
            if blade.belt is not None:
                # The belt draws at its sprocket, which is held by the hull.
                pull = blade.belt.speed * (load[3:] @ (at.R[blade.body] @ np.array(blade.across)))
                axis = sprocket_axis(subject, blade.belt.body, at)
                yield blade.belt.body, blade.body, place, -pull * axis, np.zeros(3)
    loads = subject.patch_loads(s) or {}
    for track in model.tracks if loads else ():
        for index, p in enumerate(track.patches):
            push = loads[track.patch_name(index)] * (at.R[track.body] @ np.array(track.normal))
            yield track.body, 0, at.place(track.body, p), np.zeros(3), push
    for lock in model.locks:
        if lock.name in held and lock.first is not None:
            load = reactions[lock.name][s]
            yield lock.first, lock.second or 0, at.p[lock.first], load[:3], load[3:]


def _momenta(subject: StructureSubject, at: Motions) -> Array:
    """Angular momentum about its centre of mass, and momentum, of every body, (bodies, 6)."""
    made = []
    for body in subject.model.bodies:
        R = at.R[body.number]
        xx, yy, zz, xy, xz, yz = body.I_BBcm_B
        inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        speed = at.velocity(body.number, body.p_BoBcm_B)
        made.append(np.concatenate([inertia @ at.w[body.number], body.mass * speed]))
    return np.array(made)


def _merged(subject: StructureSubject) -> bool:
    """Whether a joint was changed into another one about some point: its name then stands for loads at two places."""
    return any(change.type.key != "fixed" or change.about is not None for change in subject.structure.changes)


def _outer(subject: StructureSubject, s: int, at: Motions) -> Iterator[tuple[int, Array, Array, Array]]:
    """Weight, and what the file lets act: on which body, at which place of W, the moment and the force."""
    model, nothing = subject.model, np.zeros(3)
    for body in model.bodies:
        yield body.number, at.place(body.number, body.p_BoBcm_B), nothing, body.mass * np.array(model.gravity)
    if subject.applied:
        state = Quantities(model, subject.tree, subject.q[s].tolist(), subject.v[s].tolist(), 0.0)
        for number, p, moment, force in applied_forces(state, loads=subject.patch_loads(s)).outer:
            yield number, at.place(number, p), np.array(moment, dtype=float), np.array(force, dtype=float)


@claim(
    "reactions-bodies",
    Text("reactions", "реакции"),
    Text("rate of each body's momentum", "скорость импульса каждого тела"),
    Text("all that acts on it", "всё, что на него действует"),
)
def _bodies(subject: StructureSubject) -> Finding | Skip:
    """Rates of every body's momenta against all that acts on it."""
    if _merged(subject):
        return Skip(
            Text("a joint that changed carries loads at two places", "заменённая КП несёт нагрузки в двух местах")
        )
    if subject.condition > SINGULAR:
        return DEGENERATE
    model, units, worst = subject.model, subject.units, 0.0
    for s in subject.many:
        v, a = subject.v[s], subject.a[s]
        pace = units.pace(v)
        track = path(model, subject.q[s], v / pace)
        moving = [motions(model, q, v + time / pace * a) for q, time in zip(track, TIMES, strict=True)]
        samples = np.array([_momenta(subject, at) for at in moving])
        at = moving[4]
        # The ground is in the first row, so that everything has an opposite.
        sums, size = np.zeros((len(model.bodies) + 1, 6)), 1.0
        centres = np.array([np.zeros(3), *(at.place(body.number, body.p_BoBcm_B) for body in model.bodies)])
        for number, place, moment, force in _outer(subject, s, at):
            sums[number] += _about(centres[number], place, moment, force)
        for number, base, place, moment, force in _pushes(subject, s, at):
            sums[number] += _about(centres[number], place, moment, force)
            sums[base] -= _about(centres[base], place, moment, force)
            size = max(size, float(np.abs(np.concatenate([moment, force]) / units.wrench).max()))
        size = max(size, float(np.abs(samples * pace / units.wrench).max()))
        worst = max(worst, apart(pace * slope(samples), sums[1:], units.wrench * size))
    return Finding(worst, units.differences + units.rounding * subject.condition, "n ε κ/h", subject.count)


def _about(centre: Array, place: Array, moment: Array, force: Array) -> Array:
    """Moment about a centre, then force."""
    return np.concatenate([moment + np.cross(place - centre, force), force])


@claim(
    "reactions-ground",
    Text("momentum of the system", "количество движения системы"),
    Text("its rate", "его скорость"),
    Text("weight and the ground", "вес и земля"),
)
def _ground(subject: StructureSubject) -> Finding | Skip:
    """Rate of the momentum of the whole system against weight and what the ground does."""
    if subject.condition > SINGULAR:
        return DEGENERATE
    model, units, worst = subject.model, subject.units, 0.0
    merged, origin = _merged(subject), np.zeros(3)
    for s in subject.many:
        q, v, a = subject.q[s], subject.v[s], subject.a[s]
        pace = units.pace(v)
        samples = subject.whole.call("momentum", path(model, q, v / pace), v + np.outer(TIMES / pace, a))
        at = motions(model, q, v)
        total, size = np.zeros(6), max(1.0, float(np.abs(samples * pace / units.wrench).max()))
        for number, place, moment, force in _outer(subject, s, at):
            if number:
                total += _about(origin, place, moment, force)
        for number, base, place, moment, force in _pushes(subject, s, at):
            if base == 0 or number == 0:
                load = _about(origin, place, moment, force)
                total += load if base == 0 else -load
                size = max(size, float(np.abs(load / units.wrench).max()))
        first = 3 if merged else 0
        worst = max(worst, apart((pace * slope(samples))[first:], total[first:], units.wrench[first:] * size))
    note = Text("forces only: a joint changed", "только силы: КП заменена") if merged else None
    tolerance = units.differences + units.rounding * subject.condition
    return Finding(worst, tolerance, "n ε κ/h", subject.count, note=note)


REACTIONS: tuple[Claim[StructureSubject], ...] = (_bodies, _ground)
