"""A canonical document as the writers of other formats see it: bodies in tree order, everything in SI and in space.

A document is canonical when all its values are numbers in SI and its bodies are nested in their bases, as
`model.to_document` makes it. A planar system is embedded as it stands: x right, y down and z into the page are a
right-handed frame, so z is 0 everywhere and all turns are about z.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Literal, NamedTuple

from sistel.errors import Text
from sistel.markup._document import Node
from sistel.markup._losses import Losses
from sistel.markup.formats.nodes import X, Y, Z, drop, numbers, place, turn, vector
from sistel.pose import Rotation, Vector3, norm, plane_axes
from sistel.records import mutable

SHAPES = ("shape", "box", "cylinder", "sphere", "cone", "capsule", "mesh")

Simple = Literal["turn", "slide"]


class Motion(NamedTuple):
    """One degree of freedom of a joint."""

    name: str
    """Of the coordinate; empty where the joint has only one."""
    kind: Simple
    axis: Vector3
    """In the frame of the body, at zero coordinates."""


@mutable
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


@mutable
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
        down = down if along is None else vector(along)
    # A size times a unit vector, exact where gravity is along an axis.
    length = norm(down)
    return (down[0] / length * value + 0.0, down[1] / length * value + 0.0, down[2] / length * value + 0.0)


def _motions(node: Node, joint: str, planar: bool) -> tuple[Motion, ...]:
    given = numbers(node, "axis")
    slides = joint == "prismatic"
    axis = (X if slides else Z) if given is None or (planar and not slides) else vector(given)
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
            return (Motion("first", "turn", axis), Motion("second", "turn", X if second is None else vector(second)))
        case "planar":
            first, second_axis = plane_axes(axis)
            return (Motion("x", "slide", first), Motion("y", "slide", second_axis), Motion("angle", "turn", axis))
        case "fixed" | "spherical" | "free":
            return ()
    raise AssertionError(f'no writer knows how joint "{joint}" moves: say it here')


def _unit(v: Vector3) -> Vector3:
    length = norm(v)
    return (v[0] / length + 0.0, v[1] / length + 0.0, v[2] / length + 0.0)
