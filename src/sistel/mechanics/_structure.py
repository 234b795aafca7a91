"""Equations of one structure: motion under its constraints, reactions, impacts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from sistel.expr import ZERO, Scalar, Scalars, Vector, dot, maximum
from sistel.mechanics._articulated import articulated_dynamics
from sistel.mechanics._beds import Stand, extended, stands_of
from sistel.mechanics._bodies import joint_loads
from sistel.mechanics._constrained import Solution, solve_constrained
from sistel.mechanics._constraints import DirectedStructure, constraint_rows, unrubbed
from sistel.mechanics._forces import Applied, Push, applied_forces
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._linear import inner
from sistel.mechanics._looped import solve_looped
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._quantities import Quantities, Reactions
from sistel.mechanics._rows import Row
from sistel.mechanics._shares import Shares
from sistel.mechanics._tracks import patch_loads
from sistel.mechanics._tree import Tree
from sistel.model import Model, Structure
from sistel.records import entry, record


@record
class Setting:
    """What equations of motion are derived for."""

    model: Model
    tree: Tree
    structure: Structure
    redundant: frozenset[int] = frozenset()
    """Indices of the constraints that follow from others; they are left out."""
    applied: bool = False
    """Whether the springs, friction and forces of the file act."""
    shared: frozenset[int] = frozenset()
    """Hinges that keep the axes of the link before them."""
    weights: tuple[float, ...] = ()
    """Of the independent constraints, where bodies are too light for them: see `_light`."""
    numbers: Setting | None = None
    """Of a model whose parameters are live: the same in plain numbers, on which choices are made."""

    def all_rows(self, q: Scalars, v: Scalars, t: Scalar) -> list[Row]:
        """All constraints."""
        return constraint_rows(self.model, self.tree, self.structure, q, v, t=t, shared=self.shared)

    def rows(self, q: Scalars, v: Scalars, t: Scalar) -> list[Row]:
        """The independent constraints."""
        return self.kept(self.all_rows(q, v, t))

    def kept(self, rows: Sequence[Row]) -> list[Row]:
        """The independent ones of all constraints."""
        kept = [row for index, row in enumerate(rows) if index not in self.redundant]
        if any(rows[index].drag is not None for index in self.redundant):
            # What slides shares its friction with the rows that it follows from.
            kept = [replace(row, drag=[0.0] * len(row.J)) if row.drag is None and row.wrenches else row for row in kept]
        for row, weight in zip(kept, self.weights, strict=False):
            row.weight = weight
        return kept

    def shares(self, rows: Sequence[Row]) -> Shares:
        """The independent ones of all constraints, and what the others carry."""
        links = [*(contact.name for contact in self.model.contacts), *(blade.name for blade in self.model.blades)]
        links += [track.patch_name(i) for track in self.model.tracks for i in range(len(track.patches))]
        return Shares(rows, self.kept(rows), self.redundant, frozenset(links))


@entry
class Motion:
    """Accelerations, and everything that gave them."""

    a: list[Scalar]
    rows: list[Row]
    """All constraints, redundant ones too."""
    multipliers: list[Scalar]
    margin: Scalar
    """See `Solution`."""
    applied: Applied | None
    stands: tuple[tuple[Stand, list[Scalar]], ...] = ()
    """The ground under tracks, and the whole loads of each."""


Rows = Sequence[Row]
Solver = Callable[[Sequence[Scalars], Scalars, Sequence[Row], Scalars], Solution]


def structure_dynamics(
    setting: Setting,
    q: Scalars,
    v: Scalars,
    tau: Scalars,
    t: Scalar,
    solve: Solver = solve_constrained,
    forced: Rows = (),
    signed: bool = False,
    stands: Sequence[Stand] | None = None,
) -> Motion:
    """Motion of a structure under driving forces, by multipliers; what is forced to move adds its own constraints.

    With `signed`, contacts that share a load without need do not pull: where the shares of least norm would, they are
    those of least norm among the others. `stands` is the ground under tracks, by default as the structure has it.
    """
    model, tree = setting.model, setting.tree
    # A joint that is forced to stand does not stick or rub as well: what it carries, its motion takes.
    still = setting.structure.still if isinstance(setting.structure, DirectedStructure) else ()
    taken = {row.rate for row in forced}.intersection(still)
    v = [0.0 if rate in taken else speed for rate, speed in enumerate(v)]
    every = setting.all_rows(q, v, t)
    shares = setting.shares(every)
    state, acting, M, force = pushed(setting, q, v, tau, t)
    if stands is None:
        sticks, lifted = unrubbed(setting.structure)
        stands = [] if acting is None else stands_of(state, acting.outer, sticks, lifted)
    beds = [stand.bed for stand in stands]
    if shares.gone and model.tracks:
        shares.weigh_by(_strengths(state))

    off: list[Scalar] = [0.0] * tree.nv
    held = [replace(row, J=off, bias=0.0, idle=1.0) if row.rate in taken else row for row in shares.rows]

    def solved() -> Solution:
        rows = [*held, *forced]
        if not beds:
            return solve(M, force, rows, [-row.bias for row in rows])
        big, pushed, rows = extended(M, force, rows, beds)
        for at, stand in enumerate(stands):
            rows += stand.rows(tree.nv + 3 * at, len(big))
        return solve(big, pushed, rows, [-row.bias for row in rows])

    if signed and shares.gone and isinstance(setting.structure, DirectedStructure):
        # Structures that a file writes leave it to its conditions what a contact may do.
        free, fewest = [contact.name for contact in model.contacts if not contact.rolls], 2 if model.planar else 3
        found, multipliers = shares.without_pulling(solved, partial(_along_normal, state), free, fewest)
    else:
        found = solved()
        multipliers = shares.spread(found.multipliers[: len(shares.rows)])
    more = len(shares.rows) + len(forced)
    multipliers += found.multipliers[len(shares.rows) : more]
    whole = [found.multipliers[more + 3 * at : more + 3 * at + 3] for at in range(len(beds))]
    carried = tuple(zip(stands, whole, strict=True))
    return Motion(found.x[: tree.nv], [*every, *forced], multipliers, found.margin, acting, carried)


def _strengths(state: Quantities) -> dict[str, Scalar]:
    """Of patches of tracks, by which they share the friction of what sticks: what they carry of the load at rest."""
    made: dict[str, Scalar] = {}
    for hull in dict.fromkeys(track.body for track in state.model.tracks if track.patches):
        loads = patch_loads(state.model, state.kinematics, hull)
        total = sum(loads.values(), 0.0)
        made |= {name: maximum(load, 0.0) / total for name, load in loads.items()}
    return made


def pushed(
    setting: Setting, q: Scalars, v: Scalars, tau: Scalars, t: Scalar
) -> tuple[Quantities, Applied | None, list[list[Scalar]], list[Scalar]]:
    """What moves a structure before anything holds: the state, what acts, the mass matrix, generalized forces."""
    tree, shared = setting.tree, setting.shared
    state = Quantities(setting.model, tree, q, v, t, shared=shared)
    acting = applied_forces(state, tracks=False) if setting.applied else None
    bias = inverse_dynamics(tree, q, v, [0.0] * tree.nv, shared=shared)
    force = [x - y for x, y in zip(tau, bias, strict=True)]
    if acting is not None:
        force = [x + y for x, y in zip(force, acting.generalized, strict=True)]
    return state, acting, mass_matrix(tree, q, shared=shared), force


def _along_normal(state: Quantities, name: str, force: Vector) -> Scalar:
    """The part of a force along the normal of a contact."""
    (contact,) = (contact for contact in state.model.contacts if contact.name == name)
    return dot(force, state.contact_state(contact)[2])


def articulated_motion(setting: Setting, q: Scalars, v: Scalars, tau: Scalars, t: Scalar) -> Motion:
    """Motion of a structure without constraints, by articulated bodies."""
    force, acting = list(tau), None
    if setting.applied:
        state = Quantities(setting.model, setting.tree, q, v, t, shared=setting.shared)
        acting = applied_forces(state)
        force = [x + y for x, y in zip(force, acting.generalized, strict=True)]
    return Motion(articulated_dynamics(setting.tree, q, v, force, shared=setting.shared), [], [], 1.0, acting)


def looped_motion(setting: Setting, q: Scalars, v: Scalars, tau: Scalars, t: Scalar) -> Motion:
    """Motion of a structure whose constraints have no friction, by articulated bodies: see `_looped`."""
    every = setting.all_rows(q, v, t)
    shares = setting.shares(every)
    rows = shares.rows
    force, acting = list(tau), None
    if setting.applied:
        state = Quantities(setting.model, setting.tree, q, v, t, shared=setting.shared)
        acting = applied_forces(state)
        force = [x + y for x, y in zip(force, acting.generalized, strict=True)]
    demands = [-row.bias for row in rows]
    found = solve_looped(setting.tree, q, v, force, rows, demands, shared=setting.shared)
    return Motion(found.x, every, shares.spread(found.multipliers), found.margin, acting)


def reactions(
    setting: Setting, q: Scalars, v: Scalars, motion: Motion, hands: Sequence[Push] | None = None
) -> Reactions:
    """Moment and force, in W, that every joint and every holding link carries in a motion.

    Those of a joint are on its body from the base, about the body's pole; those of a closure, contact or lock on its
    first body, at its point there; those of a joint that the structure has changed on the body of its new point, there.
    What `hands` do to bodies from outside is carried too.
    """
    model = setting.model
    outer = link_pushes(motion.rows, motion.multipliers)
    outer += hands or ()
    if motion.applied is not None:
        outer += motion.applied.outer
    ground: dict[str, tuple[Vector, Vector]] = {}
    for stand, whole in motion.stands:
        for k, part in enumerate(whole):
            outer += [(body, p, part * moment, part * force) for body, p, moment, force in stand.pushes(k)]
        for name, (body, p, normal, force) in stand.forces(whole).items():
            outer.append((body, p, ZERO, normal))
            ground[name] = ZERO, force
    loads = joint_loads(model, q, v, motion.a, outer)[1:]
    found: dict[str, tuple[Vector, Vector]] = {
        body.joint.name: (load.moment, load.force) for body, load in zip(model.bodies, loads, strict=True)
    }
    within = {row.link for row in motion.rows if row.shown is not None and not row.wrenches}
    for name, load in link_loads(motion.rows, motion.multipliers).items():
        # A lock or coupling may be called as its joint is: that carries its force already. A joint that the structure
        # has changed carries what it holds now.
        if name not in found or name not in within:
            found[name] = load
    for name, load in ground.items():
        found[name] = _joined(found.get(name, (ZERO, ZERO)), load)
    return found


def _joined(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> tuple[Vector, Vector]:
    return a[0] + b[0], a[1] + b[1]


def link_pushes(rows: Sequence[Row], multipliers: Scalars) -> list[Push]:
    """What the links do to bodies."""
    return [
        (wrench.body, wrench.p, multiplier * wrench.moment, multiplier * wrench.force)
        for row, multiplier in zip(rows, multipliers, strict=True)
        for wrench in (*row.wrenches, *row.dragged)
    ]


def link_loads(rows: Sequence[Row], multipliers: Scalars) -> dict[str, tuple[Vector, Vector]]:
    """Moment and force of every link on its first body, in W, at its point there; of a lock, along its joint."""
    found: dict[str, tuple[Vector, Vector]] = {}
    for row, multiplier in zip(rows, multipliers, strict=True):
        parts = [(wrench.moment, wrench.force) for wrench in (*row.wrenches[:1], *row.dragged[:1])]
        for moment, force in parts if row.shown is None else [row.shown]:
            load = multiplier * moment, multiplier * force
            found[row.link] = _joined(found.get(row.link, (ZERO, ZERO)), load)
    return found


@entry
class Impact:
    """Velocities after an impact, and what gave them."""

    v: list[Scalar]
    rows: list[Row]
    impulses: list[Scalar]
    margin: Scalar
    """See `Solution`."""


def impact(
    setting: Setting, q: Scalars, v: Scalars, e: Scalar, t: Scalar, solve: Solver = solve_constrained, forced: Rows = ()
) -> Impact:
    """What happens when the constraints of a structure begin to hold at once.

    Rows end with minus `e`, the restitution, times the velocity they had: 0 for a plastic impact. Those that held
    before had none and keep none. Friction does not act here.
    """
    every = [_without_drag(row) for row in setting.all_rows(q, v, t)]
    shares = setting.shares(every)
    rows = shares.rows
    M = mass_matrix(setting.tree, q, shared=setting.shared)
    demands = []
    for row in rows:
        before = inner(row.J, v) + row.drift
        demands.append(-((1.0 + e) * before))
    # What is forced to move goes on as it was told, whatever strikes it.
    demands += [-(inner(row.J, v) + row.drift) for row in forced]
    still: list[Scalar] = [0.0] * setting.tree.nv
    found = solve(M, still, [*rows, *forced], demands)
    impulses = shares.spread(found.multipliers[: len(rows)])
    return Impact([a + b for a, b in zip(v, found.x, strict=True)], every, impulses, found.margin)


def _without_drag(row: Row) -> Row:
    row.drag, row.dragged = None, ()
    return row
