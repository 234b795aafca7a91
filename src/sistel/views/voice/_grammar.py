"""The phrases of axial orientations for recognisers of speech: SRGS 1.0 in XML, with what they mean (SISR 1.0)."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.errors import Language
from sistel.pose import CODES, say_code

LOCALES: dict[Language, str] = {"en": "en-US", "ru": "ru-RU"}
_BETWEEN: dict[Language, tuple[str, str]] = {
    "en": ("from", "to"),
    "ru": ("из положения", "в положение"),
}
_AXES = "XYZ"
"""Directions 1 and 2 are along the first of these, and so on."""


def draw_grammar(lang: Language) -> str:
    """The grammar as a file.

    Its rule `orientation` has the 24 phrases and gives a code; `transition` has two of them, 576 in all, and gives
    `start` and `goal`; its root, `command`, takes either, and gives `start` 0 where none is said.
    """
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<grammar xmlns="http://www.w3.org/2001/06/grammar" version="1.0" xml:lang="{LOCALES[lang]}" mode="voice"',
        '         root="command" tag-format="semantics/1.0">',
        *(f"  {line}" for line in rules(lang)),
        "</grammar>",
        "",
    ]
    return "\n".join(lines)


def rules(lang: Language) -> Iterator[str]:
    """The rules, a line each part."""
    first, second = _BETWEEN[lang]
    fingers, thumb = (_parts(42, lang)[i][0] for i in (0, 1))
    yield '<rule id="command" scope="public">'
    yield "  <one-of>"
    yield '    <item><ruleref uri="#orientation"/> <tag>out.start = 0; out.goal = rules.orientation;</tag></item>'
    yield (
        '    <item><ruleref uri="#transition"/> '
        "<tag>out.start = rules.transition.start; out.goal = rules.transition.goal;</tag></item>"
    )
    yield "  </one-of>"
    yield "</rule>"
    yield '<rule id="transition" scope="public">'
    yield f'  {first} <ruleref uri="#orientation"/> <tag>out.start = rules.orientation;</tag>'
    yield f'  {second} <ruleref uri="#orientation"/> <tag>out.goal = rules.orientation;</tag>'
    yield "</rule>"
    yield '<rule id="orientation" scope="public">'
    yield "  <one-of>"
    for way in range(1, 7):
        axis = _AXES[(way - 1) // 2]
        yield (
            f'    <item>{fingers} {_way(way, lang)} {thumb} <ruleref uri="#across{axis}"/> '
            f"<tag>out = {10 * way} + rules.across{axis};</tag></item>"
        )
    yield "  </one-of>"
    yield "</rule>"
    # The thumb is at right angles to the fingers.
    for number, axis in enumerate(_AXES):
        yield f'<rule id="across{axis}">'
        yield "  <one-of>"
        for way in range(1, 7):
            if (way - 1) // 2 != number:
                yield f"    <item>{_way(way, lang)} <tag>out = {way};</tag></item>"
        yield "  </one-of>"
        yield "</rule>"


def _parts(code: int, lang: Language) -> list[tuple[str, str]]:
    """What is named, and where it points, of the fingers and of the thumb."""
    parts = [part.partition(" ") for part in say_code(code, lang).split(", ")]
    return [(named, way) for named, _, way in parts]


def _way(way: int, lang: Language) -> str:
    """A direction in words."""
    code = next(each for each in CODES if each // 10 == way)
    return _parts(code, lang)[0][1]
