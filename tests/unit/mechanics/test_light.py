"""Light bodies in closed loops keep their digits: a Geneva drive whose block weighs less and less."""

from __future__ import annotations

import numpy as np
import pytest

import sistel
from sistel.engine import Engine

GENEVA = """<system name="geneva">
  <parameter name="d" value="100 mm"/><parameter name="h" value="30 deg"/><parameter name="r" value="d*sin(h)"/>
  <parameter name="mb" value="{mass} kg"/><gravity value="0"/>
  <body name="driver" joint="revolute" mass="1" inertia="0.002"><point name="pin" place="r, 0"/></body>
  <body name="wheel" joint="revolute" place="d, 0" mass="1" inertia="0.001">
    <body name="block" joint="prismatic" axis="x" place="-d*cos(h), 0" mass="mb"/></body>
  <links>
    <closure name="slot" joint="revolute" point="pin" to="block" holds="no"/>
    <lock name="index" of="wheel, block" holds="no"/>
    <structure name="dwell" holds="index"/><structure name="engaged" holds="slot"/>
    <transition from="dwell" to="engaged" when="y(pin) rises through -r*cos(h) and x(pin) gt 0"/>
    <transition from="engaged" to="dwell" when="y(pin) rises through r*cos(h)">
      <set of="wheel" value="angle(wheel) + 60 deg" rate="0"/><set of="block" value="0" rate="0"/></transition>
  </links>
  <start structure="dwell" driver="-90 deg" wheel="h" driver.rate="10 rad/s"/></system>"""
MASSES = ("1e-4", "1e-6", "1e-8", "1e-12", "1e-15", "1e-18")


def geneva(mass: str) -> sistel.System:
    return sistel.parse(GENEVA.format(mass=mass))


def weights(system: sistel.System, name: str) -> tuple[float, ...]:
    return Engine.of(system.model).structure(system.structure(name), True).setting.weights


def engaged(mass: float) -> float:
    """How long the wheel turns [s]: an integral, with the whole energy in the angle of the driver."""
    d, r, J, Jw, speed = 0.1, 0.05, 2e-3, 1e-3, 10.0

    def inertia(x: np.ndarray) -> np.ndarray:
        arm, across = d - r * np.cos(x), r * np.sin(x)  # from the centre of the wheel to the pin
        square = arm**2 + across**2
        turning = (r * np.cos(x) * arm - across * r * np.sin(x)) / square
        sliding = (arm * r * np.sin(x) + across * r * np.cos(x)) / np.sqrt(square)
        return J + (Jw + mass * square) * turning**2 + mass * sliding**2

    edges = np.linspace(-np.pi / 3, np.pi / 3, 81)
    nodes, shares = np.polynomial.legendre.leggauss(16)
    x = (edges[:-1, None] + (nodes + 1) / 2 * np.diff(edges)[:, None]).ravel()
    # Where the pin enters the slot it slides along it: the block begins to move with it, which takes an impact.
    before = inertia(np.array([-np.pi / 3]))[0]
    momentum = J * speed
    energy = momentum**2 / before
    return float(np.tile(shares, 80) @ np.sqrt(inertia(x) / energy) * np.diff(edges)[0] / 2)


@pytest.mark.parametrize("mass", MASSES)
def test_times_keep_their_digits(mass: str) -> None:
    run = geneva(mass).simulate(0.5)
    begin, end = (event.time for event in run.events)
    assert begin == pytest.approx(np.pi / 60, rel=1e-14)
    assert end - begin == pytest.approx(engaged(float(mass)), rel=1e-12)


def test_what_is_lost_at_entries_is_the_energy_of_the_block() -> None:
    """Over 32 events: with 1e-15 kg nothing to speak of."""
    run = geneva("1e-15").simulate(10.0)
    kinetic, _ = run.energies()
    assert len(run.events) == 32 and np.ptp(kinetic) < 1e-12 * kinetic.max() + np.ptp(kinetic[:1])


def test_only_rows_that_need_them_have_weights(models_dir: object) -> None:
    system = geneva("1e-12")
    assert len(weights(system, "engaged")) == 2 and min(weights(system, "engaged")) > 0
    assert not any(weights(system, "dwell"))
    assert not any(weights(geneva("1e-4"), "engaged"))


@pytest.mark.parametrize("name", ["four_bar", "geneva", "simplest_walker", "stewart", "bricard", "andrews_squeezer"])
def test_the_gallery_has_none(name: str, models_dir: object) -> None:
    system = sistel.load(f"{models_dir}/{name}.xml")
    for structure in system.structures:
        if structure.holds or structure.changes:
            assert not any(weights(system, structure.name)), structure.name


def test_forces_of_links_do_not_change_with_weights() -> None:
    """Reactions of a light block: those that the wheel needs, from Newton's equations of the wheel alone."""
    system = geneva("1e-13")
    run = system.simulate(0.2)
    t = np.linspace(0.06, 0.19, 8)
    force = run.reactions(t)["slot"][:, 3:5]
    q, _ = run(t)
    step = 1e-6
    gain = (run(t + step)[1][:, 1] - run(t - step)[1][:, 1]) / (2 * step)
    pin = 0.05 * np.stack([np.cos(q[:, 0]), np.sin(q[:, 0])], axis=1)
    arm = pin - np.array([0.1, 0.0])
    turning = arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]
    np.testing.assert_allclose(np.abs(turning), np.abs(1e-3 * gain), rtol=1e-6, atol=1e-9)


def test_a_light_coupler_costs_no_energy() -> None:
    """A four-bar whose rod weighs nothing to speak of moves as one without its mass, and keeps its energy."""
    ends = []
    for mass in (1e-9, 1e-12, 1e-15):
        system = sistel.parse(
            f"""<system name="bars"><body name="crank" joint="revolute" mass="1" com="50,0" inertia="0.01">
            <body name="rod" joint="revolute" place="100,0" mass="{mass}" com="150,0" inertia="{0.0075 * mass}">
              <point name="end" place="300,0"/></body></body>
            <body name="rocker" joint="revolute" place="300,0" mass="1" com="0,-100" inertia="0.01"/>
            <links><closure name="pin" joint="revolute" point="end" to="rocker" at-to="0,-200"/></links>
            <start crank="30 deg" crank.rate="5 rad/s"/></system>"""
        )
        run = system.simulate(5.0)
        kinetic, potential = run.energies()
        assert np.abs(kinetic + potential - kinetic[0] - potential[0]).max() < 2e-14 * kinetic.max()
        ends.append(run.q[-1])
    np.testing.assert_allclose(ends[0], ends[2], atol=1e-8)
    np.testing.assert_allclose(ends[1], ends[2], atol=1e-11)
