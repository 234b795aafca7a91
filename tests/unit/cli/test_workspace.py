"""`sistel workspace`."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
SCARA = MODELS / "scara.xml"
QUICK = ("--resolution", "30", "--no-volume")


def test_numbers_of_an_arm(run) -> None:
    result = run("workspace", SCARA, *QUICK, "--lang", "en")
    assert result.status == 0 and "600" in result.out and "предплечье = 0°" in result.out and "volume" not in result.out
    data = run("workspace", SCARA, *QUICK, "--section", "xy", "--map", "manipulability", "--json").data
    assert data["frame"] == "инструмент" and data["plane"]["up"] == [0.0, 1.0, 0.0] and data["volume"] is None
    assert np.abs(np.array(data["box"][1]) - [0.6, 0.6, 0.307]).max() < 1e-9
    # The best is a right angle of the elbow; a grid has points near it.
    assert data["map"]["unit"] == "m³" and 0.99 < data["map"]["best"] / (0.325 * 0.275) <= 1.0
    points = np.array(data["singular"][0]["points"])
    assert np.abs(np.linalg.norm(points, axis=1) - 0.6).max() < 1e-8


def test_pictures(run, tmp_path: Path) -> None:
    names = [tmp_path / f"a{end}" for end in (".svg", ".html", ".csv", ".npz")]
    words = [word for name in names for word in ("-o", name)]
    result = run("workspace", SCARA, *QUICK, "--map", "capacity", "--lang", "ru", "--title", "СКАРА & рядом", *words)
    assert result.status == 0 and "масса" in result.out and result.err.count("записано") == 4
    root = ET.parse(names[0]).getroot()
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0] == "СКАРА & рядом" and "кг" in texts and "x, мм" in texts
    assert all(name.stat().st_size > 1000 for name in names)
    other = run("workspace", SCARA, *QUICK, "--normal", "1,1,0", "--through", "0,0,0", "-o", tmp_path / "b.svg")
    assert other.status == 0 and 'class="reached"' in (tmp_path / "b.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-o", "a.gif"), "a.gif"),
        (("--section", "xw"), "xw"),
        (("--normal", "1,0,0"), "--through"),
        (("--through", "1,0"), "cannot be"),
        (("--through", "a,b,c"), "cannot be"),
        (("--at", "1,2"), "4 coordinates"),
        (("--resolution", "x"), "cannot be"),
        (("--resolution", "3"), "resolution"),
        (("--frame", "hnd"), "hnd"),
        (("--map", "capacity", "--force", "elbow"), "cannot be"),
        (("--force", "плечо=4"), "--map capacity"),
        (("--map", "capacity", "--kind", "smallest"), "--map manipulability"),
        (("--map", "capacity", "--force", "elbow=4"), "elbow"),
        (("-o", "/nowhere/at/all.svg"), "written"),
    ],
)
def test_wrong_calls(run, words: tuple[str, ...], said: str) -> None:
    result = run("workspace", SCARA, "--resolution", "12", "--no-volume", *words)
    assert result.status == 2 and said in result.err and result.out == "", result.err


def test_limits_that_are_given(run) -> None:
    words = ("workspace", MODELS / "arm5.xml", "--resolution", "14", "--no-volume", "--map", "capacity", "--json")
    assert run(*words).status == 2  # the file has none
    data = run(*words, "--force", "плечо=20").data
    assert math.isfinite(data["map"]["best"]) and data["map"]["best"] > 0.0
