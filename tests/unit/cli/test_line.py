"""`sistel cell`, `sistel walk` and `sistel prototype`: what they write, and how they refuse."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sistel
from sistel.cli import main

MODELS = Path(__file__).resolve().parents[3] / "models"
TURNING = str(MODELS / "cells" / "turning.xml")
ALLOW = ("--allow", str(MODELS))
"""The robots of a cell are the gallery's own, and lie above it."""
QUADRUPED = str(MODELS / "shm_quadruped.xml")


@pytest.mark.parametrize(("lang", "words"), [("en", "cycle 41.15 s"), ("ru", "цикл 41.15 с")])
def test_a_cell_is_told(lang: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cell", TURNING, *ALLOW, "--lang", lang]) == 0
    said = capsys.readouterr().out
    assert words in said and "вал 2" in said


def test_what_a_cell_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chart, table, system = (tmp_path / name for name in ("chart.svg", "chart.csv", "system.xml"))
    assert main(["cell", TURNING, *ALLOW, "-o", str(chart), "-o", str(table), "-o", str(system), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    ElementTree.parse(chart)
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(found["bars"]) and float(rows[-1]["end, s"]) == pytest.approx(found["cycle"], abs=1e-6)
    made = sistel.load(system, allow=[MODELS])
    assert len(made.model.transitions) == 8 and made.model.start_structure == "all lie"


def test_a_table_in_the_place_of_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "list.csv"
    table.write_text("do,slot\ntake,З1\nput,Г1\n", encoding="utf-8")
    assert main(["cell", TURNING, *ALLOW, "--list", str(table), "--json"]) == 0
    assert [bar["what"] for bar in json.loads(capsys.readouterr().out)["bars"]] == ["take", "put"]
    table.write_text("do,slot\ntake,Г1\n", encoding="utf-8")
    assert main(["cell", TURNING, *ALLOW, "--list", str(table)]) == 1
    assert "list.csv:2:1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "status", "words"),
    [
        (["cell", "nothing.xml"], 1, "no file"),
        (["cell", TURNING, *ALLOW, "-o", "plan.doc"], 2, ".svg, .csv, .xml or .html"),
        (["cell", QUADRUPED], 1, "the root element"),
        (["cell", TURNING, *ALLOW, "--list", "nothing.csv"], 1, "nothing.csv"),
        (["walk", QUADRUPED, "--gait", "tripod"], 1, "no gait"),
        (["walk", QUADRUPED, "--gait", "gallop"], 2, "crawl"),
        (["walk", QUADRUPED, "--stride", "9 m"], 1, "out of reach"),
        (["walk", QUADRUPED, "--stride", "-1"], 2, "not possible"),
        (["walk", QUADRUPED, "--cycles", "1.5"], 2, "whole"),
        (["walk", QUADRUPED, "--cycle", "2 kg"], 2, "mass"),
        (["walk", str(MODELS / "pendulum.xml")], 1, "one free body"),
        (["walk", QUADRUPED, "-o", "x.doc"], 2, ".html"),
        (["prototype", "griper"], 2, "gripper"),
        (["prototype", "gripper", "-o", "x.doc"], 2, ".x3d or .html"),
    ],
)
def test_wrong_calls(call: list[str], status: int, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(call) == status
    said = capsys.readouterr().err
    assert words in said and "Traceback" not in said


def test_a_walk_is_told_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["walk", QUADRUPED, "--stride", "120 mm"]) == 0
    assert "least margin of stability" in capsys.readouterr().out
    scene, table, system = (tmp_path / name for name in ("walk.x3d", "walk.csv", "walk.xml"))
    assert main(["walk", QUADRUPED, "-o", str(scene), "-o", str(table), "-o", str(system), "--lang", "ru"]) == 0
    ElementTree.parse(scene)
    assert "перенос Л2" in table.read_text(encoding="utf-8")
    assert {structure.name for structure in sistel.load(system, allow=[MODELS]).model.structures} >= {
        "стоит",
        "перенос Л1",
    }
    # With motors the file has a table for them; simulated it is in tests of gaits.
    assert main(["walk", QUADRUPED, "--simulate", "-o", str(system)]) == 0
    driven = sistel.load(system, allow=[MODELS]).model
    assert len(driven.motions[0].rates) == 12 and driven.motions[0].kp is not None
    capsys.readouterr()
    assert main(["walk", str(MODELS / "shm_biped.xml"), "--simulate"]) == 2
    assert "feet that are points" in capsys.readouterr().err


def test_prototypes_are_listed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prototype", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"проСхват", "gripper"} <= set(found["prototypes"]) and len(found["scenes"]) == 18
    assert main(["prototype", "--all", str(tmp_path / "all"), "--lang", "ru"]) == 0
    assert (tmp_path / "all" / "проСхват.x3d").read_text(encoding="utf-8").count("<field ") >= 8
    capsys.readouterr()
    assert main(["prototype", "проСхват"]) == 0
    ElementTree.fromstring(capsys.readouterr().out.encode())
    page = tmp_path / "gripper.html"
    assert main(["prototype", "gripper", "-o", str(page)]) == 0
    assert 300_000 < page.stat().st_size < 2_500_000
    # The page of another prototype is that of the scene which shows it.
    for name, title in (("walker", "A walking machine"), ("проМР", "четыре вида рук"), ("body", "a screw")):
        assert main(["prototype", name, "-o", str(page)]) == 0
        assert title in page.read_text(encoding="utf-8").partition("</title>")[0]
