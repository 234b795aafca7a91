"""Whatever is given instead of a model, the answer is a message, never a traceback."""

from __future__ import annotations

import builtins
import io
import json
from pathlib import Path

import pytest

COMMANDS = {
    "show": ["show"],
    "graph": ["show", "--graph"],
    "check": ["check"],
    "convert": ["convert", "--to", "urdf", "--canonical"],
}

CONTENTS = {
    "empty": b"",
    "blanks": b" \n\t",
    "binary": bytes(range(256)) * 40,
    "zeros": b"\0" * 5000,
    "text": b"just some words",
    "json": b'{"a": 1}',
    "html": b"<!doctype html><html></html>",
    "cut": b'<system name="a"><body name="b"',
    "crossed": b"<system><body></system></body>",
    "not utf-8": b'<system name="\xff\xfe\x80"/>',
    "wrong encoding": b'<?xml version="1.0" encoding="klingon"?><system/>',
    "utf-16 without its half": b"\xff\xfe<\0s",
    "entities": b'<!DOCTYPE a [<!ENTITY x "y">]><system name="&x;"/>',
    "deep": b"<system>" + b"<body>" * 3000,
    "no bodies": b"<system/>",
    "robot": b"<robot/>",
    "mujoco": b"<mujoco/>",
    "nonsense": b'<system><body mass="((((" joint="???" com="1,,2"/></system>',
    "missing inclusion": b'<system><include file="nowhere.xml" prefix="p"/></system>',
    "itself": b'<system><include file="input.xml" prefix="p"/></system>',
    "huge number": b'<system><body name="a" mass="1e999" com="1/0, 0"/></system>',
}


def words(command: str, path: str, target: Path) -> list[str]:
    given = [*COMMANDS[command], path]
    return [*given, str(target / "out.urdf")] if command == "convert" else given


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CONTENTS)
def test_contents(run, files: Path, command: str, name: str):
    (files / "input.xml").write_bytes(CONTENTS[name])
    for lang in ("en", "ru"):
        result = run(*words(command, "input.xml", files), "--lang", lang)
        assert result.status == 1, result.err
        assert ("error: " if lang == "en" else "ошибка: ") in result.err
        assert "Traceback" not in result.err
        assert "error: " not in result.err or lang == "en"
    data = run(*words(command, "input.xml", files), "--json").data
    assert any(item["severity"] == "error" for item in data["diagnostics"])
    assert not (files / "out.urdf").exists()


PATHS = ["nowhere.xml", "nowhere/at/all.xml", ".", "", "x" * 5000, "\udcff.xml", "a\x1b[31mb", "/dev/null", "~"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("path", PATHS, ids=[repr(path[:20]) for path in PATHS])
def test_paths(run, files: Path, command: str, path: str):
    result = run(*words(command, path, files))
    assert result.status == 1, result
    assert "error: " in result.err and "Traceback" not in result.err
    assert "\x1b" not in result.err + result.out
    as_json = run(*words(command, path, files), "--json")
    assert as_json.status == 1
    assert json.loads(as_json.out)["diagnostics"]


def test_files_that_may_not_be_read(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    real = builtins.open

    def guarded(file: object, *arguments: object, **options: object) -> object:
        if str(file).endswith("changing.xml"):
            raise PermissionError(13, "Permission denied", str(file))
        return real(file, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(builtins, "open", guarded)
    for command in COMMANDS:
        result = run(*words(command, "changing.xml", files), "--lang", "ru")
        assert result.status == 1
        assert "нет права читать" in result.err


def test_standard_input_that_is_not_there(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", None)
    result = run("show", "-")
    assert result.status == 1
    assert "standard input is closed" in result.err


def test_standard_input_that_breaks(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    result = run("check", "-")
    assert result.status == 1
    assert "Input/output error" in result.err


def test_empty_standard_input(run, files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    result = run("show", "-")
    assert result.status == 1
    assert "<stdin>" in result.err
