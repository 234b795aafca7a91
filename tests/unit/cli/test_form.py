"""`sistel form`."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
PENDULUM = MODELS / "pendulum.xml"


def test_fields_as_data_and_as_tables(run) -> None:
    data = run("form", PENDULUM, "--json").data
    assert data["name"] == "pendulum" and data["left"] == []
    rod = data["fields"][2]
    assert (rod["name"], rod["written"], rod["unit"], rod["min"]) == ("rod", "90", "deg", None)
    assert rod["value"] == pytest.approx(math.pi / 2) and rod["place"] == {"line": 15, "column": 15}
    line = PENDULUM.read_text(encoding="utf-8").splitlines()[14]
    assert line[14:].startswith("90 deg")
    told = run("form", PENDULUM, "--lang", "ru").out
    assert "Начальные данные" in told and "90 град" in told and "0.1 … 10" in told


def test_forms_go_where_they_are_asked_for(run, tmp_path: Path) -> None:
    assert ElementTree.fromstring(run("form", PENDULUM, "-o", "-").out).tag == "{http://www.w3.org/1999/xhtml}html"
    for name in ("form.xhtml", "form.html"):
        run("form", PENDULUM, "-o", tmp_path / name)
        assert (tmp_path / name).stat().st_size > 5000
    assert "parameters of included files have no field" in run("form", MODELS / "two_legs.xml", "--lang", "en").err


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        ((PENDULUM, "-o", "form.doc"), 2, "no form is written"),
        ((PENDULUM, "-o", "form"), 2, "no form is written"),
        ((MODELS / "arm5.urdf",), 1, "no XsysTel"),
        (("nothing.xml",), 1, "there is no file"),
    ],
)
def test_what_cannot_be_done_is_said(run, words: tuple[object, ...], status: int, told: str) -> None:
    done = run("form", *words, "--lang", "en")
    assert (done.status, told in done.err) == (status, True)
