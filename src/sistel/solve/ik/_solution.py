"""What inverse kinematics gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
class Solution:
    """What inverse kinematics found. Batch axes lead, as those of the targets do."""

    q: Array
    """Coordinates, shape (..., nq) [m or rad]; those that do not move the frame as they were given. Where there is no
    success, those of the nearest pose that can be reached."""
    success: Any
    """Whether the frame is within the tolerances: a bool, or an array of them; by forward kinematics of `q`."""
    residual: Array
    """What is left to do, shape (..., 6): a rotation vector [rad], then a way [m], both in the axes of the target;
    components that are not asked for are 0."""
    nearest: Array
    """The pose of the frame at `q`, shape (..., 4, 4)."""
    iterations: Any
    """How many the attempt took that found it: an int, or an array of them."""
    attempt: Any
    """Which attempt it was: 0 began at the seed, others anywhere within the limits."""
    reason: Any
    """Why there is no success: a `Text` or None; of several targets a tuple of them, in the order of their rows."""
    solutions: Any
    """With `several`: distinct solutions, nearest to the seed first, shape (solutions, nq); of several targets a tuple
    of such arrays. Otherwise None."""
