"""Linear systems of the states of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels import as_rows
from sistel.linear import Linear, Options, Plan, Point, linearize, read_inputs
from sistel.simulation._start import with_tight_gears
from sistel.simulation.run._expressions import read_expression

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.model import Structure
    from sistel.simulation.run._run import Run


def linearize_run(run: Run, y: Array, name: str, **options: Unpack[Options]) -> Linear:
    """As `Run.linearize`, of a state (q, v, memory, t) in the structure of a name."""
    structure = run.engine.automaton.structure(name)
    motions, tau = options.get("motions", False), options.get("tau")
    plan = plan_of(
        run.engine,
        structure,
        options.get("inputs", "force"),
        options.get("outputs", ()),
        motions,
        options.get("applied", True),
    )
    nq, nv = run.model.nq, run.model.nv
    if tau is not None:
        given = as_rows([("tau", nv)], [("tau", nv)], (tau,), None).inputs[0][0]
    else:
        given = np.zeros(nv) if motions or run.programmed else driving(run.engine, structure, y)
        driven = {each.rate for each in plan.inputs}
        given[[i for i in range(nv) if i not in driven]] = 0.0
    point = Point(q=y[:nq], v=y[nq : nq + nv], memory=y[nq + nv : -1], t=float(y[-1]), tau=np.array(given))
    return linearize(run.engine, plan, point, options.get("coordinates"))


def plan_of(
    engine: Engine,
    structure: Structure,
    inputs: str | Sequence[str],
    outputs: Sequence[str],
    motions: bool,
    applied: bool,
) -> Plan:
    """What a call asks to be linearised.

    Raises:
        SistelError: Names or expressions are wrong, or voltages are asked for on top of what commands the motors.
    """
    if motions and inputs == "voltage":
        refuse(
            "bad-inputs",
            Text(
                "voltages take the place of the motions that command the motors: they do not come on top of them",
                "напряжения заменяют движения, которые управляют приводами, и не добавляются к ним",
            ),
            hint=Text('take motions=False, or inputs="force"', 'возьмите motions=False или inputs="force"'),
        )
    return Plan(
        structure=with_tight_gears(engine.model, structure),
        applied=applied,
        motions=motions,
        inputs=read_inputs(engine.model, inputs),
        outputs={text: read_expression(engine, text) for text in outputs},
    )


def driving(engine: Engine, structure: Structure, y: Array) -> Array:
    """Forces with which the file drives a state (q, v, memory, t), those of forced motions too, shape (nv,)."""
    from sistel.simulation._programs import kernel
    from sistel.simulation.implicit._kernels import LONG

    model = engine.model
    if not model.memory and not any(
        not motion.structures or structure.name in motion.structures for motion in model.motions
    ):
        return np.zeros(model.nv)
    line, _ = engine.automaton.mode(structure).loads()
    found = kernel(line, "loads", LONG)(y)
    return np.array(found[0], dtype=float)
