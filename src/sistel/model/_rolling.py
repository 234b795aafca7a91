"""Round shapes that touch: what a contact may ask of them."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Diagnostics, Span, Text
from sistel.markup import Node
from sistel.model._contact_elements import Contact, Height, Round
from sistel.model._elements import Formula, Shape
from sistel.model._flat import height_of, is_flat
from sistel.model._values import Values
from sistel.pose import Vector3
from sistel.records import entry

_ROUND = ("sphere", "circle", "wheel")


@entry
class Spot:
    """What of a body a contact lets touch."""

    name: str
    """Of the point or of the shape."""
    body: int
    place: Vector3
    """The point, or the centre of the shape, in the body [m]."""
    round: Round | None = None


def round_spot(node: Node, shape: Shape, planar: bool, diagnostics: Diagnostics) -> Spot | None:
    """The round shape that a contact names; None where it cannot touch."""
    if shape.kind not in _ROUND:
        flat = Text("a circle, a polygon or a box", "круг, многоугольник или коробка")
        solid = Text("a sphere, wheel, box, capsule or cylinder", "шар, колесо, коробка, капсула или цилиндр")
        said = Text("a shape of this kind does not touch", "фигура такого вида не касается")
        diagnostics.error("wrong-shape", node.at("of"), said, expected=flat if planar else solid)
        return None
    radius = shape.sizes[0] if shape.sizes else -1.0
    if float(radius) < 0:
        return None  # that has been said
    if float(radius) == 0:
        diagnostics.error(
            "no-radius",
            shape.span,
            Text("a shape that touches has a radius", "у фигуры, которая касается, есть радиус"),
            expected=Text(
                "a positive length; a point touches without one", "положительная длина; без неё касается точка"
            ),
            related=[(node.at("of"), Text("it is to touch here", "она должна касаться здесь"))],
        )
        return None
    axis: Vector3 | None = None
    tread = 0.0
    if shape.kind == "wheel":
        x, y, z = (row[2] for row in shape.R_BS)
        axis, tread = (x, y, z), shape.sizes[1] if len(shape.sizes) > 1 else 0.0
    return Spot(shape.name, shape.body, shape.p_BS, Round(radius=radius, axis=axis, tread=tread))


def check_rolling(node: Node, spot: Spot, diagnostics: Diagnostics) -> bool:
    """Say what an ideal rolling asks that the shape of a contact cannot do; whether there is nothing of the kind."""
    if spot.round is None:
        message = Text("a point or a corner does not roll", "точка или угол не катится")
        expected = Text("of= with a sphere, a circle or a wheel", "чего= с шаром, кругом или колесом")
        diagnostics.error("wrong-shape", node.at("rolls"), message, expected=expected)
        return False
    for key in ("impact", "restitution"):
        if key in node.attributes:
            diagnostics.warning(
                "no-rebound",
                node.at(key),
                Text(
                    "what rolls ideally never comes off, so it never strikes",
                    "идеальное качение без отрыва, ударов нет",
                ),
            )
    return True


def curved_ground(
    node: Node, spots: Sequence[tuple[str, Spot]], gap: Formula, planar: bool, diagnostics: Diagnostics
) -> Height | None:
    """How the surface of a contact is solved for its height, where it is curved and something round is to touch it.

    What cannot touch it is said, and that of a box nothing but its corners does.
    """
    if is_flat(gap.expression):
        return None
    if spots[0][1].round is None:
        if len(spots) > 1:
            corners_alone(node, node.at("surface"), diagnostics)
        return None
    height = height_of(gap.expression, planar)
    if height is not None:
        return height
    diagnostics.error(
        "curved-surface",
        node.at("surface"),
        Text(
            "a round shape touches surfaces that are flat, or a smooth height that does not move: this one is neither",
            "круглая фигура касается плоскости или гладкой неподвижной поверхности, заданной высотой: эта не такова",
        ),
        expected=Text(
            "an equation such as y = 0.2*x or z = x^2/(1 m)", "уравнение, например y = 0.2*x или z = x^2/(1 м)"
        ),
    )
    return None


def corners_alone(node: Node, span: Span, diagnostics: Diagnostics) -> None:
    """Warn that sides and faces go through ground that bulges."""
    diagnostics.warning(
        "corners-alone",
        span,
        Text(
            "on curved ground only the corners of this shape touch: where the ground bulges between them, its sides go "
            "through",
            "кривой поверхности касаются только углы этой фигуры: где поверхность выпукла между ними, стороны проходят "
            "насквозь",
        ),
        hint=Text(
            "a hill may be a polyline or a box, which sides do touch; a hollow is as it should be",
            "холм можно сделать ломаной или коробкой, которых стороны касаются; во впадине всё верно",
        ),
        related=[(node.at("of"), Text("it is this shape", "вот эта фигура"))],
    )


def read_resistance(
    node: Node, values: Values, shapes: Sequence[Round | None], planar: bool, diagnostics: Diagnostics
) -> tuple[float, float]:
    """What resists rolling and spin of the shapes of a contact [m]; 0 where nothing does, or it cannot."""
    found = []
    for key, kinds in (
        ("rolling", Text("a circle, a wheel or a sphere", "круг, колесо или шар")),
        ("spinning", _SPINS),
    ):
        value = values.positive(node, key) if key in node.attributes else 0.0
        round_ = shapes[0] if len(shapes) == 1 else None
        fits = round_ is not None and not (planar and key == "spinning")
        if key in node.attributes and (not fits or node.text("rolls") == "ideal"):
            diagnostics.error(
                "wrong-shape" if not fits else "contradiction",
                node.at(key),
                Text("what touches here does not resist so", "то, что здесь касается, так не сопротивляется")
                if not fits
                else Text("what rolls ideally resists nothing", "идеальное качение ничему не сопротивляется"),
                expected=kinds if not fits else None,
            )
            value = 0.0
        found.append(value)
    return found[0], found[1]


_SPINS = Text("a sphere or a wheel in space", "шар или колесо в пространстве")


def check_squeezed(contacts: Sequence[Contact], diagnostics: Diagnostics) -> None:
    """Warn of shapes in space that rub on two surfaces at once, as a ball in a groove."""
    first: dict[tuple[int, Vector3], Contact] = {}
    said: set[Span | tuple[int, Vector3]] = set()
    for contact in contacts:
        if contact.round is None or contact.rolls or contact.friction == 0.0:
            continue
        shape = (contact.body, contact.p_BP)
        other = first.setdefault(shape, contact)
        # Of many pairs of one shape the first two say it.
        told = contact.span if contact.pair is None else shape
        if other is not contact and told not in said:
            said.add(told)
            diagnostics.warning(
                "squeezed-shape",
                contact.span,
                Text(
                    f'contacts "{other.name}" and "{contact.name}" rub on one shape: where both hold it, statics does '
                    "not determine how they squeeze it, and a run ends",
                    f"контакты «{other.name}» и «{contact.name}» трут одну фигуру: где держат оба, статика не "
                    "определяет, как они её сжимают, и расчёт заканчивается",
                ),
                hint=Text(
                    'let one of them be smooth: friction="none"', 'пусть один из них будет гладким: трение="нет"'
                ),
            )


def slippery(node: Node, diagnostics: Diagnostics) -> None:
    """Say that what rolls ideally has no friction to roll by."""
    diagnostics.error(
        "contradiction",
        node.at("rolls"),
        Text("without friction nothing rolls ideally", "без трения ничто не катится идеально"),
        hint=Text("keep one of the two", "оставьте что-то одно"),
    )
