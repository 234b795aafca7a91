"""Axial orientations in words: "fingers down, thumb left" is code 42, "пальцы вниз, большой влево" too.

The reader forgives: any order of words, synonyms, missing commas, typing errors. What it guessed, it says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import NoReturn

from sistel.errors import Language, Text, refuse
from sistel.pose._axial import checked_code

_SAID: dict[Language, dict[int, str]] = {
    "en": {1: "right", 2: "left", 3: "up", 4: "down", 5: "towards us", 6: "away from us"},
    "ru": {1: "вправо", 2: "влево", 3: "вверх", 4: "вниз", 5: "на нас", 6: "от нас"},
}
_FINGERS, _THUMB = "fingers", "thumb"

WORDS: dict[str, str | int] = {
    **dict.fromkeys(("fingers", "finger", "пальцы", "пальцами", "палец", "кисть"), _FINGERS),
    **dict.fromkeys(("thumb", "thumbs", "lug", "большой", "большим", "выступ", "выступом", "стрелка"), _THUMB),
    **dict.fromkeys(("right", "rightwards", "rightward", "вправо", "направо", "право", "правее"), 1),
    **dict.fromkeys(("left", "leftwards", "leftward", "влево", "налево", "лево", "левее"), 2),
    **dict.fromkeys(("up", "upwards", "upward", "вверх", "наверх", "кверху", "верх"), 3),
    **dict.fromkeys(("down", "downwards", "downward", "вниз", "книзу", "низ"), 4),
    **dict.fromkeys(("nearer", "forward", "forwards", "наружу"), 5),
    **dict.fromkeys(("away", "backward", "backwards", "back", "вглубь", "назад"), 6),
}
_VIEWER_RU = r"(?:нас|нам|меня|мне|себя|себе|зрителя|зрителю|наблюдателя|наблюдателю)"
_VIEWER_EN = r"(?:us|me|you|the viewer|viewer|the observer|observer)"
TOWARDS = re.compile(rf"\b(?:на|к|ко) {_VIEWER_RU}\b|\b(?:towards?|at|to) {_VIEWER_EN}\b")
AWAY = re.compile(rf"\bот {_VIEWER_RU}\b|\b(?:away )?from {_VIEWER_EN}\b")
MISTYPED: dict[str, int] = {
    **dict.fromkeys(("на нас", "к нам", "на себя", "towards us", "toward us"), 5),
    **dict.fromkeys(("от нас", "от себя", "from us"), 6),
}
"""Several words that mean one direction, to compare mistyped ones with: "нанас", "tward us"."""
_IDLE_EN = (
    "and",
    "the",
    "a",
    "an",
    "is",
    "are",
    "points",
    "point",
    "pointing",
    "directed",
    "to",
    "its",
    "gripper",
    "straight",
)
_IDLE_RU = (
    "и",
    "а",
    "с",
    "его",
    "их",
    "направлены",
    "направлен",
    "направлена",
    "смотрят",
    "смотрит",
    "схват",
    "схвата",
    "прямо",
    "строго",
)
IDLE = frozenset((*_IDLE_EN, *_IDLE_RU))
LONGEST = 200
"""Letters of a phrase that are still read."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase that was understood."""

    code: int
    guesses: tuple[tuple[str, str], ...] = ()
    """Words that were not known, and what they were taken for."""


def say_code(code: int, lang: Language = "en") -> str:
    """A code in words."""
    i, j = divmod(checked_code(code), 10)
    said = _SAID[lang]
    return f"пальцы {said[i]}, большой {said[j]}" if lang == "ru" else f"fingers {said[i]}, thumb {said[j]}"


def read_phrase(text: str) -> Phrase:
    """The code of a phrase in Russian or English.

    Raises:
        SistelError: It cannot be understood, and what is missing.
    """
    plain = re.sub(r"\s+", " ", text[:LONGEST].lower().replace("ё", "е"))
    plain = TOWARDS.sub(" наружу ", AWAY.sub(" вглубь ", plain))
    guesses: list[tuple[str, str]] = []
    clauses = [_read(clause, guesses) for clause in re.split(r"[,;.]", plain)]
    return Phrase(checked_code(_code(text, [clause for clause in clauses if clause])), tuple(guesses))


def _read(clause: str, guesses: list[tuple[str, str]]) -> list[str | int]:
    """Parts and directions, in their order."""
    found: list[str | int] = []
    words = re.findall(r"\w+", clause)
    place = 0
    while place < len(words):
        word = words[place]
        place += 1
        # "большой палец" is one finger, "пальцы" are the others.
        if word in ("палец", "пальцем", "finger") and place > 1 and words[place - 2] in ("большой", "большим", "big"):
            continue
        taken: str | int | None = WORDS.get(word)
        if taken is None and word not in IDLE:
            said, taken, count = _guess(words[place - 1 : place + 2])
            if taken is not None:
                guesses.append((" ".join(words[place - 1 : place - 1 + count]), said))
                place += count - 1
        # "away from us" may come as two directions where one of the words is mistyped.
        if taken is not None and not (isinstance(taken, int) and found[-1:] == [taken]):
            found.append(taken)
    return found


def _guess(words: list[str]) -> tuple[str, str | int | None, int]:
    """What a mistyped word, or it and those behind it, may stand for, and how many words that takes."""
    tries = [(known, meaning, 1) for known, meaning in WORDS.items()]
    tries += [(known, way, count) for count in range(1, len(words) + 1) for known, way in MISTYPED.items()]
    weighed = [
        (SequenceMatcher(None, known, " ".join(words[:count])).ratio(), known, meaning, count)
        for known, meaning, count in tries
    ]
    likeness, known, meaning, count = max(weighed, key=lambda each: each[0])
    # Two that are equally like it and mean different things: better ask than guess.
    doubtful = any(each[0] > likeness - 0.01 and each[2] != meaning for each in weighed)
    return ("", None, 1) if doubtful or likeness < (0.7 if " " not in known else 0.8) else (known, meaning, count)


def _code(text: str, clauses: list[list[str | int]]) -> int:
    found = [each for clause in clauses for each in clause]
    ways = [each for each in found if isinstance(each, int)]
    parts = [each for each in found if isinstance(each, str)]
    if len(ways) != 2:
        count = len(ways)
        _fail(text, Text(f"two directions are needed, not {count}", f"нужны два направления, а не {count}"))
    if len(parts) != len(set(parts)):
        _fail(text, Text("one part is named twice", "одна часть названа дважды"))
    # Without parts the fingers come first.
    if parts and (parts[0] == _THUMB) == (_owner(clauses, found, ways) == 0):
        ways.reverse()
    return 10 * ways[0] + ways[1]


def _owner(clauses: list[list[str | int]], found: list[str | int], ways: list[int]) -> int:
    """Which of the two directions, 0 or 1, belongs to the part that is named first."""
    place = next(index for index, each in enumerate(found) if isinstance(each, str))
    before = sum(isinstance(each, int) for each in found[:place])
    if len(clauses) == 2 and all(sum(isinstance(each, int) for each in clause) == 1 for clause in clauses):
        return 0 if any(isinstance(each, str) for each in clauses[0]) else 1
    # The one behind it, unless the phrase puts directions first.
    return min(before, 1) if before < len(ways) and not before else before - 1


def _fail(text: str, reason: Text) -> NoReturn:
    shown = text if len(text) <= 60 else text[:60] + "…"
    refuse(
        "no-phrase",
        Text(f'"{shown}" is not understood: {reason.en}', f"«{shown}» не понято: {reason.ru}"),
        expected=Text(
            'where the fingers and where the thumb point, as "fingers down, thumb left"',
            "куда направлены пальцы и куда большой, например «пальцы вниз, большой влево»",
        ),
    )
