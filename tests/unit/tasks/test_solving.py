"""Answers beside closed forms and beside other ways, for chains, loops, arms in space and models without motors."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError
from sistel.tasks import Result, read_task, solve_task

MODELS = Path(__file__).parents[3] / "models"


def solved(folder: Path, model: str, inside: str) -> Result:
    """A task about a model of the gallery; every check agrees."""
    path = folder / "task.xml"
    path.write_text(f'<task model="{MODELS / model}">{inside}</task>', encoding="utf-8")
    result = solve_task(read_task(path, lambda file: sistel.load(file, allow=[MODELS]), allow=[MODELS]))
    assert [check.what.en for problem in result.problems for check in problem.checks if not check.good] == []
    return result


def value(result: Result, label: str) -> float:
    """An answer by what it is called."""
    return next(answer.value for answer in result.answers if answer.label.en == label)


def test_a_forced_motor_gives_what_the_motion_takes() -> None:
    """The torque of a motor whose joint is forced is the moment that inverse dynamics gives."""
    arm = sistel.parse(
        "<system><body name='a' joint='revolute' mass='2' com='300, 0' inertia='0.1'><motor name='M'/>"
        "<motion value='0.3 rad + 0.5 rad*sin(2*t)'/></body></system>"
    )
    run = arm.simulate(1.0)
    t = np.linspace(0.0, 1.0, 11)
    q, v = 0.3 + 0.5 * np.sin(2 * t), np.cos(2 * t)
    wanted = arm.inverse_dynamics(q[:, None], v[:, None], -2 * np.sin(2 * t)[:, None])[:, 0]
    np.testing.assert_allclose(run.quantity("torque(M)", t), wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(run.quantity("power(M)", t), wanted * v, rtol=1e-9, atol=1e-9)


def test_a_pendulum_falls(tmp_path: Path) -> None:
    result = solved(
        tmp_path,
        "pendulum.xml",
        '<dynamics until="1 s" report="highest(speed(P1)), lowest(angle(rod)), at(angle(rod), 0 s), mean(t), rms(t),'
        ' reaction(rod).y"/>',
    )
    # At the bottom: v² = 2gL, and the rod carries three times the weight.
    assert value(result, "highest(speed(P1))") == pytest.approx(math.sqrt(2 * 9.81), rel=1e-12)
    assert value(result, "at(angle(rod), 0 s)") == pytest.approx(math.pi / 2, rel=1e-15)
    assert value(result, "mean(time)") == pytest.approx(0.5, rel=1e-12)
    assert value(result, "rms(time)") == pytest.approx(math.sqrt(1 / 3), rel=1e-12)
    kinds = {check.what.en.split(":")[0] for check in result.problems[0].checks}
    assert "balance of energy" in kinds and len(result.problems[0].checks) == 2


def test_a_loop_is_held_and_driven(tmp_path: Path) -> None:
    """A slider-crank: the moment on the crank by virtual work, beside the multiplier of its forced motion."""
    system = sistel.load(MODELS / "slider_crank.xml")
    result = solved(tmp_path, "slider_crank.xml", '<statics report="reaction(pin).x, y(rod)"/>')
    q = system.assemble()
    # The y of the crank's end, and the reaction of a pin that pushes the piston against its gas spring.
    assert value(result, "y(rod)") == pytest.approx(0.1 * math.sin(q[0]), abs=1e-12)
    assert abs(value(result, "reaction(pin).x")) > 1.0


def test_all_branches_of_an_arm_in_space(tmp_path: Path) -> None:
    system = sistel.load(MODELS / "puma560.xml")
    q = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
    pose = system.pose(q, "tool")
    place = ", ".join(f"{x!r} m" for x in pose[:3, 3].tolist())
    turn = ", ".join(repr(x) for x in pose[:3, :3].ravel().tolist())
    result = solved(tmp_path, "puma560.xml", f'<kinematics frame="tool" place="{place}" turn="{turn}"/>')
    (problem,) = result.problems
    every = system.inverse_kinematics(pose, "tool", "analytic", several=True).solutions
    assert len(problem.postures) == min(4, len(every)) and len(problem.answers) == 6 * len(every)
    assert problem.notes[0].en.startswith("closed form")
    found = np.array([answer.value for answer in problem.answers]).reshape(-1, 6)
    assert min(np.abs(row - q).max() for row in found) < 1e-9


def test_a_place_too_far_says_why(tmp_path: Path) -> None:
    path = tmp_path / "task.xml"
    path.write_text(
        f'<task model="{MODELS / "scara.xml"}"><kinematics frame="инструмент" place="5 m, 0, 0"/></task>',
        encoding="utf-8",
    )
    result = solve_task(read_task(path, sistel.load, allow=[MODELS]))
    assert not result.good and result.problems[0].failed is not None
    assert not result.answers


def test_a_place_too_far_in_the_plane_asks_for_two_components(tmp_path: Path) -> None:
    """Two joints are enough for a place in the plane: it is the distance that is too much."""
    path = tmp_path / "task.xml"
    inside = '<kinematics frame="hand" place="5 m, 250"/>'
    path.write_text(f'<task model="{MODELS / "tasks" / "arm.xml"}">{inside}</task>', encoding="utf-8")
    failed = solve_task(read_task(path, sistel.load, allow=[MODELS])).problems[0].failed
    assert failed is not None and "out of reach" in failed.en and "components" not in failed.en


def test_velocities_of_joints(tmp_path: Path) -> None:
    result = solved(
        tmp_path,
        "tasks/arm.xml",
        '<kinematics frame="hand" place="450, 250" velocity="100, 0" report="vx(hand), vy(hand)"/>',
    )
    branches = np.array([answer.value for answer in result.answers]).reshape(-1, 2)
    np.testing.assert_allclose(branches, [[0.1, 0.0]] * 2, atol=1e-12)


def test_equilibrium_of_springs(tmp_path: Path) -> None:
    """A rod on a spring at its joint: k·φ = m·g·c·cos φ, found and at rest."""
    model = tmp_path / "rod.xml"
    model.write_text(
        "<system><body name='rod' joint='revolute' mass='2' com='300, 0' inertia='0.1' stiffness='20'/></system>",
        encoding="utf-8",
    )
    path = tmp_path / "task.xml"
    path.write_text('<task model="rod.xml"><statics find="equilibrium"/></task>', encoding="utf-8")
    result = solve_task(read_task(path, sistel.load))
    assert result.good
    angle = result.answers[0].value
    assert 20 * angle == pytest.approx(2 * 9.81 * 0.3 * math.cos(angle), rel=1e-9)
    # Without motors, forces are checked by the slope of the potential energy.
    path.write_text('<task model="rod.xml"><statics joints="10"/></task>', encoding="utf-8")
    result = solve_task(read_task(path, sistel.load))
    assert result.good and len(result.problems[0].checks) == 2
    a = math.radians(10)
    assert result.answers[0].value == pytest.approx(20 * a - 2 * 9.81 * 0.3 * math.cos(a), rel=1e-12)


def test_impacts_are_listed(tmp_path: Path) -> None:
    result = solved(tmp_path, "bouncing_ball.xml", '<dynamics until="1 s" report="t"/>')
    grid = next(grid for grid in result.problems[0].grids if grid.title.en == "events")
    times = [str(row[0].en) for row in grid.rows if not isinstance(row[0], float)]
    assert times[0].startswith("0.4515236")  # published: sqrt(2/9.81) s


def test_a_check_that_fails_is_told() -> None:
    from sistel.errors import Text
    from sistel.tasks import Check

    assert not Check(what=Text("", ""), error=float("inf"), bound=1e-9).good
    assert not Check(what=Text("", ""), error=float("nan"), bound=1e-9).good


def test_a_report_is_never_left_out(tmp_path: Path) -> None:
    """Of a free body nothing is held joint by joint: a report of forces is refused, not forgotten."""
    path = tmp_path / "task.xml"
    path.write_text(f'<task model="{MODELS / "free_body.xml"}"><statics report="energy()"/></task>', encoding="utf-8")
    with pytest.raises(SistelError) as caught:
        solve_task(read_task(path, sistel.load, allow=[MODELS]))
    assert caught.value.diagnostics[0].code == "no-report"
    # Legs of a platform have motors on slides: they can be held, whatever turns about points beside them.
    result = solved(tmp_path, "stewart.xml", '<statics report="potential()"/>')
    assert len(result.answers) == 1
