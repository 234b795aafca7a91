"""Equations in blocks are solved as by the library, whatever the blocks are."""

from __future__ import annotations

import numpy as np
import pytest

from sistel.simulation.contact._blocks import BLOCK, solve_blocks


@pytest.mark.parametrize("size", [1, BLOCK, BLOCK + 1, 2 * BLOCK, 200])
def test_blocks(size: int) -> None:
    made = np.random.default_rng(size)
    A = made.normal(size=(size, size)) + 3.0 * np.sqrt(size) * np.eye(size)
    x = made.normal(size=size)
    assert solve_blocks(A, A @ x) == pytest.approx(x, abs=1e-13)


def test_a_singular_block_of_a_matrix_that_is_none() -> None:
    """Exchanged halves: the first block is zero."""
    size = 2 * BLOCK
    A = np.roll(np.eye(size), BLOCK, axis=0)
    right = np.arange(float(size))
    assert (solve_blocks(A, right) == np.roll(right, -BLOCK)).all()
    with pytest.raises(np.linalg.LinAlgError):
        solve_blocks(np.zeros((size, size)), right)
