"""Groups of a drawing as bodies, and where they end."""

from __future__ import annotations

from dataclasses import field

from sistel.errors import Span
from sistel.markup._document import Node
from sistel.markup.svg._geometry import Affine, Placed, Point, apply
from sistel.markup.xml._element import Element
from sistel.records import mutable

SAME = 2e-5
"""Parts of the size of a drawing that two marks of one joint may be apart: numbers are printed."""


@mutable
class Mark:
    """A marker where it stands."""

    kind: str
    at: Point
    """In the frame of its body [mm]."""
    angle: float
    """[deg]"""
    span: Span


@mutable
class Body:
    """A group and what is in it."""

    element: Element
    base: Body | None
    placed: Placed
    X_W: Affine
    """Its pose in the drawing [mm]."""
    node: Node
    joint: str = "fixed"
    marks: list[Mark] = field(default_factory=list)
    shapes: list[Node] = field(default_factory=list)
    corners: list[Point] = field(default_factory=list)
    """Where its lines begin and end [mm]."""
    over: bool = False
    """Whether its own lines come after the groups in it."""
    name: str = ""

    def at_pole(self, *kinds: str) -> Mark | None:
        """A mark of some kinds at the pole."""
        return next((mark for mark in self.marks if mark.kind in kinds and near(mark.at, (0.0, 0.0), 1e-6)), None)


class Ends:
    """Where bodies end in a drawing, by places: as many as there are, each is found at once."""

    def __init__(self, bodies: list[Body]) -> None:
        """Of all bodies: their poles, their marks, and where their lines begin and end."""
        rows = [
            (body, corner, apply(body.X_W, corner))
            for body in bodies
            for corner in (*(mark.at for mark in body.marks), *([(0.0, 0.0)] if body.base else []), *body.corners)
        ]
        self.room = SAME * max((abs(each) for *_, point in rows for each in point), default=1.0) or SAME
        self._cells: dict[tuple[int, int], list[tuple[Body, Point, Point]]] = {}
        self._closed: set[tuple[int, int]] = set()
        for row in rows:
            self._cells.setdefault(self._cell(row[2]), []).append(row)

    def _cell(self, point: Point) -> tuple[int, int]:
        return round(point[0] / self.room), round(point[1] / self.room)

    def _around(self, point: Point) -> list[tuple[int, int]]:
        x, y = self._cell(point)
        return [(x + i, y + j) for i in (0, -1, 1) for j in (0, -1, 1)]

    def first_at(self, point: Point) -> bool:
        """Whether this place is asked for the first time."""
        if any(cell in self._closed for cell in self._around(point)):
            return False
        self._closed.add(self._cell(point))
        return True

    def at(self, point: Point) -> list[tuple[Body, Point]]:
        """The bodies that end at a place, each once, with its end in its own frame."""
        found: dict[int, tuple[Body, Point]] = {}
        for cell in self._around(point):
            for body, corner, there in self._cells.get(cell, ()):
                if near(there, point, self.room):
                    found.setdefault(id(body), (body, corner))
        return list(found.values())

    def hangs(self, body: Body, point: Point) -> bool:
        """Whether the pole of a body is at a place."""
        return near((body.X_W[4], body.X_W[5]), point, self.room)

    def joined(self, body: Body, corner: Point) -> list[tuple[Body, Point]]:
        """The bodies that a mark joins with its own, each with its end there: one of each that the tree joins."""
        point = apply(body.X_W, corner)
        ends = {id(other): (other, there) for other, there in [(body, corner), *self.at(point)]}
        group = {key: key for key in ends}

        def first(key: int) -> int:
            while group[key] != key:
                group[key] = key = group[group[key]]
            return key

        # What a joint of the tree holds together there needs no other.
        for key, (other, _) in ends.items():
            if other.base is not None and other.joint != "free" and self.hangs(other, point) and id(other.base) in ends:
                group[first(key)] = first(id(other.base))
        found: dict[int, tuple[Body, Point]] = {}
        for key, end in ends.items():
            if first(key) != first(id(body)):
                found.setdefault(first(key), end)
        return list(found.values())


def near(a: Point, b: Point, room: float) -> bool:
    """Whether two points are one."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= room
