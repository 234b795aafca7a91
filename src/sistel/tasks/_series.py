"""Quantities over time: values at moments, extrema, means, and how they answer to a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.simulation import step_response
from sistel.tasks._numbers import told
from sistel.tasks._reports import Wanted
from sistel.tasks._results import Answer, Curve, Grid, Head
from sistel.units import TIME

if TYPE_CHECKING:
    from sistel.arrays import Array

    Value = Callable[[Array], Array]
    """Of times [s]; in SI."""


AROUND = 21
"""Moments that are looked at around an extremum; and how often they come closer."""
ROUNDS = 9


def extreme(value: Value, times: Array, found: Array, sign: float) -> tuple[float, float]:
    """When a quantity is greatest (or, with sign -1, least), and what it is then.

    Between the moments that were looked at first the search goes on.
    """
    place = int(np.argmax(sign * found))
    best, when = float(found[place]), float(times[place])
    width = float(np.max(np.diff(times))) if len(times) > 1 else 0.0
    low, high = float(times[0]), float(times[-1])
    for _ in range(ROUNDS):
        near = np.unique(np.clip(np.linspace(when - width, when + width, AROUND), low, high))
        there = value(near)
        place = int(np.argmax(sign * there))
        if sign * float(there[place]) > sign * best:
            best, when = float(there[place]), float(near[place])
        width /= AROUND // 4
    return when, best


def mean(times: Array, found: Array) -> float:
    """Over the time, by Simpson's rule: the moments are at equal distances, an odd number of them."""
    assert len(times) % 2 == 1
    weights = np.ones(len(times))
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    return float(weights @ found) / float(weights.sum())


def answer(wanted: Wanted, value: Value, times: Array, found: Array) -> Answer:
    """The one number that is wanted: of a plain quantity, its value at the end."""
    remark: Text | None = None
    function, numbers = wanted.function, wanted.numbers
    begin, end = float(times[0]), float(times[-1])
    if function in ("lowest", "highest"):
        when, number = extreme(value, times, found, 1.0 if function == "highest" else -1.0)
        remark = _at(when)
    elif function == "mean":
        number = mean(times, found)
    elif function == "rms":
        number = float(np.sqrt(mean(times, found**2)))
    elif function == "at":
        _within(numbers[0], begin, end)
        number = float(value(np.array([numbers[0]]))[0])
    elif function:
        number = _response(wanted, value, begin, end, found)
        if function == "overshoot":
            remark = Text(f"{100 * number:.4g} %", f"{100 * number:.4g} %")
    else:
        number, remark = float(value(np.array([end]))[0]), _at(end)
    return Answer(label=wanted.label, value=number, dimension=wanted.dimension, remark=remark)


def _response(wanted: Wanted, value: Value, begin: float, end: float, found: Array) -> float:
    function, numbers = wanted.function, wanted.numbers
    last = float(value(np.array([end]))[0])
    target = numbers[0] if numbers else last
    if function == "steady_error":
        return target - last
    if function == "reached":
        within = numbers[1] if len(numbers) > 1 else 0.02 * abs(target - float(found[0]))
        return 1.0 if abs(last - target) <= within else 0.0
    if function == "rise":
        return _rise(value, begin, end, float(found[0]), target)
    band = numbers[1] if len(numbers) > 1 else 0.02
    response = step_response(value, begin, end, target, band)
    return response.overshoot if function == "overshoot" else response.settling


def _rise(value: Value, begin: float, end: float, start: float, target: float) -> float:
    """Time from 10 % to 90 % of the step; infinite where it never gets there."""
    step = target - start
    if step == 0.0:
        return float("nan")
    times = np.linspace(begin, end, 4001)
    part = (value(times) - start) / step
    passed = []
    for level in (0.1, 0.9):
        over = np.flatnonzero(part >= level)
        if not over.size:
            return float("inf")
        high = float(times[over[0]])
        low = float(times[max(over[0] - 1, 0)])
        for _ in range(ROUNDS):
            near = np.linspace(low, high, AROUND)
            above = np.flatnonzero((value(near) - start) / step >= level)
            first = int(above[0]) if above.size else AROUND - 1
            low, high = float(near[max(first - 1, 0)]), float(near[first])
        passed.append(high)
    return passed[1] - passed[0]


def _at(when: float) -> Text:
    said = told(when, TIME, 6)
    return Text(f"at {said.en}", f"при {said.ru}")


def _within(time: float, begin: float, end: float) -> None:
    if not begin <= time <= end:
        from sistel.errors import Diagnostic

        message = Text(
            f"{time:g} s lies outside {begin:g} … {end:g} s", f"{time:g} с вне промежутка {begin:g} … {end:g} с"
        )
        raise SistelError([Diagnostic("no-time", "error", message)])


def over_time(report: Sequence[Wanted], values: Sequence[Value], times: Sequence[float]) -> Grid | None:
    """Plain quantities at moments."""
    plain = [(wanted, value) for wanted, value in zip(report, values, strict=True) if not wanted.function]
    if not plain or not times:
        return None
    moments = np.array(times, dtype=float)
    columns = [value(moments) for _, value in plain]
    heads = (
        Head(label=Text("t", "t"), dimension=TIME),
        *(Head(label=wanted.label, dimension=wanted.dimension) for wanted, _ in plain),
    )
    rows = tuple((float(t), *(float(column[i]) for column in columns)) for i, t in enumerate(moments))
    return Grid(title=Text("over time", "во времени"), heads=heads, rows=rows)


def extrema(report: Sequence[Wanted], values: Sequence[Value], times: Array, found: Sequence[Array]) -> Grid | None:
    """The least and the greatest value of every plain quantity, and when."""
    rows = []
    for wanted, value, each in zip(report, values, found, strict=True):
        if wanted.function:
            continue
        low, high = (extreme(value, times, each, sign) for sign in (-1.0, 1.0))
        rows.append(
            (
                wanted.label,
                told(low[1], wanted.dimension),
                told(low[0], TIME, 6),
                told(high[1], wanted.dimension),
                told(high[0], TIME, 6),
            )
        )
    if not rows:
        return None
    heads = (
        Text("quantity", "величина"),
        Text("least", "наименьшее"),
        Text("when", "когда"),
        Text("greatest", "наибольшее"),
        Text("when", "когда"),
    )
    return Grid(title=Text("extrema", "экстремумы"), heads=tuple(Head(label=head) for head in heads), rows=tuple(rows))


def curves(report: Sequence[Wanted], times: Array, found: Sequence[Array]) -> tuple[Curve, ...]:
    """Every quantity that is asked about, once."""
    made: dict[str, Curve] = {}
    for wanted, values in zip(report, found, strict=True):
        label = wanted.label
        if wanted.function:
            from sistel.markup import print_expression

            label = Text(print_expression(wanted.expression, "en"), print_expression(wanted.expression, "ru"))
        made.setdefault(wanted.text, Curve(label=label, dimension=wanted.measured, t=times, values=values))
    return tuple(made.values())
