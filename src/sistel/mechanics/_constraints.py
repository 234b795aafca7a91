"""The constraints of a structure: closures, contacts, locks, couplings and changed joints, as rows of a Jacobian.

Some links hold whatever place they find when they begin to: a foot that sticks, a lock, a changed joint. What they
found is their *anchor*: numbers that `anchors` computes from the coordinates at that moment, and `constraint_rows`
compares with later.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from sistel.errors import Text, refuse
from sistel.expr import (
    ZERO,
    Matrix,
    Scalar,
    Scalars,
    Vector,
    absolute,
    cross,
    dot,
    is_zero,
    less,
    select,
    sqrt,
    symmetric,
)
from sistel.mechanics._crossings import Crossed, crossing_of
from sistel.mechanics._formula import belt_speed, gap_values, sign
from sistel.mechanics._joint_rows import LETTERS, ORIGIN, UNIT, Anchors, JointRows
from sistel.mechanics._meshes import Mesh
from sistel.mechanics._profiles import refuse_narrow
from sistel.mechanics._resistance import Turning, resist
from sistel.mechanics._rows import (
    FreeView,
    Row,
    Spot,
    Wrench,
    free_link,
    in_world,
    place_row,
    pushes,
)
from sistel.mechanics._touching import Touch
from sistel.mechanics._tree import Tree
from sistel.model import Belt, Blade, Closure, Contact, Coupling, Lock, Model, Structure, Track
from sistel.pose import IDENTITY, Vector3
from sistel.pose import cross as across
from sistel.records import record


@record
class DirectedStructure(Structure):
    """A structure that knows which way its contacts slide: when they begin to, their velocities do not tell."""

    ways: Mapping[str, float]
    """Sign of the slip by the name of the contact, in the plane, or 0 for one that carries no friction; others slide as
    their velocities are."""
    still: tuple[int, ...] = ()
    """Indices in v of what dry friction or a rigid stop holds still."""
    meshes: tuple[Mesh, ...] = ()
    """Gears and clutches that hold."""
    grips: frozenset[str] = frozenset()
    """Patches of tracks that do not slip."""
    lifted: frozenset[str] = frozenset()
    """Patches of tracks that nothing presses."""
    turning: tuple[Turning, ...] = ()
    """What resistances to rolling and spin do."""


def unrubbed(structure: Structure) -> tuple[frozenset[str], frozenset[str]]:
    """Patches of tracks that stick in a structure, and those that nothing presses."""
    if isinstance(structure, DirectedStructure):
        return structure.grips, structure.lifted
    return frozenset(), frozenset()


def constraint_rows(
    model: Model,
    tree: Tree,
    structure: Structure,
    q: Scalars,
    v: Scalars,
    *,
    t: Scalar = 0.0,
    shared: frozenset[int] = frozenset(),
    found: Anchors | None = None,
    owners: Sequence[int] | None = None,
) -> list[Row]:
    """All rows of a structure, in the order in which it names its links.

    Args:
        model: The system.
        tree: Its links of bodies.
        structure: Which links hold.
        q: Coordinates.
        v: Velocities.
        t: Time [s].
        shared: Hinges that keep the axes of the link before them.
        found: Anchors, by the name of the link; without, every anchored link is taken to be where it should.
        owners: For every body number of the model, its number in the tree, where that was numbered anew.
    """
    return RowDeriver(model, tree, q, v, t, shared, found, owners).rows(structure)


def contact_rows(
    model: Model, tree: Tree, contact: Contact, q: Scalars, v: Scalars, t: Scalar
) -> tuple[Row, Row | None]:
    """What a contact does along the normal of its surface and, in the plane, along its tangent; friction left out.

    The tangent is the normal turned by a quarter. Its row is exact where the point keeps to the surface or rests.
    """
    deriver = RowDeriver(model, tree, q, v, t, frozenset(), None, None)
    (carrier, other), world = deriver.spots((contact.on, ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
    local = carrier.axes.T @ (other.place - carrier.place)
    normal = deriver.sliding(contact, carrier, other, local, world)
    normal.drag, normal.dragged = None, ()
    if not model.planar:
        return normal, None
    _, _, n = deriver.surface(contact, carrier, local, other)
    along = Vector(-n[1], n[0], 0.0)
    if contact.round is not None:
        touch, _ = deriver.touch(contact, carrier, other, local)
        return normal, touch.made(contact.name, "tangent", along, 0.0, world)
    J, bias = place_row(carrier, other, along)
    return normal, Row(contact.name, "tangent", J, bias, 0.0, pushes(world, carrier, other, along, True))


def anchors(model: Model, tree: Tree, structure: Structure, q: Scalars) -> dict[str, list[Scalar]]:
    """What the anchored links of a structure find at given coordinates."""
    deriver = RowDeriver(model, tree, q, [0.0] * tree.nv, 0.0, frozenset(), None, None)
    deriver.rows(structure)
    return deriver.anchored


class RowDeriver(JointRows):
    """Rows of all that holds in a structure."""

    def rows(self, structure: Structure) -> list[Row]:
        model = self.model
        links: tuple[Closure | Contact | Blade | Lock | Coupling, ...] = (
            *model.closures,
            *model.contacts,
            *model.blades,
            *model.locks,
            *model.couplings,
        )
        things = {link.name: link for link in links}
        ways = structure.ways if isinstance(structure, DirectedStructure) else {}
        made: list[Row] = []
        for name in structure.holds:
            thing = things[name]
            if isinstance(thing, Closure):
                made += self.closure(thing)
            elif isinstance(thing, Contact):
                made += self.contact(thing, name in structure.slides, ways.get(name))
            elif isinstance(thing, Blade):
                made.append(self.blade(thing))
            elif isinstance(thing, Lock):
                made += self.lock(thing)
            else:
                made.append(self.coupling(thing))
        for change in structure.changes:
            made += self.change(change)
        if isinstance(structure, DirectedStructure):
            for turning in structure.turning:
                resist(self, made, model.contacts, turning)
            for rate in structure.still:
                made += self.held(self.model.rate_names[rate], [rate])
            for mesh in structure.meshes:
                made += self.mesh(mesh)
            for track in self.model.tracks:
                for index in range(len(track.patches)):
                    made += self.patch(track, index) if track.patch_name(index) in structure.grips else ()
        return made

    def contact(self, contact: Contact, slides: bool, way: float | None = None) -> list[Row]:
        if (contact.round is not None or crossing_of(contact) is not None) and not slides and contact.grips:
            return self.rolling(contact)
        if contact.belt is not None and not slides and contact.grips:
            return self.carried(contact)
        free = free_link(self.tree, self.owners[contact.body])
        if free is not None and contact.on == 0 and not slides and contact.friction != 0.0:
            return self.standing(contact, free)
        (carrier, other), world = self.spots((contact.on, ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
        axes = carrier.axes
        local = axes.T @ (other.place - carrier.place)
        if not slides and contact.friction != 0.0:
            kept = self.anchor(contact.name, list(local))
            made = []
            for i in self.directions:
                n = carrier.column(i)
                J, bias = place_row(carrier, other, n)
                loads = pushes(world, carrier, other, n, True)
                made.append(Row(contact.name, LETTERS[i], J, bias, local[i] - kept[i], loads))
            return made
        return [self.sliding(contact, carrier, other, local, world, way)]

    def carried(self, contact: Contact) -> list[Row]:
        """A point that a belt carries: it keeps to the surface, and has its speed along it."""
        (carrier, other), world = self.spots((contact.on, ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
        local = carrier.axes.T @ (other.place - carrier.place)
        normal = self.sliding(contact, carrier, other, local, world, 0.0)
        _, _, n = self.surface(contact, carrier, local)
        along = Vector(-n[1], n[0], 0.0)
        J, bias = place_row(carrier, other, along)
        speed, gain = belt_speed(self.model, contact, self.t)
        row = Row(contact.name, "tangent", J, bias - gain, 0.0, pushes(world, carrier, other, along, True))
        row.drift, row.holds_place = -speed, False
        return [normal, row]

    def rolling(self, contact: Contact) -> list[Row]:
        """A round shape that does not slip: it keeps to the surface, and its material is at rest where it touches."""
        (carrier, other), world = self.spots((contact.on, ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
        local = carrier.axes.T @ (other.place - carrier.place)
        normal = self.sliding(contact, carrier, other, local, world, 0.0)
        touch, slope = self.touch(contact, carrier, other, local)
        made = [normal]
        for along in self.rolling_axes(contact, carrier, other, touch.n, slope):
            row = touch.made(contact.name, "rolls", along, 0.0, world)
            if contact.belt is not None:
                speed, gain = belt_speed(self.model, contact, self.t)
                row.drift, row.bias = -speed, row.bias - gain
            row.holds_place = False
            made.append(row)
        return made

    def across(self, carrier: Spot, n: Vector) -> list[Vector]:
        """Two directions across a normal."""
        return fair_axes(carrier, n)

    def rolling_axes(self, contact: Contact, carrier: Spot, other: Spot, n: Vector, slope: Scalars) -> list[Vector]:
        """Directions in which what rolls does not slip: of a wheel where it is heading, and across that.

        So rows of wheels on one axle that follow from each other do so wherever they are heading.
        """
        if contact.round is not None and contact.round.axis is not None:
            ahead = cross(other.axes @ contact.round.axis, n)
            ahead = (1.0 / root_of_squares(ahead)) * ahead
            return [ahead, cross(n, ahead)]
        sides = fair_axes if not self.model.planar and contact.measured else surface_axes
        return sides(carrier, n, slope, self.model.planar)

    def blade(self, blade: Blade) -> Row:
        """A point that does not move across a direction of its body, or does so as a belt does."""
        row = self.drawn(blade.name, "across", (blade.on, blade.body, blade.p_BP), blade.across)
        return row if blade.belt is None else self.belted(row, blade.belt)

    def drawn(self, name: str, part: str, between: tuple[int, int, Vector3], direction: Vector3) -> Row:
        """The velocity of a point along a direction of its body, against the material of another body there.

        Args:
            name: Of the link.
            part: Which of its rows.
            between: The other body, the body of the point, and the point in it.
            direction: In the body of the point.
        """
        on, body, p = between
        (carrier, other), world = self.spots((on, ORIGIN, IDENTITY), (body, p, IDENTITY))
        n = other.axes @ direction
        J, bias = place_row(carrier, other, n)
        # The direction turns with the body of the point, not with the other one.
        arm = other.place - carrier.place
        slip = other.velocity - carrier.velocity - cross(carrier.spin, arm)
        bias = bias + dot(cross(other.spin - carrier.spin, n), slip)
        row = Row(name, part, J, bias, 0.0, pushes(world, carrier, other, n, True))
        row.holds_place = False
        return row

    def belted(self, row: Row, belt: Belt) -> Row:
        """A row along a belt: its velocity less that of the belt, which draws at its sprocket."""
        row.J[belt.rate] = row.J[belt.rate] - belt.speed
        turn, _ = self.along(belt.rate)
        on_hull, on_ground = row.wrenches
        pull = belt.speed * turn
        row.shown = on_hull.moment, on_hull.force
        on_hull = Wrench(on_hull.body, on_hull.p, on_hull.moment + pull, on_hull.force)
        row.wrenches = on_hull, on_ground, Wrench(self.owners[belt.body], ORIGIN, -pull, ZERO)
        return row

    def patch(self, track: Track, index: int) -> tuple[Row, Row]:
        """Slip of a patch of a track, forwards and to the left of it."""
        name, between = track.patch_name(index), (0, track.body, track.patches[index])
        left = across(track.normal, track.forward)
        ahead = self.belted(self.drawn(name, "forwards", between, track.forward), track.belt)
        return ahead, self.drawn(name, "across", between, left)

    def standing(self, contact: Contact, free: int) -> list[Row]:
        """A point of a free system in space that sticks to the ground: at rest, in the axes of the free body."""
        view = FreeView(self.tree, self.q, self.v, self.shared, free, self.world.frames)
        foot = Spot(view, self.owners[contact.body], contact.p_BP, IDENTITY)
        place, axes = self.world.place(foot.body, foot.p), self.world.rotation(free)
        away = place - self.anchor(contact.name, list(place))
        made = []
        for i, (n, push) in enumerate(zip(UNIT, axes.T, strict=True)):
            loads = (
                Wrench(foot.body, foot.p, ZERO, push),
                Wrench(0, ORIGIN, -cross(place, push), -push),
            )
            value = dot(push, away)
            made.append(Row(contact.name, LETTERS[i], foot.moving(n), foot.acceleration[i], value, loads))
        return made

    def surface(
        self, contact: Contact, carrier: Spot, local: Vector, other: Spot | None = None
    ) -> tuple[list[list[Scalar]], Scalar, Vector]:
        """The gap and its derivatives, the length of its gradient, and the unit normal."""
        axis = None
        if contact.height is not None and contact.round is not None and contact.round.axis is not None:
            assert other is not None
            axis = carrier.axes.T @ (other.axes @ contact.round.axis)
        try:
            values = gap_values(self.model, contact, local, self.t, self.toward, axis)
        except (ArithmeticError, ValueError):  # numbers at which a root, a quotient or a logarithm has none
            refuse_narrow(self.model, contact, local)
            no_normal(contact)
        slope = values[1]
        if contact.outline is not None or contact.height is not None:  # a distance: this is the unit normal
            return values, 1.0, carrier.axes @ (slope[0], slope[1], slope[2])
        steep = root_of_squares(slope)
        if is_zero(steep):
            no_normal(contact)
        unit = (slope[0] / steep, slope[1] / steep, slope[2] / steep)
        return values, steep, carrier.axes @ unit

    def touch(self, contact: Contact, carrier: Spot, other: Spot, local: Vector) -> tuple[Touch, Scalars]:
        """Where a round shape or an edge touches, and the gradient of its gap."""
        if (crossing := crossing_of(contact)) is not None:
            return Crossed(crossing, carrier, other), ()
        (_, slope, curve, *_), _, n = self.surface(contact, carrier, local, other)
        return Touch(contact, carrier, other, n, curve), slope

    def sliding(
        self,
        contact: Contact,
        carrier: Spot,
        other: Spot,
        local: Vector,
        world: Matrix | None,
        way: float | None = None,
    ) -> Row:
        """The point keeps to the surface: the gap stays zero, whatever the point does along it."""
        if (crossing := crossing_of(contact)) is not None:
            crossed = Crossed(crossing, carrier, other)
            row = crossed.made(contact.name, "normal", crossed.n, crossed.within.gap, world)
            return self.rubbed(row, contact, crossed, world, way)
        values, steep, n = self.surface(contact, carrier, local, other)
        (gap,), _, curve, (rate,), turning, (speeding,) = values
        if contact.round is not None:
            touch = Touch(contact, carrier, other, n, curve)
            row = touch.made(contact.name, "normal", n, gap / steep - touch.arm.depth, world)
            row.bias = row.bias + (speeding / steep if not is_zero(speeding) else 0.0)
            row.drift = 0.0 if is_zero(rate) else rate / steep
            return self.rubbed(row, contact, touch, world, way)
        J, bias = place_row(carrier, other, n)
        arm = other.place - carrier.place
        along = other.velocity - carrier.velocity - cross(carrier.spin, arm)
        slip = carrier.axes.T @ along
        bent = symmetric(curve) @ slip
        extra = dot(slip, bent) + 2.0 * dot(turning, slip) + speeding
        bias = bias + (extra / steep if not is_zero(extra) else 0.0)
        row = Row(contact.name, "normal", J, bias, gap / steep, pushes(world, carrier, other, n, True))
        row.drift = 0.0 if is_zero(rate) else rate / steep
        if contact.friction and way != 0.0:
            self.drag(row, contact.friction, carrier, other, n, along, world, way)
        return row

    def rubbed(self, row: Row, contact: Contact, touch: Touch, world: Matrix | None, way: float | None) -> Row:
        """A row of what touches with a place that moves on its body, with Coulomb's friction against the slip."""
        if contact.friction and way != 0.0:
            against = self.against(contact.friction, touch.n, touch.slip, way)
            row.drag, _ = touch.row(against)
            row.dragged = touch.pushes(world, against)
            row.shown = ZERO, in_world(world, touch.n + against)
        return row

    def drag(
        self,
        row: Row,
        friction: float,
        carrier: Spot,
        other: Spot,
        n: Vector,
        along: Vector,
        world: Matrix | None,
        way: float | None,
    ) -> None:
        """Coulomb's friction against the slip, per unit of the normal force."""
        against = self.against(friction, n, along, way)
        row.drag, _ = place_row(carrier, other, against)
        row.dragged = pushes(world, carrier, other, against, True)

    def against(self, friction: float, n: Vector, along: Vector, way: float | None) -> Vector:
        """The force of sliding friction per unit of the normal force."""
        if self.model.planar:
            tangent = Vector(-n[1], n[0], 0.0)
            return -friction * (sign(dot(tangent, along)) if way is None else way) * tangent
        slip = along - dot(n, along) * n
        speed = root_of_squares(slip)
        return select(less(0.0, speed), -friction / _positive(speed), 0.0) * slip


def surface_axes(carrier: Spot, n: Vector, slope: Scalars, planar: bool) -> list[Vector]:
    """Directions along a flat surface, fixed in its body: one in the plane, two at right angles in space."""
    if planar:
        return [Vector(-n[1], n[0], 0.0)]
    first = cross(n, carrier.column(farthest_axis(slope)))
    first = (1.0 / root_of_squares(first)) * first
    return [first, cross(n, first)]


_EVEN = Vector(0.31021722811615104, 0.5703994194393744, 0.7605325592524994)
"""A unit vector that is along none of the axes; `_ASIDE` are at right angles to it and to each other."""
_ASIDE = (
    Vector(0.8784839023828742, -0.47777194690998426, 0.0),
    Vector(0.3633611215224996, 0.6681156105413701, -0.6492997969480997),
)


def fair_axes(carrier: Spot, n: Vector, slope: Scalars = (), planar: bool = False) -> list[Vector]:
    """Two directions across a normal that may turn any way: those of axes that are turned the least to have it.

    There are none against one direction of the body, which is along nothing that files name.
    """
    even = carrier.axes @ _EVEN
    half = (1.0 / (1.0 + dot(even, n))) * (even + n)
    made = []
    for aside in _ASIDE:
        side = carrier.axes @ aside
        made.append(side - dot(side, n) * half)
    return made


def farthest_axis(slope: Scalars) -> int:
    """The axis of the frame of a surface that is farthest from its normal."""
    sizes = [abs(x) if isinstance(x, (int, float)) else 0.0 for x in slope]
    return sizes.index(min(sizes))


def no_normal(contact: Contact) -> NoReturn:
    """Say that a surface is not smooth where its point is."""
    message = Text(
        f'the surface of contact "{contact.name}" has no normal at the place of its point',
        f"поверхность контакта «{contact.name}» не имеет нормали в месте его точки",
    )
    refuse("no-normal", message, span=contact.span)


def _positive(x: Scalar) -> Scalar:
    """X where it is not 0, to divide by."""
    return select(less(0.0, x), x, 1.0)


def root_of_squares(v: Scalars) -> Scalar:
    """Length of a vector; without a root where it lies along an axis and its sign is known."""
    present = [x for x in v if not is_zero(x)]
    if len(present) == 1:
        return absolute(present[0])
    return sqrt(dot(v, v))
