"""Impulses of many contacts in space: always found, within the laws, and shared where statics leaves them open."""

from __future__ import annotations

import numpy as np
import pytest

from sistel.simulation.contact._cones import ConeProblem, solve_cones
from sistel.simulation.contact._sweeps import COMPLIANCE, sweep, swept


def _struck(rng: np.random.Generator, count: int, friction: float) -> ConeProblem:
    """A body of 1 kg that falls flat on corners in a plane, spinning and sliding."""
    arms = np.column_stack([rng.normal(0, 0.1, (count, 2)), np.full(count, -0.05)])
    inertia = np.diag(1.0 / np.array([0.003, 0.004, 0.005]))
    axes = np.eye(3)[[2, 0, 1]]  # the normal, then two tangents
    rows = np.array([[*np.cross(arm, axis), *axis] for axis in axes for arm in arms])
    weight = np.zeros((6, 6))
    weight[:3, :3], weight[3:, 3:] = inertia, np.eye(3)
    v = np.array([*rng.normal(0, 3, 3), *rng.normal(0, 1, 2), -1.0])
    return ConeProblem(
        G=rows @ weight @ rows.T,
        b=rows @ v,
        friction=(friction,) * count,
        ways=np.zeros((count, 2)),
        pressed=(0.0,) * count,
        bare=(False,) * count,
    )


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("count", [3, 5, 8])
def test_impulses_are_always_found(count: int, friction: float) -> None:
    """Signorini's and Coulomb's laws by their own words, for every contact."""
    for number in range(8):
        problem = _struck(np.random.default_rng([count, number]), count, friction)
        found = solve_cones(problem)
        assert found is not None
        normal, tangent = found.x[:count], found.x[count:].reshape(2, count)
        w = problem.G @ found.x + problem.b
        gap, slip = w[:count], w[count:].reshape(2, count)
        scale = float(np.abs(found.x).max())
        assert normal.min() > -1e-9 * scale and gap.min() > -1e-9
        assert np.abs(normal * gap).max() < 1e-8 * scale
        size, speed = np.hypot(*tangent), np.hypot(*slip)
        assert (size <= friction * normal + 1e-9 * scale).all()
        # Friction takes from the slip what it can: against it, and whole wherever there is any.
        assert np.abs((tangent * slip).sum(axis=0) + friction * normal * speed).max() < 1e-7 * scale


def test_the_compiled_sweep_is_the_written_one() -> None:
    problem = _struck(np.random.default_rng(5), 4, 0.4)
    forces, left = swept(problem, 50)
    x, k = np.zeros(12), 4
    kinds, bare = np.full(k, 2, dtype=np.int64), np.zeros(k, dtype=np.int64)
    compliance = COMPLIANCE * float(np.trace(problem.G)) / (3 * k)
    plain = (problem.G.ravel(), problem.b, np.full(k, 0.4), np.full(k, 0.4), np.zeros(k), np.zeros(2 * k), kinds, bare)
    assert sweep(*plain, k, compliance, 1.0, 50, x) == left
    assert np.array_equal(x, forces)


def test_a_trace_of_compliance_shares_loads_evenly() -> None:
    """Four feet of a square under a blow in its middle: a quarter each, whatever foot the sweeps begin with."""
    arms = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1.0]])
    rows = np.zeros((12, 6))
    for i, (x, y) in enumerate(arms):
        rows[i] = [y, -x, 0, 0, 0, 1]
    problem = ConeProblem(
        G=rows @ rows.T,
        b=rows @ np.array([0, 0, 0, 0, 0, -1.0]),
        friction=(0.0,) * 4,
        ways=np.zeros((4, 2)),
        pressed=(0.0,) * 4,
        bare=(False,) * 4,
    )
    found = solve_cones(problem, [(True, 0)] * 4)
    assert found is not None
    assert found.x[:4] == pytest.approx([0.25] * 4, abs=1e-14)
