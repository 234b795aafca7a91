"""What springs store: forces are its slope, and nothing is lost while it is exchanged with what moves."""

from __future__ import annotations

import numpy as np
import pytest

import sistel

SPRINGS = {
    "slide": '<system name="s"><gravity value="0"/><body name="b" joint="prismatic" mass="1" stiffness="100" rest="20"/>'
    '<start b="100"/></system>',
    "hinge": '<system name="s"><body name="b" joint="revolute" mass="1" com="0,200" inertia="0.02" stiffness="3" '
    'rest="40"><motor inertia="1e-4" ratio="10"/></body><start b="100"/></system>',
    "plane": '<system name="s"><body name="b" joint="free" mass="2" inertia="0.1" stiffness="100,200,3"/>'
    '<start><coordinate of="b" value="100,50,30" rate="500,0,90"/></start></system>',
    "ball": '<system space="spatial" name="s"><body name="b" joint="spherical" mass="1" com="0,0,-300" '
    'inertia="0.01,0.02,0.03,0,0,0" stiffness="2,2,2"/><start><coordinate of="b" spin="100,200,-50"/></start></system>',
    "free": '<system space="spatial" name="s"><body name="b" joint="free" mass="1" inertia="1,2,3,0,0,0" '
    'stiffness="1,1,1,100,50,70" rest="0,0,0,10,20,30"/>'
    '<start><coordinate of="b" place="100,0,50" spin="20,30,40"/></start></system>',
    "through no rotation": '<system space="spatial" name="s"><gravity value="0"/><body name="b" joint="spherical" '
    'mass="1" inertia="1,2,3,0,0,0" stiffness="1,1,1"/><start><coordinate of="b" spin="0,50,0"/></start></system>',
    "between bodies": '<system name="s"><body name="a" joint="revolute" mass="1" com="0,200" inertia="0.02">'
    '<body name="b" joint="revolute" place="0,400" mass="1" com="0,200" inertia="0.02"/></body>'
    '<spring name="x" body="b" at="0,400" to="0" at-to="300,300" stiffness="50" length="120"/>'
    '<spring name="y" body="a" at="0,400" to="0" at-to="-300,300" stiffness="20"/><start a="60" b="30"/></system>',
    "stop": '<system name="s"><gravity value="0"/><body name="b" joint="prismatic" mass="1" min="-50" max="80">'
    '<stop stiffness="1000"/></body><start b.rate="1000"/></system>',
}


@pytest.mark.parametrize("name", SPRINGS)
def test_energy_stays(name: str) -> None:
    run = sistel.parse(SPRINGS[name]).simulate(10.0)
    kinetic, potential = run.energies()
    assert np.ptp(potential) > 0.1 * kinetic.max() > 0.0
    assert np.abs(kinetic + potential - kinetic[0] - potential[0]).max() <= 2e-13 * kinetic.max()
    np.testing.assert_allclose(run.quantity("energy()"), kinetic + potential, rtol=1e-12)
    np.testing.assert_allclose(run.quantity("potential()"), potential, rtol=1e-11, atol=1e-13 * kinetic.max())


def test_energy_of_an_oscillator() -> None:
    """½ k x² at the start, ½ m v² at rest length: half a joule each."""
    system = sistel.parse(
        '<system><gravity value="0"/><body name="b" joint="prismatic" mass="1" stiffness="100"/><start b="100"/></system>'
    )
    assert system.energies([0.1], [0.0]) == (0.0, pytest.approx(0.5, rel=1e-15))
    kinetic, potential = system.simulate(2.0).energies(np.arange(3) * np.pi / 20)
    np.testing.assert_allclose(kinetic, [0.0, 0.5, 0.0], atol=1e-15)
    np.testing.assert_allclose(potential, [0.5, 0.0, 0.5], atol=1e-15)
    assert system.simulate(1.0).quantity("potential(b)", [0.0])[0] == 0.0  # of the body alone: its weight


def test_a_free_body_is_pulled_to_where_its_springs_rest() -> None:
    """Along the axes of the base, however it is turned; closed form of a mass on a spring."""
    system = sistel.parse(
        '<system space="spatial"><gravity value="0"/><body name="b" joint="free" mass="2" inertia="1,2,3,0,0,0" '
        'stiffness="0,0,0,50,0,0"/><start><coordinate of="b" place="100,0,0" spin="100,30,40" turn="20,30,40"/></start></system>'
    )
    t = np.linspace(0.0, 3.0, 31)
    q, _ = system.simulate(3.0)(t)
    np.testing.assert_allclose(q[:, 4], 0.1 * np.cos(5.0 * t), atol=1e-14)
    np.testing.assert_allclose(q[:, 5:], 0.0, atol=1e-15)


def test_a_ball_without_a_potential_is_told() -> None:
    """Springs along the axes of a body that turns have none where they differ."""
    text = SPRINGS["ball"].replace("2,2,2", "2,2,3")
    (note,) = sistel.parse(text).diagnostics
    assert (note.code, note.severity) == ("no-potential", "note")
    assert not sistel.parse(SPRINGS["ball"]).diagnostics


def test_large_systems_count_their_springs() -> None:
    """Those that are computed in loops: springs of joints and between bodies."""
    body = '<body joint="revolute" place="0,100" mass="1" com="0,50" inertia="0.001" stiffness="0.5">'
    count = 80
    text = f"<system>{body * count}{'</body>' * count}</system>"
    system = sistel.parse(text)
    q = np.linspace(-0.1, 0.2, count)
    v = np.zeros(count)
    bare = sistel.parse(text.replace('stiffness="0.5"', ""))
    assert system.energies(q, v)[1] - bare.energies(q, v)[1] == pytest.approx(0.25 * np.sum(q * q), rel=1e-10)
