"""Parameters as the studio lists and writes them."""

from pathlib import Path
from typing import Any

import pytest
from support.editing import after, ask, refused

from sistel import load
from sistel.units import unit_of

MODELS = Path(__file__).resolve().parents[3] / "models"
GALLERY = sorted(MODELS.glob("*.xml"))
TEXT = """<system name="a">
  <parameter name="l"  value="-200 mm" min="-0.5 m" max="0 m" about="of the arm"/> <!-- kept -->
  <parameter name='n' value=' 3 '/>
  <parameter name="s" value="2*n*1 cm"/>
  <body name="b" joint="revolute" mass="n*1 kg" com="l, s"/>
</system>
"""


def test_parameters_are_listed_in_the_units_of_their_author() -> None:
    rows = {row["name"]: row for row in ask("parameters.list", TEXT)}
    assert (rows["l"]["value"], rows["l"]["unit"], rows["l"]["written"]) == (-200.0, "mm", "-200 mm")
    assert (rows["l"]["low"], rows["l"]["high"], rows["l"]["about"]) == (-500.0, 0.0, "of the arm")
    assert (rows["n"]["value"], rows["n"]["unit"], rows["n"]["low"], rows["n"]["high"]) == (3.0, "", 0.75, 6.0)
    assert (rows["s"]["value"], rows["s"]["unit"], rows["s"]["formula"]) == (6.0, "cm", True)
    assert TEXT[rows["l"]["from"] : rows["l"]["to"]] == "-200 mm"


def test_a_value_is_written_in_the_place_of_its_digits_and_nothing_else_changes() -> None:
    written = after(TEXT, ask("parameters.write", TEXT, values={"l": -187.5, "n": 4}))
    assert written == TEXT.replace("-200 mm", "-187.5 mm").replace("' 3 '", "' 4 '")
    assert after(TEXT, ask("parameters.write", TEXT, name="s", value=7)) == TEXT.replace("2*n*1 cm", "7 cm")


@pytest.mark.parametrize(
    ("values", "code"), [({"q": 1}, "no-parameter"), ({"l": 1}, "beyond-limits"), ({"l": "2"}, "bad-parameter")]
)
def test_what_cannot_be_written_is_refused_with_a_reason(values: dict[str, Any], code: str) -> None:
    assert refused("parameters.write", TEXT, values=values)["code"] == code


@pytest.mark.parametrize("path", GALLERY, ids=lambda path: path.stem)
def test_all_parameters_of_the_gallery_have_the_values_of_the_model(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    rows = ask("parameters.list", text, path=str(path))
    system = load(path)
    known = {parameter.name: parameter.value for parameter in system.model.parameters}
    for row in rows:
        unit = unit_of(row["unit"]) if row["unit"] else None
        si = row["value"] if unit is None else unit.to_si(row["value"])
        assert si == pytest.approx(known[row["name"]], rel=5.01e-12, abs=1e-15), (
            row
        )  # values of formulas are shown with twelve digits
        assert row["low"] <= row["value"] <= row["high"]
    same = {row["name"]: row["value"] for row in rows if not row["formula"]}
    assert ask("parameters.write", text, path=str(path), values=same) == {"edits": []}
