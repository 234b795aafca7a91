"""Motors that schemes command by speed, by position and by their brakes, and what gears lose: closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError
from sistel.views.live._refusals import why_no_motion

DIGITS = 1e-13
CLOCK = 'period="1/10"'
OTHERS = 'period="1/3"'
"""A clock whose ticks are none of the instants here."""


def near(x: Any) -> Any:
    return pytest.approx(x, rel=DIGITS, abs=DIGITS)


def shaft(motor: str, scheme: str, clock: str = "", body: str = "", load: str = "", start: str = "") -> sistel.System:
    """A shaft with a moment of inertia of 2 kg·m² and a motor."""
    return sistel.parse(
        f"""<system name="shaft"><gravity value="0"/>
        <body name="a" joint="revolute" mass="1" inertia="2" {body}><motor name="m" {motor}/>{load}</body>
        <scheme name="s" {clock}>{scheme}</scheme><start {start}/></system>"""
    )


BRAKED = '<signal name="hold" value="t ge 1 s"/><output motor="m" brake="hold"/>'


# --- speed and position --------------------------------------------------------------------------------------------


def test_a_speed_is_followed_within_the_limit() -> None:
    """The limit of 3 N·m holds until the error is 0.75 rad/s; from there on the error decays with kd/J."""
    run = shaft('kd="4" limit="3 N*m"', '<output motor="m" from="5 rad/s"/>').simulate(6.0)
    t = np.linspace(0.0, 6.0, 121)
    corner = 4.25 / 1.5
    speed = np.where(t <= corner, 1.5 * t, 5.0 - 0.75 * np.exp(-2.0 * (t - corner)))
    np.testing.assert_allclose(run(t)[1][:, 0], speed, rtol=DIGITS, atol=DIGITS)
    torque = np.where(t <= corner, 3.0, 3.0 * np.exp(-2.0 * (t - corner)))
    np.testing.assert_allclose(run.quantity("torque(m)", t), torque, rtol=1e-11)  # a difference of two speeds


def test_a_position_is_followed() -> None:
    """An oscillator: J x¨ = kp (1 − x) − kd x˙ with J = 2, kp = 10, kd = 4 has the roots −1 ± 2i."""
    run = shaft('kp="10" kd="4"', '<output motor="m" from="1 rad"/>').simulate(5.0)
    t = np.linspace(0.0, 5.0, 101)
    exact = 1.0 - np.exp(-t) * (np.cos(2.0 * t) + 0.5 * np.sin(2.0 * t))
    np.testing.assert_allclose(run(t)[0][:, 0], exact, rtol=DIGITS, atol=DIGITS)


def test_a_position_that_runs_away_is_followed_at_a_distance() -> None:
    """A ramp of 0.5 rad/s is followed kd/kp · 0.5 rad behind, as the damping is against all motion."""
    run = shaft('kp="10" kd="4"', '<signal name="x" value="0.5 rad/s*t"/><output motor="m" from="x"/>').simulate(40.0)
    assert run.q[-1] == near([0.5 * 40.0 - 0.4 * 0.5])


def test_a_slide_is_told_in_metres() -> None:
    text = """<system><gravity value="0"/><body name="a" joint="prismatic" mass="2"><motor name="m" kp="10" kd="4"/></body>
        <scheme name="s"><output motor="m" from="1 m"/></scheme></system>"""
    turn = shaft('kp="10" kd="4"', '<output motor="m" from="1 rad"/>')
    assert sistel.parse(text).simulate(2.0).q[-1] == near(turn.simulate(2.0).q[-1])


def test_the_greatest_speed_and_the_winding_bound_a_servo() -> None:
    """Far from its place a servo goes at its greatest speed; a winding gives it K/R (U − K v) at most."""
    fast = shaft('kp="4000" kd="400" speed="0.5 rad/s"', '<output motor="m" from="3 rad"/>').simulate(4.0)
    assert fast(3.0)[1][0] == pytest.approx(0.5, rel=1e-12)
    weak = shaft(
        'kp="1e6" kd="1e3" voltage="12 V" resistance="2 Ohm" constant="0.5 V*s/rad"',
        '<output motor="m" from="1000 rad"/>',
    ).simulate(10.0)
    t = np.linspace(0.0, 10.0, 51)
    np.testing.assert_allclose(weak(t)[1][:, 0], 24.0 * -np.expm1(-0.0625 * t), rtol=DIGITS, atol=DIGITS)


def test_a_sampled_position() -> None:
    """What is asked stays from tick to tick; the motor follows it all the time."""
    scheme = '<signal name="x" value="select(t lt 1 s, 0 rad, 1 rad)"/><output motor="m" from="x"/>'
    run = shaft('kp="10" kd="4"', scheme, CLOCK).simulate(3.0)
    exact = 1.0 - np.exp(-2.0) * (np.cos(4.0) + 0.5 * np.sin(4.0))
    assert run.q[-1] == near([exact])


# --- brakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clock", "how"),
    [
        ("", {}),
        *((clock, how) for clock in (CLOCK, OTHERS) for how in ({}, {"method": "radau"}, {"method": "runge-kutta"})),
    ],
)
def test_time_and_angle_of_stopping(clock: str, how: dict[str, Any]) -> None:
    """4 N·m on 2 kg·m² stop 3 rad/s in 1.5 s and 2.25 rad; a tick at that very instant hides nothing."""
    run = shaft('brake="4 N*m"', BRAKED, clock, start='a.rate="3 rad/s"').simulate(4.0, **how)
    (stop,) = (event for event in run.events if "brake" in event.transition)
    assert stop.transition == "brake(m) stops sliding"
    assert stop.time == pytest.approx(2.5, rel=1e-12)
    assert run.v[-1] == near([0.0])
    assert run.q[-1] == pytest.approx([3.0 + 2.25], rel=1e-12)


@pytest.mark.parametrize("period", ["1/10", "1/7"])
def test_friction_that_ends_at_a_tick(period: str) -> None:
    """The same for dry friction of a joint: it stops at 1.5 s, with a tick or without."""
    run = shaft("", '<signal name="x" value="t"/>', f'period="{period}"', 'friction="4 N*m"', start='a.rate="3 rad/s"')
    assert run.simulate(4.0).q[-1] == near([2.25])


def test_a_load_is_held_until_it_exceeds_the_brake() -> None:
    """A moment of t N·m: held up to 4 s, then (t² / 2 − 4 t + 8) / J."""
    run = shaft('brake="4 N*m"', BRAKED.replace("ge 1", "ge 0"), load='<moment value="1 N*m*t/1 s"/>').simulate(6.0)
    assert [event.time for event in run.events if "slips" in event.transition] == near([4.0])
    assert run.v[-1] == near([1.0]) and run.q[-1] == near([(6.0**3 / 6 - 2 * 36 + 8 * 6 - 64 / 6) / 2])


@pytest.mark.parametrize("force", [4.0, 0.5])
def test_a_brake_that_is_put_on_where_the_shaft_stands(force: float) -> None:
    """The first tick finds a load of 1 N·m that is about to fall: a strong brake holds it, a weak one slows it."""
    scheme = '<signal name="on" value="t ge 0 s"/><output motor="m" brake="on"/>'
    for sign in (1.0, -1.0):
        run = shaft(f'brake="{force} N*m"', scheme, CLOCK, load=f'<moment value="{sign} N*m"/>').simulate(2.0)
        assert run.v[-1] == near([sign * max(0.0, 1.0 - force)])
        assert run.q[-1] == near([sign * max(0.0, 1.0 - force)])


def test_a_brake_that_is_let_go() -> None:
    """The load falls from the tick on at which the brake is off; friction of the joint acts beside the brake."""
    scheme = '<signal name="hold" value="t ge 1 s and t lt 3 s"/><output motor="m" brake="hold"/>'
    load = '<moment value="1 N*m"/>'
    run = shaft('brake="4 N*m"', scheme, CLOCK, 'friction="0.5 N*m"', load, 'a.rate="3 rad/s"').simulate(4.0)
    # (1 − 0.5)/2 until 1 s, (1 − 4.5)/2 until the stop, nothing until 3 s, then 0.25 again.
    first = 3.0 + 0.25
    stop = 1.0 + first / 1.75
    assert [event.time for event in run.events if "brake" in event.transition] == near([stop, 3.0])
    assert run.v[-1] == near([0.25])
    assert run.q[-1] == near([3.0 + 0.125 + first**2 / 3.5 + 0.125])


def test_a_part_of_a_brake() -> None:
    """A plain number is the part of the force, within 0 and 1."""
    for given, force in (("0.25", 1.0), ("7", 4.0), ("-1", 0.0)):
        run = shaft('brake="4 N*m"', f'<output motor="m" brake="{given} + 0*t/1 s"/>', start='a.rate="3 rad/s"')
        assert run.simulate(0.7).v[-1] == near([3.0 - 0.5 * force * 0.7])


def test_a_brake_against_its_own_motor() -> None:
    """A motor of 5 N·m pulls a brake of 4 N·m round with the rest."""
    scheme = '<signal name="on" value="t ge 0 s"/><output motor="m" brake="on"/><output motor="m" from="u"/>'
    run = shaft('brake="4 N*m"', f'<input name="u" value="5 N*m"/>{scheme}').simulate(2.0)
    assert run.v[-1] == near([1.0])
    assert shaft('brake="6 N*m"', f'<input name="u" value="5 N*m"/>{scheme}').simulate(2.0).v[-1] == near([0.0])


# --- gears that lose -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rate", "factor"), [(3.0, 0.8), (-3.0, 1.0 / 0.8)], ids=["drives", "is driven"])
@pytest.mark.parametrize("asked", ["2 A", "u"])
def test_efficiency_acts_both_ways(asked: str, rate: float, factor: float) -> None:
    """A current of 2 A makes K i η where the motor drives, K i / η where it is driven; so does a voltage."""
    # The voltage that makes 2 A at this speed: R i + K v.
    voltage = f'<signal name="u" value="2 Ohm*2 A + 0.5 V*s/rad*10*rate(a)"/><output motor="m" from="{asked}"/>'
    motor = 'resistance="2 Ohm" constant="0.5 V*s/rad" ratio="10" efficiency="0.8"'
    run = shaft(motor, voltage, start=f'a.rate="{rate} rad/s"').simulate(0.1)
    assert run.quantity("torque(m)", [0.0, 0.1]) == near(10 * 0.5 * 2.0 * factor)
    assert run.v[-1] == near([rate + 10.0 * factor / 2.0 * 0.1])


# --- what is written is kept or refused ------------------------------------------------------------------------------


def test_words_round_trip() -> None:
    scheme = f'{BRAKED}<output motor="m" from="1 rad"/>'
    system = shaft('kp="10" kd="4" brake="4 N*m" limit="9 N*m"', scheme, CLOCK, start='a.rate="3 rad/s"')
    for lang in ("en", "ru"):
        again = sistel.parse(system.to_xml(lang=lang))
        assert again.to_xml() == system.to_xml()
        assert (again.simulate(3.0).q == system.simulate(3.0).q).all()


@pytest.mark.parametrize(
    ("motor", "scheme", "said"),
    [
        ("", '<output motor="m" from="1 rad"/>', "kp, kd"),
        ('kp="1"', '<output motor="m" from="1 rad/s"/>', "kd"),
        ("", '<output motor="m" brake="t ge 1 s"/>', "has no brake"),
        ('brake="1 N*m"', '<output motor="m" brake="1 N*m"/>', "this is"),
        ('brake="-1 N*m"', BRAKED, "negative"),
        ('brake="1 N*m"', BRAKED + '<output motor="m" brake="hold"/>', "commanded already"),
        ('brake="1 N*m"', '<output motor="m"/>', "an output of nothing"),
        ('brake="1 N*m"', '<output motor="m" from="1 N*m" brake="t ge 1 s"/>', "a motor or its brake"),
        ("", '<output motor="m" from="2 + 0*t/1 s"/>', "this is a plain number"),
    ],
)
def test_refusals(motor: str, scheme: str, said: str) -> None:
    with pytest.raises(SistelError, match=said) as caught:
        shaft(motor, scheme)
    assert all(each.span is not None and each.message.ru for each in caught.value.diagnostics)


@pytest.mark.parametrize(
    ("motor", "code"), [('brake="1 N*m"', "idle-motor"), ('kp="1"', "no-effect"), ('kd="1"', "no-effect")]
)
def test_warnings(motor: str, code: str) -> None:
    system = shaft(motor, '<output motor="m" from="1 N*m"/>')
    assert [each.code for each in system.diagnostics] == [code]


def test_brakes_in_runs_that_go_on_and_in_ensembles() -> None:
    """Before, in and after the time that the brake is on: the same digits as in one run; pages do not refuse it."""
    scheme = '<signal name="hold" value="t ge 1 s and t lt 2.55 s"/><output motor="m" brake="hold"/>'
    load = '<moment value="1 N*m*sin(2*t/1 s)"/>'
    system = shaft('brake="4 N*m"', scheme, CLOCK, 'friction="0.2 N*m"', load, 'a.rate="3 rad/s"')
    whole = system.simulate(4.0)
    for cut in (0.5, 1.05, 2.0, 2.6, 3.3):
        run = system.simulate(cut).resume(4.0)
        assert [(e.time, e.transition) for e in run.events] == [(e.time, e.transition) for e in whole.events]
        assert (run.last == whole.last).all()
    many = system.ensemble(4.0, initial={"a": [0.0, 0.5]})
    assert (many.state[0] == whole.last).all()
    assert why_no_motion(system.model) is None
