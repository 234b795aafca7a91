"""Where a picture stands: coordinates that the text gives for the start or the drawing, and handles to turn them."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from sistel.errors import Language, Text
from sistel.markup import Document, Node
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.markup.xml import Element
from sistel.model import Body, Model
from sistel.pose import Vector3
from sistel.records import entry
from sistel.studio.service._edits import Edit, insertion
from sistel.studio.service._grips import Grip, label_of
from sistel.studio.service._numbers import plain
from sistel.studio.service._slots import Slot, added, scale_of, slot_of

ALONG = {"turn": 0.62, "slide": 0.38, "free": 0.38}
"""Where on a body its handles sit, in parts of the way from its pole to what is farthest on it."""
_WORD = re.compile(r"[^\W\d][\w.-]*\Z")
_PARTS = {"x": "x", "y": "y", "z": "z", "angle": "angle", "угол": "angle"}


@entry
class Stance:
    """The coordinates that a text gives."""

    node: Node | None
    """The element that gives them; None where there is none yet."""
    slots: Mapping[int, Slot]
    """Where each is written, by its place in q."""


def stance_of(model: Model, document: Document) -> Stance:
    """The coordinates that are drawn, where they are given by this text."""
    picture = model.picture
    drawn = picture is not None and bool(picture.posture.given_q)
    nodes = list(document.root.of("drawing" if drawn else "start"))
    posture = picture.posture if drawn and picture is not None else model.start
    slots: dict[int, Slot] = {}
    for node in nodes:
        for item in node.open:
            first = None if item.rate else _index(model, item.name)
            if first is None:
                continue
            for i, value in enumerate(item.values, first):
                if i >= model.nq or isinstance(value, (str, int)):
                    continue
                slot = slot_of(value, _scale(model, i))
                if slot.literal is None or abs((slot.value or 0.0) - posture.q[i]) < 1e-9:
                    slots[i] = slot
    return Stance(nodes[-1] if nodes else None, slots)


def _index(model: Model, name: str) -> int | None:
    """The first coordinate that a name means."""
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            continue
        if name == body.name:
            return body.first_q
        owner, _, part = name.rpartition(".")
        if owner == body.name:
            parts = [each for each, _ in body.joint.type.coordinates]
            wanted = _PARTS.get(part, part)
            if wanted in parts:
                return body.first_q + parts.index(wanted)
    return None


def _scale(model: Model, i: int) -> float:
    return scale_of("deg" if kind_of(model, i) == "turn" else "mm")


def kind_of(model: Model, i: int) -> str:
    """Whether a coordinate is a turn or a slide."""
    body = body_of(model, i)
    return body.joint.type.coordinates[i - body.first_q][1]


def body_of(model: Model, i: int) -> Body:
    """The body whose coordinate it is."""
    return next(body for body in reversed(model.bodies) if body.first_q <= i)


def limits_of(model: Model, i: int) -> tuple[float, float]:
    """Least and greatest value of a coordinate [m or rad]."""
    body = body_of(model, i)
    if body.joint.type.has_quaternion:
        return -math.inf, math.inf
    place = i - body.first_q
    low, high = body.joint.minimum[place], body.joint.maximum[place]
    if body.joint.type.limits_place(place):
        shift = float(body.p_PB[place]) if place < 3 else 0.0
        return low - shift, high - shift
    return low, high


def given_edit(
    model: Model, document: Document, root: Element, stance: Stance, i: int, value: float, step: float, lang: Language
) -> Edit | None:
    """The change that gives a coordinate a value where the text gives none; None where its name is no attribute's.

    Args:
        model: The system.
        document: Its text, as data.
        root: The same, as elements.
        stance: What is given.
        i: Place of the coordinate in q.
        value: [m or rad]
        step: To what it is rounded [mm or deg].
        lang: Language of the text.
    """
    name = model.coordinate_names[i]
    if _WORD.match(name) is None:
        return None
    number = plain(value / _scale(model, i), step)
    if stance.node is not None:
        element = next((each for each in root.walk() if each.start == stance.node.span.start), None)
        return None if element is None else added(element, name, number)
    word = ELEMENT_BY_KEY["start"].written(lang)
    return insertion(document.source.text, root, [f'<{word} {name}="{number}"/>'])


def stance_grips(
    model: Model, document: Document, grips: Sequence[Grip], reach: float
) -> list[tuple[Grip, tuple[int, ...]]]:
    """Handles that turn and shift bodies, each with the coordinates that it changes.

    Args:
        model: The system.
        document: Its text, as data.
        grips: What else can be taken hold of: it says how far bodies reach.
        reach: How far a body reaches of which nothing is known [m].
    """
    nodes = {node.span.start: node for node in document.root.walk() if node.key == "body"}
    made = []
    for body in model.bodies:
        node = nodes.get(body.span.start)
        if node is None or body.span.source is not document.source or body.joint.type.has_quaternion:
            continue
        kinds = [kind for _, kind in body.joint.type.coordinates]
        if not kinds:
            continue
        far = farthest(model, body, grips, reach)
        turns = tuple(body.first_q + i for i, kind in enumerate(kinds) if kind == "turn")
        slides = tuple(body.first_q + i for i, kind in enumerate(kinds) if kind == "slide")
        for kind, which in (("turn", turns), ("free" if len(slides) > 1 else "slide", slides)):
            if which and (model.planar or len(which) == 1):
                made.append((_handle(kind, body, far, node), which))
    return made


def _handle(kind: str, body: Body, far: Vector3, node: Node) -> Grip:
    part = ALONG[kind]
    place: Vector3 = (part * far[0], part * far[1], part * far[2])
    label: Text = label_of(kind, body.name)
    start, end = node.span.start, node.span.end
    return Grip(
        f"{kind}:{body.number}",
        kind,
        body.number,
        body.number,
        label,
        lambda _: place,
        lambda _, p: (),
        (),
        start,
        end,
    )


def farthest(model: Model, body: Body, grips: Sequence[Grip], reach: float) -> Vector3:
    """What is farthest from the pole of a body, in its frame [m]."""
    found: list[Vector3] = [grip.where(model) for grip in grips if grip.body == body.number and grip.kind != "com"]
    found += [model.bodies[child - 1].p_PB for child in model.adjacent(body.number)]
    far = max(found, key=lambda p: math.hypot(*p), default=(0.0, 0.0, 0.0))
    if math.hypot(*far) < 1e-6:
        x, y, z = (2.0 * float(each) for each in body.p_BoBcm_B)
        far = (x, y, z)
    if math.hypot(*far) < 1e-6:
        far = (reach, 0.0, 0.0)
    return (float(far[0]), float(far[1]), float(far[2]))
