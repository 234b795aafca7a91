"""A recursion as LLVM assembly: loops over links, with the steps of all kinds of links inside.

The text does not depend on the system, whose links come as tables, so there is one object for all systems. The function
is ``i64 loops(i64 begin, i64 end, ptr arguments, ptr table, ptr work)``:

- `arguments` are those of straight-line kernels: address and distance between rows of every block, inputs first;
- `table` holds addresses and numbers of the system, in the order of `TABLE`;
- `work` is memory for the records, one after another, and what else is said in `TABLE`; aligned to 64 bytes.

It returns the first row in which a coordinate moves no mass, and stops there; or -1. With `width` 1 every row from
begin to end is computed, one after another; otherwise rows are taken `width` at a time while there are so many, every
number of a record is a vector of as many states, and the rows are turned round before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from sistel.expr import Op, Program
from sistel.kernels._sincos import far_function, write_sincos
from sistel.kernels._writer import Writer
from sistel.mechanics import steps

FUNCTION: Final = "loops"
LENGTHS: Final = "lengths"
"""Two numbers in the object: how many numbers a record has, and which of them is `flag` (-1 for none)."""

TABLE: Final = (
    *("index", "constants", "world", "rotors"),
    *("links", "links.count", "path", "path.count", "bodies", "bodies.count"),
    *("tip", "above", "rates", "size"),
    *("at.q", "at.v", "at.a", "at.tau", "at.out", "at.freedoms", "at.wrenches"),
    *("size.q", "size.v", "size.a", "size.tau", "work"),
)
"""Addresses of tables; of the orders of sweeps, with their lengths; number of the link of the frame; velocities above;
number of velocities; numbers in a row of the result; where in `work` each block begins [bytes]; sizes of blocks;
memory of the function that Python calls."""

_POINTERS: Final = frozenset({"index", "constants", "world", "rotors", "links", "path", "bodies", "above"})
_ARITHMETIC: Final = {Op.ADD: "fadd", Op.SUBTRACT: "fsub", Op.MULTIPLY: "fmul", Op.DIVIDE: "fdiv"}


def _layout(programs: Iterable[Program], shared: Mapping[str, str]) -> dict[str, int]:
    """Where each field that steps mention is in the records, counted in numbers; and `size`, how many there are."""
    places: dict[str, int] = {}
    size = 0
    for name in (name for program in programs for name, _ in (*program.inputs, *program.outputs)):
        where, _, field = name.replace("+", ".").partition(".")
        if where in ("self", "up", "ground") and field not in places and field not in shared:
            places[field] = size
            size += steps.FIELDS[field]
    return places | {field: places[other] for field, other in shared.items()} | {"size": size}


def _programs(sweep: steps.Sweep) -> dict[steps.Kind, Program]:
    if sweep.order in ("links", "path"):
        return {kind: steps.derive_step(sweep.step, kind) for kind in steps.KINDS}
    return {"fixed": steps.derive_step(sweep.step, "fixed")}


def emit_loops(recursion: steps.Recursion, width: int) -> str:
    """The module with the function for `width` rows at a time."""
    return _Emitter(recursion, width).module()


class _Emitter:
    def __init__(self, recursion: steps.Recursion, width: int) -> None:
        self.recursion = recursion
        self.width = width
        self.w = Writer(width)
        self.programs = {sweep: _programs(sweep) for sweep in recursion.sweeps}
        every = [program for programs in self.programs.values() for program in programs.values()]
        self.fields = _layout(every, recursion.places)
        self.constants, self.world = _offsets(steps.CONSTANTS), _offsets(steps.WORLD)

    def module(self) -> str:
        w = self.w
        for i, name in enumerate(TABLE[:-1]):
            kind = "ptr" if name in _POINTERS else "i64"
            w.line(f"%{name}.at = getelementptr i64, ptr %table, i64 {i}")
            w.line(f"%{name} = load {kind}, ptr %{name}.at, align 8")
        blocks = [*self.recursion.inputs, "out"]
        for i, block in enumerate(blocks):
            for part, kind, offset in (("base", "ptr", 2 * i), ("stride", "i64", 2 * i + 1)):
                w.line(f"%{block}.{part}.at = getelementptr i64, ptr %arguments, i64 {offset}")
                w.line(f"%{block}.{part} = load {kind}, ptr %{block}.{part}.at, align 8")
        for block in ("freedoms", "wrenches"):
            w.line(f"%{block} = getelementptr i8, ptr %work, i64 %at.{block}")
        w.line(f"%last = sub i64 %end, {self.width}")
        w.line("br label %rows")
        w.label("rows")
        w.line("%row = phi i64 [ %begin, %entry ], [ %row.next, %rows.tail ]")
        w.line("%row.more = icmp sle i64 %row, %last")
        w.line("br i1 %row.more, label %rows.body, label %rows.done")
        w.label("rows.body")
        for block in blocks:
            self._open(block)
        for sweep in self.recursion.sweeps:
            self._sweep(sweep)
        if self.recursion.flagged:
            self._check_flag()
        if self.width > 1:
            self._scatter()
        w.line("br label %rows.tail")
        w.label("rows.tail")
        w.line(f"%row.next = add i64 %row, {self.width}")
        w.line("br label %rows")
        w.label("rows.done")
        w.line("ret i64 -1")
        head = "i64 %begin, i64 %end, ptr nocapture readonly %arguments, ptr nocapture readonly %table, ptr %work"
        text = [f"define i64 @{FUNCTION}({head}) #0 {{", "entry:", *w.lines, "}"]
        far, more = far_function(self.width)
        attributes = 'nounwind "no-trapping-math"="true"'
        if self.width > 4:
            attributes += ' "prefer-vector-width"="512" "min-legal-vector-width"="512"'
        lengths = f"i64 {self.fields['size']}, i64 {self.fields.get('flag', -1)}"
        text.append(f"@{LENGTHS} = constant [2 x i64] [ {lengths} ], align 8")
        text += [far, *sorted(w.declarations | more), f"attributes #0 = {{ {attributes} }}"]
        return "\n".join([*text, '!0 = !{!"branch_weights", i32 1, i32 100000}']) + "\n"

    # --- rows --------------------------------------------------------------------------------------------------

    def _open(self, block: str) -> None:
        """Make %block.row the address of the block's numbers: the row itself, or vectors gathered from the rows."""
        w = self.w
        for lane in range(self.width):
            w.line(f"%{block}.row{lane} = add i64 %row, {lane}")
            w.line(f"%{block}.shift{lane} = mul i64 %{block}.row{lane}, %{block}.stride")
            w.line(f"%{block}.lane{lane} = getelementptr i8, ptr %{block}.base, i64 %{block}.shift{lane}")
        if self.width == 1:
            w.line(f"%{block}.row = getelementptr i8, ptr %{block}.lane0, i64 0")
        else:
            w.line(f"%{block}.row = getelementptr i8, ptr %work, i64 %at.{block}")
        if block != "out" and self.width > 1:
            i = self._begin_count(f"%size.{block}")
            lanes = [
                w.value(f"load double, ptr {self._number_at(block, lane, i)}, align 8") for lane in range(self.width)
            ]
            w.line(f"store {w.number} {w.gather(lanes)}, ptr {self._at(f'%{block}.row', i)}, align 8")
            self._end_count(i)
        if block == "out" and self.recursion.blank:
            i = self._begin_count("%size")
            w.line(f"store {w.number} zeroinitializer, ptr {self._at('%out.row', i)}, align 8")
            self._end_count(i)

    def _number_at(self, block: str, lane: int, i: str) -> str:
        return self.w.value(f"getelementptr double, ptr %{block}.lane{lane}, i64 {i}")

    def _scatter(self) -> None:
        w = self.w
        i = self._begin_count("%size")
        vector = w.value(f"load {w.number}, ptr {self._at('%out.row', i)}, align 8")
        for lane in range(self.width):
            single = w.value(f"extractelement {w.number} {vector}, i64 {lane}")
            w.line(f"store double {single}, ptr {self._number_at('out', lane, i)}, align 8")
        self._end_count(i)

    def _check_flag(self) -> None:
        """Leave with the number of the first row in which the ground heard of a coordinate that moves no mass."""
        w = self.w
        flag = w.value(f"load {w.number}, ptr {self._at('%work', str(self.fields['flag']))}, align 8")
        for lane in range(self.width):
            single = flag if self.width == 1 else w.value(f"extractelement {w.number} {flag}, i64 {lane}")
            found, leave, stay = w.value(f"fcmp ogt double {single}, 0.0"), w.name("leave"), w.name("stay")
            w.line(f"br i1 {found}, label %{leave}, label %{stay}, !prof !0")
            w.label(leave)
            row = w.value(f"add i64 %row, {lane}")
            w.line(f"ret i64 {row}")
            w.label(stay)

    # --- loops -------------------------------------------------------------------------------------------------

    def _at(self, base: str, i: str) -> str:
        """Address of a number of a block that lies in memory as the records do."""
        return self.w.value(f"getelementptr {self.w.number}, ptr {base}, i64 {i}")

    def _begin_count(self, count: str, inward: bool = False) -> str:
        """Begin a loop over 0 … count - 1, or back; returns the number. The loop variable's name names its blocks."""
        w, i = self.w, self.w.name("i")
        start = w.value(f"sub i64 {count}, 1") if inward else "0"
        before = w.block
        w.line(f"br label %{i}.head")
        w.label(f"{i}.head")
        w.line(f"%{i} = phi i64 [ {start}, %{before} ], [ %{i}.next, %{i}.tail ]")
        # Counting down ends below zero, which without a sign is beyond any count.
        w.line(f"%{i}.more = icmp ult i64 %{i}, {count}")
        w.line(f"br i1 %{i}.more, label %{i}.body, label %{i}.done")
        w.label(f"{i}.body")
        return f"%{i}"

    def _end_count(self, i: str, inward: bool = False) -> None:
        w = self.w
        w.line(f"br label {i}.tail")
        w.label(f"{i[1:]}.tail")
        w.line(f"{i}.next = add i64 {i}, {-1 if inward else 1}")
        w.line(f"br label {i}.head")
        w.label(f"{i[1:]}.done")

    def _sweep(self, sweep: steps.Sweep) -> None:
        w, programs = self.w, self.programs[sweep]
        if sweep.order == "walk":
            self._walk(programs["fixed"])
            return
        if sweep.order in ("ground", "tip"):
            self._step(programs["fixed"], self._pointers("0" if sweep.order == "ground" else "%tip", "0"))
            return
        i = self._begin_count(f"%{sweep.order}.count", sweep.inward)
        link = w.value(f"load i64, ptr {w.value(f'getelementptr i64, ptr %{sweep.order}, i64 {i}')}, align 8")
        pointers = self._pointers(link, i)
        if len(programs) == 1:
            self._step(programs["fixed"], pointers)
        else:
            self._cases(programs, pointers, link)
        self._end_count(i, sweep.inward)

    def _cases(self, programs: dict[steps.Kind, Program], pointers: dict[str, str], link: str) -> None:
        w = self.w
        labels = {kind: w.name(kind) for kind in programs}
        join = w.name("join")
        cases = " ".join(
            f"i64 {steps.KINDS.index(kind)}, label %{label}" for kind, label in labels.items() if kind != "fixed"
        )
        w.line(f"switch i64 {self._entry(link, 0)}, label %{labels['fixed']} [ {cases} ]")
        for kind, program in programs.items():
            w.label(labels[kind])
            self._step(program, pointers)
            w.line(f"br label %{join}")
        w.label(join)

    def _entry(self, link: str, column: int) -> str:
        row = self.w.value(f"getelementptr [4 x i64], ptr %index, i64 {link}, i64 {column}")
        return self.w.value(f"load i64, ptr {row}, align 8")

    def _pointers(self, link: str, i: str) -> dict[str, str]:
        """Where the numbers of a step are, by the first word of their names."""
        w, size = self.w, self.fields["size"]

        def record(number: str) -> str:
            return w.value(f"getelementptr [{size} x {w.number}], ptr %work, i64 {number}")

        first_q, first_v = self._entry(link, 2), self._entry(link, 3)
        found = {"self": record(link), "up": record(self._entry(link, 1)), "ground": "%work", "w": "%world"}
        found["c"] = w.value(f"getelementptr [{sum(steps.CONSTANTS.values())} x double], ptr %constants, i64 {link}")
        found["rotor"] = w.value(f"getelementptr double, ptr %rotors, i64 {first_v}")
        for block in self.recursion.inputs:
            found[block] = self._at(f"%{block}.row", first_q if block == "q" else first_v)
        found["result"] = "%out.row"
        found["out"] = found["columns"] = self._at("%out.row", first_v)
        found["loads"] = self._at("%out.row", w.value(f"mul i64 {i}, {steps.LOAD}"))
        found["freedoms"] = w.value(f"getelementptr [{steps.FREEDOM} x {w.number}], ptr %freedoms, i64 {first_v}")
        found["wrenches"] = w.value(f"getelementptr [{steps.WRENCH} x {w.number}], ptr %wrenches, i64 {first_v}")
        return found

    def _step(self, program: Program, pointers: dict[str, str]) -> None:
        _Step(self, program, pointers).write()

    def _walk(self, program: Program) -> None:
        """From every velocity to the ground, one row of the matrix; then the other half of it."""
        w = self.w
        assert self.width == 1
        k = self._begin_count("%rates")
        start = w.value(f"getelementptr [{steps.WRENCH} x double], ptr %wrenches, i64 {k}")
        wrench = [w.value(f"load double, ptr {self._at(start, str(i))}, align 8") for i in range(steps.WRENCH)]
        row = w.value(f"getelementptr double, ptr %out.row, i64 {w.value(f'mul i64 {k}, %rates')}")
        before = w.block
        w.line("br label %walk")
        w.label("walk")
        w.line(f"%j = phi i64 [ {k}, %{before} ], [ %j.next, %walk ]")
        top = len(w.lines)
        freedom = w.value(f"getelementptr [{steps.FREEDOM} x double], ptr %freedoms, i64 %j")
        step = _Step(self, program, {"freedom": freedom})
        names = [f"%moment{i}" for i in range(3)] + wrench[3:]
        step.known = {("wrench", i): name for i, name in enumerate(names)}
        entry, *moment = step.values()
        w.line(f"store double {entry}, ptr {self._at(row, '%j')}, align 8")
        mirror = w.value(f"getelementptr double, ptr %out.row, i64 {w.value('mul i64 %j, %rates')}")
        w.line(f"store double {entry}, ptr {self._at(mirror, k)}, align 8")
        for i, name in enumerate(moment):
            w.lines.insert(top, f"  %moment{i} = phi double [ {wrench[i]}, %{before} ], [ {name}, %walk ]")
        w.line(f"%j.next = load i64, ptr {w.value('getelementptr i64, ptr %above, i64 %j')}, align 8")
        w.line("%j.more = icmp sge i64 %j.next, 0")
        w.line("br i1 %j.more, label %walk, label %walked")
        w.label("walked")
        diagonal = self._at(row, k)
        rotor = w.value(f"load double, ptr {self._at('%rotors', k)}, align 8")
        sum_ = w.binary("fadd", w.value(f"load double, ptr {diagonal}, align 8"), rotor)
        w.line(f"store double {sum_}, ptr {diagonal}, align 8")
        self._end_count(k)


class _Step:
    """The instructions of one step: numbers are read when first needed and put away as soon as they are there."""

    def __init__(self, emitter: _Emitter, program: Program, pointers: dict[str, str]) -> None:
        self.emitter, self.program, self.pointers = emitter, program, pointers
        self.w = emitter.w
        self.numbers: dict[int, str] = {}
        self.truths: dict[int, str] = {}
        self.angles: dict[int, tuple[str, str]] = {}
        self.known: dict[tuple[str, int], str] = {}

    def write(self) -> None:
        """Compute, and put the results where their names say."""
        shared = self.emitter.recursion.places
        read = {name for name, _ in self.program.inputs}
        targets: dict[int, list[tuple[str, int]]] = {}
        late: list[tuple[str, int, int]] = []
        places = [(name, i) for name, size in self.program.outputs for i in range(size)]
        for (name, i), result in zip(places, self.program.results, strict=True):
            # What the step itself still reads is overwritten at its end.
            where, _, field = name.partition(".")
            if name in read or f"{where}.{shared.get(field, field)}" in read:
                late.append((name, i, result))
            else:
                targets.setdefault(result, []).append((name, i))
        for line in range(len(self.program)):
            self._line(line)
            for name, i in targets.get(line, ()):
                self._put(name, i, self._number(line))
        for name, i, result in late:
            self._put(name, i, self._number(result))

    def values(self) -> list[str]:
        """Compute, and give the names of the results."""
        for line in range(len(self.program)):
            self._line(line)
        return [self._number(result) for result in self.program.results]

    def _line(self, line: int) -> None:
        program, w = self.program, self.w
        op, a, b = program.operation[line], program.first[line], program.second[line]
        if op == Op.CONSTANT:
            self.numbers[line] = w.constant(program.number[line])
        elif op == Op.INPUT:
            pass  # read where it is first needed
        elif op in _ARITHMETIC:
            self.numbers[line] = w.binary(_ARITHMETIC[Op(op)], self._number(a), self._number(b))
        elif op == Op.NEGATE:
            self.numbers[line] = w.negate(self._number(a))
        elif op == Op.ABSOLUTE:
            self.numbers[line] = w.intrinsic("fabs", self._number(a))
        elif op in (Op.SIN, Op.COS):
            if a not in self.angles:
                self.angles[a] = write_sincos(w, self._number(a))
            self.numbers[line] = self.angles[a][0 if op == Op.SIN else 1]
        elif op == Op.LESS_EQUAL:
            truth = w.compare("ole", self._number(a), self._number(b))
            self.numbers[line] = w.value(f"uitofp {w.truth} {truth} to {w.number}")
        else:
            raise AssertionError(f"steps are not written with {Op(op).name}")

    def _number(self, line: int) -> str:
        if line not in self.numbers:
            block, i = self.program.first[line], self.program.second[line]
            self.numbers[line] = self._get(self.program.inputs[block][0], i)
        return self.numbers[line]

    def _address(self, name: str, i: int) -> str:
        """Where a number of the program is."""
        emitter, (where, _, field) = self.emitter, name.replace("+", ".").partition(".")
        if where in ("self", "up", "ground"):
            return emitter._at(self.pointers[where], str(emitter.fields[field] + i))
        if where == "columns":
            number, row = divmod(i, steps.COLUMN)
            shift = self.w.value(f"mul i64 %rates, {row}")
            return emitter._at(self.pointers[where], self.w.value(f"add i64 {shift}, {number}"))
        return emitter._at(self.pointers[where], str(i))

    def _get(self, name: str, i: int) -> str:
        w = self.w
        if (name, i) in self.known:
            return self.known[name, i]
        where, _, field = name.partition(".")
        if where in ("c", "w", "rotor"):
            offsets = {"c": self.emitter.constants, "w": self.emitter.world}.get(where, {"": 0})
            at = w.value(f"getelementptr double, ptr {self.pointers[where]}, i64 {offsets[field] + i}")
            return _splat(w, w.value(f"load double, ptr {at}, align 8"))
        return w.value(f"load {w.number}, ptr {self._address(name, i)}, align 8")

    def _put(self, name: str, i: int, number: str) -> None:
        w, at = self.w, self._address(name, i)
        if "+" in name:
            number = w.binary("fadd", w.value(f"load {w.number}, ptr {at}, align 8"), number)
        w.line(f"store {w.number} {number}, ptr {at}, align 8")


def _splat(w: Writer, number: str) -> str:
    """A number in all lanes."""
    if w.width == 1:
        return number
    first = w.value(f"insertelement {w.number} undef, double {number}, i64 0")
    return w.value(f"shufflevector {w.number} {first}, {w.number} undef, <{w.width} x i32> zeroinitializer")


def _offsets(sizes: dict[str, int]) -> dict[str, int]:
    found, at = {}, 0
    for name, size in sizes.items():
        found[name] = at
        at += size
    return found
