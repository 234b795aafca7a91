"""Derivatives by differences over nine points.

With a step of 1/64 along a way on which all turns together make at most one radian, the error of the formula,
h⁸/630 of a ninth derivative that is at most the function itself, is 6e-18: what remains is rounding, ε/h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sistel.mechanics import moved
from sistel.model import Model
from sistel.proofs._units import STEP

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


_FIRST = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0.0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])
_SECOND = np.array([-1 / 560, 8 / 315, -1 / 5, 8 / 5, -205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
_COARSE = np.array([0.0, -1 / 60, 3 / 20, -3 / 4, 0.0, 3 / 4, -3 / 20, 1 / 60, 0.0])
_COARSE_SECOND = np.array([0.0, 1 / 90, -3 / 20, 3 / 2, -49 / 18, 3 / 2, -3 / 20, 1 / 90, 0.0])
TIMES = STEP * np.arange(-4, 5)
"""Where a function is looked at."""
FINER, FINEST = 4.0, 6
"""How much shorter a way is taken where a function bends too sharply for it, and how often at most."""


def slope(samples: ArrayLike) -> Array:
    """First derivative from values at `TIMES` (the first axis)."""
    values = np.asarray(samples, dtype=float)
    # Without their middle, values whose changes are small lose fewer digits.
    return np.asarray(np.tensordot(_FIRST, values - values[4], axes=1) / STEP)


def bend(samples: ArrayLike) -> Array:
    """Second derivative from values at `TIMES`."""
    values = np.asarray(samples, dtype=float)
    return np.asarray(np.tensordot(_SECOND, values - values[4], axes=1) / STEP**2)


def doubt(samples: ArrayLike) -> tuple[Array, Array]:
    """How far seven points are from nine, for both derivatives: a bound on the error where a function bends sharply.

    Surfaces and springs may do that; turns and slides cannot.
    """
    values = np.asarray(samples, dtype=float)
    changes = values - values[4]
    first = np.abs(np.tensordot(_FIRST - _COARSE, changes, axes=1)) / STEP
    return np.asarray(first), np.asarray(np.abs(np.tensordot(_SECOND - _COARSE_SECOND, changes, axes=1)) / STEP**2)


def resolved(look: Callable[[float], Array], rounding: float, order: int = 1) -> tuple[Array, float]:
    """A derivative along a way, and how far rounding and the formula may set it off.

    A surface may bend within a small part of the length that a way has: shorter ways are taken until nine points know
    no more than seven, or until rounding, which grows by them, would take more than they bring.

    Args:
        look: Values at `TIMES` along a part of the way.
        rounding: What it does to the derivative along the whole way.
        order: 1 or 2.
    """
    found: tuple[Array, float] | None = None
    part = 1.0
    for _ in range(FINEST):
        samples = look(part)
        unsure = float(doubt(samples)[order - 1].max(initial=0.0))
        bound = (rounding + unsure) / part**order
        if found is None or bound < found[1]:
            found = (slope, bend)[order - 1](samples) / part**order, bound
        if not unsure > rounding:
            break
        part /= FINER
    assert found is not None
    return found


def path(model: Model, q: Array, way: Array, bent: Array | None = None) -> Array:
    """Coordinates at `TIMES` of a motion with given displacement per unit of time, and its acceleration: (9, nq)."""
    half = np.zeros_like(way) if bent is None else bent / 2
    start = q.tolist()
    return np.array([moved(model, start, (time * way + time**2 * half).tolist()) for time in TIMES])
