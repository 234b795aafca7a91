"""Everything along a trajectory of an arm: joints, tool, driving forces, powers, reactions, and what it meets."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel import shown
from sistel.arms.travels._crossing import Crossing
from sistel.arms.travels._crossings import crossings_of
from sistel.arms.travels._follow import follow, sample_times
from sistel.arms.travels._singular import singular_task, singular_values
from sistel.arms.travels._task import TASKS, Arm, Task
from sistel.errors import Language, Text, refuse
from sistel.kept import cached_property

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms.travels._payload import Payload
    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.motion.trajectories import MotionTable, PoseTrajectory, Trajectory
    from sistel.simulation import Run
    from sistel.solve.anfis import DynamicsNets, Errors


LARGEST = 1e100
"""Of numbers whose squares and products are still numbers [SI]."""
STRETCHES = 200
"""Into which a motion is divided at least where work is summed up."""
NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)


@dataclass(frozen=True, kw_only=True, eq=False)
class Travel:
    """An arm along a trajectory: a row for every time. Made by `System.along`."""

    model: Model
    """The arm; with a load, as heavy as with it."""
    frame: str
    """The tool."""
    t: Array
    """Shape (n,) [s]."""
    q: Array
    """Coordinates, shape (n, nq) [m or rad]."""
    v: Array
    """Velocities, shape (n, nv) [m/s or rad/s]."""
    a: Array
    """Accelerations, shape (n, nv) [m/s² or rad/s²]; where they jump, those after."""
    poses: Array
    """Of the tool in the world, shape (n, 4, 4) [m]."""
    velocity: Array
    """Of the tool: angular velocity, then velocity, in the world, shape (n, 6) [rad/s, m/s]."""
    acceleration: Array
    """Of the tool: their rates, shape (n, 6) [rad/s², m/s²]."""
    torques: Array
    """Driving forces by Newton and Euler, weight and load included, shape (n, nv) [N or N·m]."""
    torques_anfis: Array | None
    """What networks say they are, shape (n, nv) [N or N·m]."""
    anfis_errors: tuple[Errors, ...] | None
    """How far that is from `torques`, joint by joint [N or N·m]."""
    power: Array
    """Of every drive, shape (n, nv) [W]."""
    energy: Array
    """What every drive has given since the beginning, shape (n, nv) [J]; integrated to the last digits."""
    kinetic: Array
    """Kinetic energy of the bodies, load included, shape (n,) [J]."""
    potential: Array
    """Potential energy of weight, shape (n,) [J]."""
    reactions: Mapping[str, Array]
    """By joint, shape (n, 6): moment, then force, on the body from its base, about its pole, in the world [N·m, N]."""
    singular: Array
    """The smallest singular value of the Jacobian, shape (n,)."""
    crossings: tuple[Crossing, ...]
    """Limits that are passed and singular postures, by time, found between the rows too."""
    motion: Trajectory
    """The same motion of all coordinates as polynomials; along a way of the tool within 1e-10 of it [m or rad]."""
    payload: Payload | None
    """What the tool carries."""
    applied: bool
    """Whether springs, dampers and friction of the file act."""
    arm: Arm
    """What computes for it."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the coordinates."""
        return self.model.coordinate_names

    @property
    def positions(self) -> Array:
        """Places of the tool in the world, shape (n, 3) [m]."""
        return self.poses[:, :3, 3]

    @property
    def total_power(self) -> Array:
        """Of all drives, shape (n,) [W]."""
        return np.asarray(self.power.sum(axis=1))

    @property
    def total_energy(self) -> Array:
        """What all drives have given since the beginning, shape (n,) [J]."""
        return np.asarray(self.energy.sum(axis=1))

    @property
    def kept(self) -> bool:
        """Whether no limit is passed."""
        return all(each.quantity == "singularity" for each in self.crossings)

    def forces(self, t: ArrayLike, *, before: bool = False) -> Array:
        """Driving forces at any times, shape (..., nv) [N or N·m].

        Args:
            t: Times [s].
            before: Where accelerations jump, those before.
        """
        return forces_at(self.arm, self.motion, self.applied)(np.asarray(t, dtype=float), before)

    @cached_property
    def run(self) -> Run:
        """The motion as a run: exactly the polynomials of `motion`, with the forces that drive it."""
        from sistel.arms.travels._run import run_of

        return run_of(self)

    def save(self, path: str | os.PathLike[str], *, lang: Language | None = None) -> None:
        """Write it to a file, by its suffix.

        A table with everything is .csv, arrays .npz, plots .svg, a page on which the arm moves beside its plots .html;
        .table.html, .table.csv, .table.ods and .table.xlsx are the motion of the joints, in degrees and millimetres.

        Args:
            path: The file; it is replaced whole or not at all.
            lang: Language of the words; the user's unless told otherwise.

        Raises:
            SistelError: The suffix means nothing, or the file cannot be written.
        """
        from sistel.arms.travels._files import save_travel

        save_travel(self, path, lang)

    def plot(self, lang: Language | None = None) -> str:
        """Positions, velocities, accelerations, driving forces, power and the place of the tool, as an SVG picture.

        Args:
            lang: Language of the words; the user's unless told otherwise.
        """
        return str(shown.ask("travel plot", self, lang))

    def _repr_svg_(self) -> str:
        return self.plot()

    def __repr__(self) -> str:
        told = f"{self.t[-1] - self.t[0]:g} s, {len(self.t)} rows, {len(self.crossings)} crossings"
        return f"<Travel of {self.model.name!r}: {told}>"


def travel(
    arm: Arm,
    trajectory: Trajectory | PoseTrajectory | MotionTable,
    frame: str,
    *,
    every: float | None,
    times: ArrayLike | Sequence[float] | None,
    payload: Payload | None,
    applied: bool,
    networks: DynamicsNets | None,
    fingerprint: str,
    task: Task,
    start: Array,
) -> Travel:
    """See `System.along`; `arm` carries the load already, `fingerprint` is of the arm without it."""
    if task not in TASKS:
        names = ", ".join(f'"{name}"' for name in TASKS)
        refuse("bad-task", Text(f"task is one of {names}", f"task — {names}"))
    _check_networks(networks, fingerprint)
    model = arm.model
    followed = follow(arm, trajectory, frame, task, start)
    motion = followed.motion
    t = sample_times(motion, every, times)
    q, v, a = followed.rows(t)
    J = arm.jacobian(q, frame)
    forces = forces_at(arm, motion, applied)
    torques = drives(arm, q, v, a, t, applied)

    def power(at: Array) -> Array:
        q, v, a = followed.rows(at)
        return drives(arm, q, v, a, at, applied) * v

    predicted = errors = None
    if networks is not None:
        from sistel.solve.anfis import Errors

        predicted = networks.predict(q, v, a)
        errors = tuple(Errors.of(column) for column in (predicted - torques).T)
    kinetic, potential = arm.energies(q, v)
    joints = int((np.abs(J).max(axis=(0, 1)) > 0.0).sum())
    asked = singular_task(model, task, joints)
    moves = joints > 0
    arrays: dict[str, Any] = {
        "t": t,
        "q": q,
        "v": v,
        "a": a,
        "poses": arm.pose(q, frame),
        "velocity": np.einsum("nij,nj->ni", J, v),
        "acceleration": np.einsum("nij,nj->ni", J, a) + np.einsum("nij,nj->ni", arm.jacobian_rate(q, v, frame), v),
        "torques": torques,
        "power": torques * v,
        "energy": work(motion, t, power, applied),
        "kinetic": kinetic,
        "potential": potential,
        "singular": singular_values(arm, frame, asked, q)[:, -1] if moves else np.zeros(len(t)),
    }
    if predicted is not None:
        arrays["torques_anfis"] = predicted
    for array in arrays.values():
        if not (np.abs(array) < LARGEST).all():
            message = Text("numbers too large for a motion", "числа слишком велики для движения")
            refuse("bad-numbers", message)
        array.setflags(write=False)
    arrays.setdefault("torques_anfis", None)
    return Travel(
        model=model,
        frame=frame,
        **arrays,
        anfis_errors=errors,
        # Of arms without masses nothing is carried that could be told.
        reactions={} if model.structure().why_not else arm.reactions(q, v, torques, applied=applied, t=t),
        crossings=crossings_of(arm, frame, asked, motion, t, forces),
        motion=motion,
        payload=payload,
        applied=applied,
        arm=arm,
    )


def drives(arm: Arm, q: Array, v: Array, a: Array, t: Array, applied: bool) -> Array:
    """Driving forces of a motion: those of inverse dynamics, less what the file lets act, shape (n, nv) [N or N·m]."""
    found = arm.inverse_dynamics(q, v, a)
    return np.asarray(found - arm.applied_forces(q, v, t=t)) if applied else np.array(found)


def forces_at(arm: Arm, motion: Trajectory, applied: bool) -> Callable[[Array, bool], Array]:
    """Driving forces of a motion as a function of times, and of whether those before each time are asked for."""

    def forces(t: Array, before: bool) -> Array:
        at = np.maximum(np.nextafter(t, -np.inf), motion.t0) if before else t
        q, v, a = motion(at)
        return drives(arm, q, v, a, at, applied)

    return forces


def work(motion: Trajectory, t: Array, power: Callable[[Array], Array], turning: bool) -> Array:
    """What drives have given since the beginning at some times, shape (n, nv) [J].

    Gauss's rule on stretches in which nothing jumps: knots are ends of stretches, and where there is friction, so are
    the times at which joints turn round.
    """
    begin, end = motion.t0, motion.t1
    if not end > begin:
        return np.zeros((len(t), len(motion.names)))
    inner = [np.linspace(begin, end, STRETCHES + 1), motion.knots, t]
    if turning:
        inner.append(motion.turning_times())
    edges = np.unique(np.clip(np.concatenate(inner), begin, end))
    half = 0.5 * np.diff(edges)
    at = (edges[:-1] + half)[:, None] + half[:, None] * NODES
    given = power(at.ravel()).reshape(*at.shape, -1)
    parts = np.einsum("k,mkj->mj", WEIGHTS, given) * half[:, None]
    total = np.concatenate([np.zeros((1, parts.shape[1])), np.cumsum(parts, axis=0)])
    return np.asarray(total[np.searchsorted(edges, np.clip(t, begin, end))])


def _check_networks(networks: DynamicsNets | None, fingerprint: str) -> None:
    if networks is None:
        return
    from sistel.solve.anfis import DynamicsNets

    if not isinstance(networks, DynamicsNets):
        given = Text("what sistel.solve.anfis.train_dynamics gives", "то, что даёт sistel.solve.anfis.train_dynamics")
        refuse("bad-networks", Text("these are no networks of forces", "это не сети сил"), expected=given)
    if networks.fingerprint != fingerprint:
        refuse(
            "other-system",
            Text("these networks were trained for another system", "эти сети обучены для другой системы"),
        )
