"""The picture of structures and transitions: well-formed, complete, and nothing lies on anything else."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sistel
from sistel.views import draw_structures
from sistel.views.graph._layout import Arrow, Item, lay_out

MODELS = Path(__file__).resolve().parents[3] / "models"
SVG = "{http://www.w3.org/2000/svg}"
BODY = '<body name="a" joint="free" mass="1" inertia="1"><point name="p"/></body>'

CHANGING = ["walker", "compass_walker", "wrench_nut", "gripper_load", "vending_pusher", "quadruped", "rimless_wheel"]


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def rectangles(picture: ElementTree.Element, *styles: str) -> list[tuple[float, float, float, float]]:
    return [
        (float(one.get("x", "")), float(one.get("y", "")), float(one.get("width", "")), float(one.get("height", "")))
        for one in picture.iter(f"{SVG}rect")
        if one.get("class", "").split()[0] in styles
    ]


def texts(picture: ElementTree.Element, style: str) -> list[str]:
    return ["".join(one.itertext()) for one in picture.iter(f"{SVG}text") if one.get("class") == style]


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", CHANGING)
def test_picture_of_a_model(name: str, lang: str) -> None:
    system = sistel.load(MODELS / f"{name}.xml")
    picture = tree(draw_structures(system.model, lang))
    arrows = sum(len(one.sources) for one in system.transitions)
    assert len(rectangles(picture, "box")) == len(system.structures)
    assert len(rectangles(picture, "label")) == arrows == sum(1 for _ in picture.iter(f"{SVG}path")) - 3
    assert " ".join(texts(picture, "name")) == " ".join(one.name for one in system.structures)
    initial = [one for one in picture.iter(f"{SVG}rect") if one.get("class") == "box initial"]
    assert len(initial) == 1
    # Conditions are whole, in the words of the language; the tooltip has them in one line.
    told = [one.text or "" for one in picture.iter(f"{SVG}title")]
    for row in sistel.views.summarize(system.model, lang).transitions:
        assert any(row.condition in text for text in told)
        assert re.sub(r"\s", "", row.condition) in re.sub(r"\s", "", "".join(texts(picture, "small")))
    word = "impact: plastic" if lang == "en" else "удар: пластический"
    plastic = sum(len(one.sources) for one in system.transitions if one.impact == "plastic")
    assert texts(picture, "impact").count(word) == plastic > 0


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def graph(count: int, arrows: list[tuple[int | None, int]]) -> str:
    structures = "".join(f'<structure name="structure {i}"/>' for i in range(count))
    transitions = "".join(
        f'<transition {"" if a is None else f"""from="structure {a}" """}to="structure {b}" '
        f'when="x(p) rises through {k} m and vx(p) &lt; {k} m/s"/>'
        for k, (a, b) in enumerate(arrows)
    )
    return f"<system>{BODY}<links>{structures}{transitions}</links></system>"


GRAPHS: dict[str, tuple[int, list[tuple[int | None, int]]]] = {
    "one": (1, []),
    "loops": (2, [(0, 0), (0, 0), (0, 1), (1, 1)]),
    "apart": (12, []),
    "chain": (12, [(i, i + 1) for i in range(11)]),
    "ring": (12, [(i, (i + 1) % 12) for i in range(12)]),
    "star": (12, [(0, i) for i in range(1, 12)] + [(i, 0) for i in range(1, 12)]),
    "all": (5, [(i, j) for i in range(5) for j in range(5)]),
    "any": (4, [(0, 1), (1, 2), (None, 3), (None, 0)]),
    "islands": (6, [(0, 1), (2, 3), (3, 2), (4, 4)]),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_nothing_lies_on_anything(name: str) -> None:
    count, arrows = GRAPHS[name]
    picture = tree(sistel.parse(graph(count, arrows)).structure_graph("en"))
    things = rectangles(picture, "box", "label", "any")
    assert len(things) == count + len(arrows) + sum(source is None for source, _ in arrows)
    assert not [pair for pair in combinations(things, 2) if overlap(*pair)]
    left, top, width, height = map(float, picture.get("viewBox", "").split())
    for x, y, w, h in things:
        assert left <= x and x + w <= left + width
        assert top <= y and y + h <= top + height
    # Twenty-five arrows between five boxes are the one case that does not fit a screen.
    assert width <= (3000 if name == "all" else 2000)


@pytest.mark.parametrize("name", GRAPHS)
def test_arrows_lead_from_box_to_box_and_cross_no_text(name: str) -> None:
    count, pairs = GRAPHS[name]
    boxes = [Item(200.0, 60.0) for _ in range(count)]
    arrows = [Arrow(a, b, Item(150.0, 40.0)) for a, b in pairs if a is not None]
    lay_out(boxes, arrows, 0)
    items = [*boxes, *(arrow.label for arrow in arrows)]
    for arrow in arrows:
        points = trace(arrow.path)
        for place, number in ((points[0], arrow.source), (points[-1], arrow.target)):
            box = boxes[number]
            assert abs(place[0] - box.x) <= box.width / 2
            # Numbers of paths have one digit after the point.
            assert min(abs(place[1] - box.top), abs(place[1] - box.bottom)) <= 0.051
        for x, y in points:
            inside = [one for one in items if abs(x - one.x) < one.width / 2 - 1 and one.top + 1 < y < one.bottom - 1]
            assert inside == []


def trace(path: str) -> list[tuple[float, float]]:
    """Points along a path of M, C and V, by Bernstein polynomials."""
    points: list[tuple[float, float]] = []
    for command, rest in re.findall(r"([MCV])([^MCV]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", rest)]
        if command == "V":
            x, y = points[-1]
            points += [(x, y + (numbers[0] - y) * k / 10) for k in range(1, 11)]
        elif command == "M":
            points.append((numbers[0], numbers[1]))
        else:
            corners = [points[-1], *zip(numbers[::2], numbers[1::2], strict=True)]
            for k in range(1, 21):
                t = k / 20
                weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
                points.append(
                    tuple(sum(w * c[i] for w, c in zip(weights, corners, strict=True)) for i in (0, 1))  # type: ignore[arg-type]
                )
    return points


def test_few_crossings() -> None:
    """Two chains given in opposite orders: the sweeps put each under its own head."""
    boxes = [Item(100.0, 40.0) for _ in range(5)]
    arrows = [Arrow(a, b, Item(80.0, 20.0)) for a, b in ((0, 1), (0, 2), (2, 3), (1, 4))]
    lay_out(boxes, arrows, 0)
    assert (boxes[1].x < boxes[2].x) == (boxes[4].x < boxes[3].x)


def test_names_are_text_and_not_markup() -> None:
    text = graph(2, [(0, 1)]).replace("structure 1", "d" * 80).replace("<system>", '<system name="a &lt;b> &amp; c">')
    picture = tree(sistel.parse(text).structure_graph("en"))
    assert picture.get("aria-label", "").endswith(": a <b> & c")
    # A word of any length is cut into lines that fit.
    long = texts(picture, "name")[1:]
    assert "".join(long) == "d" * 80 and len(long) > 3
    assert max(width for _, _, width, _ in rectangles(picture, "box")) < 260


def test_notebooks_show_the_picture_in_the_language_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    system = sistel.load(MODELS / "hopper.xml")
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    drawing = system.structure_graph()
    assert drawing._repr_svg_() == drawing and type(drawing._repr_svg_()) is str
    assert "зазор(ground)" in drawing and "падает через 0" in drawing
    assert "prefers-color-scheme:dark" in drawing


def test_a_system_without_structures_is_one_box() -> None:
    picture = tree(sistel.load(MODELS / "pendulum.xml").structure_graph("en"))
    assert texts(picture, "name") == ["pendulum"]
