"""What the named sets of three angles mean: three turns, each about an axis of the body as it is by then."""

from __future__ import annotations

import math
from collections.abc import Callable

from sistel.errors import Language, Text, did_you_mean, one_of, refuse, user_language
from sistel.look import Theme
from sistel.pose import IDENTITY, Rotation, compose, from_axis_angle
from sistel.records import record
from sistel.views._drawing import Drawing
from sistel.views.orientations import _shapes
from sistel.views.orientations._figure import Figure, view_from
from sistel.views.orientations._paint import document, text
from sistel.views.orientations._solids import Arrangement

PANEL = (276.0, 282.0)
"""Width and height of a step [px]."""
EDGE, TITLE, FOOT = 18.0, 40.0, 52.0
RADIUS = 96.0
"""Length of an axis [px]."""
_PRIMES = ("", "′", "″", "‴")


@record
class AngleSet:
    """Three angles with names of their own."""

    order: str
    """Axes of the turns."""
    title: Text
    letters: tuple[str, str, str]
    words: tuple[Text, ...]
    """What the angles are called; empty where they have no names."""
    shown: tuple[float, float, float]
    """Angles of the picture [deg]."""
    body: Callable[[float], Arrangement]
    singular: Text
    """Where the first and the last angle cannot be told apart."""
    starts: str
    """Axes from which the arrows of the turns begin."""
    up: str = "z"
    """The vertical axis of the picture."""
    seen: float = 34.0
    """How far to the right the viewer stands [deg]."""


ANGLES = {
    "euler": AngleSet(
        order="zxz",
        title=Text("Euler angles", "Углы Эйлера"),
        letters=("ψ", "θ", "φ"),
        words=(
            Text("precession", "прецессия"),
            Text("nutation", "нутация"),
            Text("own rotation", "собственное вращение"),
        ),
        shown=(40.0, 32.0, 50.0),
        body=_shapes.top,
        singular=Text("θ is 0° or 180°", "при θ = 0° и 180°"),
        starts="xyx",
    ),
    "bryant": AngleSet(
        order="xyz",
        title=Text("Bryant angles", "Углы Брайнта"),
        letters=("α", "β", "γ"),
        words=(),
        shown=(35.0, 35.0, 40.0),
        body=_shapes.brick,
        singular=Text("β is ±90°", "при β = ±90°"),
        starts="yzx",
    ),
    "aircraft": AngleSet(
        order="yzx",
        title=Text("Aircraft angles", "Самолётные углы"),
        letters=("ψ", "ϑ", "γ"),
        words=(Text("yaw", "рыскание"), Text("pitch", "тангаж"), Text("roll", "крен")),
        shown=(38.0, 28.0, 40.0),
        body=_shapes.aircraft,
        up="y",
        seen=-18.0,
        singular=Text("ϑ is ±90°", "при ϑ = ±90°"),
        starts="xxz",
    ),
    "ship": AngleSet(
        order="zxy",
        title=Text("Ship angles", "Корабельные углы"),
        letters=("ψ", "θ", "φ"),
        words=(Text("trim", "дифферент"), Text("heel", "крен"), Text("yaw", "рыскание")),
        shown=(26.0, 30.0, 40.0),
        body=_shapes.ship,
        up="y",
        seen=30.0,
        singular=Text("θ is ±90°", "при θ = ±90°"),
        starts="xyx",
    ),
}
"""Orders as in `sistel.pose.Parameters.standard`; sources differ in what they call aircraft and ship angles."""


def draw_angles(name: str, lang: Language | None = None, *, theme: Theme = "auto") -> Drawing:
    """A set of angles as an SVG picture: three turns in their order, the axes before and after each.

    Args:
        name: euler, bryant, aircraft or ship.
        lang: Language of the words; the user's unless told otherwise.
        theme: Light, dark, or as the reader's screen.

    Raises:
        SistelError: There is no such set.
    """
    lang = lang or user_language()
    chosen = _chosen(name)
    wide, high = 2 * EDGE + 3 * PANEL[0], EDGE + TITLE + PANEL[1] + FOOT
    order = ", ".join(f"{letter}{_PRIMES[i]}" for i, letter in enumerate(chosen.order))
    title = f"{chosen.title.say(lang)}: {order}"
    parts = [text(title, EDGE, EDGE + 16, "title")]
    R = IDENTITY
    for step in range(3):
        after = compose(R, _turn(chosen, step))
        parts += _panel(chosen, step, R, after, EDGE + step * PANEL[0], EDGE + TITLE, lang)
        R = after
    product = " · ".join(
        f'R<tspan class="low" dy="4">{axis}</tspan><tspan dy="-4">({letter})</tspan>'
        for axis, letter in zip(chosen.order, chosen.letters, strict=True)
    )
    ends = Text(
        "The first and the last turn cannot be told apart where",
        "Первый и третий повороты не различить",
    ).say(lang)
    parts.append(f'<text x="{EDGE:g}" y="{high - 32:g}" class="formula">R = {product}</text>')
    parts.append(text(f"{ends} {chosen.singular.say(lang)}.", EDGE, high - 12, "dim"))
    return document(title, (wide, high), parts, lang=lang, theme=theme, more=_MORE)


_MORE = """
.sistel-pose .code{font-size:14px}
.sistel-pose .letter{font-size:15px}
.sistel-pose .angle{font-size:17px;font-style:italic;font-weight:600;stroke-width:4;paint-order:stroke}
.sistel-pose .old-letter{font-style:italic}
.sistel-pose .formula{font-size:15px}
.sistel-pose .low{font-size:11px;font-style:italic}
"""


def _chosen(name: str) -> AngleSet:
    if name not in ANGLES:
        refuse(
            "no-set",
            Text(f'there are no angles named "{name}"', f"нет углов с именем «{name}»"),
            expected=one_of(list(ANGLES)),
            hint=did_you_mean(name, list(ANGLES)),
        )
    return ANGLES[name]


def _turn(chosen: AngleSet, step: int) -> Rotation:
    axis = chosen.order[step]
    direction = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}[axis]
    return from_axis_angle(direction, math.radians(chosen.shown[step]))


def _panel(
    chosen: AngleSet, step: int, before: Rotation, after: Rotation, x: float, y: float, lang: Language
) -> list[str]:
    axis, letter = chosen.order[step], chosen.letters[step]
    view = view_from(math.radians(chosen.seen), math.radians(24), chosen.up)
    figure = Figure((x + PANEL[0] / 2, y + 164), RADIUS, view)
    old = {each: each + _PRIMES[step] for each in "xyz"}
    # The axis of the turn stays, and so does its name.
    new = {each: each + _PRIMES[step + (each != axis)] for each in "xyz"}
    frame = figure.frame(before, 1.06, {each: "" if each == axis else old[each] for each in "xyz"})
    arrow, middle = figure.turn(before, axis, math.radians(chosen.shown[step]), 0.84, chosen.starts[step])
    out = (middle[0] - figure.centre[0], middle[1] - figure.centre[1])
    far = math.hypot(*out) or 1.0
    head = f"{step + 1}. {letter}" + (f" — {chosen.words[step].say(lang)}" if chosen.words else "")
    about = Text("about", "вокруг").say(lang)
    return [
        f'<rect class="cell" x="{x:g}" y="{y:g}" width="{PANEL[0]:g}" height="{PANEL[1]:g}"/>',
        text(head, x + 12, y + 24, "code"),
        text(f"{about} {old[axis]}", x + 12, y + 42, f"letter-{axis}"),
        arrow[0],
        *(part for part in frame if not part.startswith("<text")),
        *figure.body(chosen.body(1.06), after),
        *arrow[1:],
        *(part for part in frame if part.startswith("<text")),
        *figure.names(after, 1.06, new),
        text(letter, middle[0] + 15 * out[0] / far, middle[1] + 15 * out[1] / far + 5, "letter angle middle"),
    ]
