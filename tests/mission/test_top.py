"""Row B30 of the mission: a run in quaternions equals a run in angles, derived and integrated here."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.structures import integrated, rotation, turned

import sistel

UNTIL = 10.0
"""[s]"""
X, Y, Z = np.eye(3)


def angle_equations(axes: str, mass: float, centre: float, inertia: tuple[float, float, float]) -> Callable[..., Any]:
    """Lagrange's equations of a body with a fixed point in three angles, by SymPy: rates of angles and of their rates.

    Args:
        axes: About which axis of the turned body each angle turns, as "zyz".
        mass: [kg]
        centre: How far along the body's z its centre of mass is [m].
        inertia: About the fixed point, along the axes of the body [kg·m²].
    """
    import sympy

    angles, rates = sympy.symbols("a:3"), sympy.symbols("r:3")
    matrices = {"x": sympy.rot_ccw_axis1, "y": sympy.rot_ccw_axis2, "z": sympy.rot_ccw_axis3}
    turns = [matrices[axis](angle) for axis, angle in zip(axes, angles, strict=True)]
    R = turns[0] * turns[1] * turns[2]
    # ω in the body: each rate is about its axis, seen through the turns after it.
    units = {"x": sympy.Matrix([1, 0, 0]), "y": sympy.Matrix([0, 1, 0]), "z": sympy.Matrix([0, 0, 1])}
    after = [(turns[1] * turns[2]).T, turns[2].T, sympy.eye(3)]
    spin = sum((m * units[axis] * rate for m, axis, rate in zip(after, axes, rates, strict=True)), sympy.zeros(3, 1))
    lagrangian = sum(i * w**2 for i, w in zip(inertia, spin, strict=True)) / 2 - mass * 9.81 * centre * R[2, 2]
    momenta = [sympy.diff(lagrangian, rate) for rate in rates]
    M = sympy.Matrix(3, 3, lambda i, j: sympy.diff(momenta[i], rates[j]))
    forces = sympy.Matrix(
        [
            sympy.diff(lagrangian, angles[i]) - sum(sympy.diff(momenta[i], angles[j]) * rates[j] for j in range(3))
            for i in range(3)
        ]
    )
    numbers = sympy.lambdify([*angles, *rates], [list(M), list(forces)], cse=True)

    def rate(t: Any, y: Any) -> Any:
        matrix, push = numbers(*y.T)
        parts = [np.stack([np.broadcast_to(each, len(y)) for each in part], axis=-1) for part in (matrix, push)]
        gained = np.linalg.solve(parts[0].reshape(-1, 3, 3), parts[1][..., None])[..., 0]
        return np.concatenate([y[:, 3:], gained], axis=1)

    return rate


def spin_of(axes: str, angles: Any, rates: Any) -> Any:
    """Angular velocity in the body."""
    units = {"x": X, "y": Y, "z": Z}
    turns = [rotation(units[axis], angle) for axis, angle in zip(axes, angles, strict=True)]
    after = [(turns[1] @ turns[2]).T, turns[2].T, np.eye(3)]
    return sum(R @ units[axis] * rate for R, axis, rate in zip(after, axes, rates, strict=True))


def attitude(axes: str, angles: Any) -> Any:
    units = {"x": X, "y": Y, "z": Z}
    first, second, third = (rotation(units[axis], angle) for axis, angle in zip(axes, angles, strict=True))
    return first @ second @ third


def quaternion(R: Any) -> Any:
    """(w, x, y, z) of a rotation that is no half turn."""
    w = math.sqrt(1 + np.trace(R)) / 2
    return np.array([w, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w))])


@pytest.mark.slow
def test_B30(models_dir: Path) -> None:
    """The heavy top of the gallery on its tip, with precession and nutation: precession, nutation and spin as angles."""
    system = sistel.load(models_dir / "spinning_top.xml")
    m, l, r = 0.08, 0.035, 0.03  # noqa: E741
    across, along = m * r * r / 4 + m * l * l, m * r * r / 2  # about the tip
    angles, rates = [0.0, math.radians(20), 0.0], [4.0, 0.0, 100.0]
    equations = angle_equations("zyz", m, l, (across, across, along))
    end = integrated(equations, [*angles, *rates], UNTIL, 400)
    # Other steps: what the angles themselves are good for.
    assert np.abs(integrated(equations, [*angles, *rates], UNTIL, 300) - end).max() < 1e-10
    run = system.simulate(UNTIL, q=quaternion(attitude("zyz", angles)), v=spin_of("zyz", angles, rates))
    assert run.q.shape[1] == 4 and np.abs(np.linalg.norm(run.q, axis=1) - 1).max() < 1e-14
    assert np.abs(turned(run.q[-1]) - attitude("zyz", end[:3])).max() < 1e-9
    assert run.v[-1] == pytest.approx(spin_of("zyz", end[:3], end[3:]), abs=1e-7)
    # It really nodded and went round and round.
    assert end[0] > 2 * math.pi and end[2] > 900
    lean = np.arccos([turned(q)[2, 2] for q in run(np.linspace(0.0, 1.0, 200))[0]])
    assert np.ptp(lean) > math.radians(5)


def test_B30_free() -> None:
    """A body that nothing holds, with three different inertias, thrown up and tumbling."""
    inertia, height, speed = (0.02, 0.03, 0.045), 1.5, (0.3, -0.2, 12.0)
    numbers = ", ".join(map(str, inertia))
    system = sistel.parse(
        f'<system space="spatial"><body name="top" joint="free" mass="2" inertia="{numbers}"/></system>'
    )
    angles, rates = [0.3, 1.1, -0.4], [2.0, 0.6, 7.0]
    equations = angle_equations("zxz", 0.0, 0.0, inertia)
    end = integrated(equations, [*angles, *rates], UNTIL, 250)
    assert np.abs(integrated(equations, [*angles, *rates], UNTIL, 200) - end).max() < 1e-10
    R = attitude("zxz", angles)
    start = [*quaternion(R), 0.0, 0.0, height]
    # Velocities of a free body are along its own axes.
    run = system.simulate(UNTIL, q=start, v=[*spin_of("zxz", angles, rates), *(R.T @ speed)])
    assert run.q.shape[1] == 7 and np.abs(np.linalg.norm(run.q[:, :4], axis=1) - 1).max() < 1e-14
    assert np.abs(turned(run.q[-1, :4]) - attitude("zxz", end[:3])).max() < 1e-9
    assert run.v[-1, :3] == pytest.approx(spin_of("zxz", end[:3], end[3:]), abs=1e-8)
    # Its centre flies as a stone does.
    flown = [UNTIL * speed[0], UNTIL * speed[1], height + UNTIL * speed[2] - 9.81 * UNTIL**2 / 2]
    assert run.q[-1, 4:] == pytest.approx(flown, abs=1e-9)
    # It tumbled: its third axis nodded, and it turned about it many times.
    lean = np.arccos([turned(q)[2, 2] for q in run(np.linspace(0.0, UNTIL, 500))[0][:, :4]])
    assert np.ptp(lean) > math.radians(15) and abs(end[2] - angles[2]) > 20
