"""Model → tree of links: the form in which equations of motion cost the fewest operations.

A *link* is one elementary joint and everything rigid behind it. Joints of several freedoms become several links, of
which only the last has mass; fixed bodies become a part of what carries them. For every link

- z is the axis of its joint, x lies along the common normal with the axis of the next link, so that most entries of
  the constant rotations are 0 and 1; the origin slides along the axis to the foot of the common normal with the axis
  before it, so that most offsets have at most two components (as in the notation of Khalil and Kleinfinger, 1986);
- inertia is given by mass m, first moment s = m·c and second moments J = ∫ r rᵀ dm about the origin, and what a turn of
  the joint does not move is handed to the link before: the mass, the first moment along the axis, and Jzz of a hinge;
  the second moments of a slide. What remains are the base inertial parameters: seven of a hinge, four of a slide.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import field

from sistel.expr import Traced, atan2, cos, sin, sqrt
from sistel.model import Body, Joint, Model
from sistel.model.joints import Direction, MotionKind
from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    compose,
    cross,
    exact_rotation,
    plane_axes,
    rotate,
    transpose,
)
from sistel.records import entry, mutable

PARALLEL = 1e-12
"""Sine of the angle under which two axes count as parallel."""


@mutable
class Inertia:
    """Mass [kg], first moment [kg·m] and second moments xx, yy, zz, xy, xz, yz [kg·m²] about the origin of a frame."""

    m: float = 0.0
    s: Vector3 = (0.0, 0.0, 0.0)
    J: tuple[float, float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def add(self, other: Inertia) -> None:
        """Put another distribution of mass beside this one, in the same frame."""
        self.m += other.m
        self.s = _sum(self.s, other.s)
        a, b = self.J, other.J
        self.J = (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5])

    def moved(self, R: Rotation, p: Vector3) -> Inertia:
        """The same mass seen from a frame in which this one has axes R and origin p."""
        s = rotate(R, self.s)
        xx, yy, zz, xy, xz, yz = self.J
        tensor = compose(compose(R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), transpose(R))

        def entry(i: int, j: int) -> float:
            return tensor[i][j] + p[i] * s[j] + s[i] * p[j] + self.m * p[i] * p[j]

        J = (entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2))
        return Inertia(self.m, _sum(s, _scaled(self.m, p)), J)


@mutable
class Link:
    """An elementary joint and what moves with it."""

    kind: MotionKind
    parent: int
    """Index of the link that carries it, -1 for the ground."""
    first_q: int
    first_v: int
    sign: float
    """-1 where the axis was turned round to be parallel to the one before: angle = sign · q."""
    R_PL: Rotation
    """Axes at zero coordinates in those of the parent link; the identity for a slide."""
    p_PL: Vector3
    """Origin at zero coordinates in the parent link [m]."""
    axis: Vector3
    """Direction of the joint in the link's own axes: z for a turn."""
    angle: float = 0.0
    """Constant part of the angle of a turn [rad]."""
    inertia: Inertia = field(default_factory=Inertia)
    children: list[int] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)
    """Numbers of the bodies that are fixed in it."""


@entry
class Tree:
    """All links, each after its parent, and where the bodies of the model are in them."""

    links: tuple[Link, ...]
    places: tuple[tuple[int, Rotation, Vector3], ...]
    """For every body number, the ground first: its link, its axes and its pole in the link's frame."""
    nq: int
    nv: int
    gravity: Vector3
    """[m/s²]"""
    rotors: tuple[float, ...]
    """Inertia of the motors' rotors, as felt at every velocity through its gear [kg or kg·m²]."""


def tree_of(model: Model) -> Tree:
    """The links of a model: the same for all who ask, for searches are remembered by it."""
    known: dict[object, Tree] = model.known
    return known.get("tree") or known.setdefault("tree", build_tree(model))


def build_tree(model: Model, *, lump: bool = True) -> Tree:
    """The links of a model without its closures, contacts and other links.

    Args:
        model: The system.
        lump: Whether to hand inertia that a joint does not move to the link before; without, every link keeps its own.
    """
    links: list[Link] = []
    places: list[tuple[int, Rotation, Vector3]] = [(-1, IDENTITY, (0.0, 0.0, 0.0))]
    for body in model.bodies:
        places.append(_place(body, places[body.base], links))
    for index, link in enumerate(links):
        if link.parent >= 0:
            links[link.parent].children.append(index)
    for number, (at, _, _) in enumerate(places):
        if at >= 0:
            links[at].bodies.append(number)
    _shift_origins(links, places)
    _align_axes(links, places)
    for body in model.bodies:
        at, R, p = places[body.number]
        if at >= 0:
            links[at].inertia.add(_inertia(body).moved(R, p))
    if lump:
        _lump(links)
    _align_ends(links, places)
    return Tree(tuple(links), tuple(places), model.nq, model.nv, model.gravity, rotor_inertias(model))


def rotor_inertias(model: Model) -> tuple[float, ...]:
    """Inertia of the motors' rotors at every velocity [kg or kg·m²].

    A rotor is counted as turning with its joint alone, `ratio` times as fast: what it does to the bodies beside that is
    a part of ratio⁻¹ smaller.
    """
    found = [0.0] * model.nv
    for motor in model.motors:
        found[model.bodies[motor.body - 1].first_v + motor.coordinate] += motor.ratio * motor.ratio * motor.inertia
    return tuple(found)


def _inertia(body: Body) -> Inertia:
    """Inertia of a body about its pole, as second moments: J = ½ tr(I) 1 − I about the centre of mass, moved."""
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    half = (xx + yy + zz) / 2
    c, m = body.p_BoBcm_B, body.mass
    central = Inertia(m, (0.0, 0.0, 0.0), (half - xx, half - yy, half - zz, -xy, -xz, -yz))
    return central.moved(IDENTITY, c)


def _place(body: Body, base: tuple[int, Rotation, Vector3], links: list[Link]) -> tuple[int, Rotation, Vector3]:
    """Append the links of a body's joint; returns where the body is."""
    parent, R_LP, p_LP = base
    R, p = compose(R_LP, body.R_PB), _sum(p_LP, rotate(R_LP, body.p_PB))
    joint = body.joint
    q, v = body.first_q, body.first_v

    def slide(axis: Vector3, first_q: int, first_v: int) -> None:
        nonlocal parent, R, p
        # A slide keeps the axes of what carries it, and starts at its origin: the way to the body stays in `p`.
        direction = rotate(R, axis)
        links.append(Link("slide", parent, first_q, first_v, 1.0, IDENTITY, (0.0, 0.0, 0.0), direction))
        parent = len(links) - 1

    def turn(axis: Vector3, first_q: int, first_v: int) -> None:
        nonlocal parent, R, p
        # Axes with z along the joint: C has them, in the body, as columns.
        C = _axes_of(axis)
        links.append(Link("turn", parent, first_q, first_v, 1.0, compose(R, C), p, (0.0, 0.0, 1.0)))
        parent, R, p = len(links) - 1, transpose(C), (0.0, 0.0, 0.0)

    for number, (kind, direction) in enumerate(joint_steps(joint)):
        if kind == "turn":
            turn(direction, q + number, v + number)
        elif kind == "slide":
            slide(direction, q + number, v + number)
        else:
            links.append(Link(kind, parent, q, v, 1.0, R, p, direction))
            parent, R, p = len(links) - 1, IDENTITY, (0.0, 0.0, 0.0)
    return parent, R, p


def joint_steps(joint: Joint) -> Iterator[tuple[MotionKind, Vector3]]:
    """The elementary motions of a joint, in order, and the direction of each in the axes of the body."""
    for kind, word in joint.type.motions:
        yield kind, _direction_of(joint, word)


def _direction_of(joint: Joint, word: Direction) -> Vector3:
    match word:
        case "axis":
            return joint.axis
        case "axis2":
            return joint.axis2
        case "x":
            return (1.0, 0.0, 0.0)
        case "y":
            return (0.0, 1.0, 0.0)
        case "z":
            return (0.0, 0.0, 1.0)
        case "first":
            return plane_axes(joint.axis)[0]
        case "second":
            return plane_axes(joint.axis)[1]


def _axes_of(axis: Vector3) -> Rotation:
    """A rotation whose third column is the given unit vector."""
    x, y, z = axis
    length = math.hypot(x, y)
    if length < 1e-15:
        return IDENTITY if z > 0 else ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    # x of the frame is normal to both z axes.
    u = (-y / length, x / length, 0.0)
    w = cross(axis, u)
    return exact_rotation(((u[0], w[0], x), (u[1], w[1], y), (u[2], w[2], z)), 1e-15)


def _shift_origins(links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Slide the origin of every hinge along its axis to the foot of the common normal with the axis before it."""
    for index, link in enumerate(links):
        if link.kind != "turn" or link.parent < 0:
            continue
        before = links[link.parent]
        if before.kind != "turn":
            continue
        z = (link.R_PL[0][2], link.R_PL[1][2], link.R_PL[2][2])
        if _follows(*z):
            continue
        x, y, h = link.p_PL
        sine = math.hypot(z[0], z[1])
        if sine < PARALLEL:
            along = -h / z[2]  # parallel axes: at the height of the origin before
        else:
            # The point of the axis nearest to the z axis of the link before.
            along = -(x * z[0] + y * z[1]) / (sine * sine)
        _slide_origin(index, along, links, places)


def _slide_origin(index: int, along: float, links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    if along == 0:
        return
    link = links[index]
    step = (link.R_PL[0][2] * along, link.R_PL[1][2] * along, link.R_PL[2][2] * along)
    link.p_PL = _clean(_sum(link.p_PL, step))
    own = (0.0, 0.0, -along)
    for child in link.children:
        links[child].p_PL = _clean(_sum(links[child].p_PL, own))
    for number in link.bodies:
        at, R, p = places[number]
        places[number] = (at, R, _clean(_sum(p, own)))


def _align_axes(links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Turn the frame of every hinge about its axis so that the next hinge differs by a turn about x alone."""
    for index, link in enumerate(links):
        if link.kind != "turn":
            continue
        for child in link.children:
            # Axes that look the other way are turned round, so that runs of parallel axes can share frames.
            after = links[child]
            if after.kind == "turn" and not _follows(after.R_PL[2][2]) and after.R_PL[2][2] < -1 + 1e-12:
                _flip(child, links, places)
        main = next((links[child] for child in link.children if links[child].kind == "turn"), None)
        if main is None:
            continue
        zx, zy = main.R_PL[0][2], main.R_PL[1][2]
        if _follows(zx, zy):
            continue
        if math.hypot(zx, zy) < PARALLEL:
            # Parallel axes: x points from one to the other.
            if _follows(*main.p_PL[:2]):
                angle, length = _direction(*main.p_PL[:2])
                _turn_frame(index, angle, links, places)
                main.p_PL = (length, 0.0, main.p_PL[2])
                continue
            angle = math.atan2(main.p_PL[1], main.p_PL[0]) if math.hypot(*main.p_PL[:2]) > 0 else 0.0
        else:
            # The common normal is at a right angle to the projection of the next axis.
            angle = math.atan2(-zx, zy) if (zx, zy) != (0.0, 0.0) else 0.0
            if abs(angle) > math.pi / 2 + 1e-12:
                angle -= math.copysign(math.pi, angle)
        _turn_frame(index, angle, links, places)
    for index, link in enumerate(links):
        if link.kind == "turn":
            _take_angle(index, links)


def _align_ends(links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Turn the frame of a hinge that ends a branch so that its first moment lies along x."""
    for index, link in enumerate(links):
        if link.kind != "turn" or link.children or not link.inertia.s[1]:
            continue
        x, y, z = link.inertia.s
        if _follows(x, y):
            angle, length = _direction(x, y)
            _turn_frame(index, angle, links, places)
            link.inertia = link.inertia.moved(_exact(_about_z(-angle)), (0.0, 0.0, 0.0))
            link.inertia.s = (length, 0.0, z)
            continue
        angle = math.atan2(y, x)
        if abs(angle) > math.pi / 2:
            angle -= math.copysign(math.pi, angle)
        _turn_frame(index, angle, links, places)
        inertia = link.inertia.moved(_about_z(-angle), (0.0, 0.0, 0.0))
        link.inertia = Inertia(inertia.m, (inertia.s[0], 0.0, inertia.s[2]), inertia.J)
        link.angle = _quarter(math.remainder(link.angle, 2 * math.pi))


def _turn_frame(index: int, angle: float, links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Turn the axes of a link about its z; the constant angle of its joint takes it up."""
    if angle == 0:
        return
    link = links[index]
    link.angle += angle
    back = _exact(_about_z(-angle))
    _carry(index, back, links, places)


def _carry(index: int, back: Rotation, links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Turn the axes of a link: what hangs on it is described in the new ones, and a slide has them too."""
    stack = [index]
    while stack:
        at = stack.pop()
        for child in links[at].children:
            after = links[child]
            after.p_PL = _clean(rotate(back, after.p_PL))
            if after.kind == "slide":
                after.axis = _clean(rotate(back, after.axis))
                stack.append(child)
            else:
                after.R_PL = _exact(compose(back, after.R_PL))
        _turn_places(links[at], back, places)


def _turn_places(link: Link, back: Rotation, places: list[tuple[int, Rotation, Vector3]]) -> None:
    for number in link.bodies:
        at, R, p = places[number]
        places[number] = (at, _exact(compose(back, R)), _clean(rotate(back, p)))


def _flip(index: int, links: list[Link], places: list[tuple[int, Rotation, Vector3]]) -> None:
    """Turn a hinge's frame half round about its x: its z, and the sense of its coordinate, are reversed."""
    half: Rotation = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    link = links[index]
    link.R_PL = compose(link.R_PL, half)
    link.sign = -link.sign
    link.angle = -link.angle
    _carry(index, half, links, places)


def _take_angle(index: int, links: list[Link]) -> None:
    """Split R_PL = Rx-like part · Rz(angle): the turn about the own axis joins the angle of the joint."""
    link = links[index]
    R = link.R_PL
    if link.parent >= 0 and links[link.parent].kind == "turn" and not _follows(R[0][2], R[1][2], R[2][2]):
        sine, cosine = math.hypot(R[0][2], R[1][2]), R[2][2]
        if sine < PARALLEL:
            angle = atan2(R[1][0], R[0][0])
            base: Rotation = IDENTITY
        else:
            # Rz(γ) · Rx(α) has the third column (sin γ sin α, -cos γ sin α, cos α).
            gamma = math.atan2(R[0][2], -R[1][2])
            tilt = sine
            if abs(gamma) > math.pi / 2 + 1e-12:
                gamma -= math.copysign(math.pi, gamma)
                tilt = -sine
            base = compose(
                exact_rotation(_about_z(gamma), 1e-15),
                exact_rotation(((1.0, 0.0, 0.0), (0.0, cosine, -tilt), (0.0, tilt, cosine)), 1e-15),
            )
            rest = compose(transpose(base), R)
            angle = atan2(rest[1][0], rest[0][0])
        link.R_PL = base
        link.angle += angle
    if not _follows(link.angle):
        link.angle = _quarter(math.remainder(link.angle, 2 * math.pi))


def _quarter(angle: float) -> float:
    """A multiple of a quarter turn is meant to be one."""
    turns = round(angle / (math.pi / 2))
    return turns * (math.pi / 2) if abs(angle - turns * (math.pi / 2)) < 1e-14 else angle


def _lump(links: list[Link]) -> None:
    """Hand inertia that a joint does not move to the link before, from the ends to the root."""
    for link in reversed(links):
        own = link.inertia
        if link.kind == "turn":
            still = Inertia(own.m, (0.0, 0.0, own.s[2]), (0.0, 0.0, own.J[2], 0.0, 0.0, 0.0))
            link.inertia = Inertia(0.0, (own.s[0], own.s[1], 0.0), (own.J[0], own.J[1], 0.0, *own.J[3:]))
        elif link.kind == "slide":
            still = Inertia(0.0, (0.0, 0.0, 0.0), own.J)
            link.inertia = Inertia(own.m, own.s)
        else:
            continue
        if link.parent >= 0:
            p = link.p_PL if link.kind == "turn" else (0.0, 0.0, 0.0)
            links[link.parent].inertia.add(still.moved(link.R_PL, p))


def _about_z(angle: float) -> Rotation:
    c, s = cos(angle), sin(angle)
    return ((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _scaled(factor: float, v: Vector3) -> Vector3:
    return (factor * v[0], factor * v[1], factor * v[2])


def _clean(v: Vector3) -> Vector3:
    """Components that are rounding dust beside the largest one are meant to be 0; those that follow parameters stay."""
    size = max((abs(component) for component in v if not _follows(component)), default=0.0)
    x, y, z = (component if _follows(component) or abs(component) > 4e-16 * size else 0.0 for component in v)
    return (x, y, z)


def _follows(*numbers: float) -> bool:
    """Whether a number follows live parameters: whatever it is today, it may be anything tomorrow."""
    return any(isinstance(number, Traced) for number in numbers)


def _direction(x: float, y: float) -> tuple[float, float]:
    """Angle and length of a vector that follows live parameters; along an axis, the length has a sign.

    No choice here depends on today's values: a component is left out only where its formula is 0.
    """
    if not _follows(y) and y == 0:
        return 0.0, x
    if not _follows(x) and x == 0:
        return math.pi / 2, y
    return atan2(y, x), sqrt(x * x + y * y)


def _exact(R: Rotation) -> Rotation:
    """As `exact_rotation`; one that follows live parameters stays as it is."""
    return R if any(_follows(*row) for row in R) else exact_rotation(R, 1e-15)
