"""Kinematic schemes: the papers' listings, places against kinematics, windows, labels, two processors, hostile names."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.kinematics import poses
from support.robots import gallery_files
from support.structures import gallery

import sistel
from sistel.errors import SistelError
from sistel.look import colour
from sistel.markup import Document, write_document
from sistel.model import to_document
from sistel.views.schemes import coordinates_at, draw_scheme, drawn_document, stylesheet
from sistel.views.schemes._paths import path_polylines
from sistel.views.schemes._posture import drawn_coordinates
from sistel.views.schemes._render import transform

MODELS = Path(__file__).resolve().parents[3] / "models"
SVG = "{http://www.w3.org/2000/svg}"
GALLERY = {path.stem: gallery(path.stem) for path in gallery_files()}
PLANAR = [name for name, system in GALLERY.items() if system.planar]
SPATIAL = [name for name, system in GALLERY.items() if not system.planar]

Affine = tuple[float, float, float]
"""x, y [mm] and angle [rad] of a group in the picture."""


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def bare(name: str) -> sistel.System:
    """A system of the gallery without the shapes that its file declares."""
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    return sistel.parse(re.sub(r"<(форма|shape)\b[^>]*/>", "", text), str(MODELS / f"{name}.xml"))


def moved(at: Affine, text: str) -> Affine:
    """A frame inside another one, by the commands of a transform."""
    x, y, angle = at
    for command, numbers in re.findall(r"(\w+)\(([^)]*)\)", text):
        values = [float(word) for word in numbers.split(",")]
        if command == "translate":
            c, s = math.cos(angle), math.sin(angle)
            x, y = x + c * values[0] - s * values[1], y + s * values[0] + c * values[1]
        else:
            assert command == "rotate"
            angle += math.radians(values[0])
    return (x, y, angle)


def frames(picture: ElementTree.Element) -> dict[int, Affine]:
    """Where the groups of bodies are, by number."""
    found: dict[int, Affine] = {}

    def walk(element: ElementTree.Element, at: Affine) -> None:
        for child in element.findall(f"{SVG}g"):
            inside = moved(at, child.get("transform", ""))
            found[int(child.get("id", "").removeprefix("тело_"))] = inside
            walk(child, inside)

    walk(picture, (0.0, 0.0, 0.0))
    return found


def kinematics(system: sistel.System) -> dict[str, np.ndarray]:
    """World poses of the bodies at the coordinates that are drawn, by other code than the package's."""
    q = drawn_coordinates(system.model)
    own = {body.name: q[body.first_q : body.first_q + body.joint.type.nq] for body in system.bodies}
    return poses(Document(to_document(system.model), system.source, "en"), own)


def out(at: Affine, p: tuple[float, float]) -> tuple[float, float]:
    x, y, angle = at
    return (
        x + math.cos(angle) * p[0] - math.sin(angle) * p[1],
        y + math.sin(angle) * p[0] + math.cos(angle) * p[1],
    )


Outline = tuple[str, tuple[str, ...], tuple[str, ...], tuple["Outline", ...]]


def outline(group: ElementTree.Element) -> Outline:
    """Name, commands, marks of the paths, and inner groups; a translation by nothing is none."""
    commands = re.sub(r"translate\(0,0\) ?", "", group.get("transform", ""))
    marks = tuple(path.get("marker-start", "")[5:-1] for path in group.findall(f"{SVG}path"))
    inner = tuple(outline(child) for child in group.findall(f"{SVG}g"))
    return (group.get("id", ""), tuple(re.findall(r"(\w+)\(", commands)), marks, inner)


def test_listing_3() -> None:
    """The pendulum of the papers; its pole has КПТ "0,0", so the groups of Listing 3 lose their translations."""
    picture = tree(GALLERY["paper_listing1"].scheme())
    (ground,) = picture.findall(f"{SVG}g")
    pendulum: Outline = ("тело_2", ("rotate",), ("шарнир",), ())
    assert outline(ground) == ("тело_0", (), ("земля",), (("тело_1", (), ("каретка",), (pendulum,)),))
    (link,) = [p for p in picture.iter(f"{SVG}path") if p.get("class") == "link"]
    assert link.get("d") == "m0,0v500"


def test_listing_4() -> None:
    """The walker of the papers in flight, angles included, from Listing 2 and the coordinates of Listing 4."""
    turns = {"1.angle": 20, "2": -40, "3": 80, "5": -60, "6": 40}
    state = {name: math.radians(angle) for name, angle in turns.items()} | {"1.x": 0.5, "1.y": -0.02}
    picture = tree(GALLERY["paper_listing2"].scheme(state))
    (ground,) = picture.findall(f"{SVG}g")

    def leg(first: int) -> Outline:
        foot: Outline = (f"тело_{first + 2}", ("translate", "rotate"), ("шарнир",), ())
        shank: Outline = (f"тело_{first + 1}", ("translate", "rotate"), ("шарнир",), (foot,))
        return (f"тело_{first}", ("rotate",), ("",), (shank,))

    trunk: Outline = ("тело_1", ("translate", "rotate"), ("шарнир",), (leg(2), leg(5)))
    assert outline(ground) == ("тело_0", (), ("земля",), (trunk,))
    transforms = {g.get("id"): g.get("transform") for g in picture.iter(f"{SVG}g")}
    assert transforms["тело_1"] == "translate(500,-1020) rotate(20)"
    assert transforms["тело_3"] == "translate(0,500) rotate(80)"
    assert transforms["тело_5"] == "translate(0,0) rotate(-60)"
    drawn = [p.get("d") for p in ground.iter(f"{SVG}path")][1:]
    foot = "m0,0l200,100h-300z"
    assert drawn == ["m0,0v500", "m0,0v500", foot, "m0,0v500", "m0,0v500", foot, "m0,0v-700"]


@pytest.mark.parametrize("name", PLANAR)
def test_bodies_are_where_kinematics_has_them(name: str) -> None:
    system = GALLERY[name]
    expected = kinematics(system)
    found = frames(tree(system.scheme()))
    assert sorted(found) == list(range(len(system.bodies) + 1))
    for body in system.bodies:
        pose = expected[body.name]
        x, y, angle = found[body.number]
        # Places are written to 0.001 mm and angles to 0.0001°, and add up along a chain of at most ten bodies.
        assert math.dist((x, y), 1e3 * pose[:2, 3]) < 0.03
        assert abs(math.remainder(angle - math.atan2(pose[1, 0], pose[0, 0]), 2 * math.pi)) < 1e-5


@pytest.mark.parametrize("name", [name for name in PLANAR if GALLERY[name].model.closures])
def test_loops_are_closed(name: str) -> None:
    model = GALLERY[name].model
    found = frames(tree(GALLERY[name].scheme()))
    for closure in model.closures:
        if closure.name in model.structure().holds and closure.type.key == "revolute":
            ends = [
                out(found[side.body], (1e3 * side.p_BS[0], 1e3 * side.p_BS[1]))
                for side in (closure.first, closure.second)
            ]
            # Rounding of the places and angles along both sides.
            assert math.dist(*ends) < 0.03


def letters(text: ElementTree.Element) -> tuple[float, float, float, float]:
    """The box of a label, for a font whose letters are 0.6 of its size wide."""
    x, y, size = (float(text.get(key, "")) for key in ("x", "y", "font-size"))
    width = 0.6 * size * len(text.text or "")
    left = {"start": x, "middle": x - width / 2, "end": x - width}[text.get("text-anchor", "")]
    return (left, y - 0.75 * size, left + width, y)


@pytest.mark.parametrize("labels", ["numbers", "names"])
@pytest.mark.parametrize("shapes", [True, False], ids=["shapes", "bare"])
@pytest.mark.parametrize("name", PLANAR)
def test_nothing_is_cut_off_or_covered(name: str, shapes: bool, labels: str) -> None:
    system = GALLERY[name] if shapes else bare(name)
    picture = tree(system.scheme(labels=labels))  # type: ignore[arg-type]
    left, top, width, height = (float(word) for word in picture.get("viewBox", "").split())
    assert 0.5 < width / height < 2.0
    found = frames(picture)
    for group in picture.iter(f"{SVG}g"):
        number = int(group.get("id", "").removeprefix("тело_"))
        for path in group.findall(f"{SVG}path") if number else ():
            at = moved(found[number], path.get("transform", ""))
            for line in path_polylines(path.get("d", "")):
                for p in line:
                    x, y = out(at, p)
                    assert left <= x <= left + width and top <= y <= top + height, path.get("d")
    boxes = [letters(text) for text in picture.iter(f"{SVG}text")]
    assert len(boxes) == len(system.bodies)
    for a, b, c, d in boxes:
        assert left <= a and c <= left + width and top <= b and d <= top + height
    for one, other in combinations(boxes, 2):
        assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3])


@pytest.mark.parametrize("name", PLANAR)
def test_marks_are_defined_once_where_used(name: str) -> None:
    for system in (GALLERY[name], bare(name)):
        picture = tree(system.scheme(arrows=True, centres=True))
        ids = [marker.get("id") for marker in picture.iter(f"{SVG}marker")]
        used = {
            value[5:-1]
            for path in picture.iter(f"{SVG}path")
            for key, value in path.items()
            if key.startswith("marker")
        }
        assert len(ids) == len(set(ids))
        assert set(ids) == used
        assert all(marker.get("markerUnits") == "userSpaceOnUse" for marker in picture.iter(f"{SVG}marker"))
        assert len(list(picture.iter(f"{SVG}g"))) == len(system.bodies) + 1


@pytest.mark.skipif(shutil.which("xsltproc") is None, reason="xsltproc is not installed")
@pytest.mark.parametrize("name", PLANAR)
def test_xsltproc_gives_the_same_bytes(name: str, tmp_path: Path) -> None:
    sheet, file = tmp_path / "scheme.xsl", tmp_path / "canonical.xml"
    sheet.write_text(stylesheet(), encoding="utf-8")
    expected = GALLERY[name].scheme(labels="names", arrows=True, centres=True, theme="dark", medium="print").encode()
    words = {"labels": "names", "arrows": "yes", "centres": "yes", "theme": "dark", "medium": "print"}
    given = [part for key, value in words.items() for part in ("--stringparam", key, value)]
    for lang in ("en", "ru"):
        file.write_text(GALLERY[name].to_xml(lang, drawing=True), encoding="utf-8")  # type: ignore[arg-type]
        done = subprocess.run(["xsltproc", *given, str(sheet), str(file)], capture_output=True, check=True)
        assert done.stdout == expected


@pytest.mark.parametrize("name", PLANAR)
def test_drawings_are_read_back(name: str) -> None:
    system = GALLERY[name]
    for lang in ("en", "ru"):
        text = system.to_xml(lang, drawing=True)  # type: ignore[arg-type]
        again = sistel.parse(text)
        assert again.fingerprint == system.fingerprint
        assert again.to_xml(lang, drawing=True) == text  # type: ignore[arg-type]
        assert again.scheme() == system.scheme()


def test_text_without_a_drawing_is_drawn_at_zero() -> None:
    """As people write it; a drawing that is damaged is refused."""
    from lxml import etree

    text = GALLERY["four_bar"].to_xml()
    picture = tree(transform(text, {}))
    groups = {group.get("id"): group.get("transform") for group in picture.iter(f"{SVG}g")}
    assert groups["тело_2"] == "translate(0,-200) rotate(0)" and groups["тело_3"] == "translate(400,0) rotate(0)"
    with pytest.raises(etree.XSLTApplyError, match="canonical"):
        transform(text.replace("</system>", "<drawing/></system>"), {})


ARM = """<system><body name="upper" joint="revolute"><body name="lower" joint="revolute" place="300,0">
<point name="tip" place="200,0"/></body></body><start upper="10"/><posture name="up" upper="-90"/>@</system>"""


def test_a_drawing_by_hand() -> None:
    text = ARM.replace("@", '<drawing frame="-100, -200, 700, 400" size="30" lower="45"/>')
    picture = tree(sistel.parse(text).scheme())
    assert picture.get("viewBox") == "-100 -200 700 400"
    (marker,) = [m for m in picture.iter(f"{SVG}marker") if m.get("id") == "шарнир"]
    assert marker.get("markerWidth") == "60"
    assert [g.get("transform") for g in picture.iter(f"{SVG}g")][1:] == [
        "translate(0,0) rotate(10)",
        "translate(300,0) rotate(45)",
    ]
    russian = ARM.replace("@", '<рисунок рамка="-0.1 м, -20 см, 700, 400" размер="3 см" lower="45 град"/>')
    assert sistel.parse(russian).scheme() == sistel.parse(text).scheme()
    # Another posture needs more room than the window that the file gives.
    high = tree(sistel.parse(text).scheme("up")).get("viewBox", "").split()
    assert float(high[1]) < -490 and float(high[2]) >= 700
    assert sistel.parse(text).fingerprint == sistel.parse(ARM.replace("@", "")).fingerprint


@pytest.mark.parametrize(
    ("drawing", "code"),
    [
        ('<drawing frame="0, 0, 100"/>', "bad-frame"),
        ('<drawing frame="0, 0, 100, 0"/>', "bad-frame"),
        ('<drawing frame="0, 0, 100, 1 kg"/>', "wrong-dimension"),
        ("<drawing/><drawing/>", "two-drawings"),
        ('<drawing elbow="3"/>', "unknown-name"),
        ('<drawing size="-3"/>', None),
        ('<drawing><mark of="upper" kind="star"/></drawing>', "unknown-word"),
    ],
)
def test_wrong_drawings(drawing: str, code: str | None) -> None:
    with pytest.raises(SistelError) as caught:
        sistel.parse(ARM.replace("@", drawing))
    (problem,) = caught.value.diagnostics
    assert problem.span is not None
    assert code is None or problem.code == code


def test_states() -> None:
    system = sistel.parse(ARM.replace("@", ""))
    assert coordinates_at(system.model, "zero") == (0.0, 0.0)
    assert coordinates_at(system.model, "start") == (math.radians(10), 0.0)
    assert coordinates_at(system.model, "up") == (math.radians(-90), 0.0)
    assert coordinates_at(system.model, {"lower": 0.5}) == (math.radians(10), 0.5)
    assert system.scheme([0.0, 0.0]) == system.scheme("zero")
    bar = GALLERY["four_bar"]
    q = coordinates_at(bar.model, {"crank": 1.2})
    assert q[0] == 1.2
    assert np.abs(bar.constraint_errors(q)).max() < 1e-11
    for wrong in ("down", {"elbow": 1.0}, [1.0], [math.nan, 0.0]):
        with pytest.raises(SistelError):
            system.scheme(wrong)  # type: ignore[arg-type]


def test_options() -> None:
    system = GALLERY["walker"]
    assert "<text" not in system.scheme(labels="none")
    names = [text.text for text in tree(system.scheme(labels="names")).iter(f"{SVG}text")]
    assert names == [body.name for body in system.bodies]
    plain, marked = system.scheme(), system.scheme(arrows=True, centres=True)
    assert plain.count("url(#центр)") == plain.count("url(#поворот)") == 0
    assert marked.count("url(#центр)") == marked.count("url(#поворот)") == 7
    assert "@media" in plain
    assert "@media" not in system.scheme(theme="light") and colour("paper", dark=True) not in system.scheme(
        theme="light"
    )
    assert "@media" not in system.scheme(theme="dark") and colour("paper", dark=True) in system.scheme(theme="dark")
    paper = tree(system.scheme(medium="print"))
    sizes = [paper.get(key, "") for key in ("width", "height")]
    assert all(size.endswith("mm") for size in sizes)
    assert float(sizes[0][:-2]) <= 170 and float(sizes[1][:-2]) <= 220


def test_links_weigh_three_thin_lines() -> None:
    picture = tree(bare("four_bar").scheme())
    (ground,) = picture.findall(f"{SVG}g")
    (support,) = [m for m in picture.iter(f"{SVG}marker") if m.get("id") == "стойка"]
    tenth = float(support.get("markerWidth", "")) / 20
    thin = min(float(path.get("stroke-width", "")) for path in support.iter(f"{SVG}path"))
    assert float(ground.get("stroke-width", "")) == pytest.approx(
        3 * thin * tenth, abs=1e-3
    )  # four decimals are written


@pytest.mark.parametrize(
    "hostile",
    ["<script>alert(1)</script>", "]]>", "\"' onload='x", "&lt;b&gt;", "‮gnp.exe", "x" * 10_000],
    ids=["script", "cdata", "quotes", "entity", "right-to-left", "long"],
)
@pytest.mark.parametrize("spatial", [False, True], ids=["planar", "spatial"])
def test_hostile_names_stay_text(hostile: str, spatial: bool) -> None:
    from xml.sax.saxutils import quoteattr

    space = "spatial" if spatial else "planar"
    system = sistel.parse(
        f'<system space="{space}" name={quoteattr(hostile)}><body name="a]] b &amp; c" joint="revolute" mass="1" '
        f'com="0,100{",0" if spatial else ""}"/></system>'
    )
    picture = tree(system.scheme(labels="names"))
    known = {"svg", "title", "defs", "style", "marker", "path", "circle", "rect", "g", "text"}
    assert {element.tag.removeprefix(SVG) for element in picture.iter()} <= known
    assert picture.findtext(f"{SVG}title") == hostile
    assert [text.text for text in picture.iter(f"{SVG}text") if text.get("class") != "axis"] == ["a]] b & c"]
    assert not [key for element in picture.iter() for key in element.attrib if key.startswith("on")]


def test_long_names_are_cut() -> None:
    system = sistel.parse(f'<system><body name="{"b" * 200}" joint="revolute" mass="1" com="0,100"/></system>')
    picture = tree(system.scheme(labels="names"))
    assert [text.text for text in picture.iter(f"{SVG}text")] == ["b" * 24 + "…"]
    assert "b" * 200 in [title.text for title in picture.iter(f"{SVG}title")]


def test_a_chain_too_deep_to_be_nested() -> None:
    body = '<body name="b{0}" base="b{1}" joint="revolute" place="0,10"/>'
    chain = '<body name="b1" joint="revolute"/>' + "".join(body.format(i + 1, i) for i in range(1, 120))
    system = sistel.parse(f"<system>{chain}</system>")
    assert '<body number="2" name="b2" base="b1"' in system.to_xml(drawing=True)
    found = frames(tree(system.scheme()))
    assert found[120][:2] == pytest.approx((0.0, 1190.0), abs=1e-6)


def test_a_system_of_one_point() -> None:
    picture = tree(sistel.parse('<system><body joint="prismatic" axis="y"/></system>').scheme())
    _, _, width, height = (float(word) for word in picture.get("viewBox", "").split())
    assert 1.0 < width < 1e3 and 1.0 < height < 1e3


def test_solids_of_planar_bodies() -> None:
    system = sistel.parse(
        '<system><body joint="revolute"><box size="100, 60, 20" place="(1/3)*1 m, 0" turn="1 rad"/>'
        '<cylinder radius="25" length="5" colour="gold"/></body></system>'
    )
    picture = tree(system.scheme())
    box, circle = [p for p in picture.iter(f"{SVG}path") if p.get("class") == "link solid"]
    assert box.get("d") == "m-50,-30h100v60h-100z"
    assert box.get("transform") == "translate(333.3333,0)rotate(57.2958)"
    assert circle.get("d") == "m-25,0a25,25,0,1,1,50,0a25,25,0,1,1,-50,0z"
    assert circle.get("style", "").startswith("fill:")


def test_path_boxes() -> None:
    def box(d: str) -> tuple[float, float, float, float]:
        points = [p for line in path_polylines(d) for p in line]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return (min(xs), min(ys), max(xs), max(ys))

    assert box("m10,20h30v-5z") == (10, 15, 40, 20)
    assert box("M1 2 3 4l5 6") == (1, 2, 8, 10)
    # The whole circle, by two half turns with their flags run together.
    assert box("m-5,0a5,5 0 0110,0a5,5 0 01-10,0z") == pytest.approx((-5, -5, 5, 5), abs=1e-12)
    # A cubic with its top at t = 1/2: y = 3/4 of its control points'.
    assert box("m0,0c0,-4 8,-4 8,0") == pytest.approx((0, -3, 8, 0))
    assert box("m0,0q4,8 8,0t8,0") == pytest.approx((0, -4, 16, 4))
    for x, y in path_polylines("m3,0a5,5 0 1 0 0,8")[0]:
        assert math.hypot(x - 6, y - 4) == pytest.approx(5) or math.hypot(x, y - 4) == pytest.approx(5)


@pytest.mark.parametrize("name", SPATIAL)
def test_spatial_schemes(name: str) -> None:
    """Every joint of the picture lies where the projection of kinematics has it, inside the window."""
    system = GALLERY[name]
    picture = tree(system.scheme())
    left, top, width, height = (float(word) for word in picture.get("viewBox", "").split())
    ends = []
    for path in picture.iter(f"{SVG}path"):
        for line in path_polylines(path.get("d", "")):
            ends += [line[0], line[-1]] if path.get("class") == "link" else line
            assert all(left <= x <= left + width and top <= y <= top + height for x, y in line)
    expected = kinematics(system)
    for body in system.bodies:
        if body.joint.type.key != "free":
            x, y, z = 1e3 * expected[body.name][:3, 3]
            seen = ((y - x) * math.cos(math.pi / 6), (x + y) / 2 - z)
            # A link begins here, or a symbol lies around it.
            assert min(math.dist(seen, end) for end in ends) < 0.06 * max(width, height)
    texts = [text for text in picture.iter(f"{SVG}text") if text.get("class") != "axis"]
    assert [text.text for text in texts] == [str(body.number) for body in system.bodies]


def test_notebooks_show_schemes() -> None:
    system = GALLERY["four_bar"]
    assert system._repr_svg_() == system.scheme()._repr_svg_() == draw_scheme(system.model)
    assert write_document(drawn_document(system.model)) == system.to_xml(drawing=True)


@pytest.mark.parametrize("com", ["0, 0.00025", "0, 0.01", "0, 0.09", "0, 0.11", "1e-9, 0"])
def test_systems_of_hardly_any_size_are_drawn(com: str) -> None:
    """Drawings are written in whole micrometres: a hinge of none would be no drawing."""
    for space, more in (("planar", ""), ("spatial", ", 0")):
        body = f'<body joint="revolute" mass="2" com="{com}{more}" inertia="0.04"/>'
        system = sistel.parse(f'<system name="s" space="{space}">{body}</system>')
        assert "<svg" in str(system.scheme())
    small = sistel.parse('<system><body joint="revolute" mass="1" com="0, 1"/><drawing size="1e-6"/></system>')
    assert "<svg" in str(small.scheme())
