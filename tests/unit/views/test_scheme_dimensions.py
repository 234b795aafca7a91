"""Dimension lines of schemes: lengths against kinematics, room for every number, two processors, both languages."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Literal
from xml.etree import ElementTree

import numpy as np
import pytest
from support.kinematics import poses
from support.robots import gallery_files
from support.structures import gallery

import sistel
from sistel.look import colour
from sistel.markup import Document
from sistel.model import Model, to_document
from sistel.views.schemes import draw_scheme, stylesheet
from sistel.views.schemes._measures import circle, number_text
from sistel.views.schemes._paths import path_polylines
from sistel.views.schemes._posture import drawn_coordinates

SVG = "{http://www.w3.org/2000/svg}"
GALLERY = {path.stem: gallery(path.stem) for path in gallery_files()}
PLANAR = [name for name, system in GALLERY.items() if system.planar]
SPATIAL = [name for name, system in GALLERY.items() if not system.planar]
FIGURE = 0.636
"""Width of a figure of DejaVu Sans in sizes of the font; its letters are less wide on average."""

Point = tuple[float, float]
Names = Literal["numbers", "names"]


@cache
def picture(name: str, labels: Names) -> ElementTree.Element:
    return ElementTree.fromstring(GALLERY[name].scheme(labels=labels, dimensions=True))


def dimensions(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "dimension"]


def written(root: ElementTree.Element) -> list[str]:
    return [group.findtext(f"{SVG}text", "") for group in dimensions(root)]


def axes(group: ElementTree.Element) -> tuple[float, float, float]:
    """Origin [mm] and angle [deg] of a dimension."""
    found = re.fullmatch(r"translate\(([^,]+),([^)]+)\)(?: rotate\(([^)]+)\))?", group.get("transform", ""))
    assert found is not None
    return float(found[1]), float(found[2]), float(found[3] or 0.0)


def out(group: ElementTree.Element, p: Point) -> Point:
    x, y, degrees = axes(group)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return (x + c * p[0] - s * p[1], y + s * p[0] + c * p[1])


def number_box(text: ElementTree.Element) -> list[Point]:
    """Corners of a text in its own axes."""
    x, y, size = (float(text.get(key, "")) for key in ("x", "y", "font-size"))
    width = FIGURE * size * len(text.text or "")
    left = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor", "")]
    return [(left, y - 0.73 * size), (left + width, y - 0.73 * size), (left + width, y), (left, y)]


def apart(one: list[Point], other: list[Point]) -> bool:
    """Whether a line separates two convex polygons: one along a side of either."""
    for polygon in (one, other):
        for a, b in pairwise([*polygon, polygon[0]]):
            n = (a[1] - b[1], b[0] - a[0])
            first, second = ([n[0] * p[0] + n[1] * p[1] for p in corners] for corners in (one, other))
            if max(first) <= min(second) or max(second) <= min(first):
                return True
    return False


def lines(group: ElementTree.Element) -> list[tuple[Point, Point]]:
    """The dimension line and the extension lines, in the axes of the picture."""
    thin = group.findall(f"{SVG}path")[0]
    found = [(line[0], line[-1]) for line in path_polylines(thin.get("d", ""))]
    return [(out(group, a), out(group, b)) for a, b in found]


@pytest.mark.parametrize("labels", ["numbers", "names"])
@pytest.mark.parametrize("name", GALLERY)
def test_numbers_have_room(name: str, labels: Names) -> None:
    root = picture(name, labels)
    left, top, width, height = (float(word) for word in root.get("viewBox", "").split())
    groups = dimensions(root)
    own = {group.find(f"{SVG}text") for group in groups}
    texts = [[out(group, p) for text in group.iter(f"{SVG}text") for p in number_box(text)] for group in groups]
    texts += [number_box(text) for text in root.iter(f"{SVG}text") if text not in own]
    for one, other in combinations(texts, 2):
        assert apart(one, other)
    drawn = [line for group in groups for line in lines(group)]
    for a, b in drawn:
        for text in texts:
            assert apart(text, [a, b, a])
    inside = texts[: len(groups)]
    for x, y in [p for text in inside for p in text] + [p for line in drawn for p in line]:
        assert left <= x <= left + width and top <= y <= top + height
    assert len(groups) <= 12
    for group in groups:
        assert -90 <= axes(group)[2] < 90, "a number is upside down"
    # No length is there twice in one direction, nor three times at all where it is a link's.
    for one, other in combinations(groups, 2):
        if one.findtext(f"{SVG}text") == other.findtext(f"{SVG}text"):
            assert abs(math.sin(math.radians(axes(one)[2] - axes(other)[2]))) > math.sin(math.radians(0.5))


def test_most_of_the_gallery_is_measured() -> None:
    counts = {name: len(dimensions(picture(name, "numbers"))) for name in GALLERY}
    # Bodies without joints, points or wheels have nothing to measure; a belt leaves no room for its height.
    bare = {name for name, count in counts.items() if not count}
    assert {"block_ramp", "gyroscope", "paper_listing1"} <= bare
    assert len(bare) < 0.2 * len(counts)
    assert sum(counts.values()) > 2 * len(counts)


def kinematics(system: sistel.System) -> dict[int, np.ndarray]:
    """World poses at the coordinates that are drawn, by other code than the package's; 0 is the ground."""
    q = drawn_coordinates(system.model)
    own = {body.name: q[body.first_q : body.first_q + body.joint.type.nq] for body in system.bodies}
    found = poses(Document(to_document(system.model), system.source, "en"), own)
    return {0: np.eye(4)} | {body.number: found[body.name] for body in system.bodies}


def points_of(model: Model, number: int, world: dict[int, np.ndarray]) -> list[np.ndarray]:
    """Where something sits on a body, in the ground's frame [mm]."""
    local = [(0.0, 0.0, 0.0)] if number else []
    local += [body.p_PB for body in model.bodies if body.base == number]
    local += [
        side.p_BS
        for link in (*model.closures, *model.springs)
        for side in (link.first, link.second)
        if side.body == number
    ]
    local += [point.p_BP for point in model.points if point.body == number]
    local += [contact.p_BP for contact in model.contacts if contact.body == number]
    local += [frame.p_BF for frame in model.frames if frame.body == number]
    found = [1e3 * (world[number] @ np.array([*p, 1.0]))[:3] for p in local]
    sliding = [b.number for b in model.bodies if b.base == number and b.joint.type.key == "prismatic"]
    return found + [1e3 * world[child][:3, 3] for child in sliding]


def precision(text: str) -> float:
    """Half of the last digit that may be written [mm]."""
    return 0.05 if float(text) >= 100 else 0.005


def declared_radii(model: Model) -> Iterator[float]:
    for shape in model.shapes:
        if shape.kind == "shape":
            # Arcs of circles: a r,r …
            for rx, ry in re.findall(r"[aA]\s*([0-9.]+)[\s,]+([0-9.]+)", shape.d):
                if rx == ry:
                    yield float(rx)
        elif shape.kind not in ("box", "polygon", "polyline", "profile"):
            yield 1e3 * shape.sizes[0]


@pytest.mark.parametrize("name", PLANAR)
def test_planar_lengths_are_those_of_the_model(name: str) -> None:
    """Both ends of every dimension are points of one body, and the number is their distance along the line."""
    system = GALLERY[name]
    world = kinematics(system)
    places = [points_of(system.model, number, world) for number in world]
    (found,) = [
        node
        for node in ElementTree.fromstring(system.to_xml(drawing=True)).iter("dimensions")
        if node.get("labels") == "numbers"
    ] or [ElementTree.Element("dimensions")]
    groups = dimensions(picture(name, "numbers"))
    assert len(found) == len(groups)
    for node, group in zip(found, groups, strict=True):
        text = group.findtext(f"{SVG}text", "")
        if node.get("kind") == "radius":
            assert any(
                abs(float(text.removeprefix("R")) - r) <= precision(text[1:]) for r in declared_radii(system.model)
            )
            continue
        length, rise = float(node.get("length", "")), float(node.get("rise", "0"))
        ends = [np.array(out(group, p)) for p in ((0.0, 0.0), (length, rise))]
        angle = math.radians(axes(group)[2])
        along = np.array([math.cos(angle), math.sin(angle)])
        values = [
            abs(float((b - a)[:2] @ along))
            for points in places
            for a in points
            for b in points
            # Places are written to 0.001 mm, angles to 0.0001°.
            if np.hypot(*(a[:2] - ends[0])) < 0.02 and np.hypot(*(b[:2] - ends[1])) < 0.02
        ]
        assert values, f"{text} measures nothing of one body"
        assert all(abs(value - float(text)) <= precision(text) + 2e-3 for value in values)


@pytest.mark.parametrize("name", SPATIAL)
def test_spatial_lengths_are_those_of_the_model(name: str) -> None:
    system = GALLERY[name]
    world = kinematics(system)
    for group in dimensions(picture(name, "numbers")):
        text = group.findtext(f"{SVG}text", "")
        first, second = (line[0] for line in path_polylines(group.findall(f"{SVG}path")[0].get("d", ""))[1:])
        ends = [out(group, (first[0], 0.0)), out(group, (second[0], 0.0))]
        values = []
        for number in list(world)[1:]:
            pole = 1e3 * world[number][:3, 3]
            for end in points_of(system.model, number, world):
                seen = [((y - x) * math.cos(math.pi / 6), (x + y) / 2 - z) for x, y, z in (pole, end)]
                # Places are written to 0.001 mm, angles to 0.0001°.
                if any(math.dist(a, seen[0]) < 0.02 and math.dist(b, seen[1]) < 0.02 for a, b in (ends, ends[::-1])):
                    values.append(float(np.linalg.norm(end - pole)))
        assert any(abs(value - float(text)) <= precision(text) + 1e-9 for value in values)


@pytest.mark.skipif(shutil.which("xsltproc") is None, reason="xsltproc is not installed")
@pytest.mark.parametrize("name", PLANAR)
def test_xsltproc_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    sheet, file = tmp_path / "scheme.xsl", tmp_path / "canonical.xml"
    sheet.write_text(stylesheet(), encoding="utf-8")
    # Languages take turns with labels and themes; without dimensions, all of the gallery is drawn elsewhere.
    turns: list[tuple[Literal["en", "ru"], Names, Literal["light", "dark"]]] = [
        ("en", "numbers", "light"),
        ("ru", "names", "dark"),
    ]
    lang, labels, theme = turns[PLANAR.index(name) % 2]
    file.write_text(GALLERY[name].to_xml(lang, drawing=True), encoding="utf-8")
    given = {"labels": labels, "theme": theme, "dimensions": "yes"}
    options = [part for key, value in given.items() for part in ("--stringparam", key, value)]
    done = subprocess.run(["xsltproc", *options, str(sheet), str(file)], capture_output=True, check=True)
    assert done.stdout == GALLERY[name].scheme(labels=labels, theme=theme, dimensions=True).encode()


@pytest.mark.parametrize("name", PLANAR)
def test_nothing_else_changes(name: str) -> None:
    """With the dimensions taken out, the picture is the plain one but for its window and colours; ids stay unique."""
    root, plain = deepcopy(picture(name, "numbers")), ElementTree.fromstring(GALLERY[name].scheme())
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for group in dimensions(root):
        root.remove(group)
    for tag in ("g", "path", "text", "marker", "circle"):
        one, other = (
            [(sorted(element.items()), element.text) for element in found.iter(f"{SVG}{tag}")]
            for found in (root, plain)
        )
        assert one == other


def test_four_bar() -> None:
    assert sorted(written(picture("four_bar", "numbers"))) == ["200", "350", "400", "450"]
    assert "R60" in written(picture("compass_walker", "numbers"))
    assert written(picture("double_pendulum", "numbers")) == ["1000"]
    assert "dimension" not in GALLERY["four_bar"].scheme()
    assert "dimension" not in GALLERY["puma560"].scheme()


def test_another_posture_and_paper() -> None:
    system = GALLERY["four_bar"]
    turned = ElementTree.fromstring(system.scheme({"crank": -1.5}, dimensions=True, medium="print", theme="dark"))
    assert sorted(written(turned)) == ["200", "350", "400", "450"]
    assert turned.get("width", "").endswith("mm")
    style = turned.findtext(f"{SVG}defs/{SVG}style", "")
    assert "@media" not in style and f".dimension text{{fill:{colour('dim', dark=True)}}}" in style
    assert system.scheme(dimensions=True) == draw_scheme(system.model, dimensions=True)


def test_a_window_by_hand_is_enlarged() -> None:
    text = """<system><body name="arm" joint="revolute"><point name="tip" place="300,0"/></body>
    <drawing frame="-20, -20, 340, 40" size="10"/></system>"""
    system = sistel.parse(text)
    root = ElementTree.fromstring(system.scheme(dimensions=True))
    assert ElementTree.fromstring(system.scheme()).get("viewBox") == "-20 -20 340 40"
    left, top, width, height = (float(word) for word in root.get("viewBox", "").split())
    (group,) = dimensions(root)
    assert group.findtext(f"{SVG}text") == "300"
    for a, b in lines(group):
        assert all(left < x < left + width and top < y < top + height for x, y in (a, b))
    # What a file says about its dimensions is found anew, and is no part of the system.
    wrong = text.replace(
        "/></system>", '><dimensions frame="0,0,1,1"><dimension length="7"/></dimensions></drawing></system>'
    )
    again = sistel.parse(wrong)
    assert again.fingerprint == system.fingerprint
    assert again.scheme(dimensions=True) == system.scheme(dimensions=True)


def test_short_lengths_have_their_number_beside_them() -> None:
    system = sistel.parse(
        '<system><body joint="revolute"><point name="a" place="30,0"/><point name="b" place="600,0"/></body></system>'
    )
    short = next(
        g
        for g in dimensions(ElementTree.fromstring(system.scheme(dimensions=True)))
        if g.findtext(f"{SVG}text") == "30"
    )
    x = float(short.find(f"{SVG}text").get("x", ""))  # type: ignore[union-attr]
    assert x < 0 or x > 30


def test_an_offset_slider() -> None:
    """A rail is measured across: from the hinge to the line on which the carriage runs."""
    system = sistel.parse(
        '<system><body name="crank" joint="revolute" place="0,0"><point name="pin" place="0,-100"/></body>'
        '<body name="slider" joint="prismatic" axis="x" place="250,40"/></system>'
    )
    assert sorted(written(ElementTree.fromstring(system.scheme(dimensions=True)))) == ["100", "40"]


def test_a_long_chain_is_quick_and_not_crowded() -> None:
    body = '<body name="b{0}" base="b{1}" joint="revolute" place="0,{2}"/>'
    chain = '<body name="b1" joint="revolute"/>' + "".join(body.format(i + 1, i, 10 + i / 7) for i in range(1, 120))
    root = ElementTree.fromstring(sistel.parse(f"<system>{chain}</system>").scheme(dimensions=True, labels="none"))
    assert len(dimensions(root)) <= 12


def test_circles() -> None:
    (line,) = path_polylines("m-60,5a60,60,0,1,0,120,0a60,60,0,1,0,-120,0z")
    centre, r = circle(line) or ((0.0, 0.0), 0.0)
    assert (*centre, r) == pytest.approx((0.0, 5.0, 60.0), abs=1e-9)
    for other in ("m-60,0a60,60,0,1,0,120,0z", "m-60,0a60,40,0,1,0,120,0a60,40,0,1,0,-120,0z", "m0,0h10v10h-10z"):
        assert all(circle(line) is None for line in path_polylines(other))


def test_numbers() -> None:
    assert [number_text(x) for x in (1000.0, 333.333, 99.999, 26.907, 7.0, 0.25)] == [
        "1000",
        "333.3",
        "100",
        "26.91",
        "7",
        "0.25",
    ]


@pytest.mark.parametrize("hostile", ["<script>alert(1)</script>", "]]>", "\"' onload='x", "x" * 10_000])
@pytest.mark.parametrize("spatial", [False, True], ids=["planar", "spatial"])
def test_hostile_names_stay_text(hostile: str, spatial: bool) -> None:
    from xml.sax.saxutils import quoteattr

    space, z = ("spatial", ",0") if spatial else ("planar", "")
    system = sistel.parse(
        f'<system space="{space}" name={quoteattr(hostile)}><body name="a]] &amp; c" joint="revolute">'
        f'<point name="p" place="0,100{z}"/></body></system>'
    )
    root = ElementTree.fromstring(system.scheme(labels="names", dimensions=True))
    known = {"svg", "title", "defs", "style", "marker", "path", "circle", "rect", "g", "text"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    assert written(root) == ["100"]
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on")]
