"""Over singular postures: one long step of high order, from before a posture to behind it.

In a posture where constraints depend on each other the equations are singular, but the motion need not be: a
parallelogram passes through its flat posture by its momentum. Series of the motion converge beyond it, at a ratio of
about a half; with twice the usual order they are exact there, and nothing is computed in the posture itself.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.simulation._machine import Machine
from sistel.simulation._run import Segment

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ORDER = 44
BEYOND = 1.2
"""How far a jump goes, in distances to the posture. Nearer, the next steps are short; further, the series are not exact
any more: at 1.35 errors are 10⁻⁹, at 1.5 they are 10⁻⁶."""
PIECES = 16
"""Steps that a jump is recorded as: each is a part of the radius that the usual order is exact on."""
OFF = 1e-9
"""How far from the constraints a jump may land [m or rad]."""


def jump(machine: Machine, segment: Segment, now: float, last: float, before: float) -> tuple[Segment, Array] | None:
    """The jump over the posture that steps lead to: as a segment, and the state behind it.

    Args:
        machine: The structure, compiled for series of order ORDER.
        segment: The steps so far, two at least; the jump begins where the last but one began.
        now: The time that they reached [s].
        last: Length of the step that would come next, as the series has it [s].
        before: Length of the one before it [s].

    Returns:
        None where the jump does not meet the constraints.
    """
    ratio = last / before
    if not 0.0 < ratio < 1.0:
        return None
    posture = now + last / (1.0 - ratio)
    start = segment.coefficients[-2, :, 0]
    length = BEYOND * (posture - float(start[-1]))
    taylor = machine.taylor
    table, functions = taylor(start, np.zeros(taylor.parameters))
    y = _values(table, length)
    y[-1] = float(start[-1]) + length
    if not np.isfinite(y).all() or _changes(functions, length):
        return None
    anchor = machine.anchors(start)
    for turn in range(2):
        y, off = machine.corrected(y, anchor)
        if turn == 0 and not off < OFF:
            return None
    times, coefficients = _pieces(table, length, segment.coefficients.shape[2] - 1)
    return Segment(structure=segment.structure, times=times, coefficients=coefficients), y


def _pieces(table: Array, length: float, order: int) -> tuple[Array, Array]:
    """One long step as short ones of the usual order: the same polynomial, expanded where each of them begins."""
    starts = length * np.arange(PIECES) / PIECES
    degree = table.shape[1] - 1
    made = np.zeros((PIECES, table.shape[0], order + 1))
    for j in range(order + 1):
        # The j-th derivative over j!, by Horner's rule.
        total = np.zeros((PIECES, table.shape[0]))
        for k in range(degree, j - 1, -1):
            total = total * starts[:, None] + math.comb(k, j) * table[:, k]
        made[:, :, j] = total
    begin = float(table[-1, 0])
    return np.stack([begin + starts, np.full(PIECES, length / PIECES)], axis=1), made


def _values(table: Array, h: float) -> Array:
    total = table[:, -1].copy()
    for k in range(table.shape[1] - 2, -1, -1):
        total = total * h + table[:, k]
    return np.asarray(total)


def _changes(functions: Array, h: float) -> bool:
    """Whether a watched function changes its sign on the way: then the jump would pass over an event."""
    if not len(functions):
        return False
    places = [_values(functions, part * h) for part in np.linspace(0.0, 1.0, 9)]
    signs = np.sign(places)
    return bool((signs != signs[0]).any())
