"""Unit quaternions w, x, y, z in batches: the last axis has four numbers, batch axes lead.

All other descriptions of a rotation are converted through them: they have no singular orientation, and their error
stays one rounding whatever is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.pose._columns import ByColumns, by_columns, squares_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


def multiply(a: ArrayLike, b: ArrayLike) -> Array:
    """The turn a, then b about the axes that a has turned: R(a b) = R(a) R(b).

    Args:
        a: Quaternions, shape (..., 4).
        b: Quaternions, shape (..., 4).
    """
    p, q = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    aw, ax, ay, az = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    bw, bx, by, bz = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    made = np.empty((*np.broadcast_shapes(p.shape[:-1], q.shape[:-1]), 4))
    made[..., 0] = aw * bw - ax * bx - ay * by - az * bz
    made[..., 1] = aw * bx + ax * bw + ay * bz - az * by
    made[..., 2] = aw * by - ax * bz + ay * bw + az * bx
    made[..., 3] = aw * bz + ax * by - ay * bx + az * bw
    return made


def conjugate(q: ArrayLike) -> Array:
    """The opposite turn of unit quaternions, shape (..., 4)."""
    return np.asarray(np.asarray(q, dtype=float) * np.array([1.0, -1.0, -1.0, -1.0]))


def turn(q: ArrayLike, v: ArrayLike) -> Array:
    """Vectors, shape (..., 3), turned by unit quaternions, shape (..., 4)."""
    four, vector = np.asarray(q, dtype=float), np.asarray(v, dtype=float)
    w, axis = four[..., :1], four[..., 1:]
    across = 2.0 * cross(axis, vector)
    turned: Array = vector + w * across + cross(axis, across)
    return turned


def cross(a: Array, b: Array) -> Array:
    """Vector products, shape (..., 3): NumPy's own takes several times as long."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def lengths(v: Array) -> Array:
    """Lengths of vectors, shape (..., n) → (...)."""
    return np.asarray(np.sqrt(np.einsum("...i,...i->...", v, v)))


def matrices(q: Array) -> Array:
    """Matrices of rotations, shape (n, 3, 3), of quaternions that have length 1 already, shape (n, 4)."""
    w, x, y, z = q.T
    entries = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(entries), 2, 0)


@by_columns(4)
def normalised(q: Array) -> Array:
    """Quaternions of length 1 with w ≥ 0; of the two that are half turns, that whose first component is positive."""
    length = _squares(q)
    np.sqrt(length, out=length)
    np.copysign(length, q[0], out=length)
    q /= length
    if not q[0].all():
        half = np.flatnonzero(q[0] == 0.0)
        x, y, z = q[1:, half]
        q[0, half], q[1:, half] = 0.0, q[1:, half] * np.sign(np.where(x != 0.0, x, np.where(y != 0.0, y, z)))
    return q


def _squares(q: Array) -> Array:
    """Squared lengths of quaternions, scaled where they have to be; none may be 0."""
    message = "a quaternion of length 0 is no rotation", "кватернион нулевой длины — не поворот"
    return squares_of(q, ("no-quaternion", *message))


def to_matrix(q: ArrayLike) -> Array:
    """Rotation matrices, shape (..., 3, 3), of unit quaternions."""
    nine = to_nine(q)
    return nine.reshape(*nine.shape[:-1], 3, 3)


def _sums() -> Array:
    """What the nine entries of a matrix are of the ten products, row by row."""
    made = np.zeros((10, 3, 3))
    made[0] = np.eye(3)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        # On the diagonal 1 less two of the squares, beside it products of the vector plus and minus those with w.
        made[1 + i, j, j] = made[1 + i, k, k] = -1.0
        made[4 + i, k, j], made[4 + i, j, k] = 1.0, -1.0
        made[7 + i, j, k] = made[7 + i, k, j] = 1.0
    made.setflags(write=False)
    return made.reshape(10, 9)


SUMS = _sums()
"""Factors of `unit_products` in the entries of matrices, shape (10, 9)."""


def _products(q: Array, room: Array) -> Array:
    """1, xx, yy, zz, wx, wy, wz, yz, zx, xy of quaternions of any length, times 2 by the squared lengths.

    Args:
        q: Quaternions, shape (4, n).
        room: Where they go, shape (13, n); the last three are the vectors times 2 by the squared lengths.
    """
    made, scaled = room[:10], room[10:]
    w, x, y, z = q
    made[0] = 1.0
    np.multiply(q[1:], scaled, out=made[1:4])
    np.multiply(w, scaled, out=made[4:7])
    np.multiply(y, scaled[2], out=made[7])
    np.multiply(z, scaled[0], out=made[8])
    np.multiply(x, scaled[1], out=made[9])
    return made


def any_products(q: Array, room: Array) -> Array:
    """The same as `unit_products`, without making them unit: neither roots nor signs are needed."""
    scale = _squares(q)
    np.divide(2.0, scale, out=scale)
    np.multiply(q[1:], scale, out=room[10:])
    return _products(q, room)


def unit_products(q: Array, room: Array) -> Array:
    """Ten products of the components of unit quaternions, whose `SUMS` are the entries of matrices, row by row."""
    np.add(q[1:], q[1:], out=room[10:])
    return _products(q, room)


to_nine = ByColumns(unit_products, 9, any_products, SUMS)


def from_matrix(R: ArrayLike) -> Array:
    """Unit quaternions of rotation matrices, shape (..., 3, 3)."""
    given = np.asarray(R, dtype=float)
    return from_entries(given.reshape(*given.shape[:-2], 9))


@by_columns(4)
def from_entries(r: Array) -> Array:
    """Unit quaternions of nine entries of rotation matrices, row by row.

    Shepperd's way: of the four components the largest comes from the diagonal, the others by division through it.
    """
    xx, yy, zz = r[0], r[4], r[8]
    # The squares of the components, four times; then four times the products of each with the largest.
    plus, minus, up, down = yy + zz, yy - zz, 1.0 + xx, 1.0 - xx
    w2, x2, y2, z2 = up + plus, up - plus, down + minus, down - minus
    wx, wy, wz = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    yz, zx, xy = r[7] + r[5], r[2] + r[6], r[3] + r[1]
    first, last = w2 >= x2, y2 >= z2
    either = np.where(first, w2, x2) >= np.where(last, y2, z2)
    made = np.empty((4, r.shape[1]))
    table = ((w2, wx, wy, wz), (wx, x2, xy, zx), (wy, xy, y2, yz), (wz, zx, yz, z2))
    for column in range(4):
        a, b, c, d = (row[column] for row in table)
        made[column] = np.where(either, np.where(first, a, b), np.where(last, c, d))
    return normalised.step(made)


def angle_between(a: ArrayLike, b: ArrayLike) -> Array:
    """The angle of the turn from one orientation to another, 0 to π [rad], exact for small ones too."""
    four = multiply(conjugate(a), b)
    return np.asarray(2.0 * np.arctan2(lengths(four[..., 1:]), np.abs(four[..., 0])))
