"""What a kinematic scheme shows besides declared shapes: links, rails, ground, springs, symbols. All in mm."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from statistics import median

from sistel.expr import Traced, sqrt
from sistel.model import Body, Closure, Model, Shape, Side, Spring, corners_of
from sistel.pose import Vector3
from sistel.records import entry, mutable
from sistel.views._profiles import profile_lines
from sistel.views.schemes._paths import Polyline, path_polylines
from sistel.views.schemes._posture import Place, Point

NEAR = 1e-6
"""Distance below which two points are one [mm]."""
USUAL = 500.0
"""Length of a link of which nothing is known [mm]."""
COILS = 12
"""Half turns of a spring."""
COIL, STRAIGHT = 0.6, 1.2
"""Half the width of a spring, and how long its ends are straight at most, in sizes of a hinge."""


PROFILE = 161
"""Points of a line of curved ground."""


@entry
class Line:
    """A line of a body's drawing."""

    body: int
    kind: str
    d: str
    points: tuple[Point, ...] = ()
    """Of a straight one; they know their formulas where the model does."""
    closed: bool = False

    @classmethod
    def through(cls, body: int, kind: str, points: Sequence[Point], closed: bool = False) -> Line:
        """A line through points."""
        return cls(body, kind, path(points, closed), tuple(points), closed)


@entry
class Mark:
    """A symbol of a body's drawing."""

    body: int
    kind: str
    at: Point = (0.0, 0.0)
    turn: float = 0.0
    """[deg]"""


@mutable
class Scene:
    """Everything that is drawn of a system in one posture."""

    model: Model
    poses: list[Place]
    size: float = 0.0
    """Diameter of a hinge [mm]."""
    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    polylines: dict[int, list[Polyline]] = field(default_factory=dict)
    """What is drawn of every body, in the ground's frame."""

    def add(self, line: Line) -> None:
        """A line, noted as a polyline too."""
        self.lines.append(line)
        follows = any(isinstance(x, Traced) for point in line.points for x in point)
        ends = line.points[:1] if line.closed else ()
        self._note(line.body, [[*line.points, *ends]] if follows else path_polylines(line.d), self.poses[line.body])

    def _note(self, body: int, polylines: Iterable[Polyline], pose: Place) -> None:
        self.polylines.setdefault(body, []).extend([pose.out(p) for p in line] for line in polylines)

    def shapes(self) -> None:
        """Note the declared shapes."""
        for shape in self.model.shapes:
            own = Place(1e3 * shape.p_BS[0], 1e3 * shape.p_BS[1], math.atan2(shape.R_BS[1][0], shape.R_BS[0][0]))
            if shape.kind == "mesh":
                continue
            if shape.surface is not None:
                self.profile(shape)
                continue
            if shape.kind == "shape":
                follows = any(isinstance(gap, Traced) for gap in shape.gaps)
                numbers = [1e3 * gap for gap in shape.gaps]
                # As it is written where nothing follows: what is read back makes the same drawing.
                lines = path_polylines(shape.path, numbers) if follows else path_polylines(shape.d)
            elif shape.kind in ("box", "polygon", "polyline"):
                corners = [(1e3 * x, 1e3 * y) for x, y in corners_of(shape) or [(0.0, 0.0)]]
                lines = [corners if shape.kind == "polyline" else [*corners, corners[0]]]
            else:
                r = 1e3 * shape.sizes[0]
                lines = path_polylines("m{},0a{},{},0,1,1,{},0a{},{},0,1,1,{},0", [-r, r, r, 2 * r, r, r, -2 * r])
            placed = [[own.out(p) for p in line] for line in lines]
            self._note(shape.body, placed, self.poses[shape.body])

    def profile(self, shape: Shape) -> None:
        """Note curved ground, and draw it: a stylesheet knows no formulas."""
        for line in profile_lines(self.model, shape, PROFILE):
            self.add(Line.through(0, "profile", [flat(p) for p in line]))

    @property
    def declared(self) -> frozenset[int]:
        """Bodies with shapes of their own; 0 is the ground."""
        return frozenset(shape.body for shape in self.model.shapes if shape.kind != "mesh")


def distance(a: Point, b: Point) -> float:
    """Between two points; of numbers that know their formulas, one that knows its own."""
    x, y = b[0] - a[0], b[1] - a[1]
    if not (isinstance(x, Traced) or isinstance(y, Traced)):
        return math.hypot(x, y)
    # A line along an axis needs no root.
    if float(y) == 0.0 and not isinstance(y, Traced):
        return x if x > 0.0 else -x
    if float(x) == 0.0 and not isinstance(x, Traced):
        return y if y > 0.0 else -y
    return sqrt(x * x + y * y)


def flat(p: Vector3) -> Point:
    """A place of the model in the plane [mm]."""
    return (1e3 * p[0], 1e3 * p[1])


def links(scene: Scene) -> None:
    """Lines for the bodies that declare no shape."""
    model, declared = scene.model, scene.declared
    typical = _typical(model)
    ends: dict[int, Point] = {}
    for body in model.bodies:
        reached = _attachments(model, body.number)
        if not reached and body.joint.type.key != "prismatic":
            reached = [_guess(model, body, typical)] if not _foot(model, body) else []
        far = max(reached, key=lambda p: math.hypot(*p), default=None)
        if far is not None:
            ends[body.number] = far
        if body.number in declared:
            continue
        if _foot(model, body) and not _attachments(model, body.number):
            base = ends.get(body.base, (0.0, typical))
            k = math.hypot(*base) / 500.0
            scene.add(
                Line.through(body.number, "plate", [(0, 0), (200 * k, 100 * k), (-100 * k, 100 * k)], closed=True)
            )
            continue
        if not reached:
            continue
        corners = hull([(0.0, 0.0), *reached])
        if len(corners) > 2:
            scene.add(Line.through(body.number, "plate", corners, closed=True))
        else:
            first, last = corners
            scene.add(Line.through(body.number, "link", [last, first] if math.hypot(*last) < NEAR else [first, last]))


def _typical(model: Model) -> float:
    lengths = [math.hypot(*flat(body.p_PB)) for body in model.bodies if body.base]
    lengths += [math.hypot(*point) for body in model.bodies for point in _attachments(model, body.number)]
    known = [length for length in lengths if length > NEAR]
    if known:
        return median(known)
    coms = [2 * math.hypot(*flat(body.p_BoBcm_B)) for body in model.bodies]
    known = [length for length in coms if length > NEAR]
    if known:
        return median(known)
    for body in model.bodies:
        low, high = (*body.joint.minimum, -math.inf)[0], (*body.joint.maximum, math.inf)[0]
        if body.joint.type.key == "prismatic" and math.isfinite(high - low) and high > low:
            return 2.5e3 * (high - low)
    return USUAL


def _attachments(model: Model, number: int) -> list[Point]:
    """Where other things sit on a body, its pole left out."""
    found = [flat(model.bodies[child - 1].p_PB) for child in model.adjacent(number)]
    for child in model.adjacent(number):
        body = model.bodies[child - 1]
        if body.joint.type.key == "prismatic":
            found += list(rail(body))
    found += [flat(side.p_BS) for side in sides(model) if side.body == number]
    found += [flat(point.p_BP) for point in model.points if point.body == number]
    found += [flat(frame.p_BF) for frame in model.frames if frame.body == number]
    made: list[Point] = []
    for point in found:
        if all(math.dist(point, other) > NEAR for other in ((0.0, 0.0), *made)):
            made.append(point)
    return made


def _foot(model: Model, body: Body) -> bool:
    """Whether a body of which nothing is said ends a leg: a chain of hinges under a free body."""
    if model.adjacent(body.number) or body.joint.type.key != "revolute" or any(body.p_BoBcm_B) or not any(body.p_PB):
        return False
    base = body.base
    while base and model.bodies[base - 1].joint.type.key == "revolute":
        base = model.bodies[base - 1].base
    return base != 0 and model.bodies[base - 1].joint.type.key == "free" and base != body.base


def _guess(model: Model, body: Body, typical: float) -> Point:
    """The end of a link on which nothing sits."""
    x, y = flat(body.p_BoBcm_B)
    if math.hypot(x, y) > NEAR:
        return (2 * x, 2 * y)
    below = [flat(model.bodies[n - 1].p_PB) for child in model.adjacent(body.number) for n in model.adjacent(child)]
    if below:
        # Away from what hangs on it: a trunk stands on its legs.
        sx, sy = sum(p[0] for p in below), sum(p[1] for p in below)
        length = math.hypot(sx, sy)
        if length > NEAR:
            return (-1.4 * typical * sx / length, -1.4 * typical * sy / length)
    if model.adjacent(body.number):
        return (0.0, -0.5 * typical)
    px, py = flat(body.p_PB)
    length = math.hypot(px, py)
    if body.base and length > NEAR:
        return (typical * px / length, typical * py / length)
    return (0.0, typical)


def sides(model: Model) -> list[Side]:
    """All ends of closures and springs."""
    links: list[Closure | Spring] = [*model.closures, *model.springs]
    return [side for link in links for side in (link.first, link.second)]


def rail(body: Body) -> tuple[Point, Point]:
    """The two ends of what a sliding body runs on, in the frame of its base, left or upper end first."""
    joint = body.joint
    R, p = body.R_PB, body.p_PB
    ax = R[0][0] * joint.axis[0] + R[0][1] * joint.axis[1]
    ay = R[1][0] * joint.axis[0] + R[1][1] * joint.axis[1]
    low, high = joint.minimum[0], joint.maximum[0]
    if not (math.isfinite(low) and math.isfinite(high)) or high - low > 1e3:
        return flat(p), flat(p)
    ends = [(1e3 * (p[0] + ax * q), 1e3 * (p[1] + ay * q)) for q in (low, high)]
    return (ends[0], ends[1]) if ends[0] <= ends[1] else (ends[1], ends[0])


def hull(points: Sequence[Point]) -> list[Point]:
    """The corners of the convex hull, from the pole on where the pole is one of them."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    reach = max(math.dist(a, b) for a in ordered for b in ordered)

    def half(sequence: Iterable[Point]) -> list[Point]:
        made: list[Point] = []
        for p in sequence:
            while len(made) > 1 and _cross(made[-2], made[-1], p) <= 1e-6 * reach * reach:
                made.pop()
            made.append(p)
        return made[:-1]

    corners = [*half(ordered), *half(reversed(ordered))]
    if (0.0, 0.0) in corners:
        at = corners.index((0.0, 0.0))
        corners = [*corners[at:], *corners[:at]]
    return corners


def _cross(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def symbols(scene: Scene, holding: Collection[str] | None = None) -> dict[Mark, str]:
    """Symbols of joints, closures, motors, springs at joints, contacts and grippers.

    Args:
        scene: The scene.
        holding: Names of the closures that are shown; by default, of those that hold at the start.

    Returns:
        The names of the closures that symbols stand for.
    """
    model, declared = scene.model, scene.declared
    shared = _shared_hinges(model)
    for body in model.bodies:
        key = body.joint.type.key
        hinge = key == "revolute" and not (body.base in shared and not any(body.p_PB))
        if hinge or body.number in shared:
            if body.base == 0 and 0 not in declared and key == "revolute":
                scene.marks.append(Mark(0, "support", flat(body.p_PB)))
            scene.marks.append(Mark(body.number, "hinge"))
        if key == "prismatic" and body.number not in declared:
            turn = math.degrees(math.atan2(body.joint.axis[1], body.joint.axis[0]))
            scene.marks.append(Mark(body.number, "guide" if body.base else "carriage", turn=turn))
        if key == "revolute" and any(motor.body == body.number for motor in model.motors):
            scene.marks.append(Mark(body.number, "motor"))
        if key == "revolute" and any(body.joint.stiffness):
            scene.marks.append(Mark(body.number, "coil"))
    closures = _closures(scene, scene.model.structure().holds if holding is None else holding)
    seen: set[tuple[int, Point]] = set()
    for contact in model.contacts:
        if contact.round is not None or contact.outline is not None:
            continue  # it is seen where it touches, and no place of the body is that for long
        spot = (contact.body, flat(contact.p_BP))
        if spot not in seen:
            seen.add(spot)
            scene.marks.append(Mark(contact.body, "contact", spot[1]))
    for frame in model.frames:
        if frame.body and not model.adjacent(frame.body) and _root(model, frame.body).joint.type.key != "free":
            x, y = flat(frame.p_BF)
            turn = math.degrees(math.atan2(y, x)) if math.hypot(x, y) > NEAR else 0.0
            scene.marks.append(Mark(frame.body, "gripper", (x, y), turn))
    return closures


def _root(model: Model, number: int) -> Body:
    body = model.bodies[number - 1]
    while body.base:
        body = model.bodies[body.base - 1]
    return body


def _shared_hinges(model: Model) -> frozenset[int]:
    """Free bodies with hinges at their pole: one symbol, on the body itself, stands for all."""
    return frozenset(
        body.number
        for body in model.bodies
        if body.joint.type.key == "free"
        and any(
            model.bodies[child - 1].joint.type.key == "revolute" and not any(model.bodies[child - 1].p_PB)
            for child in model.adjacent(body.number)
        )
    )


def _closures(scene: Scene, holding: Collection[str]) -> dict[Mark, str]:
    """The joints that close loops, on the body that is drawn last."""
    made: dict[Mark, str] = {}

    def add(mark: Mark) -> None:
        scene.marks.append(mark)
        made[mark] = closure.name

    for closure in scene.model.closures:
        if closure.name not in holding:
            continue
        first, second = closure.first, closure.second
        side = first if first.body > second.body else second
        at = flat(side.p_BS)
        if closure.type.key == "prismatic":
            other = second if side is first else first
            R = first.R_BS
            ax = R[0][0] * closure.axis[0] + R[0][1] * closure.axis[1]
            ay = R[1][0] * closure.axis[0] + R[1][1] * closure.axis[1]
            angle = math.atan2(ay, ax) + scene.poses[first.body].angle - scene.poses[side.body].angle
            add(Mark(side.body, "guide" if other.body else "carriage", at, math.degrees(angle)))
            continue
        kind = {"revolute": "hinge", "fixed": "weld"}.get(closure.type.key)
        if kind is None:
            continue
        if 0 in (first.body, second.body) and 0 not in scene.declared:
            ground = first if first.body == 0 else second
            add(Mark(0, "support" if kind == "hinge" else "earth", flat(ground.p_BS)))
        add(Mark(side.body, kind, at))
    return made


def springs(scene: Scene) -> None:
    """Springs between points, as zigzags from one end to the other."""
    for spring in scene.model.springs:
        a = scene.poses[spring.first.body].out(flat(spring.first.p_BS))
        b = scene.poses[spring.second.body].out(flat(spring.second.p_BS))
        if math.dist(a, b) > NEAR:
            scene.add(Line(0, "spring", path(zigzag(a, b, scene.size))))


def zigzag(a: Point, b: Point, size: float) -> Polyline:
    """A spring from one point to another."""
    length = math.dist(a, b)
    along = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    straight = min(STRAIGHT * size, 0.2 * length)
    points = [a]
    for i in range(COILS + 1):
        s = straight + (length - 2 * straight) * i / COILS
        side = 0.0 if i in (0, COILS) else (COIL if i % 2 else -COIL) * size
        points.append((a[0] + along[0] * s - along[1] * side, a[1] + along[1] * s + along[0] * side))
    return [*points, b]


def path(points: Sequence[Point], closed: bool = False) -> str:
    """A path through points, relative, as short as it can be said."""
    at = (_round(points[0][0]), _round(points[0][1]))
    parts = [f"m{_text(at[0])},{_text(at[1])}"]
    for point in points[1:]:
        to = (_round(point[0]), _round(point[1]))
        dx, dy = _round(to[0] - at[0]), _round(to[1] - at[1])
        parts.append(f"v{_text(dy)}" if not dx else f"h{_text(dx)}" if not dy else f"l{_text(dx)},{_text(dy)}")
        at = to
    return "".join(parts) + ("z" if closed else "")


def _round(x: float) -> float:
    return round(x, 3) + 0.0


def _text(x: float) -> str:
    return f"{x:.3f}".rstrip("0").rstrip(".")


def short_number(x: float, decimals: int) -> str:
    """A number with few decimals, without zeros in the end."""
    text = f"{x:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text
