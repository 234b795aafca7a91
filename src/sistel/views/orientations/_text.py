"""The table of octants for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Language, Text, user_language
from sistel.pose import OCTANTS, euler_parameters

ARROWS = {1: "→", 2: "←", 3: "↑", 4: "↓", 5: "⊙", 6: "⊗"}
"""Directions of the digits of a code: ⊙ towards us, ⊗ away."""
INSIDE = 13
"""Columns of a cell between its blanks."""

_KEY = Text(
    "code, fingers, thumb (⊙ towards us, ⊗ away from us); below: axis and angle of the turn from 13",
    "код, пальцы, большой (⊙ на нас, ⊗ от нас); ниже — ось и угол поворота из 13 (параметры Эйлера)",
)
_OCTANT = Text("octant", "октант")


def octants_text(lang: Language | None = None, *, width: int = 100) -> str:
    """The table of octants in frames of lines.

    Args:
        lang: Language of the words; the user's unless told otherwise.
        width: Columns of the terminal: where eight octants do not fit side by side, they stand below each other.
    """
    lang = lang or user_language()
    columns = len(OCTANTS[0])
    heads = [f"{_OCTANT.say(lang)} {i + 1}" for i in range(columns)]
    if (INSIDE + 3) * columns + 1 <= width:
        lines = _grid(OCTANTS, heads, [""] * len(OCTANTS))
    else:
        turned = [[row[i] for row in OCTANTS] for i in range(columns)]
        lines = _grid(turned, [], heads)
    return "\n".join((*lines, _KEY.say(lang))) + "\n"


def _grid(rows: Sequence[Sequence[int]], heads: Sequence[str], names: Sequence[str]) -> list[str]:
    count = len(rows[0])
    room = max(map(len, names))
    blank = " " * (room + 1 if room else 0)
    rule = "─" * (INSIDE + 2)
    lines = [blank + "".join(f" {head:^{INSIDE + 2}}" for head in heads).rstrip()] if heads else []
    lines.append(f"{blank}┌{'┬'.join([rule] * count)}┐")
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        if place:
            lines.append(f"{blank}├{'┼'.join([rule] * count)}┤")
        first = "│".join(f" {_first(code):{INSIDE}} " for code in row)
        second = "│".join(f" {_second(code):{INSIDE}} " for code in row)
        lines.append(f"{f'{name} ' if room else ''}│{first}│")
        lines.append(f"{blank}│{second}│")
    return [*lines, f"{blank}└{'┴'.join([rule] * count)}┘"]


def _first(code: int) -> str:
    i, j = divmod(code, 10)
    return f"{code}{f'{ARROWS[i]} {ARROWS[j]}':>{INSIDE - 2}}"


def _second(code: int) -> str:
    *axis, angle = euler_parameters(code)
    return f"{','.join(map(str, axis))},{angle}°"
