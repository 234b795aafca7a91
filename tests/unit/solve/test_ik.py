"""Inverse kinematics against forward kinematics, closed forms and what cannot be reached."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cells import arm_of

ARMS = (
    ("panda_like", "tool", "pose"),
    ("ur5_like", "tool", "pose"),
    ("puma560", "tool", "pose"),
    ("stanford", "tool", "pose"),
    ("scara", "tool", "pose"),
    ("arm5", "инструмент", "pointing"),
)


def limits_of(arm: sistel.System) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    return np.maximum(low, -math.pi), np.minimum(high, math.pi)


def postures(arm: sistel.System, rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.uniform(*limits_of(arm), (count, arm.nq))


def angle(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Between orientations, by the length of their difference: |A − B| = 2√2 sin(θ/2)."""
    size = np.sqrt(((A[..., :3, :3] - B[..., :3, :3]) ** 2).sum(axis=(-2, -1)))
    return 2.0 * np.arcsin(np.clip(size / math.sqrt(8.0), 0.0, 1.0))


def frame_of(arm: sistel.System, name: str) -> str:
    names = [frame.name for frame in arm.model.frames]
    return name if name in names else names[-1]


@pytest.mark.parametrize(("name", "frame", "task"), ARMS, ids=lambda x: x if x in {a[0] for a in ARMS} else "")
def test_reachable_poses_are_reached(
    models_dir: Path, rng: np.random.Generator, name: str, frame: str, task: str
) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    frame = frame_of(arm, frame)
    X = arm.pose(postures(arm, rng, 1000), frame)
    found = arm.inverse_kinematics(X, frame, task=task)
    assert found.success.mean() >= 0.999
    there = arm.pose(found.q, frame)
    good = found.success
    assert np.abs(there - X)[good][:, :3, 3].max() <= 1.1e-8
    if task == "pose":
        assert angle(there, X)[good].max() <= 1.1e-8
    else:
        assert np.abs(there - X)[good][:, :3, 2].max() <= 1.1e-8
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    assert (found.q >= low).all() and (found.q <= high).all()
    assert np.array_equal(found.nearest, there)
    # One by one, whatever shares the lanes with it.
    for i in (0, 7, 400):
        alone = arm.inverse_kinematics(X[i], frame, task=task)
        assert np.array_equal(alone.q, found.q[i]) and alone.success is bool(good[i])


@pytest.mark.parametrize("name", ["mr_angular", "mr_cartesian", "mr_cylindrical", "mr_spherical"])
def test_closed_forms(models_dir: Path, rng: np.random.Generator, name: str) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    for frame in [frame.name for frame in arm.model.frames]:
        try:
            closed = arm_of(arm.model, frame)
            break
        except sistel.SistelError:
            continue
    else:
        pytest.fail("no frame of this file is carried by an arm of the four kinds")
    moving = [body.first_q for body in closed.bodies]
    # Away from the poses in which the wrist is straight: branches meet there, and none is nearest.
    for _ in range(12):
        q = np.array(arm.model.start.q, dtype=float)
        for body in closed.bodies:
            low, high = max(body.joint.minimum[0], -2.5), min(body.joint.maximum[0], 2.5)
            q[body.first_q] = rng.uniform(0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high)
        X = arm.pose(q, frame)
        reached = closed.inverse(X, q)
        every = np.array([reached.q, *reached.others])
        found = arm.inverse_kinematics(X, frame, q=q + 1e-3, restarts=0)
        assert found.success
        # The step that came below the tolerance is the last: what is left is that of a singular posture at most.
        assert np.abs(every - found.q)[:, moving].max(axis=1).min() < 1e-5
        several = arm.inverse_kinematics(X, frame, q=q, several=True, restarts=60)
        assert np.abs(several.q - several.solutions[0]).max() == 0.0
        for solution in several.solutions:
            apart = np.abs(every - solution)[:, moving]
            # The closed form names one of all whole turns of a branch.
            turns = np.array([body.joint.type.key == "revolute" for body in closed.bodies])
            apart = np.where(turns, np.abs((apart + math.pi) % (2 * math.pi) - math.pi), apart)
            assert apart.max(axis=1).min() < 1e-4


def test_several_solutions_of_six_joints(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose([0.3, 0.9, -1.0, 0.4, 0.6, -0.1], "tool")
    found = arm.inverse_kinematics(X, "tool", q=[0.3, 0.9, -1.0, 0.4, 0.6, 0.0], several=True, restarts=200)
    assert 2 <= len(found.solutions) <= 8
    assert np.abs(arm.pose(found.solutions, "tool") - X).max() < 5e-8
    assert np.abs(found.q - [0.3, 0.9, -1.0, 0.4, 0.6, -0.1]).max() < 1e-6
    # Without limits: shoulder left or right, elbow above or below, wrist one way or the other.
    free = arm.inverse_kinematics(X, "tool", q=found.q, limits=False, several=True, restarts=200)
    assert len(free.solutions) == 8
    assert np.abs(arm.pose(free.solutions, "tool") - X).max() < 5e-8
    distances = np.abs(found.solutions - [0.3, 0.9, -1.0, 0.4, 0.6, 0.0]).sum(axis=1)
    assert (np.diff(distances) >= 0).all()


def test_seed_decides(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "panda_like.xml")
    low, high = limits_of(arm)
    q = rng.uniform(0.8 * low + 0.2 * high, 0.2 * low + 0.8 * high, (50, 7))
    found = arm.inverse_kinematics(arm.pose(q, "tool"), "tool", q=q)
    assert found.success.all()
    # At the seed already: one look, no step.
    assert np.abs(found.q - q).max() == 0.0 and (found.iterations == 1).all() and (found.attempt == 0).all()


def test_position_alone_and_weights(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "ur5_like.xml")
    X = arm.pose(postures(arm, rng, 100), "tool")
    found = arm.inverse_kinematics(X, "tool", task="position")
    assert found.success.all()
    assert np.abs(arm.pose(found.q, "tool")[:, :3, 3] - X[:, :3, 3]).max() < 1.1e-8
    assert (found.residual[:, :3] == 0).all()
    # A line along x of the target: the way along it is free, and so is the turn about it.
    line = arm.inverse_kinematics(X, "tool", task=(0, 1, 1, 0, 1, 1))
    assert line.success.all()
    there = arm.pose(line.q, "tool")
    assert np.abs(np.cross(there[:, :3, 0], X[:, :3, 0])).max() < 1.1e-8
    way = np.einsum("nji,nj->ni", X[:, :3, :3], there[:, :3, 3] - X[:, :3, 3])
    assert np.abs(way[:, 1:]).max() < 1.1e-8 < np.abs(way[:, 0]).max()
    # Unlike weights change the way, not what is reached.
    uneven = arm.inverse_kinematics(X, "tool", task=(0.2, 0.3, 0.5, 1, 2, 3))
    assert uneven.success.mean() >= 0.99
    assert np.abs(arm.pose(uneven.q, "tool") - X)[uneven.success].max() < 2.5e-8


def test_limits_bind(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    beyond = arm.pose([2.9, 0.4, -0.8, 0.1, 0.5, 0.2], "tool")  # the first joint ends at 160°
    free = arm.inverse_kinematics(beyond, "tool", q=[2.7, 0.4, -0.8, 0.1, 0.5, 0.2], limits=False, restarts=0)
    assert free.success and abs(free.q[0] - 2.9) < 1e-6
    held = arm.inverse_kinematics(beyond, "tool", q=[2.7, 0.4, -0.8, 0.1, 0.5, 0.2], restarts=0)
    assert not held.success and held.q[0] == math.radians(160)
    first = arm.model.coordinate_names[0]
    assert f'limits that bind: "{first}" at 160°' in held.reason.en and "мешают пределы" in held.reason.ru
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    assert (held.q >= low).all() and (held.q <= high).all()


def test_unreachable_targets_are_told(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "ur5_like.xml")
    target = np.eye(4)
    target[:3, 3] = [3.0, 0.0, 0.3]
    found = arm.inverse_kinematics(target, "tool", task="position")
    assert found.success is False and "out of reach" in found.reason.en
    assert "вне досягаемости" in found.reason.ru
    # The nearest place lies on the way to the target: what remains is square to every motion that is possible.
    way = target[:3, 3] - found.nearest[:3, 3]
    assert np.abs(way - found.residual[3:]).max() < 1e-12
    push = arm.jacobian(found.q, "tool")[3:].T @ way
    assert np.abs(push).max() < 1e-6 * np.linalg.norm(way)
    assert np.linalg.norm(way) > 1.0


def test_five_joints_and_six_components(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    X = arm.pose([0.3, 0.7, 0.5, 0.9, 0.2], "инструмент")
    assert arm.inverse_kinematics(X, "инструмент").success  # its own poses are reached all the same
    turned = X.copy()
    turned[:3, :3] = X[:3, :3] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    turned[0, 3] += 0.05
    found = arm.inverse_kinematics(turned, "инструмент")
    assert not found.success
    assert "6 components" in found.reason.en and "5 coordinates" in found.reason.en
    assert "6 составляющих" in found.reason.ru


def test_wrong_targets(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(np.zeros(6), "tool")

    def refused(target: object, word: str, **more: object) -> None:
        with pytest.raises(sistel.SistelError, match=word):
            arm.inverse_kinematics(target, "tool", **more)

    bad = X.copy()
    bad[1, 3] = math.nan
    refused(bad, "not finite")
    bad = np.stack([X, X])
    bad[1, 0, 0] = math.inf
    refused(bad, r"\(1,\)")
    bad = X.copy()
    bad[0, 0] += 0.01
    refused(bad, "right angles")
    bad = X.copy()
    bad[:3, 0] *= -1.0
    refused(bad, "left-handed")
    bad = X.copy()
    bad[3] = [0, 0, 1, 1]
    refused(bad, "0 0 0 1")
    refused(np.eye(3), "4×4")
    refused("here", "4×4")
    refused(X, "six weights", task=(1, 1, 1))
    refused(X, "six weights", task="everything")
    refused(X, "tolerance", tolerance=-1.0)
    refused(X, "restarts", restarts=-1)
    refused(X, "threads", threads=0)
    refused(X, "damping", damping=(0.1, 0.5, 0.5))
    refused(X, "method", method="anfis2")
    refused(X, "q", q=[0.0] * 5)
    refused(X, "not finite", q=[math.nan] * 6)
    refused(X, "whole place", method="ccd", task=(1, 1, 1, 1, 1, 0))
    with pytest.raises(sistel.SistelError, match="no body, frame or point"):
        arm.inverse_kinematics(X, "toool")


def test_what_has_no_inverse_kinematics(models_dir: Path) -> None:
    loop = sistel.load(models_dir / "four_bar.xml")
    with pytest.raises(sistel.SistelError, match="beside its joints"):
        loop.inverse_kinematics(np.eye(4), loop.bodies[-1].name)
    free = sistel.load(models_dir / "free_body.xml")
    with pytest.raises(sistel.SistelError, match="no hinge or slide moves"):
        free.inverse_kinematics(np.eye(4), free.bodies[-1].name)


def test_half_turn_from_the_seed(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "ur5_like.xml")
    q = np.array([0.2, -1.0, 1.1, 0.3, 0.7, 0.0])
    X = arm.pose(q, "tool")
    X[:3, :3] = X[:3, :3] @ np.diag([-1.0, -1.0, 1.0])  # the last joint has to go half a turn
    found = arm.inverse_kinematics(X, "tool", q=q)
    assert found.success and np.abs(arm.pose(found.q, "tool") - X).max() < 3e-8


def test_empty_and_shaped_batches(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(postures(arm, rng, 6), "tool").reshape(2, 3, 4, 4)
    found = arm.inverse_kinematics(X, "tool")
    assert found.q.shape == (2, 3, 6) and found.success.shape == (2, 3) and found.residual.shape == (2, 3, 6)
    assert len(found.reason) == 6
    none = arm.inverse_kinematics(X[:0], "tool")
    assert none.q.shape == (0, 3, 6) and none.success.shape == (0, 3)
    one = arm.inverse_kinematics(X[0, 0], "tool", q=np.zeros((4, 6)))
    assert one.q.shape == (4, 6)


def test_residuals_of_known_turns(rng: np.random.Generator) -> None:
    from sistel.pose import Parameters
    from sistel.solve.ik._inverse_kinematics import residuals
    from sistel.solve.ik._step import Task

    sets = Parameters.standard()
    vectors = rng.normal(size=(60, 3))
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    angles = np.concatenate([rng.uniform(0.0, 3.1, 40), [0.0, 1e-9, 1e-5, math.pi, math.pi - 1e-7], np.full(15, 2.0)])
    vectors *= angles[:, None]
    T = np.tile(np.eye(4), (60, 1, 1))
    T[:, :3, :3] = sets.convert_rotation(rng.normal(size=(60, 3)), "rotation-vector", "matrix").reshape(60, 3, 3)
    T[:, :3, 3] = rng.normal(size=(60, 3))
    # The frame is where the turn and the way lead back from it to the target.
    X = T.copy()
    X[:, :3, :3] = T[:, :3, :3] @ sets.convert_rotation(-vectors, "rotation-vector", "matrix").reshape(60, 3, 3)
    way = rng.normal(size=(60, 3))
    X[:, :3, 3] -= np.einsum("nij,nj->ni", T[:, :3, :3], way)
    left = residuals(Task(weights=(1.0,) * 6), T, X)
    assert np.abs(left[:, 3:] - way).max() < 1e-14
    turned = left[:, :3] * np.where((left[:, :3] * vectors).sum(axis=1) < 0, -1, 1)[:, None]  # half turns have two
    # Where the axis comes from the matrix itself the angle is taken for a half turn: 1e-7 of it here.
    assert np.abs(turned - vectors).max() < 2e-7
    assert np.abs(left[:43, :3] - vectors[:43]).max() < 1e-13


def test_threads_share_an_arm(models_dir: Path, rng: np.random.Generator) -> None:
    from concurrent.futures import ThreadPoolExecutor

    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(postures(arm, rng, 300), "tool")
    expected = arm.inverse_kinematics(X, "tool").q
    arm.inverse_kinematics(X[0], "tool")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda x: arm.inverse_kinematics(x, "tool").q, X))
    assert np.array_equal(np.array(found), expected)


@pytest.mark.parametrize("far", [1e3, 1e100, 1e200])
@pytest.mark.parametrize("method", ["lm", "ccd"])
def test_far_away(models_dir: Path, far: float, method: str) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    target = np.eye(4)
    target[0, 3] = far
    found = arm.inverse_kinematics(target, "tool", method, restarts=3, iterations=20)
    assert not found.success and np.isfinite(found.q).all() and np.isfinite(found.nearest).all()
    assert "not reached" in found.reason.en


def test_planar_arm(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "double_pendulum.xml")
    name = arm.bodies[-1].name
    q = np.array([0.7, -0.4])
    X = arm.pose(q, name)
    assert not arm.inverse_kinematics(X, name, task=(0, 0, 1, 1, 1, 0), q=q, restarts=0).reason
    found = arm.inverse_kinematics(X, name, q=q + 0.3)
    assert found.success and np.abs(arm.pose(found.q, name) - X).max() < 2e-8
    X[0, 3] += 10.0
    lost = arm.inverse_kinematics(X, name, q=q)
    assert not lost.success and "3 components and only 2 coordinates" in lost.reason.en
    assert "leave a component free" in lost.reason.en and "освободите" in lost.reason.ru


@pytest.mark.parametrize("method", ["lm", "ccd"])
def test_any_number_of_threads_finds_the_same(models_dir: Path, rng: np.random.Generator, method: str) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(postures(arm, rng, 700), "tool")
    X[::7, 0, 3] += 0.4  # some of them cannot be reached
    more = {"restarts": 20} if method == "lm" else {"restarts": 2, "iterations": 60}
    one, two, five = (arm.inverse_kinematics(X, "tool", method, threads=n, **more) for n in (1, 2, 5))
    for other in (two, five):
        assert np.array_equal(one.q, other.q) and np.array_equal(one.success, other.success)
        assert np.array_equal(one.iterations, other.iterations) and np.array_equal(one.attempt, other.attempt)
    assert 0.5 < one.success.mean() < 1.0 or method == "ccd"
    # In other company, too.
    part = arm.inverse_kinematics(X[100:130], "tool", method, **more)
    assert np.array_equal(part.q, one.q[100:130])
    every = [arm.inverse_kinematics(X[:300], "tool", method, threads=n, several=True, **more) for n in (1, 3)]
    assert all(np.array_equal(a, b) for a, b in zip(every[0].solutions, every[1].solutions, strict=True))


@pytest.mark.parametrize("method", ["lm", "ccd"])
def test_interrupts_end_a_search(models_dir: Path, method: str) -> None:
    import _thread
    import threading
    import time

    arm = sistel.load(models_dir / "puma560.xml")
    far = np.tile(np.eye(4), (2000, 1, 1))
    far[:, 0, 3] = 5.0
    arm.inverse_kinematics(far[:1], "tool", method, restarts=0, iterations=2)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    begin = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        arm.inverse_kinematics(far, "tool", method, restarts=2000)
    # Four million attempts take a minute and more.
    assert time.monotonic() - begin < 20.0
    assert not any(thread.name.startswith("sistel") for thread in threading.enumerate())
