"""Expressions of the language, asked of a run at an instant, or of a model where it starts."""

from __future__ import annotations

import math
import re
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sistel.errors import Diagnostics, Language, SistelError, Source, Span, Text, refuse
from sistel.model import Model, Typed, read_quantity, read_value
from sistel.units import ANGLE, TIME, si_symbol

if TYPE_CHECKING:
    from sistel.plain import JsonObject
    from sistel.simulation import Run, Stepper

_AT: Final = re.compile(r"^(?P<asked>.*\S)\s+(?:at|при)\s+(?P<time>\S.*)$", re.IGNORECASE | re.DOTALL)
MODELS: Final = 2
"""Models that are kept in memory."""
_STEPPERS: OrderedDict[tuple[str, str], Stepper] = OrderedDict()


def parts(line: str) -> tuple[str, str | None]:
    """What is asked, and when: ``angle(knee) at 1.5 s``."""
    found = _AT.match(line.strip())
    return (line.strip(), None) if found is None else (found["asked"], found["time"])


def of_run(run: Run, line: str, t: float | None) -> dict[str, object]:
    """The value of an expression along a run: at the time that the line names, else at `t`, else at the end."""
    asked, when = parts(line)
    if when is not None:
        with _placed(line, when):
            t = _time(run.model, when)
    elif t is None:
        t = float(run.end)
    with _placed(line, asked):
        typed = read_quantity(run.model, asked)
    if not run.begin <= t <= run.end:
        refuse(
            "beyond-run",
            Text(f"the run has no time {t:g} s", f"в расчёте нет времени {t:g} с"),
            span=_span(line, line if when is None else when),
            expected=Text(f"from {run.begin:g} s to {run.end:g} s", f"от {run.begin:g} с до {run.end:g} с"),
        )
    value = float(run.quantity(asked, [t])[0])
    return _told(value, typed, t)


def of_model(text: str, path: str, line: str, changed: JsonObject) -> dict[str, object]:
    """The value of an expression where a model starts."""
    from sistel.system import parse

    asked, when = parts(line)
    if when is not None:
        refuse(
            "no-run",
            Text("there is no run yet: a time asks for one", "расчёта ещё нет, а время спрашивает о нём"),
            span=_span(line, when),
            hint=Text("run the model first", "сначала сделайте расчёт"),
        )
    system = parse(text, path)
    if changed:
        system = system.with_parameters(changed)
    with _placed(line, asked):
        typed = read_quantity(system.model, asked)
    key = path, text + repr(sorted(changed.items()))
    stepper = _STEPPERS.get(key)
    if stepper is None:
        stepper = _STEPPERS[key] = system.stepper(period=1.0)
        while len(_STEPPERS) > MODELS:
            _STEPPERS.popitem(last=False)
    _STEPPERS.move_to_end(key)
    return _told(float(stepper[asked]), typed, stepper.t)


def _time(model: Model, when: str) -> float:
    """An instant as a line names it [s]."""
    diagnostics = Diagnostics()
    known = {each.name: each for each in model.parameters}
    found = read_value("<console>", when, TIME, known, diagnostics)
    diagnostics.raise_if_failed()
    assert found is not None
    return found


@contextmanager
def _placed(line: str, part: str) -> Iterator[None]:
    """What is wrong in a part of a line has its place in the line."""
    try:
        yield
    except SistelError as problem:
        whole = _span(line, part)
        found = []
        for each in problem.diagnostics:
            own = each.span
            moved = own
            if own is not None and own.source.text == part:
                moved = Span(whole.source, whole.start + own.start, whole.start + own.end)
            found.append(replace(each, span=moved))
        raise SistelError(found) from None


def _span(line: str, part: str) -> Span:
    start = max(0, line.rfind(part))
    return Span(Source("<console>", line), start, start + len(part))


def _told(value: float, typed: Typed, t: float) -> dict[str, object]:
    """A value with its unit, and its time."""
    if typed.dimension is None:
        words = Text("yes", "да") if value > 0.5 else Text("no", "нет")
        return {"text": {"en": words.en, "ru": words.ru}, "value": value, "t": t}
    told: dict[str, str] = {}
    languages: tuple[Language, ...] = ("en", "ru")
    for each in languages:
        plain = typed.dimension.plain
        unit = "" if plain else " " + si_symbol(typed.dimension, each).replace("*", "·")
        more = ""
        if typed.dimension == ANGLE and math.isfinite(value):
            more = f" = {math.degrees(value):.12g}°"
        told[each] = f"{value:.15g}{unit}{more}"
    return {"text": told, "value": value if math.isfinite(value) else None, "t": t}
