"""Pictures of orientations: whole, in both languages, with what they are about in its place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest

from sistel.errors import Language, SistelError
from sistel.look import colour
from sistel.pose import (
    CODES,
    OCTANTS,
    Parameters,
    axial_group,
    axial_rotation,
    euler_parameters,
    icosahedral_group,
    quaternion,
    say_code,
    transpose,
)
from sistel.views import Drawing
from sistel.views.orientations import (
    ANGLES,
    describe_subgroups,
    draw_angles,
    draw_gripper,
    draw_lattice,
    draw_octants,
    draw_products,
    group_members,
)
from sistel.views.orientations._figure import SCENE
from sistel.views.orientations._octants import CELL, RADIUS

SVG = "{http://www.w3.org/2000/svg}"
ALL: dict[str, Callable[..., Drawing]] = {
    "octants": draw_octants,
    "gripper": lambda lang, **more: draw_gripper(36, lang, **more),
    "turned": lambda lang, **more: draw_gripper((0.3, -0.2, 0.7, 0.1), lang, **more),
    "products": lambda lang, **more: draw_products(lang=lang, **more),
    "Gy": lambda lang, **more: draw_products(group_members("Gy"), lang, title="Gy", **more),
    "lattice": lambda lang, **more: draw_lattice(None, lang, **more),
    "lattice of 60": lambda lang, **more: draw_lattice(icosahedral_group(), lang, **more),
    **{name: lambda lang, name=name, **more: draw_angles(name, lang, **more) for name in ANGLES},
}


def tree(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def words(element: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in element.iter(f"{SVG}text")]


def coordinates(picture: ElementTree.Element) -> Iterator[tuple[float, float]]:
    for each in picture.iter(f"{SVG}path"):
        for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", each.get("d", "")):
            yield float(x), float(y)
    for each in picture.iter(f"{SVG}text"):
        yield float(each.get("x", "nan")), float(each.get("y", "nan"))


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", ALL)
def test_pictures_are_whole(name: str, lang: Language) -> None:
    text = ALL[name](lang)
    assert isinstance(text, Drawing)
    picture = tree(text)
    left, top, wide, high = map(float, picture.get("viewBox", "").split())
    assert (left, top) == (0, 0) and (wide, high) == (float(picture.get("width", "")), float(picture.get("height", "")))
    assert all(0 <= x <= wide and 0 <= y <= high for x, y in coordinates(picture))
    assert picture.get("lang") == lang and picture.get("aria-label") == picture.findtext(f"{SVG}title")
    # Only the other alphabet's letters that name axes and groups may occur.
    said = " ".join(words(picture))
    assert bool(re.search("[а-яё]{3}", said)) == (lang == "ru")
    # Every class that an element has is one that the rules know.
    rules = "".join(each.text or "" for each in picture.iter(f"{SVG}style"))
    known = set(re.findall(r"\.sistel-pose \.([\w-]+)", rules)) | {"sistel-pose", "orientation", "subgroup"}
    used = {word for each in picture.iter() for word in each.get("class", "").split()}
    assert used <= known


@pytest.mark.parametrize("name", ALL)
def test_themes(name: str) -> None:
    auto, light, dark = (ALL[name]("en", theme=theme) for theme in ("auto", "light", "dark"))
    assert "prefers-color-scheme:dark" in auto
    assert "prefers-color-scheme" not in light + dark
    assert colour("paper", dark=True) in dark and colour("paper", dark=True) not in light

    def drawn(text: str) -> str:
        return re.sub("<style>.*</style>", "", text, flags=re.DOTALL)

    assert drawn(auto) == drawn(light) == drawn(dark)


@pytest.mark.parametrize("name", ALL)
def test_pictures_are_always_the_same(name: str) -> None:
    assert ALL[name]("en") == ALL[name]("en")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_table_of_octants(lang: Language) -> None:
    picture = tree(draw_octants(lang))
    cells = {int(each.get("data-code", "")): each for each in picture.iter(f"{SVG}g") if each.get("class")}
    assert sorted(cells) == sorted(CODES)
    for row, codes in enumerate(OCTANTS):
        for column, code in enumerate(codes):
            frame = next(each for each in cells[code].iter(f"{SVG}rect"))
            first = next(each for each in cells[13].iter(f"{SVG}rect"))
            assert float(frame.get("x", "")) - float(first.get("x", "")) == column * CELL[0]
            assert float(frame.get("y", "")) - float(first.get("y", "")) == row * CELL[1]
            *axis, angle = euler_parameters(code)
            said = words(cells[code])
            assert said[-2:] == [str(code), f"{', '.join(map(str, axis))}, {angle}°".replace("-", "−")]
            assert cells[code].findtext(f"{SVG}title") == f"{code}: {say_code(code, lang)}"
    assert "−1, 1, −1, 120°" in words(cells[46])


@pytest.mark.parametrize("code", CODES)
def test_axes_of_a_cell_lie_along_the_edges_of_its_octant(code: int) -> None:
    cell = next(each for each in tree(draw_octants("en")).iter(f"{SVG}g") if each.get("data-code") == str(code))
    ball = next(each for each in cell.iter(f"{SVG}circle"))
    centre = float(ball.get("cx", "")), float(ball.get("cy", ""))
    assert float(ball.get("r", "")) == RADIUS
    for letter, direction in zip("xyz", transpose(axial_rotation(code)), strict=True):
        tip = next(each for each in cell.iter(f"{SVG}path") if each.get("class") == f"tip-{letter}")
        x, y = map(float, re.findall(r"-?[\d.]+", tip.get("d", ""))[:2])
        across, down = SCENE.project(direction)
        assert (x - centre[0], y - centre[1]) == pytest.approx((RADIUS * across, RADIUS * down), abs=0.06)
        # Its name stands behind the tip, on the same ray.
        name = next(each for each in cell.iter(f"{SVG}text") if f"letter-{letter}" in each.get("class", ""))
        away = float(name.get("x", "")) - centre[0], float(name.get("y", "")) - 4.2 - centre[1]
        assert math.hypot(*away) > math.hypot(RADIUS * across, RADIUS * down)
        assert away[0] * down == pytest.approx(away[1] * across, abs=0.3)


def test_a_gripper_by_its_code_and_by_its_quaternion_is_drawn_alike() -> None:
    def body(text: str) -> list[str]:
        return [each.get("d", "") for each in tree(text).iter(f"{SVG}path")
                if not each.get("class", "").startswith(("arc", "patch"))]  # fmt: skip

    for code in (13, 36, 64):
        by_code = body(draw_gripper(code, "en"))
        by_numbers = body(draw_gripper([3.0 * part for part in quaternion(axial_rotation(code))], "en"))
        assert len(by_code) == len(by_numbers)
        for a, b in zip(by_code, by_numbers, strict=True):
            assert [float(x) for x in re.findall(r"-?[\d.]+", a)] == pytest.approx(
                [float(x) for x in re.findall(r"-?[\d.]+", b)], abs=0.11
            )


@pytest.mark.parametrize("bad", [11, 77, (0, 0, 0, 0), (1, 2, 3), (math.nan, 0, 0, 1), (math.inf, 0, 0, 1), ()])
def test_no_gripper_without_an_orientation(bad: object) -> None:
    with pytest.raises(SistelError):
        draw_gripper(bad, "en")  # type: ignore[arg-type]


def test_huge_and_tiny_quaternions_are_drawn() -> None:
    assert draw_gripper((1e300, 0, 0, 1e300), "en") == draw_gripper((1e-300, 0, 0, 1e-300), "en")


def test_products_stand_in_their_cells() -> None:
    picture = tree(draw_products(lang="en"))
    told = [each.text or "" for each in picture.iter(f"{SVG}title")][1:]
    assert len(told) == 576
    group = axial_group()
    for text in told:
        a, b, c = map(int, re.findall(r"\d+", text)[:3])
        assert group.multiply(a, b) == c
    shown = words(picture)
    assert shown.count("13") == 24 + 2


# --- the lattice -----------------------------------------------------------------------------------------------------


def boxes(picture: ElementTree.Element) -> list[tuple[str, tuple[float, float, float, float]]]:
    found = []
    for each in picture.iter(f"{SVG}g"):
        if each.get("class") == "subgroup":
            frame = next(each.iter(f"{SVG}rect"))
            x, y, w, h = (float(frame.get(key, "")) for key in ("x", "y", "width", "height"))
            found.append((next(each.iter(f"{SVG}text")).text or "", (x, y, x + w, y + h)))
    return found


def test_lattice_has_all_subgroups_in_rows_by_order() -> None:
    found = boxes(tree(draw_lattice(None, "en")))
    subgroups = describe_subgroups(axial_group())
    assert [name for name, _ in found] == [each.name for each in subgroups]
    rows = {each.order: place[1] for each, (_, place) in zip(subgroups, found, strict=True)}
    assert sorted(rows, key=rows.__getitem__, reverse=True) == [1, 2, 3, 4, 6, 8, 12, 24]
    assert all(place[1] == rows[each.order] for each, (_, place) in zip(subgroups, found, strict=True))
    for (_, a), (_, b) in combinations(found, 2):
        assert a[2] < b[0] or b[2] < a[0] or a[3] < b[1] or b[3] < a[1]


def test_conjugate_subgroups_stand_side_by_side() -> None:
    found = boxes(tree(draw_lattice(None, "en")))
    subgroups = describe_subgroups(axial_group())
    for order in {each.order for each in subgroups}:
        row = sorted((place[0], each.kind) for each, (_, place) in zip(subgroups, found, strict=True)
                     if each.order == order)  # fmt: skip
        kinds = [kind for _, kind in row]
        assert len([i for i in range(1, len(kinds)) if kinds[i] != kinds[i - 1]]) == len(set(kinds)) - 1


@pytest.mark.parametrize("by_class", [False, True])
def test_lines_join_what_contains_each_other(by_class: bool) -> None:
    group = axial_group()
    picture = tree(draw_lattice(group, "en", by_class=by_class))
    found = boxes(picture)
    lines = [each for each in picture.iter(f"{SVG}path") if each.get("class", "").startswith("link")]
    ends = [tuple(map(int, each.get("data-ends", "").split())) for each in lines]
    if by_class:
        kinds = [each.kind for each in describe_subgroups(group)]
        assert len(found) == 11
        assert set(ends) == {(kinds[low], kinds[high]) for low, high in group.lattice()}
    else:
        assert sorted(ends) == sorted(group.lattice())
    for each, (low, high) in zip(lines, ends, strict=True):
        numbers = [float(x) for x in re.findall(r"-?[\d.]+", each.get("d", ""))]
        (x, y), (u, v) = numbers[:2], numbers[-2:]
        bottom, top = found[low][1], found[high][1]
        assert y == pytest.approx(bottom[1], abs=0.11) and v == pytest.approx(top[3], abs=0.11)
        assert bottom[0] <= x <= bottom[2] and top[0] <= u <= top[2]


def points(path: str) -> Iterator[tuple[float, float]]:
    """Of a line that is drawn, close to each other."""
    numbers = [float(x) for x in re.findall(r"-?[\d.]+", path)]
    at, rest = numbers[:2], numbers[2:]
    for k in range(0, len(rest), 6):
        a, b, c = rest[k : k + 2], rest[k + 2 : k + 4], rest[k + 4 : k + 6]
        for step in range(25):
            t = step / 24
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            yield tuple(sum(w * p[i] for w, p in zip(weights, (at, a, b, c), strict=True)) for i in range(2))  # type: ignore[misc]
        at = c


def test_no_line_runs_behind_a_box_that_it_does_not_end_at() -> None:
    picture = tree(draw_lattice(None, "en"))
    found = [place for _, place in boxes(picture)]
    for each in picture.iter(f"{SVG}path"):
        if each.get("class", "").startswith("link"):
            ends = set(map(int, each.get("data-ends", "").split()))
            for x, y in points(each.get("d", "")):
                assert not any(
                    left < x < right and top < y < bottom
                    for place, (left, top, right, bottom) in enumerate(found)
                    if place not in ends
                )


def test_many_subgroups_are_shown_by_classes() -> None:
    group = icosahedral_group()
    picture = tree(draw_lattice(group, "en"))
    names = [name for name, _ in boxes(picture)]
    assert names == ["1", "15 × C2", "10 × C3", "5 × V4", "6 × C5", "10 × S3", "6 × D5", "5 × A4", "A5"]
    counts = [int(text) for text in words(picture) if text.isdigit()][9:]  # behind the nine orders
    # At every line: how many lower ones in each upper one, and the other way round; both ways give the same pairs.
    found = describe_subgroups(group)
    ends = [
        tuple(map(int, each.get("data-ends", "").split()))
        for each in picture.iter(f"{SVG}path")
        if each.get("class", "").startswith("link")
    ]
    assert len(counts) >= 2 * len(ends)
    for (low, high), inside, around in zip(ends, counts[::2], counts[1::2], strict=False):
        lower, upper = ([set(each.members) for each in found if each.kind == kind] for kind in (low, high))
        assert [sum(a < b for a in lower) for b in upper] == [inside] * len(upper)
        assert [sum(a < b for b in upper) for a in lower] == [around] * len(lower)


# --- named angles ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ANGLES)
def test_angles_have_the_order_that_conversions_use(name: str) -> None:
    import numpy as np

    parameters = Parameters.standard()
    given = np.array([0.3, -0.4, 0.5])
    q = parameters.convert_rotation(given, name, "quaternion")
    assert np.allclose(parameters.convert_rotation(given, ANGLES[name].order, "quaternion"), q, rtol=0, atol=1e-15)
    picture = tree(draw_angles(name, "en"))
    said = words(picture)
    for step, (axis, letter) in enumerate(zip(ANGLES[name].order, ANGLES[name].letters, strict=True)):
        assert any(text.startswith(f"{step + 1}. {letter}") for text in said)
        assert f"about {axis}{('', '′', '″')[step]}" in said


@pytest.mark.parametrize("name", ANGLES)
def test_the_axis_of_a_step_keeps_its_place(name: str) -> None:
    """Seen from one step to the next: where an axis is drawn after a step, the next one begins with it."""
    picture = tree(draw_angles(name, "en"))
    frames = [float(each.get("x", "")) for each in picture.iter(f"{SVG}rect") if each.get("class") == "cell"]
    tips: dict[tuple[int, str], tuple[float, float]] = {}
    olds: list[tuple[int, tuple[float, float]]] = []
    for each in picture.iter(f"{SVG}path"):
        kind = each.get("class", "")
        if kind.startswith("tip-") or kind == "old-tip":
            x, y = map(float, re.findall(r"-?[\d.]+", each.get("d", ""))[:2])
            panel = max(i for i in range(3) if frames[i] <= x)
            place = (x - frames[panel], y)
            if kind == "old-tip":
                olds.append((panel, place))
            else:
                tips[panel, kind[-1]] = place
    assert len(tips) == 9 and len(olds) == 9
    for panel in (1, 2):
        before = sorted(tips[panel - 1, letter] for letter in "xyz")
        shown = sorted(place for at, place in olds if at == panel)
        for a, b in zip(before, shown, strict=True):
            assert a == pytest.approx(b, abs=0.11)
        axis = ANGLES[name].order[panel]
        assert tips[panel, axis] == pytest.approx(tips[panel - 1, axis], abs=0.11)


def test_other_angles_are_refused() -> None:
    with pytest.raises(SistelError) as problem:
        draw_angles("eulr", "en")
    assert "euler" in str(problem.value.diagnostics[0].hint)
