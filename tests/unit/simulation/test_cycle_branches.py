"""Cycles followed along a parameter: between the values, up to where a branch ends, and what is said there."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import follow_cycles

MODELS = Path(__file__).resolve().parents[3] / "models"

DUFFING = """
<system name="duffing" class="planar open chain">
  <parameter name="w" value="1.2 rad/s"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1" damping="0.2 N*s/m">
    <force value="0.3 N*cos(w*t) - 1 N/m*x(a) - 1 N/m^3*x(a)^3, 0"/>
  </body>
  <start a="1 m"/>
</system>"""


def test_the_simplest_walker_down_to_gentle_slopes() -> None:
    """Feet of 1e-12 of the hip: off the constraints the derivative of the map is another one."""
    system = sistel.load(MODELS / "simplest_walker.xml")
    slopes = np.linspace(0.009, 0.004, 11).tolist()
    made = follow_cycles(system, "slope", slopes)
    assert len(made) == 11 and all(cycle.success and cycle.stable for cycle in made)
    # Garcia et al. 1998: the angle goes with the cube root of the slope.
    half = [abs(cycle.q[2]) for cycle in made]
    assert [angle / slope ** (1 / 3) for angle, slope in zip(half, slopes, strict=True)] == pytest.approx(
        [half[0] / slopes[0] ** (1 / 3)] * 11, rel=0.01
    )
    assert all(cycle.transition == made[0].transition for cycle in made)
    # Another file, from a start of its own (Schwab and Wisse 2001).
    own = sistel.load(MODELS / "simplest_walker_basin.xml").cycle()
    assert made[-1].period == pytest.approx(own.period, rel=1e-7)


def test_steps_between_values_that_lie_far_apart() -> None:
    legs = {"left_leg": "right_leg"}
    system = sistel.load(MODELS / "compass_walker.xml")
    near = follow_cycles(system, "slope", np.linspace(0.0525, 0.012, 10).tolist(), mirror=legs)
    far = follow_cycles(system, "slope", [0.0525, 0.012], mirror=legs)
    assert [cycle.success for cycle in far] == [True, True]
    assert far[-1].q == pytest.approx(near[-1].q, abs=1e-11) and far[-1].period == pytest.approx(near[-1].period)


def test_the_end_of_a_branch_where_the_wheel_cannot_get_over_its_spoke() -> None:
    """What a step gains has to be enough to pass the vertical: a closed form."""
    a, kept = math.radians(22.5), 0.5862741699796952078082702

    def spare(slope: float) -> float:
        speed = (
            kept / (1 - kept) * 4 * 9.81 * math.sin(a) * math.sin(slope)
        )  # times the inertia: squared, after a strike
        return 0.5 * speed - 9.81 * (1 - math.cos(a - slope))

    low, high = 0.01, 0.08
    while high - low > 1e-15:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if spare(middle) < 0 else (low, middle)
    made = follow_cycles(sistel.load(MODELS / "rimless_wheel.xml"), "slope", [0.08, 0.07, 0.06, 0.05, 0.04])
    assert [cycle.success for cycle in made] == [True, True, True, False]
    assert made[-1].reached == pytest.approx(high, rel=1e-5)
    assert "the branch of cycles ends near slope = 0.05278" in made[-1].reason.en
    assert "ветвь циклов кончается около slope = 0.05278" in made[-1].reason.ru


def test_a_fold() -> None:
    """The upper branch of Duffing's oscillator ends where it meets the one that repels; harmonics say where."""
    made = follow_cycles(sistel.parse(DUFFING), "w", [0.8, 1.2, 1.6], period="2*pi/w")
    assert [cycle.success for cycle in made] == [True, True, False]
    last = made[-1]
    assert last.reached is not None and "fold" in last.reason.en and "складка" in last.reason.ru
    assert abs(last.multipliers[0] - 1.0) < 0.02
    # The equations of collocation, which know no time steps, become singular there.
    count, w = 128, last.reached
    run = sistel.parse(DUFFING).with_parameters(w=w).simulate(last.period, q=last.q, v=last.v)
    x = run(np.arange(count) * last.period / count)[0][:, 0]
    apart = np.arange(count)[:, None] - np.arange(count)
    with np.errstate(divide="ignore"):
        D = np.where(apart == 0, 0.0, 0.5 * w * (-1.0) ** apart / np.tan(apart * math.pi / count))
    t = np.arange(count) * math.tau / count
    assert D @ D @ x + 0.2 * D @ x + x + x**3 == pytest.approx(0.3 * np.cos(t), abs=1e-9)
    J = D @ D + 0.2 * D + np.eye(count) + np.diag(3 * x * x)
    assert np.linalg.svd(J, compute_uv=False)[-1] < 0.01


def test_the_part_that_was_found_is_told_as_it_is_found() -> None:
    seen: list[float] = []

    def stop(value: float, cycle: object, residual: float) -> None:
        if cycle is not None:
            seen.append(value)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        follow_cycles(sistel.load(MODELS / "rimless_wheel.xml"), "slope", [0.08, 0.075, 0.07], progress=stop)
    assert seen == [0.08, 0.075]
