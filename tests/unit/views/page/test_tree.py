"""The system itself in a page: bodies, structures, parameters, in both languages, plain JSON."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.structures import gallery

import sistel
from sistel.units import ANGLE, LENGTH
from sistel.views.page._tree import MOST_BODIES, parameters_of, tree_of

MODELS = Path(__file__).resolve().parents[4] / "models"


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.xml")), ids=lambda path: path.stem)
def test_every_system_has_its_panel(path: Path) -> None:
    model = gallery(path.stem).model
    data, text = tree_of(model)
    json.dumps(data, allow_nan=False)
    json.dumps(parameters_of(model), allow_nan=False)
    assert [(body["number"], body["name"], body["base"]) for body in data["bodies"]] == [
        (body.number, body.name, body.base) for body in model.bodies
    ]
    assert data["class"] == model.structure_class
    assert [row["name"] for row in data["structures"]] == [structure.name for structure in model.structures]
    assert sum(row["initial"] for row in data["structures"]) == 1
    assert [row["target"] for row in data["transitions"]] == [each.target for each in model.transitions]
    graphs = json.loads(text)
    assert bool(graphs) == data["graph"]
    for lang, graph in graphs.items():
        root = ElementTree.fromstring(graph)
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        # Two pictures in one page must not share names, nor bring colours that do not follow the page's theme.
        assert ids and all(name.startswith(f"model-{lang}-") for name in ids)
        used = set(re.findall(r"url\(#([^)]*)\)", graph))
        assert used <= set(ids) and "<style" not in graph
        assert len(
            [g for g in root.iter("{http://www.w3.org/2000/svg}rect") if "box" in (g.get("class") or "")]
        ) == len(model.structures)


def test_words_and_units_are_in_both_languages() -> None:
    data, _ = tree_of(sistel.load(MODELS / "compass_walker.xml").model)
    facts = {fact["word"]["en"]: fact["value"] for fact in data["facts"] if isinstance(fact["word"], dict)}
    assert facts["mass"] == {"en": "20 kg", "ru": "20 кг"} and facts["bodies"] == "3"
    assert data["classSaid"]["ru"] == "плоская система тел с изменяющейся структурой"
    assert data["bodies"][0]["joint"] == {"en": "prismatic2", "ru": "ПКП2"}
    details = {row["word"]["en"]: row["value"] for row in data["bodies"][1]["details"]}
    assert details["centre of mass"] == {"en": "0, 500 mm", "ru": "0, 500 мм"}
    condition = data["transitions"][0]["condition"]
    assert "gap(R)" in condition["en"] and "зазор(R)" in condition["ru"]
    assert [table["title"] for table in data["tables"]["ru"]] == ["Связи", "Начало"]


def test_parameters_are_in_si_with_the_units_of_people() -> None:
    model = sistel.load(MODELS / "compass_walker.xml").model
    rows = parameters_of(model)
    assert [row["name"] for row in rows] == [parameter.name for parameter in model.parameters]
    for row, parameter in zip(rows, model.parameters, strict=True):
        assert row["value"] == parameter.value
        scale = 1000.0 if parameter.dimension == LENGTH else 180 / math.pi if parameter.dimension == ANGLE else 1.0
        number = float(re.match(r"[-\d.e+]+", row["shown"] if isinstance(row["shown"], str) else row["shown"]["en"])[0])
        assert number == pytest.approx(parameter.value * scale, rel=1e-5)
    slope, length = rows[0], rows[1]
    assert slope["range"] == "0.57296° … 5.15662°"
    assert slope["min"] == 0.01 and length["min"] is None
    assert length["unit"] == {"en": "m", "ru": "м"} and length["shown"] == {"en": "1000 mm", "ru": "1000 мм"}


def test_sliders_count_in_the_units_of_the_author() -> None:
    text = (
        '<system name="s"><parameter name="a" value="12.5 cm"/><parameter name="b" unit="kN/m" value="3"/>'
        '<parameter name="c" value="-2e-1 rad"/><parameter name="d" value="2*a"/><parameter name="e" value="3 Н*м"/>'
        '<parameter name="f" value="a + 2 mm"/><parameter name="g" value="0.7"/><body name="x" mass="1"/></system>'
    )
    rows = {row["name"]: row for row in parameters_of(sistel.parse(text).model)}
    units = {name: (row["scale"], row["shownUnit"]) for name, row in rows.items()}
    assert units["a"] == (100.0, {"en": "cm", "ru": "см"})
    assert units["b"] == (1e-3, {"en": "kN/m", "ru": "кН/м"})
    assert units["c"] == (1.0, {"en": "rad", "ru": "рад"})
    assert units["e"] == (1.0, {"en": "N*m", "ru": "Н*м"})
    # A formula has no unit of its own: that which people expect.
    assert units["d"] == units["f"] == (1000.0, {"en": "mm", "ru": "мм"})
    assert units["g"] == (1.0, "")


def test_many_bodies_are_listed_in_part() -> None:
    count = MOST_BODIES + 5
    text = '<system name="many">' + '<body joint="revolute" mass="1"/>' * count + "</system>"
    data, _ = tree_of(sistel.parse(text).model)
    assert len(data["bodies"]) == MOST_BODIES and data["hidden"] == 5
