"""The papers' arm with five axes, from its printed tables alone: geometry, masses, energies and Lagrange's equations.

Written from the definitions, in NumPy, and sharing nothing with the package: its results are what the tests of rows C1,
C2, C9 and B29 of the mission compare with.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any

TABLE = ((0.071, 0.0, np.pi / 2), (0.0, 0.246, 0.0), (0.0, 0.163, 0.0), (0.0, 0.0, np.pi / 2), (0.165, 0.0, 0.0))
"""d [m], a [m], alpha in the standard convention, with alpha 4 = +90°, which the printed formulas need."""
MASSES = (0.102, 0.569, 0.310, 0.123, 0.142)
"""[kg]"""
HEIGHTS, RADII = (0.071, 0.295, 0.205, 0.091, 0.080), (0.060, 0.035, 0.035, 0.035, 0.050)
"""Of the links, which are uniform cylinders [m]."""
AXES = (1, 0, 0, 2, 2)
"""Along which axis of its Denavit–Hartenberg frame each cylinder stands: x, y or z."""
CENTRES = ((0.0, -0.0355, 0.0), (-0.123, 0.0, 0.0), (-0.0815, 0.0, 0.0), (0.0, 0.0, 0.0455), (0.0, 0.0, -0.040))
"""Of mass, in the same frame, which sits at the far end of its link: the column and the arms end there, the wrist begins
there, and the hand ends at the tool [m]."""
GRAVITY = 9.81
"""Along -z [m/s²]."""
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Of central differences of the eighth order."""


def denavit_hartenberg(theta: float, d: float, a: float, alpha: float) -> Array:
    """From one frame to the next: turn about z, along z, along x, turn about x."""
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]], dtype=float
    )


def frames(q: Array) -> list[Array]:
    """Of the ground and of the five links, 4×4; the last one is the tool's [m]."""
    found = [np.eye(4)]
    for theta, row in zip(q, TABLE, strict=True):
        found.append(found[-1] @ denavit_hartenberg(theta, *row))
    return found


def mass_matrix(q: Array) -> Array:
    """From the kinetic energies of five cylinders: of their centres and about them."""
    chain = frames(q)
    M = np.zeros((5, 5))
    for k, (m, h, r, axis, centre) in enumerate(zip(MASSES, HEIGHTS, RADII, AXES, CENTRES, strict=True), 1):
        across, along = m * (3 * r * r + h * h) / 12, m * r * r / 2
        own = np.diag([along if i == axis else across for i in range(3)])
        R, place = chain[k][:3, :3], chain[k] @ [*centre, 1.0]
        turns, moves = np.zeros((3, 5)), np.zeros((3, 5))
        for i in range(k):
            z = chain[i][:3, 2]
            turns[:, i], moves[:, i] = z, np.cross(z, place[:3] - chain[i][:3, 3])
        M += m * moves.T @ moves + turns.T @ R @ own @ R.T @ turns
    return M


def potential(q: Array) -> float:
    """Of weight, from the ground [J]."""
    chain = frames(q)
    heights = [(chain[k] @ [*centre, 1.0])[2] for k, centre in enumerate(CENTRES, 1)]
    return float(GRAVITY * np.dot(MASSES, heights))


def slope(function: Any, q: Array, direction: Array, step: float = 1e-2) -> Array:
    """Derivative along a direction, by central differences of the eighth order."""
    parts = (
        w * (function(q + k * step * direction) - function(q - k * step * direction)) for k, w in enumerate(WEIGHTS, 1)
    )
    return sum(parts) / step


def lagrange(q: Array, v: Array, a: Array) -> Array:
    """Driving forces: d/dt ∂T/∂v - ∂T/∂q + ∂V/∂q [N·m]."""
    forces = mass_matrix(q) @ a + slope(mass_matrix, q, v) @ v
    for i, unit in enumerate(np.eye(5)):
        forces[i] += slope(potential, q, unit) - 0.5 * v @ slope(mass_matrix, q, unit) @ v
    return forces
