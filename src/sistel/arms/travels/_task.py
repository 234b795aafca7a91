"""What a tool is asked for on its way: rows of its Jacobian, what is left, and rates of the joints, for many postures.

For a task with rows A = S J, where S picks what is asked for, the rates are the least that do it:

    q̇ = A⁺ b,   q̈ = A⁺ (c − S J̇ q̇) + (1 − A⁺ A) Ȧᵀ λ,   λ = (A Aᵀ)⁻¹ b

where b and c are what is asked of the velocity and of the acceleration. Where the joints are just enough, the last term
vanishes; where there are more, it is what makes q̈ the derivative of q̇.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from sistel.records import entry

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Model


Task = Literal["pose", "position", "pointing"]
TASKS: tuple[Task, ...] = ("pose", "position", "pointing")

POSTURES = 8
"""In which the joints of an arm are counted."""
LONGEST = 1.0
"""Of a step of Newton's method, in every joint [m or rad]."""


class Arm(Protocol):
    """A system of bodies, as far as motions along a trajectory need one."""

    @property
    def model(self) -> Model:
        """The description."""

    def pose(self, q: ArrayLike, name: str) -> Array:
        """Shape (..., 4, 4)."""

    def jacobian(self, q: ArrayLike, name: str) -> Array:
        """Shape (..., 6, nv)."""

    def jacobian_rate(self, q: ArrayLike, v: ArrayLike, name: str) -> Array:
        """Shape (..., 6, nv)."""

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Array:
        """Shape (..., nv)."""

    def applied_forces(self, q: ArrayLike, v: ArrayLike, *, t: ArrayLike = 0.0) -> Array:
        """Shape (..., nv)."""

    def reactions(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, applied: bool = False, t: ArrayLike = 0.0
    ) -> Any:
        """By name, shape (..., 6)."""

    def energies(self, q: ArrayLike, v: ArrayLike) -> tuple[Array, Array]:
        """Kinetic and potential."""

    @property
    def inverse_kinematics(self) -> Callable[..., Any]:
        """Coordinates that bring a frame to a pose."""


@entry
class Tool:
    """What is led along a way, and how much of it."""

    arm: Arm
    frame: str
    task: Task
    spare: bool
    """Whether there are more joints than the task needs."""

    def pose(self, q: Array) -> Array:
        """Shape (n, 4, 4)."""
        return self.arm.pose(q, self.frame)

    def jacobian(self, q: Array) -> Array:
        """Shape (n, 6, nv)."""
        return self.arm.jacobian(q, self.frame)


def tool_of(arm: Arm, frame: str, task: Task) -> Tool:
    """A tool, its joints counted against the greatest rank of the rows in some postures: any one may be singular."""
    q = np.random.default_rng(1).uniform(-1.0, 1.0, size=(POSTURES, arm.model.nq))
    A = rows_of(task, arm.jacobian(q, frame), arm.pose(q, frame))
    rank = int(np.linalg.matrix_rank(A, tol=1e-9).max())
    return Tool(arm, frame, task, len(carrying(arm.model, frame)) > rank)


def carrying(model: Model, frame: str) -> list[int]:
    """Velocities of the joints that carry a frame."""
    found: list[int] = []
    number = model.place_of(frame)[0]
    while number:
        body = model.bodies[number - 1]
        found += range(body.first_v, body.first_v + body.joint.type.nv)
        number = body.base
    return sorted(found)


def left_over(task: Task, wanted: Array, found: Array) -> Array:
    """What is left from poses to wanted ones, as small turns and ways, shape (n, rows) [rad and m].

    The turns are half the sum of the crossed axes: the turn itself where it is small, as at the end of a search.
    """
    ways = wanted[:, :3, 3] - found[:, :3, 3]
    if task == "position":
        return np.asarray(ways)
    if task == "pointing":
        z = found[:, :3, 2]
        turns: Array = np.einsum("nij,ni->nj", found[:, :3, :2], np.cross(z, wanted[:, :3, 2]))
    else:
        turns = 0.5 * np.cross(found[:, :3, :3], wanted[:, :3, :3], axis=1).sum(axis=2)
    return np.concatenate([turns, ways], axis=1)


def rows_of(task: Task, J: Array, X: Array) -> Array:
    """The rows of Jacobians that a task asks for, shape (n, rows, nv); turns about x and y of the tool for pointing."""
    if task == "pose":
        return J
    if task == "position":
        return J[:, 3:]
    return np.concatenate([np.einsum("nij,nik->njk", X[:, :3, :2], J[:, :3]), J[:, 3:]], axis=1)


def speed(tool: Tool, q: Array, asked: tuple[Array, ...]) -> Array:
    """Velocities alone of one posture, as `rates` gives them, shape (nv,)."""
    A = rows_of(tool.task, tool.jacobian(q[None]), asked[0])[0]
    return np.asarray(np.linalg.lstsq(A, _picked(tool.task, asked[1], asked[0])[0], rcond=None)[0])


def rates(tool: Tool, q: Array, asked: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
    """Velocities and accelerations of the joints, and what of the velocity asked for they do not give.

    Args:
        tool: What is led.
        q: Postures at the poses asked for, shape (n, nq).
        asked: Poses, twists and their rates, as a `PoseTrajectory` gives them.

    Returns:
        v and a, each shape (n, nv), and the rest of the twist, shape (n,) [rad/s and m/s].
    """
    X, twist, rate = asked
    task = tool.task
    J = tool.jacobian(q)
    A = rows_of(task, J, X)
    inverse: Array = np.asarray(np.linalg.pinv(A), dtype=float)
    b = _picked(task, twist, X)
    v = _times(inverse, b)
    rest = np.linalg.norm(_times(A, v) - b, axis=1)
    J_rate = tool.arm.jacobian_rate(q, v, tool.frame)
    spin = _times(J[:, :3], v)
    c = np.array(rate)
    if task == "pointing":
        # The tool may turn about its own axis otherwise than asked: that axis turns by s = z·(ω − ω asked) more.
        z = X[:, :3, 2]
        s = np.einsum("ni,ni->n", z, spin - twist[:, :3])
        c[:, :3] += s[:, None] * np.cross(twist[:, :3], z)
    a = _times(inverse, _picked(task, c - _times(J_rate, v), X))
    if tool.spare:
        A_rate = rows_of(task, J_rate, X)
        if task == "pointing":
            # The axes of the tool turn too.
            turning = np.cross(spin[:, :, None], X[:, :3, :2], axis=1)
            A_rate[:, :2] += np.einsum("nij,nik->njk", turning, J[:, :3])
        free = _times(np.swapaxes(A_rate, 1, 2), _times(np.swapaxes(inverse, 1, 2), v))
        a = np.asarray(a + free - _times(inverse, _times(A, free)))
    return v, a, rest


def settle(tool: Tool, q: Array, wanted: Array, rounds: int = 12) -> tuple[Array, Array]:
    """Postures near some that give poses, by Newton's method; and what is left, shape (n,) [rad and m].

    Args:
        tool: What is led.
        q: Where to begin, shape (n, nq).
        wanted: Shape (n, 4, 4).
        rounds: Steps at most.
    """
    made = np.array(q, dtype=float)
    least = np.full(len(made), np.inf)
    best = made.copy()
    for _ in range(rounds):
        X = tool.pose(made)
        left = left_over(tool.task, wanted, X)
        size = np.linalg.norm(left, axis=1)
        better = size < least
        best[better], least[better] = made[better], size[better]
        if (least < 1e-15).all() or not better.any():
            break
        A = rows_of(tool.task, tool.jacobian(made), X)
        # Near singular postures steps would be endless.
        made = made + np.clip(_times(np.asarray(np.linalg.pinv(A), dtype=float), left), -LONGEST, LONGEST)
    return best, least


def _picked(task: Task, six: Array, X: Array) -> Array:
    """What a task asks of vectors of six."""
    return rows_of(task, six[:, :, np.newaxis], X)[:, :, 0]


def _times(M: Array, x: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", M, x))
