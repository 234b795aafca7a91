"""The joints that move a frame, with everything of it that maps of its places need, compiled and in batches."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import numpy as np

from sistel.errors import Text, refuse
from sistel.solve import Options, Solver, moving_joints, read_task

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags
    from sistel.engine import Engine
    from sistel.pose import Rotation, Vector3


CHUNK: Final = 1 << 15
"""Postures computed at a time: what they need stays in the caches."""
STEPS: Final = 40
"""Of an attempt to reach a place, at most."""
FLAT: Final = 1e-9
"""Part of the greatest singular value below which a frame does not move in a direction at all."""


class Columns(NamedTuple):
    """Where a frame is, and how it moves with every coordinate of its chain."""

    p: Array
    """Shape (rows, 3) [m]."""
    w: Array
    """Angular velocities per unit of each coordinate, shape (rows, 3, n)."""
    v: Array
    """Velocities of the origin, shape (rows, 3, n) [m or 1]."""


class Chain:
    """A frame of a system and the coordinates that move it, from the base to the tip."""

    def __init__(self, engine: Engine, place: tuple[int, Vector3, Rotation], frame: str) -> None:
        """Nothing is compiled yet.

        Raises:
            SistelError: No coordinate moves the frame, or it slides without limits.
        """
        self.engine, self.place, self.frame = engine, place, frame
        self.model = engine.model
        self.joints = moving_joints(self.model, place[0])
        self.places, self.rates = np.array(self.joints.places, dtype=int), np.array(self.joints.rates, dtype=int)
        self.start = np.array(self.model.start.q, dtype=float)
        if not self.joints.places:
            _refuse(Text(f'no hinge or slide moves "{frame}"', f"«{frame}» не движет ни один шарнир или ход"))
        turns = np.array(self.joints.turns)
        low, high = np.array(self.joints.low), np.array(self.joints.high)
        # One turn around is everywhere.
        whole = turns & (high - low >= 2.0 * math.pi)
        endless = ~turns & ~(np.isfinite(low) & np.isfinite(high))
        if endless.any():
            name = self.joints.names[int(np.argmax(endless))]
            _refuse(
                Text(
                    f'"{name}" slides without limits: no end of places',
                    f"«{name}» движется без пределов: множество мест не ограничено",
                )
            )
        self.whole = whole
        """Coordinates that turn all around."""
        first = np.clip(-math.pi, low, np.where(whole, high - 2.0 * math.pi, math.inf))
        self.low = np.where(whole, first, low)
        self.high = np.where(whole, first + 2.0 * math.pi, high)
        self.turns = turns
        self._pose = engine.frame_call("pose", *place)
        self._jacobian = engine.frame_call("jacobian", *place)
        self._solver: Solver | None = None
        drawn = self.columns(self.spread(512, seed=3))
        self.size = float(np.ptp(drawn.p, axis=0).max()) or 1.0
        """How large the set of places is, about [m]."""
        axes, rank = directions(drawn.v)
        self.dimension = rank
        """Of the space in which the places lie: 3, or less where the frame stays in a plane or on a line."""
        values = np.linalg.svd(drawn.v, compute_uv=False)
        self.rank = int((values > FLAT * self.size).sum(axis=1).max())
        """Of the set of places: 3 if it has a volume, 2 if it is a surface or lies in a plane."""
        self.basis = axes[: self.dimension]
        """Directions in which the frame moves, shape (dimension, 3)."""
        self.normal = axes[-1]
        """The direction in which it moves least."""
        self.used = np.abs(drawn.v).max(axis=(0, 1)) > FLAT * self.size
        """Coordinates that move the origin of the frame, not only turn it."""
        self.origin = self.columns(self.start[None]).p[0]
        """Where the frame is at the start [m]."""
        self.known: dict[str, Array] = {}
        """Directions in which the frame moves at all, by task."""

    @property
    def n(self) -> int:
        """How many coordinates there are."""
        return len(self.places)

    def columns(self, q: Array) -> Columns:
        """Places and Jacobians of postures, shape (rows, nq)."""
        rows, n, nv = len(q), self.n, self.model.nv
        p, w, v = np.empty((rows, 3)), np.empty((rows, 3, n)), np.empty((rows, 3, n))
        for begin in range(0, rows, CHUNK):
            part = slice(begin, min(rows, begin + CHUNK))
            X = self._pose(q[part]).reshape(-1, 4, 4)
            J = self._jacobian(q[part]).reshape(-1, 6, nv)[:, :, self.rates]
            p[part], w[part], v[part] = X[:, :3, 3], J[:, :3], J[:, 3:]
        return Columns(p, w, v)

    def at(self, q: Array) -> Array:
        """Places of postures, shape (rows, 3) [m]."""
        p = np.empty((len(q), 3))
        for begin in range(0, len(q), CHUNK):
            part = slice(begin, min(len(q), begin + CHUNK))
            p[part] = self._pose(q[part]).reshape(-1, 4, 4)[:, :3, 3]
        return p

    def full(self, x: Array) -> Array:
        """Coordinates of the chain, shape (rows, n), with the others of the start, shape (rows, nq)."""
        q = np.repeat(self.start[None], len(x), axis=0)
        q[:, self.places] = x
        return q

    def spread(self, count: int, *, seed: int = 0, edge: float = 0.0) -> Array:
        """Postures evenly all over the limits: an additive recurrence of the roots of x^(n+1) = x + 1.

        Args:
            count: How many.
            seed: Where the recurrence begins.
            edge: How much beyond the limits it goes, in parts of the range, before it is cut to them: this much of
                every coordinate lies at its limits exactly.

        Returns:
            Shape (count, nq).
        """
        root = 1.5
        for _ in range(64):
            root = (1.0 + root) ** (1.0 / (self.n + 1))
        steps = root ** -np.arange(1.0, self.n + 1)
        unit = (0.5 + np.outer(np.arange(count) + 1 + 100_003 * seed, steps)) % 1.0
        if edge:
            grown = np.where(self.whole, 0.0, edge)
            unit = np.clip(unit * (1.0 + 2.0 * grown) - grown, 0.0, 1.0)
        return self.full(self.low + (self.high - self.low) * unit)

    def into_limits(self, x: Array) -> tuple[Array, Flags]:
        """Coordinates moved by whole turns to where they are within their limits, and whether all of them are."""
        around = 2.0 * math.pi * np.ceil((self.low - x - 1e-12) / (2.0 * math.pi))
        made = np.where(self.turns, x + around, x)
        fits = (made >= self.low - 1e-12) & (made <= self.high + 1e-12)
        return np.clip(made, self.low, self.high), np.asarray(fits.all(axis=1))

    def curvature(self, found: Columns, u: Array) -> Array:
        """Second derivatives of places along directions u, shape (rows, 3): shape (rows, n, n).

        What is nearer to the base turns everything beyond: ∂²p/∂qᵢ∂qⱼ = wᵢ × vⱼ for i ≤ j.
        """
        turned = np.cross(u[:, :, None], found.w, axis=1)  # u · (w × v) = (u × w) · v
        upper = np.triu(np.einsum("rki,rkj->rij", turned, found.v))
        return np.asarray(upper + np.triu(upper, 1).transpose(0, 2, 1))

    def solve(self, places: Array, seeds: Array, *, tolerance: float, restarts: int = 0) -> tuple[Array, Flags]:
        """Postures within the limits that reach places, and whether they do.

        Args:
            places: Shape (rows, 3) [m].
            seeds: Where to begin, shape (rows, nq).
            tolerance: Greatest distance that is none [m].
            restarts: Attempts after the first, from elsewhere.
        """
        if not len(places):
            return seeds.copy(), np.zeros(0, dtype=bool)
        if self._solver is None:
            self._solver = Solver(self.engine, self.place, self.joints, read_task("position", "lm"), True)
        targets = np.repeat(np.eye(4)[None], len(places), axis=0)
        targets[:, :3, 3] = places
        options = Options(
            method="lm",
            limits=True,
            turn=1e-8,
            slide=0.25 * tolerance,
            restarts=restarts,
            iterations=STEPS,
            damping=(0.1, 4.0, 0.7),
            seed=1,
            several=False,
        )
        q = self._solver.run(targets, np.ascontiguousarray(seeds), options).q
        return q, np.asarray(np.linalg.norm(self.at(q) - places, axis=1) <= tolerance)


def directions(columns: Array) -> tuple[Array, int]:
    """Unit vectors along which columns of many Jacobians point, shape (k, k), the strongest first, and how many do.

    Args:
        columns: Shape (rows, k, n).
    """
    stacked = columns.transpose(0, 2, 1).reshape(-1, columns.shape[1])
    _, strength, axes = np.linalg.svd(stacked, full_matrices=False)
    return axes, int((strength > FLAT * max(float(strength[0]), 1e-300)).sum()) if strength[0] else 0


def _refuse(reason: Text) -> NoReturn:
    refuse("no-workspace", Text(f"there is no map of places: {reason.en}", f"карты мест нет: {reason.ru}"))
