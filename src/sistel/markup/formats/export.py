"""A canonical document as the writers of other formats see it: bodies in tree order, everything in SI and in space.

A document is canonical when all its values are numbers in SI and its bodies are nested in their bases, as
`model.to_document` makes it. A planar system is embedded as it stands: x right, y down and z into the page are a
right-handed frame, so z is 0 everywhere and all turns are about z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple
from xml.sax.saxutils import quoteattr

from sistel.errors import Span, Text
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
    norm,
    plane_axes,
)

ORIGIN: Vector3 = (0.0, 0.0, 0.0)
X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)
SHAPES = ("shape", "box", "cylinder", "sphere", "cone", "capsule", "mesh")

Simple = Literal["turn", "slide"]


class Motion(NamedTuple):
    """One degree of freedom of a joint."""

    name: str
    """Of the coordinate; empty where the joint has only one."""
    kind: Simple
    axis: Vector3
    """In the frame of the body, at zero coordinates."""


@dataclass(slots=True, eq=False)
class OutBody:
    """A body of the document."""

    node: Node
    name: str
    base: OutBody | None
    """None for the ground."""
    joint: str
    joint_name: str
    p_PB: Vector3
    R_PB: Rotation
    motions: tuple[Motion, ...]
    """What the joint allows, one after another; empty where quaternions are needed, and for fixed bodies."""
    children: list[OutBody] = field(default_factory=list)

    def per_motion(self, key: str, default: float) -> list[float]:
        """The numbers of an attribute, one for each motion; one number stands for all."""
        given = numbers(self.node, key)
        if given is None:
            return [default] * len(self.motions)
        return list(given) if len(given) == len(self.motions) else [given[0]] * len(self.motions)

    def motors(self, losses: Losses) -> list[Node | None]:
        """The motor of every motion; a second one on the same motion is lost."""
        found: list[Node | None] = [None] * len(self.motions)
        names = [motion.name for motion in self.motions]
        for node in self.node.of("motor"):
            given = node.names("of")
            part = given[0].rpartition(".")[2] if given else ""
            index = names.index(part) if part in names else 0
            if index >= len(found) or found[index] is not None:
                drop(node, losses, Text("the coordinate has a motor already", "у координаты уже есть привод"))
                continue
            found[index] = node
        return found


@dataclass(slots=True, eq=False)
class Out:
    """A whole document."""

    root: Node
    name: str
    planar: bool
    gravity: Vector3
    """[m/s²]"""
    bodies: list[OutBody]
    """Bases before bodies, in the order of the file."""
    by_name: dict[str, OutBody]
    losses: Losses

    @property
    def grounded(self) -> list[OutBody]:
        """Bodies whose base is the ground."""
        return [body for body in self.bodies if body.base is None]

    def links(self, *keys: str) -> Iterator[Node]:
        """Closures, couplings and the like."""
        for links in self.root.of("links"):
            yield from links.of(*keys)

    def coordinate(self, name: str) -> tuple[OutBody, int] | None:
        """The body and the motion that a coordinate's name means; None when it is not one of the simple ones."""
        body = self.by_name.get(name)
        if body is not None:
            return (body, 0) if len(body.motions) == 1 else None
        by_joint = next((body for body in self.bodies if body.joint_name == name), None)
        if by_joint is not None:
            return (by_joint, 0) if len(by_joint.motions) == 1 else None
        owner, _, part = name.rpartition(".")
        body = self.by_name.get(owner)
        for index, motion in enumerate(body.motions if body is not None else ()):
            if motion.name == part and body is not None:
                return body, index
        return None

    def places(self) -> dict[str, tuple[OutBody | None, Vector3, Rotation]]:
        """Named points and frames: their body (None for the ground), place and axes."""
        found: dict[str, tuple[OutBody | None, Vector3, Rotation]] = {}
        for owner, node in ((None, self.root), *((body, body.node) for body in self.bodies)):
            for child in node.of("point", "frame"):
                found[child.text("name") or ""] = (owner, place(child), turn(child))
        return found


def export(root: Node, losses: Losses) -> Out:
    """The contents of a canonical document."""
    planar = root.text("space") != "spatial"
    bodies: list[OutBody] = []
    by_name: dict[str, OutBody] = {}
    stack: list[tuple[Node, OutBody | None]] = [(node, None) for node in reversed(list(root.of("body")))]
    while stack:
        node, base = stack.pop()
        number = node.get("number")
        name = node.text("name") or str(number if number is not None else len(bodies) + 1)
        joint = node.text("joint") or "fixed"
        if node.names("base"):
            base = by_name.get(node.names("base")[0])  # very deep trees are written flat, bases first
        body = OutBody(
            node,
            name,
            base,
            joint,
            node.text("joint-name") or name,
            place(node),
            turn(node),
            _motions(node, joint, planar),
        )
        bodies.append(body)
        by_name[name] = body
        if base is not None:
            base.children.append(body)
        stack.extend((child, body) for child in reversed(list(node.of("body"))))
    return Out(root, root.text("name") or "", planar, _gravity(root, planar), bodies, by_name, losses)


def _gravity(root: Node, planar: bool) -> Vector3:
    down: Vector3 = Y if planar else (0.0, 0.0, -1.0)
    value = 9.81
    for node in root.of("gravity"):
        value = (numbers(node, "value") or (value,))[0]
        along = numbers(node, "along")
        down = down if along is None else _vector(along)
    # A size times a unit vector, exact where gravity is along an axis.
    length = norm(down)
    return (down[0] / length * value + 0.0, down[1] / length * value + 0.0, down[2] / length * value + 0.0)


def _motions(node: Node, joint: str, planar: bool) -> tuple[Motion, ...]:
    given = numbers(node, "axis")
    slides = joint == "prismatic"
    axis = (X if slides else Z) if given is None or (planar and not slides) else _vector(given)
    match joint:
        case "revolute":
            return (Motion("", "turn", axis),)
        case "prismatic":
            return (Motion("", "slide", axis),)
        case "prismatic2":
            return (Motion("x", "slide", X), Motion("y", "slide", Y))
        case "free" if planar:
            return (Motion("x", "slide", X), Motion("y", "slide", Y), Motion("angle", "turn", Z))
        case "cylindrical":
            return (Motion("angle", "turn", axis), Motion("slide", "slide", axis))
        case "universal":
            second = numbers(node, "axis2")
            return (Motion("first", "turn", axis), Motion("second", "turn", X if second is None else _vector(second)))
        case "planar":
            first, second_axis = plane_axes(axis)
            return (Motion("x", "slide", first), Motion("y", "slide", second_axis), Motion("angle", "turn", axis))
    return ()


def _unit(v: Vector3) -> Vector3:
    length = norm(v)
    return (v[0] / length + 0.0, v[1] / length + 0.0, v[2] / length + 0.0)


def _vector(values: tuple[float, ...]) -> Vector3:
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
    return ORIGIN if found is None else _vector(found)


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


def shown(value: float) -> str:
    """The shortest digits that give the same number back."""
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def listed(values: tuple[float, ...] | list[float]) -> str:
    """Numbers separated by blanks."""
    return " ".join(shown(value) for value in values)


class XmlText:
    """XML being written, indented by two blanks; very deep trees are not indented further and further."""

    def __init__(self) -> None:
        self.lines: list[str] = ['<?xml version="1.0" encoding="utf-8"?>']
        self.stack: list[str] = []
        self.just_opened = False

    def open(self, tag: str, **attributes: str | None) -> None:
        """A start tag."""
        self._line(f"<{tag}{_attributes(attributes)}>")
        self.stack.append(tag)
        self.just_opened = True

    def close(self) -> None:
        """The end tag of the innermost open element; an element that stayed empty closes itself."""
        tag = self.stack.pop()
        if self.just_opened:
            self.lines[-1] = self.lines[-1][:-1] + "/>"
            self.just_opened = False
        else:
            self._line(f"</{tag}>")

    def empty(self, tag: str, **attributes: str | None) -> None:
        """An element without children."""
        self._line(f"<{tag}{_attributes(attributes)}/>")

    def _line(self, text: str) -> None:
        self.lines.append("  " * min(len(self.stack), 40) + text)
        self.just_opened = False

    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines) + "\n"


def _attributes(attributes: dict[str, str | None]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in attributes.items() if value is not None)


class Namer:
    """Keeps names apart in one space of names of the other format."""

    def __init__(self, losses: Losses) -> None:
        self.used: set[str] = set()
        self.losses = losses

    def __call__(self, wanted: str, span: Span | None, *, made_up: bool = False) -> str:
        """A name that nothing else has; a change of a name that the document gave is reported."""
        clean = "".join(character if character.isprintable() else "_" for character in wanted) or "_"
        name, number = clean, 2
        while name in self.used:
            name, number = f"{clean}_{number}", number + 1
        self.used.add(name)
        if name != wanted and not made_up:
            self.losses.changed(span, Text(f'the name "{wanted}" became "{name}"', f"имя «{wanted}» стало «{name}»"))
        return name
