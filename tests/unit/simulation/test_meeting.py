"""Links that begin to hold while apart: refused with the distance, kept as found, or pulled together and said."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.simulation import RunError

CLOSURE = """<system name="far closure">
  <body name="a" joint="prismatic2" mass="1"/>
  <links>
    <closure name="k" body="a" to="0" at-to="1000, 1000" holds="no"/>
    <structure name="loose"/><structure name="tied" holds="k"/>
    <transition from="loose" to="tied" when="t gt 0.1 s" {how}/>
  </links>
</system>"""
CONTACT = """<system name="far contact">
  <body name="a" joint="prismatic2" mass="1"><point name="p"/></body>
  <links>
    <contact name="k" point="p" surface="y = 0"/>
    <structure name="loose"/><structure name="tied" holds="k"/>
    <transition from="loose" to="tied" when="t gt 0.1 s" {how}/>
  </links>
  <start a="0, -1000"/>
</system>"""
COUPLING = """<system name="far coupling">
  <gravity value="0"/>
  <body name="a" joint="prismatic" axis="x" mass="1"/>
  <body name="b" joint="prismatic" axis="x" mass="1"/>
  <links>
    <coupling name="k" of="a" to="b" holds="no"/>
    <structure name="loose"/><structure name="tied" holds="k"/>
    <transition from="loose" to="tied" when="t gt 1 s" {how}/>
  </links>
  <start a="0" b="500" a.rate="1 m/s"/>
</system>"""
DISK = """<system name="a disk is thrown sliding and begins to roll">
  <parameter name="R" value="300 mm"/> <parameter name="m" value="2 kg"/>
  <parameter name="mu" value="0.2"/> <parameter name="g" value="9.81 m/s^2"/>
  <body name="axle" joint="prismatic" axis="x" place="0, -R">
    <body name="disk" joint="revolute" mass="m" inertia="m*R^2/2">
      <force in="world" value="select(counter(rolling) gt 0, 0 N, -mu*m*g*sign(v(axle) - R*v(disk)/1 rad)), 0"/>
      <moment value="select(counter(rolling) gt 0, 0 N*m, mu*m*g*R*sign(v(axle) - R*v(disk)/1 rad))"/>
    </body>
  </body>
  <links>
    <coupling name="rolls" of="disk" to="axle" ratio="1 rad/R" holds="no"/>
    <structure name="slides"/><structure name="rolling" holds="rolls"/>
    <transition from="slides" to="rolling" when="v(axle) - R*v(disk)/1 rad falls through 0" {how}/>
  </links>
  <start axle.rate="3 m/s"/>
</system>"""


SLIP = 3.0 / (3 * 0.2 * 9.81)
"""How long the disk slips: v₀/(3 μ g) [s]."""


@pytest.mark.parametrize(
    ("text", "time", "distance"),
    [
        # y falls by g t²/2 = 49.05 mm towards the place of the closure, which is 1 m right and 1 m down
        (CLOSURE, 0.1, f"{1e3 * math.hypot(1.0, 1.0 - 0.04905):.6g} mm"),
        (CONTACT, 0.1, "950.95 mm"),
        # a has moved by 1 m, b stands at 0.5 m
        (COUPLING, 1.0, "500 mm"),
        # the axle is at v₀ t − μ g t²/2, the disk has turned by μ g t²/R
        (DISK, SLIP, f"{math.degrees((3.0 * SLIP - 1.5 * 0.2 * 9.81 * SLIP**2) / 0.3):.6g} deg"),
    ],
    ids=["closure", "contact", "coupling", "disk"],
)
@pytest.mark.parametrize("method", ["taylor", "radau"])
def test_what_begins_to_hold_apart_is_refused_with_the_distance(
    text: str, time: float, distance: str, method: str
) -> None:
    system = sistel.parse(text.format(how=""), "apart.xml")
    with pytest.raises(RunError) as caught:
        system.simulate(2.0, method=method)  # type: ignore[arg-type]
    (problem,) = caught.value.diagnostics
    assert problem.code == "apart" and problem.span is not None and problem.expected and problem.hint
    assert caught.value.run.end == pytest.approx(time, abs=1e-12)
    assert distance in problem.message.en
    assert problem.message.ru != problem.message.en


def test_a_disk_that_keeps_its_offset_rolls_as_the_closed_form_says() -> None:
    """It slips for v₀/(3 μ g), then rolls with 2 v₀/3."""
    run = sistel.parse(DISK.format(how='engage="as it is"')).simulate(2.0)
    assert [event.time for event in run.events] == pytest.approx([SLIP], rel=1e-14)
    way = 3.0 * SLIP - 0.5 * 0.2 * 9.81 * SLIP**2 + 2.0 * (2.0 - SLIP)
    assert run.q[-1, 0] == pytest.approx(way, rel=1e-14)
    assert run.v[-1] == pytest.approx([2.0, 2.0 / 0.3], rel=1e-14)
    assert run.warnings == ()


def test_a_clutch_keeps_its_offset_through_later_structures() -> None:
    text = COUPLING.format(how='engage="as it is"').replace(
        "</links>",
        '<lock name="brake" of="b" holds="no"/><structure name="braked" holds="k, brake"/>'
        '<transition from="tied" to="braked" when="t gt 1.5 s"/></links>',
    )
    run = sistel.parse(text).simulate(2.0)
    assert [event.after for event in run.events] == ["tied", "braked"]
    assert run.v[-1] == pytest.approx([0.0, 0.0], abs=1e-15)
    # a has gone 1 m, b half a metre from 0.5 m: both go on with half the speed for half a second
    assert run.q[-1] == pytest.approx([1.25, 0.75], abs=1e-14)
    assert np.ptp(run.q[run.t > 1.0, 0] - run.q[run.t > 1.0, 1]) < 1e-14


@pytest.mark.parametrize(
    ("text", "place"),
    [(CLOSURE, [1.0, 1.0]), (CONTACT, [0.0, 0.0]), (COUPLING, [1.0 - 0.25, 0.5 + 0.25])],
    ids=["closure", "contact", "coupling"],
)
def test_within_a_tolerance_links_are_pulled_together_and_said(text: str, place: list[float]) -> None:
    system = sistel.parse(text.format(how='within="2 m"'), "apart.xml")
    run = system.simulate(1.0 if text is not COUPLING else 1.0 + 1e-9)
    (warning,) = run.warnings
    assert warning.code == "pulled-together" and warning.place.startswith("apart.xml:") and warning.count == 1
    assert warning.time == run.events[0].time
    assert "mm" in warning.message.en and "мм" in warning.message.ru
    if text is not COUPLING:
        assert run.q[-1] == pytest.approx(place, abs=1e-12)
    else:
        assert run.q[-1] == pytest.approx(place, abs=1e-8)
    with pytest.raises(RunError):
        sistel.parse(text.format(how='within="1 mm"')).simulate(2.0)


def test_the_words_survive_writing_and_change_the_fingerprint() -> None:
    plain = sistel.parse(COUPLING.format(how=""))
    kept = sistel.parse(COUPLING.format(how='engage="as it is" within="2 mm, 1 deg"'))
    again = sistel.parse(kept.to_xml())
    assert kept.fingerprint != plain.fingerprint == sistel.parse(plain.to_xml()).fingerprint
    assert again.fingerprint == kept.fingerprint
    (transition,) = again.model.transitions
    assert transition.keeps_offsets and transition.within == pytest.approx((2e-3, math.radians(1)))


CHAIN = """<system name="three links and a floor">
  <parameter name="l" value="300 mm"/> <parameter name="mu" value="0.3"/>
  <body name="one" joint="revolute" place="0, -600" mass="1" com="l/2, 0" inertia="1 kg*l^2/12">
    <body name="two" joint="revolute" place="l, 0" mass="1" com="l/2, 0" inertia="1 kg*l^2/12">
      <body name="three" joint="revolute" place="l, 0" mass="1" com="l/2, 0" inertia="1 kg*l^2/12">
        <point name="tip" place="l, 0"/>
      </body>
    </body>
  </body>
  <links><contact name="floor" point="tip" surface="y = 0" friction="mu" impact="plastic"/>{rest}</links>
  <start one="10" two="20" three="-15"/>
</system>"""
WRITTEN = """<structure name="flight"/><structure name="sliding" slides="floor"/><structure name="sticking" holds="floor"/>
  <transition from="flight" to="sliding" when="gap(floor) falls through 0" impact="{rule}"/>
  <transition from="sliding" to="flight" when="normal(floor) falls through 0"/>
  <transition from="sliding" to="sticking" when="slip(floor) crosses 0"/>
  <transition from="sticking" to="sliding" when="margin(floor) lt 0" priority="1"/>
  <transition from="sticking" to="flight" when="normal(floor) falls through 0"/>"""


@pytest.mark.parametrize("rule", ["plastic", "coulomb"])
def test_a_plastic_strike_into_sliding_has_its_friction(rule: str) -> None:
    """Written structures give what contacts without structures do: friction has its part in the impulse."""
    own = sistel.parse(CHAIN.format(rest="")).simulate(1.0)
    written = sistel.parse(CHAIN.format(rest=WRITTEN.format(rule=rule))).simulate(1.0)
    push, other = own.events[0].impulses["floor"], written.events[0].impulses["floor"]
    assert other == pytest.approx(push, abs=1e-14)
    assert other[3] == pytest.approx(-0.3 * other[4], rel=1e-13)  # on the edge of the cone
    assert written.last[:6] == pytest.approx(own.last[:6], abs=4e-12)
