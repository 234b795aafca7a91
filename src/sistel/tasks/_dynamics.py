"""Dynamics: runs with their extrema, events and impacts; forces, powers and reactions along motions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.model import Model
from sistel.tasks._kinematics import assembled, coordinates
from sistel.tasks._mechanism import (
    Mechanism,
    driven_rates,
    forced,
    motor_rates,
    motor_torques,
    simple_joints,
    simulated,
    travelled,
    values_at,
)
from sistel.tasks._numbers import told
from sistel.tasks._problems import Problem
from sistel.tasks._reports import Wanted
from sistel.tasks._results import Answer, Check, Grid, Head, Solved, difference
from sistel.tasks._series import answer, curves, extrema, over_time
from sistel.tasks._statics import force_answers, force_measure, loaded
from sistel.units import MOMENT, TIME

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.arrays import Array
    from sistel.markup import Expression
    from sistel.simulation import Run
    from sistel.tasks._series import Value

SAMPLES = 2001
"""Moments of a run that are looked at first."""
ROWS = 101
"""Moments of a motion that are looked at first: each is worked out by itself."""
SHOWN = 21
"""Of them in a table."""
SECOND_RUN = 1e-6
"""Up to which runs by two methods agree; motions that part quickly lose digits."""
MOST_EVENTS = 50


def solve_dynamics(problem: Problem, system: Mechanism, motion: str | None) -> Solved:
    """Direct or inverse, as the problem asks."""
    system = loaded(system, problem.load)
    if problem.runs:
        return run_of(problem, system)
    if motion is not None:
        return _along(problem, system, motion)
    return _state(problem, system)


# --- direct ----------------------------------------------------------------------------------------------------------


def run_of(problem: Problem, system: Mechanism) -> Solved:
    """A run, what is wanted of it, and how it was checked."""
    assert problem.until is not None
    start: dict[str, object] = {}
    if problem.state.given:
        start = {"q": assembled(problem, system), "v": np.array(problem.state.v)}
    if problem.structure is not None:
        start["structure"] = problem.structure
    run = simulated(system, problem.until, **start)
    if run.end < problem.until and len(run.t) and run.end == run.begin:
        return problem.unsolved(Text("the run does not begin", "запуск не начинается"))
    times = np.linspace(run.begin, run.end, SAMPLES)
    values: list[Value] = [_follow(run, wanted) for wanted in problem.report]
    found = [value(times) for value in values]
    grids = [
        over_time(problem.report, values, problem.times or _moments(run.begin, run.end, 11)),
        extrema(problem.report, values, times, found),
        _events(run),
    ]
    notes = [Text(warning.line("en"), warning.line("ru")) for warning in run.warnings]
    checks = _run_checks(problem, system, run, start)
    shown = curves(problem.report, times, found)
    return problem.solved(_over(problem, values, times, found), grids, checks, curves=shown, notes=notes)


def _over(problem: Problem, values: Sequence[Value], times: Array, found: Sequence[Array]) -> list[Answer]:
    """What is wanted of quantities over time, which were looked at."""
    return [
        answer(wanted, value, times, each) for wanted, value, each in zip(problem.report, values, found, strict=True)
    ]


def _follow(run: Run, wanted: Wanted) -> Value:
    return lambda t: np.asarray(run.quantity(wanted.text, t), dtype=float)


def _moments(begin: float, end: float, count: int) -> tuple[float, ...]:
    return tuple(float(f"{t:.12g}") for t in np.linspace(begin, end, count))


def _events(run: Run) -> Grid | None:
    """What happened: transitions, impacts."""
    events = [event for event in run.events if event.impulses or event.before != event.after]
    if not events:
        return None
    heads = (Text("t", "t"), Text("event", "событие"), Text("structure after", "структура после"))
    more = (Text("impulse", "импульс"), Text("energy lost", "потеря энергии"))
    rows = []
    for event in events[:MOST_EVENTS]:
        size = max((float(np.linalg.norm(each[3:])) for each in event.impulses.values()), default=0.0)
        impulse = Text(f"{size:.8g} N·s", f"{size:.8g} Н·с") if event.impulses else Text("", "")
        rows.append(
            (
                told(event.time, TIME),
                Text(event.transition, event.transition),
                Text(event.after, event.after),
                impulse,
                told(event.energy_loss, MOMENT),
            )
        )
    dropped = len(events) - len(rows)
    title = Text("events", "события")
    if dropped:
        title = Text(f"events, the first {len(rows)} of {len(events)}", f"события, первые {len(rows)} из {len(events)}")
    return Grid(title=title, heads=tuple(Head(label=head) for head in (*heads, *more)), rows=tuple(rows))


def conservative(model: Model) -> bool:
    """Whether nothing but weight, springs and impacts changes the energy."""
    joints = [body.joint for body in model.bodies]
    return not (
        model.forces
        or model.motions
        or model.schemes
        or model.tracks
        or model.drives
        or any(any((*joint.damping, *joint.friction)) for joint in joints)
        or any(spring.damping for spring in model.springs)
        or any(contact.friction or contact.resistance or contact.belt for contact in model.contacts)
        or any(stop.stiffness is not None and any(stop.damping) for stop in model.stops)
        or any(motor.brake for motor in model.motors)
    )


def _run_checks(problem: Problem, system: Mechanism, run: Run, start: dict[str, object]) -> tuple[Check, ...]:
    checks = []
    if conservative(system.model):
        kinetic, potential = run.energies()
        whole = np.asarray(kinetic) + np.asarray(potential)
        lost = np.array([event.energy_loss for event in run.events])
        at = np.array([event.time for event in run.events])
        # Rows at an event may stand on either side of it: those are left out.
        clear = ~np.isin(np.asarray(run.t), at)
        gone = np.array([lost[at < t].sum() for t in np.asarray(run.t)])
        error = float(np.abs((whole + gone - whole[0])[clear]).max()) if clear.any() else 0.0
        checks.append(
            Check(
                what=Text(
                    "balance of energy: what is lost is lost in impacts", "баланс энергии: теряется только при ударах"
                ),
                error=error / max(1.0, float(np.abs(whole).max())),
                bound=1e-9,
            )
        )
    other = "taylor" if run.method[0] == "radau" else "radau"
    try:
        again = simulated(system, run.end, method=other, tolerance=1e-10, **start)
        # Between events: at one of them, a run has two states.
        moments = run.begin + (run.end - run.begin) * (np.arange(16) + 0.61803) / 16.4
        error = max(difference(np.asarray(a), np.asarray(b)) for a, b in zip(run(moments), again(moments), strict=True))
        checks.append(
            Check(
                what=Text(
                    "the run by power series, and by the implicit method of Radau",
                    "запуск степенными рядами и неявным методом Радо",
                ),
                error=error,
                bound=SECOND_RUN,
            )
        )
    except SistelError:
        pass  # a few systems are simulated in one way only
    return tuple(checks)


# --- inverse ---------------------------------------------------------------------------------------------------------


def _state(problem: Problem, system: Mechanism) -> Solved:
    """Forces in one state with given accelerations."""
    model = system.model
    structure = model.structure(problem.structure)
    q = assembled(problem, system)
    v, a = np.array(problem.state.v), np.array(problem.state.a)
    rates = driven_rates(model)
    values = _forces_at(model, problem, q, v, a, [wanted.expression for wanted in problem.report])
    checks, grids = [], [coordinates(model, q, v, a)]
    answers = problem.answers(values)
    if not structure.holds and len(rates) == model.nv:
        tau = np.asarray(system.inverse_dynamics(q, v, a)) - np.asarray(system.applied_forces(q, v))
        back = np.asarray(system.forward_dynamics(q, v, tau, structure=problem.structure, applied=True))
        checks.append(
            Check(
                what=Text(
                    "inverse by direct: these forces give these accelerations",
                    "обратная задача прямой: эти силы дают эти ускорения",
                ),
                error=difference(a, back),
                bound=1e-9,
            )
        )
        if model.motors:
            checks.append(_motors_agree(model, problem, q, v, a, tau))
        rows = tuple(
            (Text(model.rate_names[rate], model.rate_names[rate]), told(float(tau[rate]), force_measure(model, rate)))
            for rate in rates
        )
        heads = (Head(label=Text("coordinate", "координата")), Head(label=Text("driving force", "движущая сила")))
        grids.append(Grid(title=Text("driving forces", "движущие силы"), heads=heads, rows=rows))
        if not problem.report:
            answers = force_answers(model, tau, rates)
    return problem.solved(answers, grids, checks)


def _forces_at(
    model: Model, problem: Problem, q: Array, v: Array, a: Array, asked: Sequence[Expression]
) -> list[float]:
    """Expressions in a state whose driven joints have given accelerations."""
    held = forced(model, q.tolist(), v.tolist(), a.tolist(), driven_rates(model))
    structure = model.structure(problem.structure)
    return values_at(held, structure, q.tolist(), v.tolist(), asked) if asked else []


def _motors_agree(model: Model, problem: Problem, q: Array, v: Array, a: Array, tau: Array) -> Check:
    again = _forces_at(model, problem, q, v, a, motor_torques(model, problem.span))
    return Check(
        what=Text(
            "forces: Newton and Euler, and multipliers of forced motions",
            "силы: Ньютон — Эйлер и множители заданных движений",
        ),
        error=difference(tau[motor_rates(model)], np.array(again)),
        bound=1e-9,
    )


def _along(problem: Problem, system: Mechanism, path: str) -> Solved:
    """Forces, powers and reactions along a table of motion."""
    from sistel.motion.trajectories import load_table

    model = system.model
    frame = problem.frame or model.bodies[-1].name
    travel = travelled(system, load_table(path), frame, applied=True, structure=problem.structure)
    begin, end = float(travel.t[0]), float(travel.t[-1])
    times = np.linspace(begin, end, ROWS)
    follow = _Along(model, problem, travel)
    values: list[Value] = [follow.value(place) for place in range(len(problem.report))]
    found = [value(times) for value in values]
    checks = [*_energy(system, path, frame, problem), *_newton(model, problem, travel)]
    grids = [
        over_time(problem.report, values, problem.times or _moments(begin, end, SHOWN)),
        extrema(problem.report, values, times, found),
        _drives(travel) if not problem.report else None,
    ]
    answers = _over(problem, values, times, found) if problem.report else _peaks(travel)
    notes = [Text(each.say("en"), each.say("ru")) for each in travel.crossings]
    return problem.solved(answers, grids, checks, curves=curves(problem.report, times, found), notes=notes)


class _Along:
    """Quantities along a motion; all that are asked for are worked out together, once for a moment."""

    def __init__(self, model: Model, problem: Problem, travel: Travel) -> None:
        self.model, self.problem, self.travel = model, problem, travel
        self.known: dict[float, list[float]] = {}
        self.asked = [wanted.expression for wanted in problem.report]

    def value(self, place: int) -> Callable[[Array], Array]:
        """One of the quantities."""
        return lambda times: np.array([self.at(float(t))[place] for t in np.atleast_1d(times)])

    def at(self, t: float) -> list[float]:
        """All of them at a moment."""
        if t not in self.known:
            q, v, a = (np.asarray(each, dtype=float) for each in self.travel.motion(t)[:3])
            self.known[t] = _forces_at(self.model, self.problem, q, v, a, self.asked)
        return self.known[t]


def _energy(system: Mechanism, path: str, frame: str, problem: Problem) -> list[Check]:
    """The work of the drives is what the energy grows by, where only weight acts besides."""
    from sistel.motion.trajectories import load_table

    travel = travelled(system, load_table(path), frame, structure=problem.structure)
    work = float(np.sum(travel.energy[-1]))
    gained = travel.kinetic[-1] + travel.potential[-1] - travel.kinetic[0] - travel.potential[0]
    size = max(1.0, float(np.abs(travel.energy).max()))
    if any(motor.inertia for motor in system.model.motors):
        return []  # rotors have energy of their own
    return [
        Check(
            what=Text(
                "work of the drives is the energy that bodies gain", "работа приводов равна приросту энергии тел"
            ),
            error=abs(work - float(gained)) / size,
            bound=1e-9,
        )
    ]


def _newton(model: Model, problem: Problem, travel: Travel) -> list[Check]:
    """Driving forces by Newton and Euler, beside the multipliers of forced motions, at some moments."""
    if not model.motors or not simple_joints(model):
        return []
    worst, which = 0.0, np.linspace(0, len(travel.t) - 1, 7).astype(int)[1:-1]
    for row in which:
        q, v, a = travel.q[row], travel.v[row], travel.a[row]
        worst = max(worst, _motors_agree(model, problem, q, v, a, travel.torques[row]).error)
    what = Text(
        "forces: Newton and Euler, and multipliers of forced motions",
        "силы: Ньютон — Эйлер и множители заданных движений",
    )
    return [Check(what=what, error=worst, bound=1e-9)]


def _peaks(travel: Travel) -> list[Answer]:
    """The greatest force of every drive."""
    made = []
    for rate, name in enumerate(travel.model.rate_names):
        column = np.asarray(travel.torques[:, rate])
        place = int(np.abs(column).argmax())
        when = told(float(travel.t[place]), TIME, 6)
        made.append(
            Answer(
                label=Text(f"greatest force on {name}", f"наибольшая сила на {name}"),
                value=float(column[place]),
                dimension=force_measure(travel.model, rate),
                remark=Text(f"at {when.en}", f"при {when.ru}"),
            )
        )
    return made


def _drives(travel: Travel) -> Grid:
    from sistel.units import POWER

    rows = []
    for rate, name in enumerate(travel.model.rate_names):
        force, power = np.asarray(travel.torques[:, rate]), np.asarray(travel.power[:, rate])
        measure = force_measure(travel.model, rate)
        rows.append(
            (
                Text(name, name),
                told(float(force[int(np.abs(force).argmax())]), measure),
                told(float(np.sqrt(np.mean(force**2))), measure),
                told(float(power[int(np.abs(power).argmax())]), POWER),
                told(float(travel.energy[-1, rate]), MOMENT),
            )
        )
    heads = (
        Text("drive", "привод"),
        Text("greatest force", "наибольшая сила"),
        Text("rms", "действующая"),
        Text("greatest power", "наибольшая мощность"),
        Text("work", "работа"),
    )
    return Grid(title=Text("drives", "приводы"), heads=tuple(Head(label=head) for head in heads), rows=tuple(rows))
