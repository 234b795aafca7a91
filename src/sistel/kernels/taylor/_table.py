"""Series of a long program from a table: there at once, while machine code of its own would take a second to make.

The same recurrences in the same order as in machine code, hence the same bits: what would become an instruction of the
steps of one order (see `_steps`) becomes a line of the table here. Order 0 is a program, with the factors of the
recurrences among its results, and is computed from a table too.

The scratch memory, counted in doubles: the results of order 0 (factors, rates, functions), the state's coefficients of
the order that is being computed, 1 over the order, inner sums, what the steps give, and the arrays of vectors.
"""

from __future__ import annotations

import ctypes
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.expr import Op, Program
from sistel.kernels import _machine
from sistel.kernels._table import Table, lay_out, pack, schedule, unpack, unpacked
from sistel.kernels._table_emit import TABLE
from sistel.kernels._writer import Writer
from sistel.kernels.taylor._emit import FUNCTION, stride_of
from sistel.kernels.taylor._inner import INNER, any_inner_code
from sistel.kernels.taylor._linear import linear_lines
from sistel.kernels.taylor._recurrence import Recurrence
from sistel.kernels.taylor._steps import Places
from sistel.kernels.taylor._table_emit import VERSION, WORDS, Step, emit_table
from sistel.once import once

if TYPE_CHECKING:
    from sistel.kernels.taylor._plan import Inner, Plan

_PARTS: Final = ("counts", "runs", "operands", "plain", "weighted", "results")
_ORDER: Final = ("stride.count", "highest.count", "array.count")
"""What the highest order tells; nothing else of a table depends on it."""
_COUNTS: Final = (*(word for word in WORDS if word.endswith("count") and word not in _ORDER), "parameters", "vectors")


_ZERO, _SUM, _STATE, _INVERSE, _MADE = (kind << 28 for kind in range(1, 6))
"""Names of values are numbers; beyond one of these: a factor of order 0, an inner sum, a coefficient of the state, the
inverse of the order, what a step gives."""


@once
def _object(cache: Path | None) -> bytes:
    return _machine.kept(cache, ("taylor table", VERSION), lambda: _machine.assemble(emit_table()))


class SeriesTable:
    """A table of series, loaded; see `Taylor` for what its function does.

    Attributes:
        address: Of the function, good while this object lives.
        scratch_size: Doubles of memory that a call overwrites.
    """

    def __init__(self, entry: bytes, order: int, cache: Path | None, stride: int | None = None) -> None:
        length = int.from_bytes(entry[:8], "little")
        parts = unpack(entry[8 + length :], _PARTS, ())
        counts = dict(zip(_COUNTS, parts["counts"].tolist(), strict=True))
        width = counts["width.count"]
        counts["stride.count"] = stride or stride_of(order)
        counts["highest.count"] = order if counts["functions.count"] else order - 1
        counts["array.count"] = order * width
        for name in ("plain", "weighted"):
            arrays, lanes = np.divmod(parts[name][1::2], width)
            parts[name][1::2] = arrays * (order * width) + lanes
        zeros = counts["rates.count"] + counts["size.count"] + counts["functions.count"]
        inputs = [counts["size.count"], counts["parameters"]]
        self._start = Table(unpacked(entry[8 : 8 + length]), inputs, [zeros], cache)
        self._inner = any_inner_code(width, cache)
        self._code = _machine.Code(_object(cache))
        self._parts = parts
        known = {**counts, "start": self._start.address, "inner": self._inner.address(INNER)}
        words = [known[word] if word in known else parts[word].ctypes.data for word in WORDS]
        (ctypes.c_uint64 * len(WORDS)).from_address(self._code.variable(TABLE))[:] = words
        self.address = self._code.address(FUNCTION)
        self.scratch_size = counts["arrays.count"] + counts["vectors"] * order * width


def series_table(plan: Plan, width: int) -> bytes:
    """The table of a program, as an entry of the cache; the same for all orders."""
    start, own = _Maker(plan, width).made()
    return len(start).to_bytes(8, "little") + start + own


class _Recorder(Writer):
    """Takes instructions as lines of the table. The name of a value is a number; with a minus, its negative."""

    def __init__(self, start: _Start) -> None:
        super().__init__(1)
        self.start = start
        self.work: dict[int, tuple[int, ...]] = {}

    def put(self, kind: Step, *operands: str) -> str:
        numbers = [int(self.positive(each)) for each in operands]
        name = _MADE + len(self.work)
        self.work[name] = (int(kind), *numbers)
        return str(name)

    def constant(self, value: float) -> str:
        return self.start.constant(value)

    def positive(self, name: str) -> str:
        """The same as a value of its own."""
        return self.put(Step.NEGATE, name[1:]) if name.startswith("-") else name

    def multiply(self, a: str, b: str) -> str:
        return self.put(Step.MULTIPLY, a, b)

    def add(self, a: str, b: str) -> str:
        return self.put(Step.ADD, a, b)

    def subtract(self, a: str, b: str) -> str:
        return self.put(Step.SUBTRACT, a, b)

    def negate(self, a: str) -> str:
        return a[1:] if a.startswith("-") else "-" + a

    def fused(self, a: str, b: str, c: str) -> str:
        if a.startswith("-"):
            return self.put(Step.FUSED_NEGATIVE, a[1:], b, c)
        return self.put(Step.FUSED, a, b, c)

    def compare(self, predicate: str, a: str, b: str) -> str:
        assert predicate == "une"
        return a  # a choice asks for what is not zero

    def select(self, truth: str, a: str, b: str) -> str:
        return self.put(Step.CHOOSE, truth, a, b)


class _Maker:
    """A table in the making; what is known in its steps, see `Before`."""

    def __init__(self, plan: Plan, width: int) -> None:
        self.plan = plan
        self.places = Places(plan, width, 1)  # arrays of one vector: `SeriesTable` makes them longer
        self.start = _Start(plan)
        self.w = _Recorder(self.start)

    def made(self) -> tuple[bytes, bytes]:
        plan, places, w, start = self.plan, self.places, self.w, self.start
        recurrence = Recurrence(w, plan, self, self._absent)
        stored: dict[bool, list[tuple[str, int]]] = {False: [], True: []}

        def keep(series: int) -> None:
            value = recurrence.new[series]
            if series in places.slots:
                name = w.positive(value or start.constant(0.0))
                for slot in places.slots[series]:
                    stored[slot.weighted].append((name, slot.offset))

        recurrence.run(linear_lines(plan, list(plan.carried)), keep)
        results = [
            w.positive((recurrence.value(line) if plan.moving[line] else None) or start.constant(0.0))
            for line in (*plan.rates, *plan.functions)
        ]
        zeros = len(start.zeros)
        state = zeros + len(results)
        inverse = state + plan.size
        sums = -(-(inverse + 1) // 8) * 8  # on a border of cache lines
        made = sums + (places.products + places.squares) * places.width
        arrays = -(-(made + len(w.work)) // 8) * 8
        slot = {_ZERO + i: i for i in range(zeros)}
        slot |= {_SUM + i: sums + i for i in range(made - sums)}
        slot |= {_STATE + i: state + i for i in range(plan.size)} | {_INVERSE: inverse}
        runs, operands = schedule(w.work, slot, made)
        pairs = {
            weighted: array("i", [number for name, at in stored[weighted] for number in (slot[int(name)], at)])
            for weighted in stored
        }
        counts = {
            "size.count": plan.size,
            "functions.count": len(plan.functions),
            "width.count": places.width,
            "products.count": places.products,
            "squares.count": places.squares,
            "rates.count": zeros,
            "state.count": state,
            "inverse.count": inverse,
            "sums.count": sums,
            "made.count": made,
            "arrays.count": arrays,
            "runs.count": len(runs) // 2,
            "plain.count": len(pairs[False]) // 2,
            "weighted.count": len(pairs[True]) // 2,
            "parameters": plan.parameters,
            "vectors": places.arrays,
        }
        own = pack(
            array("i", [counts[word] for word in _COUNTS]),
            runs,
            operands,
            pairs[False],
            pairs[True],
            array("i", [slot[int(name)] for name in results]),
        )
        return pack(*lay_out(start.program())), own

    # --- what is known -----------------------------------------------------------------------------------------------

    def zero(self, what: str, series: int) -> str:
        return self.start.zero(what, series)

    def inner(self, which: Inner) -> str | None:
        total = str(_SUM + self.places.result[which])
        return self.w.multiply(total, str(_INVERSE)) if which.weighted else total

    def _absent(self, series: int) -> str | None:
        program = self.plan.program
        assert program.operation[series] == Op.INPUT
        return str(_STATE + program.second[series])


class _Start:
    """Order 0 as a program: the lines there are, and those that make factors of them (see `Start.derived`)."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        whole = plan.program
        self.lines = list(zip(whole.operation, whole.first, whole.second, whole.third, whole.number, strict=True))
        for i, (op, block, place, third, number) in enumerate(self.lines):
            if op == Op.INPUT:
                self.lines[i] = op, 0 if block == plan.state else 1, place, third, number
        self.zeros: dict[tuple[str, int] | float, tuple[int, int]] = {}
        """Places of factors among the results, and their lines."""
        self.known: dict[tuple[int, ...], int] = {}
        self.numbers: dict[float, int] = {}
        self.auxiliary: dict[int, int] = {}
        """Lines of auxiliary series."""

    def zero(self, what: str, series: int) -> str:
        """The name of a factor."""
        key = what, series
        if key not in self.zeros:
            self.zeros[key] = len(self.zeros), self._derived(what, series)
        return str(_ZERO + self.zeros[key][0])

    def constant(self, value: float) -> str:
        """The name of a number."""
        if value not in self.zeros:
            self.zeros[value] = len(self.zeros), self._number(value)
        return str(_ZERO + self.zeros[value][0])

    def program(self) -> Program:
        """The program: y and p to the factors, the rates and the functions."""
        plan = self.plan
        results = [line for _, line in self.zeros.values()] + list(plan.program.results)
        operation, first, second, third, number = zip(*self.lines, strict=True)
        return Program(
            inputs=(("y", plan.size), ("p", plan.parameters)),
            outputs=(("zeros", len(results)),),
            operation=operation,
            number=number,
            results=tuple(results),
            first=first,
            second=second,
            third=third,
        )

    def _line(self, op: Op, *operands: int) -> int:
        key = (op.value, *operands)
        if key not in self.known:
            self.known[key] = len(self.lines)
            a, b, c = (*operands, -1, -1)[:3]
            self.lines.append((op.value, a, b, c, 0.0))
        return self.known[key]

    def _number(self, value: float) -> int:
        if value not in self.numbers:
            self.numbers[value] = len(self.lines)
            self.lines.append((Op.CONSTANT.value, -1, -1, -1, value))
        return self.numbers[value]

    def _series(self, series: int) -> int:
        """The line of a series."""
        plan = self.plan
        if series < len(plan.program):
            return series
        if series not in self.auxiliary:
            for angle, pair in plan.pairs.items():
                if series in pair:
                    self.auxiliary[series] = self._line((Op.SIN, Op.COS)[pair.index(series)], angle)
            for i, norm in plan.norms.items():
                if series == norm:
                    y, x = plan.program.first[i], plan.program.second[i]
                    squares = self._line(Op.MULTIPLY, x, x), self._line(Op.MULTIPLY, y, y)
                    self.auxiliary[series] = self._line(Op.ADD, *squares)
        return self.auxiliary[series]

    def _derived(self, what: str, series: int) -> int:
        program = self.plan.program
        line = self._series(series)
        if what == "value":
            return line
        if what == "twice":
            return self._line(Op.ADD, line, line)
        if what in ("over", "half"):
            return self._line(Op.DIVIDE, self._number(1.0 if what == "over" else 0.5), line)
        if what == "ratio":
            return self._line(Op.DIVIDE, line, program.second[series])
        if what in ("across", "along"):
            part = program.second[series] if what == "across" else program.first[series]
            return self._line(Op.DIVIDE, part, self._series(self.plan.norms[series]))
        assert what == "second"
        a, b = program.first[series], program.second[series]
        if program.operation[series] == Op.ABSOLUTE:
            return self._line(Op.LESS, a, self._number(0.0))
        beyond = self._line(Op.LESS, *((b, a) if program.operation[series] == Op.MINIMUM else (a, b)))
        return self._line(Op.OR, beyond, self._line(Op.NOT, self._line(Op.EQUAL, b, b)))
