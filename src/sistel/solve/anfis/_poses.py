"""Poses as inputs of networks, and how far one pose is from another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.solve.anfis._checks import as_numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


Orientation = Literal["angles", "axes", "none"]
"""How a network is told where the tool looks: by three angles, by two axes, or not at all."""
NAMES: dict[str, tuple[str, ...]] = {
    "angles": ("x", "y", "z", "roll", "pitch", "yaw"),
    "axes": ("x", "y", "z", "nx", "ny", "nz", "ax", "ay", "az"),
    "none": ("x", "y", "z"),
}
"""What the inputs are called."""
SKEW = 1e-6
"""How far a rotation matrix may be from an orthonormal one: a file with seven digits still gives one."""


def as_poses(target: ArrayLike, orientation: Orientation) -> Array:
    """Poses, shape (..., 4, 4), checked; points, shape (..., 3), where the orientation does not matter."""
    poses = as_numbers(target, "target")
    if orientation == "none" and poses.ndim and poses.shape[-1] == 3:
        whole = np.broadcast_to(np.eye(4), (*poses.shape[:-1], 4, 4)).copy()
        whole[..., :3, 3] = poses
        return whole
    if poses.ndim < 2 or poses.shape[-2:] != (4, 4):
        refuse(
            "bad-pose",
            Text(f"a target has the shape {poses.shape}", f"цель имеет форму {poses.shape}"),
            expected=Text("shape (..., 4, 4)", "форма (..., 4, 4)")
            if orientation != "none"
            else Text("shape (..., 4, 4) or (..., 3)", "форма (..., 4, 4) или (..., 3)"),
        )
    R = poses[..., :3, :3]
    skew = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(initial=0.0)
    if skew > SKEW or (np.linalg.det(R) < 0).any() or np.abs(poses[..., 3, :] - [0, 0, 0, 1]).max(initial=0.0) > SKEW:
        refuse(
            "bad-pose",
            Text("a target is no pose", "цель — не положение с ориентацией"),
            expected=Text(
                "orthonormal right-handed axes, the last row 0 0 0 1",
                "ортонормированные правые оси, последняя строка 0 0 0 1",
            ),
        )
    return poses


def inputs_of(poses: Array, orientation: Orientation, middle: Array) -> Array:
    """Numbers that tell a network of poses, shape (..., 3, 6 or 9), see `NAMES` [m, rad]."""
    p = poses[..., :3, 3]
    R = poses[..., :3, :3]
    if orientation == "none":
        return p
    if orientation == "axes":
        return np.concatenate([p, R[..., :, 0], R[..., :, 2]], axis=-1)
    # Angles jump by a turn somewhere: opposite to the middle of the data, where there are the fewest.
    return np.concatenate([p, middle + wrapped(angles_of(R) - middle)], axis=-1)


def angles_of(R: Array) -> Array:
    """Roll, pitch and yaw of R = Rz(yaw) Ry(pitch) Rx(roll), shape (..., 3) [rad]."""
    roll = np.arctan2(R[..., 2, 1], R[..., 2, 2])
    pitch = np.arctan2(-R[..., 2, 0], np.hypot(R[..., 0, 0], R[..., 1, 0]))
    yaw = np.arctan2(R[..., 1, 0], R[..., 0, 0])
    return np.stack([roll, pitch, yaw], axis=-1)


def middle_of(angles: Array) -> Array:
    """Mean directions of columns of angles [rad]."""
    return np.asarray(np.arctan2(np.sin(angles).mean(axis=0), np.cos(angles).mean(axis=0)))


def wrapped(angle: Array) -> Array:
    """The same angle from -π to π [rad]."""
    return np.asarray(np.remainder(angle + np.pi, 2.0 * np.pi) - np.pi)


def place_errors(found: Array, wanted: Array) -> Array:
    """Distances of origins, shape (...) [m]."""
    return np.asarray(np.linalg.norm(found[..., :3, 3] - wanted[..., :3, 3], axis=-1))


def turn_errors(found: Array, wanted: Array) -> Array:
    """Angles between orientations, shape (...) [rad]."""
    between = np.swapaxes(found[..., :3, :3], -1, -2) @ wanted[..., :3, :3]
    # The sine is sharp for small angles, the cosine for great ones.
    sine = 0.5 * np.sqrt(
        (between[..., 2, 1] - between[..., 1, 2]) ** 2
        + (between[..., 0, 2] - between[..., 2, 0]) ** 2
        + (between[..., 1, 0] - between[..., 0, 1]) ** 2
    )
    cosine = 0.5 * (np.trace(between, axis1=-2, axis2=-1) - 1.0)
    return np.asarray(np.arctan2(sine, cosine))
