"""Comparisons within the equations: which side holds, and where it changes.

Comparisons in the equations of a structure (signs, limits, roundings) are *modes*: numbers of the block p that stay as
they are during a step. What is compared is watched like the functions of conditions; where it passes zero the step ends
and the mode changes. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.taylor import _expansion
from sistel.simulation.taylor._expansion import expand
from sistel.simulation.taylor._roots import leading
from sistel.simulation.taylor.tables import EQUAL, FLOOR, FLOOR_ABOVE, LESS, NEAR, NOT_ZERO, SWITCH, Stay, Tables

STALE: Final = 1.0e-6
"""Size of a compared function that is not zero any more after another comparison has changed."""


def switches_here(tables: Tables, stay: Stay) -> bool:
    """Whether a compared function passes zero."""
    here = False
    for i in range(stay.leaves, stay.watched):
        here = here or (tables.zeros[i] != 0 and stay.instants[i] != 0)
    return here


def switch_modes(tables: Tables, stay: Stay) -> None:
    """Change the modes whose functions pass zero."""
    p = stay.p
    zeros = shift(tables.zeros, stay.leaves)
    instants = shift(stay.instants, stay.leaves)
    for i in range(stay.modes):
        if zeros[i] != 0 and instants[i] != 0:
            place = stay.switches[SWITCH * i]
            kind = stay.switches[SWITCH * i + 1]
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


def wanted_mode(kind: int, mode: float, value: float, undecided: bool, zeros: Ints, i: int) -> float:
    """The mode that agrees with what is compared.

    A rounded number that is wrong starts at the edge of its neighbour, if it was undecided: its zero goes there.

    Args:
        kind: Of the comparison.
        mode: As it is.
        value: Of the compared function, or the first of its derivatives that is not zero.
        undecided: Whether the function starts at zero.
        zeros: Whether compared functions start at zero; in and out.
        i: Number of the comparison.
    """
    if kind == FLOOR and value < 0.0:
        zeros[i] = 0
        zeros[i + 1] = 1 if undecided else 0
        return mode - 1.0 if undecided else mode + float(math.floor(value))
    if kind == FLOOR_ABOVE and value > 0.0:
        zeros[i] = 0
        zeros[i - 1] = 1 if undecided else 0
        return mode + 1.0 if undecided else mode + 1.0 + float(math.floor(value))
    if value != 0.0:
        if kind == LESS:
            return 1.0 if value < 0.0 else 0.0
        if kind == EQUAL:
            return 0.0
        if kind == NOT_ZERO:
            return 1.0
    return mode


def settle(tables: Tables, stay: Stay, table: Floats) -> bool:
    """Make modes agree with what is compared from now on, and compute the flow; whether they can.

    A function that starts at zero is on the side to which the motion takes it, if it is there that it goes to.
    """
    zeros = shift(tables.zeros, stay.leaves)
    rows = shift(table, (stay.size + stay.leaves) * stay.stride)
    heavy = False
    turns = 2 * stay.modes + 2
    for turn in range(2 * turns):
        expand(tables, stay, table)
        # What rounding alone moves is left as it is: it stays at zero on either side. Where more does, a second round
        # leaves rounding out: what begins to slide at the edge of its cone has no acceleration yet.
        if turn == turns and not heavy:
            return True
        least = 0.0 if turn < turns else NEAR
        changed = False
        i = 0
        while i < stay.modes and not changed:
            row = shift(rows, i * stay.stride)
            value = row[0]
            if turn > 0 and abs(value) > STALE:
                zeros[i] = 0
            undecided = zeros[i] != 0 or abs(value) <= NEAR
            if undecided:
                zeros[i] = 1
                value = leading(row, 1, stay.order, least)
            place = stay.switches[SWITCH * i]
            mode = stay.p[place]
            wanted = wanted_mode(stay.switches[SWITCH * i + 1], mode, value, undecided, zeros, i)
            if wanted != mode:
                stay.p[place] = wanted
                changed = True
                heavy = abs(value) > NEAR
            i += 1
        if not changed:
            return True
    return False


FUNCTIONS: Final = (*_expansion.FUNCTIONS, switches_here, switch_modes, wanted_mode, settle)
