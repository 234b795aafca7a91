"""Inner sums of one order, all of a program together: code that depends on the highest order alone.

The function is ``void inner(double *arrays, double *sums, i64 products, i64 squares, i64 k)``, where there are so many
vectors of products and of squares; see `_looped` for how they lie. A loop over vectors is written out for every order,
without knowing any program: one object serves them all, and a new program has only its own lines to compile.

Where the highest order is not known either, the products are looped over: that takes longer, and gives the same bits.
Such a function has one argument more, the doubles of an array.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sistel.kernels import _machine
from sistel.kernels._table_emit import TableEmitter
from sistel.kernels._writer import Writer
from sistel.once import once

INNER: Final = "inner"
_ARGUMENTS: Final = "ptr noalias %arrays, ptr noalias %sums, i64 %products, i64 %squares, i64 %k"
VERSION: Final = 1
"""Part of the cache's key: raise it with every change of the emitted text."""


@once
def inner_code(order: int, width: int, cache: Path | None) -> _machine.Code:
    """The loaded function for orders up to the highest one; the same for the whole life of the process."""
    parts = "taylor inner", VERSION, order, width
    return _machine.Code(_machine.kept(cache, parts, lambda: _machine.assemble(emit_inner(order, width))))


@once
def any_inner_code(width: int, cache: Path | None) -> _machine.Code:
    """The loaded function for all orders."""
    parts = "taylor inner of any order", VERSION, width
    return _machine.Code(_machine.kept(cache, parts, lambda: _machine.assemble(emit_any_inner(width))))


def emit_any_inner(width: int) -> str:
    """The module with the function for all orders."""
    return _AnyEmitter(width).module()


def emit_inner(order: int, width: int) -> str:
    """The module with the function."""
    return _Emitter(order, width).module()


class _Emitter:
    def __init__(self, order: int, width: int) -> None:
        self.order = order
        self.width = width
        self.w = Writer(1)
        self.v = self.w.of_width(width)
        self.array = order * width

    def module(self) -> str:
        w = self.w
        w.line("%all = add i64 %products, %squares")
        cases = " ".join(f"i64 {k}, label %order{k}" for k in range(1, self.order + 1))
        w.line(f"switch i64 %k, label %done [ {cases} ]")
        for k in range(1, self.order + 1):
            w.label(f"order{k}")
            if k == 1:
                self._loop("none", "%all", ("%arrays", "%sums"), 0, lambda base: self.v.constant(0.0))
            else:
                at = self._loop(
                    f"products{k}", "%products", ("%arrays", "%sums"), 2, functools.partial(self._products, k)
                )
                self._loop(f"squares{k}", "%squares", at, 1, functools.partial(self._squares, k))
            w.line("br label %done")
        w.label("done")
        return _module(w, self.width, _ARGUMENTS)

    def _loop(
        self, name: str, count: str, begin: tuple[str, str], arrays: int, total: Callable[[str], str]
    ) -> tuple[str, str]:
        """A loop over vectors of sums; returns where the next kind begins."""
        w, v = self.w, self.v
        origin = w.block
        w.line(f"%{name}.none = icmp eq i64 {count}, 0")
        w.line(f"br i1 %{name}.none, label %{name}.end, label %{name}")
        w.label(name)
        w.line(f"%{name}.i = phi i64 [ {count}, %{origin} ], [ %{name}.left, %{name} ]")
        w.line(f"%{name}.from = phi ptr [ {begin[0]}, %{origin} ], [ %{name}.from.next, %{name} ]")
        w.line(f"%{name}.to = phi ptr [ {begin[1]}, %{origin} ], [ %{name}.to.next, %{name} ]")
        # Frozen, so that the code generator does not look for better ways to count: that takes a third of its time.
        base = w.value(f"freeze ptr %{name}.from")
        w.line(f"store {v.number} {total(base)}, ptr %{name}.to, align 8")
        w.line(f"%{name}.from.next = getelementptr double, ptr {base}, i64 {arrays * self.array}")
        w.line(f"%{name}.to.next = getelementptr double, ptr %{name}.to, i64 {self.width}")
        w.line(f"%{name}.left = sub i64 %{name}.i, 1")
        w.line(f"%{name}.more = icmp ne i64 %{name}.left, 0")
        w.line(f"br i1 %{name}.more, label %{name}, label %{name}.end")
        w.label(f"{name}.end")
        w.line(f"%{name}.from.end = phi ptr [ {begin[0]}, %{origin} ], [ %{name}.from.next, %{name} ]")
        w.line(f"%{name}.to.end = phi ptr [ {begin[1]}, %{origin} ], [ %{name}.to.next, %{name} ]")
        return f"%{name}.from.end", f"%{name}.to.end"

    def _load(self, base: str, array: int, j: int) -> str:
        v = self.v
        at = v.value(f"getelementptr double, ptr {base}, i64 {array * self.array + (j - 1) * self.width}")
        return v.value(f"load {v.number}, ptr {at}, align 8")

    def _products(self, k: int, base: str) -> str:
        v, total = self.v, ""
        for j in _outward(k):
            a, b = self._load(base, 0, j), self._load(base, 1, k - j)
            total = v.fused(a, b, total) if total else v.multiply(a, b)
        return total

    def _squares(self, k: int, base: str) -> str:
        v, total = self.v, ""
        for j in _outward(k):
            if 2 * j < k:
                a, b = self._load(base, 0, j), self._load(base, 0, k - j)
                total = v.fused(a, b, total) if total else v.multiply(a, b)
        total = v.add(total, total) if total else ""
        if k % 2 == 0:
            middle = self._load(base, 0, k // 2)
            total = v.fused(middle, middle, total) if total else v.multiply(middle, middle)
        return total


class _AnyEmitter(TableEmitter):
    """The same sums in the same order, with the orders in loops."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.v = self.w.of_width(width)

    def module(self) -> str:
        w = self.w
        w.line("%middle = lshr i64 %k, 1")
        w.line("%odd = trunc i64 %k to i1")
        w.line("%high = add i64 %middle, 1")
        w.line("%below = sub i64 %middle, 1")
        w.line("%low = select i1 %odd, i64 %middle, i64 %below")
        w.line("%none = icmp eq i64 %k, 1")
        # A product plus a negative zero is the product, whatever its sign; order 1 has a zero.
        start = self.v.value(
            f"select i1 %none, {self.v.number} {self.v.constant(0.0)}, {self.v.number} {self.v.constant(-0.0)}"
        )
        w.line("br i1 %odd, label %at.odd, label %at.even")
        for name, even in (("at.odd", False), ("at.even", True)):
            w.label(name)
            self._loops(even, start)
            w.line("br label %done")
        w.label("done")
        return _module(w, self.width, f"{_ARGUMENTS}, i64 %array")

    def _loops(self, even: bool, start: str) -> None:
        w, v = self.w, self.v

        def each(square: bool, _: str, carried: list[str]) -> list[str]:
            arrays, sums = carried
            other = arrays if square else self._at(arrays, "%array")
            total = start
            if even and not square:
                total = v.fused(self._load(arrays, "%middle"), self._load(other, "%middle"), total)

            def pair(i: str, totals: list[str]) -> list[str]:
                low, high = w.value(f"sub i64 %low, {i}"), w.value(f"add i64 %high, {i}")
                found = v.fused(self._load(arrays, low), self._load(other, high), totals[0])
                if not square:
                    found = v.fused(self._load(arrays, high), self._load(other, low), found)
                return [found]

            (total,) = self.fold("%low", [(v.number, total)], pair)
            if square:
                total = v.add(total, total)
                if even:
                    middle = self._load(arrays, "%middle")
                    total = v.fused(middle, middle, total)
            w.line(f"store {v.number} {total}, ptr {sums}, align 8")
            return [self._at(other, "%array"), self._at(sums, str(self.width))]

        begin = [("ptr", "%arrays"), ("ptr", "%sums")]
        between = self.fold("%products", begin, functools.partial(each, False))
        self.fold("%squares", [("ptr", name) for name in between], functools.partial(each, True))

    def _at(self, base: str, place: str) -> str:
        return self.w.value(f"getelementptr double, ptr {base}, i64 {place}")

    def _load(self, array: str, order: str) -> str:
        w = self.w
        place = w.value(f"mul i64 {w.value(f'sub i64 {order}, 1')}, {self.width}")
        return self.v.value(f"load {self.v.number}, ptr {self._at(array, place)}, align 8")


def _module(w: Writer, width: int, arguments: str) -> str:
    attributes = 'nounwind "no-trapping-math"="true"'
    if width > 4:
        attributes += ' "prefer-vector-width"="512" "min-legal-vector-width"="512"'
    return "\n".join(
        [
            f"define void @{INNER}({arguments}) #0 {{",
            "entry:",
            *w.lines,
            "  ret void",
            "}",
            *sorted(w.declarations),
            f"attributes #0 = {{ {attributes} }}",
            "",
        ]
    )


def _outward(k: int) -> list[int]:
    """From the middle outward: the vectors that were stored last come last."""
    return sorted(range(1, k), key=lambda j: max(j, k - j))
