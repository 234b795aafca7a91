"""Formulas as rows of tokens, for those languages that are set rather than typed; lines break before + and −."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar

from sistel.formulas._formula import Formula, Function, Num, Power, Product, Sum, Sym
from sistel.formulas._numbers import as_fraction, decimal
from sistel.formulas._symbols import Symbol

BREAK = "\x1f"
"""A token that is not printed: a line may end here."""
INNER = "\x1e"
"""The same inside brackets: a line ends here only where it must."""

WAVES = ("sin", "cos", "exp", "log")


class Typesetter(ABC):
    """Writes formulas with primitives that a language has."""

    plus: str
    minus: str
    opened: str
    closed: str
    space: str
    times: str
    """What stands between two factors."""
    applied: str
    """What stands between a function and its argument."""
    between: ClassVar[Mapping[str, str]]
    """Signs of comparisons and logic."""

    def __init__(self, symbols: Mapping[Sym, Symbol]) -> None:
        self.symbols = symbols

    @abstractmethod
    def digits(self, text: str) -> str:
        """A number without a fraction."""

    @abstractmethod
    def scientific(self, text: str, exponent: int) -> str:
        """A number times a power of ten."""

    @abstractmethod
    def symbol(self, symbol: Symbol) -> str:
        """A letter with its dots and subscripts."""

    @abstractmethod
    def fraction(self, above: str, below: str, small: bool) -> str:
        """One thing over another."""

    @abstractmethod
    def power(self, base: str, exponent: int) -> str:
        """A power."""

    @abstractmethod
    def called(self, name: str) -> str:
        """The name of a function."""

    @abstractmethod
    def root(self, inner: str) -> str:
        """A square root."""

    @abstractmethod
    def join(self, tokens: Sequence[str]) -> str:
        """Tokens in one row that is not broken."""

    def wordy(self, token: str) -> bool:
        """Whether a token is a word of several letters."""
        return False

    def gap(self, formula: Formula) -> bool:
        """Whether a factor has to be kept apart from its neighbours."""
        return False

    def row(self, formula: Formula) -> list[str]:
        """The tokens of a formula."""
        match formula:
            case Num(value):
                sign = [self.minus] if value < 0 else []
                return [*sign, self.number(abs(value), bare=True)]
            case Sym():
                return [self.symbol(self.symbols[formula])]
            case Sum(terms):
                tokens = self.row(terms[0])
                for term in terms[1:]:
                    more = self.row(term)
                    if more[0] != self.minus:
                        more = [self.plus, *more]
                    tokens += [BREAK, *more]
                return tokens
            case Product():
                return self._product(formula)
            case Power(base, exponent):
                if isinstance(base, Function) and base.name in ("sin", "cos"):
                    return [self.power(self.called(base.name), exponent), *self._argument(base)]
                return [self.power(self.join(self._grouped(base)), exponent)]
            case Function(name, arguments):
                return self._function(name, arguments)

    def number(self, value: Fraction, *, bare: bool = False) -> str:
        """A number that is not negative."""
        pair = as_fraction(value, bare=bare)
        if pair is not None:
            return self.fraction(self.digits(str(pair[0])), self.digits(str(pair[1])), True)
        text, exponent = decimal(value)
        return self.scientific(text, exponent) if exponent else self.digits(text)

    def _product(self, formula: Product) -> list[str]:
        sign = [self.minus] if formula.number < 0 else []
        size = abs(formula.number)
        if formula.below:
            pair = as_fraction(size)
            numerator, denominator = pair if pair is not None else (size, 1)
            above = self._factors(Fraction(numerator), formula.factors)
            below = self._factors(Fraction(denominator), formula.below)
            return [*sign, self.fraction(self.join(above), self.join(below), False)]
        if sign and size == 1 and len(formula.factors) == 1:
            return [*sign, *self._grouped(formula.factors[0])]
        return [*sign, *self._factors(size, formula.factors)]

    def _factors(self, number: Fraction, factors: Sequence[Formula]) -> list[str]:
        rows = [self._grouped(factor) if len(factors) > 1 or number != 1 else self.row(factor) for factor in factors]
        if number != 1 or not rows:
            rows.insert(0, [self.number(number, bare=not rows)])
        tokens = list(rows[0])
        if len(rows) > len(factors):
            factors = (Num(number), *factors)
        for before, after, more in zip(factors, factors[1:], rows[1:], strict=False):
            # Words need a gap; what else does depends on the language.
            wordy = self.wordy(tokens[-1]) or self.wordy(more[0]) or self.gap(before) or self.gap(after)
            tokens += [self.times, *([self.space] if wordy else []), *more]
        return tokens

    def _grouped(self, formula: Formula) -> list[str]:
        """A factor: a sum in brackets."""
        tokens = self.row(formula)
        loose = isinstance(formula, (Sum, Product)) or (isinstance(formula, Num) and formula.value < 0)
        return [self.opened, *_inside(tokens), self.closed] if loose else tokens

    def _function(self, name: str, arguments: Sequence[Formula]) -> list[str]:
        if name == "sqrt":
            return [self.root(self.join(self.row(arguments[0])))]
        if name in WAVES:
            return [self.called(name), *self._argument(Function(name, tuple(arguments)))]
        if name in self.between:
            first, second = (self._grouped(argument) for argument in arguments)
            return [*first, self.between[name], *second]
        tokens = [self.called("if" if name == "select" else name), self.applied, self.opened]
        for index, argument in enumerate(arguments):
            tokens += [*([self.digits(","), self.space] if index else []), *self.row(argument)]
        return [*tokens, self.closed]

    def _argument(self, wave: Function) -> list[str]:
        """The argument of a sine, in brackets where it is not a symbol or a multiple of one."""
        (formula,) = wave.arguments
        tokens = self.row(formula)
        multiple = isinstance(formula, Product) and formula.number > 0 and not formula.below
        if isinstance(formula, Sym) or (multiple and all(isinstance(x, Sym) for x in formula.factors)):  # type: ignore[union-attr]
            return [self.applied, *([self.space] if self.gap(wave) else []), *tokens]
        return [self.applied, self.opened, *_inside(tokens), self.closed]


def _inside(tokens: Sequence[str]) -> list[str]:
    return [INNER if token == BREAK else token for token in tokens]


def shown(tokens: Sequence[str]) -> list[str]:
    """The tokens that are printed."""
    return [token for token in tokens if token not in (BREAK, INNER, "")]


def broken(tokens: Sequence[str], width: Callable[[str], int], limit: int) -> list[list[str]]:
    """Tokens in lines: a line ends at the last break before the limit, inside brackets only where it must."""
    lines: list[list[str]] = [[]]
    room = limit
    for piece in _split(tokens, BREAK):
        whole = sum(map(width, piece))
        for part in [piece] if whole <= limit else _split(piece, INNER):
            size = sum(map(width, part))
            if lines[-1] and size > room:
                lines.append([])
                room = limit
            lines[-1] += part
            room -= size
    return lines


def _split(tokens: Sequence[str], at: str) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    for token in tokens:
        if token == at:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces
