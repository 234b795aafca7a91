"""Lengths of links for a required reach."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sistel
from sistel.arms import link_lengths
from sistel.pose import Articulated, Parameters

POINTS = st.lists(st.tuples(*[st.floats(-2, 2)] * 3), min_size=1, max_size=6)


@given(POINTS, st.floats(0.3, 3.0))
def test_the_arm_reaches_all_and_no_shorter_one_does(points: list[tuple[float, float, float]], ratio: float) -> None:
    if max(np.linalg.norm(points, axis=1)) < 1e-3:
        return
    upper, fore = link_lengths(points, ratio=ratio)
    sets = Parameters.standard(Articulated(upper=upper, fore=fore))
    back = sets.convert_position(sets.convert_position(points, "cartesian", "angular"), "angular", "cartesian")
    assert np.abs(back - points).max() < 1e-7  # at the very edge of the reach half the digits are left
    shorter = Parameters.standard(Articulated(upper=0.999 * upper, fore=0.999 * fore))
    with pytest.raises(sistel.SistelError, match="reaches from"):
        shorter.convert_position(points, "cartesian", "angular")


def test_the_ratio_is_kept_where_it_can_be() -> None:
    assert link_lengths([[1.0, 0, 0], [0, 0.5, 0]], ratio=2.0) == pytest.approx((2 / 3, 1 / 3))
    upper, fore = link_lengths([[1.0, 0, 0], [0, 0.1, 0]], ratio=2.0)
    assert upper - fore == pytest.approx(0.1) and upper + fore == pytest.approx(1.0)
    assert sum(link_lengths([[1.0, 0.0]], margin=0.1)) == pytest.approx(1.1)
    for wrong in ([], [[np.nan, 0, 0]]):
        with pytest.raises(sistel.SistelError):
            link_lengths(wrong)
