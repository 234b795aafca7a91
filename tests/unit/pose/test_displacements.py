"""Screws and dual quaternions against products of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sistel.errors import SistelError
from sistel.pose import Screw, apart, from_dual, from_screw, homogeneous, multiply_dual, to_dual, to_screw


def displacements(count: int, seed: int, turned: float = 1.0) -> Any:
    rng = np.random.default_rng(seed)
    q = np.concatenate([np.ones((count, 1)), turned * rng.normal(size=(count, 3))], axis=1)
    if turned == 1.0:
        q = rng.normal(size=(count, 4))
    return homogeneous(q / np.linalg.norm(q, axis=1, keepdims=True), rng.normal(size=(count, 3)))


@pytest.mark.parametrize("turned", [1.0, 1e-3, 1e-8, 1e-15, 1e-120, 1e-200, 0.0])
def test_round_trips_keep_all_digits(turned: float) -> None:
    """Also where the line of a screw is far away."""
    X = displacements(500, 1, turned)
    assert np.abs(from_screw(to_screw(X)) - X).max() < 4e-15
    assert np.abs(from_dual(to_dual(X)) - X).max() < 4e-15


def test_a_screw_turns_about_its_line() -> None:
    """Points of the line only move along it; all others turn about it by the angle."""
    X = displacements(100, 2)
    screw = to_screw(X)
    for s in (0.0, 1.0, -2.5):
        on_line = screw.point + s * screw.axis
        moved = np.einsum("nij,nj->ni", X[:, :3, :3], on_line) + X[:, :3, 3]
        expected = on_line + screw.distance[:, None] * screw.axis
        assert np.abs(moved - expected).max() < 1e-12  # lines of small turns pass far from the origin
    assert np.abs(np.trace(X[:, :3, :3], axis1=1, axis2=2) - (1 + 2 * np.cos(screw.angle))).max() < 1e-14
    assert np.abs(np.einsum("ni,ni->n", screw.point, screw.axis)).max() < 1e-12
    assert np.allclose(screw.pitch * screw.angle, screw.distance)


def test_known_screws() -> None:
    """A quarter turn about a vertical line through (1, 0) that climbs by 0.5."""
    z, one = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
    X = from_screw(Screw(axis=z, point=one, angle=np.array(math.pi / 2), distance=np.array(0.5)))
    assert np.abs(X - [[0, -1, 0, 1], [1, 0, 0, -1], [0, 0, 1, 0.5], [0, 0, 0, 1]]).max() < 1e-15
    slide = to_screw(homogeneous([1.0, 0.0, 0.0, 0.0], [0.0, 3.0, 0.0]))
    assert slide.axis.tolist() == [0, 1, 0] and slide.distance == 3 and slide.angle == 0 and math.isinf(slide.pitch)
    still = to_screw(np.eye(4))
    assert still.distance == 0 and still.angle == 0


def test_products_are_those_of_matrices() -> None:
    A, B = displacements(200, 3), displacements(200, 4)
    assert np.abs(from_dual(multiply_dual(to_dual(A), to_dual(B))) - A @ B).max() < 4e-15
    # Lengths do not matter.
    assert np.abs(from_dual(3.7 * to_dual(A)) - A).max() < 4e-15


def test_what_is_no_displacement_is_told() -> None:
    wrong = np.eye(4)
    wrong[3, 0] = 1.0
    stretched = np.diag([2.0, 1.0, 1.0, 1.0])
    for bad, code in ((wrong, "no-displacement"), (stretched, "no-rotation")):
        with pytest.raises(SistelError) as caught:
            apart(bad)
        assert caught.value.diagnostics[0].code == code
    with pytest.raises(SistelError, match="real part"):
        from_dual(np.zeros(8))
