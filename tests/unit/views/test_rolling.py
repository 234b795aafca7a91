"""Round shapes in pictures: what is drawn of them, where, and how it tells their turn."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import sistel
from sistel.views._touched import touched
from sistel.views.animation._places import event_spots
from sistel.views.schemes._axonometry import LONG, project
from sistel.views.schemes._moving_space import SpaceScheme

MODELS = Path(__file__).resolve().parents[3] / "models"
BALL = """<system><body name="b" joint="free" mass="1" inertia="0.004">{shape}</body>
  <links><contact name="floor" of="skin" surface="y = 0" friction="0.5" restitution="0.5"/></links>
  <start b="0, -300, 0" b.rate="1 m/s, 0, 90 deg/s"/></system>"""
SPHERE = """<system space="spatial"><body name="b" joint="free" mass="1" inertia="0.004">
  <sphere name="skin" place="10, 20, 30" radius="100"/></body>
  <links><contact name="floor" of="skin" surface="z = 0" friction="0.5"/></links><start b.z="500"/></system>"""


def paths(svg: str) -> list[Any]:
    return [part for part in ElementTree.fromstring(svg).iter() if part.tag.endswith("}path")]


@pytest.mark.parametrize(
    "shape", ['<circle name="skin" radius="100"/>', '<sphere name="skin" radius="100"/>', '<circle name="skin" place="0, 0" turn="90" radius="100"/>']
)  # fmt: skip
def test_a_circle_has_a_radius_that_tells_its_turn(shape: str) -> None:
    svg = str(sistel.parse(BALL.format(shape=shape)).scheme())
    (circle,) = (part for part in paths(svg) if "a100,100" in (part.get("d") or ""))
    assert circle.get("d").endswith("zm100,0h100")
    assert ("rotate(90)" in (circle.get("transform") or "")) == ("turn" in shape)


def test_a_ball_without_a_name_is_drawn_as_before() -> None:
    svg = str(sistel.parse('<system><body joint="free" mass="1"><sphere radius="100"/></body></system>').scheme())
    (circle,) = (part for part in paths(svg) if "a100,100" in (part.get("d") or ""))
    assert circle.get("d").endswith("z")


def test_wheels_of_spatial_schemes_are_where_they_are() -> None:
    """The rim of the disk passes the projections of points of its circle."""
    system = sistel.load(MODELS / "rolling_disk.xml")
    lines = [part.get("d") for part in paths(str(system.scheme())) if part.get("class") == "link"]
    assert len(lines) == 7  # a rim and six spokes
    rim = max(lines, key=len)
    x, y = map(float, re.match(r"m(-?[\d.]+),(-?[\d.]+)", rim).groups())  # type: ignore[union-attr]
    # The axis is y; the circle begins at z × y of its own axes, which is some point 300 mm from the centre.
    pose = system.model.start.q
    centre = 1e3 * np.array(pose[4:7])
    reach = math.dist((x, y), project(centre))
    assert 300 * math.sqrt(0.5) - 1 < reach < 300 * LONG + 1


def test_moving_wheels_turn_with_their_bodies() -> None:
    system = sistel.load(MODELS / "bicycle.xml")
    run = system.simulate(0.5)
    scheme = SpaceScheme(system.model, np.array(run.q), "none")
    rims = [figure for figure in scheme.figures if figure.kind == "line" and len(figure.points) > 40]
    assert sorted(figure.points[0][0] for figure in rims) == [2, 4]
    marks = [
        f
        for f in scheme.figures
        if f.kind == "line" and len(f.points) == 2 and f.points[0][0] == 2 and f.width > 0.3 * scheme.size
    ]
    (mark,) = marks
    ends = mark.corners(scheme.poses)
    assert np.ptp(ends[:, 2] - ends[:, 0]) > 100  # [mm]: it goes round


def test_balls_that_touch_are_seen_in_schemes_and_scenes() -> None:
    system = sistel.parse(SPHERE)
    svg = str(system.scheme())
    assert f'r="{LONG * 100:.4g}"' in svg
    plain = SPHERE.replace('name="skin" ', "").replace("<links>", "<!--").replace("</links>", "-->")
    assert f'r="{LONG * 100:.4g}"' not in str(sistel.parse(plain).scheme())


@pytest.mark.parametrize(("name", "spokes"), [("rolling_disk", 6), ("bicycle", 2 * 6), ("ball_slips_and_rolls", 0)])
def test_scenes_have_rims_and_marks(name: str, spokes: int, tmp_path: Path) -> None:
    from sistel.views.x3d import draw_scene
    from sistel.views.x3d._figures import MARK
    from sistel.views.x3d._primitives import looks

    text = str(draw_scene(sistel.load(MODELS / f"{name}.xml").model))
    wheels = {"rolling_disk": 1, "bicycle": 2, "ball_slips_and_rolls": 1}[name]
    mark = looks(MARK).children[0].fields["diffuseColor"]
    assert text.count(f'"{mark}"') == wheels, "one mark a wheel"
    assert text.count("<Cylinder") >= spokes
    if spokes:
        # A rim is one closed surface: as many rings as it has corners, and the first again.
        rims = re.findall(r'<Extrusion [^>]*spine="([^"]*)"[^>]*beginCap="false"', text)
        assert len(rims) == wheels
        assert all(rim.split(", ")[0] == rim.split(", ")[-1] and len(rim.split(", ")) > 40 for rim in rims)


def test_events_flash_where_the_shape_touches() -> None:
    run = sistel.parse(BALL.format(shape='<circle name="skin" radius="100"/>')).simulate(0.3)
    event = run.events[0]
    (contact,) = run.model.contacts
    x, y, _ = touched(run, contact, event.time)
    angle = run(event.time)[0][2]
    # Straight below the centre, in the axes of the turned body.
    assert (x, y) == pytest.approx((0.1 * math.sin(angle), 0.1 * math.cos(angle)), abs=1e-14)
    assert event_spots(run, event)[0] == (1, pytest.approx((1e3 * x, 1e3 * y, 0.0), abs=1e-11))


def test_show_tells_both_kinds_of_freedoms(capsys: pytest.CaptureFixture[str]) -> None:
    from sistel.cli import main

    for lang, told in (
        ("en", "degrees of freedom 3 in velocities, 7 in positions"),
        ("ru", "степеней свободы 3 по скоростям, 7 по положениям"),
    ):
        assert main(["show", str(MODELS / "bicycle.xml"), "--lang", lang]) == 0
        shown = " ".join(capsys.readouterr().out.split())
        assert told in shown and ("ideally" if lang == "en" else "идеально") in shown
