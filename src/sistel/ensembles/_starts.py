"""States to begin with, for many runs at once: those of the file or its formulas, with the given values in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import first_memory, has_forced
from sistel.ensembles._dependence import StartFormulas
from sistel.ensembles._work import Axis
from sistel.errors import SistelError, Text
from sistel.kernels import USER, compile_program
from sistel.mechanics import assemble
from sistel.model import Structure
from sistel.simulation import fitting_velocities, initial_state

if TYPE_CHECKING:
    from sistel.arrays import Array, Indices
    from sistel.engine import Engine


ROUNDS = 30
"""Newton steps after which a posture is left to the careful way."""
CLOSED = 1e-14
"""How well constraints are met before they are left alone [m or rad]."""
ENOUGH = 1e-11
"""Distance [m or rad] at which they count as met; as for a single run."""
MET = 1e-9
"""Velocity that constraints may be off by, relative to the largest one; as for a single run."""

Messages = dict[int, Text]


class Starts:
    """Makes the states of one model and structure."""

    def __init__(self, engine: Engine, structure: Structure, formulas: StartFormulas) -> None:
        self.engine, self.structure, self.formulas = engine, structure, formulas
        self.model = engine.model
        self.bound = bool(structure.holds or structure.changes)
        self.plain = not any(body.joint.type.has_quaternion for body in self.model.bodies)

    def states(self, columns: Sequence[Axis], rows: Indices) -> tuple[Array, Messages]:
        """States (q, v, t) of some runs, and why there is none, by place; those are NaN.

        Args:
            columns: Values for all runs of a chunk.
            rows: The runs.
        """
        if self.formulas.line is None and all(axis.kind == "p" for axis in columns):
            return self._as_the_file_says(len(rows))
        start = self.model.start
        q, v = self._unbound(columns, rows)
        t = np.full(len(rows), self.model.start_time)
        kept_q, kept_v = set(start.given_q), set(start.given_v)
        for axis in columns:
            if axis.kind == "q":
                q[:, axis.place] = axis.values[rows]
                kept_q.add(axis.place)
            elif axis.kind == "v":
                v[:, axis.place] = axis.values[rows]
                kept_v.add(axis.place)
            elif axis.kind == "t":
                t = axis.values[rows].copy()
        named = any(axis.kind in ("q", "v") for axis in columns)
        memory = np.array([first_memory(self.model, self.structure.name, float(each)) for each in t])
        y = np.concatenate([q, v, memory.reshape(len(t), -1), t[:, np.newaxis]], axis=1)
        messages: Messages = {}
        finite = np.isfinite(y).all(axis=1)
        for i in np.flatnonzero(~finite):
            messages[int(i)] = Text("values that are not finite", "значения, которые не конечны")
        good = np.flatnonzero(finite)
        if has_forced(self.model, self.structure) or (not self.plain and (self.bound or named)):
            self._one_by_one(y, good, kept_q, kept_v, messages)
        elif self.bound and len(good):
            left = self._together(y, good, kept_q, kept_v)
            self._one_by_one(y, left, kept_q, kept_v, messages)
        for place in messages:
            y[place, :] = np.nan
        assert y.shape[1] == self.model.state_size
        return y, messages

    def _as_the_file_says(self, count: int) -> tuple[Array, Messages]:
        """The same state for all, to the bit that of a single run."""
        try:
            return np.tile(initial_state(self.engine, self.structure, None, None, None), (count, 1)), {}
        except SistelError as problem:
            wrong = problem.diagnostics[0].message
            return np.full((count, self.model.state_size), np.nan), dict.fromkeys(range(count), wrong)

    def _unbound(self, columns: Sequence[Axis], rows: Indices) -> tuple[Array, Array]:
        """Coordinates and velocities as the file or its formulas give them."""
        start, formulas = self.model.start, self.formulas
        if formulas.line is None:
            return np.tile(np.array(start.q, dtype=float), (len(rows), 1)), np.tile(
                np.array(start.v, dtype=float), (len(rows), 1)
            )
        given = {axis.name: axis.values for axis in columns if axis.kind == "p"}
        p = np.stack([given[name][rows] for name in formulas.names], axis=1)
        # Values that are not finite give no state; what they would give meanwhile does not matter.
        with np.errstate(all="ignore"):
            q, v = compile_program(formulas.line, name="start", cache=USER)(p)
        return np.array(q), np.array(v)

    def _together(self, y: Array, rows: Indices, kept_q: set[int], kept_v: set[int]) -> Indices:
        """Make states meet the constraints; those for which that did not work, unchanged."""
        nq, nv = self.model.nq, self.model.nv
        free_q = [i for i in range(nv) if i not in kept_q]  # without quaternions the numbers of q and v are the same
        q, v, t = y[rows, :nq].copy(), y[rows, nq : nq + nv].copy(), y[rows, -1]
        for _ in range(ROUNDS):
            value, J, drift = self._constraints(q, v, t)
            off = np.abs(value).max(axis=1, initial=0.0)
            if (off <= CLOSED).all() or not free_q or not np.isfinite(off).all():
                break
            wide = off > CLOSED
            step = np.linalg.pinv(J[wide][:, :, free_q], rcond=1e-10) @ value[wide, :, np.newaxis]
            longest = np.abs(step).max(axis=1, keepdims=True)
            step *= np.minimum(1.0, 0.5 / np.maximum(longest, 0.5))  # as for a single run: not past a turning point
            places = np.flatnonzero(wide)
            q[np.ix_(places, np.array(free_q))] -= step[:, :, 0]
        lack = (J @ v[:, :, np.newaxis])[:, :, 0] + drift
        scale = np.maximum(1.0, np.abs(v).max(axis=1, initial=0.0))
        speed = v.copy()
        adrift = np.abs(lack).max(axis=1, initial=0.0) > CLOSED * scale
        free_v = [i for i in range(nv) if i not in kept_v]
        if adrift.any():
            at = np.flatnonzero(adrift)
            speed[at] = self._speeds(J[at], v[at], lack[at], drift[at], scale[at], free_v)
        fine = (off <= ENOUGH) & np.isfinite(speed).all(axis=1)
        y[rows[fine], :nq], y[rows[fine], nq : nq + nv] = q[fine], speed[fine]
        left: Indices = rows[~fine]
        return left

    @staticmethod
    def _speeds(J: Array, v: Array, lack: Array, drift: Array, scale: Array, free: list[int]) -> Array:
        """Velocities that constraints allow: the given ones as they are if possible, else the nearest."""
        near: Array = v - (np.linalg.pinv(J, rcond=1e-10) @ lack[:, :, np.newaxis])[:, :, 0]
        if not free:
            return near
        made = v.copy()
        made[:, free] -= (np.linalg.pinv(J[:, :, free], rcond=1e-10) @ lack[:, :, np.newaxis])[:, :, 0]
        rest = (J @ made[:, :, np.newaxis])[:, :, 0] + drift
        fits = np.abs(rest).max(axis=1, initial=0.0) <= MET * scale
        return np.where(fits[:, np.newaxis], made, near)

    def _constraints(self, q: Array, v: Array, t: Array) -> tuple[Array, Array, Array]:
        equations = self.engine.structure(self.structure, False)
        time = (t[:, np.newaxis],) if equations.timed else ()
        value, J, _, drift = equations.constraints(q, v, *time)
        return np.asarray(value), np.asarray(J).reshape(len(q), -1, self.model.nv), np.asarray(drift)

    def _one_by_one(self, y: Array, rows: Indices, kept_q: set[int], kept_v: set[int], messages: Messages) -> None:
        """The careful way, as a single run begins."""
        nq, nv = self.model.nq, self.model.nv
        for i in rows:
            q, v, t = y[i, :nq].copy(), y[i, nq : nq + nv].copy(), float(y[i, -1])
            try:
                if self.plain and not has_forced(self.model, self.structure):
                    y[i, : nq + nv] = self._with_kept(q, v, t, frozenset(kept_q), frozenset(kept_v))
                else:
                    y[i] = initial_state(self.engine, self.structure, q, v, t, (kept_q, kept_v))
            except SistelError as problem:
                messages[int(i)] = problem.diagnostics[0].message
            except np.linalg.LinAlgError:
                messages[int(i)] = Text("the constraints cannot be solved", "уравнения связей не решаются")

    def _with_kept(self, q: Array, v: Array, t: float, kept_q: frozenset[int], kept_v: frozenset[int]) -> Array:
        found = assemble(self.model, self.structure, q.tolist(), fixed=kept_q, tree=self.engine.tree)
        if not found.success:
            whole = initial_state(self.engine, self.structure, q, v, t)  # which says what is wrong
            return whole[: self.model.nq + self.model.nv]
        place = np.array(found.q)
        return np.array([*place, *fitting_velocities(self.engine, self.structure, place, v, kept_v, t)])
