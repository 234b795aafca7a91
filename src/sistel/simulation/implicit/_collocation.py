"""What methods of collocation share: the polynomial of a step, and watched functions along it.

Written in the compiled subset of Python. Kernels are called with rows and a table of addresses and strides, made once
by who owns the arrays: rates read `points` and write `slopes`, a row a stage; watched functions read `points` and
write `values`, a row a node.

A method is a table of numbers, see `sistel.simulation.implicit._tableaus`, which writes it:
    c (s), b (s), A (s·s), nodes (d + 1 + CHECKS), then what the method alone needs.
Watched functions become polynomials of degree d by their values at the nodes, the first of which is 0 and the last 1;
at the nodes after these they are compared with the polynomials.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, shift
from sistel.simulation.taylor import _roots
from sistel.simulation.taylor._roots import first_root, polynomial, slope
from sistel.simulation.taylor.steps import NUMBERS as NUMBERS_OF_ALL

Rows = Function[[int, int, Ints], None]
"""A kernel: rows from, rows to, and its table of arguments."""

# Places in the table of integers, after those that all methods of motion share.
STAGES: Final = 16
REFUSED: Final = 17
"""Steps that were taken again, in and out."""
EVALUATIONS: Final = 18
"""Of the rates, in and out."""
FACTORISATIONS: Final = 19
COUNTS: Final = 20

# Places in the table of numbers, after those that all methods of motion share.
STEP: Final = NUMBERS_OF_ALL
"""Length of the next step; in and out. 0 for a guess."""
TOLERANCE: Final = NUMBERS_OF_ALL + 1
RATE: Final = NUMBERS_OF_ALL + 2
"""How the last iteration converged."""
NUMBERS: Final = NUMBERS_OF_ALL + 3

CHECKS: Final = 2
"""Nodes at which polynomials are compared with what they stand for."""
TRUE: Final = 1.0e-9
"""Part of the largest value by which they may differ there."""
SHORTEST: Final = 1.0e-3
"""Part of a step that is not divided further."""
SLOPE: Final = 1.0e-13
"""Slope at the start, in parts of the largest value, that rounding of values at the nodes may make."""


def method_end(s: int, d: int) -> int:
    """Where what a method alone needs begins in its table."""
    return 2 * s + s * s + d + 1 + CHECKS


def through(nodes: Floats, degree: int, row: Floats) -> None:
    """Coefficients of powers in the place of values at nodes: divided differences, then products multiplied out.

    Björck and Pereyra's way through Vandermonde's equations: the polynomial meets its values to the last digits, which
    a product with the inverse matrix does not.
    """
    for k in range(1, degree + 1):
        for j in range(degree, k - 1, -1):
            row[j] = (row[j] - row[j - 1]) / (nodes[j] - nodes[j - k])
    for k in range(degree - 1, -1, -1):
        for j in range(k, degree):
            row[j] = row[j] - nodes[k] * row[j + 1]


def expand(z: Floats, y: Floats, size: int, s: int, d: int, h: float, method: Floats, unit: Floats) -> None:
    """Coefficients of every component on [0, 1], from what the stages add to the state; those beyond s are 0."""
    for i in range(size):
        row = shift(unit, i * (d + 1))
        row[0] = y[i]
        for j in range(s):
            row[j + 1] = z[j * size + i] / method[j]
        through(method, s - 1, shift(row, 1))  # what is added begins with the first power
        for k in range(s + 1, d + 1):
            row[k] = 0.0
    clock = shift(unit, (size - 1) * (d + 1))
    for k in range(1, d + 1):
        clock[k] = h if k == 1 else 0.0


def foresee(unit: Floats, y: Floats, size: int, s: int, d: int, ratio: float, method: Floats, z: Floats) -> None:
    """A guess of the stages of the next step, `ratio` times as long: the polynomial of the last one goes on."""
    for j in range(s):
        x = 1.0 + method[j] * ratio
        for i in range(size):
            z[j * size + i] = polynomial(shift(unit, i * (d + 1)), s, x) - y[i]


def sample(
    watch: Rows,
    watch_table: Ints,
    unit: Floats,
    size: int,
    watched: int,
    s: int,
    d: int,
    low: float,
    width: float,
    method: Floats,
    points: Floats,
    values: Floats,
    powers: Floats,
) -> bool:
    """Watched functions on a part of a step as polynomials on [0, 1]; whether these are true between the nodes."""
    nodes = shift(method, 2 * s + s * s)
    for j in range(d + 1 + CHECKS):
        for i in range(size):
            points[j * size + i] = polynomial(shift(unit, i * (d + 1)), s, low + width * nodes[j])
    watch(0, d + 1 + CHECKS, watch_table)
    true = True
    for i in range(watched):
        row = shift(powers, i * (d + 1))
        largest = 0.0
        for j in range(d + 1):
            row[j] = values[j * watched + i]
            largest = max(largest, abs(row[j]))
        through(nodes, d, row)
        for j in range(d + 1, d + 1 + CHECKS):
            if abs(polynomial(row, d, nodes[j]) - values[j * watched + i]) > TRUE * largest:
                true = False
    return true


def first_event(
    powers: Floats,
    values: Floats,
    watched: int,
    d: int,
    directions: Ints,
    zeros: Ints,
    starts: bool,
    one: Floats,
    room: Floats,
    found: Floats,
) -> int:
    """The polynomial that passes zero first on [0, 1], -1 for none; where, and its slope, go to `found`."""
    first = _roots.NONE
    leaf = -1
    for i in range(watched):
        row = shift(powers, i * (d + 1))
        degree = d
        # A function that has just been an event is zero at the start of the step, not at that of a later part.
        if (starts and zeros[i] != 0) or row[0] == 0.0:
            for k in range(d):
                one[k] = row[k + 1]
            degree = d - 1
            # A slope that rounding may have made is none, else a function that starts at rest would pass zero again.
            largest = 0.0
            for j in range(d + 1):
                largest = max(largest, abs(values[j * watched + i]))
            if abs(one[0]) <= SLOPE * largest:
                one[0] = 0.0
        else:
            for k in range(d + 1):
                one[k] = row[k]
        root = first_root(one, degree, directions[i], room)
        if root < first:
            first = root
            leaf = i
    found[0] = first
    if leaf >= 0:
        found[1] = slope(shift(powers, leaf * (d + 1)), d, first)
    return leaf


def find_event(
    watch: Rows,
    watch_table: Ints,
    unit: Floats,
    size: int,
    watched: int,
    s: int,
    d: int,
    method: Floats,
    points: Floats,
    values: Floats,
    powers: Floats,
    directions: Ints,
    zeros: Ints,
    one: Floats,
    room: Floats,
    found: Floats,
) -> int:
    """The watched function that passes zero first on a step, -1 for none; where, and its slope there, go to `found`.

    Steps are as long as the state allows, and a watched function may bend more: the step is looked at in parts that are
    short enough for polynomials to be true.
    """
    if watched == 0:
        return -1
    low = 0.0
    width = 1.0
    while low < 1.0:
        width = min(width, 1.0 - low)
        true = sample(watch, watch_table, unit, size, watched, s, d, low, width, method, points, values, powers)
        if not true and width > SHORTEST:
            width = 0.5 * width
            continue
        leaf = first_event(powers, values, watched, d, directions, zeros, low == 0.0, one, room, found)
        if leaf >= 0:
            found[0] = low + width * found[0]
            found[1] = found[1] / width
            return leaf
        low += width
        width = 2.0 * width
    return -1


def record(
    unit: Floats,
    powers: Floats,
    size: int,
    watched: int,
    d: int,
    now: float,
    h: float,
    step: int,
    table: Floats,
    times: Floats,
    coefficients: Floats,
) -> None:
    """Write down a step: its beginning, its length, and its coefficients as those of powers of the time."""
    times[2 * step] = now
    times[2 * step + 1] = h
    place = step * size * (d + 1)
    for i in range(size + watched):
        row = shift(unit, i * (d + 1)) if i < size else shift(powers, (i - size) * (d + 1))
        power = 1.0
        for k in range(d + 1):
            # Divided one by one: a power of a short step may be too small for a number.
            number = row[k]
            if number != 0.0:
                number = number / power if power > 1.0e-290 else 0.0
            table[i * (d + 1) + k] = number
            power = power * h
            if i < size:
                coefficients[place + i * (d + 1) + k] = number


FUNCTIONS: Final = (*_roots.FUNCTIONS, method_end, through, expand, foresee, sample, first_event, find_event, record)
