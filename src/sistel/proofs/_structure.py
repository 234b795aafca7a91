"""Claims about one structure: its constraints, the motion that they leave, impacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from sistel.errors import Text
from sistel.mechanics import Row, anchors, reroots, structure_dynamics
from sistel.proofs._claim import Claim, Farthest, Finding, Skip, apart, claim
from sistel.proofs._differences import TIMES, path, resolved, slope
from sistel.proofs._subject import StructureSubject

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.expr import Scalar

    Anchors: TypeAlias = Mapping[str, list[Scalar]]

MOTION = Text("accelerations", "ускорения")
SINGULAR = 1e12
"""Condition beyond which a posture says nothing: twelve of sixteen digits are gone."""
DEGENERATE = Skip(Text("all postures are singular", "все положения особые"))


def held(subject: StructureSubject) -> bool:
    """Whether anything holds."""
    return not subject.free


def _driven(subject: StructureSubject) -> bool:
    """Whether anything holds or forces act."""
    return held(subject) or bool(subject.applied)


def singular(subject: StructureSubject) -> Skip | None:
    """Why nothing can be said of singular postures."""
    return DEGENERATE if subject.condition > SINGULAR else None


def regular(
    key: str,
    what: Text | str,
    one_way: Text | str,
    other_way: Text | str,
    *,
    about: Callable[[StructureSubject], bool] = held,
) -> Callable[[Callable[[StructureSubject], Finding | Skip | None]], Claim[StructureSubject]]:
    """As `claim`, of structures in which something holds, unless all postures are singular."""
    return claim(key, what, one_way, other_way, about=about, unless=(singular,))


def rounded(subject: StructureSubject, error: float, note: Text | None = None) -> Finding:
    """What comparing two ways brought that rounding alone sets apart, as much as the condition lets it."""
    return Finding(error, subject.units.rounding * subject.condition, "n ε κ", subject.count, note=note)


def _values(rows: list[Row]) -> list[float]:
    return [float(row.value) for row in rows]  # type: ignore[arg-type]


def _measured(subject: StructureSubject) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """The constraints that have a value: a locked ball has none, nor what holds a velocity alone."""
    balls = {
        rate
        for body in subject.model.bodies
        if body.joint.type.has_quaternion
        for rate in range(body.first_v, body.first_v + body.joint.type.nv)
    }
    return np.array([row.holds_place and row.rate not in balls for row in subject.rows[0]], dtype=bool)


@claim(
    "closed",
    "closure | замкнутость",
    "constraints of assembled postures | связи собранных положений",
    "0",
    about=held,
)
def _closed(subject: StructureSubject) -> Finding:
    """The values of all constraints in all postures."""
    found = anchors(subject.model, subject.tree, subject.structure, subject.start[0])
    still = [0.0] * subject.model.nv
    values = [_values(subject.rows_at(q.tolist(), still, found=found)) for q in subject.q]
    J = np.array([[row.J for row in rows] for rows in subject.rows], dtype=float) * subject.units.ways
    sizes = np.linalg.svd(J / subject.row_units[:, np.newaxis], compute_uv=False)
    regular = sizes > 1e-9 * sizes[:, :1]
    condition = float((sizes[:, 0] / np.where(regular, sizes, np.inf).min(axis=1)).max())
    error = float(np.abs(np.array(values) / subject.row_units).max(initial=0.0))
    return Finding(error, subject.units.rounding * condition, "n ε κ", subject.count)


@claim(
    "constraint-jacobian",
    "constraint Jacobian | якобиан связей",
    "J",
    "differences of closures | разности замыканий",
    about=held,
)
def _jacobian(subject: StructureSubject) -> Finding:
    """J against differences of the constraints' values, in any direction."""
    units, measured, worst = subject.units, _measured(subject), Farthest()
    ways = subject.rng("ways").uniform(-1.0, 1.0, (2, subject.model.nv))
    still = [0.0] * subject.model.nv
    for s in subject.many:
        q = subject.q[s]
        held = anchors(subject.model, subject.tree, subject.structure, q.tolist())
        J = np.array([row.J for row in subject.rows[s]], dtype=float)
        for way in ways / np.abs(ways).sum(axis=1, keepdims=True) * units.ways:

            def look(part: float, q: Array = q, way: Array = way, held: Anchors = held) -> Array:
                track = path(subject.model, q, part * way)
                samples = [_values(subject.rows_at(at.tolist(), still, found=held)) for at in track]
                return (np.array(samples) / subject.row_units)[:, measured]

            rates, bound = resolved(look, units.differences)
            worst.take(apart((J @ way / subject.row_units)[measured], rates, 1.0), bound)
    return Finding(worst.error, worst.bound, "n ε/h", subject.count)


@regular(
    "constraint-motion",
    "motion stays closed | движение не размыкает",
    "second differences of closures | вторые разности замыканий",
    "0",
)
def _kept(subject: StructureSubject) -> Finding:
    """Along the accelerations that were found, the second derivatives of the constraints' values vanish."""
    units, measured, worst = subject.units, _measured(subject), Farthest()
    for s in subject.many:
        q, v, a = subject.q[s], subject.v[s], subject.a[s]
        held = anchors(subject.model, subject.tree, subject.structure, q.tolist())
        # Both speeds and accelerations stay within a radian for all turns together.
        pace = max(units.pace(v), float(np.abs(a / units.ways).sum()) ** 0.5)

        def look(
            part: float, q: Array = q, v: Array = v, a: Array = a, held: Anchors = held, pace: float = pace
        ) -> Array:
            slow = pace / part
            samples = [
                _values(subject.rows_at(at.tolist(), v.tolist(), found=held, t=float(time) / slow))
                for at, time in zip(path(subject.model, q, v / slow, a / slow**2), TIMES, strict=True)
            ]
            return (np.array(samples) / subject.row_units)[:, measured]

        bent, bound = resolved(look, units.second_differences, 2)
        worst.take(float(np.abs(bent).max(initial=0.0)), bound + units.rounding * subject.condition)
    return Finding(worst.error, worst.bound, "n ε/h²", subject.count)


@regular("constraint-bias", "constraint accelerations | ускорения связей", "J a", "−J̇ v")
def _accelerations(subject: StructureSubject) -> Finding:
    """J a + bias = 0 with the compiled constraints."""
    units = subject.units
    time = (np.zeros(1),) if subject.equations.timed else ()
    if subject.whole.engine.large:
        J = np.array([[row.J for row in rows] for rows in subject.rows], dtype=float)
        bias = np.array([[row.bias for row in rows] for rows in subject.rows], dtype=float)
    else:
        _, flat, bias, _ = subject.equations.constraints(
            subject.q, subject.v, *time[: len(subject.equations.constraints.inputs) - 2]
        )
        J = flat.reshape(subject.count, -1, subject.model.nv)
    gains = np.einsum("sij,sj->si", J, subject.a)
    error = apart(gains, -np.asarray(bias), subject.row_units * units.rate**2)
    return rounded(subject, error)


@regular(
    "motion-dense",
    MOTION,
    "equations of the structure | уравнения структуры",
    "one dense matrix | одна плотная матрица",
)
def _dense(subject: StructureSubject) -> Finding:
    """Against one dense matrix of all equations."""
    units = subject.units
    dense = np.array([system.solve()[0] for system in subject.systems])
    error = apart(subject.a * subject.weights, dense, units.rate**2)
    return rounded(subject, error)


@claim(
    "motion-rerooted",
    MOTION,
    "multipliers | множители",
    "tree grown from a foot | дерево от опоры",
    about=held,
)
def _rerooted(subject: StructureSubject) -> Finding | Skip | None:
    """The tree grown from every foot against multipliers."""
    others = reroots(subject.model, subject.structure, subject.applied)
    if not others:
        return None
    if subject.condition > SINGULAR:
        return DEGENERATE
    units, worst = subject.units, 0.0
    setting = replace(subject.equations.setting, shared=frozenset())
    for s in subject.many:
        q, v, tau = (block[s].tolist() for block in (subject.q, subject.v, subject.tau))
        one = structure_dynamics(setting, q, v, tau, 0.0).a
        for reroot in others:
            other = reroot.dynamics(setting, q, v, tau, 0.0).a
            worst = max(worst, apart(one * subject.weights[s], other * subject.weights[s], units.rate**2))
    feet = ", ".join(reroot.name for reroot in others)
    note = Text(f"re-rooted at {feet}", f"корень: {feet}")
    return rounded(subject, worst, note)


@regular(
    "structure-power",
    "constraints do no work | связи не совершают работы",
    "d(T + U)/dt",
    "power of the forces | мощность сил",
    about=_driven,
)
def _power(subject: StructureSubject) -> Finding:
    """d(T + U)/dt against the power of all forces; constraints do work only by friction and where surfaces move."""
    units, worst = subject.units, 0.0
    for s in subject.many:
        q, v, a = subject.q[s], subject.v[s], subject.a[s]
        pace = units.pace(v)
        energy = subject.whole.energies(path(subject.model, q, v / pace), v + np.outer(TIMES / pace, a))
        rate = slope(energy[:, 0] + energy[:, 1])
        power = float((subject.tau[s] + subject.acting[s]) @ v)
        system = subject.systems[s]
        rubbing = system.push - system.J
        size = max(units.energy, float(np.abs(energy[:, :2]).max()))
        if rubbing.any() or system.drift.any():
            speeds = system.push @ (v * subject.weights[s])
            worked = float(system.solve()[1] @ speeds) * units.mass * units.length**2
            power += worked
            size = max(size, abs(worked) / pace)
        worst = max(worst, apart(rate, power / pace, size))
    return Finding(worst, units.differences + units.rounding * subject.condition, "n ε κ/h", subject.count)


@claim(
    "rank",
    "mobility | подвижность",
    "elimination | исключение",
    "singular values | сингулярные числа",
    about=held,
)
def _rank(subject: StructureSubject) -> Finding:
    """Motions that are left, by elimination in several postures and by singular values here."""
    ranks = []
    for rows in subject.rows:
        J = np.array([row.J for row in rows], dtype=float) * subject.units.ways
        ranks.append(int(np.linalg.matrix_rank(J / subject.row_units[:, np.newaxis], tol=None)))
    found = subject.model.nv - max(ranks)
    note = Text(f"degrees of freedom {found}", f"степеней свободы {found}")
    return Finding(float(abs(found - subject.mobility.dof)), 0.0, "=", subject.count, note=note)


STRUCTURE: tuple[Claim[StructureSubject], ...] = (
    _closed,
    _jacobian,
    _accelerations,
    _kept,
    _dense,
    _rerooted,
    _power,
    _rank,
)
