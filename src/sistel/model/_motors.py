"""Motors at joints: what a file says of them, what of it can be honoured, and which of them have a current as state."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Final

from sistel.errors import Diagnostics, Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._bodies import Draft
from sistel.model._brakes import check_brakes
from sistel.model._control import Scheme
from sistel.model._elements import Body, Motion, Motor
from sistel.model._model import Memory
from sistel.model._names import Names
from sistel.model.joints import CoordinateKind
from sistel.units import ANGLE, LENGTH, PLAIN

QUICK: Final = 1e-6
"""L/R below which the current of a winding is taken for settled at every instant [s]."""
_ELECTRIC: Final = ("voltage", "resistance", "inductance", "constant", "current")
"""Words of electric motors."""
_COMMANDED: Final = (*_ELECTRIC, "efficiency")
"""Words that act only where something commands the motor; limits and speeds are read by programmed motions too."""


def motors(drafts: list[Draft], bodies: tuple[Body, ...], names: Names, diagnostics: Diagnostics) -> tuple[Motor, ...]:
    """Motors at joints."""
    made = []
    for draft in drafts:
        body = bodies[draft.number - 1]
        for node in draft.node.of("motor"):
            index = _coordinate(node, draft, body, names, diagnostics)
            if index is not None:
                made.append(_motor(node, draft, body, index, names, diagnostics))
    return tuple(made)


def _motor(node: Node, draft: Draft, body: Body, index: int, names: Names, diagnostics: Diagnostics) -> Motor:
    values = draft.part.values
    kinds = (body.joint.type.rates[index][1],)
    name = _name(node, draft)
    names.declare("motor", name, node.at("name"))
    names.motor_kinds[name] = kinds[0]
    ratio = _ratio(node, draft.part, kinds[0])
    if ratio == 0:
        diagnostics.error(
            "zero-ratio",
            node.at("ratio"),
            Text("a gear ratio of 0 moves nothing", "передаточное отношение 0 ничего не движет"),
        )
    limit = values.per_coordinate(node, "limit", kinds, math.inf)[0]
    if limit < 0:
        values.negative(node, "limit", limit)
    motor = Motor(
        name=name,
        body=draft.number,
        coordinate=index,
        ratio=ratio,
        limit=limit,
        speed=abs(values.per_coordinate(node, "speed", kinds, math.inf)[0]),
        inertia=values.positive(node, "inertia"),
        efficiency=values.fraction(node, "efficiency", 1.0),
        voltage=values.optional(node, "voltage"),
        resistance=values.optional(node, "resistance"),
        inductance=values.positive(node, "inductance"),
        constant=values.optional(node, "constant"),
        current=values.optional(node, "current"),
        kp=_own(node, "kp", draft.part, kinds),
        kd=_own(node, "kd", draft.part, kinds),
        brake=_own(node, "brake", draft.part, kinds),
        span=node.span,
    )
    _check_numbers(motor, node, diagnostics)
    _check_winding(motor, node, diagnostics)
    return motor


def _own(node: Node, key: str, part: MountedFile, kinds: Sequence[CoordinateKind]) -> float | None:
    """A number of the coordinate of a motor that is not negative; None where the file has none."""
    if key not in node.attributes:
        return None
    (value,) = part.values.per_coordinate(node, key, kinds, 0.0)
    if value < 0:
        part.values.negative(node, key, value)
    return value


def _name(node: Node, draft: Draft) -> str:
    own = node.text("name")
    return draft.part.scope.full(own) if own is not None else draft.name


def _check_numbers(motor: Motor, node: Node, diagnostics: Diagnostics) -> None:
    """Refuse numbers that no motor has."""
    for key in ("voltage", "resistance", "constant", "current", "efficiency"):
        value = getattr(motor, key)
        if value is None or value > 0 or key not in node.attributes:
            continue
        word = node.attributes[key].name_span.text
        diagnostics.error(
            "not-positive",
            node.at(key),
            Text(f'"{word}" of a motor is not positive ({value:g})', f"«{word}» привода не больше нуля ({value:g})"),
            expected=Text("a positive number", "положительное число"),
        )


def _check_winding(motor: Motor, node: Node, diagnostics: Diagnostics) -> None:
    """Refuse electric motors that say too little of their winding to act."""
    given = [key for key in _ELECTRIC if key in node.attributes]
    missing = [key for key in ("resistance", "constant") if key not in node.attributes]
    if not given or not missing:
        return
    words = {"resistance": ("resistance", "сопротивление"), "constant": ("constant", "постоянная")}
    en, ru = (", ".join(words[key][0] for key in missing), ", ".join(words[key][1] for key in missing))
    word = node.attributes[given[0]].name_span.text
    diagnostics.error(
        "incomplete-motor",
        node.at(given[0]),
        Text(
            f'"{word}" acts through the winding of the motor, and not all of it is given: {en}',
            f"«{word}» действует через обмотку двигателя, а у неё не задано: {ru}",
        ),
        expected=Text("resistance and constant of the winding", "сопротивление и постоянная обмотки"),
        hint=Text(
            'an electric motor reads: voltage="12 V" resistance="2 Ohm" constant="0.05 V*s/rad"',
            'электродвигатель: напряжение="12 В" сопротивление="2 Ом" постоянная="0.05 В*с/рад"',
        ),
    )


def _ratio(node: Node, part: MountedFile, kind: str) -> float:
    """Motor turns per joint turn, or radians of the motor per metre where the joint slides."""
    value = node.get("ratio")
    if not isinstance(value, tuple) or len(value) != 1 or isinstance(value[0], str):
        return part.values.one(node, "ratio", 1.0)
    number = part.values.expression(value[0], ANGLE.over(LENGTH) if kind == "slide" else PLAIN, "")
    return 1.0 if number is None else number


def _coordinate(node: Node, draft: Draft, body: Body, names: Names, diagnostics: Diagnostics) -> int | None:
    given = node.names("of")
    if given:
        found = names.coordinate(given[0], draft.part.scope, node.at("of"))
        if found is None:
            return None
        if found.slot.body == draft.name and len(found.rates) == 1:
            return found.rates[0] - found.slot.first_v
        diagnostics.error(
            "wrong-coordinate",
            node.at("of"),
            Text(
                "a motor drives one coordinate of the joint of its own body",
                "привод движет одну координату сочленения своего тела",
            ),
        )
        return None
    if body.joint.type.nv == 1:
        return 0
    diagnostics.error(
        "wrong-coordinate",
        node.span,
        Text(
            f"the joint has {body.joint.type.nv} coordinates; the motor must say which one it drives",
            f"у сочленения координат: {body.joint.type.nv}; привод должен назвать свою",
        ),
        hint=Text(f'for example of="{draft.name}.x"', f'например чего="{draft.name}.x"'),
    )
    return None


# --- motors and motions ----------------------------------------------------------------------------------------------


def check_motors(
    drafts: list[Draft],
    bodies: Sequence[Body],
    motors: Sequence[Motor],
    motions: Sequence[Motion],
    commanded: Collection[str],
    schemes: Sequence[Scheme],
    diagnostics: Diagnostics,
) -> None:
    """Refuse what commands cannot make motors do; warn of motors that say much and are commanded by nothing."""
    nodes = {_name(node, draft): node for draft in drafts for node in draft.node.of("motor")}
    check_brakes([(motor, nodes[motor.name]) for motor in motors], bodies, commanded, diagnostics)
    refused = set(commanded) - {each.label for scheme in schemes for each in scheme.commands}
    served = [motor for motor in motors if motor.name not in refused]
    _check_servos(served, nodes, bodies, schemes, diagnostics)
    taken: dict[int, Motor] = {}
    for motor in motors:
        node = nodes[motor.name]
        rate = bodies[motor.body - 1].first_v + motor.coordinate
        followed = motor.name in commanded or any(_commands(motion, rate) for motion in motions)
        other = taken.setdefault(rate, motor)
        if other is not motor and (motor.electric or other.electric):
            diagnostics.error(
                "two-motors",
                motor.span,
                Text(
                    "the coordinate has an electric motor and another one: what each of them is to do is not said",
                    "у координаты электродвигатель и ещё один привод: что делать каждому, не сказано",
                ),
                related=[(other.span, Text("the other one", "другой"))],
            )
        words = [node.attributes[key].name_span.text for key in _COMMANDED if key in node.attributes]
        if words and not followed:
            _idle(motor, words, any(rate in motion.rates for motion in motions), diagnostics)
        elif "efficiency" in node.attributes and not motor.electric:
            diagnostics.warning(
                "no-effect",
                node.at("efficiency"),
                Text(
                    "the motor is not an electric one: what its gear loses changes neither forces nor motion",
                    "двигатель не электрический: потери передачи не меняют ни сил, ни движения",
                ),
                hint=Text(
                    "give its voltage, resistance and constant", "задайте напряжение, сопротивление и постоянную"
                ),
            )
        elif (
            motor.name not in commanded
            and motor.electric
            and motor.voltage is None
            and motor.current is None
            and not motor.inductance
        ):
            diagnostics.warning(
                "no-effect",
                motor.span,
                Text(
                    "the winding limits nothing: neither a greatest voltage nor a greatest current is given",
                    "обмотка ничего не ограничивает: не заданы ни наибольшее напряжение, ни наибольший ток",
                ),
            )
        if motor.electric and motor.inductance and not slow(motor):
            diagnostics.warning(
                "quick-winding",
                node.at("inductance"),
                Text(
                    "the current settles in less than a microsecond (L/R): it is taken for settled at every instant",
                    "ток устанавливается быстрее микросекунды (L/R): он считается установившимся в каждый момент",
                ),
            )


def _check_servos(
    motors: Sequence[Motor],
    nodes: Mapping[str, Node],
    bodies: Sequence[Body],
    schemes: Sequence[Scheme],
    diagnostics: Diagnostics,
) -> None:
    """Refuse positions of what has no coordinate; warn of gains that nothing uses."""
    asked = {each.motor: each for scheme in schemes for each in scheme.commands if each.kind != "brake"}
    for motor in motors:
        node, command = nodes[motor.name], asked.get(motor.name)
        kind = None if command is None else command.kind
        if command is not None and kind == "position" and bodies[motor.body - 1].joint.type.has_quaternion:
            diagnostics.error(
                "wrong-coordinate",
                command.span,
                Text(
                    "a position is asked of a joint whose turn is a quaternion",
                    "положение требуют от сочленения, поворот которого — кватернион",
                ),
                expected=Text("a force or a speed", "сила или скорость"),
            )
        for key, kinds, word in (
            ("kp", ("position",), Text("a position", "положения")),
            ("kd", ("position", "speed"), Text("a speed or a position", "скорости или положения")),
        ):
            if key in node.attributes and kind not in kinds:
                diagnostics.warning(
                    "no-effect",
                    node.at(key),
                    Text(
                        f"no scheme asks this motor for {word.en}: {key} does nothing",
                        f"ни одна схема не требует от этого привода {word.ru}: {key} не действует",
                    ),
                )


def _idle(motor: Motor, words: Sequence[str], forced: bool, diagnostics: Diagnostics) -> None:
    """Warn of a motor whose words do nothing."""
    listed = ", ".join(words)
    if forced:
        message = Text(
            f'the motion of the joint is forced whatever it takes: motor "{motor.name}" has no say ({listed})',
            f"движение сочленения принудительное: привод «{motor.name}» ничего не решает ({listed})",
        )
    else:
        message = Text(
            f'nothing commands motor "{motor.name}": it only carries its rotor along (no effect: {listed})',
            f"приводом «{motor.name}» ничто не управляет: он лишь вращает свой ротор (не действуют: {listed})",
        )
    hint = Text("a motion with kp and kd commands it", "им управляет движение с kp и kd")
    diagnostics.warning("idle-motor", motor.span, message, hint=hint)


def _commands(motion: Motion, rate: int) -> bool:
    return motion.kp is not None and rate in motion.rates


def slow(motor: Motor) -> bool:
    """Whether the current of a motor takes its time: it is a part of the state then."""
    return motor.resistance is not None and motor.inductance > QUICK * motor.resistance


def currents(
    bodies: Sequence[Body], motors: Sequence[Motor], motions: Sequence[Motion], commanded: Container[str]
) -> tuple[Memory, ...]:
    """The currents that states have: of motors that are commanded and whose windings have an inductance."""
    return tuple(
        Memory(kind="current", name=motor.name, start=0.0)
        for motor in motors
        if motor.electric
        and slow(motor)
        and (
            motor.name in commanded
            or any(_commands(motion, bodies[motor.body - 1].first_v + motor.coordinate) for motion in motions)
        )
    )
