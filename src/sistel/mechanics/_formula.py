"""Formulas of the file over any scalar: numbers, parameters, time, and quantities of the state."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Protocol, cast

from sistel import expr
from sistel.expr import ZERO, Graph, Program, Scalar, Scalars, Traced, Vector, gradient, is_number, is_zero, replay
from sistel.markup import Binary, Call, Compare, Expression, Logic, Member, Name, Not, Number, Unary
from sistel.markup import expressions as nodes
from sistel.mechanics._outlines import nearest
from sistel.mechanics._solids import nearest_solid
from sistel.model import Contact, Formula, Model

if TYPE_CHECKING:
    from sistel.expr import OfTwo

Quantity = Callable[[str, tuple[str, ...], str], Scalar]
"""The value of a quantity of the system: its name, the things it is asked of, and the component or ''."""


class Efforts(Protocol):
    """What tells the forces that accelerations need: see `Quantities.effort`."""

    def effort(self, rate: int, accelerations: Mapping[int, Scalar], still: bool) -> Scalar:
        """Of one velocity."""


def formula_value(formula: Formula, names: Mapping[str, Scalar], quantity: Quantity) -> Scalar:
    """The value of a formula in SI."""
    value = expression_value(formula.expression, names, quantity)
    return value if formula.scale == 1.0 else formula.scale * value


def expression_value(node: Expression, names: Mapping[str, Scalar], quantity: Quantity) -> Scalar:
    """The value of a checked expression; a truth is 1 or 0.

    Args:
        node: The expression.
        names: Values of parameters and of the time `t`.
        quantity: What quantities of the system are worth.
    """

    def value(inner: Expression) -> Scalar:
        return expression_value(inner, names, quantity)

    match node:
        case Number():
            return node.value
        case Name():
            return math.pi if node.name == "pi" and "pi" not in names else names[node.name]
        case Unary():
            return 0.0 - value(node.operand)  # not -x: zero has no sign, on which atan2 would depend
        case Binary():
            return _binary(node.operator, value(node.left), value(node.right))
        case Compare():
            compared: Scalar = expr.COMPARISONS[node.operator](value(node.left), value(node.right))
            return compared
        case Logic():
            join = expr.logical_and if node.operator == "and" else expr.logical_or
            values = [value(operand) for operand in node.operands]
            result = values[0]
            for other in values[1:]:
                result = join(result, other)
            return result
        case Not():
            return expr.logical_not(value(node.operand))
        case Member() if isinstance(node.operand, Call):
            return quantity(node.operand.function, _targets(node.operand), node.member)
        case Call() if node.function in FUNCTIONS:
            return FUNCTIONS[node.function](*(value(argument) for argument in node.arguments))
        case Call():
            return quantity(node.function, _targets(node), "")
        case nodes.Reading():
            return quantity("reading", (node.sensor, str(node.place)), "")
        case nodes.Effort():
            # Whoever measures the quantities of a system can tell its forces too.
            measure = cast("Efforts", quantity)
            told = dict(zip(node.rates, map(value, node.arguments), strict=True))
            return measure.effort(node.rate, told, node.still)
        case nodes.Computed():
            return expr.call(node.routine, [value(argument) for argument in node.arguments])[node.place]
    raise AssertionError(f"an unchecked expression: {type(node).__name__}")


def _targets(node: Call) -> tuple[str, ...]:
    return tuple(argument.name for argument in node.arguments if isinstance(argument, Name))


def _binary(operator: str, a: Scalar, b: Scalar) -> Scalar:
    if operator == "+":
        return a + b
    if operator == "-":
        return a - b
    if operator == "*":
        return 0.0 if is_zero(a) or is_zero(b) else a * b  # with plain numbers, too
    if operator == "/":
        return 0.0 if is_zero(a) else a / b
    return _power(a, b)


def _power(base: Scalar, exponent: Scalar) -> Scalar:
    if isinstance(base, (int, float)) and isinstance(exponent, (int, float)):
        power = base**exponent
        return power if isinstance(power, Traced) else float(power)
    if is_number(exponent) and abs(exponent) <= 64 and 2 * exponent == int(2 * exponent):
        whole = int(abs(exponent))
        result: Scalar = 1.0
        square = base
        while whole:
            if whole & 1:
                result = result * square
            whole >>= 1
            square = square * square if whole else square
        if abs(exponent) != int(abs(exponent)):
            result = result * expr.sqrt(base)
        return result if exponent >= 0 else 1.0 / result
    return expr.exp(exponent * expr.log(base))


def sign(x: Scalar) -> Scalar:
    """-1, 0 or 1."""
    return expr.select(expr.less(0.0, x), 1.0, expr.select(expr.less(x, 0.0), -1.0, 0.0))


def _hypot(*sides: Scalar) -> Scalar:
    total: Scalar = 0.0
    for side in sides:
        total = total + side * side
    return expr.sqrt(total)


def _extreme(choose: OfTwo) -> Callable[..., Scalar]:
    def most(first: Scalar, *rest: Scalar) -> Scalar:
        for other in rest:
            first = choose(first, other)
        return first

    return most


FUNCTIONS: Final[dict[str, Callable[..., Scalar]]] = {
    "sin": expr.sin,
    "cos": expr.cos,
    "tan": lambda x: expr.sin(x) / expr.cos(x),
    "asin": lambda x: expr.atan2(x, expr.sqrt(1.0 - x * x)),
    "acos": lambda x: expr.atan2(expr.sqrt(1.0 - x * x), x),
    "atan": lambda x: expr.atan2(x, 1.0),
    "atan2": expr.atan2,
    "sqrt": expr.sqrt,
    "abs": expr.absolute,
    "min": _extreme(expr.minimum),
    "max": _extreme(expr.maximum),
    "sign": sign,
    "exp": expr.exp,
    "log": expr.log,
    "floor": expr.floor,
    "ceil": lambda x: 0.0 - expr.floor(0.0 - x),
    "hypot": _hypot,
    "clamp": lambda x, low, high: expr.minimum(expr.maximum(x, low), high),
    "step": lambda x: expr.select(expr.less_equal(0.0, x), 1.0, 0.0),
    "rem": lambda a, b: a - b * expr.floor(a / b),
    "select": expr.select,
}


def gap_program(model: Model, contact: Contact) -> Program:
    """The gap of a contact and its derivatives.

    Inputs: the place of the point in the frame of the surface, the time, and the live parameters (see `stand_ins`).
    Outputs: the gap; its gradient (3); its second derivatives xx, yy, zz, xy, xz, yz; its rate with time; the rate of
    the gradient (3); the second derivative with time.
    """
    graph = Graph()
    place, (time,) = list(graph.inputs("place", 3)), graph.inputs("t", 1)
    names = stand_ins(graph, model) | dict(zip("xyz", place, strict=True)) | {"t": time}

    def refuse(function: str, targets: tuple[str, ...], component: str) -> Scalar:
        raise AssertionError(f"a surface that asks for {function}: the model refuses those")

    gap = expression_value(contact.gap.expression, names, refuse)
    slopes = gradient(graph, gap, [*place, time])
    second = [gradient(graph, slope, [*place, time]) for slope in slopes]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return graph.program(
        {
            "gap": [gap],
            "gradient": slopes[:3],
            "curvature": [second[i][j] for i, j in pairs],
            "rate": [slopes[3]],
            "turning": [second[3][i] for i in range(3)],
            "speeding": [second[3][3]],
        },
    )


def gap_values(
    model: Model, contact: Contact, place: Scalars, t: Scalar, toward: Vector = ZERO, axis: Vector | None = None
) -> list[list[Scalar]]:
    """The outputs of `gap_program` at a place and a time, or the same of an outline, see `nearest`.

    The axis is that of a wheel over curved ground, in the frame of that.
    """
    if contact.outline is not None:
        if contact.outline.solids:
            solid = nearest_solid(contact.outline, Vector(*place), toward)
            return [[solid.gap], [*solid.normal], [*solid.curve], [0.0], [0.0, 0.0, 0.0], [0.0]]
        goes_around = contact.round is not None
        near = nearest(contact.outline, place[0], place[1], goes_around=goes_around, toward=(toward[0], toward[1]))
        return [[near.gap], [*near.normal, 0.0], near.curve, [0.0], [0.0, 0.0, 0.0], [0.0]]
    if contact.height is not None:
        from sistel.mechanics._profiles import profile_values

        return profile_values(model, contact, place, axis)
    return replay(gap_program(model, contact), place, [t], live_parameters(model))


def belt_speed(model: Model, contact: Contact, t: Scalar) -> tuple[Scalar, Scalar]:
    """The speed of the surface of a contact along its tangent, and its rate [m/s, m/s²]."""
    if contact.belt is None:
        return 0.0, 0.0
    graph = Graph()
    (time,) = graph.inputs("t", 1)
    names = stand_ins(graph, model) | {"t": time}

    def refuse(function: str, targets: tuple[str, ...], component: str) -> Scalar:
        raise AssertionError(f"a surface that asks for {function}: the model refuses those")

    speed = formula_value(contact.belt, names, refuse)
    if is_number(speed):
        return speed, 0.0
    line = graph.program({"speed": [speed], "gain": gradient(graph, speed, [time])})
    (found,), (gain,) = replay(line, [t], live_parameters(model))
    return found, gain


def gap_gradient(
    model: Model, contact: Contact, place: Scalars, t: Scalar = 0.0, axis: Vector | None = None
) -> list[Scalar]:
    """The gradient of the gap of a contact, in the frame of its surface: the normal, of any length."""
    return gap_values(model, contact, place, t, axis=axis)[1]


def live_parameters(model: Model) -> list[float]:
    """The parameters that equations are to follow."""
    return [parameter.value for parameter in model.parameters if isinstance(parameter.value, Traced)]


def stand_ins(graph: Graph, model: Model) -> dict[str, Scalar]:
    """Values of the parameters for a formula that is differentiated in a graph of its own.

    Live ones are the inputs of a new block "parameters" there; the result is replayed with `live_parameters`.
    """
    inputs = iter(graph.inputs("parameters", len(live_parameters(model))))
    return {
        parameter.name: next(inputs) if isinstance(parameter.value, Traced) else parameter.value
        for parameter in model.parameters
    }
