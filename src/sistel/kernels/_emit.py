"""A program as LLVM assembly: one loop over rows of states, one value per node, in the program's own order.

The function is ``void name(i64 begin, i64 end, ptr arguments)``. The arguments hold, for every input block and then for
every output block, the address of row 0 and the distance between rows [bytes]; the numbers of a row lie side by side
and are aligned to 8 bytes. An input block that is the same for all rows has distance 0. Outputs may not overlap inputs.

With `width` 1 every row from begin to end is computed; otherwise rows are taken `width` at a time while there are so
many, and what is left over is the scalar function's business. Blocks are read and written in squares of width × width
numbers that are transposed in registers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Op
from sistel.kernels._sincos import far_function, write_sincos
from sistel.kernels._writer import Writer

if TYPE_CHECKING:
    from sistel.expr import Program

VERSION = 1
"""Part of the cache's key: raise it with every change of the emitted text."""

_ARITHMETIC = {Op.ADD: "fadd", Op.SUBTRACT: "fsub", Op.MULTIPLY: "fmul", Op.DIVIDE: "fdiv"}
_COMPARISONS = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
_INTRINSICS = {Op.SQRT: "sqrt", Op.ABSOLUTE: "fabs", Op.FLOOR: "floor"}
_LIBRARY = {Op.EXP: "exp", Op.LOG: "log", Op.ATAN2: "atan2"}


def emit(program: Program, width: int, name: str) -> str:
    """The module with the function for `width` rows at a time."""
    return _Emitter(program, width, name).module()


class _Emitter:
    def __init__(self, program: Program, width: int, name: str) -> None:
        self.program = program
        self.width = width
        self.name = name
        self.writer = Writer(width)
        count = len(program.operation)
        self.numbers: list[str | None] = [None] * count
        self.truths: list[str | None] = [None] * count
        self.angles: dict[int, tuple[str, str]] = {}
        # Where each node goes: (output block, column); blocks wait until a square of them is complete.
        self.targets: dict[int, list[tuple[int, int]]] = {}
        place = 0
        for block, (_, size) in enumerate(program.outputs):
            for column in range(size):
                self.targets.setdefault(program.results[place], []).append((block, column))
                place += 1
        self.waiting: dict[tuple[int, int], dict[int, str]] = {}
        self.squares: dict[tuple[int, int], list[str]] = {}

    def module(self) -> str:
        w = self.writer
        blocks = [*(f"in{i}" for i in range(len(self.program.inputs)))]
        blocks += [f"out{i}" for i in range(len(self.program.outputs))]
        for i, block in enumerate(blocks):
            for part, kind, offset in (("base", "ptr", 2 * i), ("stride", "i64", 2 * i + 1)):
                w.line(f"%{block}.{part}.at = getelementptr i64, ptr %arguments, i64 {offset}")
                w.line(f"%{block}.{part} = load {kind}, ptr %{block}.{part}.at, align 8")
        w.line(f"%last = sub i64 %end, {self.width}")
        w.line("br label %head")
        w.label("head")
        # The value of %i on the way back is known by name only: the body ends in a block of its own.
        w.line("%i = phi i64 [ %begin, %entry ], [ %next, %tail ]")
        w.line("%more = icmp sle i64 %i, %last")
        w.line("br i1 %more, label %body, label %done")
        w.label("body")
        for block in blocks:
            for lane in range(self.width):
                w.line(f"%{block}.row{lane} = add i64 %i, {lane}")
                w.line(f"%{block}.shift{lane} = mul i64 %{block}.row{lane}, %{block}.stride")
                w.line(f"%{block}.at{lane} = getelementptr i8, ptr %{block}.base, i64 %{block}.shift{lane}")
        for index in range(len(self.program.operation)):
            self._node(index)
        w.line("br label %tail")
        w.label("tail")
        w.line(f"%next = add i64 %i, {self.width}")
        w.line("br label %head")
        w.label("done")
        w.line("ret void")
        text = [f"define void @{self.name}(i64 %begin, i64 %end, ptr noalias nocapture readonly %arguments) #0 {{"]
        text += ["entry:", *w.lines, "}"]
        declarations = set(w.declarations)
        if self.angles:
            far, more = far_function(self.width)
            declarations |= more
            text.append(far)
        attributes = 'nounwind "no-trapping-math"="true"'
        if self.width > 4:
            attributes += ' "prefer-vector-width"="512" "min-legal-vector-width"="512"'
        text += sorted(declarations)
        text += [f"attributes #0 = {{ {attributes} }}", '!0 = !{!"branch_weights", i32 1, i32 100000}']
        return "\n".join(text) + "\n"

    # --- nodes -------------------------------------------------------------------------------------------------

    def _node(self, index: int) -> None:
        program, w = self.program, self.writer
        op, a, b, c = program.operation[index], program.first[index], program.second[index], program.third[index]
        if op == Op.CONSTANT:
            self.numbers[index] = w.constant(program.number[index])
        elif op == Op.INPUT:
            pass  # read where it is first needed: inputs come first in a program and would fill the registers
        elif op in _ARITHMETIC:
            self.numbers[index] = w.binary(_ARITHMETIC[Op(op)], self._number(a), self._number(b))
        elif op == Op.NEGATE:
            self.numbers[index] = w.negate(self._number(a))
        elif op in (Op.SIN, Op.COS):
            if a not in self.angles:
                self.angles[a] = write_sincos(w, self._number(a))
            self.numbers[index] = self.angles[a][0 if op == Op.SIN else 1]
        elif op in _INTRINSICS:
            self.numbers[index] = w.intrinsic(_INTRINSICS[Op(op)], self._number(a))
        elif op == Op.ATAN2:
            self.numbers[index] = w.library("atan2", self._number(a), self._number(b))
        elif op in _LIBRARY:
            self.numbers[index] = w.library(_LIBRARY[Op(op)], self._number(a))
        elif op in (Op.MINIMUM, Op.MAXIMUM):
            self.numbers[index] = self._extreme("olt" if op == Op.MINIMUM else "ogt", self._number(a), self._number(b))
        elif op in _COMPARISONS:
            self.truths[index] = w.compare(_COMPARISONS[Op(op)], self._number(a), self._number(b))
        elif op in (Op.AND, Op.OR):
            word = "and" if op == Op.AND else "or"
            self.truths[index] = w.value(f"{word} {w.truth} {self._truth(a)}, {self._truth(b)}")
        elif op == Op.NOT:
            every = "true" if self.width == 1 else "<" + ", ".join(["i1 true"] * self.width) + ">"
            self.truths[index] = w.value(f"xor {w.truth} {self._truth(a)}, {every}")
        elif op == Op.SELECT:
            self.numbers[index] = w.select(self._truth(a), self._number(b), self._number(c))
        else:
            raise AssertionError(f"the LLVM emitter does not know {Op(op).name}")
        for block, column in self.targets.get(index, ()):
            self._store(block, column, self._number(index))

    def _number(self, index: int) -> str:
        number = self.numbers[index]
        if number is None and self.program.operation[index] == Op.INPUT:
            number = self.numbers[index] = self._load(self.program.first[index], self.program.second[index])
        elif number is None:
            w, truth = self.writer, self.truths[index]
            number = self.numbers[index] = w.value(f"uitofp {w.truth} {truth} to {w.number}")
        return number

    def _truth(self, index: int) -> str:
        truth = self.truths[index]
        if truth is None:
            w = self.writer
            # NaN is "not zero", as in Python.
            truth = self.truths[index] = w.compare("une", self._number(index), w.constant(0.0))
        return truth

    def _extreme(self, predicate: str, a: str, b: str) -> str:
        """The smaller or the larger of two, NaN when either is NaN, and `a` when they are equal."""
        w = self.writer
        ordered = w.select(w.compare(predicate, b, a), b, a)
        return w.select(w.compare("uno", b, b), b, ordered)

    # --- rows --------------------------------------------------------------------------------------------------

    def _at(self, block: str, lane: int, column: int) -> str:
        return self.writer.value(f"getelementptr double, ptr %{block}.at{lane}, i64 {column}")

    def _start(self, size: int, column: int) -> int:
        """First column of the square that a column belongs to; the last square of a block overlaps its neighbour."""
        return min(column // self.width * self.width, size - self.width)

    def _load(self, block: int, column: int) -> str:
        w, name, size = self.writer, f"in{block}", self.program.inputs[block][1]
        if size < self.width or self.width == 1:
            lanes = [w.value(f"load double, ptr {self._at(name, lane, column)}, align 8") for lane in range(self.width)]
            return lanes[0] if self.width == 1 else w.gather(lanes)
        start = self._start(size, column)
        square = self.squares.get((block, start))
        if square is None:
            rows = [
                w.value(f"load {w.number}, ptr {self._at(name, lane, start)}, align 8") for lane in range(self.width)
            ]
            square = self.squares[block, start] = w.transpose(rows)
        return square[column - start]

    def _store(self, block: int, column: int, number: str) -> None:
        w, name, size = self.writer, f"out{block}", self.program.outputs[block][1]
        if size < self.width or self.width == 1:
            for lane in range(self.width):
                single = number if self.width == 1 else w.value(f"extractelement {w.number} {number}, i64 {lane}")
                w.line(f"store double {single}, ptr {self._at(name, lane, column)}, align 8")
            return
        starts = {column // self.width * self.width, size - self.width}
        for start in starts:
            if not (start <= column < start + self.width <= size):
                continue
            columns = self.waiting.setdefault((block, start), {})
            columns[column] = number
            if len(columns) == self.width:
                rows = w.transpose([columns[start + j] for j in range(self.width)])
                for lane, row in enumerate(rows):
                    w.line(f"store {w.number} {row}, ptr {self._at(name, lane, start)}, align 8")
