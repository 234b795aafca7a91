"""Formulas as one line of text in a programming language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from sistel.formulas._formula import Formula, Function, Num, Power, Product, Sum, Sym
from sistel.formulas._numbers import as_fraction
from sistel.records import entry

_SUM, _TERM, _FACTOR, _ATOM = range(4)


@entry
class Infix:
    """A language with infix operators.

    Attributes:
        power: Its sign for powers.
        number: How it writes a number that is not negative.
        functions: Its names for functions, as patterns of the arguments.
        name: The identifier of a symbol.
        decimals: Whether 0.065 is written so rather than as 13/200.
    """

    power: str
    number: Callable[[Fraction], str]
    functions: Mapping[str, str]
    name: Callable[[Sym], str]
    decimals: bool

    def write(self, formula: Formula) -> str:
        """The text of a formula."""
        return self._write(formula)[0]

    def _write(self, formula: Formula) -> tuple[str, int]:
        """The text, and how tightly it binds."""
        match formula:
            case Num(value):
                text = self.number(abs(value))
                plain = text.replace(".", "").isalnum()
                return (f"-{text}", _SUM) if value < 0 else (text, _ATOM if plain else _TERM)
            case Sym():
                return self.name(formula), _ATOM
            case Sum(terms):
                text = self._within(terms[0], _SUM)
                for term in terms[1:]:
                    piece = self._within(term, _SUM)
                    text += f" - {piece[1:]}" if piece.startswith("-") else f" + {piece}"
                return text, _SUM
            case Product():
                return self._product(formula)
            case Power(base, exponent):
                return f"{self._within(base, _ATOM)}{self.power}{exponent}", _FACTOR
            case Function(name, arguments):
                inner = [self._within(argument, _SUM) for argument in arguments]
                return self.functions[name].format(*inner, all=", ".join(inner)), _ATOM

    def _within(self, formula: Formula, level: int) -> str:
        text, binds = self._write(formula)
        return text if binds >= level else f"({text})"

    def _product(self, formula: Product) -> tuple[str, int]:
        size = abs(formula.number)
        above = [self._within(factor, _FACTOR) for factor in formula.factors]
        below = [self._within(factor, _FACTOR) for factor in formula.below]
        if self.decimals and as_fraction(size) is None:
            if size != 1 or not above:
                above.insert(0, self.number(size))
        else:
            if size.numerator != 1 or not above:
                above.insert(0, self.number(Fraction(size.numerator)))
            if size.denominator != 1:
                below.insert(0, self.number(Fraction(size.denominator)))
        text = "*".join(above)
        if below:
            text += "/" + (below[0] if len(below) == 1 else f"({'*'.join(below)})")
        return (f"-{text}", _SUM) if formula.number < 0 else (text, _TERM)
