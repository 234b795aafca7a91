"""A form of a text: every number that may be filled in, and the changes that other numbers make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from sistel.errors import Source, Text, refuse
from sistel.studio.service import _params
from sistel.studio.service._calls import Method
from sistel.studio.service._edits import difference, told_edits
from sistel.studio.service._read import given, model_of
from sistel.studio.service._told import both, utf16
from sistel.views.forms import GROUPS, Field, Form, read_form

if TYPE_CHECKING:
    from sistel.plain import JsonObject


def _form(params: Mapping[str, object]) -> tuple[str, Form]:
    path, text = given(params)
    return text, read_form(model_of(path, text), Source(path, text))


def show(params: Mapping[str, object]) -> object:
    """The fields of a text: `{groups: [{key, title, fields}], left}`."""
    text, form = _form(params)
    groups = []
    for key, title in GROUPS.items():
        fields = [_field(text, each) for each in form.fields if each.group == key]
        if fields:
            groups.append({"key": key, "title": both(title), "fields": fields})
    return {"groups": groups, "left": [both(each) for each in form.left]}


def _field(text: str, field: Field) -> JsonObject:
    low, high = field.range
    return {
        "key": field.key,
        "name": both(field.name),
        "about": both(field.about),
        "written": field.written,
        "unit": both(field.shown_unit),
        "low": low,
        "high": high,
        "formula": field.formula,
        "required": field.required,
        "from": None if field.span is None else utf16(text, field.span.start),
        "to": None if field.span is None else utf16(text, field.span.end),
    }


def fill(params: Mapping[str, object]) -> object:
    """The changes that fill fields, by their keys, with other numbers: `{edits}`."""
    text, form = _form(params)
    asked = _params.table(params, "values")
    values: dict[str, str] = {}
    for key in asked:
        field = next((each for each in form.fields if each.key == key), None)
        if field is None or field.formula:
            refuse("no-field", Text(f'the form has no field "{key[:60]}"', f"в форме нет поля «{key[:60]}»"))
        values[key] = _number(field, _params.text(asked, key, most=60))
    return {"edits": told_edits(text, difference(text, form.filled(values)))}


def _number(field: Field, value: str) -> str:
    """A number as it may stand in the text.

    Raises:
        SistelError: It is none, lies beyond the limits, or is missing where one is needed.
    """
    name = field.name
    plain = value.strip().replace(",", ".").replace("−", "-")
    if not plain:
        if field.required:
            refuse("no-number", Text(f"{name.en}: a number is needed", f"{name.ru}: нужно число"))
        return ""
    try:
        found = float(plain)
    except ValueError:
        found = float("nan")
    if not abs(found) < float("inf"):
        refuse("no-number", Text(f'{name.en}: "{plain}" is no number', f"{name.ru}: «{plain}» — не число"))
    low, high = field.range
    slack = 1e-9 * max(abs(found), 1e-300)
    if (low is not None and found < low - slack) or (high is not None and found > high + slack):
        ends = ["…" if each is None else f"{each:g}" for each in (low, high)]
        unit = field.shown_unit
        refuse(
            "beyond-limits",
            Text(
                f"{name.en} cannot be {plain} {unit.en}".rstrip(), f"{name.ru} не может быть {plain} {unit.ru}".rstrip()
            ),
            expected=Text(
                f"from {ends[0]} to {ends[1]} {unit.en}".rstrip(), f"от {ends[0]} до {ends[1]} {unit.ru}".rstrip()
            ),
        )
    return plain


METHODS: Final[Mapping[str, Method]] = {"forms.show": show, "forms.fill": fill}
