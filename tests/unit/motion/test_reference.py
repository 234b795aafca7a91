"""Tables of motions in the equations: what moves along a solution does not grow with the number of rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.engine import Engine
from sistel.kernels.taylor._plan import plan_of
from sistel.mechanics import Quantities
from sistel.motion import pieces_of, reference
from sistel.simulation._compiled_structure import CompiledStructure


def followed(rows: int, kind: str = "spline") -> sistel.System:
    """A pendulum whose motor follows a table."""
    table = "".join(f'<row time="{2.0 * i / rows}" values="{30 * math.sin(3.0 * i / rows)}"/>' for i in range(rows + 1))
    return sistel.parse(
        f'<system name="p"><body name="b" joint="revolute" mass="1" com="0,300" inertia="0.1"/>'
        f'<motion of="b" interpolation="{kind}" kp="50 N*m/rad" kd="5 N*m*s/rad">{table}</motion></system>'
    )


def test_series_carry_one_polynomial_however_many_rows() -> None:
    plans = []
    for rows in (8, 64):
        model = followed(rows).model
        compiled = CompiledStructure(Engine.of(model), model.structures[0], 12)
        assert compiled.modes.count >= rows
        whole = compiled.modes.program
        plan = plan_of(whole)
        dynamic = [i for i in plan.carried if i not in plan.functions]
        plans.append((len(dynamic), len(plan.inner)))
    assert plans[0] == plans[1]


@pytest.mark.parametrize("kind", ["linear", "spline", "quintic"])
def test_the_chosen_piece_is_the_one_of_the_time(kind: str) -> None:
    """Against the polynomials one by one: at rows, between them, before the first and after the last."""
    system = followed(7, kind)
    model, motion = system.model, system.model.motions[0]
    pieces = pieces_of(kind, motion.times, [row[0] for row in motion.rows])
    tree = Engine.of(model).tree
    for t in (-0.5, 0.0, 0.1, motion.times[3], 1.3, 1.999, 2.0, 5.0):
        found = reference(Quantities(model, tree, [0.0], [0.0], t), motion, 0)
        if t < 0.0 or t >= 2.0:
            wanted = (motion.rows[0 if t < 0.0 else -1][0], 0.0, 0.0)
        else:
            i = max(k for k, knot in enumerate(motion.times[:-1]) if knot <= t)
            line = np.polynomial.Polynomial(pieces[i])
            wanted = tuple(float(each(t - motion.times[i])) for each in (line, line.deriv(), line.deriv(2)))
        assert (found.value, found.rate, found.gain) == pytest.approx(wanted, rel=1e-13, abs=1e-13)
