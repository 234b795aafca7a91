"""A run that goes on, see `Run.resume`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import anchor_sizes
from sistel.errors import Text, refuse
from sistel.simulation.run._bookmark import past_of
from sistel.simulation.run._run import Run, RunError
from sistel.simulation.run._segments import Event, Segment, part

if TYPE_CHECKING:
    from sistel.simulation._asked_law import AskedLaw
    from sistel.simulation._inputs import Change
    from sistel.simulation._simulate import Simulation

    Progress = Callable[[float, str], None] | None


def resume_run(
    run: Run,
    until: float,
    since: float | None,
    progress: Progress,
    memory: float,
    law: AskedLaw | None,
    changes: Sequence[Change],
) -> Run:
    """Go on from the last bookmark before a time, that of the end if none is given."""
    since = run.end if since is None else since
    if not until >= since:
        refuse(
            "no-time",
            Text(
                f"the run has reached {since:g} s already, later than {until:g} s",
                f"расчёт уже дошёл до {since:g} с, это позже {until:g} с",
            ),
        )
    if not run.begin <= since <= run.end:
        run.refuse_time()
    simulation, place = run.simulation, run.book.before(since)
    try:
        if place is None:
            more = _again(run, simulation, since, until, progress, memory, law, changes)
        else:
            past = past_of(run.book, place, run.segments, run.passages, run.noted)
            mark, keep = past.mark, run.book.keep
            more = simulation.run(
                mark.y, mark.structure, until, run.longest, progress, keep, memory, past, (), law, changes
            )
    except RunError as problem:
        raise RunError(problem.diagnostics, problem.run.kept_by(simulation, run.longest, law, changes)) from None
    return more.kept_by(simulation, run.longest, law, changes)


def _again(
    run: Run,
    simulation: Simulation,
    since: float,
    until: float,
    progress: Progress,
    memory: float,
    law: AskedLaw | None,
    changes: Sequence[Change],
) -> Run:
    """Go on from the step that contains a time, of a run that has no bookmarks."""
    kept, events, begin, name = list(run.segments), list(run.passages), run.last, run.final_structure
    while kept and kept[-1].begin > since:
        kept.pop()
    if kept:
        cut = kept.pop()
        # Where links hold a place that they found when they began, the whole stay is taken anew.
        anchored = anchor_sizes(run.engine.automaton, run.engine.automaton.structure(cut.structure))
        again = 0 if anchored else max(0, int(np.searchsorted(cut.times[:, 0], since)) - 1)
        begin, name = cut.coefficients[again, :, 0], cut.structure
        events = [event for event in events if event.time <= begin[-1]]
        if again:
            kept.append(part(cut, slice(None, again)))
    try:
        more = simulation.run(begin.copy(), name, until, run.longest, progress, memory=memory, law=law, changes=changes)
        return _continued(run, kept, events, more)
    except RunError as problem:
        raise RunError(problem.diagnostics, _continued(run, kept, events, problem.run)) from None


def _continued(run: Run, segments: Sequence[Segment], events: Sequence[Event], more: Run) -> Run:
    seen = run.noted.until(more.begin).followed_by(more.noted)
    pieces, passed = [*segments, *more.segments], [*events, *more.passages]
    return Run(more.model, pieces, passed, more.last, more.stopped, warnings=seen)
