"""Files of drives: both languages, all mistakes at once with their places, hostile files."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Literal

import pytest

import sistel
from sistel.drives import parse_drives, read_drives
from sistel.drives._words import DRIVE_WORDS
from sistel.errors import SistelError, Source

DRIVES = Path(__file__).resolve().parents[3] / "models" / "drives"
MODEL = sistel.load(DRIVES / "arm.xml").model
SLIDE = sistel.parse('<system><body name="s" joint="prismatic" axis="x" mass="1" inertia="1"/></system>').model
GOOD = 'joint="elbow" node="2" speed="8000" acceleration="1500"'


def problems(text: str, model: sistel.model.Model = MODEL) -> list[tuple[str, int, int]]:
    with pytest.raises(SistelError) as caught:
        parse_drives(Source("drives.xml", text), model)
    for each in caught.value.diagnostics:
        assert each.message.en != each.message.ru
    return [(each.code, each.span.line, each.span.column) for each in caught.value.diagnostics if each.span]


def test_both_languages_say_the_same() -> None:
    english, russian = (read_drives(DRIVES / name, MODEL) for name in ("drives.xml", "приводы.xml"))
    for a, b in zip(english.drives, russian.drives, strict=True):
        for name in ("joint", "node", "ratio", "resolution", "sign", "speed", "acceleration", "minimum", "maximum",
                     "current", "constant", "efficiency", "home", "homing", "axis"):  # fmt: skip
            assert getattr(a, name) == getattr(b, name), name
    first = english.drives[0]
    assert first.speed == pytest.approx(8000.0 * 2.0 * math.pi / 60.0, rel=1e-15)
    assert first.acceleration == pytest.approx(1500.0 * 2.0 * math.pi, rel=1e-15)
    # A motor of 3 A and 0.02 N·m/A behind a gear of 159 with losses of three tenths.
    assert first.force == pytest.approx(3.0 * 0.02 * 159.0 * 0.7, rel=1e-14)


def test_every_word_has_both_spellings_and_a_meaning() -> None:
    for word in DRIVE_WORDS.values():
        assert word.en and word.ru and word.doc.en and word.doc.ru
        assert word.required or word.default or word.kind == "lead"


@pytest.mark.parametrize(("page", "lang"), [("drives.md", "en"), ("ru/drives.md", "ru")])
def test_the_page_has_every_word(page: str, lang: Literal["en", "ru"]) -> None:
    text = (DRIVES.parents[1] / "docs" / page).read_text(encoding="utf-8")
    for word in DRIVE_WORDS.values():
        spelt = [", ".join(f"`{each}`" for each in words) for words in (word.en, word.ru)]
        first, second = spelt if lang == "en" else spelt[::-1]
        assert f"| {first} | {second} | {word.doc.say(lang)} |" in text, word.key


def test_all_mistakes_come_at_once_with_their_places() -> None:
    text = (
        "<drives>\n"
        '  <drive joint="elbw" node="0" speed="fast" acceleration="-1"/>\n'
        '  <drive joint="elbow" node="2" speed="8000" acceleration="1500" colour="red" direction="up"/>\n'
        "  <gear/>\n"
        '  <drive joint="shoulder" node="3" speed="8000 mm" acceleration="1500" min="10" max="5"/>\n'
        "  text\n"
        "</drives>"
    )
    found = problems(text)
    wrong = [
        ("unknown-name", 2, "elbw"), ("not-whole", 2, '0" speed'), ("bad-number", 2, "fast"), ("wrong-value", 2, "-1"),
        ("unknown-attribute", 3, "colour"), ("unknown-word", 3, 'up"'), ("unknown-element", 4, "gear"),
        ("bad-number", 5, "8000 mm"), ("wrong-value", 5, '10" max'), ("stray-text", 6, "text"),
    ]  # fmt: skip
    lines = text.split("\n")
    assert found == [(code, line, lines[line - 1].index(word) + 1) for code, line, word in wrong]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<system/>", "wrong-root"),
        ("<drives/>", "no-drives"),
        (f"<drives><drive {GOOD}/><drive {GOOD}/></drives>", "same-name"),
        (f'<drives><drive {GOOD} lead="5"/></drives>', "wrong-value"),
        (f'<drives><drive {GOOD} efficiency="1.5"/></drives>', "wrong-value"),
        (f'<drives><drive {GOOD} ratio="1e999"/></drives>', "bad-number"),
        (f'<drives><drive {GOOD} узел="3"/></drives>', "same-attribute"),
        (f'<drives><drive {GOOD} homing-speed="0"/></drives>', "wrong-value"),
        (f'<drives><drive {GOOD} bandwidth="51"/></drives>', "wrong-value"),
        (f'<drives><drive {GOOD} encoder-zero="1.5"/></drives>', "not-whole"),
        (f'<drives><drive {GOOD} home="200" homing="here"/></drives>', "out-of-range"),
        (f'<drives><drive {GOOD} current=""/></drives>', "empty-value"),
        ('<drives><drive joint="elbow"/></drives>', "missing-attribute"),
        (f"<drives><drive {GOOD}><drive/></drive></drives>", "unknown-element"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><drives>&a;</drives>', ""),
        ("<drives>" * 400, ""),
        ("\x00\x01", ""),
        (f"<drives><drive {GOOD} node='{'9' * 5000}'/></drives>", ""),
    ],
)
def test_what_is_wrong_is_refused(text: str, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        parse_drives(Source("drives.xml", text), MODEL)
    assert not code or code in {each.code for each in caught.value.diagnostics}
    assert caught.value.render("ru") and caught.value.render("en")


def test_slides_need_a_lead() -> None:
    plain = '<drives><drive joint="s" node="1" speed="60" acceleration="10"{}/></drives>'
    assert problems(plain.format(""), SLIDE)[0][0] == "missing-attribute"
    found = parse_drives(Source("d", plain.format(' lead="5" ratio="2" max="100" direction="назад"')), SLIDE)
    # 5 mm of way take two turns of the motor, backwards.
    assert found.drives[0].turns == pytest.approx(-400.0, rel=1e-15)
    assert found.drives[0].maximum == 0.1


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(SistelError):
        read_drives(DRIVES / "nothing.xml", MODEL)


def test_limits_of_the_model_hold_too() -> None:
    (found,) = parse_drives(Source("d", f'<drives><drive {GOOD} min="-90" max="90"/></drives>'), MODEL).drives
    # arm.xml lets the elbow go from -10° to 150°.
    assert found.minimum == pytest.approx(math.radians(-10.0)) and found.maximum == pytest.approx(math.radians(90.0))


def test_damaged_files_are_read_or_refused() -> None:
    """Letters lost, doubled, exchanged and cut: nothing but a list of mistakes, in either language."""
    rng = Random(7)
    for name in ("drives.xml", "приводы.xml"):
        good = (DRIVES / name).read_text(encoding="utf-8")
        refused = 0
        for _ in range(300):
            letters = list(good)
            for _ in range(rng.randint(1, 12)):
                at = rng.randrange(len(letters) or 1)
                match rng.randrange(4):
                    case 0:
                        del letters[at : at + 1]
                    case 1:
                        letters[at : at + 1] = rng.choice("<>&\"'=/ 9-.eё\0\N{GRINNING FACE}")
                    case 2:
                        letters[at:at] = letters[at : at + 20]
                    case _:
                        letters = letters[: max(1, at)]
            try:
                parse_drives(Source(name, "".join(letters)), MODEL)
            except SistelError as problem:
                refused += 1
                assert problem.render("en") and problem.render("ru")
        assert refused > 200
