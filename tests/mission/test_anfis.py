"""Rows C8, C10 and E6 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.solve import anfis

# Tables 3 and 4 of the paper (Thu Rain 2023, doi 10.52575/2687-0959-2023-55-1-70-83).
KINEMATICS = {"inputs": 6, "functions": (23, 21, 25, 26, 31), "nodes": (331, 303, 359, 373, 443)}
DYNAMICS = {"inputs": 12, "functions": (12, 11, 12, 12, 11), "nodes": (327, 301, 327, 327, 301)}


def test_E6() -> None:
    for table in (KINEMATICS, DYNAMICS):
        n = table["inputs"]
        found = tuple(anfis.node_count(n, m) for m in table["functions"])
        assert found == table["nodes"] == tuple((2 * n + 2) * m + n + 3 for m in table["functions"])
        # No other number of rules fits, and a full grid of m functions per input does not either.
        for m, nodes in zip(table["functions"], table["nodes"], strict=True):
            assert [k for k in range(1, 1000) if anfis.node_count(n, k) == nodes] == [m]
            assert n + 2 * n * m + 2 * m**n + 3 != nodes


def test_C8(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    # One way to bend the elbow and the wrist, so that every pose of the tool has one posture.
    low, high = np.radians([-45, 50, -130, 20, -45]), np.radians([45, 120, -50, 100, 45])
    nets = anfis.train_ik(arm, "инструмент", 1200, rules=KINEMATICS["functions"], epochs=4, low=low, high=high)
    assert nets.inputs == ("x", "y", "z", "roll", "pitch", "yaw")
    assert nets.nodes == KINEMATICS["nodes"]
    for network, functions in zip(nets.networks, KINEMATICS["functions"], strict=True):
        assert (network.rules, network.centres.shape, network.widths.shape) == (
            functions,
            (functions, 6),
            (functions, 6),
        )
    # Errors against forward kinematics, on postures that are neither learnt nor of the report.
    q = rng.uniform(low, high, size=(300, 5))
    poses = arm.pose(q, "инструмент")
    missed = np.linalg.norm(arm.pose(anfis.as_seed(nets, poses), "инструмент")[:, :3, 3] - poses[:, :3, 3], axis=1)
    assert missed.mean() == pytest.approx(nets.report.place.mean, rel=0.3)
    # A reach of 0.57 m: about 1 %, and far from the 1e-8 m of a solver.
    assert 1e-4 < missed.mean() < 0.01
    assert nets.report.worse_than_solver
    assert nets.report.seeding.success >= nets.report.seeding.usual_success
    # As a seed they are good: one attempt of Levenberg and Marquardt's method finds the posture itself.
    solved = arm.inverse_kinematics(poses, "инструмент", q=anfis.as_seed(nets, poses), restarts=0)
    assert np.abs(solved.q - q).max() < 1e-6


def test_C10(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    nets = anfis.train_dynamics(arm, 2000, inputs=12, rules=DYNAMICS["functions"], epochs=8)
    assert nets.nodes == DYNAMICS["nodes"]
    assert [len(each) for each in nets.inputs] == [12] * 5
    # The paper does not say which three of the fifteen signals it leaves out. No torque of this arm loses anything:
    # those left out here do not change it at all.
    names = [f"{letter} {joint}" for letter in "qva" for joint in nets.joints]
    signals = rng.uniform(-1.0, 1.0, size=(50, 15))
    torques = arm.inverse_dynamics(*np.split(signals, 3, axis=1))
    for joint, used in enumerate(nets.inputs):
        left = [index for index, name in enumerate(names) if name not in used]
        assert len(left) == 3
        other = signals.copy()
        other[:, left] = rng.uniform(-1.0, 1.0, size=(50, 3))
        changed = arm.inverse_dynamics(*np.split(other, 3, axis=1))
        assert np.abs(changed - torques)[:, joint].max() < 1e-14 * max(1.0, np.abs(torques[:, joint]).max())
    # As good as the report says, against Newton-Euler, within the limits of the joints.
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    q, v, a = rng.uniform(low, high, size=(500, 5)), *rng.uniform(-1.0, 1.0, size=(2, 500, 5))
    missed = nets.predict(q, v, a) - arm.inverse_dynamics(q, v, a)
    assert np.sqrt((missed**2).mean(axis=0)) == pytest.approx([each.rmse for each in nets.report.errors], rel=0.3)
    assert max(nets.report.unexplained) < 0.6
