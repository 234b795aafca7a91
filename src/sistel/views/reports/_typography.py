"""Letters as books print them: decimal signs, minus, quotation marks, and where long words may be broken."""

from __future__ import annotations

import re
from typing import Final

from sistel.errors import Language
from sistel.model.joints import COORDINATE_WORDS
from sistel.views.text import clean

MINUS, SPACE, BREAK = "\N{MINUS SIGN}", "\N{NO-BREAK SPACE}", "\N{ZERO WIDTH SPACE}"
LONGEST: Final = 160
"""Letters of a name on paper; in files they may have a thousand."""
LONGEST_SENTENCE: Final = 1000
"""Letters of any other text in a cell."""
UNBROKEN: Final = 18
"""Letters of a word that is not broken where no hyphenation knows it."""

_NUMBER = r"[-−+]?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?|∞)"
_UNITS = r"[A-Za-zА-Яа-яЁё°Ω%²³·/]{0,12}"
_NUMERIC = re.compile(rf"(?:[≥≤±<>( ]*{_NUMBER} ?{_UNITS}[),;…/ ]*)+")
"""A cell in which there is nothing but numbers, signs between them, and units."""
_NAMED = re.compile(rf"({'|'.join(sorted({*COORDINATE_WORDS, *COORDINATE_WORDS.values()}))}) ({_NUMERIC.pattern})")
"""A range of one of several coordinates of a joint, which have words and no names."""
_TAGGED = re.compile(rf"(.*[^\d\W].*: )({_NUMBER})")
"""A number after its name, as that of an impulse after its link."""
_DECIMAL = re.compile(r"(?<![\w.])(\d+)\.(\d+)(?![\w.]*\.\d)")
_POWER = re.compile(r"(?<=\d)e([-+]?)0*(\d+)(?![\w.])")
_WORD = re.compile(rf"\S{{{UNBROKEN + 1},}}")
_SPACES = re.compile(r"[ \t\r\n]+")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def numerals(text: str, lang: Language) -> str:
    """Numbers as a language prints them: decimal commas and semicolons between numbers in Russian, real minus signs.

    A text in which there is anything else is a name or an expression, and stays as it is.
    """
    if not _NUMERIC.fullmatch(text):
        tagged = _TAGGED.fullmatch(text)
        if tagged is not None:
            return tagged[1] + numerals(tagged[2], lang)
        named = [_NAMED.fullmatch(part) for part in text.split("; ")]
        if not all(named):
            return text
        return "; ".join(f"{found[1]} {numerals(found[2], lang)}" for found in named if found is not None)
    made = _POWER.sub(lambda found: f"·10{(found[1].replace('+', '') + found[2]).translate(_RAISED)}", text)
    if lang == "ru":
        made = _DECIMAL.sub(r"\1,\2", made.replace(", ", "; "))
    made = made.replace("-", MINUS)
    return re.sub(r"(?<=\d) (?=[^\W\d])", SPACE, made)


def decimal(text: str, lang: Language) -> str:
    """The decimal sign of a number alone."""
    return text.replace(".", ",") if lang == "ru" else text


def quoted(text: str, lang: Language) -> str:
    """Straight quotation marks as those of the language."""
    left, right = ("«", "»") if lang == "ru" else ("“", "”")
    return re.sub(r'"([^"\n]*)"', rf"{left}\1{right}", text)


def words(text: str, lang: Language) -> str:
    """A sentence for print."""
    return broken(quoted(clean(spaced(text)), lang))


def spaced(text: str) -> str:
    """A text in one line: files break their lines anywhere, and indent them."""
    return _SPACES.sub(" ", text).strip(" ")


def shortened(text: str, most: int = LONGEST) -> str:
    """A text of so many letters at most, with … where something is missing."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def broken(text: str) -> str:
    """A text whose very long words may end a line: after signs, else after some letters."""
    return _WORD.sub(lambda found: _chopped(found[0]), text) if len(text) > UNBROKEN else text


def _chopped(word: str) -> str:
    made: list[str] = []
    run = 0
    for letter in word:
        made.append(letter)
        run += 1
        if run >= UNBROKEN or (run >= 6 and letter in "/_,.()[]{};:=·→→-'+*"):
            made.append(BREAK)
            run = 0
    return "".join(made).rstrip(BREAK)
