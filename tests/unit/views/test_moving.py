"""Schemes prepared for motion: windows over all postures, cameras, ground of any length, ids, what depends on two bodies."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.javascript import call_module
from support.kinematics import poses
from support.robots import gallery_files
from support.smil import SVG, matrices, numbers_of
from support.structures import gallery

import sistel
from sistel.errors import SistelError
from sistel.markup import Document
from sistel.model import Model, to_document
from sistel.views.schemes import moving_scheme
from sistel.views.schemes._paths import path_polylines
from sistel.views.schemes._posture import drawn_coordinates

GALLERY = {path.stem: gallery(path.stem) for path in gallery_files()}
PLANAR = [name for name, system in GALLERY.items() if system.planar]
SPATIAL = [name for name, system in GALLERY.items() if not system.planar]
FAKE = """
    const made = {};
    const root = { querySelectorAll: () => given[2].map((id) => (made[id] = {
        getAttribute: () => id, setAttribute(name, value) { this[name] = value; } })) };
    moveScheme(root, given[0], given[1], given[3] ?? undefined);
    return Object.fromEntries(Object.entries(made).map(([id, { transform, d, visibility }]) => [id, { transform, d, visibility }]));
"""
"""Moves a scheme whose elements only note what they are told."""


def places(model: Model, q: Any) -> dict[int, np.ndarray]:
    """World poses of the bodies by number, by other code than the package's."""
    own = {body.name: q[body.first_q : body.first_q + body.joint.type.nq] for body in model.bodies}
    found = poses(Document(to_document(model), None, "en"), own)  # type: ignore[arg-type]
    return {0: np.eye(4), **{body.number: found[body.name] for body in model.bodies}}


def some_states(model: Model, count: int = 4) -> list[np.ndarray]:
    """The posture of the file, and some near it."""
    source = np.random.default_rng(7)
    first = np.array(drawn_coordinates(model))
    return [first, *(first + source.uniform(-0.3, 0.3, model.nq) for _ in range(count))]


def identifiers(svg: str) -> list[str]:
    return [e.get("id", "") for e in ElementTree.fromstring(svg).iter() if e.get("id")]


@pytest.mark.parametrize("name", PLANAR)
def test_planar_schemes_of_the_gallery(name: str) -> None:
    """Groups stand as in the static scheme; every shape and symbol of it is there; ids and uses of ids have the prefix."""
    model = GALLERY[name].model
    q = drawn_coordinates(model)
    scheme = moving_scheme(model, [q], prefix="x7-")
    picture = ElementTree.fromstring(scheme.svg)
    found, true = matrices(picture, 0.0), places(model, q)
    for body in model.bodies:
        m, pose = found[f"x7-тело_{body.number}"], true[body.number]
        assert m[4:] == pytest.approx(1e3 * pose[:2, 3], abs=2e-3)
        assert m[:2] == pytest.approx(pose[:2, 0], abs=2e-6)
    ids = identifiers(scheme.svg)
    assert len(set(ids)) == len(ids) and all(each.startswith("x7-") for each in ids)
    used = set(re.findall(r"url\(#([^)]*)\)", scheme.svg))
    assert used <= set(ids)
    rules = next(picture.iter(f"{SVG}style")).text or ""
    selectors = [part for rule in re.findall(r"([^{}]+)\{[^{}]*\}", rules) for part in rule.split(",")]
    assert all(part.strip().startswith(".x7-sistel-moving ") for part in selectors)
    static = ElementTree.fromstring(
        GALLERY[name].scheme(dict(zip(model.coordinate_names, q, strict=True)), labels="none")
    )

    def shapes(root: ElementTree.Element) -> Counter[str]:
        return Counter(p.get("d", "") for p in root.iter(f"{SVG}path") if "link" in p.get("class", ""))

    assert shapes(picture) == shapes(static)
    json.dumps(scheme.description)


@pytest.mark.parametrize("name", PLANAR)
def test_windows_cover_all_postures(name: str) -> None:
    model = GALLERY[name].model
    states = some_states(model)
    scheme = moving_scheme(model, states)
    left, top, wide, high = scheme.window
    assert 0.5 <= wide / high <= 2.0
    picture = ElementTree.fromstring(scheme.svg)
    groups = {
        int(g.get("id", "").split("_")[1]): g for g in picture.iter(f"{SVG}g") if g.get("id", "").startswith("тело_")
    }
    for q in states:
        true = places(model, q)
        home = (
            true[scheme.follows][:2, 3] - places(model, states[0])[scheme.follows][:2, 3]
            if scheme.follow
            else np.zeros(2)
        )
        dx, dy = (1e3 * home[i] if scheme.along[i] else 0.0 for i in (0, 1))
        for number in range(1, len(true)):
            for path in groups[number].findall(f"{SVG}path"):
                if "link" not in path.get("class", "") or path.get("transform"):
                    continue
                for line in path_polylines(path.get("d", "")):
                    for x, y in line:
                        px, py = (1e3 * true[number][i, 3] + true[number][i, :2] @ (x, y) for i in (0, 1))
                        assert left < px - dx < left + wide and top < py - dy < top + high


def test_a_camera_follows_what_goes_away() -> None:
    model = GALLERY["walker"].model
    near = moving_scheme(model, [drawn_coordinates(model)])
    away = np.tile(drawn_coordinates(model), (40, 1))
    away[:, 0] += np.linspace(0.0, 300.0, 40)
    scheme = moving_scheme(model, away)
    assert not near.follow and scheme.follow and scheme.along == (True, False) and scheme.follows == 1
    assert scheme.window[2] < 2 * near.window[2]
    # Ground for 300 m, in no more letters than for one step.
    assert len(scheme.svg) < 1.1 * len(near.svg)
    strips = [p for p in ElementTree.fromstring(scheme.svg).iter(f"{SVG}path") if p.get("class") == "hatch"]
    ends = []
    for strip in strips:
        m = numbers_of(strip.get("transform", ""))
        x, _, long = numbers_of(strip.get("d", "").replace("h", " "))
        ends.append((m[4] + m[0] * x, m[4] + m[0] * (x + long)))
    assert min(a for a, _ in ends) < -500 and max(b for _, b in ends) > 300_000
    # A ball that bounces is no reason to lose the floor out of sight.
    ball = GALLERY["bouncing_ball"]
    assert not moving_scheme(ball.model, ball.simulate(2.0).q).follow


@pytest.mark.parametrize("name", ["walker", "stick_slip", "andrews_squeezer", "cart_pole", "gripper_load"])
def test_what_the_page_does(name: str) -> None:
    """Transforms, springs, labels and the camera for any poses, by the script of the page."""
    model = GALLERY[name].model
    states = some_states(model)
    scheme = moving_scheme(model, states, prefix="p-")
    ids, script = identifiers(scheme.svg), "scheme/moving.ts"
    for q in states[1:3]:
        true = places(model, q)
        flat = [float(x) for number in range(len(true)) for x in true[number][:3].ravel()]
        made = call_module(script, FAKE, [scheme.description, flat, ids, None])
        picture = ElementTree.fromstring(scheme.svg)
        for element in picture.iter():
            told = made.get(element.get("id", ""), {})
            for key, value in told.items():
                element.set(key, value)
        found = matrices(picture, 0.0)
        camera = found["p-камера"]
        for body in model.bodies:
            m, pose = found[f"p-тело_{body.number}"], true[body.number]
            at = 1e3 * pose[:2, 3] + camera[4:]
            assert m[4:] == pytest.approx(at, abs=2e-3) and m[:2] == pytest.approx(pose[:2, 0], abs=1e-6)
        for spring in scheme.springs:
            line = np.array(numbers_of(made[spring.id]["d"])).reshape(-1, 2)
            for (body, point), corner in zip(spring.ends, (line[0], line[-1]), strict=True):
                assert corner == pytest.approx(1e3 * true[body][:2, 3] + true[body][:2, :2] @ point, abs=1e-3)
            # As wide as in the static scheme, whatever its length.
            u = (line[-1] - line[0]) / np.linalg.norm(line[-1] - line[0])
            across = (line - line[0]) @ (-u[1], u[0])
            assert np.abs(across).max() == pytest.approx(0.6 * scheme.size, abs=1e-3)
        for label in scheme.labels:
            at = 1e3 * true[label.body][:2, 3] + true[label.body][:2, :2] @ label.at + label.shift
            assert numbers_of(made[f"p-надпись_{label.body}"]["transform"]) == pytest.approx(at, abs=1e-3)


def test_links_are_shown_while_they_hold() -> None:
    model = GALLERY["geneva"].model
    scheme = moving_scheme(model, None)
    (mark,) = scheme.marks
    script = "scheme/moving.ts"
    flat = [float(x) for pose in places(model, drawn_coordinates(model)).values() for x in pose[:3].ravel()]
    for structure in model.structures:
        made = call_module(script, FAKE, [scheme.description, flat, identifiers(scheme.svg), structure.name])
        assert made[mark.id]["visibility"] == ("visible" if "slot" in structure.holds else "hidden")


@pytest.mark.parametrize("name", SPATIAL)
def test_spatial_schemes_of_the_gallery(name: str) -> None:
    """Every point of a figure is projected; the window covers them; ids are unique."""
    model = GALLERY[name].model
    states = some_states(model, 2)
    for body in model.bodies:
        if body.joint.type.has_quaternion:
            for q in states:
                own = slice(body.first_q, body.first_q + 4)
                q[own] /= np.linalg.norm(q[own])
    scheme = moving_scheme(model, states)
    assert scheme.space is not None
    ids = identifiers(scheme.svg)
    assert len(set(ids)) == len(ids)
    left, top, wide, high = scheme.window
    picture = {e.get("id"): e for e in ElementTree.fromstring(scheme.svg).iter()}
    true = places(model, states[0])
    drawn = 0
    for number, figure in enumerate(scheme.space.figures, 1):
        found = np.array(numbers_of(picture[f"фигура_{number}"].get("d", "")))
        if figure.kind not in ("line", "area"):
            continue
        for (body, p), corner in zip(figure.points, found.reshape(-1, 2), strict=True):
            x, y, z = 1e3 * true[body][:3, 3] + true[body][:3, :3] @ p
            assert corner == pytest.approx((math.sqrt(3) / 2 * (y - x), (x + y) / 2 - z), abs=2e-3)
            if body:
                assert left < corner[0] < left + wide and top < corner[1] < top + high
                drawn += 1
    assert drawn
    json.dumps(scheme.description)


def test_figures_in_the_page() -> None:
    """The script of the page draws the same paths as the package, in another posture too."""
    model = GALLERY["puma560"].model
    states = some_states(model)
    scheme = moving_scheme(model, states)
    assert scheme.space is not None
    script = "scheme/moving.ts"
    for place in (0, 3):
        true = places(model, states[place])
        flat = [float(x) for number in range(len(true)) for x in true[number][:3].ravel()]
        task = "return given[0].figures.map((figure) => figurePath(figure, given[1]));"
        made = call_module(script, task, [scheme.description, flat])
        for figure, path in zip(scheme.space.figures, made, strict=True):
            if figure.kind == "end" and abs(figure.facing(scheme.space.poses)[place]) < 1e-9:
                continue  # seen edge-on, either end will do
            expected = numbers_of(figure.path(figure.corners(scheme.space.poses)[place].tolist(), 4))
            assert numbers_of(path) == pytest.approx(expected, abs=2e-4), figure.kind


def test_bad_prefixes_are_refused() -> None:
    for prefix in ('"', "a b", "<", "a;b"):
        with pytest.raises(SistelError, match="id"):
            moving_scheme(GALLERY["pendulum"].model, prefix=prefix)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_what_stands_still_is_a_moving_picture_too(space: str, tmp_path: Path) -> None:
    run = sistel.parse(f'<system name="s" space="{space}"><body name="rod" mass="2"/></system>').simulate(0.2)
    for suffix in (".svg", ".html"):
        run.save(tmp_path / f"still{suffix}")
        assert "<svg" in (tmp_path / f"still{suffix}").read_text(encoding="utf-8")
