"""Inputs of schemes as functions of time: constant between the instants at which somebody changes them.

A change acts at its instant, exactly: the run is stepped up to it and goes on from there. What happens at the same
instant, ticks among it, comes before: a tick reads what was just before it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from sistel.automaton import GIVEN
from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.model import RELEASE, Input, Model, Parameter, read_value, tick_name
from sistel.records import entry
from sistel.units import TIME, Dimension

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation.run._segments import Event

INSTANT = 1e-12
"""Time within which a tick and a change of an input count as one instant, in parts of the time and of 1 s."""

Value = float | str
InputCourse = Value | Sequence[tuple[Value, Value]]
"""Of an input: one value for the whole run, or pairs (time, value)."""


@entry
class Change:
    """An instant at which an input takes another value."""

    time: float
    """[s]; -∞ for what holds from the beginning."""
    name: str
    value: float
    """[SI]"""

    @property
    def event(self) -> str:
        """The name of its event."""
        return f"{GIVEN}{self.name} = {self.value!r}"


def read_inputs(model: Model, inputs: Mapping[str, InputCourse]) -> tuple[Change, ...]:
    """What inputs a run is given, in the order of time.

    Raises:
        SistelError: A name is unknown, times do not rise, or a value is none or one that the input cannot have.
    """
    diagnostics = Diagnostics()
    known = {each.name: each for scheme in model.schemes if not scheme.asks for each in scheme.inputs}
    parameters = {parameter.name: parameter for parameter in model.parameters}
    made: list[Change] = []
    for name, given in inputs.items():
        own = known.get(name)
        if own is None:
            missing = Text(f'there is no input "{name}"', f"нет ввода «{name}»")
            expected = one_of(list(known)) if known else Text("the file has no inputs", "в файле нет вводов")
            diagnostics.error("unknown-name", None, missing, expected=expected, hint=word_hint(name, list(known)))
            continue
        made += _course(own, given, parameters, diagnostics)
    diagnostics.raise_if_failed()
    return tuple(sorted(made, key=lambda change: change.time))


def _course(own: Input, given: object, parameters: Mapping[str, Parameter], diagnostics: Diagnostics) -> list[Change]:
    """The changes of one input."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        pairs: list[tuple[object, object]] = [(-math.inf, given)]
    else:
        rows = [tuple(row) if isinstance(row, Iterable) and not isinstance(row, str) else (row,) for row in given]
        if any(len(row) != 2 for row in rows):
            wrong = Text(f'input "{own.name}" is no list of pairs', f"ввод «{own.name}» — не список пар")
            expected = Text("a value, or pairs (time, value)", "значение или пары (время, значение)")
            diagnostics.error("bad-input", None, wrong, expected=expected)
            return []
        pairs = [(row[0], row[1]) for row in rows]
    made: dict[float, Change] = {}
    before = -math.inf
    for when, what in pairs:
        time = when if when == -math.inf else _number(own.name, when, TIME, parameters, diagnostics)
        value = _number(own.name, what, own.dimension, parameters, diagnostics)
        if not isinstance(time, float) or value is None or not _fits(own, value, diagnostics):
            continue
        if time < before or time == math.inf:
            wrong = Text(
                f'times of input "{own.name}" do not rise: {time:g} s after {before:g} s',
                f"моменты ввода «{own.name}» не растут: {time:g} с после {before:g} с",
            )
            diagnostics.error("bad-input", None, wrong)
            continue
        before = time
        made[time] = Change(time, own.name, value)  # of several at one instant the last one counts
    return list(made.values())


def _number(
    name: str, given: object, dimension: Dimension, parameters: Mapping[str, Parameter], diagnostics: Diagnostics
) -> float | None:
    if isinstance(given, str):
        value = read_value(name, given, dimension, parameters, diagnostics)
    else:
        try:
            value = float(given)  # type: ignore[arg-type]
        except (TypeError, ValueError):
            value = math.nan
    if value is not None and math.isnan(value):
        wrong = Text(f'input "{name}": {given!r} is no number', f"ввод «{name}»: {given!r} — не число")
        diagnostics.error("bad-input", None, wrong)
        return None
    return value


def _fits(own: Input, value: float, diagnostics: Diagnostics) -> bool:
    if own.takes(value):
        return True
    expected = Text(
        *(f"{a} {_bound(own.minimum)} {b} {_bound(own.maximum)}" for a, b in (("from", "to"), ("от", "до")))
    )
    if own.truth or own.positions:
        expected = one_of([f"{each:g}" for each in own.positions or (0.0, 1.0)])
    wrong = Text(
        f'{value:g} is beyond the limits of input "{own.name}"', f"{value:g} — вне пределов ввода «{own.name}»"
    )
    diagnostics.error("beyond-limits", own.span, wrong, expected=expected)
    return False


def _bound(value: float | None) -> str:
    return "…" if value is None else f"{value:g}"


def changed_until(events: Iterable[Event], time: float) -> list[Change]:
    """What inputs changed until a time, as the events of a run tell it."""
    made = []
    for event in events:
        if event.transition.startswith(GIVEN) and event.time <= time:
            name, _, value = event.transition.removeprefix(GIVEN).rpartition(" = ")
            made.append(Change(event.time, name, float(value)))
    return made


def input_places(model: Model) -> dict[str, int]:
    """Where inputs stand in a state."""
    first = model.nq + model.nv
    return {each.name: first + i for i, each in enumerate(model.memory) if each.kind == "input"}


def overdue(model: Model, y: Array) -> set[str]:
    """Names of the ticks whose time has come and that rounding has left for later, at a state."""
    first = model.nq + model.nv
    counts = {each.name: float(y[first + i]) for i, each in enumerate(model.memory) if each.kind == "tick"}
    found = set()
    for scheme in model.schemes:
        clock = scheme.clock
        if clock is None:
            continue
        for name, later in ((scheme.name, 0), (f"{RELEASE} {scheme.name}", clock.latency)):
            own = tick_name(name)
            due = (clock.first + later + counts.get(own, 0.0) * clock.step) / clock.parts
            if own in counts and due <= y[-1] + INSTANT * max(1.0, abs(y[-1])):
                found.add(own)
    return found
