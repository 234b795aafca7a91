"""States to begin with: what the file gives, made to meet the constraints of a structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.mechanics import Quantities, assemble, constraint_rows
from sistel.mechanics._rows import Row
from sistel.model import Structure
from sistel.motion import forced_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine

    Array = NDArray[np.float64]

MET = 1e-9
"""Velocity that constraints may be off by, relative to the largest one."""


def initial_state(engine: Engine, structure: Structure, q: Array | None, v: Array | None, t: float | None) -> Array:
    """The state (q, v, t) to begin with.

    Coordinates and velocities that the caller does not give come from the file. Those that the file gives stay as they
    are where the constraints allow it; the others follow.

    Raises:
        SistelError: No state near it meets the constraints.
    """
    model = engine.model
    start = model.start
    time = model.start_time if t is None else t
    simple = {
        body.first_v + i: body.first_q + i
        for body in model.bodies
        if not body.joint.type.has_quaternion
        for i in range(body.joint.type.nv)
    }
    kept_q = frozenset(rate for rate, place in simple.items() if place in start.given_q) if q is None else frozenset()
    place = np.array(start.q if q is None else q, dtype=float)
    for row in _forced(engine, structure, place, np.zeros(model.nv), time):
        # A forced coordinate is where its motion has it.
        assert row.rate is not None and isinstance(row.value, float)
        place[simple[row.rate]] -= row.value
        kept_q |= {row.rate}
    if structure.holds or structure.changes:
        found = assemble(model, structure, place.tolist(), fixed=frozenset(kept_q), tree=engine.tree)
        if not found.success:
            _fail(
                Text(
                    f'structure "{structure.name}" cannot be assembled: its links remain {found.error:.3g} apart',
                    f"структуру «{structure.name}» нельзя собрать: связи расходятся на {found.error:.3g}",
                ),
                structure,
            )
        place = np.array(found.q)
    kept_v = frozenset(start.given_v) if v is None else frozenset(range(model.nv))
    speed = np.array(start.v) if v is None else v
    return np.array([*place, *_velocities(engine, structure, place, speed, kept_v, time), time])


def _velocities(engine: Engine, structure: Structure, q: Array, v: Array, given: frozenset[int], t: float) -> Array:
    """Velocities that the constraints allow: the given ones as they are if possible, else the nearest."""
    model = engine.model
    forced = _forced(engine, structure, q, v, t)
    given -= {row.rate for row in forced}
    if not (structure.holds or structure.changes or forced):
        return v
    held = constraint_rows(model, engine.tree, structure, q.tolist(), v.tolist(), t=t)
    rows = [*held, *forced]
    J = np.array([row.J for row in rows], dtype=float)
    drift = np.array([row.drift for row in rows], dtype=float)
    lack = J @ v + drift
    scale = max(1.0, float(np.abs(v).max(initial=0.0)))
    free = [i for i in range(model.nv) if i not in given]
    if free:
        made = v.copy()
        made[free] -= np.linalg.lstsq(J[:, free], lack, rcond=1e-10)[0]
        if np.abs(J @ made + drift).max(initial=0.0) <= MET * scale:
            return np.asarray(made)
    return np.asarray(v - np.linalg.lstsq(J, lack, rcond=1e-10)[0])


def _forced(engine: Engine, structure: Structure, q: Array, v: Array, t: float) -> list[Row]:
    """Constraints of the motions that a structure forces."""
    return forced_rows(Quantities(engine.model, engine.tree, q.tolist(), v.tolist(), t), structure)


def _fail(message: Text, structure: Structure) -> None:
    diagnostics = Diagnostics()
    diagnostics.error("no-assembly", structure.span, message)
    raise SistelError(diagnostics.sorted())
