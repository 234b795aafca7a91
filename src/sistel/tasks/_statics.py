"""Statics: forces that hold a posture under weight and loads, equilibrium, and the largest load."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.model import Model
from sistel.tasks._kinematics import assembled, coordinates, joint_answers
from sistel.tasks._mechanism import (
    Mechanism,
    driven_rates,
    forced,
    held_mass,
    motor_rates,
    motor_torques,
    plain_rate,
    rate_place,
    remade,
    simple_joints,
    simulated,
    values_at,
    with_force,
    with_load,
)
from sistel.tasks._numbers import told
from sistel.tasks._problems import Load, Problem
from sistel.tasks._results import Answer, Check, Grid, Head, Solved, difference
from sistel.units import FORCE, MASS, MOMENT, Dimension

if TYPE_CHECKING:
    from sistel.arrays import Array

BALANCED = 1e-10
"""Up to which two ways of the same forces agree: linear equations of loops lose some digits."""
RESTING = 0.1
"""How long a run shows that an equilibrium is one [s]."""


def loaded(system: Mechanism, load: Load | None) -> Mechanism:
    """The system with what hangs and pulls."""
    if load is None or not (load.mass or any(load.force)):
        return system

    def change(model: Model) -> Model:
        made = with_load(model, load.at, load.mass) if load.mass else model
        return with_force(made, load.at, load.force) if load.force else made

    return remade(system, change)


def solve_statics(problem: Problem, system: Mechanism) -> Solved:
    """As the problem asks."""
    if problem.find == "equilibrium":
        return _equilibrium(problem, loaded(system, problem.load))
    if problem.find == "capacity":
        return _capacity(problem, system)
    return _forces(problem, loaded(system, problem.load))


def _forces(problem: Problem, system: Mechanism) -> Solved:
    model = system.model
    q = assembled(problem, system)
    zero = np.zeros(model.nv)
    tau = np.asarray(system.static_forces(q, structure=problem.structure))
    # Forces that hold it give no acceleration.
    a = np.asarray(system.forward_dynamics(q, zero, tau, structure=problem.structure, applied=True))
    still = Check(
        what=Text(
            "statics by dynamics: nothing accelerates under these forces",
            "статика динамикой: под этими силами ничто не ускоряется",
        ),
        error=float(np.abs(a).max()) if a.size else 0.0,
        bound=1e-8,
    )
    checks = [still]
    answers, grids = [], [coordinates(model, q, zero, zero)]
    rates = driven_rates(model)
    grids.append(_force_grid(model, tau, rates))
    if all(plain_rate(model, rate) for rate in rates):
        held = forced(model, q.tolist(), zero.tolist(), zero.tolist(), rates)
        answers += problem.answers_in(held, q, zero)
        second = _second(model, held, problem, q, tau)
        checks += [] if second is None else [second]
    elif problem.report:
        refuse(
            "no-report",
            Text(
                "joints that turn about a point are not held one by one: only systems with motors have such a report",
                "шаровые и свободные пары не удержать по координатам: такой отчёт есть только у систем с приводами",
            ),
            span=problem.node.at("report"),
        )
    if not problem.report:
        answers += force_answers(model, tau, rates)
    return problem.solved(answers, grids, checks, postures=[q.tolist()], drawn=model)


def _second(model: Model, held: Model, problem: Problem, q: Array, tau: Array) -> Check | None:
    """Forces of motors that hold the posture as a constraint, beside those of statics."""
    from sistel.markup import Call

    zero = [0.0] * model.nv
    if model.motors:
        asked = motor_torques(model, problem.span)
        again = values_at(held, model.structure(problem.structure), q.tolist(), zero, asked)
        return Check(
            what=Text(
                "forces: virtual work, and multipliers of the held joints",
                "силы: работа на возможных перемещениях и множители связей",
            ),
            error=difference(tau[motor_rates(model)], np.array(again)),
            bound=BALANCED,
        )
    if model.forces or model.structure(problem.structure).holds:
        return None  # the potential energy does not know these
    # Without motors: minus the slope of the potential energy, by differences.
    asked = [Call("potential", (), problem.span, problem.span)]
    slopes = []
    h = 1e-3
    for rate in range(model.nv):
        place = rate_place(model, rate)
        found = []
        for k in (-3, -2, -1, 1, 2, 3):
            moved = q.tolist()
            moved[place] += k * h
            found.append(values_at(model, model.structure(problem.structure), moved, zero, asked)[0])
        m3, m2, m1, p1, p2, p3 = found
        slopes.append((45 * (p1 - m1) - 9 * (p2 - m2) + (p3 - m3)) / (60 * h))
    return Check(
        what=Text(
            "forces: slope of the potential energy, by differences", "силы: наклон потенциальной энергии, по разностям"
        ),
        error=difference(tau, np.array(slopes)),
        bound=1e-8,
    )


def force_measure(model: Model, rate: int) -> Dimension:
    """Of a driving force."""
    return MOMENT if model.rate_kinds[rate] == "turn" else FORCE


def force_answers(model: Model, tau: Array, rates: Iterable[int]) -> list[Answer]:
    """Driving forces as answers."""
    return [
        Answer(
            label=Text(f"force on {model.rate_names[rate]}", f"сила на {model.rate_names[rate]}"),
            value=float(tau[rate]),
            dimension=force_measure(model, rate),
        )
        for rate in rates
    ]


def _force_grid(model: Model, tau: Array, rates: tuple[int, ...]) -> Grid:
    limits = _limits(model)
    rows = []
    for rate in rates:
        measure = force_measure(model, rate)
        cells = [Text(model.rate_names[rate], model.rate_names[rate]), told(float(tau[rate]), measure)]
        if np.isfinite(limits).any():
            finite = np.isfinite(limits[rate])
            cells.append(told(float(limits[rate]), measure) if finite else Text("", ""))
        rows.append(tuple(cells))
    heads = [Text("coordinate", "координата"), Text("holding force", "удерживающая сила"), Text("limit", "предел")]
    return Grid(
        title=Text("driving forces", "движущие силы"),
        heads=tuple(Head(label=head) for head in heads[: len(rows[0]) if rows else 2]),
        rows=tuple(rows),
    )


def _limits(model: Model) -> Array:
    from sistel.arms import force_limits

    return np.asarray(force_limits(model), dtype=float)


def _equilibrium(problem: Problem, system: Mechanism) -> Solved:
    model = system.model
    found = system.equilibrium(assembled(problem, system), structure=problem.structure)
    if not found.success:
        reason = found.reason or Text("none was found", "не найдено")
        return problem.unsolved(reason)
    q, zero = np.asarray(found.q), np.zeros(model.nv)
    a = np.asarray(system.forward_dynamics(q, zero, found.tau, structure=problem.structure, applied=True))
    checks = [
        Check(
            what=Text("nothing accelerates there", "там ничто не ускоряется"),
            error=float(np.abs(a).max()) if a.size else 0.0,
            bound=1e-7,
        )
    ]
    notes = []
    if found.stable:
        bare = remade(system, lambda given: forced(given, q.tolist(), zero.tolist(), zero.tolist(), ()))
        run = simulated(bare, RESTING, q=q, v=zero, structure=problem.structure)
        checks.append(
            Check(
                what=Text(f"a run of {RESTING:g} s stays there", f"запуск на {RESTING:g} с остаётся там"),
                error=difference(q, np.asarray(run.q[-1])),
                bound=1e-7,
            )
        )
        notes.append(
            Text("stable: every small displacement is driven back", "устойчиво: малые отклонения возвращаются")
        )
    else:
        notes.append(Text("not stable", "неустойчиво"))
    answers = problem.answers_in(model, q, zero)
    if not problem.report and simple_joints(model):
        answers = joint_answers(model, q)
    grids = [coordinates(model, q, zero, zero, Text("equilibrium", "равновесие"))]
    return problem.solved(answers, grids, checks, notes=notes, postures=[q.tolist()], drawn=model)


def _capacity(problem: Problem, system: Mechanism) -> Solved:
    assert problem.load is not None
    model, at = system.model, problem.load.at
    q = np.array(problem.state.q)
    found = held_mass(system, q, at, structure=problem.structure, applied=True)
    mass = float(found.mass)
    if not np.isfinite(mass):
        reason = (
            Text("the motors do not hold the arm itself", "приводы не держат саму руку")
            if np.isnan(mass)
            else Text("no motor with a limit feels the load", "ни один привод с пределом груза не чувствует")
        )
        return problem.unsolved(reason)
    # With that load, statics finds one motor at its limit, and no other beyond.
    heavy = loaded(system, Load(at=at, mass=mass, force=()))
    tau = np.abs(np.asarray(heavy.static_forces(q, structure=problem.structure)))
    limits = _limits(model)
    used = float(np.nanmax(np.where(np.isfinite(limits), tau / limits, 0.0)))
    joint = str(found.joint)
    largest = Answer(
        label=Text("largest load", "наибольший груз"),
        value=mass,
        dimension=MASS,
        remark=Text(f"{joint} is at its limit", f"{joint} на пределе"),
    )
    check = Check(
        what=Text("statics with that load: one motor is at its limit", "статика с этим грузом: один привод на пределе"),
        error=abs(used - 1.0),
        bound=1e-9,
    )
    return problem.solved([largest], [_force_grid(model, np.asarray(found.forces), driven_rates(model))], [check])
