"""The function that computes a program from its table, as LLVM assembly; one for all programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from sistel.expr import ARITY, Op
from sistel.kernels._sincos import far_function, write_sincos
from sistel.kernels._writer import Writer

VERSION: Final = 2
"""Part of the cache's key: raise it with every change of the emitted text or of the table."""
FUNCTION: Final = "kernel"
TABLE: Final = "table"
"""A variable of the object: the words below. Filled when the object is loaded, once for every program."""
WORDS: Final = (
    "values",  # how many there are
    "constants.count",
    "constants",
    "inputs.count",  # blocks
    "inputs",  # their sizes
    "runs.count",
    "runs",  # pairs: operation, how many of it
    "operands",  # indices of values, in the order of the operations
    "outputs.count",
    "outputs",
    "results",  # indices of values
)
"""Values are the constants, then the inputs, then what the operations give, in their order."""

MOST_ON_STACK: Final = 16384
"""Values that a call keeps on its stack; more are kept on the heap: threads may have little of the former."""

_ARITHMETIC: Final = {Op.ADD: "fadd", Op.SUBTRACT: "fsub", Op.MULTIPLY: "fmul", Op.DIVIDE: "fdiv"}
_COMPARISONS: Final = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
_INTRINSICS: Final = {Op.SQRT: "sqrt", Op.ABSOLUTE: "fabs", Op.FLOOR: "floor"}
_LIBRARY: Final = {Op.EXP: "exp", Op.LOG: "log", Op.ATAN2: "atan2"}


def emit_table() -> str:
    """The module with ``void kernel(i64 begin, i64 end, ptr arguments)``, see `_emit`."""
    return _Emitter().module()


class TableEmitter:
    """Pieces of functions that read tables; values are in the array `%room`."""

    def __init__(self) -> None:
        self.w = Writer(1)

    def words(self, names: Sequence[str]) -> None:
        """Load the words of the table: whole numbers where their names say so, else pointers."""
        w = self.w
        for place, word in enumerate(names):
            kind = "i64" if word.endswith(("count", "values")) else "ptr"
            at = w.value(f"getelementptr i64, ptr @{TABLE}, i64 {place}")
            w.line(f"%{word} = load {kind}, ptr {at}, align 8")

    def loop(self, name: str, count: str, begin: str, body: Callable[[str, str], str | None]) -> str:
        """A loop that may be empty; `body` gets the index and a pointer and gives the next one; returns the last."""
        if begin:
            (last,) = self.fold(count, [("ptr", begin)], lambda i, at: [body(i, at[0]) or ""], name)
            return last

        def each(i: str, _: list[str]) -> list[str]:
            body(i, "")
            return []

        self.fold(count, (), each, name)
        return ""

    def fold(
        self,
        count: str,
        begin: Sequence[tuple[str, str]],
        body: Callable[[str, list[str]], list[str]],
        name: str = "fold",
    ) -> list[str]:
        """A loop that may be empty and carries values: their types and first ones; returns the last ones."""
        w = self.w
        name, origin = w.name(name), w.block
        w.line(f"%{name}.any = icmp sgt i64 {count}, 0")
        w.line(f"br i1 %{name}.any, label %{name}, label %{name}.end")
        w.label(name)
        start = len(w.lines)
        after = body(f"%{name}.i", [f"%{name}.{k}" for k in range(len(begin))])
        phis = [f"  %{name}.i = phi i64 [ 0, %{origin} ], [ %{name}.next, %{w.block} ]"]
        for k, (kind, first) in enumerate(begin):
            phis.append(f"  %{name}.{k} = phi {kind} [ {first}, %{origin} ], [ {after[k]}, %{w.block} ]")
        w.lines[start:start] = phis
        w.line(f"%{name}.next = add i64 %{name}.i, 1")
        w.line(f"%{name}.more = icmp slt i64 %{name}.next, {count}")
        last = w.block
        w.line(f"br i1 %{name}.more, label %{name}, label %{name}.end")
        w.label(f"{name}.end")
        return [
            w.value(f"phi {kind} [ {first}, %{origin} ], [ {value}, %{last} ]")
            for (kind, first), value in zip(begin, after, strict=True)
        ]

    def load(self, kind: str, base: str, index: str) -> str:
        """An element of an array."""
        at = self.w.value(f"getelementptr {kind}, ptr {base}, i64 {index}")
        return self.w.value(f"load {kind}, ptr {at}, align {4 if kind == 'i32' else 8}")

    def store(self, base: str, index: str, value: str) -> None:
        """Put a double into an array."""
        at = self.w.value(f"getelementptr double, ptr {base}, i64 {index}")
        self.w.line(f"store double {value}, ptr {at}, align 8")

    def read(self, index: str) -> str:
        """The value of an index of 32 bits."""
        return self.load("double", "%room", self.w.value(f"zext i32 {index} to i64"))

    def runs(self, made: str, operations: Mapping[int, tuple[int, Callable[[list[str]], str]]]) -> None:
        """Go through the runs of operations.

        Args:
            made: Where the first result goes.
            operations: By their numbers, how many operands they have, and what writes their instructions.
        """
        w = self.w
        origin = w.block
        w.line("br label %run")
        w.label("run")
        join = [f"%run.{word}.next, %run.end" for word in ("i", "from", "to")]
        w.line(f"%run.i = phi i64 [ 0, %{origin} ], [ {join[0]} ]")
        w.line(f"%run.from = phi ptr [ %operands, %{origin} ], [ {join[1]} ]")
        w.line(f"%run.to = phi ptr [ {made}, %{origin} ], [ {join[2]} ]")
        w.line("%run.more = icmp slt i64 %run.i, %runs.count")
        w.line("br i1 %run.more, label %run.body, label %run.done")
        w.label("run.body")
        place = w.value("shl i64 %run.i, 1")
        kind = self.load("i32", "%runs", place)
        count = w.value(f"zext i32 {self.load('i32', '%runs', w.value(f'add i64 {place}, 1'))} to i64")
        cases = " ".join(f"i32 {op}, label %op{op}" for op in operations)
        w.line(f"switch i32 {kind}, label %run.bad [ {cases} ]")
        w.label("run.bad")
        w.line("unreachable")
        ends: list[tuple[str, str]] = []
        for op in operations:
            w.label(f"op{op}")
            after = self.loop("each", count, "%run.from", partial(self._step, *operations[op]))
            ends.append((after, w.block))
            w.line("br label %run.end")
        w.label("run.end")
        w.line("%run.from.next = phi ptr " + ", ".join(f"[ {after}, %{block} ]" for after, block in ends))
        w.line(f"%run.to.next = getelementptr double, ptr %run.to, i64 {count}")
        w.line("%run.i.next = add i64 %run.i, 1")
        w.line("br label %run")
        w.label("run.done")

    def _step(self, operands: int, write: Callable[[list[str]], str], i: str, at: str) -> str:
        """One operation: its operands are there, its result goes to place i of the run."""
        names = [self.read(self.load("i32", at, str(k))) for k in range(operands)]
        self.store("%run.to", i, write(names))
        return self.w.value(f"getelementptr i32, ptr {at}, i64 {operands}")


class _Emitter(TableEmitter):
    def module(self) -> str:
        w = self.w
        self.words(WORDS)
        self._make_room()

        def constant(i: str, _: str) -> None:
            self.store("%room", i, self.load("double", "%constants", i))

        self.loop("constant", "%constants.count", "", constant)
        # Rows: the block after the loop over outputs leads back.
        origin = w.block
        w.line("br label %head")
        w.label("head")
        w.line(f"%i = phi i64 [ %begin, %{origin} ], [ %next, %tail ]")
        w.line("%more = icmp slt i64 %i, %end")
        w.line("br i1 %more, label %body, label %done")
        w.label("body")
        inputs = w.value("getelementptr double, ptr %room, i64 %constants.count")
        made = self.loop("input", "%inputs.count", inputs, self._input)
        operations = [op for op in Op if op not in (Op.CONSTANT, Op.INPUT)]
        self.runs(made, {op.value: (ARITY[op], partial(self._number, op)) for op in operations})
        self.loop("output", "%outputs.count", "%results", self._output)
        w.line("br label %tail")
        w.label("tail")
        w.line("%next = add i64 %i, 1")
        w.line("br label %head")
        w.label("done")
        # Where nothing was taken from the heap, this gives back nothing.
        w.line(f"call void {w.library_function('free')}(ptr %heap) nounwind")
        far, more = far_function(1)
        parts = [
            f"@{TABLE} = global [{len(WORDS)} x i64] zeroinitializer, align 8",
            f"define void @{FUNCTION}(i64 %begin, i64 %end, ptr noalias %arguments) #0 {{",
            "entry:",
            *w.lines,
            "  ret void",
            "}",
            far,
            *sorted(w.declarations | more),
            'attributes #0 = { nounwind "no-trapping-math"="true" }',
            '!0 = !{!"branch_weights", i32 1, i32 100000}',
        ]
        return "\n".join(parts) + "\n"

    def _make_room(self) -> None:
        """The array of values: on the stack if it is small, or where the heap has no room for it."""
        w = self.w
        w.line(f"%many = icmp sgt i64 %values, {MOST_ON_STACK}")
        w.line("br i1 %many, label %take, label %taken")
        w.label("take")
        size = w.value("shl i64 %values, 3")
        w.line(f"%got = call ptr {w.library_function('malloc')}(i64 {size}) nounwind")
        w.line("br label %taken")
        w.label("taken")
        w.line("%heap = phi ptr [ null, %entry ], [ %got, %take ]")
        w.line("%none = icmp eq ptr %heap, null")
        count = w.value("select i1 %none, i64 %values, i64 1")
        w.line(f"%stack = alloca double, i64 {count}, align 64")
        w.line("%room = select i1 %none, ptr %stack, ptr %heap")

    # --- pieces ------------------------------------------------------------------------------------------------------

    def _row(self, block: str) -> str:
        """Where the row of a block begins."""
        w = self.w
        place = w.value(f"shl i64 {block}, 1")
        base = self.load("ptr", "%arguments", place)
        stride = self.load("i64", "%arguments", w.value(f"add i64 {place}, 1"))
        return w.value(f"getelementptr i8, ptr {base}, i64 {w.value(f'mul i64 %i, {stride}')}")

    def _input(self, block: str, to: str) -> str:
        size, row = self.load("i64", "%inputs", block), self._row(block)
        self.loop("number", size, "", lambda i, _: self.store(to, i, self.load("double", row, i)))
        return self.w.value(f"getelementptr double, ptr {to}, i64 {size}")

    def _output(self, block: str, results: str) -> str:
        w = self.w
        size, row = self.load("i64", "%outputs", block), self._row(w.value(f"add i64 {block}, %inputs.count"))

        def number(i: str, _: str) -> None:
            self.store(row, i, self.read(self.load("i32", results, i)))

        self.loop("result", size, "", number)
        return w.value(f"getelementptr i32, ptr {results}, i64 {size}")

    def _number(self, op: Op, names: list[str]) -> str:
        w = self.w
        if op in _ARITHMETIC:
            return w.value(f"{_ARITHMETIC[op]} double {names[0]}, {names[1]}")
        if op == Op.NEGATE:
            return w.negate(names[0])
        if op in (Op.SIN, Op.COS):
            return write_sincos(w, names[0])[0 if op == Op.SIN else 1]
        if op in _INTRINSICS:
            return w.intrinsic(_INTRINSICS[op], *names)
        if op in _LIBRARY:
            return w.library(_LIBRARY[op], *names)
        if op in (Op.MINIMUM, Op.MAXIMUM):
            a, b = names
            ordered = w.select(w.compare("olt" if op == Op.MINIMUM else "ogt", b, a), b, a)
            return w.select(w.compare("uno", b, b), b, ordered)
        if op == Op.SELECT:
            return w.select(self._true(names[0]), names[1], names[2])
        if op in _COMPARISONS:
            truth = w.compare(_COMPARISONS[op], *names)
        elif op == Op.NOT:
            truth = w.compare("oeq", names[0], w.constant(0.0))
        else:
            truth = w.value(f"{'and' if op == Op.AND else 'or'} i1 {self._true(names[0])}, {self._true(names[1])}")
        return w.value(f"uitofp i1 {truth} to double")

    def _true(self, name: str) -> str:
        # NaN is "not zero", as in Python.
        return self.w.compare("une", name, self.w.constant(0.0))
