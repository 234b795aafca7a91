"""A step from tick to tick by six values of the rates, for long equations of which few digits are asked for.

The method of Cash and Karp, of order 5, with the estimate of its error by that of order 4 (ACM Transactions on
Mathematical Software 16, 1990, page 201). What is held from tick to tick is constant in it, so nothing is evaluated
beyond the tick. Where steps are kept, two values more give a polynomial of degree 4 for the time between. Written in
the compiled subset of Python.

The room of a structure in `results`: the state at the beginning, then the rates of the stages, row by row.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor.tables import (
    MOVING,
    RATES,
    RATES_ARGUMENTS,
    RATES_ROOM,
    SHORT_ERROR,
    Stay,
    Tables,
)

STAGE_ROWS: Final = 8
"""Rows of the rates: those of the method, and two for the polynomial."""
POWERS: Final = 4
"""Degree of the polynomial."""
V: Final = 0.25
"""Where in the step the last of them is taken."""


def rates_at(tables: Tables, stay: Stay, row: int, time: float) -> None:
    """The rates at the state, at a time [s]."""
    tables.y[stay.size - 1] = time
    tables.kernel_at(stay.plan[RATES], row, row + 1, stay.plan[RATES_ARGUMENTS])


def early_stages(tables: Tables, stay: Stay, start: Floats, k: Floats, now: float, h: float) -> None:
    """The first four stages."""
    m = tables.counts[MOVING]
    y = tables.y
    for i in range(m):
        start[i] = y[i]
    rates_at(tables, stay, 0, now)
    for i in range(m):
        y[i] = start[i] + h * (1.0 / 5.0) * k[i]
    rates_at(tables, stay, 1, now + h / 5.0)
    for i in range(m):
        y[i] = start[i] + h * (3.0 / 40.0 * k[i] + 9.0 / 40.0 * k[m + i])
    rates_at(tables, stay, 2, now + 3.0 / 10.0 * h)
    for i in range(m):
        y[i] = start[i] + h * (3.0 / 10.0 * k[i] - 9.0 / 10.0 * k[m + i] + 6.0 / 5.0 * k[2 * m + i])
    rates_at(tables, stay, 3, now + 3.0 / 5.0 * h)


def late_stages(tables: Tables, stay: Stay, start: Floats, k: Floats, now: float, h: float) -> None:
    """The last two stages."""
    m = tables.counts[MOVING]
    y = tables.y
    for i in range(m):
        early = -11.0 / 54.0 * k[i] + 5.0 / 2.0 * k[m + i]
        y[i] = start[i] + h * (early - 70.0 / 27.0 * k[2 * m + i] + 35.0 / 27.0 * k[3 * m + i])
    rates_at(tables, stay, 4, now + h)
    for i in range(m):
        early = 1631.0 / 55296.0 * k[i] + 175.0 / 512.0 * k[m + i] + 575.0 / 13824.0 * k[2 * m + i]
        y[i] = start[i] + h * (early + 44275.0 / 110592.0 * k[3 * m + i] + 253.0 / 4096.0 * k[4 * m + i])
    rates_at(tables, stay, 5, now + 7.0 / 8.0 * h)


def take_stages(tables: Tables, stay: Stay, now: float, h: float) -> bool:
    """Move the state by a step; whether its error is small enough. If not, the state stays where it was."""
    m = tables.counts[MOVING]
    y = tables.y
    start = shift(tables.results, stay.plan[RATES_ROOM])
    k = shift(start, m)
    early_stages(tables, stay, start, k, now, h)
    late_stages(tables, stay, start, k, now, h)
    most = tables.numbers[SHORT_ERROR]
    good = True
    for i in range(m):
        k0 = k[i]
        k2 = k[2 * m + i]
        k3 = k[3 * m + i]
        k5 = k[5 * m + i]
        y[i] = start[i] + h * (37.0 / 378.0 * k0 + 250.0 / 621.0 * k2 + 125.0 / 594.0 * k3 + 512.0 / 1771.0 * k5)
        less = (37.0 / 378.0 - 2825.0 / 27648.0) * k0 + (250.0 / 621.0 - 18575.0 / 48384.0) * k2
        more = (125.0 / 594.0 - 13525.0 / 55296.0) * k3 - 277.0 / 14336.0 * k[4 * m + i]
        error = abs(h * (less + more + (512.0 / 1771.0 - 1.0 / 4.0) * k5))
        own = shift(tables.weights, _steps.WEIGHTS * i)
        # In this direction, numbers that are none say no.
        good = good and error <= most * max(own[0] * abs(start[i]), own[1])
    y[stay.size - 1] = now
    if not good:
        for i in range(m):
            y[i] = start[i]
    return good


def draw(tables: Tables, stay: Stay, table: Floats, now: float, h: float) -> None:
    """The polynomial of a step that has been taken, in the table: with its ends, their rates, and one between."""
    m = tables.counts[MOVING]
    y = tables.y
    start = shift(tables.results, stay.plan[RATES_ROOM])
    k = shift(start, m)
    end = shift(k, 5 * m)  # those of the last stage are not needed any more
    rates_at(tables, stay, 6, now + h)
    for i in range(m):
        end[i] = y[i]
    for i in range(m):
        # A cubic is good enough for the rate between.
        far = end[i] - start[i] - h * k[i]
        turn = h * (k[6 * m + i] - k[i])
        y[i] = start[i] + V * (h * k[i] + V * (3.0 * far - turn + V * (turn - 2.0 * far)))
    rates_at(tables, stay, 7, now + V * h)
    for i in range(m):
        far = end[i] - start[i] - h * k[i]
        turn = h * (k[6 * m + i] - k[i])
        known = 6.0 * V * (1.0 - V) * far - V * (2.0 - 3.0 * V) * turn
        fourth = (h * (k[7 * m + i] - k[i]) - known) / (2.0 * V * (1.0 - V) * (1.0 - 2.0 * V))
        row = shift(table, i * stay.stride)
        row[0] = start[i]
        row[1] = k[i]
        row[2] = (3.0 * far - turn + fourth) / h / h
        row[3] = (turn - 2.0 * far - 2.0 * fourth) / h / h / h
        row[4] = fourth / h / h / h / h
        y[i] = end[i]
    y[stay.size - 1] = now


FUNCTIONS: Final = (rates_at, early_stages, late_stages, take_stages, draw)
