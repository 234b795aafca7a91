"""What is around the bodies: the axes of X3D, flat surfaces of contacts, light, background, viewpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Language, Text
from sistel.mechanics import formula_value
from sistel.model import Contact, Model
from sistel.records import record
from sistel.views.x3d._axes import rotation_of
from sistel.views.x3d._nodes import Node, node, number, numbers, string, strings, transform
from sistel.views.x3d._primitives import looks, turn_of
from sistel.views.x3d._rounded import block

if TYPE_CHECKING:
    from sistel.arrays import Array


SKY = "0.93 0.95 0.98, 0.97 0.98 0.99"
SURFACE = (0.62, 0.66, 0.72)
LIGHTS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    ("-0.55 -1 -0.75", "0.72", "0.5", {"shadows": "true", "shadowIntensity": "0.42"}),
    ("0.9 -0.4 -0.55", "0.28", "0.2", {}),
    ("0.1 0.9 0.5", "0.12", "0", {}),
)
"""Direction, intensity, ambient part: the sun from the left above, which alone casts shadows, a fainter light from the
right, and what the floor throws back."""
VIEW = 0.6
"""Angle that the smaller side of the window sees [rad]."""


@record
class Plane:
    """A flat surface, normal · place = offset in the frame of a body, free where the product is larger."""

    body: int
    normal: Array
    offset: float
    """[m]"""


def flat_surface(model: Model, contact: Contact) -> Plane | None:
    """The surface of a contact, where it is a plane: its gap is then linear in the place."""
    if contact.outline is not None:
        return None
    given = {parameter.name: parameter.value for parameter in model.parameters}

    def gap(*place: float) -> float:
        names = {**given, "t": model.start_time, **dict(zip("xyz", place, strict=True))}
        value = formula_value(contact.gap, names, _no_quantity)
        if not isinstance(value, float | int):
            raise TypeError(value)
        return float(value)

    try:
        offset = gap(0.0, 0.0, 0.0)
        normal = np.array([gap(1.0, 0.0, 0.0), gap(0.0, 1.0, 0.0), gap(0.0, 0.0, 1.0)]) - offset
        probe = np.array((0.37, -1.91, 2.23))
        there = gap(*probe.tolist())
    except (KeyError, ValueError, ArithmeticError, TypeError):
        return None
    length = float(np.linalg.norm(normal))
    if not math.isfinite(there) or length < 1e-9:
        return None
    if abs(there - offset - normal @ probe) > 1e-9 * (abs(offset) + 3 * length):
        return None
    return Plane(body=contact.on, normal=normal / length, offset=-offset / length)


def _no_quantity(*_: object) -> NoReturn:
    raise ValueError("a surface that follows the state")


def patch(plane: Plane, near: Array, size: float, planar: bool, depth: float) -> Node:
    """A piece of a flat surface about the place nearest to a point, as a thin box."""
    foot = near + plane.normal * (plane.offset - plane.normal @ near)
    if planar:
        foot[2] = -depth / 2
    # Axes with the second along the normal; the third is z for planar systems.
    third = np.array((0.0, 0.0, 1.0)) if abs(plane.normal[2]) < 0.9 else np.array((1.0, 0.0, 0.0))
    first = np.cross(plane.normal, third)
    first /= np.linalg.norm(first)
    third = np.cross(first, plane.normal)
    R = rotation_of(np.stack([first, plane.normal, third], axis=1))
    thick = 0.012 * size
    wide = (0.6 * size, thick, depth + 0.12 * size if planar else 0.6 * size)
    place = foot - plane.normal * (thick / 2)
    return transform(
        [block(wide, looks(SURFACE, 0.25))],
        translation=place.tolist(),
        rotation=turn_of(R),
    )


def view(points: Array, direction: Sequence[float], words: Text, lang: Language) -> Node:
    """A viewpoint from a direction, far enough for all points [m]."""
    back = np.array(direction) / np.linalg.norm(direction)
    up = np.array((0.0, 1.0, 0.0)) if abs(back[1]) < 0.99 else np.array((0.0, 0.0, -1.0))
    right = np.cross(up, back)
    right /= np.linalg.norm(right)
    above = np.cross(back, right)
    axes = np.stack([right, above, back], axis=1)
    seen = points @ axes
    low, high = seen.min(axis=0), seen.max(axis=0)
    middle = (low + high) / 2
    # Points are on axes and edges; what is drawn there is a little larger.
    aside = np.abs(seen[:, :2] - middle[:2]).max(axis=1) + 0.03 * np.linalg.norm(high - low)
    distance = float((seen[:, 2] - middle[2] + 1.08 * aside / math.tan(VIEW / 2)).max())
    behind = middle + np.array((0.0, 0.0, distance))
    return node(
        "Viewpoint",
        {
            "description": words.say(lang),
            "position": numbers(axes @ behind),
            "orientation": numbers(turn_of(rotation_of(axes))),
            "centerOfRotation": numbers(axes @ middle),
            "fieldOfView": number(VIEW),
        },
    )


def surroundings(model: Model, points: Array, scenery: Array | None, size: float, lang: Language) -> list[Node]:
    """Title, background, light, how to walk around, and viewpoints that see all points, and the scenery apart."""
    more = []
    if scenery is not None:
        more = [view(np.concatenate([points, scenery]), (0.75, 0.6, 1.0), Text("All around", "Вся сцена"), lang)]
    main = (0.28, 0.22, 1.0) if model.planar else (0.75, 0.5, 1.0)
    return [
        node("WorldInfo", {"title": string(model.name), "info": strings(model.about) if model.about else ""}),
        node("Background", {"skyColor": SKY, "skyAngle": "1.5707963"}),
        node(
            "NavigationInfo",
            {
                "type": strings("EXAMINE", "ANY"),
                # By default a viewer cuts off what is nearer than an eighth of a metre.
                "avatarSize": numbers((0.02 * size, 0.1 * size, 0.05 * size)),
                "speed": number(size),
                "headlight": "false",
            },
        ),
        *(
            node(
                "DirectionalLight",
                {"direction": way, "intensity": bright, "ambientIntensity": soft, **shadow, "global": "true"},
            )
            for way, bright, soft, shadow in LIGHTS
        ),
        view(points, main, Text("Whole system", "Вся система"), lang),
        view(points, (0.0, 0.0, 1.0), Text("Front", "Спереди"), lang),
        view(points, (1.0, 0.0, 0.0), Text("From the right", "Справа"), lang),
        view(points, (0.0, 1.0, 0.0), Text("From above", "Сверху"), lang),
        *more,
    ]
