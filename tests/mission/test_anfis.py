"""Rows C8, C10, C15 and E6 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import sistel
from sistel.cli import main
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


def test_C15(models_dir: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arm, nets, picture = models_dir / "arm5.xml", tmp_path / "ik.json", tmp_path / "net.svg"
    ranges = ["--low=-0.8,0.9,-2.2,0.4,-0.8", "--high", "0.8,2.1,-0.9,1.7,0.8", "--samples", "400", "--epochs", "1"]
    functions = ["--functions", ",".join(map(str, KINEMATICS["functions"]))]
    assert main(["ik", str(arm), "--train", str(nets), *functions, *ranges, "-o", str(picture), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert tuple(said["nodes"]) == KINEMATICS["nodes"] and said["inputs"] == ["x", "y", "z", "roll", "pitch", "yaw"]
    assert anfis.load(nets).nodes == KINEMATICS["nodes"]
    # The drawing: for every network a curve for each function of each input, and two nodes for each rule.
    drawn = ElementTree.fromstring(picture.read_bytes())
    svg = "{http://www.w3.org/2000/svg}"
    found = [
        (len(group.findall(f"{svg}polyline")), len(group.findall(f"{svg}circle[@class='node']")))
        for group in drawn.findall(f"{svg}g")
    ]
    assert found == [(6 * m, 2 * m) for m in KINEMATICS["functions"]]
    # The same of dynamics, with the inputs of Table 4.
    forces = tmp_path / "forces.json"
    functions = ["--functions", ",".join(map(str, DYNAMICS["functions"])), "--inputs", "12"]
    assert main(["dynamics", str(arm), "--train", str(forces), *functions, *ranges, "-o", str(picture), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert tuple(said["nodes"]) == DYNAMICS["nodes"] and [len(each) for each in said["inputs"]] == [12] * 5
    for wrong in (["--functions", "1,2"], ["--functions", "x"], ["--inputs", "5"], ["--epochs", "0"]):
        assert main(["ik", str(arm), "--train", str(nets), *wrong]) == 2
