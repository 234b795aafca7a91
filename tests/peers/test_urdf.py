"""URDF against Pinocchio: every robot of the data packages, and the files that sistel writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.foreign import canonical, good, rebuilt, urdf, urdf_file
from support.kinematics import Inertia, assert_same_pose, bodies, inertia_of, poses
from support.robots import gallery_files, robot_files

import sistel
from sistel.markup._document import Document, Node
from sistel.markup.urdf._write import write_urdf
from sistel.model import to_document

pin = pytest.importorskip("pinocchio")

if TYPE_CHECKING:
    import numpy as np

pytestmark = pytest.mark.peer

BROKEN = {
    "falcon": ("unknown-name", "Z_propeller"),
    "ur3": ("no-bodies", "robot"),
    "test": ("not-xml", "hello"),
}
"""Files that describe no robot, and what is said about them."""


def readable() -> list[Path]:
    return [path for path in robot_files() if path.stem not in BROKEN]


def random_coordinates(model: Any, document: Document, rng: np.random.Generator) -> tuple[Any, dict[str, list[float]]]:
    """The same random coordinates for Pinocchio and for us."""
    theirs = pin.neutral(model)
    ours: dict[str, list[float]] = {}
    for name, body in bodies(document).items():
        kind = body.text("joint")
        if kind == "fixed":
            continue
        joint = model.joints[model.getJointId(body.text("joint-name") or "root_joint")]
        at = slice(joint.idx_q, joint.idx_q + joint.nq)
        if kind == "free":
            q = rng.normal(size=4)
            w, x, y, z = q / np.linalg.norm(q)
            place = rng.uniform(-1, 1, 3)
            theirs[at], ours[name] = [*place, x, y, z, w], [w, x, y, z, *place]
            continue
        assert kind in ("revolute", "prismatic")
        value = rng.uniform(-np.pi, np.pi)
        theirs[at] = [np.cos(value), np.sin(value)] if joint.nq == 2 else [value]
        ours[name] = [value]
    return theirs, ours


def compare_poses(model: Any, document: Document, rng: np.random.Generator) -> None:
    theirs, q = random_coordinates(model, document, rng)
    data = model.createData()
    pin.framesForwardKinematics(model, data, theirs)
    ours = poses(document, q)
    frames = {frame.name for frame in model.frames if frame.type == pin.FrameType.BODY}
    assert frames - {"universe"} == ours.keys()
    for name, pose in ours.items():
        assert_same_pose(pose, data.oMf[model.getFrameId(name, pin.FrameType.BODY)].homogeneous, name)


def compare_inertia(model: Any, document: Document) -> None:
    """Masses that move together, in the frame of the body whose joint moves them."""
    total = sum(inertia_of(body).mass for body in bodies(document).values())
    assert total == pytest.approx(sum(inertia.mass for inertia in model.inertias), rel=1e-12, abs=1e-12)
    for body, parts in rigid_groups(document).items():
        name = body.text("joint-name") or "root_joint"
        joint = model.inertias[0 if body.text("joint") == "fixed" else model.getJointId(name)]
        mass = sum(part.mass for part, _ in parts)
        assert mass == pytest.approx(joint.mass, rel=1e-12, abs=1e-12)
        if mass <= 1e-9:
            continue
        first = sum(part.mass * (X[:3, :3] @ part.com + X[:3, 3]) for part, X in parts)
        assert first == pytest.approx(joint.mass * joint.lever, rel=1e-11, abs=1e-12)
        second = sum(about_origin(part, X) for part, X in parts)
        expected = about_origin(Inertia(joint.mass, joint.lever, joint.inertia), np.eye(4))
        assert second == pytest.approx(expected, abs=1e-11 * max(np.abs(expected).max(), 1e-6))


def about_origin(part: Inertia, X: np.ndarray) -> np.ndarray:
    """The inertia of a part about the origin of a frame in which it has the pose X."""
    p = X[:3, :3] @ part.com + X[:3, 3]
    return X[:3, :3] @ part.tensor @ X[:3, :3].T + part.mass * (p @ p * np.eye(3) - np.outer(p, p))


def rigid_groups(document: Document) -> dict[Node, list[tuple[Inertia, np.ndarray]]]:
    """For every body that moves against its base, and the root: the bodies fixed to it, with their poses in it."""
    zero = poses(document, {})
    groups: dict[Node, list[tuple[Inertia, np.ndarray]]] = {}
    stack = [(body, body) for body in document.root.of("body")]
    while stack:
        body, head = stack.pop()
        X = np.linalg.inv(zero[head.text("name") or ""]) @ zero[body.text("name") or ""]
        groups.setdefault(head, []).append((inertia_of(body), X))
        stack.extend((child, head if child.text("joint") == "fixed" else child) for child in body.of("body"))
    return groups


@pytest.mark.parametrize("path", readable(), ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_robots(path: Path, rng: np.random.Generator) -> None:
    document = good(urdf_file(path, snap=0.0))
    model = pin.buildModelFromUrdf(str(path))
    for _ in range(3):
        compare_poses(model, document, rng)
    compare_inertia(model, document)


@pytest.mark.parametrize("path", readable()[::7], ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_robots_with_a_free_base(path: Path, rng: np.random.Generator) -> None:
    document = good(urdf_file(path, snap=0.0, base="free"))
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    compare_poses(model, document, rng)
    compare_inertia(model, document)


@pytest.mark.parametrize("path", readable(), ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_robots_made_exact_and_written_again(path: Path, rng: np.random.Generator, tmp_path: Path) -> None:
    """Snapped as by default: Pinocchio reads what sistel writes, and both have every frame in the same place."""
    document = good(urdf_file(path))
    text, report = write_urdf(document.root)
    assert {loss.kind for loss in report} <= {"changed"}
    file = tmp_path / "written.urdf"
    file.write_text(text)
    model = pin.buildModelFromUrdf(str(file))
    compare_poses(model, document, rng)
    compare_inertia(model, document)


@pytest.mark.parametrize("path", robot_files(), ids=lambda path: f"{path.parent.parent.name}-{path.stem}")
def test_robots_become_models_or_say_why_not(path: Path) -> None:
    document, _, diagnostics = urdf_file(path)
    if path.stem in BROKEN:
        (problem,) = diagnostics
        assert problem.span is not None
        assert problem.span.text.startswith(BROKEN[path.stem][1]) or problem.code == BROKEN[path.stem][0]
        return
    assert document is not None and not diagnostics.failed
    rebuilt(document)


@pytest.mark.parametrize("path", robot_files(".xacro")[::5], ids=lambda path: path.stem)
def test_templates_say_that_they_have_to_be_expanded(path: Path) -> None:
    document, _, diagnostics = urdf_file(path)
    assert document is None and [problem.code for problem in diagnostics] == ["xacro"]


MECHANISM = """<system name="m" space="spatial">
  <body name="a" joint="revolute" axis="0,1,1" place="100,0,0" turn="10,90,30"
        mass="1" com="10,0,0" inertia="0.1,0.2,0.25,0.01,0.02,0.03">
    <body name="b" joint="prismatic" axis="1,2,3" turn="0,0,1,120" mass="1" inertia="0.1"/>
    <frame name="tool" place="1,2,3" turn="10,20,30"/>
  </body>
  <body name="c" joint="free" place="0,0,1000" turn="1,2,3" mass="1" inertia="1"/>
</system>"""


def test_what_sistel_writes_is_what_pinocchio_reads(rng: np.random.Generator, tmp_path: Path) -> None:
    document = canonical(MECHANISM)
    text, _ = write_urdf(document.root)
    file = tmp_path / "written.urdf"
    file.write_text(text)
    model = pin.buildModelFromUrdf(str(file))
    again = good(urdf(text, snap=0.0))
    compare_poses(model, again, rng)
    compare_inertia(model, again)
    q = {"a": [0.3], "b": [0.2], "c": [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]}
    ours, theirs = poses(document, q), poses(again, q)
    for name in ours:
        assert_same_pose(ours[name], theirs[name], name)


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_the_gallery_in_pinocchio(path: Path, rng: np.random.Generator, tmp_path: Path) -> None:
    text, _ = write_urdf(to_document(sistel.load(path).model))
    file = tmp_path / "written.urdf"
    file.write_text(text)
    model = pin.buildModelFromUrdf(str(file))
    again = good(urdf(text, snap=0.0))
    compare_poses(model, again, rng)
    compare_inertia(model, again)
