"""Electric motors against the DC motor of MuJoCo: the same motion, to the order of its integrators."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import pytest

import sistel

TIME = 0.1
PEER = """<mujoco><option gravity="0 0 0" timestep="{step!r}" integrator="{integrator}"/>
    <worldbody><body><joint name="r" type="hinge" axis="0 0 1" damping="0.01" armature="{armature!r}"/>
    <inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.2"/></body></worldbody>
    <actuator><dcmotor name="m" joint="r" gear="30" motorconst="0.05" resistance="1.2" {winding}/></actuator></mujoco>"""
OWN = """<system name="rotor"><gravity value="0"/>
    <body name="r" joint="revolute" mass="1" inertia="0.2" damping="0.01 N*m*s/rad">
    <motor name="m" ratio="30" inertia="2e-5" resistance="1.2 Ohm" constant="0.05 V*s/rad" {winding}/></body>
    <scheme name="s"><output motor="m" from="24 V"/></scheme></system>"""


def peer(step: float, integrator: str, winding: str) -> Any:
    """Angle, speed and, where there is one, the current after the time."""
    text = PEER.format(step=step, integrator=integrator, winding=winding, armature=900 * 2e-5)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.ctrl[0] = 24.0
    for _ in range(round(TIME / step)):
        mujoco.mj_step(model, data)
    return np.concatenate([data.qpos, data.qvel, data.act])


CASES = [
    ("Euler", 1, (2e-4, 1e-4, 5e-5), ""),
    ("RK4", 4, (5e-3, 2.5e-3, 1.25e-3), ""),
    ("Euler", 1, (2e-4, 1e-4, 5e-5), "3"),
]
"""Its currents have steps of first order whatever the integrator is: Runge–Kutta says nothing of an inductance."""


@pytest.mark.parametrize(("integrator", "order", "steps", "inductance"), CASES)
def test_the_motion_is_that_of_its_limit(
    integrator: str, order: int, steps: tuple[float, ...], inductance: str
) -> None:
    """Its error halves with its step where it is of first order, and falls to a sixteenth where it is of fourth."""
    run = sistel.parse(OWN.format(winding=f'inductance="{inductance} mH"' if inductance else "")).simulate(TIME)
    own = [run.q[-1, 0], run.v[-1, 0], *([run.quantity("current(m)")[-1]] if inductance else [])]
    given = f'inductance="{float(inductance) * 1e-3!r}"' if inductance else ""
    errors = [np.abs(peer(step, integrator, given) - own) for step in steps]
    for coarse, fine in pairwise(errors):
        # Of a current, terms of second order are as large at these steps.
        np.testing.assert_allclose((coarse / fine)[:2], 2.0**order, rtol=0.06)
    assert (errors[-1] / np.abs(own)).max() < (2e-3 if order == 1 else 1e-6)
    assert (errors[-1] < errors[0]).all()


@pytest.mark.parametrize("winding", ["", 'inductance="0.003"'])
def test_a_dcmotor_of_mjcf_is_read(winding: str) -> None:
    """Its voltage is an input, 0 V at first: a winding that is closed brakes, there and here."""
    text = PEER.format(step=1e-4, integrator="Euler", winding=f'{winding} ctrlrange="-30 30"', armature=900 * 2e-5)
    system = sistel.parse(text, "rotor.mjcf")
    (motor,) = system.model.motors
    assert motor.name == "m" and motor.ratio == 30.0 and float(motor.inertia) == pytest.approx(2e-5)
    assert (motor.constant, motor.resistance, motor.voltage) == (0.05, 1.2, 30.0)
    own = OWN.format(winding='inductance="3 mH"' if winding else "")
    wanted = sistel.parse(own).simulate(TIME)
    run = system.simulate(TIME, inputs={"m voltage": 24.0})
    assert run.q[-1] == pytest.approx(wanted.q[-1], abs=1e-13)
    assert run.v[-1] == pytest.approx(wanted.v[-1], abs=1e-12)
    # at rest it is held by its back EMF alone: k² n² / R slows it down, as in MuJoCo
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qvel[0] = 3.0
    for _ in range(1000):
        mujoco.mj_step(model, data)
    slow = system.simulate(TIME, v=[3.0])
    assert slow.v[-1][0] == pytest.approx(data.qvel[0], rel=3e-3)
    assert slow.v[-1][0] < 2.0


def test_a_dcmotor_that_is_not_described_is_told() -> None:
    text = PEER.format(step=1e-4, integrator="Euler", winding="", armature=0.0).replace('motorconst="0.05"', "")
    system = sistel.parse(text, "rotor.mjcf")
    assert any("motorconst and resistance are needed" in str(each) for each in system.losses)
