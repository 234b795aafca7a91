"""Signals along runs that are kept: curves as finely as a window can show them, values at an instant, answers to steps.

Windows cannot call it: its parameters are places on the disk.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.errors import SistelError, Text, refuse
from sistel.records import mutable
from sistel.studio.jobs._drawing import kept_run
from sistel.studio.service import replied

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.plain import JsonObject
    from sistel.simulation import Run

RUNS: Final = 2
"""Runs that are kept in memory."""
MOST_BYTES: Final = 512 * 2**20
"""Of values along one run that are kept."""
CLOSE: Final = 4
"""Where a stretch has fewer steps than so many for each instant that is asked for, all of them are told."""


@mutable
class _Shelf:
    """A run, and what was computed of it."""

    run: Run
    times: Array
    """Of its rows [s]; at events it has two."""
    values: OrderedDict[str, Array]
    """Of signals at these."""

    def along(self, name: str) -> Array:
        """A signal at all rows."""
        found = self.values.get(name)
        if found is None:
            found = self.run.quantity(name)
            self.values[name] = found
            while len(self.values) > 1 and sum(each.nbytes for each in self.values.values()) > MOST_BYTES:
                self.values.popitem(last=False)
        self.values.move_to_end(name)
        return found


_SHELVES: OrderedDict[str, _Shelf] = OrderedDict()
"""By their archives: this process is asked about the same run again and again."""


def _shelf(kept: JsonObject) -> _Shelf:
    key = str(kept["archive"])
    found = _SHELVES.get(key)
    if found is None:
        run = kept_run(kept)
        if not run.keeps_motion:
            refuse("no-motion", Text("this run keeps its events alone", "этот расчёт хранит только события"))
        found = _SHELVES[key] = _Shelf(run, np.asarray(run.t), OrderedDict())
        while len(_SHELVES) > RUNS:
            _SHELVES.popitem(last=False)
    _SHELVES.move_to_end(key)
    return found


def curves(params: JsonObject) -> object:
    """Signals at the same instants: `{times, begin, end, curves, failed}`; of what lies between, least and greatest."""
    shelf = _shelf(params["run"])
    begin, end = float(shelf.run.begin), float(shelf.run.end)
    low = begin if params["from"] is None else min(max(params["from"], begin), end)
    high = end if params["to"] is None else min(max(params["to"], low), end)
    first, last = (int(each) for each in np.searchsorted(shelf.times, [low, high], side="left"))
    last = max(last, first)
    most = params["most"]
    close = last - first <= CLOSE * most
    if close:
        even = np.linspace(low, high, most) if high > low else np.array([low])
        times = np.unique(np.concatenate([even, shelf.times[first:last]]))
    else:
        starts = np.unique(np.linspace(first, last, most, endpoint=False).astype(np.intp))
        # Of two rows at one instant the last has what holds from then on.
        starts = np.unique(np.searchsorted(shelf.times, shelf.times[starts], side="right") - 1)
        times = shelf.times[starts]
        last = max(last, int(starts[-1]) + 1)
    told, failed = [], {}
    for name in params["names"]:
        try:
            unit, held = _kind(shelf.run, name, params["lang"])
            curve: dict[str, object] = {"name": name, "unit": unit, "held": held}
            if close:
                curve["values"] = _plain(shelf.run.quantity(name, times))
            else:
                values = shelf.along(name)
                curve["values"] = _plain(values[starts])
                curve["low"] = _plain(np.minimum.reduceat(values[:last], starts))
                curve["high"] = _plain(np.maximum.reduceat(values[:last], starts))
            told.append(curve)
        except SistelError as problem:
            first_said = problem.diagnostics[0].message
            failed[name] = {"en": first_said.en, "ru": first_said.ru}
    return {"times": times.tolist(), "begin": begin, "end": end, "curves": told, "failed": failed}


def _kind(run: Run, name: str, lang: str) -> tuple[str, bool]:
    """The unit of a signal, and whether a clock holds it."""
    from sistel.model import read_quantity
    from sistel.units import si_symbol

    typed = read_quantity(run.model, name)
    held = any(each.name == name for scheme in run.model.schemes if scheme.clock is not None for each in scheme.held)
    plain = typed.dimension is None or typed.dimension.plain
    unit = "" if plain or typed.dimension is None else si_symbol(typed.dimension, "ru" if lang == "ru" else "en")
    return unit.replace("*", "·"), held


def values(params: JsonObject) -> object:
    """Values of signals at an instant, by their names; those that the run does not have are left out."""
    shelf = _shelf(params["run"])
    t = min(max(params["t"], float(shelf.run.begin)), float(shelf.run.end))
    found: dict[str, float | None] = {}
    for name in params["names"]:
        try:
            found[name] = _number(float(shelf.run.quantity(name, [t])[0]))
        except SistelError:
            continue
    return found


def response(params: JsonObject) -> object:
    """How a signal answers to a step; without a target, to where it ends."""
    run = _shelf(params["run"]).run
    name, target = params["name"], params["target"]
    goal = float(run.quantity(name, [run.end])[0]) if target is None else target
    found = run.step_response(name, goal, t=params["t"], band=params["band"])
    told = {key: _number(getattr(found, key)) for key in ("start", "target", "overshoot", "peak", "settling", "error")}
    return {**told, "band": found.band}


def ask(params: JsonObject) -> object:
    """The value of an expression, along a run or where a model starts."""
    from sistel.studio.jobs._asking import of_model, of_run
    from sistel.studio.service import tried_values

    if params["run"] is not None:
        return of_run(_shelf(params["run"]).run, params["line"], params["t"])
    changed = {**params["changed"], **tried_values(params["path"], params["text"], params["tried"])}
    return of_model(params["text"], params["path"], params["line"], changed)


def _plain(found: Array) -> list[float | None]:
    if np.isfinite(found).all():
        plain: list[float | None] = found.tolist()
        return plain
    return [_number(each) for each in found.tolist()]


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


METHODS: Final[Mapping[str, Callable[[JsonObject], object]]] = {
    "curves": curves,
    "values": values,
    "response": response,
    "ask": ask,
}


def reply(name: str, params: JsonObject) -> dict[str, object]:
    """What a call gives as `done`, or why it fails as `failed`."""
    return replied(METHODS[name], params)
