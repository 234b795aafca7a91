"""What is around the bodies: the axes of X3D, floor, flat surfaces of contacts, light, background, viewpoints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Language, Text
from sistel.mechanics import formula_value
from sistel.model import Contact, Model
from sistel.pose import IDENTITY, Rotation, from_axis_angle
from sistel.records import record
from sistel.views.x3d._nodes import Node, node, number, numbers, rows, string, strings, transform
from sistel.views.x3d._primitives import box, looks, shape, turn_of

if TYPE_CHECKING:
    from sistel.arrays import Array


SKY = "0.93 0.95 0.98, 0.97 0.98 0.99"
FLOOR = "0.87 0.88 0.9"
LINES = "0.74 0.76 0.79"
SURFACE = (0.62, 0.66, 0.72)
VIEW = 0.6
"""Angle that the smaller side of the window sees [rad]."""


def up_frame(model: Model) -> Rotation:
    """R_XW: the axes of X3D, y up, from those of the system.

    Planar systems have y down and z away from who looks: half a turn about x. Spatial ones have their gravity, and z up
    where there is none; the turn is the one about a horizontal axis, so that x stays to the right where it can.
    """
    if model.planar:
        return from_axis_angle((1.0, 0.0, 0.0), math.pi)
    up = -np.array(model.gravity)
    length = float(np.linalg.norm(up))
    up = up / length if length > 0.0 else np.array((0.0, 0.0, 1.0))
    if abs(up[2] - 1.0) < 1e-12:
        return from_axis_angle((1.0, 0.0, 0.0), -math.pi / 2)
    if abs(up[1] - 1.0) < 1e-12:
        return IDENTITY
    right = np.array((1.0, 0.0, 0.0)) if abs(up[0]) < 0.9 else np.array((0.0, 1.0, 0.0))
    right = right - up * (right @ up)
    right /= np.linalg.norm(right)
    towards = np.cross(right, up)
    return _rotation(np.stack([right, up, towards]))


def _rotation(R: Array) -> Rotation:
    """A matrix as plain numbers."""
    a, b, c = R.tolist()
    return ((a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2]))


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
    R = _rotation(np.stack([first, plane.normal, third], axis=1))
    thick = 0.012 * size
    wide = (0.6 * size, thick, depth + 0.12 * size if planar else 0.6 * size)
    place = foot - plane.normal * (thick / 2)
    return transform(
        [box(wide, looks(SURFACE, 0.25))],
        translation=place.tolist(),
        rotation=turn_of(R),
    )


def floor(low: Array, high: Array, height: float, size: float) -> list[Node]:
    """A light ground with a grid under everything, in the axes of X3D [m]."""
    wide = max(size, float(high[1] - low[1]))
    step = _round_step(wide)
    first = np.floor((low[[0, 2]] - 0.35 * wide) / step)
    last = np.ceil((high[[0, 2]] + 0.35 * wide) / step)
    # A long way has a coarser grid.
    while (last - first).max() > 80:
        step *= 2
        first, last = np.floor(first / 2), np.ceil(last / 2)
    (x0, z0), (x1, z1) = first * step, last * step
    points = [p for x in np.arange(first[0], last[0] + 1) * step for p in ((x, 0.0, z0), (x, 0.0, z1))]
    points += [p for z in np.arange(first[1], last[1] + 1) * step for p in ((x0, 0.0, z), (x1, 0.0, z))]
    lines = node(
        "LineSet",
        {"vertexCount": " ".join(["2"] * (len(points) // 2))},
        [node("Coordinate", {"point": rows(points)})],
    )
    thick = 0.01 * size
    slab = transform(
        [box((x1 - x0, thick, z1 - z0), _unlit(FLOOR))],
        translation=((x0 + x1) / 2, -thick / 2 - 0.002 * size, (z0 + z1) / 2),
    )
    return [transform([slab, shape(lines, _unlit(LINES))], name="Floor", translation=(0.0, height, 0.0))]


def _unlit(colour: str) -> Node:
    """A colour that no light changes: a floor that is seen from the side would else be dark."""
    return node("Appearance", children=[node("UnlitMaterial", {"emissiveColor": colour})])


def _round_step(size: float) -> float:
    """1, 2 or 5 times a power of ten, about an eighth of the size [m]."""
    power = 10.0 ** math.floor(math.log10(size / 8))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= size / 8)


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
            "orientation": numbers(turn_of(_rotation(axes))),
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
            },
        ),
        node("DirectionalLight", {"direction": "-0.4 -0.8 -0.5", "intensity": "0.5", "global": "true"}),
        view(points, main, Text("Whole system", "Вся система"), lang),
        view(points, (0.0, 0.0, 1.0), Text("Front", "Спереди"), lang),
        view(points, (1.0, 0.0, 0.0), Text("From the right", "Справа"), lang),
        view(points, (0.0, 1.0, 0.0), Text("From above", "Сверху"), lang),
        *more,
    ]
