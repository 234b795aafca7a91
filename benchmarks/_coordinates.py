"""States and results between sistel's coordinates and those of another engine: their v = T(q) · ours, T orthogonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from _robots import HIPS, Pair, States


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """Rows of states as another engine sees them, and its results as sistel gives them."""

    q: Any
    v: Any
    a: Any
    tau: Any
    T: Any
    """Shape (rows, nv, nv)."""
    drift: Any
    """Derivative of T by time, times our v: shape (rows, nv)."""
    p_shift: Any
    """What to add to their places, where a planar system lies beside its plane [m]."""

    def forces(self, theirs: Any) -> Any:
        """Generalized forces in our coordinates."""
        return np.einsum("nji,nj->ni", self.T, theirs)

    def accelerations(self, theirs: Any) -> Any:
        """Accelerations in our coordinates."""
        return np.einsum("nji,nj->ni", self.T, theirs - self.drift)

    def matrices(self, theirs: Any) -> Any:
        """Mass matrices in our coordinates."""
        return np.einsum("nji,njk,nkl->nil", self.T, theirs, self.T, optimize=True)

    def frames(self, R: Any, p: Any, J: Any) -> tuple[Any, Any]:
        """Poses (3 × 4) and Jacobians as ours; theirs are linear first, in world axes, about the frame's origin."""
        pose = np.concatenate([R, (p + self.p_shift)[:, :, None]], axis=2)
        return pose, np.einsum("nij,njk->nik", J, self.T)[:, [3, 4, 5, 0, 1, 2]]


def pinocchio_coordinates(pair: Pair, states: States) -> Coordinates:
    """As Pinocchio has them: a planar base moves along its own axes and holds cos and sin of its angle."""
    q, (T, drift) = states.q, _reordered(pair, states)
    if pair.robot.base == "planar":
        c, s, (x, y, w) = np.cos(q[:, 2]), np.sin(q[:, 2]), states.v[:, :3].T
        T[:, 0, 0], T[:, 0, 1], T[:, 1, 0], T[:, 1, 1] = c, s, -s, c
        drift[:, 0], drift[:, 1] = w * (-s * x + c * y), w * (-c * x - s * y)
        q = np.concatenate([q[:, :2], c[:, None], s[:, None], q[:, 3:]], axis=1)
    else:
        q = q[:, pair.q_order]
    return _coordinates(pair, states, q, T, drift)


def mujoco_coordinates(pair: Pair, states: States) -> Coordinates:
    """As MuJoCo has them, joints in Pinocchio's order: a free base's origin moves along the axes of the world."""
    q, (T, drift) = states.q, _reordered(pair, states)
    if pair.robot.base == "free":
        R, w, v = rotations(q[:, :4]), states.v[:, :3], states.v[:, 3:6]
        T[:, :3, 3:6] = R
        drift[:, :3] = np.einsum("nij,nj->ni", R, np.cross(w, v))
        q = q[:, [*pair.q_order[:3], 0, 1, 2, 3, *pair.q_order[7:]]]
    elif pair.robot.base == "fixed":
        q = q[:, pair.q_order]
    return _coordinates(pair, states, q, T, drift)


def _reordered(pair: Pair, states: States) -> tuple[Any, Any]:
    count, nv = states.v.shape
    T = np.zeros((count, nv, nv))
    T[:, np.arange(nv), pair.order] = 1.0
    return T, np.zeros((count, nv))


def _coordinates(pair: Pair, states: States, q: Any, T: Any, drift: Any) -> Coordinates:
    v, a, tau = (np.einsum("nij,nj->ni", T, rows) for rows in (states.v, states.a, states.tau))
    rows = (np.ascontiguousarray(block) for block in (q, v, a + drift, tau))
    return Coordinates(*rows, T, drift, np.array([0.0, 0.0, HIPS if pair.robot.base == "planar" else 0.0]))


def rotations(quaternions: Any) -> Any:
    """Matrices of unit quaternions (w, x, y, z)."""
    w, x, y, z = quaternions.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
