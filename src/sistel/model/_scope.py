"""Names and numbers of one file: what an expression of parameters may use, and how it is evaluated."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sistel.errors import Diagnostics, Span, Text
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
from sistel.model._model import Parameter


@dataclass(slots=True, eq=False)
class Scope:
    """The parameters of one file, under the names that the file itself uses."""

    prefix: str
    parameters: dict[str, Parameter] = field(default_factory=dict)

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
        parameter = scope.parameters.get(name) or scope.parameters.get(name.removeprefix(scope.prefix))
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


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "exp": math.exp,
    "log": math.log,
    "floor": math.floor,
    "ceil": math.ceil,
    "hypot": math.hypot,
    "clamp": lambda x, low, high: min(max(x, low), high),
    "step": lambda x: 1.0 if x >= 0 else 0.0,
    "rem": lambda a, b: a - b * math.floor(a / b),
    "select": lambda condition, yes, no: yes if condition else no,
}

_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _value(node: Expression, lookup: Lookup) -> float:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Name):
        return lookup(node.name)
    if isinstance(node, Unary):
        return -_value(node.operand, lookup)
    if isinstance(node, Binary):
        left, right = _value(node.left, lookup), _value(node.right, lookup)
        if node.operator == "+":
            return left + right
        if node.operator == "-":
            return left - right
        if node.operator == "*":
            return left * right
        if node.operator == "/":
            if right == 0:
                raise _Domain(node.right.span, Text("division by zero", "деление на ноль"))
            return left / right
        power = left**right if left > 0 or right == int(right) else math.nan
        if isinstance(power, complex) or math.isnan(power):
            raise _Domain(
                node.span, Text("a negative number to a broken power", "отрицательное число в дробной степени")
            )
        return power
    if isinstance(node, Call):
        arguments = [_value(argument, lookup) for argument in node.arguments]
        try:
            return float(FUNCTIONS[node.function](*arguments))
        except (ValueError, ZeroDivisionError):
            shown = ", ".join(f"{argument:g}" for argument in arguments)
            raise _Domain(
                node.span,
                Text(f"{node.function}({shown}) has no value", f"{node.function}({shown}) не имеет значения"),
            ) from None
    if isinstance(node, Compare):
        return float(_COMPARE[node.operator](_value(node.left, lookup), _value(node.right, lookup)))
    if isinstance(node, Logic):
        values = [_value(operand, lookup) for operand in node.operands]
        return float(all(values) if node.operator == "and" else any(values))
    if isinstance(node, Not):
        return float(not _value(node.operand, lookup))
    raise AssertionError(f"an unchecked expression: {type(node).__name__}")
