"""Arms by their closed forms: three joints that place a point and a wrist about it; or three parallel axes.

All take M = E₁E₂…Eₙ, the motion from the pose at zero to the one wanted, for many at once, and give all branches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.arms.closed_forms._positions import Joint, places
from sistel.arms.closed_forms._roots import (
    SAMPLES,
    angle_between,
    angle_of,
    cross,
    dot,
    series_angles,
    turned,
    turns,
    two_angles,
)
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
class Wrist:
    """Three joints, then up to three hinges whose axes meet."""

    joints: tuple[Joint, ...]
    centre: Array
    """Where they meet, at zero, shape (3,) [m]."""
    size: float
    """Of the arm [m]."""

    def branches(self, M: Array, seed: Array) -> Array:
        """Coordinates, shape (rows, branches, n); those that do not exist are NaN or lead elsewhere."""
        rows = len(M)
        start = np.broadcast_to(self.centre, (rows, 3))
        goal = M[:, :3, :3] @ self.centre + M[:, :3, 3]
        first, second, third, *wrist = self.joints
        q = places((first, second, third), start, goal, seed[:, :3], self.size)
        if not wrist:
            return q
        R = np.broadcast_to(M[:, None, :3, :3], (*q.shape[:2], 3, 3))
        for k in range(3):
            if self.joints[k].hinge:
                R = turns(self.joints[k].axis, -q[..., k]) @ R
        ends = _wrist([joint.axis for joint in wrist], R, seed[:, None, 3:])
        if ends.ndim == 4:  # two ways of the wrist to each of the arm
            q = np.repeat(q[:, :, None], ends.shape[2], axis=2)
        return np.concatenate([q, ends], axis=-1).reshape(rows, -1, len(self.joints))


def _wrist(axes: list[Array], R: Array, seed: Array) -> Array:
    """Angles about axes that make a rotation, shape (..., angles), of three axes (..., 2, angles)."""
    if len(axes) == 1:
        return angle_of(axes[0], R)[..., None]
    if len(axes) == 2:
        along = R @ axes[1]
        one = angle_between(axes[0], np.broadcast_to(axes[1], along.shape), along, 1.0, seed[..., 0])
        return np.stack([one, angle_of(axes[1], turns(axes[0], -one) @ R)], axis=-1)
    a, b, c = axes
    along = R @ c
    level = float(b @ c)
    f = c - level * b
    two = two_angles(a @ f, a @ np.cross(b, c), along @ a - float(a @ b) * level, 1.0, np.zeros(()))
    bent = turned(b, two, np.broadcast_to(c, (*two.shape, 3)))
    one = angle_between(a, bent, along[..., None, :], 1.0, np.broadcast_to(seed[..., 0:1], two.shape))
    rest = turns(b, -two) @ turns(a, -one) @ R[..., None, :, :]
    return np.stack([one, two, angle_of(c, rest)], axis=-1)


@record
class Parallel:
    """A hinge, three hinges with parallel axes, then one hinge or two."""

    joints: tuple[Joint, ...]
    centre: Array | None
    """A point of the fifth axis, and of the sixth, shape (3,) [m]; None where they do not meet."""
    size: float
    """Of the arm [m]."""

    def branches(self, M: Array, seed: Array) -> Array:
        """Coordinates, shape (rows, branches, n); those that do not exist are NaN or lead elsewhere."""
        joints, n = self.joints, self.joints[1].axis
        base, elbow, last = joints[1:4]
        q1, ends, R, shift = self._ends(M, seed)
        five, tail = joints[4], turns(joints[4].axis, ends[0])
        # Where a point of the fourth axis has to be: what is behind it is undone.
        point = five.backwards().moved(ends[0], np.broadcast_to(last.point, (*q1.shape, 3)))
        if len(ends) == 2:
            tail = tail @ turns(joints[5].axis, ends[1])
            point = joints[5].backwards().moved(ends[1], point)
        there = (R @ point[..., None])[..., 0] + shift
        total = angle_of(n, R @ np.swapaxes(tail, -1, -2))
        gap = there - base.point
        gap = gap - dot(gap, n)[..., None] * n
        e, f = _flat(elbow.point - base.point, n), _flat(last.point - elbow.point, n)
        g: Array = np.cross(elbow.axis, f)
        rest = dot(gap, gap) - float(e @ e + f @ f)
        usual = np.broadcast_to(seed[:, None, 2], rest.shape)
        q3 = two_angles(2.0 * np.array(e @ f), 2.0 * np.array(e @ g), rest, self.size**2, usual)
        arm = e + np.cos(q3)[..., None] * f + np.sin(q3)[..., None] * g
        usual = np.broadcast_to(seed[:, None, None, 1], q3.shape)
        q2 = angle_between(base.axis, arm, np.broadcast_to(gap[..., None, :], arm.shape), self.size, usual)
        elbow_side, last_side = float(elbow.axis @ n), float(last.axis @ n)
        q4 = (total[..., None] - q2 - elbow_side * q3) * last_side
        wide = [np.broadcast_to(each[..., None], q3.shape) for each in (q1, *ends)]
        return np.stack([wide[0], q2, q3, q4, *wide[1:]], axis=-1).reshape(len(M), -1, len(joints))

    def _ends(self, M: Array, seed: Array) -> tuple[Array, list[Array], Array, Array]:
        """The first joint and those behind the parallel ones, shape (rows, branches); the motion that they leave."""
        n, five = self.joints[1].axis, self.joints[4].axis
        if len(self.joints) == 5:
            q1 = self._firsts(M, seed)
            R, shift = self._behind(M, q1)
            seen = np.swapaxes(R, -1, -2) @ n
            return q1, [angle_between(five, seen, np.broadcast_to(n, seen.shape), 1.0, seed[:, None, 4])], R, shift
        six = self.joints[5].axis
        if self.centre is None:
            q1, q6 = self._apart(M)
            R, shift = self._behind(M, q1)
            seen = turned(six, q6, np.swapaxes(R, -1, -2) @ n)
            q5 = angle_between(five, seen, np.broadcast_to(n, seen.shape), 1.0, seed[:, None, 4])
            return q1, [q5, q6], R, shift
        firsts = self._firsts(M, seed)
        level = float(five @ six)
        k = (self._behind(M, firsts)[0] @ six) @ n - float(n @ five) * level
        pair = two_angles(n @ (six - level * five), n @ np.cross(five, six), k, 1.0, np.zeros(()))
        q1, q5 = np.repeat(firsts, 2, axis=1), pair.reshape(len(M), -1)
        R, shift = self._behind(M, q1)
        wanted = turned(five, -q5, np.broadcast_to(n, (*q5.shape, 3)))
        seen = np.swapaxes(R, -1, -2) @ n
        return q1, [q5, angle_between(six, seen, wanted, 1.0, seed[:, None, 5])], R, shift

    def _behind(self, M: Array, q1: Array) -> tuple[Array, Array]:
        """The motion without that of the first joint: rotations, and what is added."""
        first = self.joints[0]
        back = turns(first.axis, -q1)
        shift = first.point + (back @ (M[:, None, :3, 3] - first.point)[..., None])[..., 0]
        return back @ M[:, None, :3, :3], shift

    def _apart(self, M: Array) -> tuple[Array, Array]:
        """The first and the sixth joint where the fifth and sixth axes do not meet, shape (rows, 8).

        What the fifth joint leaves, its axis and a point of it, keeps its direction and its height along the parallel
        axes: two equations that are linear in the cosine and sine of the first angle, and of the sixth. The first is
        eliminated, and a series of four harmonics is left for the sixth.
        """
        n, first, five, six = self.joints[1].axis, self.joints[0], self.joints[4], self.joints[5]
        grid = np.broadcast_to(np.arange(SAMPLES) * (2.0 * np.pi / SAMPLES), (len(M), SAMPLES))

        def equations(q6: Array) -> tuple[tuple[Array, Array, Array], tuple[Array, Array, Array]]:
            axis = turned(six.axis, -q6, np.broadcast_to(five.axis, (*q6.shape, 3)))
            point = six.backwards().moved(q6, np.broadcast_to(five.point, (*q6.shape, 3)))
            v = (M[:, None, :3, :3] @ axis[..., None])[..., 0]
            y = (M[:, None, :3, :3] @ point[..., None])[..., 0] + M[:, None, :3, 3] - first.point
            height = float(n @ (five.point - first.point))
            return self._level(v, float(n @ five.axis)), self._level(y / self.size, height / self.size)

        def eliminated(q6: Array) -> tuple[Array, Array, Array]:
            (a, b, k), (c, d, h) = equations(q6)
            return k * d - h * b, a * h - c * k, a * d - c * b

        x, y, z = eliminated(grid)
        q6 = series_angles(x * x + y * y - z * z)
        x, y, z = eliminated(q6)
        return np.arctan2(y * np.sign(z), x * np.sign(z)), q6

    def _level(self, y: Array, height: float) -> tuple[Array, Array, Array]:
        """Parts a, b, k of a cos q + b sin q = k: what is y now has that height along the parallel axes before."""
        z, n = self.joints[0].axis, self.joints[1].axis
        along = dot(y, z)
        across = y - along[..., None] * z
        return across @ n, -(cross(z, y) @ n), height - float(n @ z) * along

    def _firsts(self, M: Array, seed: Array) -> Array:
        """Both angles of the first joint: those that bring the centre to its height along the parallel axes."""
        first, n = self.joints[0], self.joints[1].axis
        assert self.centre is not None, "axes that do not meet have another way"
        y = M[:, :3, :3] @ self.centre + M[:, :3, 3] - first.point
        usual = seed[:, 0]
        if len(self.joints) == 5:
            # Five joints: where the centre is on the first axis, the direction of the fifth decides.
            h = M[:, :3, :3] @ self.joints[4].axis
            usual = self._pair(h, float(n @ self.joints[4].axis), 1.0, usual)
            across = y - dot(y, first.axis)[:, None] * first.axis
            flat = np.sqrt(dot(across, across)) <= 1e-9 * self.size
            found = self._pair(y, float(n @ (self.centre - first.point)), self.size, usual[:, 0])
            return np.where(flat[:, None], usual, found)
        return self._pair(y, float(n @ (self.centre - first.point)), self.size, usual)

    def _pair(self, y: Array, height: float, size: float, usual: Array) -> Array:
        """Angles of the first joint for which what is y now is so high along the parallel axes before."""
        return two_angles(*self._level(y, height), size, usual)


def _flat(v: Array, n: Array) -> Array:
    return np.asarray(v - float(v @ n) * n)
