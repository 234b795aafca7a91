"""What writers of URDF and of MJCF have in common: names, colours, couplings, and what neither format can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sistel.errors import Text
from sistel.markup._document import Node
from sistel.markup.formats._colour_values import rgba_of
from sistel.markup.formats._xml_text import Namer, XmlText, listed
from sistel.markup.formats.export import SHAPES, Out, OutBody
from sistel.markup.formats.nodes import drop, drop_attributes, numbers, title

SEPARATOR = "__"
"""Between the name of a thing and what is made up to tell its parts apart."""
KEPT_BY_VALUE = Text("its value is written wherever it was used", "его значение записано всюду, где он использовался")
CARRIED = ("gravity", "body", "point", "frame", *SHAPES, "links", "drawing")
"""Elements right under the root of which every format says something; how a scheme is drawn is no part of a system."""
CARRIED_LINKS = ("coupling", "counter")
"""The same among links; counters go with the transitions that read them."""
Coordinate = tuple[OutBody, int]
"""A body, and which motion of its joint."""


class Writer:
    """Abstract: an XML file of another format, and what is lost on the way."""

    why_not: Mapping[str, Text] = {}
    """Why an element has no place in the format, by its key; where more can be said than that."""

    def __init__(self, out: Out) -> None:
        self.out = out
        self.losses = out.losses
        self.xml = XmlText()
        self.joint_name = Namer(out.losses)
        self.joints: dict[tuple[int, int], str] = {}
        """Joint of each motion of a body."""

    def drop(self, node: Node, why: Text | None = None) -> None:
        """Leave an element out, and say so."""
        drop(node, self.losses, why)

    def drop_attributes(self, node: Node, *keys: str) -> None:
        """Leave attributes of an element out, and say so where they are given."""
        drop_attributes(node, title(node), self.losses, *keys)

    def couplings(self) -> Iterator[tuple[Node, Coordinate | None, Coordinate | None, tuple[float, ...]]]:
        """Couplings: the coordinates that they join, where they are single ones, and the ratio."""
        for node in self.out.links("coupling"):
            of, to = (self.out.coordinate(node.names(key)[0]) for key in ("of", "to"))
            yield node, of, to, numbers(node, "ratio") or (1.0,)

    def rgba(self, node: Node) -> str | None:
        """The colour of a shape as four numbers; None where it has none."""
        colour = node.text("colour")
        rgba = rgba_of(colour) if colour is not None else None
        return None if rgba is None else listed(rgba)

    def leave_out(self, elements: tuple[str, ...] = (), links: tuple[str, ...] = ()) -> None:
        """Name what a whole system has and the format does not: whatever is not carried, new elements too.

        Args:
            elements: Keys of elements right under the root that this format carries, beside `CARRIED`.
            links: Keys of links that it carries, beside `CARRIED_LINKS`.
        """
        out, losses = self.out, self.losses
        if out.planar:
            losses.changed(
                None,
                Text(
                    "the plane became z = 0 of space, x right, y down, z away from the reader",
                    "плоскость стала плоскостью z = 0 пространства: x вправо, y вниз, z от читателя",
                ),
            )
        for node in out.root.children:
            if node.key not in (*CARRIED, *elements):
                self.drop(node, self.why_not.get(node.key))
        for section in out.root.of("links"):
            for node in section.children:
                if node.key not in (*CARRIED_LINKS, *links):
                    self.drop(node, self.why_not.get(node.key))
        if out.root.text("about"):
            losses.dropped(out.root.at("about"), Text("the description of the system", "описание системы"))
