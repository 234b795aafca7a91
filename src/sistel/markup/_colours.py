"""Colours that a drawing may use: the words of CSS, a few Russian ones, and #rrggbb."""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Fragment, Text, did_you_mean

# The named colours of CSS Color Module Level 4, section 6.1.
_NAMES = """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
    burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
    darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid
    darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
    deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
    ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
    lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow
    lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
    mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
    midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
    palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
    rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver
    skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet
    wheat white whitesmoke yellow yellowgreen none
"""
_CSS = frozenset(_NAMES.split())

RUSSIAN = {
    "красный": "red",
    "зелёный": "green",
    "зеленый": "green",
    "синий": "blue",
    "голубой": "lightblue",
    "жёлтый": "gold",
    "желтый": "gold",
    "чёрный": "black",
    "черный": "black",
    "белый": "white",
    "серый": "gray",
    "оранжевый": "orange",
    "коричневый": "brown",
    "фиолетовый": "purple",
}


def read_colour(fragment: Fragment, diagnostics: Diagnostics) -> str | None:
    """The CSS spelling of a colour, or None with an error."""
    word = fragment.text.casefold()
    if re.fullmatch(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})", word) or word in _CSS:
        return word
    if word in RUSSIAN:
        return RUSSIAN[word]
    diagnostics.error(
        "bad-colour",
        fragment.span(),
        Text(f'unknown colour "{fragment.text[:40]}"', f"неизвестный цвет «{fragment.text[:40]}»"),
        expected=Text("a CSS colour word or #rrggbb", "слово CSS, русское слово или #rrggbb"),
        hint=did_you_mean(word, (*_CSS, *RUSSIAN)),
    )
    return None
