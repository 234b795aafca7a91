"""Gauss's nodes for the first moment of slips in space, and how long that moment may be."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array


NODES: Final = 10
LENGTHS: Final = (4e-3, 1e-3, 2.5e-4, 6e-5, 1.5e-5)
"""How long the first moment is, the longest first that serves [s]."""
TURNS: Final = 30
"""Newton's steps on the directions of slips at the nodes."""
ASTRAY: Final = 12
"""Steps after which they should be known roughly: each turns by half a radian at most, and half a turn is six."""
SMOOTH: Final = 1e-14
"""Velocity that the last two of the terms of a series may have [m/s and rad/s, and parts of the velocity]."""
PLAIN: Final = 1e-2
"""Largest change in a turn, below which those terms are known well enough to see whether they will be smooth."""
HOPELESS: Final = 10.0 * SMOOTH
"""What they are worth then where they will not."""
ROUGH: Final = 1e-10
"""The same where no shorter moment is smoother: slips of several points do not begin exactly at once."""


@lru_cache(maxsize=1)
def gauss() -> tuple[Array, Array, Array, Array]:
    """Nodes on [0, 1]; integrals from 0 to every node; weights; from values at nodes to Legendre's coefficients."""
    leg = np.polynomial.legendre
    x, w = leg.leggauss(NODES)
    to_legendre = (leg.legvander(x, NODES - 1) * w[:, None]).T * (np.arange(NODES) + 0.5)[:, None]
    integrals = np.array([leg.legint(row, lbnd=-1) for row in np.eye(NODES)])  # of each of Legendre's polynomials
    A = 0.5 * leg.legval(x, integrals.T).T @ to_legendre
    return 0.5 * (x + 1.0), A, 0.5 * w, to_legendre


@lru_cache(maxsize=1)
def powers() -> Array:
    """From values at nodes to the powers of the integral on [0, 1], shape (NODES + 1, NODES)."""
    leg, poly = np.polynomial.legendre, np.polynomial.polynomial
    rows = []
    for k in range(NODES):
        series = leg.leg2poly(leg.legint(np.eye(NODES)[k], lbnd=-1))
        total = np.zeros(1)
        for coefficient in series[::-1]:
            total = poly.polyadd(poly.polymul(total, [-1.0, 2.0]), [coefficient])
        rows.append(0.5 * np.pad(total, (0, NODES + 1 - len(total))))
    return np.asarray(np.array(rows).T @ gauss()[3])


@lru_cache(maxsize=1)
def gauss_tables() -> Array:
    """All of them one after another, then the lengths of moments, as machine code takes them."""
    return np.concatenate([*(table.ravel() for table in (*gauss(), powers())), np.array(LENGTHS)])
