"""The largest mass that can be carried, against a mass that is really there."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.motion import trajectories as tr

MODELS = Path(__file__).parents[3] / "models"
TEXT = (MODELS / "puma560.xml").read_text(encoding="utf-8")


def loaded(mass: float, place: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> sistel.System:
    """The Puma with a point of that mass fixed to its tool."""
    x, y, z = (1e3 * part for part in place)
    body = f'<frame name="tool"/><body name="load" joint="fixed" place="{x!r}, {y!r}, {z!r}" mass="{mass!r}"/>'
    return sistel.parse(TEXT.replace('<frame name="tool"/>', body))


@pytest.fixture(scope="module")
def puma() -> sistel.System:
    return sistel.load(MODELS / "puma560.xml")


def test_one_link_holds_what_its_motor_allows() -> None:
    arm = sistel.parse("""<system name="arm" space="spatial">
  <body name="beam" joint="revolute" axis="y" mass="2" com="300, 0, 0" inertia="0.1, 0.1, 0.1">
    <motor limit="40 N*m"/><frame name="hand" place="500, 0, 0"/>
  </body></system>""")
    q = np.linspace(-1.2, 1.2, 9)[:, None]
    found = arm.capacity(q)
    g = -arm.model.gravity[2]
    exact = (40.0 / (g * np.cos(q[:, 0])) - 2 * 0.3) / 0.5
    assert np.abs(found.mass - exact).max() < 1e-12 and (found.joint == "beam").all()
    assert np.abs(np.abs(found.forces[:, 0]) - 40.0).max() < 1e-12
    # Upright, no mass is felt; and what cannot hold itself carries nothing.
    up = arm.capacity([math.pi / 2])
    assert up.mass > 1e12 or math.isinf(up.mass)
    weak = arm.capacity([0.0], forces={"beam": 5.0})
    assert math.isnan(weak.mass) and weak.joint.item() == "beam"
    assert arm.capacity([0.0], forces=[80.0]).mass > 2 * found.mass.min()
    # A centre that is farther out is felt more.
    far = arm.capacity([0.0], centre=(0.5, 0.0, 0.0)).mass
    assert abs(far - (40.0 / g - 0.6) / 1.0) < 1e-12


def test_states_against_a_real_load(puma: sistel.System) -> None:
    rng = np.random.default_rng(3)
    for k in range(4):
        q, v, a = rng.uniform(-1, 1, 6), rng.uniform(-0.5, 0.5, 6), rng.uniform(-1, 1, 6)
        place = tuple(rng.uniform(-0.1, 0.1, 3).tolist()) if k % 2 else (0.0, 0.0, 0.0)
        found = puma.capacity((q, v, a), "tool", centre=place)
        tau = loaded(float(found.mass), place).inverse_dynamics(q, v, a)
        assert np.abs(tau - found.forces).max() < 1e-9
        assert abs((np.abs(tau) - found.limits).max()) < 1e-9  # one motor is at its limit, none beyond
        names = puma.model.rate_names
        assert names[int(np.argmax(np.abs(tau) - found.limits))] == found.joint.item()


def test_along_a_trajectory(puma: sistel.System) -> None:
    limits = tr.Limits(velocity=1.5, acceleration=6.0, jerk=60.0)
    for move in (
        tr.fastest_move([0.2, 0.3, -1.2, 0.1, 0.4, 0.0], [-0.9, 1.3, -2.3, 0.6, -0.5, 1.0], limits),
        tr.polynomial_move([0.0, 0.1, -0.4, 0.0, 0.2, 0.0], [1.0, 0.9, -2.6, 0.0, 0.9, 0.0], 0.9),
    ):
        found = puma.capacity(move, "tool")
        q, v, a = move(found.time)
        tau = loaded(float(found.mass)).inverse_dynamics(q, v, a)
        assert abs((np.abs(tau) - found.limits).max()) < 1e-9
        t = np.linspace(move.t0, move.t1, 20_001)
        fine = puma.capacity(move(t), "tool")
        assert fine.mass.min() > found.mass - 1e-9  # no time is worse
        assert fine.mass.min() < found.mass + 1e-3
        over = np.abs(loaded(float(found.mass)).inverse_dynamics(*move(t))) - found.limits
        assert over.max() < 1e-9
        assert found.masses is not None and found.masses.min() >= found.mass - 1e-12
        assert found.joint.item() in puma.model.rate_names and "kg" in repr(found)


def test_friction_counts_where_it_is_asked_for(puma: sistel.System) -> None:
    q, v, a = np.array([0.1, 0.4, -1.0, 0.0, 0.3, 0.0]), np.array([0.0, 0.4, 0.0, 0.0, 0.0, 0.0]), np.zeros(6)
    plain, rubbed = (puma.capacity((q, v, a), "tool", applied=on) for on in (False, True))
    wanted = (
        plain.forces
        - puma.applied_forces(q, v)
        + (rubbed.mass - plain.mass)
        * (puma.capacity((q, v, a), "tool", forces=plain.limits + 1.0).forces - plain.forces)
        / (puma.capacity((q, v, a), "tool", forces=plain.limits + 1.0).mass - plain.mass)
    )
    assert np.abs(rubbed.forces - wanted).max() < 1e-9 and rubbed.mass < plain.mass


def test_what_cannot_be_carried(puma: sistel.System) -> None:
    arm = sistel.load(MODELS / "arm5.xml")
    move = tr.polynomial_move([0.0], [1.0], 1.0)
    for call, said in (
        (lambda: arm.capacity([0.0] * 5, "инструмент"), "limit"),
        (lambda: puma.capacity([0.0] * 6, "tool", forces=[1.0]), "6 numbers"),
        (lambda: puma.capacity([0.0] * 6, "tool", forces={"elbw": 1.0}), "elbw"),
        (lambda: puma.capacity([0.0] * 6, "tool", forces={"hand": -1.0}), "above 0"),
        (lambda: puma.capacity([0.0] * 6, "tool", centre=(0.0, 1.0)), "three numbers"),
        (lambda: puma.capacity(([0.0] * 6, [0.0] * 6), "tool"), "q, v and a"),
        (lambda: puma.capacity([0.0] * 5, "tool"), "q"),
        (lambda: puma.capacity(([0.0] * 6, [math.nan] * 6, [0.0] * 6), "tool"), "not finite"),
        (lambda: puma.capacity(move, "tool"), "1 coordinates"),
        (lambda: puma.capacity([0.0] * 6, "toool"), "toool"),
    ):
        with pytest.raises(sistel.SistelError, match=said):
            call()
