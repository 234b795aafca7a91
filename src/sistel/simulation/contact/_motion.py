"""What contacts, stops and dry friction do from a state on: which of them push, stick and slide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import (
    CONTACT,
    FREE,
    GRIP,
    OPEN,
    PATCH,
    PLUS,
    ROUNDING,
    SLOWEST,
    STICK,
    TOUCHING,
    WAYS,
    Status,
    Statuses,
)
from sistel.errors import Text
from sistel.records import entry
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._cones import forces_of
from sistel.simulation.contact._equations import Overlay
from sistel.simulation.contact._hopping import LOWEST_HOP, SLOWEST_HOP
from sistel.simulation.contact._onsets import Onsets
from sistel.simulation.contact._problem import Data, sticking
from sistel.simulation.contact._slipping import START
from sistel.simulation.run._segments import Segment
from sistel.simulation.taylor.tables import NEAR

if TYPE_CHECKING:
    from sistel.arrays import Array


SUNK: Final = 1e-8
"""Depth from which on a contact that holds is told to have sunk in [m]: corrections leave far less."""
CHANCES: Final = 3
"""Times that what touches and would fall is asked to hold: twice in a problem it may share what one could not carry."""
LATEST: Final = 1e-3
"""As `START`, where the slip begins slowly [s]."""


@entry
class Next:
    """What elements do from now on."""

    compiled: CompiledContacts
    y: Array
    moment: tuple[Array, float, Array] | None = None
    """The first moment of a slip, see `Onsets`, that leads to the state."""


class Motions(Onsets):
    """What accelerations decide."""

    def _motion(
        self, overlay: Overlay, y: Array, data: Data, still: Sequence[int], slipping: Array, statuses: Statuses
    ) -> Next:
        """What elements that touch and do not part do from now on."""
        rested: list[int] = []
        for _ in range(len(statuses)):
            found = self._tried(overlay, y, data, still, slipping, statuses)
            faded = self._faded(overlay, found, data, slipping)
            if faded:
                statuses, slipping = sticking(statuses, faded), slipping.copy()
                slipping[faded] = 0.0
                continue
            # What is let go at rest may begin to fall by rounding alone: it has had its chances to hold.
            hidden = [i for i in self._hidden(found, data) if rested.count(i) < CHANCES]
            if not hidden:
                break
            rested += hidden
            y = self._brought_to_rest(found.compiled, data, y, hidden)
            data = self._data(overlay, y)
            still, slipping, k = [*still, *hidden], slipping.copy(), len(statuses)
            for i in hidden:
                slip = data.u[[k * (1 + side) + i for side in range(self.tangents)]]
                speed = float(np.linalg.norm(slip))
                if speed > SLOWEST:
                    slipping[i] = slip / speed
        self._give_way(found.compiled, data)
        self._tell_shared(found)
        if found.moment is not None:
            _, length, coefficients = found.moment
            times = np.array([[coefficients[0, -1, 0], length]])
            self.begun.append(Segment(structure=found.compiled.structure.name, times=times, coefficients=coefficients))
        return found

    def _may_roll(self, i: int, status: Status) -> bool:
        """Whether an element in space pushes and has directions to slide in, or resists the rolling of what does."""
        element = self.elements[i]
        return element.tangents == 2 and (status[0] or (element.kind == GRIP and status[1] != FREE))

    def _moves(self, i: int, status: Status) -> bool:
        """Whether it slides, or rolls."""
        return self._may_roll(i, status) and status[1] == PLUS

    def _tried(
        self, overlay: Overlay, y: Array, data: Data, still: Sequence[int], slipping: Array, statuses: Statuses
    ) -> Next:
        """The same, whether or not hops can be followed then."""
        k = len(statuses)
        # What the structure holds anyway has nothing to decide.
        idle = [i for i in still if self.elements[i].kind == GRIP and data.G[k + i, k + i] <= 0.0]
        chosen = [i for i in still if i not in idle]
        here, time = data, float(y[-1])
        for attempt in range(4):
            after = [OPEN] * k
            for i in idle:
                after[i] = (False, STICK)
            x, ways = np.zeros(len(data.u)), slipping
            started, moment = y, None
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
                ways = slipping.copy()
                ways[chosen] = slips
                for place, (i, (closed, grip)) in enumerate(zip(chosen, decided, strict=True)):
                    sides = [count * (1 + side) + place for side in range(self.tangents)]
                    moves = bool((np.abs(w[sides]) > slow[sides]).any())
                    # On the edge of its cone, but not moving: another contact holds it, or what follows decides.
                    rests = grip in WAYS and not slipping[i].any() and not moves
                    pushes = closed or self.elements[i].kind == GRIP
                    after[i] = (closed, STICK if rests and pushes else grip)
                    if self._moves(i, after[i]) and not slipping[i].any():
                        begins = max(begins, 10.0 * SLOWEST / max(float(np.linalg.norm(w[sides])), 1e-300))
                if begins:
                    later = here.free + here.P.T @ x
                    gone = time - float(y[-1])
                    if gone > 0.0:
                        started = self._slowly(overlay, y, data, chosen, slipping, after, gone, begins)
                    else:
                        # Slips that are there already must not end before.
                        u, w = data.u.reshape(-1, k)[1:], (here.a + here.G @ x).reshape(-1, k)[1:]
                        ends = [
                            0.3 * float(np.hypot(*u[:, i]) / max(1e-300, np.hypot(*w[:, i])))
                            for i in chosen
                            if slipping[i].any()
                        ]
                        started = self._moved(y, later, min(max(START, min(LATEST, begins)), *ends, LATEST))
                    u = self._data(overlay, started).u
                    for i in chosen:
                        if self._moves(i, after[i]) and not slipping[i].any():
                            slip = u[[k + i, 2 * k + i]]
                            speed = float(np.linalg.norm(slip))
                            # What has not come off the ground by then is held: others slip first.
                            after[i] = (after[i][0], PLUS if speed > SLOWEST else STICK)
                            ways[i] = slip / speed if speed > SLOWEST else 0.0
                    moment = self._begins(overlay, y, chosen, after, ways, here.a + here.G @ x)
            if moment is not None:
                started = moment[0]
                u = self._data(overlay, started).u
                for i in (i for i in chosen if after[i] == (True, PLUS)):
                    slip = u[[k + i, 2 * k + i]]
                    ways[i] = slip / float(np.linalg.norm(slip))
            compiled = self._compiled(overlay, tuple(after), data, x, ways)
            started = self._settled(compiled, data, started) if moment is None else started
            ahead = None if attempt == 3 or not chosen else self._undecided(compiled, started)
            if ahead is None:
                break
            here, time = self._data(overlay, ahead), float(ahead[-1])
        return Next(compiled, started, moment)

    def _give_way(self, compiled: CompiledContacts, data: Data) -> None:
        """Watch what is open and touches a little lower, where what is closed is still to be brought to its surface.

        That turns a body in space by rounding, and with it corners that are about to strike: they must not begin below.
        What has struck where it was watched lower, and hops no higher than that, is watched from where it is.
        """
        if self.model.planar:
            return
        assert compiled.given is not None
        gaps = [abs(float(data.gap[i])) for i, (closed, _) in enumerate(compiled.statuses) if closed]
        lower = min(3e-13, 2.0 * max(gaps, default=0.0))
        layout = compiled.own.mode.layout
        for leaf, (i, which) in enumerate(layout.leaves):
            gap = float(data.gap[i])
            if which == "normal" and not compiled.statuses[i][0] and gap <= TOUCHING and max(lower, -gap) > 1e-16:
                place = layout.places["leaf", leaf, 0]
                compiled.given[place] = max(float(compiled.given[place]) + lower, -gap)

    def _tell_shared(self, found: Next) -> None:
        """Warn where statics does not say what contacts carry: more of one body push than it takes to hold it."""
        compiled, layout = found.compiled, found.compiled.own.mode.layout
        assert compiled.given is not None
        for group in layout.rigid if len(self.elements) > 2 else ():
            pushing = [i for i in group if compiled.statuses[i][0] and self.elements[i].kind == CONTACT]
            if all(compiled.given[layout.places["mask", layout.normals[i], 0]] for i in pushing):
                continue
            if any(warning.code == "shared-loads" for warning in self.warnings):
                return
            if len(pushing) < 2:  # contacts of other bodies share the load with it
                every = enumerate(zip(compiled.statuses, self.elements, strict=True))
                pushing = [i for i, ((closed, _), each) in every if closed and each.kind == CONTACT]
            labels = [self.elements[i].label for i in pushing]
            self.warnings.add(
                "shared-loads",
                float(found.y[-1]),
                Text(
                    f"statics does not determine what each of the contacts {', '.join(labels)} carries: they share "
                    "their load as evenly as the laws allow (least norm), here and wherever it is so; what a run says "
                    "of one of them, `normal` or a reaction, is such a share: certain is what all contacts of a body "
                    "do together",
                    f"статика не определяет, что несёт каждый из контактов {', '.join(labels)}: нагрузка делится между "
                    "ними так поровну, как позволяют законы (наименьшая норма), здесь и везде, где это так; то, что "
                    "расчёт говорит об одном из них, `normal` или реакция, — такая доля: достоверно то, что "
                    "все контакты тела дают вместе",
                ),
                self.elements[pushing[0]].span,
            )
        self._tell_shared_friction(found)

    def _tell_inside(self, statuses: Statuses, data: Data, time: float) -> None:
        """Warn where a contact that held has sunk in: its row followed from others for a moment, and then no more."""
        inside = [i for i, (closed, _) in enumerate(statuses) if closed and data.gap[i] < -SUNK]
        for i in inside:
            element, depth = self.elements[i], f"{-float(data.gap[i]):.1e}"
            self.warnings.add(
                "sunk-contact",
                time,
                Text(
                    f'"{element.label}" has come to lie {depth} m inside what it rests on: it was left out of the '
                    "equations, because what it holds followed from other contacts when they began",
                    f"«{element.label}» оказался на {depth} м внутри того, на чём лежит: в уравнения он не вошёл, "
                    "потому что вначале следовал из других контактов",
                ),
                element.span,
                same=element.label,
            )

    def _tell_shared_friction(self, found: Next) -> None:
        """Warn where statics does not say which of the patches that stick under a hull rubs how much."""
        compiled, layout = found.compiled, found.compiled.own.mode.layout
        assert compiled.given is not None
        every = enumerate(zip(compiled.statuses, self.elements, strict=True))
        stuck = [i for i, (status, each) in every if status == (True, STICK) and each.kind == PATCH]
        rows = [row for i in stuck for row in layout.tangents[i]]
        if all(compiled.given[layout.places["mask", row, 0]] for row in rows):
            return
        if any(warning.code == "shared-friction" for warning in self.warnings):
            return
        first, last = self.elements[stuck[0]], self.elements[stuck[-1]]
        self.warnings.add(
            "shared-friction",
            float(found.y[-1]),
            Text(
                f"statics does not determine how patches that stick, {first.label} to {last.label}, share their "
                "friction: `force` of each has a share by what it carries at rest, which may lie beyond its own "
                "friction where others have lifted; certain are `normal` and what all of them do together",
                f"статика не определяет, как участки, которые держат, от {first.label} до {last.label}, делят трение: "
                "в `force` каждого входит доля по его нагрузке в покое, которая может выйти за его трение, где другие "
                "поднялись; достоверны `normal` и то, что все они дают вместе",
            ),
            first.span,
        )

    def _faded(self, overlay: Overlay, found: Next, data: Data, slipping: Array) -> list[int]:
        """Elements that would slide by slips that are none.

        In space those that are so slow that they have no direction any more; in the plane those that rounding alone
        made slide: taking away the velocities of what holds has turned them round.
        """
        k, statuses = len(self.elements), found.compiled.statuses
        if self.tangents == 1:
            slow = [
                i for i in range(k) if slipping[i].any() and abs(data.u[k + i]) <= SLOWEST and statuses[i][1] in WAYS
            ]
            u = self._data(overlay, found.y).u if slow else data.u
            return [i for i in slow if WAYS[statuses[i][1]] * u[k + i] < 0.0]
        sliding = [i for i, status in enumerate(statuses) if self._moves(i, status)]
        if not sliding:
            return []
        u = self._data(overlay, found.y).u
        return [i for i in sliding if float(np.hypot(u[k + i], u[2 * k + i])) <= SLOWEST]

    def _hidden(self, found: Next, data: Data) -> list[int]:
        """Elements that are open and would strike again before that could be seen: their hops end here and now.

        Those that are a little inside their surfaces are watched from where they are: what falls again from there
        strikes.
        """
        compiled = found.compiled
        near = [
            i
            for i, (element, (closed, _)) in enumerate(zip(self.elements, compiled.statuses, strict=True))
            if element.kind != GRIP and not closed and data.gap[i] <= TOUCHING
            if data.gap[i] < -NEAR or data.u[i] <= SLOWEST_HOP
        ]
        if not near:
            return []
        _, watched = compiled.taylor(found.y, compiled.parameters(found.y)[: compiled.taylor.parameters])
        layout, hidden = compiled.own.mode.layout, list[int]()
        assert compiled.given is not None
        for leaf, (i, which) in enumerate(layout.leaves):
            if i not in near or which != "normal":
                continue
            gap, rate, half = (float(x) for x in watched[compiled.own.mode.first_leaf + leaf][:3])
            if gap < -NEAR:
                compiled.given[layout.places["leaf", leaf, 0]] = -gap
            elif gap > NEAR:
                continue
            falls = rate < -NEAR or (half < 0.0 and (rate <= NEAR or rate * rate <= LOWEST_HOP * -half))
            if falls and rate >= -SLOWEST_HOP:
                hidden.append(i)
        return hidden

    def _brought_to_rest(self, compiled: CompiledContacts, data: Data, y: Array, hidden: Sequence[int]) -> Array:
        """The state with elements at rest on their surfaces that hop unseen, beside what holds."""
        assert compiled.given is not None
        rows = [*self.places[np.flatnonzero(compiled.given[: len(self.places)])], *hidden]
        y, (nq, nv) = y.copy(), (self.model.nq, self.model.nv)
        y[nq : nq + nv] += data.P[rows].T @ np.linalg.lstsq(data.G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-12)[0]
        return y

    def _slowly(
        self,
        overlay: Overlay,
        y: Array,
        data: Data,
        chosen: Sequence[int],
        slipping: Array,
        after: Sequence[Status],
        gone: float,
        wanted: float,
    ) -> Array:
        """The state a moment after slips in space have begun without acceleration: where they are 0, they have no way.

        Accelerations go on from those of what still sticks, to those of slips at the end of the moment; between the
        two they are straight lines.

        Args:
            overlay: The structure of the file.
            y: The state at the beginning.
            data: There.
            chosen: Elements that take part.
            slipping: Directions of slips that are there already.
            after: What all elements do from now on.
            gone: A time after which accelerations are known [s].
            wanted: Time in which these accelerations would make slips that count [s].
        """
        h = min(gone, LATEST, math.sqrt(2.0 * gone * wanted))
        held: list[Status] = [
            (closed, STICK if grip == PLUS and not slipping[i].any() else grip)
            for i, (closed, grip) in ((i, after[i]) for i in chosen)
        ]
        ways = slipping[list(chosen)]
        pressed = self.loaded(data, self.lifted(chosen, held))
        forces = forces_of(self._cones(pressed, chosen, slipping), held, ways)
        places = self._rows(chosen)
        first = data.free if forces is None else data.free + data.P[places].T @ forces
        later = first
        for _ in range(2):
            end = self._data(overlay, self._moved(y, first, h, later))
            found = self._solve(end, chosen, slipping, after)
            if found is not None:
                later = end.free + end.P[places].T @ found[0]
        return self._moved(y, first, h, later)

    def _stopped(self, overlay: Overlay, y: Array, statuses: Statuses, index: int) -> tuple[Array, Sequence[int]]:
        """The end of a slip in space that is about to stop, and all that stop with it.

        Where a body comes to rest, all its slips end at once, though not all are equally slow before: of those that
        are nearly as slow, as few as possible are taken that can stick together.
        """
        data = self._data(overlay, y)
        k = len(statuses)
        chosen = [i for i in range(k) if statuses[i][0] or self.elements[i].kind == GRIP]
        slipping, speeds = np.zeros((k, 2)), {}
        for i in chosen:
            slip = data.u[[k + i, 2 * k + i]]
            speed = float(np.linalg.norm(slip))
            if statuses[i][1] in WAYS and speed:
                slipping[i] = slip / speed
                if self.elements[i].tangents == 2:
                    speeds[i] = speed
        if speeds.get(index, 0.0) > 2.0 * SLOWEST:
            return y, ()  # only its direction is another one
        before = self._solve(data, chosen, slipping, statuses)
        if before is None:
            return y, (index,)
        x = np.zeros(len(data.u))
        x[self._rows(chosen)] = before[0]
        w = data.a + data.G @ x
        tried: list[int] = []
        for more in (1.0, 10.0, 100.0, 1000.0):
            slow = [i for i in speeds if i == index or speeds[i] <= more * SLOWEST]
            if slow == tried:
                continue
            tried = slow
            still = slipping.copy()
            still[slow] = 0.0
            found = self._solve(data, chosen, still, sticking(statuses, slow))
            if found is not None and all(found[1][chosen.index(i)][1] == STICK for i in slow):
                break
        else:
            slow = [index]
        holds = [i for i in chosen if self.elements[i].tangents == 2 and i not in speeds]
        slow = [i for i in self._with_them(data, chosen, [*slow, *holds], speeds) if i in speeds]
        rows = [k * (1 + side) + i for i in slow for side in (0, 1)]
        square = float(w[rows] @ w[rows])
        left = -float(data.u[rows] @ w[rows]) / square if square > 0.0 else 0.0
        if not 0.0 < left < 1e3 * START or y[-1] + left > self.until:
            return y, slow
        return self._moved(y, data.free + data.P.T @ x, left), slow

    def _with_them(self, data: Data, chosen: Sequence[int], slow: Sequence[int], speeds: dict[int, float]) -> list[int]:
        """Of slow slips, those that end with others: a body that three of its points hold has no slip at the fourth."""
        slowest = 1e3 * SLOWEST
        if not slow or min(speeds.values(), default=0.0) > slowest:
            return [i for i in speeds if i in slow]
        k = len(self.elements)
        rows = [*(i for i in chosen if self.elements[i].kind != GRIP), *(k * s + i for i in slow for s in (1, 2))]
        held = np.linalg.lstsq(data.G[np.ix_(rows, rows)], -data.u[rows], rcond=1e-10)[0]
        u = data.u + data.G[:, rows] @ held
        return [
            i
            for i, speed in speeds.items()
            if i in slow or (speed <= slowest and float(np.hypot(u[k + i], u[2 * k + i])) <= 0.1 * speed)
        ]
