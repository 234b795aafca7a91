"""Attributes of a canonical document as plain numbers of space, in SI, and how its elements are called and left out."""

from __future__ import annotations

from sistel.errors import Text
from sistel.markup._document import Node
from sistel.markup._losses import Losses
from sistel.markup.expressions._syntax import Number, Unary
from sistel.markup.schema._choices import JOINTS
from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    exact_rotation,
    from_axis_angle,
    from_quaternion,
    from_roll_pitch_yaw,
)

ORIGIN: Vector3 = (0.0, 0.0, 0.0)
X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)


def vector(values: tuple[float, ...]) -> Vector3:
    """Two or three numbers as a vector of space."""
    x, y, z = (*values, 0.0, 0.0)[:3]
    return (x, y, z)


def numbers(node: Node, key: str) -> tuple[float, ...] | None:
    """The numbers of an attribute in SI; None when it is absent."""
    value = node.get(key)
    if value is None or not isinstance(value, tuple):
        return None
    return tuple(_number(item) for item in value)


def _number(item: object) -> float:
    if isinstance(item, Unary):
        return -_number(item.operand)
    assert isinstance(item, Number), "a canonical document holds numbers only"
    return item.value


def one(node: Node, key: str) -> float | None:
    """The only number of an attribute in SI; None when it is absent."""
    found = numbers(node, key)
    return None if found is None else found[0]


def place(node: Node, key: str = "place") -> Vector3:
    """A place in space [m]."""
    found = numbers(node, key) if key in node.spec.by_key else None
    return ORIGIN if found is None else vector(found)


def turn(node: Node, key: str = "turn") -> Rotation:
    """Axes in space, from `turn` or `quaternion`."""
    quaternion = numbers(node, "quaternion") if key == "turn" and "quaternion" in node.spec.by_key else None
    if quaternion is not None:
        return from_quaternion(quaternion)
    angles = numbers(node, key) if key in node.spec.by_key else None
    if angles is None:
        return IDENTITY
    if len(angles) == 3:
        return from_roll_pitch_yaw(angles[0], angles[1], angles[2])
    if len(angles) == 9:
        a, b, c, d, e, f, g, h, i = angles
        return ((a, b, c), (d, e, f), (g, h, i))
    axis: tuple[float, ...] = angles[:3] if len(angles) == 4 else Z
    return exact_rotation(from_axis_angle(axis, angles[-1]), 1e-15)


def inertia(node: Node, planar: bool) -> tuple[float, float, float, float, float, float]:
    """Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, in the body axes [kg·m²].

    A planar body has only the moment about z; as a flat plate it gets half of it about x and y, which changes nothing
    in the plane, and is a body that can exist.
    """
    given = numbers(node, "inertia") or (0.0,)
    if planar:
        return (given[0] / 2, given[0] / 2, given[0], 0.0, 0.0, 0.0)
    if len(given) == 1:
        return (given[0], given[0], given[0], 0.0, 0.0, 0.0)
    xx, yy, zz, xy, xz, yz = (*given, 0.0, 0.0, 0.0)[:6]
    return (xx, yy, zz, xy, xz, yz)


def title(node: Node) -> Text:
    """A node as people would call it: its word and its name."""
    name = node.attributes.get("name")
    label = f' "{name.value}"' if name is not None else ""
    метка = f" «{name.value}»" if name is not None else ""
    return Text(node.spec.written("en") + label, node.spec.written("ru") + метка)


def joint_word(key: str) -> Text:
    """A joint type as the schema spells it."""
    choice = JOINTS.choice(key)
    return Text(choice.written("en"), choice.written("ru"))


def drop(node: Node, losses: Losses, why: Text | None = None) -> None:
    """Name a node as lost."""
    what = title(node)
    en, ru = ("", "") if why is None else (f": {why.en}", f": {why.ru}")
    losses.dropped(node.span, Text(what.en + en, what.ru + ru))


def drop_attributes(node: Node, owner: Text, losses: Losses, *keys: str) -> None:
    """Name those of the attributes that a node has as lost."""
    for key in keys:
        attribute = node.attributes.get(key)
        if attribute is not None and any(numbers(node, key) or (1,)):
            spec = attribute.spec
            losses.dropped(
                attribute.span, Text(f'"{spec.written("en")}" of {owner.en}', f"«{spec.written('ru')}»: {owner.ru}")
            )
