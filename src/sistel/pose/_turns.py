"""Descriptions of a rotation besides three angles: to and from unit quaternions, in batches.

Every function takes and gives arrays whose last axis holds the numbers of one rotation; they are written for columns,
see `_columns`. Angles in radians.
"""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.pose._axial import CODES, axial_rotation, checked_code
from sistel.pose._columns import ByColumns, Refusal, by_columns, lengths_of, squares_of
from sistel.pose._quaternions import (
    SUMS,
    angle_between,
    any_products,
    from_entries,
    from_matrix,
    normalised,
    unit_products,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array


FLAT = 1e-6
"""How far columns may be from length 1 and right angles, and points from their distances, in parts of them: a matrix
typed with seven digits is one, a matrix that is none is told."""
AXIAL = 1e-6
"""How far an orientation may be from an axial one to have its code [rad]."""


# --- axis and angle --------------------------------------------------------------------------------------------------


@by_columns(4)
def from_euler_parameters(values: Array) -> Array:
    """Quaternions of an axis of any length and an angle [rad]: cx, cy, cz, angle."""
    axis, half = values[:3], 0.5 * values[3]
    length = np.sqrt(squares_of(axis))
    sine = np.sin(half)
    if not length.all():
        nothing = (length == 0.0) & (sine != 0.0)
        if nothing.any():
            message = Text("a turn needs an axis that is not zero", "для поворота нужна ненулевая ось")
            raise Refusal("no-axis", message, nothing)
        length[length == 0.0] = 1.0
    axis /= length
    made = np.empty_like(values)
    np.cos(half, out=made[0])
    np.multiply(axis, sine, out=made[1:])
    return normalised.step(made)


@by_columns(4)
def to_euler_parameters(q: Array) -> Array:
    """Unit axis and angle from 0 to π [rad]; no turn at all is about x."""
    made = np.empty_like(q)
    sine = lengths_of(q[1:])
    angle = np.arctan2(sine, q[0], out=made[3])
    angle *= 2.0
    if not sine.all():
        still = sine == 0.0
        q[1, still], sine[still] = 1.0, 1.0
    np.divide(q[1:], sine, out=made[:3])
    return made


@by_columns(4)
def from_rotation_vector(values: Array) -> Array:
    """Quaternions of a vector along the axis, as long as the angle [rad]."""
    # By the tangent of a quarter of the angle: one function instead of two, and the length comes out as 1.
    values *= 0.25
    quarter = lengths_of(values)
    tangent = np.tan(quarter)
    square = tangent * tangent
    made = np.empty((4, values.shape[1]))
    cosine = np.subtract(1.0, square, out=made[0])
    square += 1.0
    np.copysign(square, cosine, out=square)
    cosine /= square
    part = _ratio(tangent, quarter, 1.0)
    part *= 2.0
    part /= square
    np.multiply(values, part, out=made[1:])
    return made if cosine.all() else normalised.step(made)


@by_columns(3)
def to_rotation_vector(q: Array) -> Array:
    """Axis times angle, the angle from 0 to π [rad]."""
    sine = lengths_of(q[1:])
    angle = np.arctan2(sine, q[0])
    angle *= 2.0
    made = q[1:]
    made *= _ratio(angle, sine, 2.0)
    return made


def _ratio(above: Array, below: Array, limit: float) -> Array:
    """Above by below; where both are small, what it tends to: it is that to the last digit, squares being too small."""
    if below.min() > 1e-8:
        return np.divide(above, below, out=above)
    small = below <= 1e-8
    return np.where(small, limit, above / np.where(small, 1.0, below))


# --- Rodrigues, Cayley and Klein -------------------------------------------------------------------------------------


@by_columns(4)
def from_rodrigues(values: Array) -> Array:
    """Quaternions of axis times tan(angle / 2)."""
    made = np.empty((4, values.shape[1]))
    made[0], made[1:] = 1.0, values
    return normalised.step(made)


@by_columns(3)
def to_rodrigues(q: Array) -> Array:
    """Axis times tan(angle / 2); a half turn has none."""
    half = np.abs(q[0]) < 1e-15
    if half.any():
        message = Text(
            "a half turn has no finite Rodrigues parameters", "у пол-оборота нет конечных параметров Родрига"
        )
        raise Refusal("half-turn", message, half)
    made = q[1:]
    made /= q[0]
    return made


@by_columns(4)
def from_modified_rodrigues(values: Array) -> Array:
    """Quaternions of axis times tan(angle / 4)."""
    made = np.empty((4, values.shape[1]))
    with np.errstate(over="ignore"):
        square = np.einsum("in,in->n", values, values)
    if square.max() > 1e300:
        # Of a vector that is far too long, the other one of the same rotation.
        length = lengths_of(values)
        long = length > 1e8
        length[~long] = 1.0
        values /= length
        values /= -length
        square = np.einsum("in,in->n", values, values)
    np.subtract(1.0, square, out=made[0])
    np.add(values, values, out=made[1:])
    return normalised.step(made)


@by_columns(3)
def to_modified_rodrigues(q: Array) -> Array:
    """Axis times tan(angle / 4), no longer than 1: every rotation has them."""
    made = q[1:]
    made /= 1.0 + q[0]
    return made


@by_columns(4)
def from_cayley_klein(values: Array) -> Array:
    """Quaternions of α and β, each as its real and its imaginary part: α = w + iz, β = y + ix (H. Goldstein)."""
    return normalised.step(values[[0, 3, 2, 1]])


@by_columns(4)
def to_cayley_klein(q: Array) -> Array:
    """Real and imaginary part of α, then of β."""
    return q[[0, 3, 2, 1]]


# --- matrices, points, codes -----------------------------------------------------------------------------------------


@by_columns(4)
def from_nine(values: Array) -> Array:
    """Quaternions of nine entries of a matrix, row by row; they have to be those of a rotation."""
    x, y, z = values[0::3], values[1::3], values[2::3]
    with np.errstate(invalid="ignore", over="ignore"):
        off = [np.einsum("in,in->n", a, b) - (a is b) for a, b in ((x, x), (y, y), (z, z), (x, y), (y, z), (z, x))]
        if not all(each.min() >= -FLAT and each.max() <= FLAT for each in off):
            message = Text(
                "the columns of this matrix are not of length 1 and at right angles",
                "столбцы этой матрицы не единичные или не под прямыми углами",
            )
            raise Refusal("no-rotation", message, ~(np.abs(off).max(axis=0) <= FLAT))
    volume = np.einsum("in,in->n", _cross(x, y), z)
    if volume.min() < 0.0:
        message = Text("this matrix mirrors: its axes are left-handed", "эта матрица отражает: её оси левые")
        raise Refusal("left-handed", message, volume < 0.0)
    return from_entries.step(values)


def _cross(a: Array, b: Array) -> Array:
    """Vector products of columns."""
    made = np.empty((3, a.shape[1]))
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(a[j], b[k], out=made[i])
        made[i] -= a[k] * b[j]
    return made


@by_columns(4)
def from_two_points(values: Array) -> Array:
    """Quaternions of where two points of a body are, seen from its pole: three coordinates each.

    At first one is a length ahead, on the axis x, the other to the thumb, on y.
    """
    a, b = values[:3], values[3:]
    with np.errstate(invalid="ignore", over="ignore"):
        off = [lengths_of(a) - 1.0, lengths_of(b) - 1.0, lengths_of(b - a) - math.sqrt(2.0)]
        farthest = math.sqrt(2.0) * FLAT
        if not all(-farthest <= each.min() and each.max() <= farthest for each in off):
            message = Text(
                "two points of a body keep their distances from the pole and from each other; these do not",
                "две точки тела сохраняют расстояния до полюса и между собой; эти — нет",
            )
            raise Refusal("points-apart", message, ~(np.abs(off).max(axis=0) <= farthest))
    # Axes along a, towards b, and across.
    a /= lengths_of(a)
    across = _cross(a, b)
    across /= lengths_of(across)
    entries = np.empty((9, values.shape[1]))
    entries[0::3], entries[1::3], entries[2::3] = a, _cross(across, a), across
    return from_entries.step(entries)


to_two_points = ByColumns(unit_products, 6, any_products, SUMS[:, [0, 3, 6, 1, 4, 7]])
"""Three coordinates each: where the two points of a body are after the turn."""


@by_columns(4)
def from_axial(values: Array) -> Array:
    """Quaternions of codes of axial orientations."""
    codes = values[0]
    for code in np.unique(codes):
        # A code with a fraction is none: any other number than a code says so.
        checked_code(int(code) if code == np.floor(code) else 0)
    table = np.zeros((4, 67))
    table[:, list(CODES)] = _axial_quaternions().T
    return np.asarray(np.take(table, codes.astype(int), axis=1))


@by_columns(1)
def to_axial(q: Array) -> Array:
    """Codes of orientations that are axial."""
    codes = _directions(q)
    table = np.zeros((4, 100))  # what is no code is near no orientation
    table[:, list(CODES)] = _axial_quaternions().T
    likeness = np.abs(np.einsum("in,in->n", q, np.take(table, codes, axis=1)))
    if likeness.min() < 1.0 - 1e-14:  # 3e-7 rad: below, angles have to be looked at
        codes, off = nearest_axial(q.T)
        bad = off > AXIAL
        if bad.any():
            first = int(bad.argmax())
            code, angle = int(codes[first]), math.degrees(float(off[first]))
            message = Text(
                f"this orientation is not axial: the nearest code, {code}, is {angle:.4g}° away",
                f"эта ориентация не осевая: до ближайшего кода {code} ещё {angle:.4g}°",
            )
            raise Refusal("not-axial", message, bad)
    return codes[None].astype(float)


def _directions(q: Array) -> NDArray[np.intp]:
    """Where fingers and thumb point, as two digits; those of the nearest axes while these are near."""
    digits = []
    r = SUMS.T @ unit_products(q, np.empty((13, q.shape[1])))
    for x, y, z in (r[0::3], r[1::3]):
        # 1, 3, 5 along an axis, one more against it; of unit vectors never less than 0.6, nor more than 6.4.
        digit = 1.5 * (x * x) + 3.5 * (y * y) + 5.5 * (z * z) - 0.5 * (x + y + z)
        digits.append(np.rint(digit, out=digit))
    return np.asarray(10.0 * digits[0] + digits[1]).astype(np.intp)


def nearest_axial(q: Array) -> tuple[NDArray[np.intp], Array]:
    """The code nearest to every orientation, and how far it is [rad]; of equally near ones the smallest."""
    table = _axial_quaternions()
    likeness = np.abs(q @ table.T)
    # Rounding must not decide between equally near ones.
    best = (likeness > likeness.max(axis=-1, keepdims=True) - 1e-14).argmax(axis=-1)
    return np.array(CODES)[best], angle_between(table[best], q)


@functools.cache
def _axial_quaternions() -> Array:
    made = from_matrix(np.array([axial_rotation(code) for code in CODES]))
    made.setflags(write=False)
    return made
