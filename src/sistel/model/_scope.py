"""Names and numbers of one file: what an expression of parameters may use, and how it is evaluated."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from sistel import expr
from sistel.errors import Diagnostics, Span, Text
from sistel.expr import Traced, decide, settled, with_value
from sistel.markup import (
    Binary,
    Call,
    Compare,
    Expression,
    Logic,
    Name,
    Not,
    Number,
    Unary,
)
from sistel.model._elements import Parameter


@dataclass(slots=True, eq=False)
class Scope:
    """The parameters of one file, under the names that the file itself uses."""

    prefix: str
    parameters: dict[str, Parameter] = field(default_factory=dict)
    home: str | None = None
    """What full names of parameters begin with, where that is another prefix: in a sub-scheme that is used."""
    things: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """There, full names of things by the ports that carry them."""

    def parameter(self, name: str) -> str:
        """The name of a parameter of this file in the whole system."""
        return (self.prefix if self.home is None else self.home) + name

    def full(self, name: str) -> str:
        """The name of a thing of this file in the whole system."""
        return self.prefix + name


class _Domain(Exception):
    """An operation outside its domain; carries the place and the words."""

    def __init__(self, span: Span, text: Text) -> None:
        self.span, self.text = span, text


Lookup = Callable[[str], float]
"""The value in SI of a name."""


def evaluate(
    expression: Expression, scope: Scope, diagnostics: Diagnostics, variables: Mapping[str, float] | None = None
) -> float | None:
    """The value in SI of a checked expression of parameters; None, with an error, outside a function's domain.

    `variables` gives values to further names, such as the x and y of a surface.
    """
    known = variables or {}

    def lookup(name: str) -> float:
        if name in known:
            return known[name]
        parameter = scope.parameters.get(name) or scope.parameters.get(name.removeprefix(scope.parameter("")))
        return math.pi if parameter is None and name == "pi" else parameter.value  # type: ignore[union-attr]

    try:
        value = _value(expression, lookup)
    except _Domain as problem:
        diagnostics.error("no-value", problem.span, problem.text)
        return None
    except (OverflowError, ValueError, ZeroDivisionError):
        value = math.nan
    if not math.isfinite(value):
        diagnostics.error(
            "not-finite",
            expression.span,
            Text("the value is not a finite number", "значение не является конечным числом"),
        )
        return None
    return value


def _either(plain: Callable[..., float], traced: Callable[..., float]) -> Callable[..., float]:
    """A function of plain numbers, and the formula of it for those that know theirs."""

    def function(*arguments: float) -> float:
        value = plain(*arguments)
        return with_value(value, traced(*arguments)) if any(isinstance(x, Traced) for x in arguments) else value

    return function


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "sin": expr.sin,
    "cos": expr.cos,
    "tan": _either(math.tan, lambda x: expr.sin(x) / expr.cos(x)),
    "asin": _either(math.asin, lambda x: expr.atan2(x, expr.sqrt(1.0 - x * x))),
    "acos": _either(math.acos, lambda x: expr.atan2(expr.sqrt(1.0 - x * x), x)),
    "atan": _either(math.atan, lambda x: expr.atan2(x, 1.0)),
    "atan2": expr.atan2,
    "sqrt": expr.sqrt,
    "abs": expr.absolute,
    "min": lambda *numbers: reduce(expr.minimum, numbers),
    "max": lambda *numbers: reduce(expr.maximum, numbers),
    "sign": lambda x: expr.select(expr.less(0.0, x), 1.0, expr.select(expr.less(x, 0.0), -1.0, 0.0)),
    "exp": expr.exp,
    "log": expr.log,
    "floor": expr.floor,
    "ceil": lambda x: -expr.floor(-x),
    "hypot": _either(math.hypot, lambda *numbers: expr.sqrt(sum(x * x for x in numbers))),
    "clamp": lambda x, low, high: expr.minimum(expr.maximum(x, low), high),
    "step": lambda x: expr.less_equal(0.0, x),
    "rem": lambda a, b: a - b * expr.floor(a / b),
    "select": expr.select,
}


def _value(node: Expression, lookup: Lookup) -> float:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return lookup(node.name)
    if isinstance(node, Unary):
        return -_value(node.operand, lookup)
    if isinstance(node, Binary):
        return _arithmetic(node, _value(node.left, lookup), _value(node.right, lookup))
    if isinstance(node, Call):
        arguments = [_value(argument, lookup) for argument in node.arguments]
        try:
            return FUNCTIONS[node.function](*arguments) + 0.0
        except (ValueError, ZeroDivisionError):
            shown = ", ".join(f"{argument:g}" for argument in arguments)
            raise _Domain(
                node.span,
                Text(f"{node.function}({shown}) has no value", f"{node.function}({shown}) не имеет значения"),
            ) from None
    if isinstance(node, Compare):
        compared: float = expr.COMPARISONS[node.operator](_value(node.left, lookup), _value(node.right, lookup))
        return compared
    if isinstance(node, Logic):
        values = [_value(operand, lookup) for operand in node.operands]
        return reduce(expr.logical_and if node.operator == "and" else expr.logical_or, values)
    if isinstance(node, Not):
        return expr.logical_not(_value(node.operand, lookup))
    raise AssertionError(f"an unchecked expression: {type(node).__name__}")


def _arithmetic(node: Binary, left: float, right: float) -> float:
    if node.operator == "+":
        return left + right
    if node.operator == "-":
        return left - right
    if node.operator == "*":
        return left * right
    if node.operator == "/":
        if float(right) == 0:
            raise _Domain(node.right.span, Text("division by zero", "деление на ноль"))
        return left / right
    # A formula of exponentials needs a positive base, and an exponent that makes a dimension is a number anyway.
    right = settled(right) if float(left) > 0 else decide(right)
    power = left**right if float(left) > 0 or float(right) == int(right) else math.nan
    if isinstance(power, complex) or math.isnan(power):
        raise _Domain(node.span, Text("a negative number to a broken power", "отрицательное число в дробной степени"))
    return power
