"""Structures → programs: equations with constraints, derived in every applicable way; the cheapest is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

from sistel.expr import Graph, Program, Scalar, Scalars
from sistel.markup import Name, walk_expression
from sistel.mechanics._beds import rubbing
from sistel.mechanics._bodies import momentum
from sistel.mechanics._constrained import solve_reduced
from sistel.mechanics._constraints import constraint_rows
from sistel.mechanics._derive import articulated_program, expressions, likely_runs, symbols
from sistel.mechanics._forces import applied_forces, uses_time
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._mobility import postures
from sistel.mechanics._partition import choose_partition
from sistel.mechanics._quantities import Quantities
from sistel.mechanics._rates import Rates
from sistel.mechanics._reroot import reroots
from sistel.mechanics._rows import Row
from sistel.mechanics._search import (
    CLEAR,
    COMPOSITE,
    LOOPED,
    REDUCED,
    Variant,
    cheapest,
    dense_operations,
    sampled_axes,
    tree_variants,
)
from sistel.mechanics._structure import (
    Motion,
    Setting,
    articulated_motion,
    impact,
    link_loads,
    looped_motion,
    reactions,
    structure_dynamics,
)
from sistel.mechanics._tree import Tree
from sistel.model import Model, Structure
from sistel.pose import Vector3

Dynamics = Callable[..., Motion]

SMALL = 2_000
"""Operations of a mass matrix and its factors up to which loops are not thought of as articulated bodies."""


def depends_on_time(model: Model, structure: Structure, applied: bool) -> bool:
    """Whether the equations of a structure contain the time."""
    held = [contact for contact in model.contacts if contact.name in structure.holds]
    moving = any(
        isinstance(node, Name) and node.name == "t"
        for contact in held
        for node in walk_expression(contact.gap.expression)
    )
    return moving or (applied and uses_time(model))


def _inputs(graph: Graph, setting: Setting, names: Sequence[str]) -> tuple[dict[str, list[Scalar]], Scalar]:
    x = symbols(graph, setting.tree, names)
    if not depends_on_time(setting.model, setting.structure, setting.applied):
        return x, 0.0
    return x, graph.inputs("t", 1)[0]


def structure_variants(setting: Setting, *, safe: bool = False) -> list[Variant]:
    """All ways of deriving the accelerations of a structure that were tried.

    Args:
        setting: What to derive.
        safe: Whether to try only those that fail in no posture but those in which the mechanism itself does.
    """

    def derived(dynamics: Dynamics, shared: frozenset[int]) -> Program:
        graph = Graph()
        x, t = _inputs(graph, setting, ("q", "v", "tau"))
        motion = dynamics(replace(setting, shared=shared), x["q"], x["v"], x["tau"], t)
        outputs = {"forward_dynamics": expressions(graph, motion.a), "margin": expressions(graph, [motion.margin])}
        return graph.program(outputs)

    tree = setting.tree
    if setting.applied and rubbing(setting.model):
        # What patches of tracks carry depends on all accelerations.
        return _tried(likely_runs(tree), derived, structure_dynamics, COMPOSITE)
    if not (setting.structure.holds or setting.structure.changes):

        def formulated(formulation: str, shared: frozenset[int]) -> Variant:
            dynamics = structure_dynamics if formulation == COMPOSITE else articulated_motion
            return Variant(shared, partial(derived, dynamics, shared), formulation, dynamics)

        return tree_variants(tree, formulated, partial(likely_runs, tree), articulated_program)
    plain = setting if setting.numbers is None else setting.numbers
    tried = []
    axes = looped_axes(setting)
    if axes is not None:
        tried = _tried([axes], derived, looped_motion, LOOPED)
        if clearly_cheaper(tree, tried[0].program):
            return tried
    likely = likely_runs(tree)
    tried += _tried(likely, derived, structure_dynamics, "multipliers")
    places = [] if safe else postures(plain.model, plain.structure, plain.tree)
    if not safe:
        tried += _reduced(plain, likely, structure_dynamics, lambda q, v: plain.rows(q, v, 0.0), places, derived)
    if setting.weights:
        return tried  # they belong to the rows of this tree
    found = reroots(setting.model, setting.structure, setting.applied)
    others = found if plain is setting else reroots(plain.model, plain.structure, plain.applied)
    for reroot, other in zip(found, others, strict=True):
        name = f"re-rooted at {reroot.name}"
        there = likely_runs(reroot.tree)
        tried += _tried(there, derived, reroot.dynamics, name)
        rows = partial(other.every_row, plain)
        if not safe:
            tried += _reduced(plain, there, reroot.dynamics, rows, places, derived, f"{name}, ")
    return tried


def looped_axes(setting: Setting) -> frozenset[int] | None:
    """Hinges that share axes in equations by `solve_looped`; None where these are not worth a thought.

    A small tree is solved sooner by its mass matrix. Friction and weights of rows are not for articulated bodies.
    """
    plain = setting if setting.numbers is None else setting.numbers
    if dense_operations(plain.tree) <= SMALL or plain.weights:
        return None
    start = plain.model.start
    rows = plain.rows([float(number) for number in start.q], [0.0] * plain.tree.nv, plain.model.start_time)
    if not rows or any(row.drag is not None for row in rows):
        return None
    return sampled_axes(plain.tree, articulated_program)


def clearly_cheaper(tree: Tree, program: Program) -> bool:
    """Whether a program takes so few operations that those with a mass matrix need not be derived."""
    return dense_operations(tree) > CLEAR * program.count().weighted


def _tried(
    likely: Sequence[frozenset[int]],
    derived: Callable[[Dynamics, frozenset[int]], Program],
    dynamics: Dynamics,
    formulation: str,
) -> list[Variant]:
    return [Variant(shared, partial(derived, dynamics, shared), formulation, dynamics) for shared in likely]


def _reduced(
    setting: Setting,
    likely: Sequence[frozenset[int]],
    dynamics: Dynamics,
    rows: Callable[[Scalars, Scalars], list[Row]],
    places: Sequence[Sequence[float]],
    derived: Callable[[Dynamics, frozenset[int]], Program],
    prefix: str = "",
) -> list[Variant]:
    """The formulation in which constraints are solved for velocities; none where friction or rank forbid it."""
    import numpy as np

    still = [0.0] * setting.tree.nv
    every = [rows(place, still) for place in places]
    if any(row.drag is not None for row in every[0]):
        return []
    jacobians = [np.array([row.J for row in each], dtype=float) for each in every]
    if len(jacobians) > 1 and all(np.array_equal(J, jacobians[0]) for J in jacobians):
        return []  # constant rows are solved for their velocities anyway
    partition = choose_partition(jacobians)
    if partition is None:
        return []

    def reduced(given: Setting, q: Scalars, v: Scalars, tau: Scalars, t: Scalar) -> Motion:
        return dynamics(given, q, v, tau, t, partial(solve_reduced, partition=partition))

    return _tried(likely, derived, reduced, f"{prefix}{REDUCED}")


def derive_structure(setting: Setting) -> Variant:
    """The accelerations of a structure, with the fewest weighted operations."""
    return cheapest(structure_variants(setting), attrgetter("price"))


def derive_structure_reactions(setting: Setting) -> tuple[Program, tuple[str, ...]]:
    """Program of what all joints and holding links carry, six numbers each, and their names in order."""
    graph = Graph()
    x, t = _inputs(graph, setting, ("q", "v", "tau"))
    motion = structure_dynamics(setting, x["q"], x["v"], x["tau"], t, signed=True)
    found = reactions(setting, x["q"], x["v"], motion)
    entries = [entry for moment, force in found.values() for entry in (*moment, *force)]
    outputs = {"reactions": expressions(graph, entries), "margin": expressions(graph, [motion.margin])}
    return graph.program(outputs), tuple(found)


def derive_impact(setting: Setting) -> tuple[Program, tuple[str, ...]]:
    """Program of an impact: velocities after it, the impulses of the links, six numbers each; and their names."""
    graph = Graph()
    x = symbols(graph, setting.tree, ("q", "v"))
    (restitution,) = graph.inputs("restitution", 1)
    t = graph.inputs("t", 1)[0] if depends_on_time(setting.model, setting.structure, False) else 0.0
    found = impact(setting, x["q"], x["v"], restitution, t)
    loads = link_loads(found.rows, found.impulses)
    entries = [entry for moment, force in loads.values() for entry in (*moment, *force)]
    outputs = {
        "velocities": expressions(graph, found.v),
        "impulses": expressions(graph, entries),
        "margin": expressions(graph, [found.margin]),
    }
    return graph.program(outputs), tuple(loads)


def derive_constraints(setting: Setting) -> Program:
    """Program of all rows of a structure: values, Jacobian (rows × nv), biases and drifts, redundant ones too."""
    graph = Graph()
    x, t = _inputs(graph, replace(setting, applied=False), ("q", "v"))
    rows = constraint_rows(setting.model, setting.tree, setting.structure, x["q"], x["v"], t=t)
    return graph.program(
        {
            "value": expressions(graph, [row.value for row in rows]),
            "J": expressions(graph, [entry for row in rows for entry in row.J]),
            "bias": expressions(graph, [row.bias for row in rows]),
            "drift": expressions(graph, [row.drift for row in rows]),
        },
    )


def undriven_loads(setting: Setting, q: Scalars, v: Scalars, t: Scalar) -> dict[str, Scalar] | None:
    """What patches of tracks carry in the motion in which nothing drives [N]; None where nothing rubs."""
    if not rubbing(setting.model):
        return None
    motion = structure_dynamics(setting, q, v, [0.0] * setting.tree.nv, t)
    return {name: load for stand, whole in motion.stands for name, load in stand.loads(whole).items()}


def derive_applied(setting: Setting) -> Program:
    """Program of the generalized forces of everything that the file lets act beside weight.

    Patches of tracks carry what they do in the motion in which nothing drives.
    """
    model, tree = setting.model, setting.tree
    graph = Graph()
    x = symbols(graph, tree, ("q", "v"))
    (t,) = graph.inputs("t", 1)
    state = Quantities(model, tree, x["q"], x["v"], t)
    acting = applied_forces(state, loads=undriven_loads(setting, x["q"], x["v"], t))
    return graph.program({"applied_forces": expressions(graph, acting.generalized)})


def derive_momentum(model: Model, tree: Tree) -> Program:
    """Program of the angular momentum about the origin, and of the momentum: six numbers."""
    graph = Graph()
    x = symbols(graph, tree, ("q", "v"))
    angular, linear = momentum(model, x["q"], x["v"])
    return graph.program({"momentum": expressions(graph, [*angular, *linear])})


def derive_jacobian_rate(tree: Tree, body: int, p: Vector3) -> Program:
    """Program of the time derivative of the Jacobian of a point (6 × nv)."""
    graph = Graph()
    x = symbols(graph, tree, ("q", "v"))
    rates = Rates(Kinematics(tree, x["q"]), x["v"])
    entries = [entry for row in rates.jacobian_rate(body, p) for entry in row]
    return graph.program({"jacobian_rate": expressions(graph, entries)})
