"""`sistel demo`: its list, its names, and what it writes."""

from __future__ import annotations

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sistel
from sistel.cli._demos import DEMOS
from sistel.cli._gallery import entries

MODELS = Path(__file__).resolve().parents[3] / "models"


def test_list(run):
    for words in ([], ["--list"]):
        shown = run("demo", *words)
        assert shown.status == 0 and all(demo.name.en in shown.out and demo.about.en in shown.out for demo in DEMOS)
    russian = run("demo", "--lang", "ru").out
    assert all(demo.name.ru in russian and demo.about.ru in russian for demo in DEMOS)
    listed = run("demo", "--json").data["demos"]
    assert [row["name"] for row in listed] == [demo.name.en for demo in DEMOS]


def test_every_demo_has_its_file():
    known = {entry.name for entry in entries()}
    assert {demo.model for demo in DEMOS} <= known
    names = [name for demo in DEMOS for name in {*demo.names, demo.model}]
    assert len({*names}) == len(names)


@pytest.mark.parametrize("demo", DEMOS, ids=lambda demo: demo.name.en)
def test_quantities_of_demos_are_known(demo):
    from sistel.model import read_quantity

    (path,) = [entry.path for entry in entries() if entry.name == demo.model]
    model = sistel.load(path).model
    for text in (*demo.quantities, *(f"x({name})" for name in demo.ways)):
        read_quantity(model, text)
    assert {*demo.inputs} <= {each.name for scheme in model.schemes for each in scheme.inputs}


@pytest.mark.parametrize(
    ("name", "lang", "said"),
    [
        ("compass", "en", ["What to look at", "on the left → on the right", "written: "]),
        ("Циркуль", "ru", ["На что смотреть", "on the left → on the right", "записано: "]),
        ("compass_walker", "en", ["compass walker"]),
    ],
)
def test_demo(run, tmp_path: Path, name: str, lang: str, said: list[str]):
    result = run("demo", name, "--lang", lang, "-o", tmp_path / "a" / "b")
    assert result.status == 0 and all(words in result.out + result.err for words in said)
    ElementTree.parse(tmp_path / "a" / "b" / "compass_walker.svg")
    with (tmp_path / "a" / "b" / "compass_walker.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = sistel.load(MODELS / "compass_walker.xml").simulate(5.0)
    assert len(rows) == 1001 and float(rows[-1]["t"]) == 5.0
    assert float(rows[500]["hip.x"]) == found(float(rows[500]["t"]))[0][0]


def test_folders(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    data = run("demo", "break", "--json").data
    assert data["outputs"] == ["demo-break/breaking_pendulum.svg", "demo-break/breaking_pendulum.csv"]
    assert all(Path(path).stat().st_size > 1000 for path in data["outputs"])
    (tmp_path / "file").write_text("")
    refused = run("demo", "break", "-o", tmp_path / "file")
    assert refused.status == 1 and "Traceback" not in refused.err


def test_unknown_names(run):
    result = run("demo", "compas")
    assert result.status == 2 and 'did you mean "compass"?' in result.err
