"""What joints, links, contacts and motors carry along a run, structure by structure.

Nothing is compiled: the equations of a structure are walked as a table of operations, for a run asks for a few thousand
states of each structure, and once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import setting_of, split, with_memory
from sistel.expr import Graph, program
from sistel.kernels import compile_program, user_cache
from sistel.mechanics import Quantities, Scalar, expressions, reactions, structure_dynamics
from sistel.simulation import structure_named

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.kernels import Kernel
    from sistel.model import Model, Structure
    from sistel.simulation import Run

    Array = NDArray[np.float64]

SINGULAR = 1e-8
"""Margin of the constraints (see `mechanics.Solution`) below which the loads of a state are not told."""
LARGEST = 60
"""Velocities; the loads of larger systems are not drawn."""
MOST_STRUCTURES = 12
"""Structures of a small system whose loads are derived; of one with 40 velocities it is a quarter of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Loads:
    """What is carried at some states; nothing is known where a number is not one."""

    joints: dict[str, Array]
    """Of joints and links, by name: moment and force in the axes of the ground, shape (n, 6) [N·m and N]."""
    normals: dict[str, Array]
    """Of contacts: force along the normal, shape (n,) [N]."""
    drives: Array
    """Driving forces on the velocities, shape (n, nv) [N or N·m]."""


def loads_of(run: Run, states: Array, names: NDArray[np.str_], gains: Array | None = None) -> Loads:
    """The loads at states (q, v, memory, t) in structures of these names.

    Where a run passes through so many structures that deriving all would take long, those it is longest in are told.
    """
    model = run.model
    loads = Loads({}, {}, np.full((len(states), model.nv), np.nan))
    if run.forces is not None:
        drives, joints = run.forces(states, gains)
        return Loads({name: np.array(load) for name, load in joints.items()}, {}, drives)
    if model.nv > LARGEST or run.programmed:
        return loads
    kinds, counts = np.unique(names, return_counts=True)
    most = max(1, round(MOST_STRUCTURES / (1.0 + (model.nv / 23.0) ** 2)))
    told = kinds[np.argsort(-counts, kind="stable")][:most]
    for name in told:
        here = names == name
        kernel, carriers = _kernel(run, structure_named(model, str(name)))
        with np.errstate(all="ignore"):
            found = np.array(np.concatenate(kernel(states[here]), axis=1))
        found[~(np.abs(found[:, -1]) >= SINGULAR)] = np.nan
        found[~np.isfinite(found)] = np.nan
        loads.drives[here] = found[:, : model.nv]
        column = model.nv
        for carrier in carriers:
            loads.joints.setdefault(carrier, np.zeros((len(names), 6)))[here] = found[:, column : column + 6]
            column += 6
        for contact in model.contacts:
            loads.normals.setdefault(contact.name, np.zeros(len(names)))[here] = found[:, column]
            column += 1
    # What does not hold carries nothing; what was not derived is not known.
    unknown = ~np.isin(names, told)
    for each in (*loads.joints.values(), *loads.normals.values()):
        each[unknown] = np.nan
    return loads


def _kernel(run: Run, structure: Structure) -> tuple[Kernel, tuple[str, ...]]:
    """What computes driving forces, loads and normal forces of a structure, and the margin; the names of the loads."""
    engine = run.engine
    model: Model = engine.model
    graph = Graph()
    y = list(graph.inputs("y", model.state_size))
    q, v, t = split(model, y)
    model = with_memory(model, y)
    setting = replace(setting_of(engine.automaton, structure), model=model)
    motion = structure_dynamics(setting, q, v, [0.0] * model.nv, t)
    carried = reactions(setting, q, v, motion)
    driving: list[Scalar] = [0.0] * model.nv
    if setting.drives is not None:
        # What a forced motion takes is the multiplier of its constraint.
        own, forced = setting.drives(Quantities(model, engine.tree, q, v, t))
        driving = list(own)
        for row, multiplier in zip(forced, motion.multipliers[len(motion.multipliers) - len(forced) :], strict=True):
            assert row.rate is not None
            driving[row.rate] = driving[row.rate] + multiplier
    state = Quantities(model, engine.tree, q, v, t, reactions=carried)
    held = frozenset(structure.holds)
    normals: list[Scalar] = [
        state.reaction("normal", (contact.name,), "") if contact.name in held else 0.0 for contact in model.contacts
    ]
    entries: list[Scalar] = [entry for moment, force in carried.values() for entry in (*moment, *force)]
    line = program(
        graph,
        {
            "drives": expressions(graph, driving),
            "loads": expressions(graph, [*entries, *normals]),
            "margin": expressions(graph, [motion.margin]),
        },
    )
    return compile_program(line, backend="table", name="loads", cache=user_cache()), tuple(carried)
