"""Claims about places, Jacobians, energy and momentum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.mechanics import Applied, Quantities, acts, applied_forces, undriven_loads
from sistel.proofs._claim import Claim, Finding, Skip, apart, claim
from sistel.proofs._differences import TIMES, path, slope
from sistel.proofs._subject import Subject
from sistel.proofs._virtual import Motions, motions

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Spring


DIFFERENCES = Text("differences", "разности")


@claim("poses", "poses | положения", "links | звенья", "body by body | тело за телом")
def _poses(subject: Subject) -> Finding:
    units, model, worst = subject.units, subject.model, 0.0
    for name in subject.places:
        body, p, R = model.place_of(name)
        found = subject.place_call("pose", name, subject.q)
        for s in subject.many:
            at = motions(model, subject.q[s], np.zeros(model.nv))
            expected = np.eye(4)
            expected[:3, :3], expected[:3, 3] = at.R[body] @ np.array(R, dtype=float), at.place(body, p)
            worst = max(worst, apart(found[s], expected, units.pose))
    return Finding(worst, units.rounding, "n ε", subject.count * len(subject.places))


@claim("jacobians", "Jacobians | якобианы", "J", "differences of poses | разности положений")
def _jacobians(subject: Subject) -> Finding:
    """Every column, or mixtures of them in large systems."""
    units, worst = subject.units, 0.0
    twist = np.repeat([1.0, units.length], 3)
    for name in subject.places:
        J = subject.place_call("jacobian", name, subject.q)
        for s in subject.many:
            for probe in subject.probes:
                X = subject.place_call("pose", name, path(subject.model, subject.q[s], probe))
                rate = slope(X)
                spin = rate[:3, :3] @ X[4, :3, :3].T
                found = [spin[2, 1], spin[0, 2], spin[1, 0], *rate[:3, 3]]
                worst = max(worst, apart(J[s] @ probe, found, twist))
    return Finding(worst, units.differences, "n ε/h", subject.count * len(subject.places))


@claim(
    "jacobian-rates",
    "rates of Jacobians | скорости якобианов",
    "J̇",
    "differences of J | разности J",
)
def _jacobian_rates(subject: Subject) -> Finding:
    units, worst = subject.units, 0.0
    for name in subject.places:
        for s in subject.many:
            # Slowly enough that all turns together make one radian in a unit of time.
            v = subject.v[s] / units.pace(subject.v[s])
            J = subject.place_call("jacobian", name, path(subject.model, subject.q[s], v))
            found = subject.place_call("jacobian_rate", name, subject.q[s], v)
            worst = max(worst, apart(found, slope(J), units.jacobian))
    return Finding(worst, units.differences, "n ε/h", subject.count * len(subject.places))


@claim(
    "potential",
    "potential energy | потенциальная энергия",
    "body by body | тело за телом",
    "centre of mass | центр масс",
)
def _potential(subject: Subject) -> Finding:
    units, model = subject.units, subject.model
    found = subject.energies(subject.q, subject.still)
    mass = sum(body.mass for body in model.bodies)
    weighed = -mass * found[:, 2:] @ np.array(model.gravity)
    return Finding(apart(found[:, 1], weighed, units.energy), units.rounding, "n ε", subject.count)


@claim(
    "momentum",
    "momentum | количество движения",
    "body by body | тело за телом",
    "differences of centre of mass | разности центра масс",
)
def _momentum(subject: Subject) -> Finding:
    units, model, found = subject.units, subject.model, []
    mass = sum(body.mass for body in model.bodies)
    still = np.zeros(model.nv)
    for s in subject.many:
        pace = units.pace(subject.v[s])
        centres = subject.energies(path(model, subject.q[s], subject.v[s] / pace), still)[:, 2:]
        found.append(mass * pace * slope(centres))
    expected = subject.call("momentum", subject.q, subject.v)[:, 3:]
    # The pace turns a slope of one radian into velocities.
    size = units.impulse[3] * max(1.0, float(np.abs(subject.v / units.ways).sum(axis=1).max(initial=0.0)) / units.rate)
    return Finding(apart(expected, found, size), units.differences, "n ε/h", subject.count)


@claim("power", "power balance | баланс мощности", "d(T + U)/dt", "τ · v")
def _power(subject: Subject) -> Finding | Skip:
    """d(T + U)/dt along the motion that forces give, against their power."""
    if subject.why_not is not None:
        return Skip(subject.why_not)
    units, worst = subject.units, 0.0
    for s in subject.many:
        q, v, a = subject.q[s], subject.v[s], subject.found[s]
        pace = units.pace(v)
        track = path(subject.model, q, v / pace)
        energy = subject.energies(track, v + np.outer(TIMES / pace, a))
        rate = slope(energy[:, 0] + energy[:, 1])
        size = max(units.energy, float(np.abs(energy[:, :2]).max()))
        worst = max(worst, apart(rate, subject.tau[s] @ v / pace, size))
    condition = 1.0 if subject.huge else subject.condition
    return Finding(worst, max(units.differences, units.rounding * condition), "n ε/h", subject.count)


def push_power(applied: Applied, moving: Motions, probe: Array) -> float:
    """Power of applied forces on a virtual motion, push by push."""
    total = float(np.array(applied.joints, dtype=float) @ probe)
    for body, p, moment, force in applied.outer:
        total += float(np.array(moment, dtype=float) @ moving.w[body])
        total += float(np.array(force, dtype=float) @ moving.velocity(body, p))
    return total


@claim(
    "applied",
    "applied forces | приложенные силы",
    "on coordinates | на координаты",
    "power, push by push | мощность каждой силы",
)
def _applied(subject: Subject) -> Finding | None:
    """Generalized forces against the power of every push on virtual motions."""
    model, units = subject.model, subject.units
    if not acts(model):
        return None
    t = float(subject.rng("t").uniform())
    forces = subject.call("applied_forces", subject.q, subject.v, np.array([t]))
    setting = subject.engine.automaton.mode(model.structure()).setting
    found, expected = [], []
    for s in subject.many:
        q, v = subject.q[s].tolist(), subject.v[s].tolist()
        applied = applied_forces(Quantities(model, subject.tree, q, v, t), loads=undriven_loads(setting, q, v, t))
        for probe in subject.probes:
            found.append(float(forces[s] @ probe))
            expected.append(push_power(applied, motions(model, subject.q[s], probe), probe))
    # Stiff springs push much harder than weight.
    size = max(units.energy, float(np.abs(forces * units.ways).max()))
    return Finding(apart(found, expected, size), units.rounding, "n ε", subject.count)


@claim("springs", "springs | пружины", "forces | силы", "slope of their energy | наклон их энергии")
def _springs(subject: Subject) -> Finding | None:
    """Springs at rest against the slope of their energy."""
    model, units = subject.model, subject.units
    joints = [body for body in model.bodies if any(body.joint.stiffness) and not body.joint.type.has_quaternion]
    balls = any(any(body.joint.stiffness) and body.joint.type.has_quaternion for body in model.bodies)
    if not (joints or model.springs) or model.forces or balls or any(stop.stiffness for stop in model.stops):
        return None
    still = np.zeros(model.nv)

    def energy(q: Array) -> float:
        total = 0.0
        for body in joints:
            for i, (k, rest) in enumerate(zip(body.joint.stiffness, body.joint.rest, strict=True)):
                total += k * (q[body.first_q + i] - rest) ** 2 / 2
        at = motions(model, q, still)
        for spring in model.springs:
            total += spring.stiffness * (float(np.linalg.norm(_span(at, spring))) - spring.length) ** 2 / 2
        return total

    forces = subject.call("applied_forces", subject.q, subject.still, np.zeros(1))
    slopes, largest = [], units.energy
    for s in subject.many:
        # A spring turns around where its length is zero: keep away from there.
        at = motions(model, subject.q[s], still)
        lengths = [np.linalg.norm(_span(at, spring)) for spring in model.springs if spring.length]
        pace = max(min([1.0, *(float(length) / units.length for length in lengths)]), 1e-3)
        for probe in subject.probes:
            samples = [energy(q) for q in path(model, subject.q[s], probe * pace)]
            slopes.append(-float(slope(samples)) / pace)
            largest = max(largest, *(abs(sample) / pace for sample in samples))
    works = (forces @ subject.probes.T).ravel()
    return Finding(apart(works, slopes, largest), units.differences, "n ε/h", subject.count)


def _span(at: Motions, spring: Spring) -> Array:
    return at.place(spring.second.body, spring.second.p_BS) - at.place(spring.first.body, spring.first.p_BS)


MOTION: tuple[Claim[Subject], ...] = (
    _poses,
    _jacobians,
    _jacobian_rates,
    _potential,
    _momentum,
    _power,
    _applied,
    _springs,
)
