"""Types of expressions: names resolved, dimensions checked, functions known.

An expression is a number of some dimension or a truth. A plain number that is exactly the literal 0 fits any
dimension; any other plain number does not fit a length or a force, and the message says which unit to write.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from sistel.errors import Diagnostics, Span, Text, one_of, word_hint
from sistel.expr import decide
from sistel.markup import Expression, dotted_name, walk_expression
from sistel.markup import expressions as nodes
from sistel.markup.expressions import is_report
from sistel.model._names import Names
from sistel.model._scope import FUNCTIONS as MATHEMATICS
from sistel.model._scope import Scope, evaluate
from sistel.records import entry
from sistel.units import (
    ACCELERATION,
    ANGLE,
    ANGULAR_ACCELERATION,
    ANGULAR_SPEED,
    CURRENT,
    FORCE,
    LENGTH,
    MOMENT,
    PLAIN,
    POWER,
    SPEED,
    TIME,
    VOLTAGE,
    Dimension,
    dimension_name,
    si_symbol,
)


@entry
class Typed:
    """A resolved expression and what it is."""

    expression: Expression
    dimension: Dimension | None
    """None for a truth."""
    zero: bool = False
    """Whether it is the literal 0, which fits any dimension."""
    state: bool = False
    """Whether it depends on time or state."""


Basis = Literal["place", "rate", "load", "drive", "memory"]
"""What a quantity comes from: the posture alone, velocities and no forces, what a link carries only while it holds,
what drives a motor, or what a simulation remembers."""


@entry
class _Quantity:
    """A quantity that is measured on a thing: what it may be asked of, its dimension, and what it comes from."""

    targets: tuple[str, ...]
    dimension: Dimension
    basis: Basis
    counts: tuple[int, ...] = (1,)
    second: tuple[str, ...] = ()
    """What the second thing may be, where that is something else."""


SI_VALUE = "(si)"
"""The function that makes a plain number of any value, in SI: laws of blocks have it, and no file can write it."""

_GEOMETRY = ("point", "frame", "body")
_LINKS = ("closure", "contact", "blade", "lock", "coupling")
_LOADED = ("closure", "contact", "blade", "lock", "spring", "body", "joint")

QUANTITIES: dict[str, _Quantity] = {
    **{key: _Quantity(_GEOMETRY, LENGTH, "place") for key in ("x", "y", "z")},
    **{key: _Quantity(_GEOMETRY, SPEED, "rate") for key in ("vx", "vy", "vz")},
    "angle": _Quantity(("coordinate",), ANGLE, "place"),
    "rate": _Quantity(("coordinate",), ANGULAR_SPEED, "rate"),
    "q": _Quantity(("coordinate",), LENGTH, "place"),
    "v": _Quantity(("coordinate",), SPEED, "rate"),
    "acceleration": _Quantity(("coordinate",), ACCELERATION, "drive"),
    "gap": _Quantity(("contact", "pair"), LENGTH, "place"),
    "slip": _Quantity(("contact", "patch"), SPEED, "rate"),
    "normal": _Quantity(("contact", "patch"), FORCE, "load"),
    "tangent": _Quantity(("contact",), FORCE, "load"),
    "force": _Quantity((*_LOADED, "patch"), FORCE, "load"),
    "moment": _Quantity((*_LOADED, "drive"), MOMENT, "load"),
    "reaction": _Quantity(_LOADED, FORCE, "load"),
    "power": _Quantity(("motor",), POWER, "drive"),
    "torque": _Quantity(("motor",), MOMENT, "drive"),
    "current": _Quantity(("motor",), CURRENT, "drive"),
    "voltage": _Quantity(("motor",), VOLTAGE, "drive"),
    "range": _Quantity(("frame",), LENGTH, "place", (2,), ("shape",)),
    "distance": _Quantity((*_LINKS, *_GEOMETRY), LENGTH, "place", (1, 2)),
    "speed": _Quantity((*_LINKS, *_GEOMETRY), SPEED, "rate", (1, 2)),
    "energy": _Quantity(("body",), MOMENT, "rate", (0, 1)),
    "kinetic": _Quantity(("body",), MOMENT, "rate", (0, 1)),
    "potential": _Quantity(("body",), MOMENT, "place", (0, 1)),
    "counter": _Quantity(("counter", "structure"), PLAIN, "memory"),
    "elapsed": _Quantity((), TIME, "memory", (0,)),
    "approach": _Quantity(("contact",), SPEED, "rate"),
    "margin": _Quantity(("contact",), FORCE, "load"),
}
"""`counter` of a structure counts how often it was entered. Words of a new one are in `markup/expressions/_words.py`,
what it measures in `mechanics/_quantities.py`."""


def quantities_from(basis: Basis) -> frozenset[str]:
    """Names of the quantities that come from something."""
    return frozenset(name for name, quantity in QUANTITIES.items() if quantity.basis == basis)


def asked_of(function: str) -> tuple[tuple[str, ...], ...]:
    """Kinds of the things that a quantity is asked of, an entry an argument; none where it is asked of nothing."""
    quantity = QUANTITIES.get(function)
    if quantity is None or not quantity.targets:
        return ()
    return tuple(
        quantity.second if place and quantity.second else quantity.targets for place in range(max(quantity.counts))
    )


_USUAL: dict[Dimension, tuple[str, str]] = {LENGTH: ("mm", "мм"), ANGLE: ("deg", "град")}
"""Units to propose where a number lacks one."""

_COMPONENTS: dict[str, Dimension] = {
    **dict.fromkeys(("n", "t", "x", "y", "z"), FORCE),
    **dict.fromkeys(("mx", "my", "mz", "m"), MOMENT),
}


def only_counters(*given: Expression) -> bool:
    """Whether expressions change in transitions alone: they ask for counters, and for nothing else that changes."""
    inner = [one for node in given for one in walk_expression(node)]
    calls = [one.function for one in inner if isinstance(one, nodes.Call) and one.function not in MATHEMATICS]
    return (
        bool(calls)
        and set(calls) == {"counter"}
        and not any(isinstance(one, nodes.Name) and one.name == "t" for one in inner)
    )


class Checker:
    """Checks the expressions of one file."""

    def __init__(
        self,
        scope: Scope,
        diagnostics: Diagnostics,
        names: Names | None = None,
        variables: dict[str, Dimension] | None = None,
        own: Mapping[str, tuple[str, Dimension | None]] | None = None,
    ) -> None:
        """Without `names` only parameters are allowed; `variables` adds names such as the x and y of a surface.

        `own` has what a behaviour calls its own: how the model calls it, and its dimension, None for a truth.
        """
        self.scope = scope
        self.diagnostics = diagnostics
        self.names = names
        self.variables = variables or {}
        self.own = own or {}

    def check(self, node: Expression) -> Typed | None:
        """The type of an expression, or None after an error."""
        match node:
            case nodes.Number():
                return Typed(node, node.dimension, zero=node.value == 0 and node.dimension.plain)
            case nodes.Name():
                return self._name(node)
            case nodes.Unary():
                return self._unary(node)
            case nodes.Binary():
                return self._binary(node)
            case nodes.Compare():
                return self._compare(node)
            case nodes.Crossing():
                return self._crossing(node)
            case nodes.Logic():
                return self._logic(node)
            case nodes.Not():
                return self._not(node)
            case nodes.Member():
                return self._member(node)
            case nodes.Call():
                return self._call(node)
            case nodes.Reading():
                return Typed(node, node.dimension, state=True)
            case nodes.Computed() | nodes.Effort():
                given = [self.number(argument) for argument in node.arguments]
                arguments = tuple(each.expression for each in given if each is not None)
                fine = len(arguments) == len(given)
                return Typed(replace(node, arguments=arguments), node.dimension, state=True) if fine else None

    def number(self, node: Expression) -> Typed | None:
        """As `check`, for places where a truth will not do."""
        typed = self.check(node)
        if typed is not None and typed.dimension is None:
            message = Text("a condition stands where a number is needed", "условие стоит там, где нужно число")
            hint = Text("select(condition, a, b) makes a number of it", "выбор(условие, a, b) делает из него число")
            self.diagnostics.error("not-a-number", node.span, message, hint=hint)
            return None
        return typed

    def truth(self, node: Expression) -> Typed | None:
        """As `check`, for places where only a truth will do."""
        typed = self.check(node)
        if typed is not None and typed.dimension is not None:
            message = Text("a number stands where a condition is needed", "число стоит там, где нужно условие")
            expected = Text('a comparison such as "gap(L) < 1 mm"', "сравнение, например «зазор(Л) < 1 мм»")
            self.diagnostics.error("not-a-condition", node.span, message, expected=expected)
            return None
        return typed

    def _name(self, node: nodes.Name) -> Typed | None:
        if node.name in self.own:
            called, measure = self.own[node.name]
            own = replace(node, name=called)
            return Typed(own, measure, state=True) if measure is not None else _truth(own)
        if node.name in self.variables:
            return Typed(node, self.variables[node.name], state=True)
        parameter = self.scope.parameters.get(node.name)
        if parameter is not None:
            if math.isnan(parameter.value):
                return None  # its own value failed, and that was reported
            full = replace(node, name=self.scope.parameter(node.name)) if self.names is not None else node
            return Typed(full, parameter.dimension)
        if node.name == "pi":
            return Typed(node, ANGLE)
        if node.name == "t":
            if self.names is None:
                self._no_state(node.span, "time", "время")
                return None
            return Typed(node, TIME, state=True)
        if node.name in QUANTITIES and 0 in QUANTITIES[node.name].counts and self.names is not None:
            return self._call(nodes.Call(span=node.span, function=node.name, arguments=(), function_span=node.span))
        if self._is_signal(node.name):
            return self._signal(node, self.scope.full(node.name))
        if self.diagnostics.again("unknown-name", node.span):
            return None
        # What blocks remember has names that nobody writes.
        known = [*self.scope.parameters, *(name for name in self.variables if not set(name) & set(".("))]
        known += [] if self.names is None else self.names.tables["signal"]
        self.diagnostics.error(
            "unknown-name",
            node.span,
            Text(f'there is no parameter "{node.name}"', f"нет параметра «{node.name}»"),
            expected=one_of(known) if known else None,
            hint=word_hint(node.name, known)
            or Text(
                f'declare it: <parameter name="{node.name}" value="…"/>',
                f'объявите его: <параметр имя="{node.name}" значение="…"/>',
            ),
        )
        return None

    def _signal(self, node: nodes.Name, full: str) -> Typed | None:
        """A signal of a scheme; a truth is read as a comparison."""
        assert self.names is not None
        if full in self.names.vectors:
            self._refuse_vector(node, self.names.vectors[full])
            return None
        found = self.names.signal(full)
        if found is None:
            return None
        dimension, truth = found
        made = replace(node, name=full)
        return _truth(made) if truth else Typed(made, dimension, state=True)

    def _refuse_vector(self, node: nodes.Name, components: tuple[str, ...]) -> None:
        """Say that a number is needed, not all components of a vector."""
        shown = [each[len(self.scope.prefix) :] for each in components]
        self.diagnostics.error(
            "vector-as-number",
            node.span,
            Text(
                f'"{node.name}" is a vector, and a number is needed here',
                f"«{node.name}» — вектор, а здесь нужно число",
            ),
            expected=one_of(shown) if shown else None,
            hint=Text(f"name one of its components: {shown[0]}", f"назовите составляющую: {shown[0]}")
            if shown
            else None,
        )

    def _no_state(self, span: Span, en: str, ru: str) -> None:
        self.diagnostics.error(
            "state-in-constant",
            span,
            Text(
                f'"{en}" changes during motion, and this value must be constant',
                f"«{ru}» меняется при движении, а это значение должно быть постоянным",
            ),
            expected=Text("numbers and parameters", "числа и параметры"),
        )

    def _unary(self, node: nodes.Unary) -> Typed | None:
        operand = self.number(node.operand)
        if operand is None:
            return None
        return replace(operand, expression=replace(node, operand=operand.expression))

    def _binary(self, node: nodes.Binary) -> Typed | None:
        left, right = self.number(node.left), self.number(node.right)
        if left is None or right is None:
            return None
        assert left.dimension is not None and right.dimension is not None
        made = replace(node, left=left.expression, right=right.expression)
        state = left.state or right.state
        if node.operator in "+-":
            dimension = self._same(left, right, node.span, node.operator)
            return None if dimension is None else Typed(made, dimension, zero=left.zero and right.zero, state=state)
        if node.operator == "*":
            return Typed(made, left.dimension.times(right.dimension), zero=left.zero or right.zero, state=state)
        if node.operator == "/":
            return Typed(made, left.dimension.over(right.dimension), zero=left.zero, state=state)
        return self._power(node, made, left, right)

    def _power(self, node: nodes.Binary, made: nodes.Binary, left: Typed, right: Typed) -> Typed | None:
        assert left.dimension is not None and right.dimension is not None
        state = left.state or right.state
        if not right.dimension.plain:
            self.diagnostics.error(
                "wrong-dimension",
                node.right.span,
                Text(
                    f"an exponent cannot be {dimension_name(right.dimension)}",
                    f"показатель степени не может иметь размерность: {dimension_name(right.dimension, 'ru')}",
                ),
                expected=Text("a plain number", "просто число"),
            )
            return None
        if left.dimension.plain:
            return Typed(made, PLAIN, state=state)
        exponent = None if right.state else evaluate(node.right, self.scope, self.diagnostics)
        exponent = None if exponent is None else decide(exponent)  # the dimension depends on it
        if exponent is None or abs(exponent) > 12 or (exponent * 4) != int(exponent * 4):
            self.diagnostics.error(
                "wrong-dimension",
                node.right.span,
                Text(
                    f"{dimension_name(left.dimension)} can only be raised to a constant simple power",
                    f"{dimension_name(left.dimension, 'ru')}: возводить можно только в постоянную простую степень",
                ),
            )
            return None
        return Typed(made, left.dimension.power(Fraction(exponent)), state=state)

    def _same(self, left: Typed, right: Typed, span: Span, operator: str) -> Dimension | None:
        """The common dimension of two numbers that are added or compared; None after an error."""
        assert left.dimension is not None and right.dimension is not None
        if left.zero:
            return right.dimension
        if right.zero or left.dimension == right.dimension:
            return left.dimension
        if left.dimension.fits(right.dimension) and not (left.dimension.plain or right.dimension.plain):
            return left.dimension
        if left.dimension.fits(right.dimension) and left.state and right.state:
            return left.dimension
        plain = next((side for side in (left, right) if side.dimension is not None and side.dimension.plain), None)
        other = right if plain is left else left
        assert other.dimension is not None
        hint = None
        if plain is not None and isinstance(plain.expression, nodes.Number):
            literal = plain.expression.literal or f"{plain.expression.value:g}"
            units = _USUAL.get(other.dimension) or (si_symbol(other.dimension), si_symbol(other.dimension, "ru"))
            hint = Text(f"write the unit: {literal} {units[0]}", f"укажите единицу: {literal} {units[1]}")
        verbs = Text("compared with", "сравнить") if operator not in "+-" else Text("added to", "сложить")
        a, b = left.dimension, right.dimension
        self.diagnostics.error(
            "wrong-dimension",
            span,
            Text(
                f"{dimension_name(a)} cannot be {verbs.en} {dimension_name(b)}",
                f"нельзя {verbs.ru}, размерности разные: {dimension_name(a, 'ru')} и {dimension_name(b, 'ru')}",
            ),
            hint=hint,
        )
        return None

    def _compare(self, node: nodes.Compare) -> Typed | None:
        left, right = self.number(node.left), self.number(node.right)
        if left is None or right is None or self._same(left, right, node.span, node.operator) is None:
            return None
        made = replace(node, left=left.expression, right=right.expression)
        state = left.state or right.state
        if state and node.operator in ("=", "!=") and not only_counters(left.expression, right.expression):
            self.diagnostics.warning(
                "exact-equality",
                node.span,
                Text(
                    "a quantity that changes is never exactly equal to another",
                    "меняющаяся величина никогда не равна другой точно",
                ),
                hint=Text("write crosses instead, or a comparison", "напишите «пересекает» или сравнение"),
            )
        return Typed(made, None, state=state)

    def _crossing(self, node: nodes.Crossing) -> Typed | None:
        left, level = self.number(node.left), self.number(node.level)
        if left is None or level is None or self._same(left, level, node.span, "<") is None:
            return None
        if not left.state or only_counters(left.expression, level.expression):
            self.diagnostics.error(
                "constant-crossing",
                node.left.span,
                Text("a constant crosses nothing", "постоянная ничего не пересекает")
                if not left.state
                else Text(
                    "a counter changes in transitions, and crosses nothing between them",
                    "счётчик меняется при переходах и ничего не пересекает между ними",
                ),
                expected=Text("a quantity that changes, such as gap(L)", "изменяющаяся величина, например зазор(Л)")
                if not left.state
                else Text("a comparison: =, <, >", "сравнение: =, <, >"),
            )
            return None
        return Typed(replace(node, left=left.expression, level=level.expression), None, state=True)

    def _logic(self, node: nodes.Logic) -> Typed | None:
        operands = [self.truth(operand) for operand in node.operands]
        if any(operand is None for operand in operands):
            return None
        known = [operand for operand in operands if operand is not None]
        made = replace(node, operands=tuple(operand.expression for operand in known))
        return Typed(made, None, state=any(operand.state for operand in known))

    def _not(self, node: nodes.Not) -> Typed | None:
        operand = self.truth(node.operand)
        return None if operand is None else replace(operand, expression=replace(node, operand=operand.expression))

    def _member(self, node: nodes.Member) -> Typed | None:
        if not isinstance(node.operand, nodes.Call) or node.operand.function != "reaction":
            name = dotted_name(node)
            if name is not None and (name in self.own or name in self.scope.parameters or self._is_signal(name)):
                return self._name(nodes.Name(span=node.span, name=name))
            self._no_component(node, name)
            return None
        dimension = _COMPONENTS.get(node.member)
        if dimension is None:
            self.diagnostics.error(
                "no-component",
                node.member_span,
                Text(f'a reaction has no component "{node.member}"', f"у реакции нет составляющей «{node.member}»"),
                expected=one_of(list(_COMPONENTS)),
                hint=word_hint(node.member, list(_COMPONENTS)),
            )
            return None
        if self.names is None:
            self._no_state(node.operand.function_span, "reaction", node.operand.function_span.text)
            return None
        operand = self._quantity(node.operand, QUANTITIES["reaction"])
        return None if operand is None else Typed(replace(node, operand=operand.expression), dimension, state=True)

    def _no_component(self, node: nodes.Member, name: str | None) -> None:
        """Say what has components, where something else is asked for one."""
        owner = dotted_name(node.operand)
        vector = None if owner is None or self.names is None else self.names.vectors.get(self.scope.full(owner))
        if vector is not None:
            known = [each[len(self.scope.prefix) :] for each in vector]
            message = Text(
                f'the vector "{owner}" has no component "{node.member}"',
                f"у вектора «{owner}» нет составляющей «{node.member}»",
            )
            self.diagnostics.error(
                "no-component", node.member_span, message, expected=one_of(known), hint=word_hint(name or "", known)
            )
            return
        written = "" if owner is None else f"{owner}*.{node.member}"
        self.diagnostics.error(
            "no-component",
            node.member_span,
            Text("only a reaction or a vector has components", "составляющие есть только у реакции и у вектора"),
            expected=Text("for example reaction(L).n", "например реакция(Л).n"),
            hint=Text(f"to multiply, write {written}", f"чтобы умножить, пишите {written}")
            if node.member.isdecimal()
            else None,
        )

    def _is_signal(self, name: str) -> bool:
        if self.names is None:
            return False
        return self.names.find(("signal",), name, self.scope) is not None or self.scope.full(name) in self.names.vectors

    def _call(self, node: nodes.Call) -> Typed | None:
        written = node.function_span.text
        named = written in self.own or written in self.scope.parameters or self._is_signal(written)
        if not node.arguments and written == node.span.text and named:
            return self._name(nodes.Name(span=node.span, name=written))  # a word of the language may name a parameter
        quantity = QUANTITIES.get(node.function)
        if quantity is None:
            if node.function == SI_VALUE:
                (operand,) = (self.number(argument) for argument in node.arguments)
                return None if operand is None else replace(operand, dimension=PLAIN)
            if node.function not in MATHEMATICS:
                if self.diagnostics.again("unknown-function", node.function_span):
                    return None
                if is_report(node.function):
                    self.diagnostics.error(
                        "only-in-reports",
                        node.function_span,
                        Text(
                            f'"{written}" is asked of a whole run: it stands only in reports of tasks, and outermost',
                            f"«{written}» спрашивают о целом запуске: только в отчётах задач и только снаружи",
                        ),
                    )
                    return None
                self.diagnostics.error(
                    "unknown-function",
                    node.function_span,
                    Text(f'there is no function "{node.function}"', f"нет функции «{node.function}»"),
                    hint=word_hint(node.function, [*MATHEMATICS, *QUANTITIES]),
                )
                return None
            return self._mathematics(node)
        if self.names is None:
            self._no_state(node.function_span, node.function, node.function_span.text)
            return None
        if node.function == "reaction":
            self.diagnostics.error(
                "no-component",
                node.span,
                Text("a reaction is a vector; say which component is meant", "реакция — вектор; укажите составляющую"),
                expected=Text("reaction(…).n, .t, .x, .y, .mz …", "реакция(…).n, .t, .x, .y, .mz …"),
            )
            return None
        return self._quantity(node, quantity)

    def _quantity(self, node: nodes.Call, quantity: _Quantity) -> Typed | None:
        names = self.names
        assert names is not None
        assert len(node.arguments) in quantity.counts, "the parser has counted the arguments"
        dimension = quantity.dimension
        arguments: list[Expression] = []
        for argument in node.arguments:
            name = dotted_name(argument)
            if name is None and isinstance(argument, nodes.Number):
                name = argument.literal  # a body may be called by its number
            if name is None:
                self.diagnostics.error(
                    "not-a-name",
                    argument.span,
                    Text("a name is needed here, not an expression", "здесь нужно имя, а не выражение"),
                )
                return None
            if quantity.targets == ("coordinate",):
                found = names.coordinate(name, self.scope, argument.span)
                if found is None:
                    return None
                measured = self._coordinate_dimension(node, argument, found.kinds, dimension)
                if measured is None:
                    return None
                made, dimension = found.name, measured
            else:
                kinds = quantity.second if arguments and quantity.second else quantity.targets
                thing = names.refer(kinds, name, self.scope, argument.span)
                if thing is None:
                    return None
                made = thing[1]
                if node.function in ("torque", "moment") and names.motor_kinds.get(made) == "slide":
                    dimension = FORCE
            arguments.append(nodes.Name(span=argument.span, name=made))
        return Typed(replace(node, arguments=tuple(arguments)), dimension, state=True)

    def _coordinate_dimension(
        self, node: nodes.Call, argument: Expression, kinds: tuple[str, ...], default: Dimension
    ) -> Dimension | None:
        """Dimension of q, v, angle or rate of a coordinate; an error where it has none of that kind."""
        wants_turn = node.function in ("angle", "rate")
        turns = [kind for kind in kinds if kind == "turn"]
        if (wants_turn and len(turns) == 1) or (not wants_turn and len(kinds) == 1):
            if node.function == "acceleration":
                return ANGULAR_ACCELERATION if kinds[0] == "turn" else default
            if wants_turn or kinds[0] == "turn":
                return ANGLE if node.function in ("angle", "q") else ANGULAR_SPEED
            return default
        if not kinds:
            reason = Text("this joint is fixed and has no coordinates", "это сочленение жёсткое и не имеет координат")
        elif wants_turn and not turns:
            reason = Text("this joint slides and has no angle", "это сочленение скользит и не имеет угла")
        else:
            reason = Text(
                "this joint has several coordinates; name one, such as trunk.x",
                "у этого сочленения несколько координат; назовите одну, например корпус.x",
            )
        self.diagnostics.error("wrong-coordinate", argument.span, reason)
        return None

    def _mathematics(self, node: nodes.Call) -> Typed | None:
        if node.function == "select":
            condition = self.truth(node.arguments[0])
            rest = [self.number(argument) for argument in node.arguments[1:]]
            arguments = [condition, *rest]
        else:
            rest = [self.number(argument) for argument in node.arguments]
            arguments = rest
        if any(argument is None for argument in arguments):
            return None
        made = replace(node, arguments=tuple(a.expression for a in arguments if a is not None))
        known = [argument for argument in rest if argument is not None]
        dimension = _MATHEMATICS[node.function](self, node, known)
        state = any(argument.state for argument in arguments if argument is not None)
        return None if dimension is None else Typed(made, dimension, state=state)

    def _pure(self, node: nodes.Call, arguments: list[Typed]) -> bool:
        """Whether the argument can be fed to a function of mathematics: a number, an angle, or a time in seconds."""
        for argument, source in zip(arguments, node.arguments, strict=True):
            dimension = argument.dimension
            if dimension is None or not (dimension.fits(PLAIN) or dimension == TIME):
                assert dimension is not None
                self.diagnostics.error(
                    "wrong-dimension",
                    source.span,
                    Text(
                        f'"{node.function}" cannot take {dimension_name(dimension)}',
                        f"«{node.function}» не берётся от величины: {dimension_name(dimension, 'ru')}",
                    ),
                    expected=Text("a number or an angle", "число или угол"),
                )
                return False
        return True

    def _to_plain(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        return PLAIN if self._pure(node, arguments) else None

    def _to_angle(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        return ANGLE if self._pure(node, arguments) else None

    def _to_same(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        first = arguments[0]
        for other in arguments[1:]:
            dimension = self._same(first, other, node.span, "<")
            if dimension is None:
                return None
            first = replace(first, dimension=dimension, zero=first.zero and other.zero)
        return first.dimension

    def _to_root(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        dimension = arguments[0].dimension
        return None if dimension is None else dimension.power(Fraction(1, 2))

    def _angle_of_two(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        return ANGLE if self._to_same(node, arguments) is not None else None

    def _sign(self, node: nodes.Call, arguments: list[Typed]) -> Dimension | None:
        return PLAIN


def _truth(name: nodes.Name) -> Typed:
    """A truth, which is remembered as 1 or 0, read as a comparison."""
    half = nodes.Number(value=0.5, dimension=PLAIN, unit=None, literal="0.5", span=name.span)
    return Typed(nodes.Compare(operator=">", left=name, right=half, span=name.span), None, state=True)


_Rule = Callable[[Checker, nodes.Call, list[Typed]], Dimension | None]
_MATHEMATICS: dict[str, _Rule] = {
    **dict.fromkeys(("sin", "cos", "tan", "exp", "log", "floor", "ceil"), Checker._to_plain),
    **dict.fromkeys(("asin", "acos", "atan"), Checker._to_angle),
    **dict.fromkeys(("abs", "min", "max", "hypot", "clamp", "rem", "select"), Checker._to_same),
    "atan2": Checker._angle_of_two,
    "sqrt": Checker._to_root,
    "sign": Checker._sign,
    "step": Checker._sign,
}


def is_quantity(function: str) -> bool:
    """Whether a function of the language is a quantity of the system, and no mathematics."""
    return function in QUANTITIES


def constant(node: Expression, scope: Scope, diagnostics: Diagnostics) -> tuple[float, Dimension, bool] | None:
    """Value in SI, dimension, and whether it is a plain number, of an expression of parameters."""
    if isinstance(node, nodes.Number):
        return node.value, node.dimension, node.unit is None and node.dimension.plain
    typed = Checker(scope, diagnostics).number(node)
    if typed is None or typed.dimension is None:
        return None
    value = evaluate(typed.expression, scope, diagnostics)
    return None if value is None else (value, typed.dimension, typed.dimension.plain)


def first_part(expression: Expression, test: Callable[[Expression], bool]) -> Expression | None:
    """The first part of an expression that passes a test, the whole included; None where none does."""
    return next((part for part in walk_expression(expression) if test(part)), None)
