"""Every file of the gallery, written as URDF and as MJCF and read again: bodies where they were, as heavy as they were."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
from support.foreign import good, mjcf, urdf
from support.kinematics import assert_same_pose, bodies, count, inertia_of, is_planar, poses, random_coordinates
from support.robots import gallery_files

import sistel
from sistel.errors import Diagnostics, SistelError, Source
from sistel.markup._document import Document, Node
from sistel.markup.formats.table import FORMATS, format_for, format_of, read_foreign, write_format
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.markup.xml._reader import read_xml
from sistel.model import to_document

PARTS = {
    "cylindrical": ("angle", "slide"),
    "universal": ("first", "second"),
    "planar": ("x", "y", "angle"),
    "prismatic2": ("x", "y"),
    "free": ("x", "y", "angle"),
}
"""Coordinates that become joints of their own."""


def canonical(path: Path) -> Document:
    system = sistel.load(path)
    return Document(to_document(system.model), system.source, "en")


def by_joint(document: Document, q: dict[str, list[float]], ball: bool) -> dict[str, list[float]]:
    """Coordinates by the names of the joints that writers make; `ball` keeps quaternions in one joint."""
    found: dict[str, list[float]] = {}
    for name, values in q.items():
        body = bodies(document)[name]
        joint, kind = body.text("joint-name") or name, body.text("joint") or ""
        if kind == "spherical" and not ball:
            parts, values = ("x", "y", "z"), turned(values)
        elif len(values) == 7 and body not in document.root.children and ball:
            found |= {f"{joint}__{part}": [value] for part, value in zip("xyz", values[4:], strict=True)}
            found[joint] = values[:4]
            continue
        elif kind not in PARTS or len(values) == 7:
            found[joint] = values
            continue
        else:
            parts = PARTS[kind]
        found |= {f"{joint}__{part}": [value] for part, value in zip(parts, values, strict=True)}
    return found


def turned(q: list[float]) -> list[float]:
    """Angles about x, then the turned y, then the turned z, of a quaternion."""
    w, x, y, z = q
    return [
        math.atan2(2 * (w * x - y * z), 1 - 2 * (x * x + y * y)),
        math.asin(2 * (x * z + w * y)),
        math.atan2(2 * (w * z - x * y), 1 - 2 * (y * y + z * z)),
    ]


def compare(document: Document, again: Document, rng, ball: bool) -> None:  # type: ignore[no-untyped-def]
    q = random_coordinates(document, rng)
    values = by_joint(document, q, ball)
    theirs_q = {
        name: values[body.text("joint-name") or name]
        for name, body in bodies(again).items()
        if count(again, body) and body.text("joint") != "fixed"
    }
    ours, theirs = poses(document, q), poses(again, theirs_q)
    for name, pose in ours.items():
        assert_same_pose(theirs[name], pose, name, 1e-12)
    for name, body in bodies(document).items():
        one, two = inertia_of(body), inertia_of(bodies(again)[name])
        # MuJoCo demands a little mass and inertia of everything that moves; a planar body has them about z only.
        assert two.mass == pytest.approx(one.mass, rel=1e-15, abs=1e-9)
        assert two.com == pytest.approx(one.com, abs=0)
        planar = is_planar(document)
        same = (one.tensor[2, 2], two.tensor[2, 2]) if planar else (one.tensor, two.tensor)
        assert same[1] == pytest.approx(same[0], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_urdf_of_the_gallery(path: Path, rng) -> None:  # type: ignore[no-untyped-def]
    document = canonical(path)
    text, _ = write_format(document.root, "x.urdf")
    compare(document, good(urdf(text)), rng, ball=False)
    sistel.parse(text)


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_mjcf_of_the_gallery(path: Path, rng) -> None:  # type: ignore[no-untyped-def]
    document = canonical(path)
    text, _ = write_format(document.root, "x.mjcf")
    again = good(mjcf(text))
    free = [body for body in document.root.of("body") if body.text("joint") == "free" and count(document, body) == 7]
    # MuJoCo counts the coordinates of free bodies from the ground: of those that stand elsewhere at zero they differ.
    if not any("place" in body.attributes and any(n.value for n in body.get("place")) for body in free):  # type: ignore[union-attr]
        compare(document, again, rng, ball=True)
    sistel.parse(text)


def test_formats_are_recognised_by_content_and_by_suffix() -> None:
    for name, key in (("robot", "urdf"), ("mujoco", "mjcf"), ("system", "xsystel"), ("СистемаТел", "xsystel")):
        root = read_xml(Source("x", f"<{name}/>"), Diagnostics())
        assert root is not None
        found = format_of(root)
        assert found is not None and found.key == key
    for path, key in (("a.xml", "xsystel"), ("b.URDF", "urdf"), ("dir.x/c.mjcf", "mjcf")):
        found = format_for(path)
        assert found is not None and found.key == key
    assert len({suffix for row in FORMATS for suffix in row.suffixes}) == sum(len(row.suffixes) for row in FORMATS)


def test_unknown_roots_and_suffixes() -> None:
    diagnostics = Diagnostics()
    root = read_xml(source := Source("x", "<sdf/>"), diagnostics)
    assert root is not None
    assert read_foreign(root, source, diagnostics) == (None, ())
    (problem,) = diagnostics
    assert (problem.code, problem.span.text if problem.span else "") == ("wrong-root", "sdf")
    document = canonical(gallery_files()[0])
    for path in ("x.sdf", "x"):
        with pytest.raises(SistelError) as caught:
            write_format(document.root, path)
        assert caught.value.diagnostics[0].code == "unknown-format"


def test_options_that_do_not_apply() -> None:
    for text, options in (
        ('<system><body joint="fixed"/></system>', {"base": "free"}),
        ('<mujoco><worldbody><body name="a"/></worldbody></mujoco>', {"base": "free"}),
    ):
        diagnostics = Diagnostics()
        root = read_xml(source := Source("x", text), diagnostics)
        assert root is not None
        read_foreign(root, source, diagnostics, **options)  # type: ignore[arg-type]
        assert [problem.code for problem in diagnostics] == ["wrong-option"]


@pytest.mark.parametrize("target", ["x.urdf", "x.mjcf"])
def test_elements_that_a_format_does_not_know_are_named(target: str) -> None:
    root = canonical(next(path for path in gallery_files() if path.stem == "four_bar")).root
    for home, word in ((root, "novelty"), (next(root.of("links")), "curiosity")):
        spec = replace(ELEMENT_BY_KEY["posture"], key=word, en=(word,), ru=(word,))
        home.children.append(Node(spec, home.span))
    _, losses = write_format(root, target)
    assert {"novelty", "curiosity"} <= {loss.what.en for loss in losses}
