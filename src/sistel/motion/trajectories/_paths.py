"""Ways of a body in space: straight lines, arcs, screws; and how it goes along them in time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import finite, locked, number, vector
from sistel.motion.trajectories._limits import Limits, are_limits
from sistel.motion.trajectories._moves import fastest_move
from sistel.motion.trajectories._timed import Timed
from sistel.motion.trajectories._trajectory import Trajectory
from sistel.pose import Pose, apart, conjugate, homogeneous, multiply, to_screw
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.motion.trajectories._table import MotionTable


POSE_NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")
"""Columns of a table of poses: the place and the unit quaternion."""


@record
class Path:
    """A way of body B in space W, by its part s from 0 to 1.

    The pole moves by s · `move` and turns by s · `angle` about an axis that `arm` leads from; the body turns by
    s · `turn`. A line has no arm, an arc no move, and a screw turns the body with its arm. The second half is told
    from the end, so that both ends are met to the bit.
    """

    start: Array
    """X_WB at s = 0, shape (4, 4)."""
    end: Array
    """X_WB at s = 1, shape (4, 4)."""
    move: Array
    """In W, shape (3,) [m]."""
    arm: Array
    """From the axis to the pole at s = 0, at right angles to it, in W, shape (3,) [m]."""
    axis: Array
    """Unit vector in W, shape (3,)."""
    angle: float
    """[rad]"""
    turn: Array
    """Rotation vector of the body from the start to the end in W, shape (3,) [rad]."""

    @property
    def length(self) -> float:
        """Of the way of the pole [m]."""
        return float(np.hypot(np.linalg.norm(self.move), self.angle * np.linalg.norm(self.arm)))

    @property
    def turning(self) -> float:
        """Angle by which the body turns [rad]."""
        return float(np.linalg.norm(self.turn))

    def pose(self, s: ArrayLike) -> Array:
        """X_WB at parts of the way, shape (..., 4, 4)."""
        part = finite(s, Text("parts of the way", "доли пути"))
        near, far = self._half(part, self.start, self.arm), self._half(part - 1.0, self.end, self._end_arm())
        made: Array = np.where((part <= 0.5)[..., None, None], near, far)
        return made

    def derivatives(self, s: ArrayLike) -> tuple[Array, Array, Array]:
        """First, second and third derivatives of the place of the pole by s in W, each shape (..., 3) [m]."""
        part = finite(s, Text("parts of the way", "доли пути"))
        arm = _turned(self.arm, self.axis, part * self.angle)
        across = np.cross(self.axis, arm)
        return self.move + self.angle * across, -(self.angle**2) * arm, -(self.angle**3) * across

    def _end_arm(self) -> Array:
        return _turned(self.arm, self.axis, np.asarray(self.angle))

    def _half(self, part: Array, base: Array, arm: Array) -> Array:
        q, p = apart(base)
        place = p + part[..., None] * self.move + (_swing(arm, self.axis, part * self.angle))
        size = self.turning
        half = 0.5 * size * part
        axis = self.turn / size if size > 0.0 else self.turn
        by = np.concatenate([np.cos(half)[..., None], np.sin(half)[..., None] * axis], axis=-1)
        X = homogeneous(multiply(by, q), place)
        still = (half == 0.0) & (part == 0.0)
        X[still] = base
        return X


def line_path(start: ArrayLike | Pose, end: ArrayLike | Pose) -> Path:
    """A straight line of the pole, while the body turns about one axis the shortest way (slerp).

    Args:
        start: X_WB, shape (4, 4), or a `pose.Pose`.
        end: X_WB, shape (4, 4), or a `pose.Pose`.
    """
    X0, X1 = pose_matrix(start), pose_matrix(end)
    zero = np.zeros(3)
    return _path(X0, X1, move=X1[:3, 3] - X0[:3, 3], arm=zero, axis=np.array([0.0, 0.0, 1.0]), angle=0.0)


def arc_path(start: ArrayLike | Pose, through: ArrayLike, end: ArrayLike | Pose) -> Path:
    """An arc of a circle through three points, while the body turns about one axis the shortest way.

    Args:
        start: X_WB, shape (4, 4), or a `pose.Pose`.
        through: A point on the way, shape (3,) [m].
        end: X_WB, shape (4, 4), or a `pose.Pose`.

    Raises:
        SistelError: The three points are on one line.
    """
    X0, X1 = pose_matrix(start), pose_matrix(end)
    middle = vector(through, Text("point on the way", "точка на пути"), 3)
    u, w = middle - X0[:3, 3], X1[:3, 3] - X0[:3, 3]
    normal = np.cross(u, w)
    size = float(np.linalg.norm(normal))
    if size <= 1e-9 * float(np.linalg.norm(u)) * float(np.linalg.norm(w)) or np.array_equal(middle, X1[:3, 3]):
        message = Text(
            "the three points are on one line: no arc goes through them", "три точки на одной прямой: дуги нет"
        )
        refuse("no-arc", message)
    axis = normal / size
    # The centre, from the start: at right angles to the halves of both chords.
    centre = np.cross(w @ w * u - u @ u * w, normal) / (-2.0 * size**2)
    arm = -centre
    last = w - centre
    angle = float(np.arctan2(axis @ np.cross(arm, last), arm @ last))
    # The middle point comes first on the way about the normal of start → middle → end, so that way is positive.
    if angle <= 0.0:
        angle += 2.0 * np.pi
    return _path(X0, X1, move=np.zeros(3), arm=arm, axis=axis, angle=angle)


def screw_path(start: ArrayLike | Pose, end: ArrayLike | Pose) -> Path:
    """A turn about one line in space and a move along it, the one displacement that leads there (Chasles).

    Args:
        start: X_WB, shape (4, 4), or a `pose.Pose`.
        end: X_WB, shape (4, 4), or a `pose.Pose`.
    """
    X0, X1 = pose_matrix(start), pose_matrix(end)
    q0, p0 = apart(X0)
    q1, p1 = apart(X1)
    by = multiply(q1, conjugate(q0))
    # The displacement with the start as origin: a line far from W costs no digits.
    screw = to_screw(homogeneous(by, p1 - p0))
    axis = np.asarray(screw.axis, dtype=float)
    return _path(
        X0, X1, move=float(screw.distance) * axis, arm=-np.asarray(screw.point), axis=axis, angle=float(screw.angle)
    )


def _path(X0: Array, X1: Array, *, move: Array, arm: Array, axis: Array, angle: float) -> Path:
    q0, q1 = apart(X0)[0], apart(X1)[0]
    screw = to_screw(homogeneous(multiply(q1, conjugate(q0)), np.zeros(3)))
    rows = {"start": X0, "end": X1, "move": move, "arm": arm, "axis": axis, "turn": screw.axis * screw.angle}
    return Path(angle=angle, **{name: locked(row) for name, row in rows.items()})


def pose_matrix(given: ArrayLike | Pose) -> Array:
    """X_WB, shape (4, 4), of what a user takes for a pose."""
    if isinstance(given, Pose):
        given = given.matrix
    X = finite(given, Text("pose", "поза"))
    if X.shape != (4, 4):
        shape = " × ".join(str(n) for n in X.shape)
        message = Text(f"pose: wrong shape {shape}", f"поза: размер {shape}")
        refuse("wrong-shape", message, expected=Text("a matrix 4 × 4 or a Pose", "матрица 4 × 4 или Pose"))
    apart(X)  # refuses what does not turn and move
    return X


def _swing(arm: Array, axis: Array, angle: Array) -> Array:
    """How an arm at right angles to an axis changes by a turn, without the difference of near vectors."""
    half = np.sin(0.5 * angle)[..., None]
    made: Array = np.sin(angle)[..., None] * np.cross(axis, arm) - 2.0 * half * half * arm
    return made


def _turned(arm: Array, axis: Array, angle: Array) -> Array:
    return arm + _swing(arm, axis, angle)


@record
class PoseTrajectory(Timed):
    """A body that goes along a path as a profile of time says. Called with times, it gives poses, twists and rates."""

    path: Path
    profile: Trajectory
    """The part of the way, from 0 to 1, as a motion of one coordinate."""

    @property
    def t0(self) -> float:
        """When it begins [s]."""
        return self.profile.t0

    @property
    def t1(self) -> float:
        """When it ends [s]."""
        return self.profile.t1

    def __call__(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        """Poses, velocities and accelerations at some times.

        Args:
            t: Times, any shape [s].

        Returns:
            X_WB, shape (..., 4, 4); then angular velocity and velocity of the pole in W, shape (..., 6)
            [rad/s, m/s]; then their rates, shape (..., 6) [rad/s², m/s²].
        """
        s, v, a = self.profile(t)
        first, second, _ = self.path.derivatives(s[..., 0])
        twist = np.concatenate([v * self.path.turn, v * first], axis=-1)
        rate = np.concatenate([a * self.path.turn, a * first + v * v * second], axis=-1)
        return self.path.pose(s[..., 0]), twist, rate

    def jerk(self, t: ArrayLike) -> Array:
        """Rates of the accelerations, shape (..., 6) [rad/s³, m/s³]."""
        s, v, a = self.profile(t)
        j = self.profile.jerk(t)
        first, second, third = self.path.derivatives(s[..., 0])
        return np.concatenate([j * self.path.turn, j * first + 3.0 * v * a * second + v**3 * third], axis=-1)

    def table(self, every: float) -> MotionTable:
        """Places and quaternions at equal steps of time, the end included.

        Neighbouring quaternions are on one side, so that the columns do not jump.

        Args:
            every: Step of time [s].
        """
        from sistel.motion.trajectories._table import motion_table

        times = self.profile.table(every).times
        q, p = apart(self.path.pose(self.profile(times)[0][:, 0]))
        signs = np.sign(np.einsum("ij,ij->i", q[1:], q[:-1]))
        q[1:] *= np.cumprod(np.where(signs == 0.0, 1.0, signs))[:, None]
        units = ("m",) * 3 + ("",) * 4
        return motion_table(times, np.concatenate([p, q], axis=1), names=POSE_NAMES, units=units)


def along(
    path: Path,
    profile: Trajectory | Callable[..., Trajectory] | None = None,
    *,
    limits: Limits | None = None,
    turn_limits: Limits | None = None,
    t0: float = 0.0,
) -> PoseTrajectory:
    """A body that goes along a path, in a time of its own.

    Args:
        path: Where it goes.
        profile: A motion of one coordinate from 0 to 1, the part of the way; or what makes one of a start and an end,
            such as ``lambda start, end: polynomial_move(start, end, 2.0)``.
        limits: Without a profile: of the speed, acceleration and jerk of the pole [m/s, m/s², m/s³]. On an arc they
            hold for the whole vectors, the parts towards the centre included.
        turn_limits: Of the turning of the body, in the same way [rad/s, rad/s², rad/s³].
        t0: When it begins [s].

    Raises:
        SistelError: The call is wrong.
    """
    if profile is None:
        if limits is None and turn_limits is None:
            refuse("no-duration", Text("give a profile or limits", "задайте профиль или пределы"))
        held = _part_limits(path, *(None if each is None else are_limits(each) for each in (limits, turn_limits)))
        moves = path.length > 0.0 or path.turning > 0.0
        made = fastest_move([0.0], [1.0], held, t0=t0) if moves else fastest_move([1.0], [1.0], held, t0=t0)
        return PoseTrajectory(path=path, profile=made)
    made = profile if isinstance(profile, Trajectory) else profile(0.0, 1.0)
    if len(made.names) != 1:
        refuse("wrong-shape", Text("a profile moves one coordinate", "профиль движет одну координату"))
    report = made.limits_report()
    if report.position.lowest[0] < -1e-9 or report.position.highest[0] > 1.0 + 1e-9:
        refuse("bad-profile", Text("the profile leaves the way from 0 to 1", "профиль выходит за путь от 0 до 1"))
    return PoseTrajectory(path=path, profile=made)


def _part_limits(path: Path, limits: Limits | None, turn_limits: Limits | None) -> Limits:
    """Limits of the part of the way that keep those of the pole and of the turning."""
    velocity = acceleration = deceleration = jerk = np.inf
    length, radius, angle = path.length, float(np.linalg.norm(path.arm)), abs(path.angle)
    bent = radius * angle**2
    if limits is not None and length > 0.0:
        v, a, d, j = (float(row[0]) for row in limits.over(1))
        velocity, acceleration, deceleration, jerk = v / length, a / length, d / length, j / length
        if bent > 0.0:
            # Along the way and towards the centre are at right angles: 1/√2 of the limit for each. The jerk has
            # j L + ω² V³ L along and 3 V A towards the centre: 1/2, 1/4 and √(1 − 9/16) of the limit.
            share = 0.5**0.5
            acceleration, deceleration = share * acceleration, share * deceleration
            velocity = min(velocity, (share * min(a, d) / bent) ** 0.5)
            if np.isfinite(j):
                velocity = min(velocity, (0.25 * j / (angle**3 * radius)) ** (1 / 3))
                jerk *= 0.5
                most = (7 / 16) ** 0.5 * j / (3.0 * bent * velocity)
                acceleration, deceleration = min(acceleration, most), min(deceleration, most)
    if turn_limits is not None and path.turning > 0.0:
        v, a, d, j = (float(row[0]) / path.turning for row in turn_limits.over(1))
        velocity, acceleration = min(velocity, v), min(acceleration, a)
        deceleration, jerk = min(deceleration, d), min(jerk, j)
    if not np.isfinite(acceleration):
        # Nothing that is limited moves.
        if path.length > 0.0 or path.turning > 0.0:
            message = Text("what moves on this path has no limits", "у того, что движется по этому пути, нет пределов")
            refuse("no-duration", message)
        acceleration = deceleration = 1.0
    return Limits(velocity, acceleration, None if np.isinf(jerk) else jerk, deceleration)


def waypoints(path: Path, count: int) -> Array:
    """Poses at equal parts of a path, both ends included, shape (count, 4, 4)."""
    wanted = number(count, Text("count", "число поз"))
    if wanted < 2 or wanted != int(wanted):
        refuse("wrong-shape", Text("at least 2 poses are needed", "нужно хотя бы 2 позы"))
    return path.pose(np.linspace(0.0, 1.0, int(wanted)))
