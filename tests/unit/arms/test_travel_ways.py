"""Ways of the tool solved for the joints, and what motions meet: limits, singular postures; files, runs and pages."""

from __future__ import annotations

import json
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import sistel
from sistel.motion import trajectories as tr

MODELS = Path(__file__).parents[3] / "models"
REST = [0.3, 0.5, -2.6, 0.2, 0.6, -0.1]
STENCIL = np.array([-2.0, -1.0, 0.0, 1.0, 2.0])


@pytest.fixture(scope="module")
def puma() -> sistel.System:
    return sistel.load(MODELS / "puma560.xml")


def shifted(X: np.ndarray, by: tuple[float, float, float]) -> np.ndarray:
    made = np.array(X)
    made[:3, 3] += by
    return made


def ways(X: np.ndarray) -> dict[str, tr.PoseTrajectory]:
    Y = shifted(X, (0.1, -0.2, 0.15))
    turned = np.array(Y)
    turned[:3, :3] = Y[:3, :3] @ np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    limits = tr.Limits(0.4, 1.5)
    return {
        "line": tr.along(tr.line_path(X, Y), limits=limits),
        "smooth line": tr.along(tr.line_path(X, Y), lambda s, e: tr.polynomial_move(s, e, 2.0)),
        "arc": tr.along(tr.arc_path(X, shifted(X, (0.0, -0.1, 0.1))[:3, 3], Y), limits=limits),
        "screw": tr.along(tr.screw_path(X, turned), lambda s, e: tr.polynomial_move(s, e, 2.0, kind="septic")),
    }


def slopes(values: np.ndarray, h: float) -> np.ndarray:
    """Derivatives in the middle of five values, with an error of the order h⁴."""
    return (values[:, 0] - 8 * values[:, 1] + 8 * values[:, 3] - values[:, 4]) / (12 * h)


def check_rates(arm: sistel.System, way: tr.PoseTrajectory, frame: str, start: list[float], task: str) -> None:
    """Velocities and accelerations of the joints are the derivatives of what they are derivatives of."""
    h = 4e-4
    t = np.linspace(0.1, 0.9, 9) * (way.t1 - way.t0) + way.t0
    t = t[np.abs(t[:, None] - way.profile.knots).min(axis=1) > 2.5 * h]
    found = arm.along(way, frame, times=(t[:, None] + h * STENCIL).ravel(), q=start, task=task)  # type: ignore[arg-type]
    q, v, a = (each.reshape(-1, 5, arm.nq) for each in (found.q, found.v, found.a))
    # Fifth derivatives of some hundred thousands times h⁴/30; postures themselves are good to 1e-14.
    assert np.abs(slopes(q, h) - v[:, 2]).max() < 3e-9 * max(1.0, np.abs(v).max())
    assert np.abs(slopes(v, h) - a[:, 2]).max() < 3e-9 * max(1.0, np.abs(a).max())
    X, twist, rate = way(found.t)
    asked = {"pose": slice(0, 6), "position": slice(3, 6), "pointing": slice(3, 6)}[task]
    assert np.abs(found.poses[:, :3, 3] - X[:, :3, 3]).max() < 1e-14
    assert np.abs((found.velocity - twist)[:, asked]).max() < 1e-13
    assert np.abs((found.acceleration - rate)[:, asked]).max() < 1e-12
    if task != "position":
        columns = slice(0, 3) if task == "pose" else slice(2, 3)
        assert np.abs(found.poses[:, :3, columns] - X[:, :3, columns]).max() < 1e-14
    # The polynomials that runs and pages have.
    q, v, _ = found.motion(found.t)
    assert np.abs(q - found.q).max() < 1e-10 and np.abs(v - found.v).max() < 1e-7


@pytest.mark.parametrize("kind", ["line", "smooth line", "arc", "screw"])
def test_the_tool_is_on_its_way(puma: sistel.System, kind: str) -> None:
    check_rates(puma, ways(puma.pose(REST, "tool"))[kind], "tool", REST, "pose")


@pytest.mark.parametrize("task", ["position", "pointing"])
def test_with_joints_to_spare(puma: sistel.System, task: str) -> None:
    check_rates(puma, ways(puma.pose(REST, "tool"))["smooth line"], "tool", REST, task)


def test_an_arm_of_seven_joints() -> None:
    """The rates are the least: nothing in the space that does not move the tool."""
    arm = sistel.load(MODELS / "panda_like.xml")
    start = list(arm.model.start.q)
    X = arm.pose(start, "tool")
    way = tr.along(tr.line_path(X, shifted(X, (0.1, 0.1, -0.1))), lambda s, e: tr.polynomial_move(s, e, 2.0))
    check_rates(arm, way, "tool", start, "pose")
    found = arm.along(way, "tool", times=np.linspace(0.2, 1.8, 9))
    null = np.linalg.svd(arm.jacobian(found.q, "tool"))[2][:, -1]
    assert np.abs(np.einsum("ni,ni->n", null, found.v)).max() < 1e-12


@pytest.mark.parametrize("task", ["pose", "position"])
def test_a_plane_needs_fewer_joints(task: str) -> None:
    """Of six rows of the Jacobian three are zeros in a plane: four hinges have one to spare."""
    link = '<body name="{}" joint="revolute" place="{}, 0" mass="1" com="100, 0" inertia="0.01">'
    text = "".join(link.format(name, place) for name, place in (("a", 0), ("b", 300), ("c", 300), ("d", 200)))
    arm = sistel.parse(f'<system space="planar">{text}<point name="tip" place="200, 0"/>{"</body>" * 4}</system>')
    start = [0.3, 0.6, 0.7, 0.5]
    X = arm.pose(start, "tip")
    way = tr.along(tr.line_path(X, shifted(X, (0.1, -0.1, 0.0))), lambda s, e: tr.polynomial_move(s, e, 2.0))
    check_rates(arm, way, "tip", start, task)


def test_one_branch_from_beginning_to_end(puma: sistel.System) -> None:
    """The branch in which the arm stands, whatever it is; none of the joints jumps."""
    way = ways(puma.pose(REST, "tool"))["smooth line"]
    begin = puma.inverse_kinematics(way(0.0)[0], "tool", several=True).solutions
    ends = []
    for q in begin[:3]:
        found = puma.along(way, "tool", q=q)
        assert np.abs(found.q[0] - q).max() < 1e-7
        assert np.abs(np.diff(found.q, axis=0)).max() < 1.5 * np.abs(found.v).max() * 2.0 / 200
        ends.append(found.q[-1])
    assert min(np.abs(a - b).max() for i, a in enumerate(ends) for b in ends[:i]) > 0.1


def test_a_way_out_of_reach_says_when_and_why(puma: sistel.System) -> None:
    X = puma.pose(REST, "tool")
    way = tr.along(tr.line_path(X, shifted(X, (1.0, 0.0, 0.0))), lambda s, e: tr.polynomial_move(s, e, 2.0))
    with pytest.raises(sistel.SistelError, match=r"at t = 0\.[0-9]+ s: not reached") as caught:
        puma.along(way, "tool", q=REST)
    assert "инструмент не может следовать пути" in caught.value.render("ru")
    with pytest.raises(sistel.SistelError, match="cannot begin"):
        puma.along(tr.along(tr.line_path(shifted(X, (3, 0, 0)), X), limits=tr.Limits(1.0, 1.0)), "tool")
    # Five joints do not follow a pose; what is missing is said.
    arm5 = sistel.load(MODELS / "arm5.xml")
    q = np.radians([10.0, 60.0, -50.0, 70.0, 20.0])
    X = arm5.pose(q, "инструмент")
    sideways = tr.along(tr.line_path(X, shifted(X, (0.02, 0.05, -0.03))), limits=tr.Limits(0.3, 1.0))
    with pytest.raises(sistel.SistelError, match="only 5 coordinates"):
        arm5.along(sideways, "инструмент", q=q)
    assert arm5.along(sideways, "инструмент", q=q, task="position").positions[-1] == pytest.approx(
        X[:3, 3] + [0.02, 0.05, -0.03], abs=1e-14
    )


def test_staged_poses_are_passed(puma: sistel.System) -> None:
    X, Y = puma.pose([REST, [0.7, 0.2, -2.4, 0.7, 0.9, 0.1]], "tool")
    poses = np.concatenate([X[None], tr.staged_waypoints(X, Y, 0.02)])
    move = puma.through(poses, "tool", limits=tr.Limits(1.0, 5.0), q=REST)
    found = puma.along(move, "tool", times=move.knots[::2])
    assert len(poses) == len(found.t) and np.abs(found.poses - poses).max() < 1e-14
    assert not found.v[0].any() and not found.v[-1].any() and found.kept


# --- limits and singular postures ------------------------------------------------------------------------------------

TWO = """<system space="planar"><gravity value="0"/>
  <body name="a" joint="revolute" mass="1" com="200, 0" inertia="0.02" min="-90" max="60" speed="90">
    <motor limit="1.5 N*m"/>
    <body name="b" joint="revolute" place="400, 0" mass="1" com="150, 0" inertia="0.01">
      <point name="tip" place="300, 0"/></body></body></system>"""


def test_limits_are_passed_when_they_are() -> None:
    """A cubic from 0 to 90° in 2 s: closed forms of when 60° and 45°/s·1.5 are passed."""
    arm = sistel.parse(TWO.replace('speed="90"', 'speed="60"'))
    found = arm.along(tr.polynomial_move([0.0, 0.5], [math.pi / 2, 0.5], 2.0, kind="cubic"), "tip", every=0.5)
    by = {each.quantity: each for each in found.crossings}
    assert set(by) == {"position", "velocity"} and not found.kept
    # 3 s² − 2 s³ = 2/3 of the way; the speed 6 s (1 − s) · π/4 reaches π/3 where s (1 − s) = 2/9, that is at s = 1/3.
    s = next(float(x.real) for x in np.roots([-2.0, 3.0, 0.0, -2 / 3]) if 0 < x.real < 1)
    assert by["position"].time == pytest.approx(2.0 * s, abs=1e-9) and by["position"].names == ("a",)
    assert by["position"].worst == math.pi / 2 and by["position"].limit == pytest.approx(math.pi / 3)
    assert by["velocity"].time == pytest.approx(2.0 / 3.0, abs=1e-12)
    assert by["velocity"].worst == pytest.approx(1.5 * math.pi / 4, rel=1e-14) and by["velocity"].worst_at == 1.0
    assert "position goes beyond" in by["position"].say("en") and "положение" in by["position"].say("ru")


def test_forces_are_exceeded_between_the_rows() -> None:
    """One arm as a rigid rod: M = I a, so the limit is passed where the acceleration of a quintic passes limit / I."""
    arm = sistel.parse(TWO.replace('max="60" speed="90"', ""))
    move = tr.polynomial_move([0.0], [1.0], 1.0, names=["a"])
    found = arm.along(move, "tip", times=[0.0, 1.0])
    inertia = 0.02 + 0.2**2 + 0.01 + 0.55**2
    (crossing,) = (each for each in found.crossings if each.quantity == "force")
    # a = 60 s − 180 s² + 120 s³; its extremes ±10/√3 at (3 ∓ √3)/6.
    roots = np.roots([120.0, -180.0, 60.0, -1.5 / inertia])
    first = min(float(x.real) for x in roots if abs(x.imag) < 1e-12 and 0.0 < x.real < 1.0)
    # Where they are largest, forces are flat: a golden section ends within the root of the rounding.
    assert crossing.names == ("a",) and crossing.time == pytest.approx(first, abs=1e-9)
    assert abs(crossing.worst) == pytest.approx(inertia * 10 / math.sqrt(3), rel=1e-12)
    assert min(abs(crossing.worst_at - (3 + side * math.sqrt(3)) / 6) for side in (-1, 1)) < 1e-6
    assert not found.kept and found.forces([crossing.time])[0, 0] == pytest.approx(1.5, abs=1e-7)


def test_a_stretched_arm_is_singular() -> None:
    """Two links in a line: the tip cannot move along them, and the time is that when the elbow is at 0."""
    arm = sistel.parse(TWO)
    move = tr.polynomial_move([0.2, 0.9], [0.3, -0.4], 1.7)
    found = arm.along(move, "tip", every=0.1)
    (crossing,) = (each for each in found.crossings if each.quantity == "singularity")
    low, high = 0.0, 1.7
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if move(middle)[0][1] > 0.0 else (low, middle)
    assert crossing.time == pytest.approx(low, abs=1e-12) and crossing.worst < 1e-12
    assert crossing.names == ("a", "b") and found.kept
    direction = move(crossing.time)[0].sum()
    assert crossing.direction is not None
    assert abs(crossing.direction @ [0, 0, 0, math.cos(direction), math.sin(direction), 0]) == pytest.approx(1.0)
    assert "singular posture" in crossing.say("en") and "особое положение" in crossing.say("ru")
    assert found.singular == pytest.approx(np.linalg.svd(arm.jacobian(found.q, "tip")[:, 3:5])[1][:, -1], abs=1e-15)


def test_a_wrist_passes_its_singular_posture(puma: sistel.System) -> None:
    away = [*REST[:4], -0.3, REST[5]]
    found = puma.along(tr.polynomial_move(REST, away, 2.0), "tool")
    (crossing,) = found.crossings
    assert crossing.names == ("wrist", "flange") and abs(found.motion(crossing.time)[0][4]) < 1e-12
    # Near is told as near, and what stays away is not told.
    near = puma.along(tr.polynomial_move(REST, [*REST[:4], 0.002, REST[5]], 2.0), "tool").crossings
    assert len(near) == 1 and near[0].worst > 1e-6 and "near" in near[0].say("en")
    assert not puma.along(tr.polynomial_move(REST, [*REST[:4], 0.3, REST[5]], 2.0), "tool").crossings
    # A whole stretch is told once, where it begins.
    still = puma.along(tr.polynomial_move([0.0] * 6, [0.5, 0.2, 0.0, 0.4, 0.0, 0.4], 2.0), "tool").crossings
    assert [each.time for each in still if each.names == ("wrist", "flange")] == [0.0]


# --- files, runs, pages ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def travelled() -> sistel.arms.Travel:
    arm = sistel.load(MODELS / "arm5.xml")
    move = tr.fastest_move([0.1, 0.9, -0.7, 0.5, 0.2], [0.8, 0.4, 0.6, 1.2, -0.9], tr.Limits(1.0, 4.0))
    return arm.along(move, "инструмент", payload=0.5, every=0.02)


def test_a_table_reads_back_to_the_bit(travelled: sistel.arms.Travel, tmp_path: Path) -> None:
    travelled.save(tmp_path / "arm.csv")
    head, *rows = (tmp_path / "arm.csv").read_text(encoding="utf-8").splitlines()
    names = head.split(",")
    assert names[:2] == ["t [s]", "q колонна [rad]"] and "torque плечо [N*m]" in names and "tool x [m]" in names
    values = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    assert np.array_equal(values[:, 1:6], travelled.q) and np.array_equal(values[:, 16:21], travelled.torques)
    assert np.array_equal(values[:, names.index("tool z [m]")], travelled.positions[:, 2])
    travelled.save(tmp_path / "arm.npz")
    with np.load(tmp_path / "arm.npz", allow_pickle=False) as archive:
        meta = json.loads(str(archive["meta"]))
        assert np.array_equal(archive["torques"], travelled.torques) and np.array_equal(
            archive["poses"], travelled.poses
        )
        assert meta["frame"] == "инструмент" and meta["payload"][0] == 0.5 and len(meta["names"]) == 5
    travelled.save(tmp_path / "arm.table.html", lang="en")
    assert np.array_equal(tr.load_table(tmp_path / "arm.table.html").values, travelled.q)
    with pytest.raises(sistel.SistelError, match="no format"):
        travelled.save(tmp_path / "arm.doc")
    with pytest.raises(sistel.SistelError, match=r"arm\.csv"):
        travelled.save(tmp_path / "none" / "arm.csv")


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("Driving forces, N·m", "Tool")), ("ru", ("Ускорения", "Мощность"))]
)
def test_a_picture(travelled: sistel.arms.Travel, lang: sistel.errors.Language, words: tuple[str, ...]) -> None:
    text = travelled.plot(lang)
    root = ElementTree.fromstring(text)
    assert all(word in text for word in words) and root.tag.endswith("svg")
    # Five curves each of positions, velocities, accelerations and forces, one of the power, three of the tool.
    assert text.count('class="line ') == 24
    assert travelled._repr_svg_().startswith("<svg")


def test_the_run_is_the_motion(travelled: sistel.arms.Travel) -> None:
    run = travelled.run
    q, v = run(travelled.t)
    assert np.abs(q - travelled.q).max() < 1e-15 and np.abs(v - travelled.v).max() < 1e-15
    for name, load in run.reactions(travelled.t).items():
        assert np.abs(load - travelled.reactions[name]).max() < 1e-12
    assert run.programmed and run.end == travelled.t[-1]


def test_the_page_has_all_curves(travelled: sistel.arms.Travel) -> None:
    """Twenty of joints and three of the tool, and the forces are those of the drives."""
    from sistel.views.page._curves import curves_of

    data, _ = curves_of(travelled.run)
    counts: dict[str, int] = {}
    for chart in data["charts"]:
        counts[chart["group"]] = counts.get(chart["group"], 0) + len(chart["curves"])
    assert {key: counts[key] for key in ("coordinates", "velocities", "accelerations", "torques", "places")} == {
        "coordinates": 5,
        "velocities": 5,
        "accelerations": 5,
        "torques": 5,
        "places": 3,
    }
    fine = travelled.forces(np.linspace(travelled.t[0], travelled.t[-1], 4001))
    curves = [c for chart in data["charts"] if chart["group"] == "torques" for c in chart["curves"]]
    for curve in curves:
        column = fine[:, curve["of"]]
        assert curve["high"] == pytest.approx(column.max(), abs=2e-3 * np.ptp(column))
        assert curve["low"] == pytest.approx(column.min(), abs=2e-3 * np.ptp(column))


def test_the_page_moves_the_arm(travelled: sistel.arms.Travel, tmp_path: Path) -> None:
    travelled.save(tmp_path / "arm.html", lang="ru")
    text = (tmp_path / "arm.html").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") or text.lower().startswith("<!doctype html>")
    assert 'lang="ru"' in text and len(text) > 100_000
