"""The Taylor loop of a structure whose contacts make structures of their own, with passages between them.

One flow serves all statuses; which of them there are is a number of the tables. Passages that `_passage` decides are
taken without leaving machine code, and named when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, overload

import numpy as np

from sistel.automaton import CONTACT, OPEN, Exit, Layout, Statuses
from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunction, compile_functions
from sistel.once import once
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._outcome import Outcome
from sistel.simulation.contact import _passage
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._gauss import NODES, gauss_tables
from sistel.simulation.contact._trials import CLOSED, OPTIONS, Problem
from sistel.simulation.run._chunks import Chunk, Passage
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._driver import Room, TaylorDriver

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.automaton import ModeEquations
    from sistel.simulation.contact._contacts import Contacts
    from sistel.simulation.contact._equations import Overlay

MOST_STANDS: Final = 512
"""Statuses of all elements that machine code knows; beyond them Python decides."""
OFTEN: Final = 5000
"""Passages from which on better machine code of them is worth more than half a second."""
MOST_ELEMENTS: Final = 20
"""Elements up to which it does: beyond them there are too many combinations, and Python decides."""


@once
def passage_code(hasty: bool) -> CompiledFunction:
    """The compiled loop with passages, one for all models: in a hurry, or as quick as it can be."""
    functions = list(_passage.FUNCTIONS)
    return compile_functions(functions, exports=["travel"], cache=USER, quick=True, hasty=hasty).travel


def _whole(count: int) -> Whole:
    """Room for so many whole numbers, or one."""
    return np.zeros(max(1, count), dtype=np.int64)


def _real(count: int) -> Array:
    """Room for so many numbers, or one."""
    return np.zeros(max(1, count))


class ContactPassages(Sequence[Passage]):
    """What events of contacts were, by their marks in the log."""

    def __init__(
        self,
        layout: Layout,
        stands: Sequence[Statuses],
        names: Sequence[str],
        alone: Sequence[Passage],
        ticks: Sequence[str],
    ) -> None:
        """Of a structure of the file.

        Args:
            layout: Of its elements.
            stands: Statuses, which marks have as numbers; more may come.
            names: Of the structures that they make.
            alone: Passages of elements that strike alone, where all are open, by their exits.
            ticks: Names of the transitions of the file, ticks among them.
        """
        self._layout, self._stands, self._names = layout, stands, names
        self.alone, self._ticks = alone, ticks

    def __len__(self) -> int:
        """How many there could be."""
        return 1 << 62

    @overload
    def __getitem__(self, index: int) -> Passage: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Passage]: ...

    def __getitem__(self, index: int | slice) -> Passage | Sequence[Passage]:
        """The passage with a mark."""
        if isinstance(index, slice):
            raise TypeError("passages are asked for one by one")
        if index >> s.TICKS:
            name = self._names[index >> s.TICK_EXITS & ((1 << s.NAMES) - 1)]
            return Passage(self._ticks[index & ((1 << s.TICK_EXITS) - 1)], name, name, ())
        if index >> s.MASK == 0:
            return self.alone[index]
        mask, code = index & ((1 << s.MASK) - 1), index >> s.MASK
        after, code = code & ((1 << s.NAMES) - 1), code >> s.NAMES
        before, leaf = code & ((1 << s.NAMES) - 1), (code >> s.NAMES) - 1
        elements = self._layout.elements
        own = elements[self._layout.leaves[leaf][0]]
        return Passage(
            f"{own.label} {self._layout.word(leaf, self._stands[before])}",
            self._names[before],
            self._names[after],
            tuple(element.label for i, element in enumerate(elements) if mask >> i & 1),
        )


class ContactDriver(TaylorDriver):
    """The Taylor loop on a structure of the file with all statuses of its elements."""

    writes_apart = False

    def __init__(self, contacts: Contacts, compiled: CompiledContacts, order: int, room: Room | None) -> None:
        """Make the tables.

        Args:
            contacts: The elements, and what decides in Python.
            compiled: The equations with some statuses.
            order: Of the Taylor series.
            room: Memory of another driver that is not at work.
        """
        self.contacts, self.compiled = contacts, compiled
        self._adopted: ModeEquations | None = None
        """Whose passages it knows."""
        self.own, self.reals = _whole(s.COUNTS), _real(s.NUMBERS)
        """The counts and numbers of the tables of the elements."""
        self.reals[s.MOMENT] = math.nan
        self._alone: list[Passage] = []
        """Those of elements that strike alone, by their exits; filled when all elements are first open."""
        super().__init__([compiled], [compiled.structure.name], order, room=room)

    # --- tables ------------------------------------------------------------------------------------------------------

    def _lay_out(self, compiled_structures: Sequence[CompiledStructure]) -> None:
        super()._lay_out(compiled_structures)
        self.log_width = max(self.log_width, 2 + 6 * len(self.contacts.elements))

    def _bound(self) -> Callable[[], int]:
        self.scene = self._scene()
        self._name()
        for statuses in self._overlay.stands:
            self._learn(statuses)
        self._hasty = True
        """Whether that was made in a hurry; the bits are the same."""
        self._travel: Callable[[], int] | None = None
        """The loop with passages, from the first passage on: runs without any need not wait until it is compiled."""
        return super()._bound()

    @property
    def _overlay(self) -> Overlay:
        return self.compiled.own

    def _scene(self) -> s.Scene:
        """Tables of the elements, and room."""
        compiled, contacts = self.compiled, self.contacts
        overlay, layout, model = compiled.own, compiled.own.mode.layout, contacts.model
        k, sides, nv, modes = len(layout.elements), contacts.tangents, model.nv, compiled.modes
        r, n = k * (1 + sides), max(k * (1 + sides), layout.count, nv)
        whole, real = _whole, _real
        data = [
            s.Data(
                gap=real(k),
                u=real(r),
                size=real(r),
                G=real(r * r),
                a=real(r),
                P=real(r * nv),
                axes=real(6 * r),
                free=real(nv),
                bound=real(k),
            )
            for _ in range(2)
        ]
        problem = Problem(
            sides=sides,
            G=real(r * r),
            b=real(n),
            friction=real(k),
            back=real(k),
            clings=whole(k),
            ways=real(2 * k),
            pressed=real(k),
            bare=whole(k),
            x=real(n),
            w=real(n),
            found=real(2 * k),
            statuses=whole(k),
            options=whole(OPTIONS * k),
            places=whole(k),
            A=real(n * n),
            right=real(n),
            size=real(n),
            held=real(n),
            turn=real(n * k + k * k + 2 * k + n),
            room=real(2 * n * n + 8 * n),
            order=whole(n),
            kinds=whole(k),
        )
        counts, y, p = self.own, real(self.size), real(compiled.taylor.parameters)
        elements, laws, leaves = whole(s.ELEMENT * k), real(s.LAW * k), whole(s.LEAF * len(layout.leaves))
        for i, element in enumerate(layout.elements):
            way = layout.places.get(("way", i, 0), -1)
            tangent = layout.tangents[i][0] if layout.tangents[i] else -1
            elements[s.ELEMENT * i : s.ELEMENT * (i + 1)] = (
                layout.normals[i],
                tangent,
                element.tangents,
                element.friction is None,
                element.kind == CONTACT,
                way,
            )
            laws[s.LAW * i : s.LAW * (i + 1)] = (
                element.friction or 0.0,
                element.restitution if element.impact in ("newton", "coulomb") else 0.0,
                element.restitution if element.impact == "poisson" else 0.0,
                element.pull(-1.0),
                element.restitution,
            )
        first = len(overlay.mode.written)
        for leaf, (i, which) in enumerate(layout.leaves):
            leaves[s.LEAF * leaf : s.LEAF * (leaf + 1)] = (
                i,
                ("normal", "low", "high").index(which),
                layout.places["leaf", leaf, 0],
                self._passages[first + leaf][0],
                which == "normal" and overlay.mode.strikes_alone(i),
            )
        groups = np.array([(i, g) for g, group in enumerate(layout.rigid) for i in group], dtype=np.int64).ravel()
        parts, rates = layout.size, real(model.nq)
        self.stands, self.templates, self.next = whole(MOST_STANDS * (k + s.STAND)), real(MOST_STANDS * parts), whole(k)
        self.stands, self.templates = self.stands.reshape(MOST_STANDS, -1), self.templates.reshape(MOST_STANDS, -1)
        scene = s.Scene(
            counts=counts,
            numbers=self.reals,
            elements=elements,
            laws=laws,
            leaves=leaves,
            places=contacts.places.astype(np.int64),
            groups=groups,
            stands=self.stands.ravel(),
            numbers_of=self.templates.ravel(),
            speeds=contacts.speeds,
            strikes=contacts.struck,
            data=data[0],
            here=data[1],
            problem=problem,
            y=y,
            p=p,
            last=real(parts),
            live=self.live,
            later=real(self.size),
            start=real(self.size),
            total=real(r),
            before=real(r),
            u=real(r),
            x=real(r),
            given=real(r),
            b=real(r),
            pressed=real(k),
            free=real(nv),
            first=real(nv),
            rates=rates,
            all_w=real(r),
            own_x=real(r),
            moved=real(self.size),
            gauss=gauss_tables(),
            states=real(NODES * self.size),
            rates_at=real(NODES * self.size),
            theta=real(NODES * k),
            slips_at=real(2 * NODES * k),
            turns_at=real(2 * NODES * k * k * (sides - 1)),
            forces_at=real(NODES * r),
            gaps_at=real(NODES * k),
            matrix=real((NODES * k) ** 2 * (sides - 1)),
            off=real(NODES * k),
            step=real(NODES * k),
            series=real((NODES + 1) * self.size),
            sliding=whole(k),
            rows=whole(r),
            kept_x=real(r),
            kept_ways=real(2 * k),
            kept_statuses=whole(k),
            swept=real(2 * r),
            slipping=real(2 * k),
            ways=real(2 * k),
            statuses=whole(k),
            next=self.next,
            prefer=whole(k),
            touching=whole(k),
            struck=whole(k),
            still=whole(k),
            chosen=whole(k),
            speed=real(k),
            slow=whole(k),
            ended=whole(k),
            wish=whole(k),
            now=whole(k),
            new_speeds=real(s.SPEEDS * k),
            new_strikes=whole(k),
            share=real(layout.count**2),
            change=real(layout.count**2),
            product=real(layout.count**2 + layout.count),
            wanted=real(layout.count),
            kept=whole(layout.count),
            some=whole(layout.count),
            fewer=whole(layout.count),
        )
        counts[s.ELEMENTS], counts[s.SIDES], counts[s.RATES], counts[s.FIRST_RATE] = k, sides, nv, model.nq
        counts[s.ROWS], counts[s.WRITTEN], counts[s.LEAVES] = layout.count, first, len(layout.leaves)
        counts[s.FIRST_WATCHED], counts[s.SURFACES], counts[s.PARTS] = overlay.mode.first_leaf, contacts.surfaces, parts
        counts[s.READS] = int(overlay.mode.reads)
        counts[s.SHARE] = layout.places.get(("share", 0, 0), -1)
        counts[s.LOOK] = self._held_address(overlay.native_data)
        for place, each in zip((s.LOOK_ARGUMENTS, s.HERE_ARGUMENTS), data, strict=True):
            blocks = [getattr(each, name).ctypes.data for name, _ in overlay.mode.data.outputs]
            counts[place] = self._table(overlay.mode.data, blocks, {"y": y.ctypes.data})
        counts[s.MOVE] = self._held_address(overlay.native_rates)
        counts[s.MOVE_ARGUMENTS] = self._table(overlay.rates, [rates.ctypes.data], {"y": y.ctypes.data})
        (_, at) = self._held or (None, 0)
        counts[s.HELD] = at
        behind = self.results.ctypes.data + 8 * (at + layout.holding)
        if overlay.mode.anchor_count:
            counts[s.BASE] = self._held_address(overlay.native_base_anchored)
            counts[s.BASE_ARGUMENTS] = self._table(overlay.base_anchors, [behind], {})
            behind += 8 * overlay.mode.anchor_count
        if overlay.mode.found_count:
            counts[s.FIND] = self._held_address(overlay.native_anchored)
            counts[s.FIND_ARGUMENTS] = self._table(overlay.mode.found, [behind], {})
        if modes.switches:
            counts[s.CHOOSE] = self._held_address(overlay.native_modes)
            known = {"y": y.ctypes.data, "p": p.ctypes.data}
            target = p.ctypes.data + 8 * modes.first
            counts[s.CHOOSE_ARGUMENTS] = self._table(modes.initial, [target], known)
        return scene

    def _learn(self, statuses: Statuses) -> int:
        """Let machine code know statuses of all elements; their number."""
        overlay, layout = self._overlay, self._overlay.mode.layout
        if statuses not in overlay.stands:
            overlay.stands.append(statuses)
            overlay.stand_names.append(self.contacts.structure_of(overlay, statuses).name)
        stand, k = overlay.stands.index(statuses), len(layout.elements)
        self.stands[stand, :k] = [CLOSED * closed + grip for closed, grip in statuses]
        self.stands[stand, k] = overlay.stand_names.index(overlay.stand_names[stand])
        self.stands[stand, k + 1] = all(status == OPEN for status in statuses)
        if not layout.seats:  # where there are, Python decides all passages, and gives the numbers
            share, ways = np.eye(layout.count), np.zeros((k, 2))
            self.templates[stand] = layout.numbers(statuses, layout.active(statuses), share, ways)
        self.own[s.KNOWN] = max(int(self.own[s.KNOWN]), stand + 1)
        return stand

    def _make_room(self) -> None:
        """Forget what machine code knows, where there is no room for more. What was recorded keeps the old lists."""
        overlay = self._overlay
        if len(overlay.stands) < MOST_STANDS:
            return
        overlay.stands, overlay.stand_names = [], []
        self._name()
        self.own[s.KNOWN] = 0
        self.own[s.NOW] = self._learn(self.compiled.statuses)

    def _name(self) -> None:
        """Give events and steps from now on the names of what is known."""
        overlay = self._overlay
        self.names = overlay.stand_names
        self.passages = ContactPassages(
            overlay.mode.layout,
            overlay.stands,
            overlay.stand_names,
            self._alone,
            [each.transition.name for each in overlay.mode.written],
        )

    # --- statuses ----------------------------------------------------------------------------------------------------

    def adopt(self, compiled: CompiledContacts) -> None:
        """Go on with statuses that Python has decided on."""
        self.compiled = compiled
        self._make_room()
        self.own[s.NOW] = self._learn(compiled.statuses)
        self.counts[t.TICK_CODE] = s.tick_code(int(self.own[s.NOW]))
        self._stand(compiled)
        assert compiled.given is not None
        self.set_live(compiled.given)

    def _stand(self, compiled: CompiledContacts) -> None:
        """Take the equations with some statuses for those that there are now."""
        assert self._held is not None
        self.compiled, equations = compiled, compiled.equations
        name = compiled.structure.name
        self._held = compiled, self._held[1]
        ((_, place, first),) = self._homes.values()
        self._homes = {name: (compiled, place, first)}
        if equations is self._adopted:
            return
        self._adopted = equations
        self.exits = [(compiled, each) for each in equations.exits]
        opened = all(status == OPEN for status in compiled.statuses)
        if opened and not self._alone:
            self._alone += [
                Passage(each.transition.name, name, name, known[2])
                for each, known in zip(equations.exits, self._passages, strict=True)
            ]
        for row, each, known in zip(self.exit_rows, equations.exits, self._passages, strict=False):
            row[t.PASSAGE] = known[0] if compiled.takes(each.transition) else 0

    def _place(self, name: str) -> int:
        return 0

    @property
    def structure(self) -> str:
        """Where the motion is."""
        return self.names[int(self.own[s.NOW])]

    @property
    def leaving(self) -> tuple[CompiledStructure, Exit]:
        """The exit that is being taken."""
        return self.compiled, self.compiled.equations.exits[int(self.counts[t.LEAVING])]

    # --- going -------------------------------------------------------------------------------------------------------

    @property
    def instant(self) -> tuple[float, int]:
        """Time of the last passage [s], and how many there were at that instant."""
        return float(self.reals[s.MOMENT]), int(self.own[s.AT_ONCE])

    @property
    def alone(self) -> Array:
        """What strikes of elements alone were, since the last passage: rows of the log."""
        count, last = int(self.own[s.SINCE]), int(self.counts[t.EVENTS])
        log = self.room.log[: last * self.log_width].reshape(last, self.log_width)
        return np.asarray(log[last - count :])

    def forget(self) -> None:
        """Know nothing of a run before."""
        self.own[[s.SINCE, s.ASKED]] = self.counts[t.EVENTS] = 0

    def wait_for(self, fired: Exit) -> None:
        """Stand where another method has found the end of a motion: `go` begins with the passage there."""
        exits = self.compiled.equations.exits
        self.counts[[t.LEAVING, t.OPEN]] = next(number for number, each in enumerate(exits) if each is fired)
        self.own[[s.SINCE, s.WAITING]] = 0
        self.own[s.ASKED] = 1
        self.next[:] = [(CLOSED if closed else 0) + grip for closed, grip in self.compiled.statuses]

    def prepare(self, instant: tuple[float, int], passes: bool) -> None:
        """Say what a run knows.

        Args:
            instant: Time of the last passage [s], and how many there were at that instant.
            passes: Whether machine code may decide passages.
        """
        contacts = self.contacts
        self.reals[s.MOMENT], self.own[s.AT_ONCE] = instant
        few = len(contacts.elements) <= MOST_ELEMENTS and contacts.engine.hoisted is None
        self.own[s.OPEN_WAYS] = passes and few and contacts.quick
        self.own[s.TOLD] = any(warning.code == "shared-loads" for warning in contacts.warnings)

    def go(self, walked: int = 0) -> tuple[Outcome, Chunk]:
        """Move on until something has to be decided in Python; the reason, and what happened on the way."""
        contacts = self.contacts
        self.reals[s.FASTEST] = contacts.fastest
        self.own[s.DECIDED] = 0
        found = super().go(walked)
        if self.own[s.DECIDED]:
            contacts.fastest = float(self.reals[s.FASTEST])
            contacts.decided += int(self.own[s.DECIDED])
            if self._hasty and contacts.decided >= OFTEN and self._travel is not None:
                self._travel = self._with_passages()
            statuses = self._overlay.stands[int(self.own[s.NOW])]
            given = self.parameters[: len(self.compiled.given)].copy()  # type: ignore[arg-type]
            contacts.current = contacts.standing(self._overlay, statuses, given)
            self._stand(contacts.current)
        return found

    def _run(self) -> Outcome:
        """Go on; where a passage leads to statuses that were not met before, learn them and let it go on."""
        if self.own[s.ASKED]:
            self._make_room()
            self._learn(self._asked)
            if self._travel is None:
                self._travel = self._with_passages()
        outcome = Outcome(self._travel() if self._travel is not None else self._first_passage())
        while self.own[s.ASKED]:
            if len(self._overlay.stands) >= MOST_STANDS:
                self.own[[s.SINCE, s.WAITING]] = 0
                return Outcome.EVENTS_FULL  # what there is has to be written down with its names first
            self._learn(self._asked)
            assert self._travel is not None
            outcome = Outcome(self._travel())
        return outcome

    def _first_passage(self) -> int:
        """Go on to the first passage; from there on with the loop that knows passages."""
        counts = self.counts
        outcome = self.call()
        self.room.which[: int(counts[t.STEPS])] = self.own[s.NOW]
        self.own[s.SINCE], self.own[s.WAITING] = counts[t.EVENTS], 0
        leaf = int(counts[t.LEAVING] - self.own[s.WRITTEN])
        passes = outcome in (Outcome.NEW_PASSAGE, Outcome.NO_PASSAGE) and self.own[s.OPEN_WAYS]
        if not passes or counts[t.OPEN] < 0 or leaf < 0:
            return outcome
        self._travel = travel = self._with_passages()
        self.own[s.ASKED] = 1
        return int(travel())

    def _with_passages(self) -> Callable[[], int]:
        """The loop that knows passages."""
        self._hasty = self.contacts.decided < OFTEN
        made: Callable[[], int] = passage_code(self._hasty).bind(self.tables(), self.scene)
        return made

    @property
    def _asked(self) -> Statuses:
        """The statuses that a passage waits for."""
        return tuple((status >= CLOSED, status % CLOSED) for status in self.next.tolist())

    def _count_steps(self, steps: int) -> None:
        self.compiled.walk(steps)
