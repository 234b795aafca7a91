"""The smaller commands: check, new, models, schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sistel
from sistel.cli import _gallery, check
from sistel.cli._templates import STARTER
from sistel.errors import Language


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_check_of_a_right_file(run, files: Path, lang: Language):
    result = run("check", "changing.xml", "--lang", lang)
    assert (result.status, result.err) == (0, "")
    assert result.out.count("✓") == 9
    data = run("check", "changing.xml", "--json").data
    assert data["right"] is True
    assert {row["state"] for row in data["checks"]} == {"passed"}


def test_check_of_a_wrong_file(run, files: Path):
    result = run("check", "broken.xml")
    assert result.status == 1
    assert "broken.xml:2:" in result.err
    assert "✗ words" in result.out
    data = run("check", "broken.xml", "--json").data
    assert data["right"] is False
    states = {row["key"]: row["state"] for row in data["checks"]}
    assert states["xml"] == "passed" and states["words"] == "failed"
    assert len(data["diagnostics"]) >= 2


WRONG = {
    "names": '<system><body name="a" mass="1" com="1,0"/><links><lock name="l" of="b"/></links></system>',
    "dimensions": '<system><body name="a" mass="1 mm" com="1,0"/></system>',
    "tree": '<system><body name="a" base="b" mass="1"/><body name="b" base="a" mass="1"/></system>',
    "masses": '<system space="spatial"><body name="a" mass="1" inertia="1, 1, 9"/></system>',
    "values": '<system><body name="a" joint="revolute" mass="1" com="1,0" min="5" max="1"/></system>',
}


@pytest.mark.parametrize("key", WRONG)
def test_check_says_what_is_wrong(run, files: Path, key: str):
    (files / "wrong.xml").write_text(WRONG[key])
    data = run("check", "wrong.xml", "--json").data
    states = {row["key"]: row["state"] for row in data["checks"]}
    assert states[key] in ("failed", "warned"), data
    assert states["xml"] == "passed"


def test_check_warns(run, files: Path):
    (files / "warned.xml").write_text('<system class="closed chain"><body name="a" mass="1" com="1,0"/></system>')
    result = run("check", "warned.xml")
    assert result.status == 0
    assert "! classes" in result.out
    assert "warning" in result.err


@pytest.mark.parametrize(("text", "failed"), [("", "file"), ("<system><body", "xml"), ("<html/>", "words")])
def test_check_stops_where_it_must(run, files: Path, text: str, failed: str):
    (files / "bad.xml").write_text(text)
    rows = run("check", "bad.xml", "--json").data["checks"]
    states = [row["state"] for row in rows]
    assert next(row["key"] for row in rows if row["state"] == "failed") == failed
    assert len(states) == 9
    # The reader of XML mends what it can, so that the words are looked at as well.
    assert failed == "xml" or set(states[states.index("failed") + 1 :]) == {"skipped"}


def test_checks_claim_different_codes():
    claimed = [code for row in check.BUILDING for code in row.codes]
    assert len(claimed) == len(set(claimed))


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
        assert run("check", f"{name}.xml").status == 0
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
