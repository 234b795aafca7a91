"""Rows of the mission on control: what schemes drive, through the public face alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import main
from sistel.simulation import Run

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


GATE = """<system name="gate"><body name="gate" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="gate"/></body>
  <scheme name="keeper" period="10 ms">
    <input name="open it" kind="button"/>
    <block name="asked" kind="trigger" set="open it" reset="abs(rate(gate)) lt 0.01 rad/s and angle(gate) gt 59 deg"/>
    <block name="told" kind="trigger" set="open it" reset="t lt 0 s"/>
    <block name="aim" kind="rate-limiter" in="select(told, 60 deg, 0 deg)" rate="60 deg/s"/>
    <block name="u" kind="pid" in="aim - angle(gate)" rate="-rate(gate)" kp="60 N*m/rad" ki="40 N*m/rad/s" kd="6 N*m*s/rad"/>
    <lamp name="moving" from="asked"/>
    <output motor="gate" from="u"/>
    <drawing><place of="u" at="5, 0"/></drawing>
  </scheme></system>"""


def test_D12_schemes_round_trip_and_are_drawn(tmp_path: Path) -> None:
    """Text, scheme, text: in both languages the same meaning, the same motion, the same places; and a drawing."""
    first = tmp_path / "gate.xml"
    first.write_text(GATE, encoding="utf-8")
    before = sistel.load(first)
    for lang in ("ru", "en"):
        other = tmp_path / f"{lang}.xml"
        assert main(["convert", str(first), str(other), "--lang", lang]) == 0
        assert main(["scheme", str(first), "--compare", str(other)]) == 0
        again = sistel.load(other)
        assert again.fingerprint == before.fingerprint
        assert [(p.name, p.column, p.row) for p in again.model.schemes[0].places] == [("u", 5, 0.0)]
        press = {"open it": [(0.3, 1), (0.4, 0)]}
        assert again.simulate(1.0, inputs=press).last.tolist() == before.simulate(1.0, inputs=press).last.tolist()
        picture = tmp_path / f"{lang}.svg"
        assert main(["scheme", str(other), "-o", str(picture), "--lang", lang]) == 0
        drawn = picture.read_text(encoding="utf-8")
        assert all(f">{name}<" in drawn for name in ("open it", "asked", "aim", "u", "moving", "gate"))
    changed = tmp_path / "changed.xml"
    changed.write_text(GATE.replace('kp="60', 'kp="61'), encoding="utf-8")
    assert main(["scheme", str(first), "--compare", str(changed)]) == 1


def test_D14_a_button_hands_the_task_over(tmp_path: Path) -> None:
    """The press is logged; what follows needs nobody: the gate opens, and its lamp goes out, long after the button."""
    system = sistel.parse(GATE)
    record = tmp_path / "press.csv"
    record.write_text("time,input,value\n0.5,open it,1\n0.62,open it,0\n", encoding="utf-8")
    run = system.simulate(4.0, inputs={"open it": [(0.5, 1), (0.62, 0)]})
    assert [(event.time, event.transition) for event in run.events] == [
        (0.5, "input: open it = 1.0"),
        (0.62, "input: open it = 0.0"),
    ]
    assert run.quantity("angle(gate)", [0.5])[0] == 0.0
    assert run.quantity("angle(gate)", [4.0])[0] == pytest.approx(np.radians(60), abs=1e-3)
    assert run.quantity("moving", [0.4, 0.7, 1.0, 4.0]).tolist() == [0.0, 1.0, 1.0, 0.0]
    still = system.simulate(4.0)
    assert not len(still.events) and np.abs(still.q).max() < 1e-12
    file = tmp_path / "gate.xml"
    file.write_text(GATE, encoding="utf-8")
    assert main(["run", str(file), "--until", "4", "--inputs", str(record), "-o", str(tmp_path / "run.npz")]) == 0
    assert Run.load(tmp_path / "run.npz", system).last.tolist() == run.last.tolist()
