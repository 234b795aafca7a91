"""Comparisons within the equations: which side holds, and where it changes.

Comparisons in the equations of a structure (signs, limits, roundings) are *modes*: numbers of the block p that stay as
they are during a step. What is compared is watched like the functions of conditions; where it passes zero the step ends
and the mode changes. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.taylor.tables import EQUAL, FLOOR, FLOOR_ABOVE, LESS, NEAR, NOT_ZERO, SWITCH, FlowAt

STALE: Final = 1.0e-6
"""Size of a compared function that is no zero any more after another comparison has changed."""


def switches_here(zeros: Ints, instants: Ints, count: int) -> bool:
    """Whether a compared function passes zero."""
    here = False
    for i in range(count):
        here = here or (zeros[i] != 0 and instants[i] != 0)
    return here


def switch_modes(switches: Ints, count: int, p: Floats, zeros: Ints, instants: Ints) -> None:
    """Change the modes whose functions pass zero."""
    for i in range(count):
        if zeros[i] != 0 and instants[i] != 0:
            place = switches[SWITCH * i]
            kind = switches[SWITCH * i + 1]
            if kind == LESS:
                p[place] = 1.0 if instants[i] < 0 else 0.0
            elif kind == FLOOR and instants[i] < 0:
                p[place] = p[place] - 1.0
                zeros[i] = 0
                zeros[i + 1] = 1
            elif kind == FLOOR_ABOVE and instants[i] > 0:
                p[place] = p[place] + 1.0
                zeros[i] = 0
                zeros[i - 1] = 1


def settle(
    flow_at: FlowAt,
    flow: int,
    y: Floats,
    p: Floats,
    table: Floats,
    scratch: Floats,
    size: int,
    order: int,
    stride: int,
    leaves: int,
    switches: Ints,
    count: int,
    every_zero: Ints,
) -> bool:
    """Make modes agree with what is compared from now on, and compute the flow; whether they can.

    A function that starts at zero is on the side to which the motion takes it, if it is there that it goes to.
    """
    zeros = shift(every_zero, leaves)
    heavy = False
    turns = 2 * count + 2
    for turn in range(2 * turns):
        flow_at(flow, y, p, table, scratch)
        # What rounding alone moves is left as it is: it stays at zero on either side. Where more does, a second round
        # leaves rounding out: what begins to slide at the edge of its cone has no acceleration yet.
        if turn == turns and not heavy:
            return True
        least = 0.0 if turn < turns else NEAR
        changed = False
        i = 0
        while i < count and not changed:
            row = shift(table, (size + leaves + i) * stride)
            value = row[0]
            if turn > 0 and abs(value) > STALE:
                zeros[i] = 0
            undecided = zeros[i] != 0 or abs(value) <= NEAR
            if undecided:
                zeros[i] = 1
                value = 0.0
                k = 1
                while k <= order and value == 0.0:
                    if abs(row[k]) > least:
                        value = row[k]
                    k += 1
            place = switches[SWITCH * i]
            kind = switches[SWITCH * i + 1]
            mode = p[place]
            wanted = mode
            if kind == LESS:
                if value != 0.0:
                    wanted = 1.0 if value < 0.0 else 0.0
            elif kind == EQUAL:
                if value != 0.0:
                    wanted = 0.0
            elif kind == NOT_ZERO:
                if value != 0.0:
                    wanted = 1.0
            elif kind == FLOOR:
                if value < 0.0:
                    wanted = mode - 1.0 if undecided else mode + float(math.floor(value))
                    zeros[i] = 0
                    zeros[i + 1] = 1 if undecided else 0
            elif value > 0.0:
                wanted = mode + 1.0 if undecided else mode + 1.0 + float(math.floor(value))
                zeros[i] = 0
                zeros[i - 1] = 1 if undecided else 0
            if wanted != mode:
                p[place] = wanted
                changed = True
                heavy = abs(value) > NEAR
            i += 1
        if not changed:
            return True
    return False


FUNCTIONS: Final = (switches_here, switch_modes, settle)
