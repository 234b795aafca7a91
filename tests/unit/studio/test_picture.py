"""Pictures with handles: every handle of the gallery is dragged, and is found there when the file is read again."""

import math
import re
from pathlib import Path
from typing import Any

import pytest
from support.editing import after, ask, refused
from support.thorough import cases

from sistel import load
from sistel.model import Lettered, Model, Recipe
from sistel.studio.service import reply

MODELS = Path(__file__).resolve().parents[3] / "models"
GALLERY = sorted(MODELS.glob("*.xml"))
GRAIN = 0.8
"""What a pixel is [mm]."""
REMARK = re.compile(r"<!--.*?-->", re.S)
WRITTEN = ("pole", "point", "frame", "closure", "spring", "place", "com", "force")
REASONS = {"given-by-formula", "not-closed", "no-attribute", "tried-elsewhere", "stays"}
"""Why a handle may stay."""


def moved(path: Path, text: str, handle: dict[str, Any], by: tuple[float, float], **more: Any) -> dict[str, Any]:
    to = [handle["at"][0] + by[0], handle["at"][1] + by[1]]
    return reply(
        "picture.move", {"path": str(path), "text": text, "handle": handle["id"], "to": to, "grain": GRAIN, **more}
    )


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_what_is_dragged_is_there_when_the_file_is_read_again(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    first = ask("picture.scheme", text, path=str(path))
    size = max(first["window"][2:])
    handles = [each for each in first["handles"] if not each.get("fixed")]
    by = (0.011 * size, -0.007 * size)
    free = not load(path).model.structure().holds  # else the posture goes along
    for handle in handles[:: max(1, len(handles) // cases(4, len(handles) or 1))]:
        found = moved(path, text, handle, by)
        if "failed" in found:
            problem: Any = found["failed"]
            # What the file itself refuses names the place; all else is one of a few reasons.
            assert problem["code"] in REASONS or any(each["line"] for each in problem["diagnostics"]), (handle, problem)
            assert problem["message"]["en"] != problem["message"]["ru"]
            continue
        done: Any = found["done"]
        written = after(text, done)
        assert REMARK.findall(written) == REMARK.findall(text)
        again = ask("picture.scheme", written, path=str(path))
        there = next(each["at"] for each in again["handles"] if each["id"] == handle["id"])
        assert math.dist(there, done["at"]) < 1e-9 * size, handle
        assert again["svg"] == done["svg"]
        if free and handle["kind"] in WRITTEN and not handle.get("along") and "(" not in handle["label"]["en"]:
            # Two numbers of the text say where it is: it is where the pointer was, to the last digit of a float.
            exact: Any = moved(path, text, handle, by, grain=0)["done"]
            assert math.dist(exact["at"], [handle["at"][0] + by[0], handle["at"][1] + by[1]]) < 1e-11 * size + 1e-9


FOUR_BAR = (MODELS / "four_bar.xml").read_text(encoding="utf-8")


def handle_of(text: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in ask("picture.scheme", text)["handles"] if each["id"] == name)
    return found


def test_a_pin_of_two_bars_moves_both_lengths_and_nothing_else() -> None:
    pin = handle_of(FOUR_BAR, "closure:0:0")
    done = ask("picture.move", FOUR_BAR, handle=pin["id"], to=[pin["at"][0] + 12.0, pin["at"][1] - 9.0], grain=0)
    assert {FOUR_BAR[each["from"] : each["to"]] for each in done["edits"]} == {"450", "350"}
    assert math.dist(done["at"], [pin["at"][0] + 12.0, pin["at"][1] - 9.0]) < 1e-8
    # By the triangle: the rocker is as long as the pin is from its pole.
    x, y = done["at"]
    c = float(done["edits"][1]["insert"])
    assert c == pytest.approx(math.hypot(x - 400.0, y), abs=1e-8)


def test_a_pin_of_a_crank_moves_its_length_and_its_start() -> None:
    pin = handle_of(FOUR_BAR, "pole:2")
    angle = math.radians(47.0)
    to = [210.0 * math.sin(angle), -210.0 * math.cos(angle)]
    written = after(FOUR_BAR, ask("picture.move", FOUR_BAR, handle=pin["id"], to=to, grain=0.8))
    assert written == FOUR_BAR.replace('"200 mm"', '"210 mm"').replace('"30 deg"', '"47 deg"')


@pytest.mark.parametrize(("name", "handle"), [("four_bar", "pole:2"), ("four_bar", "turn:1"), ("walker", "pole:3")])
def test_searches_by_formulas_write_what_searches_by_models_write(
    name: str, handle: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (MODELS / f"{name}.xml").read_text(encoding="utf-8")
    at = next(each["at"] for each in ask("picture.scheme", text)["handles"] if each["id"] == handle)
    asked = [[at[0] + step, at[1] - 0.7 * step] for step in (3.0, 5.5, -8.0)]
    built: list[object] = []
    build = Recipe.build

    def counted(self: Recipe, *given: Any, **more: Any) -> Model:
        built.append(self)
        return build(self, *given, **more)

    monkeypatch.setattr(Recipe, "build", counted)
    quick = [ask("picture.move", text, handle=handle, to=to, grain=GRAIN)["edits"] for to in asked]
    assert len(built) <= len(asked)  # one an answer
    monkeypatch.setattr(Lettered, "near", lambda *_: None)
    assert [
        ask("picture.move", text, handle=handle, to=to, grain=GRAIN, path="again.xml")["edits"] for to in asked
    ] == quick
    assert all(quick) and (handle == "turn:1" or len(built) > 3 * len(asked))


def test_limits_of_a_parameter_are_kept_and_said() -> None:
    pin = handle_of(FOUR_BAR, "pole:2")
    done = ask("picture.move", FOUR_BAR, handle=pin["id"], to=[2.0 * each for each in pin["at"]], grain=0.8)
    assert {"en": "a is at its limit", "ru": "a — на своём пределе"} in done["notes"]
    assert 'value="240 mm"' in after(FOUR_BAR, done)


def test_what_cannot_be_closed_is_refused_and_what_is_a_formula_says_of_what() -> None:
    text = FOUR_BAR.replace(' min="50 mm" max="240 mm"', "").replace('place="0, -a"', 'place="0, -200"')
    pole = handle_of(text, "pole:3")
    found = refused("picture.move", text.replace('"d, 0"', '"400, 0"'), handle=pole["id"], to=[2000.0, 0.0])
    assert found["code"] == "not-closed"
    text = FOUR_BAR.replace('place="d, 0"', 'place="d*a/(200 mm), 0"')
    found = refused("picture.move", text, handle="pole:3", to=[420.0, 0.0])
    assert found["code"] == "given-by-formula" and "d, a" in found["message"]["en"]


def test_a_corner_of_a_path_moves_alone() -> None:
    text = '<system name="a"><body joint="revolute"><shape d="m-10,-5h20v10h-20z"/></body></system>'
    corner = handle_of(text, "corner:0:1")
    done = ask("picture.move", text, handle=corner["id"], to=[15.0, -7.0], grain=0.8)
    assert 'd="m-10,-7h25v12h-25z"' in after(text, done)  # sides of a box stay upright
    text = text.replace("m-10,-5h20v10h-20z", "M-10-5 10-5 10.5.5")
    corner = handle_of(text, "corner:0:2")
    done = ask("picture.move", text, handle=corner["id"], to=[12.0, 3.0], grain=0.8)
    assert 'd="M-10-5 10-5 12  3"' in after(text, done)


def test_the_way_of_a_point_of_a_coupler_is_a_coupler_curve() -> None:
    done = ask("picture.trace", FOUR_BAR, handle="com:2")
    assert done["closed"] and done["drive"] == "crank" and len(done["points"]) == 73
    for x, y in done["points"]:
        # Its point lies half a coupler from the pin of the crank, and that lies on a circle.
        reach = math.hypot(x, y)
        assert 225.0 - 200.0 - 1e-3 <= reach <= 225.0 + 200.0 + 1e-3
    pin = ask("picture.trace", FOUR_BAR, handle="pole:2")
    assert all(abs(math.hypot(x, y) - 200.0) < 1.5e-3 for x, y in pin["points"])  # told in whole micrometres
    rocker = ask("picture.trace", FOUR_BAR, handle="closure:0:0")
    assert all(abs(math.hypot(x - 400.0, y) - 350.0) < 1.5e-3 for x, y in rocker["points"])
