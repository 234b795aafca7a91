"""The equations of statuses: which rows say something new, what each of them carries, and where slips end."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import (
    GRIP,
    PATCH,
    ROUNDING,
    SLOWEST,
    STICK,
    TOUCHING,
    WAYS,
    Cone,
    Element,
    Layout,
    Statuses,
    shortest,
    structure_of,
)
from sistel.errors import Text
from sistel.mechanics import bed_shares
from sistel.model import Structure
from sistel.pose import Vector3
from sistel.simulation.contact._beds import tips
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._holding import DEPENDENT
from sistel.simulation.contact._impacts import Impacts
from sistel.simulation.contact._problem import Data, fail
from sistel.simulation.contact._resuming import AHEAD

if TYPE_CHECKING:
    from sistel.arrays import Array

LITTLE: Final = 1e-9
"""Part of the largest load that is none."""


class Shares(Impacts):
    """Machines of statuses."""

    def _compiled(self, overlay: Overlay, statuses: Statuses, data: Data, x: Array, ways: Array) -> CompiledContacts:
        """The equations of a structure: which of its rows say something new, and what each of them carries."""
        layout = overlay.mode.layout
        wanted = self._lawful(layout, statuses, data, x, ways)[self.places]
        kept, share = self._shares(layout, layout.active(statuses), data, wanted, overlay.mode.reads)
        return self.standing(overlay, statuses, layout.numbers(statuses, kept, share, ways))

    def standing(self, overlay: Overlay, statuses: Statuses, given: Array) -> CompiledContacts:
        """The equations of a structure with the numbers that its statuses give them."""
        return CompiledContacts(
            engine=self.engine,
            structure=self.structure_of(overlay, statuses),
            order=self.order,
            overlay=overlay,
            statuses=statuses,
            given=given,
        )

    def structure_of(self, overlay: Overlay, statuses: Statuses) -> Structure:
        """The structure in which every element has its status."""
        key = overlay.mode.base.name, statuses
        if key not in self._structures:
            self._refuse_squeezed(statuses)
            self._refuse_lifted(statuses)
            self._structures[key] = structure_of(self.model, overlay.mode.base, statuses, self.elements)
        return self._structures[key]

    def _refuse_squeezed(self, statuses: Statuses) -> None:
        """End where two contacts rub on one round shape in space and one of them does not slip, as in a groove.

        How they squeeze it is not determined then, and whether it slips depends on that.
        """
        held: dict[tuple[int, Vector3], tuple[Element, bool]] = {}
        for element, (closed, grip) in zip(self.elements, statuses, strict=True):
            contact = element.contact
            if contact is None or contact.round is None or not closed or element.tangents < 2 or not contact.grips:
                continue
            other, still = held.setdefault((contact.body, contact.p_BP), (element, grip == STICK))
            if other is not element and (still or grip == STICK):
                message = Text(
                    f'contacts "{other.name}" and "{element.name}" squeeze one shape, and one of them does not slip: '
                    "statics does not determine their forces, nor when the shape slips",
                    f"контакты «{other.name}» и «{element.name}» сжимают одну фигуру, и один из них не скользит: "
                    "статика не определяет ни их силы, ни когда она проскользнёт",
                )
                fail("squeezed-shape", message, element)

    def _refuse_lifted(self, statuses: Statuses) -> None:
        """End where the patches of a hull that press the ground are on one line."""
        lifted = frozenset(
            element.name
            for element, (closed, _) in zip(self.elements, statuses, strict=True)
            if element.kind == PATCH and not closed
        )
        for tracks in self.grounds if lifted else ():
            if bed_shares(tracks, lifted) is None:
                tips(tracks[0])

    def _lawful(self, layout: Layout, statuses: Statuses, data: Data, x: Array, ways: Array) -> Array:
        """The forces of the problem; where some rows that hold follow from others, the shortest ones within all cones.

        They keep the same laws, and are what a run tells of such contacts. Where slips begin, forces of the problem
        have decided on their directions: these stay.
        """
        k, cones, rows = len(statuses), list[Cone](), list[int]()
        rubs: dict[int, Array] = {}
        """For each sliding contact, by the index of its normal: its friction force for a unit normal force."""
        for i, (closed, grip) in enumerate(statuses):
            element = self.elements[i]
            slides = closed and grip in WAYS
            slip = data.u[[k + i, 2 * k + i]] if slides and not self.model.planar else np.zeros(2)
            if element.track is not None or element.host or element.back is not None:
                return x
            if slides and float(np.hypot(*slip)) <= SLOWEST:
                return x
            holds = layout.tangents[i] if grip == STICK and (closed or element.kind == GRIP) else ()
            if closed and layout.normals[i] >= 0:
                cones.append(Cone(first=len(rows), tangents=len(holds), friction=element.friction))
                rows.append(layout.normals[i])
                if slides:
                    rubs[i] = -(element.friction or 0.0) * ways[i]
            rows += holds
        places = self.places[rows]
        G = data.G[np.ix_(places, places)]
        if len(cones) < 2 or len(independent(G)) == len(G):
            return x
        if rubs and len(rubs) < len(rows):
            return x  # sticking contacts beside sliding ones reach the edge soon: these forces change least there
        found = _shortest(cones, G, data.G[places], places.tolist(), rubs, x[places])
        if found is None:
            return x
        made = x.copy()
        made[places] = found
        for i, pull in rubs.items():
            made[[k + i, 2 * k + i]] = made[i] * pull
        return made if self._stays_open(statuses, data, x, made) else x

    def _stays_open(self, statuses: Statuses, data: Data, x: Array, other: Array) -> bool:
        """Whether open contacts that touch come no nearer with these forces than with those of the problem."""
        touching = [i for i, (closed, _) in enumerate(statuses) if not closed and data.gap[i] <= TOUCHING]
        w, now = data.a + data.G @ x, data.a + data.G @ other
        slack = ROUNDING * (np.abs(data.G) @ np.abs(other) + np.abs(data.a))
        return all(now[i] >= min(0.0, w[i]) - slack[i] for i in touching)

    def _shares(
        self, layout: Layout, active: Sequence[int], data: Data, wanted: Array, reads: bool
    ) -> tuple[list[int], Array]:
        """Rows that do not follow from others, and what every row carries for a unit multiplier of each of them.

        Where normals follow from others, loads are shared with the least norm, for as long as the statuses last. What
        the problem gave to rows beyond that they carry in proportion to what normals carry: first among those of one
        rigid body, whose friction then is what they carry, then among all. Where conditions or ticks read what they
        carry (`reads`), tangents that follow from others have the shortest shares, too: machine code does without.
        """
        share = np.eye(layout.count)
        kept: list[int] = []
        for group in layout.rigid:
            own = [row for i in group for row in (layout.normals[i], *layout.tangents[i]) if row in active]
            left = self._reduced(own, data, wanted, share, layout, reads)
            kept += own if left is None else left[0]
            if left is not None:
                wanted = left[1]
        left = self._reduced(kept, data, wanted, share, layout, reads)
        return (kept if left is None else left[0]), share

    def _reduced(
        self, rows: list[int], data: Data, wanted: Array, share: Array, layout: Layout, reads: bool
    ) -> tuple[list[int], Array] | None:
        """Rows that the others follow from, and what they carry; `share` is changed. None where all are needed."""
        if len(rows) < 2:
            return None
        places = self.places[rows]
        kept = [rows[i] for i in independent(data.G[np.ix_(places, places)])]
        if len(kept) == len(rows):
            return None
        gone = [row for row in rows if row not in kept]
        reduced = np.linalg.lstsq(data.P[self.places[kept]].T, data.P[places].T @ wanted[rows], rcond=1e-11)[0]
        lack = np.zeros(len(share))
        lack[rows] = wanted[rows]
        change = np.eye(len(share))
        evenly = reads or any(row in layout.normals for row in gone)
        even = self._even(rows, kept, data, wanted, layout) if evenly else None
        if even is None:
            lack[kept] -= reduced
            change[gone] = 0.0
        else:
            shared = even @ reduced
            lack[rows] -= shared
            little = LITTLE * float(np.abs(wanted[rows]).max(initial=0.0))
            # Normals that friction does not hold may have these shares themselves.
            plain = all(row in layout.normals for row in rows) and bool((shared >= -little).all())
            lack[np.abs(lack) <= (np.inf if plain else little)] = 0.0
            change[rows] = 0.0
            change[np.ix_(rows, kept)] = even
        among = np.array([reduced[i] if row in layout.normals else 0.0 for i, row in enumerate(kept)])
        among = among if among.any() else reduced
        square = float(among @ among)
        if square > 0.0:
            change[:, kept] += np.outer(lack, among) / square
        share[:] = share @ change
        carried = wanted.copy()
        carried[rows] = 0.0
        carried[kept] = reduced
        return kept, carried

    def _even(self, rows: list[int], kept: list[int], data: Data, wanted: Array, layout: Layout) -> Array | None:
        """What all rows carry for unit multipliers of the kept ones where loads have the least norm; None for none.

        Contacts that the problem gives nothing to push carry nothing.
        """
        largest = float(np.abs(wanted[rows]).max(initial=0.0))
        masks = np.ones(layout.count)
        for normal, tangents in zip(layout.normals, layout.tangents, strict=True):
            if normal in rows and wanted[normal] <= LITTLE * largest:
                masks[[normal, *tangents]] = 0.0
        C = np.linalg.lstsq(data.P[self.places[kept]].T, data.P[self.places[rows]].T, rcond=1e-11)[0].T
        C[[rows.index(row) for row in kept]] = np.eye(len(kept))
        weighed = masks[rows, None] * C
        square = C.T @ weighed
        if not np.linalg.cond(square) < 1.0 / LITTLE:
            return None
        return np.asarray(np.linalg.solve(square, weighed.T).T)

    def _settled(self, compiled: CompiledContacts, data: Data, y: Array) -> Array:
        """The state with the velocities of the rows that hold taken away, to rounding."""
        assert compiled.given is not None
        masks = compiled.given[: len(self.places)]
        rows = self.places[np.flatnonzero(masks)]
        nq, nv = self.model.nq, self.model.nv
        if not len(rows) or not data.u[rows].any():
            return y
        y = y.copy()
        y[nq : nq + nv] += data.P[rows].T @ np.linalg.lstsq(data.G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-14)[0]
        return y

    def _undecided(self, compiled: CompiledContacts, y: Array) -> Array | None:
        """Where a structure would end as soon as it begins, the state that it comes to a moment later."""
        rows, watched = compiled.taylor(y, compiled.parameters(y)[: compiled.taylor.parameters])
        order = rows.shape[1] - 1
        sizes = np.abs(rows[:-1, -1]) / np.maximum(np.abs(rows[:-1, 0]), 1.0)
        radius = min(1.0, float(sizes.max(initial=1e-300)) ** (-1.0 / order) if sizes.max(initial=0.0) > 0.0 else 1.0)
        powers = (AHEAD * radius) ** np.arange(order + 1)
        for row in watched[compiled.own.mode.first_leaf : compiled.leaves]:
            change = float(row[1:] @ powers[1:])
            if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
                return np.asarray(rows @ powers)
        return None


def _shortest(
    cones: Sequence[Cone], G: Array, every: Array, places: Sequence[int], rubs: dict[int, Array], x: Array
) -> Array | None:
    """The shortest forces within their cones that have the same effect on the rows as the given ones.

    Args:
        cones: What contacts may carry.
        G: Response of the rows to each other.
        every: Their response to all normals and tangents.
        places: Where the rows are among these.
        rubs: By the place of a normal: the forces of sliding friction for a unit normal force.
        x: The given forces.
    """
    left, sizes, _ = np.linalg.svd(G)
    U = left[:, sizes > DEPENDENT * sizes[0]]
    if not rubs:
        return shortest(cones, U, U.T, U.T @ x)
    E, k = G.copy(), every.shape[1] // 3
    at = {place: n for n, place in enumerate(places)}
    for i, pull in rubs.items():
        E[:, at[i]] += every[:, [k + i, 2 * k + i]] @ pull
    _, sizes, right = np.linalg.svd(E)
    B = right[: int((sizes > DEPENDENT * sizes[0]).sum())]
    return shortest(cones, U, B, B @ x) if len(B) == U.shape[1] else None


def independent(G: Array) -> list[int]:
    """Indices of rows that do not follow from those before them, of a matrix of responses."""
    size = len(G)
    kept: list[int] = []
    made: list[Array] = []
    for i in range(size):
        row = np.array([G[i, j] for j in kept])
        part = np.zeros(len(kept))
        for n in range(len(kept)):
            part[n] = (row[n] - float(made[n][:n] @ part[:n])) / made[n][n]
        left = G[i, i] - float(part @ part)
        if left > DEPENDENT * G[i, i]:
            made.append(np.array([*part, math.sqrt(left)]))
            kept.append(i)
    return kept
