"""Structures that contacts make by themselves, named by what every contact does, derived when first entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from sistel.expr import Expr, Graph, Program, absolute, program, replay
from sistel.markup import Number
from sistel.mechanics import (
    DirectedStructure,
    Motion,
    Quantities,
    contact_rows,
    coordinate_rates,
    link_loads,
    mass_matrix,
    solve_constrained,
    structure_dynamics,
)
from sistel.mechanics._derive import expressions
from sistel.mechanics._linear import inner
from sistel.mechanics._vectors import Scalar, dot, minus, plus, times
from sistel.model import Closure, Contact, Coupling, Lock, Model, Structure, Transition
from sistel.model._classes import classify
from sistel.simulation._complementarity import FREE, MINUS, PLUS, STICK, WAYS, Status
from sistel.simulation._conditions import FALLS, Condition, Leaf
from sistel.simulation._machine import Machine
from sistel.simulation._maps import split
from sistel.simulation._stage import Exit, Stage, derive_stage, setting_of

if TYPE_CHECKING:
    from sistel.engine import Engine

OPEN: Final[Status] = (False, FREE)
WORDS: Final = {FREE: "slides", STICK: "sticks", PLUS: "slides +", MINUS: "slides -"}

STRIKES, RELEASES, SLIPS, STOPS = "strikes", "lets go", "slips", "stops sliding"
"""What ends a structure: a gap closes, a normal force ends, friction is used up, a slip ends."""


def makes_structures(model: Model) -> bool:
    """Whether a system leaves its structures to its contacts: it has contacts and writes no structures."""
    return bool(model.contacts) and all(structure.span is None for structure in model.structures)


def structure_of(model: Model, base: Structure, statuses: Sequence[Status]) -> Structure:
    """The structure in which every contact has its status."""
    pairs = list(zip(model.contacts, statuses, strict=True))
    closed = [contact for contact, status in pairs if status[0]]
    # Of points of one rigid body that stick to another, the first holds along its tangent for all.
    leaders: dict[tuple[int, int], str] = {}
    for contact, (pushes, grip) in pairs:
        if pushes and grip == STICK:
            leaders.setdefault((contact.body, contact.on), contact.name)
    ways = {contact.name: WAYS[grip] for contact, (pushes, grip) in pairs if pushes and grip in WAYS}
    ways |= {
        contact.name: 0.0
        for contact, (pushes, grip) in pairs
        if pushes and grip == STICK and leaders[contact.body, contact.on] != contact.name
    }
    slides = tuple(
        contact.name for contact, (pushes, grip) in pairs if pushes and (grip == FREE or contact.name in ways)
    )
    links: list[Closure | Contact | Lock | Coupling] = [*model.closures, *model.locks, *model.couplings]
    held = [*(link for link in links if link.name in base.holds), *closed]
    topology = classify(model.bodies, held, base.changes, model.planar, slides)
    return DirectedStructure(
        name=", ".join(f"{contact.name} {WORDS[grip] if pushes else 'open'}" for contact, (pushes, grip) in pairs),
        holds=(*base.holds, *(contact.name for contact in closed)),
        slides=slides,
        changes=base.changes,
        structure_class=topology.structure_class,
        loops=topology.loops,
        dof=topology.dof,
        why_not=base.why_not,
        span=closed[0].span if closed else None,
        ways=ways,
    )


@dataclass(eq=False)
class ContactMachine(Machine):
    """The compiled equations of a structure that contacts made."""

    statuses: tuple[Status, ...] = ()

    @property
    def travels(self) -> bool:
        """Never: what follows its events is decided by a complementarity problem."""
        return False

    @cached_property
    def stage(self) -> Stage:
        """Its equations."""
        return derive_contact_stage(self.engine, self.structure, self.statuses)


def derive_contact_stage(engine: Engine, structure: Structure, statuses: Sequence[Status]) -> Stage:
    """The flow of a structure, and what may end it: gaps, normal forces, friction cones, slips that fall through 0."""
    model = engine.model
    setting = setting_of(engine, structure)
    graph = Graph()
    y = list(graph.inputs("y", model.nq + model.nv + 1))
    q, v, t = split(model, y)
    motion = structure_dynamics(setting, q, v, [0.0] * model.nv, t)
    state = Quantities(model, engine.tree, q, v, t)
    exits: list[Exit] = []
    leaves: list[Scalar] = []
    for contact, status in zip(model.contacts, statuses, strict=True):
        partners = [
            other
            for other, (pushes, grip) in zip(model.contacts, statuses, strict=True)
            if pushes and grip == STICK and other.friction is not None
            if (other.body, other.on) == (contact.body, contact.on)
        ]
        for word, leaf in _watched(contact, status, state, motion, partners):
            exits.append(_exit(contact, word, structure, len(leaves)))
            leaves.append(leaf)
    # Without contacts another formulation may be cheaper than multipliers.
    tree = derive_stage(engine, structure) if not structure.holds else None
    rates = [*coordinate_rates(model, q, v), *motion.a, 1.0]
    if tree is not None:
        rates = replay(tree.flow, y)[0]
    outputs: dict[str, list[Expr]] = {"dy": expressions(graph, rates), "g": expressions(graph, leaves)}
    return Stage(structure=structure, exits=tuple(exits), flow=program(graph, outputs))


def _watched(
    contact: Contact, status: Status, state: Quantities, motion: Motion, partners: Sequence[Contact]
) -> list[tuple[str, Scalar]]:
    """Functions that are positive while a contact keeps its status, and what happens where they end."""
    closed, grip = status
    if not closed:
        return [(STRIKES, state.gap(contact.name))]
    normal, _ = _force(contact, state, motion)
    made = [(RELEASES, normal)]
    if grip in WAYS:
        made.append((STOPS, times(WAYS[grip], state.slip(contact.name))))
    elif grip == STICK and partners and contact is partners[0]:
        # Of points of one rigid body that stick to another, only what they carry together is determined.
        most: Scalar = 0.0
        along: Scalar = 0.0
        for partner in partners:
            push, pull = _force(partner, state, motion)
            most = plus(most, times(partner.friction or 0.0, push))
            along = plus(along, pull)
        made += [(SLIPS, minus(most, along)), (SLIPS, plus(most, along))]
    return made


def _force(contact: Contact, state: Quantities, motion: Motion) -> tuple[Scalar, Scalar]:
    """Force of a contact along its normal and, in the plane, along its tangent."""
    _, force = link_loads(motion.rows, motion.multipliers)[contact.name]
    _, _, n = state.contact_state(contact)
    return dot(force, n), minus(times(force[1], n[0]), times(force[0], n[1]))


def _exit(contact: Contact, word: str, structure: Structure, first: int) -> Exit:
    nothing = Number(value=0.0, dimension=contact.gap.dimension, unit=None, literal="0", span=contact.span)
    transition = Transition(
        name=f"{contact.name} {word}",
        sources=(structure.name,),
        target="",
        condition=nothing,
        impact=contact.impact,
        restitution=contact.restitution,
        priority=0.0,
        resets=(),
        span=contact.span,
    )
    return Exit(
        transition=transition,
        condition=Condition(leaves=[Leaf(nothing, nothing, FALLS)], word=[0]),
        first_leaf=first,
    )


def derive_contact_data(engine: Engine, base: Structure) -> Program:
    """Program of what the complementarity problems of all contacts are made of: y → gap, u, G, a, P, axes.

    With k contacts, the numbers of the normals come first and then those of the tangents (in space there are none): gap
    (k) [m]; u, the velocities (2k) [m/s]; size, the sum of the sizes of the terms of every velocity (2k); G, the
    response of the velocities to impulses (2k × 2k); a, the accelerations without contact forces (2k); P, the response
    of v to impulses (2k × nv); axes, the normals and tangents in W (2k × 3). All of them under what always holds.
    """
    model = engine.model
    graph = Graph()
    y = list(graph.inputs("y", model.nq + model.nv + 1))
    q, v, t = split(model, y)
    setting = setting_of(engine, base)
    motion = structure_dynamics(setting, q, v, [0.0] * model.nv, t)
    M, held = mass_matrix(engine.tree, q), setting.rows(q, v, t)
    if setting.drives is not None:
        held = [*held, *setting.drives(Quantities(model, engine.tree, q, v, t))[1]]
    pairs = [contact_rows(model, engine.tree, contact, q, v, t) for contact in model.contacts]
    rows = [normal for normal, _ in pairs] + [tangent for _, tangent in pairs if tangent is not None]
    P = [solve_constrained(M, row.J, held, [0.0] * len(held)).x for row in rows]
    sizes = [inner([absolute(x) for x in row.J], [absolute(x) for x in v]) for row in rows]
    return program(
        graph,
        {
            "gap": expressions(graph, [normal.value for normal, _ in pairs]),
            "u": expressions(graph, [plus(inner(row.J, v), row.drift) for row in rows]),
            "size": expressions(graph, sizes),
            "G": expressions(graph, [inner(row.J, column) for row in rows for column in P]),
            "a": expressions(graph, [plus(inner(row.J, motion.a), row.bias) for row in rows]),
            "P": expressions(graph, [entry for column in P for entry in column]),
            "axes": expressions(graph, [entry for row in rows for entry in row.wrenches[0].force]),
        },
    )
