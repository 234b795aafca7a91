"""How a call is understood, and what is said to a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sistel
from sistel.cli._commands import COMMANDS
from sistel.errors import Language

NAMES = [command.name for command in COMMANDS]


def test_without_words_help_is_shown(run):
    assert run().out == run("--help").out
    assert run().status == 0


@pytest.mark.parametrize("words", [["--version"], ["-V"], ["show", "--version"], ["--lang", "ru", "--version"]])
def test_version(run, words):
    assert run(*words).out == f"sistel {sistel.__version__}\n"


def test_version_as_data(run):
    assert run("--version", "--json").data == {"version": sistel.__version__}


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", NAMES)
def test_every_command_explains_itself(run, name: str, lang: Language):
    before, after = run("--lang", lang, name, "--help"), run(name, f"--lang={lang}", "-h")
    assert (before.status, before.err) == (0, "")
    assert before.out == after.out
    assert f"sistel {name}" in before.out
    assert ("вызов:" if lang == "ru" else "usage:") in before.out
    assert "--json" in before.out
    assert max(len(line) for line in before.out.splitlines()) <= 100
    if lang == "ru":
        assert not {"usage", "options", "arguments", "examples", "commands"} & set(before.out.replace(":", " ").split())


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_program_help(run, lang: Language):
    text = run("--help", "--lang", lang).out
    assert all(f"  {name} " in text for name in NAMES)
    assert ("команды:" if lang == "ru" else "commands:") in text


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_help_fits_the_terminal(run, columns: int):
    for name in NAMES:
        text = run(name, "--help", columns=columns).out
        # A word that is wider than the page stays whole: it is there to be copied.
        assert all(len(line) <= columns or len(line.split()) <= 8 for line in text.splitlines())


def test_help_as_data(run):
    data = run("--help", "--json").data
    assert [command["name"] for command in data["commands"]] == NAMES
    assert run("show", "--help", "--json").data["name"] == "show"


def test_language_comes_from_the_locale(run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert "вызов:" in run("--help").out
    assert "usage:" in run("--help", "--lang", "en").out


WRONG = [
    (["shwo"], "unknown-command", "show"),
    (["help"], "unknown-command", "--help"),
    (["model.xml"], "unknown-command", "sistel show model.xml"),
    (["show", "x.xml", "--grap"], "unknown-option", "--graph"),
    (["--grap", "show"], "unknown-option", "after its name"),
    (["show", "a\0b"], "bad-word", ""),
    (["-x"], "unknown-option", ""),
    (["show"], "missing-argument", ""),
    (["show", "a", "b"], "surplus-argument", "quotes"),
    (["show", "a", "--structure"], "missing-value", ""),
    (["show", "a", "--structure", "--debug"], "missing-value", ""),
    (["show", "a", "--graph=yes"], "surplus-value", ""),
    (["show", "a", "--base", "fre"], "unknown-choice", "free"),
    (["--lang", "de", "show"], "unknown-choice", ""),
    (["--lang"], "missing-value", ""),
    (["completion", "basch"], "unknown-choice", "bash"),
    (["completion"], "missing-argument", ""),
    (["schema", "--xsd", "--reference"], "exclusive-options", ""),
    (["convert", "a.xml"], "missing-argument", ""),
    (["convert", "a.xml", "b.txt"], "unknown-format", "--to"),
    (["convert", "a.xml", "b"], "unknown-format", "--to"),
    (["new", "pendulun"], "unknown-template", "pendulum"),
    (["show", "two.urdf", "--lock", "elbow=far"], "not-a-number", ""),
    (["show", "changing.xml", "--structure", "aproach"], "unknown-name", "approach"),
]


@pytest.mark.parametrize(("words", "code", "hint"), WRONG)
def test_wrong_calls(run, files: Path, words: list[str], code: str, hint: str):
    plain = run(*words)
    assert plain.status == 2
    assert plain.out == ""
    assert plain.err.startswith("error: ")
    assert hint in plain.err
    as_json = run("--json", *words)
    assert as_json.status == 2
    (diagnostic,) = as_json.data["diagnostics"]
    assert diagnostic["code"] == code


@pytest.mark.parametrize(("words", "code", "hint"), WRONG)
def test_wrong_calls_are_answered_in_russian(run, files: Path, words: list[str], code: str, hint: str):
    result = run("--lang=ru", *words) if "--lang" not in words else run(*words)
    assert result.status == 2
    if "--lang" not in words:
        assert result.err.startswith("ошибка: ")
        assert "usage" not in result.err and "error" not in result.err


def test_common_options_stand_anywhere(run, files: Path):
    texts = {
        run("--json", "--lang", "ru", "show", "spatial.xml").out,
        run("show", "--json", "spatial.xml", "--lang=ru").out,
        run("--lang", "ru", "show", "spatial.xml", "--json").out,
    }
    assert len(texts) == 1
    assert json.loads(texts.pop())["name"] == "рука"


def test_two_hyphens_end_the_options(run, files: Path):
    (files / "--odd.xml").write_text((files / "spatial.xml").read_text(encoding="utf-8"), encoding="utf-8")
    assert run("show", "--", "--odd.xml").status == 0


def test_an_own_error_is_polite(run, monkeypatch: pytest.MonkeyPatch):
    import sistel.cli.schema

    def fail(*_: object) -> int:
        raise KeyError("shank2")

    monkeypatch.setattr(sistel.cli.schema, "run", fail)
    result = run("schema")
    assert result.status == 70
    assert "Traceback" not in result.err
    assert "--debug" in result.err
    assert "Traceback" in run("schema", "--debug").err
    assert run("schema", "--json").data["diagnostics"][0]["code"] == "own-error"


def test_unexpected_trouble_with_files_is_a_message(run, monkeypatch: pytest.MonkeyPatch):
    import sistel.cli.schema

    def fail(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(sistel.cli.schema, "run", fail)
    result = run("schema")
    assert (result.status, result.out) == (1, "")
    assert "Input/output error" in result.err
