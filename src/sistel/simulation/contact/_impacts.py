"""Impacts of contacts and stops, and crowds of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import STICK, within_energy
from sistel.simulation.contact._complementarity import impact_impulses
from sistel.simulation.contact._cones import ConeProblem, solve_cones
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._problem import Data, Problems, backs
from sistel.simulation.contact._striking import AGAIN, CROWDED, CROWDED_IN_SPACE

if TYPE_CHECKING:
    from sistel.arrays import Array


class Impacts(Problems):
    """What impacts do."""

    def _impact(
        self, overlay: Overlay, closed: Sequence[int], data: Data, y: Array, rest: float, dull: bool = False
    ) -> tuple[Array, float, Array, Data]:
        """Velocities after an impact of all closed contacts; a dull one has no rebound."""
        u, total = data.u.copy(), np.zeros(len(data.u))
        for _ in range(AGAIN):
            if all(u[i] >= -rest for i in closed):
                break
            given = self._impulses(closed, data.G, u, dull)
            if given is None:
                self._no_solution(closed, y, impact=True)
            total += given
            u = data.u + data.G @ total
        else:
            self._no_solution(closed, y, impact=True)
        after = y.copy()
        nq = self.model.nq
        after[nq : nq + self.model.nv] += data.P.T @ total
        loss = float(-0.5 * total @ (data.u + u))
        return total, loss, after, self._data(overlay, after)

    def _impulses(self, closed: Sequence[int], G: Array, u: Array, dull: bool) -> Array | None:
        """Impulses of one impact."""
        elements = [self.elements[i] for i in closed]
        places = self._rows(closed)
        friction = [element.friction for element in elements]

        def phase(b: Array, pressed: Sequence[float]) -> Array | None:
            k = len(elements)
            # What is only rounding has no friction to give, and must not press the other way.
            least = 1e-12 * max(pressed, default=0.0)
            problem = ConeProblem(
                G=G[np.ix_(places, places)],
                b=b,
                friction=tuple(friction),
                ways=np.zeros((k, 2)),
                pressed=tuple(x if x > least else 0.0 for x in pressed),
                bare=(False,) * k,
                back=backs(elements),
            )
            found = solve_cones(problem)
            return None if found is None else found.x

        found = impact_impulses(
            G[np.ix_(places, places)],
            u[places],
            friction,
            newton=[e.restitution if e.impact in ("newton", "coulomb") and not dull else 0.0 for e in elements],
            poisson=[e.restitution if e.impact == "poisson" and not dull else 0.0 for e in elements],
            phase=None if self.model.planar else phase,
            back=backs(elements),
        )
        if found is None:
            return None
        found = self._within_energy(G[np.ix_(places, places)], u[places], friction, found, phase)
        given = np.zeros(len(u))
        given[places] = found
        return given

    def _within_energy(
        self,
        G: Array,
        u: Array,
        friction: Sequence[float | None],
        p: Array,
        phase: Callable[[Array, Sequence[float]], Array | None],
    ) -> Array:
        """Impulses in space that do not gain energy, as those of written structures: Newton's rule with friction may.

        Where it does (Kane's paradox), the rebound is as great as the energy allows: of the impulses between those
        without a rebound and those of the rule, the last that do not gain any.
        """
        if self.model.planar or float(p @ (u + 0.5 * G @ p)) <= 0.0:
            return p
        k = len(friction)
        still = impact_impulses(G, u, friction, [0.0] * k, [0.0] * k, phase)
        if still is None or float(still @ (u + 0.5 * G @ still)) > 0.0:
            return p
        return np.array(within_energy(G.tolist(), u.tolist(), still.tolist(), p.tolist()), dtype=float)

    def _crowded(
        self, overlay: Overlay, closed: Sequence[int], data: Data, y: Array, rest: float
    ) -> tuple[Array, Data]:
        """Go to the limit of impacts that crowd together, where that is near."""
        left, high = 0.0, list[int]()
        crowded = CROWDED if self.model.planar else CROWDED_IN_SPACE
        for i in (i for i in closed if data.u[i] > rest):
            lasts = self._lasts(i, data)
            if lasts > crowded:
                high.append(i)  # it hops on, whatever the others do
            else:
                left = max(left, lasts)
        if left == 0.0 or y[-1] + left > self.until:
            return y, data
        closed = [i for i in closed if i not in high]
        # The contacts push as if they were closed, less what the velocities of the last hop spare them; slips that are
        # no faster than these end as well.
        k, slow = len(self.elements), 10.0 * float(np.abs(data.u[list(closed)]).max())
        rows, slipping = list(closed), np.zeros((k, self.tangents))
        G, P = data.G.copy(), data.P.copy()
        for i in closed:
            sides = [k * (1 + side) + i for side in range(self.elements[i].tangents)]
            speed = float(np.linalg.norm(data.u[sides]))
            if speed <= slow or self.elements[i].friction is None:
                rows += sides
                continue
            slipping[i] = data.u[sides] / speed
            drag = -self.elements[i].pull(float(slipping[i, 0])) * slipping[i]
            G[:, i] += data.G[:, sides] @ drag
            P[i] += drag @ data.P[sides]
        stop = np.linalg.lstsq(G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-12)[0]
        y = y.copy()
        nq, nv = self.model.nq, self.model.nv
        y[nq : nq + nv] += P[rows].T @ stop
        data = self._data(overlay, y)
        found = self._solve(data, closed, slipping, [(True, STICK)] * k)
        a = data.free.copy()
        if found is not None:
            a += data.P[self._rows(closed)].T @ found[0]
        y = self._moved(y, a, left)
        return y, self._data(overlay, y)

    def _lasts(self, i: int, data: Data) -> float:
        """How long the hops of a contact that has just struck go on [s]; infinite where they do not crowd."""
        if data.a[i] >= 0.0:
            return math.inf
        speeds = self.remembered(i)
        ratios = [later / earlier for earlier, later in pairwise(speeds)]
        ratio = ratios[-1] if len(speeds) == 4 and max(ratios) < 1.0 else math.inf
        if ratio == math.inf and not self.model.planar:
            # Corners of one body throw each other up: their hops become shorter, but not one by one.
            ratio = self.elements[i].restitution
        return 2.0 * float(data.u[i]) / -float(data.a[i]) / (1.0 - ratio) if ratio < 1.0 else math.inf
