"""Statics: forces that hold a posture, and postures that need none."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import sistel

MODELS = Path(__file__).resolve().parents[3] / "models"
G = 9.81


@cache
def gallery(name: str) -> sistel.System:
    return sistel.load(MODELS / f"{name}.xml")


@cache
def spring_pendulum() -> sistel.System:
    """A rod with its mass at the end, hinged at the ground, y down, and a spring in the hinge."""
    return sistel.parse(
        '<system><body name="rod" joint="revolute" mass="2" com="0, -500" stiffness="30 N*m/rad"/></system>'
    )


@cache
def lever() -> sistel.System:
    """A weight of 3 kg hung by a slide on a lever that is geared to a wheel."""
    return sistel.parse(
        '<system><body name="wheel" joint="revolute" mass="1" inertia="0.1"/>'
        '<body name="weight" joint="prismatic" axis="y" mass="3"/>'
        '<links><coupling name="rope" of="weight" to="wheel" ratio="0.2 m/rad"/></links></system>'
    )


# --- forces ------------------------------------------------------------------------------------------------------


def test_gravity_alone_is_held_by_gravity_forces(rng: np.random.Generator) -> None:
    arm = gallery("puma560")
    q = rng.uniform(-2, 2, arm.nq)
    assert np.allclose(arm.static_forces(q, applied=False), arm.gravity_forces(q), rtol=1e-12, atol=1e-12)


def test_published_torques_of_the_puma() -> None:
    # Corke and Armstrong's parameters, stretched out: gravity torques 0, 37.48366665, 0.24892875, 0, 0, 0 N·m.
    found = gallery("puma560").static_forces(np.zeros(6), applied=False)
    assert found == pytest.approx([0, 37.48366665, 0.24892875, 0, 0, 0], abs=1e-8)


def test_springs_help() -> None:
    system = spring_pendulum()
    angle = 0.3
    # Upright, the weight tips the rod over: -m g c sin q; the spring pulls back: -k q.
    expected = -2 * G * 0.5 * math.sin(angle) + 30 * angle
    assert system.static_forces([angle]) == pytest.approx([expected], rel=1e-13)
    assert system.static_forces([angle], applied=False) == pytest.approx([expected - 30 * angle], rel=1e-13)


def test_a_gear_shares_the_load() -> None:
    system = lever()
    q = system.assemble([0.5, 0.0])
    # y is down: the weight pulls the wheel with 3 g · 0.2, so the wheel is held against it.
    assert system.static_forces(q, driven=["wheel"]) == pytest.approx([-3 * G * 0.2, 0.0], rel=1e-12)
    assert system.static_forces(q, driven=["weight"]) == pytest.approx([0.0, -3 * G], rel=1e-12)
    both = system.static_forces(q)
    assert both @ [1, 0.2] == pytest.approx(-3 * G * 0.2, rel=1e-12)
    # The smallest of all pairs that do it is along the motion itself.
    assert both[1] == pytest.approx(0.2 * both[0], rel=1e-12)


def test_the_crank_of_a_four_bar_by_virtual_work() -> None:
    system = gallery("four_bar")
    q = system.assemble()
    (tau, *others) = system.static_forces(q, driven=["crank"])
    assert others == [0.0, 0.0]
    # Virtual work: the potential energy along the only motion, by differences over an assembled step of 1e-4.
    rates = np.linalg.svd(system.constraint_jacobian(q))[2][-1]
    step = 1e-4 / rates[0]
    ends = [system.energies(system.assemble(q + sign * step * rates), np.zeros(3))[1] for sign in (1, -1)]
    turned = [system.assemble(q + sign * step * rates)[0] for sign in (1, -1)]
    assert tau == pytest.approx((ends[0] - ends[1]) / (turned[0] - turned[1]), rel=1e-6)  # the step's square


def test_held_postures_do_not_accelerate(rng: np.random.Generator) -> None:
    system = gallery("stewart")
    q = system.assemble()
    tau = system.static_forces(q)
    a = system.forward_dynamics(q, np.zeros(system.nv), tau, applied=True)
    free = system.forward_dynamics(q, np.zeros(system.nv), np.zeros(system.nv), applied=True)
    assert np.abs(a).max() < 1e-11 * np.abs(free).max()


def test_what_cannot_be_held_is_named() -> None:
    with pytest.raises(sistel.SistelError, match=r"trunk\.y"):
        gallery("hopper").static_forces(np.array([0, -1.0, 0, 0, 0]), structure="flight", driven=["leg"])
    with pytest.raises(sistel.SistelError, match="wheal") as caught:
        lever().static_forces([0, 0], driven=["wheal"])
    assert "wheel" in str(caught.value)


@pytest.mark.parametrize("bad", [[0.0], [[0.0, 0.0], [0.0, 0.0]], [math.nan, 0.0]])
def test_bad_postures(bad: object) -> None:
    with pytest.raises(sistel.SistelError, match="q"):
        lever().static_forces(bad)  # type: ignore[arg-type]
    with pytest.raises(sistel.SistelError, match="q"):
        lever().equilibrium(bad)  # type: ignore[arg-type]


# --- equilibrium ---------------------------------------------------------------------------------------------------


def test_a_pendulum_hangs_or_balances() -> None:
    system = sistel.parse('<system><body name="rod" joint="revolute" mass="2" com="0, 500" inertia="0.1"/></system>')
    hanging = system.equilibrium([2.0], stable=True)
    assert hanging.success and hanging.stable
    assert math.remainder(float(hanging.q[0]), 2 * math.pi) == pytest.approx(0.0, abs=1e-12)
    # Small oscillations: ω² = m g c / (I + m c²).
    assert hanging.stiffness == pytest.approx([2 * G * 0.5 / (0.1 + 2 * 0.25)], rel=1e-14)
    above = system.equilibrium([3.0])
    assert above.success and not above.stable
    assert float(above.q[0]) == pytest.approx(math.pi, abs=1e-12)
    assert above.stiffness[0] < 0


def test_a_buckled_rod() -> None:
    """Upright under a spring too weak for it: m g c sin q = k q has a second solution, and that is the stable one."""
    system = sistel.parse(
        '<system><body name="rod" joint="revolute" mass="2" com="0, -500" inertia="0.1" stiffness="8 N*m/rad"/></system>'
    )
    upright, buckled = system.equilibrium([0.0]), system.equilibrium([0.1], stable=True)
    assert upright.success and not upright.stable and buckled.success and buckled.stable
    q = float(buckled.q[0])
    assert q > 0.1 and 2 * G * 0.5 * math.sin(q) == pytest.approx(8 * q, rel=1e-12)


def test_driving_forces_shift_the_balance() -> None:
    system = sistel.parse('<system><body name="rod" joint="revolute" mass="2" com="0, 500" inertia="0.1"/></system>')
    found = system.equilibrium([0.0], tau=[3.0])
    assert float(found.q[0]) == pytest.approx(math.asin(3 / (2 * G * 0.5)), rel=1e-12)
    too_strong = system.equilibrium([0.0], tau=[30.0])
    assert not too_strong.success and too_strong.reason is not None
    assert "N·m" in too_strong.reason.en and "Н·м" in too_strong.reason.ru


def test_forces_of_motors_by_name_and_the_frequencies_of_linear_systems() -> None:
    # Where forces have a potential, poles are ± i times the roots of the stiffness per mass, found in another way.
    system = gallery("four_bar")
    found = system.equilibrium(inputs={"drive": 0.4}, stable=True)
    assert found.success and found.tau.tolist() == [0.4, 0.0, 0.0]
    linear = system.linearize(at=found)
    assert linear.equilibrium and linear.inputs[0].value == 0.4
    assert linear.frequencies**2 == pytest.approx([found.stiffness[0]] * 2, rel=1e-11)
    with pytest.raises(sistel.SistelError, match="drive"):
        system.equilibrium(inputs={"drivee": 1.0})
    failed = system.equilibrium(inputs={"drive": 100.0})
    with pytest.raises(sistel.SistelError, match="no equilibrium"):
        system.linearize(at=failed)


def test_a_closed_chain_settles_at_the_lowest_energy() -> None:
    system = gallery("four_bar")
    found = system.equilibrium(stable=True)
    assert found.success and found.stable
    assert np.abs(system.constraint_errors(found.q)).max() < 1e-12
    still = np.zeros(3)
    assert np.abs(system.forward_dynamics(found.q, still, still)).max() < 1e-11
    rates = np.linalg.svd(system.constraint_jacobian(found.q))[2][-1]
    lowest = system.energies(found.q, still)[1]
    for sign in (1, -1):
        assert system.energies(system.assemble(found.q + sign * 1e-2 * rates), still)[1] > lowest


def test_a_neutral_balance_is_not_stable() -> None:
    system = sistel.parse('<system><body name="wheel" joint="revolute" mass="2" inertia="0.1"/></system>')
    found = system.equilibrium([0.7])
    assert found.success and not found.stable and float(found.q[0]) == 0.7


def test_quaternions_stay_of_length_one() -> None:
    system = sistel.parse(
        '<system space="spatial"><body name="top" joint="spherical" mass="1" com="0,0,-200" '
        'inertia="0.01,0.01,0.002"/></system>'
    )
    start = np.array([0.8, 0.6, 0.0, 0.0])
    found = system.equilibrium(start, stable=True)
    assert found.success and math.hypot(*found.q) == pytest.approx(1.0, abs=1e-14)
    assert system.pose(found.q, "top")[2, 2] == pytest.approx(1.0, abs=1e-12)  # the mass below the point
