"""Programs as sums of products, the form in which they are emitted.

A processor multiplies and adds in one instruction, so a sum is best written as a chain of fused steps, and signs cost
nothing inside it. Therefore sign changes disappear into the terms of sums, a product that only one sum needs becomes
part of it, and sums that only one other sum needs are joined with it where that fuses more products. Sums of plain
values keep the order in which they were written.

All emitters take their operations from here, in this order: one state and batches round in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sistel.expr import ARITY, Op
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.expr import Program

SUM: Final = 100
"""The operation of a line that adds terms; all others are members of `Op`."""

LONG_CHAIN, CHAIN, SHORT_CHAIN = 10, 5, 4
"""Longest chain of fused steps; longer sums are computed in parts, since each step waits for the one before."""

SHORT, LONG = 400, 5000
"""Steps of a short program, where waiting costs more than a step more, and of a long one, which waits for its
instructions."""

_ODD: Final = frozenset({Op.SIN})
_EVEN: Final = frozenset({Op.COS, Op.ABSOLUTE})
_LATENCY: Final[dict[int, int]] = {
    Op.DIVIDE: 14,
    Op.SQRT: 18,
    Op.SIN: 60,
    Op.COS: 60,
    Op.EXP: 60,
    Op.LOG: 60,
    Op.ATAN2: 90,
}


class Term(NamedTuple):
    """A summand: ``sign · a · b``, or ``sign · a`` where `b` is -1."""

    sign: int
    a: int
    b: int


@mutable
class Line:
    """One value: a sum, or an operation on other lines."""

    op: int
    operands: tuple[int, ...] = ()
    """Lines; for an input, its block and its place in the block."""
    terms: tuple[Term, ...] = ()
    number: float = 0.0

    def sources(self) -> tuple[int, ...]:
        """The lines that this one needs, in order, each as often as it is used."""
        if self.op == SUM:
            return tuple(x for term in self.terms for x in (term.a, term.b) if x >= 0)
        return () if self.op == Op.INPUT else self.operands


@mutable
class Sums:
    """A program in this form: lines in order, operands before users."""

    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    lines: list[Line]
    results: tuple[int, ...]
    """The line of every output scalar."""
    signs: tuple[int, ...]
    """The sign with which it goes out."""

    def chain(self) -> int:
        """Longest chain of fused steps in a sum."""
        steps = sum(len(line.terms) for line in self.lines)
        if steps < SHORT:
            return SHORT_CHAIN
        # Equations that are solved have short sums, and their divisions are waited for longer.
        solves = any(line.op == Op.DIVIDE for line in self.lines)
        return LONG_CHAIN if solves or steps >= LONG else CHAIN


def sums_of(program: Program, exact: bool = False) -> Sums:
    """The program as sums of products; if it is to be exact, every operation is rounded on its own, as in a table."""
    return _Builder(program).build(exact)


class _Builder:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.lines: list[Line] = []
        self.reference: list[tuple[int, int]] = []
        """For every line of the program: this line, and its sign."""
        self.negated: dict[int, int] = {}
        self.constants: dict[float, int] = {}

    def build(self, exact: bool) -> Sums:
        program = self.program
        for index in range(len(program.operation)):
            self.reference.append(self._translate(index))
        results = [self.reference[index][0] for index in program.results]
        signs = [self.reference[index][1] for index in program.results]
        if not exact:
            self._join(results)
        signs = self._turn(results, signs)
        lines, number = live(self.lines, results)
        return Sums(program.inputs, program.outputs, lines, tuple(number[x] for x in results), tuple(signs))

    def _append(self, line: Line) -> int:
        self.lines.append(line)
        return len(self.lines) - 1

    def _translate(self, index: int) -> tuple[int, int]:
        program = self.program
        op, a, b, c = program.operation[index], program.first[index], program.second[index], program.third[index]
        if op == Op.CONSTANT:
            return self._constant(program.number[index]), 1
        if op == Op.INPUT:
            return self._append(Line(op, (a, b))), 1
        if op in (Op.ADD, Op.SUBTRACT):
            (x, s), (y, t) = self.reference[a], self.reference[b]
            t = -t if op == Op.SUBTRACT else t
            return self._append(Line(SUM, terms=(Term(s, x, -1), Term(t, y, -1)))), 1
        if op == Op.NEGATE:
            x, s = self.reference[a]
            return (x, -s) if self.lines[x].op != Op.CONSTANT else (self._constant(-self.lines[x].number), s)
        if op in (Op.MULTIPLY, Op.DIVIDE):
            (x, s), (y, t) = self.reference[a], self.reference[b]
            return self._append(Line(op, (x, y))), s * t
        if op in _ODD:
            x, s = self.reference[a]
            return self._append(Line(op, (x,))), s
        if op in _EVEN:
            return self._append(Line(op, (self.reference[a][0],))), 1
        return self._append(Line(op, tuple(self._plain(x) for x in (a, b, c)[: ARITY[op]]))), 1

    def _constant(self, number: float) -> int:
        if number not in self.constants:
            self.constants[number] = self._append(Line(Op.CONSTANT, number=number))
        return self.constants[number]

    def _plain(self, index: int) -> int:
        """The value of a line of the program itself, its sign included."""
        line, sign = self.reference[index]
        if sign > 0:
            return line
        if line not in self.negated:
            self.negated[line] = self._append(Line(SUM, terms=(Term(-1, line, -1),)))
        return self.negated[line]

    def _join(self, results: list[int]) -> None:
        """Take products and sums that are needed once into the sum that needs them."""
        uses = _uses(self.lines, results)
        height = [0] * len(self.lines)
        for index, line in enumerate(self.lines):
            if line.op == SUM:
                alone = len(line.terms) == 1
                terms = [part for term in line.terms for part in self._opened(term, uses, alone)]
                if any(term.b >= 0 for term in terms):
                    # What is known first comes first: the last step of the chain waits least.
                    terms.sort(key=lambda t: max(height[t.a], height[t.b] if t.b >= 0 else 0))
                line.terms = tuple(terms)
            height[index] = max((height[x] for x in line.sources()), default=0) + _LATENCY.get(line.op, 4)
            if line.op in (Op.CONSTANT, Op.INPUT):
                height[index] = 0

    def _opened(self, term: Term, uses: list[int], alone: bool) -> list[Term]:
        inner = self.lines[term.a]
        if term.b >= 0 or uses[term.a] > 1:
            return [term]
        if inner.op == Op.MULTIPLY:
            return [Term(term.sign, *inner.operands)]
        if inner.op == SUM and (alone or any(part.b >= 0 for part in inner.terms)):
            return [Term(term.sign * part.sign, part.a, part.b) for part in inner.terms]
        return [term]

    def _turn(self, results: list[int], signs: list[int]) -> list[int]:
        """Change the signs inside sums that only go out, and only with the other sign."""
        uses = _uses(self.lines, results)
        negative = Counter(x for x, sign in zip(results, signs, strict=True) if sign < 0)
        turned = {x for x, count in negative.items() if self.lines[x].op == SUM and uses[x] == count}
        for x in turned:
            self.lines[x].terms = tuple(Term(-t.sign, t.a, t.b) for t in self.lines[x].terms)
        return [1 if x in turned else sign for x, sign in zip(results, signs, strict=True)]


def _uses(lines: Sequence[Line], results: Sequence[int]) -> list[int]:
    """How many live lines and outputs need each line."""
    uses = [0] * len(lines)
    for index in results:
        uses[index] += 1
    for index in range(len(lines) - 1, -1, -1):
        if uses[index]:
            for x in lines[index].sources():
                uses[x] += 1
    return uses


def live(lines: Sequence[Line], results: Sequence[int]) -> tuple[list[Line], dict[int, int]]:
    """The lines that are needed, numbered anew, and their numbers by the old ones."""
    uses = _uses(lines, results)
    number: dict[int, int] = {-1: -1}
    kept: list[Line] = []
    for index, line in enumerate(lines):
        if uses[index]:
            number[index] = len(kept)
            kept.append(renumbered(line, number))
    return kept, number


def renumbered(line: Line, number: Mapping[int, int]) -> Line:
    """The same line with other numbers for its operands."""
    operands = line.operands if line.op == Op.INPUT else tuple(number[x] for x in line.operands)
    terms = tuple(Term(t.sign, number[t.a], number[t.b]) for t in line.terms)
    return Line(line.op, operands, terms, line.number)
