"""Checks the path data of planar shapes against the grammar of SVG 2, section 9.3.

In descriptions a number may be an expression in braces, ``m0,0v{2*L}``: a length.
"""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Fragment, Text
from sistel.markup.expressions._parser import parse_expression
from sistel.markup.expressions._syntax import Node as Expression

_TOKEN = re.compile(r"[\s,]*(?:([A-Za-z])|([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?))")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
# The two flags of an arc may be written without a separator: "a5,5 0 0110,10".
_FLAG = re.compile(r"[\s,]*([01])")
_GAP = re.compile(r"[\s,]*\{([^{}]*)\}")
SMALLEST, LARGEST = 1e-30, 1e15
"""Numbers of a path but 0: squares and quotients of others are none [mm]."""


def read_path(
    fragment: Fragment, diagnostics: Diagnostics, *, indices: bool = False
) -> str | tuple[str | Expression, ...] | None:
    """A path as it is written; with its expressions, where it has some; None after an error.

    Args:
        fragment: The text.
        diagnostics: Takes what is wrong.
        indices: Whether names in expressions may have braces of their own.
    """
    if not check_path(fragment, diagnostics, gaps=True):
        return None
    pieces: list[str | Expression] = []
    at = 0
    for found in re.finditer(r"\{([^{}]*)\}", fragment.text):
        expression = parse_expression(fragment.part(*found.span(1)), diagnostics, braces=indices)
        if expression is None:
            return None
        between = fragment.text[at : found.start()]
        # Numbers that touch would become one.
        apart = " " if (pieces and not between) or between[-1:].isdigit() or between[-1:] == "." else ""
        follow = " " if pieces and (between[:1].isdigit() or between[:1] == ".") else ""
        pieces += [follow + between + apart, expression]
        at = found.end()
    if not pieces:
        return fragment.text
    rest = fragment.text[at:]
    return (*pieces, " " + rest if rest[:1].isdigit() or rest[:1] == "." else rest)


def check_path(fragment: Fragment, diagnostics: Diagnostics, *, gaps: bool = False) -> bool:
    """Whether the text is a path; says what is wrong with it otherwise. With `gaps`, numbers may be expressions."""
    text, at, command, count, first = fragment.text, 0, "", 0, True

    def fail(start: int, end: int, en: str, ru: str) -> bool:
        diagnostics.error(
            "bad-path",
            fragment.span(start, max(end, start + 1) if start < len(text) else start),
            Text(en, ru),
            expected=Text('SVG path data, such as "m0,0 h200 v100 z"', "путь SVG, например «m0,0 h200 v100 z»"),
        )
        return False

    while at < len(text):
        flag = command == "a" and count % 7 in (3, 4)
        gap = _GAP.match(text, at) if gaps and command and command != "z" else None
        if gap is not None:
            # The third number of an arc is an angle, and two more are flags.
            if command == "a" and count % 7 in (2, 3, 4):
                return fail(
                    gap.start(1) - 1,
                    gap.end(),
                    "an expression stands for a length, not for an angle or a flag",
                    "выражение стоит на месте длины, а не угла или флага",
                )
            count, at = count + 1, gap.end()
            continue
        found = (_FLAG if flag else _TOKEN).match(text, at)
        if found is None:
            if not text[at:].strip():
                break
            return fail(at, at + 1, f'"{text[at]}" cannot stand in a path', f"«{text[at]}» не может стоять в пути")
        letter = None if flag else found.group(1)
        if letter is not None:
            if letter.lower() not in _ARGUMENTS:
                return fail(
                    found.start(1), found.end(1), f'"{letter}" is no command of a path', f"«{letter}» — не команда пути"
                )
            if first and letter.lower() != "m":
                return fail(found.start(1), found.end(1), "a path begins with m or M", "путь начинается с m или M")
            if not _complete(command, count):
                return fail(
                    found.start(1),
                    found.end(1),
                    f'command "{command}" lacks numbers',
                    f"команде «{command}» не хватает чисел",
                )
            command, count, first = letter.lower(), 0, False
        else:
            if not command or command == "z":
                return fail(found.start(), found.end(), "a number without a command", "число без команды")
            if not flag and not (SMALLEST <= abs(float(found.group(2))) <= LARGEST or float(found.group(2)) == 0.0):
                word = found.group(2)[:20]
                return fail(
                    found.start(2), found.end(2), f'"{word}" is no size that can be drawn', f"«{word}» не нарисовать"
                )
            count += 1
        at = found.end()
    if first:
        return fail(0, len(text), "the path is empty", "путь пуст")
    if not _complete(command, count):
        return fail(
            len(text) - 1, len(text), f'command "{command}" lacks numbers', f"команде «{command}» не хватает чисел"
        )
    return True


def _complete(command: str, count: int) -> bool:
    if not command:
        return True
    size = _ARGUMENTS[command]
    return count == 0 if size == 0 else count > 0 and count % size == 0
