"""The function that computes series from a table, as LLVM assembly; one for all programs."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from sistel.kernels._table_emit import TABLE, TableEmitter
from sistel.kernels.taylor._emit import FUNCTION

VERSION: Final = 3
"""Part of the cache's key: raise it with every change of the emitted text or of the table."""


class Step(IntEnum):
    """What is done with coefficients of one order."""

    MULTIPLY = 0
    ADD = 1
    SUBTRACT = 2
    NEGATE = 3
    FUSED = 4
    FUSED_NEGATIVE = 5
    """The first factor with the other sign."""
    CHOOSE = 6
    """The second where the first is not zero, else the third."""


OPERANDS: Final = {
    Step.MULTIPLY: 2,
    Step.ADD: 2,
    Step.SUBTRACT: 2,
    Step.NEGATE: 1,
    Step.FUSED: 3,
    Step.FUSED_NEGATIVE: 3,
    Step.CHOOSE: 3,
}

WORDS: Final = (
    "size.count",  # components of the state
    "functions.count",
    "stride.count",  # of the table of coefficients
    "highest.count",  # order
    "width.count",  # doubles in a vector of inner sums
    "array.count",  # doubles of an array of vectors
    "products.count",  # vectors of them
    "squares.count",
    "rates.count",  # places in the room: of the rates at order 0; the functions at order 0 follow
    "state.count",  # of the state's coefficients
    "inverse.count",  # of 1 over the order
    "sums.count",  # of the inner sums
    "made.count",  # of what the steps give
    "arrays.count",  # of the arrays of vectors
    "start",  # the function of order 0
    "inner",  # the function of the inner sums
    "runs.count",
    "runs",
    "operands",
    "plain.count",  # coefficients that are stored in the arrays: pairs of places
    "plain",
    "weighted.count",  # those that are stored times their order
    "weighted",
    "results",  # places of the rates, then of the functions
)


def emit_table() -> str:
    """The module with ``void taylor(double *y, double *p, double *table, double *scratch)``."""
    return _Emitter().module()


class _Emitter(TableEmitter):
    def module(self) -> str:
        w = self.w
        self.words(WORDS)
        w.line("%room = getelementptr double, ptr %scratch, i64 0")
        w.line("%arguments = alloca i64, i64 6, align 8")
        for place, name in ((0, "%y"), (2, "%p"), (4, "%room")):
            at = w.value(f"getelementptr i64, ptr %arguments, i64 {place}")
            w.line(f"store ptr {name}, ptr {at}, align 8")
            at = w.value(f"getelementptr i64, ptr %arguments, i64 {place + 1}")
            w.line(f"store i64 0, ptr {at}, align 8")
        w.line("call void %start(i64 0, i64 1, ptr %arguments)")
        w.line("%rates = getelementptr double, ptr %room, i64 %rates.count")
        w.line("%values = getelementptr double, ptr %rates, i64 %size.count")
        w.line("%below.count = mul i64 %size.count, %stride.count")
        w.line("%below = getelementptr double, ptr %table, i64 %below.count")
        for name in ("state", "sums", "made", "arrays"):
            w.line(f"%{name} = getelementptr double, ptr %room, i64 %{name}.count")

        def begin(row: str, _: str) -> None:
            at = self._cell("%table", row)
            self.store(at, "0", self.load("double", "%y", row))
            self.store(at, "1", self.load("double", "%rates", row))

        self.loop("row", "%size.count", "", begin)
        self._column("%below", "%functions.count", lambda row: self.load("double", "%values", row))
        self.loop("order", "%highest.count", "", self._order)
        arguments = ", ".join(f"ptr noalias %{name}" for name in ("y", "p", "table", "scratch"))
        parts = [
            f"@{TABLE} = global [{len(WORDS)} x i64] zeroinitializer, align 8",
            f"define void @{FUNCTION}({arguments}) #0 {{",
            "entry:",
            *w.lines,
            "  ret void",
            "}",
            *sorted(w.declarations),
            'attributes #0 = { nounwind "no-trapping-math"="true" }',
        ]
        return "\n".join(parts) + "\n"

    def _cell(self, base: str, row: str) -> str:
        w = self.w
        return w.value(f"getelementptr double, ptr {base}, i64 {w.value(f'mul i64 {row}, %stride.count')}")

    def _column(self, base: str, count: str, value: Callable[[str], str]) -> None:
        """Fill a column of the table from its first cell down."""
        self.loop("cell", count, "", lambda row, _: self.store(self._cell(base, row), "0", value(row)))

    def _order(self, before: str, _: str) -> None:
        """The steps of one order, the one after `before`."""
        w = self.w
        k = w.value(f"add i64 {before}, 1")
        vectors = "ptr %arrays, ptr %sums, i64 %products.count, i64 %squares.count"
        w.line(f"call void %inner({vectors}, i64 {k}, i64 %array.count)")
        order = w.value(f"sitofp i64 {k} to double")
        one = w.constant(1.0)
        self.store("%room", "%inverse.count", w.divide(one, order))
        next_inverse = w.divide(one, w.value(f"sitofp i64 {w.value(f'add i64 {k}, 1')} to double"))
        column = w.value(f"getelementptr double, ptr %table, i64 {k}")
        after = w.value(f"getelementptr double, ptr {column}, i64 1")
        lower = w.value(f"getelementptr double, ptr %below, i64 {k}")

        def known(row: str, _: str) -> None:
            self.store("%state", row, self.load("double", self._cell(column, row), "0"))

        self.loop("known", "%size.count", "", known)
        self.runs(
            "%made",
            {
                Step.MULTIPLY: (2, lambda x: w.multiply(*x)),
                Step.ADD: (2, lambda x: w.add(*x)),
                Step.SUBTRACT: (2, lambda x: w.subtract(*x)),
                Step.NEGATE: (1, lambda x: w.negate(*x)),
                Step.FUSED: (3, lambda x: w.fused(*x)),
                Step.FUSED_NEGATIVE: (3, lambda x: w.fused(w.negate(x[0]), x[1], x[2])),
                Step.CHOOSE: (3, lambda x: w.select(w.compare("une", x[0], w.constant(0.0)), x[1], x[2])),
            },
        )
        place = w.value(f"getelementptr double, ptr %arrays, i64 {w.value(f'mul i64 {before}, %width.count')}")
        self._scatter("plain", place, lambda value: value)
        self._scatter("weighted", place, lambda value: w.multiply(value, order))
        self._column(
            after, "%size.count", lambda row: w.multiply(self.read(self.load("i32", "%results", row)), next_inverse)
        )
        functions = w.value("getelementptr i32, ptr %results, i64 %size.count")
        self._column(lower, "%functions.count", lambda row: self.read(self.load("i32", functions, row)))

    def _scatter(self, name: str, vectors: str, value: Callable[[str], str]) -> None:
        """Store values in the arrays of vectors."""
        w = self.w

        def store(i: str, at: str) -> str:
            place = w.value(f"zext i32 {self.load('i32', at, '1')} to i64")
            self.store(vectors, place, value(self.read(self.load("i32", at, "0"))))
            return w.value(f"getelementptr i32, ptr {at}, i64 2")

        self.loop(name, f"%{name}.count", f"%{name}", store)
