"""Jointed bodies with shapes that touch: energy never rises, and two forms of the equations have the same events."""

from __future__ import annotations

import numpy as np
import pytest

import sistel
from sistel.automaton import _contact_equations


def chain(links: int) -> str:
    """Bars in a row, joined by hinges, that fall onto stairs."""
    bar = '<box name="s{i}" place="100,0" size="150,40"/>'
    bodies = ""
    for i in range(links):
        joint = 'joint="revolute" place="200,0"' if i else 'joint="free"'
        bodies += f'<body name="b{i}" {joint} mass="1" inertia="0.005" com="100,0">{bar.format(i=i)}'
    contacts = "".join(
        f'<contact name="w{i}" of="s{i}" to="world" friction="0.3" restitution="0.2"/>' for i in range(links)
    )
    return (
        '<system name="chain"><world><polyline name="g" points="-3000,0; 300,0; 300,150; 600,150; 600,300; 3000,300"/>'
        f'</world>{bodies}{"</body>" * links}<links>{contacts}</links><start b0="0,-300,20"/></system>'
    )


def test_energy_never_rises() -> None:
    run = sistel.parse(chain(3)).simulate(0.6)
    energy = np.asarray(run.quantity("energy()"))
    assert np.diff(energy).max() < 1e-12
    assert len(run.events) > 50
    # What slides does so against its friction: no slip lies behind its status.
    for name in ("w0 C", "w2 C"):
        times = [t for t, what in zip(run.t, run.structure, strict=True) if f"{name} slides +" in what]
        assert min(run.quantity(f"slip({name})", times), default=0.0) > -1e-9


def test_seats_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against equations with an unknown for every row, which are many times as long."""
    quick = sistel.parse(chain(2)).simulate(0.3)
    monkeypatch.setattr(_contact_equations, "FEW", 10**9)
    slow = sistel.parse(chain(2)).simulate(0.3)
    assert len(quick.events) == len(slow.events) >= 20
    for a, b in zip(quick.events, slow.events, strict=True):
        assert (a.transition, a.before, a.after) == (b.transition, b.before, b.after)
        assert a.time == pytest.approx(b.time, abs=1e-10)
        for name, impulse in a.impulses.items():
            assert impulse == pytest.approx(b.impulses[name], abs=1e-9)
    assert np.abs(quick.q[-1] - slow.q[-1]).max() < 1e-10
    names = ("w0 C", "w0 D", "w1 C")
    times = np.linspace(0.1, 0.3, 9)
    for name in names:
        found, wanted = (np.asarray(run.quantity(f"normal({name})", times)) for run in (quick, slow))
        assert np.abs(found - wanted).max() < 1e-9 * max(1.0, np.abs(wanted).max())


STUCK = """<system name="what sticks tips over">
  <world><polyline name="g" points="-3000,-800; -1200,-100; -400,0; 300,0; 300,150; 1500,150; 3000,-600"/></world>
  <body name="b0" joint="free" mass="1.762" inertia="0.0120" com="-14,19">
    <polygon name="s0" points="-80,-50; 118,-60; 28,98"/>
    <body name="c0" joint="prismatic" place="3,100" mass="0.5" inertia="0.002" com="-12,30"/>
  </body>
  <body name="b1" joint="free" mass="1.693" inertia="0.0266" com="-4,-17">
    <box name="s1" size="47,63"/>
    <body name="c1" joint="revolute" place="-10,55" mass="0.5" inertia="0.002" com="-10,30"/>
  </body>
  <links>
    <contact name="w0" of="s0" to="world" friction="stick" restitution="0"/>
    <contact name="w1" of="s1" to="world" friction="stick" restitution="0"/>
    <contact name="q" of="s1" to="s0" friction="stick" restitution="0"/>
  </links>
  <start b0="-500,-558,-130" b0.rate="1489,-425,150" b1="0,-604,162" b1.rate="1061,-499,113"/>
</system>"""


def test_a_corner_is_let_go_whatever_the_rounding() -> None:
    """Where a load ends, the gap begins with neither speed nor acceleration: the signs of both are rounding."""
    system = sistel.parse(STUCK)
    q, v = (np.array(each, dtype=float) for each in (system.model.start.q, system.model.start.v))
    for step in range(6):
        q[1] += 1e-6 * step
        run = system.simulate(0.62, q=q, v=v)
        assert [event.transition for event in run.events][-2:] == ["w0 C lets go", "w1 D strikes"]


def test_a_car_among_many_teeth() -> None:
    """Wheels on a hull that may itself touch: its way is the same with more teeth behind."""

    def car(teeth: int) -> sistel.System:
        obstacles = "".join(
            f'<polygon name="o{i}" place="{600 + 300 * i},0" points="-60,0; 0,-20; 60,0"/>' for i in range(teeth)
        )
        wheels = "".join(
            f'<body name="w{k}" joint="revolute" place="{x},0" mass="1" inertia="0.005">'
            f'<circle name="t{k}" radius="100"/></body>'
            for k, x in enumerate((-200, 200))
        )
        rolls = "".join(f'<contact name="k{k}" of="t{k}" to="world" friction="0.6"/>' for k in range(2))
        return sistel.parse(
            f'<system name="car"><world><polyline name="floor" points="-10000,0; 300000,0"/>{obstacles}</world>'
            f'<body name="b" joint="free" mass="5" inertia="0.2"><box name="hull" size="500,80"/>{wheels}</body>'
            f'<links>{rolls}<contact name="h" of="hull" to="world" friction="0.3"/></links>'
            '<start b="0,-100,0" b.rate="1500,0,0"/></system>'
        )

    few, many = (car(teeth).simulate(0.5) for teeth in (4, 10))
    assert len(few.events) == len(many.events) > 5
    assert [event.time for event in few.events] == pytest.approx([event.time for event in many.events], abs=1e-9)
    assert few.q[-1] == pytest.approx(many.q[-1], abs=1e-9)
