"""Contacts without written structures, rigid stops and dry friction: what all do next comes from one problem.

At an impact the velocities jump: by Newton's rule a contact leaves with its restitution times the velocity of approach,
by Poisson's the impulse of compression is returned in part, otherwise the contact stays; Coulomb's friction acts in
impacts as it does in motion. Stops are contacts without friction, by Newton's rule. Dry friction of joints is too weak
to act in an impact. Then, and where a contact lets go, slips or stops sliding, accelerations decide.

Impacts that crowd together (Zeno) end in contact. Hops of a contact last 2 u / |a|, u the velocity after the impact and
a the acceleration of fall; where they have become shorter three times by factors r, the rest of them takes
2 u / |a| / (1 − r). Once that is below `CROWDED`, time goes to the limit and the contact stays closed: for a ball the
limit is exact, for others its error is a small part of `CROWDED`. In space a slip that begins is given a moment to find
its direction; what hops and falls again within that moment stays on its surface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.automaton import (
    FREE,
    GRIP,
    OPEN,
    PATCH,
    PLUS,
    SLOWEST,
    STICK,
    STOP,
    STOPS,
    STRIKES,
    TOUCHING,
    WAYS,
    Element,
    Status,
    Statuses,
    elements_of,
    read_structure_name,
)
from sistel.errors import Text
from sistel.mechanics import AWAY
from sistel.model import Transition
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._failures import no_state_after
from sistel.simulation.contact._arriving import DEEP
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._driver import ContactDriver
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._hopping import SLOWEST_HOP
from sistel.simulation.contact._motion import Motions
from sistel.simulation.contact._overlaps import PlanarShapes, refuse_overlaps
from sistel.simulation.contact._passage import RESTING, SLOW
from sistel.simulation.contact._problem import Data, fail, sticking
from sistel.simulation.contact._striking import AGAIN
from sistel.simulation.run._run import Event
from sistel.simulation.taylor.tables import NEAR

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.engine import Engine
    from sistel.model import Model


LONGEST: Final = 1e4
"""Longest step [s]: a hop must not be below the rounding of the step that contains it."""


def contacts_decide(engine: Engine) -> bool:
    """Whether structures come from elements rather than from the file."""
    return bool(elements_of(engine.model))


def of(engine: Engine, order: int) -> Contacts | None:
    """What elements a system has, and what they do; None where it has none."""
    return Contacts(engine, order) if contacts_decide(engine) else None


class Contacts(Motions):
    """The structures that elements make, and the passages between them."""

    _placed: tuple[Model, PlanarShapes] | None = None

    # --- what the simulation asks ----------------------------------------------------------------------------------

    def enter(self, y: Array, until: float, name: str) -> tuple[str, Array, list[Event]]:
        """The structure of the first state, the state after what happens there at once, and the event, if any."""
        self.until, self.fastest = until, 0.0
        self.struck[:] = 0
        for driver in self.drivers.values():
            driver.forget()  # a run does not depend on those before it
        try:
            base = self.model.structure(name)
        except StopIteration:
            base = read_structure_name(self.model, name)[0]
        refuse_overlaps(self.engine.plain.model, y[: self.model.nq].tolist(), self._shapes())
        overlay = self.overlay(base)
        data = self._data(overlay, y)
        for element, gap in zip(self.elements, data.gap, strict=True):
            if element.kind != GRIP and gap < -TOUCHING:
                self._begins_inside(element, -float(gap))
        statuses = tuple((False, STICK) if element.kind == GRIP else OPEN for element in self.elements)
        event, y = self._follow(overlay, y, statuses, base.name, "", None)
        return event.after, y, [event] if event.impulses else []

    def _shapes(self) -> PlanarShapes | None:
        """Those of pairs in the plane, found once for the parameters as they are."""
        model = self.engine.plain.model
        if model.planar and (self._placed is None or self._placed[0] is not model):
            self._placed = model, PlanarShapes(model)
        return None if self._placed is None else self._placed[1]

    def named(self, name: str) -> CompiledStructure:
        """The equations of the structure that was entered last."""
        assert self.current is not None and self.current.structure.name == name
        return self.current

    def taylor_driver(self, compiled: CompiledStructure) -> ContactDriver:
        """The machine code that stays in a structure; what all statuses share is laid out once."""
        assert isinstance(compiled, CompiledContacts)
        known = self.drivers.get(compiled.own.mode.base.name)
        if known is None:
            room = next((driver.room for driver in self.drivers.values()), None)
            known = ContactDriver(self, compiled, self.order, room)
            self.drivers[compiled.own.mode.base.name] = known
        known.adopt(compiled)
        return known

    def successor(self, compiled: CompiledStructure, fired: Exit, y: Array) -> tuple[Event, Array]:
        """What follows the end of a structure; where nothing worth telling happens, the event has no name."""
        assert isinstance(compiled, CompiledContacts)
        overlay, before = compiled.own, compiled.structure.name
        leaf = fired.first_leaf - overlay.mode.first_leaf
        if leaf >= 0:
            alone = self._strike(compiled, fired.transition, y)
            if alone is not None:
                return alone
            return self._follow(overlay, y, compiled.statuses, before, fired.transition.name, leaf)
        # A transition of the file: what it does comes first, then what the elements make of it.
        results, names = compiled.passed(fired.transition, y)
        after, loss = np.array(results[0]), float(results[1][0])
        if not (np.isfinite(after).all() and math.isfinite(loss)):
            no_state_after(compiled, fired, y)
        impulses = {name: np.array(results[2][6 * i : 6 * i + 6]) for i, name in enumerate(names)}
        base = self.model.structure(fired.transition.target) if fired.transition.target else overlay.mode.base
        target = self.overlay(base)
        event, after = self._follow(target, after, compiled.statuses, before, fired.transition.name, None)
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

    def slowest_slip(self, compiled: CompiledStructure, y: Array) -> Exit | None:
        """The exit of a slip in space that has no speed left, for which steps collapse; None where there is none.

        A slip that begins where friction just does not hold may stop again before it is faster than what counts as
        none. Its direction is then that of rounding, and no step is short enough.
        """
        assert isinstance(compiled, CompiledContacts)
        overlay, data = compiled.own, self._data(compiled.own, y)
        k = len(self.elements)
        found: list[tuple[float, Exit]] = []
        for fired in compiled.equations.exits:
            leaf = fired.first_leaf - overlay.mode.first_leaf
            if leaf < 0 or overlay.mode.layout.word(leaf, compiled.statuses) != STOPS:
                continue
            index = overlay.mode.layout.leaves[leaf][0]
            if self.elements[index].tangents == 2:
                speed = float(np.linalg.norm(data.u[[k + index, 2 * k + index]]))
                if speed <= SLOWEST:
                    found.append((speed, fired))
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def falling(self, compiled: CompiledStructure, y: Array) -> Exit | None:
        """The exit of something open that falls, within rounding of its surface; None where there is none.

        Another method of steps that begins to watch it there takes it for what has just left, and does not see it pass.
        """
        assert isinstance(compiled, CompiledContacts)
        data, mode = self._data(compiled.own, y), compiled.own.mode
        rest = self._rest(data)
        for fired in compiled.equations.exits:
            leaf = fired.first_leaf - mode.first_leaf
            if leaf >= 0:
                i, which = mode.layout.leaves[leaf]
                if which == "normal" and not compiled.statuses[i][0] and data.gap[i] <= NEAR and data.u[i] < -rest:
                    return fired
        return None

    def rests(self, compiled: CompiledStructure, y: Array) -> bool:
        """Whether all that touches sticks, and nothing has just left its surface: a state for steps by stages."""
        assert isinstance(compiled, CompiledContacts)
        slides = any(grip in WAYS and closed for closed, grip in compiled.statuses)
        return not slides and not self.hops(compiled, y)

    def rubs(self, compiled: CompiledStructure) -> bool:
        """Whether patches of tracks slide: where such slips begin or end they are stiff, but for a moment only."""
        assert isinstance(compiled, CompiledContacts)
        pairs = zip(self.elements, compiled.statuses, strict=True)
        return any(element.kind == PATCH and grip in WAYS for element, (_, grip) in pairs)

    def hops(self, compiled: CompiledStructure, y: Array) -> bool:
        """Whether something open has just left its surface so slowly that only series see it come back."""
        assert isinstance(compiled, CompiledContacts)
        data = self._data(compiled.own, y)
        rest = self._rest(data)
        return any(
            element.kind != GRIP and not closed and data.gap[i] <= NEAR and -rest <= data.u[i] <= SLOWEST_HOP
            for i, (element, (closed, _)) in enumerate(zip(self.elements, compiled.statuses, strict=True))
        )

    def _rest(self, data: Data) -> float:
        """Velocity that counts as none [m/s]."""
        return max(RESTING * float(data.size.max(initial=0.0)), SLOW * self.fastest)

    def guard(self, y: Array) -> None:
        """Refuse to go on where a point has gone through a surface, or a joint through its stop, unseen."""
        assert isinstance(self.current, CompiledContacts)
        gaps = self._data(self.current.own, y).gap
        for element, gap in zip(self.elements, gaps, strict=True):
            if element.kind != GRIP and gap < -DEEP:
                self._went_through(element, -float(gap), float(y[-1]))

    def _look_back(self, overlay: Overlay, data: Data) -> None:
        """Keep in mind how fast the strikes were that machine code has taken since it was left to itself."""
        driver = self.drivers.get(overlay.mode.base.name)
        log = None if driver is None else driver.alone
        if log is None or not len(log):
            return
        response = float(data.G.diagonal().max(initial=0.0))
        self.fastest = max(self.fastest, float(np.linalg.norm(log[:, 2:8], axis=1).max()) * response)

    def _strike(self, compiled: CompiledContacts, transition: Transition, y: Array) -> tuple[Event, Array] | None:
        """What machine code does as well, the first time; None where it is not so simple."""
        overlay, index = compiled.own, compiled.own.mode.index_of(transition)
        if index is None or not compiled.takes(transition):
            return None
        new = index not in overlay.strikes
        strike = overlay.strike(index)
        if strike is None:
            return None
        if new:
            self.drivers.pop(overlay.mode.base.name, None)  # the next one knows it
        after, loss, load = strike.kernel(y)
        if not np.isfinite(after).all():
            return None
        name = compiled.structure.name
        self.current = compiled
        event = Event(
            time=float(y[-1]),
            transition=transition.name,
            before=name,
            after=name,
            energy_loss=float(loss[0]),
            impulses={self.elements[index].label: load},
        )
        return event, after

    # --- one passage -----------------------------------------------------------------------------------------------

    def _follow(
        self, overlay: Overlay, y: Array, statuses: Statuses, before: str, name: str, leaf: int | None
    ) -> tuple[Event, Array]:
        """What follows from a state, and from what strikes while a slip finds its direction; see `_successor`."""
        event, after = self._successor(overlay, y, statuses, before, name, leaf)
        for _ in range(AGAIN):
            given = float(after[-1]) - event.time
            if given == 0.0 and self.surfaces < 2:
                return event, after  # nothing else is there to strike at the same instant
            fastest = self._strikes_already(overlay, after)
            # At one instant only what time that has been passed over has brought to its surface strikes again.
            if fastest <= (0.0 if given > 0.0 else SLOWEST_HOP):
                return event, after
            assert self.current is not None
            # What a hop within the time given to a slip leaves is not worth another hop.
            dull = fastest <= 10.0 * given * float(np.abs(self._data(overlay, after).a).max())
            more, after = self._successor(overlay, after, self.current.statuses, event.after, "", None, dull)
            event = replace(
                event,
                transition=event.transition or more.transition,
                after=more.after,
                energy_loss=event.energy_loss + more.energy_loss,
                impulses={
                    link: event.impulses.get(link, np.zeros(6)) + more.impulses.get(link, np.zeros(6))
                    for link in {**event.impulses, **more.impulses}
                },
            )
        return self._no_solution(range(len(self.elements)), after, impact=True)

    def _strikes_already(self, overlay: Overlay, y: Array) -> float:
        """How fast something that is open goes through its surface at once; 0 where nothing does."""
        assert self.current is not None
        data = self._data(overlay, y)
        rest = self._rest(data)
        speeds = [
            -float(data.u[i])
            for i, (element, (closed, _)) in enumerate(zip(self.elements, self.current.statuses, strict=True))
            if element.kind != GRIP and not closed and data.gap[i] <= TOUCHING
        ]
        return max((speed for speed in speeds if speed > rest), default=0.0)

    def _successor(
        self,
        overlay: Overlay,
        y: Array,
        statuses: Statuses,
        before: str,
        name: str,
        leaf: int | None,
        dull: bool = False,
    ) -> tuple[Event, Array]:
        """What follows from a state.

        Args:
            overlay: The structure of the file from now on.
            y: The state.
            statuses: What the elements did until now.
            before: Name of the structure until now.
            name: Of what ended it.
            leaf: Of the elements' watched functions, the one that ended it; None where none did.
            dull: Whether what strikes now has no rebound.
        """
        y = y.copy()
        stopped: Sequence[int] = ()
        if leaf is not None and overlay.mode.layout.word(leaf, statuses) == STOPS:
            stopped = (overlay.mode.layout.leaves[leaf][0],)
            if self.elements[stopped[0]].tangents == 2:
                y, stopped = self._stopped(overlay, y, statuses, stopped[0])
        data = self._data(overlay, y)
        self._tell_inside(statuses, data, float(y[-1]))
        k = len(statuses)
        normal = [element.kind != GRIP for element in self.elements]
        closed = [i for i in range(k) if normal[i] and _touches(statuses[i], data.gap[i])]
        self._look_back(overlay, data)
        self.fastest = max(self.fastest, float(data.size.max(initial=0.0)))
        rest = self._rest(data)
        impulses, loss = np.zeros(len(data.u)), 0.0
        struck = [i for i in closed if data.u[i] < -rest and (leaf is None or not statuses[i][0])]
        if struck:
            for i in struck:
                self.remember(i, float(-data.u[i]))
            impulses, loss, y, data = self._impact(overlay, closed, data, y, rest, dull)
            y, data = self._crowded(overlay, closed, data, y, rest)
        still = [i for i in closed if data.u[i] <= rest or (statuses[i][0] and not struck and leaf is not None)]
        still += [i for i in range(k) if not normal[i]]
        held = leaf is not None and not struck
        slipping = self._slips(data, still, statuses, held, stopped, rest)
        if self.tangents == 2 and slipping.any():
            y, data, slipping = self._nearly_still(overlay, y, data, still, statuses, slipping, rest)
        time = float(y[-1])
        ended = [i for i in still if self._may_roll(i, statuses[i]) and not slipping[i].any()]
        found = self._motion(overlay, y, data, still, slipping, sticking(statuses, ended))
        self.current = found.compiled
        after = found.compiled.structure.name
        forces = {
            self.elements[i].label: load_of(data.axes, impulses, range(i, len(impulses), k))
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

    def _slips(
        self,
        data: Data,
        still: Sequence[int],
        statuses: Sequence[Status],
        held: bool,
        stopped: Sequence[int],
        rest: float,
    ) -> Array:
        """Directions in which elements slide that touch, shape (elements, tangents); zeros where they do not.

        Args:
            data: Of the state.
            still: Elements that touch and do not part.
            statuses: What they did until now.
            held: Whether those that held still do.
            stopped: Those that have just stopped.
            rest: Velocity that counts as none [m/s].
        """
        k = len(statuses)
        slipping = np.zeros((k, self.tangents))
        for i in still:
            closed = statuses[i][0] or self.elements[i].kind == GRIP
            slip = data.u[[k * (1 + side) + i for side in range(self.tangents)]]
            speed = float(np.linalg.norm(slip))
            # In space a slip without a speed worth the name has no direction either.
            least = max(rest, SLOWEST) if self.elements[i].tangents == 2 else rest
            if speed > least and not (closed and held and statuses[i][1] == STICK) and i not in stopped:
                slipping[i] = slip / speed
        if self.tangents == 2 and slipping.any():
            # What holds its point, and with it those of the same body, lets none of them slip on.
            holds = [i for i in still if self.elements[i].tangents == 2 and not slipping[i].any()]
            speeds = {i: float(np.hypot(data.u[k + i], data.u[2 * k + i])) for i in still if slipping[i].any()}
            slipping[[i for i in self._with_them(data, still, holds, speeds) if i in speeds]] = 0.0
        return slipping

    def _nearly_still(
        self,
        overlay: Overlay,
        y: Array,
        data: Data,
        still: Sequence[int],
        statuses: Sequence[Status],
        slipping: Array,
        rest: float,
    ) -> tuple[Array, Data, Array]:
        """The same where slips in space are about to stop: they are followed to their end."""
        k = len(statuses)
        speeds = {i: float(np.hypot(data.u[k + i], data.u[2 * k + i])) for i in still if self.elements[i].tangents == 2}
        slow = [i for i, speed in speeds.items() if 1e-3 * SLOWEST < speed <= 1e3 * SLOWEST]
        slowest = min(slow, key=lambda i: speeds[i], default=-1)
        if slowest < 0 or speeds[slowest] > 2.0 * SLOWEST:
            return y, data, slipping
        now = list(statuses)
        for i in still:
            if self.elements[i].kind != GRIP:
                slides = slipping[i].any() or i in slow
                now[i] = (True, PLUS if slides else STICK if self.elements[i].tangents else FREE)
        after, stopped = self._stopped(overlay, y, tuple(now), slowest)
        if not stopped:
            return y, data, slipping
        data = self._data(overlay, after)
        return after, data, self._slips(data, still, tuple(now), True, stopped, rest)

    def _begins_inside(self, element: Element, depth: float) -> NoReturn:
        if element.drive is not None:
            fail(
                "inside",
                Text(
                    f'gear "{element.name}" begins {depth:.3g} beyond its play',
                    f"зацепление «{element.name}» в начале на {depth:.3g} выходит за свой люфт",
                ),
                element,
            )
        if element.kind == STOP:
            fail(
                "inside",
                Text(
                    f'"{element.name}" begins {depth:.3g} beyond its stop',
                    f"«{element.name}» в начале находится на {depth:.3g} за своим упором",
                ),
                element,
            )
        fail(
            "inside",
            Text(
                f'contact "{element.name}" begins {depth:.3g} m inside its surface',
                f"контакт «{element.name}» в начале находится на {depth:.3g} м внутри поверхности",
            ),
            element,
        )

    def _went_through(self, element: Element, depth: float, time: float) -> NoReturn:
        fail(
            "went-through",
            Text(
                f'"{element.name}" has gone through, by {depth:.3g}, and no impact was found; noticed at {time:.9g} s',
                f"«{element.name}» прошёл насквозь, на {depth:.3g}, а удара не нашлось; замечено в момент {time:.9g} с",
            ),
            element,
        )


def _touches(status: Status, gap: float) -> bool:
    """Whether an element touches: one that does keeps to it unless it has slid off."""
    return gap <= TOUCHING or (status[0] and gap < 0.5 * AWAY)


def load_of(axes: Array, impulses: Array, rows: Sequence[int]) -> Array:
    """Moment and force, times time, of the rows of one element."""
    total = np.zeros(6)
    for row in rows:
        total += impulses[row] * axes[row]
    return total


__all__ = ["FREE", "LONGEST", "Contacts", "of"]
