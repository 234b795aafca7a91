"""Motions of coordinates: v is not q̇ where a joint has a quaternion."""

from __future__ import annotations

import numpy as np
import pytest
from support.structures import parsed, poses, random_q, slope, turned

from sistel.mechanics import coordinate_rates, moved

TEXT = """<system space="spatial"><body name="a" joint="free" turn="20,30,40" place="10,20,30" mass="1">
  <body name="b" joint="spherical" place="100,0,0" mass="1"><body name="c" joint="universal" axis="x" axis2="y" mass="1"/></body>
  <body name="d" joint="cylindrical" axis="1,2,2" mass="1"><body name="e" joint="planar" axis="z" mass="1"/></body></body></system>"""


def test_rates_are_the_slopes_of_motions(rng: np.random.Generator) -> None:
    model = parsed(TEXT).model
    for _ in range(20):
        q, v = random_q(model, rng), list(rng.normal(size=model.nv))
        assert coordinate_rates(model, q, v) == pytest.approx(slope(lambda h: moved(model, q, v, h)), abs=1e-11)  # noqa: B023
        assert moved(model, q, v, 0.0) == pytest.approx(q, abs=1e-15)


def test_angular_velocities_are_along_the_axes_of_the_body(rng: np.random.Generator) -> None:
    """Rᵀ Ṙ is the angular velocity in the body, and Rᵀ ṗ its velocity there, for a body on the ground."""
    model = parsed(TEXT).model
    q, v = random_q(model, rng), list(rng.normal(size=model.nv))
    base = np.array(model.bodies[0].R_PB)
    R = base @ turned(q[:4])
    rate = slope(lambda h: poses(model, moved(model, q, v, h))[1])
    spin = R.T @ rate[:3, :3]
    assert (spin[2, 1], spin[0, 2], spin[1, 0]) == pytest.approx(v[:3], abs=1e-11)
    assert R.T @ rate[:3, 3] == pytest.approx(v[3:6], abs=1e-11)


def test_motions_go_on_where_they_stopped(rng: np.random.Generator) -> None:
    """Constant velocities make screws: two steps are one of twice the time, quaternions stay of length 1."""
    model = parsed(TEXT).model
    for size in (1e-9, 1e-5, 1e-4, 1e-3, 1.0, 10.0):
        q, v = random_q(model, rng), list(size * rng.normal(size=model.nv))
        half = moved(model, q, v, 0.5)
        assert moved(model, half, v, 0.5) == pytest.approx(moved(model, q, v), abs=1e-14 * max(1.0, size))
        assert moved(model, moved(model, q, v), v, -1.0) == pytest.approx(q, abs=1e-14 * max(1.0, size))
        assert np.linalg.norm(half[:4]) == pytest.approx(1.0, abs=1e-15)


def test_small_and_large_turns_sweep_alike() -> None:
    """The series that is used below a turn of 1e-4 meets the closed form."""
    model = parsed('<system space="spatial"><body name="a" joint="free" mass="1"/></system>').model
    q = [1.0, 0, 0, 0, 0, 0, 0]
    for turn in (0.99e-4, 1.01e-4):
        found = moved(model, q, [0.0, 0.0, turn, 1.0, 0.0, 0.0])[4:]
        # A circle of radius 1 / turn; its sagitta turn / 2 is what rounding of the quotient of tiny numbers spoils.
        assert found == pytest.approx([np.sin(turn) / turn, 2 * np.sin(turn / 2) ** 2 / turn, 0.0], abs=1e-12)
