"""Runs that end at the instant at which a condition begins to hold: a breakpoint.

The run is made in parts. Along each the condition is looked at, at all steps and some places between them; where it
begins to hold the instant is found by halving, down to neighbouring numbers, and the part is made anew until there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.errors import Text, refuse
from sistel.model import read_quantity
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import Run

PARTS: Final = 24
"""Of a run; the condition is looked at after each."""
BETWEEN: Final = 8
"""Places that are looked at in each step, where the steps are few."""
MOST: Final = 200_000
"""Places of one part."""
HALVINGS: Final = 1100
"""More than any two numbers are apart."""


@entry
class Stopped:
    """A run that may have been ended by a condition."""

    run: Run
    time: float | None
    """When the condition began to hold [s]; None where it never did."""


def check_condition(model: Model, condition: str) -> None:
    """Refuse what is no condition of a model.

    Raises:
        SistelError: It is none.
    """
    typed = read_quantity(model, condition)
    if typed.dimension is not None:
        refuse(
            "no-condition",
            Text("this is a quantity and no condition", "это величина, а не условие"),
            span=typed.expression.span,
            expected=Text("a comparison, such as angle(arm) gt 1 rad", "сравнение, например угол(звено) gt 1 рад"),
        )


def run_until(
    condition: str, begin: float, end: float, first: Callable[[float], Run], later: Callable[[Run, float], Run]
) -> Stopped:
    """A run that ends where a condition begins to hold, or at its end.

    A condition that holds at the beginning has to cease before it can begin.

    Args:
        condition: What is waited for.
        begin: When the run begins [s].
        end: When it ends at the latest [s].
        first: Makes a run until a time.
        later: Goes on with a run until a time.
    """
    before: Run | None = None
    times = np.linspace(begin, end, PARTS + 1)[1:].tolist()
    for time in times:
        run = first(time) if before is None else later(before, time)
        found = _begins(run, condition, begin if before is None else float(before.end))
        if found is not None:
            if found <= run.begin:
                return Stopped(run, found)
            if before is not None and found <= before.end:
                return Stopped(before, found)
            return Stopped(first(found) if before is None else later(before, found), found)
        if run.stopped is not None or run.end < time:
            return Stopped(run, None)
        before = run
    assert before is not None
    return Stopped(before, None)


def _begins(run: Run, condition: str, since: float) -> float | None:
    """The first instant after another one at which a condition begins to hold [s]."""
    steps = np.unique(run.t)
    steps = steps[np.searchsorted(steps, since, side="right") - 1 :]
    if len(steps) < 2:
        return None
    parts = int(min(BETWEEN, max(1, MOST // len(steps))))
    within = steps[:-1, np.newaxis] + np.diff(steps)[:, np.newaxis] * (np.arange(parts) / parts)
    times = np.append(within.ravel(), steps[-1])
    times = times[times >= since]
    holds = run.quantity(condition, times) > 0.5
    rises = np.flatnonzero(holds[1:] & ~holds[:-1])
    if not len(rises):
        return None
    low, high = float(times[rises[0]]), float(times[rises[0] + 1])
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if run.quantity(condition, [middle])[0] > 0.5:
            high = middle
        else:
            low = middle
    return high
