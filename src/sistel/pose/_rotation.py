"""Rotation matrices as nested tuples, without NumPy: reading a file must not wait for an import.

A rotation `R_AB` is a tuple of three rows; its columns are the axes of B expressed in A. Quaternions are w, x, y, z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector3 = tuple[float, float, float]
Rotation = tuple[Vector3, Vector3, Vector3]

IDENTITY: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def compose(R_AB: Rotation, R_BC: Rotation) -> Rotation:
    """R_AC, the product of two rotations."""
    columns = tuple(zip(*R_BC, strict=True))
    a, b, c = (tuple(_dot(row, column) for column in columns) for row in R_AB)
    return (a, b, c)  # type: ignore[return-value]


def transpose(R_AB: Rotation) -> Rotation:
    """R_BA, the inverse rotation."""
    a, b, c = zip(*R_AB, strict=True)
    return (a, b, c)


def rotate(R_AB: Rotation, v_B: Sequence[float]) -> Vector3:
    """A vector given in B, expressed in A."""
    return (_dot(R_AB[0], v_B), _dot(R_AB[1], v_B), _dot(R_AB[2], v_B))


def rotate_inertia(R_AB: Rotation, I_B: Sequence[float]) -> tuple[float, float, float, float, float, float]:
    """An inertia tensor (xx, yy, zz, xy, xz, yz) given in B, expressed in A [kg·m²]."""
    xx, yy, zz, xy, xz, yz = I_B
    if R_AB == IDENTITY:
        return (xx, yy, zz, xy, xz, yz)
    tensor: Rotation = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    turned = compose(compose(R_AB, tensor), transpose(R_AB))
    return (turned[0][0], turned[1][1], turned[2][2], turned[0][1], turned[0][2], turned[1][2])


def from_axis_angle(axis: Sequence[float], angle: float) -> Rotation:
    """Rotation by `angle` [rad] about an axis of any length; a zero axis gives the identity (Rodrigues' formula)."""
    length = norm(axis)
    if length == 0 or angle == 0:
        return IDENTITY
    x, y, z = (component / length for component in axis)
    c, s = _cos_sin(angle)
    d = 1.0 - c
    return (
        (c + x * x * d, x * y * d - z * s, x * z * d + y * s),
        (y * x * d + z * s, c + y * y * d, y * z * d - x * s),
        (z * x * d - y * s, z * y * d + x * s, c + z * z * d),
    )


def from_roll_pitch_yaw(roll: float, pitch: float, yaw: float) -> Rotation:
    """Turns about the fixed x, then y, then z axes [rad]: Rz(yaw) · Ry(pitch) · Rx(roll)."""
    (cr, sr), (cp, sp), (cy, sy) = _cos_sin(roll), _cos_sin(pitch), _cos_sin(yaw)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def roll_pitch_yaw(R: Rotation) -> Vector3:
    """Roll, pitch and yaw of a rotation, R = Rz(yaw) · Ry(pitch) · Rx(roll) [rad].

    Near a pitch of ±90° roll and yaw are hardly determined one by one. Taken from their own pairs of small entries,
    each would carry an error of its own, and the rotation built from them would be wrong by rounding / cos(pitch).
    So yaw is taken from what remains after the roll found is undone: R · Rx(roll)ᵀ has the column
    (-sin yaw, cos yaw, 0), whose entries are never both small. An error in the roll is then made up for by the yaw.
    """
    sine, cosine = -R[2][0], math.hypot(R[2][1], R[2][2])
    pitch = math.atan2(sine, cosine)
    if cosine <= 4e-16:
        return math.atan2(math.copysign(1.0, sine) * R[0][1], R[1][1]) + 0.0, math.copysign(math.pi / 2, sine), 0.0
    sr, cr = R[2][1] / cosine, R[2][2] / cosine
    yaw = math.atan2(R[0][2] * sr - R[0][1] * cr, R[1][1] * cr - R[1][2] * sr)
    return math.atan2(sr, cr) + 0.0, pitch + 0.0, yaw + 0.0


def from_quaternion(q: Sequence[float]) -> Rotation:
    """Rotation of a quaternion w, x, y, z of any length but 0."""
    w, x, y, z = q
    n = w * w + x * x + y * y + z * z
    if not 1e-200 < n < 1e200:
        largest = max(map(abs, q))
        w, x, y, z = (component / largest for component in q)
        n = w * w + x * x + y * y + z * z
    s = 2.0 / n
    return (
        (1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)),
        (s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)),
        (s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)),
    )


def quaternion(R: Rotation) -> tuple[float, float, float, float]:
    """Unit quaternion w, x, y, z with w ≥ 0 (Shepperd's method: the largest component first)."""
    trace = R[0][0] + R[1][1] + R[2][2]
    candidates = (trace, R[0][0], R[1][1], R[2][2])
    largest = max(range(4), key=lambda i: candidates[i])
    if largest == 0:
        q = (1 + trace, R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1])
    elif largest == 1:
        q = (R[2][1] - R[1][2], 1 + 2 * R[0][0] - trace, R[0][1] + R[1][0], R[0][2] + R[2][0])
    elif largest == 2:
        q = (R[0][2] - R[2][0], R[0][1] + R[1][0], 1 + 2 * R[1][1] - trace, R[1][2] + R[2][1])
    else:
        q = (R[1][0] - R[0][1], R[0][2] + R[2][0], R[1][2] + R[2][1], 1 + 2 * R[2][2] - trace)
    length = math.sqrt(sum(component * component for component in q))
    sign = -1.0 if q[0] < 0 else 1.0
    w, x, y, z = (sign * component / length for component in q)
    return (w, x, y, z)


def axis_angle(R: Rotation) -> tuple[Vector3, float]:
    """Unit axis and angle from 0 to π [rad]; the identity has axis z."""
    w, x, y, z = quaternion(R)
    sine = math.sqrt(x * x + y * y + z * z)
    if sine == 0:
        return (0.0, 0.0, 1.0), 0.0
    return (x / sine, y / sine, z / sine), 2 * math.atan2(sine, w)


def norm(v: Sequence[float]) -> float:
    """Euclidean length."""
    length = math.sqrt(sum(component * component for component in v))
    # Squares of larger and smaller numbers are infinite, or lose their digits.
    return length if 1e-150 < length < 1e150 else math.hypot(*v)


def cross(a: Sequence[float], b: Sequence[float]) -> Vector3:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def plane_axes(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two directions in the plane normal to a unit axis, which complete it to a frame: x, y and the axis.

    The first is the projection of x, or of y where the axis is near x; for the axis z they are x and y themselves.
    """
    start = (1.0, 0.0, 0.0) if abs(axis[0]) < 0.9 else (0.0, 1.0, 0.0)
    along = sum(a * b for a, b in zip(start, axis, strict=True))
    x, y, z = (a - along * b for a, b in zip(start, axis, strict=True))
    length = norm((x, y, z))
    first = (x / length + 0.0, y / length + 0.0, z / length + 0.0)
    return first, cross(axis, first)


def determinant(R: Rotation) -> float:
    """Determinant; +1 for a rotation."""
    return _dot(R[0], cross(R[1], R[2]))


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cos_sin(angle: float) -> tuple[float, float]:
    """Cosine and sine, exact at quarter turns that were written in degrees."""
    quarter = angle / (math.pi / 2)
    if abs(quarter) < 1e6 and quarter == round(quarter):
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(quarter) % 4]
    return math.cos(angle), math.sin(angle)
