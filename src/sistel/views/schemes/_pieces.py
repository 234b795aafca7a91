"""A planar scheme as the stylesheet makes it, taken apart for motion. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sistel.records import record
from sistel.views.schemes._following import (
    Followed,
    MovingPiece,
    followed_mark,
    followed_paths,
    followed_strip,
)
from sistel.views.schemes._ground import Strip
from sistel.views.schemes._labels import FONT
from sistel.views.schemes._moving_labels import MovingLabel
from sistel.views.schemes._posture import Point
from sistel.views.schemes._scene import Mark, Scene, path, short_number, zigzag
from sistel.views.schemes._style import Look, style_rules
from sistel.views.trees import new_element

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

SVG = "http://www.w3.org/2000/svg"
STEP, DEEP, THIN = 0.6, 0.55, 0.1
"""Hatching: between two strokes, how deep they go, how thick they are, in sizes of a hinge."""


@record
class MovingSpring:
    """A zigzag between points of two bodies."""

    id: str
    ends: tuple[tuple[int, Point], tuple[int, Point]]
    """Number of the body, and the point in its axes [mm]."""


@record
class MovingMark:
    """The symbol of a link that does not hold in every structure."""

    id: str
    link: str
    structures: tuple[str, ...]
    """Names of the structures of the file in which it holds."""


class Pieces:
    """The scheme as the stylesheet makes it, being taken apart."""

    def __init__(self, root: Element, scene: Scene, prefix: str) -> None:
        self.root, self.scene, self.prefix = root, scene, prefix
        self.followed: list[MovingPiece] = []
        """What follows parameters."""
        self.groups = {
            int(group.get("id", "").removeprefix("тело_")): group
            for group in root.iter(f"{{{SVG}}}g")
            if group.get("id", "").startswith("тело_")
        }

    def restyle(self, look: Look) -> None:
        for name in ("width", "height", "version"):
            if name in self.root.attrib:
                del self.root.attrib[name]
        scope = f"{self.prefix}sistel-moving"
        self.root.set("class", scope)
        next(self.root.iter(f"{{{SVG}}}style")).text = "\n" + style_rules(look, scope)

    def follow(self, scene: Scene) -> None:
        """Note what follows parameters: in the scene, which is the same otherwise, numbers know their formulas."""
        for body, group in self.groups.items():
            paths = [child for child in group if child.tag == f"{{{SVG}}}path"]
            drawn = [child for child in paths if child.get("class") != "mark"]
            self._note(zip(drawn, followed_paths(scene, body), strict=True))
            marks = [child for child in paths if child.get("class") == "mark"]
            self._note(zip(marks, map(followed_mark, _shown(scene, body, len(marks))), strict=True))

    def _note(self, pairs: Iterable[tuple[Element, Followed]]) -> None:
        for element, followed in pairs:
            for attribute, parts in followed.moving:
                name = element.get("id") or f"форма_{len(self.followed) + 1}"
                element.set("id", name)
                self.followed.append(MovingPiece(id=f"{self.prefix}{name}", attribute=attribute, parts=parts))

    def strips(self, strips: Sequence[Strip], followed: Sequence[Strip] = ()) -> None:
        """Ground of any length: a line, and hatching as a dashed one that is slanted.

        Args:
            strips: The pieces of ground.
            followed: The same; their numbers know their formulas.
        """
        ground, size = self.groups[0], self.scene.size
        for place, strip in enumerate(strips):
            (x, y), (ux, uy) = strip.at, strip.along
            sx, sy = strip.into[0] - ux, strip.into[1] - uy
            deep, dash = DEEP * size, 1.4 * THIN * size
            hatch = {
                "class": "hatch",
                "d": f"m{decimal(deep)},{decimal(deep / 2)}h{decimal(max(strip.length - deep, dash))}",
                "transform": f"matrix({','.join(decimal(v) for v in (ux, uy, sx, sy, x, y))})",
                "stroke-width": decimal(deep),
                "stroke-dasharray": f"{decimal(dash)} {decimal(STEP * size - dash)}",
            }
            ground.insert(2 * place, self.element("path", hatch))
            line = {"class": "earth", "stroke-width": decimal(0.2 * size)}
            line["d"] = path([strip.at, (x + ux * strip.length, y + uy * strip.length)])
            ground.insert(2 * place + 1, self.element("g" if strip.drawn else "path", {} if strip.drawn else line))
            if followed:
                both = followed_strip(followed[place], deep, dash)
                self._note(zip((ground[2 * place], ground[2 * place + 1]), both, strict=True))

    def element(self, tag: str, attributes: dict[str, str]) -> Element:
        return new_element(f"{{{SVG}}}{tag}", attributes)

    def marks(self, closures: dict[Mark, str]) -> tuple[MovingMark, ...]:
        """Symbols of the links that do not hold always get an id."""
        model = self.scene.model
        made: list[MovingMark] = []
        holds = {
            closure.name: tuple(s.name for s in model.structures if closure.name in s.holds)
            for closure in model.closures
            if not closure.always
        }
        start = model.structure()
        for body, group in self.groups.items():
            drawn = [child for child in group if child.get("class") == "mark"]
            for mark, element in zip(_shown(self.scene, body, len(drawn)), drawn, strict=True):
                name = closures.get(mark)
                if name is None or name not in holds:
                    continue
                identifier = element.get("id") or f"связь_{len(made) + 1}"
                element.set("id", identifier)
                if name not in start.holds:
                    element.set("visibility", "hidden")
                made.append(MovingMark(id=f"{self.prefix}{identifier}", link=name, structures=holds[name]))
        return tuple(made)

    def raise_springs(self, springs: Sequence[MovingSpring]) -> None:
        for number, spring in enumerate(springs, 1):
            a, b = (self.scene.poses[body].out(point) for body, point in spring.ends)
            d = path(zigzag(a, b, self.scene.size)) if math.dist(a, b) > 1e-6 else path([a, a])
            look = {"class": "spring", "stroke-width": decimal(0.12 * self.scene.size)}
            self.groups[0].append(self.element("path", {"id": f"пружина_{number}", "d": d, **look}))

    def write_labels(self, labels: Sequence[MovingLabel]) -> None:
        font = FONT * self.scene.size
        layer = self.element("g", {"id": "надписи", "font-size": decimal(font), "stroke-width": decimal(0.16 * font)})
        for label in labels:
            x, y = self.scene.poses[label.body].out(label.at)
            text = self.element("text", {"id": f"надпись_{label.body}", "text-anchor": label.side})
            text.set("transform", f"translate({decimal(x + label.shift[0])},{decimal(y + label.shift[1])})")
            text.text = label.text
            layer.append(text)
        self.root.append(layer)

    def camera(self) -> None:
        """Everything that a camera moves becomes one group; trails of points have a place in it."""
        group = self.element("g", {"id": "камера"})
        for child in [child for child in self.root if child.get("id")]:
            group.append(child)
        group.insert(1, self.element("g", {"id": "следы"}))
        self.root.append(group)

    def rename(self) -> None:
        """Prefixes for all ids, where they are given and where they are used."""
        prefix_ids(self.root, self.prefix)


def _shown(scene: Scene, body: int, count: int) -> list[Mark]:
    """The marks of a body that have elements of their own."""
    marks = [mark for mark in scene.marks if mark.body == body]
    if count < len(marks):
        # The line of the body bears the mark of its pole.
        marks = [mark for mark in marks if mark.turn or math.hypot(*mark.at) >= 5e-4]
    return marks


def prefix_ids(root: Element, prefix: str) -> None:
    if not prefix:
        return
    for element in root.iter():
        for name, value in ((str(name), str(value)) for name, value in element.attrib.items()):
            if name == "id":
                element.set(name, prefix + value)
            elif "url(#" in value:
                element.set(name, value.replace("url(#", f"url(#{prefix}"))


def decimal(x: float) -> str:
    """A length as it is written."""
    return short_number(x, 4)
