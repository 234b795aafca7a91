"""The Taylor loop of a structure whose contacts make structures of their own, with passages between them.

One flow serves all statuses; which of them there are is a number of the tables. Passages that `_passage` decides are
taken without leaving machine code, and named when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, overload

import numpy as np

from sistel.automaton import CONTACT, OPEN, Exit, Layout, Status
from sistel.kernels import user_cache
from sistel.kernels.subset import CompiledFunction, compile_functions
from sistel.once import once
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._outcome import Outcome
from sistel.simulation.contact import _passage
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._compiled import CompiledContacts
from sistel.simulation.contact._trials import CLOSED, OPTIONS, Problem
from sistel.simulation.run._chunks import Chunk, Passage
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._driver import Room, TaylorDriver

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import ModeEquations
    from sistel.simulation.contact._contacts import Contacts
    from sistel.simulation.contact._equations import Overlay

MOST_STANDS: Final = 512
"""Statuses of all elements that machine code knows; beyond them Python decides."""
MOST_ELEMENTS: Final = 20
"""Elements up to which it does: beyond them there are too many combinations, and Python decides."""


@once
def passage_code() -> CompiledFunction:
    """The compiled loop with passages: one for all models."""
    return compile_functions(list(_passage.FUNCTIONS), exports=["travel"], cache=user_cache(), quick=True).travel


class ContactPassages(Sequence[Passage]):
    """What events of contacts were, by their marks in the log."""

    def __init__(
        self, layout: Layout, stands: Sequence[tuple[Status, ...]], names: Sequence[str], alone: Sequence[Passage]
    ) -> None:
        """Of a structure of the file.

        Args:
            layout: Of its elements.
            stands: Statuses, which marks have as numbers; more may come.
            names: Of the structures that they make.
            alone: Passages of elements that strike alone, where all are open, by their exits.
        """
        self._layout, self._stands, self._names = layout, stands, names
        self.alone = alone

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
        made: Callable[[], int] = passage_code().bind(self._tables(), self.scene)
        return made

    @property
    def _overlay(self) -> Overlay:
        return self.compiled.own

    def _scene(self) -> s.Scene:
        """Tables of the elements, and room."""
        compiled, contacts = self.compiled, self.contacts
        overlay, layout, model = compiled.own, compiled.own.mode.layout, contacts.model
        k, sides, nv, modes = len(layout.elements), contacts.tangents, model.nv, compiled.modes
        r, n = k * (1 + sides), max(k * (1 + sides), layout.count, nv)
        whole = lambda count: np.zeros(max(1, count), dtype=np.int64)  # noqa: E731
        real = lambda count: np.zeros(max(1, count))  # noqa: E731
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
            )
            for _ in range(2)
        ]
        problem = Problem(
            sides=sides,
            G=real(r * r),
            b=real(n),
            friction=real(k),
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
        counts, numbers = whole(s.COUNTS), real(s.NUMBERS)
        numbers[s.MOMENT] = math.nan
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
                element.pressed,
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
        parts = layout.size
        scene = s.Scene(
            counts=counts,
            numbers=numbers,
            elements=elements,
            laws=laws,
            leaves=leaves,
            places=contacts.places.astype(np.int64),
            groups=groups,
            stands=whole(MOST_STANDS * (k + s.STAND)),
            numbers_of=real(MOST_STANDS * parts),
            speeds=contacts.speeds,
            strikes=contacts.struck,
            data=data[0],
            here=data[1],
            problem=problem,
            y=real(self.size),
            p=real(compiled.taylor.parameters),
            last=real(parts),
            live=self.live,
            later=real(self.size),
            start=real(self.size),
            total=real(r),
            u=real(r),
            x=real(r),
            given=real(r),
            b=real(r),
            pressed=real(k),
            free=real(nv),
            rates=real(model.nq),
            rows=whole(r),
            kept_x=real(r),
            kept_w=real(r),
            kept_ways=real(2 * k),
            kept_statuses=whole(k),
            swept=real(2 * r),
            slipping=real(2 * k),
            ways=real(2 * k),
            statuses=whole(k),
            next=whole(k),
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
            active=whole(layout.count),
        )
        counts[s.ELEMENTS], counts[s.SIDES], counts[s.RATES], counts[s.FIRST_RATE] = k, sides, nv, model.nq
        counts[s.ROWS], counts[s.WRITTEN], counts[s.LEAVES] = layout.count, first, len(layout.leaves)
        counts[s.FIRST_WATCHED], counts[s.SURFACES], counts[s.PARTS] = overlay.mode.first_leaf, contacts.surfaces, parts
        counts[s.SHARE] = layout.places.get(("share", 0, 0), -1)
        counts[s.LOOK] = self._held_address(overlay.native_data)
        for place, each in zip((s.LOOK_ARGUMENTS, s.HERE_ARGUMENTS), data, strict=True):
            blocks = [getattr(each, name).ctypes.data for name, _ in overlay.mode.data.outputs]
            counts[place] = self._table(overlay.mode.data, blocks, {"y": scene.y.ctypes.data})
        counts[s.MOVE] = self._held_address(overlay.native_rates)
        counts[s.MOVE_ARGUMENTS] = self._table(
            overlay.rates, [scene.rates.ctypes.data], {"y": scene.y.ctypes.data}
        )
        (_, at) = self._held or (None, 0)
        counts[s.HELD] = at
        behind = self.results.ctypes.data + 8 * (at + layout.count)
        if overlay.mode.anchor_count:
            counts[s.BASE] = self._held_address(overlay.native_base_anchored)
            counts[s.BASE_ARGUMENTS] = self._table(overlay.base_anchors, [behind], {})
            behind += 8 * overlay.mode.anchor_count
        if overlay.mode.found_count:
            counts[s.FIND] = self._held_address(overlay.native_anchored)
            counts[s.FIND_ARGUMENTS] = self._table(overlay.mode.found, [behind], {})
        if modes.switches:
            counts[s.CHOOSE] = self._held_address(overlay.native_modes)
            known = {"y": scene.y.ctypes.data, "p": scene.p.ctypes.data}
            target = scene.p.ctypes.data + 8 * modes.first
            counts[s.CHOOSE_ARGUMENTS] = self._table(modes.initial, [target], known)
        return scene

    def _learn(self, statuses: tuple[Status, ...]) -> int:
        """Let machine code know statuses of all elements; their number."""
        overlay, scene, layout = self._overlay, self.scene, self._overlay.mode.layout
        if statuses not in overlay.stands:
            overlay.stands.append(statuses)
            overlay.stand_names.append(self.contacts.structure_of(overlay, statuses).name)
        stand, k, parts = overlay.stands.index(statuses), len(layout.elements), layout.size
        row = scene.stands[stand * (k + s.STAND) : (stand + 1) * (k + s.STAND)]
        row[:k] = [CLOSED * closed + grip for closed, grip in statuses]
        row[k] = overlay.stand_names.index(overlay.stand_names[stand])
        row[k + 1] = all(status == OPEN for status in statuses)
        share, ways = np.eye(layout.count), np.zeros((k, 2))
        numbers = layout.numbers(statuses, layout.active(statuses), share, ways)
        scene.numbers_of[stand * parts : (stand + 1) * parts] = numbers
        scene.counts[s.KNOWN] = max(int(scene.counts[s.KNOWN]), stand + 1)
        return stand

    def _make_room(self) -> None:
        """Forget what machine code knows, where there is no room for more. What was recorded keeps the old lists."""
        overlay = self._overlay
        if len(overlay.stands) < MOST_STANDS:
            return
        overlay.stands, overlay.stand_names = [], []
        self._name()
        self.scene.counts[s.KNOWN] = 0
        self.scene.counts[s.NOW] = self._learn(self.compiled.statuses)

    def _name(self) -> None:
        """Give events and steps from now on the names of what is known."""
        overlay = self._overlay
        self.names = overlay.stand_names
        self.passages = ContactPassages(overlay.mode.layout, overlay.stands, overlay.stand_names, self._alone)

    # --- statuses ----------------------------------------------------------------------------------------------------

    def adopt(self, compiled: CompiledContacts) -> None:
        """Go on with statuses that Python has decided on."""
        self.compiled = compiled
        self._make_room()
        self.scene.counts[s.NOW] = self._learn(compiled.statuses)
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
        return self.names[int(self.scene.counts[s.NOW])]

    @property
    def leaving(self) -> tuple[CompiledStructure, Exit]:
        """The exit that is being taken."""
        return self.compiled, self.compiled.equations.exits[int(self.counts[t.LEAVING])]

    # --- going -------------------------------------------------------------------------------------------------------

    @property
    def instant(self) -> tuple[float, int]:
        """Time of the last passage [s], and how many there were at that instant."""
        return float(self.scene.numbers[s.MOMENT]), int(self.scene.counts[s.AT_ONCE])

    @property
    def alone(self) -> Array:
        """What strikes of elements alone were, since the last passage: rows of the log."""
        count, last = int(self.scene.counts[s.SINCE]), int(self.counts[t.EVENTS])
        log = self.room.log[: last * self.log_width].reshape(last, self.log_width)
        return np.asarray(log[last - count :])

    def forget(self) -> None:
        """Know nothing of a run before."""
        self.scene.counts[[s.SINCE, s.ASKED]] = self.counts[t.EVENTS] = 0

    def prepare(self, instant: tuple[float, int], passes: bool) -> None:
        """Say what a run knows.

        Args:
            instant: Time of the last passage [s], and how many there were at that instant.
            passes: Whether machine code may decide passages.
        """
        scene, contacts = self.scene, self.contacts
        scene.numbers[s.MOMENT], scene.counts[s.AT_ONCE] = instant
        few = len(contacts.elements) <= MOST_ELEMENTS and contacts.engine.hoisted is None
        scene.counts[s.OPEN_WAYS] = passes and few and contacts.quick
        scene.counts[s.TOLD] = any(warning.code == "shared-loads" for warning in contacts.warnings)

    def go(self, walked: int = 0) -> tuple[Outcome, Chunk]:
        """Move on until something has to be decided in Python; the reason, and what happened on the way."""
        contacts, scene = self.contacts, self.scene
        scene.numbers[s.FASTEST] = contacts.fastest
        scene.counts[s.DECIDED] = 0
        found = super().go(walked)
        if scene.counts[s.DECIDED]:
            contacts.fastest = float(scene.numbers[s.FASTEST])
            contacts.decided += int(scene.counts[s.DECIDED])
            statuses = self._overlay.stands[int(scene.counts[s.NOW])]
            given = self.parameters[: len(self.compiled.given)].copy()  # type: ignore[arg-type]
            contacts.current = contacts.standing(self._overlay, statuses, given)
            self._stand(contacts.current)
        return found

    def _run(self) -> Outcome:
        """Go on; where a passage leads to statuses that were not met before, learn them and let it go on."""
        scene = self.scene
        if scene.counts[s.ASKED]:
            self._make_room()
            self._learn(self._asked)
        outcome = super()._run()
        while scene.counts[s.ASKED]:
            if len(self._overlay.stands) >= MOST_STANDS:
                scene.counts[[s.SINCE, s.WAITING]] = 0
                return Outcome.EVENTS_FULL  # what there is has to be written down with its names first
            self._learn(self._asked)
            outcome = super()._run()
        return outcome

    @property
    def _asked(self) -> tuple[Status, ...]:
        """The statuses that a passage waits for."""
        return tuple((status >= CLOSED, status % CLOSED) for status in self.scene.next.tolist())

    def _count_steps(self, steps: int) -> None:
        self.compiled.walk(steps)
