"""The recurrences of all series at one order, as sums of what is new at that order and of inner sums.

Whatever the operation, the coefficient of order k is linear in the new coefficients of its operands, with factors made
of values of order 0. Lines that only one sum needs become part of it: then from each operand to the result there is one
fused step, where what is known last comes last.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from sistel.expr import Op
from sistel.kernels.taylor._plan import Inner, operands
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.kernels.taylor._plan import Plan

STEP: Final = 4
"""Cycles of a fused step."""

Factor = tuple[str, int]
"""A value made of a coefficient of order 0: what it is, and of which series; see `Before.zero`."""


class Term(NamedTuple):
    """The new coefficient of a series, times a factor and a sign."""

    sign: int
    factor: Factor | None
    series: int


class InnerTerm(NamedTuple):
    """An inner sum, over the order where it is weighted, times a factor and a sign."""

    sign: int
    factor: Factor | None
    inner: Inner


@mutable
class Linear:
    """The coefficient of one series: a sum, or a choice between the coefficients of two others."""

    series: int
    terms: list[Term]
    parts: list[InnerTerm]
    choice: Factor | None = None
    """Where this is not zero the first term is taken, else the second; there may be none for a zero."""


def linear_lines(plan: Plan, lines: list[int]) -> list[Linear]:
    """The recurrences of these lines and of the auxiliary series that they need, in order."""
    found: dict[int, Linear] = {}
    for i in lines:
        for each in _linear(plan, i):
            found.setdefault(each.series, each)
    _fold(plan, found)
    _sort(found)
    return list(found.values())


def _linear(plan: Plan, i: int) -> list[Linear]:
    program, moving = plan.program, plan.moving
    op, (a, b, *_) = program.operation[i], (*operands(program, i), -1, -1)
    match op:
        case Op.INPUT:
            return [Linear(i, [], [])]
        case Op.ADD | Op.SUBTRACT:
            pair = (1, a), (1 if op == Op.ADD else -1, b)
            return [Linear(i, [Term(sign, None, x) for sign, x in pair if moving[x]], [])]
        case Op.NEGATE:
            return [Linear(i, [Term(-1, None, a)], [])]
        case Op.MULTIPLY:
            return [Linear(i, *_product(plan, a, b))]
        case Op.DIVIDE:
            over = ("over", b)
            terms = [Term(1, over, a)] if moving[a] else []
            if not moving[b]:
                return [Linear(i, terms, [])]
            return [Linear(i, [Term(-1, ("ratio", i), b), *terms], [InnerTerm(-1, over, Inner(b, i, False))])]
        case Op.SQRT:
            return [Linear(i, [Term(1, ("half", i), a)], [InnerTerm(-1, ("half", i), Inner(i, i, False))])]
        case Op.SIN | Op.COS:
            sine, cosine = plan.pairs[a]
            return [
                Linear(sine, [Term(1, ("value", cosine), a)], [InnerTerm(1, None, Inner(a, cosine, True))]),
                Linear(cosine, [Term(-1, ("value", sine), a)], [InnerTerm(-1, None, Inner(a, sine, True))]),
            ]
        case Op.EXP:
            return [Linear(i, [Term(1, ("value", i), a)], [InnerTerm(1, None, Inner(a, i, True))])]
        case Op.LOG:
            return [Linear(i, [Term(1, ("over", a), a)], [InnerTerm(-1, ("over", a), Inner(i, a, True))])]
        case Op.ATAN2:
            return _angle(plan, i, a, b)
        case _:
            return [_choice(plan, i)]


def _product(plan: Plan, a: int, b: int) -> tuple[list[Term], list[InnerTerm]]:
    moving = plan.moving
    if not (moving[a] and moving[b]):
        return [Term(1, ("value", b if moving[a] else a), a if moving[a] else b)], []
    parts = [InnerTerm(1, None, Inner(a, b, False))]
    if a == b:
        return [Term(1, ("twice", a), a)], parts
    return [Term(1, ("value", b), a), Term(1, ("value", a), b)], parts


def _angle(plan: Plan, i: int, y: int, x: int) -> list[Linear]:
    """θ' (x² + y²) = x y' - y x'."""
    norm = plan.norms[i]
    over = ("over", norm)
    terms = [
        Term(sign, (what, i), part) for sign, what, part in ((1, "across", y), (-1, "along", x)) if plan.moving[part]
    ]
    parts = [InnerTerm(-1, over, Inner(i, norm, True))]
    if len(terms) == 2:
        parts += [InnerTerm(1, over, Inner(y, x, True)), InnerTerm(-1, over, Inner(x, y, True))]
    squares = [_product(plan, part, part) for part in (y, x) if plan.moving[part]]
    return [
        Linear(i, terms, parts),
        Linear(norm, [t for terms, _ in squares for t in terms], [p for _, parts in squares for p in parts]),
    ]


def _choice(plan: Plan, i: int) -> Linear:
    program, moving = plan.program, plan.moving
    a, b, c = program.first[i], program.second[i], program.third[i]
    match program.operation[i]:
        case Op.SELECT:
            choice, sides = ("value", a), [(1, b), (1, c)]
        case Op.MINIMUM | Op.MAXIMUM:
            choice, sides = ("second", i), [(1, b), (1, a)]
        case Op.ABSOLUTE:
            choice, sides = ("second", i), [(-1, a), (1, a)]
        case op:
            raise AssertionError(f"no series of {Op(op).name}")
    return Linear(i, [Term(sign if moving[x] else 0, None, x) for sign, x in sides], [], choice)


def _fold(plan: Plan, found: dict[int, Linear]) -> None:
    """Take lines that only one sum needs into that sum; sign changes into all of them."""
    uses = Counter(term.series for each in found.values() for term in each.terms)
    kept = {x for inner in plan.inner for x in (inner.first, inner.second)} | set(plan.program.results)
    for each in found.values():
        if each.choice is not None:
            continue
        terms: list[Term] = []
        for term in each.terms:
            below = found.get(term.series)
            if below is None or term.factor is not None or below.choice is not None or not below.terms:
                terms.append(term)
                continue
            sign_only = len(below.terms) == 1 and below.terms[0].factor is None and not below.parts
            if not sign_only and (uses[term.series] > 1 or term.series in kept):
                terms.append(term)
                continue
            terms += [Term(term.sign * t.sign, t.factor, t.series) for t in below.terms]
            each.parts += [InnerTerm(term.sign * p.sign, p.factor, p.inner) for p in below.parts]
        each.terms = terms
    # What is left without a use goes, last ones first.
    uses = Counter(term.series for each in found.values() for term in each.terms)
    for series in reversed(list(found)):
        if not uses[series] and series not in kept:
            uses.subtract(term.series for term in found[series].terms)
            del found[series]


def _sort(found: dict[int, Linear]) -> None:
    """What is known first comes first."""
    height: dict[int, int] = {}
    for series, each in found.items():
        if each.choice is None:
            each.terms.sort(key=lambda term: height.get(term.series, 0))
        ready = STEP if each.parts else 0
        for term in each.terms:
            ready = max(ready, height.get(term.series, 0)) + STEP
        height[series] = ready
