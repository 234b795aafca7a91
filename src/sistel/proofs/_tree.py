"""Claims about the equations of the tree of bodies."""

from __future__ import annotations

import numpy as np

from sistel.errors import Text
from sistel.mechanics import articulated_dynamics, forward_dynamics, joint_loads
from sistel.proofs._claim import Claim, Finding, Skip, apart, claim
from sistel.proofs._differences import path, slope
from sistel.proofs._lagrange import lagrange_differences, lagrange_program
from sistel.proofs._subject import HUGE, Subject
from sistel.proofs._virtual import joint_power, motions

RECURSION = Text("Newton–Euler recursion", "рекурсия Ньютона — Эйлера")
INVERSE = Text("inverse dynamics", "силы по ускорениям")
FORWARD = Text("forward dynamics", "ускорения по силам")
MASS = Text("mass matrix", "матрица масс")
FORMULAS = Text("Lagrange, formulas", "Лагранж, формулы")
DIFFERENCES = Text("Lagrange, differences", "Лагранж, разности")
COMPOSITE = Text("composite bodies", "составные тела")
ARTICULATED = Text("articulated bodies", "сочленённые тела")
EQUATIONS = Text("equations of motion", "уравнения движения")
DENSE = Text("M a = τ − h, dense", "M a = τ − h, плотная")
BIG = Skip(Text(f"more than {HUGE} velocities", f"больше {HUGE} скоростей"))


def _big(subject: Subject) -> Skip | None:
    return BIG if subject.huge else None


def _forceless(subject: Subject) -> Skip | None:
    """Where forces give no accelerations."""
    return None if subject.why_not is None else Skip(subject.why_not)


@claim("inverse-bodies", INVERSE, RECURSION, "Newton, body by body | Ньютон, тело за телом")
def _bodies(subject: Subject) -> Finding:
    """Power on virtual motions: joint loads of the bodies one by one against the forces of the recursion."""
    model, found, expected = subject.model, [], []
    for s in subject.many:
        q, v, a = subject.q[s], subject.v[s], subject.a[s]
        loads = joint_loads(model, q.tolist(), v.tolist(), a.tolist())
        rotors = np.array(subject.tree.rotors) * a
        for probe in subject.probes:
            found.append(float(subject.tau[s] @ probe))
            expected.append(joint_power(model, loads, motions(model, q, probe)) + float(rotors @ probe))
    units = subject.units
    return Finding(apart(found, expected, units.energy), units.rounding, "n ε", subject.count)


@claim("inverse-lagrange", INVERSE, RECURSION, DIFFERENCES, unless=(_big,))
def _lagrange(subject: Subject) -> Finding:
    units = subject.units
    kernel = None if subject.engine.large else lagrange_program(subject.model)
    if kernel is not None:
        formulas = kernel(subject.q, subject.v, subject.a)
        return Finding(
            apart(subject.tau, formulas, units.forces), units.rounding, "n ε", subject.count, ways=(RECURSION, FORMULAS)
        )
    works = np.array([lagrange_differences(subject, s) for s in subject.many])
    found = subject.tau @ subject.probes.T
    return Finding(apart(found, works, units.energy), units.differences, "n ε/h", subject.count)


@claim(
    "bias",
    "bias forces | силы при нулевых ускорениях",
    "own equations | свои уравнения",
    "inverse dynamics, a = 0 | силы по ускорениям, a = 0",
)
def _bias(subject: Subject) -> Finding:
    units = subject.units
    one = subject.call("bias_forces", subject.q, subject.v)
    other = subject.call("inverse_dynamics", subject.q, subject.v, subject.still)
    return Finding(apart(one, other, units.forces), units.rounding, "n ε", subject.count)


@claim(
    "gravity",
    "gravity forces | силы против тяжести",
    RECURSION,
    "slope of potential energy | наклон потенциальной энергии",
)
def _gravity(subject: Subject) -> Finding:
    """Weight against the slope of the potential energy."""
    units, slopes = subject.units, []
    for s in subject.many:
        still = np.zeros(subject.model.nv)
        slopes.append(
            [slope(subject.energies(path(subject.model, subject.q[s], probe), still)[:, 1]) for probe in subject.probes]
        )
    works = subject.gravity @ subject.probes.T
    return Finding(apart(works, slopes, units.energy), units.differences, "n ε/h", subject.count)


@claim("mass-symmetric", MASS, "M", "Mᵀ", unless=(_big,))
def _symmetric(subject: Subject) -> Finding:
    units = subject.units
    return Finding(apart(subject.M, subject.M.swapaxes(1, 2), units.masses), units.rounding, "n ε", subject.count)


@claim(
    "mass-positive",
    MASS,
    "least eigenvalue | наименьшее собственное число",
    "of the largest, > 0 | от наибольшего, > 0",
    unless=(_forceless, _big),
)
def _positive(subject: Subject) -> Finding:
    sizes = np.linalg.eigvalsh(subject.units.scaled(subject.M))
    least = float((sizes[:, 0] / np.abs(sizes).max(axis=1)).min())
    condition = subject.condition
    note = Text(f"condition {condition:.1e}", f"обусловленность {condition:.1e}")
    # Below this, rounding decides the sign.
    tolerance = subject.model.nv * 2.0**-52
    return Finding(least, tolerance, "n ε", subject.count, least=True, note=note)


@claim("mass-columns", MASS, "composite bodies, M a | составные тела, M a", RECURSION, unless=(_big,))
def _columns(subject: Subject) -> Finding:
    """M times accelerations against inverse dynamics without speed and weight."""
    units, worst = subject.units, 0.0
    for probe in subject.probes:
        gains = np.tile(probe * units.rate**2, (subject.count, 1))
        one = np.einsum("sij,sj->si", subject.M, gains)
        other = subject.call("inverse_dynamics", subject.q, subject.still, gains) - subject.gravity
        worst = max(worst, apart(one, other, units.forces))
    return Finding(worst, units.rounding, "n ε", subject.count)


@claim(
    "kinetic",
    "kinetic energy | кинетическая энергия",
    "½ vᵀ M v",
    "body by body | тело за телом",
    unless=(_big,),
)
def _kinetic(subject: Subject) -> Finding:
    units = subject.units
    halves = np.einsum("si,sij,sj->s", subject.v, subject.M, subject.v) / 2
    energy = subject.energies(subject.q, subject.v)[:, 0]
    return Finding(apart(halves, energy, units.energy), units.rounding, "n ε", subject.count)


@claim(
    "forward-inverse",
    FORWARD,
    "inverse of forward dynamics | силы по найденным ускорениям",
    "given forces | заданные силы",
    unless=(_forceless,),
)
def _inverse_of_forward(subject: Subject) -> Finding:
    units = subject.units
    back = subject.call("inverse_dynamics", subject.q, subject.v, subject.found)
    return Finding(apart(back, subject.tau, units.forces), units.rounding, "n ε", subject.count)


@claim("forward-articulated", FORWARD, COMPOSITE, ARTICULATED, unless=(_forceless, _big))
def _articulated(subject: Subject) -> Finding:
    units, worst = subject.units, 0.0
    for s in subject.many:
        state = [block[s].tolist() for block in (subject.q, subject.v, subject.tau)]
        one = forward_dynamics(subject.tree, *state)
        other = articulated_dynamics(subject.tree, *state)
        weights, unit = subject.weights[s], units.rate**2
        worst = max(
            worst, apart(one * weights, other * weights, unit), apart(subject.found[s] * weights, one * weights, unit)
        )
    return Finding(worst, units.rounding * subject.condition, "n ε κ", subject.count)


@claim("forward-dense", FORWARD, EQUATIONS, DENSE, unless=(_forceless, _big))
def _solved(subject: Subject) -> Finding:
    """Against the solution of M a = τ − h with a dense matrix."""
    units, weights = subject.units, subject.weights
    force = (subject.tau - subject.call("bias_forces", subject.q, subject.v)) / (units.mass * units.length**2)
    dense = np.linalg.solve(units.scaled(subject.M), (force / weights)[..., np.newaxis])[..., 0]
    error = apart(subject.found * weights, dense, units.rate**2)
    return Finding(error, units.rounding * subject.condition, "n ε κ", subject.count)


TREE: tuple[Claim[Subject], ...] = (
    _bodies,
    _lagrange,
    _bias,
    _gravity,
    _symmetric,
    _positive,
    _columns,
    _kinetic,
    _inverse_of_forward,
    _articulated,
    _solved,
)
