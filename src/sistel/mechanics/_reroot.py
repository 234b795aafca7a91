"""Re-rooting: a free system that stands on a point of the ground is a tree that grows from that point.

The bodies on the way from the foot to the free body change their order, and their joints are read backwards; all
coordinates of the new tree are linear in the old ones, and the foot that holds is a root that does not move. What was
solved with multipliers is then solved with fewer coordinates. Planar systems; hinges and slides on the way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from sistel.expr import ZERO, Matrix, Scalar, Scalars, Vector, atan2, dot
from sistel.kept import cached_property
from sistel.mechanics._constrained import solve_constrained
from sistel.mechanics._forces import Applied, joint_forces, spread, spring_forces
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._rates import Rates
from sistel.mechanics._rows import Row, Spot, View, Wrench, turn_row
from sistel.mechanics._structure import Motion, Setting, Solver
from sistel.mechanics._tree import Tree, build_tree
from sistel.model import Body, Inertia, Lock, Model, Structure
from sistel.model.joints import PLANAR
from sistel.pose import IDENTITY, Rotation, Vector3, compose, rotate, transpose

if TYPE_CHECKING:
    from sistel.model import Side

Pose = tuple[Rotation, Vector3]
_ROOT = "\0root"
"""A name that no file can give."""
_SAME: Pose = (IDENTITY, (0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class Reroot:
    """A model whose tree grows from a foot."""

    name: str
    """Of the link that holds the foot."""
    old: Model
    model: Model
    foot: tuple[int, Vector3]
    """The foot: its body in the old model, and its place there [m]."""
    way: tuple[int, ...]
    """Bodies from the foot to the free one, numbers of the old model."""
    owners: tuple[int, ...]
    """New number of every old one, the ground first."""
    frames: tuple[Pose, ...]
    """Axes and origin of the new frame of every body in its old one, by old number."""
    rates: tuple[tuple[int, float] | None, ...]
    """For every old velocity, its index in the new ones and its sign; None for those of the free body."""
    structure: Structure
    """The structure in the new model: a joint that was changed into a foot is a root that is locked."""

    @cached_property
    def tree(self) -> Tree:
        """The links of the new tree."""
        return build_tree(self.model)

    def every_row(self, setting: Setting, q: Scalars, v: Scalars) -> list[Row]:
        """The independent constraints of the new tree, that of a free body that only slides last."""
        p, y = self.state(setting, q, v)
        rows = replace(setting, model=self.model, tree=self.tree, structure=self.structure).rows(p, y, 0.0)
        free = self.old.bodies[self.way[-1] - 1]
        if free.joint.type.key == "free":
            return rows
        return [*rows, self.upright(Quantities(self.model, self.tree, p, y, 0.0), free)]

    def dynamics(
        self, setting: Setting, q: Scalars, v: Scalars, tau: Scalars, t: Scalar, solve: Solver = solve_constrained
    ) -> Motion:
        """Motion of a structure, as `structure_dynamics` gives it; `setting.shared` is of the new tree."""
        tree, shared, old = self.tree, setting.shared, self.old
        p, y = self.state(setting, q, v)
        free = old.bodies[self.way[-1] - 1]
        every = replace(setting, model=self.model, tree=tree, structure=self.structure).all_rows(p, y, t)
        shares = setting.shares(every)
        rows = shares.rows
        state = Quantities(self.model, tree, p, y, t, shared=shared)
        acting: Applied | None = None
        given = list(tau)
        if setting.applied:
            # Joints push their own coordinates, whatever the tree; springs act between places of bodies.
            given = [a + b for a, b in zip(given, joint_forces(old, q, v), strict=True)]
            acting = spring_forces(state)
        force = self.forces(state, free, given)
        if acting is not None:
            force = [a + b for a, b in zip(force, acting.generalized, strict=True)]
        bias = inverse_dynamics(tree, p, y, [0.0] * tree.nv, shared=shared)
        force = [a - b for a, b in zip(force, bias, strict=True)]
        extra = [] if free.joint.type.key == "free" else [self.upright(state, free)]
        solved = [*rows, *extra]
        found = solve(mass_matrix(tree, p, shared=shared), force, solved, [-row.bias for row in solved])
        a = self.accelerations(state, free, found.x)
        multipliers = shares.spread(found.multipliers[: len(rows)])
        return Motion(a, [self.old_row(row) for row in every], multipliers, found.margin, acting)

    def old_row(self, row: Row) -> Row:
        """A row with what it does to bodies said of the old ones; its Jacobian stays that of the new tree."""
        if row.link == _ROOT:
            axis = Vector(1.0, 0.0, 0.0) if row.rate == 0 else Vector(0.0, 1.0, 0.0)
            push = Wrench(self.foot[0], self.foot[1], ZERO, axis)
            back = Wrench(0, (0.0, 0.0, 0.0), ZERO, -axis)
            return replace(row, link=self.old.bodies[self.way[-1] - 1].joint.name, wrenches=(push, back), shown=None)
        wrenches = tuple(self._old_wrench(wrench) for wrench in row.wrenches)
        return replace(row, wrenches=wrenches, dragged=tuple(self._old_wrench(wrench) for wrench in row.dragged))

    def _old_wrench(self, wrench: Wrench) -> Wrench:
        number = self.owners.index(wrench.body)
        R, origin = self.frames[number]
        p = rotate(R, wrench.p)
        return Wrench(number, (p[0] + origin[0], p[1] + origin[1], p[2] + origin[2]), wrench.moment, wrench.force)

    def state(self, setting: Setting, q: Scalars, v: Scalars) -> tuple[list[Scalar], list[Scalar]]:
        """Coordinates and velocities of the new tree; the foot is at rest."""
        place = Kinematics(setting.tree, q).place(*self.foot)
        p: list[Scalar] = [0.0] * self.model.nq
        y: list[Scalar] = [0.0] * self.model.nv
        turn: Scalar = 0.0
        spin: Scalar = 0.0
        constant = 0.0
        for number in reversed(self.way):
            body = self.old.bodies[number - 1]
            constant += atan2(body.R_PB[1][0], body.R_PB[0][0])
            for i, (_, kind) in enumerate(body.joint.type.rates):
                if kind == "turn":
                    turn, spin = turn + q[body.first_q + i], spin + v[body.first_v + i]
        p[0], p[1], p[2] = place[0], place[1], turn + constant
        y[2] = spin
        for index, target in enumerate(self.rates):
            if target is not None:
                # Planar joints have as many coordinates as velocities, in the same order.
                p[target[0]], y[target[0]] = target[1] * q[index], target[1] * v[index]
        return p, y

    def forces(self, state: Quantities, free: Body, tau: Scalars) -> list[Scalar]:
        """Generalized forces of the new coordinates; those of the free body's joint act on that body."""
        made: list[Scalar] = [0.0] * self.model.nv
        for index, target in enumerate(self.rates):
            if target is not None:
                made[target[0]] = target[1] * tau[index]
        first = free.first_v
        push = Matrix(*free.R_PB) @ (tau[first], tau[first + 1], 0.0)
        moment = tau[first + 2] if free.joint.type.key == "free" else 0.0
        spread(state, self.owners[free.number], self.pole(free), Vector(0.0, 0.0, moment), push, made)
        return made

    def pole(self, body: Body) -> Vector3:
        """The old pole of a body in its new frame [m]."""
        R, p = self.frames[body.number]
        return rotate(transpose(R), (-p[0], -p[1], -p[2]))

    def upright(self, state: Quantities, free: Body) -> Row:
        """A body that only slides does not turn."""
        number = self.owners[free.number]
        view = View(self.tree, state.q, state.v, frozenset(), (0, number))
        ground, body = (Spot(view, at, (0.0, 0.0, 0.0), IDENTITY) for at in (0, number))
        J, bias = turn_row(ground, body, Vector(0.0, 0.0, 1.0))
        return Row(free.name, "turn", J, bias, 0.0)

    def accelerations(self, state: Quantities, free: Body, x: Scalars) -> list[Scalar]:
        """Accelerations of the old coordinates."""
        made: list[Scalar] = [0.0] * self.old.nv
        for index, target in enumerate(self.rates):
            if target is not None:
                made[index] = target[1] * x[target[0]]
        rates = Rates(state.kinematics, state.v, x)
        number = self.owners[free.number]
        gain: Vector = rates.acceleration(number, self.pole(free))
        turned = transpose(free.R_PB)
        made[free.first_v], made[free.first_v + 1] = dot(turned[0], gain), dot(turned[1], gain)
        if free.joint.type.key == "free":
            made[free.first_v + 2] = rates.spin_rate(number)[2]
        return made


def reroots(model: Model, structure: Structure, applied: bool = False) -> list[Reroot]:
    """All ways to re-root a structure: one for every foot that its links hold to the ground."""
    if not model.planar or (applied and (model.forces or model.drives)):
        return []  # forces of the file name coordinates of the tree as it is written
    if any(contact.round is not None for contact in model.contacts) or model.blades:
        return []  # what rolls has directions of its own on the bodies
    made = []
    for name, body, p in _feet(model, structure):
        way = _way(model, body)
        if way and _readable(model, structure, way):
            made.append(_reroot(model, structure, name, body, p, way))
    return made


def _feet(model: Model, structure: Structure) -> list[tuple[str, int, Vector3]]:
    """Points that are held to the ground: the link, the body and the place on it."""
    found = [
        (contact.name, contact.body, contact.p_BP)
        for contact in model.contacts
        if contact.name in structure.holds
        and contact.name not in structure.slides
        and contact.friction != 0.0
        and contact.on == 0
    ]
    for closure in model.closures:
        if closure.name in structure.holds and closure.type.key in ("revolute", "fixed"):
            for side, other in ((closure.first, closure.second), (closure.second, closure.first)):
                if other.body == 0:
                    found.append((closure.name, side.body, side.p_BS))
    if structure.changes:
        # A changed joint is a foot itself, or else it cannot be read in another tree.
        (change, *others) = structure.changes
        if others or change.type.key != "revolute" or change.about is None or model.bodies[change.body - 1].base:
            return []
        return [(change.about, model.place_of(change.about)[0], change.p_BP)]
    return found


def _way(model: Model, body: int) -> tuple[int, ...]:
    """Bodies from a foot to the free body that carries it; empty when the way cannot be read backwards."""
    way: list[int] = []
    at = body
    while at:
        way.append(at)
        joint = model.bodies[at - 1].joint.type.key
        if model.bodies[at - 1].base == 0:
            return tuple(way) if joint in ("free", "prismatic2") else ()
        if joint not in ("revolute", "prismatic", "fixed"):
            return ()
        at = model.bodies[at - 1].base
    return ()


def _readable(model: Model, structure: Structure, way: tuple[int, ...]) -> bool:
    """Whether nothing names coordinates of the free body, or draws a surface in axes that change."""
    free = model.bodies[way[-1] - 1]
    named = {rate for lock in model.locks if lock.name in structure.holds for rate in lock.rates}
    for coupling in model.couplings:
        if coupling.name in structure.holds:
            if coupling.second is not None:
                return False  # two drivers share a ratio, and may be read with different signs
            named |= {coupling.driven, coupling.driver}  # planar joints have a velocity for every coordinate
    slides = [c for c in model.contacts if c.name in structure.holds and (c.name in structure.slides or not c.friction)]
    return (
        named.isdisjoint(range(free.first_v, free.first_v + free.joint.type.nv))
        and not any(contact.on in way for contact in slides)
        and not any(motor.body == free.number and motor.inertia for motor in model.motors)
    )


def _reroot(model: Model, structure: Structure, name: str, foot: int, p_foot: Vector3, way: tuple[int, ...]) -> Reroot:
    frames: list[Pose] = [_SAME] * (len(model.bodies) + 1)
    frames[foot] = (IDENTITY, p_foot)
    for child, parent in pairwise(way):
        body = model.bodies[child - 1]
        frames[parent] = (body.R_PB, body.p_PB)
    # Every body after its new base.
    order, bases, joints = [foot], {foot: 0}, {foot: foot}
    for child, parent in pairwise(way):
        order.append(parent)
        bases[parent], joints[parent] = child, child
    for body in model.bodies:
        if body.number not in bases:
            order.append(body.number)
            bases[body.number], joints[body.number] = body.base, body.number
    owners = [0] * (len(model.bodies) + 1)
    for new, old in enumerate(order, 1):
        owners[old] = new
    rates: list[tuple[int, float] | None] = [None] * model.nv
    bodies: list[Body] = []
    first = 0
    for old in order:
        source, giver = model.bodies[old - 1], model.bodies[joints[old] - 1]
        R_G, p_G = frames[bases[old]]
        backwards = old in way[1:]
        if old == foot:
            kind, pose = PLANAR["free"], _SAME
            joint = replace(source.joint, type=kind, **_idle(3))
        else:
            joint = replace(giver.joint, **_idle(giver.joint.type.nv))
            kind = joint.type
            if backwards:
                # The new frame is that of the giver at zero coordinates, seen from the giver's own new frame.
                pose = transpose(R_G), rotate(transpose(R_G), (-p_G[0], -p_G[1], -p_G[2]))
            else:
                away = tuple(a - b for a, b in zip(source.p_PB, p_G, strict=True))
                pose = compose(transpose(R_G), source.R_PB), rotate(transpose(R_G), away)
            for i in range(kind.nv):
                rates[giver.first_v + i] = (first + i, -1.0 if backwards else 1.0)
        bodies.append(
            replace(
                source,
                number=owners[old],
                base=owners[bases[old]],
                joint=joint,
                R_PB=pose[0],
                p_PB=pose[1],
                p_BoBcm_B=_point(frames[old], source.p_BoBcm_B),
                I_BBcm_B=_tensor(frames[old], source.I_BBcm_B),
                first_q=first,
                first_v=first,
            )
        )
        first += kind.nv
    made = _carried(model, tuple(bodies), owners, frames, rates)
    if structure.changes:
        root = Lock(name=_ROOT, rates=(0, 1), first=None, second=None, always=False, span=model.span)
        made = replace(made, locks=(*made.locks, root))
        structure = replace(structure, holds=(*structure.holds, _ROOT), changes=())
    return Reroot(name, model, made, (foot, p_foot), way, tuple(owners), tuple(frames), tuple(rates), structure)


def _idle(count: int) -> dict[str, Any]:
    """No springs or friction: those of the old joints act on the old coordinates."""
    zeros = (0.0,) * count
    return {"stiffness": zeros, "rest": zeros, "damping": zeros, "friction": zeros}


def _carried(
    model: Model,
    bodies: tuple[Body, ...],
    owners: Sequence[int],
    frames: Sequence[Pose],
    rates: Sequence[tuple[int, float] | None],
) -> Model:
    """The same points, closures, contacts, locks, couplings and springs on the new bodies."""

    def side(given: Side) -> Side:
        R, _ = frames[given.body]
        return replace(
            given,
            body=owners[given.body],
            p_BS=_point(frames[given.body], given.p_BS),
            R_BS=compose(transpose(R), given.R_BS),
        )

    def rate(index: int) -> tuple[int, float]:
        found = rates[index]
        return (index, 1.0) if found is None else found

    couplings = []
    for coupling in model.couplings:
        (driven, s), (driver, r) = rate(coupling.driven), rate(coupling.driver)
        ratio = tuple(s * r**k * value for k, value in enumerate(coupling.ratio, 1))
        couplings.append(replace(coupling, driven=driven, driver=driver, ratio=ratio, offset=s * coupling.offset))
    return replace(
        model,
        bodies=bodies,
        points=tuple(
            replace(point, body=owners[point.body], p_BP=_point(frames[point.body], point.p_BP))
            for point in model.points
        ),
        frames=(),
        shapes=(),
        forces=(),
        stops=(),
        drives=(),
        motors=tuple(
            replace(motor, body=_motor_body(model, owners, bodies, rates, motor.body, motor.coordinate))
            for motor in model.motors
            if motor.inertia
        ),
        closures=tuple(
            replace(closure, first=side(closure.first), second=side(closure.second)) for closure in model.closures
        ),
        contacts=tuple(
            replace(
                contact,
                body=owners[contact.body],
                p_BP=_point(frames[contact.body], contact.p_BP),
                on=owners[contact.on],
            )
            for contact in model.contacts
        ),
        locks=tuple(
            replace(
                lock,
                rates=tuple(rate(index)[0] for index in lock.rates),
                first=None if lock.first is None else owners[lock.first],
                second=None if lock.second is None else owners[lock.second],
            )
            for lock in model.locks
        ),
        couplings=tuple(couplings),
        springs=tuple(
            replace(spring, first=side(spring.first), second=side(spring.second)) for spring in model.springs
        ),
    )


def _motor_body(
    model: Model,
    owners: Sequence[int],
    bodies: Sequence[Body],
    rates: Sequence[tuple[int, float] | None],
    body: int,
    coordinate: int,
) -> int:
    """The body whose joint a motor drives now."""
    found = rates[model.bodies[body - 1].first_v + coordinate]
    if found is None:
        return owners[body]
    return next(b.number for b in bodies if b.first_v <= found[0] < b.first_v + b.joint.type.nv)


def _point(frame: Pose, p: Vector3) -> Vector3:
    R, origin = frame
    return rotate(transpose(R), (p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]))


def _tensor(frame: Pose, inertia: Inertia) -> Inertia:
    R, _ = frame
    xx, yy, zz, xy, xz, yz = inertia
    turned = compose(compose(transpose(R), ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), R)
    return (turned[0][0], turned[1][1], turned[2][2], turned[0][1], turned[0][2], turned[1][2])
