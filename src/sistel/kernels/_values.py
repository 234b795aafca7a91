"""The instructions of single lines, for scalars and vectors alike: sums as chains of fused steps, and all the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sistel.expr import Op
from sistel.kernels._routines import Calls
from sistel.kernels._sincos import write_sincos
from sistel.kernels._sums import SUM

if TYPE_CHECKING:
    from sistel.kernels._sums import Sums
    from sistel.kernels._writer import Writer

_COMPARISONS: Final = {Op.LESS: "olt", Op.LESS_EQUAL: "ole", Op.EQUAL: "oeq"}
_INTRINSICS: Final = {Op.SQRT: "sqrt", Op.ABSOLUTE: "fabs", Op.FLOOR: "floor"}
_LIBRARY: Final = {Op.EXP: "exp", Op.LOG: "log", Op.ATAN2: "atan2"}


class Summand(NamedTuple):
    """A term with the names of its factors; `b` is empty where there is only one."""

    sign: int
    a: str
    b: str


def write_sum(w: Writer, terms: Sequence[Summand], chain: int) -> str:
    """A sum: one chain of steps, or several where it is longer than that, joined in pairs."""
    parts = -(-len(terms) // chain)
    step = -(-len(terms) // parts)
    sums = [_chain(w, terms[i : i + step]) for i in range(0, len(terms), step)]
    while len(sums) > 1:
        sums = [w.add(*sums[i : i + 2]) if i + 1 < len(sums) else sums[i] for i in range(0, len(sums), 2)]
    return sums[0]


def _chain(w: Writer, terms: Sequence[Summand]) -> str:
    first = _beginning(terms)
    head = terms[first]
    total = w.multiply(head.a, head.b) if head.b else head.a
    if head.sign < 0:
        total = w.negate(total)
    for i, term in enumerate(terms):
        if i == first:
            continue
        if term.b:
            # The code generator knows fused steps with either sign.
            total = w.fused(w.negate(term.a) if term.sign < 0 else term.a, term.b, total)
        else:
            total = w.add(total, term.a) if term.sign > 0 else w.subtract(total, term.a)
    return total


def _beginning(terms: Sequence[Summand]) -> int:
    """The term to begin with: a single value rather than a product; signs may not matter, they differ between lanes."""
    return min(range(len(terms)), key=lambda i: (bool(terms[i].b), i))


class Values:
    """The values of the lines that were written so far.

    Args:
        writer: Where instructions go.
        sums: The lines.
        fetch: Writes the instructions that take a value from elsewhere, an input or a lane; None where there is none.
    """

    def __init__(self, writer: Writer, sums: Sums, fetch: Callable[[int], str | None]) -> None:
        self.writer = writer
        self.lines = sums.lines
        self.chain = sums.chain()
        self.fetch = fetch
        self.numbers: dict[int, str] = {}
        self.truths: dict[int, str] = {}
        self.angles: dict[int, tuple[str, str]] = {}
        self.calls = Calls(sums.lines)

    def number(self, index: int) -> str:
        """The name of a line's value."""
        if index not in self.numbers:
            self.write(index)
        if index not in self.numbers:
            w = self.writer
            self.numbers[index] = w.value(f"uitofp {w.truth} {self.truths[index]} to {w.number}")
        return self.numbers[index]

    def truth(self, index: int) -> str:
        """The name of a line's value as a truth."""
        if index not in self.truths:
            w = self.writer
            # NaN is "not zero", as in Python.
            self.truths[index] = w.compare("une", self.number(index), w.constant(0.0))
        return self.truths[index]

    def write(self, index: int) -> None:
        """Write the instructions of a line, unless it is there already."""
        if index in self.numbers or index in self.truths:
            return
        found = self.fetch(index)
        if found is not None:
            self.numbers[index] = found
            return
        line, w = self.lines[index], self.writer
        op, operands = line.op, line.operands
        if op in _COMPARISONS:
            self.truths[index] = w.compare(_COMPARISONS[Op(op)], *map(self.number, operands))
        elif op in (Op.AND, Op.OR):
            a, b = map(self.truth, operands)
            self.truths[index] = w.value(f"{'and' if op == Op.AND else 'or'} {w.truth} {a}, {b}")
        elif op == Op.NOT:
            every = "true" if w.width == 1 else "<" + ", ".join(["i1 true"] * w.width) + ">"
            self.truths[index] = w.value(f"xor {w.truth} {self.truth(operands[0])}, {every}")
        elif op == Op.SELECT:
            condition = self.truth(operands[0])
            self.numbers[index] = w.select(condition, self.number(operands[1]), self.number(operands[2]))
        else:
            self.numbers[index] = self._number(index)

    def _number(self, index: int) -> str:
        line, w = self.lines[index], self.writer
        op, operands = line.op, line.operands
        if op == Op.CONSTANT:
            return w.constant(line.number)
        if op == SUM:
            number = self.number
            terms = [Summand(t.sign, number(t.a), number(t.b) if t.b >= 0 else "") for t in line.terms]
            return write_sum(w, terms, self.chain)
        if op in (Op.SIN, Op.COS):
            angle = operands[0]
            if angle not in self.angles:
                self.angles[angle] = write_sincos(w, self.number(angle))
            return self.angles[angle][0 if op == Op.SIN else 1]
        if op == Op.CALL:
            return self.calls.result(index, w, self.number)
        if op == Op.LIST:
            return w.constant(0.0)  # no number: calls follow its chain
        names = [self.number(x) for x in operands]
        if op == Op.MULTIPLY:
            return w.multiply(*names)
        if op == Op.DIVIDE:
            return w.divide(*names)
        if op in _INTRINSICS:
            return w.intrinsic(_INTRINSICS[Op(op)], *names)
        if op in _LIBRARY:
            return w.library(_LIBRARY[Op(op)], *names)
        if op in (Op.MINIMUM, Op.MAXIMUM):
            return self._extreme("olt" if op == Op.MINIMUM else "ogt", *names)
        raise AssertionError(f"the LLVM emitter does not know {Op(op).name}")

    def _extreme(self, predicate: str, a: str, b: str) -> str:
        """The smaller or the larger of two, NaN when either is NaN, and `a` when they are equal."""
        w = self.writer
        ordered = w.select(w.compare(predicate, b, a), b, a)
        return w.select(w.compare("uno", b, b), b, ordered)
