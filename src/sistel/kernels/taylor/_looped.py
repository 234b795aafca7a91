"""Orders that share their code: for programs with many inner sums.

Inner sums need lower orders alone, so those of one order are computed all together before anything else of that order,
one in each lane of a vector (see `_inner`). For this each inner sum has a lane of two arrays of vectors, in which the
coefficients of its two series are stored, vector after vector in the order of coefficients: the sum takes one of them
forward and the other backward, and no lane meets another. What is left of an order are linear steps, functions that are
called for every order.

The scratch memory, counted in doubles:

- values made of order 0 that the steps multiply with;
- coefficients that one function of the steps leaves for another;
- inner sums of the order that is being computed, in whole vectors: first products, then squares;
- the arrays, a vector for each of the orders 1 … `order`: two arrays for every vector of products, one for squares.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sistel.kernels.taylor._steps import STEPS, Places, Steps

if TYPE_CHECKING:
    from sistel.kernels._writer import Writer
    from sistel.kernels.taylor._emit import Table
    from sistel.kernels.taylor._plan import Plan
    from sistel.kernels.taylor._start import Start


INNER_TABLE: Final = "inner_address"
"""A variable of the object: where the function of the inner sums is. Filled when the object is loaded."""


class Looped:
    """A module of this kind in the making: first the steps, which say what order 0 has to leave for them."""

    def __init__(self, w: Writer, plan: Plan, table: Table, order: int, width: int) -> None:
        self.w = w
        self.plan = plan
        self.table = table
        self.places = Places(plan, width, order)
        self.highest = order if plan.functions else order - 1
        steps = Steps(plan, self.places, table.stride, table.held)
        self.steps = steps.write()
        """The functions of the steps."""
        w.declarations |= steps.declarations
        carried = len(steps.zeros)
        sums = -(-(carried + len(steps.carried)) // 8) * 8  # on a border of cache lines
        arrays = sums + (self.places.products + self.places.squares) * width
        self.scratch = arrays + self.places.arrays * self.places.array
        """Doubles of scratch memory."""
        self.rooms = ("zeros", 0), ("carried", carried), ("sums", sums), ("arrays", arrays)
        """Parts of the scratch memory, and where they begin."""
        self._point(w)
        self.zeros: dict[int, list[tuple[str, int, int]]] = {}
        """What is stored as soon as a series has its value: what is made of which series, and its place."""
        for (what, series), place in steps.zeros.items():
            last = plan.norms[series] if what in ("across", "along") else series
            self.zeros.setdefault(last, []).append((what, series, place))

    def keep(self, start: Start, series: int) -> None:
        """Store what the steps need of a value of order 0."""
        for what, of, place in self.zeros.get(series, ()):
            at = self.w.value(f"getelementptr double, ptr %zeros, i64 {place}")
            self.w.line(f"store double {start.derived(what, of)}, ptr {at}, align 8")

    def _point(self, w: Writer) -> None:
        for name, at in self.rooms:
            w.line(f"%{name} = getelementptr double, ptr %scratch, i64 {at}")

    def write(self, start: Start, last: int | None = None) -> None:
        """Write the orders from 1, to the highest or to another."""
        for row, line in enumerate(self.plan.rates):
            self.table.put(row, 1, start.value[line])
        self._orders(self.w, 1, self.highest if last is None else last)

    def write_rest(self, w: Writer, first: int) -> None:
        """Write the orders from another one, as a function of its own."""
        self._point(w)
        self._orders(w, first, self.highest)

    def _orders(self, w: Writer, first: int, last: int) -> None:
        places = self.places
        w.declarations.add(f"@{INNER_TABLE} = global ptr null, align 8")
        inner = w.value(f"load ptr, ptr @{INNER_TABLE}, align 8")
        for k in range(first, last + 1):
            if self.plan.inner:
                counts = f"i64 {places.products}, i64 {places.squares}, i64 {k}"
                w.line(f"call void {inner}(ptr %arrays, ptr %sums, {counts})")
            vectors = w.value(f"getelementptr double, ptr %arrays, i64 {(k - 1) * places.width}")
            column = w.value(f"getelementptr double, ptr %table, i64 {k}")
            pointers = ", ".join(f"ptr {name}" for name in ("%zeros", "%sums", vectors, column, "%carried"))
            numbers = ", ".join(f"double {w.constant(x)}" for x in (float(k), 1.0 / k, 1.0 / (k + 1)))
            w.line(f"call void @{STEPS}({pointers}, {numbers})")
