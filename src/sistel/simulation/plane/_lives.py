"""How bodies of the plane live between what happens to them: the series that they go along, and what is kept of these.

A body goes on along its series, from the time `born` on, until something happens to it; where it is at another time is
shown when it is asked for. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._places import width
from sistel.simulation.plane.tables import World

SHOWN: Final = 5
"""Rows of the series of a body that are shown at other times: place, angle, its cosine and its sine."""
LEAST: Final = 1e-17
"""What a term of a series may give to a velocity, or to a place in a unit of time, and be left out [m/s or rad/s]."""


def move_on(power: Floats, degree: int, time: float) -> None:
    """Let a polynomial begin some time later."""
    for first in range(degree):
        for k in range(degree - 1, first - 1, -1):
            power[k] = power[k] + time * power[k + 1]


def top(world: World, body: int, row: int) -> int:
    """The degree of a row of the series of a body."""
    turns = row >= t.S_COS and world.degree[body] > 0
    return world.counts[t.ORDER] if turns else world.degree[body]


def show(world: World, body: int) -> None:
    """Let the series of a body, its place and its rates be those of now."""
    time = world.numbers[t.TIME]
    if body == 0 or world.shown[body] == time:
        return
    odd = world.bodies[t.BODY * body + t.ODD] != 0.0
    later = time - world.born[body]
    w = width(world)
    view = shift(world.series, body * t.SERIES * w)
    kept = shift(world.kept, body * t.SERIES * w)
    for row in range(SHOWN if odd else 3):
        degree = top(world, body, row)
        own = shift(view, row * w)
        for k in range(degree + 1):
            own[k] = kept[row * w + k]
        move_on(own, degree, later)
    for side in range(3):
        world.place[3 * body + side] = view[side * w]
        world.rate[3 * body + side] = view[side * w + 1]
        view[(t.S_VX + side) * w] = view[side * w + 1]
    world.shown[body] = time


def keep_series(world: World, body: int) -> None:
    """Let a body go along its series from now on."""
    w = width(world)
    view = shift(world.series, body * t.SERIES * w)
    kept = shift(world.kept, body * t.SERIES * w)
    for row in range(SHOWN):
        for k in range(world.counts[t.ORDER] + 1):
            kept[row * w + k] = view[row * w + k]
    world.born[body] = world.numbers[t.TIME]
    world.shown[body] = world.numbers[t.TIME]


def carry_on(world: World, body: int) -> None:
    """Let a body go on along the same series, from now on."""
    keep_series(world, body)


def needed(row: Floats, degree: int, time: float) -> int:
    """The degree that a series needs for some time."""
    found = min(degree, 2)
    power = time
    for k in range(2, degree + 1):
        if float(k) * abs(row[k]) * power > LEAST:
            found = k
        power *= time
    return found


def note_piece(world: World, body: int, degree: int, rows: int) -> None:
    """Note a piece of motion that ends now; its coefficients are the next that are written down."""
    counts = world.counts
    piece = shift(world.pieces, t.PIECE * counts[t.PIECES])
    piece[t.P_BODY] = body
    piece[t.P_DEGREE] = degree
    piece[t.P_AT] = counts[t.WRITTEN]
    span = shift(world.spans, 2 * counts[t.PIECES])
    span[0] = world.born[body]
    span[1] = world.numbers[t.TIME]
    counts[t.PIECES] = counts[t.PIECES] + 1
    counts[t.WRITTEN] = counts[t.WRITTEN] + rows * (degree + 1)


def end_piece(world: World, body: int) -> None:
    """Write down how a body went until now."""
    counts = world.counts
    time = world.numbers[t.TIME] - world.born[body]
    if counts[t.RECORD] == 0 or time <= 0.0:
        return
    w = width(world)
    kept = shift(world.kept, body * t.SERIES * w)
    own = shift(world.bodies, t.BODY * body)
    off = own[t.COM_X] != 0.0 or own[t.COM_Y] != 0.0
    degree = 0
    for side in range(3):
        degree = max(degree, needed(shift(kept, side * w), world.degree[body], time))
    if off and world.degree[body] > 0:
        for row in range(t.S_COS, t.S_SIN + 1):
            degree = max(degree, needed(shift(kept, row * w), counts[t.ORDER], time))
    out = shift(world.coefficients, counts[t.WRITTEN])
    note_piece(world, body, degree, 3)
    for k in range(degree + 1):
        for side in range(3):
            out[side * (degree + 1) + k] = kept[side * w + k] if k <= world.degree[body] else 0.0
        if off:
            c = kept[t.S_COS * w + k]
            s = kept[t.S_SIN * w + k]
            out[k] = out[k] - c * own[t.COM_X] + s * own[t.COM_Y]
            out[degree + 1 + k] = out[degree + 1 + k] - s * own[t.COM_X] - c * own[t.COM_Y]


def bound(own: Floats, degree: int, h: float, reach: float, low: Floats, high: Floats) -> None:
    """What a polynomial lies between for some time, and as far around as something reaches."""
    least = own[0]
    most = least
    power = h
    for k in range(1, degree + 1):
        part = own[k] * power
        power *= h
        least += min(0.0, part)
        most += max(0.0, part)
    low[0] = least - reach
    high[0] = most + reach


def box_body(world: World, body: int, h: float) -> None:
    """The box around a body for some time from now on."""
    reach = world.bodies[t.BODY * body + t.REACH]
    for side in range(2):
        own = shift(world.series, (body * t.SERIES + side) * width(world))
        bound(own, world.degree[body], h, reach, shift(world.low, 2 * body + side), shift(world.high, 2 * body + side))


def box_apart(world: World, a: int, b: int) -> bool:
    """Whether the boxes of two bodies are apart."""
    if world.low[2 * a] > world.high[2 * b] or world.low[2 * b] > world.high[2 * a]:
        return True
    return world.low[2 * a + 1] > world.high[2 * b + 1] or world.low[2 * b + 1] > world.high[2 * a + 1]


def stir(world: World, body: int, h: float) -> float:
    """How far all points of a body may go from now on within some time, and how far it may turn: behind the boxes."""
    w = width(world)
    n = world.counts[t.BODIES]
    own = shift(world.series, body * t.SERIES * w)
    moved = 0.0
    turned = 0.0
    power = h
    for k in range(1, world.degree[body] + 1):
        moved += (abs(own[k]) + abs(own[w + k])) * power
        turned += abs(own[t.S_TURN * w + k]) * power
        power *= h
    reach = world.bodies[t.BODY * body + t.REACH]
    if world.bodies[t.BODY * body + t.ODD] == 0.0:
        turned = 0.0
    world.high[2 * n + 2 * body] = moved + (turned * reach if body != 0 else 0.0)
    world.high[2 * n + 2 * body + 1] = turned
    return world.high[2 * n + 2 * body]


def lived_short(world: World, body: int, narrow: float) -> bool:
    """Whether something has happened to a body long before its series were no longer good: short ones are enough."""
    lived = world.numbers[t.TIME] - world.born[body]
    meant = world.until[body] - world.born[body]
    return lived * narrow < meant and math.isfinite(meant)


FUNCTIONS: Final = (
    move_on,
    top,
    show,
    keep_series,
    carry_on,
    needed,
    note_piece,
    end_piece,
    bound,
    box_body,
    box_apart,
    stir,
    lived_short,
)
