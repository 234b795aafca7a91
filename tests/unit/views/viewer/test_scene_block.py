"""The scene that a page moves: joints set from poses put every body where it is."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.javascript import call_module
from support.kinematics import poses, random_coordinates
from support.x3d import Scene, schema_problems

import sistel
from sistel.model import Model, to_document
from sistel.views.viewer import scene_for_page
from sistel.views.x3d import check_scene

SCRIPT = "page/scene.ts"
MODELS = ("puma560", "stewart", "universal_shaft", "free_body", "telescope", "quadruped", "stanford", "hexapod")


def states_of(model: Model, rng: Any) -> list[dict[str, Any]]:
    """Where every body is in some states, 4×4 by name, with the ground first; by kinematics of the tests' own."""
    document: Any = SimpleNamespace(root=to_document(model))
    found = (poses(document, random_coordinates(document, rng)) for _ in range(3))
    return [{"": np.eye(4), **{body.name: X[body.name] for body in model.bodies}} for X in found]


@pytest.mark.parametrize("name", MODELS)
def test_every_body_is_where_it_is(name: str, models_dir: Path, rng: Any) -> None:
    """The nested nodes of the scene, read by the rules of X3D, against the poses of the system."""
    model = sistel.load(models_dir / f"{name}.xml").model
    part = scene_for_page(model, lang="en")
    states = states_of(model, rng)
    script = """return given[0].map((poses) => {
        const found = {};
        jointShifts(poses, given[1].bases, given[1].places, (n, p, turn) => { found[given[1].transforms[n]] = [p, turn]; });
        return found;
    });"""
    rows = [[float(x) for X in state.values() for x in X[:3].ravel()] for state in states]
    shifts = call_module(SCRIPT, script, [rows, part.table])
    R_XW = np.array(part.table["axes"]).reshape(3, 3)
    for state, found in zip(states, shifts, strict=True):
        root = ElementTree.fromstring(part.text)
        for node in root.iter("Transform"):
            if node.get("DEF") in found:
                p, turn = found[node.get("DEF", "")]
                node.set("translation", " ".join(map(repr, p)))
                node.set("rotation", " ".join(map(repr, turn)))
        scene = Scene(ElementTree.tostring(root, encoding="unicode"))
        for body, node in zip(model.bodies, part.table["transforms"], strict=True):
            X_WB, X_XB = state[body.name], scene.pose(node, 0.0)
            # The places of joints are written with nine digits.
            np.testing.assert_allclose(X_XB[:3, 3], R_XW @ X_WB[:3, 3], atol=2e-7)
            np.testing.assert_allclose(X_XB[:3, :3], R_XW @ X_WB[:3, :3], atol=2e-7)


def test_scenes_are_valid(models_dir: Path, shared_dir: Path) -> None:
    problems = schema_problems(shared_dir)
    for name in ("puma560", "quadruped", "vending_pusher"):
        text = scene_for_page(sistel.load(models_dir / f"{name}.xml").model, lang="ru").text
        assert problems(text) == [] and check_scene(text) == [], name


def test_springs_follow_their_ends(rng: Any) -> None:
    """From one end, y goes to the other; the ends are found by matrices of another kind."""
    places, ends = [], []
    for _ in range(3):
        R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        R *= np.linalg.det(R)
        places.append(np.column_stack([R, rng.normal(size=3)]))
    for first, second in ((0, 1), (1, 2), (2, 0)):
        ends.append([[first, rng.normal(size=3).tolist()], [second, rng.normal(size=3).tolist()]])
    ends += [[[0, [0.0, 0.0, 0.0]], [0, [0.0, way, 0.0]]] for way in (2.0, -2.0)]
    flat = np.concatenate([X.ravel() for X in places]).tolist()
    found = call_module(SCRIPT, "return given[1].map((ends) => springStretch(given[0], ends));", [flat, ends])
    for stretch, pair in zip(found, ends, strict=True):
        a, b = (places[body][:, :3] @ point + places[body][:, 3] for body, point in pair)
        assert stretch["length"] == pytest.approx(float(np.linalg.norm(b - a)), rel=1e-14)
        x, y, z, angle = stretch["turn"]
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        R = np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K
        np.testing.assert_allclose(stretch["at"] + R @ (0.0, stretch["length"], 0.0), b, atol=1e-13)


def test_turns_are_exact_near_nothing_and_near_a_half_turn(rng: Any) -> None:
    """Axis and angle give the matrix back to the last digits, whatever the angle; small angles keep their size."""
    angles = [
        0.0,
        1e-300,
        1e-12,
        1e-9,
        1e-6,
        1e-3,
        1.0,
        3.0,
        *(math.pi - small for small in (1e-3, 1e-6, 1e-9, 1e-12, 0.0)),
    ]
    axes = [*np.eye(3), *-np.eye(3), *(axis / np.linalg.norm(axis) for axis in rng.normal(size=(20, 3)))]
    cases = [(axis, angle) for axis in axes for angle in angles]

    def matrix(axis: Any, angle: float) -> Any:
        x, y, z = axis
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        # 1 - cos without cancellation
        return np.eye(3) + math.sin(angle) * K + 2 * math.sin(angle / 2) ** 2 * K @ K

    found = call_module(SCRIPT, "return given[0].map(axisAngle);", [[matrix(*case).ravel().tolist() for case in cases]])
    for (axis, angle), (x, y, z, turned) in zip(cases, found, strict=True):
        assert math.hypot(x, y, z) == pytest.approx(1.0, abs=1e-15)
        assert 0.0 <= turned <= math.pi
        np.testing.assert_allclose(matrix((x, y, z), turned), matrix(axis, angle), atol=4e-15)
        assert turned == pytest.approx(angle, rel=1e-14, abs=4e-15 if angle > 1.0 else 0.0)


def test_a_long_way_is_followed(models_dir: Path) -> None:
    """Where all of a motion can be seen well, the camera rests; where it cannot, it looks at the start and goes along."""
    system = sistel.load(models_dir / "free_body.xml")
    thrown = np.zeros(6)

    def seen(speed: float) -> tuple[float, float, float]:
        """How far the camera is, how far the body may go before it follows, and how long the floor is [m]."""
        thrown[3] = speed
        part = scene_for_page(system.model, system.simulate(1.0, v=thrown), lang="en")
        root = ElementTree.fromstring(part.text)
        (camera,) = (each for each in root.iter("Transform") if each.get("DEF") == part.table["camera"])
        assert [node.tag for node in camera] == ["Viewpoint"] * len(part.table["views"]) == ["Viewpoint"] * 4
        place = np.array([float(word) for word in camera[0].get("position", "").split()])
        floor = root.find(".//LineSet/Coordinate")
        assert floor is not None
        x = [float(point.split()[0]) for point in floor.get("point", "").split(",")]
        return float(np.linalg.norm(place)), part.table["follow"]["room"], max(x) - min(x)

    rest, short, long = seen(0.0), seen(0.3), seen(20.0)
    assert rest[0] < short[0] < 3 * rest[0] and short[1] > 0.3  # never leaves the view
    assert long[0] == pytest.approx(rest[0]) and long[1] < 0.5  # as near as at rest, and followed
    assert long[2] > 20.0 > short[2]  # with floor all the way
