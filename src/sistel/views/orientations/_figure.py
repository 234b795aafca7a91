"""One body in one orientation: solids, axes with their names, the sphere and its octant behind them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from sistel.pose import Rotation, Vector3, cross, transpose
from sistel.views.orientations._paint import text
from sistel.views.orientations._solids import Arrangement, Point, Solid, View, dot, open_path, paint, polygon

STEPS = 12
"""Pieces of a quarter of a circle."""


def view_from(right: float, above: float, up: str = "y") -> View:
    """The view of someone who stands before the scene, moved to the right and up.

    Args:
        right: Angle to the right [rad].
        above: Angle above the horizon [rad].
        up: The axis that is vertical: y, with z towards the viewer, or z, with x towards the viewer.
    """
    (s, c), (t, b) = (math.sin(right), math.cos(right)), (math.sin(above), math.cos(above))
    # Written for y up, z to the viewer and x to the right; for z up the axes change their names in a ring.
    axes: list[Vector3] = [(c, 0.0, -s), (-s * t, b, -c * t), (s * b, t, c * b)]
    if up == "z":
        axes = [(z, x, y) for x, y, z in axes]
    return View(*axes)


SCENE = view_from(math.radians(30), math.radians(23))
"""The scene of the codes: x to the right, y up, z towards us, seen a little from the right and from above."""


class Figure:
    """Draws at a place of a picture, at a scale."""

    def __init__(self, centre: Point, size: float, view: View = SCENE) -> None:
        """Where.

        Args:
            centre: Of the pole [px].
            size: Of a unit of length [px].
            view: From where the scene is seen.
        """
        self.centre, self.size, self.view = centre, size, view

    def place(self, p: Point) -> Point:
        """A point of the view in the picture."""
        return self.centre[0] + self.size * p[0], self.centre[1] + self.size * p[1]

    def at(self, p: Vector3) -> Point:
        """A point of the scene in the picture."""
        return self.place(self.view.project(p))

    def body(self, arrangement: Arrangement, R: Rotation) -> list[str]:
        """A turned body with its axes."""
        return paint(arrangement, R, self.view, self.place, self._axis)

    def _axis(self, solid: Solid, start: Point, end: Point) -> str:
        name = solid.kind.removeprefix("axis-")
        return arrow(start, end, f"axis axis-{name}", f"tip-{name}", 0.1 * self.size)

    def names(self, R: Rotation, length: float, names: Mapping[str, str]) -> list[str]:
        """The names of the axes, behind their tips.

        Args:
            R: The rotation.
            length: Of the axes.
            names: What to write at the axes x, y and z.
        """
        made = []
        for letter, direction in zip("xyz", transpose(R), strict=True):
            x, y, z = direction
            made.append(self._beyond((length * x, length * y, length * z), names[letter], f"letter letter-{letter}"))
        return made

    def _beyond(self, p: Vector3, word: str, classes: str) -> str:
        tip = self.at(p)
        away = (tip[0] - self.centre[0], tip[1] - self.centre[1])
        far = math.hypot(*away) or 1.0
        gap = 7.5 + 2.2 * len(word) * abs(away[0]) / far
        return text(word, tip[0] + gap * away[0] / far, tip[1] + gap * away[1] / far + 4.2, f"{classes} middle")

    def frame(self, R: Rotation, length: float, names: Mapping[str, str] | None = None) -> list[str]:
        """Axes alone, as they were before: thin and dashed."""
        made = []
        for letter, (x, y, z) in zip("xyz", transpose(R), strict=True):
            tip = (length * x, length * y, length * z)
            made.append(arrow(self.centre, self.at(tip), "old", "old-tip", 0.07 * self.size))
            if names and names[letter]:
                made.append(self._beyond(tip, names[letter], "old-letter"))
        return made

    def sphere(self) -> str:
        """The outline of the unit sphere."""
        x, y = self.centre
        return f'<circle class="globe" cx="{x:.1f}" cy="{y:.1f}" r="{self.size:.1f}"/>'

    def octant(self, directions: Sequence[Vector3]) -> list[str]:
        """The part of the unit sphere between three directions: arcs beyond the outline are dashed."""
        arcs = []
        for a, b in zip(directions, (*directions[1:], directions[0]), strict=True):
            arcs.append(self._quarter(a, b))
        ring = [p for arc in arcs for p in arc[:-1]]
        made = [f'<path class="patch" d="{polygon([self.at(p) for p in ring])}"/>']
        for arc in arcs:
            for seen, piece in _runs(arc, lambda p: dot(p, self.view.toward) >= 0.0):
                style = "arc" if seen else "arc away"
                made.append(f'<path class="{style}" d="{open_path([self.at(p) for p in piece])}"/>')
        return made

    @staticmethod
    def _quarter(a: Vector3, b: Vector3) -> list[Vector3]:
        made = []
        for k in range(STEPS + 1):
            c, s = math.cos(0.5 * math.pi * k / STEPS), math.sin(0.5 * math.pi * k / STEPS)
            x, y, z = (c * p + s * q for p, q in zip(a, b, strict=True))
            made.append((x, y, z))
        return made

    def turn(self, R: Rotation, axis: str, angle: float, radius: float, start: str) -> tuple[list[str], Point]:
        """A curved arrow about an axis of a frame, and the place for the name of its angle.

        Args:
            R: The frame before the turn.
            axis: About which of its axes.
            angle: How far, positive [rad].
            radius: Of the arrow.
            start: The axis from which the arrow begins.
        """
        i, k = "xyz".index(axis), "xyz".index(start)
        columns = transpose(R)
        first = columns[k]
        x, y, z = cross(columns[i], first)  # a quarter turn on
        points = []
        for step in range(2 * STEPS + 1):
            part = angle * step / (2 * STEPS)
            c, s = radius * math.cos(part), radius * math.sin(part)
            points.append(self.at((c * first[0] + s * x, c * first[1] + s * y, c * first[2] + s * z)))
        tail, tip = points[-4], points[-1]
        made = [
            f'<path class="sector" d="{polygon([self.centre, *points])}"/>',
            f'<path class="sweep" d="{open_path(points[:-2])}"/>',
            arrow(tail, tip, "", "sweep-tip", 0.11 * self.size),
        ]
        return made, points[STEPS]


def arrow(start: Point, end: Point, line: str, tip: str, size: float) -> str:
    """A straight line with a tip at its end.

    Args:
        start: Where it begins [px].
        end: Where its tip is [px].
        line: Class of the line; empty for a tip alone.
        tip: Class of the tip.
        size: Length of the tip [px].
    """
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length < 1e-9:
        return f'<circle class="{tip}" cx="{end[0]:.1f}" cy="{end[1]:.1f}" r="{0.3 * size:.1f}"/>'
    # An axis that points at the viewer is short, and its tip with it.
    size = min(size, 0.8 * length) if line else size
    ux, uy = dx / length, dy / length
    base = (end[0] - size * ux, end[1] - size * uy)
    wide = 0.36 * size
    head = polygon([end, (base[0] - wide * uy, base[1] + wide * ux), (base[0] + wide * uy, base[1] - wide * ux)])
    drawn = f'<path class="{line}" d="{open_path([start, base])}"/>' if line else ""
    return f'{drawn}<path class="{tip}" d="{head}"/>'


def _runs(points: Sequence[Vector3], test: Callable[[Vector3], bool]) -> list[tuple[bool, list[Vector3]]]:
    """Stretches of a line on which a test has one answer; each begins where the one before ends."""
    found: list[tuple[bool, list[Vector3]]] = []
    for p, q in pairwise(points):
        x, y, z = (0.5 * (a + b) for a, b in zip(p, q, strict=True))
        answer = test((x, y, z))
        if not found or found[-1][0] is not answer:
            found.append((answer, [p]))
        found[-1][1].append(q)
    return found
