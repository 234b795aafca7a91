"""What joints, links, contacts and motors carry along a run, structure by structure.

Nothing is compiled: the equations of a structure are walked as a table of operations, for a run asks for a few thousand
states of each structure, and once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry
from sistel.simulation import loads_at
from sistel.views.page._computed import computed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.model import Structure
    from sistel.simulation import Run


SINGULAR = 1e-8
"""Margin of the constraints (see `mechanics.Solution`) below which the loads of a state are not told."""
LARGEST = 60
"""Velocities; the loads of larger systems are not drawn."""
MOST_STRUCTURES = 12
"""Structures of a small system whose loads are derived; of one with 40 velocities it is a quarter of them."""


@entry
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
        known = None if gains is None else gains[here]
        found, carriers = _found(run, run.engine.automaton.structure(str(name)), states[here], known)
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


def _found(run: Run, structure: Structure, states: Array, gains: Array | None) -> tuple[Array, tuple[str, ...]]:
    """Driving forces, loads and normal forces of a structure at some states, one a row; the names of the loads."""
    engine = run.engine
    mode = engine.automaton.mode(structure)
    if mode.is_shared:
        drives, loads, names = loads_at(engine, structure, states, gains)
        return np.concatenate([drives, loads], axis=1), names
    what = "loads", structure.name
    line, names = engine.recalled(*what) or engine.keep(mode.loads(), *what)
    with np.errstate(all="ignore"):
        found = np.array(np.concatenate(computed(line, "loads")(states), axis=1))
    found[~(np.abs(found[:, -1]) >= SINGULAR)] = np.nan
    return found, names
