"""The table of octants: all 24 axial orientations, with the gripper drawn in each."""

from __future__ import annotations

from html import escape

from sistel.errors import Language, Text, user_language
from sistel.look import Theme
from sistel.pose import OCTANTS, axial_rotation, euler_parameters, say_code, transpose
from sistel.views._drawing import Drawing
from sistel.views.orientations._figure import Figure
from sistel.views.orientations._paint import document, signed, text
from sistel.views.orientations._shapes import gripper

CELL = (154.0, 186.0)
"""Width and height of a cell [px]."""
HEAD, EDGE, TITLE, FOOT = 26.0, 18.0, 34.0, 30.0
RADIUS = 56.0
"""Of the sphere in a cell [px]."""

_TITLE = Text("The 24 axial orientations of a gripper", "24 осевые ориентации схвата")
_OCTANT = Text("octant", "октант")
_FOOT = Text(
    "Fingers along x, thumb along y. In the corner: the code; below: axis and angle of the turn from 13.",
    "Пальцы вдоль x, большой вдоль y. В углу — код, внизу — ось и угол поворота из 13 (параметры Эйлера).",
)


def draw_octants(lang: Language | None = None, *, theme: Theme = "auto") -> Drawing:
    """The table of octants as an SVG picture.

    A column is an octant, and its three rows are the orientations whose axes lie along the edges of that octant.

    Args:
        lang: Language of the words; the user's unless told otherwise.
        theme: Light, dark, or as the reader's screen.
    """
    lang = lang or user_language()
    wide = 2 * EDGE + CELL[0] * len(OCTANTS[0])
    high = EDGE + TITLE + HEAD + CELL[1] * len(OCTANTS) + FOOT + 4
    parts = [text(_TITLE.say(lang), EDGE, EDGE + 14, "title")]
    top = EDGE + TITLE
    for column in range(len(OCTANTS[0])):
        x = EDGE + column * CELL[0]
        parts.append(f'<rect class="head" x="{x:g}" y="{top:g}" width="{CELL[0]:g}" height="{HEAD:g}"/>')
        parts.append(text(f"{_OCTANT.say(lang)} {column + 1}", x + CELL[0] / 2, top + 17, "dim middle"))
    for row, codes in enumerate(OCTANTS):
        for column, code in enumerate(codes):
            parts += _cell(code, EDGE + column * CELL[0], top + HEAD + row * CELL[1], lang)
    parts.append(text(_FOOT.say(lang), EDGE, high - 14, "dim"))
    return document(_TITLE.say(lang), (wide, high), parts, lang=lang, theme=theme)


def _cell(code: int, x: float, y: float, lang: Language) -> list[str]:
    R = axial_rotation(code)
    figure = Figure((x + CELL[0] / 2, y + 88), RADIUS)
    cx, cy, cz, angle = euler_parameters(code)
    parameters = f"{', '.join(signed(c) for c in (cx, cy, cz))}, {angle}°"
    return [
        f'<g class="orientation" data-code="{code}"><title>{code}: {escape(say_code(code, lang))}</title>',
        f'<rect class="cell" x="{x:g}" y="{y:g}" width="{CELL[0]:g}" height="{CELL[1]:g}"/>',
        figure.sphere(),
        *figure.octant(transpose(R)),
        *figure.body(gripper(), R),
        *figure.names(R, 1.0, {"x": "x", "y": "y", "z": "z"}),
        text(str(code), x + 9, y + 21, "code"),
        text(parameters, x + CELL[0] / 2, y + CELL[1] - 11, "mono middle"),
        "</g>",
    ]
