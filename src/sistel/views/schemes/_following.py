"""What of a planar scheme follows parameters: attributes of SVG elements, with the numbers in them. All in mm.

The same scene is made of a model whose numbers know their formulas (`model.live_model`); its shapes, lines and marks
are those of the elements, one after the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sistel.expr import Traced
from sistel.model import Shape, corners_of
from sistel.records import entry, record
from sistel.views.schemes._ground import Strip
from sistel.views.schemes._posture import Point
from sistel.views.schemes._scene import Line, Mark, Scene, flat

Parts = tuple[str | float, ...]
"""The value of an attribute: texts, and numbers between them."""
UNDRAWN = frozenset(("mesh", "wheel", "profile"))
"""Shapes for which schemes of the plane have no element of their own."""


@record
class MovingPiece:
    """An attribute of an element that follows parameters."""

    id: str
    attribute: str
    parts: Parts


@entry
class Followed:
    """The attributes of one element, by name."""

    attributes: dict[str, Parts]

    @property
    def moving(self) -> Iterator[tuple[str, Parts]]:
        """Those with numbers that know their formulas."""
        return (
            (name, parts) for name, parts in self.attributes.items() if any(isinstance(part, Traced) for part in parts)
        )


def followed_paths(scene: Scene, body: int) -> list[Followed]:
    """The paths of a body in the order in which a scheme has them: shapes, those of the world, lines."""
    shapes = [shape for shape in scene.model.shapes if shape.body == body and shape.kind not in UNDRAWN]
    shapes = [shape for shape in shapes if shape.surface is None]
    shapes.sort(key=lambda shape: shape.obstacle)
    lines = [line for line in scene.lines if line.body == body and line.kind != "spring"]
    return [*(_shape(shape) for shape in shapes), *(_line(line) for line in lines)]


def _shape(shape: Shape) -> Followed:
    made: dict[str, Parts] = {"d": tuple(_outline(shape))}
    x, y = flat(shape.p_BS)
    c, s = shape.R_BS[0][0], shape.R_BS[1][0]
    if any(isinstance(number, Traced) for number in (x, y, c, s)):
        made["transform"] = ("matrix(", c, ",", s, ",", -s, ",", c, ",", x, ",", y, ")")
    return Followed(made)


def _outline(shape: Shape) -> Iterator[str | float]:
    if shape.kind == "shape":
        pieces = shape.path.split("{}")
        for piece, gap in zip(pieces, shape.gaps, strict=False):
            yield piece
            yield 1e3 * gap
        yield pieces[-1]
    elif shape.kind in ("box", "polygon", "polyline"):
        yield from _through([(1e3 * x, 1e3 * y) for x, y in corners_of(shape) or ()], shape.kind != "polyline")
    else:
        r = 1e3 * shape.sizes[0]
        yield from ("m", -r, ",0a", r, ",", r, ",0,1,1,", 2 * r, ",0a", r, ",", r, ",0,1,1,", -2 * r, ",0z")
        if not shape.obstacle and (shape.kind == "circle" or shape.name):
            yield from ("m", r, ",0h", r)


def _through(points: Sequence[Point], closed: bool) -> Iterator[str | float]:
    for number, (x, y) in enumerate(points):
        yield from ("L" if number else "M", x, ",", y)
    if closed:
        yield "z"


def _line(line: Line) -> Followed:
    return Followed({"d": tuple(_through(line.points, line.closed))})


def followed_mark(mark: Mark) -> Followed:
    """A symbol at a place of a body."""
    x, y = mark.at
    if abs(mark.turn) > 5e-5:
        return Followed({"transform": ("translate(", x, ",", y, ") rotate(", mark.turn, ")")})
    return Followed({"d": ("m", x, ",", y, "h0")})


def followed_strip(strip: Strip, deep: float, dash: float) -> tuple[Followed, Followed]:
    """The hatching of a piece of ground, and its line.

    Args:
        strip: The piece.
        deep: How deep hatching goes.
        dash: How wide one stroke is.
    """
    (x, y), (ux, uy) = strip.at, strip.along
    sx, sy = strip.into[0] - ux, strip.into[1] - uy
    length: float = strip.length - deep if strip.length - deep > dash else dash
    hatch: dict[str, Parts] = {
        "d": ("m", deep, ",", deep / 2, "h", length),
        "transform": ("matrix(", ux, ",", uy, ",", sx, ",", sy, ",", x, ",", y, ")"),
    }
    end = (x + ux * strip.length, y + uy * strip.length)
    return Followed(hatch), Followed({} if strip.drawn else {"d": tuple(_through([strip.at, end], False))})


def followed_point(at: Point, before: Sequence[Sequence[Point]], after: Sequence[Sequence[Point]]) -> Point:
    """A point beside the lines of a body, where it is when they follow parameters.

    Args:
        at: The point.
        before: The lines of the body in plain numbers.
        after: The same; the numbers know their formulas.
    """
    best: tuple[float, float, Point, Point] | None = None
    for line, other in zip(before, after, strict=True):
        for i in range(len(line) - 1):
            (ax, ay), (bx, by) = line[i], line[i + 1]
            size = (bx - ax) ** 2 + (by - ay) ** 2
            share = 0.0 if size == 0.0 else ((at[0] - ax) * (bx - ax) + (at[1] - ay) * (by - ay)) / size
            share = min(max(share, 0.0), 1.0)
            far = math.hypot(at[0] - ax - share * (bx - ax), at[1] - ay - share * (by - ay))
            if best is None or far < best[0]:
                best = (far, share, other[i], other[i + 1])
    if best is None:
        return at
    _, share, a, b = best
    x, y = a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])
    return (x + (at[0] - float(x)), y + (at[1] - float(y)))
