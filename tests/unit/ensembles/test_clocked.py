"""Ensembles of what has a clock: every run has the bits of a run of its own, noise and rays among them."""

from __future__ import annotations

import numpy as np
import pytest

import sistel

WALL = """<system name="a cart and a wall">
  <gravity value="0"/>
  <world><box name="wall" place="2000,0" size="200,1000"/></world>
  <body name="cart" joint="prismatic" axis="x" mass="2 kg"><motor name="drive"/>
    <frame name="left eye" place="300,-100"/><frame name="right eye" place="300,100"/></body>
  <scheme name="brake" period="2 ms" seed="7">
    <sensor name="front" kind="rangefinder" rays="left eye, right eye" range="5 m" noise="2 mm"/>
    <sensor name="speed" kind="rate" of="cart" noise="1 mm/s"/>
    <block name="free" kind="min" in="front"/>
    <output motor="drive" from="6 N/m*(free - 500 mm) - 7 N*s/m*speed"/>
  </scheme></system>"""


@pytest.mark.parametrize("tolerance", [2.0**-52, 1e-6])
def test_noise_on_threads_has_the_bits_of_single_runs(tolerance: float) -> None:
    system = sistel.parse(WALL)
    starts = np.linspace(0.0, 0.5, 12)
    single = [system.simulate(0.3, q=[start], keep="events", tolerance=tolerance).last for start in starts]
    kept = system.simulate(0.3, q=[starts[3]], tolerance=tolerance).last
    assert np.array_equal(kept, single[3])
    for threads in (1, 2):
        found = system.ensemble(0.3, initial={"cart": starts}, threads=threads, chunk=5, tolerance=tolerance)
        assert np.array_equal(found.state, np.array(single))
    assert len({round(float(last[1]), 12) for last in single}) == len(starts)
