"""Sweeps over contacts in space: each is pushed and held in turn, until nothing moves any more.

That is the method of Gauss and Seidel with projections to Coulomb's cones (Jean and Moreau). It needs no guess of what
the contacts do, and loads that statics does not determine do not trouble it: a trace of compliance, the same for all,
shares them as evenly as the laws allow. Written in the compiled subset of Python, for it may take thousands of sweeps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.kernels import USER
from sistel.kernels.subset import Floats, Ints, compile_functions, shift
from sistel.once import once

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation.contact._cones import ConeProblem


SMOOTH, CLINGS, RUBS, SLIDES = range(4)
"""Kinds of contacts: without friction; one that cannot slide while it pushes; one that rubs; one that slides in a known
direction."""
SETTLED: Final = 1e-13
"""Part of the largest force by which forces may still move when sweeps end."""
COMPLIANCE: Final = 1e-9
"""Of every contact, in parts of what a body gives way [of the mean of the responses]."""


def sweep(
    G: Floats,
    b: Floats,
    friction: Floats,
    back: Floats,
    pressed: Floats,
    ways: Floats,
    kinds: Ints,
    bare: Ints,
    k: int,
    compliance: float,
    relaxation: float,
    most: int,
    x: Floats,
) -> float:
    """Sweep until forces settle; how far they still move at the end, in parts of the largest.

    Args:
        G: Response of w to x, shape (3k, 3k).
        b: What w is without forces.
        friction: Coefficients.
        back: The same of slips against the first tangent.
        pressed: Normal forces beside x.
        ways: Known directions of slips, shape (k, 2).
        kinds: SMOOTH, CLINGS, RUBS or SLIDES.
        bare: Whether there is no normal.
        k: Number of contacts.
        compliance: Added to the diagonal of G.
        relaxation: Part of every move that is made.
        most: Sweeps at most.
        x: Forces; in and out.
    """
    n = 3 * k
    left = math.inf
    for _ in range(most):
        moved = 0.0
        largest = 0.0
        for i in range(k):
            first = k + i
            second = 2 * k + i
            normal = x[i]
            along = x[first]
            across = x[second]
            own = shift(G, i * n)
            rubs = friction[i]
            if kinds[i] == SLIDES and ways[2 * i] < 0.0:
                rubs = back[i]
            if bare[i] == 0:
                w = b[i] + compliance * normal
                for j in range(n):
                    w += own[j] * x[j]
                stiff = own[i] + compliance
                if kinds[i] == SLIDES:
                    # Friction follows the normal force at once.
                    stiff = stiff - rubs * (own[first] * ways[2 * i] + own[second] * ways[2 * i + 1])
                if stiff > 0.0:
                    normal = max(0.0, normal - relaxation * w / stiff)
            load = max(0.0, normal + pressed[i])
            moved = max(moved, abs(normal - x[i]))
            x[i] = normal
            if kinds[i] == SLIDES:
                along = -rubs * load * ways[2 * i]
                across = -rubs * load * ways[2 * i + 1]
            elif kinds[i] != SMOOTH:
                one = b[first] + compliance * along
                two = b[second] + compliance * across
                row_one = shift(G, first * n)
                row_two = shift(G, second * n)
                for j in range(n):
                    one += row_one[j] * x[j]
                    two += row_two[j] * x[j]
                # What surely is no less than both responses along the tangents.
                stiff = max(row_one[first], row_two[second]) + abs(row_one[second]) + compliance
                if stiff > 0.0:
                    along = along - relaxation * one / stiff
                    across = across - relaxation * two / stiff
                size = math.sqrt(along * along + across * across)
                bound = (friction[i] if along <= 0.0 else back[i]) * load
                if kinds[i] == CLINGS:
                    bound = math.inf if load > 0.0 else 0.0
                if size > bound:
                    along = along * (bound / size)
                    across = across * (bound / size)
            moved = max(moved, abs(along - x[first]), abs(across - x[second]))
            x[first] = along
            x[second] = across
            largest = max(largest, normal, abs(along), abs(across))
        left = moved / largest if largest > 0.0 else 0.0
        if left <= SETTLED:
            return left
    return left


@once
def _code() -> Any:
    """The compiled sweeps."""
    return compile_functions([sweep], exports=["sweep"], cache=USER)


def swept(
    problem: ConeProblem,
    most: int,
    start: Array | None = None,
    compliance: float = COMPLIANCE,
    relaxation: float = 1.0,
) -> tuple[Array, float]:
    """Forces that sweeps come to, and how far they still moved at the end.

    Args:
        problem: The contacts.
        most: Sweeps at most.
        start: Forces to begin with; none without.
        compliance: Of every contact, in parts of the mean of the responses.
        relaxation: Part of every move that is made.
    """
    k = len(problem.friction)
    x = np.zeros(3 * k) if start is None else start.copy()
    kinds = np.zeros(k, dtype=np.int64)
    for i, friction in enumerate(problem.friction):
        known = problem.ways[i].any()
        smooth = friction == 0.0 and not (problem.back and problem.back[i])
        kinds[i] = CLINGS if friction is None else SMOOTH if smooth else SLIDES if known else RUBS
    coefficients = np.array([float(friction or 0.0) for friction in problem.friction])
    left = _code().sweep(
        np.ascontiguousarray(problem.G).ravel(),
        np.ascontiguousarray(problem.b),
        coefficients,
        np.array(problem.back) if problem.back else coefficients,
        np.array(problem.pressed, dtype=float),
        np.ascontiguousarray(problem.ways).ravel(),
        kinds,
        np.array(problem.bare, dtype=np.int64),
        k,
        compliance * float(np.trace(problem.G)) / (3 * k),
        relaxation,
        most,
        x,
    )
    return x, float(left)
