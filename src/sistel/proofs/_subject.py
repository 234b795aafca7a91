"""What claims are about: a system with its states, or one of its structures."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import Automaton
from sistel.engine import Engine, StructureEngine
from sistel.errors import Text
from sistel.expr import Program
from sistel.kept import cached_property
from sistel.kernels import Kernel
from sistel.mechanics import Mobility, Quantities, Row, Tree, acts, applied_forces, constraint_rows, rubbing
from sistel.model import Model, Structure
from sistel.proofs._states import assembled, feasible, random_coordinates, walk
from sistel.proofs._units import Units
from sistel.proofs._virtual import motions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.expr import Scalar, Scalars


STATES = 6
"""Random states of a system, and half as many of each of its structures."""
HUGE = 400
"""Velocities beyond which the mass matrix, whose cost grows with their square, is left alone."""


class Watched(Engine):
    """An engine that remembers what it compiled, so that machine code can be compared with its own program."""

    def __init__(self, model: Model) -> None:
        """Nothing is derived yet."""
        super().__init__(Automaton(model))
        self.kernels: dict[tuple[object, ...], Kernel] = {}
        """By everything beside the model that the program depends on."""

    def compile(
        self, what: Sequence[object], derive: Callable[[], tuple[Program, tuple[str, ...]]]
    ) -> tuple[Kernel, tuple[str, ...]]:
        """Machine code, remembered."""
        kernel, names = super().compile(what, derive)
        self.kernels[tuple(what)] = kernel
        return kernel, names


class Subject:
    """A system, and the random states in which its tree of bodies is looked at."""

    def __init__(self, model: Model, states: int | None, seed: int) -> None:
        """Nothing is computed before a claim asks for it."""
        self.model = model
        self.engine = Watched(model)
        self.units = Units(model)
        self.seed = seed
        wanted = STATES if states is None else states
        self.count = min(wanted, 2) if self.engine.large else wanted
        self.many = range(self.count)

    @property
    def tree(self) -> Tree:
        """The links of the bodies."""
        return self.engine.tree

    def rng(self, what: str) -> np.random.Generator:
        """Random numbers that do not depend on which claims came before."""
        return np.random.default_rng([self.seed, zlib.crc32(what.encode())])

    @cached_property
    def q(self) -> Array:
        """Coordinates, (states, nq)."""
        return random_coordinates(self.units, self.rng("q"), self.count)

    @cached_property
    def v(self) -> Array:
        """Velocities, (states, nv)."""
        return self.rng("v").uniform(-1.0, 1.0, (self.count, self.model.nv)) * self.units.velocities

    @cached_property
    def a(self) -> Array:
        """Accelerations, (states, nv)."""
        return self.rng("a").uniform(-1.0, 1.0, (self.count, self.model.nv)) * self.units.accelerations

    @cached_property
    def still(self) -> Array:
        """No velocities or accelerations."""
        return np.zeros((self.count, self.model.nv))

    @cached_property
    def tau(self) -> Array:
        """Forces of inverse dynamics."""
        return self.call("inverse_dynamics", self.q, self.v, self.a)

    @cached_property
    def gravity(self) -> Array:
        """Forces that hold the system still."""
        return self.call("gravity_forces", self.q)

    @cached_property
    def M(self) -> Array:
        """Mass matrices, (states, nv, nv)."""
        nv = self.model.nv
        return self.call("mass_matrix", self.q).reshape(self.count, nv, nv)

    @cached_property
    def weights(self) -> Array:
        """What makes accelerations numbers of about one, (states, nv)."""
        return self.units.weights(self.M)

    @cached_property
    def condition(self) -> float:
        """Of the mass matrices, their diagonals scaled to 1: that is what elimination suffers from."""
        sizes = np.linalg.eigvalsh(self.units.scaled(self.M))
        return float(np.abs(sizes[:, -1] / sizes[:, 0]).max())

    @cached_property
    def found(self) -> Array:
        """Accelerations of forward dynamics under `tau`."""
        return self.call("forward_dynamics", self.q, self.v, self.tau)

    @property
    def why_not(self) -> Text | None:
        """Why forces do not determine accelerations."""
        reasons = self.model.structures[0].why_not
        if not reasons:
            return None
        more = len(reasons) - 2
        shown = reasons[:2]
        en, ru = "; ".join(r.en for r in shown), "; ".join(r.ru for r in shown)
        return Text(f"{en}; and {more} more", f"{ru}; и ещё {more}") if more > 0 else Text(en, ru)

    @property
    def huge(self) -> bool:
        """Whether anything that grows with the square of the size is left alone."""
        return self.model.nv > HUGE

    def call(self, quantity: str, *blocks: ArrayLike) -> Array:
        """A quantity of the tree."""
        return np.asarray(self.engine.call(quantity)(*blocks))

    def energies(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Kinetic energy, potential energy and centre of mass, (..., 5)."""
        return self.call("energies", q, v)

    @cached_property
    def probes(self) -> Array:
        """Virtual displacements, (probes, nv) in units: each velocity by itself in small systems, else mixtures."""
        nv = self.model.nv
        if nv <= 12:
            return np.asarray(np.eye(nv) * self.units.ways)
        mixed = self.rng("probes").uniform(-1.0, 1.0, (2 if self.engine.large else 6, nv))
        # At most one radian in all, for the sake of differences.
        return np.asarray(mixed / np.abs(mixed).sum(axis=1, keepdims=True) * self.units.ways)

    @cached_property
    def places(self) -> list[str]:
        """Where poses and Jacobians are looked at: the last end of a branch, and a named point or another end."""
        model = self.model
        ends = [model.bodies[number - 1].name for number in model.terminal]
        named = [thing.name for things in (model.frames, model.points) for thing in things]
        chosen = list(dict.fromkeys([*ends[-1:], *named[-1:], *ends[:1]]))
        return chosen[:1] if self.engine.large else chosen[:2]

    def place_call(self, quantity: str, name: str, *blocks: ArrayLike) -> Array:
        """The pose, Jacobian or Jacobian rate of a body, frame or point."""
        entries = np.asarray(self.engine.frame_call(quantity, *self.model.place_of(name))(*blocks))
        shape = (4, 4) if quantity == "pose" else (6, self.model.nv)
        return entries.reshape(*entries.shape[:-1], *shape)


class StructureSubject:
    """One structure, in states that meet its constraints."""

    def __init__(self, whole: Subject, structure: Structure) -> None:
        """Nothing is computed before a claim asks for it."""
        self.whole, self.structure = whole, structure
        self.model, self.units = whole.model, whole.units
        self.applied = acts(self.model)
        self.count = 1 if whole.engine.large else max(1, (whole.count + 1) // 2)
        self.many = range(self.count)

    @cached_property
    def equations(self) -> StructureEngine:
        """The equations, with everything that the file lets act."""
        return self.whole.engine.structure(self.structure, self.applied)

    @property
    def free(self) -> bool:
        """Whether nothing holds beside the joints."""
        return self.equations.is_tree

    @property
    def tree(self) -> Tree:
        """The links of the bodies."""
        return self.whole.tree

    @cached_property
    def mobility(self) -> Mobility:
        """Rank of the constraints."""
        return self.equations.mobility

    def rng(self, what: str) -> np.random.Generator:
        """Random numbers of this structure."""
        return self.whole.rng(f"{self.structure.name}: {what}")

    @cached_property
    def start(self) -> tuple[list[float], float]:
        """The first posture, and how far from the constraints it is [m or rad]."""
        return assembled(self.model, self.tree, self.structure)

    @cached_property
    def q(self) -> Array:
        """Coordinates on the constraints, (states, nq)."""
        if self.free:
            return self.whole.q[: self.count]
        return walk(self.units, self.tree, self.structure, self.start[0], self.rng("q"), self.count)

    @cached_property
    def v(self) -> Array:
        """Velocities that the constraints let pass, (states, nv)."""
        wild = self.wild
        return np.array(
            [feasible(self.units, self.tree, self.structure, self.q[s].tolist(), wild[s]) for s in self.many]
        )

    @cached_property
    def wild(self) -> Array:
        """Velocities of any kind, (states, nv)."""
        return self.rng("v").uniform(-1.0, 1.0, (self.count, self.model.nv)) * self.units.velocities

    @cached_property
    def tau(self) -> Array:
        """Driving forces, of the size that gives unit accelerations, (states, nv); none on joints that were changed."""
        sizes = np.abs(self.M) @ self.units.accelerations
        tau = np.asarray(self.rng("tau").uniform(-1.0, 1.0, sizes.shape) * sizes)
        for change in self.structure.changes:
            # A motor of the joint that was there would push between bodies that the new joint holds together.
            body = self.model.bodies[change.body - 1]
            tau[:, body.first_v : body.first_v + body.joint.type.nv] = 0.0
        return tau

    @cached_property
    def M(self) -> Array:
        """Mass matrices, (states, nv, nv)."""
        nv = self.model.nv
        return self.whole.call("mass_matrix", self.q).reshape(self.count, nv, nv)

    @cached_property
    def force(self) -> Array:
        """Driving and applied forces less those of weight and speed, (states, nv)."""
        given = self.tau - self.whole.call("bias_forces", self.q, self.v)
        return given + self.acting

    @cached_property
    def acting(self) -> Array:
        """What the file lets act beside weight, (states, nv)."""
        if not self.applied:
            return np.zeros_like(self.tau)
        if rubbing(self.model):
            made = []
            for s in self.many:
                state = Quantities(self.model, self.tree, self.q[s].tolist(), self.v[s].tolist(), 0.0)
                made.append(applied_forces(state, loads=self.patch_loads(s)).generalized)
            return np.array(made, dtype=float)
        return self.whole.call("applied_forces", self.q, self.v, np.zeros(1))

    def patch_loads(self, s: int) -> dict[str, float] | None:
        """What the patches of tracks carry in a state, as the reactions say [N]; None where nothing rubs."""
        if not (self.applied and rubbing(self.model)):
            return None
        made: dict[str, float] = {}
        at = motions(self.model, self.q[s], self.v[s])
        for track in self.model.tracks:
            for name in (track.patch_name(index) for index in range(len(track.patches))):
                made[name] = float(self.reactions[name][s][3:] @ (at.R[track.body] @ np.array(track.normal)))
        return made

    @cached_property
    def rows(self) -> list[list[Row]]:
        """All constraints as numbers, computed without machine code, a list per state."""
        return [self.rows_at(self.q[s].tolist(), self.v[s].tolist()) for s in self.many]

    def rows_at(
        self, q: list[float], v: list[float], *, t: Scalar = 0.0, found: Mapping[str, Scalars] | None = None
    ) -> list[Row]:
        """Constraints of one state."""
        return constraint_rows(self.model, self.tree, self.structure, q, v, t=t, found=found)

    @cached_property
    def kept(self) -> list[int]:
        """The constraints that say something new."""
        redundant = set(self.mobility.redundant)
        return [i for i in range(len(self.mobility.rows)) if i not in redundant]

    @cached_property
    def row_units(self) -> Array:
        """A unit of every constraint's value [m or rad]."""
        kinds = self.model.rate_kinds
        turns = [row.part == "turn" or (row.rate is not None and kinds[row.rate] == "turn") for row in self.rows[0]]
        return np.where(turns, 1.0, self.units.length)

    @cached_property
    def a(self) -> Array:
        """The accelerations that the equations of the structure give, (states, nv)."""
        if self.free and self.patch_loads(0) is None:
            return self.whole.call("forward_dynamics", self.q, self.v, self.tau + self.acting)
        return self.equations.forward_dynamics(self.q, self.v, self.tau, 0.0)

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """What joints and links carry, each (states, 6)."""
        return self.equations.reactions(self.q, self.v, self.tau, 0.0)

    def impact(self, restitution: float) -> tuple[Array, dict[str, Array]]:
        """Velocities after an impact of any velocities, and the impulses."""
        return self.equations.impact(self.q, self.wild, restitution, 0.0)

    @cached_property
    def systems(self) -> list[System]:
        """The equations of motion of every state as one matrix."""
        return [self._system(s) for s in self.many]

    def _system(self, s: int) -> System:
        units, weights = self.units, self.weights[s]
        # What slides and shares its load with others shares its friction, too.
        rows = self.equations.setting.shares(self.rows[s]).rows
        J = np.array([row.J for row in rows], dtype=float).reshape(len(rows), self.model.nv) / weights
        lengths = np.linalg.norm(J, axis=1)
        lengths[lengths == 0] = 1.0
        drags = [[0.0] * self.model.nv if row.drag is None else row.drag for row in rows]
        push = J + np.array(drags, dtype=float).reshape(J.shape) / weights
        return System(
            M=units.scaled(self.M[s]),
            J=J / lengths[:, np.newaxis],
            push=push / lengths[:, np.newaxis],
            force=self.force[s] / (weights * units.mass * units.length**2),
            demand=-np.array([row.bias for row in rows], dtype=float) / lengths,
            drift=np.array([row.drift for row in rows], dtype=float) / lengths,
        )

    @cached_property
    def weights(self) -> Array:
        """What makes accelerations numbers of about one, (states, nv)."""
        return self.units.weights(self.M)

    @cached_property
    def condition(self) -> float:
        """Of the equations of motion, the largest of all states."""
        return max(system.condition for system in self.systems)


@dataclass(frozen=True, eq=False)
class System:
    """M a = force + pushᵀ λ, J a = demand, with M of diagonal 1 and rows of J of length 1.

    Its accelerations and velocities are those of the model times the weights.
    """

    M: Array
    J: Array
    push: Array
    force: Array
    demand: Array
    drift: Array
    """J v + drift = 0."""

    @cached_property
    def condition(self) -> float:
        """What rounding grows by: the condition of M times that of J M⁻¹ Jᵀ, which elimination meets one by one."""
        sizes = np.linalg.eigvalsh(self.M)
        if not len(self.J):
            return float(abs(sizes[-1] / sizes[0]))
        joint = np.linalg.svd(self.J @ np.linalg.solve(self.M, self.push.T), compute_uv=False)
        with np.errstate(all="ignore"):
            return float(abs(sizes[-1] / sizes[0]) * (joint[0] / joint[-1]))

    def solve(self) -> tuple[Array, Array]:
        """Accelerations and multipliers by one dense matrix."""
        nv, rows = len(self.force), len(self.demand)
        K = np.block([[self.M, -self.push.T], [self.J, np.zeros((rows, rows))]])
        found = np.linalg.solve(K, np.concatenate([self.force, self.demand]))
        return found[:nv], found[nv:]
