"""Finite displacements of a body: homogeneous matrices, screws, dual quaternions; all in batches.

A displacement turns the body and moves its pole. In the order of matrices X_AC = X_AB · X_BC, as everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.pose._columns import refuse_some
from sistel.pose._quaternions import (
    conjugate,
    cross,
    lengths,
    multiply,
    normalised,
    to_matrix,
)
from sistel.pose._turns import from_nine
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


SMALL = 1e-150
"""Sine of half an angle below which a screw is a translation: its line would be too far away for numbers."""


@record
class Screw:
    """A turn about a line and a move along it; every displacement is one (Chasles). Batch axes lead."""

    axis: Array
    """Unit vectors along the lines, shape (..., 3)."""
    point: Array
    """The points of the lines that are nearest to the origin, shape (..., 3) [m]; of pure translations the origin."""
    angle: Array
    """0 to π, shape (...) [rad]."""
    distance: Array
    """Along the axis, shape (...) [m]."""

    @property
    def pitch(self) -> Array:
        """Move for a turn of one radian; infinite for a translation [m/rad]."""
        turned = self.angle > 0.0
        with np.errstate(divide="ignore"):
            return np.where(turned, self.distance / np.where(turned, self.angle, 1.0), np.inf)


def homogeneous(q: ArrayLike, p: ArrayLike) -> Array:
    """Matrices, shape (..., 4, 4), of unit quaternions and positions of the pole [m]."""
    four, place = np.asarray(q, dtype=float), np.asarray(p, dtype=float)
    shape = np.broadcast_shapes(four.shape[:-1], place.shape[:-1])
    X = np.zeros((*shape, 4, 4))
    X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = to_matrix(four), place, 1.0
    return X


def apart(X: ArrayLike) -> tuple[Array, Array]:
    """Unit quaternions and positions of homogeneous matrices.

    Raises:
        SistelError: A matrix does not turn and move: its axes are not at right angles, or its last row is not 0 0 0 1.
    """
    given = np.asarray(X, dtype=float)
    wrong = np.abs(given[..., 3, :] - [0.0, 0.0, 0.0, 1.0]).max(axis=-1) > 1e-9
    if wrong.any():
        message = Text("the last row of this matrix is not 0 0 0 1", "последняя строка этой матрицы — не 0 0 0 1")
        refuse_some("no-displacement", message, wrong)
    return from_nine(given[..., :3, :3].reshape(*given.shape[:-2], 9)), given[..., :3, 3].copy()


def to_screw(X: ArrayLike) -> Screw:
    """The screws of displacements, shape (..., 4, 4)."""
    q, p = apart(X)
    sine = lengths(q[..., 1:])
    turned = sine > SMALL
    moved = lengths(p)
    still = np.where(moved[..., None] > 0.0, p / np.where(moved > 0.0, moved, 1.0)[..., None], [0.0, 0.0, 1.0])
    axis = np.where(turned[..., None], q[..., 1:] / np.where(turned, sine, 1.0)[..., None], still)
    angle = np.where(turned, 2.0 * np.arctan2(sine, q[..., 0]), 0.0)
    distance = np.einsum("...i,...i->...", axis, p)
    across = p - distance[..., None] * axis
    # Half the move across, and as far beside it as the half angle says.
    cotangent = np.where(turned, q[..., 0] / np.where(turned, sine, 1.0), 0.0)
    point = 0.5 * (across + cotangent[..., None] * cross(axis, across))
    return Screw(axis=axis, point=np.where(turned[..., None], point, 0.0), angle=angle, distance=distance)


def from_screw(screw: Screw) -> Array:
    """The displacements of screws, shape (..., 4, 4)."""
    length = lengths(screw.axis)
    unit = screw.axis / np.where(length > 0.0, length, 1.0)[..., None]
    half = 0.5 * np.asarray(screw.angle, dtype=float)
    q = np.concatenate([np.cos(half)[..., None], np.sin(half)[..., None] * unit], axis=-1)
    # point − R · point, without the difference: the line of a small turn may be far away.
    lever = cross(unit, np.asarray(screw.point, dtype=float))
    swing = np.sin(2.0 * half)[..., None] * lever + 2.0 * np.sin(half)[..., None] ** 2 * cross(unit, lever)
    p = np.asarray(screw.distance, dtype=float)[..., None] * unit - swing
    return homogeneous(normalised(q), p)


def to_dual(X: ArrayLike) -> Array:
    """Unit dual quaternions (biquaternions) of displacements: eight numbers, the real part, then the dual one."""
    q, p = apart(X)
    moved = np.concatenate([np.zeros((*p.shape[:-1], 1)), p], axis=-1)
    return np.concatenate([q, 0.5 * multiply(moved, q)], axis=-1)


def from_dual(d: ArrayLike) -> Array:
    """The displacements of dual quaternions of any length but 0."""
    given = np.asarray(d, dtype=float)
    real, dual = given[..., :4], given[..., 4:]
    size = lengths(real)
    if (size == 0.0).any():
        message = Text("the real part of this dual quaternion is 0", "вещественная часть этого бикватерниона равна 0")
        refuse_some("no-displacement", message, size == 0.0)
    unit = real / size[..., None]
    p = 2.0 * multiply(dual / size[..., None], conjugate(unit))[..., 1:]
    return homogeneous(normalised(unit), p)


def multiply_dual(a: ArrayLike, b: ArrayLike) -> Array:
    """The displacement a, then b in the axes that a has moved."""
    first, second = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    real = multiply(first[..., :4], second[..., :4])
    dual = multiply(first[..., :4], second[..., 4:]) + multiply(first[..., 4:], second[..., :4])
    return np.concatenate([real, dual], axis=-1)
