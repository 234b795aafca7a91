"""Motions that are forced along straight lines: velocities jump at the rows of the table, and nowhere else."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel

TIMES, PLACES = (0.0, 1.0, 1.7, 3.0), (0.0, 1.0, -0.3, 2.0)
ROWS = "".join(f'<row time="{t}" values="{1000 * x}"/>' for t, x in zip(TIMES, PLACES, strict=True))
CART = """<system><body name="cart" joint="prismatic" axis="x" mass="1">{motion}{bob}</body></system>"""
BOB = '<body name="bob" joint="revolute" mass="2" com="0, 500"/>'
AROUND = np.array([0.5, 0.999, 1 + 1e-12, 1.001, 1.3, 1.699, 1.7 + 1e-12, 1.75, 2.9999, 3 + 1e-12, 3.01, 3.9])


def test_straight_lines() -> None:
    system = sistel.parse(CART.format(motion=f'<motion interpolation="linear">{ROWS}</motion>', bob=""))
    run = system.simulate(4.0)
    q, v = run(AROUND)[:2]
    slopes = np.diff(PLACES) / np.diff(TIMES)
    pieces = np.searchsorted(TIMES, AROUND, side="right") - 1
    assert q[:, 0] == pytest.approx(np.interp(AROUND, TIMES, PLACES), abs=4e-15)
    assert v[:, 0] == pytest.approx([[*slopes, 0.0][i] for i in pieces], abs=2e-15)


def test_again_and_again() -> None:
    """A saw repeats: its jump back is a row like any other."""
    rows = '<row time="0" values="0"/><row time="0.3" values="600"/><row time="0.7" values="0"/>'
    system = sistel.parse(CART.format(motion=f'<motion interpolation="linear" repeat="yes">{rows}</motion>', bob=""))
    run = system.simulate(3.0)
    t = np.linspace(0.013, 2.987, 101)
    phase = t % 0.7
    assert run(t)[0][:, 0] == pytest.approx(np.interp(phase, [0, 0.3, 0.7], [0, 0.6, 0]), abs=1e-14)
    assert run(t)[1][:, 0] == pytest.approx(np.where(phase < 0.3, 2.0, -1.5), abs=1e-13)


@pytest.mark.parametrize("way", ["table", "formula"])
def test_what_hangs_on_it_is_struck(way: str) -> None:
    """A bob under a cart: m l (l w + u cos a) about the hinge passes through the jump of the cart's velocity u."""
    if way == "table":
        rows = '<row time="0" values="0"/><row time="1" values="1000"/><row time="2" values="500"/>'
        motion, jump = f'<motion interpolation="linear">{rows}</motion>', -1.5
    else:
        motion, jump = '<motion value="1 m - abs(t - 1 s)*1 m/(1 s)"/>', -2.0
    run = sistel.parse(CART.format(motion=motion, bob=BOB)).simulate(1.5)
    (q0, q1), (v0, v1) = run([1 - 1e-13, 1 + 1e-13])[:2]
    assert v1[0] - v0[0] == pytest.approx(jump, abs=1e-14)
    gain = v1[1] - v0[1]
    assert abs(gain) == pytest.approx(abs(jump) * math.cos(q1[1]) / 0.5, abs=1e-11)
    assert abs(q1[1] - q0[1]) < 1e-11
    # Between the jumps the cart moves evenly: the energy of the bob as seen from it stays.
    for begin, end in ((0.0, 1.0), (1.0, 1.5)):
        t = np.linspace(begin + 1e-9, end - 1e-9, 9)
        q, v = run(t)[:2]
        energy = 0.5 * (0.5 * v[:, 1]) ** 2 - 9.81 * 0.5 * np.cos(q[:, 1])
        assert energy == pytest.approx(energy[0], abs=1e-12)
