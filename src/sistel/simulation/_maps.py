"""What happens at an instant: passing from one structure to another, and coming back to the constraints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.expr import Graph, Program, program, sqrt
from sistel.mechanics import (
    Quantities,
    Setting,
    anchors,
    constraint_rows,
    coordinate_rates,
    energies,
    formula_value,
    impact,
    link_loads,
    mass_matrix,
    solve_constrained,
)
from sistel.mechanics._derive import expressions
from sistel.mechanics._linear import inner
from sistel.mechanics._vectors import Scalar, minus, plus, times
from sistel.model import Model, Structure, Transition
from sistel.simulation._stage import setting_of

if TYPE_CHECKING:
    from sistel.engine import Engine


def split(model: Model, y: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar], Scalar]:
    """Coordinates, velocities and time of a state."""
    return list(y[: model.nq]), list(y[model.nq : model.nq + model.nv]), y[model.nq + model.nv]


def derive_passage(engine: Engine, transition: Transition, target: Structure) -> tuple[Program, tuple[str, ...]]:
    """Program of a transition: y → the state after it, the loss of kinetic energy, the impulses of the links.

    Returns:
        The program, and the names of the links whose impulses it gives, six numbers each.
    """
    model = engine.model
    graph = Graph()
    y = list(graph.inputs("y", model.nq + model.nv + 1))
    q, v, t = split(model, y)
    setting = setting_of(engine, target)
    state = Quantities(model, engine.tree, q, v, t)
    new_q = list(q)
    for reset in transition.resets:
        place = _place_of(model, reset.rate)
        if reset.value is not None and place is not None:
            new_q[place] = formula_value(reset.value, state.names, state)
    loads: dict[str, list[Scalar]] = {}
    after = list(v)
    if transition.impact != "none" and (target.holds or target.changes):
        # Where the coordinates have been set: a wheel set back by a spoke strikes with the spoke that stands then.
        found = impact(setting, new_q, v, transition.restitution, t)
        after = list(found.v)
        pushes = link_loads(found.rows, found.impulses)
        loads = {name: [*moment, *force] for name, (moment, force) in pushes.items()}
    for reset in transition.resets:
        if reset.velocity is not None:
            after[reset.rate] = formula_value(reset.velocity, state.names, state)
    before_energy, after_energy = energies(model, q, v)[0], energies(model, new_q, after)[0]
    outputs = {
        "y": expressions(graph, [*new_q, *after, t]),
        "loss": expressions(graph, [minus(before_energy, after_energy)]),
        "impulses": expressions(graph, [entry for load in loads.values() for entry in load]),
    }
    if not loads:
        del outputs["impulses"]
    return program(graph, outputs), tuple(loads)


def _place_of(model: Model, rate: int) -> int | None:
    for body in model.bodies:
        if body.first_v <= rate < body.first_v + body.joint.type.nv:
            return None if body.joint.type.has_quaternion else body.first_q + rate - body.first_v
    raise AssertionError(rate)


def anchor_sizes(engine: Engine, structure: Structure) -> dict[str, int]:
    """How many numbers every anchored link of a structure keeps."""
    model = engine.model
    found = anchors(model, engine.tree, structure, list(model.start.q))
    return {name: len(values) for name, values in found.items()}


def derive_anchors(engine: Engine, structure: Structure) -> Program:
    """Program of what the anchored links of a structure find: y → p."""
    model = engine.model
    graph = Graph()
    y = list(graph.inputs("y", model.nq + model.nv + 1))
    found = anchors(model, engine.tree, structure, y[: model.nq])
    return program(graph, {"p": expressions(graph, [value for values in found.values() for value in values])})


def derive_projection(engine: Engine, structure: Structure) -> Program:
    """Program of one step back to the constraints: (y, p) → the corrected state, and how far off it was.

    Positions and velocities are moved as little as the metric of M allows; quaternions get their length back.
    """
    model = engine.model
    setting: Setting = setting_of(engine, structure)
    graph = Graph()
    y = list(graph.inputs("y", model.nq + model.nv + 1))
    q, v, t = split(model, y)
    sizes = anchor_sizes(engine, structure)
    p = list(graph.inputs("p", max(1, sum(sizes.values()))))
    kept: dict[str, Sequence[Scalar]] = {}
    start = 0
    for name, size in sizes.items():
        kept[name] = p[start : start + size]
        start += size
    every = constraint_rows(model, engine.tree, structure, q, v, t=t, found=kept)
    rows = setting.kept(every)
    if setting.drives is not None:
        rows = [*rows, *setting.drives(Quantities(model, engine.tree, q, v, t))[1]]
    for row in rows:
        row.drag = None
    M = mass_matrix(engine.tree, q)
    still: list[Scalar] = [0.0] * model.nv
    shift = solve_constrained(M, still, rows, [minus(0.0, row.value) for row in rows]).x
    slow = solve_constrained(M, still, rows, [minus(0.0, plus(inner(row.J, v), row.drift)) for row in rows]).x
    new_q = [plus(a, b) for a, b in zip(q, coordinate_rates(model, q, shift), strict=True)]
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            four = new_q[body.first_q : body.first_q + 4]
            length = sqrt(inner(four, four))
            new_q[body.first_q : body.first_q + 4] = [number / length for number in four]
    new_v = [plus(a, b) for a, b in zip(v, slow, strict=True)]
    off: Scalar = 0.0
    for row in rows:
        off = plus(off, times(row.value, row.value))
    outputs = {"y": expressions(graph, [*new_q, *new_v, t]), "off": expressions(graph, [off])}
    return program(graph, outputs)
