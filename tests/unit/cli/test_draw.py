"""`sistel draw`: formats, states, options, and what it says when something is missing."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sistel
from sistel.views.schemes import stylesheet

ARM = """<system name="arm"><body name="upper" joint="revolute" mass="1" com="150,0" inertia="0.01">
<body name="lower" joint="revolute" place="300,0" mass="1" com="100,0" inertia="0.01"/></body>
<posture name="up" upper="-90"/></system>"""


@pytest.fixture
def arm(tmp_path: Path) -> str:
    file = tmp_path / "arm.xml"
    file.write_text(ARM, encoding="utf-8")
    return str(file)


def test_standard_output_is_the_scheme(run, arm: str):
    assert run("draw", arm).out == str(sistel.load(arm).scheme())
    assert run("draw", arm, "-o", "-", "--at", "up").out == str(sistel.load(arm).scheme("up"))


def test_files(run, arm: str, tmp_path: Path):
    picture = tmp_path / "arm.svg"
    assert "arm.svg" in run("draw", arm, "-o", str(picture), "--labels", "names", "--arrows", "--centres").err
    expected = sistel.load(arm).scheme(labels="names", arrows=True, centres=True)
    assert picture.read_text(encoding="utf-8") == str(expected)


def test_dimensions(run, arm: str):
    assert run("draw", arm, "--dimensions").out == str(sistel.load(arm).scheme(dimensions=True))
    assert run("draw", arm, "--dimensions").out.count('class="dimension"') == 1
    assert "размерные линии" in run("draw", "--help", "--lang", "ru").out


def test_coordinates(run, arm: str):
    bent = sistel.load(arm).scheme({"lower": 0.5})
    for state in ("lower=0.5", " lower = 0.5 rad , upper=0", "lower=28.64788975654116 deg"):
        assert run("draw", arm, "--at", state).out == str(bent)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--at", "down"), 'there is no posture "down"'),
        (("--at", "elbow=1"), 'there is no coordinate "elbow"'),
        (("--at", "lower=1 kg"), "a mass"),
        (("--at", "lower="), "--at"),
        (("-o", "arm.bmp"), "arm.bmp"),
        (("--labels", "letters"), "letters"),
    ],
)
def test_wrong_calls(run, arm: str, words: tuple[str, ...], said: str):
    found = run("draw", arm, *words)
    assert found.status == 2
    assert said in found.err
    assert found.out == ""


def test_json(run, arm: str):
    data = json.loads(run("draw", arm, "--json").out)
    assert data["name"] == "arm"
    assert ElementTree.fromstring(data["text"]).tag.endswith("svg")


def test_stylesheet(run, arm: str):
    assert run("draw", arm, "--stylesheet").out == stylesheet()
    # It is the same for every system.
    assert run("draw", "--stylesheet").out == stylesheet()
    sheet = Path(arm).with_name("scheme.xsl")
    assert run("draw", "--stylesheet", "-o", str(sheet)).status == 0
    assert sheet.read_text(encoding="utf-8") == stylesheet()
    assert json.loads(run("draw", "--stylesheet", "--json").out)["text"] == stylesheet()
    missing = run("draw", "--lang", "en")
    assert missing.status == 2 and "FILE is missing" in missing.err


def test_no_browser(run, arm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    found = run("draw", arm, "-o", str(tmp_path / "arm.png"))
    assert found.status == 1
    assert "Chromium" in found.err and ".svg" in found.err
    assert not (tmp_path / "arm.png").exists()


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
def test_pictures(run, arm: str, tmp_path: Path):
    png, pdf = tmp_path / "arm.png", tmp_path / "arm.pdf"
    run("draw", arm, "-o", str(png))
    data = png.read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    size = ElementTree.fromstring(str(sistel.load(arm).scheme()))
    wide, high = struct.unpack(">II", data[16:24])
    # Two pixels of the picture for each of the scheme, whole pixels.
    assert abs(wide - 2 * float(size.get("width", ""))) <= 1
    assert abs(high - 2 * float(size.get("height", ""))) <= 1
    run("draw", arm, "-o", str(pdf), "--print")
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert pdf.read_bytes().count(b"/Type /Page\n") == 1


def test_canonical_text_has_the_drawing(run, arm: str):
    text = run("convert", arm, "-", "--canonical").out
    assert "<drawing " in text and text == sistel.load(arm).to_xml(drawing=True)
    assert "<drawing " not in sistel.load(arm).to_xml()


def test_pages_and_scenes(run, arm: str, tmp_path: Path):
    for words, first in (
        (("-o", "arm.html"), "<!doctype html>"),
        (("-o", "arm.html", "--until", "100ms", "-p", "m=2"), "<!doctype html>"),
        (("-o", "arm.x3d"), "<?xml"),
        (("-o", "arm.x3d", "--until", "0.1"), "<?xml"),
        (("-o", "arm.svg", "--until", "0.1", "--trail", "lower", "--css"), "<"),
    ):
        target = tmp_path / words[1]
        Path(arm).write_text(ARM.replace("<body", '<parameter name="m" value="1 kg"/><body', 1), encoding="utf-8")
        found = run("draw", arm, "-o", str(target), *words[2:])
        assert found.status == 0, found.err
        assert target.read_text(encoding="utf-8").startswith(first)
        assert target.name in found.err
        target.unlink()


def test_a_page_in_russian(run, arm: str, tmp_path: Path):
    page = tmp_path / "arm.html"
    run("draw", arm, "-o", str(page), "--lang", "ru")
    assert '<html lang="ru">' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--until", "1", "-o", "arm.png"), "does not move"),
        (("--until", "soon", "-o", "arm.svg"), "--until"),
        (("--css", "-o", "arm.svg"), "--until"),
        (("--trail", "lower", "-o", "arm.svg"), "--until"),
        (("--trail", "nobody", "--until", "0.1", "-o", "arm.svg"), "nobody"),
        (("--viewer", "vrml", "-o", "arm.html"), "vrml"),
        (("-p", "mass=1", "-o", "arm.html"), "mass"),
    ],
)
def test_wrong_calls_of_motion(run, arm: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words, said: str):
    monkeypatch.chdir(tmp_path)
    found = run("draw", arm, *words)
    assert found.status == 2
    assert said in found.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.xml"]


def test_a_scene_as_a_page(run, arm: str, tmp_path: Path):
    scene, page = tmp_path / "arm.x3d", tmp_path / "page.html"
    run("draw", arm, "-o", str(scene))
    for viewer in ("x_ite", "x3dom"):
        assert run("draw", str(scene), "-o", str(page), "--viewer", viewer).status == 0
        assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert run("draw", str(scene), "-o", str(tmp_path / "arm.svg")).status == 2
    assert run("draw", str(tmp_path / "none.x3d"), "-o", str(page)).status == 1


def test_a_page_that_cannot_be_written_changes_nothing(run, arm: str, tmp_path: Path):
    found = run("draw", arm, "-o", str(tmp_path / "nowhere" / "arm.html"))
    assert found.status == 1
    assert "arm.html" in found.err
    assert not (tmp_path / "nowhere").exists()
