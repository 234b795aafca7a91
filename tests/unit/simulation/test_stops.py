"""Rigid stops of joints: they strike, hold and let go as the laws say, by themselves and in written structures."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.automaton import event_text, structure_text

G = 9.81


def slider(stop: str, inner: str = "", start: str = "", limits: str = 'min="-2 m" max="1 m"') -> sistel.System:
    return sistel.parse(
        f'<system name="s" class="planar open chain"><body name="b" joint="prismatic" axis="y" mass="2" {limits}>'
        f"<stop {stop}/>{inner}</body><start {start}/></system>"
    )


def test_a_slider_bounces_to_rest_on_its_stop() -> None:
    e, first = 0.5, math.sqrt(2 / G)
    found = slider(f'at="max" restitution="{e}"').simulate(3.0)
    times = np.array([event.time for event in found.events])
    wanted = [first * (1 + 2 * e * (1 - e ** (n - 1)) / (1 - e)) for n in range(1, len(times))]
    assert np.abs(times[:-1] - wanted).max() < 5e-15
    assert times[-1] == pytest.approx(first * (1 + e) / (1 - e), abs=1e-14)
    assert found.events[-1].after == "only: b at max" and found.events[0].after == "only"
    assert found.q.max() <= 1.0 + 1e-15
    assert found.q[-1] == pytest.approx([1.0], abs=1e-16) and found.v[-1] == pytest.approx([0.0], abs=1e-16)
    assert found.events[0].impulses["b at max"] == pytest.approx([0, 0, 0, 0, -2 * (1 + e) * G * first, 0], rel=1e-14)
    assert found.events[0].energy_loss == pytest.approx((1 - e**2) * 2 * G, rel=1e-14)
    # At rest the stop carries the weight.
    assert found.reactions()["b"][-1] == pytest.approx([0, 0, 0, 0, -2 * G, 0], abs=1e-12)


def test_between_two_elastic_stops_the_speed_stays() -> None:
    system = sistel.parse(
        '<system name="s" class="planar open chain"><body name="b" joint="prismatic" axis="x" mass="1" min="-1 m" '
        'max="1 m"><stop restitution="1"/></body><start b.rate="2 m/s"/></system>'
    )
    found = system.simulate(10.0)
    assert [event.transition for event in found.events[:3]] == [
        "b at max strikes",
        "b at min strikes",
        "b at max strikes",
    ]
    assert [event.time for event in found.events] == pytest.approx([0.5 + n for n in range(10)], abs=1e-14)
    assert np.abs(np.abs(found.v) - 2.0).max() < 1e-15


def test_a_stop_lets_go_when_the_force_turns() -> None:
    """A force of (1 − t) N presses a body of 2 kg to its stop until 1 s; then it goes away as (t − 1)³ / 12."""
    system = sistel.parse(
        '<system name="s" class="planar open chain"><body name="b" joint="prismatic" axis="x" mass="2" max="0">'
        '<stop at="max"/><force value="1 N - 1 N/s*t, 0"/></body></system>'
    )
    found = system.simulate(3.0)
    assert [(event.transition, event.before, event.after) for event in found.events] == [
        ("b at max lets go", "only: b at max", "only")
    ]
    assert found.events[0].time == pytest.approx(1.0, abs=1e-15)
    assert found.q[-1] == pytest.approx([-(2.0**3) / 12], rel=1e-13)


def test_a_pendulum_strikes_a_stop() -> None:
    """From the horizontal to a stop at the bottom: w² = 2 m g l / I, and e times that back."""
    system = sistel.parse(
        '<system name="p" class="planar open chain"><body name="b" joint="revolute" mass="2" com="0, 500" inertia="0.1" '
        'min="0" max="170"><stop at="min" restitution="0.3"/></body><start b="90"/></system>'
    )
    found = system.simulate(1.0)
    speed = math.sqrt(2 * 2 * G * 0.5 / (0.1 + 2 * 0.25))
    event = found.events[0]
    before = found.v[np.flatnonzero(found.t == event.time)]
    assert before[0] == pytest.approx([-speed], rel=1e-13) and before[1] == pytest.approx([0.3 * speed], rel=1e-13)
    assert event.energy_loss == pytest.approx((1 - 0.3**2) * 2 * G * 0.5, rel=1e-13)
    assert event.impulses["b at min"][2] == pytest.approx(1.3 * 0.6 * speed, rel=1e-13)


def test_a_stop_and_a_contact_hold_together() -> None:
    """A block slides on the floor to a stop; friction holds nothing any more, and the floor carries the weight."""
    mu, speed = 0.1, 3.0
    system = sistel.parse(
        '<system name="s" class="planar open chain"><body name="b" joint="prismatic2" mass="2" max="1 m, 5 m">'
        '<stop at="max"/><point name="p"/></body>'
        f'<links><contact name="floor" point="p" surface="y = 0" friction="{mu}"/></links>'
        f'<start b.rate="{speed} m/s, 0"/></system>'
    )
    found = system.simulate(2.0)
    time = (speed - math.sqrt(speed**2 - 2 * mu * G)) / (mu * G)
    assert found.events[0].time == pytest.approx(time, rel=1e-14)
    assert found.events[0].after == "floor sticks, b.x at max"
    assert found.q[-1] == pytest.approx([1.0, 0.0], abs=1e-15) and np.abs(found.v[-1]).max() < 1e-15


WRITTEN = (
    '<system name="s" class="planar changing tree"><body name="a" joint="prismatic" axis="y" mass="2" max="1 m">'
    '<stop at="max" restitution="0.5"/></body>'
    '<body name="c" joint="prismatic" axis="x" mass="1"/>'
    '<links><lock name="brake" of="c" holds="no"/><structure name="rolls"/><structure name="braked" holds="brake"/>'
    '<transition from="rolls" to="braked" when="t rises through 0.6 s"/></links>'
    '<start structure="rolls" c.rate="2 m/s"/></system>'
)


def test_stops_act_in_written_structures() -> None:
    """The stop goes on as it does alone, while a transition of the file happens beside it."""
    found = sistel.parse(WRITTEN).simulate(3.0)
    first = math.sqrt(2 / G)
    named = {event.after for event in found.events}
    assert named == {"rolls", "braked", "braked: a at max"}
    (brake,) = [event for event in found.events if event.before == "rolls" and event.after == "braked"]
    assert brake.time == pytest.approx(0.6, abs=1e-15) and brake.energy_loss == pytest.approx(2.0, rel=1e-14)
    strikes = [event.time for event in found.events if event.transition == "a at max strikes"]
    assert strikes[0] == pytest.approx(first, abs=1e-15)
    assert strikes[-1] == pytest.approx(3 * first, abs=1e-13)
    assert found.q[-1] == pytest.approx([1.0, 1.2], abs=1e-14)
    # Nothing is lost of a body that a transition strikes against its stop: the stop answers.
    assert found.v[-1] == pytest.approx([0.0, 0.0], abs=1e-16)


def test_what_begins_beyond_its_stop_is_refused() -> None:
    with pytest.raises(sistel.SistelError, match="beyond its stop") as caught:
        slider('at="max"').simulate(1.0, q=[1.5])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None and "за своим упором" in diagnostic.message.ru


def test_names_are_said_in_both_languages() -> None:
    model = sistel.parse(WRITTEN).model
    text = structure_text(model, "braked: a at max")
    assert (text.en, text.ru) == ("braked: a at max", "braked: a на верхнем упоре")
    assert event_text(model, "a at max strikes").ru == "a на верхнем упоре: ударяет"
    assert structure_text(model, "rolls").ru == "rolls" and event_text(model, "rolls → braked").ru == "rolls → braked"
    ball = sistel.parse(
        '<system name="ball" class="planar open chain"><body name="b" joint="prismatic2" mass="2"><point name="p"/>'
        '</body><links><contact name="пол" point="p" surface="y = 0" friction="0.1"/></links></system>'
    ).model
    assert structure_text(ball, "пол slides +").ru == "пол скользит +"
    assert structure_text(ball, "пол open").ru == "пол открыт"
    assert event_text(ball, "пол stops sliding").ru == "пол: перестаёт скользить"
