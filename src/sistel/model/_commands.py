"""What schemes ask of motors: the unit of a signal says whether it is a force, a voltage or a current."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._check import Checker
from sistel.model._control import Command
from sistel.model._elements import Formula, Motor
from sistel.model._names import Names
from sistel.units import CURRENT, FORCE, MOMENT, VOLTAGE, Dimension, dimension_name


def read_commands(
    scheme: Node,
    part: MountedFile,
    names: Names,
    motors: Sequence[Motor],
    taken: dict[str, Span],
    diagnostics: Diagnostics,
) -> tuple[Command, ...]:
    """The outputs of a scheme; `taken` are motors that others command, and grows."""
    made = []
    known = {motor.name: motor for motor in motors}
    for node in scheme.of("output"):
        given, attribute = node.names("motor"), node.attributes.get("from")
        if not given or attribute is None:
            continue
        found = names.refer(("motor",), given[0], part.scope, node.at("motor"))
        if found is None:
            continue
        motor = known[found[1]]
        if motor.name in taken:
            diagnostics.error(
                "two-commands",
                node.at("motor"),
                Text(f'motor "{motor.name}" is commanded already', f"приводом «{motor.name}» уже управляют"),
                related=[(taken[motor.name], Text("here", "здесь"))],
                hint=Text("add the signals and command it once", "сложите сигналы и управляйте один раз"),
            )
            continue
        taken[motor.name] = node.span
        command = _command(node, motor, part, names, diagnostics)
        if command is not None:
            made.append(command)
    return tuple(made)


def _command(node: Node, motor: Motor, part: MountedFile, names: Names, diagnostics: Diagnostics) -> Command | None:
    attribute = node.attributes["from"]
    assert isinstance(attribute.value, tuple)
    if len(attribute.value) != 1:
        diagnostics.error(
            "wrong-count",
            attribute.span,
            Text("a motor takes one signal", "привод принимает один сигнал"),
        )
        return None
    expression = attribute.value[0]
    assert not isinstance(expression, str)
    typed = Checker(part.scope, diagnostics, names).number(expression)
    if typed is None or typed.dimension is None:
        return None
    own = MOMENT if names.motor_kinds.get(motor.name) == "turn" else FORCE
    force = Text("a moment (N*m)", "момент (Н*м)") if own is MOMENT else Text("a force (N)", "сила (Н)")
    ways: tuple[tuple[Literal["force", "voltage", "current"], Dimension], ...]
    ways = ("force", own), ("voltage", VOLTAGE), ("current", CURRENT)
    for kind, dimension in ways:
        if not (typed.zero and kind == "force") and not typed.dimension.fits(dimension):
            continue
        if kind != "force" and not motor.electric:
            diagnostics.error(
                "incomplete-motor",
                attribute.span,
                Text(
                    f'motor "{motor.name}" has no winding: neither a voltage nor a current drives it',
                    f"у привода «{motor.name}» нет обмотки: ни напряжение, ни ток его не движут",
                ),
                expected=force,
                hint=Text("give its resistance and constant", "задайте сопротивление и постоянную"),
                related=[(motor.span, Text("the motor is here", "привод здесь"))],
            )
            return None
        formula = Formula(expression=typed.expression, dimension=dimension)
        return Command(motor=motor.name, kind=kind, value=formula, span=node.span)
    given = Text(f"this is {dimension_name(typed.dimension)}", f"это {dimension_name(typed.dimension, 'ru')}")
    wanted = Text(f"{force.en}, a voltage (V) or a current (A)", f"{force.ru}, напряжение (В) или ток (А)")
    diagnostics.error("wrong-dimension", attribute.span, given, expected=wanted)
    return None
