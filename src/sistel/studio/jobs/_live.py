"""A motion that keeps pace with the clock on the wall, while an operator touches its inputs.

It goes from tick to tick with a stepper. What was touched is kept with its instants; the run that is kept at the end
is made of these: it is a run like all others, with each touch among its events.
"""

from __future__ import annotations

import math
import queue
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError
from sistel.model import read_quantity
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.simulation import Stepper

TICK: Final = 0.02
"""Between two instants at which touches act [s]."""
TOLD: Final = 0.05
"""Between two words to the window [s]."""
LONGEST: Final = 3600.0
"""Of such a motion [s]."""
MOST: Final = 200
"""Signals that are told."""

Touch = tuple[str, float]
"""An input and its new value [SI]; an empty name ends the motion."""


@entry
class Lived:
    """What an operator did."""

    end: float
    """[s]"""
    inputs: Mapping[str, Sequence[tuple[float, float]]]
    """The course of each input, as `System.simulate` takes it."""


def live(
    stepper: Stepper,
    model: Model,
    until: float | None,
    watched: Sequence[str],
    touched: queue.SimpleQueue[Touch],
    say: Callable[[Mapping[str, object]], None],
) -> Lived:
    """Move until a time, or until an operator ends it.

    Args:
        stepper: Where it begins.
        model: Of the system.
        until: [s]; None for as long as the operator wants.
        watched: Signals whose values are told.
        touched: What the operator does.
        say: Tells the window.
    """
    known = {each.name: each for scheme in model.schemes for each in scheme.inputs}
    course: dict[str, list[tuple[float, float]]] = {}
    end = stepper.t + LONGEST if until is None else until
    names = _prepared(stepper, model, watched)
    begin, start, told = stepper.t, time.monotonic(), -math.inf
    refused: list[str] = []
    ended = False
    waiting: deque[Touch] = deque()
    while stepper.t < end - 1e-9 and not ended:
        now: dict[str, float] = {}
        while waiting or not touched.empty():
            name, value = waiting.popleft() if waiting else touched.get()
            if name in now:
                # A press and its end within one tick: both are to be seen.
                waiting.appendleft((name, value))
                break
            own = known.get(name)
            ended = ended or not name
            if own is not None and own.takes(value):
                now[name] = value
                course.setdefault(name, []).append((stepper.t, value))
            elif name:
                refused.append(name)
        stepper = stepper.step(now)
        clock = time.monotonic()
        if clock - told >= TOLD:
            told = clock
            say({"live": _state(stepper, names, course, refused, clock - start - (stepper.t - begin))})
        ahead = start + (stepper.t - begin) - time.monotonic()
        if ahead > 0.0:
            time.sleep(ahead)
    say({"live": _state(stepper, names, course, refused, 0.0)})
    return Lived(stepper.t, course)


def _prepared(stepper: Stepper, model: Model, watched: Sequence[str]) -> tuple[str, ...]:
    """Those signals that the system has; with them, everything that later ticks need is compiled."""
    names = tuple(each for each in dict.fromkeys(watched[:MOST]) if _known(partial(read_quantity, model, each)))
    if not _known(partial(stepper.prepare, *names)):
        names = tuple(each for each in names if _known(partial(stepper.__getitem__, each)))
        stepper.prepare(*names)
    return names


def _known(ask: Callable[[], object]) -> bool:
    """Whether there is an answer."""
    try:
        ask()
    except SistelError:
        return False
    return True


def _state(
    stepper: Stepper,
    names: tuple[str, ...],
    course: Mapping[str, Sequence[tuple[float, float]]],
    refused: Sequence[str],
    late: float,
) -> dict[str, object]:
    values = dict(zip(names, stepper[names].tolist(), strict=True))
    touches = sorted((t, name, value) for name, each in course.items() for t, value in each)
    return {
        "t": stepper.t,
        "values": {name: value if math.isfinite(value) else None for name, value in values.items()},
        "touches": [{"t": t, "name": name, "value": value} for t, name, value in touches[-50:]],
        "refused": list(refused[-20:]),
        "late": max(0.0, late),
    }
