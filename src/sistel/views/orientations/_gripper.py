"""The gripper in one orientation, large."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from sistel.errors import Language, Text, refuse, user_language
from sistel.look import Theme
from sistel.pose import (
    CODES,
    IDENTITY,
    Rotation,
    axial_rotation,
    axis_angle,
    euler_parameters,
    from_quaternion,
    norm,
    quaternion,
    say_code,
    transpose,
)
from sistel.views._drawing import Drawing
from sistel.views.orientations._figure import Figure
from sistel.views.orientations._paint import document, signed, text
from sistel.views.orientations._shapes import gripper

SIZE = (460.0, 470.0)
"""Width and height of the picture [px]."""
RADIUS = 158.0
"""Of the sphere [px]."""

_TITLE = Text("Orientation of a gripper", "Ориентация схвата")
_SCENE = Text("scene", "сцена")


def draw_gripper(
    orientation: int | Sequence[float], lang: Language | None = None, *, theme: Theme = "auto", caption: bool = True
) -> Drawing:
    """The gripper in one orientation as an SVG picture: its axes named, those of the scene in the corner.

    Args:
        orientation: A code, or a quaternion w, x, y, z of any length.
        lang: Language of the words; the user's unless told otherwise.
        theme: Light, dark, or as the reader's screen.
        caption: Whether to write the code, its words and its Euler parameters.

    Raises:
        SistelError: There is no such code, or the four numbers are no rotation.
    """
    lang = lang or user_language()
    code = orientation if isinstance(orientation, int) else None
    R = axial_rotation(orientation) if isinstance(orientation, int) else from_quaternion(_checked(orientation))
    wide, high = SIZE if caption else (SIZE[0], SIZE[1] - 56)
    figure = Figure((wide / 2, 28 + 1.14 * RADIUS), RADIUS)
    parts = ["<g>", f"<title>{escape(say_code(code, lang))}</title>" if code else "", figure.sphere()]
    if code is not None:
        parts += figure.octant(transpose(R))
    parts += [*figure.body(gripper(), R), *figure.names(R, 1.0, {"x": "x", "y": "y", "z": "z"}), "</g>"]
    corner = Figure((44.0, 14 + 2.2 * RADIUS), 30.0)
    parts += corner.frame(IDENTITY, 1.0, {"x": "x", "y": "y", "z": "z"})
    parts.append(text(_SCENE.say(lang), 20, 28 + 2.2 * RADIUS + 26, "dim"))
    title = _TITLE.say(lang) if code is None else f"{code}: {say_code(code, lang)}"
    if caption:
        said, below = _said(code, R, lang)
        parts += [text(said, wide / 2, high - 36, "code middle"), text(below, wide / 2, high - 15, "dim mono middle")]
    return document(title, (wide, high), parts, lang=lang, theme=theme, more=_LARGE)


_LARGE = """
.sistel-pose .letter{font-size:17px}
.sistel-pose .edge{stroke-width:1.5}
.sistel-pose .axis{stroke-width:2.2}
"""


def _checked(numbers: Sequence[float]) -> tuple[float, float, float, float]:
    values = [float(number) for number in numbers]
    if len(values) != 4 or not all(map(math.isfinite, values)) or not any(values):
        refuse(
            "no-quaternion",
            Text("these numbers are no quaternion of a rotation", "эти числа — не кватернион поворота"),
            expected=Text("four finite numbers w, x, y, z, not all 0", "четыре конечных числа w, x, y, z, не все нули"),
        )
    # First by the largest, so that squares neither vanish nor overflow.
    size = max(map(abs, values))
    scaled = [value / size for value in values]
    length = norm(scaled)
    w, x, y, z = (value / length for value in scaled)
    return (w, x, y, z)


def _said(code: int | None, R: Rotation, lang: Language) -> tuple[str, str]:
    """What is written below: what it is, and its Euler parameters."""
    if code is not None:
        assert code in CODES
        axis: Sequence[float] = euler_parameters(code)[:3]
        angle: float = euler_parameters(code)[3]
        said = f"{code} — {say_code(code, lang)}"
    else:
        axis, radians = axis_angle(R)
        angle = math.degrees(radians)
        said = "q = (" + ", ".join(_rounded(part) for part in quaternion(R)) + ")"
    about = Text("turn about", "поворот вокруг").say(lang)
    return said, f"{about} ({', '.join(_rounded(c) for c in axis)}), {_rounded(angle)}°"


def _rounded(number: float) -> str:
    return signed(round(number, 4) + 0.0)
