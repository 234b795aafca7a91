"""The smaller commands: new, models, schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sistel
from sistel.cli import _gallery
from sistel.cli._templates import STARTER
from sistel.errors import Language


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_starter_explains_itself_and_loads(run, files: Path, lang: Language):
    result = run("new", "empty", "mine.xml", "--lang", lang)
    assert (result.status, result.out) == (0, "")
    assert "sistel show mine.xml" in result.err
    assert (files / "mine.xml").read_text(encoding="utf-8") == STARTER.say(lang)
    assert sistel.load("mine.xml").dof() == 1


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_what_the_starter_suggests_works(lang: Language):
    """The examples in its comments are themselves right."""
    text = STARTER.say(lang)
    start = text.index("<links>" if lang == "en" else "<связи>")
    end = text.index("</links>" if lang == "en" else "</связи>") + len("</links>")
    inner = text.index('<body name="forearm"' if lang == "en" else '<тело имя="предплечье"')
    whole = text[: text.rindex("<!--", 0, inner)] + text[inner : text.index("/>", inner) + 2]
    whole += text[text.index("-->", inner) + 3 : text.rindex("<!--", 0, start)] + text[start:end]
    whole += text[text.index("-->", end) + 3 :]
    system = sistel.parse(whole)
    assert len(system.bodies) == 2 and len(system.structures) == 2 and system.diagnostics == ()


def test_an_existing_file_is_not_touched(run, files: Path):
    before = (files / "changing.xml").read_bytes()
    result = run("new", "empty", "changing.xml")
    assert result.status == 1
    assert "already" in result.err and "hint" in result.err
    assert (files / "changing.xml").read_bytes() == before
    assert run("new", "empty", "changing.xml", "--json").data["diagnostics"][0]["code"] == "file-exists"
    (files / "dangling.xml").symlink_to("nowhere.xml")
    assert run("new", "empty", "dangling.xml").status == 1


def test_folders_that_are_not_there(run, files: Path):
    result = run("new", "empty", "nowhere/mine.xml")
    assert (result.status, result.out) == (1, "")
    assert "cannot be written" in result.err


def test_templates(run, files: Path):
    names = [row["name"] for row in run("new", "--json").data["templates"]]
    assert names[0] == "empty"
    assert [line.split()[0] for line in run("new").out.splitlines()] == names
    for name in names:
        assert run("new", name, "--lang", "ru").status == 0
        assert "<системател" in (files / f"{name}.xml").read_text(encoding="utf-8").casefold()
        assert run("check", f"{name}.xml", "--reading").status == 0
    assert run("new", "empty", "-").out == STARTER.en
    assert run("new", "empty", "-", "--json").data["text"] == STARTER.en
    assert run("new", "empty", "other.xml", "--json").data == {"template": "empty", "file": "other.xml"}


def test_models(run):
    result, data = run("models"), run("models", "--json").data
    names = [row["name"] for row in data["models"]]
    assert len(names) == len(_gallery.entries())
    assert len(result.out.splitlines()) == len(names) + 2
    assert all(row["class"] and row["dof"] and row["about"] for row in data["models"])
    assert max(map(len, result.out.splitlines())) <= 100


def test_no_gallery_is_no_trouble(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_gallery, "folder", lambda: None)
    assert (run("models").status, run("models").out) == (0, "")
    assert run("models", "--json").data == {"models": []}
    assert [row["name"] for row in run("new", "--json").data["templates"]] == ["empty"]
    assert run("new", "pendulum").status == 2


def test_a_wrong_model_of_the_gallery_is_listed(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_gallery, "folder", lambda: files)
    rows = {row["name"]: row for row in run("models", "--json").data["models"]}
    assert rows["broken"]["class"] is None
    assert "—" in run("models").out


def test_schema(run):
    assert "schema" in run("schema").out
    assert run("schema").out == run("schema", "--xsd").out
    assert run("schema", "--json").data["text"].rstrip() == run("schema").out.rstrip()
    english, russian = (run("schema", "--reference", "--lang", lang).out for lang in ("en", "ru"))
    assert "#" in english and english != russian
    assert isinstance(json.loads(run("schema", "--completions").out), dict)
    assert run("schema", "--completions", "--json").out == run("schema", "--completions").out
