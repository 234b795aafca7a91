"""Where profiles have their corners: between them the acceleration is constant, so a few rows say all of a motion.

What emulated drives did is known at ticks. The corners of a trapezoid lie between those; here they follow from the
moves in closed form, and are believed only where the ticks agree with them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.drives._families import Family
    from sistel.drives._plan import Axis, Plan

TICK = 1e-3
"""[s]"""
SHORT = 1e-9
"""A part of a trapezoid that is shorter than this is none [s]."""
AGREED = 1e-4
"""How far ticks may be from what follows from the corners [increments]."""
Corner = tuple[float, float]
"""A time on the clock of the program [s], and where the counter is [increments]."""


def corners_of(plan: Plan, counts: Array) -> list[list[Corner]] | None:
    """The corners of every drive; None where what was recorded at ticks is something else.

    Args:
        plan: What the drives were told.
        counts: What they did, shape (n, axes).
    """
    made = [list(_of_moves(axis, plan.family)) for axis in plan.axes]
    end = TICK * (len(counts) - 1)
    ticks = TICK * np.arange(len(counts), dtype=np.float64)
    for column, corners in enumerate(made):
        if corners[-1][0] < end:
            corners.append((end, corners[-1][1]))
        if np.abs(positions(corners, ticks) - counts[:, column]).max() > AGREED:
            return None
    return made


def positions(corners: Sequence[Corner], times: Array) -> Array:
    """The counter at times, from corners: parabolas without jumps of the speed, from rest."""
    at, value = (np.array(each) for each in zip(*corners, strict=True))
    rates = [0.0]
    for h, d in zip(np.diff(at), np.diff(value), strict=True):
        rates.append(2.0 * d / h - rates[-1])
    i = np.clip(np.searchsorted(at, times, side="right") - 1, 0, len(at) - 2)
    s, h = times - at[i], np.diff(at)[i]
    rate = np.array(rates)[i]
    made: Array = value[i] + s * (rate + s * (np.diff(value)[i] / h - rate) / h)
    return made


def _of_moves(axis: Axis, family: Family) -> Iterator[Corner]:
    """Corners of the moves of a plan, one after the other."""
    yield 0.0, 0.0
    clock = 0.0
    for move in axis.moves:
        if not move.way:
            continue
        start = TICK * move.start
        before = float(move.target - move.way)
        if start - clock > SHORT:
            yield start, before
        if family.timed:
            ramp, whole = TICK * move.acceleration, TICK * move.speed
            ramp = min(ramp, TICK * (move.speed // 2))
        else:
            speed, push = move.speed * axis.speed_unit, move.acceleration * axis.acceleration_unit
            way = abs(move.way)
            ramp = min(speed / push, math.sqrt(way / push))
            whole = 2.0 * ramp + max(0.0, way - push * ramp * ramp) / speed
        part = 0.5 * ramp / (whole - ramp)
        if whole - 2.0 * ramp > SHORT:
            yield start + ramp, before + part * move.way
            yield start + whole - ramp, before + (1.0 - part) * move.way
        else:
            yield start + 0.5 * whole, before + 0.5 * move.way
        clock = start + whole
        yield clock, float(move.target)
