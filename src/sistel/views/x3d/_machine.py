"""Bodies as parts of machines: links between joints, housings and forks at them, necks to what would float.

What a file declares is drawn as it is; this adds what holds it together. Bodies without shapes get tapered links, with
joints that become smaller towards the tip. Meshes are left alone: they show their joints themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sistel.expr import Traced
from sistel.model import Body, Closure, Model, Shape
from sistel.pose import Rotation, Vector3, compose, cross, norm, rotate, transpose
from sistel.records import record
from sistel.views.x3d._following import Following
from sistel.views.x3d._joints import (
    DARK,
    FORK,
    GROUND,
    HALF,
    SHELL,
    STEEL,
    carriage,
    covers,
    cup,
    flange,
    fork,
    housing,
    pin,
    towards,
)
from sistel.views.x3d._nodes import Node, transform
from sistel.views.x3d._primitives import ball, looks, turn_of
from sistel.views.x3d._rounded import along, block, lathe, ring, taper

LARGEST = 0.034
"""Radius of the first joint of a system without shapes, over its size; the last ones have half of it."""
WITHIN = (0.008, 0.042)
"""Least and largest radius of a joint between declared shapes, over the size of the system."""
LINK = 0.6
"""Radius of a link, over that of its joint."""
ROUND = ("cylinder", "capsule", "wheel", "circle")
KNOWN = (*ROUND, "sphere", "box", "cone")
"""Kinds of shapes of which it is known where they end."""
ORIGIN: Vector3 = (0.0, 0.0, 0.0)


@record
class Limb:
    """A link from the pole of a body to the joint of one that it carries."""

    node: str
    body: int
    carried: int
    cut: float
    """How much before the joint it ends [m]."""
    radius: float
    """[m]"""


class Machine:
    """The parts between the shapes of a system in space."""

    def __init__(self, model: Model, shapes: Sequence[Sequence[Shape]], size: float, up: Vector3) -> None:
        """For a system.

        Args:
            model: The system.
            shapes: What is declared, by body, the ground first.
            size: Of the system [m].
            up: Against gravity.
        """
        self._model, self._shapes, self._size, self._up = model, shapes, size, up
        self.name: Callable[[str], str] = lambda text: text
        """Gives names of nodes."""
        self.following: Following | None = None
        """What follows parameters, where a page asks for it."""
        self.rings: list[tuple[str, int]] = []
        """Materials of bands, with the coordinates that they show."""
        self.limbs: list[Limb] = []
        count = len(model.bodies) + 1
        self._depth = [0] * count
        for body in model.bodies:
            self._depth[body.number] = self._depth[body.base] + (1 if body.joint.type.nq else 0)
        self._known = [all(shape.kind in KNOWN and len(shape.sizes) > 0 for shape in some) for some in shapes]
        self._near = [[shape for shape in some if number or not shape.obstacle] for number, some in enumerate(shapes)]

    # --- sizes -------------------------------------------------------------------------------------------------------

    def radius(self, number: int, at: Vector3 = ORIGIN) -> float:
        """Of a joint at a place of a body [m]."""
        least, most = (part * self._size for part in WITHIN)
        shape = self._nearest(number, at)
        if shape is not None:
            return min(max(1.1 * _thickness(shape[0]), least), most)
        deepest = max(self._depth, default=0) or 1
        return LARGEST * self._size * (1.0 - 0.5 * max(self._depth[number] - 1, 0) / deepest)

    def _nearest(self, number: int, at: Vector3) -> tuple[Shape, Vector3, float] | None:
        """The shape of a body that is nearest to a place, its point there, and how far that is [m]."""
        found = [(shape, *_closest(shape, at)) for shape in self._near[number] if shape.kind in KNOWN]
        best = min(found, key=lambda each: each[2], default=None)
        return best if best is not None and (number or best[2] < 0.35 * self._size) else None

    def _bare(self, number: int) -> bool:
        """Whether nothing is declared of a body."""
        return not self._near[number]

    # --- parts -------------------------------------------------------------------------------------------------------

    def body(self, number: int) -> list[Node]:
        """What is added in the frame of a body."""
        if not self._known[number]:
            return []
        made: list[Node] = []
        if number:
            body = self._model.bodies[number - 1]
            made += self._links(body) if self._bare(number) else self._neck(number, ORIGIN, body.joint.type.nq > 0)
            made += self._turning(body)
        for body in self._model.bodies:
            if body.base == number and body.joint.type.nq == 0 and number and not self._bare(number):
                neck = self._neck(number, body.p_PB, not self._bare(body.number))
                made += self._placed(neck, body.p_PB, self._twin.bodies[body.number - 1].p_PB)
        for closure in self._model.closures:
            made += self._closing(closure, number)
        return made

    def mount(self, body: Body) -> list[Node]:
        """What the base of a body holds it with, in the frame in which the body is at zero."""
        key, base = body.joint.type.key, body.base
        if key not in ("revolute", "universal", "spherical", "cylindrical") or not self._known[base]:
            return []
        if not self._known[body.number] or (self._coaxial(body) is not None and not self._bare(base)):
            return []
        R = self._joint_radius(body)
        if base == 0 and self._nearest(0, body.p_PB) is None:
            return self._stand(body, R)
        way, far = self._way_back(body)
        if far < 0.3 * R and not self._bare(base):
            return []
        axis = body.joint.axis
        made = self._holder(key, axis, way, R, far)
        if not self._bare(base) and far > (FORK - 0.3) * R:
            # From the foot of the fork to the shape that it stands on.
            foot = FORK * R if self._forked(key, axis, way, R, far) else 0.0
            made.append(self._rod(_along(way, foot), _along(way, far + 0.2 * R), R, base))
        return made

    def guide(self, body: Body, low: float, high: float) -> list[Node]:
        """What a slide without a shape goes along, in the frame in which the body is at zero: a bed with two rods."""
        R = 0.8 * self._joint_radius(body)
        a, b = low - 2.2 * R, high + 2.2 * R
        long = (b - a) / R
        steel, bed = looks(STEEL), looks(GROUND)
        rods = [transform([pin(0.16, long / 2, steel)], translation=(side, 0.0, 0.0)) for side in (-0.95, 0.95)]
        ends = [transform([block((2.5, 0.5, 0.9), bed)], translation=(0.0, side * long / 2, 0.0)) for side in (-1, 1)]
        return [along(body.joint.axis, [*rods, *ends], _along(body.joint.axis, (a + b) / 2), R)]

    def _holder(self, key: str, axis: Vector3, way: Vector3, R: float, far: float) -> list[Node]:
        """Fork, axle or cup of the base, whose body lies in a direction."""
        if key == "spherical":
            return [along(_along(way, -1.0), cup(), size=R)] if far > 1.6 * R else []
        made = [along(axis, [pin(0.22, 0.95, looks(STEEL))], size=R)] if key == "universal" else []
        if self._forked(key, axis, way, R, far):
            y, x = towards(axis, way)
            return [*made, transform(fork(), rotation=turn_of(_axes(x, y)), scale=(R, R, R))]
        return [*made, *([] if key == "universal" else [along(axis, covers(), size=R)])]

    def _forked(self, key: str, axis: Vector3, way: Vector3, R: float, far: float) -> bool:
        """Whether there is room for a fork across its axis."""
        lean = abs(sum(a * b for a, b in zip(axis, way, strict=True)))
        return key != "spherical" and lean < 0.6 and far > (FORK + 0.2) * R

    def _way_back(self, body: Body) -> tuple[Vector3, float]:
        """From the pole of a body to what its base has there: a direction in the frame of its place, and a way [m]."""
        if self._bare(body.base):
            back, far = _along(body.p_PB, -1.0), norm(body.p_PB)
        else:
            near = self._nearest(body.base, body.p_PB)
            assert near is not None
            back, far = _difference(near[1], body.p_PB), near[2]
        turned = rotate(transpose(body.R_PB), back)
        length = norm(turned)
        return (_along(turned, 1 / length) if length > 1e-12 else (0.0, 0.0, -1.0)), far

    def _stand(self, body: Body, R: float) -> list[Node]:
        """What fastens a joint to the ground: a flange, with a fork where the axis lies."""
        key = body.joint.type.key
        up = rotate(transpose(body.R_PB), self._up)
        ahead = sum(a * b for a, b in zip(self._reach(body), up, strict=True))
        way = up if ahead < -0.3 else _along(up, -1.0)
        axis = body.joint.axis
        lean = abs(sum(a * b for a, b in zip(axis, way, strict=True)))
        if key == "spherical":
            return [
                along(_along(way, -1.0), [*cup(), transform(flange(), translation=(0.0, -1.75, 0.0))], size=R),
            ]
        made = [along(axis, [pin(0.22, 0.95, looks(STEEL))], size=R)] if key == "universal" else []
        if lean > 0.8:
            # A turntable: the housing stands on it, and it on a column where it is above the ground.
            high = self._height(body) / R if ahead >= -0.3 else 0.0
            stand = [transform(flange(), translation=(0.0, -high, 0.0))]
            if high > 0.3:
                stand.append(lathe([(0.98, -high), (0.9, 0.2 - high), (0.9, 0.0)], looks(SHELL)))
            return [*made, along(_along(way, -1.0), stand, size=R)]
        y, x = towards(axis, way)
        foot = transform(flange(), translation=(FORK + 0.26, 0.0, 0.0), rotation=(0.0, 0.0, 1.0, 1.5707963))
        return [*made, transform([*fork(), foot], rotation=turn_of(_axes(x, y)), scale=(R, R, R))]

    def _height(self, body: Body) -> float:
        """How high above the origin of the world a joint stands, where a column can reach it [m]."""
        high = sum(a * b for a, b in zip(self._up, body.p_PB, strict=True))
        return high if 0.0 < high < 1.5 * self._size else 0.0

    def feet(self) -> list[Vector3]:
        """Where what fastens bodies to the ground ends, in the axes of the system [m]."""
        found = []
        for body in self._model.bodies:
            held = body.joint.type.key in ("revolute", "universal", "spherical", "cylindrical")
            if body.base or not held or not self._known[body.number] or self._nearest(0, body.p_PB) is not None:
                continue
            up = rotate(transpose(body.R_PB), self._up)
            ahead = sum(a * b for a, b in zip(self._reach(body), up, strict=True))
            lean = abs(sum(a * b for a, b in zip(body.joint.axis, up, strict=True)))
            R = self._joint_radius(body)
            long = self._height(body) if lean > 0.8 else (FORK + 0.26) * R
            if body.joint.type.key == "spherical":
                long = 1.75 * R
            if ahead >= -0.3:
                found.append(_difference(body.p_PB, _along(self._up, long)))
        return found

    def _reach(self, body: Body) -> Vector3:
        """Where a body goes from its pole, in its frame: a unit vector, or nothing."""
        ends = [each.p_PB for each in self._model.bodies if each.base == body.number]
        ends = [end for end in ends if norm(end) > 1e-9] or [body.p_BoBcm_B]
        total = tuple(sum(end[k] for end in ends) for k in range(3))
        length = norm(total)
        return _along((total[0], total[1], total[2]), 1 / length) if length > 1e-12 else ORIGIN

    def _turning(self, body: Body) -> list[Node]:
        """What of its joint moves with a body: housing, pin, ball or carriage, with a band for the coordinate."""
        key, axis = body.joint.type.key, body.joint.axis
        if key in ("revolute", "cylindrical"):
            shape = self._coaxial(body)
            if shape is not None:
                return [self._band(shape, body.first_q)] if shape.kind in ("cylinder", "capsule") else []
        R = self._joint_radius(body)
        if not self._bare(body.number) and not self._open(body):
            return []
        shell = looks(SHELL)
        if key in ("revolute", "cylindrical"):
            at = ORIGIN
            if body.base == 0 and self._nearest(0, body.p_PB) is None:
                up = rotate(transpose(body.R_PB), self._up)
                lean = sum(a * b for a, b in zip(axis, up, strict=True))
                if abs(lean) > 0.8:
                    at = _along(axis, (HALF + 0.26) * R * (1.0 if lean > 0 else -1.0))
            return [along(axis, housing(self._ring_look(body.first_q), shell), at=at, size=R)]
        if key == "universal":
            second = body.joint.axis2
            band = ring(0.23, 0.12, self._ring_look(body.first_q))
            made = [along(second, [pin(0.22, 0.95, looks(STEEL)), band], size=R)]
            way = self._forward(body)
            if way is not None:
                y, x = towards(second, way)
                made.append(transform(fork(), rotation=turn_of(_axes(x, y)), scale=(R, R, R)))
            return made
        if key == "spherical":
            return [ball(R, looks(STEEL))]
        if key == "prismatic" and self._bare(body.number):
            return [along(axis, carriage(self._ring_look(body.first_q), shell), size=0.8 * R)]
        return []

    def _forward(self, body: Body) -> Vector3 | None:
        """Where the shapes or the links of a body are, seen from its pole."""
        near = self._nearest(body.number, ORIGIN)
        if near is None:
            way = self._reach(body)
            return way if norm(way) > 0 else None
        return near[1] if near[2] > FORK * self._joint_radius(body) else None

    def _open(self, body: Body) -> bool:
        """Whether a joint between declared shapes is seen: not hidden in those of both bodies."""
        R = self._joint_radius(body)
        own, other = self._nearest(body.number, ORIGIN), self._nearest(body.base, body.p_PB)
        hidden = own is not None and own[2] == 0.0 and _thickness(own[0]) > 0.9 * R
        held = other is not None and other[2] == 0.0 and _thickness(other[0]) > 0.9 * R
        return self._known[body.base] and not (hidden or held)

    def _joint_radius(self, body: Body) -> float:
        """Of the joint of a body: as its shapes are thick, and no thicker than what holds it [m]."""
        if self._bare(body.number) and self._bare(body.base):
            return self.radius(body.number)
        found = []
        if not self._bare(body.number):
            found.append(self.radius(body.number))
        if not self._bare(body.base) and body.base:
            found.append(self.radius(body.base, body.p_PB))
        return min(found, default=self.radius(body.number))

    def _coaxial(self, body: Body) -> Shape | None:
        """A round shape of a body or of its base about the axis of the joint, at the pole; in the frame of the body."""
        axis = body.joint.axis
        for shape in self._near[body.number]:
            if _about(shape, ORIGIN, axis):
                return shape
        # One of the base stands in the frame of the body as it does at zero: it is round about the axis.
        R_BP = transpose(body.R_PB)
        there = (
            replace(shape, p_BS=rotate(R_BP, _difference(shape.p_BS, body.p_PB)), R_BS=compose(R_BP, shape.R_BS))
            for shape in self._near[body.base]
        )
        return next((shape for shape in there if _about(shape, ORIGIN, axis)), None)

    def _band(self, shape: Shape, number: int) -> Node:
        """A band about a round shape, near the end that is nearer to the pole."""
        radius, length = shape.sizes[0], shape.sizes[1]
        end = rotate(shape.R_BS, (0.0, 0.0, 0.5 * length))
        near = 1.0 if norm(_sum(shape.p_BS, end)) < norm(_difference(shape.p_BS, end)) else -1.0
        half = min(0.08 * radius, 0.06 * length)
        place = _sum(shape.p_BS, _along(end, near * max(1.0 - 6 * half / length, 0.0)))
        return along(
            rotate(shape.R_BS, (0.0, 0.0, 1.0)), [ring(0.995, half / radius, self._ring_look(number))], place, radius
        )

    def _ring_look(self, number: int) -> Node:
        name = self.name(f"Ring_{number + 1}")
        self.rings.append((name, number))
        return looks(SHELL, name=name)

    def _links(self, body: Body) -> list[Node]:
        """Tapered links from the pole to all places where something is joined; without any, to the mass centre."""
        R, near = self._joint_radius(body), 1e-6 * self._size
        shell = looks(SHELL)
        made: list[Node] = []
        for carried in self._model.bodies:
            if carried.base != body.number or carried.joint.type.key in ("free", "prismatic2"):
                continue
            if norm(carried.p_PB) <= near:
                continue
            way, far = self._way_back(carried)
            tip = self._joint_radius(carried)
            cut = 0.0
            if self._forked(carried.joint.type.key, carried.joint.axis, way, tip, far):
                cut = (FORK - 0.3) * tip
            link = taper(ORIGIN, _along(carried.p_PB, 1 - cut / far), LINK * R, LINK * tip, shell)
            link.fields = {"DEF": self.name(f"Link_{carried.number}"), **link.fields}
            self.limbs.append(
                Limb(node=link.fields["DEF"], body=body.number, carried=carried.number, cut=cut, radius=LINK * R)
            )
            made += self._stretched([link], carried.p_PB, self._twin.bodies[carried.number - 1].p_PB)
        places = list(enumerate(self._ends(self._model, body.number)))
        ends = {point: place for place, point in reversed(places) if norm(point) > near}
        if not ends and not made and norm(body.p_BoBcm_B) > near:
            ends = {body.p_BoBcm_B: -1}
        for end, place in reversed(ends.items()):
            figures = [taper(ORIGIN, end, LINK * R, 0.7 * LINK * R, shell), ball(0.7 * LINK * R, shell, end)]
            made += self._stretched(figures, end, self._end(body.number, place))
        if not made or body.joint.type.key in ("free", "prismatic2", "planar"):
            made.append(ball(LINK * R if made else R, shell, ORIGIN if made else body.p_BoBcm_B))
        return made

    @property
    def _twin(self) -> Model:
        """The model whose numbers know their formulas, where they are asked for."""
        return self._model if self.following is None else self.following.traced

    def _placed(self, figures: list[Node], at: Vector3, other: Vector3) -> list[Node]:
        """What sits at a place; where that follows parameters, as one node that goes with it."""
        return figures if self.following is None else self.following.placed(figures, at, other)

    def _stretched(self, figures: list[Node], end: Vector3, other: Vector3) -> list[Node]:
        """A link from the pole; where lengths follow parameters, as one node that goes where its end goes."""
        if self.following is None or not any(isinstance(x, Traced) for x in other):
            return figures
        return [self.following.link(figures, end, other)]

    def _end(self, number: int, place: int) -> Vector3:
        """One of the ends of a body, or its mass centre."""
        if place < 0:
            return self._twin.bodies[number - 1].p_BoBcm_B
        return list(self._ends(self._twin, number))[place]

    def _ends(self, model: Model, number: int) -> Iterator[Vector3]:
        for closure in model.closures:
            yield from (side.p_BS for side in (closure.first, closure.second) if side.body == number)
        for spring in model.springs:
            yield from (side.p_BS for side in (spring.first, spring.second) if side.body == number)
        yield from (point.p_BP for point in model.points if point.body == number)
        yield from (frame.p_BF for frame in model.frames if frame.body == number)
        yield from (contact.p_BP for contact in model.contacts if contact.body == number)

    def _neck(self, number: int, at: Vector3, wanted: bool) -> list[Node]:
        """A rod from a joint to the nearest shape of a body, where it is not at it."""
        near = self._nearest(number, at)
        R = self.radius(number, at)
        if near is None or not wanted or near[2] < 0.1 * R:
            return []
        way = _along(_difference(near[1], at), 1 / near[2])
        return [self._rod(at, _sum(near[1], _along(way, 0.3 * min(R, _thickness(near[0])))), R, number)]

    def _rod(self, a: Vector3, b: Vector3, R: float, number: int) -> Node:
        return taper(a, b, LINK * R, LINK * R, looks(DARK if number == 0 else STEEL))

    def _closing(self, closure: Closure, number: int) -> list[Node]:
        """What closes a loop, on one of its sides: a housing or a ball on the first, and necks on both."""
        made: list[Node] = []
        place = self._model.closures.index(closure)
        for side in (closure.first, closure.second):
            if side.body != number or self._bare(number):
                continue
            twin = self._twin.closures[place]
            other = twin.first if side is closure.first else twin.second
            neck = self._neck(number, side.p_BS, wanted=True)
            made += self._placed(neck, side.p_BS, other.p_BS)
        if closure.first.body == number and number:
            R = self.radius(number, closure.first.p_BS)
            at, figures = closure.first.p_BS, list[Node]()
            if closure.type.key == "spherical":
                figures = [ball(R, looks(STEEL), at)]
            elif closure.type.key in ("revolute", "cylindrical", "universal"):
                axis = rotate(closure.first.R_BS, closure.axis)
                figures = [along(axis, [pin(0.8, 0.9, looks(STEEL))], at=at, size=R)]
            made += self._placed(figures, at, self._twin.closures[place].first.p_BS)
        return made


def _thickness(shape: Shape) -> float:
    """Half of what a shape measures where it is thinnest [m]."""
    if shape.kind == "box":
        return min(shape.sizes) / 2
    return min(shape.sizes[0], shape.sizes[1] / 2) if shape.kind == "cylinder" else shape.sizes[0]


def _closest(shape: Shape, at: Vector3) -> tuple[Vector3, float]:
    """The point of a shape that is nearest to a place of its body, and how far that is [m]."""
    x, y, z = rotate(transpose(shape.R_BS), _difference(at, shape.p_BS))
    sizes = shape.sizes
    if shape.kind == "box" and len(sizes) == 3:
        half = [size / 2 for size in sizes]
        inner = tuple(min(max(part, -end), end) for part, end in zip((x, y, z), half, strict=True))
    elif shape.kind in ("sphere", "capsule"):
        along_z = min(max(z, -sizes[1] / 2), sizes[1] / 2) if shape.kind == "capsule" else 0.0
        away = (x, y, z - along_z)
        share = min(1.0, sizes[0] / max(norm(away), 1e-30))
        inner = (share * x, share * y, along_z + share * away[2])
    else:
        length = sizes[1] if len(sizes) > 1 and shape.kind != "wheel" else 0.0
        share = min(1.0, sizes[0] / max((x * x + y * y) ** 0.5, 1e-30))
        inner = (share * x, share * y, min(max(z, -length / 2), length / 2))
    found = _sum(shape.p_BS, rotate(shape.R_BS, (inner[0], inner[1], inner[2])))
    far = norm(_difference((x, y, z), (inner[0], inner[1], inner[2])))
    return found, far if far > 1e-9 else 0.0


def _about(shape: Shape, at: Vector3, axis: Vector3) -> bool:
    """Whether a round shape lies about an axis through a place."""
    if shape.kind == "sphere":
        return norm(_difference(shape.p_BS, at)) < 0.3 * shape.sizes[0]
    if shape.kind not in ROUND or not shape.sizes:
        return False
    own = rotate(shape.R_BS, (0.0, 0.0, 1.0))
    if abs(abs(sum(a * b for a, b in zip(own, axis, strict=True))) - 1.0) > 1e-3:
        return False
    return _closest(shape, at)[1] < 0.3 * shape.sizes[0] and (
        norm(cross(_difference(shape.p_BS, at), axis)) < 0.3 * shape.sizes[0]
    )


def _axes(x: Vector3, y: Vector3) -> Rotation:
    """The rotation with these first two axes."""
    z = cross(x, y)
    return ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))


def _along(v: Vector3, factor: float) -> Vector3:
    return (factor * v[0], factor * v[1], factor * v[2])


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _difference(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])
