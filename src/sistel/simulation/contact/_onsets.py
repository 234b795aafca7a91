"""The first moment of slips in space, by collocation.

Where a slip begins its direction is that of a motion which has none yet, and a small disturbance of it dies away in a
time as short as the slip is slow: explicit steps would have to be as short. But the motion itself is smooth. With s the
slip, the friction is against s / |s|; s is t or t² times a smooth function. So accelerations at Gauss's nodes of a
short time are sought such that the directions of friction are those of the slips that follow from them: Newton's
method on the angles, with positions brought after in every turn. Nothing is integrated step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import GRIP, PLUS, ROUNDING, SLOWEST, STICK, TOUCHING, Status
from sistel.mechanics import coordinate_rates
from sistel.records import mutable, record
from sistel.simulation.contact._blocks import solve_blocks
from sistel.simulation.contact._cones import cone_equations
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._gauss import (
    ASTRAY,
    HOPELESS,
    LENGTHS,
    NODES,
    PLAIN,
    ROUGH,
    SMOOTH,
    TURNS,
    gauss,
    powers,
)
from sistel.simulation.contact._loads import Shares
from sistel.simulation.contact._problem import Data

if TYPE_CHECKING:
    from sistel.arrays import Array


@mutable
class _Nodes:
    """What is known at the nodes."""

    y: Array
    """States, shape (NODES, size)."""
    x: Array
    """Forces of the elements that take part, shape (NODES, 3 k)."""
    rates: Array
    """Of the states."""
    slips: Array
    """Accelerations of the slips, shape (NODES, slips, 2)."""
    turns: Array
    """What they are for a turn of every direction, shape (NODES, slips, 2, slips)."""
    data: list[Data]
    lack: float = 0.0
    """What the last two terms of the series are worth [m/s and rad/s, and parts of the velocity]."""


@record
class _Moment:
    """The first moment of some slips."""

    overlay: Overlay
    """The structure of the file."""
    y: Array
    """The state."""
    chosen: Sequence[int]
    """Elements that take part."""
    statuses: Sequence[Status]
    """What they do."""
    sliding: Sequence[int]
    """Places in `chosen` of those that slide."""
    length: float
    """[s]"""


class Onsets(Shares):
    """How slips begin."""

    def _begins(
        self, overlay: Overlay, y: Array, chosen: Sequence[int], after: Sequence[Status], ways: Array, w: Array
    ) -> tuple[Array, float, Array] | None:
        """The state after the first moment of slips, its length and the motion until then; None where that fails.

        Args:
            overlay: The structure of the file.
            y: The state.
            chosen: Elements that take part.
            after: What all elements do.
            ways: Directions of the slips, about, shape (elements, 2).
            w: Accelerations of all elements, about.
        """
        if any(self.elements[i].kind == GRIP for i in chosen):
            return None
        statuses = [after[i] for i in chosen]
        sliding = [place for place, status in enumerate(statuses) if status == (True, PLUS)]
        if not sliding or not all(ways[chosen[place]].any() for place in sliding):
            return None
        data = self._data(overlay, y)
        gaps = [i for i, element in enumerate(self.elements) if element.kind != GRIP and not after[i][0]]
        lost: set[float] = set()
        for length, smooth in [(length, smooth) for smooth in (True, False) for length in LENGTHS]:
            if length in lost:
                continue
            falls = data.gap[gaps] + length * data.u[gaps] + 0.5 * length**2 * w[gaps] < -TOUCHING
            if falls.any() or y[-1] + length >= self.until:
                continue  # something strikes before
            moment = _Moment(overlay=overlay, y=y, chosen=chosen, statuses=statuses, sliding=sliding, length=length)
            found = self._collocated(moment, ways[list(chosen)], smooth, lost)
            if found is None or (smooth and found.lack > SMOOTH) or not self._stays(moment, found):
                continue
            return _whole(y, found, length)
        return None

    def _collocated(self, moment: _Moment, ways: Array, smooth: bool, lost: set[float]) -> _Nodes | None:
        """The motion at the nodes; None where Newton's method fails or the motion is not smooth enough.

        Where it has to be smooth, the search ends as soon as it shows that it will not be. Lengths at which Newton's
        method goes astray are put among the lost: it would do so again.
        """
        overlay, y, length = moment.overlay, moment.y, moment.length
        chosen, statuses, sliding = moment.chosen, moment.statuses, moment.sliding
        nodes, A, _, to_legendre = gauss()
        k, count = len(self.elements), len(sliding)
        rows = [[k * (1 + side) + chosen[place] for side in (0, 1)] for place in sliding]
        first = self._data(overlay, y)
        start = np.array([first.u[pair] for pair in rows])
        start[np.linalg.norm(start, axis=1) <= SLOWEST] = 0.0  # what rounding has left has no direction
        theta = np.tile(np.arctan2(ways[list(sliding), 1], ways[list(sliding), 0]), (NODES, 1))
        states = np.tile(y, (NODES, 1))
        states[:, -1] += nodes * length
        last = best = np.inf
        for turn in range(TURNS):
            found = self._at_nodes(overlay, states, chosen, statuses, sliding, theta)
            if found is None:
                return None
            moved = y + length * A @ found.rates
            moved[:, -1] = states[:, -1]
            shift = float(np.abs(moved - states).max())
            states = moved
            s = start + length * np.einsum("jk,kic->jic", A, found.slips)
            d = np.stack([np.cos(theta), np.sin(theta)], axis=-1)
            off = d[..., 0] * s[..., 1] - d[..., 1] * s[..., 0]
            turned = length * (
                d[:, None, :, None, 0] * found.turns[None, :, :, 1, :]
                - d[:, None, :, None, 1] * found.turns[None, :, :, 0, :]
            )
            matrix = np.einsum("jk,jkil->jikl", A, turned).reshape(NODES * count, NODES * count)
            matrix[np.diag_indices(NODES * count)] -= (d * s).sum(axis=-1).ravel()
            try:
                step = solve_blocks(matrix, -off.ravel()).reshape(theta.shape)
            except np.linalg.LinAlgError:
                return None
            most = float(np.abs(step).max())
            if not np.isfinite(most):
                return None
            theta = theta + step * min(1.0, 0.5 / max(most, 1e-300))
            now = max(most, shift)
            series = np.abs(length * (to_legendre @ found.rates)[-2:]).max(axis=0)
            found.lack = float((series / (1.0 + np.abs(y))).max())
            if now < 1e-15 or (now < 1e-9 and now >= 0.5 * last):
                found.y = states
                ahead = bool(((d * s).sum(axis=-1) > 0.0).all())
                return found if found.lack <= ROUGH and ahead else None
            if smooth and now < PLAIN and found.lack > HOPELESS:
                return None
            last, best = now, min(best, now)
            if turn >= ASTRAY and best > PLAIN:
                break
        lost.add(length)
        return None

    def _at_nodes(
        self,
        overlay: Overlay,
        states: Array,
        chosen: Sequence[int],
        statuses: Sequence[Status],
        sliding: Sequence[int],
        theta: Array,
    ) -> _Nodes | None:
        """Forces and accelerations for states and directions of slips at the nodes."""
        nq, nv, count = self.model.nq, self.model.nv, len(chosen)
        places = self._rows(chosen)
        none, lifted = np.zeros((len(self.elements), 2)), self.lifted(chosen, statuses)
        pairs = [[count + place, 2 * count + place] for place in sliding]
        rates, slips, turns, forces = np.zeros_like(states), [], [], []
        every: list[Data] = []
        rates[:, -1] = 1.0
        for node, y in enumerate(states):
            data = self.loaded(self._data(overlay, y), lifted)
            problem = self._cones(data, chosen, none)
            ways = np.zeros((count, 2))
            ways[list(sliding)] = np.column_stack([np.cos(theta[node]), np.sin(theta[node])])
            A, right = cone_equations(problem, statuses, ways)
            inverse = np.linalg.pinv(A, rcond=1e-11)
            x = inverse @ right
            if not np.isfinite(x).all():
                return None
            turn = np.zeros((3 * count, len(sliding)))
            for number, place in enumerate(sliding):
                pull = (problem.friction[place] or 0.0) * x[place]
                turn[count + place, number] = pull * ways[place, 1]
                turn[2 * count + place, number] = -pull * ways[place, 0]
            w, more = problem.G @ x + problem.b, problem.G @ (inverse @ turn)
            slips.append(w[pairs])
            turns.append(more[pairs])
            forces.append(x)
            every.append(data)
            v = y[nq : nq + nv]
            rates[node, :nq] = np.array(coordinate_rates(self.model, y[:nq].tolist(), v.tolist()), dtype=float)
            rates[node, nq : nq + nv] = data.free + data.P[places].T @ x
        return _Nodes(states, np.array(forces), rates, np.array(slips), np.array(turns), every)

    def _stays(self, moment: _Moment, found: _Nodes) -> bool:
        """Whether all elements keep their statuses for the whole moment."""
        y, length, chosen, statuses = moment.y, moment.length, moment.chosen, moment.statuses
        count, k = len(chosen), len(self.elements)
        free = [i for i in range(k) if self.elements[i].kind != GRIP]
        free = [i for i in free if i not in chosen or not statuses[list(chosen).index(i)][0]]
        first = self._data(moment.overlay, y).gap
        for data, x in zip(found.data, found.x, strict=True):
            slack = ROUNDING * float(np.abs(x).max(initial=0.0))
            for place, (closed, grip) in enumerate(statuses):
                friction = self.elements[chosen[place]].friction
                pull = float(np.hypot(x[count + place], x[2 * count + place]))
                if closed and x[place] < -slack:
                    return False
                if grip == STICK and friction is not None and pull > friction * x[place] + slack:
                    return False
            for i in free:
                if data.gap[i] < min(0.0, float(first[i])):
                    return False
        end = y + length * gauss()[2] @ found.rates
        data = self._data(moment.overlay, end)
        fast = all(np.hypot(*data.u[[k + chosen[p], 2 * k + chosen[p]]]) > 10.0 * SLOWEST for p in moment.sliding)
        # What is open must not be near enough to have been down and up again between two nodes, nor strike at the end.
        deepest = 0.01 * length * float(np.abs(data.u[free]).max(initial=0.0))
        rising = [bool(data.u[i] > 0.0 and first[i] <= TOUCHING) for i in free]
        clear = all(up or data.gap[i] > max(deepest, 10.0 * TOUCHING) for i, up in zip(free, rising, strict=True))
        return fast and clear


def _whole(y: Array, found: _Nodes, length: float) -> tuple[Array, float, Array]:
    """The state at the end of a moment, its length and the motion until then as `Segment` has it."""
    change = powers() @ found.rates * length
    coefficients = (change / (length ** np.arange(NODES + 1))[:, None]).T
    coefficients[:, 0] = y
    end = y + length * gauss()[2] @ found.rates
    end[-1] = y[-1] + length
    return end, length, coefficients[None]
