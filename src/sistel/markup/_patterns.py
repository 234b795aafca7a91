"""Names with expressions in braces, ``link {i - 1}``: how elements that are repeated call themselves and each other."""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Fragment, Language, Text
from sistel.markup.expressions._parser import expression_edits, parse_expression
from sistel.markup.expressions._syntax import Name
from sistel.markup.expressions._syntax import Node as Expression
from sistel.records import entry

LONGEST_NAME = 200
"""[characters]"""
DEFAULT_INDEX = "i"
"""What the index of a repetition is called where the file does not say."""

BRACES = re.compile(r"\{([^{}]*)\}")


@entry
class Pattern:
    """A text with expressions in it, each of which is a whole number in every copy."""

    pieces: tuple[str | Expression, ...]
    length: int
    """Of the text as it is written [characters]."""


def has_braces(text: str) -> bool:
    """Whether there is an expression in a text."""
    return "{" in text and BRACES.search(text) is not None


def read_pattern(fragment: Fragment, diagnostics: Diagnostics, only: tuple[str, ...] | None = None) -> Pattern | None:
    """The pieces of a text with braces; problems go to `diagnostics`, and then the result is None.

    Args:
        fragment: The text.
        diagnostics: Takes what is wrong with the expressions.
        only: Indices; braces without any of them are taken for a part of the text.
    """
    pieces: list[str | Expression] = []
    at = 0
    for found in BRACES.finditer(fragment.text):
        if only is not None and not any(_mentions(found.group(1), index) for index in only):
            continue
        expression = parse_expression(fragment.part(*found.span(1)), diagnostics)
        if expression is None:
            return None
        if found.start() > at:
            pieces.append(fragment.text[at : found.start()])
        pieces.append(expression)
        at = found.end()
    if at < len(fragment.text):
        pieces.append(fragment.text[at:])
    return Pattern(tuple(pieces), len(fragment.text))


def _mentions(text: str, index: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(index)}(?!\w)", text) is not None


def pattern_of(name: Name, diagnostics: Diagnostics) -> Pattern | None:
    """The pieces of a name in an expression, ``'link {i}'``; None where it has no braces, or after an error."""
    if not has_braces(name.name):
        return None
    span = name.span
    if len(name.name) > LONGEST_NAME:
        diagnostics.error(
            "bad-name",
            span,
            Text(f"a name of {len(name.name)} characters", f"имя из {len(name.name)} символов"),
            expected=Text(f"1 to {LONGEST_NAME} characters", f"от 1 до {LONGEST_NAME} символов"),
        )
        return None
    # Its place is not known to the letter where it stands in quotes that are doubled, or has references of XML.
    inside = span.text.find(name.name)
    start = span.start + max(inside, 0)
    return read_pattern(Fragment(name.name, span.source, start), diagnostics)


def without_expressions(text: str) -> str:
    """The text with blanks in the places of its expressions, braces included."""
    return BRACES.sub(lambda found: " " * len(found.group()), text)


def split_outside(text: str) -> list[str]:
    """The parts of a list that commas separate; those in braces do not."""
    if "{" not in text:
        return text.split(",")
    parts, start, depth = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]


def pattern_edits(text: str, lang: Language) -> list[tuple[int, int, str]]:
    """Where words of the expressions in a text are written otherwise in a language: start, end and the word."""
    return [
        (found.start(1) + start, found.start(1) + end, word)
        for found in BRACES.finditer(text)
        for start, end, word in expression_edits(found.group(1), lang)
    ]
