"""Free bodies whose coordinates begin at a place of their own: many contacts go in the same loop, to the same motion."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.automaton import elements_of
from sistel.simulation.plane import crowd_of
from sistel.simulation.space import crowd_in_space

TURN = 30.0
PLANE = """<system name="s"><world><polyline name="o" points="-1000,0; 500,0; 500,150; 2000,150; 2000,300; 3000,300"/>
  </world><body name="b" joint="free" mass="2" inertia="0.02" com="5,3" {placed}><box name="c" size="200,100"/></body>
  <body name="d" joint="free" mass="1" inertia="0.01"><box name="e" size="100,100"/></body><links>
  <contact name="k" of="c" to="o" friction="0.2" restitution="0.3"/>
  <contact name="f" of="e" to="o" friction="0.3" restitution="0.3"/>
  <contact name="g" of="e" to="c" friction="0.3" restitution="0.3"/></links>
  <start><coordinate of="b" {start}/><coordinate of="d" value="100,-300,20"/></start></system>"""
SPACE = """<system name="s" space="spatial"><world><box name="o" size="2000,2000,100" place="0,0,-50"/></world>
  <body name="b" joint="free" {placed} mass="1" com="3,4,-5" inertia="0.01,0.02,0.01"><box name="c" size="100,80,60"/>
  </body><links><contact name="k" of="c" to="o" friction="0.3" restitution="0.2"/></links>
  <start><coordinate of="b" {start}/></start></system>"""
RATE = 'rate="1,2,3,0.1,0.2,0.3"'


def test_a_placed_body_of_the_plane_moves_as_one_that_starts_there() -> None:
    c, s = math.cos(math.radians(TURN)), math.sin(math.radians(TURN))
    R, at = np.array([[c, -s], [s, c]]), np.array([0.1, -0.1])
    texts = (
        PLANE.format(placed="", start=f'value="100,-100,{TURN}" rate="2000,0,0"'),
        PLANE.format(placed=f'place="100,-100" turn="{TURN}"', start=f'rate="{2000 * c!r},{-2000 * s!r},0"'),
    )
    made = [sistel.parse(text) for text in texts]
    assert all(crowd_of(each.model, elements_of(each.model), 20, 2.0**-52) is not None for each in made)
    one, two = (each.simulate(0.6) for each in made)
    assert len(one.events) == len(two.events) > 40
    assert two.events[-1].time == pytest.approx(one.events[-1].time, abs=1e-12)
    for time in (0.05, 0.33, 0.6):
        (q, v), (p, w) = one(time), two(time)
        np.testing.assert_allclose(R @ p[:2] + at, q[:2], rtol=0, atol=1e-12)
        assert p[2] + math.radians(TURN) == pytest.approx(q[2], abs=1e-12)
        np.testing.assert_allclose(R @ w[:2], v[:2], rtol=0, atol=1e-11)
        np.testing.assert_allclose(p[3:], q[3:], rtol=0, atol=1e-12)
        np.testing.assert_allclose(w[2:], v[2:], rtol=0, atol=1e-11)
    np.testing.assert_allclose(np.sum(two.energies(), axis=0)[-1], np.sum(one.energies(), axis=0)[-1], rtol=1e-12)


def test_a_placed_box_in_space_moves_as_one_that_starts_there() -> None:
    here = 'place="10,20,200" turn="20,30,40"'
    made = [
        sistel.parse(SPACE.format(placed=placed, start=f"{start} {RATE}")) for placed, start in ((here, ""), ("", here))
    ]
    assert all(crowd_in_space(each.model, elements_of(each.model), 20, 2.0**-52) is not None for each in made)
    one, two = (each.simulate(0.8) for each in made)
    assert len(one.events) == len(two.events) > 20
    for quantity in ("energy()", "gap(k)"):
        np.testing.assert_allclose(one.quantity(quantity)[-1], two.quantity(quantity)[-1], rtol=0, atol=1e-11)
    np.testing.assert_allclose(one.v[-1], two.v[-1], rtol=0, atol=1e-10)
    np.testing.assert_allclose(np.linalg.norm(one.q[-1][:4]), 1.0, rtol=1e-12)
    # A body that was left where it is placed keeps coordinates of its own, which begin at none.
    np.testing.assert_allclose(one(0.0)[0], [1, 0, 0, 0, 0, 0, 0], rtol=0, atol=1e-15)
