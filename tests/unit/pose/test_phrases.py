"""Orientations in words: all 24 in both languages, in many orders of words, mistyped, or refused."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sistel.errors import Language, SistelError
from sistel.pose import CODES, read_phrase, say_code

WAYS: dict[Language, dict[int, tuple[str, ...]]] = {
    "ru": {
        1: ("вправо", "направо"),
        2: ("влево", "налево"),
        3: ("вверх", "наверх"),
        4: ("вниз", "книзу"),
        5: ("на нас", "к нам", "к зрителю", "на себя"),
        6: ("от нас", "от зрителя", "от себя"),
    },
    "en": {
        1: ("right", "to the right"),
        2: ("left", "leftwards"),
        3: ("up", "upwards"),
        4: ("down", "downward"),
        5: ("towards us", "toward the viewer", "at us", "to me"),
        6: ("away from us", "away", "from the viewer"),
    },
}
FORMS: dict[Language, tuple[str, ...]] = {
    "ru": (
        "пальцы {a}, большой {b}",
        "большой {b}, пальцы {a}",
        "{a} пальцы, {b} большой",
        "{b} большой {a} пальцы",
        "пальцы {a} большой {b}",
        "Пальцы {a}, а большой палец {b}.",
        "пальцы {a}, выступ {b}",
        "пальцы {a}, {b} большой",
        "большой {b}, {a} пальцы",
        "ПАЛЬЦЫ {a}; БОЛЬШОЙ {b}",
        "пальцы направлены прямо {a} и большой направлен {b}",
        "пальцами {a}, большим пальцем {b}",
        "  пальцы   {a} ,большой {b}  ",
        "{a}, {b}",
        "{a}, большой {b}",
        "пальцы {a}, {b}",
    ),
    "en": (
        "fingers {a}, thumb {b}",
        "thumb {b}, fingers {a}",
        "{a} fingers, {b} thumb",
        "fingers {a} thumb {b}",
        "Fingers point {a} and the thumb points {b}",
        "the thumb is {b}, the fingers are {a}",
        "fingers: {a}; thumb: {b}",
        "with the thumb {b} and fingers {a}",
        "fingers {a}, lug {b}",
        "{a}, {b}",
    ),
}


@pytest.mark.parametrize("lang", ["ru", "en"])
@pytest.mark.parametrize("code", CODES)
def test_what_is_said_is_read_back(code: int, lang: Language) -> None:
    found = read_phrase(say_code(code, lang))
    assert found.code == code
    assert found.guesses == ()


def test_the_phrases_of_the_paper() -> None:
    assert say_code(13, "ru") == "пальцы вправо, большой вверх"
    assert say_code(42, "ru") == "пальцы вниз, большой влево"
    assert say_code(53, "ru") == "пальцы на нас, большой вверх"
    assert read_phrase("пальцы вправо выступ вверх").code == 13
    assert say_code(64) == "fingers away from us, thumb down"


@pytest.mark.parametrize(("lang", "form"), [(lang, form) for lang in FORMS for form in FORMS[lang]])
def test_orders_of_words_and_synonyms(lang: Language, form: str) -> None:
    for code in CODES:
        for first in WAYS[lang][code // 10]:
            for second in WAYS[lang][code % 10]:
                phrase = form.format(a=first, b=second)
                found = read_phrase(phrase)
                assert (found.code, found.guesses) == (code, ()), phrase


@st.composite
def mistyped(draw: st.DrawFn) -> tuple[int, str, str]:
    """A code, its phrase with one wrong letter, and the right phrase."""
    code = draw(st.sampled_from(CODES))
    lang: Language = draw(st.sampled_from(("ru", "en")))
    phrase = say_code(code, lang)
    place = draw(st.integers(0, len(phrase) - 1))
    letters = "абвгдежзийклмнопрстуфхцчшщъыьэюя" if lang == "ru" else "abcdefghijklmnopqrstuvwxyz"
    letter = draw(st.sampled_from(letters))
    kind = draw(st.sampled_from(("lost", "more", "other", "exchanged")))
    rest = phrase[place + 1 :]
    if kind == "exchanged":
        wrong = phrase[:place] + phrase[place + 1 : place + 2] + phrase[place] + phrase[place + 2 :]
    else:
        wrong = phrase[:place] + {"lost": "", "more": phrase[place] + letter, "other": letter}[kind] + rest
    return code, wrong, phrase


@settings(max_examples=400, deadline=None)
@given(mistyped())
@example((15, "пальцы вправо, большой нанас", ""))
@example((35, "fingers up, thumb twards us", ""))
@example((16, "пальцы вправо, большой от нау", ""))
@example((16, "fingers right, thumb awya from us", ""))
def test_one_wrong_letter_never_gives_another_orientation(case: tuple[int, str, str]) -> None:
    """A gripper that turns the other way is worse than a question: understood rightly, or refused."""
    code, wrong, _ = case
    try:
        found = read_phrase(wrong)
    except SistelError as problem:
        assert problem.diagnostics[0].code in ("no-phrase", "no-code")
    else:
        assert found.code == code


def test_most_wrong_letters_are_understood_and_told() -> None:
    """Every letter of every phrase left out once."""
    understood = total = 0
    for code in CODES:
        for lang in ("ru", "en"):
            phrase = say_code(code, lang)
            for place, letter in enumerate(phrase):
                if letter.isalpha():
                    total += 1
                    try:
                        found = read_phrase(phrase[:place] + phrase[place + 1 :])
                    except SistelError:
                        continue
                    assert found.code == code
                    understood += 1
    assert understood / total > 0.97


def test_guesses_are_told() -> None:
    assert read_phrase("пальцы вверзх, большой на нас").guesses == (("вверзх", "вверх"),)
    assert read_phrase("fingres up, thunb left").guesses == (("fingres", "fingers"), ("thunb", "thumb"))
    assert read_phrase("пальцы нанас, большой вверх").guesses == (("нанас", "на нас"),)


@pytest.mark.parametrize(
    ("phrase", "en"),
    [
        ("", "two directions are needed, not 0"),
        ("пальцы вниз", "two directions are needed, not 1"),
        ("fingers up, thumb left and right", "two directions are needed, not 3"),
        ("fingers up, fingers left", "one part is named twice"),
        ("fingers up, thumb down", "fingers and thumb would lie along one line"),
        ("пальцы вверх, большой наверх", "two directions are needed, not 1"),
        ("\0\ud800 <script>", "two directions are needed, not 0"),
        ("x" * 100_000, "two directions are needed, not 0"),
        ("вверх " * 50_000, "two directions"),
    ],
)
def test_what_cannot_be_understood_is_refused(phrase: str, en: str) -> None:
    with pytest.raises(SistelError) as problem:
        read_phrase(phrase)
    (diagnostic,) = problem.value.diagnostics
    if "наверх" not in phrase:
        assert en in diagnostic.message.en
    assert len(diagnostic.message.ru) < 300
    assert diagnostic.expected is not None


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    try:
        assert read_phrase(text).code in CODES
    except SistelError as problem:
        assert problem.diagnostics
