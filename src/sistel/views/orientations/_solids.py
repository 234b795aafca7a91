"""Convex solids in parallel projection, the farther ones painted first.

Hidden parts are left to the order of painting. Two convex solids that do not cross are separated by a plane, and that
one which lies on the far side of it cannot hide the other, wherever it is and however large. Where planes are found of
which some say so of the one and some of the other, the two do not meet on the paper at all, and their order does not
matter. The planes belong to the solids, not to the view: they are found once, and a view only asks for its side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from sistel.pose import Rotation, Vector3, cross, norm, rotate, transpose
from sistel.records import entry

Point = tuple[float, float]

LEVELS = 7
"""Degrees of brightness of a surface."""
_TOUCH = 1e-9
"""How far solids may reach into each other, and still only touch."""


@entry
class View:
    """A parallel projection: directions in the scene of what is right, up and nearer on the paper."""

    right: Vector3
    up: Vector3
    toward: Vector3

    def project(self, p: Vector3) -> Point:
        """A point of the scene on the paper, y downwards as in SVG."""
        return dot(self.right, p), -dot(self.up, p)

    @property
    def light(self) -> Vector3:
        """Where the light comes from: from above, over the left shoulder."""
        a, b, c = -0.38, 0.80, 0.46
        x, y, z = (a * r + b * u + c * t for r, u, t in zip(self.right, self.up, self.toward, strict=True))
        return (x, y, z)


@entry
class Face:
    """A flat side of a solid."""

    corners: tuple[int, ...]
    """Places among the corners of the solid, counterclockwise seen from outside."""
    normal: Vector3
    """Of length 1, outwards."""


@entry
class Solid:
    """A convex body; with two corners and no faces, a line."""

    kind: str
    """What it is made of, or which line it is: decides how it is painted."""
    corners: tuple[Vector3, ...]
    faces: tuple[Face, ...] = ()
    round: bool = False
    """Whether its sides are pieces of a curved one: no lines between them."""

    @property
    def edges(self) -> dict[tuple[int, int], tuple[Face, Face]]:
        """Pairs of corners, and the two faces that meet there."""
        sides: dict[tuple[int, int], Face] = {}
        for face in self.faces:
            for a, b in zip(face.corners, (*face.corners[1:], face.corners[0]), strict=True):
                sides[a, b] = face
        return {(a, b): (face, sides[b, a]) for (a, b), face in sides.items() if a < b}


def dot(a: Sequence[float], b: Sequence[float]) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def hull_between(kind: str, low: Sequence[Vector3], high: Sequence[Vector3], *, round: bool = False) -> Solid:
    """A solid between two flat faces with equally many corners, each joined to its fellow."""
    n = len(low)
    corners = (*low, *high)
    middle = tuple(sum(p[i] for p in corners) / len(corners) for i in range(3))
    rings = [tuple(range(n)), tuple(range(n, 2 * n))]
    rings += [(i, (i + 1) % n, n + (i + 1) % n, n + i) for i in range(n)]
    return Solid(kind, corners, tuple(_face(corners, ring, middle) for ring in rings), round)


def _face(corners: Sequence[Vector3], ring: tuple[int, ...], middle: Sequence[float]) -> Face:
    a, b, c = (corners[i] for i in ring[:3])
    n = cross([q - p for p, q in zip(a, b, strict=True)], [q - p for p, q in zip(b, c, strict=True)])
    length = norm(n)
    outward = dot(n, [p - m for p, m in zip(a, middle, strict=True)]) > 0.0
    sign = (1.0 if outward else -1.0) / length
    return Face(ring if outward else ring[::-1], (sign * n[0], sign * n[1], sign * n[2]))


def box(kind: str, x: Point, y: Point, z: Point) -> Solid:
    """A box between pairs of coordinates."""
    ring = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
    return hull_between(kind, [(a, b, z[0]) for a, b in ring], [(a, b, z[1]) for a, b in ring])


def line(kind: str, start: Vector3, end: Vector3) -> Solid:
    """A line."""
    return Solid(kind, (start, end))


@entry
class Arrangement:
    """Solids that do not cross, with planes between any two."""

    solids: tuple[Solid, ...]
    planes: dict[tuple[int, int], tuple[Vector3, ...]] = field(repr=False)
    """Normals, from the first of two solids to the second; none between lines, which hide nothing."""

    @staticmethod
    def of(solids: Iterable[Solid]) -> Arrangement:
        """Find the planes.

        Raises:
            ValueError: Two of the solids cross.
        """
        parts = tuple(solids)
        planes = {
            (i, j): _between(parts[i], parts[j])
            for i in range(len(parts))
            for j in range(i + 1, len(parts))
            if parts[i].faces or parts[j].faces
        }
        return Arrangement(parts, planes)

    def order(self, toward: Vector3) -> list[int]:
        """Places of the solids, the farther ones first.

        Args:
            toward: Direction to the viewer, in the axes of the solids.
        """
        hides: dict[int, set[int]] = {i: set() for i in range(len(self.solids))}
        for (i, j), normals in self.planes.items():
            sides = [dot(normal, toward) for normal in normals]
            if min(sides) > _TOUCH:
                hides[j].add(i)
            elif max(sides) < -_TOUCH:
                hides[i].add(j)
        found: list[int] = []
        while hides:
            # Where solids hide each other in a ring, no order is right, and the first will do.
            free = next((i for i, hidden in hides.items() if not hidden), next(iter(hides)))
            found.append(free)
            del hides[free]
            for hidden in hides.values():
                hidden.discard(free)
        return found


def _between(a: Solid, b: Solid) -> tuple[Vector3, ...]:
    """Normals of planes that separate two solids, from the first to the second."""
    found = [normal for normal in _likely(a, b) for normal in _separating(normal, a, b)]
    if not found:
        found = [normal for normal in _crosswise(a, b) for normal in _separating(normal, a, b)]
    if not found:
        raise ValueError(f"{a.kind} and {b.kind} cross")
    return tuple(dict.fromkeys(found))


def _separating(normal: Vector3, a: Solid, b: Solid) -> list[Vector3]:
    """A normal, from the first of two solids to the second, if a plane with it separates them."""
    low, high = [dot(normal, p) for p in a.corners], [dot(normal, p) for p in b.corners]
    if max(low) <= min(high) + _TOUCH:
        return [normal]
    return [(-normal[0], -normal[1], -normal[2])] if max(high) <= min(low) + _TOUCH else []


def _likely(a: Solid, b: Solid) -> Iterable[Vector3]:
    yield from (face.normal for solid in (a, b) for face in solid.faces)
    yield from ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def _crosswise(a: Solid, b: Solid) -> Iterable[Vector3]:
    """Of planes along an edge of each."""
    for first in _directions(a):
        for second in _directions(b):
            n = cross(first, second)
            length = norm(n)
            if length > 1e-9:
                yield (n[0] / length, n[1] / length, n[2] / length)


def _directions(solid: Solid) -> list[Vector3]:
    pairs: Iterable[tuple[int, int]] = solid.edges if solid.faces else [(0, 1)]
    made = []
    for i, j in pairs:
        x, y, z = (q - p for p, q in zip(solid.corners[i], solid.corners[j], strict=True))
        made.append((x, y, z))
    return made


def paint(
    arrangement: Arrangement,
    R: Rotation,
    view: View,
    place: Callable[[Point], Point],
    draw_line: Callable[[Solid, Point, Point], str],
) -> list[str]:
    """Elements of SVG that show turned solids.

    Args:
        arrangement: The solids, in their own axes.
        R: Their rotation in the scene.
        view: From where they are seen.
        place: From the paper of the view to that of the picture.
        draw_line: How a line is drawn between two points of the picture.
    """
    back = transpose(R)
    toward, light = rotate(back, view.toward), rotate(back, view.light)
    made = []
    for index in arrangement.order(toward):
        solid = arrangement.solids[index]
        points = [place(view.project(rotate(R, corner))) for corner in solid.corners]
        made += _painted(solid, points, toward, light) if solid.faces else [draw_line(solid, points[0], points[1])]
    return made


def _painted(solid: Solid, points: Sequence[Point], toward: Vector3, light: Vector3) -> list[str]:
    shades: dict[int, list[str]] = {}
    seen = {id(face) for face in solid.faces if dot(face.normal, toward) > _TOUCH}
    for face in solid.faces:
        if id(face) in seen:
            brightness = 0.5 + 0.5 * dot(face.normal, light)
            level = min(LEVELS - 1, max(0, int(brightness * LEVELS)))
            shades.setdefault(level, []).append(polygon([points[i] for i in face.corners]))
    made = [f'<path class="{solid.kind}{level}" d="{"".join(pieces)}"/>' for level, pieces in shades.items()]
    lines: list[tuple[int, int]] = []
    for (i, j), faces in solid.edges.items():
        count = sum(id(face) in seen for face in faces)
        # The caps of a round solid are its first two faces; between its sides there are no lines but the outline.
        inside = count == 2 and solid.round and not any(face in solid.faces[:2] for face in faces)
        if count and not inside:
            lines.append((i, j))
    drawn = "".join(open_path([points[i] for i in chain]) for chain in _chains(lines))
    return [*made, f'<path class="edge" d="{drawn}"/>']


def _chains(lines: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Lines between corners, joined end to end as far as they go: shorter to write."""
    left = list(lines)
    found: list[list[int]] = []
    while left:
        chain = list(left.pop(0))
        while True:
            more = next((pair for pair in left if chain[-1] in pair), None)
            if more is None:
                break
            left.remove(more)
            chain.append(more[0] if more[1] == chain[-1] else more[1])
        found.append(chain)
    return found


def polygon(points: Sequence[Point]) -> str:
    """A closed path."""
    return f"M{'L'.join(map(_at, points))}z"


def open_path(points: Sequence[Point]) -> str:
    """A path that is not closed."""
    return f"M{'L'.join(map(_at, points))}"


def _at(p: Point) -> str:
    return f"{p[0]:.1f},{p[1]:.1f}"
