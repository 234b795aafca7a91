"""Couplings of coordinates: ideal ones, gears with play and losses, clutches, differentials."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from sistel.errors import Text
from sistel.markup import Node
from sistel.model._assembly import MountedFile
from sistel.model._elements import Coupling, Drive
from sistel.model._formulas import formulas
from sistel.model._links import LinkReader, links_of
from sistel.model._names import CoordinateRef
from sistel.units import ANGLE, LENGTH

KINDS: Final = ("coupling", "gear", "clutch", "differential")


Asked = tuple[Drive, MountedFile, Node, CoordinateRef]
"""A gear or a clutch, its file and element, and the driven coordinate."""


def read_limits(reader: LinkReader, drives: list[Asked]) -> tuple[Drive, ...]:
    """Gears, and clutches with their limits, which may name counters and structures."""
    made: list[Drive] = []
    for drive, part, node, driven in drives:
        if node.key == "gear":
            made.append(drive)
            continue
        limit = formulas(node, "limit", part, reader.names, reader.diagnostics, 1, driven.kinds)
        if limit is not None:
            made.append(replace(drive, limit=limit[0]))
    return tuple(made)


def read_couplings(reader: LinkReader, parts: list[MountedFile]) -> tuple[tuple[Coupling, ...], list[Asked]]:
    """Couplings that hold, and those that give way, the limits of which are still to be read."""
    couplings: list[Coupling] = []
    drives: list[Asked] = []
    for part, node in links_of(parts, *KINDS):
        gives = node.key == "clutch" or (node.key == "gear" and not _ideal(node))
        name = reader.declare(node, part, "drive" if gives else "coupling")
        ends = _ends(reader, node, part)
        if name is None or ends is None:
            continue
        driven, *drivers = ends
        places = [end.slot.first_q + end.rates[0] - end.slot.first_v for end in ends]
        coupling = Coupling(
            name=name,
            driven=places[0],
            driver=places[1],
            ratio=_ratio(node, part, driven, drivers[0]) or (1.0,),
            offset=part.values.per_coordinate(node, "offset", driven.kinds, 0.0)[0],
            always=node.get("holds") is not False,
            second=places[2] if len(places) > 2 else None,
            span=node.span,
        )
        if not gives:
            couplings.append(coupling)
        else:
            reader.names.motor_kinds[name] = driven.kinds[0]
            drive = Drive(name=name, coupling=coupling, span=node.span)
            drives.append(
                (drive if node.key == "clutch" else _gear(reader, node, part, coupling, driven), part, node, driven)
            )
        if len(coupling.ratio) > 1 and (gives or coupling.second is not None):
            message = Text("here the ratio is one number", "здесь отношение — одно число")
            hint = Text("a coupling may have powers of the driver", "степени ведущей координаты бывают у передачи")
            reader.diagnostics.error("wrong-count", node.at("ratio"), message, hint=hint)
    return tuple(couplings), drives


def _ends(reader: LinkReader, node: Node, part: MountedFile) -> list[CoordinateRef] | None:
    """The driven coordinate and its drivers; None after an error."""
    found: list[CoordinateRef] = []
    wanted = 2 if node.key == "differential" else 1
    for key, count in (("of", 1), ("to", wanted)):
        given = node.names(key)
        if key in node.attributes and len(given) != count:
            message = Text("a differential has two outputs", "у дифференциала два выхода")
            expected = Text("two coordinates", "две координаты")
            reader.diagnostics.error("wrong-count", node.at(key), message, expected=expected)
            return None
        for index, name in enumerate(given):
            pieces = node.attributes[key].parts
            end = reader.names.coordinate(name, part.scope, pieces[index] if pieces else node.at(key))
            if end is None:
                return None
            found.append(end)
    if len(found) != 1 + wanted:
        return None
    if any(len(end.rates) != 1 or end.slot.type.has_quaternion for end in found):
        message = Text("a coupling joins two single coordinates", "передача соединяет две отдельные координаты")
        hint = Text("name one coordinate, such as trunk.x", "назовите одну координату, например корпус.x")
        reader.diagnostics.error("wrong-coordinate", node.span, message, hint=hint)
        return None
    if node.key != "coupling" and len({end.name for end in found}) < len(found):
        reader.diagnostics.error(
            "same-body",
            node.at("to"),
            Text("this joins a coordinate to itself", "координата соединена сама с собой"),
        )
        return None
    if wanted == 2 and found[1].kinds != found[2].kinds:
        reader.diagnostics.error(
            "wrong-coordinate",
            node.at("to"),
            Text("one of the outputs turns and the other slides", "один из выходов поворачивается, а другой скользит"),
        )
        return None
    return found


def _ideal(node: Node) -> bool:
    """Whether nothing in a gear gives way."""
    return not node.attributes.keys() & {"backlash", "stiffness", "damping", "efficiency", "restitution"}


def _gear(reader: LinkReader, node: Node, part: MountedFile, coupling: Coupling, driven: CoordinateRef) -> Drive:
    values, diagnostics = part.values, reader.diagnostics
    (backlash,) = values.per_coordinate(node, "backlash", driven.kinds, 0.0)
    if float(backlash) < 0.0:
        values.negative(node, "backlash", backlash)
    stiffness = (
        values.per_coordinate(node, "stiffness", driven.kinds, 0.0)[0] if "stiffness" in node.attributes else None
    )
    if stiffness is not None and not float(stiffness) > 0.0:
        diagnostics.error(
            "out-of-range",
            node.at("stiffness"),
            Text("teeth without stiffness hold nothing", "зубья без жёсткости ничего не держат"),
            expected=Text("a positive number", "положительное число"),
        )
    (damping,) = values.per_coordinate(node, "damping", driven.kinds, 0.0)
    if float(damping) < 0.0:
        values.negative(node, "damping", damping)
    efficiency, backward = _efficiency(reader, node, part)
    if stiffness is None and "damping" in node.attributes:
        diagnostics.error(
            "unused-law",
            node.at("damping"),
            Text("rigid teeth have no damping", "у жёстких зубьев нет вязкости"),
            hint=Text(
                "give a stiffness, or a restitution instead", "задайте жёсткость или, вместо неё, восстановление"
            ),
        )
    for key in ("restitution", "efficiency") if stiffness is not None else ():
        if key in node.attributes:
            diagnostics.error(
                "unused-law",
                node.at(key),
                Text(f"elastic teeth have no {key}", f"у упругих зубьев нет «{node.attributes[key].name_span.text}»"),
                hint=Text("their losses are those of damping", "их потери — вязкость"),
            )
    if "restitution" in node.attributes and float(backlash) == 0.0:
        diagnostics.error(
            "unused-law",
            node.at("restitution"),
            Text("without play nothing strikes", "без люфта ничто не ударяет"),
            expected=Text("backlash", "люфт"),
        )
    return Drive(
        name=coupling.name,
        coupling=coupling,
        backlash=backlash,
        stiffness=stiffness,
        damping=damping,
        restitution=values.fraction(node, "restitution"),
        efficiency=efficiency,
        backward=backward,
        span=node.span,
    )


def _efficiency(reader: LinkReader, node: Node, part: MountedFile) -> tuple[float, float]:
    """Efficiencies of both ways."""
    given = part.values.numbers(node, "efficiency")
    if given is None:
        return 1.0, 1.0
    if len(given) > 2 or not 0.0 < float(given[0]) <= 1.0 or not all(0.0 <= float(each) <= 1.0 for each in given):
        reader.diagnostics.error(
            "out-of-range",
            node.at("efficiency"),
            Text("this is no efficiency", "это не КПД"),
            expected=Text(
                "a number above 0, up to 1; a second one from 0 to 1", "число больше 0, до 1; второе — от 0 до 1"
            ),
        )
        return 1.0, 1.0
    if len(given) == 2:
        return given[0], given[1]
    back = 2.0 - 1.0 / given[0]
    return given[0], back if back > 0.0 else 0.0


def _ratio(node: Node, part: MountedFile, driven: CoordinateRef, driver: CoordinateRef) -> tuple[float, ...] | None:
    """Ratios in SI; one of them may carry its unit where a slide drives a turn, or the reverse."""
    value = node.get("ratio")
    if not isinstance(value, tuple):
        return None
    lengths = [LENGTH if ref.kinds[0] == "slide" else ANGLE for ref in (driven, driver)]
    numbers = []
    for power, item in enumerate(value, 1):
        assert not isinstance(item, str)
        number = part.values.expression(item, lengths[0].over(lengths[1].power(power)), "")
        if number is None:
            return None
        numbers.append(number)
    return tuple(numbers)
