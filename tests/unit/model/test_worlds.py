"""Worlds of other files: their obstacles stand where the file is put, as if they were written there."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.model import live_model

BALL = (
    '<body name="ball" joint="free" mass="1" inertia="0.0004"><circle name="s" radius="50"/></body>'
    '<links><contact name="c" of="s" to="far slope" friction="none"/></links>'
    '<start ball="0.2 m + 0.05 m*sin(30 deg), 0.3 m - 0.05 m*cos(30 deg), 0"/>'
)
SLOPE = """<system>
  <parameter name="l" value="1 m"/>
  <world>
    <polyline name="slope" points="-l, 0; l, 0"/>
    <repeat count="2"><box name="b {i}" place="i*l, 0.2 m" size="100, 100"/></repeat>
  </world>
</system>"""
GIVEN = 'file="slope.xml" prefix="far " place="200,300" turn="30"><parameter name="l" value="3 m"/></include>'


def load(folder: Path, inside: str, **files: str) -> sistel.System:
    """A system with a ball, beside files of these names."""
    for name, text in {"slope": SLOPE, **files, "main": f"<system>{inside}</system>"}.items():
        (folder / f"{name}.xml").write_text(text, encoding="utf-8")
    return sistel.load(folder / "main.xml")


@pytest.mark.parametrize(
    "world",
    [
        f"<world><include {GIVEN}</world>",
        f"<include {GIVEN}",
        f'<world><repeat count="1"><include {GIVEN}</repeat></world>',
        '<include file="middle.xml" prefix="far " place="200,300" turn="30"/>',
        '<world><include file="middle.xml" prefix="far " place="200,300" turn="30"/></world>',
    ],
    ids=["inside", "whole", "repeated", "whole file between", "file between"],
)
def test_obstacles_stand_as_if_written_there(tmp_path: Path, world: str) -> None:
    """Inside a world, with a whole file, by a repetition and through a file between."""
    between = '<include file="slope.xml"><parameter name="l" value="3 m"/></include>'
    made = load(tmp_path, world + BALL, middle=f"<system><world>{between}</world></system>")
    boxes = "".join(
        f'<box name="far b {i}" place="0.2 m + {3 * i} m*cos(30 deg) - 0.2 m*sin(30 deg), '
        f'0.3 m + {3 * i} m*sin(30 deg) + 0.2 m*cos(30 deg)" turn="30" size="100,100"/>'
        for i in (1, 2)
    )
    slope = '<polyline name="far slope" points="-3000, 0; 3000, 0" place="200,300" turn="30"/>'
    whole = sistel.parse(f"<system><world>{slope}{boxes}</world>{BALL}</system>").model
    assert made.diagnostics == ()
    for one, other in zip(made.model.shapes, whole.shapes, strict=True):
        assert (one.name, one.kind, one.body, one.obstacle) == (other.name, other.kind, other.body, other.obstacle)
        assert (one.sizes, one.corners, one.R_BS) == (other.sizes, other.corners, other.R_BS)
        assert np.allclose(one.p_BS, other.p_BS, rtol=0, atol=2e-15)  # of sines and products of matrices
    assert sistel.parse(made.to_xml()).model.shapes[0].p_BS == made.model.shapes[0].p_BS


def test_places_of_files_in_files_add_up(tmp_path: Path) -> None:
    middle = '<system><world><include file="slope.xml" prefix="in " place="0,100"/></world></system>'
    ball = BALL.replace("far slope", "out in b 1")
    made = load(
        tmp_path,
        f'<world><include file="middle.xml" prefix="out " place="50,0" turn="90"/></world>{ball}',
        middle=middle,
    )
    assert made.model.shapes[0].name == "out in slope"
    assert made.model.shapes[0].p_BS == pytest.approx((-0.05, 0.0, 0.0), abs=1e-16)


def test_a_ball_slides_down_a_slope_of_another_file(tmp_path: Path) -> None:
    """By g sin 30° t²/2; built again where the files are no longer there, with another length."""
    made = load(tmp_path, f"<world><include {GIVEN}</world>{BALL}")
    run = made.simulate(0.4)
    way = 9.81 * 0.5 * 0.4**2 / 2
    turn = math.radians(30)
    expected = (
        0.2 + 0.05 * math.sin(turn) + way * math.cos(turn),
        0.3 - 0.05 * math.cos(turn) + way * math.sin(turn),
        0.0,
    )
    assert np.allclose(run.q[-1], expected, rtol=0, atol=1e-14)
    for file in tmp_path.iterdir():
        file.unlink()
    assert made.with_parameters({"far l": 4.0}).model.shapes[0].corners == ((-4.0, 0.0), (4.0, 0.0))


def test_ground_with_an_equation_is_moved(tmp_path: Path) -> None:
    """As if the equation were written there, what is drawn of it too, with a place that follows a parameter; in space."""
    hill = '<system><world><profile name="hill" surface="y = -0.2*x*sin(x/(1 m))" shown="-800, 700"/></world></system>'
    start = '<start ball="0.4 m, -0.5 m, 0"/>'
    ball = BALL[: BALL.index("<links>")] + '<links><contact name="c" of="s" to="hill" friction="0.3"/></links>' + start
    given = '<parameter name="d" value="0 mm"/>'
    made = load(tmp_path, f'{given}<world><include file="hill.xml" place="d, 100"/></world>{ball}', hill=hill)
    written = sistel.parse(made.to_xml())
    assert written.to_xml() == made.to_xml() and written.model.shapes[0].shown == (-0.8, 0.7)
    for each, d in ((made, 0.0), (made.with_parameters(d=0.35), 0.35)):
        surface = f"y = 0.1 m - 0.2*(x - {d} m)*sin((x - {d} m)/(1 m))"
        alike = sistel.parse(f'<system><world><profile name="hill" surface="{surface}"/></world>{ball}</system>')
        assert np.allclose(each.simulate(0.6).q[-1], alike.simulate(0.6).q[-1], rtol=0, atol=1e-13)
        assert each.model.shapes[0].shown == pytest.approx((d - 0.8, d + 0.7), abs=1e-16)
    live = live_model(made.model, ["d"])
    assert live.names == ("d",) and not live.refused
    bowl = '<system space="spatial"><world><profile name="b" surface="z = 0.5/(1 m)*(x^2 + y^2)"/></world></system>'
    text = '<system space="spatial"><world><include file="bowl.xml" place="100, 200, 300"/></world>'
    (tmp_path / "bowl.xml").write_text(bowl, encoding="utf-8")
    (tmp_path / "high.xml").write_text(f'{text}<body joint="free" mass="1" inertia="1"/></system>', encoding="utf-8")
    (shape,) = sistel.load(tmp_path / "high.xml").model.shapes
    assert shape.shown == pytest.approx((-0.9, 1.1, -0.8, 1.2), abs=1e-15)


@pytest.mark.parametrize(
    ("world", "scene", "code", "place"),
    [
        ('file="scene.xml"', "<world/>\n<body name='a' joint='free'/>", "not-of-the-world", "scene.xml:2:1"),
        ('file="scene.xml"', "<world/>\n <links/>", "not-of-the-world", "scene.xml:2:2"),
        ('file="scene.xml"', '<world/>\n\n<include file="slope.xml"/>', "not-of-the-world", "scene.xml:3:1"),
        ('file="scene.xml"', "<gravity value='1'/>", "not-of-the-world", "scene.xml:1:9"),
        ('file="scene.xml"', '<parameter name="l" value="1"/>', "no-world", "main.xml:1:16"),
        ('file="scene.xml"', '<world>\n<box size="-1, 1"/></world>', "negative", "scene.xml:2:12"),
        ('file="scene.xml"', '<world>\n<include file="main.xml"/></world>', "inclusion-cycle", "scene.xml:2:16"),
        ('file="scene.xml" turn="9"', '<world>\n<profile surface="y = x"/></world>', "bad-surface", "scene.xml:2:1"),
        ('file="scene.xml" base="ball"', "<world/>", "moving-world", "main.xml:1:48"),
        ('file="../scene.xml"', "", "file-outside", "main.xml:1:31"),
    ],
)
def test_mistakes_have_their_places(tmp_path: Path, world: str, scene: str, code: str, place: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "scene.xml").write_text("<system><world/></system>", encoding="utf-8")
    body = '<body name="ball" joint="free" mass="1" inertia="1"/>'
    with pytest.raises(sistel.SistelError) as caught:
        load(tmp_path / "in", f"<world><include {world}/></world>{body}", scene=f"<system>{scene}</system>")
    (found,) = caught.value.diagnostics
    assert found.code == code and found.span is not None
    assert f"{Path(found.span.source.path).name}:{found.span.line}:{found.span.column}" == place


def test_a_whole_file_with_a_world_is_not_carried_by_a_body(tmp_path: Path) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        load(tmp_path, f'<include file="slope.xml" prefix="far " base="ball"/>{BALL}')
    assert caught.value.diagnostics[0].code == "moving-world"
    with pytest.raises(sistel.SistelError, match="world alone"):
        sistel.load(tmp_path / "slope.xml")
