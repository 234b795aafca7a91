"""Spatial schemes that are ready to be moved: figures in the axes of bodies, in isometric projection. All in mm."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.model import Body, Model
from sistel.pose import Vector3
from sistel.views.schemes._axonometry import HINGE, LONELY, LONG, SMALLEST
from sistel.views.schemes._document import three_digits
from sistel.views.schemes._figures import Figure, SpacePoses, projected, space_poses
from sistel.views.schemes._ground import floor_level
from sistel.views.schemes._labels import FONT, LETTER, LONGEST
from sistel.views.schemes._range import FAR, postures
from sistel.views.schemes._render import Labels
from sistel.views.schemes._rounds import round_lines, touching_balls
from sistel.views.schemes._scene import hull, path, short_number, sides

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from numpy.typing import ArrayLike

    from sistel.arrays import Array


ORIGIN: Vector3 = (0.0, 0.0, 0.0)
NET = 8
"""About so many lines has the net of a floor each way."""
BEHIND = 1e9
"""Nearness of what lies behind everything [mm]."""


def _mm(p: Vector3) -> Vector3:
    return (1e3 * p[0], 1e3 * p[1], 1e3 * p[2])


class SpaceScheme:
    """What is drawn of a spatial system, and where it goes."""

    def __init__(self, model: Model, states: ArrayLike | None, labels: Labels, traced: Model | None = None) -> None:
        """The figures in the first of some postures.

        Args:
            model: The system.
            states: Coordinates of postures, shape (n, nq).
            labels: What the bodies bear.
            traced: The same system; its numbers know their formulas, and so do those of the figures.
        """
        self.q = postures(model, states)
        self.poses = space_poses(model, self.q)
        self.model = model = traced or model
        self.ends = {body.number: self._attachments(body) for body in model.bodies}
        marks = [(body.number, p) for body in model.bodies for p in (ORIGIN, *self.ends[body.number])]
        marks += [
            (number, p)
            for number in range(len(model.bodies) + 1)
            for line in round_lines(model, number)
            for p in line.points[::3]
        ]
        flat = np.stack([projected(self.poses.out(body, p)) for body, p in marks])
        self.follows, low, high = self._range(flat)
        across = float((high - low).max())
        self.size = three_digits(HINGE * (across if across > SMALLEST else LONELY))
        self.figures: list[Figure] = []
        for body in model.bodies:
            self._link(body)
            self._joint(body)
            self._wheels(body.number)
        self._wheels(0)
        self._closures()
        self._springs()
        self._floors(marks)
        self.labels = self._labels(labels)
        self.window = self._window(low, high)

    # --- what there is ---------------------------------------------------------------------------------------------

    def _attachments(self, body: Body) -> list[Vector3]:
        """Where other things sit on a body, in its axes."""
        model, number = self.model, body.number
        found = [_mm(model.bodies[child - 1].p_PB) for child in model.adjacent(number)]
        found += [_mm(side.p_BS) for side in sides(model) if side.body == number]
        found += [_mm(point.p_BP) for point in model.points if point.body == number]
        found += [_mm(frame.p_BF) for frame in model.frames if frame.body == number]
        made = [p for i, p in enumerate(found) if all(math.dist(p, o) > 1e-6 for o in (ORIGIN, *found[:i]))]
        if not made and any(body.p_BoBcm_B):
            x, y, z = _mm(body.p_BoBcm_B)
            made = [(2 * x, 2 * y, 2 * z)]
        return made

    def _add(
        self, kind: Any, style: str, points: Sequence[tuple[int, Vector3]], width: float = 0.0, **more: Any
    ) -> None:
        self.figures.append(Figure(kind=kind, style=style, width=width * self.size, points=tuple(points), **more))

    def _link(self, body: Body) -> None:
        ends, number = self.ends[body.number], body.number
        if len(ends) > 2:
            corners = _ring([ORIGIN, *ends])
            self._add("area", "plate", [(number, p) for p in corners], 0.24, bias=-1e-3)
            if ORIGIN in corners or body.joint.type.key == "free":
                return
        for end in ends:
            self._add("line", "link", [(number, ORIGIN), (number, end)], 0.32)

    def _joint(self, body: Body) -> None:
        key, number = body.joint.type.key, body.number
        if body.base == 0 and key != "free":
            self._slab(_mm(body.p_PB))
        if key in ("prismatic", "cylindrical"):
            # The rail, from where the coordinate is zero to where the body is.
            self._add("line", "link", [(body.base, _mm(body.p_PB)), (number, ORIGIN)], 0.16, bias=-1.0)
        self._symbol(number, key, ORIGIN, body.joint.axis, body.joint.axis2, number)

    def _wheels(self, number: int) -> None:
        """Wheels, balls and other shapes that may touch, on a body or on the ground."""
        for centre, radius in touching_balls(self.model, number):
            self._add("ball", "hollow", [(number, centre)], radius=LONG * radius)
        for line in round_lines(self.model, number):
            self._add("line", "link", [(number, p) for p in line.points], line.width, bias=0.1 * self.size)

    def _symbol(self, body: int, key: str, at: Vector3, axis: Vector3, axis2: Vector3, second: int) -> None:
        """The standard symbol of a joint.

        Args:
            body: On which it is.
            key: Type of the joint.
            at: Its place in the axes of the body.
            axis: In the axes of the body.
            axis2: In the axes of the second body.
            second: Number of the second body.
        """
        s, spot, near = self.size, [(body, at)], 0.5 * self.size
        if key in ("revolute", "cylindrical"):
            if key == "cylindrical":
                self._add("line", "link", _through(body, at, axis, 2.2 * s), 0.16, bias=near - 1)
            half = (0.75 if key == "revolute" else 1.3) * s
            self._add("tube", "hollow", spot, axis=axis, radius=0.5 * s, half=half, bias=near)
            self._add("end", "end", spot, axis=axis, radius=0.5 * s, half=half, bias=near + 1e-3)
        elif key == "prismatic":
            self._add("line", "link", _through(body, at, axis, 2.4 * s), 0.16, bias=near - 1)
            self._add("sleeve", "hollow", spot, axis=axis, radius=0.6 * s, half=1.2 * s, bias=near)
        elif key in ("spherical", "universal"):
            self._add("ball", "hollow", spot, radius=0.62 * s, bias=near)
            if key == "spherical":
                self._add("ball", "full", spot, radius=0.28 * s, bias=near + 1)
            else:
                self._add("line", "link", _through(body, at, axis, s), 0.16, bias=near + 1)
                if second == body:
                    self._add("line", "link", _through(body, at, axis2, s), 0.16, bias=near + 1)
        elif key == "planar":
            e = np.linalg.svd(np.array([axis]))[2][1:]
            corners = [1.6 * s * (a * e[0] + b * e[1]) for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
            placed = [(body, (at[0] + float(c[0]), at[1] + float(c[1]), at[2] + float(c[2]))) for c in corners]
            self._add("area", "hollow", placed, bias=near)

    def _closures(self) -> None:
        holding = set(self.model.structure().holds)
        for closure in self.model.closures:
            if closure.name not in holding:
                continue
            first, second = closure.first, closure.second
            if 0 in (first.body, second.body):
                self._slab(_mm((first if first.body == 0 else second).p_BS))
            side = first if first.body else second
            axis = closure.axis if side is first else closure.axis2
            R = side.R_BS
            x, y, z = (R[i][0] * axis[0] + R[i][1] * axis[1] + R[i][2] * axis[2] for i in range(3))
            self._symbol(side.body, closure.type.key, _mm(side.p_BS), (x, y, z), (x, y, z), -1)

    def _springs(self) -> None:
        for spring in self.model.springs:
            ends = [(side.body, _mm(side.p_BS)) for side in (spring.first, spring.second)]
            self._add("spring", "spring", ends, 0.12, radius=self.size)

    def _floors(self, marks: Sequence[tuple[int, Vector3]]) -> None:
        """Level floors under the way of what may stand on them, as nets of lines."""
        levels = {floor_level(contact, self.model) for contact in self.model.contacts if contact.on == 0} - {None}
        ways = np.concatenate([self.poses.out(body, p) for body, p in marks])
        (left, back, _), (right, front, _) = ways.min(axis=0).tolist(), ways.max(axis=0).tolist()
        rough = max(right - left, front - back, 8 * self.size) / NET
        step = 10.0 ** math.floor(math.log10(rough))
        step *= next(k for k in (1, 2, 5, 10) if k * step >= rough)
        for z in sorted(level for level in levels if level is not None):
            i0, i1 = math.floor(left / step) - 1, math.ceil(right / step) + 1
            j0, j1 = math.floor(back / step) - 1, math.ceil(front / step) + 1
            lines = [((i * step, j0 * step, z), (i * step, j1 * step, z)) for i in range(i0, i1 + 1)]
            lines += [((i0 * step, j * step, z), (i1 * step, j * step, z)) for j in range(j0, j1 + 1)]
            for a, b in lines:
                self._add("line", "net", [(0, a), (0, b)], 0.06, bias=-BEHIND)

    def _slab(self, at: Vector3) -> None:
        """Ground under a joint, its front edges hatched."""
        x, y, z = at
        r, s = 1.9 * self.size, self.size
        corners: list[Vector3] = [(x - r, y - r, z), (x + r, y - r, z), (x + r, y + r, z), (x - r, y + r, z)]
        self._add("area", "floor", [(0, p) for p in corners], bias=-4 * r)
        # A stroke of the paper as a direction in space: along the view nothing is seen.
        down = (0.4 * s / (2 * 0.8660254037844386), -0.4 * s / (2 * 0.8660254037844386), -0.5 * s)
        for a, b in ((corners[1], corners[2]), (corners[2], corners[3])):
            for i in range(6):
                t = (i + 0.5) / 6
                p: Vector3 = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2]))
                tip: Vector3 = (p[0] + down[0], p[1] + down[1], p[2] + down[2])
                self._add("line", "earth", [(0, p), (0, tip)], bias=-4 * r)

    def _labels(self, labels: Labels) -> list[tuple[int, str, Vector3, tuple[float, float]]]:
        """Body, text, point in its axes, and shift on the paper of every label."""
        if labels == "none":
            return []
        made = []
        for body in self.model.bodies:
            ends = self.ends[body.number]
            x, y, z = ends[0] if ends else ORIGIN
            name = body.name if len(body.name) <= LONGEST else body.name[:LONGEST] + "…"
            text = name if labels == "names" else str(body.number)
            made.append((body.number, text, (x / 2, y / 2, z / 2), (0.9 * self.size, -0.7 * self.size)))
        return made

    # --- where it is -----------------------------------------------------------------------------------------------

    def _range(self, flat: Array) -> tuple[int, Array, Array]:
        """The body that a camera follows, and the least and greatest place of anything as it sees them."""
        low, high = flat.min(axis=0), flat.max(axis=0)
        whole = high.max(axis=0) - low.min(axis=0)
        for body in self.model.bodies:
            if body.base or body.joint.type.key not in ("free", "planar", "prismatic"):
                continue
            way = projected(self.poses.out(body.number, ORIGIN))
            way = way - way[0]
            near_low, near_high = (low - way).min(axis=0), (high - way).max(axis=0)
            if max(whole) > FAR * max(near_high - near_low):
                return body.number, near_low, near_high
        return 0, low.min(axis=0), high.max(axis=0)

    def _window(self, low: Array, high: Array) -> tuple[float, float, float, float]:
        """Left, top, right and bottom: also of the ground, unless the camera leaves it."""
        pad = 3.0 * self.size
        if not self.follows:
            fixed = [
                f
                for f in self.figures
                if all(body == 0 for body, _ in f.points) and f.style != "net" and f.kind in ("area", "line")
            ]
            for figure in fixed:
                corners = figure.corners(self.poses)[0].reshape(-1, 2)
                low, high = np.minimum(low, corners.min(axis=0)), np.maximum(high, corners.max(axis=0))
        return self._padded(low, high, pad)

    def _padded(self, low: Array, high: Array, pad: float) -> tuple[float, float, float, float]:
        longest = max((len(text) for _, text, _, _ in self.labels), default=0)
        aside = max(0.0, longest * LETTER * FONT * self.size - pad)
        left, top, right, bottom = (
            float(low[0]) - pad,
            float(low[1]) - pad,
            float(high[0]) + pad + aside,
            float(high[1]) + pad,
        )
        least = 0.55 * max(right - left, bottom - top)
        wide, high_ = max(0.0, least - (right - left)) / 2, max(0.0, least - (bottom - top)) / 2
        return (left - wide, top - high_, right + wide, bottom + high_)

    def parts(self, element: Callable[[str, dict[str, str]], Element]) -> list[tuple[str, Figure, Element]]:
        """Id, figure and element of everything, from the farthest on, as it is in the first posture."""
        first = SpacePoses([(R[:1], p[:1]) for R, p in self.poses.poses])
        order = sorted(range(len(self.figures)), key=lambda i: float(self.figures[i].depth(first)[0]))
        made = []
        for place in order:
            figure = self.figures[place]
            look = {"id": f"фигура_{place + 1}", "class": figure.style, "d": figure.path(figure.corners(first)[0])}
            if figure.width:
                look["stroke-width"] = short_number(figure.width, 4)
            made.append((look["id"], figure, element("path", look)))
        return made

    def triad(self, element: Callable[[str, dict[str, str]], Element], corner: tuple[float, float]) -> list[Element]:
        """The directions of x, y, z."""
        made, s = [], self.size
        for letter, end in (("x", (3.0, 0.0, 0.0)), ("y", (0.0, 3.0, 0.0)), ("z", (0.0, 0.0, 3.0))):
            du, dw = (s * float(value) for value in projected(np.array(end)))
            u, w = corner[0] + du, corner[1] + dw
            made.append(element("path", {"class": "earth", "d": path([corner, (u, w)])}))
            look = {"class": "axis", "x": short_number(corner[0] + 1.3 * du, 2), "text-anchor": "middle"}
            look |= {"y": short_number(corner[1] + 1.3 * dw + 0.4 * s, 2), "font-size": short_number(1.1 * s, 3)}
            made.append(element("text", look))
            made[-1].text = letter
        return made


def _through(body: int, at: Vector3, axis: Vector3, half: float) -> list[tuple[int, Vector3]]:
    return [(body, (at[0] + s * axis[0], at[1] + s * axis[1], at[2] + s * axis[2])) for s in (-half, half)]


def _ring(points: Sequence[Vector3]) -> list[Vector3]:
    """The corners of the convex hull of points in the plane that fits them best, in order."""
    p = np.array(points)
    middle = p.mean(axis=0)
    axes = np.linalg.svd(p - middle)[2]
    flat = {(float(u), float(w)): point for (u, w), point in zip((p - middle) @ axes[:2].T, points, strict=True)}
    corners = hull(list(flat))
    return [flat[corner] for corner in corners] if len(corners) > 2 else list(points)


__all__ = ["LONG", "SpaceScheme"]
