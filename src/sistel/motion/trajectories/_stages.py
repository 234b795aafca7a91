"""Poses on the way of a gripper to an object, turned in three stages: about x, then y, then z.

The pole goes along the straight line from where it began, in steps of one length, the last one cut at the goal:
p_k = p_C + min(k Δ, d) · (p_D − p_C)/d. The gripper first turns by φ about x, then by ψ about y, then by θ about z, all
of them axes of the frame C that it began in: R_WK = R_WC · Rz(θ_k) · Ry(ψ_k) · Rx(φ_k), each angle growing evenly in
its own stage. The angles are those of R_CD = R_WCᵀ · R_WD. The frame C is that of the beginning and stays: were it read
anew on the way, the steps would start over and the goal would move on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import number, vector
from sistel.motion.trajectories._paths import pose_matrix
from sistel.pose import Pose, roll_pitch_yaw

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


MOST = 1_000_000
"""Poses that may be asked for: more are a mistyped step."""


def staged_waypoints(
    start: ArrayLike | Pose,
    end: ArrayLike | Pose,
    step: float,
    *,
    stages: tuple[int, int] | None = None,
) -> Array:
    """Poses on a straight line, turned in three stages; see the module. The last one is the goal, to the bit.

    Args:
        start: X_WC, shape (4, 4), or a `pose.Pose`: where the gripper is at the beginning.
        end: X_WD, the goal.
        step: Distance between neighbouring points [m].
        stages: Numbers of the poses with which the turns about x and about y end, 0 < k₁ < k₂ < M; thirds unless told.

    Returns:
        X_WK for k = 1 to M, shape (M, 4, 4). M is as many steps as the distance has, and at least 3.

    Raises:
        SistelError: The call is wrong.
    """
    X0, X1 = pose_matrix(start), pose_matrix(end)
    length = number(step, Text("step", "шаг"), positive=True)
    way = X1[:3, 3] - X0[:3, 3]
    distance = float(np.linalg.norm(way))
    if distance / length > MOST:
        refuse("too-many-rows", Text(f"more than {MOST} poses", f"больше {MOST} поз"))
    count = max(3, int(np.ceil(distance / length * (1.0 - 1e-12))))
    thirds = max(1, round(count / 3)), max(2, round(2 * count / 3))
    given = vector(thirds if stages is None else stages, Text("stages", "стадии"), 2)
    first, second = round(given[0]), round(given[1])
    if not 0 < first < second < count:
        message = Text(
            f"stages must keep 0 < {first} < {second} < {count}", f"стадии: нужно 0 < {first} < {second} < {count}"
        )
        refuse("bad-stages", message)
    k = np.arange(1, count + 1)
    made = np.tile(np.eye(4), (count, 1, 1))
    part = np.minimum(k * length / distance, 1.0) if distance > 0.0 else np.ones(count)
    made[:, :3, 3] = X0[:3, 3] + part[:, None] * way
    R_CD = X0[:3, :3].T @ X1[:3, :3]
    phi, psi, theta = roll_pitch_yaw(tuple(tuple(float(x) for x in row) for row in R_CD))  # type: ignore[arg-type]
    parts = (
        np.clip(k / first, 0.0, 1.0),
        np.clip((k - first) / (second - first), 0.0, 1.0),
        np.clip((k - second) / (count - second), 0.0, 1.0),
    )
    x, y, z = _about(0, parts[0] * phi), _about(1, parts[1] * psi), _about(2, parts[2] * theta)
    made[:, :3, :3] = X0[:3, :3] @ z @ y @ x
    made[-1] = X1
    return made


def _about(axis: int, angles: Array) -> Array:
    """Rotations about an axis of the frame, shape (m, 3, 3)."""
    made = np.tile(np.eye(3), (len(angles), 1, 1))
    i, j = (axis + 1) % 3, (axis + 2) % 3
    made[:, i, i] = made[:, j, j] = np.cos(angles)
    made[:, j, i] = np.sin(angles)
    made[:, i, j] = -made[:, j, i]
    return made
