"""Graphs of what is shown of a state: poses and places, what is carried, constraints of postures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sistel.automaton._driving import driven_motion, forced_by
from sistel.automaton._hands import Hands
from sistel.automaton._reads import reads_dynamics
from sistel.automaton._state import forgotten, split, with_memory
from sistel.automaton._transition_programs import anchor_inputs
from sistel.expr import Expr, Graph, Program, Vector, cross, dot, minimum
from sistel.mechanics import (
    Drives,
    Kinematics,
    Quantities,
    Row,
    Scalar,
    body_motions,
    constraint_rows,
    contact_rows,
    expression_value,
    expressions,
    reactions,
    solve_sharing,
)
from sistel.pose import IDENTITY

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton
    from sistel.expr import Scalars
    from sistel.markup import Expression
    from sistel.mechanics import Motion, Setting
    from sistel.model import Contact, Model, Structure
    from sistel.pose import Vector3


def poses(automaton: Automaton) -> Program:
    """Poses of all bodies in the world, by number: q → rows of 3×4 matrices, the ground left out."""
    graph = Graph()
    q = list(graph.inputs("q", automaton.model.nq))
    kinematics = Kinematics(automaton.tree, q)
    entries: list[Scalar] = []
    for body in automaton.model.bodies:
        place = kinematics.place(body.number, (0.0, 0.0, 0.0))
        axes = kinematics.axes(body.number, IDENTITY)
        entries += [entry for i in range(3) for entry in (*axes[i], place[i])]
    return graph.program({"poses": expressions(graph, entries)})


MOST_DRAWN = 30_000
"""Numbers that rays are told, up to which they are drawn: pages carry them as text."""


def twists(automaton: Automaton) -> Program:
    """How every velocity moves what hangs on it: q → for each its turn, and what it gives the origin of W.

    Any point x of a body moves with the sum of v₀ + ω × x over the velocities on its way to the ground.
    """
    model, graph = automaton.model, Graph()
    kinematics = Kinematics(automaton.tree, list(graph.inputs("q", model.nq)))
    entries: list[Scalar] = []
    for body in model.bodies:
        J = kinematics.jacobian(body.number, (0.0, 0.0, 0.0))
        pole = kinematics.place(body.number, (0.0, 0.0, 0.0))
        for k in range(body.first_v, body.first_v + body.joint.type.nv):
            turn = Vector(*(J[row][k] for row in range(3)))
            slide = Vector(*(J[row][k] for row in range(3, 6))) - cross(turn, pole)
            entries += [*turn, *slide]
    return graph.program({"twists": expressions(graph, entries)} if entries else {})


def rays(automaton: Automaton) -> Program:
    """Both ends of all rays of sensors in the world: q → six numbers for each [m]; up to what they meet, or reach."""
    model, graph = automaton.model, Graph()
    q = list(graph.inputs("q", model.nq))
    state = Quantities(model, automaton.tree, q, [0.0] * model.nv)
    entries: list[Scalar] = []
    for sensor in (each for scheme in model.schemes for each in scheme.sensors):
        if sensor.meets is None or len(sensor.meets.routine.data) > MOST_DRAWN:
            continue
        axes = state.kinematics.axes(sensor.meets.body, IDENTITY)
        for (origin, way), distance in zip(sensor.meets.ways, state.reading(sensor.name), strict=True):
            begin, along = state.kinematics.place(sensor.meets.body, origin), axes @ Vector(*way)
            entries += [*begin, *(begin + minimum(distance, sensor.reach) * along)]
    return graph.program({"rays": expressions(graph, entries)} if entries else {})


def places(automaton: Automaton, points: Sequence[tuple[int, Vector3]], axes: str = "xyz") -> Program:
    """Places in the world of points of bodies: q → for each point its components along some axes [m]."""
    graph = Graph()
    kinematics = Kinematics(automaton.tree, list(graph.inputs("q", automaton.model.nq)))
    entries = [kinematics.place(body, p)["xyz".index(axis)] for body, p in points for axis in axes]
    return graph.program({"places": expressions(graph, entries)})


def touching(automaton: Automaton, contacts: Sequence[Contact]) -> Program:
    """Where contacts touch, or would, in the world: y → three numbers for each [m]."""
    model, graph = automaton.model, Graph()
    q, v, t = split(model, list(graph.inputs("y", model.state_size)))
    state = Quantities(model, automaton.tree, q, v, t)
    return graph.program({"places": expressions(graph, [x for each in contacts for x in state.touching(each)])})


def forces_of_load(automaton: Automaton, body: int, p: Vector3) -> Program:
    """The forces that a load of 1 kg at a point of a body asks for: (q, v, a) → nv numbers [N or N·m].

    By virtual work: each is the product of its column of the Jacobian with the acceleration of the load less gravity.
    """
    model, graph = automaton.model, Graph()
    q, v, a = list(graph.inputs("q", model.nq)), list(graph.inputs("v", model.nv)), list(graph.inputs("a", model.nv))
    at = body_motions(model, q, v, a)[body]
    arm = Vector(*(dot(row, p) for row in at.R))
    pull = Vector(*at.a) + cross(at.dw, arm) + cross(at.w, cross(at.w, arm)) - model.gravity
    J = Kinematics(automaton.tree, q).jacobian(body, p)
    forces = [dot((J[3][k], J[4][k], J[5][k]), pull) for k in range(model.nv)]
    return graph.program({"load": expressions(graph, forces)})


def gaps(automaton: Automaton, contacts: Sequence[Contact]) -> Program:
    """Gaps of some contacts: y → gaps [m]."""
    model, graph = automaton.model, Graph()
    q, v, t = split(model, list(graph.inputs("y", model.state_size)))
    found = [contact_rows(model, automaton.tree, contact, q, v, t)[0].value for contact in contacts]
    return graph.program({"gaps": expressions(graph, found)})


def quantities(
    automaton: Automaton, structure: Structure, asked: Sequence[Expression], margin: bool = False
) -> Program:
    """Expressions of the language in a structure: y → their values; y has what they remember and a run does not.

    With `margin`, and where loads are asked for, the margin of `loads` follows.
    """
    model = remembering(automaton, asked)
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    model = with_memory(model, y)
    carried = drives = motion = None
    outputs: dict[str, list[Expr]] = {}
    if reads_dynamics(model, asked):
        setting = replace(automaton.mode(structure).setting, model=model)
        motion, drives = driven_motion(setting, q, v, t, signed=True)
        carried = reactions(setting, q, v, motion)
        drives = with_forced(drives, setting, motion, q, v, t)
        outputs = {"margin": expressions(graph, [motion.margin])} if margin else {}
    moving = None if motion is None else motion.a
    state = Quantities(model, automaton.tree, q, v, t, reactions=carried, torques=drives, accelerations=moving)
    values = [expression_value(each, state.names, state) for each in asked]
    return graph.program({"values": expressions(graph, values)} | outputs)


def with_forced(
    drives: Drives | None, setting: Setting, motion: Motion, q: Scalars, v: Scalars, t: Scalar
) -> Drives | None:
    """Driving forces with what forced motions take: the multipliers of their constraints, which come last."""
    forced = forced_by(setting, q, v, t)
    if not forced:
        return drives
    whole = Drives([0.0] * setting.tree.nv, {}) if drives is None else Drives(drives, drives.windings)
    for row, multiplier in zip(forced, motion.multipliers[len(motion.multipliers) - len(forced) :], strict=True):
        assert row.rate is not None
        whole[row.rate] = whole[row.rate] + multiplier
    return whole


def remembering(automaton: Automaton, asked: Sequence[Expression]) -> Model:
    """The model with what expressions remember and a run does not."""
    model = automaton.model
    more = [each for expression in asked for each in forgotten(model, expression)]
    if more:
        model = replace(model, memory=(*model.memory, *dict.fromkeys(more)))
    return model


def singular_state(
    automaton: Automaton, structure: Structure, given: Sequence[float], asked: Sequence[Expression] = ()
) -> Quantities:
    """What is carried in one state, as numbers, where constraints depend on each other in its posture alone.

    So do those of four wheels that are steered to one centre. Contacts share their loads with the least norm.
    """
    model = remembering(automaton, asked)
    y = list(given)
    q, v, t = split(model, y)
    model = with_memory(model, y)
    setting = replace(automaton.mode(structure).whole, model=model)
    links = frozenset(contact.name for contact in model.contacts)
    motion, drives = driven_motion(setting, q, v, t, solve=partial(solve_sharing, links=links))
    carried = reactions(setting, q, v, motion)
    drives = with_forced(drives, setting, motion, q, v, t)
    return Quantities(model, automaton.tree, q, v, t, reactions=carried, torques=drives, accelerations=motion.a)


def posture_constraints(automaton: Automaton, structure: Structure) -> tuple[Program, tuple[int, ...]]:
    """The constraints of a structure, then of its forced motions: (y, p) → values, Jacobian, drifts.

    Redundant constraints are among them. The block p is what anchored links have found, as for projections.

    Returns:
        The program, and the velocities that motions force, one for each of the last rows.
    """
    model = automaton.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    kept = anchor_inputs(automaton, structure, graph)
    rows = list[Row](constraint_rows(model, automaton.tree, structure, q, v, t=t, found=kept))
    forced = forced_by(replace(automaton.mode(structure).setting, model=with_memory(model, y)), q, v, t)
    rows += forced
    outputs: dict[str, list[Expr]] = {
        "value": expressions(graph, [row.value for row in rows]),
        "J": expressions(graph, [entry for row in rows for entry in row.J]),
        "drift": expressions(graph, [row.drift for row in rows]),
    }
    return graph.program(outputs if rows else {}), tuple(row.rate or 0 for row in forced)


def loads(automaton: Automaton, structure: Structure, pushed: bool = False) -> tuple[Program, tuple[str, ...]]:
    """What is carried in a structure: y → driving forces, loads of joints and links, normal forces, and a margin.

    Returns:
        The program, and the names of the joints and links, six numbers each: moment and force in the axes of the
        ground. Normal forces follow, one for each contact of the model. The margin tells how far the constraints are
        from depending on each other. With `pushed`, forces of hands act too, by the blocks of `Hands`.
    """
    graph = Graph()
    y = list(graph.inputs("y", automaton.model.state_size))
    q, v, t = split(automaton.model, y)
    model = with_memory(automaton.model, y)
    setting = replace(automaton.mode(structure).setting, model=model)
    hands = Hands.of(graph, model) if pushed else None
    motion, drives = driven_motion(setting, q, v, t, signed=True, hands=hands)
    carried = reactions(setting, q, v, motion, None if hands is None else hands.wrenches)
    whole = with_forced(drives, setting, motion, q, v, t)
    driving: list[Scalar] = [0.0] * model.nv if whole is None else list(whole)
    state = Quantities(model, automaton.tree, q, v, t, reactions=carried)
    held = frozenset(structure.holds)
    normals: list[Scalar] = [
        state.reaction("normal", (contact.name,), "") if contact.name in held else 0.0 for contact in model.contacts
    ]
    entries: list[Scalar] = [entry for moment, force in carried.values() for entry in (*moment, *force)]
    line = graph.program(
        {
            "drives": expressions(graph, driving),
            "loads": expressions(graph, [*entries, *normals]),
            "margin": expressions(graph, [motion.margin]),
        },
    )
    return line, tuple(carried)
