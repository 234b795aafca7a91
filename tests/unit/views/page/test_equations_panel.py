"""Equations in a page: every formula once and well-formed, both languages, short where they are long."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import sistel
from sistel.errors import Source
from sistel.formulas._mathml import MathmlSetter, relation_math
from sistel.formulas._sections import sections
from sistel.model import Model
from sistel.views.page._equations import WIDTH, equations_of
from sistel.views.page._kept_equations import kept_equations
from sistel.views.page._packed import packed

MODELS = Path(__file__).resolve().parents[4] / "models"


@cache
def model_of(name: str) -> Model:
    return sistel.load(MODELS / f"{name}.xml").model


@cache
def made(name: str) -> tuple[dict[str, Any], dict[str, Any], int]:
    data, text = equations_of(model_of(name))
    return data, json.loads(text), len(packed(data["id"], text))


def plain(formula: str) -> str:
    return formula.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


@pytest.mark.parametrize("name", ["cart_pendulum", "compass_walker", "four_bar", "arm5"])
def test_all_formulas_are_there_in_their_order(name: str) -> None:
    data, text, _ = made(name)
    assert data["shown"] and data["note"] is None
    system = sistel.load(MODELS / f"{name}.xml")
    equations = system.equations()
    parts, labels = sections(equations)
    setter = MathmlSetter({**equations.symbols, **labels})
    first = text["structures"][0]
    assert [part["key"] for part in first["sections"]] == [part.key for part in parts]
    for part, section in zip(parts, first["sections"], strict=True):
        expected = [plain(relation_math(relation, setter, WIDTH)) for relation in part.relations]
        assert [text["formulas"][i] for i in section["rows"]] == expected
    assert len(set(text["formulas"])) == len(text["formulas"])
    for formula in text["formulas"]:
        assert ElementTree.fromstring(formula).tag == "math"


def test_every_structure_is_there_where_that_is_short() -> None:
    data, text, _ = made("compass_walker")
    assert [each["name"] for each in text["structures"]] == ["on the left", "on the right"]
    assert [each["holds"] for each in text["structures"]] == [["L"], ["R"]]
    assert data["others"] is None
    # What the structures share is there once.
    left, right = (
        next(part["rows"] for part in each["sections"] if part["key"] == "mass") for each in text["structures"]
    )
    assert left == right
    data, text, _ = made("walker")
    assert (
        len(text["structures"]) == 1 and "--structure" in data["others"]["ru"] and "walker.xml" in data["others"]["ru"]
    )


def test_words_are_in_both_languages() -> None:
    _, text, _ = made("cart_pendulum")
    first = text["structures"][0]
    titles = [part["title"] for part in first["sections"]]
    assert {"en": "Equations of motion", "ru": "Уравнения движения"} in titles
    assert all(set(title) == {"en", "ru"} for title in titles)
    units = [symbol["unit"] for symbol in first["symbols"]]
    assert {"en": "kg", "ru": "кг"} in units


def test_operations_are_counted() -> None:
    data, _, _ = made("cart_pendulum")
    system = sistel.load(MODELS / "cart_pendulum.xml")
    count = system.equations().count("inverse_dynamics")
    assert data["counts"][0]["count"] == f"{count.multiplications} × · {count.additions} + · {count.sincos} sin, cos"


def test_what_is_long_is_told_in_short() -> None:
    data, text, _ = made("hexapod")
    assert not data["shown"] and text == {}
    assert "sistel equations hexapod.xml --to html" in data["note"]["en"]
    assert len(data["counts"]) == 3
    _, _, size = made("arm5")
    assert size < 20_000


def test_parameters_of_a_changed_system_stand_with_their_values() -> None:
    system = sistel.load(MODELS / "cart_pendulum.xml")
    name = system.model.parameters[0].name
    changed = system.with_parameters({name: 2.0 * system.model.parameters[0].value})
    _, text = equations_of(changed.model)
    values = {symbol["value"] for symbol in json.loads(text)["structures"][0]["symbols"]}
    assert f"{changed.model.parameters[0].value:.6g}" in values


def test_a_system_whose_text_is_lost_has_equations_in_numbers() -> None:
    model = model_of("cart_pendulum")
    lost = replace(model, span=replace(model.span, source=Source("<gone>", "<nothing/>")))
    data, text = equations_of(lost)
    assert data["shown"]
    first = json.loads(text)["structures"][0]
    assert [part["key"] for part in first["sections"]][:1] == ["motion"]
    assert len(first["symbols"]) < len(made("cart_pendulum")[1]["structures"][0]["symbols"])


def test_what_does_not_move_has_none() -> None:
    model = sistel.parse('<system name="post"><body name="post" joint="fixed" mass="1 kg"/></system>').model
    data, text = equations_of(model)
    assert not data["shown"] and text == "{}" and data["note"]["ru"].startswith("Здесь")


def test_what_was_written_is_kept_for_the_same_texts_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = (
        '<system name="s"><parameter name="a" value="100 mm"/>'
        '<body name="b" joint="revolute" mass="1" com="{}, 0" inertia="1e4"/></system>'
    )
    once = kept_equations(sistel.parse(text.format("a")).model)
    assert once == equations_of(sistel.parse(text.format("a")).model) and once[0]["shown"]

    def asked(model: Model) -> Any:
        raise AssertionError(model.name)

    monkeypatch.setattr("sistel.views.page._kept_equations.equations_of", asked)
    assert kept_equations(sistel.parse(text.format("a")).model) == once
    # The same numbers, and another letter in the formulas: nothing of it may come from the cache.
    with pytest.raises(AssertionError, match="s"):
        kept_equations(sistel.parse(text.format("100")).model)
    for stored in tmp_path.rglob("*.object"):
        stored.write_bytes(stored.read_bytes()[:-3])
    with pytest.raises(AssertionError, match="s"):
        kept_equations(sistel.parse(text.format("a")).model)
