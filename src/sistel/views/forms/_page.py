"""A file as a page: fields for its numbers beside the system that moves with them, and the file written anew."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from sistel.errors import Language, SistelError, Text
from sistel.views._form_data import FormData, FormField
from sistel.views._page_words import Words
from sistel.views.forms._fields import Field, Form
from sistel.views.text._numbers import clean

if TYPE_CHECKING:
    from sistel.model import Model

_ENCODING = re.compile(r"""<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)""")
BLOCK = "form"
"""The block of a page that holds the text of the file."""


def draw_form(form: Form, model: Model, lang: Language) -> str:
    """The page: that of a system without a run, which opens at its form.

    Raises:
        SistelError: The libraries of pages are not installed.
    """
    from sistel.views.page import draw_page

    return draw_page(model, lang=lang, form=(form_data(form, drawn_parameters(model)), form.document.source.text))


def drawn_parameters(model: Model) -> frozenset[str]:
    """Parameters with which bodies are drawn otherwise: lengths of links, sizes of shapes, places of points."""
    found = set()
    for parameter in model.parameters:
        # A little off, towards the inside of its limits.
        step = 1e-3 * (abs(parameter.value) or 1.0)
        most = parameter.maximum
        other = parameter.value + (step if most is None or parameter.value + step <= most else -step)
        try:
            made = None if model.recipe is None else model.recipe.build({parameter.name: other})
        except SistelError:
            continue
        if made is not None and _lengths(made) != _lengths(model):
            found.add(parameter.name)
    return frozenset(found)


def _lengths(model: Model) -> tuple[object, ...]:
    """What bodies are drawn from."""
    return (
        *((body.p_PB, body.R_PB, body.p_BoBcm_B) for body in model.bodies),
        *((shape.p_BS, shape.R_BS, shape.sizes, shape.path) for shape in model.shapes),
        *(point.p_BP for point in model.points),
    )


def form_data(form: Form, drawn: frozenset[str] = frozenset()) -> FormData:
    """What the page is told."""
    text = form.document.source.text
    place = _places(text)
    declared = _ENCODING.match(text)
    return {
        "id": BLOCK,
        "file": form.file,
        # Pages write UTF-8.
        "encoding": [] if declared is None else [place(declared.start(1)), place(declared.end(1))],
        "fields": [_field(field, place, drawn) for field in form.fields],
        "slots": [
            {
                "first": place(slot.first),
                "last": place(slot.last),
                "parent": -1 if slot.parent is None else slot.parent,
                "before": slot.before,
                "after": slot.after,
            }
            for slot in form.slots
        ],
        "left": [_said(left) for left in form.left],
    }


def _places(text: str) -> Callable[[int], int]:
    """From characters to the units that JavaScript counts."""
    wide = [i for i, character in enumerate(text) if ord(character) > 0xFFFF]
    if not wide:
        return lambda offset: offset
    return lambda offset: offset + sum(i < offset for i in wide)


def _field(field: Field, place: Callable[[int], int], drawn: frozenset[str]) -> FormField:
    low, high = field.range
    span = field.span
    return {
        "key": field.key,
        "group": field.group,
        "name": _said(field.name),
        "about": _said(field.about),
        "written": field.written,
        "unit": _said(field.shown_unit),
        "scale": (float(field.measure.numerator), float(field.measure.denominator)),
        "value": field.value,
        "min": low,
        "max": high,
        "formula": field.formula,
        "required": field.required,
        "of": field.of,
        "parameter": field.parameter,
        "drawn": field.of == "parameter" and field.parameter in drawn,
        "index": field.index,
        "line": 0 if span is None else span.line,
        "place": [] if span is None else [place(span.start), place(span.end)],
        "slot": -1 if field.slot is None else field.slot,
    }


def _said(text: Text) -> Words:
    return {"en": clean(text.en), "ru": clean(text.ru)}
