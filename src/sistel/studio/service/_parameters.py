"""The parameters of a text: their values in the unit that the author has written, and new values in the same unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, did_you_mean, refuse
from sistel.markup import Attribute, Node, Number, walk_expression
from sistel.model import Parameter
from sistel.records import entry
from sistel.studio.service import _params
from sistel.studio.service._calls import Method
from sistel.studio.service._edits import Edit, told_edits
from sistel.studio.service._numbers import Literal, items_of, literal_of, plain, rewritten
from sistel.studio.service._read import given, model_of, reading
from sistel.studio.service._told import utf16
from sistel.units import Dimension, si_symbol, spell_unit, unit_of

if TYPE_CHECKING:
    from sistel.plain import JsonObject

DOWN, UP = 0.75, 1.0
"""How far a slider goes below and above a value, in parts of it, where the file gives no limits; as pages have it."""


@entry
class Written:
    """A parameter as its file has it."""

    parameter: Parameter
    node: Node
    value: Attribute
    unit: str
    """As people spell it in this text; empty for a plain number."""
    scale: float
    """What one of the unit is [SI]."""

    @property
    def literal(self) -> Literal | None:
        """The number that it is, if it is one and no formula."""
        return literal_of(self.value.value)

    def of_si(self, value: float) -> float:
        """A value in the author's unit."""
        return value / self.scale if self.scale != 1.0 else value

    def to_si(self, value: float) -> float:
        """A value in SI."""
        found = unit_of(self.unit) if self.unit else None
        return value if found is None else found.to_si(value)


def written(path: str, text: str) -> dict[str, Written]:
    """The parameters that a text declares itself, by name.

    Raises:
        SistelError: The text makes no model.
    """
    model = model_of(path, text)
    document = reading(path, text).document
    assert document is not None
    known = {parameter.name: parameter for parameter in model.parameters}
    found: dict[str, Written] = {}
    for node in document.root.children:
        name = node.text("name")
        value = node.attributes.get("value")
        if node.key == "parameter" and value is not None and name in known:
            unit, scale = _unit(value, known[name].dimension, reading(path, text).lang)
            found[name] = Written(known[name], node, value, unit, scale)
    return found


def _unit(attribute: Attribute, dimension: Dimension, lang: str) -> tuple[str, float]:
    """The unit that a value is written in: its own, that of one of its numbers, or that of SI."""
    for item in items_of(attribute.value):
        for part in walk_expression(item):
            if isinstance(part, Number) and part.unit is not None and part.dimension == dimension:
                unit = unit_of(part.unit)
                if unit is not None:
                    return spell_unit(part.unit, lang), unit.to_si(1.0)
    return ("", 1.0) if dimension.plain else (si_symbol(dimension, lang), 1.0)


def tried(path: str, text: str, params: Mapping[str, object], key: str = "parameters") -> dict[str, float]:
    """Values of parameters that a call tries, which are in the authors' units [SI]."""
    asked = _params.table(params, key)
    if not asked:
        return {}
    known = written(path, text)
    values: dict[str, float] = {}
    for name in asked:
        if name in known:
            values[name] = known[name].to_si(_params.number(asked, name))
    return values


def tried_values(path: str, text: str, values: Mapping[str, float]) -> dict[str, float]:
    """Values of parameters in the units of their authors, in SI.

    Raises:
        SistelError: The text makes no model.
    """
    return {name: in_si(path, text, name, [value])[0] for name, value in values.items()}


def in_si(path: str, text: str, name: str, values: Sequence[float]) -> list[float]:
    """Values of a parameter in the unit of its author, in SI; of one that an included file declares, they are in SI."""
    known = written(path, text)
    return [known[name].to_si(value) if name in known else value for value in values]


def listed(params: Mapping[str, object]) -> object:
    """The parameters of a text: `[{name, value, unit, written, low, high, about, formula, from, to}]`."""
    path, text = given(params)
    return [_row(text, each) for each in written(path, text).values()]


def _row(text: str, each: Written) -> JsonObject:
    parameter = each.parameter
    value = _shown(each, each.of_si(float(parameter.value)))
    low, high = _range(each, value)
    return {
        "name": parameter.name,
        "value": value,
        "unit": each.unit,
        "written": each.value.span.text,
        "low": low,
        "high": high,
        "about": parameter.about or None,
        "formula": each.literal is None,
        "from": utf16(text, each.value.span.start),
        "to": utf16(text, each.value.span.end),
    }


def _shown(each: Written, value: float) -> float:
    """The value exactly as the author has written it, where it is a number."""
    literal = each.literal
    return float(f"{value:.12g}") if literal is None else literal.value


def _range(each: Written, value: float) -> tuple[float, float]:
    parameter = each.parameter
    size = abs(value) or 1.0
    down, up = (DOWN, UP) if value > 0.0 else (UP, DOWN) if value < 0.0 else (1.0, 1.0)
    low = value - down * size if parameter.minimum is None else each.of_si(float(parameter.minimum))
    high = value + up * size if parameter.maximum is None else each.of_si(float(parameter.maximum))
    return min(float(f"{low:.12g}"), value), max(float(f"{high:.12g}"), value)


def write(params: Mapping[str, object]) -> object:
    """The changes that give parameters other values, in their authors' units: `{edits}`.

    Either `values`, by name, or one `name` and its `value`. A formula gives way to the number.
    """
    path, text = given(params)
    asked = _params.table(params, "values")
    if "name" in params:
        asked[_params.text(params, "name")] = _params.number(params, "value")
    known = written(path, text)
    edits = []
    for name in asked:
        if name not in known:
            refuse(
                "no-parameter",
                Text(f'this file gives no parameter "{name}"', f"в этом файле нет параметра «{name}»"),
                hint=did_you_mean(name, known),
            )
        edits.append(written_over(known[name], _params.number(asked, name)))
    return {"edits": told_edits(text, edits)}


def written_over(each: Written, value: float) -> Edit:
    """The change that gives a parameter another value, in the author's unit.

    Raises:
        SistelError: It lies beyond the limits that the file gives.
    """
    _within(each, value)
    literal = each.literal
    if literal is not None:
        same = value == literal.value  # it may have more digits than are written
        return Edit(0, 0, "") if same else rewritten(literal, value)
    span = each.value.span
    unit = f" {each.unit}" if each.unit else ""
    return Edit(span.start, span.end, plain(value) + unit)


def _within(each: Written, value: float) -> None:
    parameter = each.parameter
    si = each.to_si(value)
    slack = 1e-9 * max(abs(si), 1e-300)
    low, high = parameter.minimum, parameter.maximum
    if (low is not None and si < low - slack) or (high is not None and si > high + slack):
        ends = [
            "…" if end is None else plain(float(f"{each.of_si(float(end)):.12g}")) + (f" {each.unit}" * bool(each.unit))
            for end in (low, high)
        ]
        refuse(
            "beyond-limits",
            Text(
                f'the parameter "{parameter.name}" cannot be {plain(value)} {each.unit}'.rstrip(),
                f"параметр «{parameter.name}» не может быть {plain(value)} {each.unit}".rstrip(),
            ),
            span=each.value.span,
            expected=Text(f"from {ends[0]} to {ends[1]}", f"от {ends[0]} до {ends[1]}"),
        )


METHODS: Final[Mapping[str, Method]] = {"parameters.list": listed, "parameters.write": write}
