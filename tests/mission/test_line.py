"""Rows B16–B18 and B26–B29 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import csv
import json
import math
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import denavit
from support.commands import sistel_program
from support.structures import gallery, integrated, poses, rigid

import sistel
from sistel import arms, cells, pose
from sistel.cli import main

MODELS = Path(__file__).parents[2] / "models"
KINDS = ("cartesian", "cylindrical", "spherical", "angular")


def test_B16() -> None:
    """The same point six ways."""
    sets = pose.Parameters.standard()
    point = [0.6, 0.8, 0.0]
    ways = {
        "cartesian": point,
        "polar": [1.0, math.atan2(0.8, 0.6)],
        "cylindrical": [1.0, math.atan2(0.8, 0.6), 0.0],
        "spherical": [1.0, math.pi / 2, math.atan2(0.8, 0.6)],
        "angular": [math.atan2(0.8, 0.6), math.pi / 3, -2 * math.pi / 3],
        "generalised": [math.atan2(0.8, 0.6), 0.0, 1.0],
    }
    for name, numbers in ways.items():
        assert sets.convert_position(numbers, name, "cartesian") == pytest.approx(point, abs=1e-15)
        assert sets.convert_position(point, "cartesian", name) == pytest.approx(numbers, abs=1e-15)


def test_B17() -> None:
    """The same pose in all parameters of orientation."""
    sets = pose.Parameters.standard()
    expected = np.array([[0, 0, -1], [0, -1, 0], [-1, 0, 0]])  # code 64
    ways = {
        "axial": [64],
        "euler-parameters": [1, 0, -1, math.pi],
        "quaternion": [0, 1, 0, -1],
        "euler": [-math.pi / 2, math.pi / 2, math.pi / 2],
        "bryant": [math.pi, -math.pi / 2, 0],
        "aircraft": [math.pi / 2, 0, math.pi],
        "ship": [math.pi, 0, math.pi / 2],
        "two-points": [0, 0, -1, 0, -1, 0],
    }
    for name, numbers in ways.items():
        found = sets.convert_rotation(numbers, name, "matrix").reshape(3, 3)
        if name not in ("euler", "bryant", "aircraft", "ship"):
            assert np.abs(found - expected).max() < 1e-15
        again = sets.convert_rotation(sets.convert_rotation(found.reshape(9), "matrix", name), name, "matrix")
        assert np.abs(again.reshape(3, 3) - found).max() < 1e-15
    for name, order in (("euler", "zxz"), ("bryant", "xyz"), ("aircraft", "yzx"), ("ship", "zxy")):
        angles = sets.convert_rotation([64], "axial", name)
        turned = np.eye(3)
        for axis, angle in zip(order, angles, strict=True):
            c, s = math.cos(angle), math.sin(angle)
            i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
            one = np.eye(3)
            one[i, i] = one[j, j] = c
            one[i, j], one[j, i] = -s, s
            turned = turned @ one
        assert np.abs(turned - expected).max() < 1e-15


def test_B18() -> None:
    """Screws, dual quaternions, Cayley–Klein; and functions of a user's own under the numbers 5 and 6."""
    sets = pose.Parameters.standard()
    X = pose.homogeneous(sets.convert_rotation([36], "axial", "quaternion"), [0.1, 0.2, 0.3])
    assert np.abs(pose.from_screw(pose.to_screw(X)) - X).max() < 1e-15
    assert np.abs(pose.from_dual(pose.to_dual(X)) - X).max() < 1e-15
    assert sets.convert_rotation(sets.convert_rotation([36], "axial", "cayley-klein"), "cayley-klein", "axial") == [36]
    own = sets.with_position("table", lambda n: 0.1 * n, lambda p: 10.0 * p, numbers=("row", "column", "shelf"))
    own = own.with_rotation(
        "dial",
        lambda n: sets.convert_rotation(np.stack([0 * n[..., 0], 0 * n[..., 0], n[..., 0]], -1), "rotation-vector", "quaternion"),
        lambda q: sets.convert_rotation(q, "quaternion", "rotation-vector")[..., 2:],
        numbers=("hour",),
        angles=(0,),
    )  # fmt: skip
    (found,) = pose.read_position([5, 6, 1, 2, 3, 90], own)
    assert found.place == pytest.approx([0.1, 0.2, 0.3]) and pose.nearest_axial(found.quaternion)[0] == 32
    with pytest.raises(sistel.SistelError):
        pose.read_position([5, 6, 1, 2, 3, 90])


def test_B26() -> None:
    """One target reached by all four arms, error < 1e-9 m."""
    target = np.eye(4)
    target[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]  # fingers down
    target[:3, 3] = [0.62, 0.21, 0.35]
    for kind in KINDS:
        system = gallery(f"mr_{kind}")
        arm = cells.arm_of(system.model, "схват")
        assert arm.kind == kind
        assert np.abs(system.pose(arm.inverse(target).q, "схват") - target).max() < 1e-9


def test_B27(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A process list in; chart, cycle time and number of parts out. Unloading, transport, painting and assembly."""
    chart = tmp_path / "chart.svg"
    assert (
        main(["cell", str(MODELS / "cells" / "flexible.xml"), "--allow", str(MODELS), "-o", str(chart), "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert {"take", "put", "work", "transport", "paint", "assemble"} <= {bar["what"] for bar in found["bars"]}
    assert found["finished"] == 1 and found["cycle"] == max(bar["end"] for bar in found["bars"])
    assert chart.read_text(encoding="utf-8").count("<rect") > len(found["bars"])
    assert main(["cell", str(MODELS / "cells" / "turning.xml"), "--allow", str(MODELS), "--json"]) == 0
    turning = json.loads(capsys.readouterr().out)
    assert turning["finished"] == 2 and sum(bar["what"] == "work" for bar in turning["bars"]) == 2


READMES = {"README.md": ("arm.xml", "hand"), "README.ru.md": ("рука.xml", "кисть")}
"""The file that a stranger saves, and the point at its end."""


def first_minutes(readme: Path) -> tuple[str, list[list[str]]]:
    """The first description of a README, and the commands that it has for it, as a reader would copy them."""
    text = readme.read_text(encoding="utf-8")
    file = READMES[readme.name][0]
    described = re.search(rf"```xml file={file}\n(.*?)```", text, re.DOTALL)
    commands = [shlex.split(line) for line in re.findall(r"^\$ (sistel .*)$", text, re.MULTILINE)]
    assert described is not None
    return described[1], [words[1:] for words in commands if file in words]


def two_rods(length: float, masses: tuple[float, float], y: Any) -> Any:
    """Lagrange's equations of two uniform rods hung one on the other, angles from the vertical, the second from the
    first: rates of the angles and of their rates, for rows of them."""
    (m, n), ll, g = masses, length * length, 9.81
    first, bend, v, w = y.T
    own = m * ll / 3 + n * ll  # of the first about its hinge, with the second's mass at its end
    rod, mixed = n * ll / 3, n * ll / 2
    c, s = np.cos(bend), np.sin(bend)
    M = np.stack([own + rod + 2 * mixed * c, rod + mixed * c, rod + mixed * c, np.full_like(c, rod)], axis=-1)
    pull = n * g * length / 2 * np.sin(first + bend)
    force = np.stack(
        [
            mixed * s * (2 * v * w + w * w) - (m / 2 + n) * g * length * np.sin(first) - pull,
            -mixed * s * v * v - pull,
        ],
        axis=-1,
    )
    gained = np.linalg.solve(M.reshape(-1, 2, 2), force[..., None])[..., 0]
    return np.stack([v, w, gained[:, 0], gained[:, 1]], axis=-1)


@pytest.mark.slow
@pytest.mark.parametrize("readme", READMES)
def test_B28(readme: str, tmp_path: Path, root_dir: Path) -> None:
    """A stranger copies the arm of the README and its commands: it is modelled, falls as mechanics wants it, and its
    page is there. Then the links get the length that a required reach takes."""
    text, commands = first_minutes(root_dir / readme)
    file, point = READMES[readme]
    (tmp_path / file).write_text(text, encoding="utf-8")
    assert [words[0] for words in commands] == ["show", "run"]
    for words in commands:
        done = subprocess.run([sistel_program(), *words], cwd=tmp_path, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
    assert (tmp_path / commands[-1][-1]).read_text(encoding="utf-8").startswith("<!doctype html>")
    arm = sistel.load(tmp_path / file)
    assert (arm.nv, arm.structure_class, arm.bases) == (2, "ПСТОВ", (0, 1))
    until = float(commands[-1][commands[-1].index("--until") + 1])
    run = arm.simulate(until)
    expected = integrated(lambda t, y: two_rods(0.3, (2.0, 1.0), y), [math.pi / 2, 0, 0, 0], until, 300)
    assert [*run.q[-1], *run.v[-1]] == pytest.approx(expected.tolist(), abs=1e-9)
    assert np.ptp(run.q, axis=0).min() > 1.0  # both swing
    # The reach: as long as it has to be, and no longer.
    points = np.array([[0.9, 0.3], [0.2, 0.4], [0.5, -0.6]])
    upper, fore = arms.link_lengths(points)
    assert upper == fore == pytest.approx(math.hypot(0.9, 0.3) / 2, rel=1e-15)
    for length, reached in ((1.001 * upper, (True, True, True)), (0.99 * upper, (False, True, True))):
        longer = arm.with_parameters(l=length)
        for (x, y), there in zip(points, reached, strict=True):
            target = np.eye(4)
            target[:2, 3] = x, y
            found = longer.inverse_kinematics(target, point, task="position", restarts=50)
            assert found.success == there
            # By hand: two links from the shoulder, hanging down at zero, angles clockwise.
            first, bend = found.q
            hand = length * np.array(
                [-math.sin(first) - math.sin(first + bend), math.cos(first) + math.cos(first + bend)]
            )
            missed = math.dist(hand, (x, y))
            assert missed < 1e-7 if there else missed > 0.005


def column_rows(path: Path) -> tuple[Any, Any]:
    """Times and coordinates of the papers' arm in a table that `sistel trajectory` wrote [s, rad]."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = [key for key in rows[0] if key.startswith("q ")]
    return np.array([float(row["t [s]"]) for row in rows]), np.array(
        [[float(row[key]) for key in names] for row in rows]
    )


def test_B29_arm_path(tmp_path: Path) -> None:
    """The tool goes along a line and along an arc; seen by Denavit and Hartenberg's matrices, not by the package."""
    start, end, via = [0.0, 1.2, -0.6, 1.0, 0.0], np.array([0.25, -0.15, 0.2]), np.array([0.32, -0.02, 0.33])
    begins = denavit.frames(start)[-1][:3, 3]
    for kind, more in (("line", ()), ("arc", ("--via", ",".join(map(str, via))))):
        table = tmp_path / f"{kind}.csv"
        words = ["--from", ",".join(map(str, start)), "--at", ",".join(map(str, end)), "--task", "position", *more]
        call = ["trajectory", str(MODELS / "arm5.xml"), "--kind", kind, *words, "--every", "20ms", "-o", str(table)]
        assert main(call) == 0
        t, q = column_rows(table)
        path = np.array([denavit.frames(each)[-1][:3, 3] for each in q])
        assert len(t) == 101 and np.abs(path[0] - begins).max() < 1e-12 and np.abs(path[-1] - end).max() < 1e-8
        if kind == "line":
            way = (end - begins) / np.linalg.norm(end - begins)
            along = (path - begins) @ way
            assert np.abs(path - begins - along[:, None] * way).max() < 1e-8
            assert (np.diff(along) > 0).all()
        else:
            # The circle through three points: all of the path is as far from its centre, in its plane, past the point.
            first, second = via - begins, end - begins
            normal = np.cross(first, second)
            towards = np.cross(first @ first * second - second @ second * first, normal)
            centre = begins + towards / (2 * normal @ normal)
            radius = np.linalg.norm(begins - centre)
            assert np.linalg.norm(end - centre) == pytest.approx(radius) == pytest.approx(np.linalg.norm(via - centre))
            assert np.abs(np.linalg.norm(path - centre, axis=1) - radius).max() < 1e-8
            assert np.abs((path - begins) @ normal).max() < 1e-8 * np.linalg.norm(normal)
            assert np.linalg.norm(path - via, axis=1).min() < 0.01 < np.linalg.norm(end - begins)
        # From rest to rest, and in between it moves.
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1)
        assert steps[0] < 0.05 * steps.max() > steps[-1]


AXES = {"1": (1, 0, 0), "2": (-1, 0, 0), "3": (0, 1, 0), "4": (0, -1, 0), "5": (0, 0, 1), "6": (0, 0, -1)}


def slots_of(path: Path) -> dict[str, Any]:
    """Poses of the gripper at the slots of a cell, from the numbers of the file: scene axes x, y up, z to us, turned to
    z up by hand."""
    found = {}
    for slot in re.findall(r"<(?:гнездо|slot) ([^>]*)/>", path.read_text(encoding="utf-8")):
        name, code = (re.search(rf'(?:{words})="([^"]*)"', slot) for words in ("имя|name", "код|code"))
        assert name is not None and code is not None
        _, kind, x, y, z, orientation = code[1].replace(" ", "").split(",")
        assert kind == "5"
        fingers, thumb = (np.array(AXES[digit]) for digit in orientation)
        columns = [*np.stack([fingers, thumb, np.cross(fingers, thumb)]), (float(x), float(y), float(z))]
        pose = np.eye(4)
        for i, (a, b, c) in enumerate(columns):
            pose[:3, i] = a, -c, b
        found[name[1]] = pose
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("name", "robots", "taken"), [("turning", 1, 8), ("flexible", 2, 9)])
def test_B29_cells(name: str, robots: int, taken: int) -> None:
    """A robot with its machine; two of them with a belt: in the run of the cell every gripper is at its slot when a part
    changes hands, by forward kinematics of the test's own, and parts lie in the end where the list puts them."""
    path = MODELS / "cells" / f"{name}.xml"
    slots = slots_of(path)
    plan = cells.plan_cell(cells.read_cell(path, lambda file: sistel.load(file).model, allow=[MODELS]))
    assert len(plan.cell.robots) == robots and plan.finished
    system = sistel.parse(cells.cell_xml(plan), str(MODELS / "cells" / "made.xml"), allow=[MODELS])
    run = system.simulate(plan.end)
    assert len(run.events) == len(plan.carried)
    looked = 0
    for change, event in zip(plan.carried, run.events, strict=True):
        assert event.time == pytest.approx(change.time, abs=1e-9)
        found = poses(system.model, run(change.time)[0])
        part = found[system.body(change.part).number]
        frame = next((each for each in system.model.frames if each.name == f"{change.robot}_схват"), None)
        # What is put upon another part lies above the slot; belts have no gripper.
        if frame is not None and change.holder not in {each.name for each in plan.cell.parts}:
            gripper = found[frame.body] @ rigid(frame.R_BF, frame.p_BF)
            assert np.abs(gripper - slots[change.slot]).max() < 1e-9
            assert np.abs(part[:3, 3] - gripper[:3, 3]).max() < 1e-9
            looked += 1
    assert looked == taken
    # In between they go far; in the end everything is where the plan says.
    ways = np.array([[pose[:3, 3] for pose in poses(system.model, q)] for q in run(np.linspace(0, plan.end, 200))[0]])
    for part, where in plan.places.items():
        number = system.body(part).number
        assert np.ptp(ways[:, number], axis=0).max() > 0.5
        if where in slots:
            assert np.abs(ways[-1, number] - slots[where][:3, 3]).max() < 1e-9
    assert any(bar.what == "transport" for bar in plan.bars) == (robots == 2)


def test_B29(capsys: pytest.CaptureFixture[str]) -> None:
    """The line: a gripper picks, a biped steps, machines with two, four and six legs walk."""
    pick = gallery("gripper_load").simulate(3.0)
    # Events that change the structure; a limit that is passed is an event too.
    assert [event.after for event in pick.events if event.after != event.before][:2] == ["squeeze", "held"]
    assert pick.q[-1][pick.model.coordinate_names.index("load.y")] < -0.1  # y is down: it was lifted
    # The biped steps: one foot stands, then the other one, further on.
    biped = gallery("walker")
    run = biped.simulate(1.5)
    stands = [event for event in run.events if event.after in ("на левой", "на правой")]
    assert {event.after for event in stands} == {"на левой", "на правой"}
    for structure, sole in (("на левой", "подошва_л"), ("на правой", "подошва_п")):
        event = next(each for each in stands if each.after == structure)
        later = next((each.time for each in run.events if each.time > event.time), run.end)
        feet = biped.pose(run(np.linspace(event.time, later, 20)[:-1])[0], sole)[:, :2, 3]
        assert np.ptp(feet, axis=0).max() < 1e-9 and abs(feet[0, 1]) < 1e-9
    for machine, gait, legs in (("shm_biped", "step", 2), ("shm_quadruped", "crawl", 4), ("shm_hexapod", "tripod", 6)):
        assert main(["walk", str(MODELS / f"{machine}.xml"), "--gait", gait, "--json"]) == 0
        walk = json.loads(capsys.readouterr().out)
        assert walk["margin"] > 0.0 and walk["way"] == pytest.approx(0.45)
        assert len(walk["legs"]) == legs
