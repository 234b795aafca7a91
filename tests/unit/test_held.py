"""Motors that hold the posture of the start."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

MODELS = Path(__file__).resolve().parents[2] / "models"
PENDULUM = """<system name="a"><body name="rod" joint="revolute" mass="2" com="0, 300" inertia="0.06">{}</body>
<start rod="90"/></system>"""


@pytest.mark.parametrize("name", ["arm5.urdf", "servo.xml", "puma560.xml"])
def test_it_stands_and_takes_what_gravity_asks_for(tmp_path: Path, name: str) -> None:
    # Joints of the Puma have dry friction, which takes nothing of what their motors hold.
    path = MODELS / name
    if name == "servo.xml":
        path = tmp_path / name
        path.write_text(PENDULUM.format('<motor name="m"/>'))
    system = sistel.load(path)
    q = np.array(system.model.start.q)
    run = system.held().simulate(0.5)
    assert abs(run.q - q).max() < 1e-12 and abs(run.v).max() < 1e-12
    weights = system.gravity_forces(q)
    for motor in system.model.motors:
        torque = run.quantity(f"torque({motor.name})")
        rate = system.model.bodies[motor.body - 1].first_v
        assert torque == pytest.approx(np.full(len(run.t), weights[rate]), abs=1e-12)


def test_a_loop_stands_on_its_motors() -> None:
    system = sistel.load(MODELS / "stephenson.xml")
    run = system.held().simulate(0.2)
    assert abs(run.q - run.q[0]).max() < 1e-12
    # By virtual work: its moment is the slope of the potential along the one motion that the loops leave.
    motor = system.model.motors[0]
    place = system.model.bodies[motor.body - 1].first_q
    step = 1e-5
    places, heights = [], []
    for way in (-step, step):
        q = np.array(run.q[0])
        q[place] += way
        closed = system.assemble(q)
        places.append(float(closed[place]))
        heights.append(float(system.energies(closed, np.zeros(closed.shape))[1]))
    slope = (heights[1] - heights[0]) / (places[1] - places[0])
    assert run.quantity(f"torque({motor.name})")[-1] == pytest.approx(slope, rel=1e-8)


def test_without_motors_all_hinges_hold() -> None:
    run = sistel.parse(PENDULUM.format("")).held().simulate(1.0)
    assert abs(run.q - np.pi / 2).max() < 1e-15


def test_what_is_driven_is_left_as_it_is() -> None:
    with pytest.raises(sistel.SistelError, match="nothing can be held"):
        sistel.load(MODELS / "delta.xml").held()
    with pytest.raises(sistel.SistelError, match="nothing can be held"):
        sistel.load(MODELS / "servo_arm.xml").held()
