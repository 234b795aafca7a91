"""Pictures follow parameters: at other lengths nothing comes apart, and what is drawn is what would be drawn anew."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError
from sistel.expr import Traced, evaluate
from sistel.model import Closure, LiveModel, Model, Shape, Spring, live_model
from sistel.system import System
from sistel.units import LENGTH
from sistel.views.page._geometry import geometry_of
from sistel.views.schemes import moving_scheme
from sistel.views.schemes._moving import MovingScheme
from sistel.views.schemes._paths import path_polylines
from sistel.views.viewer import scene_for_page

SVG = "{http://www.w3.org/2000/svg}"
GALLERY = Path(__file__).parents[3] / "models"
WIDE = 800
"""Pixels of a picture."""
NEAR = 0.1
"""How far apart joints may come [pixels]."""
UNMET = {"delta.xml": {("rod", 0.7)}, "slider_crank_spatial.xml": {("rod", 0.7)}}
"""Lengths with which a loop cannot be closed: the file refuses them."""

Lines = list[tuple[list[tuple[float, float]], bool]]


@cache
def followed(name: str) -> tuple[Model, LiveModel, tuple[str, ...]]:
    """A model of the gallery, the same with formulas, and its lengths that a page can change."""
    model = sistel.load(GALLERY / name).model
    live = live_model(model)
    lengths = tuple(each.name for each in model.parameters if each.dimension == LENGTH and each.name in live.names)
    return model, live, lengths


def system_of(text: str, folder: Path) -> System:
    path = folder / "system.xml"
    path.write_text(text, encoding="utf-8")
    return sistel.load(path)


def with_parameters() -> list[str]:
    """Models of the gallery with parameters; which of these are lengths is known when they are read."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in sorted(GALLERY.glob("*.xml"))}
    return [name for name, text in texts.items() if "parameter" in text or "параметр" in text]


@pytest.mark.parametrize("name", with_parameters())
def test_joints_stay_together(name: str) -> None:
    """What sits on a body as it is drawn sits on it at 30 % less and more of every length too."""
    model, _, lengths = followed(name)
    if lengths:
        (stays_in_the_plane if model.planar else stays_in_space)(name)


def others(name: str) -> Iterator[tuple[list[float], Model]]:
    """Values of all live parameters with one length by 30 % smaller or larger, and the model that the file makes of them."""
    _, live, lengths = followed(name)
    for length in lengths:
        for part in (0.7, 1.3):
            values = [
                value * (part if each == length else 1.0) for each, value in zip(live.names, live.values, strict=True)
            ]
            try:
                other = live.at(values)
            except SistelError:
                assert (length, part) in UNMET.get(name, set()), (length, part)
                continue
            yield values, other


# --- in the plane ----------------------------------------------------------------------------------------------------


def reshape(scheme: MovingScheme, values: Sequence[float]) -> None:
    """What `reshapeScheme` of web/src/scheme does: attributes with the numbers that they have for such parameters."""
    numbers = [part for piece in scheme.pieces for part in piece.parts if isinstance(part, Traced)]
    if not numbers:
        return
    program = numbers[0].node.graph.program({"x": [number.node for number in numbers]})
    found = iter(evaluate(program, list(values))[0])
    elements = {each.get("id"): each for each in scheme.parts.iter() if each.get("id")}
    for piece in scheme.pieces:
        parts = [next(found) if isinstance(part, Traced) else part for part in piece.parts]
        elements[piece.id].set(piece.attribute, "".join(x if isinstance(x, str) else f"{x:.4f}" for x in parts))


def groups(scheme: MovingScheme) -> dict[int, Any]:
    word = f"{scheme.prefix}тело_"
    found = [each for each in scheme.parts.iter(f"{SVG}g") if (each.get("id") or "").startswith(word)]
    return {int(str(each.get("id")).removeprefix(word)): each for each in found}


def matrix(text: str) -> tuple[float, ...]:
    a: tuple[float, ...] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    for word, inside in re.findall(r"(\w+)\(([^)]*)\)", text):
        v = [float(x) for x in re.split(r"[ ,]+", inside.strip())]
        c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
        b = {"translate": (1, 0, 0, 1, *v), "rotate": (c, s, -s, c, 0, 0)}.get(word, tuple(v))
        a = (
            *(a[i] * b[k] + a[i + 2] * b[k + 1] for k in (0, 2) for i in (0, 1)),
            *(a[i] * b[4] + a[i + 2] * b[5] + a[i + 4] for i in (0, 1)),
        )
    return a


def drawn(group: Any) -> Lines:
    """The lines of a body in its own axes [mm], and whether they enclose something."""
    made: Lines = []
    for each in group:
        kind = each.get("class") or ""
        if each.tag != f"{SVG}path" or kind in ("mark", "hatch"):
            continue
        a = matrix(each.get("transform") or "")
        for line in path_polylines(each.get("d")):
            points = [(a[0] * x + a[2] * y + a[4], a[1] * x + a[3] * y + a[5]) for x, y in line]
            made.append((points, "solid" in kind))
    return made


def distance(p: tuple[float, float], lines: Lines) -> float:
    """From a point to what is drawn [mm]; none inside."""
    best = math.inf
    for line, closed in lines:
        inside = False
        for (ax, ay), (bx, by) in pairwise(line):
            size = (bx - ax) ** 2 + (by - ay) ** 2
            share = ((p[0] - ax) * (bx - ax) + (p[1] - ay) * (by - ay)) / size if size else 0.0
            share = min(max(share, 0.0), 1.0)
            best = min(best, math.hypot(p[0] - ax - share * (bx - ax), p[1] - ay - share * (by - ay)))
            inside ^= (ay > p[1]) != (by > p[1]) and p[0] < (bx - ax) * (p[1] - ay) / (by - ay) + ax
        best = 0.0 if closed and inside else best
    return best


def joined(model: Model, number: int) -> list[tuple[float, ...]]:
    """Where other things sit on a body, its pole first [m]."""
    found: list[Sequence[float]] = [(0.0, 0.0, 0.0)] if number else []
    found += [
        body.p_PB
        for body in model.bodies
        if body.base == number
        and body.joint.type.key not in ("free", "prismatic2")
        # A slide of the plane is on its rail, not at a place of its base.
        and (not model.planar or body.joint.type.key != "prismatic")
    ]
    links: list[Closure | Spring] = [*model.closures, *model.springs]
    for link in links:
        found += [side.p_BS for side in (link.first, link.second) if side.body == number]
    found += [point.p_BP for point in model.points if point.body == number]
    found += [frame.p_BF for frame in model.frames if frame.body == number and not model.planar]
    return [tuple(float(x) for x in p) for p in found]


def stays_in_the_plane(name: str) -> None:
    model, live, _ = followed(name)
    scheme = moving_scheme(model, prefix="s-", traced=live.model)
    near = NEAR * max(scheme.window[2:]) / WIDE
    own = groups(scheme)

    def away(of: Model) -> dict[tuple[int, int], float]:
        lines = {number: drawn(group) for number, group in own.items()}
        spots = [(n, i, p) for n in own for i, p in enumerate(joined(of, n)) if lines[n]]
        return {(n, i): distance((1e3 * p[0], 1e3 * p[1]), lines[n]) for n, i, p in spots}

    before = away(model)
    for values, other in others(name):
        reshape(scheme, values)
        after = away(other)
        torn = {spot: far for spot, far in after.items() if before[spot] <= near < far}
        assert not torn, (dict(zip(live.names, values, strict=True)), torn)


NUMBER = re.compile(r"[-+]?\d+\.?\d*")


@pytest.mark.parametrize("name", ["cam.xml", "five_bar.xml", "four_bar_iftomm.xml", "rimless_wheel.xml", "walker.xml"])
def test_reshaped_is_drawn_anew(name: str) -> None:
    """Paths and symbols of all bodies are those of the scheme that is made of the other lengths themselves."""
    model, live, lengths = followed(name)
    values = [value * (1.2 if each in lengths else 1.0) for each, value in zip(live.names, live.values, strict=True)]
    scheme, anew = moving_scheme(model, traced=live.model), moving_scheme(live.at(values))
    plain = moving_scheme(model)
    reshape(scheme, values)
    changed = 0
    for number, group in groups(scheme).items():
        both = [
            [each for each in of if each.tag == f"{SVG}path" and each.get("class") in ("mark", "link", "link solid")]
            for of in (group, groups(anew)[number], groups(plain)[number])
        ]
        for one, other, was in zip(*both, strict=True):
            ends = [drawn([each])[0][0] if each.get("class") != "mark" else None for each in (one, other)]
            if ends[0] is not None:
                assert np.array(ends[0]) == pytest.approx(np.array(ends[1]), abs=1e-3)
            if one.get("class") == "mark":
                places = [matrix(e.get("transform") or "")[4:] for e in (one, other)]
                assert places[0] == pytest.approx(places[1], abs=1e-3)
                spots = [[float(x) for x in NUMBER.findall(e.get("d"))] for e in (one, other)]
                assert spots[0] == pytest.approx(spots[1], abs=1e-3)
            changed += one.get("d") != was.get("d")
    assert changed


# --- in space --------------------------------------------------------------------------------------------------------


def outside(shape: Shape, p: Sequence[float]) -> float:
    """How far a point is outside of a shape [m]."""
    q = np.array(shape.R_BS, dtype=float).T @ (np.array(p) - np.array(shape.p_BS, dtype=float))
    sizes = [float(x) for x in shape.sizes]
    round_ = math.hypot(q[0], q[1])
    if shape.kind == "box" and len(sizes) == 3:
        return float(np.linalg.norm(np.maximum(np.abs(q) - np.array(sizes) / 2, 0.0)))
    if shape.kind == "sphere":
        return max(0.0, float(np.linalg.norm(q)) - sizes[0])
    if shape.kind in ("cylinder", "cone"):
        return math.hypot(max(0.0, round_ - sizes[0]), max(0.0, abs(q[2]) - sizes[1] / 2))
    if shape.kind == "capsule":
        return max(0.0, math.hypot(round_, max(0.0, abs(q[2]) - sizes[1] / 2)) - sizes[0])
    if shape.kind == "wheel":
        return math.hypot(max(0.0, round_ - sizes[0]), abs(q[2]))
    return math.inf


def stays_in_space(name: str) -> None:
    """The same of bodies in space, whose shapes are solids."""
    model, live, _ = followed(name)
    numbers = range(len(model.bodies) + 1)
    size = max(math.hypot(*p) for number in numbers for p in joined(model, number))
    near = NEAR * size / WIDE

    def away(of: Model) -> dict[tuple[int, int], float]:
        shapes: dict[int, list[Shape]] = {number: [] for number in numbers}
        for each in of.shapes:
            shapes[each.body].append(each)
        return {
            (n, i): min((outside(each, p) for each in shapes[n]), default=math.inf)
            for n in numbers
            for i, p in enumerate(joined(of, n))
        }

    before = away(model)
    for values, other in others(name):
        torn = {spot: far for spot, far in away(other).items() if before[spot] <= near < far}
        assert not torn, (dict(zip(live.names, values, strict=True)), torn)


def numbers_at(data: Any, values: Sequence[float]) -> Any:
    """Plain data, its numbers as they are for such parameters."""
    found: list[Traced] = []

    def gather(each: Any) -> None:
        if isinstance(each, Traced):
            found.append(each)
        for inner in each.values() if isinstance(each, Mapping) else each if isinstance(each, (list, tuple)) else ():
            gather(inner)

    gather(data)
    program = found[0].node.graph.program({"x": [number.node for number in found]})
    known = iter(evaluate(program, list(values))[0])

    def made(each: Any) -> Any:
        if isinstance(each, Traced):
            return next(known)
        if isinstance(each, Mapping):
            return {key: made(inner) for key, inner in each.items()}
        return [made(inner) for inner in each] if isinstance(each, (list, tuple)) else each

    return made(data)


@pytest.mark.parametrize("name", ["scara.xml", "delta.xml", "flyball_governor.xml", "arm5.xml"])
def test_nodes_of_scenes_are_those_of_the_other_model(name: str) -> None:
    """Places, turns and scales of figures, places of joints and ends of springs, against the model of other lengths."""
    model, live, lengths = followed(name)
    values = [value * (1.1 if each in lengths else 1.0) for each, value in zip(live.names, live.values, strict=True)]
    other = live.at(values)
    table = numbers_at(scene_for_page(model, lang="en", traced=live.model).table, values)
    for body, place in zip(other.bodies, table["places"], strict=True):
        if body.joint.type.nq and place is not None:
            assert place == pytest.approx([x for row, p in zip(body.R_PB, body.p_PB, strict=True) for x in (*row, p)])
    for spring, row in zip(other.springs, table["springs"], strict=True):
        assert [end[1] for end in row["ends"]] == [pytest.approx(s.p_BS) for s in (spring.first, spring.second)]
    figures = [each for each in table["nodes"] if each["scale"] is not None]
    known = other.shapes
    for figure in figures:
        assert any(figure["at"] == pytest.approx(shape.p_BS, abs=1e-12) for shape in known), figure
    was = {id(now): old for now, old in zip(other.shapes, model.shapes, strict=True)}
    cylinders = [shape for shape in other.shapes if shape.kind == "cylinder" and shape.sizes != was[id(shape)].sizes]
    scales = [figure["scale"] for figure in figures]
    for shape in cylinders:
        r, h = (now / old for now, old in zip(shape.sizes, was[id(shape)].sizes, strict=True))
        assert any(scale == pytest.approx([r, r, h]) for scale in scales), shape.name
    assert figures


def test_links_without_shapes_go_where_their_ends_go(tmp_path: Path) -> None:
    text = """<system name="two bars" space="spatial">
      <parameter name="a" value="300 mm"/>
      <parameter name="b" value="200 mm"/>
      <body name="one" joint="revolute" axis="x" mass="1" com="0, a/2, 0">
        <body name="two" joint="revolute" axis="x" place="0, a, 0" mass="1" com="0, b/2, b"><point name="tip" place="0, b, b"/></body>
      </body>
    </system>"""
    model = system_of(text, tmp_path).model
    live = live_model(model)
    nodes = numbers_at(scene_for_page(model, lang="en", traced=live.model).table["nodes"], (0.45, 0.1))
    links = [(node["was"], node["now"]) for node in nodes if node["was"] is not None]
    assert links == [
        ([0.0, 0.3, 0.0], [0.0, pytest.approx(0.45), 0.0]),
        ([0.0, 0.2, 0.2], [0.0, pytest.approx(0.1), pytest.approx(0.1)]),
    ]


# --- what pages are told ---------------------------------------------------------------------------------------------


def test_places_lead_to_the_numbers_that_follow() -> None:
    model, live, _ = followed("pendulum.xml")
    scheme = moving_scheme(model, prefix="s-", traced=live.model)
    data: Any = {
        "scheme": scheme.description,
        "places": [{"p": list(live.model.points[0].p_BP)}],
        "other": live.model.points[0].p_BP,
    }
    found = geometry_of(data, "geometry")
    assert found is not None
    geometry, source = found
    assert "register" in source and geometry["kernel"]["inputs"] == [("live", 2)]
    for place in geometry["places"]:
        at = data
        for key in place:
            at = at[key]
        assert isinstance(at, Traced)
    assert ["places", 0, "p", 1] in geometry["places"]
    assert {place[0] for place in geometry["places"]} == {"scheme", "places"}


def test_a_body_without_a_shape_is_drawn_from_its_joints(tmp_path: Path) -> None:
    text = """<system name="a bar" class="planar open chain">
      <parameter name="a" value="300 mm"/>
      <body name="one" joint="revolute" mass="1" com="0, a/2">
        <body name="two" joint="revolute" place="0, a" mass="1" com="0, 100"/>
      </body>
    </system>"""
    model = system_of(text, tmp_path).model
    live = live_model(model)
    scheme = moving_scheme(model, traced=live.model)
    reshape(scheme, (0.5,))
    ((line, closed),) = drawn(groups(scheme)[1])
    assert not closed and line == [pytest.approx((0.0, 0.0)), pytest.approx((0.0, 500.0))]
