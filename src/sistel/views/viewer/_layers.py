"""What a page can lay over a scene: frames, axes of joints, centres of mass, points of contacts."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.model import Body, Model
from sistel.pose import Vector3
from sistel.records import record
from sistel.views.x3d._nodes import Node, node, transform
from sistel.views.x3d._plan import Plan
from sistel.views.x3d._primitives import shape, turn_from_y, turn_of
from sistel.views.x3d._rounded import ring

COLOURS = {
    **{f"c{k}": value for k, value in enumerate(("0.13 0.22 0.61", "0.71 0.25 0.13", "0.09 0.48 0.37"))},
    **{f"c{k + 3}": value for k, value in enumerate(("0.53 0.04 0.36", "0.73 0.52 0.04", "0.16 0.6 0.87"))},
    "c6": "0.5 0.31 0.64",
    "c7": "0.51 0.55 0.59",
    "ink": "0.1 0.13 0.17",
    "paper": "1 1 1",
    "bad": "0.7 0.15 0.12",
}
"""Names of colours of pages, which set them, and what they are by day."""
AXES = ("c1", "c2", "c0")
"""Colours of x, y and z."""
LONG = 0.09
"""Axes of a frame, over the size of the system."""
REACH = 0.11
"""Half of the axis of a joint."""
POINT = 0.012
"""Radius of a point."""


@record
class Layers:
    """Nodes of a scene that a page switches and paints."""

    nodes: list[Node]
    """Before all that uses them."""
    switches: dict[str, list[str]]
    """Names by layer."""
    paints: dict[str, str]
    """Names of materials by colours."""


def add_layers(plan: Plan, system: Node) -> Layers:
    """Put the layers of a system into its scene, switched off.

    Args:
        plan: The scene.
        system: The node of its bodies, which gets them inside.
    """
    names = plan.names
    paints = {key: names.give(f"Paint_{key}") for key in COLOURS}
    looks = {key: names.give(f"Look_{key}") for key in COLOURS}
    shelf = [
        node(
            "Shape",
            {},
            [
                node(
                    "Appearance",
                    {"DEF": looks[key]},
                    [node("UnlitMaterial", {"DEF": paints[key], "emissiveColor": colour})],
                ),
                node("Sphere"),
            ],
        )
        for key, colour in COLOURS.items()
    ]
    holders = _named(system)
    places = [system, *(holders[name] for name in plan.joints)]
    switches: dict[str, list[str]] = {}
    for key, draw in (("frames", _frames), ("axes", _axes), ("masses", _masses), ("contacts", _contacts)):
        for number, holder in enumerate(places):
            parts = list(draw(plan.model, number, plan.figures.size, looks))
            if parts:
                name = names.give(f"Layer_{key}_{number}")
                holder.children.append(node("Switch", {"DEF": name, "whichChoice": "-1"}, [transform(parts)]))
                switches.setdefault(key, []).append(name)
    hidden = node("Switch", {"whichChoice": "-1"}, [node("Group", {}, shelf)])
    return Layers(nodes=[hidden], switches=switches, paints=paints)


def _named(root: Node) -> dict[str, Node]:
    """Nodes by their names; no recursion, for chains of bodies may be long."""
    found, stack = {}, [root]
    while stack:
        at = stack.pop()
        found[at.fields.get("DEF", "")] = at
        stack.extend(at.children)
    return found


def _look(looks: dict[str, str], key: str) -> Node:
    return node("Appearance", {"USE": looks[key]})


def _rod(looks: dict[str, str], key: str, way: Vector3, length: float, radius: float, start: float = 0.0) -> Node:
    """A thin rod along a direction."""
    middle = (start + length) / 2
    return transform(
        [shape(node("Cylinder", {"height": "1"}), _look(looks, key), cast=False)],
        translation=[middle * part for part in way],
        rotation=turn_from_y(way),
        scale=(radius, length - start, radius),
    )


def _frames(model: Model, number: int, size: float, looks: dict[str, str]) -> Iterator[Node]:
    long = LONG * size
    rods = [
        _rod(looks, key, way, long, 0.035 * long)
        for key, way in zip(AXES, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), strict=True)
    ]
    yield from rods
    for frame in model.frames:
        if frame.body == number:
            yield transform(rods, translation=frame.p_BF, rotation=turn_of(frame.R_BF), scale=(0.7, 0.7, 0.7))


def _axes(model: Model, number: int, size: float, looks: dict[str, str]) -> Iterator[Node]:
    """A line with a long and a short dash along every axis."""
    if not number:
        return
    body: Body = model.bodies[number - 1]
    joint = body.joint
    if joint.type.key not in ("revolute", "prismatic", "cylindrical", "universal"):
        return
    axes = [joint.axis, *([joint.axis2] if joint.type.key == "universal" else [])]
    for k, axis in enumerate(axes):
        key, radius = f"c{(body.first_q + k) % 8}", 0.003 * size
        for start, end in ((-1.0, -0.3), (-0.18, -0.1), (0.02, 0.72), (0.84, 0.92)):
            yield _rod(looks, key, axis, end * REACH * size, radius, start * REACH * size)


def _masses(model: Model, number: int, size: float, looks: dict[str, str]) -> Iterator[Node]:
    """A ball with two bands across each other, as quartered disks of drawings."""
    if not number or not model.bodies[number - 1].mass:
        return
    radius = POINT * size
    ball = shape(node("Sphere"), _look(looks, "ink"), cast=False)
    band = ring(0.98, 0.2, _look(looks, "paper"))
    across = transform([band], rotation=(1.0, 0.0, 0.0, 1.5707963))
    yield transform([ball, band, across], translation=model.bodies[number - 1].p_BoBcm_B, scale=(radius,) * 3)


def _contacts(model: Model, number: int, size: float, looks: dict[str, str]) -> Iterator[Node]:
    places = dict.fromkeys(each.p_BP for each in model.contacts if each.body == number and each.pair is None)
    for place in places:
        ball = shape(node("Sphere"), _look(looks, "bad"), cast=False)
        yield transform([ball], translation=place, scale=(POINT * size,) * 3)
