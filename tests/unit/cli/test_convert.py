"""Formats and words."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel


def test_only_words_change(run, files: Path):
    text = "<!-- kept -->\n" + (files / "changing.xml").read_text(encoding="utf-8")
    (files / "in.xml").write_text(text, encoding="utf-8")
    result = run("convert", "in.xml", "out.xml", "--lang", "ru")
    assert (result.status, result.out) == (0, "")
    written = (files / "out.xml").read_text(encoding="utf-8")
    assert written.startswith("<!-- kept -->\n<системаТел имя=")
    assert written.count("\n") == text.count("\n")
    assert sistel.load("out.xml").fingerprint == sistel.load("in.xml").fingerprint
    assert run("convert", "out.xml", "back.xml", "--lang", "en").status == 0
    assert sistel.load("back.xml").fingerprint == sistel.load("in.xml").fingerprint


def test_nothing_asked_is_a_copy(run, files: Path):
    result = run("convert", "changing.xml", "copy.xml")
    assert result.status == 0
    assert "copied" in result.err
    assert (files / "copy.xml").read_bytes() == (files / "changing.xml").read_bytes()


def test_a_copy_is_utf8(run, files: Path):
    text = (files / "spatial.xml").read_text(encoding="utf-8")
    old = f'<?xml version="1.0" encoding="windows-1251"?>\n{text}'
    (files / "old.xml").write_text(old, encoding="cp1251")
    assert run("convert", "old.xml", "new.xml").status == 0
    new = (files / "new.xml").read_text(encoding="utf-8")
    assert 'encoding="UTF-8"' in new and "колонна" in new


def test_canonical_keeps_the_language(run, files: Path):
    text = run("convert", "spatial.xml", "-", "--canonical").out
    assert "<системаТел" in text
    assert "<system " in run("convert", "spatial.xml", "-", "--canonical", "--lang", "en").out
    assert sistel.parse(text).fingerprint == sistel.load("spatial.xml").fingerprint


@pytest.mark.parametrize("suffix", ["urdf", "mjcf"])
def test_other_formats_and_their_losses(run, files: Path, suffix: str):
    result = run("convert", "changing.xml", f"out.{suffix}")
    assert result.status == 0
    assert 'dropped: structure "approach"' in result.err
    assert "not the same: " in result.err
    assert sistel.load(f"out.{suffix}").nv >= 1
    data = run("convert", "changing.xml", f"again.{suffix}", "--json", "--lang", "ru").data
    assert data["format"] == suffix
    assert {"dropped"} <= {loss["kind"] for loss in data["losses"]}
    assert any("структура" in loss["what"] for loss in data["losses"])


def test_foreign_to_xsystel(run, files: Path):
    assert "<system " in run("convert", "two.urdf", "-").out
    assert "<системаТел " in run("convert", "two.urdf", "-", "--lang", "ru").out
    assert 'joint="free"' in run("convert", "two.urdf", "-", "--base", "free").out
    data = run("convert", "two.urdf", "-", "--json").data
    assert sistel.parse(data["text"]).nv == 1


def test_format_can_be_named(run, files: Path):
    assert run("convert", "two.urdf", "out.xml", "--to", "mjcf").status == 0
    assert "<mujoco" in (files / "out.xml").read_text(encoding="utf-8")
    assert run("convert", "two.urdf", "-", "--to", "urdf").out.lstrip().startswith("<")


def test_a_file_is_not_replaced_by_itself(run, files: Path):
    result = run("convert", "changing.xml", "./changing.xml", "--lang", "ru")
    assert result.status == 2
    assert "--force" in result.err
    assert "<system" in (files / "changing.xml").read_text(encoding="utf-8")
    assert run("convert", "changing.xml", "changing.xml", "--lang", "ru", "--force").status == 0
    assert "<системаТел" in (files / "changing.xml").read_text(encoding="utf-8")


def test_paths_that_stay_behind(run, files: Path):
    (files / "sub").mkdir()
    (files / "part.xml").write_text('<system><body name="b" mass="1" com="1,0"/></system>')
    (files / "whole.xml").write_text('<system><include file="part.xml" prefix="p"/></system>')
    result = run("convert", "whole.xml", "sub/whole.xml", "--lang", "ru")
    assert result.status == 0
    assert "part.xml" in result.err and "another folder" not in run("convert", "whole.xml", "w.xml", "--lang", "ru").err
    # A canonical file holds what it included.
    assert "part.xml" not in run("convert", "whole.xml", "sub/canonical.xml", "--canonical").err


def test_wrong_models_are_not_written(run, files: Path):
    result = run("convert", "broken.xml", "out.urdf")
    assert result.status == 1
    assert not (files / "out.urdf").exists()


def test_folders_that_are_not_there(run, files: Path):
    result = run("convert", "changing.xml", "nowhere/out.xml", "--lang", "ru")
    assert (result.status, result.out) == (1, "")
    assert result.err.startswith("ошибка: ")


def test_arms_as_tables_and_screws(run, files: Path):
    (files / "arm.csv").write_text("# modified\nname,joint,theta,d,a,alpha\none,R,0,71,0,90\ntwo,P,0,5,246,0\n")
    assert run("convert", "arm.csv", "arm.xml").status == 0
    assert run("convert", "arm.xml", "arm.urdf").status == 0
    assert run("convert", "arm.urdf", "arm.json", "--frame", "tool").status == 0
    table = run("convert", "arm.json", "-", "--to", "dh", "--convention", "standard")
    assert table.status == 0 and "convention,standard\n" in table.out and "everything carried over" in table.err
    (files / "back.csv").write_text(table.out)
    q = [0.3, 0.1]
    # The first system and the last, after all formats in between.
    first, last = sistel.load("arm.csv"), sistel.load("back.csv")
    assert abs(first.pose(q, "tool") - last.pose(q, "tool")).max() < 1e-14
    data = run("convert", "arm.xml", "-", "--to", "poe", "--json").data
    assert data["format"] == "poe" and '"screw"' in data["text"]
    assert run("check", "arm.csv", "--reading").status == 0
    assert run("show", "arm.csv").status == 0
    nose = run("convert", "arm.xml", "-", "--to", "dh", "--frame", "nose", "--lang", "ru")
    assert nose.status == 1 and "нет репера «nose»" in nose.err
    (files / "bad.csv").write_text("theta,d,a,alpha\n0,oops,0,0\n")
    for command in ("show", "check"):
        result = run(command, "bad.csv")
        assert result.status == 1 and "bad.csv:2:3: error" in result.err
    assert run("convert", "arm.xml", "-", "--convention", "mine").status == 2
