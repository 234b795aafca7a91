"""Schemes of spatial systems: links between joints, and joint symbols along their axes, in isometric projection.

x goes to the lower left, y to the lower right, z up; all three are shortened alike. Lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from sistel.look import SANS
from sistel.model import Body, Closure, Model
from sistel.pose import Vector3
from sistel.views._drawing import Drawing
from sistel.views.schemes._dimension_places import place_dimensions
from sistel.views.schemes._labels import FONT, LONGEST, place_labels
from sistel.views.schemes._measures import Measure, between, ordered
from sistel.views.schemes._posture import Place, Point, drawn_coordinates, plain, world_direction
from sistel.views.schemes._rounds import round_lines, touching_balls
from sistel.views.schemes._scene import Mark, Scene, hull, path, sides, zigzag
from sistel.views.schemes._style import coloured

if TYPE_CHECKING:
    from sistel.mechanics import Kinematics
    from sistel.views.schemes._render import Labels, Medium, Theme

COS, SIN = math.sqrt(3.0) / 2, 0.5
LONG = math.sqrt(1.5)
"""How much longer lengths across the view are on the paper than in space."""
HINGE = 0.028
"""Diameter of a joint as a part of the longer side of the picture."""
SMALLEST = 0.1
"""A system that is smaller has no size at all, as in the plane [mm]."""
LONELY = 100.0
"""Size of a system that has none [mm]."""
SIDES = 28
"""Corners of a circle."""


def draw_axonometry(
    model: Model,
    at: Sequence[float] | None,
    *,
    labels: Labels,
    centres: bool,
    dimensions: bool = False,
    theme: Theme,
    medium: Medium,
) -> Drawing:
    """The scheme of a spatial system; arguments as those of `draw_scheme`."""
    return Drawing(_Axonometry(model, drawn_coordinates(model, at)).svg(labels, centres, dimensions, theme, medium))


def project(p: Sequence[float]) -> Point:
    """A point in space on the paper, y down."""
    return (COS * (p[1] - p[0]), SIN * (p[0] + p[1]) - p[2])


def _nearness(p: Sequence[float]) -> float:
    return p[0] + p[1] + p[2]


class _Axonometry:
    def __init__(self, model: Model, q: Sequence[float]) -> None:
        from sistel.mechanics import posture

        self.model = model
        self.kinematics: Kinematics = posture(model, q)
        self.poles = [(0.0, 0.0, 0.0), *(self.place(body.number, (0.0, 0.0, 0.0)) for body in model.bodies)]
        self.guessed: set[int] = set()
        """Bodies on which nothing sits; their links go up to twice the centre of mass."""
        self.ends = {body.number: self.attachments(body) for body in model.bodies}
        points = [project(p) for p in self.poles[1:]]
        points += [project(p) for ends in self.ends.values() for p in ends]
        points += [project(p) for number in range(len(self.poles)) for line, _ in self.rounds(number) for p in line]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        across = max(max(xs) - min(xs), max(ys) - min(ys))
        self.size = float(f"{HINGE * (across if across > SMALLEST else LONELY):.3g}")
        self.scene = Scene(model, [Place(*project(p), 0.0) for p in self.poles], size=self.size)
        self.parts: list[tuple[float, str]] = []
        """How near something is, and its element."""

    def place(self, body: int, p: Vector3) -> Vector3:
        """A point of a body in the ground's frame [mm]."""
        if body == 0:
            return (1e3 * p[0], 1e3 * p[1], 1e3 * p[2])
        x, y, z = self.kinematics.place(body, p)
        return (1e3 * plain(x), 1e3 * plain(y), 1e3 * plain(z))

    def direction(self, body: int, a: Vector3) -> Vector3:
        """A direction of a body in the ground's frame."""
        return world_direction(self.kinematics, body, a)

    def attachments(self, body: Body) -> list[Vector3]:
        """Where other things sit on a body, in the ground's frame [mm]."""
        model, number = self.model, body.number
        found = [self.place(number, model.bodies[child - 1].p_PB) for child in model.adjacent(number)]
        found += [self.place(number, side.p_BS) for side in sides(model) if side.body == number]
        found += [self.place(number, point.p_BP) for point in model.points if point.body == number]
        found += [self.place(number, frame.p_BF) for frame in model.frames if frame.body == number]
        pole = self.poles[number] if len(self.poles) > number else self.place(number, (0.0, 0.0, 0.0))
        made = [p for i, p in enumerate(found) if all(math.dist(p, o) > 1e-6 for o in (pole, *found[:i]))]
        if not made and any(body.p_BoBcm_B):
            x, y, z = body.p_BoBcm_B
            self.guessed.add(number)
            made = [self.place(number, (2 * x, 2 * y, 2 * z))]
        return made

    def svg(self, labels: Labels, centres: bool, dimensions: bool, theme: Theme, medium: Medium) -> str:
        for body in self.model.bodies:
            self.link(body)
            self.joint(body)
            self.wheels(body.number)
        self.wheels(0)
        for closure in self.model.closures:
            self.closure(closure)
        self.springs()
        if centres:
            for body in self.model.bodies:
                if body.mass:
                    self.centre(self.place(body.number, body.p_BoBcm_B))
        placed = place_labels(self.scene, names=labels == "names") if labels != "none" else {}
        boxes = [label.box for label in placed.values()]
        points = [p for lines in self.scene.polylines.values() for line in lines for p in line]
        points += [(b[0], b[1]) for b in boxes] + [(b[2], b[3]) for b in boxes]
        points += [(pose.x, pose.y) for pose in self.scene.poses[1:]]
        measured = place_dimensions(self.scene, self.measures(), placed.values()) if dimensions else []
        for box in (dimension.bounds() for dimension in measured):
            points += [(box[0], box[1]), (box[2], box[3])]
        left, top = min(p[0] for p in points), min(p[1] for p in points)
        right, bottom = max(p[0] for p in points), max(p[1] for p in points)
        corner = (left - 3 * self.size, bottom + 4 * self.size)
        left, right = left - 7.0 * self.size, right + 2 * self.size
        top, bottom = top - 2 * self.size, bottom + 7.5 * self.size
        # Under the bodies: extension lines come out from behind them.
        parts = [dimension.svg() for dimension in measured]
        parts += [text for _, text in sorted(self.parts, key=lambda part: part[0])]
        parts += self.triad(corner)
        for body in self.model.bodies:
            if body.number in placed:
                label = placed[body.number]
                name = body.name if len(body.name) <= LONGEST else body.name[:LONGEST] + "…"
                parts.append(
                    f'<text x="{label.at[0]:.2f}" y="{label.at[1]:.2f}" font-size="{FONT * self.size:.4g}" '
                    f'text-anchor="{label.side}">{escape(name if labels == "names" else str(body.number))}</text>'
                )
        wide, high = right - left, bottom - top
        room = (170.0, 220.0) if medium == "print" else (640.0, 520.0)
        scale, unit = min(room[0] / wide, room[1] / high), "mm" if medium == "print" else ""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="sistel-axonometry" role="img" '
            f'width="{wide * scale:.2f}{unit}" height="{high * scale:.2f}{unit}" '
            f'viewBox="{left:.2f} {top:.2f} {wide:.2f} {high:.2f}" stroke-width="{0.12 * self.size:.4g}" '
            'stroke-linejoin="round" stroke-linecap="round">'
        )
        paper = f'<rect class="paper" x="{left:.2f}" y="{top:.2f}" width="{wide:.2f}" height="{high:.2f}"/>'
        title, style = f"<title>{escape(self.model.name)}</title>", _style(theme, bool(measured))
        text = "\n".join((head, title, style, paper, *parts, "</svg>"))
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'

    def measures(self) -> list[Measure]:
        """Lengths of links in space, along their lines on paper; not of those that point at the reader."""
        made = []
        for body in self.model.bodies:
            pole = self.poles[body.number]
            for end in self.ends[body.number] if body.number not in self.guessed else ():
                found = between(project(pole), project(end), math.dist(pole, end))
                if found is not None and found.drawn > 2 * self.size and found.value > 5e-3:
                    made.append(found)
        return ordered(made)

    def add(
        self, body: int, near: float, style: str, points: Sequence[Point], closed: bool, width: float = 0.0
    ) -> None:
        """A line or an area, also noted for the window and the labels."""
        self.scene.polylines.setdefault(body, []).append([*points, points[0]] if closed else list(points))
        weight = f' stroke-width="{width * self.size:.4g}"' if width else ""
        self.parts.append((near, f'<path class="{style}" d="{path(points, closed)}"{weight}/>'))

    def link(self, body: Body) -> None:
        """A bar from the pole to everything that sits on the body; a plate where these are three or more."""
        pole, ends = self.poles[body.number], self.ends[body.number]
        near = min((_nearness(p) for p in (pole, *ends)), default=0.0)
        corners = hull([project(p) for p in (pole, *ends)])
        if len(ends) > 2 and len(corners) > 2:
            self.add(body.number, near - 1e-3, "plate", corners, True, 0.24)
            if project(pole) in corners or body.joint.type.key == "free":
                return
        for end in ends:
            self.add(body.number, (near + _nearness(end)) / 2, "link", [project(pole), project(end)], False, 0.32)

    def rounds(self, number: int) -> list[tuple[list[Vector3], float]]:
        """Lines of what may touch on a body, in the ground's frame, and their widths."""
        lines = round_lines(self.model, number)
        return [([self.place(number, _metres(p)) for p in line.points], line.width) for line in lines]

    def wheels(self, number: int) -> None:
        """Wheels, balls and other shapes that may touch, on a body or on the ground."""
        for centre, radius in touching_balls(self.model, number):
            at = self.place(number, _metres(centre))
            u, w = project(at)
            self.parts.append(
                (_nearness(at), f'<circle class="hollow" cx="{u:.3f}" cy="{w:.3f}" r="{LONG * radius:.4g}"/>')
            )
        for points, width in self.rounds(number):
            near = sum(map(_nearness, points)) / len(points) + 0.1 * self.size
            self.add(number, near, "link", [project(p) for p in points], False, width)

    def joint(self, body: Body) -> None:
        pole, key = self.poles[body.number], body.joint.type.key
        if body.base == 0 and key not in ("free",):
            self.ground(pole)
        if key in ("prismatic", "cylindrical"):
            # The rail, from where the coordinate is zero to where the body is.
            zero = self.place(body.base, body.p_PB)
            if math.dist(zero, pole) > self.size:
                self.add(body.number, _nearness(pole) - 1, "link", [project(zero), project(pole)], False, 0.16)
        self.symbol(
            body.number,
            key,
            pole,
            self.direction(body.number, body.joint.axis),
            self.direction(body.number, body.joint.axis2),
        )

    def closure(self, closure: Closure) -> None:
        first, second = closure.first, closure.second
        at = self.place(first.body, first.p_BS)
        if 0 in (first.body, second.body):
            self.ground(at)

        def turned(side_body: int, R: Sequence[Sequence[float]], a: Vector3) -> Vector3:
            x, y, z = (R[i][0] * a[0] + R[i][1] * a[1] + R[i][2] * a[2] for i in range(3))
            return self.direction(side_body, (x, y, z))

        axis = turned(first.body, first.R_BS, closure.axis)
        self.symbol(first.body, closure.type.key, at, axis, turned(second.body, second.R_BS, closure.axis2))

    def symbol(self, body: int, key: str, at: Vector3, axis: Vector3, axis2: Vector3) -> None:
        """The standard symbol of a joint."""
        near, s = _nearness(at) + 0.5 * self.size, self.size
        u, w = project(at)
        self.scene.marks.append(
            Mark(body, "hinge" if key == "revolute" else "motor", self.scene.poses[body].into((u, w)))
        )
        if key in ("revolute", "cylindrical"):
            long = 0.75 if key == "revolute" else 1.3
            if key == "cylindrical":
                self.rod(body, near - 1, at, axis, 2.2 * s)
            self.prism(body, near, at, axis, 0.5 * s, long * s, SIDES)
        elif key == "prismatic":
            self.rod(body, near - 1, at, axis, 2.4 * s)
            self.prism(body, near, at, axis, 0.72 * s, 1.2 * s, 4)
        elif key == "spherical":
            self.parts.append((near, f'<circle class="hollow" cx="{u:.3f}" cy="{w:.3f}" r="{0.62 * s:.4g}"/>'))
            self.parts.append((near + 1, f'<circle class="full" cx="{u:.3f}" cy="{w:.3f}" r="{0.28 * s:.4g}"/>'))
        elif key == "universal":
            self.parts.append((near, f'<circle class="hollow" cx="{u:.3f}" cy="{w:.3f}" r="{0.62 * s:.4g}"/>'))
            for a in (axis, axis2):
                self.add(
                    body,
                    near + 1,
                    "link",
                    [project(_along(at, a, -1.0 * s)), project(_along(at, a, 1.0 * s))],
                    False,
                    0.16,
                )
        elif key == "planar":
            self.prism(body, near, at, axis, 1.6 * s, 0.1 * s, 4)

    def rod(self, body: int, near: float, at: Vector3, axis: Vector3, half: float) -> None:
        """A thin rod along an axis, as far to either side of a place."""
        ends = [project(_along(at, axis, -half)), project(_along(at, axis, half))]
        self.add(body, near, "link", ends, False, 0.16)

    def prism(self, body: int, near: float, at: Vector3, axis: Vector3, radius: float, half: float, sides: int) -> None:
        """A cylinder or a square prism along an axis: its outline, and the end that is seen."""
        e1, e2 = _across(axis)
        rings: list[list[Vector3]] = []
        for s in (-half, half):
            middle = _along(at, axis, s)
            angles = [2 * math.pi * (i + 0.5) / sides for i in range(sides)]
            rings.append([_along(_along(middle, e1, radius * math.cos(a)), e2, radius * math.sin(a)) for a in angles])
        seen = rings[1] if _nearness(axis) >= 0 else rings[0]
        self.add(body, near, "hollow", hull([project(p) for ring in rings for p in ring]), True)
        if abs(_nearness(axis)) > 0.05:
            self.add(body, near, "end", [project(p) for p in seen], True)

    def ground(self, at: Vector3) -> None:
        """A slab of ground under a joint."""
        r = 1.9 * self.size
        x, y, z = at
        corners = [(x - r, y - r, z), (x + r, y - r, z), (x + r, y + r, z), (x - r, y + r, z)]
        self.add(0, _nearness(at) - 4 * r, "floor", [project(p) for p in corners], True)
        # The front edges are hatched.
        for a, b in ((corners[1], corners[2]), (corners[2], corners[3])):
            for i in range(6):
                t = (i + 0.5) / 6
                p = project([a[k] + t * (b[k] - a[k]) for k in range(3)])
                tip = (p[0] - 0.4 * self.size, p[1] + 0.5 * self.size)
                self.add(0, _nearness(at) - 4 * r, "earth", [p, tip], False)

    def springs(self) -> None:
        for spring in self.model.springs:
            a3 = self.place(spring.first.body, spring.first.p_BS)
            b3 = self.place(spring.second.body, spring.second.p_BS)
            a, b = project(a3), project(b3)
            if math.dist(a, b) > 1e-6:
                self.add(0, (_nearness(a3) + _nearness(b3)) / 2, "spring", zigzag(a, b, self.size), False)

    def centre(self, at: Vector3) -> None:
        u, w = project(at)
        r = 0.5 * self.size
        self.parts.append((math.inf, f'<circle class="hollow" cx="{u:.3f}" cy="{w:.3f}" r="{r:.4g}"/>'))
        quarter = f"M{u:.3f},{w:.3f}v{-r:.4g}a{r:.4g},{r:.4g},0,0,1,{r:.4g},{r:.4g}z"
        other = f"M{u:.3f},{w:.3f}v{r:.4g}a{r:.4g},{r:.4g},0,0,1,{-r:.4g},{-r:.4g}z"
        self.parts.append((math.inf, f'<path class="full" d="{quarter}{other}"/>'))

    def triad(self, corner: Point) -> list[str]:
        """The directions of x, y, z beside the system."""
        made, s = [], self.size
        for letter, end in (("x", (3.0, 0.0, 0.0)), ("y", (0.0, 3.0, 0.0)), ("z", (0.0, 0.0, 3.0))):
            du, dw = (s * value for value in project(end))
            u, w = corner[0] + du, corner[1] + dw
            made.append(f'<path class="earth" d="{path([corner, (u, w)])}"/>')
            lu, lw = corner[0] + 1.25 * du, corner[1] + 1.25 * dw + 0.4 * s
            made.append(
                f'<text class="axis" x="{lu:.2f}" y="{lw:.2f}" font-size="{1.1 * s:.4g}" '
                f'text-anchor="middle">{letter}</text>'
            )
        return made


def _metres(p: Vector3) -> Vector3:
    return (1e-3 * p[0], 1e-3 * p[1], 1e-3 * p[2])


def _along(p: Vector3, a: Vector3, s: float) -> Vector3:
    return (p[0] + s * a[0], p[1] + s * a[1], p[2] + s * a[2])


def _across(a: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors that make right angles with a third and with each other."""
    helper = (0.0, 0.0, 1.0) if abs(a[2]) < 0.9 else (1.0, 0.0, 0.0)
    x = (a[1] * helper[2] - a[2] * helper[1], a[2] * helper[0] - a[0] * helper[2], a[0] * helper[1] - a[1] * helper[0])
    length = math.hypot(*x)
    e = (x[0] / length, x[1] / length, x[2] / length)
    return e, (a[1] * e[2] - a[2] * e[1], a[2] * e[0] - a[0] * e[2], a[0] * e[1] - a[1] * e[0])


def _style(theme: Theme, dimensions: bool) -> str:
    rules = {**_RULES, **(_MEASURED if dimensions else {})}
    return f"<style>{coloured(rules, theme, 'sistel-axonometry')}</style>"


_RULES = {
    ".paper": "fill:var(--paper)",
    "path,circle": "fill:none;stroke:var(--ink)",
    ".hollow,.end": "fill:var(--paper)",
    ".full": "fill:var(--ink)",
    ".plate": "fill:var(--solid);fill-opacity:0.75",
    ".floor": "fill:var(--soil);stroke:var(--edge)",
    ".earth": "stroke:var(--edge)",
    ".spring": "stroke:var(--warn)",
    "text": f"font-family:{SANS};fill:var(--ink)",
    ".axis": "fill:var(--edge)",
}
_MEASURED = {
    ".dimension path": "stroke:var(--dim);stroke-linecap:butt",
    ".dimension .tip": "fill:var(--dim);stroke:none",
    ".dimension text": "fill:var(--dim)",
}
