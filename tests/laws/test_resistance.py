"""Resistance to rolling and friction of spin: stops and rests by closed forms, energy by the work of the moments."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel

G, M, R, ROLL, SPIN = 9.81, 2.0, 0.1, 0.002, 0.001


def system(shape: str, inertia: str, contact: str, more: str = "", planar: bool = True) -> sistel.System:
    space = "" if planar else ' space="spatial"'
    return sistel.parse(
        f'<system{space}>{more}<body name="b" joint="free" mass="{M}" inertia="{inertia}">{shape}</body>'
        f'<links><contact name="c" of="s" {contact}/></links></system>'
    )


def disk(surface: str = "y = 0", more: str = "") -> sistel.System:
    contact = f'surface="{surface}" friction="0.5" rolling="2 mm" {more}'
    return system('<circle name="s" radius="100"/>', "0.01", contact)


def test_a_disk_rolls_to_its_stop() -> None:
    """m a = F, I α = −F r − δ N: it slows down by δ g / (r (1 + k)), k = I/(m r²) = 1/2."""
    slow = ROLL * G / (R * 1.5)
    run = disk().simulate(9.0, q=[0.0, -R, 0.0], v=[1.0, 0.0, 10.0])
    (event,) = run.events
    assert (event.transition, event.after) == ("c turning stops", "c rolls, c turning sticks")
    assert event.time == pytest.approx(1.0 / slow, rel=1e-13)
    assert run.q[-1] == pytest.approx([0.5 / slow, -R, 5.0 / slow], rel=1e-12)
    turning = run.t < event.time
    assert run.quantity("normal(c)") == pytest.approx(M * G, rel=1e-12)
    assert np.abs(run.quantity("moment(c)"))[turning] == pytest.approx(ROLL * M * G, rel=1e-12)
    assert run.quantity("tangent(c)")[turning] == pytest.approx(M * slow, rel=1e-12)
    energy = run.quantity("energy()")
    assert energy[0] - energy[-1] == pytest.approx(ROLL * M * G * run.q[-1][2], rel=1e-12)
    words = sistel.simulation.event_text(run.model, event.transition)
    assert words.ru == "c качение: прекращается"


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_disk_stays_on_a_slope_below_the_bound_and_rolls_above(way: float) -> None:
    for part in (0.999, 1.001):
        slope = way * part * ROLL / R
        c, s = 1 / math.hypot(1.0, slope), slope / math.hypot(1.0, slope)
        run = disk(f"y = {slope}*x").simulate(2.0, q=[R * s, -R * c, 0.0], v=[0.0] * 3)
        assert not len(run.events)
        moved = run.q[-1] - run.q[0]
        if part < 1:
            assert run.final_structure == "c rolls, c turning sticks"
            np.testing.assert_allclose(moved, 0.0, atol=1e-14)
        else:
            gain = way * G * (abs(s) - c * ROLL / R) / 1.5
            # What is left of the two moments is a thousandth of them.
            assert moved[:2] == pytest.approx([2 * gain * c, 2 * gain * s], rel=1e-10)


def test_it_slips_before_it_rolls_and_flies_without_resistance() -> None:
    """Slip with both laws at once, a rebound, and a turn in the air that nothing resists."""
    friction, v = 0.5, 3.0
    run = disk().simulate(20.0, q=[0.0, -R, 0.0], v=[v, 0.0, 0.0])
    # While it slips the moments of friction and of resistance act on the turn: α = (μ m g r − δ m g)/I.
    gain = (friction * R - ROLL) * M * G / 0.01
    begins = v / (friction * G + R * gain)
    assert [event.transition for event in run.events] == ["c stops sliding", "c turning stops"]
    assert run.events[0].time == pytest.approx(begins, rel=1e-12)
    rest = begins + (v - friction * G * begins) / (ROLL * G / (R * 1.5))
    assert run.events[1].time == pytest.approx(rest, rel=1e-12)
    fall = math.sqrt(2 * 0.5 / G)
    hop = disk(more='restitution="0.5"').simulate(fall + 0.2, q=[0.0, -R - 0.5, 0.0], v=[0.0, 0.0, 2.0])
    assert hop.events[0].time == pytest.approx(fall, rel=1e-13)
    assert {round(float(spin), 12) for spin in hop.v[hop.t < fall, 2]} == {2.0}
    assert float(np.ptp(hop.v[hop.t > fall, 2])) < 1e-14


def test_a_ball_and_a_wheel_roll_to_their_stops_in_space() -> None:
    ball = system(
        '<sphere name="s" radius="100"/>', "0.008", 'surface="z = 0" friction="0.5" rolling="2 mm" spinning="1 mm"',
        planar=False,
    )  # fmt: skip
    run = ball.simulate(8.0, q=[1, 0, 0, 0, 0, 0, R], v=[-6.0, 8.0, 5.0, 0.8, 0.6, 0.0])
    slow = ROLL * G / (R * 1.4)
    assert [event.transition for event in run.events] == ["c spinning stops", "c turning stops"]
    # Spin and rolling know nothing of each other on a plane: I ω/(s m g), v/a.
    assert [event.time for event in run.events] == pytest.approx([0.008 * 5 / (SPIN * M * G), 1 / slow], rel=1e-12)
    assert run.q[-1][4:] == pytest.approx([0.4 / slow, 0.3 / slow, R], abs=1e-11)
    assert run.final_structure == "c rolls, c turning sticks, c spinning sticks"
    wheel = system(
        '<wheel name="s" radius="100" axis="y"/>', "0.005,0.01,0.005", 'surface="z = 0" friction="0.5" rolling="2 mm"',
        planar=False,
    )  # fmt: skip
    run = wheel.simulate(8.0, q=[1, 0, 0, 0, 0, 0, R], v=[0.0, 10.0, 0.0, 1.0, 0.0, 0.0])
    slow = ROLL * G / (R * 1.5)
    assert run.events[0].time == pytest.approx(1 / slow, rel=1e-12)
    assert run.q[-1][4] == pytest.approx(0.5 / slow, rel=1e-12)


def test_a_ball_comes_to_rest_in_a_bowl_where_the_bound_lets_it() -> None:
    """On a curve it stops where the slope is within the bound, and what it lost is the work of the moment."""
    system_ = disk("y = -0.5/(1 m)*x^2")
    run = system_.simulate(40.0, q=[0.3, -0.2, 0.0], v=[0.0] * 3)
    assert run.final_structure == "c rolls, c turning sticks"
    n = run.q[-1][:2]
    assert abs(n[0]) / (1 - R) < ROLL / R  # the centre is on an offset curve whose radius at the bottom is 0.9 m
    assert np.abs(run.v[-1]).max() < 1e-14


@pytest.mark.parametrize(
    ("contact", "code"),
    [
        ('surface="y = 0" spinning="1 mm"', "wrong-shape"),
        ('surface="y = 0" rolls="ideal" rolling="1 mm"', "contradiction"),
        ('surface="y = 0" rolling="-1 mm"', "negative"),
    ],
)
def test_what_cannot_resist_is_refused(contact: str, code: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        system('<circle name="s" radius="100"/>', "0.01", contact)
    (found,) = caught.value.diagnostics
    assert found.code == code and found.span is not None and found.message.ru != found.message.en


def test_the_written_model_keeps_resistances() -> None:
    again = sistel.parse(disk().to_xml()).model.contacts[0]
    assert (again.resistance, again.spinning) == (ROLL, 0.0)
