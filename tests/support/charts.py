"""States near a point that meet the constraints of a structure, found by Newton's method: for central differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from sistel.automaton import Automaton
from sistel.engine import Engine
from sistel.linear import Linear
from sistel.mechanics import Setting, anchors, constraint_rows, solve_singular, structure_dynamics
from sistel.simulation._start import with_tight_gears

STEP = 2e-3
WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
"""Of central differences of the sixth order."""
BESIDE = 1e-3
"""Time over which turns are differentiated [s]."""


def product(p: Any, q: Any) -> Any:
    w, v = p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.array([w, *v])


def turned(q: Any, turn: Any) -> Any:
    angle = np.linalg.norm(turn)
    return product(q, np.array([np.cos(angle / 2), *(0.5 * np.sinc(angle / 2 / np.pi) * turn)]))


def turn_of(q: Any) -> Any:
    size = np.linalg.norm(q[1:])
    return np.zeros(3) if size == 0 else 2 * np.arctan2(size, q[0]) / size * q[1:]


class Charted:
    """The motion of a linearised system as a function of its states, by other means than derivatives."""

    def __init__(self, linear: Linear) -> None:
        self.linear, self.model = linear, linear.model
        self.engine = Engine.of(self.model)
        self.structure = Automaton(self.model).structure(linear.structure)
        self.structure = with_tight_gears(self.model, self.structure)
        self.setting = Setting(model=self.model, tree=self.engine.tree, structure=self.structure, applied=True)
        self.found = anchors(self.model, self.engine.tree, self.structure, linear.q.tolist())
        self.places = [each.index for each in linear.states if each.kind == "place"]
        self.rates = [each.index for each in linear.states if each.kind == "rate"]

    def moved(self, q: Any, e: Any) -> Any:
        """Coordinates after a displacement: turns about axes of the body, shifts along those of the base."""
        made = q.copy()
        for body in self.model.bodies:
            kind, at, first = body.joint.type, body.first_q, body.first_v
            if kind.has_quaternion:
                made[at : at + 4] = turned(q[at : at + 4], e[first : first + 3])
                made[at + 4 : at + kind.nq] += e[first + 3 : first + kind.nv]
            else:
                made[at : at + kind.nq] += e[first : first + kind.nv]
        return made

    def later(self, q: Any, v: Any, h: float) -> Any:
        """Coordinates after a short time with velocities as they are, to the order that differences see."""
        e = h * v
        for body in self.model.bodies:
            if body.joint.type.nq == 7:
                first = body.first_v
                u, turn, total = v[first + 3 : first + 6], e[first : first + 3], np.zeros(3)
                term = h * u
                for k in range(1, 12):
                    total, term = total + term, np.cross(turn, term) / (k + 1)
                e = e.copy()
                e[first + 3 : first + 6] = self.axes(q, body) @ total
        return self.moved(q, e)

    def axes(self, q: Any, body: Any) -> Any:
        p = q[body.first_q : body.first_q + 4]
        back = p * [1, -1, -1, -1]
        return np.array([product(product(p, np.array([0.0, *unit])), back)[1:] for unit in np.eye(3)]).T

    def rows(self, q: Any, v: Any) -> Any:
        t = self.linear.t
        return constraint_rows(
            self.model, self.engine.tree, self.structure, q.tolist(), v.tolist(), t=t, found=self.found
        )

    def state(self, x: Any) -> tuple[Any, Any]:
        """Coordinates and velocities with given deviations of the states."""
        nv, linear = self.model.nv, self.linear
        e = np.zeros(nv)
        e[self.places] = x[: len(self.places)]
        others = [i for i in range(nv) if i not in self.places]
        for _ in range(8):
            q = self.moved(linear.q, e)
            rows = [row for row in self.rows(q, linear.v) if row.holds_place]
            if not rows:
                break
            T = np.eye(nv)
            for body in self.model.bodies:
                if body.joint.type.nq == 7:
                    T[body.first_v + 3 : body.first_v + 6, body.first_v + 3 : body.first_v + 6] = self.axes(q, body)
            J = np.array([row.J for row in rows], dtype=float) @ np.linalg.inv(T)
            off = np.array([row.value for row in rows], dtype=float)
            e[others] -= np.linalg.lstsq(J[:, others], off, rcond=None)[0]
        v = linear.v.copy()
        v[self.rates] += x[len(self.places) : len(self.places) + len(self.rates)]
        every = self.rows(q, v)
        if every:
            J = np.array([row.J for row in every], dtype=float)
            off = J @ v + np.array([row.drift for row in every], dtype=float)
            others = [i for i in range(nv) if i not in self.rates]
            v[others] -= np.linalg.lstsq(J[:, others], off, rcond=1e-10)[0]
        return q, v

    def flow(self, x: Any, u: Any) -> Any:
        """Rates of the deviations."""
        q, v = self.state(x)
        linear = self.linear
        apart = sum(
            sign
            * weight
            / BESIDE
            * self.between(self.later(linear.q, linear.v, k * sign * BESIDE), self.later(q, v, k * sign * BESIDE))
            for k, weight in WEIGHTS
            for sign in (1, -1)
        )
        tau = np.zeros(self.model.nv)
        for each, value in zip(linear.inputs, u, strict=True):
            tau[each.index] += value
        motion = structure_dynamics(self.setting, q.tolist(), v.tolist(), tau.tolist(), linear.t, solve_singular)
        a = np.array(motion.a, dtype=float)
        return np.concatenate([apart[self.places], a[self.rates]])

    def between(self, q: Any, to: Any) -> Any:
        made = np.zeros(self.model.nv)
        for body in self.model.bodies:
            kind, at, first = body.joint.type, body.first_q, body.first_v
            if kind.has_quaternion:
                back = q[at : at + 4] * [1, -1, -1, -1]
                made[first : first + 3] = turn_of(product(back, to[at : at + 4]))
                made[first + 3 : first + kind.nv] = to[at + 4 : at + kind.nq] - q[at + 4 : at + kind.nq]
            else:
                made[first : first + kind.nv] = to[at : at + kind.nq] - q[at : at + kind.nq]
        return made

    def differences(self) -> tuple[Any, Any]:
        """A and B by central differences."""
        n, m = self.linear.B.shape
        u = np.array([each.value for each in self.linear.inputs])
        A, B = np.zeros((n, n)), np.zeros((n, m))
        for k, weight in WEIGHTS:
            for sign in (1, -1):
                for i in range(n):
                    A[:, i] += sign * weight / STEP * self.flow(k * sign * STEP * np.eye(n)[i], u)
                for i in range(m):
                    B[:, i] += sign * weight * self.flow(np.zeros(n), u + k * sign * np.eye(m)[i])
        return A, B
