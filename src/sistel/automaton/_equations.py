"""One structure as a flow: the rates of the state, the functions that its conditions watch, and what keeps it closed.

The state is y = (q, v, memory, t): see `_memory`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.automaton._conditions import Condition, read_condition
from sistel.automaton._driving import driven_by, driven_motion, forced_by
from sistel.automaton._feedback import settled
from sistel.automaton._hands import Hands
from sistel.automaton._reads import uses_reactions
from sistel.automaton._state import split, with_memory
from sistel.expr import Expr, Graph, Program
from sistel.mechanics import (
    Quantities,
    Row,
    Scalar,
    Setting,
    Variant,
    cheapest,
    coordinate_rates,
    expression_value,
    expressions,
    reactions,
    structure_variants,
)
from sistel.model import Model, Structure, Transition
from sistel.motion import current_rates
from sistel.records import record

if TYPE_CHECKING:
    from sistel.automaton._automaton import Automaton
    from sistel.expr import Scalars


@record
class Exit:
    """A transition that may leave a structure."""

    transition: Transition
    condition: Condition
    first_leaf: int
    """Index of its first leaf among those of the stage."""


@record
class ModeEquations:
    """The equations of one structure in a simulation."""

    structure: Structure
    exits: tuple[Exit, ...]
    """In order of priority."""
    flow: Program
    """y → dy, g: rates, and the leaves of all exits."""


def exits_of(model: Model, structure: Structure) -> tuple[Exit, ...]:
    """The transitions that may leave a structure, the most urgent first."""
    leaving = [
        transition
        for transition in (*model.transitions, *model.ticks)
        if not transition.sources or structure.name in transition.sources
    ]
    made, first = [], 0
    for transition in sorted(leaving, key=lambda one: -one.priority):
        condition = read_condition(transition.condition)
        made.append(Exit(transition=transition, condition=condition, first_leaf=first))
        first += len(condition.leaves)
    return tuple(made)


def has_forced(model: Model, structure: Structure) -> bool:
    """Whether a motion of a structure is forced."""
    return any(
        motion.kp is None and (not motion.structures or structure.name in motion.structures) for motion in model.motions
    )


def jumps(graph: Graph, value: Scalar) -> bool:
    """Whether a comparison decides a value."""
    return isinstance(value, Expr) and graph.program({"value": [value]}).count().other > 0


def coordinate_of(model: Model, row: Row) -> int:
    """The coordinate that a forced motion moves."""
    (body,) = (each for each in model.bodies if 0 <= (row.rate or 0) - each.first_v < each.joint.type.nv)
    return body.first_q + (row.rate or 0) - body.first_v


def _best(setting: Setting) -> Variant:
    """The cheapest formulation that fails in no posture but those in which the mechanism itself does."""
    return cheapest(structure_variants(setting, safe=True))


def derive_equations(automaton: Automaton, structure: Structure, pushed: bool = False) -> ModeEquations:
    """The flow of a structure, with the formulation that takes the fewest operations.

    With `pushed`, forces of hands act too, by the blocks of `Hands`.
    """
    model = automaton.model
    setting = automaton.mode(structure).setting
    exits = exits_of(model, structure)
    # What is remembered stands in the model of the setting, which a formulation on another tree does not read.
    plain = has_forced(model, structure) or model.memory
    best = None if plain else _best(setting)
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    model = with_memory(model, y)
    setting = settled(replace(setting, model=model), q, v, t)
    model = setting.model
    if model.assumed is not None:
        best = None
    hands = Hands.of(graph, model) if pushed else None
    if best is None or best.dynamics is None:
        given = setting if best is None else replace(setting, shared=best.shared)
        motion, driving = driven_motion(given, q, v, t, hands=hands)
    else:
        chosen = replace(setting, shared=best.shared)
        driving = driven_by(chosen, q, v, t)
        own: Scalars = [0.0] * model.nv if driving is None else driving
        motion = best.dynamics(chosen, q, v, own if hands is None else hands.beside(driving), t)
    turning = list(coordinate_rates(model, q, v))
    for row in forced_by(setting, q, v, t):
        # Where a forced velocity jumps, as at the rows of a table of straight lines, steps have to end.
        if jumps(graph, row.drift):
            turning[coordinate_of(model, row)] = -row.drift
    rates = [*turning, *motion.a, *current_rates(Quantities(model, automaton.tree, q, v, t), driving), 1.0]
    conditions = [each.condition for each in exits]
    asked = uses_reactions(model, conditions)
    carried, moving = (
        (reactions(setting, q, v, motion, None if hands is None else hands.wrenches), motion.a)
        if asked
        else (None, None)
    )
    state = Quantities(model, automaton.tree, q, v, t, reactions=carried, torques=driving, accelerations=moving)
    leaves: list[Scalar] = []
    for condition in conditions:
        for leaf in condition.leaves:
            left, right = (expression_value(side, state.names, state) for side in (leaf.left, leaf.right))
            leaves.append(left - right)
    outputs: dict[str, list[Expr]] = {"dy": expressions(graph, rates)}
    if leaves:
        outputs["g"] = expressions(graph, leaves)
    return ModeEquations(structure=structure, exits=exits, flow=automaton.hoist(graph.program(outputs), "p"))
