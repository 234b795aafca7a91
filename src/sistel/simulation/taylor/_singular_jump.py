"""Over singular postures: one long step of high order, from before a posture to behind it.

In a posture where constraints depend on each other the equations are singular, but the motion need not be: a
parallelogram passes through its flat posture by its momentum. Series of the motion converge beyond it, and nothing is
computed in the posture itself. What does not converge there is rounding: it grows from term to term by the ratio of the
jump to the distance of the posture, while the terms of the motion itself become smaller. So the series are cut where
their terms are smallest; what they are there tells how good the jump is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.automaton import forced_by, split
from sistel.expr import Graph
from sistel.mechanics import constraint_rows, expressions
from sistel.once import once_property
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._programs import kernel
from sistel.simulation.run._run import Segment

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.kernels import Kernel


ORDER = 44
BEYOND = 1.2
"""How far a jump goes, in distances to the posture. Nearer, the next steps are short; further, rounding grows."""
STARTS = 5
"""Steps back that a jump may begin: a longer jump meets less rounding, but its series converge more slowly."""
GOOD = 1e-6
"""Smallest terms that a jump may be cut at, in parts of the state; usual ones are 10⁻¹³ to 10⁻¹⁰."""
PIECES = 16
"""Steps that a jump is recorded as: each is a part of the radius that the usual order is exact on."""
COLLAPSED = 1e-4
"""Part of the usual step below which there is no way through a posture: rounding takes the digits of all forces."""
BEST = 1e-12
"""Smallest terms that no other start is looked at for."""
FAR = 2.5
"""How far the posture is looked for, in distances as the lengths of steps tell them."""
SINGULAR = 0.3
"""Part of the independence of the constraints that is left at a posture that steps lead to."""
ZOOMS = 3
MANY = 64
"""Constraints up to which all digits of their independence are found."""
OFF = 1e-9
"""How far from the constraints a jump may land [m or rad]."""


class Long(CompiledStructure):
    """A structure in series of order ORDER."""

    @once_property
    def _rows(self) -> Kernel:
        engine, model = self.engine, self.engine.model
        setting = engine.automaton.mode(self.structure).setting
        graph = Graph()
        q, v, t = split(model, list(graph.inputs("y", model.state_size)))
        rows = setting.kept(constraint_rows(model, engine.tree, self.structure, q, v, t=t))
        rows += forced_by(setting, q, v, t)
        entries = expressions(graph, [entry for row in rows for entry in row.J])
        return kernel(engine.automaton.hoist(graph.program({"J": entries})), "rows")

    @property
    def constraints(self) -> int:
        """How many constraints there are."""
        return len(self._rows.program.results) // self.engine.model.nv

    def independence(self, y: Array) -> Array:
        """The smallest singular value of the constraints at some states, shape (n, size): none where they depend."""
        found: Any = self._rows(*self.blocks(self._rows.program, y=y))
        J = np.asarray(found).reshape(len(y), -1, self.engine.model.nv)
        # Rows as they are: in a flat posture one of them may vanish. Beyond a posture in which they have no value, as
        # where a wheel lies flat, they say nothing.
        known = np.isfinite(J).all(axis=(1, 2))
        J = np.where(known[:, None, None], J, 0.0)
        if J.shape[1] <= MANY:
            least = np.linalg.svd(J, compute_uv=False)[:, -1]
        else:
            # Σ σ⁻² is the trace of (J Jᵀ)⁻¹, and the smallest σ rules it: half of the digits, in a tenth of the time.
            least = np.array([_least_value(square) for square in J @ J.transpose(0, 2, 1)])
        return np.where(known, least, np.inf)


def _least_value(square: Array) -> float:
    """About the smallest singular value of rows, from their products with each other."""
    try:
        total = float(np.trace(np.linalg.inv(square)))
    except np.linalg.LinAlgError:
        return 0.0
    return 1.0 / math.sqrt(total) if total > 0.0 else 0.0


def jump(compiled: Long, segment: Segment, now: float, last: float, before: float) -> tuple[Segment, Array, int] | None:
    """The jump over the posture that steps lead to: as a segment, the state behind it, and how many steps it replaces.

    Args:
        compiled: The structure, compiled for series of order ORDER.
        segment: The steps so far, two at least; the jump begins where one of the last began.
        now: The time that they reached [s].
        last: Length of the step that would come next, as the series has it [s].
        before: Length of the one before it [s].

    Returns:
        None where the series are not good enough, or do not meet the constraints.
    """
    ratio = last / before
    if not 0.0 < ratio < 1.0:
        return None
    guess = now + last / (1.0 - ratio)
    taylor = compiled.taylor
    least, found = GOOD, None
    for back in range(1, min(STARTS, len(segment.times) - 1) + 1):
        start = segment.coefficients[-back, :, 0]
        table, functions = taylor(start, compiled.parameters(start)[: taylor.parameters])
        distance = _distance(compiled, table, FAR * (guess - float(start[-1])))
        if distance is None:
            continue
        length = BEYOND * distance
        degree, error = _cut(table, length)
        if error < least and not _changes(functions[:, : degree + 1], length):
            least, found = error, (back, start, length, table[:, : degree + 1])
        if least < BEST:
            break
    if found is None:
        return None
    back, start, length, table = found
    y = _values(table, length)
    y[-1] = float(start[-1]) + length
    anchor = compiled.anchors(start)
    for turn in range(2):
        y, off = compiled.corrected(y, anchor)
        if turn == 0 and not off < OFF:
            return None
    times, coefficients = _pieces(table, length, segment.coefficients.shape[2] - 1)
    return Segment(structure=segment.structure, times=times, coefficients=coefficients), y, back


def _distance(compiled: Long, table: Array, far: float) -> float | None:
    """When the constraints come nearest to depending on each other, within a time [s]; None where they do not."""
    series = table[:, : _cut(table, far)[0] + 1]
    low, high, alone = 0.0, far, True
    # Where a look takes long, more of them are taken, each at fewer places: the time is found as exactly.
    zooms, last = (ZOOMS, 64) if compiled.constraints <= MANY else (5, 16)
    for _ in range(zooms):
        times = np.linspace(low, high, last + 1)
        ranks = compiled.independence(_states(series, times))
        if not np.isfinite(ranks).all():
            return None
        least = int(ranks.argmin())
        if alone and (least in (0, last) or ranks[least] > SINGULAR * ranks[0]):
            return None
        low, high, alone = float(times[max(0, least - 1)]), float(times[min(last, least + 1)]), False
    return 0.5 * (low + high)


def _cut(table: Array, h: float) -> tuple[int, float]:
    """The degree at which the terms of a step of length h are smallest, and what they are there."""
    with np.errstate(all="ignore"):
        terms = np.abs(table[:-1]) * h ** np.arange(table.shape[1]) / np.maximum(np.abs(table[:-1, :1]), 1.0)
    worst = terms.max(axis=0)
    # One term may be small by chance, or every second one by symmetry.
    pairs = np.maximum(worst[:-1], worst[1:])
    if not np.isfinite(pairs[:3]).all():
        return 0, math.inf
    degree = int(np.nanargmin(pairs)) + 1
    return degree, float(pairs[degree - 1])


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


def _states(table: Array, times: Array) -> Array:
    """As `_values`, at several times at once, shape (n, size)."""
    total = np.zeros((len(times), len(table)))
    for k in range(table.shape[1] - 1, -1, -1):
        total = total * times[:, None] + table[:, k]
    return total


def _changes(functions: Array, h: float) -> bool:
    """Whether a watched function changes its sign on the way: then the jump would pass over an event."""
    if not len(functions):
        return False
    places = [_values(functions, part * h) for part in np.linspace(0.0, 1.0, 9)]
    signs = np.sign(places)
    return bool((signs != signs[0]).any())
