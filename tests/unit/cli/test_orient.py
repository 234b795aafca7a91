"""`sistel orient`: what it tells, draws and refuses."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sistel.cli import main
from sistel.errors import Language
from sistel.pose import CODES, OCTANTS, axial_group, euler_parameters, multiply_codes, say_code, turn_between


def test_one_code(run) -> None:
    data = run("orient", "36", "--json").data
    assert data["code"] == 36 and data["phrase"] == "fingers up, thumb away from us"
    assert (data["axis"], data["degrees"]) == ([-1, -1, 1], 120)
    assert data["quaternion"] == [0.5, -0.5, -0.5, 0.5]
    assert data["matrix"] == [[0, 0, -1], [1, 0, 0], [0, -1, 0]]
    assert (data["order"], data["inverse"], data["octant"], data["row"]) == (3, 61, 3, 1)
    assert data["class"] == [35, 36, 45, 46, 51, 52, 61, 62]
    assert [step["code"] for step in data["quarter_turns"]] == [16, 36]
    text = run("orient", "36").out
    for piece in ("36 — fingers up", "axis (-1, -1, 1), angle 120°", "0.5, -0.5, -0.5, 0.5", "61", "3, row 1"):
        assert piece in text


@pytest.mark.parametrize("code", CODES)
def test_every_code_in_both_languages(run, code: int) -> None:
    for lang in ("en", "ru"):
        result = run("orient", str(code), "--lang", lang)
        assert (result.status, result.err) == (0, "")
        assert f"{code} — {say_code(code, lang)}" in result.out
    data = run("orient", str(code), "--json").data
    assert multiply_codes(code, data["inverse"]) == 13
    assert code in OCTANTS[data["row"] - 1] and OCTANTS[data["row"] - 1][data["octant"] - 1] == code
    assert (*data["axis"], data["degrees"]) == euler_parameters(code)


@pytest.mark.parametrize(("start", "end"), [(13, 64), (16, 36), (53, 54), (42, 42), (25, 61)])
def test_two_codes(run, start: int, end: int) -> None:
    data = run("orient", str(start), str(end), "--json", "--lang", "ru").data
    assert data["from"] == {"code": start, "phrase": say_code(start, "ru")}
    assert data["to"] == {"code": end, "phrase": say_code(end, "ru")}
    assert data["code"] == turn_between(start, end)
    assert (*data["axis"], data["degrees"]) == euler_parameters(data["code"])
    steps = data["quarter_turns"]
    assert ([start] + [step["code"] for step in steps])[-1] == end
    assert all(abs(step["degrees"]) == 90 for step in steps)
    text = run("orient", str(start), str(end)).out
    assert say_code(start) in text and say_code(end) in text
    assert text.count(" → ") == len(steps)


def test_the_axis_in_the_scene_is_the_axis_of_the_turned_gripper(run) -> None:
    data = run("orient", "54", "64", "--json").data
    assert data["axis"] == [0, 1, 0] and data["axis_in_scene"] == [0, -1, 0]
    assert "axis in the scene" in run("orient", "54", "64").out
    assert "axis in the scene" not in run("orient", "13", "64").out


@pytest.mark.parametrize(
    "words",
    [
        ["пальцы вверх, большой на нас"],
        ["пальцы", "вверх,", "большой", "на", "нас"],
        ["thumb towards us, fingers up"],
        ["вверх", "на", "нас"],
        ["35"],
        [" 35 "],
    ],
)
def test_phrases(run, words: list[str]) -> None:
    assert run("orient", *words, "--json").data["code"] == 35


def test_two_phrases_and_a_code_with_a_phrase(run) -> None:
    one = run("orient", "fingers right, thumb up", "пальцы от нас, большой вниз", "--json").data
    assert (one["from"]["code"], one["to"]["code"]) == (13, 64)
    other = run("orient", "13", "fingers away from us, thumb down", "--json").data
    assert other == one


def test_guesses_are_told_and_kept_from_the_data(run) -> None:
    result = run("orient", "пальцы вверзх, большой на нас", "--lang", "ru")
    assert result.err == "«вверзх» понято как «вверх»\n"
    assert "35 — пальцы вверх, большой на нас" in result.out and "вверзх" not in result.out
    data = run("orient", "пальцы вверзх, большой на нас", "--json").data
    assert data["guesses"] == [{"word": "вверзх", "taken_for": "вверх"}]


def test_table(run, files: Path) -> None:
    assert [code for column in run("orient", "table", "--json").data["octants"] for code in
            (each["code"] for each in column)] == [row[i] for i in range(8) for row in OCTANTS]  # fmt: skip
    for columns in (60, 140):
        text = run("orient", "table", columns=columns).out
        assert max(map(len, text.splitlines()[:-1])) <= columns
        assert all(str(code) in text for code in CODES)
    result = run("orient", "table", "-o", "octants.svg", "--lang", "ru")
    assert (result.status, result.out, result.err) == (0, "", "записано: octants.svg\n")
    picture = ElementTree.parse(files / "octants.svg").getroot()
    assert len([each for each in picture.iter() if each.get("data-code")]) == 24


@pytest.mark.parametrize(("words", "size", "count", "classes"), [([], 24, 30, [1, 3, 6, 6, 8]),
                                                                 (["--icosahedron"], 60, 59, [1, 12, 12, 15, 20])])  # fmt: skip
def test_group(run, words: list[str], size: int, count: int, classes: list[int]) -> None:
    data = run("orient", "group", *words, "--json").data
    assert data["size"] == size == sum(data["orders"].values())
    assert len(data["subgroups"]) == count
    assert sorted(len(each["members"]) for each in data["classes"]) == classes
    for lang in ("en", "ru"):
        text = run("orient", "group", *words, "--lang", lang, columns=70).out
        assert str(count) in text
        assert max(map(len, text.splitlines())) <= 70


def test_products(run, files: Path) -> None:
    data = run("orient", "product", "--json").data
    assert data["elements"] == list(CODES)
    group = axial_group()
    assert data["products"] == [[group.multiply(a, b) for b in CODES] for a in CODES]
    small = run("orient", "product", "Gx").out
    assert [int(word) for word in re.findall(r"\d+", small)][:4] == [13, 15, 14, 16]
    assert run("orient", "product", "H(14)", "--json").data["products"] == [[13, 14], [14, 13]]
    assert run("orient", "product", "-o", "table.html").status == 0
    page = (files / "table.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and page.count("<td") == 576


@pytest.mark.parametrize(
    ("options", "code", "degrees"),
    [
        (["--quaternion", "0.5,0.5,0.5,0.5"], 35, 0),
        (["--quaternion=-3 0 0 0"], 13, 0),
        (["--quaternion", "-1, 0, 0, -1"], 32, 0),
        (["--matrix", "1,0,0, 0,0,-1, 0,1,0"], 15, 0),
        (["--matrix", "1 0 0; 0 0 -1; 0 1 0"], 15, 0),
        (["--angles", "zxz:90,0,0"], 32, 0),
        (["--angles", "xyz:0,10,0"], 13, 10),
        (["--angles", "aircraft:90,0,0"], 63, 0),
        (["--angles", "ship:-90,0,0"], 41, 0),
        (["--angles", "ZYX:370,0,0"], 13, 10),
        (["--axis", "1,1,1,110"], 35, 10),
        (["--axis", "0,0,−1,90"], 41, 0),
    ],
)
def test_nearest(run, options: list[str], code: int, degrees: float) -> None:
    data = run("orient", "nearest", *options, "--json").data
    assert data["code"] == code
    assert data["degrees"] == pytest.approx(degrees, abs=1e-9)
    assert data["axial"] is (degrees == 0)
    assert data["rest"]["degrees"] == pytest.approx(degrees, abs=1e-9)
    assert f"{code} — " in run("orient", "nearest", *options).out


def test_equally_near_codes_are_named(run) -> None:
    data = run("orient", "nearest", "--axis", "1,0,0,45", "--json").data
    assert (data["code"], data["equally_near"]) == (13, [15])
    assert "столь же близки" in run("orient", "nearest", "--axis", "1,0,0,45", "--lang", "ru").out


def test_angles(run, files: Path) -> None:
    data = run("orient", "angles", "--json").data
    assert {row["name"]: row["order"] for row in data["angles"]} == {
        "euler": "zxz", "bryant": "xyz", "aircraft": "yzx", "ship": "zxy"
    }  # fmt: skip
    assert run("orient", "angles", "ship", "--lang", "ru").out.startswith("ship      Корабельные углы: ψ (дифферент)")
    assert run("orient", "angles", "ship", "-o", "ship.svg").status == 0


PICTURES = [["36"], ["fingers up, thumb left"], ["table"], ["group"], ["group", "--icosahedron"], ["product"],
            ["product", "H(15)"], ["angles", "euler"], ["nearest", "--angles", "zxz:10,20,30"]]  # fmt: skip


@pytest.mark.parametrize("words", PICTURES, ids=" ".join)
def test_pictures(run, files: Path, words: list[str]) -> None:
    text = run("orient", *words, "-o", "-").out
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert run("orient", *words, "-o", "-", "--json").data == {"output": "-", "text": text}
    assert run("orient", *words, "--output", "picture.svg", "--json").data == {"output": "picture.svg"}
    assert (files / "picture.svg").read_text(encoding="utf-8") == text
    assert "prefers-color-scheme" not in run("orient", *words, "-o", "-", "--theme", "dark").out


WRONG = [
    ([], "missing-argument", ""),
    (["11"], "no-code", "one line"),
    (["77"], "no-code", "two digits"),
    (["9" * 5000], "no-code", ""),
    (["13", "14", "15"], "surplus-argument", ""),
    (["13", "11"], "no-code", ""),
    (["tabel"], "no-phrase", "table"),
    (["gruop"], "no-phrase", "group"),
    (["fingers up"], "no-phrase", "two directions"),
    (["fingers up, thumb down"], "no-code", ""),
    (["table", "36"], "surplus-argument", ""),
    (["group", "Gx"], "surplus-argument", ""),
    (["product", "Gw"], "no-group", "Gx"),
    (["product", "Gx", "Gy"], "surplus-argument", ""),
    (["nearest"], "missing-option", "--quaternion"),
    (["nearest", "13", "--axis", "1,0,0,5"], "surplus-argument", ""),
    (["nearest", "--quaternion", "1,2,3"], "wrong-count", "4 numbers"),
    (["nearest", "--quaternion", "0,0,0,0"], "no-quaternion", ""),
    (["nearest", "--quaternion", "nan,0,0,1"], "not-finite", ""),
    (["nearest", "--quaternion", "1e999,0,0,1"], "not-finite", ""),
    (["nearest", "--quaternion", "one,0,0,1"], "not-a-number", "one"),
    (["nearest", "--quaternion", ""], "not-a-number", ""),
    (["nearest", "--matrix", "1,0,0,0,1,0,0,0,-1"], "left-handed", ""),
    (["nearest", "--matrix", "1,0,0,0,1,0,0,0,2"], "no-rotation", ""),
    (["nearest", "--matrix", "1e200,0,0,0,1e200,0,0,0,1e200"], "no-rotation", ""),
    (["nearest", "--angles", "10,20,30"], "bad-angles", "zxz:10,20,30"),
    (["nearest", "--angles", "zxq:10,20,30"], "no-set", "zxz"),
    (["nearest", "--angles", "quaternion:1,0,0,0"], "no-set", ""),
    (["nearest", "--angles", "zxz:1,2"], "wrong-count", ""),
    (["nearest", "--axis", "0,0,0,10"], "no-axis", ""),
    (["nearest", "--axis", "1,0,0,1", "--quaternion", "1,0,0,0"], "exclusive-options", ""),
    (["36", "--icosahedron"], "misplaced-option", "orient group"),
    (["table", "--axis", "1,0,0,1"], "misplaced-option", "orient nearest"),
    (["36", "--theme", "dark"], "missing-option", "--output"),
    (["36", "-o", "picture.jpg"], "unknown-format", ".svg"),
    (["36", "-o", "page.html"], "unknown-format", ".svg"),
    (["36", "64", "-o", "picture.svg"], "surplus-option", ""),
    (["angles", "-o", "picture.svg"], "missing-argument", "euler"),
    (["angles", "eulr"], "no-set", "euler"),
    (["36", "--theme", "blue", "-o", "-"], "unknown-choice", ""),
]


@pytest.mark.parametrize(("words", "code", "hint"), WRONG)
def test_wrong_calls(run, files: Path, words: list[str], code: str, hint: str) -> None:
    plain = run("orient", *words)
    assert (plain.status, plain.out) == (2, "")
    assert plain.err.startswith("error: ") and hint in plain.err and "Traceback" not in plain.err
    assert "usage: sistel orient" in plain.err
    as_json = run("orient", *words, "--json")
    assert as_json.status == 2
    assert [each["code"] for each in as_json.data["diagnostics"]] == [code]
    russian = run("orient", *words, "--lang", "ru")
    assert russian.status == 2 and russian.err.startswith("ошибка: ") and "error" not in russian.err
    assert not list(files.glob("picture*"))


def test_a_picture_that_cannot_be_written_is_no_wrong_call(run, files: Path) -> None:
    for target in ("nowhere/at/all.svg", "x" * 400 + ".svg"):
        result = run("orient", "table", "-o", target)
        assert (result.status, result.out) == (1, "")
        assert result.err.startswith("error: ") and "usage" not in result.err
        assert run("orient", "table", "-o", target, "--json").data["diagnostics"]


def test_pixels(run, files: Path) -> None:
    from sistel.views.schemes._export import find_browser

    if find_browser() is None:
        pytest.skip("no browser here")
    assert run("orient", "36", "-o", "gripper.png").status == 0
    assert (files / "gripper.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_completion_offers_the_words(run, files: Path, lang: Language) -> None:
    script = run("completion", "bash", "--lang", lang).out
    code = f"{script}\nCOMP_WORDS=(sistel orient ''); COMP_CWORD=2; _sistel; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", code], capture_output=True, text=True, check=True, timeout=30)
    words = ["table", "group", "product", "nearest", "angles", "grammar", "dialogue"]
    assert done.stdout.split() == words


@pytest.mark.parametrize(
    "words",
    [
        ("from fingers up, thumb left to fingers away from us, thumb down",),
        ("from", "32", "to", "64"),
        ("из положения пальцы вверх, большой влево, в положение 64",),
        ("Из", "положения", "32", "в", "положение", "пальцы от нас большой вниз"),
        ("из 32 в 64",),
        ("от", "32", "к", "64"),
    ],
)
def test_a_transition_in_one_sentence(run, words: tuple[str, ...]) -> None:
    assert run("orient", *words, "--json").data == run("orient", "32", "64", "--json").data


def test_voice_says_where_files_may_go(run) -> None:
    for word, suffix in (("grammar", ".grxml"), ("dialogue", ".vxml")):
        assert suffix in run("orient", word, "-o", "a.svg", "--lang", "en").err
        assert run("orient", word, "--theme", "dark", "-o", "-").status == 2
        assert run("orient", word, "13").status == 2
        assert run("orient", word, "--json").data["text"] == run("orient", word, "-o", "-").out


texts = st.text(max_size=30) | st.sampled_from(
    ["13", "table", "group", "nearest", "вверх", "product", "-o", "--axis", "--"]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.lists(texts, max_size=4), numbers=st.lists(st.floats() | st.text(max_size=5), max_size=10))
def test_any_call_is_answered(
    words: list[str], numbers: list[object], capsys: pytest.CaptureFixture[str], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    row = ",".join(map(str, numbers))
    for call in (["orient", *words], *(["orient", "nearest", f"--{option}={row}"] for option in
                                       ("quaternion", "matrix", "axis")), ["orient", "nearest", f"--angles=zxz:{row}"]):  # fmt: skip
        capsys.readouterr()
        status = main(["--json", *call])
        captured = capsys.readouterr()
        assert status in (0, 1, 2), captured.err
        assert "Traceback" not in captured.err
        if "-h" not in call and "-V" not in call:
            assert isinstance(json.loads(captured.out), dict)
