"""Unilateral contacts without written structures: what every contact does next comes from one problem for all.

At an impact the velocities jump: by Newton's rule a contact leaves with its restitution times the velocity of approach,
by Poisson's the impulse of compression is returned in part, otherwise the contact stays; Coulomb's friction acts in
impacts as it does in motion. Then, and where a contact lets go, slips or stops sliding, accelerations decide.

Impacts that crowd together (Zeno) end in contact. Hops of a contact last 2 u / |a|, u the velocity after the impact and
a the acceleration of fall; where they have become shorter three times by factors r, the rest of them takes
2 u / |a| / (1 − r). Once that is below `CROWDED`, time goes to the limit and the contact stays closed: for a ball the
limit is exact, for others its error is a small part of `CROWDED`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.kernels import compile_program, user_cache
from sistel.mechanics import coordinate_rates
from sistel.model import Contact
from sistel.simulation._complementarity import (
    ROUNDING,
    STICK,
    WAYS,
    ContactProblem,
    ContactSolution,
    Status,
    impact_impulses,
    solve_contacts,
)
from sistel.simulation._contact_stage import (
    OPEN,
    STOPS,
    STRIKES,
    ContactMachine,
    derive_contact_data,
    makes_structures,
    structure_of,
)
from sistel.simulation._machine import Machine
from sistel.simulation._run import Event

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine
    from sistel.kernels import Kernel
    from sistel.simulation._stage import Exit

    Array = NDArray[np.float64]

TOUCHING: Final = 1e-11
"""Gap that counts as closed [m]: events are located much closer, and rounding of places is some 1e-16 of the size."""
RESTING: Final = 1e-12
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


@dataclass(frozen=True, slots=True, eq=False)
class _Data:
    """What the problems at one state are made of; see `derive_contact_data`."""

    gap: Array
    u: Array
    size: Array
    G: Array
    a: Array
    P: Array
    axes: Array


def of(engine: Engine, order: int) -> Contacts | None:
    """The contacts of a system that leaves its structures to them."""
    return Contacts(engine, order) if makes_structures(engine.model) else None


class Contacts:
    """The structures that contacts make, and the passages between them."""

    def __init__(self, engine: Engine, order: int) -> None:
        """Nothing is compiled before it is needed."""
        self.engine, self.order = engine, order
        self.model = engine.model
        self.base = engine.model.structure()
        self.machines: dict[str, ContactMachine] = {}
        self._known: dict[tuple[Status, ...], ContactMachine] = {}
        self.until, self.fastest = math.inf, 0.0
        self.strikes: dict[int, list[tuple[float, float]]] = {}
        """Of every contact: times and velocities of its last impacts."""
        for contact in self.model.contacts:
            if not self.model.planar and contact.friction != 0.0:
                _fail(
                    "spatial-friction",
                    Text(
                        f'contact "{contact.name}": in space, contacts with friction need written structures',
                        f"контакт «{contact.name}»: в пространстве контактам с трением нужны записанные структуры",
                    ),
                    contact,
                )

    @cached_property
    def kernel(self) -> Kernel:
        """What the complementarity problems are made of."""
        return compile_program(derive_contact_data(self.engine, self.base), name="contacts", cache=user_cache())

    def machine(self, statuses: tuple[Status, ...]) -> ContactMachine:
        """The equations of a structure, compiled when it is first entered."""
        known = self._known.get(statuses)
        if known is None:
            structure = structure_of(self.model, self.base, statuses)
            known = ContactMachine(self.engine, structure, self.order, statuses=statuses)
            self._known[statuses] = self.machines[structure.name] = known
        return known

    # --- what the simulation asks ----------------------------------------------------------------------------------

    def enter(self, y: Array, until: float) -> tuple[str, Array, list[Event]]:
        """The structure of the first state, the state after what happens there at once, and the event, if any."""
        self.strikes, self.until, self.fastest = {}, until, 0.0
        data = self._data(y)
        for contact, gap in zip(self.model.contacts, data.gap, strict=True):
            if gap < -TOUCHING:
                _fail(
                    "inside",
                    Text(
                        f'contact "{contact.name}" begins {-gap:.3g} m inside its surface',
                        f"контакт «{contact.name}» в начале находится на {-gap:.3g} м внутри поверхности",
                    ),
                    contact,
                )
        statuses = (OPEN,) * len(self.model.contacts)
        event, y = self._successor(y, statuses, "", "")
        return event.after, y, [event] if event.impulses else []

    def named(self, name: str) -> Machine:
        """The equations of a structure that was entered."""
        return self.machines[name]

    def successor(self, machine: Machine, fired: Exit, y: Array) -> tuple[Event, Array]:
        """What follows the end of a structure."""
        assert isinstance(machine, ContactMachine)
        return self._successor(y, machine.statuses, machine.structure.name, fired.transition.name)

    # --- one passage -----------------------------------------------------------------------------------------------

    def _successor(self, y: Array, statuses: tuple[Status, ...], before: str, name: str) -> tuple[Event, Array]:
        data, y = self._data(y), y.copy()
        k = len(statuses)
        closed = [i for i in range(k) if statuses[i][0] or data.gap[i] <= TOUCHING]
        now = float(data.size.max(initial=0.0))
        self.fastest = max(self.fastest, now)
        rest = max(RESTING * now, SLOW * self.fastest)
        impulses, loss = np.zeros(2 * k), 0.0
        struck = [i for i in closed if data.u[i] < -rest and not statuses[i][0]]
        if struck:
            for i in struck:
                self.strikes.setdefault(i, []).append((float(y[-1]), float(-data.u[i])))
                del self.strikes[i][:-4]
            impulses, loss, y, data = self._impact(closed, data, y, rest)
            y, data = self._crowded(closed, data, y, rest)
        still = [i for i in closed if data.u[i] <= rest or (statuses[i][0] and not struck)]
        slipping = [0.0] * k
        for i in still:
            held = statuses[i][0] and not struck
            stopped = name == f"{self.model.contacts[i].name} {STOPS}"
            if abs(data.u[k + i]) > rest and not (held and (statuses[i][1] == STICK or stopped)):
                slipping[i] = math.copysign(1.0, data.u[k + i])
        after = self._motion(y, data, still, slipping, statuses, before)
        found = self.machine(after)
        forces = {
            self.model.contacts[i].name: np.array(
                [0.0, 0.0, 0.0, *(impulses[i] * data.axes[i] + impulses[k + i] * data.axes[k + i])]
            )
            for i in range(k)
            if impulses[i] or impulses[k + i]
        }
        event = Event(
            time=float(y[-1]),
            transition=name or f"{self.model.contacts[struck[0]].name} {STRIKES}" if struck else name,
            before=before or self.base.name,
            after=found.structure.name,
            energy_loss=loss,
            impulses=forces,
        )
        return event, y

    def _data(self, y: Array) -> _Data:
        blocks: Any = self.kernel(y)
        gap, u, size, G, a, P, axes = blocks
        k, rows = len(gap), len(u)
        G, P, axes = G.reshape(rows, rows), P.reshape(rows, -1), axes.reshape(rows, 3)
        if rows == 2 * k:
            return _Data(gap, u, size, G, a, P, axes)
        # In space there are no tangents: zeros stand for them.
        whole = [np.pad(block, [(0, k)] + [(0, 0)] * (block.ndim - 1)) for block in (u, size, a, P, axes)]
        return _Data(gap, whole[0], whole[1], np.pad(G, (0, k)), whole[2], whole[3], whole[4])

    def _problem(self, chosen: Sequence[int], G: Array, b: Array, ways: Sequence[float], pressed: Array) -> Any:
        k = len(self.model.contacts)
        places = [*chosen, *(k + i for i in chosen)]
        return ContactProblem(
            G=G[np.ix_(places, places)],
            b=b[places],
            friction=tuple(self.model.contacts[i].friction for i in chosen),
            ways=tuple(ways[i] for i in chosen),
            pressed=tuple(float(pressed[i]) for i in chosen),
        )

    # --- impacts ---------------------------------------------------------------------------------------------------

    def _impact(self, closed: Sequence[int], data: _Data, y: Array, rest: float) -> tuple[Array, float, Array, _Data]:
        """Velocities after an impact of all closed contacts."""
        k = len(self.model.contacts)
        u, total = data.u.copy(), np.zeros(2 * k)
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
        return total, loss, after, self._data(after)

    def _impulses(self, closed: Sequence[int], G: Array, u: Array) -> Array | None:
        """Impulses of one impact."""
        k = len(self.model.contacts)
        contacts = [self.model.contacts[i] for i in closed]
        places = [*closed, *(k + i for i in closed)]
        found = impact_impulses(
            G[np.ix_(places, places)],
            u[places],
            [contact.friction for contact in contacts],
            newton=[c.restitution if c.impact in ("newton", "coulomb") else 0.0 for c in contacts],
            poisson=[c.restitution if c.impact == "poisson" else 0.0 for c in contacts],
        )
        if found is None:
            return None
        given = np.zeros(2 * k)
        given[places] = found
        return given

    def _crowded(self, closed: Sequence[int], data: _Data, y: Array, rest: float) -> tuple[Array, _Data]:
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
        # Within such a time bodies go straight on; normal velocities of some CROWDED · |a| are taken away.
        stop = np.linalg.lstsq(data.G[np.ix_(closed, closed)], -data.u[list(closed)], rcond=1e-12)[0]
        y = y.copy()
        nq, nv = self.model.nq, self.model.nv
        y[nq : nq + nv] += data.P[list(closed)].T @ stop
        y[:nq] += left * np.array(coordinate_rates(self.model, y[:nq].tolist(), y[nq : nq + nv].tolist()))
        y[-1] += left
        return y, self._data(y)

    # --- motion ----------------------------------------------------------------------------------------------------

    def _motion(
        self,
        y: Array,
        data: _Data,
        still: Sequence[int],
        slipping: Sequence[float],
        statuses: tuple[Status, ...],
        before: str,
    ) -> tuple[Status, ...]:
        """What contacts that touch and do not part do from now on."""
        after = [OPEN] * len(statuses)
        if not still:
            return tuple(after)
        none = np.zeros(len(statuses))
        for attempt in range(4):
            problem = self._problem(still, data.G, data.a, slipping, none)
            found: ContactSolution | None = solve_contacts(problem, [statuses[i] for i in still])
            if found is None:
                self._no_solution(still, y, impact=False)
            slow = ROUNDING * (np.abs(problem.G) @ np.abs(found.x) + np.abs(problem.b))
            for place, (i, (closed, grip)) in enumerate(zip(still, found.statuses, strict=True)):
                # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
                idle = grip in WAYS and not slipping[i] and abs(found.w[len(still) + place]) <= slow[len(still) + place]
                after[i] = (closed, STICK if idle and closed else grip)
            ahead = None if attempt == 3 else self._undecided(tuple(after), y)
            if ahead is None:
                break
            data = self._data(ahead)
        return tuple(after)

    def _undecided(self, statuses: tuple[Status, ...], y: Array) -> Array | None:
        """Where a structure would end as soon as it begins, the state that it comes to a moment later."""
        machine = self.machine(statuses)
        modes = machine.modes
        p = np.zeros(machine.taylor.parameters)
        if modes.count:
            p[modes.first : modes.first + modes.count] = np.asarray(machine.first_modes(y))
        rows, watched = machine.taylor(y, p)
        order = rows.shape[1] - 1
        sizes = np.abs(rows[:-1, -1]) / np.maximum(np.abs(rows[:-1, 0]), 1.0)
        radius = min(1.0, float(sizes.max(initial=1e-300)) ** (-1.0 / order) if sizes.max(initial=0.0) > 0.0 else 1.0)
        powers = (AHEAD * radius) ** np.arange(order + 1)
        for row in watched[: machine.leaves]:
            change = float(row[1:] @ powers[1:])
            if abs(row[0]) <= 1e-3 * abs(change) and row[0] + change < 0.0:
                return np.asarray(rows @ powers)
        return None

    def _no_solution(self, chosen: Sequence[int], y: Array, impact: bool) -> NoReturn:
        contacts = [self.model.contacts[i] for i in chosen]
        names = ", ".join(f'"{contact.name}"' for contact in contacts)
        russian = ", ".join(f"«{contact.name}»" for contact in contacts)
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
            contacts[0],
        )


def _fail(code: str, message: Text, contact: Contact) -> NoReturn:
    diagnostics = Diagnostics()
    diagnostics.error(code, contact.span, message)
    raise SistelError(diagnostics.sorted())
