"""Closed forms of inverse kinematics: all branches, against forward kinematics and the search."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.arms import exponentials, exponentials_xml

ARMS = (
    ("puma560", "tool", 8),
    ("stanford", "tool", 8),
    ("ur5_like", "tool", 8),
    ("scara", "инструмент", 2),
    ("arm5", "инструмент", 4),
)


def bounds(arm: sistel.System) -> tuple[np.ndarray, np.ndarray]:
    low = np.array([body.joint.minimum[0] for body in arm.bodies])
    high = np.array([body.joint.maximum[0] for body in arm.bodies])
    return low, high


def postures(arm: sistel.System, rng: np.random.Generator, count: int) -> np.ndarray:
    low, high = bounds(arm)
    return rng.uniform(np.maximum(low, -math.pi), np.minimum(high, math.pi), (count, arm.nq))


def between(arm: sistel.System, q: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The largest difference of coordinates, whole turns aside."""
    turns = np.array([body.joint.type.key == "revolute" for body in arm.bodies])
    by = np.abs(q - other)
    return np.where(turns, np.abs((by + math.pi) % math.tau - math.pi), by).max(axis=-1)


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def some_arm(
    rng: np.random.Generator, kinds: str, wrist: int, special: str = "", backwards: bool = False
) -> sistel.System:
    """Joints in any arrangement, axes that meet behind them; base and tool anywhere."""
    rows: list[tuple[np.ndarray, np.ndarray, str]] = []
    for i, kind in enumerate(kinds):
        axis, point = unit(rng.normal(size=3)), 0.3 * rng.normal(size=3)
        if special == f"parallel {i}":
            axis = rows[i - 1][1]
        if special == f"meeting {i}":
            point = rows[i - 1][0] + 0.3 * rows[i - 1][1]
        rows.append((point, axis, kind))
    centre = 0.5 * rng.normal(size=3)
    rows += [(centre, unit(rng.normal(size=3)), "R") for _ in range(wrist)]
    return written(rng, rows[::-1] if backwards else rows)


def written(rng: np.random.Generator, rows: list[tuple[np.ndarray, np.ndarray, str]]) -> sistel.System:
    screws = [[*a, *np.cross(p, a)] if kind == "R" else [0, 0, 0, *a] for p, a, kind in rows]
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    home = np.eye(4)
    home[:3, :3], home[:3, 3] = Q * np.sign(np.linalg.det(Q)), 0.5 * rng.normal(size=3)
    return sistel.parse(exponentials_xml(exponentials(screws, home)))


@pytest.mark.parametrize(("name", "frame", "count"), ARMS, ids=[each[0] for each in ARMS])
def test_own_postures_are_among_the_branches(
    models_dir: Path, rng: np.random.Generator, name: str, frame: str, count: int
) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    q = postures(arm, rng, 300)
    X = arm.pose(q, frame)
    found = arm.inverse_kinematics(X, frame, "analytic", several=True)
    assert found.success.all() and (found.iterations == 0).all()
    low, high = bounds(arm)
    # Rounding of about ten joints, and of the pose itself.
    assert np.abs(found.residual).max() < 1e-12
    for each, own, x in zip(found.solutions, q, X, strict=True):
        assert between(arm, each, own).min() < 1e-8
        assert np.abs(arm.pose(each, frame) - x).max() < 1e-12
        assert (each >= low).all() and (each <= high).all()
    free = arm.inverse_kinematics(X, frame, "analytic", several=True, limits=False)
    counts = np.array([len(each) for each in free.solutions])
    assert counts.max() == count
    if name != "ur5_like":  # whose wrist has to be able to get where the turntable wants it
        assert (counts == count).all()
    else:
        assert set(counts) == {2, 4, 6, 8} and (counts == 8).mean() > 0.6
    # The nearest to where it is, and one by one as together.
    here = arm.inverse_kinematics(X, frame, "analytic", q=q)
    assert np.abs(here.q - q).max() < 1e-8
    alone = arm.inverse_kinematics(X[7], frame, "analytic", q=q[7])
    assert np.array_equal(alone.q, here.q[7]) and alone.success is True and alone.reason is None


@pytest.mark.parametrize(("name", "frame", "count"), ARMS, ids=[each[0] for each in ARMS])
def test_the_search_finds_the_same(
    models_dir: Path, rng: np.random.Generator, name: str, frame: str, count: int
) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    q = postures(arm, rng, 8)
    X = arm.pose(q, frame)
    closed = arm.inverse_kinematics(X, frame, "analytic", several=True).solutions
    search = arm.inverse_kinematics(X, frame, several=True, restarts=150).solutions
    for mine, other in zip(closed, search, strict=True):
        # A search ends within the tolerance of a pose, which near singular postures is further from the solution.
        assert all(between(arm, mine, each).min() < 1e-3 for each in other)
        assert len(mine) >= len(other) >= 1
    assert sum(map(len, search)) >= 0.9 * sum(map(len, closed))


# Two slides along one line are one.
THREE = [
    ("".join(kinds), special)
    for kinds in itertools.product("RP", repeat=3)
    for special in ("", "parallel 1", "meeting 1", "parallel 2", "backwards")
    if not (special.startswith("parallel") and kinds[int(special[-1]) - 1] == kinds[int(special[-1])] == "P")
]


@pytest.mark.parametrize(("kinds", "special"), THREE)
def test_any_three_joints_and_a_wrist(rng: np.random.Generator, kinds: str, special: str) -> None:
    arm = some_arm(rng, kinds, 3, special, special == "backwards")
    q = rng.uniform(-2.5, 2.5, (60, 6))
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", several=True)
    assert found.success.all() and (found.iterations == 0).all()
    for each, own, x in zip(found.solutions, q, X, strict=True):
        assert between(arm, each, own).min() < 1e-9  # quartics have roots that are nearly double
        assert np.abs(arm.pose(each, "tool") - x).max() < 1e-11  # slides of some metres
        assert len(each) <= 8


@pytest.mark.parametrize(("count", "backwards"), [(3, False), (4, False), (4, True), (5, False), (5, True)])
def test_fewer_joints(rng: np.random.Generator, count: int, backwards: bool) -> None:
    arm = some_arm(rng, "RRR", count - 3, "", backwards)
    q = rng.uniform(-2.5, 2.5, (60, count))
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", several=True)
    assert found.success.all() and np.abs(found.residual).max() < 1e-12
    assert all(between(arm, each, own).min() < 1e-10 for each, own in zip(found.solutions, q, strict=True))


def test_three_joints_reach_places(rng: np.random.Generator) -> None:
    arm = some_arm(rng, "RRR", 0)
    q = rng.uniform(-2.5, 2.5, (60, 3))
    X = np.tile(np.eye(4), (60, 1, 1))
    X[:, :3, 3] = arm.pose(q, "tool")[:, :3, 3]
    found = arm.inverse_kinematics(X, "tool", "analytic", task="position", several=True)
    assert found.success.all() and np.abs(found.residual[:, 3:]).max() < 1e-12
    for each, own, x in zip(found.solutions, q, X, strict=True):
        assert between(arm, each, own).min() < 1e-10 and 1 <= len(each) <= 4
        assert np.abs(arm.pose(each, "tool")[:, :3, 3] - x[:3, 3]).max() < 1e-12


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize(("count", "meet"), [(5, True), (6, True), (6, False)])
def test_three_parallel_axes_of_any_sign(rng: np.random.Generator, backwards: bool, count: int, meet: bool) -> None:
    n = unit(rng.normal(size=3))
    rows = [(0.2 * rng.normal(size=3), unit(rng.normal(size=3)), "R")]
    rows += [(0.4 * rng.normal(size=3), sign * n, "R") for sign in (1.0, -1.0, 1.0)]
    centres = 0.4 * rng.normal(size=(2, 3))
    rows += [(centres[0 if meet else i], unit(rng.normal(size=3)), "R") for i in range(count - 4)]
    arm = written(rng, rows[::-1] if backwards else rows)
    q = rng.uniform(-3.0, 3.0, (80, count))
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", several=True)
    assert found.success.all() and np.abs(found.residual).max() < 1e-12 and (found.iterations == 0).all()
    for each, own in zip(found.solutions, q, strict=True):
        assert between(arm, each, own).min() < 1e-10 and len(each) <= (8 if meet else 16)


def test_pointing_leaves_the_last_joint(models_dir: Path, rng: np.random.Generator) -> None:
    for name in ("arm5", "scara"):
        arm = sistel.load(models_dir / f"{name}.xml")
        q = postures(arm, rng, 50)
        seed = postures(arm, rng, 50)
        X = arm.pose(q, "инструмент")
        found = arm.inverse_kinematics(X, "инструмент", "analytic", task="pointing", q=seed)
        assert found.success.all() and np.array_equal(found.q[:, -1], seed[:, -1])
        assert np.abs(arm.pose(found.q, "инструмент") - X)[:, :3, 2:].max() < 1e-12
    arm = sistel.load(models_dir / "stanford.xml")
    q, seed = postures(arm, rng, 50), postures(arm, rng, 50)
    X = arm.pose(q, "wrist centre")
    found = arm.inverse_kinematics(X, "wrist centre", "analytic", task="position", q=seed, several=True)
    assert found.success.all() and np.array_equal(found.q[:, 3:], seed[:, 3:])
    assert np.abs(arm.pose(found.q, "wrist centre") - X)[:, :3, 3].max() < 1e-12


SINGULAR = (
    ("puma560", "tool", (0.4, 0.8, -1.3, 0.3, 0.0, 0.5), "wrist"),
    ("puma560", "tool", (0.4, 0.8, math.atan2(0.4318, 0.0203) - math.pi / 2.0, 0.3, 0.7, 0.5), "elbow, nearly"),
    ("ur5_like", "tool", (0.3, -1.0, 0.0, 0.4, 0.9, 0.2), "elbow"),
    ("ur5_like", "tool", (0.3, -1.0, 0.9, 0.4, 0.0, 0.2), "wrist"),
    ("ur5_like", "tool", (0.3, -1.0, 0.0, 0.4, 0.0, 0.2), "both"),
    ("stanford", "tool", (0.3, -0.7, 0.5, 0.4, 0.0, 0.2), "wrist"),
    ("arm5", "инструмент", (0.3, 1.0, 0.0, 0.4, 0.9), "elbow"),
    ("arm5", "инструмент", (0.3, math.pi / 2.0, 0.0, 0.4, 0.9), "above the first axis"),
    ("scara", "инструмент", (0.3, 0.0, 0.1, 0.4), "elbow"),
)


@pytest.mark.parametrize(("name", "frame", "q", "what"), SINGULAR, ids=[f"{a[0]}-{a[3]}" for a in SINGULAR])
def test_singular_postures(models_dir: Path, name: str, frame: str, q: tuple[float, ...], what: str) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    X = arm.pose(np.array(q), frame)
    low, high = bounds(arm)
    for seed in (np.array(q), np.clip(np.array(q) + 0.3, low, high)):
        found = arm.inverse_kinematics(X, frame, "analytic", q=seed, several=True)
        assert found.success and np.isfinite(found.solutions).all() and len(found.solutions) >= 1
        assert np.abs(arm.pose(found.solutions, frame) - X).max() < 1e-11
        assert (found.iterations == 0) or what == "above the first axis"
    # The seed's own posture is the nearest, also where there are endlessly many.
    here = arm.inverse_kinematics(X, frame, "analytic", q=np.array(q))
    assert np.abs(here.q - q).max() < 1e-6  # half of the digits: two branches meet here


def test_shoulder_above_its_axis(models_dir: Path) -> None:
    # The centre of Stanford's wrist cannot get to the first axis; that of an arm without an offset can.
    z, y, o = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0]), np.zeros(3)
    up, elbow, wrist = np.array([0, 0, 0.3]), np.array([0.4, 0, 0.3]), np.array([0.7, 0, 0.3])
    rows = [(o, z), (up, y), (elbow, y), (wrist, np.array([1.0, 0, 0])), (wrist, y), (wrist, np.array([1.0, 0, 0]))]
    home = np.eye(4)
    home[:3, 3] = [0.8, 0.0, 0.3]
    arm = sistel.parse(exponentials_xml(exponentials([[*a, *np.cross(p, a)] for p, a in rows], home)))
    q = np.array([0.7, -math.pi / 2.0, 0.0, 0.2, 0.6, -0.4])  # straight up
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", q=q, several=True)
    assert found.success and np.abs(found.q - q).max() < 1e-6  # half of the digits: two branches meet here
    assert np.abs(arm.pose(found.solutions, "tool") - X).max() < 1e-12


def test_angles_that_files_round(models_dir: Path, rng: np.random.Generator) -> None:
    # Right angles as 1.5708: no two axes meet exactly, and branches are there all the same.
    text = (models_dir / "ur5_like.xml").read_text(encoding="utf-8")
    assert 'turn="90, 0, 0"' in text
    arm = sistel.parse(text.replace('turn="90, 0, 0"', 'turn="1.5708 rad, 0, 0"'))
    q = postures(arm, rng, 100)
    q[:, 4] = np.where(np.abs(np.sin(q[:, 4])) < 0.1, 1.0, q[:, 4])
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", q=q + 0.01)
    assert found.success.all() and np.abs(found.residual).max() < 1e-12
    assert (between(arm, found.q, q) < 1e-10).mean() > 0.95


def test_turns_within_the_limits(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "ur5_like.xml")  # most of its joints go a whole turn either way
    q = rng.uniform(-2.0 * math.pi, 2.0 * math.pi, (100, 6))
    q[:, 2] /= 2.0
    X = arm.pose(q, "tool")
    found = arm.inverse_kinematics(X, "tool", "analytic", q=q)
    assert np.abs(found.q - q).max() < 1e-10
    low, high = bounds(arm)
    puma = sistel.load(models_dir / "puma560.xml")
    low, high = bounds(puma)
    q = rng.uniform(low, high, (200, 6))  # the elbow to −225°, which formulas call 135°
    found = puma.inverse_kinematics(puma.pose(q, "tool"), "tool", "analytic", q=q)
    assert np.abs(found.q - q).max() < 1e-10 and (found.q >= low).all() and (found.q <= high).all()


def test_what_has_no_closed_form(models_dir: Path, rng: np.random.Generator) -> None:
    def refused(arm: sistel.System, frame: str, en: str, ru: str, **more: object) -> None:
        with pytest.raises(sistel.SistelError) as caught:
            arm.inverse_kinematics(arm.pose(arm.model.start.q, frame), frame, "analytic", **more)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.code == "no-closed-form"
        assert en in diagnostic.message.en and ru in diagnostic.message.ru
        assert "lm" in diagnostic.message.en and "lm" in diagnostic.message.ru

    refused(sistel.load(models_dir / "panda_like.xml"), "tool", "here 7 move", "двигают 7")
    puma = sistel.load(models_dir / "puma560.xml")
    boom = sistel.load(models_dir / "stanford.xml")
    refused(boom, "tool", "more joints than the place", "решений бесконечно", task="position")
    refused(puma, "tool", '"pose", "pointing"', "«pose», «pointing»", task=(1, 1, 1, 1, 1, 0))
    refused(boom, "boom", "pointing in closed form", "направить", task="pointing")
    general = written(rng, [(rng.normal(size=3), unit(rng.normal(size=3)), "R") for _ in range(6)])
    refused(general, "tool", "no closed form is known", "замкнутого решения")
    z = np.array([0.0, 0.0, 1.0])
    flat = written(rng, [(rng.normal(size=3), z, "R") for _ in range(4)])
    refused(flat, "tool", "do not move it in as many ways", "сочленений больше, чем движений")
    text = """<system name="a" class="open chain" space="spatial"><body name="b" joint="cylindrical" axis="z">
      <body name="c" joint="revolute" axis="x" place="100, 0, 0"><frame name="tool" place="100, 0, 0"/></body>
    </body></system>"""
    refused(sistel.parse(text), "tool", "neither a hinge nor a slide", "не шарнир и не ход")


def test_out_of_reach_and_beyond_limits(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    far = np.eye(4)
    far[0, 3] = 5.0
    found = arm.inverse_kinematics(far, "tool", "analytic", restarts=5, several=True)
    search = arm.inverse_kinematics(far, "tool", restarts=5)
    assert found.success is False and len(found.solutions) == 0
    assert np.array_equal(found.nearest, search.nearest) and np.array_equal(found.residual, search.residual)
    assert "no solution, with or without limits" in found.reason.en and "решений нет" in found.reason.ru
    # The first joint ends at 160°; other branches are beyond other limits.
    beyond = arm.pose([2.9, 0.4, -0.8, 0.1, 0.5, 0.2], "tool")
    found = arm.inverse_kinematics(beyond, "tool", "analytic", q=[2.7, 0.4, -0.8, 0.1, 0.5, 0.2])
    free = arm.inverse_kinematics(beyond, "tool", "analytic", limits=False, several=True)
    assert len(free.solutions) == 8
    if not found.success:
        assert "beyond the limits of joints: 8" in found.reason.en and "решений 8" in found.reason.ru
    both = arm.inverse_kinematics(np.stack([far, arm.pose(np.zeros(6), "tool")]), "tool", "analytic", restarts=5)
    assert both.success.tolist() == [False, True] and both.reason[1] is None and both.reason[0] is not None


def test_five_joints_and_six_components(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    X = arm.pose([0.3, 0.7, 0.5, 0.9, 0.2], "инструмент")
    X[:3, :3] = X[:3, :3] @ np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    X[0, 3] += 0.05
    found = arm.inverse_kinematics(X, "инструмент", "analytic", restarts=5)
    assert not found.success and "6 components" in found.reason.en and "6 составляющих" in found.reason.ru


def test_shapes(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose(postures(arm, rng, 6), "tool").reshape(2, 3, 4, 4)
    found = arm.inverse_kinematics(X, "tool", "analytic", several=True)
    assert found.q.shape == (2, 3, 6) and found.success.shape == (2, 3) and len(found.solutions) == 6
    none = arm.inverse_kinematics(X[:0], "tool", "analytic")
    assert none.q.shape == (0, 3, 6)
    one = arm.inverse_kinematics(X[0, 0], "tool", "analytic", q=np.zeros((4, 6)))
    assert one.q.shape == (4, 6)
