"""The axes of X3D, y up, from those of a system."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Model
from sistel.pose import IDENTITY, Rotation, from_axis_angle

if TYPE_CHECKING:
    from sistel.arrays import Array


def up_frame(model: Model) -> Rotation:
    """R_XW: the axes of X3D, y up, from those of the system.

    Planar systems have y down and z away from who looks: half a turn about x. Spatial ones have their gravity, and z up
    where there is none; the turn is the one about a horizontal axis, so that x stays to the right where it can.
    """
    if model.planar:
        return from_axis_angle((1.0, 0.0, 0.0), math.pi)
    up = -np.array(model.gravity)
    length = float(np.linalg.norm(up))
    up = up / length if length > 0.0 else np.array((0.0, 0.0, 1.0))
    if abs(up[2] - 1.0) < 1e-12:
        return from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2)
    if abs(up[1] - 1.0) < 1e-12:
        return IDENTITY
    right = np.array((1.0, 0.0, 0.0)) if abs(up[0]) < 0.9 else np.array((0.0, 1.0, 0.0))
    right = right - up * (right @ up)
    right /= np.linalg.norm(right)
    towards = np.cross(right, up)
    return rotation_of(np.stack([right, up, towards]))


def rotation_of(R: Array) -> Rotation:
    """A matrix as plain numbers."""
    a, b, c = R.tolist()
    return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))
