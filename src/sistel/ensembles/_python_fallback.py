"""A run in Python, ended as those of ensembles are: for what compiled code cannot do alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.ensembles import _batch_loop as m
from sistel.ensembles._work import Options
from sistel.records import entry
from sistel.simulation import Run, RunError, Simulation

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.errors import Text


FIRST = 0.125
"""Length of the first piece of a run that events may end, as a part of the whole; the next ones double."""

_OUTCOMES = {"chattering": m.CHATTERS, "no-passage": m.NO_PASSAGE, "lost": m.LOST, "sliding": m.SLIDES}


@entry
class Done:
    """What came of one run."""

    outcome: int
    run: Run
    message: Text | None = None


def careful_run(simulation: Simulation, y: Array, options: Options, end: float | None = None) -> Done:
    """Simulate from a state until the first of the ends.

    Args:
        simulation: What does it.
        y: The state.
        options: The ends.
        end: When it will end, if that is known: then it is done in one go.

    Raises:
        KeyboardInterrupt: Somebody pressed Ctrl-C.
    """
    begin, until = float(y[-1]), options.until
    watched = bool(options.stop) or options.most_events < m.PRIME
    length = FIRST * (until - begin) if watched else until - begin
    if end is not None:
        length = 2.0 * (end - begin) + 1.0  # more than the last step, which an end in sight would cut
    run: Run | None = None
    while True:
        reach = min(until, begin + length)
        outcome, message = m.TIME, None
        try:
            if run is None:
                run = simulation.run(y, options.structure, reach, options.longest).kept_by(simulation, options.longest)
            else:
                run = run.resume(reach)
        except RunError as problem:
            run, message = problem.run, problem.diagnostics[0].message
            outcome = _OUTCOMES.get(problem.diagnostics[0].code, m.FAILED)
        if run.stopped is not None and message is None:
            raise KeyboardInterrupt
        ended = _cut(run, simulation, options)
        if ended is not None:
            return ended
        if outcome != m.TIME or reach >= until:
            return Done(outcome, run, message)
        if run.steps > options.most_steps:
            return Done(m.STEPS, run)
        length *= 2.0


def _cut(run: Run, simulation: Simulation, options: Options) -> Done | None:
    """The part of a run up to the event that ends it, if one does."""
    for k, event in enumerate(run.passages):
        stops = event.after in options.stop
        if not stops and k + 1 < options.most_events:
            continue
        before = [segment for segment in run.segments if segment.begin < event.time]
        behind = [each for each in run.segments if each.begin >= event.time and each.structure == event.after]
        last = behind[0].coefficients[0, :, 0].copy() if behind else run.last
        part = Run(run.model, before, run.passages[: k + 1], last, None, simulation=simulation, longest=options.longest)
        return Done(m.STRUCTURE if stops else m.EVENTS, part)
    return None
