"""The tables of the Taylor loop for some structures, and what comes back from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.automaton import CROSSES, HOLDS, Exit
from sistel.expr import Program
from sistel.kernels import USER, Code, Native, assemble
from sistel.kernels.subset import CompiledFunction, compile_functions
from sistel.model import RELEASE, tick_name
from sistel.once import once
from sistel.simulation._compiled_structure import CompiledStructure, moving_numbers, radius_part, short_error
from sistel.simulation._outcome import Outcome
from sistel.simulation.run._chunks import Chunk, Passage
from sistel.simulation.run._held_steps import FEWEST, HeldSteps, as_array
from sistel.simulation.taylor import _loop
from sistel.simulation.taylor import steps as a
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._stages import STAGE_ROWS

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.kernels import Taylor
    from sistel.simulation.run._bookmark import Inside


STEPS = 1024
"""Steps that are taken at a time."""
EVENTS = 1024
LONG_STAY = 6000
"""Steps in a structure after which what better machine code saves soon pays for making it."""
_NO_MARKS, _NO_LOG = np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2))
_DIRECTIONS = {0: 0, 1: 1, 2: -1, 3: 0}
_SWITCHES = {
    "less": t.LESS,
    "less_equal": t.LESS,
    "equal": t.EQUAL,
    "not_zero": t.NOT_ZERO,
    "floor": t.FLOOR,
    "floor_above": t.FLOOR_ABOVE,
}

_TRAMPOLINES = """
define void @flow_at(i64 %f, ptr %y, ptr %p, ptr %t, ptr %s) {
  %g = inttoptr i64 %f to ptr
  call void %g(ptr %y, ptr %p, ptr %t, ptr %s)
  ret void
}
define void @kernel_at(i64 %f, i64 %b, i64 %e, i64 %a) {
  %g = inttoptr i64 %f to ptr
  %h = inttoptr i64 %a to ptr
  call void %g(i64 %b, i64 %e, ptr %h)
  ret void
}
"""


@once
def loop_code() -> CompiledFunction:
    """The compiled loop: one for all models."""
    return compile_functions(list(_loop.FUNCTIONS), exports=["propagate"], cache=USER, quick=True).propagate


@once
def callers() -> tuple[Native, Native]:
    """The two functions that call others by address: those of flows, and those of kernels."""
    helpers = Code(assemble(_TRAMPOLINES))
    return helpers.function("flow_at"), helpers.function("kernel_at")


class Room:
    """Memory that the drivers of one system overwrite in turn: fresh pages cost more than the steps of a short stay."""

    def __init__(self, size: int, rows: int, stride: int, scratch: int, width: int) -> None:
        """Make it.

        Args:
            size: Numbers of a state.
            rows: Of a table of coefficients.
            stride: Of such a table.
            scratch: Numbers that flows need.
            width: Numbers of an event in the log.
        """
        self.times, self.which = np.zeros(2 * STEPS), np.zeros(STEPS, dtype=np.int64)
        self.coefficients = np.zeros((STEPS * size + rows) * stride)
        self.scratch = np.zeros(max(1, scratch))
        self.log, self.marks = np.zeros(EVENTS * width), np.zeros(2 * EVENTS, dtype=np.int64)
        self.bounds = size, rows, stride, scratch, width

    def holds(self, size: int, rows: int, stride: int, scratch: int, width: int) -> bool:
        """Whether there is as much as is asked for."""
        asked = size, rows, stride, scratch, width
        return all(need <= there for need, there in zip(asked, self.bounds, strict=True))


class TaylorDriver:
    """The Taylor loop on compiled structures that lead to each other: its tables, and calls of it."""

    writes_apart = True
    """Whether steps may write what is held apart from what moves."""

    def __init__(
        self,
        compiled_structures: Sequence[CompiledStructure],
        names: Sequence[str],
        order: int,
        weights: Array | None = None,
        room: Room | None = None,
    ) -> None:
        """Make the tables.

        Args:
            compiled_structures: The structures through which the loop can go: those that are compiled.
            names: All structures of the system: their places are their numbers.
            order: Of the Taylor series.
            weights: Of the components in the measure of errors, see `Tolerance`; None where all count alike.
            room: Memory of another driver that is not at work.
        """
        self.names, self.order = list(names), order
        size, stride = compiled_structures[0].taylor.size, compiled_structures[0].taylor.stride
        self.size, self.stride = size, stride
        self.exits = [(compiled, each) for compiled in compiled_structures for each in compiled.equations.exits]
        self.plans = np.zeros((len(names), t.PLAN), dtype=np.int64)
        self.exit_rows = np.zeros((max(1, len(self.exits)), t.EXIT), dtype=np.int64)
        self.y = np.zeros(size)
        self.numbers = np.zeros(t.NUMBERS)
        self.numbers[[a.FLOOR, a.RADIUS]] = 1.0, radius_part(order)
        self._alive: list[Any] = list(compiled_structures)
        self.words: list[int] = []
        self.kinds: list[int] = []
        self.switches: list[int] = []
        self._held: tuple[CompiledStructure, int] | None = None
        """A structure that finds the places of its links in Python, and where they go."""
        self._lay_out(compiled_structures)
        number = 0
        self._homes: dict[str, tuple[CompiledStructure, int, int]] = {}
        for compiled, place, first, stages in zip(
            compiled_structures, self._places, self._firsts, self._stages, strict=True
        ):
            self._homes[compiled.structure.name] = compiled, place, first
            self._structure(compiled, place, first, number)
            self._clocks(compiled, first, stages)
            number += len(compiled.equations.exits)
        self._improvable = any(compiled.taylor.quick for compiled in compiled_structures)
        """Whether better machine code can be had."""
        most = max(1, int(self.plans[:, t.WATCHED].max()))
        rows = max(compiled.taylor.rows for compiled in compiled_structures)
        scratch = max(compiled.taylor.scratch_size for compiled in compiled_structures)
        needs = size, rows, stride, scratch, self.log_width
        self.room = room if room is not None and room.holds(*needs) else Room(*needs)
        self.zeros, self.signs = np.zeros(most, dtype=np.int64), np.zeros(4 * most + 8, dtype=np.int64)
        self.work = np.zeros(1 + 2 * (order + 1) + 53 * (order + 4))
        self.weights = np.ones(a.WEIGHTS * size)
        self.weigh(weights)
        self.counts = np.zeros(t.COUNTS, dtype=np.int64)
        self.counts[[t.SIZE, t.ORDER, t.STRIDE, t.ROOM, t.EVENT_ROOM]] = size, order, stride, STEPS, EVENTS
        self.counts[[t.LOG, t.MOST_LEAVES, t.RECORD]] = self.log_width, most, 1
        self.counts[t.PLACES] = compiled_structures[0].engine.model.nq
        self.counts[t.MOVING] = moving_numbers(compiled_structures[0].engine.model)
        self._keep_apart(rows)
        self.call = self._bound()
        """The compiled loop on these tables: it moves on until something has to be decided; an `Outcome`."""

    def _keep_apart(self, rows: int) -> None:
        """Let steps write what moves alone, and what is held behind the tables, where that is much."""
        moving = int(self.counts[t.MOVING])
        self.counts[t.ROWS], self.counts[t.HELD] = self.size, 0
        if self.writes_apart and self.size - 1 - moving >= FEWEST:
            self.counts[t.ROWS], self.counts[t.HELD] = moving, (STEPS * moving + rows) * self.stride

    # --- tables ------------------------------------------------------------------------------------------------------

    def _lay_out(self, compiled_structures: Sequence[CompiledStructure]) -> None:
        """Where every kernel puts its results, and where the parameters and modes of every structure are."""
        total, self._places, self._firsts, parameters, widest = 1, list[int](), list[int](), 0, 0
        self._stages: list[int] = []
        for compiled in compiled_structures:
            self._places.append(total)
            total += self.size + 1 + _anchors(compiled)
            self._stages.append(total)
            total += (1 + STAGE_ROWS) * moving_numbers(compiled.engine.model) if _goes_by_stages(compiled) else 0
            self._firsts.append(parameters)
            parameters += compiled.taylor.parameters
        self._passages: list[tuple[int, Program | None, tuple[str, ...], int]] = []
        for compiled, each in self.exits:
            known = compiled.known_passage(each.transition)
            if known is None:
                self._passages.append((0, None, (), 0))
                continue
            code, links = known
            self._passages.append((self._held_address(code), compiled.passage_program(each.transition), links, total))
            total += self.size + 1 + 6 * len(links)
            widest = max(widest, 6 * len(links))
        self.passages: Sequence[Passage] = [
            Passage(
                each.transition.name,
                compiled.structure.name,
                each.transition.target or compiled.structure.name,
                self._passages[number][2],
            )
            for number, (compiled, each) in enumerate(self.exits)
        ]
        """The exits, as events name them."""
        self.log_width = 2 + widest
        self.results = np.zeros(total)
        self.parameters = np.zeros(max(1, parameters))
        hoisted = compiled_structures[0].engine.hoisted
        self.live = np.zeros(
            max(1, 0 if hoisted is None else len(hoisted), *(one.modes.first for one in compiled_structures))
        )
        """Parameters that every structure has before its modes."""
        for first, compiled in zip(self._firsts, compiled_structures, strict=True):
            if compiled.given is not None:
                self.parameters[first : first + compiled.modes.first] = compiled.given
                self.live[: compiled.modes.first] = compiled.given
        self.heads = [
            (first, compiled.modes.first) for first, compiled in zip(self._firsts, compiled_structures, strict=True)
        ]

    def _structure(self, compiled: CompiledStructure, place: int, first: int, number: int) -> None:
        """Fill the rows of a structure and of its exits."""
        base, size = self.results.ctypes.data, self.size
        row = self.plans[self.names.index(compiled.structure.name)]
        leaves = [leaf for each in compiled.equations.exits for leaf in each.condition.leaves]
        modes = compiled.modes
        row[t.WATCHED] = len(leaves) + len(modes.switches)
        self._set_flow(row, compiled.taylor)
        row[t.FIRST_EXIT], row[t.EXITS] = number, len(compiled.equations.exits)
        row[t.FIRST_LEAF], row[t.PARAMETERS] = len(self.kinds), first
        row[t.FIRST_SWITCH], row[t.SWITCHES] = len(self.switches) // t.SWITCH, len(modes.switches)
        anchor = base + 8 * (place + size + 1)
        if modes.switches:
            row[t.CHOOSE] = self._held_address(compiled.native_modes)
            target = self.parameters.ctypes.data + 8 * (first + modes.first)
            row[t.CHOOSE_ARGUMENTS] = self._table(modes.initial, [target], {"p": self.live.ctypes.data})
        if compiled.corrects:
            row[t.CORRECT], row[t.CORRECTED] = self._held_address(compiled.projection), place
            row[t.CORRECT_ARGUMENTS] = self._table(
                compiled.projection_program, [base + 8 * place, base + 8 * (place + size)], {"p": anchor}
            )
        if not compiled.travels:
            self._held = compiled, place + size + 1
        elif compiled.native_anchors is not None:
            row[t.ANCHOR] = self._held_address(compiled.native_anchors)
            row[t.ANCHOR_ARGUMENTS] = self._table(compiled.anchor_program, [anchor], {})
        shift = 0
        for offset, each in enumerate(compiled.equations.exits):
            address, program, links, result = self._passages[number + offset]
            entry = self.exit_rows[number + offset]
            entry[t.WORD], entry[t.WORD_LENGTH] = len(self.words), len(each.condition.word)
            entry[t.LEAF_SHIFT], entry[t.TICK] = shift, bool(each.transition.tick)
            entry[t.ASKS] = each.transition.asks
            if program is not None:
                blocks = [base + 8 * result, base + 8 * (result + size)]
                blocks += [base + 8 * (result + size + 1)] if links else []
                entry[t.PASSAGE], entry[t.PASSAGE_ARGUMENTS] = address, self._table(program, blocks, {})
                entry[t.RESULT], entry[t.IMPULSES] = result, 6 * len(links)
                entry[t.TARGET] = self.names.index(each.transition.target or compiled.structure.name)
            self.words += each.condition.word
            shift += len(each.condition.leaves)
        self.kinds += [leaf.kind for leaf in leaves] + [CROSSES] * len(modes.switches)
        for switch in modes.switches:
            self.switches += [modes.first + switch.mode, _SWITCHES[switch.kind]]

    def _clocks(self, compiled: CompiledStructure, first: int, room: int) -> None:
        """Say how a structure goes from tick to tick, where nothing but clocks is watched."""
        row = self.plans[self.names.index(compiled.structure.name)]
        row[t.CLOCKS] = _is_timed(compiled) and row[t.LOW] != 0
        if not row[t.CLOCKS]:
            return
        for number, each in enumerate(compiled.equations.exits, int(row[t.FIRST_EXIT])):
            self.exit_rows[number, [t.CLOCK, t.CLOCK_FIRST, t.CLOCK_STEP, t.CLOCK_PARTS]] = _clock(compiled, each)
        if _goes_by_stages(compiled):
            program, code = compiled.rates
            moving = program.outputs[0][1]
            slopes = self.results.ctypes.data + 8 * (room + moving)
            row[t.RATES], row[t.RATES_ROOM] = self._held_address(code), room
            row[t.RATES_ARGUMENTS] = self._table(
                program, [slopes], {"p": self.parameters.ctypes.data + 8 * first}, distance=8 * moving
            )

    def _set_flow(self, row: Whole, taylor: Taylor) -> None:
        """Write where the series of a structure are computed."""
        row[t.FLOW] = self._held_address(taylor.native)
        row[[t.LOW, t.REST, t.LOW_ORDER]] = taylor.low_address, taylor.rest_address, taylor.low
        if taylor.low:
            self.numbers[t.SHORT_ERROR] = short_error(self.order)
            self.numbers[t.LOW_RADIUS] = self.numbers[t.SHORT_ERROR] ** (1.0 / taylor.low)

    def _table(self, program: Program, outputs: Sequence[int], inputs: Mapping[str, int], distance: int = 0) -> int:
        """The table of arguments of a kernel: an address and a stride for every block.

        Args:
            program: What it computes.
            outputs: Where the results go.
            inputs: Where the blocks are that are not known.
            distance: From one row of the results to the next [bytes].
        """
        known = {"y": self.y.ctypes.data, "live": self.live.ctypes.data, **inputs}
        addresses = [*(known[name] for name, _ in program.inputs), *outputs]
        table = np.zeros(2 * len(addresses), dtype=np.int64)
        table[::2] = addresses
        table[2 * len(program.inputs) + 1 :: 2] = distance
        self._alive.append(table)
        return int(table.ctypes.data)

    def _held_address(self, code: Native) -> int:
        """The address of a function, which is held from now on: other drivers may exchange the code of a structure."""
        self._alive.append(code)
        return code.address

    def _bound(self) -> Callable[[], int]:
        made: Callable[[], int] = loop_code().bind(self.tables())
        return made

    def tables(self) -> t.Tables:
        """What the loop reads and writes."""
        at: tuple[Any, Any] = callers()
        room = self.room
        words, kinds, switches = (
            np.array([*numbers, 0], dtype=np.int64) for numbers in (self.words, self.kinds, self.switches)
        )
        return t.Tables(
            flow_at=at[0],
            kernel_at=at[1],
            plans=self.plans.ravel(),
            exits=self.exit_rows.ravel(),
            words=words,
            kinds=kinds,
            directions=self.directions,
            switches=switches,
            counts=self.counts,
            numbers=self.numbers,
            weights=self.weights,
            y=self.y,
            parameters=self.parameters,
            scratch=room.scratch,
            results=self.results,
            times=room.times,
            coefficients=room.coefficients,
            which=room.which,
            log=room.log,
            marks=room.marks,
            zeros=self.zeros,
            signs=self.signs,
            work=self.work,
        )

    @property
    def directions(self) -> Whole:
        """In which direction the zeros of leaves count."""
        return np.array([*(_DIRECTIONS[kind] for kind in self.kinds), 0], dtype=np.int64)

    def home(self, name: str) -> tuple[int, int]:
        """Where a structure has its room of results, and where its block p begins."""
        _, place, first = self._homes[name]
        return place, first

    def weigh(self, weights: Array | None) -> None:
        """Give the components their weights in the measure of errors, see `Tolerance`; None where all count alike."""
        if weights is not None:
            self.weights.reshape(self.size, a.WEIGHTS)[: len(weights), :2] = weights

    def set_live(self, values: Array) -> None:
        """Give the parameters that all structures share their values."""
        count = min(len(values), len(self.live))
        self.live[:count] = values[:count]
        for first, count in self.heads:
            self.parameters[first : first + count] = values[:count]

    # --- going -------------------------------------------------------------------------------------------------------

    def begin(self, y: Array, name: str, until: float, longest: float) -> None:
        """Stand at the beginning of a stay in a structure."""
        self.y[:] = y
        if self._held is not None:
            compiled, place = self._held
            found = compiled.anchors(y)
            self.results[place : place + len(found)] = found
        counts, numbers = self.counts, self.numbers
        counts[t.STRUCTURE], counts[t.ENTERING], counts[t.AT_ONCE] = self._place(name), 1, 0
        counts[t.KNOWN] = counts[t.TICKED] = counts[t.ANSWERED] = 0
        numbers[a.UNTIL], numbers[a.LONGEST], numbers[t.LAST], numbers[t.LAST_BUT_ONE] = until, longest, 0.0, 0.0

    def _place(self, name: str) -> int:
        """The row of a structure in the tables."""
        return self.names.index(name)

    def inside(self) -> Inside | None:
        """What there is to know of where it is, besides the state; None where a structure is about to be entered."""
        counts = self.counts
        # What jumps with a tick is known from the signs before it.
        signs = self.signs[: len(self.zeros)].copy()
        if counts[t.ENTERING]:
            return {"zeros": self.zeros.copy(), "signs": signs} if counts[t.TICKED] else None
        p, anchors = self._own()
        found = {
            "p": p.copy(),
            "zeros": self.zeros.copy(),
            "anchors": anchors.copy(),
            "numbers": self.numbers[[t.LAST, t.LAST_BUT_ONE]],
            "at once": counts[[t.AT_ONCE]],
        }
        if counts[t.ANSWERED]:
            exit = counts[t.LEAVING] - self.plans[counts[t.STRUCTURE], t.FIRST_EXIT]
            found |= {"signs": signs, "leaving": np.array([exit, counts[t.ANSWERED]])}
        return found

    def go_back(self, inside: Inside) -> None:
        """Stand where it was once, after `begin` with the state there."""
        zeros = inside["zeros"][: len(self.zeros)]  # of the structure that had most; those beyond its own say nothing
        self.zeros[: len(zeros)] = zeros
        if "signs" in inside:
            self.signs[: len(zeros)] = inside["signs"][: len(zeros)]
        if "p" not in inside:
            self.counts[t.TICKED] = 1
            return
        p, anchors = self._own()
        p[:], anchors[:] = inside["p"], inside["anchors"]
        if "leaving" in inside:
            exit, how = inside["leaving"].tolist()
            self.counts[[t.OPEN, t.LEAVING]] = exit + self.plans[self.counts[t.STRUCTURE], t.FIRST_EXIT]
            self.counts[t.ANSWERED] = how
        self.numbers[[t.LAST, t.LAST_BUT_ONE]] = inside["numbers"]
        self.counts[t.AT_ONCE], self.counts[t.ENTERING] = inside["at once"][0], 0

    def await_exit(self) -> Inside:
        """What there is to know where an exit is open, for another driver that begins with taking it."""
        self.counts[t.ANSWERED] = t.OPENED
        found = self.inside()
        assert found is not None
        return found

    def tell(self, y: Array) -> None:
        """Say what motors and inputs do from now on, where that was asked for: the state with it."""
        self.y[:] = y
        self.counts[t.ANSWERED] = t.TOLD

    def _own(self) -> tuple[Array, Array]:
        """Parameters and modes of the structure where the motion is, and the places that its links hold."""
        compiled, place, first = self._homes[self.structure]
        behind = place + self.size + 1
        return (
            self.parameters[first : first + compiled.taylor.parameters],
            self.results[behind : behind + _anchors(compiled)],
        )

    def go(self, walked: int = 0) -> tuple[Outcome, Chunk]:
        """Move on until something has to be decided; the reason, and what happened on the way.

        Args:
            walked: Steps before, which count for when it looks up.
        """
        counts = self.counts
        counts[t.ROOM] = STEPS - walked % STEPS
        counts[t.STEPS] = counts[t.EVENTS] = 0
        outcome = self._run()
        if self._improvable:
            self._count_steps(int(counts[t.STEPS]))
        return outcome, self.gone()

    def gone(self) -> Chunk:
        """What happened since machine code was last asked to move on."""
        counts = self.counts
        return self._chunk(int(counts[t.STEPS]) if counts[t.RECORD] else 0, int(counts[t.EVENTS]))

    def _run(self) -> Outcome:
        return Outcome(self.call())

    def optimise(self) -> None:
        """Compile structures with more optimisation after so many steps that it saves time; the bits stay the same."""
        for name, (compiled, _, _) in self._homes.items() if self._improvable else ():
            if compiled.walked < LONG_STAY:
                continue
            if compiled.taylor.quick:
                compiled.optimise()
            better, plan = compiled.taylor, self.plans[self._place(name)]
            if plan[t.FLOW] != better.address and better.scratch_size <= len(self.room.scratch):
                self._set_flow(plan, better)

    def _count_steps(self, steps: int) -> None:
        """Count steps by structure."""
        if self.counts[t.RECORD]:
            for place, count in enumerate(np.bincount(self.room.which[:steps]).tolist()):
                if count and self.names[place] in self._homes:
                    self._homes[self.names[place]][0].walk(count)
        elif self.structure in self._homes:
            self._homes[self.structure][0].walk(steps)

    @property
    def structure(self) -> str:
        """Where the motion is."""
        return self.names[int(self.counts[t.STRUCTURE])]

    @property
    def leaving(self) -> tuple[CompiledStructure, Exit]:
        """The exit that is being taken."""
        return self.exits[int(self.counts[t.LEAVING])]

    def _chunk(self, steps: int, events: int) -> Chunk:
        room, width = self.room, self.log_width
        return Chunk(
            names=self.names,
            passages=self.passages,
            times=room.times[: 2 * steps].reshape(steps, 2).copy(),
            coefficients=self._steps(steps),
            which=room.which[:steps].copy(),
            marks=room.marks[: 2 * events].reshape(events, 2).copy() if events else _NO_MARKS,
            log=room.log[: events * width].reshape(events, width).copy() if events else _NO_LOG,
        )

    def _steps(self, steps: int) -> Array:
        """The coefficients of the last steps."""
        size, moving = self.size, int(self.counts[t.MOVING])
        count, at = size - 1 - moving, int(self.counts[t.HELD])
        if at:
            rows = self.room.coefficients[: steps * moving * self.stride].reshape(steps, moving, self.stride)
            held = self.room.coefficients[at : at + steps * count].reshape(steps, count)
            begins = self.room.times[: 2 * steps : 2]
            return as_array(HeldSteps(rows[:, :, : self.order + 1].copy(), held.copy(), begins.copy()))
        rows = self.room.coefficients[: steps * size * self.stride].reshape(steps, size, self.stride)
        if count < FEWEST:
            # Copied as it lies: to leave out what is beyond the order of every row would take longer.
            return rows.copy()[:, :, : self.order + 1]
        polynomials = rows[:, :moving, : self.order + 1].copy()
        return as_array(HeldSteps(polynomials, rows[:, moving:-1, 0].copy(), rows[:, -1, 0].copy()))


def _is_timed(compiled: CompiledStructure) -> bool:
    """Whether nothing but clocks is watched in a structure, and nothing has to be corrected or chosen."""
    exits = compiled.equations.exits
    timed = all(each.transition.tick and [leaf.kind for leaf in each.condition.leaves] == [HOLDS] for each in exits)
    plain = compiled.travels and not (compiled.modes.switches or compiled.corrects or compiled.anchor_count)
    return bool(exits) and timed and plain


def _goes_by_stages(compiled: CompiledStructure) -> bool:
    return compiled.goes_by_stages and compiled.taylor.low > 0 and _is_timed(compiled)


def _clock(compiled: CompiledStructure, exit: Exit) -> tuple[int, int, int, int]:
    """Of a tick: where its number stands in a state, and the whole numbers of its time; see `tables.CLOCK`."""
    model, name = compiled.engine.model, exit.transition.tick
    scheme = next(each for each in model.schemes if name in (each.name, f"{RELEASE} {each.name}"))
    assert scheme.clock is not None
    later = 0 if scheme.name == name else scheme.clock.latency
    places = (i for i, each in enumerate(model.memory) if (each.kind, each.name) == ("tick", tick_name(name)))
    return model.nq + model.nv + next(places), scheme.clock.first + later, scheme.clock.step, scheme.clock.parts


def _anchors(compiled: CompiledStructure) -> int:
    """Numbers that the way back to the constraints reads."""
    if not compiled.corrects:
        return 1
    return max(1, dict(compiled.projection_program.inputs).get("p", 1))
