"""Contacts without written structures, rigid stops and dry friction: what all do next comes from one problem.

At an impact the velocities jump: by Newton's rule a contact leaves with its restitution times the velocity of approach,
by Poisson's the impulse of compression is returned in part, otherwise the contact stays; Coulomb's friction acts in
impacts as it does in motion. Stops are contacts without friction, by Newton's rule. Dry friction of joints is too weak
to act in an impact. Then, and where a contact lets go, slips or stops sliding, accelerations decide.

Impacts that crowd together (Zeno) end in contact. Hops of a contact last 2 u / |a|, u the velocity after the impact and
a the acceleration of fall; where they have become shorter three times by factors r, the rest of them takes
2 u / |a| / (1 − r). Once that is below `CROWDED`, time goes to the limit and the contact stays closed: for a ball the
limit is exact, for others its error is a small part of `CROWDED`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.mechanics import coordinate_rates
from sistel.model import Structure
from sistel.simulation._complementarity import (
    FREE,
    MINUS,
    PLUS,
    ROUNDING,
    STICK,
    WAYS,
    ContactProblem,
    ContactSolution,
    Status,
    impact_impulses,
    solve_contacts,
    try_statuses,
)
from sistel.simulation._cones import ConeProblem, ConeSolution, solve_cones, try_cones
from sistel.simulation._contact_layout import SLOWEST, STOPS, STRIKES
from sistel.simulation._contact_names import OPEN, read_structure_name, structure_of
from sistel.simulation._contact_stage import ContactMachine, Overlay
from sistel.simulation._elements import CONTACT, GRIP, STOP, Element, elements_of
from sistel.simulation._journey import Journey
from sistel.simulation._machine import Machine
from sistel.simulation._run import Event

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine
    from sistel.simulation._stage import Exit

    Array = NDArray[np.float64]

TOUCHING: Final = 1e-11
"""Gap that counts as closed [m]: events are located much closer, and rounding of places is some 1e-16 of the size."""
RESTING: Final = 1e-11
"""Part of the terms of velocities now that counts as none."""
SLOW: Final = 1e-13
"""Part of the largest velocity that contacts have had at events that counts as none."""
CROWDED: Final = 1e-9
"""Time that a crowd of impacts may take to be passed over at once [s]."""
AGAIN: Final = 50
"""Impacts at one instant that may follow from each other."""
AHEAD: Final = 1e-3
"""Part of the radius of convergence at which undecided cases are looked at."""
LONGEST: Final = 1e4
"""Longest step [s]: a hop must not be below the rounding of the step that contains it."""
START: Final = 1e-8
"""Time that a slip in space is given to find its direction [s]: what it neglects is of second order in it."""
LATEST: Final = 1e-3
"""The same where the slip begins slowly [s]."""
DEPENDENT: Final = 1e-10
"""Part of a row of G that others leave of it, below which it follows from them."""


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """What the problems at one state are made of; see `Overlay.derive_data`. Normals first, then tangents."""

    gap: Array
    u: Array
    size: Array
    G: Array
    a: Array
    P: Array
    axes: Array
    free: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Next:
    """What elements do from now on."""

    machine: ContactMachine
    y: Array


def of(engine: Engine, order: int) -> Contacts | None:
    """What elements a system has, and what they do; None where it has none."""
    return Contacts(engine, order) if elements_of(engine.model) else None


class Contacts:
    """The structures that elements make, and the passages between them."""

    def __init__(self, engine: Engine, order: int) -> None:
        """Nothing is compiled before it is needed."""
        self.engine, self.order = engine, order
        self.model = engine.model
        self.elements = elements_of(self.model)
        self.tangents = 1 if self.model.planar else 2
        self.overlays: dict[str, Overlay] = {}
        self.journeys: dict[str, Journey] = {}
        self.until, self.fastest = math.inf, 0.0
        self.current: ContactMachine | None = None
        self.strikes: dict[int, list[tuple[float, float]]] = {}
        """Of every element: times and velocities of its last impacts."""
        self._structures: dict[tuple[str, tuple[Status, ...]], Structure] = {}
        layout = Overlay(engine, self.model.structure(), order).layout
        k = len(self.elements)
        places = np.zeros(layout.count, dtype=np.intp)
        for i in range(k):
            if layout.normals[i] >= 0:
                places[layout.normals[i]] = i
            for side, row in enumerate(layout.tangents[i]):
                places[row] = k * (1 + side) + i
        self._places = places
        """Where the rows of the layout are among the normals and tangents of all elements."""

    def overlay(self, base: Structure) -> Overlay:
        """The equations of a structure of the file with all elements, compiled when it is first entered."""
        if base.name not in self.overlays:
            if base.why_not:
                diagnostics = Diagnostics()
                diagnostics.error("no-dynamics", base.span, base.why_not[0])
                raise SistelError(diagnostics.sorted())
            self.overlays[base.name] = Overlay(self.engine, base, self.order)
        return self.overlays[base.name]

    # --- what the simulation asks ----------------------------------------------------------------------------------

    def enter(self, y: Array, until: float, name: str) -> tuple[str, Array, list[Event]]:
        """The structure of the first state, the state after what happens there at once, and the event, if any."""
        self.strikes, self.until, self.fastest = {}, until, 0.0
        try:
            base = self.model.structure(name)
        except StopIteration:
            base = read_structure_name(self.model, name)[0]
        overlay = self.overlay(base)
        data = self._data(overlay, y)
        for element, gap in zip(self.elements, data.gap, strict=True):
            if element.kind != GRIP and gap < -TOUCHING:
                self._begins_inside(element, -float(gap))
        statuses = tuple((False, STICK) if element.kind == GRIP else OPEN for element in self.elements)
        event, y = self._successor(overlay, y, statuses, base.name, "", None)
        return event.after, y, [event] if event.impulses else []

    def named(self, name: str) -> Machine:
        """The equations of the structure that was entered last."""
        assert self.current is not None and self.current.structure.name == name
        return self.current

    def journey(self, machine: Machine) -> Journey:
        """The machine code that stays in a structure; what all statuses share is laid out once."""
        assert isinstance(machine, ContactMachine)
        known = self.journeys.get(machine.own.base.name)
        if known is None:
            room = next((journey.room for journey in self.journeys.values()), None)
            known = Journey([machine], [machine.structure.name], self.order, room=room)
            self.journeys[machine.own.base.name] = known
        known.adopt(machine)
        return known

    def successor(self, machine: Machine, fired: Exit, y: Array) -> tuple[Event, Array]:
        """What follows the end of a structure; where nothing worth telling happens, the event has no name."""
        assert isinstance(machine, ContactMachine)
        overlay, before = machine.own, machine.structure.name
        leaf = fired.first_leaf - overlay.first_leaf
        if leaf >= 0:
            return self._successor(overlay, y, machine.statuses, before, fired.transition.name, leaf)
        # A transition of the file: what it does comes first, then what the elements make of it.
        results, names = machine.passed(fired.transition, y)
        after, loss = np.array(results[0]), float(results[1][0])
        if not np.isfinite(after).all():
            diagnostics = Diagnostics()
            diagnostics.error(
                "no-passage",
                fired.transition.span,
                Text(
                    f'the passage to structure "{fired.transition.target}" has no solution at {y[-1]:g} s',
                    f"переход в структуру «{fired.transition.target}» не имеет решения в момент {y[-1]:g} с",
                ),
            )
            raise SistelError(diagnostics.sorted())
        impulses = {name: np.array(results[2][6 * i : 6 * i + 6]) for i, name in enumerate(names)}
        target = self.overlay(self.model.structure(fired.transition.target))
        event, after = self._successor(target, after, machine.statuses, before, fired.transition.name, None)
        return (
            Event(
                time=event.time,
                transition=event.transition,
                before=before,
                after=event.after,
                energy_loss=loss + event.energy_loss,
                impulses={**impulses, **event.impulses},
            ),
            after,
        )

    # --- one passage -----------------------------------------------------------------------------------------------

    def _successor(
        self,
        overlay: Overlay,
        y: Array,
        statuses: tuple[Status, ...],
        before: str,
        name: str,
        leaf: int | None,
    ) -> tuple[Event, Array]:
        """What follows from a state.

        Args:
            overlay: The structure of the file from now on.
            y: The state.
            statuses: What the elements did until now.
            before: Name of the structure until now.
            name: Of what ended it.
            leaf: Of the elements' watched functions, the one that ended it; None where none did.
        """
        y = y.copy()
        stopped = -1
        if leaf is not None and overlay.layout.word(leaf, statuses) == STOPS:
            stopped = overlay.layout.leaves[leaf][0]
            if self.elements[stopped].tangents == 2:
                y = self._stopped(overlay, y, statuses, stopped)
        data = self._data(overlay, y)
        k = len(statuses)
        normal = [element.kind != GRIP for element in self.elements]
        closed = [i for i in range(k) if normal[i] and (statuses[i][0] or data.gap[i] <= TOUCHING)]
        now = float(data.size.max(initial=0.0))
        self.fastest = max(self.fastest, now)
        rest = max(RESTING * now, SLOW * self.fastest)
        impulses, loss = np.zeros(len(data.u)), 0.0
        struck = [i for i in closed if data.u[i] < -rest and (leaf is None or not statuses[i][0])]
        if struck:
            for i in struck:
                self.strikes.setdefault(i, []).append((float(y[-1]), float(-data.u[i])))
                del self.strikes[i][:-4]
            impulses, loss, y, data = self._impact(overlay, closed, data, y, rest)
            y, data = self._crowded(overlay, closed, data, y, rest)
        still = [i for i in closed if data.u[i] <= rest or (statuses[i][0] and not struck and leaf is not None)]
        still += [i for i in range(k) if not normal[i]]
        slipping = np.zeros((k, self.tangents))
        for i in still:
            held = (statuses[i][0] or not normal[i]) and not struck and statuses[i][1] == STICK and leaf is not None
            slip = data.u[[k * (1 + side) + i for side in range(self.tangents)]]
            speed = float(np.linalg.norm(slip))
            if speed > rest and not held and i != stopped:
                slipping[i] = slip / speed
        time = float(y[-1])
        found = self._motion(overlay, y, data, still, slipping, statuses)
        self.current = found.machine
        after = found.machine.structure.name
        forces = {
            self.elements[i].label: _load(data.axes, impulses, range(i, len(impulses), k))
            for i in range(k)
            if impulses[i::k].any()
        }
        if struck and not name:
            name = f"{self.elements[struck[0]].label} {STRIKES}"
        told = struck or leaf is None or before != after
        event = Event(
            time=time,
            transition=name if told else "",
            before=before,
            after=after,
            energy_loss=loss,
            impulses=forces,
        )
        return event, found.y

    def _data(self, overlay: Overlay, y: Array) -> _Data:
        blocks: Any = overlay.data(y)
        r, whole = len(self._places), len(self.elements) * (1 + self.tangents)
        gap, u, size, G, a, P, axes, free = (np.atleast_1d(np.asarray(block)) for block in blocks)
        # Elements without a normal or without tangents have zeros there.
        made = []
        for block in (gap, u, size, a, P.reshape(r, -1), axes.reshape(r, 6)):
            spread = np.zeros((whole, *block.shape[1:]))
            spread[self._places] = block
            made.append(spread)
        wide = np.zeros((whole, whole))
        wide[np.ix_(self._places, self._places)] = G.reshape(r, r)
        return _Data(made[0][: len(self.elements)], made[1], made[2], wide, made[3], made[4], made[5], free)

    def _rows(self, chosen: Sequence[int]) -> list[int]:
        k = len(self.elements)
        return [k * part + i for part in range(1 + self.tangents) for i in chosen]

    # --- impacts ---------------------------------------------------------------------------------------------------

    def _impact(
        self, overlay: Overlay, closed: Sequence[int], data: _Data, y: Array, rest: float
    ) -> tuple[Array, float, Array, _Data]:
        """Velocities after an impact of all closed contacts."""
        u, total = data.u.copy(), np.zeros(len(data.u))
        for _ in range(AGAIN):
            if all(u[i] >= -rest for i in closed):
                break
            given = self._impulses(closed, data.G, u)
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

    def _impulses(self, closed: Sequence[int], G: Array, u: Array) -> Array | None:
        """Impulses of one impact."""
        elements = [self.elements[i] for i in closed]
        places = self._rows(closed)
        friction = [element.friction for element in elements]

        def phase(b: Array, pressed: Sequence[float]) -> Array | None:
            k = len(elements)
            problem = ConeProblem(
                G=G[np.ix_(places, places)],
                b=b,
                friction=tuple(friction),
                ways=np.zeros((k, 2)),
                pressed=tuple(pressed),
                bare=(False,) * k,
            )
            found = solve_cones(problem)
            return None if found is None else found.x

        found = impact_impulses(
            G[np.ix_(places, places)],
            u[places],
            friction,
            newton=[e.restitution if e.impact in ("newton", "coulomb") else 0.0 for e in elements],
            poisson=[e.restitution if e.impact == "poisson" else 0.0 for e in elements],
            phase=None if self.model.planar else phase,
        )
        if found is None:
            return None
        given = np.zeros(len(u))
        given[places] = found
        return given

    def _crowded(
        self, overlay: Overlay, closed: Sequence[int], data: _Data, y: Array, rest: float
    ) -> tuple[Array, _Data]:
        """Go to the limit of impacts that crowd together, where that is near."""
        hops = [i for i in closed if data.u[i] > rest]
        if not hops:
            return y, data
        left = 0.0
        for i in hops:
            speeds = [speed for _, speed in self.strikes.get(i, ())]
            if len(speeds) < 4 or data.a[i] >= 0.0:
                return y, data
            ratios = [later / earlier for earlier, later in pairwise(speeds)]
            if max(ratios) >= 1.0:
                return y, data
            left = max(left, 2.0 * float(data.u[i]) / -float(data.a[i]) / (1.0 - ratios[-1]))
        if left > CROWDED or y[-1] + left > self.until:
            return y, data
        # Within such a time bodies go straight on; normal velocities of some CROWDED · |a| are taken away, and slips
        # that are no faster.
        k, slow = len(self.elements), 10.0 * float(np.abs(data.u[list(closed)]).max())
        rows = list(closed)
        for i in closed:
            sides = [k * (1 + side) + i for side in range(self.elements[i].tangents)]
            if sides and float(np.linalg.norm(data.u[sides])) <= slow:
                rows += sides
        stop = np.linalg.lstsq(data.G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-12)[0]
        y = y.copy()
        nq, nv = self.model.nq, self.model.nv
        y[nq : nq + nv] += data.P[rows].T @ stop
        y = self._moved(y, np.zeros(nv), left)
        return y, self._data(overlay, y)

    def _moved(self, y: Array, a: Array, h: float) -> Array:
        """The state a short time later, with constant accelerations."""
        nq, nv = self.model.nq, self.model.nv
        y = y.copy()
        middle = y[nq : nq + nv] + 0.5 * h * a
        y[:nq] += h * np.array(coordinate_rates(self.model, y[:nq].tolist(), middle.tolist()))
        y[nq : nq + nv] += h * a
        y[-1] += h
        return y

    # --- motion ----------------------------------------------------------------------------------------------------

    def _solve(
        self, data: _Data, chosen: Sequence[int], slipping: Array, prefer: Sequence[Status]
    ) -> tuple[Array, tuple[Status, ...], Array, Array] | None:
        """Forces, statuses, accelerations and directions of slips of some elements."""
        elements = [self.elements[i] for i in chosen]
        places = self._rows(chosen)
        pressed = tuple(element.pressed for element in elements)
        bare = tuple(element.kind == GRIP for element in elements)
        friction = tuple(element.friction for element in elements)
        G, b = data.G[np.ix_(places, places)], data.a[places]
        if self.model.planar:
            ways = tuple(float(slipping[i, 0]) for i in chosen)
            problem = ContactProblem(G=G, b=b, friction=friction, ways=ways, pressed=pressed, bare=bare)
            plane: ContactSolution | None = solve_contacts(problem, [prefer[i] for i in chosen])
            if plane is None:
                return None
            closed = _resting(plane.statuses, plane.x, plane.w, problem)
            plane = plane if closed is None else try_statuses(problem, closed) or plane
            slips = np.array([[WAYS.get(grip, 0.0)] for _, grip in plane.statuses])
            return plane.x, plane.statuses, plane.w, slips
        cone = ConeProblem(G=G, b=b, friction=friction, ways=slipping[list(chosen)], pressed=pressed, bare=bare)
        wanted = [(closed, PLUS if grip == MINUS else grip) for closed, grip in (prefer[i] for i in chosen)]
        space: ConeSolution | None = solve_cones(cone, wanted)
        if space is None:
            return None
        closed = _resting(space.statuses, space.x, space.w, cone)
        space = space if closed is None else try_cones(cone, closed) or space
        statuses = list(space.statuses)
        for place, element in enumerate(elements):
            if element.kind == GRIP and statuses[place][1] == PLUS and space.ways[place, 0] < 0.0:
                statuses[place] = (False, MINUS)
        return space.x, tuple(statuses), space.w, space.ways

    def _motion(
        self,
        overlay: Overlay,
        y: Array,
        data: _Data,
        still: Sequence[int],
        slipping: Array,
        statuses: tuple[Status, ...],
    ) -> _Next:
        """What elements that touch and do not part do from now on."""
        k = len(statuses)
        # What the structure holds anyway has nothing to decide.
        idle = [i for i in still if self.elements[i].kind == GRIP and data.G[k + i, k + i] <= 0.0]
        chosen = [i for i in still if i not in idle]
        here, time = data, float(y[-1])
        for attempt in range(4):
            after = [OPEN] * k
            for i in idle:
                after[i] = (False, STICK)
            x = np.zeros(len(data.u))
            started = y
            if chosen:
                found = self._solve(here, chosen, slipping, statuses)
                if found is None:
                    self._no_solution(chosen, y, impact=False)
                forces, decided, w, slips = found
                places = self._rows(chosen)
                x[places] = forces
                G = here.G[np.ix_(places, places)]
                slow = ROUNDING * (np.abs(G) @ np.abs(forces) + np.abs(here.a[places]))
                count = len(chosen)
                begins = 0.0
                for place, (i, (closed, grip)) in enumerate(zip(chosen, decided, strict=True)):
                    sides = [count * (1 + side) + place for side in range(self.tangents)]
                    moves = bool((np.abs(w[sides]) > slow[sides]).any())
                    # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
                    rests = grip in WAYS and not slipping[i].any() and not moves
                    pushes = closed or self.elements[i].kind == GRIP
                    after[i] = (closed, STICK if rests and pushes else grip)
                    if self.elements[i].tangents == 2 and after[i] == (True, PLUS) and not slipping[i].any():
                        begins = max(begins, 10.0 * SLOWEST / max(float(np.linalg.norm(w[sides])), 1e-300))
                if begins:
                    ways = slipping.copy()
                    ways[chosen] = slips
                    later = here.free + here.P.T @ x
                    started = self._begun(y, data, chosen, ways, statuses, later, time - float(y[-1]), begins)
            machine = self._machine(overlay, tuple(after), data, x)
            started = self._settled(machine, data, started)
            ahead = None if attempt == 3 or not chosen else self._undecided(machine, started)
            if ahead is None:
                break
            here, time = self._data(overlay, ahead), float(ahead[-1])
        return _Next(machine, started)

    def _begun(
        self,
        y: Array,
        data: _Data,
        chosen: Sequence[int],
        ways: Array,
        statuses: tuple[Status, ...],
        later: Array,
        gone: float,
        wanted: float,
    ) -> Array:
        """The state a moment after slips in space have begun: where they are 0, they have no direction.

        Args:
            y: The state at the beginning.
            data: There.
            chosen: Elements that take part.
            ways: Directions of all slips.
            statuses: Before.
            later: Accelerations `gone` later.
            gone: [s]; 0 where those at the beginning are known.
            wanted: Time in which constant accelerations would make slips that count [s].
        """
        h = max(START, min(LATEST, wanted))
        first = later
        if gone > 0.0:
            found = self._solve(data, chosen, ways, statuses)
            if found is not None:
                x = np.zeros(len(data.u))
                x[self._rows(chosen)] = found[0]
                first = data.free + data.P.T @ x
                h = min(gone, LATEST, math.sqrt(2.0 * gone * wanted))
        # Between the two times, accelerations are straight lines.
        mean = first + (later - first) * (0.5 * h / gone if gone > 0.0 else 0.0)
        return self._moved(y, mean, h)

    def _machine(self, overlay: Overlay, statuses: tuple[Status, ...], data: _Data, x: Array) -> ContactMachine:
        """The equations of a structure: which of its rows say something new, and what each of them carries."""
        key = overlay.base.name, statuses
        if key not in self._structures:
            self._structures[key] = structure_of(self.model, overlay.base, statuses, self.elements)
        structure, layout = self._structures[key], overlay.layout
        active = layout.active(statuses)
        places = self._places[active]
        G = data.G[np.ix_(places, places)]
        share = np.eye(layout.count)
        kept = [active[i] for i in _independent(G)]
        if len(kept) < len(active):
            share[:] = 0.0
            share[kept, kept] = 1.0
            # Of rows that follow from others, every one carries what the problem gave it, in proportion.
            wanted = x[self._places]
            reduced = np.linalg.lstsq(data.P[self._places[kept]].T, data.P[places].T @ wanted[active], rcond=1e-11)[0]
            lack = np.zeros(layout.count)
            lack[active] = wanted[active]
            lack[kept] -= reduced
            square = float(reduced @ reduced)
            if square > 0.0:
                share[:, kept] += np.outer(lack, reduced) / square
        given = layout.numbers(statuses, kept, share)
        return ContactMachine(
            engine=self.engine,
            structure=structure,
            order=self.order,
            overlay=overlay,
            statuses=statuses,
            given=given,
        )

    def _settled(self, machine: ContactMachine, data: _Data, y: Array) -> Array:
        """The state with the velocities of the rows that hold taken away, to rounding."""
        assert machine.given is not None
        masks = machine.given[: len(self._places)]
        rows = self._places[np.flatnonzero(masks)]
        nq, nv = self.model.nq, self.model.nv
        if not len(rows) or not data.u[rows].any():
            return y
        y = y.copy()
        y[nq : nq + nv] += data.P[rows].T @ np.linalg.lstsq(data.G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-14)[0]
        return y

    def _stopped(self, overlay: Overlay, y: Array, statuses: tuple[Status, ...], index: int) -> Array:
        """The end of a slip in space that is about to stop."""
        data = self._data(overlay, y)
        k = len(statuses)
        chosen = [i for i in range(k) if statuses[i][0] or self.elements[i].kind == GRIP]
        slipping = np.zeros((k, 2))
        for i in chosen:
            slip = data.u[[k + i, 2 * k + i]]
            if statuses[i][1] in WAYS and slip.any():
                slipping[i] = slip / np.linalg.norm(slip)
        found = self._solve(data, chosen, slipping, statuses)
        if found is None:
            return y
        x = np.zeros(len(data.u))
        x[self._rows(chosen)] = found[0]
        w = data.a + data.G @ x
        slip, rate = data.u[[k + index, 2 * k + index]], w[[k + index, 2 * k + index]]
        square = float(rate @ rate)
        left = -float(slip @ rate) / square if square > 0.0 else 0.0
        if not 0.0 < left < 1e3 * START or y[-1] + left > self.until:
            return y
        return self._moved(y, data.free + data.P.T @ x, left)

    def _undecided(self, machine: ContactMachine, y: Array) -> Array | None:
        """Where a structure would end as soon as it begins, the state that it comes to a moment later."""
        rows, watched = machine.taylor(y, machine.parameters(y)[: machine.taylor.parameters])
        order = rows.shape[1] - 1
        sizes = np.abs(rows[:-1, -1]) / np.maximum(np.abs(rows[:-1, 0]), 1.0)
        radius = min(1.0, float(sizes.max(initial=1e-300)) ** (-1.0 / order) if sizes.max(initial=0.0) > 0.0 else 1.0)
        powers = (AHEAD * radius) ** np.arange(order + 1)
        for row in watched[machine.own.first_leaf : machine.leaves]:
            change = float(row[1:] @ powers[1:])
            if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
                return np.asarray(rows @ powers)
        return None

    # --- refusals --------------------------------------------------------------------------------------------------

    def _begins_inside(self, element: Element, depth: float) -> NoReturn:
        if element.kind == STOP:
            _fail(
                "inside",
                Text(
                    f'"{element.name}" begins {depth:.3g} beyond its stop',
                    f"«{element.name}» в начале находится на {depth:.3g} за своим упором",
                ),
                element,
            )
        _fail(
            "inside",
            Text(
                f'contact "{element.name}" begins {depth:.3g} m inside its surface',
                f"контакт «{element.name}» в начале находится на {depth:.3g} м внутри поверхности",
            ),
            element,
        )

    def _no_solution(self, chosen: Sequence[int], y: Array, impact: bool) -> NoReturn:
        elements = [self.elements[i] for i in chosen if self.elements[i].kind == CONTACT]
        elements = elements or [self.elements[i] for i in chosen]
        names = ", ".join(f'"{element.label}"' for element in elements)
        russian = ", ".join(f"«{element.label}»" for element in elements)
        what = ("impulses", "импульсов") if impact else ("forces", "сил")
        _fail(
            "no-contact-force",
            Text(
                f"no finite contact {what[0]} of {names} exist at {y[-1]:.9g} s: friction presses the bodies together "
                "faster than the normal force can part them (Painlevé's paradox); less friction or another posture "
                "has a motion",
                f"в момент {y[-1]:.9g} с нет конечных {what[1]} контактов {russian}: трение прижимает тела быстрее, "
                "чем нормальная сила их отталкивает (парадокс Пенлеве); движение есть при меньшем трении или в другой "
                "позе",
            ),
            elements[0],
        )


def _resting(
    statuses: Sequence[Status], x: Array, w: Array, problem: ContactProblem | ConeProblem
) -> list[Status] | None:
    """The statuses with all that rests on its surface without pushing counted as closed; None where nothing does."""
    slow = ROUNDING * (np.abs(problem.G) @ np.abs(x) + np.abs(problem.b))
    made, found = list(statuses), False
    for i, (closed, grip) in enumerate(statuses):
        if closed or grip != FREE or problem.bare[i] or abs(w[i]) > slow[i]:
            continue
        found = True
        moving = problem.ways[i] if isinstance(problem, ContactProblem) else float(problem.ways[i].any())
        made[i] = (True, FREE if problem.friction[i] == 0.0 else STICK)
        if moving and problem.friction[i]:
            made[i] = (True, PLUS if moving > 0 else MINUS)
    return made if found else None


def _independent(G: Array) -> list[int]:
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


def _load(axes: Array, impulses: Array, rows: Sequence[int]) -> Array:
    """Moment and force, times time, of the rows of one element."""
    total = np.zeros(6)
    for row in rows:
        total += impulses[row] * axes[row]
    return total


def _fail(code: str, message: Text, element: Element) -> NoReturn:
    diagnostics = Diagnostics()
    diagnostics.error(code, element.span, message)
    raise SistelError(diagnostics.sorted())


__all__ = ["FREE", "LONGEST", "Contacts", "of"]
