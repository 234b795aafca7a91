"""A normal form of expressions: sums of monomials, each times at most one sine or cosine.

A term is a rational number, a product of powers of atoms, and 1, cos α or sin α, where α is a sum of atoms with
rational factors. Products of sines and cosines become sums (cos α cos β = ½ cos(α − β) + ½ cos(α + β), …), so
expressions that are equal for all angles have one and the same form, and what cancels is gone. An atom is an input of
the graph, or a function of a normal form that has no other place here (a root, an inverse of a sum).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from sistel.expr import Graph, Op

Mono = tuple[tuple[int, int], ...]
"""Atoms with their exponents, by atom."""
Angle = tuple[tuple[int, int | Fraction], ...]
"""Atoms with their factors, by atom; the first factor is positive. Whole factors are mostly plain, for quick hashes."""
Wave = tuple[str, Angle]
"""("cos", α) or ("sin", α); ("cos", ()) is 1."""
Key = tuple[Mono, Wave]

ONE: Final[Wave] = ("cos", ())
_WHOLE: Final = Fraction(1)
_DUST: Final = 1e-13
"""A coefficient this small beside what it is the difference of is rounding of the file's numbers."""


MOST_WORK: Final = 100_000
"""Products of terms that one system may take: a second or two."""


class TooLarge(Exception):
    """The normal form has more terms than anybody would read."""


@dataclass(frozen=True, slots=True)
class Poly:
    """A normal form: every term's coefficient, and how large the numbers were that it was added up from."""

    terms: dict[Key, tuple[Fraction, float]] = field(default_factory=dict)

    @classmethod
    def number(cls, value: Fraction) -> Poly:
        """A constant."""
        return cls({((), ONE): (value, abs(float(value)))}) if value else cls()

    @classmethod
    def atom(cls, atom: int, exponent: int = 1) -> Poly:
        """A power of an atom."""
        return cls({(((atom, exponent),), ONE): (Fraction(1), 1.0)})

    @property
    def key(self) -> frozenset[tuple[Key, Fraction]]:
        """What makes two forms equal."""
        return frozenset((key, coefficient) for key, (coefficient, _) in self.terms.items())

    @property
    def constant(self) -> Fraction | None:
        """The value of a form without atoms."""
        if not self.terms:
            return Fraction(0)
        left = self.coefficients()
        return left.get(((), ONE)) if len(left) == 1 else None

    def coefficients(self) -> dict[Key, Fraction]:
        """The terms without what is rounding dust, coefficients as people write them."""
        return {
            key: nice(coefficient)
            for key, (coefficient, size) in self.terms.items()
            if abs(float(coefficient)) > _DUST * size
        }


def fraction(number: float) -> Fraction:
    """The simple fraction that a number stands for, else the decimal that it is written as."""
    simple = Fraction(number).limit_denominator(5040)
    return simple if float(simple) == number else Fraction(repr(float(number)))


def nice(value: Fraction) -> Fraction:
    """A coefficient without the dust of the file's numbers: simple, or 15 decimal digits."""
    if value.denominator <= 5040:
        return value
    simple = value.limit_denominator(5040)
    if abs(simple - value) <= abs(value) * Fraction(1, 10**14):
        return simple
    return Fraction(f"{float(value):.15g}")


def is_sign(graph: Graph, i: int) -> bool:
    """Whether a choice is 1 where 0 < x, −1 where x < 0 and else 0: the sign of x."""

    def chooses(at: int, yes: float, no: float | None) -> bool:
        values = (graph.second[at], graph.third[at])
        return (
            graph.operation[at] == Op.SELECT
            and graph.operation[graph.first[at]] == Op.LESS
            and all(
                number is None or (graph.operation[value] == Op.CONSTANT and graph.number[value] == number)
                for value, number in zip(values, (yes, no), strict=True)
            )
        )

    if not chooses(i, 1.0, None) or not chooses(graph.third[i], -1.0, 0.0):
        return False
    above, below = graph.first[i], graph.first[graph.third[i]]
    zero, x = graph.first[above], graph.second[above]
    return (
        graph.operation[zero] == Op.CONSTANT
        and graph.number[zero] == 0
        and (graph.first[below], graph.second[below]) == (x, zero)
    )


def is_length(graph: Graph, i: int) -> bool:
    """Whether a condition only keeps a length from being zero, which a formula for people takes for granted."""
    a, b = graph.first[i], graph.second[i]
    return (
        graph.operation[i] == Op.LESS
        and graph.operation[a] == Op.CONSTANT
        and graph.number[a] == 0
        and graph.operation[b] == Op.SQRT
    )


class Former:
    """Makes the normal forms of a graph's nodes; atoms are numbered as they are met."""

    def __init__(self, graph: Graph, limit: int) -> None:
        self.graph = graph
        self.limit = limit
        self.atoms: list[tuple[object, ...]] = []
        """("input", block, place), ("function", op, forms…) or ("sum", form)."""
        self.units: dict[int, tuple[int, int, int]] = {}
        """The first number of every unit quaternion, with the other three: w² = 1 − x² − y² − z²."""
        self._numbers: dict[object, int] = {}
        self._forms: dict[int, Poly] = {}
        self._products: dict[tuple[Wave, Wave], Sequence[tuple[Wave, Fraction]]] = {}
        self._work = 0

    def atom(self, key: object, definition: tuple[object, ...]) -> int:
        """The number of an atom."""
        if key not in self._numbers:
            self._numbers[key] = len(self.atoms)
            self.atoms.append(definition)
        return self._numbers[key]

    def input(self, block: int, place: int) -> int:
        """The atom of an input."""
        return self.atom(("input", block, place), ("input", self.graph.blocks[block][0], place))

    def forms(self, nodes: Sequence[int]) -> list[Poly]:
        """The normal forms of nodes.

        Raises:
            TooLarge: Some form has more terms than the limit.
        """
        graph, done = self.graph, self._forms
        needed: set[int] = set()
        stack = list(nodes)
        while stack:
            i = stack.pop()
            if i not in needed and i not in done:
                needed.add(i)
                if graph.operation[i] not in (Op.CONSTANT, Op.INPUT):
                    stack.extend(j for j in (graph.first[i], graph.second[i], graph.third[i]) if j >= 0)
        for i in sorted(needed):
            done[i] = self._form(i)
        return [done[i] for i in nodes]

    def _form(self, i: int) -> Poly:
        graph, done = self.graph, self._forms
        op, a, b, c = graph.operation[i], graph.first[i], graph.second[i], graph.third[i]
        match op:
            case Op.CONSTANT:
                return Poly.number(fraction(graph.number[i]))
            case Op.INPUT:
                return Poly.atom(self.input(a, b))
            case Op.ADD:
                return self.add(done[a], done[b])
            case Op.SUBTRACT:
                return self.add(done[a], done[b], -1)
            case Op.SELECT if is_sign(graph, i):
                return self._function(Op.SUBTRACT, [done[graph.second[a]]])  # no other function has this number
            case Op.SELECT if is_length(graph, a):
                return done[b]
            case Op.NEGATE:
                return scaled(done[a], Fraction(-1))
            case Op.MULTIPLY:
                return self.multiply(done[a], done[b])
            case Op.DIVIDE:
                return self.multiply(done[a], self._inverse(done[b]))
            case Op.SIN | Op.COS:
                return self._wave("sin" if op == Op.SIN else "cos", done[a])
            case _:
                return self._function(Op(op), [done[j] for j in (a, b, c) if j >= 0])

    def add(self, x: Poly, y: Poly, sign: int = 1) -> Poly:
        """X + sign · y."""
        terms = dict(x.terms)
        for key, (value, size) in y.terms.items():
            old, large = terms.get(key, (Fraction(0), 0.0))
            _put(terms, key, old + sign * value, large + size)
        return self._checked(terms)

    def multiply(self, x: Poly, y: Poly) -> Poly:
        """X · y."""
        self._work += len(x.terms) * len(y.terms)
        if len(x.terms) * len(y.terms) > 40 * self.limit or self._work > MOST_WORK:
            raise TooLarge
        terms: dict[Key, tuple[Fraction, float]] = {}
        for (mono, wave), (value, size) in x.terms.items():
            for (other, second), (factor, large) in y.terms.items():
                product, both = _times(mono, other), value * factor
                for part, share in self._multiplied(wave, second):
                    key = product, part
                    amount = abs(float(share)) * size * large
                    more = both if share is _WHOLE else share * both
                    if (known := terms.get(key)) is None:
                        terms[key] = more, amount
                    else:
                        _put(terms, key, known[0] + more, known[1] + amount)
        return self._checked(terms)

    def _multiplied(self, first: Wave, second: Wave) -> Sequence[tuple[Wave, Fraction]]:
        """The product of two waves as a sum of waves."""
        if first == ONE:
            return ((second, _WHOLE),)
        if second == ONE:
            return ((first, _WHOLE),)
        found = self._products.get((first, second))
        if found is None:
            found = self._products[first, second] = _waves(first, second)
        return found

    def _checked(self, terms: dict[Key, tuple[Fraction, float]]) -> Poly:
        if len(terms) > self.limit:
            raise TooLarge
        if self.units:
            self._reduce(terms)
        return Poly(terms)

    def _reduce(self, terms: dict[Key, tuple[Fraction, float]]) -> None:
        """Replace the squares of the first numbers of unit quaternions."""
        waiting = [key for key in terms if any(atom in self.units and n > 1 for atom, n in key[0])]
        while waiting:
            mono, wave = key = waiting.pop()
            if key not in terms:
                continue
            value, size = terms.pop(key)
            first = next(atom for atom, n in mono if atom in self.units and n > 1)
            rest = _times(mono, ((first, -2),))
            for square, sign in (((), 1), *((((other, 2),), -1) for other in self.units[first])):
                made = (_times(rest, square), wave)
                old, large = terms.get(made, (Fraction(0), 0.0))
                _put(terms, made, old + sign * value, large + size)
                if any(atom in self.units and n > 1 for atom, n in made[0]):
                    waiting.append(made)

    def _inverse(self, x: Poly) -> Poly:
        if len(x.terms) == 1:
            ((mono, wave), (value, _)), *_ = x.terms.items()
            if wave == ONE:
                inverse = tuple((atom, -exponent) for atom, exponent in mono)
                return Poly({(inverse, ONE): (1 / value, 1 / abs(float(value)))})
        return Poly.atom(self.atom(("sum", x.key), ("sum", x)), -1)

    def _wave(self, kind: str, x: Poly) -> Poly:
        """The sine or cosine of a sum of atoms; of anything else, an atom."""
        quarters = 0
        angle: list[tuple[int, int | Fraction]] = []
        for (mono, wave), (value, _) in x.terms.items():
            if wave == ONE and not mono:
                turns = float(value) / (math.pi / 2)
                if abs(turns - round(turns)) > 1e-14:
                    return self._function(Op.SIN if kind == "sin" else Op.COS, [x])
                quarters = round(turns)
            elif wave == ONE and len(mono) == 1 and mono[0][1] == 1:
                angle.append((mono[0][0], value.numerator if value.denominator == 1 else value))
            else:
                return self._function(Op.SIN if kind == "sin" else Op.COS, [x])
        for _ in range(quarters % 4):  # cos(α + π/2) = −sin α, sin(α + π/2) = cos α; signs are collected below
            kind = "sin" if kind == "cos" else "cos"
        sign = -1 if (quarters % 4, kind) in ((1, "sin"), (2, "sin"), (2, "cos"), (3, "cos")) else 1
        made, flip = canonical(kind, tuple(sorted(angle)))
        return Poly() if made is None else Poly({((), made): (Fraction(sign * flip), 1.0)})

    def _function(self, op: Op, arguments: list[Poly]) -> Poly:
        if op == Op.SQRT and (value := arguments[0].constant) is not None and value >= 0:
            root = Fraction(math.isqrt(value.numerator), math.isqrt(value.denominator))
            return Poly.number(root if root * root == value else fraction(math.sqrt(value)))
        key = ("function", int(op), *(argument.key for argument in arguments))
        return Poly.atom(self.atom(key, ("function", op, *arguments)))


def scaled(x: Poly, factor: Fraction) -> Poly:
    """A multiple of a form."""
    size = abs(float(factor))
    return Poly({key: (value * factor, large * size) for key, (value, large) in x.terms.items()})


def canonical(kind: str, angle: Angle) -> tuple[Wave | None, int]:
    """A wave with a positive first factor, and the sign that this costs; None for the sine of nothing."""
    if not angle:
        return (ONE, 1) if kind == "cos" else (None, 0)
    if angle[0][1] > 0:
        return (kind, angle), 1
    turned = tuple((atom, -factor) for atom, factor in angle)
    return (kind, turned), -1 if kind == "sin" else 1


def combined(first: Angle, second: Angle, sign: int = 1) -> Angle:
    """First + sign · second."""
    total = dict(first)
    for atom, factor in second:
        total[atom] = total.get(atom, 0) + sign * factor
    return tuple(sorted((atom, factor) for atom, factor in total.items() if factor))


def _waves(first: Wave, second: Wave) -> Sequence[tuple[Wave, Fraction]]:
    """The product of two waves, neither of them 1, as a sum of waves."""
    (kind, a), (other, b) = first, second
    if kind == "cos" and other == "sin":
        kind, a, other, b = other, b, kind, a
    if kind == other:
        parts = (("cos", combined(a, b, -1), 1), ("cos", combined(a, b), 1 if kind == "cos" else -1))
    else:
        parts = (("sin", combined(a, b), 1), ("sin", combined(a, b, -1), 1))
    found = []
    for name, angle, sign in parts:
        wave, flip = canonical(name, angle)
        if wave is not None:
            found.append((wave, Fraction(sign * flip, 2)))
    return found


def _times(first: Mono, second: Mono) -> Mono:
    if not first:
        return second
    if not second:
        return first
    total = dict(first)
    for atom, exponent in second:
        total[atom] = total.get(atom, 0) + exponent
    return tuple(sorted((atom, exponent) for atom, exponent in total.items() if exponent))


def _put(terms: dict[Key, tuple[Fraction, float]], key: Key, value: Fraction, size: float) -> None:
    if value:
        terms[key] = (value, size)
    else:
        terms.pop(key, None)
