"""Brakes of motors: what schemes say of them, and the clutches with what stands still that they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.markup import Binary, Call, Expression, Node, Number
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker
from sistel.model._control import Command, Scheme, brake_name
from sistel.model._elements import Body, Coupling, Drive, Formula, Motor
from sistel.model._formulas import si_number
from sistel.model._names import Names
from sistel.units import FORCE, MOMENT, PLAIN, Dimension, dimension_name

_WHEN: Final = Text("a condition, or a plain number from 0 to 1", "условие или просто число от 0 до 1")


def read_brake(node: Node, motor: Motor, part: MountedFile, names: Names, diagnostics: Diagnostics) -> Command | None:
    """What an output says of the brake of a motor; None after an error."""
    attribute = node.attributes["brake"]
    assert isinstance(attribute.value, tuple)
    if len(attribute.value) != 1:
        diagnostics.error(
            "wrong-count", attribute.span, Text("a brake takes one signal", "тормоз принимает один сигнал")
        )
        return None
    if motor.brake is None:
        diagnostics.error(
            "incomplete-motor",
            attribute.span,
            Text(f'motor "{motor.name}" has no brake', f"у привода «{motor.name}» нет тормоза"),
            hint=Text('give the motor one: brake="60 N*m"', 'задайте его приводу: тормоз="60 Н*м"'),
            related=[(motor.span, Text("the motor is here", "привод здесь"))],
        )
        return None
    (expression,) = attribute.value
    assert not isinstance(expression, str)
    typed = Checker(part.scope, diagnostics, names).check(expression)
    if typed is None:
        return None
    if typed.dimension is not None and not typed.dimension.plain:
        given = Text(f"this is {dimension_name(typed.dimension)}", f"это {dimension_name(typed.dimension, 'ru')}")
        diagnostics.error("wrong-dimension", attribute.span, given, expected=_WHEN)
        return None
    value = Formula(expression=typed.expression, dimension=PLAIN)
    return Command(motor=motor.name, kind="brake", value=value, condition=typed.dimension is None, span=node.span)


def check_brakes(
    nodes: Iterable[tuple[Motor, Node]], bodies: Sequence[Body], commanded: Collection[str], diagnostics: Diagnostics
) -> None:
    """Refuse brakes of what has no coordinate of its own; warn of those that nothing puts on."""
    taken: dict[tuple[int, int], Motor] = {}
    for motor, node in nodes:
        if motor.brake is None:
            continue
        other = taken.setdefault((motor.body, motor.coordinate), motor)
        if other is not motor:
            diagnostics.error(
                "two-motors",
                node.at("brake"),
                Text("the coordinate has a brake already", "у координаты уже есть тормоз"),
                hint=Text("give one motor both forces together", "дайте одному приводу обе силы вместе"),
                related=[(other.span, Text("the other one", "другой"))],
            )
        if bodies[motor.body - 1].joint.type.has_quaternion:
            diagnostics.error(
                "wrong-coordinate",
                node.at("brake"),
                Text(
                    "a brake holds a coordinate, and the turn of this joint is a quaternion",
                    "тормоз держит координату, а поворот этого сочленения — кватернион",
                ),
            )
        elif brake_name(motor.name) not in commanded:
            diagnostics.warning(
                "idle-motor",
                node.at("brake"),
                Text(
                    f'nothing puts the brake of motor "{motor.name}" on: it is off always',
                    f"тормоз привода «{motor.name}» ничто не включает: он всегда отпущен",
                ),
                hint=Text(
                    f'a scheme does: <output motor="{motor.name}" brake="…"/>',
                    f'это делает схема: <вывод привод="{motor.name}" тормоз="…"/>',
                ),
            )


def brakes(schemes: Sequence[Scheme], motors: Sequence[Motor], bodies: Sequence[Body]) -> tuple[Drive, ...]:
    """The brakes that schemes put on."""
    known = {motor.name: motor for motor in motors}
    made = []
    for command in (each for scheme in schemes for each in scheme.commands if each.kind == "brake"):
        motor = known[command.motor]
        body = bodies[motor.body - 1]
        if body.joint.type.has_quaternion:
            continue  # refused
        place, name = body.first_q + motor.coordinate, brake_name(motor.name)
        own = MOMENT if body.joint.type.rates[motor.coordinate][1] == "turn" else FORCE
        coupling = Coupling(
            name=name, driven=place, driver=place, ratio=(0.0,), offset=0.0, always=True, span=command.span
        )
        made.append(Drive(name=name, coupling=coupling, limit=_limit(command, motor, own), span=command.span))
    return tuple(made)


def _limit(command: Command, motor: Motor, dimension: Dimension) -> Formula:
    """The greatest force of a brake: all of it, or a part of it from none to all."""
    assert motor.brake is not None
    span, value = command.span, command.value.expression

    def number(of: float) -> Number:
        return si_number(of, PLAIN, span)

    full = si_number(motor.brake, dimension, span)
    if command.condition:
        off = si_number(0.0, dimension, span)
        return Formula(expression=_call("select", command, value, full, off), dimension=dimension)
    part = _call("min", command, _call("max", command, value, number(0.0)), number(1.0))
    return Formula(expression=Binary(operator="*", left=full, right=part, span=span), dimension=dimension)


def _call(function: str, command: Command, *arguments: Expression) -> Expression:
    return Call(function=function, arguments=arguments, span=command.span, function_span=command.span)
