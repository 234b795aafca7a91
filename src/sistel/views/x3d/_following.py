"""Nodes of a scene that follow parameters: a page sets their fields where lengths are others than in the file.

Figures keep their inner nodes: a declared shape is a Transform with its place, turn and scale; a link to a joint is
turned and stretched along the way to it; what sits at a joint is moved with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sistel.expr import Traced
from sistel.model import Model, Shape
from sistel.pose import Vector3
from sistel.records import record
from sistel.views._picture_data import SceneNode
from sistel.views.x3d._nodes import Names, Node, transform


@record
class FollowedNode:
    """A Transform and what its fields follow; numbers know their formulas."""

    node: str
    at: Vector3 | None = None
    """Its translation [m]."""
    axes: tuple[float, ...] | None = None
    """Its turn as a matrix, by rows."""
    scale: Vector3 | None = None
    ends: tuple[Vector3, Vector3] | None = None
    """Where the far end of a link is that begins at the origin: in the figure, and now [m]."""

    @property
    def moves(self) -> bool:
        """Whether anything of it follows parameters."""
        given = (*(self.at or ()), *(self.axes or ()), *(self.scale or ()), *(self.ends or ((), ()))[1])
        return any(isinstance(number, Traced) for number in given)

    @property
    def description(self) -> SceneNode:
        """The same as plain data."""
        was, now = self.ends or (None, None)
        return {
            "node": self.node,
            "at": None if self.at is None else list(self.at),
            "axes": None if self.axes is None else list(self.axes),
            "scale": None if self.scale is None else list(self.scale),
            "was": None if was is None else [float(x) for x in was],
            "now": None if now is None else list(now),
        }


class Following:
    """Gives names to nodes that follow parameters, and notes what they follow."""

    def __init__(self, model: Model, traced: Model, names: Names) -> None:
        """There are none yet.

        Args:
            model: The system in plain numbers.
            traced: The same; its numbers know their formulas.
            names: Of all nodes of the scene.
        """
        self.traced = traced
        self._names = names
        self._shapes = {id(plain): other for plain, other in zip(model.shapes, traced.shapes, strict=True)}
        self.nodes: list[FollowedNode] = []

    def declared(self, shape: Shape, node: Node, lift: float) -> None:
        """A Transform that puts a declared shape where it is.

        Args:
            shape: In plain numbers.
            node: With its place and turn.
            lift: By how much more than its place it is moved along z [m].
        """
        other = self._shapes[id(shape)]
        x, y, z = other.p_BS
        found = FollowedNode(
            node="",
            at=(x, y, z + lift if lift else z),
            axes=tuple(number for row in other.R_BS for number in row),
            scale=_scale(shape, other),
        )
        self._note(node, found)

    def link(self, nodes: Iterable[Node], end: Vector3, traced: Vector3) -> Node:
        """Figures from the origin to a point, as one that is stretched with it."""
        made = transform(nodes)
        self._note(made, FollowedNode(node="", ends=(end, traced)))
        return made

    def placed(self, nodes: Sequence[Node], at: Vector3, traced: Vector3) -> list[Node]:
        """Figures at a point, as one node that goes with it."""
        x, y, z = (other - float(was) for was, other in zip(at, traced, strict=True))
        if not nodes or not any(isinstance(number, Traced) for number in (x, y, z)):
            return list(nodes)
        made = transform(nodes)
        self._note(made, FollowedNode(node="", at=(x, y, z)))
        return [made]

    def _note(self, node: Node, found: FollowedNode) -> None:
        if not found.moves:
            return
        name = node.fields.get("DEF") or self._names.give("Figure")
        # The name comes first, as it does everywhere.
        node.fields = {"DEF": name, **{key: value for key, value in node.fields.items() if key != "DEF"}}
        self.nodes.append(FollowedNode(node=name, at=found.at, axes=found.axes, scale=found.scale, ends=found.ends))


def _scale(shape: Shape, other: Shape) -> Vector3 | None:
    """How many times larger a shape is than it was drawn, along its own axes."""
    ratios = [now / float(was) if float(was) else 1.0 for was, now in zip(shape.sizes, other.sizes, strict=True)]
    if shape.kind == "box" and len(ratios) == 3:
        return ratios[0], ratios[1], ratios[2]
    if shape.kind in ("cylinder", "cone", "capsule") and len(ratios) == 2:
        return ratios[0], ratios[0], ratios[1]
    if shape.kind in ("sphere", "circle", "wheel") and ratios:
        return ratios[0], ratios[0], ratios[0]
    if shape.kind == "mesh" and len(ratios) in (1, 3):
        return ratios[0], ratios[-2 if len(ratios) == 3 else 0], ratios[-1]
    return None
