"""Control from Python: a clock at which a law is asked, and values of inputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.errors import Diagnostics, Text, one_of, word_hint
from sistel.face._refusals import refuse
from sistel.model import Model, asking, read_value

if TYPE_CHECKING:
    import numpy as np

    from sistel.face._system import System

    Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def controlled(system: System, control: object, period: float | None) -> System:
    """The system with a clock at which a law is asked; kept, so that equations are compiled once for a period."""
    wrong = None
    if control is None or not callable(control):
        wrong = Text("control is a function of the time and a reading", "control — функция времени и показаний")
    elif period is None or not 1e-9 <= period < math.inf:
        wrong = Text("control takes a period, a positive time", "для control нужен period — время больше 0")
    if wrong is not None:
        refuse("bad-control", Text("the call is wrong", "вызов неверен"), (wrong,))
    assert period is not None
    return with_clock(system, float(period), float(system._model.start_time))


def with_clock(system: System, period: float, offset: float) -> System:
    """The system with a clock at which a law is asked; kept, so that equations are compiled once for it."""
    known = system._kept.controlled
    if (period, offset) not in known:
        model = asking(system._model, period, offset)
        known.setdefault((period, offset), type(system)(model, system._source, system._losses))
    return known[period, offset]


def with_inputs(model: Model, y: Array, inputs: Mapping[str, float | str]) -> Array:
    """A state with other values of inputs.

    Raises:
        SistelError: A name is unknown, or a value is none or beyond its limits.
    """
    diagnostics = Diagnostics()
    known = {each.name: each for scheme in model.schemes if not scheme.asks for each in scheme.inputs}
    parameters = {parameter.name: parameter for parameter in model.parameters}
    first = model.nq + model.nv
    places = {each.name: first + i for i, each in enumerate(model.memory) if each.kind == "input"}
    made = y.copy()
    for name, given in inputs.items():
        own = known.get(name)
        if own is None:
            missing = Text(f'there is no input "{name}"', f"нет ввода «{name}»")
            expected = one_of(list(known)) if known else Text("the file has no inputs", "в файле нет вводов")
            diagnostics.error("unknown-name", None, missing, expected=expected, hint=word_hint(name, list(known)))
            continue
        value = read_value(
            name, given if isinstance(given, str) else repr(float(given)), own.dimension, parameters, diagnostics
        )
        if value is None:
            continue
        low = -math.inf if own.minimum is None else own.minimum
        high = math.inf if own.maximum is None else own.maximum
        if not low <= value <= high:
            diagnostics.error(
                "beyond-limits",
                own.span,
                Text(f'{value:g} is beyond the limits of input "{name}"', f"{value:g} — вне пределов ввода «{name}»"),
                expected=Text(f"{low:g} to {high:g}", f"от {low:g} до {high:g}"),
            )
            continue
        made[places[name]] = value
    diagnostics.raise_if_failed()
    return made
