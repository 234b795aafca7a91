"""Rows B1–B11 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import permutations, product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.browser import Chromium
from support.structures import rotation, turned
from support.voice import XML_LANG, Dialogue, Grammar

from sistel.cli import main
from sistel.errors import Language, SistelError
from sistel.pose import (
    CODES,
    Parameters,
    axial_group,
    axial_rotation,
    euler_between,
    euler_parameters,
    icosahedral_group,
    icosahedral_rotation,
    multiply_codes,
    read_phrase,
    say_code,
)
from sistel.views.viewer import view_scene

TABLE = {
    13: (1, 0, 0, 0), 16: (1, 0, 0, 270), 36: (-1, -1, 1, 120), 53: (0, 1, 0, 270), 54: (1, 0, 1, 180),
    14: (1, 0, 0, 180), 42: (1, -1, 0, 180), 45: (1, -1, -1, 120), 35: (1, 1, 1, 120), 63: (0, 1, 0, 90),
    62: (1, -1, -1, 240), 32: (0, 0, 1, 90), 41: (0, 0, 1, 270), 46: (-1, 1, -1, 120), 26: (0, 1, -1, 180),
    52: (1, -1, 1, 120), 51: (-1, -1, -1, 120), 31: (-1, -1, 0, 180), 23: (0, 1, 0, 180), 25: (0, 1, 1, 180),
    15: (1, 0, 0, 90), 61: (1, 1, -1, 120), 64: (1, 0, -1, 180), 24: (0, 0, 1, 180),
}  # fmt: skip
"""Table 1 of A. I. Telegin and others, 2025 (DOI 10.14529/ctcr250403), by octants; it prints 240 at code 46, which is
the turn of code 52."""
Orient = Callable[..., Any]


@pytest.fixture
def orient(capsys: pytest.CaptureFixture[str]) -> Orient:
    """What `sistel orient` answers, as data."""

    def call(*words: str, status: int = 0) -> Any:
        capsys.readouterr()
        assert main(["orient", *words, "--json"]) == status
        return json.loads(capsys.readouterr().out)

    return call


def along(code: int) -> Any:
    """Columns: where fingers and thumb point as the digits say, and what completes them."""
    fingers, thumb = ((1 - 2 * ((int(digit) - 1) % 2)) * np.eye(3)[(int(digit) - 1) // 2] for digit in str(code))
    return np.stack([fingers, thumb, np.cross(fingers, thumb)], axis=1)


def test_B1(orient: Orient) -> None:
    """24 codes; 11 and its like are refused."""
    assert len(CODES) == 24 == len({tuple(along(code).ravel()) for code in CODES})
    assert all(
        np.linalg.det(along(code)) == 1 and (along(code) == np.array(axial_rotation(code))).all() for code in CODES
    )
    assert [orient(str(code))["code"] for code in CODES] == list(CODES)
    for i, j in product(range(8), range(8)):
        if 10 * i + j not in CODES:
            with pytest.raises(SistelError):
                axial_rotation(10 * i + j)
    assert "one line" in orient("11", "--lang", "en", status=2)["diagnostics"][0]["message"]


def test_B2(orient: Orient) -> None:
    """Code ↔ phrase: there and back for all 24, in both languages."""
    assert say_code(42, "ru") == "пальцы вниз, большой влево"
    assert orient("пальцы вниз, большой влево")["code"] == 42
    for code, lang in product(CODES, ("ru", "en")):
        assert read_phrase(say_code(code, lang)).code == code  # type: ignore[arg-type]
        assert orient(orient(str(code), "--lang", lang)["phrase"])["code"] == code
    assert len({say_code(code, "ru") for code in CODES}) == 24


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_B2_grammar(lang: Language, tmp_path: Path) -> None:
    """The grammar accepts the 24 phrases, the 576 transitions and nothing else, and gives each its codes."""
    file = tmp_path / "codes.grxml"
    assert main(["orient", "grammar", "-o", str(file), "--lang", lang]) == 0
    grammar = Grammar(file.read_text(encoding="utf-8"))
    assert grammar.root.get(XML_LANG).startswith(lang)
    said = {say_code(code, lang).replace(",", ""): code for code in CODES}
    assert grammar.phrases("orientation") == said
    assert {phrase: read_phrase(phrase).code for phrase in said} == said
    first, second = ("из положения", "в положение") if lang == "ru" else ("from", "to")
    ways = {phrase: (each.start, each.goal) for phrase, each in grammar.phrases("transition").items()}
    assert ways == {f"{first} {a} {second} {b}": (said[a], said[b]) for a, b in product(said, said)}
    commands = {phrase: (each.start, each.goal) for phrase, each in grammar.phrases("command").items()}
    assert commands == {phrase: (0, code) for phrase, code in said.items()} | ways and len(commands) == 600


def test_B2_dialogue(tmp_path: Path) -> None:
    """The dialogue turns from orientation to orientation, tells codes and quarter turns, and helps."""
    file = tmp_path / "dialogue.vxml"
    assert main(["orient", "dialogue", "-o", str(file), "--lang", "ru"]) == 0
    talk = Dialogue(file.read_text(encoding="utf-8"))
    assert talk.heard == ["Куда направлены пальцы и куда большой?"]
    assert talk.say("пальцы вниз большой влево")[0] == "Код 42: пальцы вниз, большой влево."
    axes = {"икс": 0, "игрек": 1, "зет": 2}
    for a, b in product(CODES[::5], CODES[::3]):
        said = [say_code(code, "ru").replace(",", "") for code in (a, b)]
        answer = talk.say(f"из положения {said[0]} в положение {said[1]}")
        assert f"Код {b}: {say_code(b, 'ru')}." in answer
        if a == b:
            assert answer[-1] == "Он уже там."
            continue
        # In a second way: matrices of the quarter turns that were told lead from one orientation to the other.
        way = along(a)
        for words in answer[-1].removesuffix(".").partition(": ")[2].split(", "):
            axis, sign = words.split()
            first, second = (axes[axis] + 1) % 3, (axes[axis] + 2) % 3
            turn = np.eye(3)
            turn[[first, second], [first, second]] = 0
            turn[second, first], turn[first, second] = (1, -1) if sign == "плюс" else (-1, 1)
            way = way @ turn
        assert (way == along(b)).all()
    assert talk.say("помощь")[0].startswith("Скажите, например")
    assert talk.say(None) == ["Ничего не слышно."]
    for _ in range(3):
        assert talk.say("пальцы вверх большой вниз")[0].startswith("Не понято.") and not talk.ended
    assert talk.say("пальцы") == ["Всё ещё не понято. До свидания."] and talk.ended
    assert main(["orient", "dialogue", "-o", str(file), "--lang", "en"]) == 0
    talk = Dialogue(file.read_text(encoding="utf-8"))
    answer = talk.say("from fingers up thumb left to fingers up thumb right")
    assert answer[0] == "The gripper is now: fingers right, thumb up."
    assert answer[1] == "Code 31: fingers up, thumb right." and answer[2].startswith("Quarter turns")
    assert talk.say("stop") == ["Good bye."] and talk.ended


def test_B3(orient: Orient, tmp_path: Path) -> None:
    """The table of octants: 24 cells in 8 columns and 3 rows, a gripper in each, all different."""
    assert orient("table", "-o", str(tmp_path / "octants.svg"))["output"].endswith("octants.svg")
    svg = "{http://www.w3.org/2000/svg}"
    picture = ElementTree.parse(tmp_path / "octants.svg").getroot()
    cells = [each for each in picture.iter(f"{svg}g") if each.get("data-code")]
    assert sorted(int(each.get("data-code", "")) for each in cells) == sorted(CODES)
    frames = [next(each.iter(f"{svg}rect")) for each in cells]
    assert len({frame.get("x") for frame in frames}) == 8 and len({frame.get("y") for frame in frames}) == 3
    # The solids of a gripper, moved to the corner of its cell, are no other cell's.
    grippers = set()
    for cell, frame in zip(cells, frames, strict=True):
        x, y = float(frame.get("x", "")), float(frame.get("y", ""))
        points = [
            (round(float(a) - x), round(float(b) - y))
            for each in cell.iter(f"{svg}path")
            if each.get("class", "").startswith(("plate", "cold", "warm"))
            for a, b in (
                pair.split(",") for pair in each.get("d", "").replace("M", "L").replace("z", "").split("L")[1:]
            )
        ]
        assert len(points) > 60
        grippers.add(tuple(points))
    assert len(grippers) == 24
    # A column is an octant: its codes point along the same three directions.
    octants = [[each["code"] for each in column] for column in orient("table")["octants"]]
    assert all(len({frozenset(map(tuple, along(code).T)) for code in column}) == 1 for column in octants)
    assert len({frozenset(map(tuple, along(column[0]).T)) for column in octants}) == 8


def test_B4(orient: Orient) -> None:
    """Euler parameters of all codes are those in print, the one misprint corrected; each turns 13 into its code."""
    for code, (*axis, angle) in TABLE.items():
        assert euler_parameters(code) == (*axis, angle)
        assert np.abs(rotation(axis, math.radians(angle)) - along(code)).max() < 1e-15
        data = orient(str(code))
        assert (data["axis"], data["degrees"]) == (axis, angle)
    assert np.abs(rotation((-1, 1, -1), math.radians(240)) - along(52)).max() < 1e-15


def test_B5() -> None:
    """Quaternion ↔ Euler parameters with an axis of any length: error on the rotation below 1e-14."""
    rng = np.random.default_rng(5)
    parameters = Parameters.standard()
    axis = rng.normal(size=(2000, 3)) * 10.0 ** rng.uniform(-6, 6, (2000, 1))
    angle = rng.uniform(-2 * math.pi, 2 * math.pi, (2000, 1))
    angle[:200] = rng.choice([0.0, 1e-9, math.pi, -math.pi, math.pi - 1e-9, 2 * math.pi], (200, 1))
    given = np.concatenate([axis, angle], axis=1)
    q = parameters.convert_rotation(given, "euler-parameters", "quaternion")
    back = parameters.convert_rotation(q, "quaternion", "euler-parameters")
    for numbers, four, again in zip(given, q, back, strict=True):
        expected = rotation(numbers[:3], numbers[3])
        assert np.abs(turned(four) - expected).max() < 1e-14
        assert np.abs(rotation(again[:3], again[3]) - expected).max() < 1e-14


def test_B6(orient: Orient) -> None:
    """Composition as the paper derives it: ПЭ(36) = (-1, -1, 1, 120) and ПЭ(54) = (1, 0, 1, 180)."""
    for start, turn, end, expected in (
        (16, (0, 1, 0, 270), 36, (-1, -1, 1, 120)),
        (53, (1, 0, 0, 180), 54, (1, 0, 1, 180)),
    ):
        assert euler_between(start, end) == turn
        data = orient(str(start), str(end))
        assert (*data["axis"], data["degrees"]) == turn
        assert euler_parameters(multiply_codes(start, data["code"])) == expected
        product_ = along(start) @ rotation(turn[:3], math.radians(turn[3]))
        assert np.abs(product_ - rotation(expected[:3], math.radians(expected[3]))).max() < 1e-15


def test_B7(orient: Orient) -> None:
    """All 576 transitions: the table of products is closed and associative, and is that of the rotations."""
    data = orient("product")
    assert data["elements"] == list(CODES)
    table = {a: dict(zip(CODES, row, strict=True)) for a, row in zip(CODES, data["products"], strict=True)}
    assert sum(len(row) for row in table.values()) == 576
    assert all(sorted(row.values()) == sorted(CODES) for row in table.values())
    assert all(table[table[a][b]][c] == table[a][table[b][c]] for a, b, c in product(CODES, CODES, CODES))
    for start, end in product(CODES, CODES):
        assert (along(start) @ along(end) == along(table[start][end])).all()
        *axis, angle = euler_between(start, end)
        assert np.abs(along(start) @ rotation(axis, math.radians(angle)) - along(end)).max() < 1e-15


def test_B8(orient: Orient) -> None:
    """Tables 2, 6 and 7 as printed; inverses; Gx, Gy and Gz are the same group with other names."""
    printed = {"Gx": (13, 15, 14, 16), "Gy": (13, 63, 23, 53), "Gz": (13, 32, 24, 41)}
    for name, order in printed.items():
        data = orient("product", name)
        assert data["elements"] == list(order)
        # Every row begins one further on: 13 15 14 16, 15 14 16 13, and so on.
        assert data["products"] == [[*order[i:], *order[:i]] for i in range(4)]
        assert [orient(str(code))["inverse"] for code in order] == [order[0], *order[:0:-1]]
    for name, other in permutations(printed, 2):
        same = dict(zip(printed[name], printed[other], strict=True))
        for a, b in product(printed[name], repeat=2):
            assert same[multiply_codes(a, b)] == multiply_codes(same[a], same[b])


def test_B9(orient: Orient) -> None:
    """Cyclic subgroups: H(15), H(16) of order 4, H(14) of order 2, and their fellows about y and z."""
    group = axial_group()
    orders = {15: 4, 16: 4, 14: 2, 63: 4, 53: 4, 23: 2, 32: 4, 41: 4, 24: 2}
    for code, order in orders.items():
        data = orient("product", f"H({code})")
        members = data["elements"]
        assert (members[0], len(members), group.order(code)) == (13, order, order)
        # a, a², a³ …: the table is that of sums of exponents.
        assert data["products"] == [[members[(i + j) % order] for j in range(order)] for i in range(order)]
        power = np.linalg.matrix_power(along(code), order)
        assert (power == np.eye(3)).all() and not (np.linalg.matrix_power(along(code), order // 2) == np.eye(3)).all()


def test_B10(orient: Orient) -> None:
    """The codes are the rotations of a cube: all permutations of its diagonals. The 60 of an icosahedron close."""
    diagonals = np.array([(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)])
    moved = {code: np.abs(diagonals @ along(code).T @ diagonals.T).argmax(axis=1) for code in CODES}
    assert {tuple(each) for each in moved.values()} == set(permutations(range(4)))
    assert all((moved[multiply_codes(a, b)] == moved[a][moved[b]]).all() for a, b in product(CODES, CODES))
    assert len(orient("group")["subgroups"]) == 30

    group = icosahedral_group()
    stack = np.array([icosahedral_rotation(code) for code in group.elements])
    assert len(group) == 60 == len({tuple(np.round(R, 9).ravel()) for R in stack})
    products = np.einsum("aij,bjk->abik", stack, stack)
    assert products.shape[:2] == (60, 60)  # 3600
    assert np.abs(products - stack[np.array(group.table)]).max() < 1e-15
    data = orient("group", "--icosahedron")
    assert data["size"] == 60 and sorted(len(each["members"]) for each in data["classes"]) == [1, 12, 12, 15, 20]


@pytest.mark.parametrize("viewer", ["x_ite", "x3dom"])
def test_B11(viewer: Any, models_dir: Path, chromium: Chromium) -> None:
    """The gripper of the scene goes to ОС(64) by itself, fingers away and thumb down, in both viewers.

    In X_ITE it goes on to the two orientations that the paper derives step by step: ОС(36) and ОС(54).
    """
    directions = {3: (0, 1, 0), 4: (0, -1, 0), 5: (0, 0, 1), 6: (0, 0, -1)}
    text = (models_dir / "scenes" / "gripper_turn.x3d").read_text(encoding="utf-8")
    with chromium.tab(size=(160, 120), webgl=True) as tab:
        tab.open(view_scene(text, viewer=viewer, lang="ru"))
        tab.wait("window.sistelViewer")

        def orientation() -> Any:
            if viewer == "x_ite":
                *axis, angle = tab.run("() => sistelViewer.field('схват', 'rotation')")
                return rotation(axis, angle)
            return np.reshape(tab.run("() => sistelViewer.pose('схват')"), (4, 4)).T[:3, :3]  # by columns

        def arrived(code: int) -> bool:
            fingers, thumb = (directions[digit] for digit in divmod(code, 10))
            expected = np.stack([fingers, thumb, np.cross(fingers, thumb)], axis=1)
            for _ in range(400):
                if np.abs(orientation() - expected).max() < 1e-6:
                    return True
                tab.page.wait_for_timeout(50)
            return False

        early = tab.picture()
        assert arrived(64)
        assert tab.picture() != early
        if viewer == "x_ite":
            for code, axis, angle in ((36, (-1, -1, 1), 120), (54, (1, 0, 1), 180)):
                tab.run(
                    """(turn) => {
                        const { X3D, browser } = sistelViewer;
                        browser.currentScene.getNamedNode("поворот").set_destination = new X3D.SFRotation(...turn);
                    }""",
                    [*axis, math.radians(angle)],
                )
                assert arrived(code)
