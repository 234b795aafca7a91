"""Rows of a Jacobian for what joins bodies: cut joints, locks, couplings, gears, joints that a structure changes.

Contacts and the list of all rows of a structure are in `_constraints`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sistel.expr import (
    ZERO,
    Matrix,
    Scalar,
    Scalars,
    Vector,
    cross,
    dot,
)
from sistel.mechanics._drives import rate_index, rates_of
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._meshes import Mesh, mesh_rows
from sistel.mechanics._rows import (
    Row,
    Spot,
    View,
    place_row,
    pushes,
    row_sum,
    turn_row,
    twists,
)
from sistel.mechanics._tree import Tree
from sistel.model import Change, Closure, Coupling, Drive, Lock, Model
from sistel.pose import IDENTITY, Vector3, plane_axes

Anchors = Mapping[str, Scalars]

ORIGIN: Vector3 = (0.0, 0.0, 0.0)
UNIT = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
LETTERS = "xyz"

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


def change_name(model: Model, change: Change) -> str:
    """What the rows of a changed joint are called: as the joint is."""
    return model.bodies[change.body - 1].joint.name


class JointRows:
    """Rows of joints, and what all rows need: places on bodies, anchors."""

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
                J, bias = place_row(first, second, UNIT[i], meets=True)
                loads = pushes(world, first, second, UNIT[i], False)
                made.append(Row(name, LETTERS[i], J, bias, d[i], loads))
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
            offs: list[tuple[Vector, Scalar]] = [(UNIT[2], cross(F[0], G[0])[2])]
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
                (LETTERS[i], carrier.column(i), offset[i]) for i in self.directions
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
        (carrier, other), world = self.spots((body.base, ORIGIN, IDENTITY), (owner, change.p_BP, IDENTITY))
        return self.joint(name, change.type.key, body.joint.axis, carrier, other, world)

    def lock(self, lock: Lock) -> list[Row]:
        if lock.first is None:
            return self.held(lock.name, lock.rates)
        (carrier, other), world = self.spots((lock.second or 0, ORIGIN, IDENTITY), (lock.first, ORIGIN, IDENTITY))
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
