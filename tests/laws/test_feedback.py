"""Loops through accelerations and reactions: forces that depend on what depends on them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sistel

SLIDE = """<system><gravity value="0"/><parameter name="m" value="2 kg"/>
  <body name="p" joint="prismatic" mass="m" com="0,0"><motor name="p"/></body><scheme name="c" {}>{}</scheme></system>"""
ARM = """<system>
  <body name="a" joint="revolute" mass="1" com="0,500" inertia="0.1"><motor name="a"/>
    <body name="b" joint="revolute" place="0,500" mass="1" com="0,500" inertia="0.1"><motor name="b"/></body></body>
  <start><coordinate of="a" value="1 rad"/></start><scheme name="c">{}</scheme></system>"""


def test_acceleration_that_is_fed_back_is_mass() -> None:
    run = sistel.parse(
        SLIDE.format("", '<signal name="acc" value="acceleration(p)"/><output motor="p" from="6 N - 3 kg*acc"/>')
    ).simulate(2.0)
    assert run.q[-1, 0] == pytest.approx(0.5 * 6 / (2 + 3) * 4, abs=1e-14)
    assert run.quantity("acc", [1.0])[0] == pytest.approx(1.2, abs=1e-15)
    assert run.quantity("torque(p)", [1.0])[0] == pytest.approx(2.4, abs=1e-14)


def test_a_pendulum_with_more_inertia() -> None:
    """(J + k) q'' = −m g l sin q, by DOP853."""
    run = sistel.parse(
        '<system><body name="p" joint="revolute" mass="1" com="0,500" inertia="0.05"><motor name="p"/></body>'
        '<start><coordinate of="p" value="1 rad"/></start>'
        '<scheme name="c"><output motor="p" from="-0.4 kg*m^2*acceleration(p)/1 rad"/></scheme></system>'
    ).simulate(3.0)
    inertia = 0.25 + 0.05 + 0.4
    exact = solve_ivp(
        lambda t, y: [y[1], -9.81 * 0.5 * math.sin(y[0]) / inertia],
        (0, 3),
        [1.0, 0.0],
        "DOP853",
        rtol=1e-13,
        atol=1e-14,
    )
    assert [run.q[-1, 0], run.v[-1, 0]] == pytest.approx(exact.y[:, -1], abs=1e-11)


def test_several_accelerations_and_reactions() -> None:
    """Four unknowns at once: motors give what they read, and rates change as accelerations say."""
    run = sistel.parse(
        ARM.format(
            '<signal name="acc" value="acceleration(a)"/>'
            '<output motor="a" from="-0.3 kg*m^2*acc/1 rad + 0.2 m*reaction(b).x"/>'
            '<output motor="b" from="-0.2 kg*m^2*acceleration(b)/1 rad + 0.1 m*reaction(a).y"/>'
        )
    ).simulate(1.0)
    t = np.linspace(0.05, 0.95, 7)
    a, b = run.quantity("acc", t), run.quantity("acceleration(b)", t)
    x, y = run.quantity("reaction(b).x", t), run.quantity("reaction(a).y", t)
    assert run.quantity("torque(a)", t) == pytest.approx(-0.3 * a + 0.2 * x, abs=1e-13)
    assert run.quantity("torque(b)", t) == pytest.approx(-0.2 * b + 0.1 * y, abs=1e-13)
    h = 1e-4
    slope = (run.quantity("rate(a)", t - 2 * h) - run.quantity("rate(a)", t + 2 * h)) / 12
    slope = (slope + 8 * (run.quantity("rate(a)", t + h) - run.quantity("rate(a)", t - h)) / 12) / h
    assert slope == pytest.approx(a, abs=1e-9)  # a difference of fourth order, with rounding over h


def test_what_flows_may_read_without_feeding_back() -> None:
    run = sistel.parse(
        SLIDE.format(
            "",
            '<signal name="acc" value="acceleration(p)"/><block name="w" kind="integrator" in="acc"/>'
            '<output motor="p" from="6 N*cos(3*t)"/>',
        )
    ).simulate(2.0)
    t = np.linspace(0, 2, 9)
    assert run.quantity("acc", t) == pytest.approx(3 * np.cos(3 * t), abs=1e-13)
    assert run.quantity("w", t) == pytest.approx(np.sin(3 * t), abs=1e-12)


def test_conditions_read_through_signals() -> None:
    run = sistel.parse(
        '<system><body name="p" joint="prismatic" mass="2" com="0,0"><motor name="p"/></body><links>'
        '<structure name="s"/><structure name="e"/><transition from="s" to="e" when="acc gt 2 m/s^2"/></links>'
        '<scheme name="c"><signal name="acc" value="acceleration(p)"/><output motor="p" from="t*2 N/1 s"/></scheme></system>'
    ).simulate(4.0)
    assert [event.time for event in run.events] == pytest.approx([2.0], abs=1e-14)


def test_a_clock_samples_what_was() -> None:
    """Each tick reads the acceleration that the last one made."""
    run = sistel.parse(
        SLIDE.format(
            'period="0.1"', '<signal name="acc" value="acceleration(p)"/><output motor="p" from="6 N - 3 kg*acc"/>'
        )
    ).simulate(0.5)
    expected = [3.0]
    for _ in range(3):
        expected.append((6 - 3 * expected[-1]) / 2)
    assert run.quantity("acc", [0.05, 0.15, 0.25, 0.35]) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("scheme", "message", "at"),
    [
        (
            '<signal name="acc" value="acceleration(p)"/><output motor="p" from="6 N - 3 kg*s^2/m*acc*acc"/>',
            r"not as a linear equation does: acceleration\(p\) → acc → force",
            "6 N",
        ),
        (
            '<block name="u" kind="saturation" in="6 N - 3 kg*acceleration(p)" limit="1 N"/><output motor="p" from="u"/>',
            r"not as a linear equation does: acceleration\(p\) → u → force",
            'u"/>',
        ),
        ('<output motor="p" from="6 N + 2 kg*acceleration(p)"/>', "no force solves that", "6 N + 2"),
    ],
)
def test_other_loops_are_refused_with_their_path(scheme: str, message: str, at: str) -> None:
    with pytest.raises(sistel.SistelError, match=message) as raised:
        sistel.parse(SLIDE.format("", scheme)).simulate(1.0)
    span = raised.value.diagnostics[0].span
    assert span is not None and span.source.text[span.start :].startswith(at)
