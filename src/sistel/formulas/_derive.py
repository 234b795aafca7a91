"""Traced model → graphs of everything that the equations consist of, with the parameters as inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sistel.expr import Expr, Graph, Op, Scalar, Scalars
from sistel.formulas._holding import Holding
from sistel.mechanics import (
    Load,
    Quantities,
    applied_forces,
    body_motions,
    build_tree,
    energies,
    inverse_dynamics,
    joint_loads,
    mass_matrix,
    variants,
)
from sistel.model import Model
from sistel.records import entry

Nodes = list[Expr]


@entry
class Derived:
    """Nodes of one graph, whose inputs are the blocks q, v, a, p and t.

    The equations of motion are `mass · a + coriolis + gravity = tau + applied`, with driving forces tau.
    """

    graph: Graph
    motion: Nodes
    """mass · a + coriolis + gravity, for every velocity [N or N·m]."""
    mass: list[Nodes]
    coriolis: Nodes
    gravity: Nodes
    applied: Nodes
    """Generalized forces that the description itself applies, for every velocity [N or N·m]."""
    loads: list[Nodes]
    """For every body: moment and force on it from its base, in the world, about its pole: six each [N·m and N]."""
    kinetic: Expr
    potential: Expr
    holding: Holding | None = None
    """What the structure holds; the multipliers are the inputs "lambda"."""


Hold = Callable[[Graph, tuple[Sequence[Expr], Sequence[Expr], Sequence[Expr], Expr]], Holding]
"""Derives what a structure holds, from q, v, a and the time."""


def derive_bodies(model: Model, parameters: int, forces_of: Model, hold: Hold | None = None) -> Derived:
    """Newton's and Euler's equations of every body, in the world, and the loads of joints along their freedoms.

    Args:
        model: The traced model.
        parameters: How many parameters there are.
        forces_of: The model that says what is applied: the same, or the one in numbers where traces would not hold.
        hold: What the structure holds, if anything.
    """
    graph = Graph()
    q, v, a = (list(graph.inputs(name, size)) for name, size in (("q", model.nq), ("v", model.nv), ("a", model.nv)))
    graph.inputs("p", parameters)
    t = graph.inputs("t", 1)[0]
    x: list[Scalar] = [*q]
    still: list[Scalar] = [0.0] * model.nv
    weightless = replace(model, gravity=(0.0, 0.0, 0.0))
    directions = _directions(model, x)
    rotors = build_tree(model).rotors

    def forces(loads: Sequence[Load], gains: Scalars) -> Nodes:
        project = zip(_project(loads, directions), rotors, gains, strict=True)
        return [_node(graph, force + rotor * gain) for force, rotor, gain in project]

    acting = applied_forces(Quantities(forces_of, build_tree(forces_of), x, [*v], t))
    free = joint_loads(model, x, [*v], [*a])
    holding = None if hold is None else hold(graph, (q, v, a, t))
    outer = [*acting.outer, *(holding.pushes if holding is not None else ())]
    loads = joint_loads(model, x, [*v], [*a], outer) if outer else free
    columns = []
    for rate in range(model.nv):
        unit: list[Scalar] = [1.0 if i == rate else 0.0 for i in range(model.nv)]
        columns.append(forces(joint_loads(weightless, x, still, unit), unit))
    kinetic, potential = energies(model, x, [*v])
    return Derived(
        graph,
        motion=forces(free, a),
        mass=[[column[i] for column in columns] for i in range(model.nv)],
        coriolis=forces(joint_loads(weightless, x, [*v], still), still),
        gravity=forces(joint_loads(model, x, still, still), still),
        applied=[_node(graph, value) for value in acting.generalized],
        loads=[[_node(graph, value) for value in (*load.moment, *load.force)] for load in loads[1:]],
        kinetic=_node(graph, kinetic),
        potential=_node(graph, potential),
        holding=holding,
    )


def _directions(model: Model, q: Scalars) -> list[tuple[int, tuple[Scalar, ...], tuple[Scalar, ...]]]:
    """For every velocity: its body, and the angular velocity and velocity of the pole that it alone gives it."""
    found: list[tuple[int, tuple[Scalar, ...], tuple[Scalar, ...]]] = []
    still: list[Scalar] = [0.0] * model.nv
    for body in model.bodies:
        for rate in range(body.first_v, body.first_v + body.joint.type.nv):
            unit: list[Scalar] = [1.0 if i == rate else 0.0 for i in range(model.nv)]
            motion = body_motions(model, q, unit, still)[body.number]
            found.append((body.number, motion.w, motion.v))
    return found


def _project(
    loads: Sequence[Load], directions: Sequence[tuple[int, tuple[Scalar, ...], tuple[Scalar, ...]]]
) -> list[Scalar]:
    """The power of the loads at unit velocities."""
    forces: list[Scalar] = []
    for number, spin, speed in directions:
        load = loads[number]
        power: Scalar = 0.0
        for one, other in zip((*load.moment, *load.force), (*spin, *speed), strict=True):
            power = power + one * other
        forces.append(power)
    return forces


def _node(graph: Graph, value: Scalar) -> Expr:
    return value if isinstance(value, Expr) else graph.constant(value)


def derive_links(model: Model, bodies: Derived) -> Derived:
    """What `derive_bodies` gives, with forces and the mass matrix by the cheaper recursions over links.

    The tree of links is made for numbers: the caller has to check that other values of the parameters still fit.
    """
    tree = build_tree(model)
    shared = min(variants(tree, "inverse_dynamics"), key=lambda variant: variant.cost).shared
    graph = bodies.graph
    q, v, a = (
        [Expr(graph, graph.row(Op.INPUT, block, place)) for place in range(graph.blocks[block][1])]
        for block in range(3)
    )
    x: list[Scalar] = [*q]
    still: list[Scalar] = [0.0] * model.nv

    def nodes(values: Scalars) -> Nodes:
        return [_node(graph, value) for value in values]

    return replace(
        bodies,
        motion=nodes(inverse_dynamics(tree, x, [*v], [*a], shared=shared)),
        mass=[nodes(row) for row in mass_matrix(tree, x, shared=shared)],
        coriolis=nodes(inverse_dynamics(tree, x, [*v], still, gravity=False, shared=shared)),
        gravity=nodes(inverse_dynamics(tree, x, still, still, shared=shared)),
    )


def applied_numbers(model: Model, q: Scalars, v: Scalars, t: float) -> Scalars:
    """The applied forces of one state, for every velocity [N or N·m]: what formulas are compared with."""
    return applied_forces(Quantities(model, build_tree(model), q, v, t)).generalized


def driving_numbers(model: Model, q: Scalars, v: Scalars, a: Scalars) -> tuple[Scalars, Scalars]:
    """The driving forces of one motion, and those of its accelerations alone [N or N·m]: likewise."""
    tree = build_tree(model)
    return inverse_dynamics(tree, q, v, a), inverse_dynamics(tree, q, [0.0] * len(a), a, gravity=False)
