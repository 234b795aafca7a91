"""Contacts that touch at one instant and share a load as statics does not determine: a load in the middle, flat faces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

GRIPPER = Path(__file__).resolve().parents[2] / "models" / "parallel_gripper.xml"

PUSHER = """<system><body name="pusher" joint="prismatic" mass="1"><point name="u" place="0,-60"/><point name="l" place="0,-20"/>
    <motor name="m" kd="500 N*s/m"/></body>
  <body name="pack" joint="free" mass="0.5" inertia="0.001" com="50,-40"><point name="a" place="0,0"/><point name="b" place="100,0"/></body>
  <links>
    <contact name="f1" point="a" surface="y &lt;= 0" friction="0.4"/>
    <contact name="f2" point="b" surface="y &lt;= 0" friction="0.4"/>
    <contact name="p1" point="u" on="pack" surface="x &lt;= 0" friction="{mu}"/>
    <contact name="p2" point="l" on="pack" surface="x &lt;= 0" friction="{mu}"/>
  </links>
  <scheme name="s" {clock}><output motor="m" from="0.2 m/s"/></scheme>
  <start pack="100 mm, 0 mm, 0"/></system>"""


def test_a_load_exactly_in_the_middle_of_a_gripper() -> None:
    """Both pads strike at once and press with ratio · constant · U / R / 2 = 24 N each, as a little off the middle."""
    text = GRIPPER.read_text(encoding="utf-8")
    middle, aside = (sistel.parse(text.replace('load="5, 0, 0"', f'load="{x}, 0, 0"')) for x in ("0", "1e-3"))
    run = middle.simulate(3.0)
    strikes = [event for event in run.events if event.transition.endswith("strikes")]
    assert len(strikes) == 1
    assert set(strikes[0].impulses) >= {"left grip", "right grip"}
    for pad in ("left grip", "right grip"):
        assert run.quantity(f"normal({pad})", [1.2])[0] == pytest.approx(24.0, rel=1e-9)
    assert abs(run.quantity("x(left foot) + 30 mm", [3.0])[0]) < 1e-12
    assert run.q[-1] == pytest.approx(aside.simulate(3.0).q[-1], abs=1e-5)


@pytest.mark.parametrize("clock", ["", 'period="1/100"'])
@pytest.mark.parametrize("mu", [0.0, 0.3])
def test_a_flat_pusher_on_a_flat_pack(mu: float, clock: str) -> None:
    """Two corners strike one face at once and push it evenly on: kd (0.2 − v) = 0.4 N, with N = m g without friction there.

    Friction of the face may carry a part of the weight: how much, statics leaves open within 0.3 of what is pushed.
    """
    run = sistel.parse(PUSHER.format(mu=mu, clock=clock)).simulate(1.0)
    (strike,) = run.events
    assert strike.transition == "p1 strikes" and {"p1", "p2"} <= set(strike.impulses)
    times = np.array([0.7, 1.0])
    pushed = 500.0 * (0.2 - run(times)[1][:, 0])
    floor = pushed / 0.4
    assert (np.abs(floor - 0.5 * 9.81) <= mu * pushed + 1e-9).all()
    assert any(warning.code == "shared-loads" for warning in run.warnings)
    assert abs(run.q[-1][-1]) < 1e-12  # it does not turn
