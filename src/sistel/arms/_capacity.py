"""The largest mass that an arm carries within the limits of its motors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import numpy as np

from sistel.arms._limits import force_limits
from sistel.errors import Text, refuse, refuse_name
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Indices
    from sistel.engine import Engine
    from sistel.model import Model
    from sistel.motion.trajectories import Trajectory
    from sistel.pose import Rotation, Vector3


SAMPLES: Final = 600
"""Times at which a motion is looked at first, at least."""
PER_PIECE: Final = 24
"""As many for every polynomial of it."""
LOWEST: Final = 24
"""Low places between samples that are followed to their bottoms."""
GOLD: Final = (math.sqrt(5.0) - 1.0) / 2.0
HALVINGS: Final = 70


@record
class Capacity:
    """The largest mass that can be carried, and what it depends on."""

    mass: Array
    """[kg], of the shape of the batch, of no axes for a trajectory or one posture; not a number where the arm cannot
    hold itself, infinite where no motor feels the mass."""
    joint: NDArray[np.str_]
    """The coordinate whose motor is at its limit then, of the same shape; that which is overloaded where there is no
    mass at all."""
    forces: Array
    """Forces of all coordinates with that mass, shape (..., nv) [N or N·m]."""
    limits: Array
    """Of the motors, shape (nv,) [N or N·m], infinite where there is none."""
    time: float | None
    """When that is, of a trajectory [s]."""
    t: Array | None
    """Times that were looked at, of a trajectory [s]."""
    masses: Array | None
    """The largest mass at each of them [kg]."""

    def __repr__(self) -> str:
        if self.mass.ndim:
            return f"Capacity({self.mass.shape} postures, from {np.nanmin(self.mass):.6g} kg)"
        when = "" if self.time is None else f" at {self.time:.6g} s"
        return f"Capacity({float(self.mass):.6g} kg, {self.joint.item()}{when})"


class Burden(NamedTuple):
    """Forces as τ0 + m τ1."""

    own: Array
    """Shape (rows, nv) [N or N·m]."""
    unit: Array
    """For a mass of 1 kg."""


class Carrier:
    """What a frame has to carry, compiled."""

    def __init__(
        self,
        engine: Engine,
        place: tuple[int, Vector3, Rotation],
        limits: Array,
        centre: Sequence[float],
        applied: bool,
    ) -> None:
        """`centre` is the centre of the mass in the axes of the frame [m]."""
        body, p, R = place
        shift = np.array(R) @ np.array(centre, dtype=float)
        at: Vector3 = (p[0] + shift[0], p[1] + shift[1], p[2] + shift[2])
        self.engine, self.limits, self.applied = engine, limits, applied
        self.nv = engine.model.nv
        self.gravity = np.array(engine.model.gravity, dtype=float)
        self._jacobian = engine.frame_call("jacobian", body, at, R)
        self._place = body, at, R

    def burden(self, q: Array, v: Array | None = None, a: Array | None = None) -> Burden:
        """Forces at states, shape (rows, nq) and (rows, nv); at rest without velocities."""
        J = self._jacobian(q).reshape(len(q), 6, self.nv)[:, 3:]
        if v is None or a is None:
            own = self.engine.call("gravity_forces")(q)
            pull = np.repeat(-self.gravity[None], len(q), axis=0)
            v = np.zeros((len(q), self.nv))
        else:
            own = self.engine.call("inverse_dynamics")(q, v, a)
            rate = self.engine.frame_call("jacobian_rate", *self._place)(q, v).reshape(len(q), 6, self.nv)[:, 3:]
            pull = np.einsum("rkj,rj->rk", J, a) + np.einsum("rkj,rj->rk", rate, v) - self.gravity
        if self.applied:
            own = own - self.engine.call("applied_forces")(q, v, np.zeros((len(q), 1)))
        return Burden(np.asarray(own).reshape(len(q), self.nv), np.einsum("rkj,rk->rj", J, pull))

    def bounds(self, burden: Burden) -> tuple[Array, Array]:
        """The least and the largest mass that each coordinate admits, shape (rows, nv) [kg]."""
        own, unit = burden
        F = self.limits
        dust = 1e-13 * (np.abs(unit).max(axis=1, keepdims=True) + 1e-300)
        felt = np.abs(unit) > dust
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.stack([(F - own) / unit, (-F - own) / unit])
        ends[:, ~np.isfinite(np.broadcast_to(F, own.shape))] = [[-math.inf], [math.inf]]
        fine = np.abs(own) <= F
        least = np.where(felt, ends.min(axis=0), np.where(fine, -math.inf, math.inf))
        most = np.where(felt, ends.max(axis=0), np.where(fine, math.inf, -math.inf))
        return least, most


def read_limits(model: Model, forces: object) -> Array:
    """Limits of forces, shape (nv,) [N or N·m]: those of the motors, or what is given instead.

    Args:
        model: The model.
        forces: None for the motors of the file; a mapping from names of coordinates, which changes some of them; or all
            of them, shape (nv,).

    Raises:
        SistelError: A name is not known, a number is not positive, or there is no limit at all.
    """
    limits = force_limits(model)
    names = list(model.rate_names)
    if isinstance(forces, Mapping):
        for name, value in forces.items():
            if name not in names:
                refuse_name(Text("coordinate", "координаты"), name, names)
            limits[names.index(name)] = _number(value)
    elif forces is not None:
        given = np.array([_number(value) for value in forces] if isinstance(forces, (Sequence, np.ndarray)) else [])
        if given.shape != (model.nv,):
            _refuse(
                Text(
                    f"forces are by name, or {model.nv} numbers above 0 [N or N·m]",
                    f"forces — по именам или {model.nv} чисел больше 0 [Н или Н·м]",
                )
            )
        limits = given
    if not np.isfinite(limits).any():
        _refuse(
            Text(
                "no motor of the file has a limit; give forces",
                "ни у одного привода в файле нет предела; задайте forces",
            )
        )
    return limits


def hold(carrier: Carrier, q: Array, v: Array | None, a: Array | None, shape: tuple[int, ...]) -> Capacity:
    """The largest mass at states, each by itself."""
    burden = carrier.burden(q, v, a)
    mass, joint = masses_held(carrier, burden)
    names = np.array(carrier.engine.model.rate_names)
    held = np.where(np.isfinite(mass), mass, 0.0)
    return Capacity(
        mass=mass.reshape(shape),
        joint=np.where(np.isinf(mass), "", names[joint]).reshape(shape),
        forces=(burden.own + held[:, None] * burden.unit).reshape(*shape, carrier.nv),
        limits=carrier.limits,
        time=None,
        t=None,
        masses=None,
    )


def masses_held(carrier: Carrier, burden: Burden) -> tuple[Array, Indices]:
    """Masses and the coordinates that bind."""
    least, most = carrier.bounds(burden)
    top, bottom = most.min(axis=1), np.maximum(least.max(axis=1), 0.0)
    # What exceeds its limit by a rounding error is at it.
    slack = 1e-12 * np.abs(np.where(np.isfinite(top), top, 0.0))
    good = top >= bottom - slack
    worst = np.where(top < 0.0, np.argmin(most, axis=1), np.argmax(least, axis=1))
    return np.where(good, np.maximum(top, 0.0), np.nan), np.where(good, np.argmin(most, axis=1), worst)


def carry(carrier: Carrier, trajectory: Trajectory, states: States) -> Capacity:
    """The largest mass that can be carried all along a trajectory.

    Where the mass is least is looked for between the samples too, by the golden section.
    """
    knots = np.asarray(trajectory.knots)
    count = max(SAMPLES, PER_PIECE * (len(knots) - 1))
    inner = np.linspace(trajectory.t0, trajectory.t1, count)
    # Accelerations may jump at knots: both sides count.
    t = np.unique(np.concatenate([inner, knots, np.nextafter(knots[1:], -math.inf)]))

    def largest(at: Array) -> tuple[Array, Array]:
        least, most = carrier.bounds(carrier.burden(*states(at)))
        return most.min(axis=1), np.maximum(least.max(axis=1), 0.0)

    top, bottom = largest(t)
    ends = [_lowest(lambda at: largest(at)[0], t, top), _lowest(lambda at: -largest(at)[1], t, -bottom)]
    when_top, when_bottom = ends[0][0], ends[1][0]
    mass, need = ends[0][1], -ends[1][1]
    possible = mass >= max(need, 0.0) - 1e-12 * abs(mass)
    time = when_top if possible or mass < 0.0 else when_bottom
    burden = carrier.burden(*states(np.array([time])))
    least, most = carrier.bounds(burden)
    binding = int(np.argmin(most[0])) if time == when_top else int(np.argmax(least[0]))
    carried = max(mass, 0.0) if possible else math.nan
    names = np.array(carrier.engine.model.rate_names)
    held = carried if math.isfinite(carried) else 0.0
    return Capacity(
        mass=np.array(carried),
        joint=np.array("" if math.isinf(carried) else names[binding]),
        forces=burden.own[0] + held * burden.unit[0],
        limits=carrier.limits,
        time=float(time),
        t=t,
        masses=np.where(top >= bottom, top, np.nan),
    )


class States:
    """Coordinates, velocities and accelerations of a whole system along a trajectory.

    Coordinates that the trajectory does not have stay as at the start.
    """

    def __init__(self, model: Model, trajectory: Trajectory) -> None:
        n = trajectory.coefficients.shape[2]
        self.trajectory = trajectory
        self.start = np.array(model.start.q, dtype=float)
        names = list(model.coordinate_names)
        if model.nq != model.nv:
            _refuse(Text("the system has quaternions", "в системе есть кватернионы"))
        if n == model.nq:
            self.places = list(range(n))
        elif all(name in names for name in trajectory.names):
            self.places = [names.index(name) for name in trajectory.names]
        else:
            _refuse(
                Text(
                    f"the trajectory has {n} coordinates, the system {model.nq}",
                    f"в траектории {n} координат, в системе {model.nq}",
                )
            )

    def __call__(self, t: Array) -> tuple[Array, Array, Array]:
        q, v, a = self.trajectory(t)
        whole = [np.repeat(self.start[None], len(t), axis=0), *(np.zeros((len(t), len(self.start))) for _ in range(2))]
        for full, part in zip(whole, (q, v, a), strict=True):
            full[:, self.places] = part
        return whole[0], whole[1], whole[2]


def _lowest(f: Callable[[Array], Array], t: Array, values: Array) -> tuple[float, float]:
    """Where a function is least, and the value; samples are given."""
    best = int(np.argmin(values))
    found = float(t[best]), float(values[best])
    padded = np.concatenate([[math.inf], values, [math.inf]])
    low = np.flatnonzero((padded[1:-1] <= padded[:-2]) & (padded[1:-1] <= padded[2:]) & np.isfinite(values))
    low = low[np.argsort(values[low])][:LOWEST]
    if not len(low):
        return found
    a, b = t[np.maximum(low - 1, 0)], t[np.minimum(low + 1, len(t) - 1)]
    x, y = b - GOLD * (b - a), a + GOLD * (b - a)
    fx, fy = f(x), f(y)
    for _ in range(HALVINGS):
        left = fx <= fy
        a, b = np.where(left, a, x), np.where(left, y, b)
        x, y = np.where(left, b - GOLD * (b - a), y), np.where(left, x, a + GOLD * (b - a))
        again = f(np.where(left, x, y))
        fx, fy = np.where(left, again, fy), np.where(left, fx, again)
    every_t, every = np.concatenate([x, y]), np.concatenate([fx, fy])
    k = int(np.argmin(every))
    return (float(every_t[k]), float(every[k])) if every[k] < found[1] else found


def _number(value: object) -> float:
    try:
        made = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        made = math.nan
    if not made > 0.0:
        _refuse(Text(f"a limit is a number above 0, not {value}", f"предел — число больше 0, а не {value}"))
    return made


def _refuse(reason: Text) -> NoReturn:
    refuse("no-capacity", Text(f"the mass cannot be found: {reason.en}", f"массу не найти: {reason.ru}"))
