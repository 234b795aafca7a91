"""The linear steps of one order, as functions: straight lines, each of a size that compiles quickly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from sistel.expr import Op
from sistel.kernels._writer import Writer
from sistel.kernels.taylor._linear import linear_lines
from sistel.kernels.taylor._recurrence import Recurrence

if TYPE_CHECKING:
    from sistel.kernels.taylor._linear import Linear
    from sistel.kernels.taylor._plan import Inner, Plan

STEPS: Final = "steps"
PIECE: Final = 150
"""Terms in one function: the code generator takes more than twice as long for twice as many."""

_ARGUMENTS: Final = (
    *(("ptr", name) for name in ("zeros", "sums", "row", "column", "carried")),
    *(("double", name) for name in ("order", "inverse", "inverse.next")),
)


class Slot(NamedTuple):
    """Where coefficients of a series are stored: a lane of an array."""

    offset: int
    """Of the coefficient of order 1, from the beginning of the arrays."""
    weighted: bool


class Places:
    """Who has which lane."""

    def __init__(self, plan: Plan, width: int, order: int) -> None:
        self.width = width
        products = [each for each in plan.inner if not each.square]
        squares = [each for each in plan.inner if each.square]
        self.products = -(-len(products) // width)
        """Vectors of them."""
        self.squares = -(-len(squares) // width)
        self.array = order * width
        """Doubles of an array."""
        self.result: dict[Inner, int] = {}
        """Place of every inner sum among them."""
        self.slots: dict[int, list[Slot]] = {}
        for i, each in enumerate(products):
            pack, lane = divmod(i, width)
            self.result[each] = i
            self._slot(each.first, Slot(2 * pack * self.array + lane, each.weighted))
            self._slot(each.second, Slot((2 * pack + 1) * self.array + lane, False))
        for i, each in enumerate(squares):
            pack, lane = divmod(i, width)
            self.result[each] = self.products * width + i
            self._slot(each.first, Slot((2 * self.products + pack) * self.array + lane, False))
        self.arrays = 2 * self.products + self.squares

    def _slot(self, series: int, slot: Slot) -> None:
        self.slots.setdefault(series, []).append(slot)


class Steps:
    """The steps of one order; what is known in them, see `Before`."""

    def __init__(self, plan: Plan, places: Places, stride: int, held: frozenset[int] = frozenset()) -> None:
        self.plan = plan
        self.places = places
        self.stride = stride
        self.held = held
        """Rows of the table that have order 0 alone."""
        self.w = Writer(1)
        self.declarations: set[str] = set()
        self.zeros: dict[tuple[str, int], int] = {}
        """Places of values made of order 0."""
        self.carried: dict[int, int] = {}
        """Places of coefficients that one function leaves for another, after these."""
        self.vanished: set[int] = set()
        """Series without coefficients, as it turned out."""

    def write(self) -> str:
        """The functions: from column k of the table to the rates in column k + 1, and the functions in column k."""
        lines = linear_lines(self.plan, list(self.plan.carried))
        pieces = _pieces(lines)
        for piece, line in enumerate(pieces[:-1]):
            self._crossing(line, [each for later in pieces[piece + 1 :] for each in later])
        names = [STEPS] if len(pieces) == 1 else [f"{STEPS}{i}" for i in range(len(pieces))]
        parts = [self._piece(name, piece, piece is pieces[-1]) for name, piece in zip(names, pieces, strict=True)]
        if len(pieces) > 1:
            passed = ", ".join(f"{kind} %{name}" for kind, name in _ARGUMENTS)
            parts.append(_function(STEPS, [f"  call void @{name}({passed})" for name in names]))
        return "\n".join(parts)

    def _crossing(self, made: list[Linear], later: list[Linear]) -> None:
        """Give a place to what is made in one function, needed in a later one, and not kept anyway."""
        needed = {term.series for each in later for term in each.terms} | set(self.plan.program.results)
        for each in made:
            series = each.series
            if series in needed and self._kept(series) is None:
                self.carried.setdefault(series, len(self.carried))

    def _kept(self, series: int) -> tuple[str, int] | None:
        """Where the new coefficient of a series is found in memory anyway."""
        program = self.plan.program
        if series < len(program) and program.operation[series] == Op.INPUT:
            return "column", program.second[series] * self.stride
        slot = next((slot for slot in self.places.slots.get(series, ()) if not slot.weighted), None)
        return None if slot is None else ("row", slot.offset)

    def _piece(self, name: str, lines: list[Linear], last: bool) -> str:
        self.w = w = Writer(1)
        recurrence = Recurrence(w, self.plan, self, self._absent)
        recurrence.run(lines, lambda series: self._keep(series, recurrence.new[series]))
        if last:
            self._fill(recurrence)
        self.declarations |= w.declarations
        return _function(name, w.lines)

    def _fill(self, recurrence: Recurrence) -> None:
        """The results."""
        w, plan, stride, zero = self.w, self.plan, self.stride, self.w.constant(0.0)
        for row, line in enumerate(plan.rates):
            if row in self.held:
                continue
            rate = recurrence.value(line) if plan.moving[line] else None
            self._put("column", row * stride + 1, zero if rate is None else w.multiply(rate, "%inverse.next"))
        for row, line in enumerate(plan.functions, plan.size):
            value = recurrence.value(line) if plan.moving[line] else None
            self._put("column", row * stride, value or zero)

    def _keep(self, series: int, value: str | None) -> None:
        w = self.w
        if value is None:
            self.vanished.add(series)
            value = w.constant(0.0)
        weighted: str | None = None
        for slot in self.places.slots.get(series, ()):
            if slot.weighted and weighted is None:
                weighted = w.multiply(value, "%order")
            self._put("row", slot.offset, weighted if slot.weighted and weighted else value)
        if series in self.carried:
            self._put("carried", self.carried[series], value)

    # --- what is known -----------------------------------------------------------------------------------------

    def zero(self, what: str, series: int) -> str:
        program = self.plan.program
        if what == "value" and series < len(program) and program.operation[series] == Op.CONSTANT:
            return self.w.constant(program.number[series])
        place = self.zeros.setdefault((what, series), len(self.zeros))
        return self._load("zeros", place)

    def inner(self, which: Inner) -> str | None:
        total = self._load("sums", self.places.result[which])
        return self.w.multiply(total, "%inverse") if which.weighted else total

    def _absent(self, series: int) -> str | None:
        """A coefficient that another function has computed, or that is a coefficient of the state."""
        if series in self.vanished:
            return None
        return self._load(*(self._kept(series) or ("carried", self.carried[series])))

    def _load(self, base: str, place: int) -> str:
        # Anew for every use: an operand in memory costs nothing, and values kept for long cost registers.
        at = self.w.value(f"getelementptr double, ptr %{base}, i64 {place}")
        return self.w.value(f"load double, ptr {at}, align 8")

    def _put(self, base: str, place: int, value: str) -> None:
        at = self.w.value(f"getelementptr double, ptr %{base}, i64 {place}")
        self.w.line(f"store double {value}, ptr {at}, align 8")


def _pieces(lines: list[Linear]) -> list[list[Linear]]:
    pieces: list[list[Linear]] = [[]]
    size = 0
    for line in lines:
        if size > PIECE:
            pieces.append([])
            size = 0
        pieces[-1].append(line)
        size += len(line.terms) + len(line.parts)
    return pieces


def _function(name: str, lines: list[str]) -> str:
    arguments = ", ".join(f"{kind}{' noalias' if kind == 'ptr' else ''} %{word}" for kind, word in _ARGUMENTS)
    head = f"define internal void @{name}({arguments}) noinline nounwind {{"
    return "\n".join([head, "entry:", *lines, "  ret void", "}"])
