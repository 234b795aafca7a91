"""What is unilateral or set-valued in a system: contacts, rigid stops, dry friction of joints, gears, clutches.

All of them are *elements* of one complementarity problem. A contact has a normal and, with friction, one tangent in the
plane or two in space; a stop has only a normal; dry friction of a joint has only a tangent, whose force has a bound of
its own. A clutch is dry friction between two velocities. A gear has two flanks, which are stops between two
coordinates; where it has losses, their tangent is the way of the driver, and friction along it is another one forwards
and backwards.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from sistel.errors import Span
from sistel.mechanics import (
    AHEAD,
    ZERO,
    Crossed,
    Matrix,
    Row,
    RowDeriver,
    Scalar,
    Spot,
    Tree,
    Vector,
    Within,
    belt_speed,
    cross,
    dot,
    fair_axes,
    flank_row,
    inner,
    nearest,
    nearest_solid,
    over,
    place_row,
    pushes,
    resisting_rows,
)
from sistel.model import Body, Contact, Drive, Model, Track
from sistel.pose import IDENTITY, Vector3, norm
from sistel.pose import cross as across
from sistel.records import record

CONTACT: Final = "contact"
STOP: Final = "stop"
GRIP: Final = "grip"
PATCH: Final = "patch"

ROUNDING: Final = 1e-12
"""How far the centre of a wheel may be from the axis of its joint [m], and its axis from that."""
HAIR: Final = 1e-9
"""Part by which a gear that locks itself holds more than it must: what it must is on the edge of what friction does."""
_ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_UNIT: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@record
class Element:
    """A contact, a side of a rigid stop or gear, dry friction of a velocity or of a clutch, or a patch of a track."""

    name: str
    """Of the contact, or of the velocity."""
    kind: Literal["contact", "stop", "grip", "patch"]
    friction: float | None
    """Coefficient: 0 of a stop, 1 of a grip; None where a contact cannot slide."""
    tangents: int
    """Directions in which friction acts."""
    impact: str
    restitution: float
    span: Span
    contact: Contact | None = None
    pair: tuple[int, int] = (-1, -1)
    """Of a contact: the bodies whose places decide on its gap, that of what touches and that of the surface."""
    rate: int = -1
    """Index of the velocity of a stop or grip."""
    place: int | None = None
    """Index of the coordinate; None where the velocity has none."""
    outward: float = 0.0
    """Of a stop: 1 at the upper limit, -1 at the lower one."""
    bound: float = 0.0
    """Of a stop: the coordinate there [m or rad]. Of a grip: the greatest force; of a brake, that of the dry friction
    beside it [N or N·m]."""
    back: float | None = None
    """Coefficient where it slips the other way; None where that is the same."""
    drive: Drive | None = None
    """Of a gear or a clutch; it has no velocity of its own then."""
    twin: int = 0
    """Of a flank: how many elements on the other one is."""
    track: Track | None = None
    index: int = -1
    """Of a patch: its track, and which of its patches it is."""
    host: int = 0
    """Of what resists rolling or spin: how many elements on the contact is whose normal force bounds it."""
    rolls: Contact | None = None
    """This contact."""
    spins: bool = False
    """Whether it is about the normal."""

    @property
    def tight(self) -> bool:
        """Whether it is a flank of a gear without play."""
        return self.drive is not None and self.drive.tight

    @property
    def single(self) -> bool:
        """Whether it is about one velocity alone, which is held by itself."""
        return self.rate >= 0

    def pull(self, way: float) -> float:
        """The coefficient of friction of a slip one way (1) or the other (-1)."""
        return (self.friction if way > 0.0 or self.back is None else self.back) or 0.0

    def grasp(self, way: float) -> float:
        """The same for what holds: the flanks of a gear that locks itself hold a hair more than they rub."""
        locks = self.drive is not None and self.drive.backward == 0.0
        return self.pull(way) * (1.0 + HAIR) if locks else self.pull(way)

    @property
    def label(self) -> str:
        """A name that no other element has."""
        if self.kind != STOP:
            return self.name
        if self.drive is not None:
            return f"{self.name} flank {'+' if self.outward > 0 else '-'}"
        return f"{self.name} at {'max' if self.outward > 0 else 'min'}"


def makes_structures(model: Model) -> bool:
    """Whether a system leaves its structures to its contacts: it has some that may let go, and writes no structures."""
    lets_go = any(not contact.rolls for contact in model.contacts)
    return lets_go and all(structure.span is None for structure in model.structures)


def elements_of(model: Model) -> tuple[Element, ...]:
    """The elements of a system: contacts where no structures are written, rigid stops, dry friction of joints."""
    made: list[Element] = []
    for contact in model.contacts if makes_structures(model) else ():
        if contact.rolls:
            continue  # the structure holds it
        with_friction = 0 if contact.friction == 0.0 else 1 if model.planar else 2
        made.append(
            Element(
                name=contact.name,
                span=contact.span,
                kind=CONTACT,
                tangents=with_friction,
                contact=contact,
                friction=contact.friction,
                impact=contact.impact,
                restitution=contact.restitution,
                pair=contact.between if contact.outline is not None else (_holder(model, contact), contact.on),
            )
        )
        resisting = [(contact.resistance, False), (contact.spinning, True)]
        for host, (bound, spins) in enumerate(((bound, spins) for bound, spins in resisting if bound), 1):
            name = f"{contact.name} {'spinning' if spins else 'turning'}"
            grip = _grip(name, contact.span)
            ball = not model.planar and contact.round is not None and contact.round.axis is None
            sides = 2 if ball and not spins else 1
            made.append(replace(grip, friction=bound, tangents=sides, host=-host, rolls=contact, spins=spins))
    return (*made, *_stops(model), *_grips(model), *_drives(model), *_patches(model))


def _holder(model: Model, contact: Contact) -> int:
    """The body whose place decides on the gap of a contact: that of its point, or the one with its axle."""
    number, p, shape = contact.body, contact.p_BP, contact.round
    if shape is None or not number:
        return number
    body = model.bodies[number - 1]
    axis = (0.0, 0.0, 1.0) if model.planar else body.joint.axis
    coaxial = shape.axis is None or norm(across(axis, shape.axis)) < ROUNDING
    turns = body.joint.type.key == "revolute" and norm(across(axis, p)) < ROUNDING and coaxial
    while body.base and turns:
        # Steering about an axis through the middle of a wheel does not lift it either.
        number, p, body = body.base, body.p_PB, model.bodies[body.base - 1]
        turns = body.joint.type.key == "revolute" and not model.planar and norm(across(body.joint.axis, p)) < ROUNDING
    return number


def smooth_model(model: Model) -> Model:
    """The same system without dry friction in its joints and under its tracks, which elements carry."""
    forced = always_forced(model)
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=_left(body, forced))) if any(body.joint.friction) else body
        for body in model.bodies
    )
    return replace(
        model,
        bodies=bodies,
        drives=tuple(drive for drive in model.drives if drive.limit is None),
        tracks=tuple(replace(track, friction=0.0) for track in model.tracks),
    )


def _drives(model: Model) -> Iterator[Element]:
    # Two things cannot hold one velocity: a brake has the dry friction of its joint in it.
    frictions = {body.first_q + i: each for body in model.bodies for i, each in enumerate(body.joint.friction)}
    for drive in model.drives:
        if drive.limit is not None:
            grip = _grip(drive.name, drive.span, drive=drive)
            yield replace(grip, bound=frictions.pop(drive.coupling.driven, 0.0)) if drive.brakes else grip
        elif drive.rigid:
            ratio = drive.coupling.ratio[0]
            driving, driven = abs(ratio) * (1.0 / drive.efficiency - 1.0), abs(ratio) * (1.0 - drive.backward)
            for outward in (1.0, -1.0):
                # A flank pushes the driven coordinate against `outward`: this way of the driver is then that of power.
                forwards = float(outward * ratio) < 0.0
                yield Element(
                    name=drive.name,
                    kind=STOP,
                    friction=(driving if forwards else driven) if drive.loses else 0.0,
                    back=(driven if forwards else driving) if drive.loses else None,
                    tangents=int(drive.loses),
                    impact="newton",
                    restitution=drive.restitution,
                    span=drive.span,
                    outward=outward,
                    bound=0.5 * drive.backlash,
                    drive=drive,
                    twin=1 if outward > 0.0 else -1,
                )


def _stops(model: Model) -> Iterator[Element]:
    for stop in model.stops:
        if stop.stiffness is not None:
            continue
        body = model.bodies[stop.body - 1]
        joint = body.joint
        for i in range(joint.type.nv):
            place = _place(body, i)
            if place is None:
                continue
            shift = body.p_PB[i] if joint.type.limits_place(i) else 0.0
            for limit, outward, present in (
                (joint.minimum[i], -1.0, stop.at_min),
                (joint.maximum[i], 1.0, stop.at_max),
            ):
                if present and math.isfinite(limit):
                    yield Element(
                        name=model.rate_names[body.first_v + i],
                        kind=STOP,
                        friction=0.0,
                        tangents=0,
                        impact="newton",
                        restitution=stop.restitution,
                        span=stop.span,
                        rate=body.first_v + i,
                        place=place,
                        outward=outward,
                        bound=limit - shift,
                    )


def always_forced(model: Model) -> frozenset[int]:
    """Velocities that a motion of the file forces in all structures, and no brake holds.

    Dry friction decides on nothing there: it is against the velocity, which is known; at rest the motor carries all.
    """
    whole = [motion for motion in model.motions if motion.kp is None and not motion.structures]
    braked = _braked(model)
    own = {body.first_v + i for body in model.bodies for i in range(body.joint.type.nv) if body.first_q + i in braked}
    return frozenset(rate for motion in whole for rate in motion.rates if rate not in own)


def _braked(model: Model) -> set[int]:
    """Coordinates on which brakes act: these have the dry friction of the joint in them."""
    return {drive.coupling.driven for drive in model.drives if drive.brakes}


def _left(body: Body, forced: frozenset[int]) -> tuple[float, ...]:
    """The dry friction of a joint that no element carries."""
    return tuple(bound if body.first_v + i in forced else 0.0 for i, bound in enumerate(body.joint.friction))


def _grips(model: Model) -> Iterator[Element]:
    braked, forced = _braked(model), always_forced(model)
    for body in model.bodies:
        for i, bound in enumerate(body.joint.friction):
            if bound and body.first_q + i not in braked and body.first_v + i not in forced:
                rate, place = body.first_v + i, _place(body, i)
                yield replace(_grip(model.rate_names[rate], body.span), rate=rate, place=place, bound=bound)


def _patch(track: Track, index: int) -> Element:
    return Element(
        track=track, index=index, name=track.patch_name(index), kind=PATCH, impact="none", restitution=0.0,
        friction=0.0 if track.shear else track.friction, tangents=0 if track.shear else 2, span=track.span,
    )  # fmt: skip


def _grip(name: str, span: Span, drive: Drive | None = None) -> Element:
    """What sticks up to a bound and slips beyond it, whatever presses."""
    return Element(
        name=name, kind=GRIP, friction=1.0, tangents=1, impact="none", restitution=0.0, span=span, drive=drive
    )


def _patches(model: Model) -> Iterator[Element]:
    for track in model.tracks:
        for index in range(len(track.patches) if track.friction else 0):
            yield _patch(track, index)


def _place(body: Body, i: int) -> int | None:
    """Index of the coordinate whose rate a velocity is."""
    if not body.joint.type.has_quaternion:
        return body.first_q + i
    return None


@dataclass(slots=True, eq=False)
class ElementRows:
    """The rows of one element at a state."""

    normal: Row | None
    tangents: list[Row]
    found: list[Scalar]
    """Its anchor: where a contact is in the frame of its surface, or the coordinate of a joint."""
    near: Within | None = None
    """Of a point, what it may touch of another shape."""
    sharp: bool = True
    """See `Outline`."""

    @property
    def striking(self) -> Scalar:
        """The gap whose end is a strike."""
        assert self.normal is not None
        return self.normal.value if self.near is None else self.near.striking(self.sharp)

    @property
    def inside(self) -> Scalar | None:
        """Positive until what touches slides off; None where that has no end."""
        return None if self.near is None else self.near.inside()

    def gap(self, v: Sequence[Scalar]) -> Scalar:
        """The gap of what touches, or may."""
        if self.normal is None:
            return 0.0
        if self.near is None:
            return self.normal.value
        return self.near.touching(inner(self.normal.J, v) + self.normal.drift, self.sharp)


def element_rows(
    model: Model,
    tree: Tree,
    element: Element,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    t: Scalar,
    ahead: bool = False,
) -> ElementRows:
    """What an element does along its normal and its tangents; friction is left out of the rows.

    Values of tangents are those of the anchor itself; see `held_values`. At the border between a side and a corner the
    rows are those of the side or corner that a round shape comes from, or with `ahead` is about to go around: what
    happens next depends on that.
    """
    if element.contact is not None:
        return _contact(model, tree, element, element.contact, q, v, t, ahead)
    if element.drive is not None:
        return _drive(model, tree, element, element.drive, q, v, t)
    if element.rolls is not None:
        deriver = RowDeriver(model, tree, q, v, t, frozenset(), None, None)
        return ElementRows(None, resisting_rows(deriver, element.rolls, element.spins, element.name), [])
    J: list[Scalar] = [0.0] * tree.nv
    if element.track is not None:
        deriver = RowDeriver(model, tree, q, v, t, frozenset(), None, None)
        tangents = [] if element.track.shear else list(deriver.patch(element.track, element.index))
        return ElementRows(Row(element.name, "normal", J, 0.0, 0.0), tangents, [])
    if element.kind == STOP:
        assert element.place is not None
        J[element.rate] = -element.outward
        gap = element.outward * (element.bound - q[element.place])
        moment, force = RowDeriver(model, tree, q, v, t, frozenset(), None, None).along(element.rate)
        shown = -element.outward * moment, -element.outward * force
        return ElementRows(Row(element.label, "normal", J, 0.0, gap, shown=shown), [], [])
    J[element.rate] = 1.0
    at: list[Scalar] = [] if element.place is None else [q[element.place]]
    return ElementRows(None, [Row(element.label, "tangent", J, 0.0, 0.0)], at)


def _drive(
    model: Model, tree: Tree, element: Element, drive: Drive, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar
) -> ElementRows:
    """The rows of a clutch, or of a flank of a gear."""
    deriver = RowDeriver(model, tree, q, v, t, frozenset(), None, None)
    row = deriver.coupling(drive.coupling)
    if element.kind == GRIP:
        return ElementRows(None, [replace(row, link=drive.name, part="tangent", rate=None)], [row.value])
    normal = flank_row(row, element.outward, element.bound, element.label)
    if not element.tangents:
        return ElementRows(normal, [], [])
    along, found = deriver.driver(drive, element.label)
    return ElementRows(normal, [along], [found])


def held_values(
    model: Model,
    tree: Tree,
    element: Element,
    rows: ElementRows,
    anchor: Sequence[Scalar],
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    t: Scalar,
) -> list[Scalar]:
    """How far an element that sticks has moved along its tangents from its anchor."""
    away = [now - was for now, was in zip(rows.found, anchor, strict=True)]
    if element.contact is None or not element.contact.keeps_place or element.contact.belt is not None:
        return away or [0.0] * len(rows.tangents)
    deriver, carrier, _, local, _ = _spots(model, tree, element.contact, q, v, t)
    _, _, n = deriver.surface(element.contact, carrier, local)
    moved = carrier.axes @ (away[0], away[1], away[2])
    return [dot(along, moved) for along in _tangents(model, tree, element, carrier, n)]


def _spots(
    model: Model, tree: Tree, contact: Contact, q: Sequence[Scalar], v: Sequence[Scalar], t: Scalar
) -> tuple[RowDeriver, Spot, Spot, Vector, Matrix | None]:
    deriver = RowDeriver(model, tree, q, v, t, frozenset(), None, None)
    (carrier, other), world = deriver.spots((contact.on, _ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
    local = carrier.axes.T @ (other.place - carrier.place)
    return deriver, carrier, other, local, world


def _contact(
    model: Model,
    tree: Tree,
    element: Element,
    contact: Contact,
    q: Sequence[Scalar],
    v: Sequence[Scalar],
    t: Scalar,
    ahead: bool,
) -> ElementRows:
    deriver, carrier, other, local, world = _spots(model, tree, contact, q, v, t)
    outline = contact.outline
    if ahead and outline is not None and contact.round is not None:
        along = other.velocity - carrier.velocity - cross(carrier.spin, other.place - carrier.place)
        deriver.toward = AHEAD * (carrier.axes.T @ along)
    normal = deriver.sliding(contact, carrier, other, local, world, way=0.0)  # friction has rows of its own
    made: list[Row] = []
    speed, gain = belt_speed(model, contact, t)
    if not contact.keeps_place:
        # What rolls holds a velocity, and no place.
        touch, _ = deriver.touch(contact, carrier, other, local)
        ways = _tangents(model, tree, element, carrier, touch.n)
        made = [touch.made(contact.name, "tangent", along, 0.0, world) for along in ways]
        within = touch.within if isinstance(touch, Crossed) else None
        if outline is not None and outline.solids:
            spans = nearest_solid(outline, local, deriver.toward).spans
            within = Within(normal.value, spans) if spans else None
        made = [_carried(row, speed, gain) for row in made]
        return ElementRows(normal, made, [], within, outline is None or outline.sharp)
    _, _, n = deriver.surface(contact, carrier, local)
    for along in _tangents(model, tree, element, carrier, n):
        # Exact where the point keeps to the surface or rests, which is where it is used.
        J, bias = place_row(carrier, other, along)
        row = Row(contact.name, "tangent", J, bias, 0.0, pushes(world, carrier, other, along, True))
        made.append(_carried(row, speed, gain))
    # What a belt carries holds a velocity, and no place.
    found = list(local) if contact.belt is None else []
    if outline is None:
        return ElementRows(normal, made, found)
    if outline.solids:
        return ElementRows(normal, made, found, nearest_solid(outline, local, ZERO).within, outline.sharp)
    near = nearest(outline, local[0], local[1], goes_around=False)
    within = near.within
    if outline.wedge:
        turn = carrier.axes.T @ other.axes
        moves = other.velocity - carrier.velocity - cross(carrier.spin, other.place - carrier.place)
        ways = [turn @ (x, y, 0.0) for x, y in outline.wedge]
        moves = carrier.axes.T @ moves
        within = replace(within, over=over(near, [(way[0], way[1]) for way in ways], (moves[0], moves[1])))
    return ElementRows(normal, made, found, within, outline.sharp)


def _carried(row: Row, speed: Scalar, gain: Scalar) -> Row:
    """A row along a surface that moves."""
    row.drift, row.bias = row.drift - speed, row.bias - gain
    return row


def _tangents(model: Model, tree: Tree, element: Element, carrier: Spot, n: Vector) -> list[Vector]:
    """Directions of friction: in the plane the normal turned by a quarter, in space two at right angles."""
    if not element.tangents:
        return []
    if model.planar:
        return [Vector(-n[1], n[0], 0.0)]
    assert element.contact is not None
    if element.contact.measured:
        return fair_axes(carrier, n)
    from sistel.mechanics import root_of_squares

    side = carrier.axes @ _UNIT[_aside(model, tree, element.contact)]
    first = cross(n, side)
    first = 1.0 / root_of_squares(first) * first
    return [first, cross(n, first)]


def _aside(model: Model, tree: Tree, contact: Contact) -> int:
    """The axis of the frame of a surface that is farthest from its normal where its point is at the start."""
    start, still = list(model.start.q), [0.0] * model.nv
    deriver, carrier, _, local, _ = _spots(model, tree, contact, start, still, model.start_time)
    values, _, _ = deriver.surface(contact, carrier, local)
    sizes = [abs(x) if isinstance(x, (int, float)) else 0.0 for x in values[1]]
    return sizes.index(min(sizes))
