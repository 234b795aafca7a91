"""The problems that contacts, stops and dry friction pose at a state: their data, their solutions, refusals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.automaton import (
    CONTACT,
    FREE,
    GRIP,
    MINUS,
    PLUS,
    ROUNDING,
    STICK,
    TOUCHING,
    WAYS,
    Element,
    Status,
    Statuses,
    elements_of,
)
from sistel.errors import Text
from sistel.mechanics import coordinate_rates
from sistel.model import Structure
from sistel.records import entry
from sistel.simulation import _failures
from sistel.simulation._diagnosis import why_no_dynamics
from sistel.simulation.contact._beds import Beds, Lifted
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._complementarity import (
    ContactProblem,
    ContactSolution,
    held_together,
    solve_contacts,
    try_statuses,
)
from sistel.simulation.contact._cones import ConeProblem, ConeSolution, solve_cones, try_cones
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._scene import SOON, SPEEDS
from sistel.simulation.run._segments import Segment
from sistel.simulation.run._warnings import Warnings

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.simulation.contact._driver import ContactDriver


TURNS: Final = 50
"""Times that it is asked anew which patches of tracks press the ground: mostly one is enough."""
SAME: Final = 1e-12
"""Part of the whole load by which loads may differ and count as the same."""
UNSETTLED: Final = Text(
    "what the patches of the tracks carry and their friction do not settle: the hull is about to tip over",
    "нагрузки участков гусениц и их трение не приходят в согласие: корпус вот-вот опрокинется",
)
MOST_NAMED: Final = 4
"""Contacts that a message names."""


@entry
class Data:
    """What the problems at one state are made of; see `derive_data`. Normals first, then tangents."""

    gap: Array
    u: Array
    size: Array
    G: Array
    a: Array
    P: Array
    axes: Array
    free: Array
    bound: Array
    press: Array
    lever: Array


class Problems:
    """The elements of a system, and the problems that they pose."""

    def __init__(self, engine: Engine, order: int) -> None:
        """Nothing is compiled before it is needed."""
        self.engine, self.order = engine, order
        self.model = engine.model
        self.elements = elements_of(self.model)
        self.surfaces = sum(element.kind != GRIP for element in self.elements)
        """How many of them can strike."""
        self.tangents = 1 if self.model.planar else 2
        self.overlays: dict[str, Overlay] = {}
        self.drivers: dict[str, ContactDriver] = {}
        self.until, self.fastest = math.inf, 0.0
        self.current: CompiledContacts | None = None
        self.warnings = Warnings()
        """Of the run under way."""
        self.begun: list[Segment] = []
        """First moments of slips that no step of the run has taken."""
        self.speeds = np.zeros(SPEEDS * len(self.elements))
        """Of every element: velocities of its last impacts."""
        self.struck = np.zeros(len(self.elements), dtype=np.int64)
        """Of every element: how many of them there are."""
        self.quick = not any(element.host or element.track for element in self.elements)
        """Whether machine code may decide passages by itself."""
        self.decided = 0
        """Passages that it has decided so far."""
        self._structures: dict[tuple[str, Statuses], Structure] = {}
        layout = engine.automaton.contact_mode(self.model.structure()).layout
        k = len(self.elements)
        places = np.zeros(layout.count, dtype=np.intp)
        for i in range(k):
            if layout.normals[i] >= 0:
                places[layout.normals[i]] = i
            for side, row in enumerate(layout.tangents[i]):
                places[row] = k * (1 + side) + i
        self.grounds = layout.hulls
        """The tracks with patches, hull by hull."""
        self.beds = Beds(layout.hulls, self.elements)
        self.places = places
        """Where the rows of the layout are among the normals and tangents of all elements."""

    def overlay(self, base: Structure) -> Overlay:
        """The equations of a structure of the file with all elements, compiled when it is first entered."""
        if base.name not in self.overlays:
            if base.why_not:
                found = why_no_dynamics(self.engine.plain.model, base)
                _failures.fail("no-dynamics", found.reason, found.span)
            self.overlays[base.name] = Overlay(
                self.engine, self.engine.automaton.contact_mode(base, seated=True), self.order
            )
        return self.overlays[base.name]

    def remember(self, i: int, speed: float) -> None:
        """Keep in mind how fast an element strikes."""
        own, count = self.speeds[SPEEDS * i : SPEEDS * (i + 1)], int(self.struck[i])
        if count == SPEEDS:
            own[:-1] = own[1:].copy()
            count -= 1
        own[count], self.struck[i] = speed, count + 1

    def remembered(self, i: int) -> list[float]:
        """How fast an element struck the last times [m/s]."""
        return [float(speed) for speed in self.speeds[SPEEDS * i : SPEEDS * i + int(self.struck[i])]]

    def _data(self, overlay: Overlay, y: Array) -> Data:
        if overlay.mode.modes.switches:
            y = y.copy()
            y[-1] += SOON * abs(y[-1])
        gap, u, size, G, a, P, axes, free, bound = overlay.data(y)
        r = len(u)
        press, lever = overlay.press(y) if self.grounds else (np.zeros(0), np.zeros(0))
        shaped = G.reshape(r, r), a, P.reshape(r, -1), axes.reshape(r, 6)
        data = Data(gap, u, size, *shaped, free, bound, press, lever.reshape(len(press), r))
        if self.grounds:
            data.a[self.beds.patches] = self.loaded(data, frozenset()).a[self.beds.patches]
        return data

    def loaded(self, data: Data, lifted: Lifted) -> Data:
        """The same with what the patches of tracks carry, for forces of the elements, where some of them do not press.

        The row of the normal of a patch is x less what it carries; it vanishes where the patch presses.
        """
        shares, patches = self.beds.shares(lifted), self.beds.patches
        if shares is None or not patches:
            return data
        G, a = data.G.copy(), data.a.copy()
        G[patches] = -shares @ data.lever
        G[patches, patches] += 1.0
        a[patches] = -shares @ data.press
        return replace(data, G=G, a=a)

    def lifted(self, chosen: Sequence[int], statuses: Sequence[Status]) -> Lifted:
        """Patches of tracks that do not press the ground."""
        own = set(self.beds.patches)
        return frozenset(i for i, (closed, _) in zip(chosen, statuses, strict=True) if i in own and not closed)

    def _rows(self, chosen: Sequence[int]) -> list[int]:
        k = len(self.elements)
        return [k * part + i for part in range(1 + self.tangents) for i in chosen]

    def _cones(self, data: Data, chosen: Sequence[int], slipping: Array) -> ConeProblem:
        elements = [self.elements[i] for i in chosen]
        places = self._rows(chosen)
        return ConeProblem(
            G=data.G[np.ix_(places, places)],
            b=data.a[places],
            friction=tuple(element.friction for element in elements),
            ways=slipping[list(chosen)],
            pressed=tuple(float(data.bound[i]) for i in chosen),
            bare=tuple(element.kind == GRIP for element in elements),
            back=backs(elements),
            hosts=self._hosts(chosen),
        )

    def _hosts(self, chosen: Sequence[int]) -> tuple[int, ...]:
        """Places of those whose normal forces bound frictions, see `ContactProblem`."""
        if not any(self.elements[i].host for i in chosen):
            return ()
        place = {i: at for at, i in enumerate(chosen)}
        return tuple(place.get(i + self.elements[i].host, -1) for i in chosen)

    def _solve(
        self, data: Data, chosen: Sequence[int], slipping: Array, prefer: Sequence[Status]
    ) -> tuple[Array, Statuses, Array, Array] | None:
        """Forces, statuses, accelerations and directions of slips of some elements.

        Which patches of tracks press the ground depends on what friction does, and that on which of them press.
        """
        own = [i for i in self.beds.patches if i in chosen]
        if not own:
            return self._solve_once(data, chosen, slipping, prefer)
        places, wanted = self._rows(chosen), list(prefer)
        lifted = frozenset(i for i in own if not prefer[i][0])
        if self.beds.shares(lifted) is None:
            lifted = frozenset()
        seen: set[Lifted] = set()
        for _ in range(TURNS):
            for i in own:
                closed, grip = wanted[i]
                wanted[i] = (i not in lifted, STICK if grip == FREE and not closed else grip)
            found = self._solve_once(self.loaded(data, lifted), chosen, slipping, wanted)
            if found is None:
                return None
            seen.add(lifted)
            x = np.zeros(len(data.u))
            x[places] = found[0]
            whole = data.press + data.lever @ x
            stands = self.beds.standing(whole)
            if stands is None:
                lifted = self.beds.next_lifted(lifted, whole)
            elif stands[0] == lifted or self._same(stands[1], x[self.beds.patches]):
                return found
            else:
                lifted = _onwards(lifted, stands[0], seen)
            for i, status in zip(chosen, found[1], strict=True):
                wanted[i] = status
        return fail("track-loads", UNSETTLED, self.elements[own[0]])

    def _same(self, loads: Array, others: Array) -> bool:
        return bool(np.abs(loads - others).max() <= SAME * np.abs(loads).sum())

    def _solve_once(
        self, data: Data, chosen: Sequence[int], slipping: Array, prefer: Sequence[Status]
    ) -> tuple[Array, Statuses, Array, Array] | None:
        """The same where the loads of patches are known."""
        elements = [self.elements[i] for i in chosen]
        places = self._rows(chosen)
        pressed = tuple(float(data.bound[i]) for i in chosen)
        bare = tuple(element.kind == GRIP for element in elements)
        friction = tuple(element.friction for element in elements)
        G, b = data.G[np.ix_(places, places)], data.a[places]
        if self.model.planar:
            ways = tuple(float(slipping[i, 0]) for i in chosen)
            problem = ContactProblem(
                G=G,
                b=b,
                hosts=self._hosts(chosen),
                friction=friction,
                back=backs(elements),
                ways=ways,
                pressed=pressed,
                bare=bare,
            )
            plane: ContactSolution | None = solve_contacts(problem, [prefer[i] for i in chosen])
            if plane is None:
                return None
            closed = resting(plane.statuses, plane.x, plane.w, problem)
            if closed is not None:
                plane = try_statuses(problem, closed) or held_together(problem, plane) or plane
            slips = np.array([[WAYS.get(grip, 0.0)] for _, grip in plane.statuses])
            return plane.x, plane.statuses, plane.w, slips
        cone = self._cones(data, chosen, slipping)
        wanted = [(closed, PLUS if grip == MINUS else grip) for closed, grip in (prefer[i] for i in chosen)]
        space: ConeSolution | None = solve_cones(cone, wanted)
        if space is None:
            return None
        closed = resting(space.statuses, space.x, space.w, cone)
        space = space if closed is None else try_cones(cone, closed) or space
        statuses = list(space.statuses)
        for place, element in enumerate(elements):
            if element.tangents == 1 and statuses[place][1] == PLUS and space.ways[place, 0] < 0.0:
                statuses[place] = (statuses[place][0], MINUS)
        return space.x, tuple(statuses), space.w, space.ways

    def _moved(self, y: Array, a: Array, h: float, later: Array | None = None) -> Array:
        """The state a short time later, with accelerations that stay, or go straight to those at its end."""
        nq, nv = self.model.nq, self.model.nv
        y = y.copy()
        last = a if later is None else later
        v = (y[nq : nq + nv] + h * (a / 3.0 + last / 6.0)).tolist()
        halfway = y[:nq] + 0.5 * h * np.array(coordinate_rates(self.model, y[:nq].tolist(), v))
        y[:nq] += h * np.array(coordinate_rates(self.model, halfway.tolist(), v))
        y[nq : nq + nv] += 0.5 * h * (a + last)
        y[-1] += h
        return y

    def _that_matter(self, chosen: Sequence[int], y: Array) -> list[Element]:
        """Of elements, the contacts that touch; of these, those that go into their surfaces, if any do."""
        data = self._data(next(iter(self.overlays.values())), y)
        contacts = [i for i in chosen if self.elements[i].kind == CONTACT]
        touching = [i for i in contacts if data.gap[i] <= TOUCHING] or contacts or list(chosen)
        fastest = max((-float(data.u[i]) for i in touching), default=0.0)
        striking = [i for i in touching if fastest > 0.0 and -data.u[i] > 1e-9 * fastest]
        return [self.elements[i] for i in striking or touching]

    def _no_solution(self, chosen: Sequence[int], y: Array, impact: bool) -> NoReturn:
        elements = self._that_matter(chosen, y)
        shown = elements[:MOST_NAMED]
        more = len(elements) - len(shown)
        names = ", ".join(f'"{element.label}"' for element in shown) + (f" and {more} more" if more else "")
        russian = ", ".join(f"«{element.label}»" for element in shown) + (f" и ещё {more}" if more else "")
        what = ("impulses", "импульсов") if impact else ("forces", "сил")
        if impact and not self.model.planar and len(elements) > 1:
            # Here existence is not decided: the search goes through statuses and directions of slips.
            fail(
                "no-contact-force",
                Text(
                    f"at {y[-1]:.9g} s no impulses of the contacts {names} were found that keep the laws of friction",
                    f"в момент {y[-1]:.9g} с не нашлось импульсов контактов {russian}, при которых верны законы трения",
                ),
                elements[0],
            )
        fail(
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


def _onwards(lifted: Lifted, wanted: Lifted, seen: set[Lifted]) -> Lifted:
    """The patches to lift next: those that are wanted, or, where that leads round in a circle, one more or less."""
    if wanted not in seen:
        return wanted
    return next((each for i in sorted(lifted ^ wanted) if (each := lifted ^ {i}) not in seen), wanted)


def backs(elements: Sequence[Element]) -> tuple[float, ...]:
    """Coefficients of friction of slips the other way; empty where they are all the same."""
    return tuple(element.pull(-1.0) for element in elements) if any(each.back is not None for each in elements) else ()


def resting(
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
        smooth = problem.friction[i] == 0.0 and not (problem.back and problem.back[i])
        made[i] = (True, FREE if smooth else STICK)
        if moving and problem.friction[i] is not None and not smooth:
            made[i] = (True, PLUS if moving > 0 else MINUS)
    return made if found else None


def sticking(statuses: Sequence[Status], stopped: Sequence[int]) -> Statuses:
    """Statuses with some elements sticking."""
    return tuple((status[0], STICK) if i in stopped else status for i, status in enumerate(statuses))


def fail(code: str, message: Text, element: Element) -> NoReturn:
    """Raise an error of one message at an element."""
    _failures.fail(code, message, element.span)
