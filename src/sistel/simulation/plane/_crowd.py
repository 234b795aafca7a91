"""Runs of many free bodies whose shapes touch in the plane: tables in, steps and events out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.automaton import TOUCHING, Element
from sistel.errors import SistelError, Text
from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunctions, Floats, Ints, compile_functions
from sistel.once import once
from sistel.simulation._failures import fail, too_long
from sistel.simulation.contact._overlaps import PlanarShapes, refuse_overlaps
from sistel.simulation.plane import _loop
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._bodies import sides_of, suits, world_of
from sistel.simulation.plane._frames import frames_of, from_world, to_world
from sistel.simulation.plane._impacts import DULL_IN_CROWDS, DULL_IN_HEAPS
from sistel.simulation.plane._laws import CROWDED
from sistel.simulation.plane._mosaic import Crew, Mosaic, Written
from sistel.simulation.run._chunks import Chunk, Events
from sistel.simulation.run._run import Run, RunError, Segment

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.model import Contact, Model
    from sistel.simulation.run._warnings import Warnings

FEW: Final = 20
"""Contacts up to which equations of their own are written for a system."""
HEAPED: Final = 3
"""Contacts of circles with circles from which on they may be wedged, whatever touches besides: the loop knows how."""
MANY_SIDES: Final = 40
"""Up to so many sides and circles they are: equations look at all of them in every step, the loop at near ones."""
DEEP: Final = 1e-6
"""How far shapes in each other show that an impact was missed [m]."""


@once
def code() -> CompiledFunctions:
    """The loop, one for all models."""
    return compile_functions(list(_loop.FUNCTIONS), exports=["travel", "start", "went_through"], cache=USER, quick=True)


def _real(table: Floats) -> Array:
    """A table as the array that it is."""
    return np.asarray(table)


def _whole(table: Ints) -> Whole:
    """The same of whole numbers."""
    return np.asarray(table)


class Crowd(ABC):
    """A system of free bodies whose shapes touch, in the plane or in space."""

    blow: int
    """Numbers of a row of blows."""
    kept: int
    """Series of a body that are written down."""

    def __init__(self, model: Model, elements: Sequence[Element], world: t.World) -> None:
        """Take the tables; a run fills them."""
        self.model, self.elements, self.world = model, elements, world
        self.shapes = PlanarShapes(model) if model.planar else None
        self.parts: dict[int, str] = {}
        """What the name of the structure says now, by element."""
        self.crew = Crew(
            elements=elements,
            planar=model.planar,
            bodies=len(model.bodies),
            places=model.nq // len(model.bodies),
            rates=model.nv // len(model.bodies),
            kept=self.kept,
            load=self.load,
            frames=frames_of(model),
        )

    def begin(self, y: Array, until: float, longest: float, keep: bool) -> None:
        """Stand at the beginning of a run."""
        world = self.world
        for table in (world.status, world.touched, world.asleep, world.member, world.before):
            _whole(table)[:] = 0
        _real(world.muted)[:] = _real(world.turned)[:] = _real(world.gone)[:] = -math.inf
        _real(world.fuss_since)[:] = _real(world.calm_until)[:] = -math.inf
        _real(world.calm_for)[:] = _real(world.loads)[:] = 0.0
        world.counts[t.LOOSE] = 0
        world.numbers[t.LOOSEST] = 0.0
        for times in (world.born, world.shown, world.until):
            _real(times)[:] = y[-1]
        for none in (world.next_at, world.end_at):
            _real(none)[:] = math.inf
        self.parts = {e: said for e in range(len(self.elements)) if (said := self.crew.said(e, 0))}
        self.put_state(y)
        counts, numbers = _whole(world.counts), _real(world.numbers)
        counts[[t.AT_ONCE, t.CLOSED_COUNT, t.ALL_STEPS, t.MEMBERS, t.RENEWED, t.BEFORE]] = 0
        counts[[t.DULL_COUNT, t.QUIETED, t.STALLED, t.HELD_ALL, t.WEDGED]] = 0
        counts[t.RECORD], counts[t.DEGREE] = keep, counts[t.ORDER]
        numbers[[t.TIME, t.UNTIL, t.LONGEST, t.LAST, t.FASTEST]] = y[-1], until, longest, -math.inf, 0.0
        numbers[[t.NEARLY, t.LONGEST_CALM, t.LONGEST_HOLD]] = TOUCHING, 0.0, 0.0
        self._empty()

    def _empty(self) -> None:
        _whole(self.world.counts)[[t.STEPS, t.WRITTEN, t.PIECES, t.EVENTS, t.CHANGES, t.BLOWS]] = 0

    @property
    def name(self) -> str:
        """Of the structure now."""
        return ", ".join(self.parts[e] for e in sorted(self.parts)) or "open"

    @abstractmethod
    def code(self) -> CompiledFunctions:
        """The loop: `start` and `travel`."""

    @abstractmethod
    def put_state(self, y: Array) -> None:
        """Put bodies where a state (q, v, t) has them."""

    @abstractmethod
    def state(self) -> Array:
        """(q, v, t) now."""

    @abstractmethod
    def load(self, blow: Sequence[float]) -> Array:
        """The impulse of a contact as a run has it: moments and forces."""

    def deepest(self) -> tuple[float, str, str, Contact] | None:
        """Two shapes that lie in each other by more than `DEEP`: the depth, their names, their contact."""
        found = int(self.code().went_through(self.world, DEEP))
        if found < 0:
            return None
        contact = self.elements[int(self.world.kinds[t.KINDS * found + t.OWNER])].contact
        assert contact is not None
        return -float(self.world.more[0]), contact.point, contact.pair.to if contact.pair else contact.name, contact

    def collect(self) -> Mosaic:
        """What the loop has written down since the last time: the motion and the events."""
        world, counts = self.world, self.world.counts
        pieces, steps = int(counts[t.PIECES]), int(counts[t.STEPS])
        written = Written(
            pieces=_whole(world.pieces)[: t.PIECE * pieces].reshape(-1, t.PIECE).copy(),
            spans=_real(world.spans)[: 2 * pieces].reshape(-1, 2).copy(),
            coefficients=_real(world.coefficients)[: int(counts[t.WRITTEN])].copy(),
            times=_real(world.times)[: 2 * steps].reshape(-1, 2).copy(),
            log=_real(world.log).reshape(-1, t.LOG)[: int(counts[t.EVENTS])].copy(),
            changes=_whole(world.changes).reshape(-1, 2)[: int(counts[t.CHANGES])].copy(),
            blows=_real(world.blows).reshape(-1, self.blow)[: int(counts[t.BLOWS])].copy(),
        )
        self._empty()
        made = Mosaic(self.crew, written, self.parts)
        self.parts = dict(made.parts_after(len(made.log)))
        return made

    def _guard(self) -> None:
        """Refuse to go on where one shape has gone into another."""
        found = self.deepest()
        if found is not None:
            depth, one, two, contact = found
            time = float(self.world.numbers[t.TIME])
            fail(
                "went-through",
                Text(
                    f'"{one}" has gone into "{two}", by {depth:.3g} m, and no impact was found; seen at {time:.9g} s',
                    f"«{one}» вошёл в «{two}», на {depth:.3g} м, а удара не нашлось; замечено в момент {time:.9g} с",
                ),
                contact.span,
            )

    @abstractmethod
    def left_out(self, speed: float) -> Text:
        """What was too slow to be followed, the fastest of it with this speed [m/s]."""

    def _note_slow(self, warnings: Warnings) -> None:
        """Say once that hops or slips were left out."""
        if self.world.counts[t.DULL_COUNT]:
            numbers = self.world.numbers
            text = self.left_out(float(numbers[t.DULLEST]))
            warnings.add("slow-contacts", float(numbers[t.FIRST_DULL]), text, same="slow-contacts")

        if self.world.counts[t.QUIETED]:
            times, longest = int(self.world.counts[t.QUIETED]), float(self.world.numbers[t.LONGEST_CALM])
            text = Text(
                f"contacts that share what they carry changed back and forth without an impact; {times} times "
                f"they were left as they were, up to {longest:g} s",
                f"контакты, которые делят нагрузку, сменяли состояния туда и обратно без удара; их оставляли как есть "
                f"{times} раз, до {longest:g} с",
            )
            warnings.add("held-contacts", float(self.world.numbers[t.FIRST_CALM]), text, same="held-contacts")
        for text in self.notes():
            warnings.add("rough-contacts", float(self.world.numbers[t.TIME]), text, same="rough-contacts")

    def notes(self) -> Sequence[Text]:
        """What else was less exact than the laws of contacts ask for, a sentence each."""
        return ()

    def why(self, answer: int) -> NoReturn:
        """Say why the motion cannot go on."""
        counts, time = self.world.counts, float(self.world.numbers[t.TIME])
        element = self.elements[min(max(0, int(counts[t.CULPRIT])), len(self.elements) - 1)]
        texts = {
            t.NO_SOLUTION: (
                "no-solution",
                Text("no forces of contacts keep all laws", "никакие силы контактов не удовлетворяют всем законам"),
            ),
            t.NO_IMPACT: (
                "no-solution",
                Text("no impulses of contacts keep all laws", "никакие импульсы контактов не удовлетворяют законам"),
            ),
            t.CHATTERS: (
                "chattering",
                Text("what contacts do changes without end", "то, что делают контакты, сменяется без конца"),
            ),
            t.TOO_MANY: ("many-contacts", Text("too many contacts touch at once", "касается сразу слишком много")),
        }
        code_, text = texts.get(answer, ("lost", Text("the motion has no finite values", "движение теряет смысл")))
        fail(
            code_,
            Text(
                f'{text.en}; at "{element.label}", {time:.9g} s',
                f"{text.ru}; у «{element.label}», {time:.9g} с",
            ),
            element.span,
        )

    def run(
        self,
        y: Array,
        until: float,
        longest: float,
        progress: Callable[[float, str], None] | None,
        keep: bool,
        memory: float,
        warnings: Warnings,
    ) -> Run:
        """Simulate from a state to a time; see `Simulation.run`."""
        refuse_overlaps(self.model, y[: self.model.nq].tolist(), self.shapes)
        self.begin(y, until, longest, keep)
        segments: list[Segment | Chunk | Mosaic] = []
        events = Events()
        kept, stopped = 0, None
        try:
            answer = self.code().start(self.world)
            first = self.collect()
            for event in (first.event(i) for i in range(len(first.log))):
                if event.impulses:
                    events.append(event)
            while answer in (t.END, t.FULL) and self.world.numbers[t.TIME] < until:
                answer = self.code().travel(self.world)
                more = self.collect()
                segments.append(more)
                events.add(more)
                kept += more.nbytes
                self._guard()
                if progress is not None:
                    progress(float(self.world.numbers[t.TIME]), self.name)
                if kept > memory:
                    too_long(memory, sum(len(s.times) for s in segments), len(events), self.state()[-1], self.name)
            self._note_slow(warnings)
            if answer not in (t.END, t.FULL):
                self.why(answer)
        except KeyboardInterrupt:
            time = self.state()[-1]
            stopped = Text(f"interrupted at {time:g} s", f"прервано в момент {time:g} с")
        except SistelError as problem:
            part = Run(self.model, segments, events, self.state(), Text("failed", "отказ"), warnings=warnings)
            raise RunError(problem.diagnostics, part) from None
        return Run(self.model, segments, events, self.state(), stopped, warnings=warnings)


class PlanarCrowd(Crowd):
    """Free bodies whose shapes touch in the plane."""

    blow = t.BLOW
    kept = 3

    def code(self) -> CompiledFunctions:
        """The loop: `start` and `travel`."""
        return code()

    def put_state(self, y: Array) -> None:
        """Put bodies where a state (q, v, t) has them."""
        world, n = self.world, len(self.model.bodies)
        q, v = to_world(self.crew.frames, y[: 3 * n].reshape(n, 3), y[3 * n : 6 * n].reshape(n, 3))
        com = _real(world.bodies).reshape(-1, t.BODY)[1:, [t.COM_X, t.COM_Y]]
        c, s = np.cos(q[:, 2]), np.sin(q[:, 2])
        arms = np.stack([c * com[:, 0] - s * com[:, 1], s * com[:, 0] + c * com[:, 1]], axis=1)
        place, rate = _real(world.place).reshape(-1, 3), _real(world.rate).reshape(-1, 3)
        place[1:], rate[1:] = q, v
        place[1:, :2] += arms
        rate[1:, :2] += v[:, 2:] * np.stack([-arms[:, 1], arms[:, 0]], axis=1)

    def state(self) -> Array:
        """(q, v, t) now."""
        world, n = self.world, len(self.model.bodies)
        com = _real(world.bodies).reshape(-1, t.BODY)[1:, [t.COM_X, t.COM_Y]]
        q, v = (_real(each).reshape(-1, 3)[1:].copy() for each in (world.place, world.rate))
        c, s = np.cos(q[:, 2]), np.sin(q[:, 2])
        arms = np.stack([c * com[:, 0] - s * com[:, 1], s * com[:, 0] + c * com[:, 1]], axis=1)
        q[:, :2] -= arms
        v[:, :2] -= v[:, 2:] * np.stack([-arms[:, 1], arms[:, 0]], axis=1)
        from_world(self.crew.frames, q, v)
        return np.concatenate([q.reshape(3 * n), v.reshape(3 * n), _real(world.numbers)[t.TIME : t.TIME + 1]])

    def left_out(self, speed: float) -> Text:
        """What was too slow to be followed, the fastest of it with this speed [m/s]."""
        return Text(
            f"hops in heaps that begin slower than {DULL_IN_HEAPS:g} m/s, or {DULL_IN_CROWDS:g} m/s where more than "
            f"{CROWDED} contacts of circles take part, are left out, here up to {speed:.3g} m/s",
            f"подскоки в грудах, которые начинаются медленнее {DULL_IN_HEAPS:g} м/с, а где участвует больше {CROWDED} "
            f"контактов кругов, {DULL_IN_CROWDS:g} м/с, опущены, здесь до {speed:.3g} м/с",
        )

    def notes(self) -> Sequence[Text]:
        """What else was less exact than the laws of contacts ask for, a sentence each."""
        counts = self.world.counts
        times, off, held = int(counts[t.LOOSE]), float(self.world.numbers[t.LOOSEST]), int(counts[t.HELD_ALL])
        wedged = int(counts[t.WEDGED])
        english, russian = [], []
        if held:
            longest = float(self.world.numbers[t.LONGEST_HOLD])
            english.append(
                f"{held} times no forces or impulses were found that keep all laws, and all contacts that press "
                f"stopped, or held for a moment, up to {longest:g} s, without friction where they slid"
            )
            russian.append(
                f"{held} раз не нашлось сил или импульсов, удовлетворяющих всем законам, и все сжатые контакты "
                f"остановились или недолго, до {longest:g} с, держали, скользящие без трения"
            )
        if wedged:
            english.append(f"{wedged} impacts of what is wedged had no rebound, for with one no impulses keep all laws")
            russian.append(f"ударов без отскока у зажатых тел, где с отскоком законы невыполнимы: {wedged}")
        if times:
            english.append(f"forces or impulses keep their laws only to a part of {off:.0e} ({times} times)")
            russian.append(
                f"силы или импульсы удовлетворяют законам лишь с относительной погрешностью {off:.0e} ({times} раз)"
            )
        if not english:
            return ()
        return [Text("many contacts at once: " + "; ".join(english), "много контактов сразу: " + "; ".join(russian))]

    def load(self, blow: Sequence[float]) -> Array:
        """The impulse of a contact as a run has it: moments and forces."""
        _, normal, tangent, nx, ny = blow[:5]
        return np.array([0.0, 0.0, 0.0, nx * normal - ny * tangent, ny * normal + nx * tangent, 0.0])


def is_many(elements: Sequence[Element], few: int = FEW) -> bool:
    """Whether there are so many contacts, or sides, that the loop of many bodies computes them instead of equations."""
    return len(elements) > few or sides_of(elements) > MANY_SIDES or _heaped(elements)


def _heaped(elements: Sequence[Element]) -> bool:
    """Whether several circles of the plane touch each other."""
    contacts = [e.contact for e in elements if e.contact is not None and e.contact.outline is not None]
    return sum(c.round is not None and c.body != 0 and c.on != 0 for c in contacts) >= HEAPED


def crowd_of(model: Model, elements: Sequence[Element], order: int, tolerance: float, few: int = FEW) -> Crowd | None:
    """What simulates a system of many contacts between free bodies in the plane; None for others."""
    if not is_many(elements, few) or not suits(model, elements):
        return None
    return PlanarCrowd(model, elements, world_of(model, elements, order, tolerance))
