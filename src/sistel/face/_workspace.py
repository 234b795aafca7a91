"""What an arm reaches, how well it moves there, and how much it carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from sistel.errors import Text
from sistel.face._refusals import refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arms import Capacity, Chain, Singularity, Workspace
    from sistel.arrays import Array
    from sistel.face._system import System
    from sistel.motion.trajectories import Trajectory


MOST = 2000
"""Points of a grid along its longer side."""


def workspace(
    self: System,
    frame: str = "hand",
    *,
    plane: Literal["xy", "xz", "yz"] | tuple[Sequence[float], Sequence[float]] | None = None,
    through: Sequence[float] | None = None,
    resolution: int = 160,
    samples: int = 150_000,
    volume: bool = True,
    progress: Callable[[float], None] | None = None,
    structure: str | None = None,
) -> Workspace:
    """The places that a body, frame or point reaches within the limits of the joints, in any orientation.

    Postures are spread over the limits and brought into the plane exactly, which takes no search; points of a grid
    near them, and then their neighbours, are tried by inverse kinematics; the outline is where segments between
    points that are reached and points that are not leave the reached, by halving.

    Args:
        frame: Name of the body, frame or point.
        plane: The section: "xy", "xz" or "yz", or a point and a normal [m]. Without, the plane that the frame never
            leaves, or one along the first axis.
        through: A point of a plane given by its name [m]. Without, one of the first axis, where that is parallel to
            it, else where the frame is at the start.
        resolution: Points of the grid along its longer side.
        samples: How many postures are spread.
        volume: Whether the volume is found too.
        progress: Called now and then with the part that is done; what it raises ends the work.
        structure: The structure, by default the initial one; it may hold nothing but joints.

    Returns:
        `.boundary`, `.area`, `.volume`, `.reach`, `.near`, `.low`, `.high`, `.inside`, `.q`, `.tolerance`; maps by
        `.manipulability()` and `.capacity()`, curves by `.singularities()`, pictures by `.draw()` and `.save()`.

    Raises:
        SistelError: The call is wrong, nothing moves the frame, or it slides without limits.

    Example:
        >>> import sistel
        >>> arm = sistel.load("models/arm5.xml")
        >>> found = arm.workspace("инструмент", resolution=60)
        >>> round(found.reach, 3)
        0.574
    """
    from sistel.arms import read_plane, workspace

    chain = _chain(self, frame, structure)
    for name, number, least, most in (("resolution", resolution, 8, MOST), ("samples", samples, 100, 10**8)):
        given: object = number
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            wrong = Text("the set of places cannot be found so", "множество мест так не найти")
            reason = Text(
                f"{name} is a whole number from {least} to {most}", f"{name} — целое число от {least} до {most}"
            )
            refuse("bad-call", wrong, (reason,))
    return workspace(
        chain,
        read_plane(chain, plane, through),
        resolution=resolution,
        samples=samples,
        volume=bool(volume),
        progress=progress,
    )


def manipulability(
    self: System,
    q: ArrayLike,
    frame: str = "hand",
    kind: Literal["yoshikawa", "inverse condition", "smallest"] = "yoshikawa",
    task: Literal["position", "turning", "pose"] = "position",
) -> Array:
    """How well a body, frame or point moves from postures.

    The Jacobian has the rows of the task, within the directions in which the frame moves at all (a planar arm is
    measured in its plane), and the columns of the coordinates that move it.

    Args:
        q: Shape (..., nq).
        frame: Name of the body, frame or point.
        kind: "yoshikawa", the product of the singular values, √det JJᵀ; "smallest", the smallest of them;
            "inverse condition", the smallest in parts of the greatest.
        task: "position" [m], "turning" [rad] or "pose": both, in m and rad, whose mixture depends on the units.

    Returns:
        Shape (...): of places in m, m² or m³ for one, two or three directions ("yoshikawa"), m ("smallest"), or a
        plain number.

    Example:
        >>> import sistel
        >>> puma = sistel.load("models/puma560.xml")
        >>> bool(puma.manipulability([0, 0.5, -1.5238184104468135, 0, 0, 0], "tool") < 1e-12)
        True
    """
    import numpy as np

    from sistel.arms import manipulability

    rows, shape = _postures(self, q)
    found = manipulability(_chain(self, frame, None), rows, kind, task)
    return np.asarray(found.reshape(shape))


def singularities(
    self: System,
    frame: str = "hand",
    task: Literal["position", "turning", "pose"] = "pose",
    structure: str | None = None,
) -> tuple[Singularity, ...]:
    """Kinds of postures within the limits in which a frame loses a direction of motion.

    Args:
        frame: Name of the body, frame or point.
        task: What it should be able to do: move its "position", turn, or both ("pose").
        structure: The structure, by default the initial one; it may hold nothing but joints.

    Returns:
        Each with the coordinates that are fixed in all its postures, those it depends on, and such postures. Those
        that take the fewest equations come first.

    Example:
        >>> import sistel
        >>> [kind.name.en for kind in sistel.load("models/puma560.xml").singularities("tool")]
        ['shoulder', 'elbow', 'wrist']
    """
    from sistel.arms import singularities

    return singularities(_chain(self, frame, structure), task)


def capacity(
    self: System,
    motion: Trajectory | ArrayLike | tuple[ArrayLike, ArrayLike, ArrayLike],
    frame: str = "hand",
    *,
    forces: Mapping[str, float] | Sequence[float] | None = None,
    centre: Sequence[float] = (0.0, 0.0, 0.0),
    applied: bool = False,
    structure: str | None = None,
) -> Capacity:
    """The largest mass that can be carried at a frame within the limits of the motors.

    Forces are τ₀ + m τ₁, so that the mass at a state is exact; along a trajectory, the least of them is looked for
    between samples too.

    Args:
        motion: A trajectory; postures to be held, shape (..., nq); or states: q, v and a, each (..., nq).
        frame: Name of the body, frame or point.
        forces: Greatest forces instead of those of the motors of the file [N or N·m]: some by names of coordinates,
            or all, shape (nv,).
        centre: Centre of the mass in the axes of the frame [m].
        applied: Whether the springs, dampers and friction of the file act too.
        structure: The structure, by default the initial one; it may hold nothing but joints.

    Returns:
        `.mass` [kg], `.joint` that binds, `.forces`, `.time`; not a number where the arm cannot hold itself.

    Raises:
        SistelError: There are no limits, or the motion does not fit the system.

    Example:
        >>> import sistel
        >>> puma = sistel.load("models/puma560.xml")
        >>> found = puma.capacity([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], "tool")
        >>> found.joint.item()
        'upper_arm'
    """
    import numpy as np

    from sistel.arms import Carrier, States, carry, hold, read_limits

    _tree(self, structure)
    try:
        shift = np.array(centre, dtype=float)
    except (TypeError, ValueError):
        shift = np.zeros(0)
    wrong = Text("the mass cannot be found", "массу не найти")
    if shift.shape != (3,) or not np.isfinite(shift).all():
        reason = Text("centre is three numbers [m]", "centre — три числа [м]")
        refuse("bad-call", wrong, (reason,))
    place = self._place_of(frame)
    carrier = Carrier(self._engine, place, read_limits(self._model, forces), shift.tolist(), bool(applied))
    if callable(motion) and hasattr(motion, "knots"):
        return carry(carrier, motion, States(self._model, motion))
    if not isinstance(motion, tuple):
        rows, shape = _postures(self, motion)
        return hold(carrier, rows, None, None, shape)
    if len(motion) != 3 or any(np.ndim(part) == 0 for part in motion):
        reason = Text("a tuple is q, v and a", "кортеж — это q, v и a")
        refuse("bad-call", wrong, (reason,))
    from sistel.kernels import as_rows

    sizes = [("q", self.nq), ("v", self.nv), ("a", self.nv)]
    shape = np.broadcast_shapes(*(np.shape(part)[:-1] for part in motion))
    made = as_rows(sizes, [("tau", self.nv)], motion, None)
    q, v, a = (np.array(np.broadcast_to(part, (made.count, part.shape[1])), dtype=float) for part in made.inputs)
    if not (np.isfinite(q).all() and np.isfinite(v).all() and np.isfinite(a).all()):
        reason = Text("states have numbers that are not finite", "в состояниях есть числа, которые не конечны")
        refuse("bad-array", wrong, (reason,))
    return hold(carrier, q, v, a, shape)


def _postures(self: System, q: Any) -> tuple[Array, tuple[int, ...]]:
    """Postures as rows, and the shape of their batch."""
    import numpy as np

    from sistel.kernels import as_rows

    made = as_rows([("q", self.nq)], [("q", self.nq)], (q,), None)
    rows = np.array(made.inputs[0][: made.count], dtype=float).reshape(-1, self.nq)  # no row of an empty batch
    if not np.isfinite(rows).all():
        wrong = Text("postures cannot be used", "позы не годятся")
        reason = Text("q has numbers that are not finite", "в q есть числа, которые не конечны")
        refuse("bad-array", wrong, (reason,))
    return rows, np.shape(q)[:-1]


def _tree(self: System, structure: str | None) -> None:
    if not self._engine.structure(self.structure(structure), False).is_tree:
        wrong = Text("this is for arms of joints alone", "это для рук из одних сочленений")
        reason = Text("the structure has links beside its joints", "в структуре есть связи кроме сочленений")
        refuse("no-arm", wrong, (reason,))


def _chain(self: System, frame: str, structure: str | None) -> Chain:
    from sistel.arms import Chain

    _tree(self, structure)
    place = self._place_of(frame)
    chains = self._kept.chains
    if frame not in chains:
        chains[frame] = Chain(self._engine, place, frame)
    return chains[frame]
