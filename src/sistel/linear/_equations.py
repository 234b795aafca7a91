"""Graphs of one structure for its derivatives: what holds and how it moves at a point, and how both change from there.

A point is x = (q, v, flows, inputs), where flows are currents and stores of schemes. The second program has one more
block, a direction dx, and gives the exact derivatives along it: all directions that matter are computed as one batch,
by code hardly longer than the motion's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.automaton import Automaton, Mode, with_memory
from sistel.expr import Graph, Scalar, derivative
from sistel.linear._inputs import Input
from sistel.mechanics import (
    Drives,
    Quantities,
    articulated_motion,
    expression_value,
    expressions,
    inner,
    structure_dynamics,
)
from sistel.mechanics import reactions as carried_by
from sistel.motion import current_rates, fed, forced_rows, motion_forces
from sistel.records import entry, record

if TYPE_CHECKING:
    from sistel.engine import Engine
    from sistel.expr import Program
    from sistel.kernels import Kernel
    from sistel.markup import Expression
    from sistel.mechanics import Motion, Row, Setting, Winding
    from sistel.model import Model, Scheme, Structure


@record
class Plan:
    """What is to be linearised.

    Attributes:
        structure: The structure.
        applied: Whether springs, friction and forces of the file act.
        motions: Whether motions of the file act where inputs do, too; else inputs take their place there.
        inputs: The inputs.
        outputs: The outputs by how they were written.
    """

    structure: Structure
    applied: bool
    motions: bool
    inputs: tuple[Input, ...]
    outputs: Mapping[str, Expression]

    @property
    def taken(self) -> frozenset[int]:
        """Velocities at which neither motions nor schemes of the file act."""
        return frozenset() if self.motions else frozenset(each.rate for each in self.inputs)

    def commanded(self, model: Model) -> list[Scheme]:
        """Schemes of the file that command a motor."""
        rates = motor_rates(model)
        return [
            scheme
            for scheme in model.schemes
            if any(rates[each.motor] not in self.taken for each in scheme.commands if each.kind != "brake")
        ]

    def flows(self, model: Model) -> tuple[str, ...]:
        """Names of the states beside coordinates and velocities: currents, and stores of schemes without a clock."""
        rates = motor_rates(model)
        stores = [each.name for scheme in self.commanded(model) if scheme.clock is None for each in scheme.stores]
        made = [
            name
            for name, each in zip(model.memory_names, model.memory, strict=True)
            if (each.kind == "current" and rates[each.name] not in self.taken)
            or (each.kind == "store" and each.name in stores)
        ]
        return (*made, *(f"current({each.name})" for each in self.inputs if each.has_current))

    def forced(self, state: Quantities) -> list[Row]:
        """Constraints of the motions that are forced."""
        return [row for row in forced_rows(state, self.structure) if row.rate not in self.taken]


def motor_rates(model: Model) -> dict[str, int]:
    """Indices in v of the coordinates that motors drive, by their names."""
    return {motor.name: model.bodies[motor.body - 1].first_v + motor.coordinate for motor in model.motors}


@entry
class _Parts:
    """Everything about a point."""

    motion: Motion
    rows: list[Row]
    """The constraints that are independent, those of forced motions last."""
    flows: list[Scalar]
    """Rates of currents and stores."""
    outputs: list[Scalar]


@record
class Compiled:
    """The two programs as machine code, and what stands where in their results.

    Attributes:
        point: (x, k) → accelerations, rates of flows, speeds of the constraints, outputs; then values, margin,
            Jacobian.
        slope: (x, k, dx) → derivatives of the first four.
        places: Of every constraint, whether it holds a place; else it holds a velocity alone.
        links: Of every constraint, the name of its link.
        flows: Names of the states beside coordinates and velocities.
        smooth: Whether nothing is compared: then nothing has a kink.
    """

    point: Kernel
    slope: Kernel
    places: tuple[bool, ...]
    links: tuple[str, ...]
    flows: tuple[str, ...]
    smooth: bool


def compile_plan(engine: Engine, plan: Plan) -> Compiled:
    """Derive and compile the programs of a plan."""
    made: dict[str, tuple[Program, tuple[str, ...]]] = {}

    def derive(which: str) -> tuple[Program, tuple[str, ...]]:
        if not made:
            made.update(_derive(engine.automaton, plan))
        return made[which]

    meshes = tuple(mesh.drive for mesh in getattr(plan.structure, "meshes", ()))
    inputs = tuple((each.rate, None if each.motor is None else each.motor.name) for each in plan.inputs)
    what = (plan.structure.name, meshes, plan.applied, plan.motions, inputs, tuple(plan.outputs))
    point, (kind, *rows) = engine.compile_seldom(("linear point", *what), lambda: derive("point"))
    slope, _ = engine.compile_seldom(("linear slope", *what), lambda: derive("slope"))
    return Compiled(
        point=point,
        slope=slope,
        places=tuple(row.startswith("place ") for row in rows),
        links=tuple(row.partition(" ")[2] for row in rows),
        flows=plan.flows(engine.model),
        smooth=kind == "smooth",
    )


def _derive(automaton: Automaton, plan: Plan) -> dict[str, tuple[Program, tuple[str, ...]]]:
    model = automaton.model
    graph = Graph()
    size = model.nq + model.nv + len(plan.flows(model)) + len(plan.inputs)
    x = list(graph.inputs("x", size))
    k = list(graph.inputs("k", len(model.memory) + 1))
    parts = _parts(automaton, plan, x, k)
    v = x[model.nq : model.nq + model.nv]
    speeds = [inner(row.J, v) + row.drift for row in parts.rows]
    moving = expressions(graph, [*parts.motion.a, *parts.flows, *speeds, *parts.outputs])
    more = [
        *(row.value for row in parts.rows),
        parts.motion.margin,
        *(entry for row in parts.rows for entry in row.J),
    ]
    point = graph.program({"point": [*moving, *expressions(graph, more)]})
    kind = "bends" if point.count().other else "smooth"
    names = (kind, *(f"{'place' if row.holds_place else 'rate'} {row.link}" for row in parts.rows))
    changes = derivative(graph, moving, dict(zip(x, graph.inputs("dx", size), strict=True)))
    return {"point": (point, names), "slope": (graph.program({"slope": changes}), names)}


def _parts(automaton: Automaton, plan: Plan, x: Sequence[Scalar], k: Sequence[Scalar]) -> _Parts:
    nq, nv = automaton.model.nq, automaton.model.nv
    q, v, t = list(x[:nq]), list(x[nq : nq + nv]), k[-1]
    names = plan.flows(automaton.model)
    flows = dict(zip(names, x[nq + nv :], strict=False))
    u = x[nq + nv + len(names) :]
    memory = [flows.get(name, known) for name, known in zip(automaton.model.memory_names, k, strict=False)]
    for each, value in zip(plan.inputs, u, strict=True):
        if each.memory is not None:
            memory[each.memory] = value
    model = with_memory(automaton.model, [*q, *v, *memory, t])
    # Not the mode that the automaton keeps by name: gears without play hold in this structure.
    setting = replace(Mode(automaton, plan.structure, plan.applied).setting, model=model)
    state = Quantities(model, automaton.tree, q, v, t)
    drives, rates = _acting(plan, state, flows, u)
    forced = plan.forced(state)
    motion = _motion(setting, q, v, drives, t, forced)
    every = motion.rows[: len(motion.rows) - len(forced)]
    outputs: list[Scalar] = []
    if plan.outputs:
        carried = carried_by(setting, q, v, motion)
        seen = Quantities(model, automaton.tree, q, v, t, reactions=carried, torques=drives)
        outputs = [expression_value(each, seen.names, seen) for each in plan.outputs.values()]
    return _Parts(motion, [*setting.kept(every), *forced], rates, outputs)


def _motion(setting: Setting, q: list[Scalar], v: list[Scalar], tau: Drives, t: Scalar, forced: list[Row]) -> Motion:
    """The motion: by articulated bodies, whose equations grow with their number, where nothing is held."""
    if not forced and not setting.all_rows(q, v, t):
        return articulated_motion(setting, q, v, tau, t)
    return structure_dynamics(setting, q, v, tau, t, forced=forced)


def _acting(
    plan: Plan, state: Quantities, flows: dict[str, Scalar], u: Sequence[Scalar]
) -> tuple[Drives, list[Scalar]]:
    """Forces of the inputs, and of motions and schemes of the file where they act; then the rates of the flows."""
    forces: list[Scalar] = [0.0] * state.model.nv
    windings: dict[str, Winding] = {}
    driving = motion_forces(state, plan.structure)
    if driving is not None:
        forces = [0.0 if i in plan.taken else force for i, force in enumerate(driving)]
        windings |= driving.windings
    rates = dict(zip(state.model.memory_names, current_rates(state, driving), strict=True))
    for each, given in zip(plan.inputs, u, strict=True):
        force = given
        if each.memory is not None:
            continue
        if each.motor is not None:
            name = f"current({each.name})"
            force, winding = fed(each.motor, "voltage", given, state.v[each.rate], flows.get(name))
            windings[each.name] = winding
            if winding.rate is not None:
                rates[name] = winding.rate
        forces[each.rate] = forces[each.rate] + force
    return Drives(forces, windings), [rates[name] for name in plan.flows(state.model)]
