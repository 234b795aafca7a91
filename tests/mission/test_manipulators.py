"""Rows B32, C1, C2, C5, C6, C9, C11, C14, D6 and D7 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support import denavit

import sistel
from sistel import arms
from sistel.cli import main
from sistel.motion import trajectories
from sistel.motion.trajectories import along, polynomial_move
from sistel.pose import axial_rotation, homogeneous


def is_unit_cylinder(figure: ElementTree.Element) -> bool:
    """Whether an Extrusion is a round part of radius 1 and height 1 about its middle, with chamfered edges."""
    section, spine, scale = (
        np.array([[float(word) for word in row.split()] for row in figure.get(name, "").split(",")])
        for name in ("crossSection", "spine", "scale")
    )
    if not np.array_equal(spine[[0, -1]], [[0, -0.5, 0], [0, 0.5, 0]]):
        return False
    # Coordinates have five digits. Cylinders of one radius on neighbouring bodies are drawn up to 3 * 0.4 % apart.
    assert np.abs(np.linalg.norm(section, axis=1) - 1).max() < 1e-5
    assert 0.988 <= scale.max() <= 1 and np.array_equal(scale[1:-1], np.full((2, 2), scale.max()))
    # A chamfer of at most a tenth of the radius, at both ends.
    assert np.array_equal(scale[0], scale[-1]) and scale.max() - 0.1 - 1e-9 <= scale[0].max() < scale.max()
    return True


def test_C1(models_dir: Path, tmp_path: Path, rng: np.random.Generator) -> None:
    """The papers' arm comes in as URDF: five axes, its masses, its lengths as they are measured, its cylinders drawn."""
    arm = sistel.load(models_dir / "arm5.urdf")
    assert arm.nv == 5 and all(body.joint.type.key in ("revolute", "fixed") for body in arm.bodies)
    joints = [body for body in arm.bodies if body.joint.type.nv]
    assert tuple(body.mass for body in joints) == (0.102, 0.569, 0.310, 0.123, 0.142) == denavit.MASSES
    # Between axes that are parallel and between points on them, in any posture: a2, a3 and d5.
    for q in rng.uniform(-np.pi, np.pi, size=(20, 5)):
        places = {name: arm.pose(q, name)[:3, 3] for name in ("shoulder", "forearm", "wrist", "hand", "tool")}
        for first, second, length in (
            ("shoulder", "forearm", 0.246),
            ("forearm", "wrist", 0.163),
            ("wrist", "hand", 0.0),
            ("hand", "tool", 0.165),
        ):
            assert np.linalg.norm(places[second] - places[first]) == pytest.approx(length, abs=1e-15)
    # Cylinders of the printed sizes, with their inertia, and in the view in space.
    arm.save(tmp_path / "arm.x3d")
    scene = ElementTree.parse(tmp_path / "arm.x3d").getroot()
    drawn = {
        tuple(float(word) for word in each.get("scale", "").split())
        for each in scene.iter("Transform")
        if (solid := each.find("Shape/Extrusion")) is not None and is_unit_cylinder(solid)
    }
    assert drawn == {(r, h, r) for r, h in zip(denavit.RADII, denavit.HEIGHTS, strict=True)}
    for body, m, h, r in zip(joints, denavit.MASSES, denavit.HEIGHTS, denavit.RADII, strict=True):
        across, along = m * (3 * r * r + h * h) / 12, m * r * r / 2
        assert sorted(body.I_BBcm_B[:3]) == pytest.approx(sorted((across, across, along)), rel=1e-12)
    # The same arm in the other language.
    twin = sistel.load(models_dir / "arm5.xml")
    assert twin.nv == 5 and tuple(body.mass for body in twin.bodies) == denavit.MASSES
    q = rng.uniform(-np.pi, np.pi, size=(20, 5))
    assert np.abs(twin.pose(q, "инструмент") - arm.pose(q, "tool")).max() < 1e-15


def test_C2(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    q = rng.uniform(-np.pi, np.pi, size=(200, 5))
    found = arm.pose(q, "инструмент")
    for pose, angles in zip(found, q, strict=True):
        expected = denavit.frames(angles)[-1]
        # The tool of the table looks along z; the frame of the file may be turned about it.
        assert np.abs(pose[:3, 3] - expected[:3, 3]).max() < 1e-12
        assert np.abs(pose[:3, 2] - expected[:3, 2]).max() < 1e-12
    # Closed form of the height, misprints of the paper corrected: d1 + a2 s2 + a3 s23 - d5 c234.
    s2, s23, c234 = np.sin(q[:, 1]), np.sin(q[:, 1] + q[:, 2]), np.cos(q[:, 1] + q[:, 2] + q[:, 3])
    assert np.abs(found[:, 2, 3] - (0.071 + 0.246 * s2 + 0.163 * s23 - 0.165 * c234)).max() < 1e-12


def test_C5(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (500, 5)), "инструмент")
    for weights in ("pose", (0.2, 0.2, 0.2, 1.0, 1.0, 1.0)):
        found = arm.inverse_kinematics(
            X, "инструмент", task=weights, damping=(0.1, 4.0, 0.7), tolerance=1e-8, iterations=60, restarts=200
        )
        assert found.success.all() and np.median(found.iterations) < 20
        there = arm.pose(found.q, "инструмент")
        # Twice the sine of half the angle, and the way: both below what was asked, by forward kinematics.
        turn = np.sqrt(((there - X)[:, :3, :3] ** 2).sum(axis=(1, 2)) / 2)
        assert turn.max() < 1.01e-8 and np.sqrt(((there - X)[:, :3, 3] ** 2).sum(axis=1)).max() < 1.01e-8


def test_C6(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    q = np.radians([20.0, 70.0, -40.0, 50.0, 10.0])
    taken = arm.pose(q, "инструмент")
    found = arm.inverse_kinematics(taken, "инструмент", q=q + 0.2)
    assert found.success and np.abs(found.q - q).max() < 1e-6
    # Typed with seven digits: the axes are made exact, and the posture is the same to as many.
    typed = arm.inverse_kinematics(np.round(taken, 7), "инструмент", q=q + 0.2, task="pointing")
    assert typed.success and np.abs(arm.pose(typed.q, "инструмент")[:3, 2:] - taken[:3, 2:]).max() < 3e-7


@pytest.mark.parametrize("file", ["arm5.xml", "arm5.urdf"])
def test_C9(file: str, models_dir: Path, rng: np.random.Generator) -> None:
    """Newton and Euler's forces are Lagrange's, from the printed tables alone: nothing of the package is in them."""
    arm = sistel.load(models_dir / file)
    q, v, a = rng.uniform(-np.pi, np.pi, (20, 5)), rng.normal(size=(20, 5)), rng.normal(size=(20, 5))
    found = arm.inverse_dynamics(q, v, a)
    expected = np.array([denavit.lagrange(*each) for each in zip(q, v, a, strict=True)])
    assert np.abs(found - expected).max() < 1e-10 * np.abs(expected).max()
    # Weight, inertia and velocities all take part, so none of them could be forgotten.
    still, rest = np.zeros((20, 5)), arm.inverse_dynamics(q, 0 * v, 0 * a)
    for part in (rest, found - arm.inverse_dynamics(q, v, still), found - arm.inverse_dynamics(q, still, a)):
        assert np.abs(part).max() > 0.05 * np.abs(found).max()
    # And backwards: these forces give these accelerations.
    assert np.abs(arm.forward_dynamics(q, v, expected) - a).max() < 1e-8


def test_C11(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    start, end = np.radians([[10.0, 60.0, -40.0, 50.0, 0.0], [80.0, 110.0, 30.0, 90.0, 60.0]])
    limits = trajectories.Limits(velocity=1.5, acceleration=4.0, jerk=30.0)
    h = 1e-4
    for move in (
        trajectories.polynomial_move(start, end, 2.0),
        trajectories.polynomial_move(start, end, limits=limits, kind="septic"),
        trajectories.fastest_move(start, end, limits),
        trajectories.spline([start, 0.4 * start + 0.6 * end, end], [0.0, 1.0, 2.0], kind="quintic"),
    ):
        inside = move.t0 + move.duration * np.linspace(0.02, 0.98, 97)
        # Where the jerk jumps, a difference is one of two motions.
        inside = inside[np.abs(inside[:, None] - move.knots).min(axis=1) > 2 * h]
        times = np.stack([inside - h, inside, inside + h])
        found = arm.along(move, "инструмент", times=np.sort(times.ravel()))
        order = np.argsort(np.argsort(times.ravel())).reshape(3, -1)
        before, now, after = order
        speed = (found.q[after] - found.q[before]) / (2 * h)
        gain = (found.v[after] - found.v[before]) / (2 * h)
        assert np.abs(speed - found.v[now]).max() < 1e-6 and np.abs(gain - found.a[now]).max() < 1e-6
        tool = (found.positions[after] - found.positions[before]) / (2 * h)
        assert np.abs(tool - found.velocity[now, 3:]).max() < 1e-6


def test_C14(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (100, 5)), "инструмент")
    # Places within reach, orientations of any kind: rotations of the first factor of random matrices.
    for pose in X:
        Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
        Q = Q * np.sign(np.diag(R))
        pose[:3, :3] = Q * np.sign(np.linalg.det(Q))
    found = arm.inverse_kinematics(X, "инструмент", restarts=30)
    assert found.success.sum() <= 1
    for i in np.flatnonzero(~found.success):
        assert "6 components and only 5 coordinates" in found.reason[i].en
        assert "6 составляющих" in found.reason[i].ru and "remain" in found.reason[i].en
    # What is offered is a pose of the arm, and what remains to the target is what is said.
    assert np.abs(arm.pose(found.q, "инструмент") - found.nearest).max() < 1e-12
    way = np.einsum("nji,nj->ni", X[:, :3, :3], X[:, :3, 3] - found.nearest[:, :3, 3])
    assert np.abs(way - found.residual[:, 3:]).max() < 1e-12


def test_D6(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    start, goal = arm.pose([[0.3, 0.5, -2.6, 0.2, 0.6, -0.1], [0.7, 0.2, -2.4, 0.9, 0.4, 0.6]], "tool")
    step, k1, k2 = 0.02, 5, 9
    staged = trajectories.staged_waypoints(start, goal, step, stages=(k1, k2))
    count = len(staged)
    assert count == int(np.ceil(np.linalg.norm(goal[:3, 3] - start[:3, 3]) / step)) and 0 < k1 < k2 < count
    move = arm.through(np.concatenate([start[None], staged]), "tool", limits=trajectories.Limits(1.0, 5.0))
    # The knots of a spline are told twice, up to the middle of each piece and from there on.
    found = arm.along(move, "tool", times=move.knots[::2])
    assert len(found.t) == count + 1 and np.abs(found.poses[-1] - goal).max() < 1e-12 and found.kept
    places = found.positions
    way = (goal[:3, 3] - start[:3, 3]) / np.linalg.norm(goal[:3, 3] - start[:3, 3])
    assert np.abs(np.diff(places, axis=0)[:-1] - step * way).max() < 1e-12
    # R_CK = Rz(θ) Ry(ψ) Rx(φ): first the angle about x grows alone, then that about y, then that about z.
    R = np.einsum("ji,njk->nik", start[:3, :3], found.poses[:, :3, :3])
    roll, pitch = np.arctan2(R[:, 2, 1], R[:, 2, 2]), np.arcsin(-R[:, 2, 0])
    yaw = np.arctan2(R[:, 1, 0], R[:, 0, 0])
    for angle, first, last in ((roll, 0, k1), (pitch, k1, k2), (yaw, k2, count)):
        assert abs(angle[-1]) > 0.05
        assert np.abs(angle[: first + 1]).max() < 1e-12 and np.abs(angle[last:] - angle[-1]).max() < 1e-12
        assert np.abs(np.diff(angle[first : last + 1], 2)).max() < 1e-12


def test_D7(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (200, 6)), "tool")
    found = arm.inverse_kinematics(X, "tool", "ccd", tolerance=(0.01, 1e-3))
    there = arm.pose(found.q, "tool")
    assert found.success.sum() == 200
    assert np.sqrt(((there - X)[:, :3, 3] ** 2).sum(axis=1)).max() <= 1.0001e-3
    assert np.sqrt(((there - X)[:, :3, :3] ** 2).sum(axis=(1, 2)) / 2).max() <= 0.01


@pytest.mark.parametrize(("start", "end"), [(14, 36), (15, 26), (14, 16), (16, 41)])
def test_B32(start: int, end: int, models_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An arm carries a body through a transition ij→kl: torques equal those in angles to 1e-10."""
    arm = models_dir / "puma560.xml"
    load = "2,0.03,0,0.05,0.01,0.02,0.015"
    call = ["dynamics", str(arm), "--frame", "tool", "--transition", f"{start},{end}", "--at", "0.35,0.25,0.35"]
    assert main([*call, "--payload", load, "--every", "0.1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["transition"] == [start, end] and said["quaternions"] < 1e-10
    # The same through Python, with the angles of the joints from a way of the tool, and the quaternion put in by hand.
    system = sistel.load(arm)
    profile = polynomial_move([0.0], [1.0], 2.0)
    way = system.along(
        along(arms.transition_path(start, end, [0.35, 0.25, 0.35]), profile),
        "tool",
        every=0.1,
        payload=[float(x) for x in load.split(",")],
    )
    course = arms.transition_course(start, end, *(each[:, 0] for each in profile(way.t)))
    for at, code in ((0, start), (-1, end)):
        assert np.abs(way.poses[at, :3, :3] - axial_rotation(code)).max() < 1e-9
        assert np.abs(homogeneous(course.value[at], np.zeros(3))[:3, :3] - axial_rotation(code)).max() < 1e-15
    body = system.bodies[system.model.place_of("tool")[0] - 1].name
    forces = arms.quaternion_dynamics(way.model, way.q, way.v, way.a, {body: course})
    assert np.abs(forces - way.torques).max() < 1e-10 * np.abs(way.torques).max()
    # The put-in quaternion counts: another transition moves the load otherwise.
    other = arms.transition_course(start, start, *(each[:, 0] for each in profile(way.t)))
    assert np.abs(arms.quaternion_dynamics(way.model, way.q, way.v, way.a, {body: other}) - forces).max() > 1e-3
