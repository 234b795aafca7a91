"""Expressions of the language, asked of a run at an instant, or of a model where it starts."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, refuse
from sistel.model import read_quantity
from sistel.studio.service import instant, parts, placed, span_of, told_value

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.simulation import Run, Stepper

MODELS: Final = 2
"""Models that are kept in memory."""
_STEPPERS: OrderedDict[tuple[str, str], Stepper] = OrderedDict()


def of_run(run: Run, line: str, t: float | None) -> dict[str, object]:
    """The value of an expression along a run: at the time that the line names, else at `t`, else at the end."""
    asked, when = parts(line)
    if when is not None:
        with placed(line, when):
            t = instant(run.model, when)
    elif t is None:
        t = float(run.end)
    with placed(line, asked):
        typed = read_quantity(run.model, asked)
    if not run.begin <= t <= run.end:
        refuse(
            "beyond-run",
            Text(f"the run has no time {t:g} s", f"в расчёте нет времени {t:g} с"),
            span=span_of(line, line if when is None else when),
            expected=Text(f"from {run.begin:g} s to {run.end:g} s", f"от {run.begin:g} с до {run.end:g} с"),
        )
    value = float(run.quantity(asked, [t])[0])
    return told_value(value, typed, t)


def of_model(text: str, path: str, line: str, changed: JsonObject) -> dict[str, object]:
    """The value of an expression where a model starts."""
    from sistel.system import parse

    asked, when = parts(line)
    if when is not None:
        refuse(
            "no-run",
            Text("there is no run yet: a time asks for one", "расчёта ещё нет, а время спрашивает о нём"),
            span=span_of(line, when),
            hint=Text("run the model first", "сначала сделайте расчёт"),
        )
    system = parse(text, path)
    if changed:
        system = system.with_parameters(changed)
    with placed(line, asked):
        typed = read_quantity(system.model, asked)
    key = path, text + repr(sorted(changed.items()))
    stepper = _STEPPERS.get(key)
    if stepper is None:
        stepper = _STEPPERS[key] = system.stepper(period=1.0)
        while len(_STEPPERS) > MODELS:
            _STEPPERS.popitem(last=False)
    _STEPPERS.move_to_end(key)
    return told_value(float(stepper[asked]), typed, stepper.t)
