"""Tables of motors: XML files from which synthesis chooses."""

from __future__ import annotations

from dataclasses import replace

from sistel.errors import Diagnostics, Source, Text
from sistel.markup import Expression, Node, read_document, read_tree
from sistel.model import Model, Motor, checker_of, values_of
from sistel.records import record
from sistel.units import ANGULAR_SPEED, FORCE, MOMENT, PLAIN, SPEED

USED = ("name", "limit", "speed", "ratio", "inertia", "efficiency")


@record
class Offer:
    """A motor of the table, with its gear."""

    name: str
    turns: bool
    """Whether it drives a turn; else a slide."""
    limit: float
    """Greatest force at the joint [N or N·m]."""
    speed: float
    """Greatest speed of the joint [m/s or rad/s]."""
    ratio: float
    inertia: float
    """Of the rotor [kg·m²]."""
    efficiency: float

    def fitted(self, motor: Motor) -> Motor:
        """A motor of the model, replaced by this one."""
        return replace(
            motor,
            ratio=self.ratio,
            limit=self.limit,
            speed=self.speed,
            inertia=self.inertia,
            efficiency=self.efficiency,
            voltage=None,
            resistance=None,
            inductance=0.0,
            constant=None,
            current=None,
        )


def read_motors(source: Source, model: Model) -> tuple[Offer, ...]:
    """The motors of a table, in its order.

    Raises:
        SistelError: Everything that is wrong with the file, with places.
    """
    diagnostics = Diagnostics()
    tree = read_tree(source, diagnostics)
    document = None if tree is None else read_document(tree, source, diagnostics, "motors")
    diagnostics.raise_if_failed()
    assert document is not None
    offers = [_offer(node, model, diagnostics) for node in document.root.of("motor")]
    if not offers:
        diagnostics.error("no-motors", document.root.span, Text("the table has no motors", "в таблице нет приводов"))
    names = [each.name for each in offers if each is not None]
    for node in document.root.of("motor"):
        name = node.text("name") or ""
        if names.count(name) > 1:
            diagnostics.error("same-name", node.at("name"), Text("this name is taken already", "это имя уже занято"))
    diagnostics.raise_if_failed()
    return tuple(each for each in offers if each is not None)


def _offer(node: Node, model: Model, diagnostics: Diagnostics) -> Offer | None:
    for key in ("name", "limit", "speed"):
        if key not in node.attributes and key not in node.failed:
            spec = node.spec.by_key[key]
            diagnostics.error(
                "missing-attribute",
                node.span,
                Text(f'a motor of a table needs "{spec.en[0]}"', f"приводу таблицы нужно «{spec.ru[0]}»"),
            )
    for key, attribute in node.attributes.items():
        if key not in USED:
            diagnostics.error(
                "useless-attribute",
                attribute.name_span,
                Text("synthesis does not choose by this", "синтез по этому не выбирает"),
                expected=Text(", ".join(USED), "имя, предел, скорость, передача, инерция, КПД"),
            )
    values = values_of(model, diagnostics)
    limits, speeds = node.get("limit"), node.get("speed")
    if not isinstance(limits, tuple) or not isinstance(speeds, tuple) or len(limits) != 1 or len(speeds) != 1:
        return None
    limit, speed = limits[0], speeds[0]
    assert not isinstance(limit, str) and not isinstance(speed, str)
    slides = _slides(limit, model, diagnostics)
    force = values.expression(limit, FORCE if slides else MOMENT, "N" if slides else "N*m")
    rate = values.expression(speed, SPEED if slides else ANGULAR_SPEED, "mm/s" if slides else "deg/s")
    if force is None or rate is None:
        return None
    return Offer(
        name=node.text("name") or "",
        turns=not slides,
        limit=force,
        speed=rate,
        ratio=values.one(node, "ratio", 1.0),
        inertia=values.positive(node, "inertia"),
        efficiency=values.fraction(node, "efficiency", 1.0),
    )


def _slides(limit: Expression, model: Model, diagnostics: Diagnostics) -> bool:
    """Whether the limit is a force, of a slide; a plain number is a moment."""
    typed = checker_of(model, Diagnostics()).check(limit)
    return (
        typed is not None and typed.dimension is not None and typed.dimension != PLAIN and typed.dimension.fits(FORCE)
    )
