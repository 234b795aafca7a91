"""Rows of MathML in the notations of the writers: as mathematics of Typst, and as letters in lines for XSL-FO."""

from __future__ import annotations

import re
from html import escape, unescape
from typing import Any, Final
from xml.etree.ElementTree import Element, fromstring

from sistel.errors import Language
from sistel.views.reports._typography import MINUS, decimal, shortened

INVISIBLE: Final = "\u2061\u2062"
OPERATORS: Final = frozenset({"sin", "cos", "tan", "exp", "ln", "min", "max", "atan2", "abs", "sign", "floor", "if"})
BOLD: Final = {"𝐌": "M", "𝐉": "J", "𝐃": "D"}
"""Letters of matrices."""
LONGEST: Final = 30
"""Letters of a word in a formula."""
_DOTS: Final = {"˙": ("dot", "\u0307"), "¨": ("dot.double", "\u0308")}


def parsed(row: str) -> Element:
    """A row as one element."""
    return fromstring(f"<mrow>{row}</mrow>")


def text_of(element: Element) -> str:
    """The letters of a leaf."""
    return shortened((element.text or "").strip(), LONGEST)


def string(text: str) -> str:
    """A text as a string of Typst."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_MN = re.compile(r"<mn>([^<]*)</mn>")
_LEAF = re.compile(rf"<mi>([^<]{{{LONGEST + 1},}})</mi>")


def localized(row: str, lang: Language) -> str:
    """A row of MathML with the decimal signs of a language, and no words that are too long."""
    made = _MN.sub(lambda found: f"<mn>{decimal(found[1], lang)}</mn>", row)
    return _LEAF.sub(lambda found: f"<mi>{escape(shortened(unescape(found[1]), LONGEST))}</mi>", made)


# --- Typst -----------------------------------------------------------------------------------------------------------


def typst_math(row: str, lang: Language) -> str:
    """A row in the mathematics of Typst, without the signs of dollars."""
    return _typst(parsed(row), lang).strip()


def _typst(element: Element, lang: Language) -> str:
    inner = [_typst(child, lang) for child in element]
    match element.tag:
        case "mi":
            return _typst_letter(text_of(element))
        case "mn":
            return string(decimal(text_of(element), lang))
        case "mo":
            return _typst_operator(text_of(element))
        case "mspace":
            return "quad" if element.get("width") == "1em" else "thin"
        case "msub" | "msup" | "msubsup":
            below = f"_({inner[1]})" if element.tag != "msup" else ""
            above = f"^({inner[-1]})" if element.tag != "msub" else ""
            return (
                f"{{{inner[0]}}}{below}{above}"
                if " " in inner[0] and "(" not in inner[0]
                else f"{inner[0]}{below}{above}"
            )
        case "mfrac":
            return f"frac({inner[0]}, {inner[1]})"
        case "msqrt":
            return f"sqrt({' '.join(inner)})"
        case "mover":
            name, _ = _DOTS.get(text_of(element[1]), ("hat", ""))
            return f"{name}({inner[0]})"
        case "mstyle":
            return f"inline({' '.join(inner)})"
        case _:
            return " ".join(inner)


def _typst_letter(text: str) -> str:
    if text in OPERATORS:
        return f"op({string(text)})"
    if len(text) == 1 and (text.isascii() and text.isalpha()):
        return text
    if len(text) == 1 and ("α" <= text <= "ω" or "Α" <= text <= "Ω" or text in "ϕϑ𝐌𝐉𝐃"):
        return text
    return string(text)


def _typst_operator(text: str) -> str:
    if not text or text in INVISIBLE:
        return ""
    if text in "()":
        return "\\" + text
    return {"−": "-", ",": "\\,"}.get(text, text if text in "+=·≤∧∨" else string(text))


# --- letters in lines ------------------------------------------------------------------------------------------------


def fo_math(row: str, lang: Language) -> str:
    """A row as text of XSL-FO, with fractions in a line."""
    return _fo(parsed(row), lang)


def _fo(element: Element, lang: Language) -> str:
    inner: Any = [_fo(child, lang) for child in element]
    match element.tag:
        case "mi":
            text = text_of(element)
            if len(text) == 1 and text.isalpha():
                return f'<fo:inline font-style="italic">{_plain(text)}</fo:inline>'
            return escape(text) + (" " if text in OPERATORS else "")
        case "mn":
            return escape(decimal(text_of(element), lang))
        case "mo":
            return _fo_operator(text_of(element))
        case "mspace":
            return " "
        case "msub" | "msup" | "msubsup":
            below = _shifted("sub", inner[1]) if element.tag != "msup" else ""
            above = _shifted("super", inner[-1]) if element.tag != "msub" else ""
            return f"{inner[0]}{below}{above}"
        case "mfrac":
            if all(each.tag == "mn" for each in element):  # a number before a letter is not read as a quotient
                return f"{_shifted('super', inner[0])}\N{FRACTION SLASH}{_shifted('sub', inner[1])}"
            return f"{_grouped(element[0], inner[0])}/{_grouped(element[1], inner[1])}"
        case "msqrt":
            return f"√({''.join(inner)})"
        case "mover":
            _, accent = _DOTS.get(text_of(element[1]), ("", ""))
            # The accent belongs to the letter, inside of its style.
            at = inner[0].rfind("</") if inner[0].endswith(">") else len(inner[0])
            return str(inner[0][:at] + accent + inner[0][at:])
        case _:
            return "".join(inner)


def _plain(letter: str) -> str:
    """Bold letters of mathematics as bold letters of the font, which usual fonts have."""
    return f'<fo:inline font-weight="bold">{BOLD[letter]}</fo:inline>' if letter in BOLD else escape(letter)


def _fo_operator(text: str) -> str:
    if not text or text == INVISIBLE[0]:
        return ""
    if text == INVISIBLE[1]:
        return "\N{THIN SPACE}"
    if text in "()":
        return text
    shown = escape({"-": MINUS}.get(text, text))
    return f"{shown} " if text == "," else f" {shown} "


def _shifted(way: str, text: str) -> str:
    return f'<fo:inline baseline-shift="{way}" font-size="70%">{text.strip()}</fo:inline>'


def _grouped(element: Element, text: str) -> str:
    """The half of a fraction, in brackets where it is more than one thing."""
    return f"({text})" if len(element) > 1 else text
