"""The function that computes series from rows, as LLVM assembly; one for all programs and orders.

Products of series are added up four orders at a time. Of the orders m … m + 3 a row keeps four sums in a vector: when m
comes, all products of two coefficients below m are added at once (`blocks`); and as soon as a coefficient of these
orders is known, its products with the first coefficients of the other series are. For these every series has its first
four coefficients behind four zeros: a vector loaded from s places before the first one is shifted by s orders.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sistel.kernels._table_emit import TABLE, TableEmitter
from sistel.kernels._writer import Writer
from sistel.kernels.taylor import _rows_build as b
from sistel.kernels.taylor._emit import FUNCTION

VERSION: Final = 1
"""Part of the cache's key: raise it with every change of the emitted text or of the table."""

WORDS: Final = (
    "size.count",  # components of the state
    "functions.count",
    "stride.count",  # of the table of coefficients
    "highest.count",  # order
    "factors.count",
    "slots.count",
    "buffer.count",  # doubles of the coefficients of one order
    "kept.count",  # vectors of sums
    "span.count",  # coefficients of a series
    "new.count",  # here and below: where parts of the scratch memory begin
    "lines.count",
    "sums.count",
    "history.count",
    "start",  # the function of order 0
    "runs.count",
    "runs",
    "references",
    "inputs.count",
    "inputs",  # pairs: a slot, and a place in the state
    "results",  # slots of the rates, then of the functions
)
RUN: Final = ("code", "count", "products", "terms", "slot", "sums", "references", "spare")
"""What is known of a run of rows: the first slot, and where its sums and its references begin."""
UNROLLED: Final = 4
"""Products of a sum that are written out one after another."""

_RUNS: Final = "ptr noalias %runs, i64 %runs.count, ptr noalias %references"
_PASSED: Final = "ptr %runs, i64 %runs.count, ptr %references"
_STEP: Final = "ptr noalias %new, ptr noalias %lines, ptr noalias %sums, ptr noalias %factors"
_ATTRIBUTES: Final = 'nounwind "no-trapping-math"="true"'


def code_of(kind: int) -> int:
    """The code of a kind of row that is no sum; sums have the number of their products, or one more than UNROLLED."""
    return UNROLLED + 1 + kind


def emit_rows() -> str:
    """The module with ``void taylor(double *y, double *p, double *table, double *scratch)``."""
    steps = [_Step(s, first=first) for s, first in ((1, True), (0, False), (1, False), (2, False))]
    emitters: list[_Emitter] = [_Blocks(), _LastBlock(), *steps, _Last(), _Main()]
    texts = [each.text() for each in emitters]
    declarations = sorted(set().union(*(each.w.declarations for each in emitters)))
    table = f"@{TABLE} = global [{len(WORDS)} x i64] zeroinitializer, align 8"
    return "\n".join([table, *texts, *declarations, f"attributes #0 = {{ {_ATTRIBUTES} }}", ""])


class _Emitter(TableEmitter, ABC):
    def __init__(self) -> None:
        super().__init__()
        self.v: Writer = self.w.of_width(4)

    @abstractmethod
    def text(self) -> str:
        """The function."""

    def when(self, truth: str, body: Callable[[], None]) -> None:
        w = self.w
        name = w.name("when")
        w.line(f"br i1 {truth}, label %{name}, label %{name}.end")
        w.label(name)
        body()
        w.line(f"br label %{name}.end")
        w.label(f"{name}.end")

    def at(self, base: str, index: str, kind: str = "double") -> str:
        return self.w.value(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def times(self, a: str, factor: int | str) -> str:
        return self.w.value(f"mul i64 {a}, {factor}")

    def plus(self, a: str, more: int | str) -> str:
        return self.w.value(f"add i64 {a}, {more}")

    def index(self, base: str, place: int) -> str:
        """A reference."""
        return self.w.value(f"zext i32 {self.load('i32', base, str(place))} to i64")

    def vector(self, base: str, index: str) -> str:
        return self.v.value(f"load {self.v.number}, ptr {self.at(base, index)}, align 8")

    def keep(self, base: str, index: str, vector: str) -> None:
        self.w.line(f"store {self.v.number} {vector}, ptr {self.at(base, index)}, align 8")

    def put(self, slot: str, value: str) -> None:
        """Store a new coefficient and its negative."""
        pair = self.w.of_width(2)
        both = pair.gather([value, self.w.negate(value)])
        self.w.line(f"store {pair.number} {both}, ptr {self.at('%new', self.times(slot, 2))}, align 8")

    def each_run(self, cases: dict[int, Callable[[dict[str, str]], None]]) -> None:
        """Go through the runs; the cases get what is known of a run."""
        w = self.w

        def run(i: str, _: str) -> None:
            base = self.at("%runs", self.times(i, len(RUN)), "i64")
            known = {name: self.load("i64", base, str(k)) for k, name in enumerate(RUN[:-1])}
            known["first"] = self.at("%references", known["references"], "i32")
            known["kept"] = self.at("%sums", known["sums"])
            end, none = w.name("end"), w.name("none")
            labels = {code: w.name("case") for code in cases}
            listed = " ".join(f"i64 {code}, label %{label}" for code, label in labels.items())
            w.line(f"switch i64 {known['code']}, label %{none} [ {listed} ]")
            for code, write in cases.items():
                w.label(labels[code])
                write(known)
                w.line(f"br label %{end}")
            w.label(none)
            w.line(f"br label %{end}")
            w.label(end)

        self.loop("run", "%runs.count", "", run)

    def function(self, head: str) -> str:
        return "\n".join([f"define {head} #0 {{", "entry:", *self.w.lines, "  ret void", "}"])


class _Step(_Emitter):
    """All rows at an order k, which is s more than a multiple of four; the first order of all is one of its own."""

    def __init__(self, s: int, *, first: bool) -> None:
        super().__init__()
        self.s, self.is_first = s, first
        self.name = "step_first" if first else f"step{s}"
        self.t = self.v
        """Writes sums."""

    def text(self) -> str:
        w = self.w
        w.line(f"%shifted = getelementptr double, ptr %lines, i64 {4 - self.s}")
        w.line("%values = getelementptr double, ptr %lines, i64 4")
        cases: dict[int, Callable[[dict[str, str]], None]] = {n: partial(self._sums, n) for n in range(UNROLLED + 2)}
        kinds = {
            b.QUOTIENT: (3, 1, self._quotient),
            b.ROOT: (2, 1, self._root),
            b.TURN: (1, 2, self._turn),
            b.GROWTH: (1, 1, self._growth),
            b.CHOICE: (3, 0, self._choice),
            b.TIMES: (1, 0, self._times),
            b.OVER: (1, 0, self._over),
        }
        for kind, (references, sums, write) in kinds.items():
            cases[code_of(kind)] = partial(self._rows, references, sums, 2 if kind == b.TURN else 1, write)
        self.each_run(cases)
        return self.function(f"internal void @{self.name}({_STEP}, double %k, double %inverse, i64 %lane, {_RUNS})")

    # --- pieces ------------------------------------------------------------------------------------------------------

    def new(self, slot: str) -> str:
        """The coefficient of order k of a slot."""
        return self.load("double", "%new", self.times(slot, 2))

    def value(self, slot: str) -> str:
        """The coefficient of order 0."""
        return self.load("double", "%values", self.times(slot, 8))

    def half(self, twice: str) -> str:
        """The first coefficients of half a number of a slot, shifted by s orders."""
        return self.vector("%shifted", self.times(twice, 4))

    def shifted(self, slot: str) -> str:
        """The first coefficients, shifted by s orders."""
        return self.half(self.times(slot, 2))

    def total(self, kept: str, place: int = 0) -> str:
        """Sums of a row so far."""
        return self.vector(kept, str(4 * place))

    def now(self, total: str) -> str:
        """The sum of order k."""
        return self.v.extract(total, self.s)

    def add(self, coefficient: str, shifted: str, total: str) -> str:
        return self.v.fused(self.v.broadcast(coefficient), shifted, total)

    def end(self, kept: str, total: str, new: Sequence[str], place: int = 0) -> None:
        """Keep the sums of a row; at order 1 with the products of two new coefficients."""
        self.keep(kept, str(4 * place), self.middle(new, total))

    def middle(self, products: Sequence[str], total: str) -> str:
        """At order 1, the products of two new coefficients, which count for order 2."""
        if not self.is_first:
            return total
        found = products[0]
        for each in products[1:]:
            found = self.w.add(found, each)
        lane = self.v.gather([self.w.constant(0.0)] * 2 + [found, self.w.constant(0.0)])
        return self.v.add(total, lane)

    def _rows(
        self, references: int, sums: int, slots: int, write: Callable[[str, str, str], None], run: dict[str, str]
    ) -> None:
        def row(i: str, at: str) -> str:
            slot = self.plus(run["slot"], self.times(i, slots))
            write(slot, at, self.at(run["kept"], self.times(i, 4 * sums)))
            return self.at(at, str(references), "i32")

        self.loop("row", run["count"], run["first"], row)

    # --- sums --------------------------------------------------------------------------------------------------------

    def _sums(self, products: int, run: dict[str, str]) -> None:
        def row(i: str, at: str) -> str:
            slot, total = self.plus(run["slot"], i), self.w.constant(0.0)
            if products:
                kept = self.at(run["kept"], self.times(i, 4))
                total, at = self._products(products, run["products"], kept, at)
            total, at = self.fold(run["terms"], [("double", total), ("ptr", at)], self._term)
            self.put(slot, total)
            return at

        self.loop("row", run["count"], run["first"], row)

    def _products(self, products: int, count: str, kept: str, at: str) -> tuple[str, str]:
        t, w = self.t, self.w
        squares: list[str] = []
        total, none = self.total(kept), t.constant(0.0)
        if products <= UNROLLED:
            chains = [total, none]
            for j in range(products):
                chains[j % 2], square = self._product(self.at(at, str(2 * j), "i32"), chains[j % 2])
                squares.append(square)
            at = self.at(at, str(2 * products), "i32")
            total = t.add(*chains) if products > 1 else chains[0]
        else:
            begin = [(t.number, total), (t.number, none), ("double", w.constant(0.0)), ("ptr", at)]

            def more(_: str, carried: list[str]) -> list[str]:
                one, other, square, here = carried
                added, new = self._product(here, one)
                # The two chains change places.
                return [other, added, w.add(square, new) if self.is_first else square, self.at(here, "2", "i32")]

            one, other, square, at = self.fold(count, begin, more)
            squares, total = [square], t.add(one, other)
        self.end(kept, total, squares)
        return self.now(total), at

    def _product(self, at: str, total: str) -> tuple[str, str]:
        """Add the products of two series with what is new; also the product of both new coefficients, at order 1."""
        w = self.w
        x, y = self.index(at, 0), self.index(at, 1)
        # Of a sign, a reference to a new coefficient takes heed, one to a line does not.
        first, second = (self.load("double", "%new", each) for each in (x, y))
        plain = [w.value(f"and i64 {each}, -2") for each in (x, y)]
        lines = [self.half(each) for each in plain]
        total = self.add(second, lines[0], self.add(first, lines[1], total))
        square = w.multiply(first, self.load("double", "%new", plain[1])) if self.is_first else ""
        return total, square

    def _term(self, _: str, carried: list[str]) -> list[str]:
        total, at = carried
        x, factor = self.load("double", "%new", self.index(at, 0)), self.load("double", "%factors", self.index(at, 1))
        return [self.w.fused(x, factor, total), self.at(at, "2", "i32")]

    # --- other rows --------------------------------------------------------------------------------------------------

    def _quotient(self, slot: str, at: str, kept: str) -> None:
        w = self.w
        a, divisor = self.index(at, 0), self.index(at, 1)
        factor, total, new = self.load("double", "%factors", self.index(at, 2)), self.total(kept), self.new(divisor)
        rest = w.add(self.new(a), self.now(total))
        found = w.multiply(w.fused(w.negate(new), self.value(slot), rest), factor)
        self.put(slot, found)
        total = self.add(w.negate(found), self.shifted(divisor), total)
        total = self.add(w.negate(new), self.shifted(slot), total)
        self.end(kept, total, [w.multiply(w.negate(found), new)])

    def _root(self, slot: str, at: str, kept: str) -> None:
        w = self.w
        factor, total = self.load("double", "%factors", self.index(at, 1)), self.total(kept)
        found = w.multiply(w.add(self.new(self.index(at, 0)), self.now(total)), factor)
        self.put(slot, found)
        total = self.add(w.multiply(w.constant(-2.0), found), self.shifted(slot), total)
        self.end(kept, total, [w.multiply(w.negate(found), found)])

    def _turn(self, slot: str, at: str, kept: str) -> None:
        w = self.w
        rate, other = self.index(at, 0), self.plus(slot, 1)
        new, shifted = self.new(rate), self.shifted(rate)
        pair = [self.total(kept, 0), self.total(kept, 1)]
        sine, cosine = (
            w.multiply(w.fused(new, self.value(series), self.now(total)), "%inverse")
            for series, total in ((other, pair[0]), (slot, pair[1]))
        )
        cosine = w.negate(cosine)
        self.put(slot, sine)
        self.put(other, cosine)
        for place, series, found in ((0, other, cosine), (1, slot, sine)):
            total = self.add(found, shifted, self.add(new, self.shifted(series), pair[place]))
            self.end(kept, total, [w.multiply(new, found)], place)

    def _growth(self, slot: str, at: str, kept: str) -> None:
        w = self.w
        rate, total = self.index(at, 0), self.total(kept)
        new = self.new(rate)
        found = w.multiply(w.fused(new, self.value(slot), self.now(total)), "%inverse")
        self.put(slot, found)
        total = self.add(found, self.shifted(rate), self.add(new, self.shifted(slot), total))
        self.end(kept, total, [w.multiply(new, found)])

    def _choice(self, slot: str, at: str, _: str) -> None:
        w = self.w
        truth = w.compare("une", self.load("double", "%factors", self.index(at, 2)), w.constant(0.0))
        self.put(slot, w.select(truth, self.new(self.index(at, 0)), self.new(self.index(at, 1))))

    def _times(self, slot: str, at: str, _: str) -> None:
        self.put(slot, self.w.multiply(self.new(self.index(at, 0)), "%k"))

    def _over(self, slot: str, at: str, _: str) -> None:
        self.put(slot, self.w.multiply(self.new(self.index(at, 0)), "%inverse"))


class _Last(_Step):
    """All rows at an order behind which no other needs their sums: the last of all, and the last of four."""

    def __init__(self) -> None:
        super().__init__(0, first=False)
        self.name = "step_last"
        self.t = self.w

    def total(self, kept: str, place: int = 0) -> str:
        return self.load("double", kept, self.plus("%lane", 4 * place))

    def now(self, total: str) -> str:
        return total

    def half(self, twice: str) -> str:
        return self.load("double", "%values", self.times(twice, 4))

    def add(self, coefficient: str, shifted: str, total: str) -> str:
        return self.w.fused(coefficient, shifted, total)

    def end(self, kept: str, total: str, new: Sequence[str], place: int = 0) -> None:
        pass


class _Blocks(_Emitter):
    """The sums of the orders m … m + 3 of products of coefficients below m, a multiple of four."""

    name = "blocks"

    def text(self) -> str:
        cases: dict[int, Callable[[dict[str, str]], None]] = dict.fromkeys(range(1, UNROLLED + 2), self._sums)
        cases[code_of(b.QUOTIENT)] = partial(self._others, 3, self._quotient)
        cases[code_of(b.ROOT)] = partial(self._others, 2, self._root)
        cases[code_of(b.TURN)] = partial(self._others, 1, self._turn)
        cases[code_of(b.GROWTH)] = partial(self._others, 1, self._growth)
        self.w.line("%steps = sdiv i64 %m, 4")
        self.w.line("%loops = sub i64 %steps, 1")
        self.each_run(cases)
        memory = "ptr noalias %history, ptr noalias %sums"
        return self.function(f"internal void @{self.name}({memory}, i64 %span, i64 %m, {_RUNS})")

    def series(self, slot: str) -> str:
        return self.at("%history", self.times(slot, "%span"))

    def products(self, x: str, y: str) -> str:
        """What two series contribute."""
        v, w = self.v, self.w
        end = self.at(y, "%m")
        totals = [v.constant(0.0)] * 2

        def add(at: str, here: str, i: int, total: str, lanes: int = 4) -> str:
            vector = self.vector(here, str(-i))
            if lanes < 4:  # the others are not known yet
                truths = ", ".join(f"i1 {int(lane < lanes)}" for lane in range(4))
                vector = v.select(f"<{truths}>", vector, v.constant(0.0))
            return v.fused(v.broadcast(self.load("double", at, str(i))), vector, total)

        for i in (1, 2, 3):
            totals[i % 2] = add(x, end, i, totals[i % 2], i)

        def more(i: str, carried: list[str]) -> list[str]:
            here = self.times(self.plus(i, 1), 4)
            forward, backward = self.at(x, here), self.at(end, w.value(f"sub i64 0, {here}"))
            for j in range(4):
                carried[j % 2] = add(forward, backward, j, carried[j % 2])
            return carried

        return v.add(*self.fold("%loops", [(v.number, total) for total in totals], more))

    def _sums(self, run: dict[str, str]) -> None:
        v, w = self.v, self.w
        rest = self.times(run["terms"], 2)

        def product(_: str, carried: list[str]) -> list[str]:
            total, at = carried
            x, y = self.index(at, 0), self.index(at, 1)
            series = [self.series(w.value(f"lshr i64 {each}, 1")) for each in (x, y)]
            odd = w.value(f"trunc i64 {x} to i1")
            sign = w.select(odd, w.constant(-1.0), w.constant(1.0))
            found = v.fused(v.broadcast(sign), self.products(*series), total)
            return [found, self.at(at, "2", "i32")]

        def row(i: str, at: str) -> str:
            total, at = self.fold(run["products"], [(v.number, v.constant(0.0)), ("ptr", at)], product)
            self.keep(run["kept"], self.times(i, 4), total)
            return self.at(at, rest, "i32")

        self.loop("row", run["count"], run["first"], row)

    def _others(self, references: int, write: Callable[[str, str, str], Sequence[str]], run: dict[str, str]) -> None:
        def row(i: str, at: str) -> str:
            width = 2 if write == self._turn else 1
            totals = write(self.plus(run["slot"], self.times(i, width)), at, "")
            for place, total in enumerate(totals):
                self.keep(run["kept"], self.plus(self.times(i, 4 * width), 4 * place), total)
            return self.at(at, str(references), "i32")

        self.loop("row", run["count"], run["first"], row)

    def _quotient(self, slot: str, at: str, _: str) -> Sequence[str]:
        return [self.v.negate(self.products(self.series(self.index(at, 1)), self.series(slot)))]

    def _root(self, slot: str, at: str, _: str) -> Sequence[str]:
        return [self.v.negate(self.products(self.series(slot), self.series(slot)))]

    def _turn(self, slot: str, at: str, _: str) -> Sequence[str]:
        rate = self.series(self.index(at, 0))
        return [self.products(rate, self.series(self.plus(slot, 1))), self.products(rate, self.series(slot))]

    def _growth(self, slot: str, at: str, _: str) -> Sequence[str]:
        return [self.products(self.series(self.index(at, 0)), self.series(slot))]


class _LastBlock(_Blocks):
    """The same where m is the highest order: one sum, four products of it at a time."""

    name = "last_block"

    def products(self, x: str, y: str) -> str:
        v = self.v
        none, back = v.constant(0.0), [3, 2, 1, 0]
        end = self.at(y, "%m")

        def add(i: str, total: str, lanes: str = "") -> str:
            from_behind = v.shuffle(self.vector(end, self.w.value(f"sub i64 -3, {i}")), none, back)
            if lanes:
                from_behind = v.select(lanes, from_behind, none)
            return v.fused(self.vector(x, i), from_behind, total)

        # The coefficient of order m is not known yet.
        first = add("0", none, "<i1 0, i1 1, i1 1, i1 1>")

        def more(i: str, carried: list[str]) -> list[str]:
            return [add(self.times(self.plus(i, 1), 4), carried[0])]

        return self.fold("%loops", [(v.number, first)], more)[0]

    def keep(self, base: str, index: str, vector: str) -> None:
        w, v = self.w, self.v
        lanes = v.split(vector)
        self.store(base, index, w.add(w.add(lanes[0], lanes[1]), w.add(lanes[2], lanes[3])))


class _Main(_Emitter):
    def text(self) -> str:
        w, v = self.w, self.v
        self.words(WORDS)
        w.line("%where = ptrtoint ptr %scratch to i64")
        w.line("%room = inttoptr i64 " + w.value(f"and i64 {self.plus('%where', 63)}, -64") + " to ptr")
        for name in ("new", "lines", "sums", "history"):
            w.line(f"%{'buffers' if name == 'new' else name} = getelementptr double, ptr %room, i64 %{name}.count")
        self._begin()
        w.line("%origin = getelementptr double, ptr %room, i64 %factors.count")
        w.line("%known = getelementptr double, ptr %origin, i64 %slots.count")
        w.line("%below.count = mul i64 %size.count, %stride.count")
        w.line("%below = getelementptr double, ptr %table, i64 %below.count")
        none = v.constant(0.0)

        def series(i: str, _: str) -> None:
            at = self.times(i, 8)
            self.keep("%lines", at, none)
            first = v.value(f"insertelement {v.number} {none}, double {self.load('double', '%origin', i)}, i64 0")
            self.keep("%lines", self.plus(at, 4), first)

        self.loop("series", "%slots.count", "", series)
        self.loop("sum", "%kept.count", "", lambda i, _: self.keep("%sums", self.times(i, 4), none))
        for buffer in range(4):  # the series of zeros
            at = self.times("%buffer.count", buffer)
            for place in range(2):
                self.store("%buffers", self.plus(at, place), w.constant(0.0))

        def state(row: str, _: str) -> None:
            at = self._cell("%table", row)
            self.store(at, "0", self.load("double", "%y", row))
            self.store(at, "1", self.load("double", "%known", row))

        self.loop("row", "%size.count", "", state)
        values = self.at("%known", "%size.count")
        self._column("%below", "%functions.count", lambda row: self.load("double", values, row))
        self.loop("order", "%highest.count", "", self._order)
        arguments = ", ".join(f"ptr noalias %{name}" for name in ("y", "p", "table", "scratch"))
        return self.function(f"void @{FUNCTION}({arguments})")

    def _begin(self) -> None:
        """Order 0."""
        w = self.w
        w.line("%arguments = alloca i64, i64 6, align 8")
        for place, name in ((0, "%y"), (2, "%p"), (4, "%room")):
            w.line(f"store ptr {name}, ptr {self.at('%arguments', str(place), 'i64')}, align 8")
            w.line(f"store i64 0, ptr {self.at('%arguments', str(place + 1), 'i64')}, align 8")
        w.line("call void %start(i64 0, i64 1, ptr %arguments)")

    def _cell(self, base: str, row: str) -> str:
        return self.at(base, self.times(row, "%stride.count"))

    def _column(self, base: str, count: str, value: Callable[[str], str]) -> None:
        """Fill a column of the table from its first cell down."""
        self.loop("cell", count, "", lambda row, _: self.store(self._cell(base, row), "0", value(row)))

    def _order(self, before: str, _: str) -> None:
        """One order, the one after `before`."""
        w = self.w
        k = self.plus(before, 1)
        order, one = w.value(f"sitofp i64 {k} to double"), w.constant(1.0)
        inverse = w.divide(one, order)
        following = w.divide(one, w.value(f"sitofp i64 {self.plus(k, 1)} to double"))
        part = w.value(f"and i64 {k}, 3")
        w.line(f"%new = getelementptr double, ptr %buffers, i64 {self.times(part, '%buffer.count')}")
        column = self.at("%table", k)

        def known(i: str, at: str) -> str:
            self.put(self.index(at, 0), self.load("double", self._cell(column, self.index(at, 1)), "0"))
            return self.at(at, "2", "i32")

        self.loop("known", "%inputs.count", "%inputs", known)
        whole, last = w.value(f"icmp eq i64 {part}, 0"), w.value(f"icmp eq i64 {k}, %highest.count")
        call = f"(ptr %history, ptr %sums, i64 %span.count, i64 {k}, {_PASSED})"
        self.when(w.value(f"and i1 {whole}, {last}"), lambda: w.line(f"call void @last_block{call}"))
        more = w.value(f"xor i1 {last}, true")
        self.when(w.value(f"and i1 {whole}, {more}"), lambda: w.line(f"call void @blocks{call}"))
        cases = {0: "step0", 1: "step1", 2: "step2", 3: "step_last", 4: "step_first"}
        which = w.value(f"select i1 {w.value(f'icmp eq i64 {k}, 1')}, i64 4, i64 {part}")
        which = w.value(f"select i1 {last}, i64 3, i64 {which}")
        labels = " ".join(f"i64 {number}, label %call.{name}" for number, name in cases.items())
        w.line(f"switch i64 {which}, label %called [ {labels} ]")
        numbers = f"double {order}, double {inverse}, i64 {part}"
        arguments = f"ptr %new, ptr %lines, ptr %sums, ptr %room, {numbers}, {_PASSED}"
        for name in cases.values():
            w.label(f"call.{name}")
            w.line(f"call void @{name}({arguments})")
            w.line("br label %called")
        w.label("called")
        self.when(w.value(f"icmp slt i64 {k}, 4"), lambda: self._keep_first(k))
        full = w.value(f"and i1 {w.value(f'icmp eq i64 {part}, 3')}, {more}")
        self.when(full, lambda: self._keep(k))

        def found(results: str, row: str) -> str:
            slot = w.value(f"zext i32 {self.load('i32', results, row)} to i64")
            return self.load("double", "%new", self.times(slot, 2))

        self._column(self.at(column, "1"), "%size.count", lambda row: w.multiply(found("%results", row), following))
        functions = self.at("%results", "%size.count", "i32")
        self._column(self.at("%below", k), "%functions.count", lambda row: found(functions, row))

    def _keep_first(self, k: str) -> None:
        """Keep the coefficients of one of the orders 1 to 3 for the shifted vectors."""
        place = self.at("%lines", self.plus(k, 4))

        def one(i: str, _: str) -> None:
            self.store(place, self.times(i, 8), self.load("double", "%new", self.times(i, 2)))

        self.loop("first", "%slots.count", "", one)

    def _keep(self, k: str) -> None:
        """Keep the coefficients of the last four orders."""
        w, v = self.w, self.v
        block = self.at("%history", self.plus(k, -3))
        early = w.value(f"icmp eq i64 {k}, 3")
        buffers = [self.at("%buffers", self.times("%buffer.count", j)) for j in range(4)]

        def one(i: str, _: str) -> None:
            at = self.times(i, 2)
            # What lies in the first buffer at order 3 is of no order: order 0 has none.
            lanes = [self.load("double", buffer, at) for buffer in buffers]
            lanes[0] = w.select(early, w.constant(0.0), lanes[0])
            self.keep(block, self.times(i, "%span.count"), v.gather(lanes))

        self.loop("late", "%slots.count", "", one)
