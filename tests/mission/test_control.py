"""Rows of the mission on control: what schemes drive, through the public face alone."""

from __future__ import annotations

import numpy as np
import pytest

import sistel

VEHICLE = """<system space="spatial">
  <body name="hull" joint="planar" mass="50 kg" inertia="3, 3, 3.6">
    <body name="left wheel" joint="revolute" axis="y" place="0, 300, 120" mass="0" inertia="0.2, 0.4, 0.2">
      <motor name="left" ratio="30" resistance="0.5" constant="0.03"/></body>
    <body name="right wheel" joint="revolute" axis="y" place="0, -300, 120" mass="0" inertia="0.2, 0.4, 0.2">
      <motor name="right" ratio="30" resistance="0.5" constant="0.03"/></body>
  </body>
  <track name="l" of="hull" rear="-500, 300, 0" front="500, 300, 0" patches="2" drive="left wheel" radius="120" friction="0.6"/>
  <track name="r" of="hull" rear="-500, -300, 0" front="500, -300, 0" patches="2" drive="right wheel" radius="120" friction="0.6"/>
  <scheme name="console" period="10 ms">
    <input name="U left" value="0 V" min="-24 V" max="24 V"/>
    <input name="U right" value="0 V" min="-24 V" max="24 V"/>
    <output motor="left" from="U left"/>
    <output motor="right" from="U right"/>
  </scheme>
</system>"""


@pytest.fixture(scope="module")
def vehicle() -> sistel.System:
    return sistel.parse(VEHICLE)


@pytest.mark.parametrize("U", [12.0, -20.0])
def test_D1_equal_voltages_keep_the_heading(vehicle: sistel.System, U: float) -> None:
    """U_L = U_R: it drives straight on."""
    run = vehicle.simulate(2.0, inputs={"U left": U, "U right": U})
    assert abs(run.q[-1][0]) > 1.0
    assert np.abs(run.quantity("angle(hull)")).max() < 1e-13
    assert np.abs(run.q[:, 1]).max() < 1e-13
    assert np.sign(run.q[-1][0]) == np.sign(U)


@pytest.mark.parametrize("U", [24.0, -24.0])
def test_D1_opposite_voltages_keep_the_place(vehicle: sistel.System, U: float) -> None:
    """U_L = -U_R: it turns on the spot, settled with the balance of 34-digit arithmetic, 4.64781404309284 rad/s."""
    run = vehicle.simulate(25.0, inputs={"U left": -U, "U right": U})
    assert np.hypot(run.q[:, 0], run.q[:, 1]).max() < 1e-11
    assert run.quantity("rate(hull)")[-1] == pytest.approx(np.sign(U) * 4.64781404309284, rel=1e-11)


def test_D1_beyond_the_voltages_is_refused(vehicle: sistel.System) -> None:
    with pytest.raises(sistel.SistelError, match="beyond the limits"):
        vehicle.simulate(1.0, inputs={"U left": "30 V"})
