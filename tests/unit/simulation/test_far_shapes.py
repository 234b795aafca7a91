"""Shapes that are far from each other: they do not overlap, wherever they are, and many of them are read quickly."""

from __future__ import annotations

import pytest

import sistel
from sistel.simulation.contact._overlaps import _before, _Placed


def teeth(count: int) -> str:
    obstacles = "".join(f'<polygon name="o{i}" place="{300 * i},0" points="-60,0; 0,-60; 60,0"/>' for i in range(count))
    return f"""<system name="teeth"><world>{obstacles}</world>
      <body name="ball" joint="free" mass="1" inertia="0.001"><circle name="c" radius="50"/></body>
      <links><contact name="k" of="c" to="world"/></links>
      <start><coordinate of="ball" value="20,-200,0"/></start></system>"""


@pytest.mark.parametrize("height", [0.0, -0.2, 0.2, -0.06])
def test_far_corners_have_a_point_before_them(height: float) -> None:
    """At a corner two sides are equally near, to rounding: which of them tells the side is no matter of luck."""
    for i in range(1, 2000):
        x = 0.3 * i
        triangle = _Placed([(x - 0.06, 0.0), (x, -0.06), (x + 0.06, 0.0)], 0.0, True)
        assert _before((0.02, height), triangle) > 0.2, i
    inside = _Placed([(-0.06, 0.0), (0.0, -0.06), (0.06, 0.0)], 0.0, True)
    assert _before((0.01, -0.02), inside) < 0.0


def test_many_obstacles_have_as_many_outlines_as_few() -> None:
    """Sides of far obstacles are looked at together; 267 of them were said to overlap a ball 80 m away."""
    few, many = (sistel.parse(teeth(count)) for count in (3, 267))
    assert len(few.model.contacts) == len(many.model.contacts)
    run = many.simulate(0.01)
    assert not run.events
