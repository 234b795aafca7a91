"""What the loop for many bodies wrote down: pieces of motion and events, laid together when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import Element, part_name
from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunctions, Floats, Ints, compile_functions, shift
from sistel.once import once
from sistel.records import record
from sistel.simulation.plane import tables as t
from sistel.simulation.plane._equations import CLOSED
from sistel.simulation.plane._frames import Frame, from_world
from sistel.simulation.plane._lives import move_on
from sistel.simulation.run._run import Event, Segment

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole

TOGETHER: Final = 2.0**24
"""Numbers that steps which are laid together take [bytes]."""
WORDS: Final = {
    t.STRIKES: "strikes",
    t.LETS_GO: "lets go",
    t.SLIPS: "slips",
    t.STOPS: "stops sliding",
    t.SLIDES_OFF: "lets go",
}


@record
class Written:
    """What the loop has written down since the last time, as tables."""

    pieces: Whole
    """Body, degree and place of every piece, shape (pieces, 3)."""
    spans: Array
    """Its beginning and end, shape (pieces, 2) [s]."""
    coefficients: Array
    times: Array
    """Beginning and length of every step, shape (steps, 2) [s]."""
    log: Array
    changes: Whole
    blows: Array


@record
class Crew:
    """Whose motion it is: the bodies, and the contacts that events are named after."""

    elements: Sequence[Element]
    planar: bool
    bodies: int
    places: int
    """Coordinates of a body."""
    rates: int
    """Its velocities."""
    kept: int
    """Series of a body that are written down: coordinates, and velocities where these are not their derivatives."""
    load: Callable[[Sequence[float]], Array]
    """The impulse of a contact, from a row of blows."""
    frames: Sequence[Frame]
    """Of bodies whose coordinates do not begin at the origin of the world."""

    def said(self, e: int, status: int) -> str:
        """What the name of the structure says of an element, empty for nothing."""
        return part_name(self.elements[e], (status >= CLOSED, status % CLOSED), self.planar)


def lay(
    order: Ints,
    begins: Ints,
    pieces: Ints,
    spans: Floats,
    coefficients: Floats,
    times: Floats,
    steps: int,
    sizes: Ints,
    out: Floats,
) -> None:
    """Lay pieces of all bodies together, as polynomials of the time since the beginning of every step.

    Args:
        order: Pieces by body, then by time.
        begins: Of every body: which of these the first step may belong to.
        pieces: See `Written`.
        spans: See `Written`.
        coefficients: See `Written`.
        times: Of the steps.
        steps: How many.
        sizes: Bodies; coordinates, velocities and series of one; numbers of a polynomial.
        out: The polynomials: those of all coordinates, of all velocities, and of the time.
    """
    n = sizes[0]
    places = sizes[1]
    rates = sizes[2]
    kept = sizes[3]
    wide = sizes[4]
    rows = (places + rates) * n + 1
    for body in range(n):
        at = begins[body]
        for step in range(steps):
            while spans[2 * order[at] + 1] <= times[2 * step]:
                at += 1
            piece = shift(pieces, t.PIECE * order[at])
            degree = piece[t.P_DEGREE]
            later = times[2 * step] - spans[2 * order[at]]
            for row in range(kept):
                place = places * body + row if row < places else places * n + rates * body + row - places
                own = shift(out, (step * rows + place) * wide)
                for k in range(degree + 1):
                    own[k] = coefficients[piece[t.P_AT] + row * (degree + 1) + k]
                move_on(own, degree, later)
                if kept == places:
                    fast = shift(out, (step * rows + places * n + rates * body + row) * wide)
                    for k in range(degree):
                        fast[k] = float(k + 1) * own[k + 1]
    for step in range(steps):
        out[(step * rows + rows - 1) * wide] = times[2 * step]
        out[(step * rows + rows - 1) * wide + 1] = 1.0


@once
def code() -> CompiledFunctions:
    """What lays pieces together."""
    return compile_functions([move_on, lay], exports=["lay"], cache=USER, quick=False)


class Tile(Segment):
    """Steps of all bodies within one structure, whose polynomials are laid together when they are asked for."""

    __slots__ = ("_event", "_first", "_mosaic")

    def __init__(self, mosaic: Mosaic, event: int, first: int, last: int) -> None:
        """Steps of a mosaic, after so many events."""
        put = object.__setattr__
        put(self, "_mosaic", mosaic)
        put(self, "_event", event)
        put(self, "_first", first)
        put(self, "times", mosaic.times[first:last])

    @property
    def structure(self) -> str:
        """Its name."""
        return self._mosaic.name_after(self._event)  # type: ignore[no-any-return, attr-defined]

    @property
    def coefficients(self) -> Array:
        """Shape (steps, nq + nv + 1, order + 1)."""
        return self._mosaic.laid(self._first, self._first + len(self.times))  # type: ignore[no-any-return, attr-defined]


class Passed(Event):
    """An event whose structures are named when they are asked for."""

    __slots__ = ("_index", "_mosaic")

    def __init__(self, mosaic: Mosaic, index: int) -> None:
        """One of the events of a mosaic."""
        put = object.__setattr__
        note, impulses = mosaic.log[index], mosaic.impulses(index)
        put(self, "_mosaic", mosaic)
        put(self, "_index", index)
        for name, value in (
            ("time", float(note[0])),
            ("energy_loss", float(note[1])),
            ("impulses", impulses),
            ("transition", mosaic.transition(index, impulses)),
        ):
            put(self, name, value)

    @property
    def before(self) -> str:
        """Name of the structure that it left."""
        return self._mosaic.name_after(self._index)  # type: ignore[no-any-return, attr-defined]

    @property
    def after(self) -> str:
        """Name of the structure that it made."""
        return self._mosaic.name_after(self._index + 1)  # type: ignore[no-any-return, attr-defined]


class Mosaic:
    """Steps and events of many bodies, one after another."""

    def __init__(self, crew: Crew, written: Written, parts: Mapping[int, str]) -> None:
        """Take what was written.

        Args:
            crew: Whose it is.
            written: What was written.
            parts: What the name of the structure says at the beginning, by element.
        """
        self.crew, self.times, self.log = crew, written.times, written.log
        self._written = written
        self._parts = dict(parts)
        self._now, self._at = dict(parts), 0
        """The same after so many events: they are mostly asked for in their order."""
        pieces = written.pieces
        self._order = np.lexsort((written.spans[:, 0], pieces[:, t.P_BODY])) if len(pieces) else np.zeros(0, np.int64)
        self._starts = np.searchsorted(pieces[self._order, t.P_BODY], np.arange(1, crew.bodies + 2))
        self._block: tuple[int, int, Array] | None = None

    @property
    def marks(self) -> Whole:
        """Of every event: its number, and how many steps came before."""
        return np.stack([np.arange(len(self.log)), self.log[:, 6].astype(np.int64)], axis=1)

    @property
    def nbytes(self) -> int:
        """What it takes [bytes]."""
        own = self._written
        tables = (own.pieces, own.spans, own.coefficients, own.times, own.log, own.changes, own.blows)
        return sum(table.nbytes for table in tables) + self._order.nbytes

    def event(self, index: int) -> Event:
        """One of the events."""
        return Passed(self, index)

    @property
    def passages(self) -> Sequence[Event]:
        """All events, as what they passed through."""
        return [self.event(index) for index in range(len(self.log))]

    def segments(self) -> list[Segment]:
        """The steps, a segment for every stay."""
        steps = len(self.times)
        passed = self.log[:, 6].astype(np.int64)
        cuts = [0, *sorted({int(at) for at in passed if 0 < at < steps}), steps]
        counts = np.searchsorted(passed, cuts, side="right")
        return [Tile(self, int(counts[i]), *cut) for i, cut in enumerate(pairwise(cuts)) if cut[0] < cut[1]]

    # --- names -------------------------------------------------------------------------------------------------------

    def _turn(self, first: int, last: int, into: dict[int, str]) -> None:
        """Let names say what events change."""
        begin = int(self.log[first - 1, 4]) if first > 0 else 0
        for e, status in self._written.changes[begin : int(self.log[last - 1, 4])].tolist():
            into.pop(e, None)
            said = self.crew.said(e, status)
            if said:
                into[e] = said

    def parts_after(self, events: int) -> dict[int, str]:
        """What the name of the structure says after so many events, by element."""
        if events < self._at:
            self._now, self._at = dict(self._parts), 0
        if events > self._at:
            self._turn(self._at, events, self._now)
            self._at = events
        return self._now

    def name_after(self, events: int) -> str:
        """The name of the structure after so many events."""
        parts = self.parts_after(events)
        return ", ".join(parts[e] for e in sorted(parts)) or "open"

    def impulses(self, index: int) -> dict[str, Array]:
        """The impulses of an event, by the labels of contacts."""
        begin = int(self.log[index - 1, 5]) if index > 0 else 0
        found: dict[str, Array] = {}
        for blow in self._written.blows[begin : int(self.log[index, 5])].tolist():
            label = self.crew.elements[int(blow[0])].label
            load = self.crew.load(blow)
            found[label] = found[label] + load if label in found else load
        return found

    def transition(self, index: int, impulses: Mapping[str, Array]) -> str:
        """The name of a transition."""
        what, whose = int(self.log[index, 2]), int(self.log[index, 3])
        label = self.crew.elements[whose].label if whose >= 0 else next(iter(impulses), "")
        if what == t.GOES_AROUND:
            what = t.SLIPS if whose in self.parts_after(index + 1) else t.LETS_GO
        word = "strikes" if impulses else WORDS[what]
        return f"{label} {word}" if label else ""

    # --- polynomials -------------------------------------------------------------------------------------------------

    def laid(self, first: int, last: int) -> Array:
        """The polynomials of some steps, shape (steps, nq + nv + 1, order + 1)."""
        block = self._block
        if block is None or first < block[0] or last > block[1]:
            block = self._block = self._lay(first, last)
        return block[2][first - block[0] : last - block[0]]

    def _lay(self, first: int, last: int) -> tuple[int, int, Array]:
        """Lay steps together, and as many after them as are cheap to keep."""
        crew, own = self.crew, self._written
        rows = (crew.places + crew.rates) * crew.bodies + 1
        wide = int(own.pieces[:, t.P_DEGREE].max(initial=1)) + 1
        last = min(len(self.times), max(last, first + int(TOGETHER / (8 * rows * wide))))
        begin = self.times[first, 0]
        ends = own.spans[self._order, 1]
        begins = [
            low + int(np.searchsorted(ends[low:high], begin, side="right")) for low, high in pairwise(self._starts)
        ]
        sizes = np.array([crew.bodies, crew.places, crew.rates, crew.kept, wide], dtype=np.int64)
        out = np.zeros((last - first, rows, wide))
        code().lay(
            self._order.astype(np.int64),
            np.array(begins, dtype=np.int64),
            own.pieces.ravel(),
            own.spans.ravel(),
            own.coefficients,
            np.ascontiguousarray(self.times[first:last]).ravel(),
            last - first,
            sizes,
            out.reshape(-1),
        )
        if crew.frames:
            cut = crew.places * crew.bodies
            q = out[:, :cut].reshape(-1, crew.bodies, crew.places, wide)
            v = out[:, cut:-1].reshape(-1, crew.bodies, crew.rates, wide)
            for step in range(len(out)):
                from_world(crew.frames, q[step], v[step])
        return first, last, out
