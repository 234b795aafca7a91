"""How bodies look in space: declared shapes, or links between their joints, and symbols of the joints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text
from sistel.markup import AccessError, Losses
from sistel.meshes import Mesh, MeshReader, UnreadableMeshError
from sistel.model import Body, Model, Shape, corners_of
from sistel.pose import Vector3, norm, rotate, transpose
from sistel.views._profiles import profile_lines, profile_points
from sistel.views.x3d._axes import up_frame
from sistel.views.x3d._colours import colour_parts
from sistel.views.x3d._following import Following
from sistel.views.x3d._joints import SHELL
from sistel.views.x3d._lightened import kept_simplify
from sistel.views.x3d._machine import Machine
from sistel.views.x3d._nodes import Node, transform
from sistel.views.x3d._outlines import Line, read_path
from sistel.views.x3d._primitives import Colour, ball, bar, cone, cylinder, looks, plate, surface, turn_of, wire
from sistel.views.x3d._rounded import block, capsule, drum, torus

if TYPE_CHECKING:
    from sistel.arrays import Array

PALETTE: tuple[Colour, ...] = (
    (0.27, 0.45, 0.70),
    (0.90, 0.55, 0.20),
    (0.36, 0.61, 0.40),
    (0.75, 0.31, 0.30),
    (0.50, 0.42, 0.66),
    (0.28, 0.62, 0.66),
    (0.62, 0.49, 0.35),
    (0.55, 0.56, 0.58),
)
"""Of bodies whose colour nobody gave, by number."""
GROUND: Colour = (0.45, 0.46, 0.48)
JOINT: Colour = (0.22, 0.24, 0.27)
MARK: Colour = (0.85, 0.12, 0.12)
"""Of what tells how a round shape is turned."""
CORNERS = 48
"""Of a circle."""
SPOKES = 6
THIN = 0.025
"""Radius of the rim of a wheel whose tread is sharp, in radii."""
QUARTER = math.pi / 2
MM = 1e-3
"""Of paths [m]."""
MOST_BARS = 64
"""Of a line; longer ones are thin."""
APART = 0.004
"""By which part cylinders of one radius on neighbouring bodies differ in what is drawn."""
SLAB = 0.1
"""Thickness of a box that is ground, over its width, at most."""
NET = 41
"""Points of curved ground along a coordinate."""
ORIGIN: Vector3 = (0.0, 0.0, 0.0)


class Figures:
    """The looks of all bodies of a model. Sizes that nobody gave follow from the size of the system."""

    def __init__(self, model: Model, losses: Losses) -> None:
        """Read what the shapes name; meshes that cannot be read are noted and replaced."""
        self.model = model
        self._losses = losses
        self._meshes: dict[tuple[str, str], Mesh | None] = {}
        count = len(model.bodies) + 1
        self._shapes: list[list[Shape]] = [[] for _ in range(count)]
        for each in model.shapes:
            if each.kind != "mesh" or self._mesh(each) is not None:
                self._shapes[each.body].append(each)
        self.joints: list[list[Vector3]] = [list(_joints(model, number)) for number in range(count)]
        """Where every body is joined to others, in its own frame, the pole apart [m]."""
        self.extents: list[list[Vector3]] = [self._extent(number) for number in range(count)]
        """Points that enclose every body [m]."""
        self._dressed = not model.planar and any(self._shapes[1:])
        self.size = 1.0
        """Of the whole system, which the figures without sizes follow [m]."""
        self.called: dict[str, str] = {}
        """Names of nodes by those of obstacles."""
        self.following: Following | None = None
        """What follows parameters, where a page asks for it."""

    @property
    def thickness(self) -> float:
        """Of planar bodies, which lie one before another [m]."""
        return min(0.025, 0.3 / max(len(self.model.bodies), 1)) * self.size

    def layer(self, number: int) -> float:
        """How far before the plane a planar body lies; z points away from who looks [m]."""
        return -1.1 * self.thickness * number if self.model.planar else 0.0

    def nodes(self, number: int) -> list[Node]:
        """What is drawn in the frame of a body, 0 for the ground."""
        shapes = self._shapes[number]
        made = [each for one in shapes for each in self._declared(one)]
        if not shapes and number and self._frame(number):
            return made
        if not self.model.planar:
            return [*made, *self.machine.body(number)]
        if not shapes and number:
            made += self._link(number)
        return [*made, *self._symbols(number)]

    def _frame(self, number: int) -> bool:
        """Whether a body is a mere frame, as descriptions of robots have them."""
        return self._dressed and self.model.bodies[number - 1].joint.type.nq == 0

    @cached_property
    def _reader(self) -> MeshReader:
        """What reads meshes, where there are any."""
        return MeshReader()

    @cached_property
    def machine(self) -> Machine:
        """What holds the shapes of a system in space together; once its size is known."""
        up = rotate(transpose(up_frame(self.model)), (0.0, 1.0, 0.0))
        made = Machine(self.model, self._shapes, self.size, up)
        made.following = self.following
        return made

    def mount(self, body: Body) -> list[Node]:
        """What the base of a body holds it with, in the frame in which the body is at zero."""
        return [] if self.model.planar else self.machine.mount(body)

    def rail(self, body: Body, low: float, high: float) -> list[Node]:
        """What a slide without a shape goes along, in the frame in which the body is at zero."""
        if body.joint.type.key != "prismatic" or self._shapes[body.number]:
            return []
        if not self.model.planar:
            return self.machine.guide(body, low, high)
        margin = 0.12 * self.size
        ends = [_along(body.joint.axis, low - margin), _along(body.joint.axis, high + margin)]
        z = self.layer(body.base)
        a, b = ((x, y, w + z) for x, y, w in ends)
        return [bar(a, b, 0.008 * self.size, looks(GROUND))]

    def lay(self, R_XW: Array, height: float) -> None:
        """Leave out thin boxes of the ground whose top is the floor, which is drawn anyway; they are no part of views.

        Args:
            R_XW: The axes of X3D, y up, from those of the system, shape (3, 3).
            height: Of the floor in the axes of X3D [m].
        """
        kept = []
        for each in self._shapes[0]:
            ends = None if each.obstacle else self._slab(each, R_XW)
            if ends is None or abs(ends[1] - height) > 1e-6 * self.size:
                kept.append(each)
        self._shapes[0] = kept
        self.extents[0] = self._extent(0)

    def standing(self, R_XW: Array) -> Array:
        """Points that enclose what stands on the ground, without slabs that are ground themselves, shape (n, 3) [m]."""
        shapes = [each for each in self._shapes[0] if self._slab(each, R_XW) is None]
        return np.array(self._extent(0, shapes)).reshape(-1, 3)

    def _slab(self, each: Shape, R_XW: Array) -> tuple[float, float] | None:
        """How low and how high a box is that is thin and wide, and lies level; None for all else [m]."""
        if each.kind != "box" or len(each.sizes) != 3:
            return None
        corners = np.array([_sum(each.p_BS, rotate(each.R_BS, corner)) for corner in _corners(each, None)]) @ R_XW.T
        low, high = corners.min(axis=0), corners.max(axis=0)
        thick, *wide = (high - low)[[1, 0, 2]]
        return (float(low[1]), float(high[1])) if thick < SLAB * min(wide) else None

    # --- declared ----------------------------------------------------------------------------------------------------

    def _declared(self, each: Shape) -> Iterator[Node]:
        given = colour_parts(each.colour) if each.colour else None
        own = self._own_colour(each.body)
        colour, transparency = given or (own, 0.0)
        appearance = looks(colour, transparency)
        place, turn = each.p_BS, turn_of(each.R_BS)
        flat = each.kind in ("polygon", "polyline") or (each.kind == "box" and len(each.sizes) == 2)
        if each.kind in ("shape", "circle") or flat:
            place = (place[0], place[1], place[2] + self.layer(each.body))
        if each.kind == "shape":
            children = [one for line in read_path(each.d) for one in self._line(line, appearance, colour)]
        elif flat:
            corners = tuple((x / MM, y / MM) for x, y in corners_of(each) or ())
            line = Line(points=corners, closed=each.kind != "polyline")
            children = list(self._line(line, appearance, colour))
        else:
            children = list(self._solid(each, appearance))
        if children:
            name = self.called.get(each.name, "") if each.obstacle else ""
            made = transform(children, name=name, translation=place, rotation=turn)
            if self.following is not None:
                self.following.declared(each, made, place[2] - each.p_BS[2])
            yield made

    def _own_colour(self, number: int) -> Colour:
        """Of a shape whose colour nobody gave: links in space are neutral, what flies about can be told apart."""
        if number == 0:
            return GROUND
        free = self.model.bodies[number - 1].joint.type.key in ("free", "planar")
        return PALETTE[(number - 1) % len(PALETTE)] if free or self.model.planar else SHELL

    def _line(self, line: Line, appearance: Node, colour: Colour) -> Iterator[Node]:
        points = [(MM * x, MM * y) for x, y in line.points]
        if line.closed:
            yield plate(points, self.thickness, appearance)
            return
        radius = 0.009 * self.size
        spatial: list[Vector3] = [(x, y, 0.0) for x, y in points]
        if len(points) > MOST_BARS:
            yield wire(spatial, colour)
            return
        for a, b in pairwise(spatial):
            if a != b:
                yield bar(a, b, radius, appearance)
        # Round ends and corners.
        yield from (ball(radius, appearance, point) for point in dict.fromkeys(spatial))

    def _solid(self, each: Shape, appearance: Node) -> Iterator[Node]:
        sizes = each.sizes
        if each.kind == "box":
            yield block(sizes, appearance)
        elif each.kind == "sphere":
            yield ball(sizes[0], appearance)
            if each.name:
                # What may roll shows how it is turned: by two bands.
                band = cylinder(1.01 * sizes[0], 0.12 * sizes[0], looks(MARK))
                yield from (band, transform([band], rotation=(0.0, 1.0, 0.0, QUARTER)))
        elif each.surface is not None:
            yield from self._ground(each, appearance)
        elif each.kind == "circle":
            yield from self._disk(sizes[0], appearance)
        elif each.kind == "wheel":
            yield from _wheel(sizes[0], max(sizes[1] if len(sizes) > 1 else 0.0, THIN * sizes[0]), appearance)
        elif each.kind == "cylinder":
            yield drum(sizes[0], sizes[1], appearance, 1.0 - APART * (each.body % 4))
        elif each.kind == "cone":
            yield cone(sizes[0], sizes[1], appearance)
        elif each.kind == "capsule":
            yield capsule(sizes[0], sizes[1], appearance)
        else:
            mesh = self._mesh(each)
            if mesh is not None:
                yield surface(mesh, _scale(each), appearance)

    def _ground(self, each: Shape, appearance: Node) -> Iterator[Node]:
        """Curved ground: a line of the plane, a surface of space."""
        if self.model.planar:
            for line in profile_lines(self.model, each, MOST_BARS):
                yield from (bar(a, b, 0.009 * self.size, appearance) for a, b in pairwise(line))
            return
        net = profile_points(self.model, each, NET)
        number = np.arange(NET * NET).reshape(NET, NET)
        a, b, c, d = (part.ravel() for part in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
        triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
        points = net.reshape(-1, 3)
        there = np.asarray(np.isfinite(points).all(axis=1))
        kept = triangles[there[triangles].all(axis=1)]
        yield surface(Mesh(points=np.where(there[:, None], points, 0.0), triangles=kept), (1.0, 1.0, 1.0), appearance)

    def _disk(self, radius: float, appearance: Node) -> Iterator[Node]:
        """A disk of the plane, with a mark near its rim on the side that is seen."""
        rim = [(radius * math.cos(angle), radius * math.sin(angle)) for angle in _angles(CORNERS)]
        yield plate(rim, self.thickness, appearance)
        z, wide = -0.5 * self.thickness, 0.06 * radius
        yield bar((0.15 * radius, 0.0, z), (0.94 * radius, 0.0, z), wide, looks(MARK))

    def _mesh(self, each: Shape) -> Mesh | None:
        key = self._key(each)
        if key not in self._meshes:
            self._meshes[key] = self._read(each)
        return self._meshes[key]

    def _read(self, each: Shape) -> Mesh | None:
        try:
            mesh = self._reader.read(each)
            for note in mesh.notes:
                what = Text(f'mesh "{each.path}": {note.en}', f"сетка «{each.path}»: {note.ru}")
                self._losses.dropped(each.span, what)
            return mesh
        except (AccessError, UnreadableMeshError) as problem:
            reason = problem.reason
            if isinstance(problem, AccessError) and problem.hint is not None:
                reason = Text(f"{reason.en} ({problem.hint.en})", f"{reason.ru} ({problem.hint.ru})")
        instead = Text("links are drawn instead", "вместо неё нарисованы звенья")
        if each.body == 0:
            instead = Text("nothing is drawn instead", "вместо неё ничего не нарисовано")
        self._losses.dropped(
            each.span,
            Text(
                f'the mesh "{each.path}" cannot be read: {reason.en}; {instead.en}',
                f"сетку «{each.path}» не удалось прочитать: {reason.ru}; {instead.ru}",
            ),
        )
        return None

    def lighten(self, most: int) -> Text | None:
        """Make the meshes simpler where they have more triangles than `most` together, and say what that changes.

        Points go onto a fine grid, so that pages pack them well.
        """
        keys = [self._key(each) for some in self._shapes for each in some if each.kind == "mesh"]
        scales: dict[tuple[str, str], float] = {}
        for some in self._shapes:
            for each in some:
                if each.kind == "mesh":
                    size = max(abs(part) for part in _scale(each))
                    scales[self._key(each)] = max(scales.get(self._key(each), 0.0), size) or 1.0
        found = {key: mesh for key in scales if (mesh := self._meshes[key]) is not None}
        shown = sum(len(found[key].triangles) for key in keys)
        if shown <= most:
            return None
        whole = sum(len(mesh.triangles) for mesh in found.values())
        made = kept_simplify(list(found.values()), [scales[key] for key in found], max(1, most * whole // shown))
        self._meshes.update(zip(found, made.meshes, strict=True))
        after = sum(len(mesh.triangles) for key in keys if (mesh := self._meshes[key]) is not None)
        before, now, off = f"{shown:,}", f"{after:,}", f"{1e3 * made.deviation:.2g}"
        narrow = "\N{NARROW NO-BREAK SPACE}"
        return Text(
            f"meshes simplified: {before} → {now} triangles, largest deviation {off} mm",
            f"сетки упрощены: {before.replace(',', narrow)} → {now.replace(',', narrow)} треугольников, "
            f"наибольшее отклонение {off.replace('.', ',')} мм",
        )

    @staticmethod
    def _key(each: Shape) -> tuple[str, str]:
        """Of a mesh: those of included descriptions are relative to their own folders."""
        return (str(Path(each.span.source.path).parent), each.path)

    def scenery(self) -> bool:
        """Whether meshes surround the bodies: a whole scene that belongs to the ground."""
        return any(each.kind == "mesh" for each in self._shapes[0])

    # --- generated ---------------------------------------------------------------------------------------------------

    def _link(self, number: int) -> list[Node]:
        """Bars from the pole to all places where something is joined; a body with none has them to its mass centre."""
        colour = PALETTE[(number - 1) % len(PALETTE)]
        appearance, radius = looks(colour), 0.014 * self.size
        z = self.layer(number)
        centre = self.model.bodies[number - 1].p_BoBcm_B
        near = 1e-6 * self.size
        targets = [point for point in self.joints[number] if norm(point) > near]
        if not targets and norm(centre) > near:
            targets = [centre]
        bars = [bar((0.0, 0.0, z), (x, y, w + z), radius, appearance) for x, y, w in dict.fromkeys(targets)]
        ends = [ball(radius, appearance, (x, y, w + z)) for x, y, w in dict.fromkeys(targets)]
        if bars:
            return [*bars, *ends]
        return [ball(2.0 * radius, appearance, (centre[0], centre[1], centre[2] + z))]

    def _symbols(self, number: int) -> list[Node]:
        """Symbols of the joint of a body and of the closures on it; the ground has supports."""
        if number == 0:
            return self._supports()
        made = []
        body = self.model.bodies[number - 1]
        key = body.joint.type.key
        if key != "free":
            made += self._symbol(key, body.joint.axis, ORIGIN, body.base, number)
            if key == "universal":
                made += self._symbol("revolute", body.joint.axis2, ORIGIN, body.base, number)
        for closure in self.model.closures:
            if closure.first.body == number:
                axis = rotate(closure.first.R_BS, closure.axis)
                made += self._symbol(closure.type.key, axis, closure.first.p_BS, closure.second.body, number)
        return made

    def _symbol(self, key: str, axis: Vector3, at: Vector3, other: int, number: int) -> list[Node]:
        appearance, size = looks(JOINT), self.size
        planar = self.model.planar
        low, high = sorted((self.layer(other), self.layer(number)))
        middle = (at[0], at[1], at[2] + (low + high) / 2)
        if key in ("revolute", "cylindrical", "universal"):
            length = (high - low) + 2.0 * self.thickness if planar else 0.07 * size
            along = _along((0.0, 0.0, 1.0) if planar else axis, length / 2)
            a, b = _sum(middle, _along(along, -1.0)), _sum(middle, along)
            made = [bar(a, b, (0.017 if planar else 0.02) * size, appearance)]
            return made if key != "cylindrical" else [*made, *self._symbol("prismatic", axis, at, other, number)]
        if key == "spherical":
            return [ball(0.026 * size, appearance, middle)]
        if key == "prismatic":
            a, b = _sum(middle, _along(axis, -0.04 * size)), _sum(middle, _along(axis, 0.04 * size))
            turned = bar(a, b, 1.0, appearance)
            # The same place and turn, with a box instead of the cylinder.
            return [
                transform(
                    [block((0.045 * size, 0.08 * size, 0.045 * size), appearance)],
                    translation=middle,
                    rotation=[float(x) for x in turned.fields.get("rotation", "0 0 1 0").split()],
                )
            ]
        return []

    def _supports(self) -> list[Node]:
        appearance, size = looks(GROUND), self.size
        made = []
        for body in self.model.bodies:
            if body.base == 0 and body.joint.type.key not in ("free", "prismatic2", "prismatic", "planar"):
                if self._shapes[body.number] and not self.model.planar:
                    continue
                x, y, z = body.p_PB
                figures = [ball(0.03 * size, appearance, (x, y, z + self.layer(0)))]
                if self.following is not None:
                    other = self.following.traced.bodies[body.number - 1].p_PB
                    figures = self.following.placed(figures, body.p_PB, other)
                made += figures
        return made

    # --- extents -----------------------------------------------------------------------------------------------------

    def _extent(self, number: int, shapes: Sequence[Shape] | None = None) -> list[Vector3]:
        """Points that enclose what is drawn of a body, or some shapes of it."""
        points: list[Vector3] = [ORIGIN] if number else []
        for each in self._shapes[number] if shapes is None else shapes:
            if each.surface is not None:
                points += _bounding([p for line in profile_lines(self.model, each, NET) for p in line])
                continue
            corners = _corners(each, self._mesh(each) if each.kind == "mesh" else None)
            points += [_sum(each.p_BS, rotate(each.R_BS, corner)) for corner in corners]
        if number and (not self._shapes[number] or self.model.planar):
            points += self.joints[number]
            if not self._shapes[number]:
                points.append(self.model.bodies[number - 1].p_BoBcm_B)
        return points if len(points) <= 8 else _bounding(points)


def _joints(model: Model, number: int) -> Iterator[Vector3]:
    for body in model.bodies:
        if body.base == number and body.joint.type.key not in ("free", "prismatic2"):
            yield body.p_PB
    for closure in model.closures:
        yield from (side.p_BS for side in (closure.first, closure.second) if side.body == number)
    for spring in model.springs:
        yield from (side.p_BS for side in (spring.first, spring.second) if side.body == number)
    if number:
        yield from (point.p_BP for point in model.points if point.body == number)
        yield from (frame.p_BF for frame in model.frames if frame.body == number)
        yield from (contact.p_BP for contact in model.contacts if contact.body == number)


def _corners(each: Shape, mesh: Mesh | None) -> list[Vector3]:
    """Points that enclose a shape, in its own frame [m]."""
    sizes = each.sizes
    if each.kind == "shape":
        return [(MM * x, MM * y, 0.0) for line in read_path(each.d) for x, y in line.points]
    if each.kind in ("polygon", "polyline") or (each.kind == "box" and len(each.sizes) == 2):
        return [(x, y, 0.0) for x, y in corners_of(each) or ()]
    if each.kind == "mesh":
        if mesh is None:
            return []
        scaled = mesh.points * list(_scale(each))
        return _box(scaled.min(axis=0).tolist(), scaled.max(axis=0).tolist())
    if each.kind == "box":
        half = [size / 2 for size in sizes]
    elif each.kind == "sphere":
        half = [sizes[0]] * 3
    elif each.kind in ("circle", "wheel"):
        half = [sizes[0], sizes[0], sizes[1] if len(sizes) > 1 else 0.0]
    else:
        half = [sizes[0], sizes[0], sizes[1] / 2 + (sizes[0] if each.kind == "capsule" else 0.0)]
    return _box([-x for x in half], half)


def _angles(count: int) -> list[float]:
    return [2 * math.pi * i / count for i in range(count)]


def _wheel(radius: float, tread: float, appearance: Node) -> Iterator[Node]:
    """A rim, a hub, and spokes, one of which tells the turn."""
    middle = radius - tread
    yield torus(middle, tread, appearance)
    yield ball(2.0 * tread, appearance)
    for i, a in enumerate(_angles(SPOKES)):
        tip = (middle * math.cos(a), middle * math.sin(a), 0.0)
        yield bar(ORIGIN, tip, (0.35 if i else 0.8) * tread, appearance if i else looks(MARK))


def _bounding(points: Sequence[Vector3]) -> list[Vector3]:
    columns = list(zip(*points, strict=True))
    return _box([min(column) for column in columns], [max(column) for column in columns])


def _box(low: Sequence[float], high: Sequence[float]) -> list[Vector3]:
    return [(x, y, z) for x, y, z in product(*zip(low, high, strict=True))]


def _scale(each: Shape) -> tuple[float, float, float]:
    """Factors of a mesh along x, y, z."""
    if len(each.sizes) == 3:
        return (each.sizes[0], each.sizes[1], each.sizes[2])
    return (each.sizes[0],) * 3 if each.sizes else (1.0, 1.0, 1.0)


def _along(v: Vector3, factor: float) -> Vector3:
    return (factor * v[0], factor * v[1], factor * v[2])


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
