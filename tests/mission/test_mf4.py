"""Rows D10, D11, D13, D14 and D17 of the mission: МФ-4 fetches a container in a hangar, by its schemes alone."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import sistel
from sistel.cli import main
from sistel.simulation import Run

MISSION = Path(__file__).resolve().parents[2] / "models" / "mf4" / "mission.xml"
UNTIL = 65.0
GRIP = 60.0
"""F*, the force that counts as a grasp [N]."""
NOSE, SIDE = 0.54, 0.405
"""Half the length and half the width of the tracks [m]."""
HEIGHT = 0.39
"""Of the hull without its arm [m]."""
TOOL = 1.3
"""Higher than anything of the arm gets above the floor in the mission [m]."""


@cache
def mission() -> Run:
    return sistel.load(MISSION).simulate(UNTIL, inputs={"task": [(0.0, 0.0), (0.5, 1.0), (0.8, 0.0)]})


@cache
def obstacles() -> dict[str, tuple[str, tuple[float, ...], np.ndarray]]:
    """What stands in the hangar by name: kind, place and turn, sizes; read from the file itself [m, rad]."""
    found: dict[str, tuple[str, tuple[float, ...], np.ndarray]] = {}
    for node in ElementTree.parse(MISSION.parent / "hangar.xml").getroot().iter():
        if node.tag not in ("box", "cylinder") or node.get("name") == "floor":
            continue
        place = [float(word) / 1e3 for word in node.attrib["place"].split(",")]
        turn = math.radians(float(node.get("turn", "0, 0, 0").split(",")[2]))
        if node.tag == "box":
            sizes = np.array([float(word) / 1e3 for word in node.attrib["size"].split(",")])
        else:
            sizes = np.array([float(node.attrib[word]) / 1e3 for word in ("radius", "length")])
        found[node.attrib["name"]] = node.tag, (*place, turn), sizes
    return found


def corners(x: np.ndarray, y: np.ndarray, turn: np.ndarray, a: float, b: float) -> np.ndarray:
    """The corners of rectangles, shape (n, 4, 2)."""
    local = np.array([(a, b), (-a, b), (-a, -b), (a, -b)])
    c, s = np.cos(turn), np.sin(turn)
    R = np.stack([np.stack([c, -s], -1), np.stack([s, c], -1)], -2)
    return np.stack([x, y], -1)[:, None] + local @ np.swapaxes(R, -1, -2)


def clearance(outline: np.ndarray, place: tuple[float, ...], kind: str, sizes: np.ndarray) -> np.ndarray:
    """How far rectangles stay from an obstacle, seen from above; below 0 where they overlap [m]."""
    middle = outline.mean(axis=1)
    if kind == "cylinder":
        ahead, aside = outline[:, 0] - outline[:, 1], outline[:, 0] - outline[:, 3]
        away = np.array(place[:2]) - middle
        apart = [
            np.abs((away * way).sum(-1)) / np.linalg.norm(way, axis=-1) - np.linalg.norm(way, axis=-1) / 2
            for way in (ahead, aside)
        ]
        return np.hypot(*np.maximum(apart, 0.0)) + np.minimum(np.maximum(*apart), 0.0) - sizes[0]
    n = len(outline)
    box = corners(*(np.full(n, each) for each in (place[0], place[1], place[3])), sizes[0] / 2, sizes[1] / 2)
    best = np.full(n, -np.inf)
    for own in (outline, box):
        for a, b in ((0, 1), (0, 3)):
            way = own[:, a] - own[:, b]
            way /= np.linalg.norm(way, axis=-1, keepdims=True)
            one, other = ((each * way[:, None]).sum(-1) for each in (outline, box))
            best = np.maximum(best, np.maximum(one.min(1) - other.max(1), other.min(1) - one.max(1)))
    return best


def test_a_file_that_the_model_writes_is_the_same_model() -> None:
    """So a run that is kept without its file can be read again."""
    model = sistel.load(MISSION)
    assert sistel.parse(model.to_xml()).model.fingerprint == model.model.fingerprint


def test_D6_D9_the_tool_goes_from_waypoint_to_waypoint() -> None:
    run = mission()
    ticks = np.arange(0, round(UNTIL / 0.02)) * 0.02 + 0.01  # between ticks: what the last one has held
    along = {name: run.quantity(name, ticks) for name in ("mission.n", "k", "off", "tilt", "to.miss")}
    for stage in ("reach", "approach", "lift", "retract", "reach over", "lower", "rise"):
        inside = run.quantity(f"mission.{stage}", ticks) > 0.5
        n, k, off, tilt, miss = (values[inside] for values in along.values())
        went = np.flatnonzero(np.diff(n) > 0) + 1
        # One after the other, and each only where the one before was reached, level.
        assert len(went) >= 2 and (np.diff(n)[went - 1] == 1).all(), stage
        assert off[went].max() <= 0.005 and tilt[went].max() <= math.radians(2) and (k <= n + 1e-9)[1:].all()
        assert miss[2:].max() < 1e-3, stage


def test_D10_the_force_of_the_jaws_is_the_grasp() -> None:
    run = mission()
    (closed,) = [event for event in run.events if event.after == "carried"]
    times = np.arange(closed.time - 0.5, closed.time + 0.5, 0.005)
    force, firm = run.quantity("squeeze", times), run.quantity("mission.firm", times)
    # The flag stands at the first tick of the scheme at which the sensor reads F*, and not before.
    crossed = times[np.argmax(force >= GRIP)]
    assert force.max() >= GRIP and not firm[times < crossed - 1e-9].any()
    assert firm[(times >= crossed) & (times < crossed + 0.3)].all()
    assert np.all(np.diff(force[(force > 5.0) & (times <= crossed)]) > -0.5)
    # The lift holds: from the stand on, the container keeps its place in the gripper.
    (let_go,) = [event.time for event in run.events if event.after == "dropped"]
    held = np.arange(closed.time + 0.01, let_go, 0.02)
    apart = run.quantity("distance(tool, middle)", held)
    assert np.ptp(apart) < 1e-9 and apart.max() < 0.09
    assert run.quantity("z(foot)", held).max() > 0.95 and run.quantity("z(foot)", [closed.time])[0] == pytest.approx(
        0.4
    )


def test_D11_the_container_ends_in_the_bin_and_nothing_is_touched() -> None:
    run, things = mission(), obstacles()
    x, y, z = (float(run.quantity(f"{axis}(foot)", [UNTIL])[0]) for axis in "xyz")
    west, east = (things[f"bin {side}"][1][0] for side in ("west", "east"))
    south, north = (things[f"bin {side}"][1][1] for side in ("south", "north"))
    assert run.final_structure == "in the bin" and z == pytest.approx(0.01, abs=1e-9)
    assert west + 0.08 < x < east - 0.08 and south + 0.08 < y < north - 0.08
    assert run.quantity("mission.done", [UNTIL])[0] == 1.0
    times = np.linspace(0.0, UNTIL, 6501)
    q = run(times)[0]
    names = ["x(hull)", "y(hull)", "angle(hull)"]
    hull = corners(*(run.quantity(name, times) for name in names), NOSE, SIDE)
    nearest = {name: clearance(hull, place, kind, sizes).min() for name, (kind, place, sizes) in things.items()}
    assert len(q) == len(times) and min(nearest.values()) > 0.02, nearest
    # What is carried goes above all that is not the bin: its foot is higher than the tops that it passes over.
    carried = times[(run.quantity("z(foot)", times) > 0.42) & (times < 50.0)]
    cx, cy, cz = (run.quantity(f"{axis}(foot)", carried) for axis in "xyz")
    for name, (kind, place, sizes) in things.items():
        top = place[2] + sizes[-1] / 2
        near = (
            np.hypot(cx - place[0], cy - place[1]) < np.hypot(*sizes[:2]) / 2 + 0.06
            if kind == "box"
            else (np.hypot(cx - place[0], cy - place[1]) < sizes[0] + 0.06)
        )
        assert name.endswith("wall") or not near.any() or cz[near].min() > top, name


def test_D11_the_detour_is_made_by_the_rangefinders() -> None:
    run = mission()
    times = np.arange(0.0, 25.0, 0.02)
    avoids, front = run.quantity("mission.avoid", times), run.quantity("D front", times)
    first = int(np.argmax(avoids > 0.5))
    assert first > 0 and front[first] <= 0.25 and (front[:first] > 0.25).all()


def test_D13_a_mission_of_a_minute() -> None:
    run = mission()
    done = run.quantity("mission.done", np.arange(0.0, UNTIL, 0.1))
    assert run.end == UNTIL and 60.0 < 0.1 * int(np.argmax(done)) < UNTIL and not run.warnings


def test_D14_the_button_is_logged_and_the_rest_needs_nobody() -> None:
    run = mission()
    told = [event.transition for event in run.events if event.transition.startswith("input")]
    assert told == ["input: task = 1.0", "input: task = 0.0"]
    still = sistel.load(MISSION).simulate(3.0)
    assert not len(still.events) and still.quantity("mission.idle", [3.0])[0] == 1.0
    assert np.ptp(still.quantity("x(hull)", [0.0, 3.0])) < 1e-3


def test_D17_every_object_of_the_hangar_and_its_plan(tmp_path: Path) -> None:
    names = {"barrel": 5, "box": 4, "pallet": 2, "bin": 4, "stand": 1}
    things = obstacles()
    assert {kind: sum(name.split()[0] == kind for name in things) for kind in names} == names
    scene = tmp_path / "scene.x3d"
    assert main(["draw", str(MISSION), "-o", str(scene)]) == 0
    nodes = [node for node in ElementTree.parse(scene).iter() if node.get("DEF")]
    assert {name.replace(" ", "_") for name in things} <= {node.get("DEF") for node in nodes}
    from sistel.views.schemes import floor_plan

    plan = ElementTree.fromstring(floor_plan(mission(), ("front", "middle"), "ru"))
    titles = {node.text for node in plan.iter() if node.tag.endswith("title")}
    assert {*things, "floor", "front", "middle"} <= titles


@pytest.mark.slow
def test_demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "mf4", "-o", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [Path(path).name for path in told["outputs"]] == ["mf4.svg", "mf4.csv", "mf4_plan.svg", "mf4.html"]
    assert told["events"][-1]["after"] == "in the bin" and not told["warnings"]
    page = (tmp_path / "mf4.html").read_text(encoding="utf-8")
    assert "<script" in page and len((tmp_path / "mf4.csv").read_text(encoding="utf-8").splitlines()) == 1002


@pytest.mark.slow
def test_D10_with_tracks_that_slip(tmp_path: Path) -> None:
    """The same files with friction under the tracks, and 12 V for turns, as 4 V do not turn it on the spot."""
    ideal = 'rolls="ideal"\n         widening="1.6"'
    robot = (MISSION.parent / "robot.xml").read_text(encoding="utf-8")
    assert robot.count(ideal) == 2
    (tmp_path / "robot.xml").write_text(robot.replace(ideal, 'friction="0.6"'), encoding="utf-8")
    (tmp_path / "hangar.xml").write_text((MISSION.parent / "hangar.xml").read_text(encoding="utf-8"), encoding="utf-8")
    text = MISSION.read_text(encoding="utf-8")
    turning = '<parameter name="U2" value="4 V" min="2 V" max="6 V"'
    assert text.count(turning) == 1
    text = text.replace(turning, '<parameter name="U2" value="12 V" min="2 V" max="24 V"')
    (tmp_path / "mission.xml").write_text(text, encoding="utf-8")
    run = sistel.load(tmp_path / "mission.xml").simulate(8.0, inputs={"task": [(0.0, 0.0), (0.5, 1.0), (0.8, 0.0)]})
    assert run.end == 8.0
    assert {"left 1 slips", "left 3 stops sliding"} <= {event.transition for event in run.events}
    x, turn = (run.quantity(f"q(hull.{name})") for name in ("x", "angle"))
    assert x[-1] - x[0] > 2.5 and np.ptp(turn) > 0.4
    # It stands at first: the patches carry its weight, and their loads balance about its tracks.
    patches = [f"normal({side} {i})" for side in ("left", "right") for i in range(1, 7)]
    (together,) = run.quantity(" + ".join(patches), [0.45])
    model = run.model
    carried = [body for body in model.bodies if body.name != "container"]
    assert together == pytest.approx(9.81 * sum(body.mass for body in carried), rel=2e-3)
    assert run.quantity(" and ".join(f"{each} > 0" for each in patches), [0.45]) == [1.0]
