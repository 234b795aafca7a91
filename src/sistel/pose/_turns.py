"""Descriptions of a rotation besides three angles: to and from unit quaternions, in batches.

Every function takes and gives arrays whose last axis holds the numbers of one rotation. Angles in radians.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.pose._axial import CODES, axial_rotation, checked_code
from sistel.pose._quaternions import angle_between, cross, from_matrix, lengths, normalised, to_matrix, turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FLAT = 1e-6
"""How far columns may be from length 1 and right angles, and points from their distances, in parts of them: a matrix
typed with seven digits is one, a matrix that is none is told."""
AXIAL = 1e-6
"""How far an orientation may be from an axial one to have its code [rad]."""


# --- axis and angle --------------------------------------------------------------------------------------------------


def from_euler_parameters(values: Array) -> Array:
    """Quaternions of an axis of any length and an angle [rad]: cx, cy, cz, angle."""
    axis, half = values[..., :3], 0.5 * values[..., 3]
    size = np.abs(axis).max(axis=-1)
    axis = axis / np.where(size > 0.0, size, 1.0)[..., None]  # squares of tiny components would vanish
    length = lengths(axis)
    nothing = (length == 0.0) & (np.sin(half) != 0.0)
    if nothing.any():
        refuse(
            "no-axis",
            Text("a turn needs an axis that is not zero", "для поворота нужна ненулевая ось"),
            nothing,
        )
    unit = axis / np.where(length > 0.0, length, 1.0)[..., None]
    return normalised(np.concatenate([np.cos(half)[..., None], np.sin(half)[..., None] * unit], axis=-1))


def to_euler_parameters(q: Array) -> Array:
    """Unit axis and angle from 0 to π [rad]; no turn at all is about x."""
    vector = q[..., 1:]
    sine = lengths(vector)
    still = sine == 0.0
    axis = np.where(still[..., None], [1.0, 0.0, 0.0], vector / np.where(still, 1.0, sine)[..., None])
    return np.concatenate([axis, 2.0 * np.arctan2(sine, q[..., 0])[..., None]], axis=-1)


def from_rotation_vector(values: Array) -> Array:
    """Quaternions of a vector along the axis, as long as the angle [rad]."""
    angle = lengths(values)
    half = 0.5 * angle
    # sin(h)/h is 1 to the last digit where h² is below rounding.
    part = np.where(half > 1e-8, np.sin(half) / np.where(half > 1e-8, half, 1.0), 1.0)
    return normalised(np.concatenate([np.cos(half)[..., None], 0.5 * part[..., None] * values], axis=-1))


def to_rotation_vector(q: Array) -> Array:
    """Axis times angle, the angle from 0 to π [rad]."""
    vector = q[..., 1:]
    sine = lengths(vector)
    angle = 2.0 * np.arctan2(sine, q[..., 0])
    part = np.where(sine > 1e-8, angle / np.where(sine > 1e-8, sine, 1.0), 2.0)
    return np.asarray(part[..., None] * vector)


# --- Rodrigues, Cayley and Klein -------------------------------------------------------------------------------------


def from_rodrigues(values: Array) -> Array:
    """Quaternions of axis times tan(angle / 2)."""
    return normalised(np.concatenate([np.ones((*values.shape[:-1], 1)), values], axis=-1))


def to_rodrigues(q: Array) -> Array:
    """Axis times tan(angle / 2); a half turn has none."""
    half = np.abs(q[..., 0]) < 1e-15
    if half.any():
        refuse(
            "half-turn",
            Text("a half turn has no finite Rodrigues parameters", "у пол-оборота нет конечных параметров Родрига"),
            half,
        )
    return np.asarray(q[..., 1:] / q[..., :1])


def from_modified_rodrigues(values: Array) -> Array:
    """Quaternions of axis times tan(angle / 4)."""
    square = np.einsum("...i,...i->...", values, values)[..., None]
    return normalised(np.concatenate([1.0 - square, 2.0 * values], axis=-1))


def to_modified_rodrigues(q: Array) -> Array:
    """Axis times tan(angle / 4), no longer than 1: every rotation has them."""
    return np.asarray(q[..., 1:] / (1.0 + q[..., :1]))


def from_cayley_klein(values: Array) -> Array:
    """Quaternions of α and β, each as its real and its imaginary part: α = w + iz, β = y + ix (H. Goldstein)."""
    return normalised(values[..., [0, 3, 2, 1]])


def to_cayley_klein(q: Array) -> Array:
    """Real and imaginary part of α, then of β."""
    return np.asarray(q[..., [0, 3, 2, 1]])


# --- matrices, points, codes -----------------------------------------------------------------------------------------


def from_nine(values: Array) -> Array:
    """Quaternions of nine entries of a matrix, row by row."""
    R = values.reshape(*values.shape[:-1], 3, 3)
    with np.errstate(invalid="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(-1, -2))
        bad = ~(off <= FLAT)
    if bad.any():
        refuse(
            "no-rotation",
            Text(
                "the columns of this matrix are not of length 1 and at right angles",
                "столбцы этой матрицы не единичные или не под прямыми углами",
            ),
            bad,
        )
    mirrored = np.linalg.det(R) < 0.0
    if mirrored.any():
        refuse(
            "left-handed",
            Text("this matrix mirrors: its axes are left-handed", "эта матрица отражает: её оси левые"),
            mirrored,
        )
    return from_matrix(R)


def to_nine(q: Array) -> Array:
    """Nine entries of the matrix, row by row."""
    return to_matrix(q).reshape(*q.shape[:-1], 9)


POINTS = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
"""Where the two points of a body are at first: one length ahead and one to the thumb [m]."""


def from_two_points(values: Array, points: tuple[tuple[float, float, float], ...] = POINTS) -> Array:
    """Quaternions of where two points of a body are, seen from its pole: six coordinates.

    Args:
        values: Coordinates of the first point, then of the second.
        points: Where they are without a turn; not on one line with the pole.
    """
    a, b = values[..., :3], values[..., 3:]
    first, second = (np.array(point, dtype=float) for point in points)
    apart = [float(lengths(each)) for each in (first, second, second - first)]
    with np.errstate(invalid="ignore"):
        moved = [lengths(each) for each in (a, b, b - a)]
        bad = ~np.all([np.abs(now - then) <= FLAT * max(apart) for now, then in zip(moved, apart, strict=True)], axis=0)
    if bad.any():
        refuse(
            "points-apart",
            Text(
                "two points of a body keep their distances from the pole and from each other; these do not",
                "две точки тела сохраняют расстояния до полюса и между собой; эти — нет",
            ),
            bad,
        )
    return from_matrix(_frame(a, b) @ np.swapaxes(_frame(first, second), -1, -2))


def _frame(a: Array, b: Array) -> Array:
    """Axes along a, towards b, and across, as columns."""
    x = a / lengths(a)[..., None]
    z = cross(x, b)
    z = z / lengths(z)[..., None]
    return np.stack([x, cross(z, x), z], axis=-1)


def to_two_points(q: Array, points: tuple[tuple[float, float, float], ...] = POINTS) -> Array:
    """Six coordinates: where two points of a body are after the turn."""
    first, second = (turn(q, np.array(point, dtype=float)) for point in points)
    return np.concatenate([first, second], axis=-1)


def from_axial(values: Array) -> Array:
    """Quaternions of codes of axial orientations."""
    codes = values[..., 0]
    for code in np.unique(codes):
        # A code with a fraction is none: any other number than a code says so.
        checked_code(int(code) if code == np.floor(code) else 0)
    table = np.zeros((67, 4))
    table[list(CODES)] = _axial_quaternions()
    return np.asarray(table[codes.astype(int)])


def to_axial(q: Array) -> Array:
    """Codes of orientations that are axial."""
    codes, off = nearest_axial(q)
    bad = off > AXIAL
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        code, angle = int(codes[where]), math.degrees(float(off[where]))
        refuse(
            "not-axial",
            Text(
                f"this orientation is not axial: the nearest code, {code}, is {angle:.4g}° away",
                f"эта ориентация не осевая: до ближайшего кода {code} ещё {angle:.4g}°",
            ),
            bad,
        )
    return codes[..., None].astype(float)


def nearest_axial(q: Array) -> tuple[NDArray[np.intp], Array]:
    """The code nearest to every orientation, and how far it is [rad]; of equally near ones the smallest."""
    table = _axial_quaternions()
    likeness = np.abs(q @ table.T)
    # Rounding must not decide between equally near ones.
    best = (likeness > likeness.max(axis=-1, keepdims=True) - 1e-14).argmax(axis=-1)
    return np.array(CODES)[best], angle_between(table[best], q)


def _axial_quaternions() -> Array:
    return from_matrix(np.array([axial_rotation(code) for code in CODES]))


def refuse(code: str, message: Text, where: NDArray[np.bool_]) -> NoReturn:
    """Say what is wrong with some of many rotations, and which is the first."""
    places = np.argwhere(where)
    if where.ndim:
        place = ", ".join(str(int(i)) for i in places[0])
        message = Text(
            f"{message.en} (number {place}, {len(places)} in all)", f"{message.ru} (номер {place}, всего {len(places)})"
        )
    diagnostics = Diagnostics()
    diagnostics.error(code, None, message)
    raise SistelError(diagnostics.sorted())
