"""Wanted quantities: expressions of the language, and the words of reports around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from sistel.errors import Diagnostics, Text
from sistel.markup import (
    Call,
    Expression,
    Node,
    Number,
    print_expression,
)
from sistel.markup.expressions import is_report, with_operands
from sistel.model import Checker, Model, Values, checker_of, is_quantity, values_of
from sistel.records import record
from sistel.units import PLAIN, TIME, Dimension, dimension_name

OF_MOTORS = ("torque", "power", "current", "voltage")
TOGETHER = ("lowest", "highest", "mean", "rms")
"""Words that have the dimension of their quantity, and nothing beside it."""
TARGETED = ("overshoot", "settling", "rise", "steady_error", "reached")


@record
class Wanted:
    """A wanted quantity."""

    label: Text
    """As the task says it, in both languages."""
    expression: Expression
    """Checked; its value is in SI."""
    text: str
    """The same in plain words, for runs."""
    measured: Dimension
    """Of the expression."""
    function: str = ""
    """The word of reports around it."""
    numbers: tuple[float, ...] = ()
    """Its further arguments [SI]."""

    @property
    def dimension(self) -> Dimension:
        """Of the answer."""
        if self.function in ("overshoot", "reached"):
            return PLAIN
        return TIME if self.function in ("settling", "rise") else self.measured


def read_report(node: Node, model: Model, diagnostics: Diagnostics, runs: bool) -> tuple[Wanted, ...]:
    """The wanted quantities of a problem; what is wrong with them goes to the diagnostics.

    Args:
        node: The element of the problem.
        model: What they are asked of.
        diagnostics: Where problems go.
        runs: Whether there is a run, of which words of reports can be asked.
    """
    value = node.get("report")
    if value is None:
        return ()
    asker = _Asker(model, diagnostics, runs)
    found = [asker.wanted(each) for each in cast("Sequence[Expression]", value)]
    return tuple(each for each in found if each is not None)


class _Asker:
    def __init__(self, model: Model, diagnostics: Diagnostics, runs: bool) -> None:
        self.model, self.diagnostics, self.runs = model, diagnostics, runs
        self.checker: Checker = checker_of(model, diagnostics)
        self.values: Values = values_of(model, diagnostics)

    def wanted(self, given: Expression) -> Wanted | None:
        label = Text(print_expression(given, "en"), print_expression(given, "ru"))
        if not (isinstance(given, Call) and is_report(given.function)):
            return self.plain(given, label)
        if not self.runs:
            self.diagnostics.error(
                "no-run",
                given.function_span,
                Text("there is no run here to ask this of", "здесь нет запуска, о котором это спрашивать"),
                hint=Text("ask it in <dynamics until=…> or <control>", "спросите в <динамика до=…> или <управление>"),
            )
            return None
        inner = self.plain(given.arguments[0], label)
        if inner is None:
            return None
        numbers = self.numbers(given, inner.measured)
        return None if numbers is None else replace(inner, function=given.function, numbers=numbers)

    def plain(self, given: Expression, label: Text) -> Wanted | None:
        typed = self.checker.check(by_names(given, self.model))
        if typed is None:
            return None
        measured = PLAIN if typed.dimension is None else typed.dimension
        text = print_expression(typed.expression, "en")
        return Wanted(label=label, expression=typed.expression, text=text, measured=measured)

    def numbers(self, given: Call, measured: Dimension) -> tuple[float, ...] | None:
        """The further arguments of a word of reports."""
        dimensions = {"at": (TIME,), "settling": (measured, PLAIN), "reached": (measured, measured)}
        kinds = dimensions.get(given.function, (measured,))
        found = []
        for argument, dimension in zip(given.arguments[1:], kinds, strict=False):
            unit = "s" if dimension == TIME else "deg" if dimension.angle == 1 and dimension.fits(PLAIN) else ""
            value = self.number(argument, dimension, unit)
            if value is None:
                return None
            found.append(value)
        if given.function == "settling" and len(found) == 2 and not found[1] > 0:
            self.diagnostics.error(
                "out-of-range", given.arguments[2].span, Text("a band is positive", "полоса положительна")
            )
            return None
        return tuple(found)

    def number(self, argument: Expression, dimension: Dimension, unit: str) -> float | None:
        bare = isinstance(argument, Number) and argument.unit is None and argument.value != 0.0
        if bare and not unit and dimension != PLAIN:
            self.diagnostics.error(
                "no-unit",
                argument.span,
                Text("a number with its unit is needed here", "здесь нужно число с единицей"),
                expected=Text(dimension_name(dimension), dimension_name(dimension, "ru")),
            )
            return None
        return self.values.expression(argument, dimension, unit)


def by_names(given: Expression, model: Model) -> Expression:
    """Bodies that are called by their numbers, and motors by those of their bodies, under their names."""
    if isinstance(given, Call) and is_quantity(given.function):
        return replace(given, arguments=tuple(_named(each, given.function, model) for each in given.arguments))
    return with_operands(given, lambda each: by_names(each, model))


def _named(argument: Expression, function: str, model: Model) -> Expression:
    from sistel.markup import Name

    if not isinstance(argument, Number) or not argument.literal.isdecimal() or argument.unit is not None:
        return argument
    number = int(argument.literal)
    if not 1 <= number <= len(model.bodies):
        return argument
    if function in OF_MOTORS:
        if any(motor.name == argument.literal for motor in model.motors):
            return argument
        names = [motor.name for motor in model.motors if motor.body == number]
        return Name(names[0], argument.span) if len(names) == 1 else argument
    if any(body.name == argument.literal for body in model.bodies):
        return argument
    return Name(model.bodies[number - 1].name, argument.span)
