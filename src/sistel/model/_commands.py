"""What schemes ask of motors: the unit of a signal says whether it is a force, a voltage, a speed or the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._brakes import read_brake
from sistel.model._check import Checker
from sistel.model._control import Command, brake_name
from sistel.model._elements import Formula, Motor
from sistel.model._names import Names
from sistel.units import (
    ANGLE,
    ANGULAR_SPEED,
    CURRENT,
    FORCE,
    LENGTH,
    MOMENT,
    SPEED,
    VOLTAGE,
    Dimension,
    dimension_name,
)

Kind = Literal["force", "voltage", "current", "speed", "position"]
_WINDING: Final[tuple[tuple[Kind, Dimension], ...]] = ("voltage", VOLTAGE), ("current", CURRENT)
_TURNS: Final[tuple[tuple[Kind, Dimension], ...]] = (
    ("force", MOMENT), *_WINDING, ("speed", ANGULAR_SPEED), ("position", ANGLE),
)  # fmt: skip
_SLIDES: Final[tuple[tuple[Kind, Dimension], ...]] = (
    ("force", FORCE), *_WINDING, ("speed", SPEED), ("position", LENGTH),
)  # fmt: skip


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
        given = node.names("motor")
        if not given or not _says_one_thing(node, diagnostics):
            continue
        found = names.refer(("motor",), given[0], part.scope, node.at("motor"))
        if found is None:
            continue
        motor, brakes = known[found[1]], "brake" in node.attributes
        asked = brake_name(motor.name) if brakes else motor.name
        if asked in taken:
            diagnostics.error(
                "two-commands",
                node.at("motor"),
                Text(
                    f'the brake of motor "{motor.name}" is commanded already',
                    f"тормозом привода «{motor.name}» уже управляют",
                )
                if brakes
                else Text(f'motor "{motor.name}" is commanded already', f"приводом «{motor.name}» уже управляют"),
                related=[(taken[asked], Text("here", "здесь"))],
                hint=Text("join the conditions with or", "соедините условия словом «или»")
                if brakes
                else Text("add the signals and command it once", "сложите сигналы и управляйте один раз"),
            )
            continue
        taken[asked] = node.span
        command = (read_brake if brakes else _command)(node, motor, part, names, diagnostics)
        if command is not None:
            made.append(command)
    return tuple(made)


def _says_one_thing(node: Node, diagnostics: Diagnostics) -> bool:
    """Whether an output commands the motor, or its brake, and not both."""
    given = [key for key in ("from", "brake") if key in node.attributes]
    if len(given) == 1:
        return True
    diagnostics.error(
        "contradiction" if given else "missing-attribute",
        node.at("brake") if given else node.span,
        Text("an output commands a motor or its brake", "вывод управляет приводом или его тормозом")
        if given
        else Text("an output of nothing", "вывод ничего"),
        expected=Text("from or brake; two outputs for both", "от или тормоз; для обоих — два вывода"),
    )
    return False


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
    turns = names.motor_kinds.get(motor.name) == "turn"
    force = Text("a moment (N*m)", "момент (Н*м)") if turns else Text("a force (N)", "сила (Н)")
    for kind, dimension in _TURNS if turns else _SLIDES:
        if not (typed.zero and kind == "force") and not typed.dimension.fits(dimension):
            continue
        if kind == "position" and typed.dimension.plain:
            continue  # a plain number may be anything
        if kind in ("speed", "position") and not _serves(node, motor, kind, names, diagnostics):
            return None
        if kind in ("voltage", "current") and not motor.electric:
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
    rest = (
        Text("a speed (rad/s) or a position (rad)", "скорость (рад/с) или положение (рад)")
        if turns
        else Text("a speed (m/s) or a position (m)", "скорость (м/с) или положение (м)")
    )
    wanted = Text(
        f"{force.en}, a voltage (V), a current (A), {rest.en}", f"{force.ru}, напряжение (В), ток (А), {rest.ru}"
    )
    diagnostics.error("wrong-dimension", attribute.span, given, expected=wanted)
    return None


def _serves(node: Node, motor: Motor, kind: Kind, names: Names, diagnostics: Diagnostics) -> bool:
    """Whether a motor has the gains with which it follows a speed or a position."""
    missing = [key for key in (("kp", "kd") if kind == "position" else ("kd",)) if getattr(motor, key) is None]
    if not missing:
        return True
    word = Text("a speed", "скорость") if kind == "speed" else Text("a position", "положение")
    listed = ", ".join(missing)
    law = "kp (x - q) - kd v" if kind == "position" else "kd (x - v)"
    diagnostics.error(
        "incomplete-motor",
        node.at("from"),
        Text(
            f'{word.en} is asked of motor "{motor.name}", and how hard it follows is not said: {listed}',
            f"от привода «{motor.name}» требуют {word.ru}, а как сильно он её отслеживает, не задано: {listed}"
            if kind == "speed"
            else f"от привода «{motor.name}» требуют {word.ru}, а как сильно он его отслеживает, не задано: {listed}",
        ),
        expected=Text(f"the motor's gains: its force is {law}", f"коэффициенты привода: его сила {law}"),
        hint=Text('for example kp="200 N*m/rad" kd="20 N*m*s/rad"', 'например kp="200 Н*м/рад" kd="20 Н*м*с/рад"')
        if names.motor_kinds.get(motor.name) == "turn"
        else Text('for example kp="2000 N/m" kd="200 N*s/m"', 'например kp="2000 Н/м" kd="200 Н*с/м"'),
        related=[(motor.span, Text("the motor is here", "привод здесь"))],
    )
    return False
