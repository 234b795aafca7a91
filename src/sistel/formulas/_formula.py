"""Formulas as people write them: what the printers print."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Num:
    """A number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Sym:
    """A symbol, known by what it stands for: ("p", 2) is the third parameter, ("v", 0) the first velocity."""

    block: str
    place: int


@dataclass(frozen=True, slots=True)
class Sum:
    """A sum of at least two terms, in the order in which they are written."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A number times factors, over other factors."""

    number: Fraction
    factors: tuple[Formula, ...]
    below: tuple[Formula, ...] = ()


@dataclass(frozen=True, slots=True)
class Power:
    """A whole power from 2."""

    base: Formula
    exponent: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function by its name, such as sin or sqrt."""

    name: str
    arguments: tuple[Formula, ...]


Formula: TypeAlias = Num | Sym | Sum | Product | Power | Function

ZERO = Num(Fraction(0))


def product(number: Fraction, factors: tuple[Formula, ...], below: tuple[Formula, ...] = ()) -> Formula:
    """A product without what is not needed."""
    if not number:
        return ZERO
    if not factors and not below:
        return Num(number)
    if number == 1 and len(factors) == 1 and not below:
        return factors[0]
    if number == -1 and len(factors) == 1 and not below and isinstance(factors[0], Sum):
        return Sum(tuple(negated(term) for term in factors[0].terms))
    return Product(number, factors, below)


def total(terms: tuple[Formula, ...]) -> Formula:
    """A sum without what is not needed."""
    kept = tuple(term for term in terms if term != ZERO)
    flat: list[Formula] = []
    for term in kept:
        flat.extend(term.terms if isinstance(term, Sum) else (term,))
    return Sum(tuple(flat)) if len(flat) > 1 else flat[0] if flat else ZERO


def negated(formula: Formula) -> Formula:
    """Minus a formula."""
    if isinstance(formula, Num):
        return Num(-formula.value)
    if isinstance(formula, Product):
        return product(-formula.number, formula.factors, formula.below)
    return Product(Fraction(-1), (formula,))


def is_negative(formula: Formula) -> bool:
    """Whether a term is written with a minus."""
    return (isinstance(formula, Num) and formula.value < 0) or (isinstance(formula, Product) and formula.number < 0)


def positive_first(formula: Formula) -> Formula:
    """A sum that begins with a term without a minus, if it has one."""
    if not isinstance(formula, Sum) or not is_negative(formula.terms[0]):
        return formula
    first = next((i for i, term in enumerate(formula.terms) if not is_negative(term)), 0)
    return Sum((formula.terms[first], *formula.terms[:first], *formula.terms[first + 1 :]))


def pushed(share: Formula, multiplier: Sym) -> Formula:
    """A multiplier times its share, a common minus before the brackets."""
    if isinstance(share, Sum) and all(map(is_negative, share.terms)):
        return Product(Fraction(-1), (Sum(tuple(map(negated, share.terms))), multiplier))
    return with_factor(share, multiplier)


def with_factor(coefficient: Formula, factor: Formula) -> Formula:
    """A coefficient times a symbol, which comes before sines and cosines."""
    if isinstance(coefficient, Num):
        return product(coefficient.value, (factor,))
    if not isinstance(coefficient, Product):
        coefficient = Product(Fraction(1), (coefficient,))
    ends = [
        isinstance(f, Function) or (isinstance(f, Power) and isinstance(f.base, Function)) for f in coefficient.factors
    ]
    at = next((i for i, wave in enumerate(ends) if wave), len(ends))
    factors = (*coefficient.factors[:at], factor, *coefficient.factors[at:])
    return product(coefficient.number, factors, coefficient.below)


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas directly inside of one."""
    match formula:
        case Sum(terms):
            return terms
        case Product(_, factors, below):
            return (*factors, *below)
        case Power(base, _):
            return (base,)
        case Function(_, arguments):
            return arguments
        case _:
            return ()


def size(formula: Formula) -> int:
    """How many numbers, symbols and names of functions a reader sees."""
    here = 0 if isinstance(formula, (Sum, Product)) else 1
    if isinstance(formula, Product) and formula.number not in (1, -1):
        here += 1
    return here + sum(size(part) for part in parts(formula))


def symbols(formula: Formula) -> set[Sym]:
    """All symbols of a formula."""
    found: set[Sym] = set()
    stack = [formula]
    while stack:
        at = stack.pop()
        if isinstance(at, Sym):
            found.add(at)
        stack.extend(parts(at))
    return found
