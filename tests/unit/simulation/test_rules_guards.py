"""Counters, clocks, bands, directions of crossings, dynamic conditions: each against numbers known without sistel."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run

# --- counters --------------------------------------------------------------------------------------------------------

_BOUNCE = """<system name="bounce">
  <body name="b" joint="prismatic" axis="-y" mass="1"><point name="p"/>{force}</body>
  <links>
    <contact name="floor" point="p" surface="y = 0" friction="none"/>
    <counter name="n" value="{start}"/>
    <lock name="stop" of="b" holds="no"/>
    <structure name="flight"/>
    <structure name="rest" holds="stop"/>
    {transitions}
  </links>
  <start b="1 m"/>
</system>"""
_COUNTED = """
    <transition from="flight" to="flight" when="gap(floor) falls through 0 and counter(n) lt 3.5" impact="newton"
                restitution="0.8" counts="n"/>
    <transition from="flight" to="rest" when="gap(floor) falls through 0 and counter(n) gt 3.5">
      <set of="n" value="10*counter(n) + counter(flight)"/>
    </transition>"""


def _counted() -> sistel.System:
    return sistel.parse(_BOUNCE.format(force="", start=0, transitions=_COUNTED))


def test_bounces_are_counted() -> None:
    """Impacts of a ball dropped from h: t₀ = √(2h/g), then 2 e^k t₀ apart; the fifth stops it."""
    run = _counted().simulate(5.0)
    first = math.sqrt(2 / 9.81)
    times = [first + sum(2 * 0.8**k * first for k in range(1, n + 1)) for n in range(5)]
    assert [event.time for event in run.events] == pytest.approx(times, abs=1e-14)
    assert run.final_structure == "rest"
    middles = [0.1, *(t + 0.01 for t in times)]
    # `counter(flight)` stands for the entries: the start and four bounces.
    assert run.quantity("counter(n)", middles).tolist() == [0, 1, 2, 3, 4, 45]
    assert run.quantity("counter(flight)", middles).tolist() == [1, 2, 3, 4, 5, 5]
    assert run.quantity("counter(rest)", middles).tolist() == [0, 0, 0, 0, 0, 1]
    assert run.model.memory_names == ("counter(n)", "counter(flight)")
    assert run.memory[-1].tolist() == [45, 5]


def test_counters_in_files_and_resumed_runs(tmp_path: Path) -> None:
    system = _counted()
    run = system.simulate(5.0)
    run.save(tmp_path / "run.npz")
    again = Run.load(tmp_path / "run.npz")
    assert np.array_equal(again.memory, run.memory) and again.model.memory_names == run.model.memory_names
    run.save(tmp_path / "run.csv")
    head, *rows = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()
    assert head.split(",")[-1] == "counter(n)"
    assert [float(row.split(",")[-1]) for row in rows] == run.memory[:, 0].tolist()
    resumed = Run.load(tmp_path / "run.npz", system).resume(6.0)
    assert resumed.memory[-1].tolist() == [45, 5]
    parts = system.simulate(1.0).resume(2.0).resume(5.0)
    assert parts.memory[-1].tolist() == [45, 5]
    # The last digit of a root depends on the step that it lies in, and that on where the part before ended.
    assert [event.time for event in parts.events] == pytest.approx([event.time for event in run.events], rel=1e-15)


@pytest.mark.parametrize(
    ("condition", "bounces"),
    [
        ("counter(n) = 2", 2),
        ("counter(n) ge 2", 2),
        ("counter(n) gt 2", 3),
        ("2 le counter(n)", 2),
        ("not counter(n) lt 2", 2),
        ("not counter(n) le 2", 3),
        ("counter(n) ne counter(m)", 1),
        ("counter(n)*counter(n) = 9 and counter(flight) = 4", 3),
    ],
)
def test_counters_are_compared_exactly(condition: str, bounces: int) -> None:
    transitions = f"""<counter name="m"/>
      <transition from="flight" to="flight" when="gap(floor) falls through 0" impact="newton" restitution="0.8" counts="n"/>
      <transition from="flight" to="rest" when="{condition} and elapsed gt 10 ms"/>"""
    system = sistel.parse(_BOUNCE.format(force="", start=0, transitions=transitions))
    assert [item.code for item in system.diagnostics] == ["no-exit"]
    run = system.simulate(3.0)
    assert len(run.events) == bounces + 1 and run.final_structure == "rest"
    assert run.events[-1].time == pytest.approx(run.events[-2].time + 0.01, abs=1e-14)


def test_counters_in_forces() -> None:
    """After the second bounce a wind of 3 N blows upward: the acceleration changes by 3 m/s²."""
    force = '<force name="wind" value="0, -3 N*min(1, floor(counter(n)/2))"/>'
    text = _BOUNCE.format(force=force, start=0, transitions=_COUNTED)
    run = sistel.parse(text).simulate(2.5)
    for index, acceleration in ((0, -9.81), (1, -9.81), (2, -6.81), (3, -6.81)):
        stay = run.segments[index]
        assert 2.0 * stay.coefficients[0, 0, 2] == pytest.approx(acceleration, rel=1e-15)


def test_counters_are_the_same_in_both_languages() -> None:
    russian = sistel.parse(
        '<СистемаТел имя="bounce"><Тело имя="b" КП="ПКП1" ось="-y" масса="1"><точка имя="p"/></Тело><связи>'
        '<контакт имя="floor" точка="p" поверхность="y = 0" трение="нет"/><счётчик имя="n"/>'
        '<замок имя="stop" чего="b" держит="нет"/><структура имя="flight"/><структура имя="rest" держит="stop"/>'
        '<переход из="flight" в="flight" когда="зазор(floor) падает через 0 и счётчик(n) меньше 3.5" удар="ньютон" '
        'восстановление="0.8" считает="n"/>'
        '<переход из="flight" в="rest" когда="зазор(floor) падает через 0 и счётчик(n) больше 3.5">'
        '<задать чего="n" значение="10*счётчик(n) + счётчик(flight)"/></переход></связи><начало b="1 м"/></СистемаТел>'
    )
    english = _counted()
    assert russian.fingerprint == english.fingerprint
    assert sistel.parse(english.to_xml("ru")).fingerprint == english.fingerprint


# --- the time since the entry ----------------------------------------------------------------------------------------


def test_time_since_the_entry() -> None:
    """A cart pushed to and fro: each structure lasts as long as its condition says, from its own entry on."""
    system = sistel.parse(
        '<system name="to and fro"><gravity value="0"/><body name="c" joint="prismatic" mass="2">'
        '<force name="push" value="(6 N - 4 N/s*elapsed)*select(counter(back) gt counter(forth) - 0.5, -1, 1), 0"/></body>'
        '<links><structure name="forth"/><structure name="back"/>'
        '<transition from="forth" to="back" when="elapsed gt 0.5 s"/>'
        '<transition from="back" to="forth" when="elapsed gt 0.25 s"/></links></system>'
    )
    assert not system.diagnostics
    run = system.simulate(2.0)
    assert [event.time for event in run.events] == pytest.approx([0.5, 0.75, 1.25, 1.5, 2.0], abs=1e-14)
    assert run.quantity("elapsed", [0.25, 0.6, 1.0]) == pytest.approx([0.25, 0.1, 0.25], abs=1e-14)

    def gain(t: float) -> float:
        """∫ (6 − 4 s)/2 ds [m/s]."""
        return 3 * t - t * t

    assert run([0.5])[1][0, 0] == pytest.approx(gain(0.5), abs=1e-14)
    assert run([0.75])[1][0, 0] == pytest.approx(gain(0.5) - gain(0.25), abs=1e-14)
    assert run([1.25])[1][0, 0] == pytest.approx(2 * gain(0.5) - gain(0.25), abs=1e-14)


def test_motions_that_begin_with_their_structure() -> None:
    """A forced table, 0 to 90° in 1 s from the entry on; its rate is there at once."""
    system = sistel.parse(
        '<system name="arm"><gravity value="0"/><body name="a" joint="revolute" mass="1" inertia="1">'
        '<motion structure="moves" interpolation="linear" since="entry"><row time="0" values="0"/>'
        '<row time="1" values="90"/></motion></body><links><structure name="waits"/><structure name="moves"/>'
        '<transition from="waits" to="moves" when="elapsed gt 0.5 s"/></links></system>'
    )
    run = system.simulate(1.25)
    q, v = run([0.75, 1.0])
    assert q[:, 0] == pytest.approx(np.radians([22.5, 45.0]), abs=1e-12)
    assert v[:, 0] == pytest.approx(math.pi / 2, abs=1e-12)


def test_forced_formulas_of_the_time_since_the_entry() -> None:
    """Their rates are exact: what is forced follows at once, and its force is m·a."""
    system = sistel.parse(
        '<system name="arm"><gravity value="0"/><body name="c" joint="prismatic" mass="2"><motor name="m"/>'
        '<motion structure="moves" value="3 m/s^2*elapsed^2*counter(moves)"/></body>'
        '<links><structure name="waits"/><structure name="moves"/>'
        '<transition from="waits" to="moves" when="elapsed gt 0.5 s"/></links></system>'
    )
    run = system.simulate(1.5)
    q, v = run([1.0, 1.5])
    assert q[:, 0] == pytest.approx([0.75, 3.0], abs=1e-12)
    assert v[:, 0] == pytest.approx([3.0, 6.0], abs=1e-12)


def test_a_parameter_may_have_the_name_of_a_word() -> None:
    system = sistel.parse(
        '<system name="s"><parameter name="elapsed" value="3 kg"/><body name="b" joint="prismatic" mass="elapsed"/></system>'
    )
    assert system.model.bodies[0].mass == 3.0


# --- bands and directions --------------------------------------------------------------------------------------------

_THERMOSTAT = (
    '<system name="thermostat"><gravity value="0"/><body name="x" joint="prismatic" mass="1"><force '
    'value="-50 N*select(counter(on) gt counter(off) - 0.5, 1, -1), 0"/></body><links><structure name="off"/>'
    '<structure name="on"/><transition from="off" to="on" when="q(x) {up} {level}" hysteresis="{band}"/>'
    '<transition from="on" to="off" when="q(x) {down} {level}" hysteresis="{band}"/></links><start x="0"/></system>'
)


def test_a_band_keeps_two_transitions_apart() -> None:
    """A slide that is pushed one way in a structure and back in the other swings about the band, without chatter."""
    for up, down in (("&gt;", "&lt;"), ("rises through", "falls through")):
        system = sistel.parse(_THERMOSTAT.format(up=up, down=down, level="20 mm", band="5 mm"))
        run = system.simulate(1.0)
        at = run.quantity("q(x)", [event.time for event in run.events])
        assert len(run.events) > 4
        assert at[0::2] == pytest.approx(0.025, abs=1e-14) and at[1::2] == pytest.approx(0.015, abs=1e-14)
        # From rest at 0 with 50 m/s²: 25 mm after √(2·0.025/50) s.
        assert run.events[0].time == pytest.approx(math.sqrt(0.05 / 50), abs=1e-15)


def test_bands_know_the_dimension_and_the_side() -> None:
    system = sistel.parse(
        '<system name="s"><body name="x" joint="prismatic" mass="1"/><links><structure name="a"/><structure name="b"/>'
        '<transition from="a" to="b" when="not (q(x) &gt; 20 mm) and v(x) &gt; 1 m/s and t &gt; 2 s" '
        'hysteresis="5 mm, 0.1 m/s"/></links></system>'
    )
    text = system.to_xml()
    assert "not q(x) > 20 mm - 0.005 m and v(x) > 1 m/s + 0.1 m/s and time > 2 s" in text
    assert sistel.parse(text).fingerprint == system.fingerprint


def test_directions_of_crossings() -> None:
    """A pendulum without gravity turns about: an angle is passed upwards and downwards at known times."""
    for words, times in (
        ("rises through", [0.125, 1.125]),
        ("falls through", [0.375, 1.375]),
        ("crosses", [0.125, 0.375, 1.125, 1.375]),
    ):
        system = sistel.parse(
            f'<system name="s"><gravity value="0"/><body name="c" joint="prismatic" mass="1" stiffness="{4 * math.pi**2!r}"/><links>'
            f'<counter name="n"/><structure name="a"/><transition from="a" to="a" when="q(c) {words} sqrt(0.5)*1 m" '
            'counts="n"/></links><start c.rate="2*pi*1 m/s"/></system>'
        )
        run = system.simulate(2.0)
        assert [event.time for event in run.events] == pytest.approx(times, abs=1e-13)
        assert run.memory[-1, 0] == len(times)


def test_resets_by_expressions() -> None:
    """Coordinates and velocities set from the state before: all formulas see the same one."""
    system = sistel.parse(
        '<system name="s"><gravity value="0"/><body name="a" joint="prismatic" mass="1"/>'
        '<body name="b" joint="prismatic" mass="1"/><links><structure name="s"/>'
        '<transition from="s" to="s" when="t rises through 1 s"><set of="a" value="q(b)" rate="2*v(b)"/>'
        '<set of="b" value="q(a) + 10 mm" rate="-v(a)"/></transition></links>'
        '<start a="100" a.rate="300 mm/s" b="-50" b.rate="700 mm/s"/></system>'
    )
    run = system.simulate(1.0 + 2.0**-10)
    after = run.segments[1].coefficients[0, :, 0]
    assert after[:4] == pytest.approx([0.65, 0.41, 1.4, -0.3], abs=1e-15)


# --- reactions and cones ---------------------------------------------------------------------------------------------


def test_a_block_slips_where_the_cone_ends() -> None:
    """On a plank that tilts with 0.1 rad/s a block of point size slips at tan(angle) ≈ mu, centripetal force included.

    With r the distance from the axis: m g cos + 0 = N, m g sin + m w² r = T (up the slope of the tilt the block is
    farther out), so T − mu N passes zero where sin + w² r/g = mu cos.
    """
    mu, w, r, g = 0.3, 0.1, 0.4, 9.81
    text = (
        '<system name="plank"><body name="plank" joint="revolute" mass="1" inertia="1"><motion value="0.1 rad/s*t"/>'
        '</body><body name="block" joint="prismatic2" mass="2"><point name="sole"/></body><links>'
        '<contact name="rub" point="sole" on="plank" surface="y = 0" friction="0.3"/>'
        '<structure name="sticks" holds="rub"/><structure name="slides" slides="rub"/>'
        '<transition from="sticks" to="slides" when="{0}"/></links><start structure="sticks" block="400, 0"/></system>'
    )
    # Clockwise turns the plank down on the right: the block would slide outwards. With tan(a) = mu the left side minus
    # the right one is sin(x − a)/cos(a).
    angle = math.atan(mu) - math.asin(w * w * r / g * math.cos(math.atan(mu)))
    for condition in (
        "margin(rub) &lt; 0",
        "margin(rub) falls through 0",
        "0 &gt; margin(rub)",
        "not margin(rub) &gt; 0",
    ):
        run = sistel.parse(text.format(condition)).simulate(4.0)
        assert run.events[0].time == pytest.approx(angle / w, abs=1e-10)
    run = sistel.parse(text.format("tangent(rub) rises through 0.3*normal(rub)")).simulate(4.0)
    assert run.events[0].time == pytest.approx(angle / w, abs=1e-10)
    t = np.array([0.5, 1.0, 2.0])
    at = 0.1 * t
    normal, pull = 2 * g * np.cos(at), 2 * g * np.sin(at) + 2 * w * w * r
    assert run.quantity("margin(rub)", t) == pytest.approx(mu * normal - pull, abs=1e-11)
    assert run.quantity("normal(rub)", t) == pytest.approx(normal, abs=1e-11)
    assert run.quantity("tangent(rub)", t) == pytest.approx(pull, abs=1e-11)
    assert run.quantity("reaction(rub).n", t) == pytest.approx(normal, abs=1e-11)
    assert run.quantity("reaction(rub).t", t) == pytest.approx(pull, abs=1e-11)


def test_a_cone_in_space() -> None:
    """A puck on a floor, pulled along both axes by growing forces: it slips where |T| = mu m g."""
    text = (
        '<system name="puck" space="spatial"><body name="puck" joint="free" mass="2" inertia="0.01"><point name="p"/>'
        '<force value="3 N/s*t, 4 N/s*t, 0"/></body><links>'
        '<contact name="rub" point="p" surface="z = 0" friction="0.25"/>'
        '<structure name="sticks" holds="rub"/><structure name="slides" slides="rub"/>'
        '<transition from="sticks" to="slides" when="{0}"/></links><start structure="sticks"/></system>'
    )
    limit = 0.25 * 2 * 9.81
    for condition in ("margin(rub) &lt; 0", "margin(rub) falls through 0"):
        run = sistel.parse(text.format(condition)).simulate(1.5)
        assert run.events[0].time == pytest.approx(limit / 5.0, abs=1e-12)
    t = np.array([0.3, 0.6])
    for component, expected in (
        ("x", -3 * t),
        ("y", -4 * t),
        ("z", 0 * t + 19.62),
        ("n", 0 * t + 19.62),
        ("t", 5 * t),
        ("mx", 0 * t),
        ("my", 0 * t),
        ("mz", 0 * t),
    ):
        assert run.quantity(f"reaction(rub).{component}", t) == pytest.approx(expected, abs=1e-12)
    assert run.quantity("margin(rub)", t) == pytest.approx(limit - 5 * t, abs=1e-12)


def test_reactions_of_a_hinge() -> None:
    """A pendulum let go from the horizontal: the pin bears 3 m g sin and the components follow; it breaks at a limit."""
    text = (
        '<system name="pendulum"><body name="rod" joint="free" mass="2" com="0, 500" inertia="0"><point name="end"/>'
        '</body><links><closure name="pin" joint="{joint}" body="rod" to="0" holds="no"/><structure name="swings" '
        'holds="pin"/><structure name="flies"/><transition from="swings" to="flies" when="{when}"/></links>'
        '<start structure="swings" rod="0, 0, 90"/></system>'
    ).replace('inertia="0"', 'inertia="1e-9"')
    run = sistel.parse(text.format(joint="revolute", when="force(pin) rises through 40 N")).simulate(1.0)
    at = run.quantity("angle(rod)", [run.events[0].time])[0]
    # A point mass falls from the horizontal; c = cos of the angle from below: force 3 m g c. The inertia of 1e-9 kg·m²
    # beside m l² = 0.5 moves the limit by its part of 2e-9.
    assert math.cos(at) == pytest.approx(40 / (3 * 2 * 9.81), abs=1e-8)
    t = np.linspace(0.05, 0.9 * run.events[0].time, 4)
    c, s = np.cos(run.quantity("angle(rod)", t)), np.sin(run.quantity("angle(rod)", t))
    size = 3 * 2 * 9.81 * c
    assert run.quantity("reaction(pin).y", t) == pytest.approx(-size * c, abs=1e-7)
    assert run.quantity("reaction(pin).x", t) == pytest.approx(size * s, abs=1e-7)
    assert run.quantity("force(pin)", t) == pytest.approx(size, abs=1e-7)
    assert run.quantity("reaction(pin).mz", t) == pytest.approx(0 * t, abs=1e-12)
