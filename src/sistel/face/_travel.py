"""Along a trajectory: everything that an arm does, and what it takes, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal

from sistel.errors import Text
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms import Payload, Travel
    from sistel.face._system import System
    from sistel.motion.trajectories import Limits, MotionTable, PoseTrajectory, Trajectory
    from sistel.solve.anfis import DynamicsNets


def along(
    self: System,
    trajectory: Trajectory | PoseTrajectory | MotionTable,
    frame: str = "hand",
    *,
    every: float | None = None,
    times: ArrayLike | None = None,
    payload: Payload | float | Sequence[float] | None = None,
    applied: bool = False,
    networks: DynamicsNets | None = None,
    structure: str | None = None,
    task: Literal["pose", "position", "pointing"] = "pose",
    q: ArrayLike | None = None,
) -> Travel:
    """An arm along a trajectory: joints, tool, driving forces, powers, reactions, limits and singular postures.

    Args:
        trajectory: Of coordinates by name, or of all in order (a `Trajectory` or a table of one); or of the tool in
            space, a `PoseTrajectory`, which is solved for the joints without jumps between branches.
        frame: The tool: a body, frame or point.
        every: Step of time of the rows [s]; 200 steps without it.
        times: Times of the rows instead, not falling, shape (n,) [s].
        payload: What the tool carries: a mass [kg]; mass, x, y, z of its centre in the frame [m]; or a `Payload`.
        applied: Whether springs, dampers and friction of the file act, so that drives have to overcome them.
        networks: Trained by `solve.anfis.train_dynamics`: their forces are compared.
        structure: The structure, by default the initial one; it may hold nothing but joints.
        task: Of a way of the tool: the whole "pose", its "position", or "pointing": place and direction of z. With
            joints to spare the motion is the one with the least rates.
        q: Coordinates of joints that the trajectory does not name, and near which a way of the tool begins, shape
            (nq,) [m or rad]; without, the start of the file.

    Returns:
        `.t`, `.q`, `.v`, `.a`, `.poses`, `.velocity`, `.torques`, `.power`, `.energy`, `.reactions`, `.crossings`,
        `.run`, `.plot()`, `.save(path)`.

    Raises:
        SistelError: The call is wrong, or the tool cannot follow its way: when, and why.

    Example:
        >>> import sistel
        >>> from sistel.motion.trajectories import polynomial_move
        >>> arm = sistel.load("models/puma560.xml")
        >>> way = arm.along(polynomial_move([0.0] * 6, [0.5] * 6, 2.0), "tool", payload=2.5)
        >>> way.torques.shape, way.kept
        ((201, 6), True)
    """
    import numpy as np

    from sistel.arms import read_payload, travel

    _arm_structure(self, frame, structure)
    load = read_payload(payload)
    arm = self if load is None or load.mass == 0.0 else _carrying(self, frame, load)
    # Numbers that are too large are told of in the end.
    with np.errstate(all="ignore"):
        return travel(
            arm,
            trajectory,
            frame,
            every=every,
            times=times,
            payload=load,
            applied=bool(applied),
            networks=networks,
            fingerprint=self.fingerprint,
            task=task,
            start=np.array(self._one_state(self._model.start.q if q is None else q), dtype=float),
        )


def through(
    self: System,
    poses: ArrayLike,
    frame: str = "hand",
    *,
    times: ArrayLike | None = None,
    limits: Limits | None = None,
    kind: Literal["cubic", "quintic"] = "cubic",
    task: Literal["pose", "position", "pointing"] = "pose",
    q: ArrayLike | None = None,
) -> Trajectory:
    """A motion of the joints that passes poses of the tool one after another, from rest to rest.

    The joints are solved pose by pose, each from the posture before, and go along a spline between them.

    Args:
        poses: In the world, shape (m, 4, 4) [m], such as `motion.trajectories.staged_waypoints` gives them.
        frame: The tool: a body, frame or point.
        times: When they are passed, shape (m,) [s].
        limits: Of the joints, which choose the times where they are not given.
        kind: Of the spline.
        task: What of the poses is asked for.
        q: Where to begin the search, shape (nq,) [m or rad]; without, the start of the file.

    Returns:
        A trajectory for `along`.

    Raises:
        SistelError: The call is wrong, or a pose cannot be reached: which, and why.
    """
    import numpy as np

    from sistel.arms import through

    _arm_structure(self, frame, None)
    start = np.array(self._one_state(self._model.start.q if q is None else q), dtype=float)
    return through(self, poses, frame, task, start, times=times, limits=limits, kind=kind)


def _arm_structure(self: System, frame: str, structure: str | None) -> None:
    """Refuse what is no arm of hinges and slides."""
    chosen, wrong = self.structure(structure), Text("this is no arm", "это не манипулятор")
    self._place_of(frame)
    if any(body.joint.type.has_quaternion for body in self._model.bodies):
        reason = Text("only hinges and slides follow trajectories", "траекториям следуют только шарниры и ходы")
        refuse("no-arm", wrong, (reason,))
    if not self._engine.structure(chosen, False).is_tree:
        reason = Text("the structure has links beside its joints", "в структуре есть связи кроме сочленений")
        refuse("no-arm", wrong, (reason,))


def _carrying(self: System, frame: str, load: Payload) -> System:
    """The same system with a load; made once for each."""
    from sistel.arms import with_payload
    from sistel.model import changed

    made = self._kept.carrying
    key = frame, load
    if key not in made:
        loaded = changed(self._model, partial(with_payload, frame=frame, load=load))
        made[key] = type(self)(loaded, self._source, self._losses)
    return made[key]
