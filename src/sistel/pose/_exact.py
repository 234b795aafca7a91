"""Angles, axes and rotations made exact where a π was cut short.

Files are full of 1.5708 and 3.14159265359. An angle that close to a quarter turn is meant to be one, and the dust of
the difference (1e-9 in place of 0) costs operations and symmetry later. Only what lies within the tolerance moves, and
only as a whole: entries of a matrix made exact one by one would no longer belong to a rotation.
"""

from __future__ import annotations

import math

from sistel.pose._rotation import Rotation, Vector3, compose, norm, transpose

SNAP = 1e-8
"""How near an angle [rad], or an entry of a matrix or an axis, is to an exact value when it is taken for it."""

_QUARTER = math.pi / 2
_ROUNDING = 1e-14


def exact_angle(angle: float, tolerance: float = SNAP) -> float:
    """The quarter turn that an angle was meant to be, or the angle itself [rad]."""
    turns = round(angle / _QUARTER)
    if tolerance > 0 and abs(turns) <= 8 and abs(angle - turns * _QUARTER) <= tolerance:
        return turns * _QUARTER
    return angle


def exact_angles(angles: Vector3, tolerance: float = SNAP) -> Vector3:
    """Roll, pitch and yaw with quarter turns made exact [rad].

    Where the pitch is ±90° only the difference or the sum of the other two matters, so that may be exact too.
    """
    if tolerance <= 0:
        return angles
    roll, pitch, yaw = (exact_angle(angle, tolerance) for angle in angles)
    if abs(pitch) == _QUARTER and not (_is_quarter(roll) and _is_quarter(yaw)):
        together = exact_angle(roll - yaw if pitch > 0 else roll + yaw, tolerance)
        if _is_quarter(together):
            return together, pitch, 0.0
    return roll, pitch, yaw


def _is_quarter(angle: float) -> bool:
    return angle == round(angle / _QUARTER) * _QUARTER


def exact_rotation(R: Rotation, tolerance: float = SNAP) -> Rotation:
    """A rotation whose entries near 0 and ±1 are exact, if the result is still a rotation; else the rotation itself."""
    if tolerance <= 0:
        return R

    def exact(value: float) -> float:
        nearest = float(round(value))
        return nearest if abs(value - nearest) <= tolerance else value

    a, b, c = ((exact(row[0]), exact(row[1]), exact(row[2])) for row in R)
    snapped: Rotation = (a, b, c)
    return snapped if snapped == R or _defect(snapped) <= _ROUNDING else R


def exact_axis(axis: Vector3, tolerance: float = SNAP) -> Vector3:
    """A unit vector along an axis; components near 0 and ±1 are exact, if it is still a unit vector then."""
    largest = max(map(abs, axis))
    if not 1e-100 < largest < 1e100:
        # The squares of such numbers are none.
        axis = (axis[0] / largest, axis[1] / largest, axis[2] / largest)
    length = norm(axis)
    x, y, z = (component / length + 0.0 for component in axis)
    if tolerance <= 0:
        return x, y, z
    a, b, c = (float(round(v)) if abs(v - round(v)) <= tolerance else v for v in (x, y, z))
    return (a + 0.0, b + 0.0, c + 0.0) if abs(norm((a, b, c)) - 1) <= 4e-16 else (x, y, z)


def _defect(R: Rotation) -> float:
    """How far a matrix is from being orthogonal."""
    product = compose(R, transpose(R))
    return max(abs(product[i][j] - (i == j)) for i in range(3) for j in range(3))
