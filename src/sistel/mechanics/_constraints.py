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
from sistel.mechanics._drives import rate_index, rates_of
from sistel.mechanics._formula import belt_speed, gap_values, sign
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._meshes import Mesh, mesh_rows
from sistel.mechanics._profiles import refuse_narrow
from sistel.mechanics._resistance import Turning, resist
from sistel.mechanics._rows import (
    FreeView,
    Row,
    Spot,
    View,
    Wrench,
    free_link,
    in_world,
    place_row,
    pushes,
    row_sum,
    turn_row,
    twists,
)
from sistel.mechanics._touching import Touch
from sistel.mechanics._tree import Tree
from sistel.model import Belt, Blade, Change, Closure, Contact, Coupling, Drive, Lock, Model, Structure, Track
from sistel.pose import IDENTITY, Vector3, plane_axes
from sistel.pose import cross as across
from sistel.records import record

Anchors = Mapping[str, Scalars]

_ORIGIN: Vector3 = (0.0, 0.0, 0.0)
_UNIT = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
_LETTERS = "xyz"

_PLACES = {"revolute": "all", "spherical": "all", "universal": "all", "fixed": "all"} | {
    "prismatic": "across",
    "cylindrical": "across",
    "planar": "along",
}
"""Which places a joint holds: all of them, those across its axis, or the one along it."""
_TURNS = {"fixed": "all", "prismatic": "all", "prismatic2": "all"} | dict.fromkeys(
    ("revolute", "cylindrical", "planar"), "across"
)
"""Which turns a joint forbids; in the plane a hinge forbids none, and the others the only one."""


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
    (carrier, other), world = deriver.spots((contact.on, _ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
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


def change_name(model: Model, change: Change) -> str:
    """What the rows of a changed joint are called: as the joint is."""
    return model.bodies[change.body - 1].joint.name


class RowDeriver:
    def __init__(
        self,
        model: Model,
        tree: Tree,
        q: Scalars,
        v: Scalars,
        t: Scalar,
        shared: frozenset[int],
        found: Anchors | None,
        owners: Sequence[int] | None,
    ) -> None:
        self.model, self.tree, self.q, self.v, self.t, self.shared = model, tree, q, v, t, shared
        self.found = found
        self.anchored: dict[str, list[Scalar]] = {}
        self.owners = owners or range(len(model.bodies) + 1)
        self._world: Kinematics | None = None
        self.directions = range(2) if model.planar else range(3)
        self.toward: Vector = ZERO
        """Which side or corner of an outline counts where two are equally near, see `nearest`."""

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

    def spots(self, *sides: tuple[int, Vector3, tuple[Vector3, Vector3, Vector3]]) -> tuple[list[Spot], Matrix | None]:
        """Places on bodies, seen from the last link that carries them all, and the axes of that link in W."""
        bodies = [self.owners[body] for body, _, _ in sides]
        view = View(self.tree, self.q, self.v, self.shared, bodies, self.world.frames)
        made = [Spot(view, number, p, R) for number, (_, p, R) in zip(bodies, sides, strict=True)]
        if view.root < 0:
            return made, None
        return made, self.world.rotation(view.root)

    def world_spots(self, *sides: tuple[int, Vector3, tuple[Vector3, Vector3, Vector3]]) -> list[Spot]:
        """Places on bodies, seen from the ground."""
        view = View(self.tree, self.q, self.v, self.shared, [0, *(self.owners[body] for body, _, _ in sides)])
        return [Spot(view, self.owners[body], p, R) for body, p, R in sides]

    @property
    def world(self) -> Kinematics:
        """The places of all links in W; their frames are made once for all rows."""
        if self._world is None:
            self._world = Kinematics(self.tree, self.q, self.shared)
        return self._world

    def anchor(self, name: str, now: list[Scalar]) -> Scalars:
        """Numbers to compare with: what was found, or what is there now."""
        self.anchored[name] = now
        return now if self.found is None else self.found[name]

    # --- joints between two bodies ---------------------------------------------------------------------------------

    def closure(self, closure: Closure) -> list[Row]:
        (first, second), world = self.spots(
            (closure.first.body, closure.first.p_BS, closure.first.R_BS),
            (closure.second.body, closure.second.p_BS, closure.second.R_BS),
        )
        key, name = closure.type.key, closure.name
        d = second.place - first.place
        made: list[Row] = []
        if _PLACES.get(key) == "all":
            for i in self.directions:
                J, bias = place_row(first, second, _UNIT[i], meets=True)
                loads = pushes(world, first, second, _UNIT[i], False)
                made.append(Row(name, _LETTERS[i], J, bias, d[i], loads))
        else:
            for n in self.held_directions(_PLACES.get(key, ""), first.axes, closure.axis):
                J, bias = place_row(first, second, n)
                made.append(Row(name, "across", J, bias, dot(n, d), pushes(world, first, second, n, False)))
        if key == "universal":
            return [*made, self.universal(closure, first, second, world)]
        return made + self.turns(name, key, first, second, closure.axis, world, False, second.axes)

    def held_directions(self, which: str, axes: Matrix, axis: Vector3) -> list[Vector]:
        """Directions of a carrier in which a joint holds its place."""
        if which == "along":
            return [axes @ axis]
        if which != "across":
            return []
        if self.model.planar:
            return [axes @ (-axis[1], axis[0], 0.0)]
        return [axes @ direction for direction in plane_axes(axis)]

    def turns(
        self,
        name: str,
        key: str,
        carrier: Spot,
        other: Spot,
        axis: Vector3,
        world: Matrix | None,
        first_is_other: bool,
        target: Matrix,
    ) -> list[Row]:
        """The forbidden turns of a joint; `target` has the axes that should be those of the carrier as columns."""
        which = _TURNS.get(key, "")
        if not which or (self.model.planar and key == "revolute"):
            return []
        F, G = carrier.axes.T, target.T  # axes as rows
        if self.model.planar:
            offs: list[tuple[Vector, Scalar]] = [(_UNIT[2], cross(F[0], G[0])[2])]
        elif which == "all":
            x, y, z = (cross(F[i], G[i]) for i in range(3))
            half = 0.5 * (x + y + z)
            offs = [(F[i], dot(F[i], half)) for i in range(3)]
        else:
            off = cross(carrier.axes @ axis, target @ axis)
            offs = [(n, dot(n, off)) for n in (carrier.axes @ side for side in plane_axes(axis))]
        made = []
        for n, value in offs:
            J, bias = turn_row(carrier, other, n)
            made.append(Row(name, "turn", J, bias, value, twists(world, carrier, other, n, first_is_other)))
        return made

    def universal(self, closure: Closure, first: Spot, second: Spot, world: Matrix | None) -> Row:
        """The two axes of a universal joint keep their angle."""
        a1, a2 = first.axes @ closure.axis, second.axes @ closure.axis2
        c = cross(a1, a2)
        turning = cross(cross(first.spin, a1), a2) + cross(a1, cross(second.spin, a2))
        J = row_sum(first.turning(c), second.turning(c), -1.0)
        bias = dot(c, first.spin_rate - second.spin_rate) - dot(turning, second.spin - first.spin)
        angle = sum(x * y for x, y in zip(closure.axis, closure.axis2, strict=True))
        loads = twists(world, first, second, -c, False)
        return Row(closure.name, "turn", J, bias, dot(a1, a2) - angle, loads)

    def joint(self, name: str, key: str, axis: Vector3, carrier: Spot, other: Spot, world: Matrix | None) -> list[Row]:
        """A joint that holds what it finds; directions are those of the carrier, reactions are on the other body."""
        axes = carrier.axes
        local = axes.T @ (other.place - carrier.place)
        relative = axes.T @ other.axes
        now = [*local, *(relative[i][j] for i in range(3) for j in range(3))]
        kept = self.anchor(name, now)
        was = Matrix(kept[3:6], kept[6:9], kept[9:12])
        offset = local - kept[:3]
        made = []
        which = _PLACES.get(key, "")
        if which == "all":
            held: list[tuple[str, Vector, Scalar]] = [
                (_LETTERS[i], carrier.column(i), offset[i]) for i in self.directions
            ]
        else:
            away = axes @ offset
            held = [("across", n, dot(n, away)) for n in self.held_directions(which, axes, axis)]
        for part, n, value in held:
            J, bias = place_row(carrier, other, n)
            made.append(Row(name, part, J, bias, value, pushes(world, carrier, other, n, True)))
        target = other.axes @ was.T
        return made + self.turns(name, key, carrier, other, axis, world, True, target)

    def change(self, change: Change) -> list[Row]:
        body = self.model.bodies[change.body - 1]
        name = change_name(self.model, change)
        if change.type.key == "fixed" and change.about is None:
            return self.held(name, range(body.first_v, body.first_v + body.joint.type.nv))
        owner = change.body
        if change.about is not None:
            owner = self.model.place_of(change.about)[0]
        (carrier, other), world = self.spots((body.base, _ORIGIN, IDENTITY), (owner, change.p_BP, IDENTITY))
        return self.joint(name, change.type.key, body.joint.axis, carrier, other, world)

    def lock(self, lock: Lock) -> list[Row]:
        if lock.first is None:
            return self.held(lock.name, lock.rates)
        (carrier, other), world = self.spots((lock.second or 0, _ORIGIN, IDENTITY), (lock.first, _ORIGIN, IDENTITY))
        return self.joint(lock.name, "fixed", (0.0, 0.0, 1.0), carrier, other, world)

    # --- coordinates -----------------------------------------------------------------------------------------------

    def held(self, name: str, rates: Sequence[int]) -> list[Row]:
        """Velocities that are zero; the coordinates stay what they are."""
        places = {rate: self.coordinate_of(rate) for rate in rates}
        kept = self.anchor(name, [0.0 if at is None else self.q[at] for at in places.values()])
        made = []
        for (rate, at), was in zip(places.items(), kept, strict=True):
            J: list[Scalar] = [0.0] * self.tree.nv
            J[rate] = 1.0
            value = 0.0 if at is None else self.q[at] - was
            shown = self.along(rate)
            made.append(Row(name, self.model.rate_names[rate], J, 0.0, value, shown=shown, rate=rate))
        return made

    def along(self, rate: int) -> tuple[Vector, Vector]:
        """Moment and force of a unit driving force of a joint, in W."""
        for at, link in enumerate(self.tree.links):
            if link.first_v <= rate:
                for column, (turn, slide) in self.world.columns(at):
                    if column == rate:
                        return (ZERO, slide) if turn is None else (turn, ZERO)
        raise AssertionError(rate)

    def coordinate_of(self, rate: int) -> int | None:
        """Index in q of the coordinate that a velocity is the rate of, where there is one."""
        for body in self.model.bodies:
            if body.first_v <= rate < body.first_v + body.joint.type.nv:
                return None if body.joint.type.has_quaternion else body.first_q + rate - body.first_v
        raise AssertionError(rate)

    def coupling(self, coupling: Coupling) -> Row:
        driven, driver = rates_of(self.model, coupling)
        x, speed = self.q[coupling.driver], self.v[driver]
        if coupling.second is not None:
            x = 0.5 * (x + self.q[coupling.second])
        # Horner's rule for the polynomial of the ratios and its first two derivatives.
        follow: Scalar = 0.0
        slope: Scalar = 0.0
        bend: Scalar = 0.0
        for ratio in (*reversed(coupling.ratio), coupling.offset):
            bend = bend * x + 2.0 * slope
            slope = slope * x + follow
            follow = follow * x + ratio
        J: list[Scalar] = [0.0] * self.tree.nv
        J[driven] = 1.0
        J[driver] = J[driver] - slope  # a brake is its own driver
        if coupling.second is not None:
            J[driver] = J[rate_index(self.model, coupling.second)] = -0.5 * slope
        bias = -(bend * (speed * speed))
        value = self.q[coupling.driven] - follow
        if coupling.name in self.model.offset_couplings:
            kept = self.anchor(coupling.name, [value])
            # Where nothing was found, as at the start, the offset is that of the file.
            value = value if self.found is None else value - kept[0]
        return Row(
            coupling.name,
            "ratio",
            J,
            bias,
            value,
            shown=self.along(driven),
            rate=driven,
        )

    def mesh(self, mesh: Mesh) -> list[Row]:
        """What a gear or a clutch holds."""
        drive = next(each for each in self.model.drives if each.name == mesh.drive)
        return mesh_rows(mesh, drive, self.coupling(drive.coupling), *self.driver(drive, drive.name), self.anchor)

    def driver(self, drive: Drive, link: str) -> tuple[Row, Scalar]:
        """The way of the driver of a gear, along which its losses act; and its coordinate."""
        _, driver = rates_of(self.model, drive.coupling)
        J: list[Scalar] = [0.0] * self.tree.nv
        J[driver] = 1.0
        return Row(link, "tangent", J, 0.0, 0.0, shown=self.along(driver)), self.q[drive.coupling.driver]

    # --- contacts --------------------------------------------------------------------------------------------------

    def contact(self, contact: Contact, slides: bool, way: float | None = None) -> list[Row]:
        if (contact.round is not None or crossing_of(contact) is not None) and not slides and contact.grips:
            return self.rolling(contact)
        if contact.belt is not None and not slides and contact.grips:
            return self.carried(contact)
        free = free_link(self.tree, self.owners[contact.body])
        if free is not None and contact.on == 0 and not slides and contact.friction != 0.0:
            return self.standing(contact, free)
        (carrier, other), world = self.spots((contact.on, _ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
        axes = carrier.axes
        local = axes.T @ (other.place - carrier.place)
        if not slides and contact.friction != 0.0:
            kept = self.anchor(contact.name, list(local))
            made = []
            for i in self.directions:
                n = carrier.column(i)
                J, bias = place_row(carrier, other, n)
                loads = pushes(world, carrier, other, n, True)
                made.append(Row(contact.name, _LETTERS[i], J, bias, local[i] - kept[i], loads))
            return made
        return [self.sliding(contact, carrier, other, local, world, way)]

    def carried(self, contact: Contact) -> list[Row]:
        """A point that a belt carries: it keeps to the surface, and has its speed along it."""
        (carrier, other), world = self.spots((contact.on, _ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
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
        (carrier, other), world = self.spots((contact.on, _ORIGIN, IDENTITY), (contact.body, contact.p_BP, IDENTITY))
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
        (carrier, other), world = self.spots((on, _ORIGIN, IDENTITY), (body, p, IDENTITY))
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
        row.wrenches = on_hull, on_ground, Wrench(self.owners[belt.body], _ORIGIN, -pull, ZERO)
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
        for i, (n, push) in enumerate(zip(_UNIT, axes.T, strict=True)):
            loads = (
                Wrench(foot.body, foot.p, ZERO, push),
                Wrench(0, _ORIGIN, -cross(place, push), -push),
            )
            value = dot(push, away)
            made.append(Row(contact.name, _LETTERS[i], foot.moving(n), foot.acceleration[i], value, loads))
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
