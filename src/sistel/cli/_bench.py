"""What `sistel bench` measures: one motion, three ways, by the clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.errors import Text
from sistel.records import record

if TYPE_CHECKING:
    from types import ModuleType

    from sistel.arrays import Array
    from sistel.simulation import Run
    from sistel.system import System


LOOKS = 40
"""Times at which motions are compared, at most."""
SHORT = 1.0 / 300.0
"""Part of the whole below which a stay counts as one of a crowd."""
FIRST = 0.02
"""The longest of the equal steps [s]."""
REPEAT = 0.05
"""What is over sooner than this is measured again [s]."""


@record
class Trial:
    """One measurement."""

    way: str
    """"declared", "checked" or "mujoco"."""
    step: float | None
    """Length of the steps where they are equal [s]."""
    tolerance: float | None
    steps: int
    events: int
    error: float
    """Largest difference from the motion in all digits, in parts of the largest value or of one."""
    delay: float | None
    """Largest difference of the times of events [s]; None where they are not the same events."""
    wall: float
    """[s]"""


Trials = tuple[Trial, ...]


@record
class Race:
    """All measurements."""

    until: float
    crowd: bool
    """Whether the race ends before events that crowd together."""
    target: float
    exact: Trial
    declared: Trial
    checked: Trials
    mujoco: Trials
    without: Text | None
    """Why MuJoCo does not take part."""

    @property
    def best(self) -> Trial | None:
        """The first with equal steps that is exact enough, or the most exact."""
        return _best(self.checked, self.target)


def _best(trials: tuple[Trial, ...], target: float) -> Trial | None:
    good = [trial for trial in trials if trial.error <= target]
    return good[0] if good else min(trials, key=lambda trial: trial.error, default=None)


Progress = Callable[[Text], None]


class Judge:
    """The motion in all digits, and how far another is from it."""

    def __init__(self, run: Run) -> None:
        self.run = run
        stays = [(segment.begin, segment.end) for segment in run.segments]
        if len(stays) < 3:
            times = np.linspace(run.begin, run.end, LOOKS // 2 + 1)[1:].tolist()
            # Not where a jump is: a moment earlier or later the state is another.
            times = [t for t in times if all(abs(t - event.time) > 1e-3 * run.end for event in run.passages)]
        else:
            longest = sorted(stays, key=lambda stay: stay[0] - stay[1])[:LOOKS]
            times = sorted(0.5 * (begin + end) for begin, end in longest)
        self.times = sorted({*times, run.end})
        q, v = run(np.array(self.times))
        self.states = np.hstack([q, v])
        self.sizes = np.maximum(1.0, np.abs(np.hstack([run.q, run.v])).max(axis=0))

    def error(self, states: Array) -> float:
        """Of states at the times, shape (n, nq + nv)."""
        if states.shape != self.states.shape or not np.isfinite(states).all():
            return math.inf
        return float((np.abs(states - self.states) / self.sizes).max())

    def delay(self, events: list[tuple[float, str, str]]) -> float | None:
        """Of events: times, structures before and after."""
        own = [(event.time, event.before, event.after) for event in self.run.passages]
        if [event[1:] for event in events] != [event[1:] for event in own]:
            return None
        return max((abs(a[0] - b[0]) for a, b in zip(events, own, strict=True)), default=0.0)


def horizon(run: Run) -> tuple[float, bool]:
    """Where to end: before events crowd together, which equal steps cannot follow at all."""
    whole = run.end - run.begin
    stays = [segment for segment in run.segments if segment.end - segment.begin > 0.0]
    short = [number for number, segment in enumerate(stays) if segment.end - segment.begin < SHORT * whole]
    if len(short) < 8:
        return run.end, False
    crowds = (n for n in short if all(n + k in short for k in range(6)))
    first = next(crowds, 0)
    if first == 0:
        return run.end, False
    last = stays[first - 1]
    return 0.5 * (last.begin + last.end), True


def race(system: System, until: float, target: float, budget: float, progress: Progress) -> Race:
    """Measure.

    Args:
        system: The system.
        until: When to end [s].
        target: The error to be met.
        budget: How long all may take, by the clock, besides compiling [s].
        progress: Told what is being done.
    """
    progress(Text("declared structures, all digits", "объявленные структуры, все знаки"))
    until, crowd = _horizon(system, until)
    exact_run, wall = _timed(lambda: system.simulate(until), min(1.0, 0.05 * budget))
    judge = Judge(exact_run)
    exact = _declared(exact_run, 2.0**-52, 0.0, 0.0, wall)
    declared = exact
    for power in range(6, 16):
        tolerance = 10.0**-power
        found, wall = _timed(partial(system.simulate, until, tolerance=tolerance), 0.02 * budget)
        q, v = found(np.minimum(judge.times, found.end))
        error = judge.error(np.hstack([q, v]))
        if error <= target:
            delay = judge.delay([(event.time, event.before, event.after) for event in found.events])
            declared = _declared(found, tolerance, error, delay, wall)
            break
    checked = _checked(system, judge, target, 0.6 * budget, progress)
    mujoco, without = _mujoco(system, judge, target, 0.25 * budget, progress)
    return Race(
        until=until,
        crowd=crowd,
        target=target,
        exact=exact,
        declared=declared if declared.wall < exact.wall else exact,
        checked=tuple(checked),
        mujoco=tuple(mujoco),
        without=without,
    )


def _horizon(system: System, until: float) -> tuple[float, bool]:
    return horizon(system.simulate(until))


def _declared(run: Run, tolerance: float, error: float, delay: float | None, wall: float) -> Trial:
    return Trial(
        way="declared",
        step=None,
        tolerance=tolerance,
        steps=run.steps,
        events=len(run.passages),
        error=error,
        delay=delay,
        wall=wall,
    )


def _timed(work: Callable[[], Any], patience: float) -> tuple[Any, float]:
    """A result and the least time it took: the first call compiles, others are disturbed."""
    found = work()
    least, spent, rounds = math.inf, 0.0, 0
    while rounds < 3 or (spent < patience and rounds < 200):
        start = time.perf_counter()
        found = work()
        took = time.perf_counter() - start
        least, spent, rounds = min(least, took), spent + took, rounds + 1
    return found, least


def _checked(system: System, judge: Judge, target: float, share: float, progress: Progress) -> list[Trial]:
    """Equal steps, halved until they are exact enough or too many."""
    from sistel.simulation import CheckedSimulation

    simulation = system.simulation()
    begin = simulation.start(system.structure())[0]
    name = system.structure().name
    simulated = CheckedSimulation(simulation)
    made: list[Trial] = []
    h = min(FIRST, (judge.run.end - judge.run.begin) / 10)
    simulated.run(begin, name, judge.times, h, 1.0)  # compiles
    over = time.perf_counter() + share
    while True:
        left = over - time.perf_counter()
        # Half the step takes twice the time.
        if made and left < 2.2 * made[-1].wall:
            break
        progress(
            Text(
                f"equal steps of {h:.3g} s, error so far {_so_far(made)}",
                f"равные шаги {h:.3g} с, пока погрешность {_so_far(made)}",
            )
        )
        found = simulated.run(begin, name, judge.times, h, max(left, 0.1))
        if found.done and found.wall < REPEAT:
            found = min((simulated.run(begin, name, judge.times, h) for _ in range(3)), key=lambda each: each.wall)
        states = found.states[:, : judge.states.shape[1]]
        trial = Trial(
            way="checked",
            step=h,
            tolerance=None,
            steps=found.steps,
            events=len(found.events),
            error=judge.error(states) if found.done else math.inf,
            delay=judge.delay(list(found.events)) if found.done else None,
            wall=found.wall,
        )
        made.append(trial)
        if trial.error <= target or h < 1e-11:
            break
        h *= 0.5
    return made


def _so_far(made: list[Trial]) -> str:
    best = min((trial.error for trial in made), default=math.inf)
    return "—" if math.isinf(best) else f"{best:.1e}"


def _mujoco(
    system: System, judge: Judge, target: float, share: float, progress: Progress
) -> tuple[list[Trial], Text | None]:
    """MuJoCo with our export, where all of the system goes there: its own joints, and nothing that changes."""
    model = system.model
    if model.transitions or model.contacts or model.closures or len(model.structures) > 1:
        return [], Text(
            "MuJoCo: structures that change have no counterpart there, so nothing is measured",
            "MuJoCo: меняющимся структурам там ничто не соответствует, сравнения нет",
        )
    try:
        mujoco, rollout = import_module("mujoco"), import_module("mujoco.rollout")
    except ImportError:
        return [], Text("MuJoCo is not installed: pip install mujoco", "MuJoCo не установлен: pip install mujoco")
    loaded = _exported(system, judge, mujoco)
    if loaded is None:
        return [], Text(
            "MuJoCo: not all of this system can be written as MJCF, so nothing is measured",
            "MuJoCo: не всё в этой системе записывается в MJCF, сравнения нет",
        )
    made: list[Trial] = []
    run = judge.run
    q0, v0 = run(run.begin)
    h = min(FIRST, (run.end - run.begin) / 10)
    data = mujoco.MjData(loaded)
    over = time.perf_counter() + share
    while True:
        left = over - time.perf_counter()
        if made and left < 2.2 * made[-1].wall:
            break
        progress(Text(f"MuJoCo, steps of {h:.3g} s", f"MuJoCo, шаги {h:.3g} с"))
        count = math.ceil((run.end - run.begin) / h - 1e-9)
        loaded.opt.timestep = (run.end - run.begin) / count
        start = np.concatenate([[run.begin], q0, v0])[np.newaxis]
        begun = time.perf_counter()
        states, _ = rollout.rollout(loaded, data, start, nstep=count)
        wall = time.perf_counter() - begun
        final = states[0, -1, 1 : 1 + model.nq + model.nv]
        error = float((np.abs(final - judge.states[-1]) / judge.sizes).max())
        made.append(
            Trial(
                way="mujoco",
                step=float(loaded.opt.timestep),
                tolerance=None,
                steps=count,
                events=0,
                error=error if math.isfinite(error) else math.inf,
                delay=0.0,
                wall=wall,
            )
        )
        if error <= target or count > 5_000_000:
            break
        h *= 0.5
    return made, None


def _exported(system: System, judge: Judge, mujoco: ModuleType) -> Any:
    """The system in MuJoCo; None where it is not the same one there."""
    import tempfile
    from pathlib import Path

    from sistel.errors import SistelError

    model = system.model
    if model.motions or any(body.joint.type.has_quaternion for body in model.bodies):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mjcf"
        try:
            system.save(path)
            loaded = mujoco.MjModel.from_xml_path(str(path))
        except (SistelError, ValueError):
            return None
    loaded.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    # Limits of joints and contacts of shapes would only cost it time.
    loaded.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT) | int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    if (loaded.nq, loaded.nv) != (model.nq, model.nv):
        return None
    # The same system has the same accelerations, whatever was lost on the way.
    data = mujoco.MjData(loaded)
    rows = judge.run.segments[0].coefficients[:5]
    for state, rate in zip(rows[:, :, 0], rows[:, :, 1], strict=True):
        data.qpos[:], data.qvel[:] = state[: model.nq], state[model.nq : model.nq + model.nv]
        mujoco.mj_forward(loaded, data)
        if not np.allclose(data.qacc, rate[model.nq : model.nq + model.nv], rtol=1e-6, atol=1e-6):
            return None
    return loaded
