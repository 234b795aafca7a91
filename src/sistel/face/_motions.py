"""Motion in time: runs, limit cycles, ensembles."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from sistel.errors import SistelError, Text
from sistel.face._controlling import controlled, seeded
from sistel.face._refusals import refuse
from sistel.model import check_limits, live_model, parameter_values
from sistel.once import COMPILING

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.ensembles import Ensemble, Part
    from sistel.face._system import System
    from sistel.model import Structure
    from sistel.simulation import Cycle, InputCourse, Reading, Run, RunWarning, Simulation


def simulate(
    self: System,
    until: float,
    *,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    structure: str | None = None,
    t: float | None = None,
    tolerance: float | Mapping[str, float | Sequence[float]] = 2.0**-52,
    longest: float = math.inf,
    progress: Callable[[float, str], None] | None = None,
    resume: Run | None = None,
    method: Literal["auto", "taylor", "runge-kutta", "radau", "gauss"] = "auto",
    step: float | None = None,
    parameters: Mapping[str, float | str] | None = None,
    keep: Literal["steps", "events"] = "steps",
    memory: float = 2.0**31,
    control: Callable[[float, Reading], object] | None = None,
    period: float | None = None,
    inputs: Mapping[str, InputCourse] | None = None,
    seed: int | None = None,
) -> Run:
    """The motion from a state to a time, through all structures that its transitions lead to.

    Args:
        until: When to end [s].
        q: Coordinates to begin with, shape (nq,); without, those of the file.
        v: Velocities, shape (nv,); without, those of the file, made to fit the constraints.
        structure: The structure to begin with; without, that of the file.
        t: Time to begin at [s]; without, that of the file.
        tolerance: Relative error of a step; the default is that of the numbers themselves. Or errors by name, each
            one number or a pair (relative, absolute [SI]): of a coordinate ("arm"), a velocity ("arm.rate"), a
            body (all of its), "q", "v", and "*" for what is not named.
        longest: Longest step [s].
        progress: Called now and then with the time reached and the structure.
        method: "taylor" (series of high order), "runge-kutta" (explicit, order 8, for loose tolerances and large
            systems), "radau" (for stiff systems), "gauss" (symplectic, a fixed step, for long runs), or "auto":
            Taylor's; Runge and Kutta's where the tolerance is 1e-9 or looser and the equations are long, so that it
            costs less; and Radau's in structures that turn out to be stiff.
        step: Length of the steps of "gauss" [s].
        resume: A run of this system to go on with, as `Run.resume` does; it brings its state, tolerance and method.
        keep: "steps" keeps the whole motion; "events" keeps the events and the last state alone, for long runs.
        memory: What may be kept [bytes]; where that is too little the run ends as one that cannot go on.
        parameters: Other values of some parameters, as for `with_parameters`. Equations are compiled once for all
            values of the same parameters, where they can follow them (see `tuned`).
        control: A law `law(t, reading)` that is asked at ticks and gives numbers by the names of motors (forces or
            moments at their joints [N or N·m], held until the next tick) and of inputs of schemes. The reading is the
            state just before the tick: `.q`, `.v`, `.structure`, `reading["angle(arm)"]`.
        period: Time between two ticks of `control` [s]; the first is at the start of the file's time.
        inputs: Values of inputs of schemes: numbers in SI, or texts with units. One value holds for a whole run; pairs
            (time, value) are its steps: `{"task": [(0, 0), (1.5, 1)]}`. They act at their instants, exactly, and are
            events of the run; a scheme with a clock reads them at its next tick.
        seed: Of the noise of sensors, instead of those in the file: a whole number from 0 to 2³² − 1.

    Returns:
        The run: `.t`, `.q`, `.v`, `.structure`, `.events`, `run(t)` for any time, `.save(path)`.

    Raises:
        SistelError: The call is wrong, or the motion cannot go on: `simulation.RunError`, whose `run` is valid.
    """
    from sistel.simulation import Run, check_call, read_inputs

    if isinstance(resume, Run) and period is None and resume.model.schemes:
        period = next((each.clock.period for each in resume.model.schemes if each.asks and each.clock), None)
        control = control or (None if resume.law is None else resume.law.law)
    if control is not None or period is not None:
        self = controlled(self, control, period)
    chosen = self.structure(structure)
    place, speed = given_state(self, q, v)
    given: object = resume  # whatever its type was promised to be
    begin_at = t if given is None else given.begin if isinstance(given, Run) else None
    one = None if isinstance(tolerance, Mapping) else tolerance
    check_call(self._model, until, begin_at, speed, tolerance=one, longest=longest, step=step)
    if keep not in ("steps", "events"):
        reason = Text('keep is "steps" or "events"', "keep — steps или events")
        refuse("bad-keep", Text("the call is wrong", "вызов неверен"), (reason,))
    if given is not None:
        if not isinstance(given, Run) or given.model.fingerprint != self.fingerprint:
            reason = Text("resume is a run of another system", "resume — расчёт другой системы")
            refuse("other-system", Text("the call is wrong", "вызов неверен"), (reason,))
        own = given.made_by(self.simulation)
        kept = given.kept_by(own, given.longest, given.law)
        return kept.resume(until, progress=progress, memory=memory, control=control, inputs=inputs)
    simulation = self.simulation(tolerance, method, step)
    if parameters:
        simulation = self.tuned(parameters, tolerance, method, step)
        chosen = simulation.engine.plain.model.structure(chosen.name)
    begin, noted = first_state(simulation, chosen, place, speed, t)
    told = seeded(self._model, inputs or {}, seed)
    changes = read_inputs(self._model, told) if told else ()
    law = None
    if control is not None:
        from sistel.simulation import AskedLaw

        law = AskedLaw(simulation.engine, control)
    found = simulation.run(
        begin, chosen.name, until, longest, progress, keep == "steps", memory, None, noted, law, changes
    )
    return found.kept_by(simulation, longest, law, changes)


def given_state(self: System, q: ArrayLike | None, v: ArrayLike | None) -> tuple[Array | None, Array | None]:
    """Coordinates and velocities as arrays, where they are given."""
    place = None if q is None else self._one_state(q)
    if v is None:
        return place, None
    from sistel.kernels import as_rows

    return place, as_rows([("v", self.nv)], [("v", self.nv)], (v,), None).inputs[0][0]


def first_state(
    simulation: Simulation, chosen: Structure, q: Array | None, v: Array | None, t: float | None
) -> tuple[Array, Sequence[RunWarning]]:
    """The state to begin with, made to fit the constraints, and what to know of it."""
    if q is None and v is None and t is None:
        return simulation.start(chosen)
    from sistel.simulation import Warnings, initial_state, note_moved_start

    begin, noted = initial_state(simulation.engine.plain, chosen, q, v, t), Warnings()
    note_moved_start(simulation.engine.plain.model, chosen, q, v, begin, noted)
    return begin, noted


def cycle(
    self: System,
    section: str | None = None,
    *,
    mirror: Mapping[str, str] | None = None,
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    structure: str | None = None,
    until: float = 100.0,
    tolerance: float = 1e-10,
    parameters: Mapping[str, float | str] | None = None,
    period: float | str | None = None,
    near: Cycle | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> Cycle:
    """The limit cycle near the motion from a state, through all structures on its way.

    Args:
        section: The transition after which the cycle begins; without, the first that repeats.
        mirror: Bodies that exchange their roles, such as {"left": "right"}: one step of a walker is then a cycle.
        q: Coordinates to begin with, shape (nq,); with v and structure, as for `simulate`.
        v: Velocities.
        structure: The structure.
        until: How long to wait for a repetition [s].
        tolerance: Largest difference of the states a period apart that counts as none, relative.
        parameters: Other values of some parameters, as for `simulate`.
        period: Where the time enters the equations with a period: that, or some whole times it [s], or a text with
            parameters, such as "2*pi/w". States a period apart are then compared, instead of those at an event.
        near: A cycle of this system with other parameters, or with another state, to begin with: only a cycle that
            Newton's method finds from there at once is looked for, in the same section.
        progress: Called after every round that was simulated, with how many there were and the residual.

    Returns:
        `.period`, `.q`, `.v`, `.multipliers`, `.events`, `.shift`, `.residual`, `.success`, `.reason`.
    """
    from sistel.kernels import as_rows
    from sistel.simulation import find_cycle, initial_state

    chosen = self.structure(structure)
    place = None if q is None else self._one_state(q)
    speed = None if v is None else as_rows([("v", self.nv)], [("v", self.nv)], (v,), None).inputs[0][0]
    simulation = self.tuned(parameters) if parameters else self.simulation()
    plain = simulation.engine.plain
    begin = initial_state(plain, plain.model.structure(chosen.name), place, speed, None)
    return find_cycle(simulation, begin, chosen.name, section, mirror, until, tolerance, period, near, progress)


def ensemble(
    self: System,
    until: float,
    *,
    initial: Mapping[str, ArrayLike] | None = None,
    parameters: Mapping[str, ArrayLike] | None = None,
    grid: bool = False,
    events: int | None = None,
    stop: Collection[str] | str = (),
    structure: str | None = None,
    tolerance: float = 2.0**-52,
    longest: float = math.inf,
    method: Literal["auto", "taylor", "radau"] = "auto",
    steps: int = 1_000_000,
    kept: int = 8,
    chunk: int | None = None,
    threads: int | None = None,
    executor: Executor | None = None,
    cluster: str | None = None,
    device: Literal["cuda"] | None = None,
    keep: str | os.PathLike[str] | None = None,
    records: bool = True,
    reduce: Callable[[Part, Mapping[str, Array]], Any] | None = None,
    merge: Callable[[Any, Any], Any] = operator.add,
    progress: Callable[[int, int], None] | None = None,
) -> Ensemble:
    """Many runs, from many states and with many values of parameters, on all processors of a machine or of a cluster.

    What goes wrong in one run (no finite values, transitions without end) is the result of that run alone. Ctrl-C
    ends the work and keeps the chunks that are finished.

    Args:
        until: When runs end [s].
        initial: Values to begin with, by name: coordinates ("arm"), velocities ("arm.rate"), the time ("t"), or all
            of them ("q", "v", shape (runs, nq) and (runs, nv)) [SI]. What is not given comes from the file.
        parameters: Values of parameters by name [SI]. Equations are compiled once for all of them, where they can
            follow them (see `tuned`); else for every set of values.
        grid: Whether every value of a name meets every value of the others, the first name slowest; without, the
            arrays go together, one entry a run.
        events: After how many events runs end.
        stop: Structures that end runs when they are entered.
        structure: The structure to begin with; without, that of the file.
        tolerance: Relative error of a step.
        longest: Longest step [s].
        method: As for `simulate`; "auto" takes series, and Radau's method where they turn out to be stiff.
        steps: After how many steps a run is given up.
        kept: How many events of every run are kept, the first ones; all are counted.
        chunk: Runs that are done, and kept on disk, at a time; without, 4096, and 262144 on a device.
        threads: How many; without, as many as there are processors.
        executor: Carries the chunks to other processes or machines instead: anything with the `submit` of
            `concurrent.futures`.
        cluster: Address of a Dask cluster that does the runs instead, as `sistel cluster` prints it
            ("tcp://192.168.0.5:8786"). Results are the same to the bit on machines that are alike, and are written
            here; `warnings` names machines that may round otherwise.
        device: "cuda" does the runs on a GPU of NVIDIA, all of a chunk side by side, through CuPy (the extra "gpu"). It
            takes Taylor series alone and does not look whether a run is stiff. Rounding differs, so that results
            agree with those of processors to the accuracy of the steps, not to the bit. Runs that come to a posture in
            which constraints depend on each other are done again by processors; `warnings` tells how many.
        keep: A folder for finished chunks. The same call with the same folder goes on where it was killed.
        records: Whether results of single runs are kept in memory; not needed for `reduce` and the summary.
        reduce: Makes something of the results of a chunk and of the values it began with, by name.
        merge: Puts two such things together, the earlier one first.
        progress: Called with how many runs are done, of how many.

    Returns:
        `.events`, `.structure`, `.state`, `.sequence` …, `.summary`, `.map()`, `.save(path)`, `.run(i)`.

    Raises:
        SistelError: The call is wrong, the folder holds something else, the cluster is not there or has gone, there is
            no such device, or it cannot do such runs.
    """
    from sistel.ensembles import Blueprint, chunk_of, do_ensemble, options_of, work_of

    options = options_of(
        self._model,
        until=until,
        events=events,
        stop=stop,
        structure=structure,
        tolerance=tolerance,
        method=method,
        longest=longest,
        steps=steps,
        kept=kept,
    )
    length = chunk_of(device) if chunk is None else chunk
    work = work_of(
        Blueprint(self._recipe, self.fingerprint), self._model, options, initial or {}, parameters or {}, grid, length
    )
    return do_ensemble(
        work,
        threads=threads,
        executor=executor,
        cluster=cluster,
        keep=keep,
        records=records,
        reduce=reduce,
        merge=merge,
        progress=progress,
        device=device,
    )


def simulation(
    self: System,
    tolerance: float | Mapping[str, float | Sequence[float]] = 2.0**-52,
    method: Literal["auto", "taylor", "runge-kutta", "radau", "gauss"] = "auto",
    step: float | None = None,
) -> Simulation:
    """What simulates this system with a tolerance and a method: its compiled structures, which runs share."""
    if type(tolerance) is float and (tolerance, method, step) in self._kept.simulations:
        return self._kept.simulations[tolerance, method, step]
    from sistel.simulation import read_tolerance, simulation_of

    reason = None
    if method not in ("auto", "taylor", "runge-kutta", "radau", "gauss"):
        reason = Text(
            'method is "auto", "taylor", "runge-kutta", "radau" or "gauss"',
            "method — auto, taylor, runge-kutta, radau или gauss",
        )
    elif method == "gauss" and (step is None or not 0.0 < step < math.inf):
        reason = Text('"gauss" takes a step, a positive number', "для gauss нужен step — число больше 0")
    elif method != "gauss" and step is not None:
        reason = Text('step goes with "gauss"', "step бывает только с gauss")
    if reason is not None:
        refuse("bad-method", Text("the call is wrong", "вызов неверен"), (reason,))
    key = (tolerance if isinstance(tolerance, float) else read_tolerance(self._model, tolerance).key, method, step)
    if key not in self._kept.simulations:
        # Of threads that come here at once, all go on with the simulation of the first.
        self._kept.simulations.setdefault(key, simulation_of(self._engine, tolerance, method, step))
    return self._kept.simulations[key]


def tuned(
    self: System,
    parameters: Mapping[str, float | str],
    tolerance: float | Mapping[str, float | Sequence[float]] = 2.0**-52,
    method: Literal["auto", "taylor", "runge-kutta", "radau", "gauss"] = "auto",
    step: float | None = None,
) -> Simulation:
    """What simulates this system with other values of some parameters, as `simulation` does with its own.

    Equations are derived and compiled once for all values of the same parameters. Where they cannot follow one (it
    decides what the system consists of, say), they are made anew, as by `with_parameters`; so they are for values
    at which constraints begin to repeat each other, or nothing is left to move.
    """
    from sistel.simulation import Tuned, live_simulation, read_tolerance, still_fits

    given = parameter_values(self._model, parameters)
    key = (tuple(sorted(given)), read_tolerance(self._model, tolerance).key, method, step)
    with COMPILING:
        if key not in self._kept.live:
            own = self.simulation(tolerance, method, step)
            try:
                live = live_model(self._model, key[0])
                self._kept.live[key] = live_simulation(live, tolerance, own.scheme, method == "auto", own.explicit)
            except SistelError:
                self._kept.live[key] = None
        whole = self._kept.live[key]
    if whole is None:
        return self.with_parameters(given).simulation(tolerance, method, step)
    made = Tuned(whole, [given[name] for name in key[0]])
    check_limits(made.engine.plain.model, given)
    if not still_fits(made):
        return self.with_parameters(given).simulation(tolerance, method, step)
    return made
