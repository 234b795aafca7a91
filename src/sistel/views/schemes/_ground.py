"""The ground of a scheme: hatched where the file draws it, found where it does not. All in mm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from sistel.model import Contact, Model, Outline
from sistel.records import entry
from sistel.views._profiles import profile_lines
from sistel.views.schemes._paths import Point, Polyline
from sistel.views.schemes._scene import NEAR, PROFILE, Line, Scene, distance, flat, path, rail

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@entry
class Strip:
    """A straight piece of hatched ground."""

    at: Point
    """Where it begins [mm]."""
    along: Point
    """Unit vector."""
    into: Point
    """Unit vector into the ground."""
    length: float
    drawn: bool
    """Whether the file draws its line itself."""


@entry
class Journey:
    """Where a system goes: its ground is hatched in strips of any length."""

    ways: Mapping[int, Sequence[Point]]
    """Places of the poles of bodies, by number [mm]."""
    beyond: float
    """How far ground without an end goes on beyond the bodies [mm]."""
    far: float = 0.0
    """Size of a system that goes far away, so that a camera follows it; 0 of others [mm]."""
    strips: list[Strip] = field(default_factory=list)


def ground(scene: Scene, box: Box, shown: Box, journey: Journey | None = None) -> None:
    """The ground where the file draws none: rails of carriages, surfaces of contacts, the floor under free bodies.

    Args:
        scene: The scene.
        box: Left, top, right and bottom of the bodies [mm].
        shown: The same of what the picture shows.
        journey: Where the system goes, if it does; its strips are noted there instead of being drawn.
    """
    model = scene.model
    left, top, right, bottom = box
    _hatch_profiles(scene)
    if 0 in scene.declared:
        _hatch_declared(scene, box, shown, journey)
        if journey is not None and journey.far:
            _rails(scene, journey)
        return
    margin = 0.15 * max(right - left, bottom - top) + 2 * scene.size
    beyond = margin if journey is None else margin + journey.beyond
    _rails(scene, journey)
    surfaces = [line for contact in model.contacts if contact.on == 0 for line in [surface(contact, model)] if line]
    for a, b, c in dict.fromkeys(surfaces):
        # a x + b y + c > 0 is free; the way is such that the free side is on its left, the hatching on its right.
        ux, uy = -b, a
        middle = ((left + right) / 2, (top + bottom) / 2)
        far = a * middle[0] + b * middle[1] + c
        foot = (middle[0] - a * far, middle[1] - b * far)
        half = (right - left) * abs(ux) / 2 + (bottom - top) * abs(uy) / 2 + beyond
        _hatched(scene, foot, (ux, uy), half, journey)
    tied = any(0 in (closure.first.body, closure.second.body) for closure in model.closures)
    roots = [body.joint.type.key for body in model.bodies if body.base == 0]
    if not surfaces and not tied and ("free" in roots or "prismatic2" in roots):
        y = max(0.0, bottom) if bottom > -0.5 * (bottom - top) else 0.0
        _hatched(scene, ((left + right) / 2, y), (1.0, 0.0), (right - left) / 2 + beyond, journey)


def _hatch_profiles(scene: Scene) -> None:
    """Hatching under curved ground, at even steps along it."""
    strokes: list[Polyline] = []
    for shape in scene.model.shapes:
        for points in profile_lines(scene.model, shape, PROFILE) if shape.surface is not None else ():
            line = [flat(p) for p in points]
            contact = next((each for each in scene.model.contacts if each.gap == shape.surface), None)
            rest = 0.0
            for a, b in pairwise(line):
                length = math.dist(a, b)
                u = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
                n = (-u[1], u[0])
                if contact is not None and _free_side(scene.model, a, b, n, n[1] < 0.0):
                    n = (u[1], -u[0])
                while rest < length:
                    x, y = a[0] + rest * u[0], a[1] + rest * u[1]
                    deep = 0.55 * scene.size
                    strokes.append([(x, y), (x + deep * (n[0] - u[0]), y + deep * (n[1] - u[1]))])
                    rest += 0.6 * scene.size
                rest -= length
    if strokes:
        scene.lines.append(Line(0, "hatch", "".join(path(stroke) for stroke in strokes).replace("m", "M")))
        scene.polylines[0] += strokes


def _rails(scene: Scene, journey: Journey | None) -> None:
    """What carriages on the ground run on."""
    for body in scene.model.bodies:
        if body.base == 0 and body.joint.type.key == "prismatic":
            ends_of = rail(body)
            pole = scene.poses[body.number]
            angle = pole.angle + math.atan2(body.joint.axis[1], body.joint.axis[0])
            ux, uy = math.cos(angle), math.sin(angle)
            if (ux, uy) < (0.0, 0.0):
                ux, uy = -ux, -uy
            way = () if journey is None else journey.ways.get(body.number, ())
            # From where the coordinate is zero, which moves with its place.
            x, y = flat(body.p_PB)
            here = (pole.x - x) * ux + (pole.y - y) * uy
            reach = [(p[0] - x) * ux + (p[1] - y) * uy for p in (*ends_of, *way)]
            low, high = min(*reach, here - 3 * scene.size), max(*reach, here + 3 * scene.size)
            ends = [(x + ux * s, y + uy * s) for s in (low - 2 * scene.size, high + 2 * scene.size)]
            scene.add(Line.through(0, "rail", ends))


def _hatch_declared(scene: Scene, box: Box, shown: Box, journey: Journey | None) -> None:
    """Hatching along the straight lines of the ground that the file draws, on the side away from the bodies."""
    left, top, right, bottom = box
    centre = ((left + right) / 2, (top + bottom) / 2)
    far = 3 * scene.size
    seen = (shown[0] - far, shown[1] - far, shown[2] + far, shown[3] + far)
    strokes = []
    for line in list(scene.polylines.get(0, [])):
        closed = len(line) > 3 and math.dist(line[0], line[-1]) < NEAR
        lowest = max(p[1] for p in line)
        for a, b in pairwise(line):
            length = distance(a, b)
            # Of a closed shape, such as a bracket, only the sole stands on something; curves have short chords.
            if length < 2 * scene.size or (closed and not a[1] == b[1] == lowest):
                continue
            ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
            nx, ny = -uy, ux
            if closed:
                nx, ny = 0.0, 1.0
            elif _free_side(scene.model, a, b, (nx, ny), (centre[0] - a[0]) * nx + (centre[1] - a[1]) * ny > 0):
                nx, ny = -nx, -ny
            if journey is None:
                strokes += _strokes(a, (ux, uy), (nx, ny), length, scene.size, seen)
            else:
                _strip(scene, _lengthened(a, (ux, uy), (nx, ny), length, len(line) == 2, box, journey), journey)
    if strokes:
        scene.lines.append(Line(0, "hatch", "".join(path(stroke) for stroke in strokes).replace("m", "M")))
        scene.polylines[0] += strokes


def _strokes(a: Point, u: Point, n: Point, length: float, size: float, box: Box) -> list[Polyline]:
    """Short strokes at 45° along a line, as far as they lie in a box."""
    step, deep = 0.6 * size, 0.55 * size
    made: list[Polyline] = []
    low, high = 0.0, length
    for at, along, least, most in ((a[0], u[0], box[0], box[2]), (a[1], u[1], box[1], box[3])):
        if abs(along) > 1e-12:
            first, second = sorted(((least - at) / along, (most - at) / along))
            low, high = max(low, first), min(high, second)
        elif not least <= at <= most:
            return []
    count = int((high - low - deep) / step) + 1 if high - low > deep else 0
    for i in range(count):
        s = low + deep + i * step
        x, y = a[0] + u[0] * s, a[1] + u[1] * s
        made.append([(x, y), (x + deep * (n[0] - u[0]), y + deep * (n[1] - u[1]))])
    return made


def _free_side(model: Model, a: Point, b: Point, n: Point, guess: bool) -> bool:
    """Whether bodies are on the side of a normal of a line: as contacts say whose surface it is, else as guessed."""
    x, y, length = (a[0] + b[0]) / 2e3, (a[1] + b[1]) / 2e3, math.dist(a, b) / 1e3
    for contact in model.contacts:
        if contact.on:
            continue
        if contact.outline is not None:
            side = _side_of(contact.outline, a, b)
            if side is not None:
                return side[0] * n[0] + side[1] * n[1] > 0.0
            continue
        gap, h = _gap(contact, model), 1e-3 * length
        try:
            here, there, back = (gap(x + s * n[0], y + s * n[1], 0.0) for s in (0.0, h, -h))
        except (KeyError, ArithmeticError, ValueError, TypeError):
            continue
        # The line may be a chord of the surface.
        if abs(here) * 2 * h < 0.1 * length * abs(there - back):
            return there > back
    return guess


def _side_of(outline: Outline, a: Point, b: Point) -> Point | None:
    """The normal of the side of an outline that a line is, towards the free side; None where it is none."""
    for side in (side for chain in outline.chains for side in chain.sides):
        (x, y), (ux, uy) = side.place, side.along
        off = [abs((1e-3 * p[0] - x) * uy - (1e-3 * p[1] - y) * ux) for p in (a, b)]
        along = (1e-3 * (a[0] + b[0]) / 2 - x) * ux + (1e-3 * (a[1] + b[1]) / 2 - y) * uy
        if max(off) < 1e-6 and 0.0 < along < side.length:
            return (uy, -ux)
    return None


def _lengthened(a: Point, u: Point, n: Point, length: float, lone: bool, box: Box, journey: Journey) -> Strip:
    """A line of the ground; one that is all of its shape goes on as far as a system that goes far away."""
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    reach = [(x - a[0]) * u[0] + (y - a[1]) * u[1] for x, y in corners]
    low, high = min(0.0, min(reach) - journey.beyond), max(length, max(reach) + journey.beyond)
    if not (lone and journey.far and length > 0.8 * journey.far):
        return Strip(a, u, n, length, drawn=True)
    return Strip((a[0] + low * u[0], a[1] + low * u[1]), u, n, high - low, drawn=False)


def _strip(scene: Scene, strip: Strip, journey: Journey) -> None:
    journey.strips.append(strip)
    (x, y), (ux, uy), (nx, ny), deep = strip.at, strip.along, strip.into, 0.6 * scene.size
    bottom = [(x + deep * nx + s * ux, y + deep * ny + s * uy) for s in (0.0, strip.length)]
    end = (x + strip.length * ux, y + strip.length * uy)
    scene.polylines.setdefault(0, []).extend([bottom] if strip.drawn else [[strip.at, end], bottom])


def _hatched(scene: Scene, middle: Point, along: Point, half: float, journey: Journey | None) -> None:
    """A ground line in pieces as long as the hatching mark is wide."""
    if journey is not None:
        begin = (middle[0] - along[0] * half, middle[1] - along[1] * half)
        _strip(scene, Strip(begin, along, (-along[1], along[0]), 2 * half, drawn=False), journey)
        return
    piece = 4 * scene.size
    count = max(1, math.ceil(2 * half / piece) - 1)
    first = -0.5 * count * piece
    points = [
        (middle[0] + along[0] * (first + i * piece), middle[1] + along[1] * (first + i * piece))
        for i in range(count + 1)
    ]
    scene.add(Line.through(0, "ground", points))


def _gap(contact: Contact, model: Model) -> Callable[[float, float, float], float]:
    """The gap of a contact as a function of a place [m]."""
    from sistel.expr import Expr
    from sistel.mechanics import formula_value

    values = {parameter.name: parameter.value for parameter in model.parameters}

    def never(function: str, targets: tuple[str, ...], component: str) -> float:
        raise KeyError(function)

    def gap(x: float, y: float, z: float) -> float:
        value = formula_value(contact.gap, {**values, "x": x, "y": y, "z": z, "t": 0.0}, never)
        assert not isinstance(value, Expr)
        return float(value)

    return gap


def floor_level(contact: Contact, model: Model) -> float | None:
    """Height of the level floor that a contact of a spatial system may rest on [mm]; None where it is none."""
    if contact.outline is not None:
        return None
    gap = _gap(contact, model)
    try:
        zero, one = gap(0.0, 0.0, 0.0), gap(0.0, 0.0, 1.0)
        others = [gap(3.0, -2.0, 0.0), gap(-1.0, 5.0, 0.0), gap(0.0, 0.0, -2.0) + 2 * (one - zero)]
    except (KeyError, ArithmeticError, ValueError, TypeError):
        return None
    rise = one - zero
    if not 1e-9 < rise < math.inf or any(abs(x - zero) > 1e-9 * (1 + abs(zero)) for x in others):
        return None
    return -1e3 * zero / rise


def surface(contact: Contact, model: Model) -> tuple[float, float, float] | None:
    """The line of a contact's surface: a x + b y + c [mm], positive on the free side; None for a curved one."""
    if contact.outline is not None:
        return None
    gap = _gap(contact, model)
    try:
        c, a, b, both, far = gap(0, 0, 0), gap(1, 0, 0), gap(0, 1, 0), gap(1, 1, 0), gap(-3, 5, 0)
    except (KeyError, ArithmeticError, ValueError, TypeError):
        return None
    a, b = a - c, b - c
    length = math.hypot(a, b)
    if not 1e-9 < length < math.inf or max(abs(both - a - b - c), abs(far + 3 * a - 5 * b - c)) > 1e-9 * (1 + abs(c)):
        return None
    return (round(a / length, 9), round(b / length, 9), round(1e3 * c / length, 6))
